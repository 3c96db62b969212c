"""A declared file is parsed when it changed, and not more often."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from intentls.store.fs.cached_file import CachedFile


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
