"""A kept search says what the same search says that is made for the first time."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from intentls.store.layout import Layout
from intentls.store.ledger import kept_searches
from intentls.store.ledger.history import LedgerHistory
from intentls.store.ledger.kept_searches import KeptSearches
from intentls.store.ledger_files.line_reader import lines_with
from intentls.store.ledger_search.query import RecordQuery
from intentls.store.ledger_search.search import Indexes

QUERY = RecordQuery(path="src/a.py")


@contextmanager
def history(file: Path) -> Iterator[LedgerHistory]:
    descriptor = os.open(file, os.O_RDONLY)
    try:
        yield LedgerHistory((), descriptor, os.fstat(descriptor).st_size)
    finally:
        os.close(descriptor)


def line(number: int, path: str = "src/a.py") -> bytes:
    return json.dumps({"id": str(number), "files": [{"path": path}]}).encode() + b"\n"


def numbers(searches: KeptSearches, file: Path, limit: int = 0, query: RecordQuery = QUERY) -> list[int]:
    with history(file) as files:
        records = searches.search(files, query, limit, Indexes(Layout(file.parent)), lambda _done, _total: None)
    return [int(record["id"]) for record in records]


def append(file: Path, data: bytes) -> None:
    with file.open("ab") as opened:
        opened.write(data)


@pytest.mark.parametrize("seed", range(20))
def test_a_search_finds_what_a_new_one_finds_however_the_file_changes(tmp_path: Path, seed: int) -> None:
    """Appended to, torn, made again, cut."""
    rng, file, kept = Random(seed), tmp_path / "ledger.jsonl", KeptSearches()
    file.write_bytes(line(0))
    for number in range(1, 40):
        match rng.choice(("append", "append", "append", "other", "torn", "again", "cut", "touch")):
            case "append":
                append(file, b"".join(line(number) for _ in range(rng.randint(1, 3))))
            case "other":
                append(file, line(number, "src/b.py"))
            case "torn":
                append(file, line(number)[: rng.randint(1, 20)])
            case "again":
                other = tmp_path / "other"
                other.write_bytes(line(number) + file.read_bytes())
                other.replace(file)
            case "cut":
                with file.open("r+b") as opened:
                    opened.truncate(rng.randint(0, file.stat().st_size))
            case "touch":
                os.utime(file)
        for limit in (0, 3):
            assert numbers(kept, file, limit) == numbers(KeptSearches(), file, limit)


def test_what_is_kept_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest searches are dropped, and made again when they are asked for."""
    monkeypatch.setattr(kept_searches, "_MAX_RECORDS", 5)
    file, kept = tmp_path / "ledger.jsonl", KeptSearches()
    file.write_bytes(b"".join(line(number, f"src/{number % 4}.py") for number in range(12)))
    for name in (0, 1, 2, 3, 0):
        assert numbers(kept, file, query=RecordQuery(path=f"src/{name}.py")) == [8 + name, 4 + name, name]
    assert kept._count <= 5


@pytest.mark.parametrize("seed", range(50))
def test_lines_are_found_by_their_bytes_as_by_splitting(seed: int) -> None:
    """At the beginning, at the end, twice in a line, next to each other."""
    rng = Random(seed)
    block = bytes(rng.choice(b"ab\n") for _ in range(rng.randint(0, 40)))
    for needle in (b"", b"a", b"ab", b"bb", b"aba"):
        split = [part for part in reversed(block.split(b"\n")) if needle in part] if needle in block else []
        placed = list(lines_with(needle, block, offset=7))
        assert [part for _, part in placed] == split
        assert all(block[offset - 7 : offset - 7 + len(part)] == part for offset, part in placed)
        assert len({offset for offset, _ in placed}) == len(placed)
