"""The local file is derived: kills, damage and other processes leave it as the segments say."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from intentls.core.errors import LedgerUnavailable
from intentls.store.layout import Layout
from intentls.store.ledger import appender, open_segment
from intentls.store.ledger.ledger import Ledger
from tests.support.ledgers import make_ledger


class Killed(BaseException):
    pass


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root" / ".orchestration").mkdir(parents=True)
    return tmp_path / "root"


def add(ledger: Ledger, *ids: str, **more: Any) -> None:
    for id_ in ids:
        ledger.append({"id": id_, **more}, durable=False)


def ids(ledger: Ledger) -> list[str]:
    return [record["id"] for record in ledger.oldest_first()]


def writers(ledger: Ledger) -> set[str]:
    return {record["chain"]["writer"] for record in ledger.oldest_first()}


@pytest.mark.parametrize("before", [0, 2])
def test_a_kill_behind_the_segment_loses_no_record_and_forks_no_chain(
    root: Path, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    """The local file lacks it, whether it is a segment's first record or not."""
    ledger = make_ledger(root)
    add(ledger, *"ab"[:before])
    real, written = appender.write_all, []

    def die_late(descriptor: int, data: bytes) -> None:
        if written:
            raise Killed
        written.append(data)
        real(descriptor, data)

    with monkeypatch.context() as patch:
        patch.setattr(appender, "write_all", die_late)
        with pytest.raises(Killed):
            add(ledger, "c")
    again = make_ledger(root)
    assert again.contains("c")
    add(again, "d")
    assert ids(again) == [*"ab"[:before], "c", "d"]
    assert (len(writers(again)), again.verify().problems) == (1, ())


def test_a_local_file_that_can_not_be_written_does_not_lose_the_record(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is in the segment, and the local file is made again."""
    ledger = make_ledger(root)
    add(ledger, "a")
    real, written = appender.write_all, []

    def refuse_late(descriptor: int, data: bytes) -> None:
        if written:
            raise OSError("full")
        written.append(data)
        real(descriptor, data)

    with monkeypatch.context() as patch:
        patch.setattr(appender, "write_all", refuse_late)
        add(ledger, "b")
    assert ids(ledger) == ["a", "b"]
    add(ledger, "c")
    assert (ids(ledger), len(writers(ledger)), ledger.verify().problems) == (["a", "b", "c"], 1, ())


def test_a_segment_that_cannot_be_written_takes_no_record(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = make_ledger(root)
    add(ledger, "a")

    def refuse(_descriptor: int, _data: bytes) -> None:
        raise OSError("full")

    with monkeypatch.context() as patch:
        patch.setattr(appender, "write_all", refuse)
        with pytest.raises(LedgerUnavailable):
            add(ledger, "b")
    assert ids(ledger) == ["a"]


def test_damage_in_a_segment_is_told_with_its_name_and_line(root: Path) -> None:
    """Edited, removed, doubled, torn: whichever it is."""
    ledger = make_ledger(root)
    add(ledger, "a", "b", "c")
    (segment,) = Layout(root).trace.iterdir()
    lines = segment.read_bytes().splitlines(keepends=True)

    def kinds(*damaged: bytes) -> set[tuple[str | None, int, str]]:
        segment.write_bytes(b"".join(damaged))
        problems = make_ledger(root).verify().problems
        return {(problem.archive, problem.line, problem.kind.value) for problem in problems}

    name = segment.name
    assert kinds(*lines) == set()
    assert kinds(lines[0], lines[1].replace(b'"b"', b'"x"'), lines[2]) == {(name, 2, "edited")}
    assert kinds(lines[0], lines[2]) == {(name, 2, "removed")}
    assert kinds(lines[0], lines[2], lines[1]) == {(name, 3, "reordered")}
    assert kinds(lines[0], lines[1], lines[1], lines[2]) == {(name, 3, "duplicated")}
    assert (name, 3, "torn") in kinds(*lines[:2], lines[2][:-20])


def test_outside_git_a_segment_ends_when_it_is_long(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_segment, "MAX_OUTSIDE_GIT", 2_000)
    ledger = make_ledger(root)
    for number in range(10):
        add(ledger, str(number), text="x" * 500)
    sizes = sorted(path.stat().st_size for path in Layout(root).trace.iterdir())
    assert len(sizes) > 1
    assert max(sizes) < 3_000
    assert (ids(ledger), ledger.verify().ok) == ([str(number) for number in range(10)], True)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="the name of a folder is enough")
def test_where_nothing_can_be_written_the_segments_are_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkout without its local file, on a disk that takes none."""
    ledger = make_ledger(root)
    add(ledger, "a", "b")
    Layout(root).ledger.unlink()

    def refuse(*_arguments: object) -> None:
        raise LedgerUnavailable("read-only")

    reader = make_ledger(root)
    monkeypatch.setattr(appender.Appender, "refresh", refuse)
    assert ids(reader) == ["a", "b"]
    assert reader.verify().ok
    assert not Layout(root).ledger.exists()
