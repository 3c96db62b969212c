"""A declared file is parsed when it changed, and not more often."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from intentls.store.fs import cached_file
from intentls.store.fs.cached_file import CachedFile
from intentls.store.fs.primitives import Stamp


def test_a_file_that_two_threads_ask_for_at_once_is_parsed_once(tmp_path: Path) -> None:
    """At a server's start several questions come together, and a large file takes seconds to parse."""
    path = tmp_path / "file"
    path.write_bytes(b"one")
    os.utime(path, (1, 1))
    parsed: list[bytes | None] = []
    together = Barrier(4)
    watched = CachedFile(path, lambda data: parsed.append(data) or data, 100)

    def ask() -> object:
        together.wait()
        return watched.get().value

    with ThreadPoolExecutor(4) as pool:
        assert [found.result() for found in [pool.submit(ask) for _ in range(4)]] == [b"one"] * 4
    assert parsed == [b"one"]
    path.write_bytes(b"two!")
    assert (watched.get().value, parsed) == (b"two!", [b"one", b"two!"])


def test_changes_within_one_clock_tick_are_each_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They leave the same stamp: size, inode and times. What was read in that tick is read again."""
    tick = time.time_ns() + 10**10  # it is not over while this test runs
    monkeypatch.setattr(cached_file, "stamp_of", lambda status: (tick, tick, status.st_size, status.st_ino, 1))
    path = tmp_path / "file"
    path.write_bytes(b"one")
    watched = CachedFile(path, lambda data: data, 100)
    for content in (b"one", b"two", b"six"):
        path.write_bytes(content)
        assert watched.get().value == content


def test_changes_at_full_speed_are_each_seen(tmp_path: Path) -> None:
    """With the clock of the real disk."""
    path = tmp_path / "file"
    watched = CachedFile(path, lambda data: data, 100)
    for number in range(300):
        path.write_bytes(content := b"%03d" % number)
        assert watched.get().value == content


def test_a_file_that_appears_in_the_tick_of_its_directorys_last_change_is_seen(tmp_path: Path) -> None:
    """Its directory's stamp is then no proof that it is absent."""
    tick = time.time_ns() + 10**10
    directory: Stamp = (tick, tick, 0, 1, 1)
    watched = CachedFile(tmp_path / "file", lambda data: data, 100)
    assert watched.get(directory).value is None
    (tmp_path / "file").write_bytes(b"new")
    assert watched.get(directory).value == b"new"
