"""What files held before a host's own edits: bounded, and what is not kept is not said to be absent."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from intentls.core.hashing import content_hash
from intentls.store.clock import parse_timestamp
from intentls.store.sessions import pre_edit_snapshots
from intentls.store.sessions.pre_edit_snapshots import PreEditSnapshot, PreEditSnapshots


def taken(snapshots: PreEditSnapshots, path: str) -> PreEditSnapshot | None:
    """The snapshot of session `s`, but for the moment at which it was kept."""
    snapshot = snapshots.take("s", path)
    if snapshot is not None:
        assert parse_timestamp(snapshot.at) <= datetime.now(UTC)
        snapshot = replace(snapshot, at="")
    return snapshot


def test_of_a_long_content_only_the_hash_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file was there, and what it held is unknown."""
    monkeypatch.setattr(pre_edit_snapshots, "MAX_CONTENT", 4)
    snapshots = PreEditSnapshots(tmp_path)
    snapshots.keep("s", "a", b"1234")
    snapshots.keep("s", "b", b"12345")
    snapshots.keep("s", "c", None)
    assert taken(snapshots, "a") == PreEditSnapshot(b"1234", "s", "a")
    assert taken(snapshots, "b") == PreEditSnapshot(None, "s", "b", unkept=content_hash(b"12345"))
    assert taken(snapshots, "c") == PreEditSnapshot(None, "s", "c")


def test_all_contents_together_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest go first, and nothing is known of them any more."""
    monkeypatch.setattr(pre_edit_snapshots, "MAX_TOTAL", 1_000)
    snapshots = PreEditSnapshots(tmp_path)
    for number in range(20):
        snapshots.keep("s", str(number), bytes(100))
        assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 1_000
    assert taken(snapshots, "0") is None
    assert taken(snapshots, "19") == PreEditSnapshot(bytes(100), "s", "19")
