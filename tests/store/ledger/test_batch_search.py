"""One reading answers many searches, and each answer is the one of a search of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from intentls.store.layout import Layout
from intentls.store.ledger.batch_search import BatchSearch
from intentls.store.ledger.history import LedgerHistory
from intentls.store.ledger_files.archive import Archive
from intentls.store.ledger_search.query import RecordQuery
from intentls.store.ledger_search.search import Indexes

PATHS = ["src/a.py", "src/b.py", "lib/a.py", "src/ü.py"]
HASHES = ["3iq63oMs", "47DEQpj8", "abcdefgh"]
QUERIES = [*(RecordQuery(path=path) for path in PATHS), *(RecordQuery(line_hash=hash_) for hash_ in HASHES)]
ODD = (
    b'{"files": [' + HASHES[0].encode() + b" src/a.py",
    b'{"files": [{"path": "src/b.py"}], "files": [{"path": "src/a.py", "path": "lib/a.py"}]}',
    b'{"fi\\u006ces": [{"p\\u0061th": "src/a.py", "line_hash\\u0065s": ["3iq63oMs"]}]}',
    b'{"note": "\\ud800", "files": [{"path": "src/a.py", "line_hashes": "47DEQpj8"}]}',
    b'{"files": [{"path": "src/a.py", "note": "\\ud800", "removed_line_hashes": "3iq63oMs"}]}',
    b'{"note": "\xff", "files": [{"path": "src/a.py"}]}',
    b'{"files": [{"path": 1, "old_path": "src/a.py", "line_hashes": {"3iq63oMs": 1}, "origins": "3iq63oMs"}, 7, null]}',
    b'{"files": {"path": "src/a.py"}}',
    b'{"files": null, "path": "src/a.py"}',
    b'[{"files": [{"path": "src/a.py"}]}]',
    b'{"files": [{"path": "src/a.py"}]} {"files": []}',
    b'{"files": [{"path": "src/a.py"}]',
    b'{"files": [{"path": "src/a.py", "deep": ' + b"[" * 5_000 + b"]" * 5_000 + b"}]}",
    b"",
)
"""Lines that other programs, a torn write or a hostile branch may leave."""


@contextmanager
def history(file: Path) -> Iterator[LedgerHistory]:
    descriptor = os.open(file, os.O_RDONLY)
    try:
        yield LedgerHistory((), descriptor, os.fstat(descriptor).st_size)
    finally:
        os.close(descriptor)


def line(number: int, chance: Random) -> bytes:
    """A record of one or two files, with some hashes of lines somewhere in them; sometimes what is no record."""
    if chance.random() < 0.2:
        return chance.choice(ODD) + b"\n"
    files: list[dict[str, Any]] = []
    for _ in range(chance.randint(1, 2)):
        hashes = "".join(chance.choice([*HASHES, "--------"]) for _ in range(3))
        key = chance.choice(("line_hashes", "removed_line_hashes", "old_line_hashes", "note"))
        entry: dict[str, Any] = {"path": chance.choice(PATHS), "old_path": chance.choice([None, *PATHS]), key: hashes}
        files.append({**entry, "origins": [{"old_line_hashes": hashes}]} if key == "old_line_hashes" else entry)
    return json.dumps({"id": number, "files": files}).encode() + b"\n"


def append(file: Path, numbers: range, chance: Random) -> None:
    with file.open("ab") as opened:
        opened.writelines(line(number, chance) for number in numbers)


def alone(file: Path, query: RecordQuery, limit: int) -> list[dict[str, Any]]:
    with history(file) as files:
        records = list(files.search(query, Indexes(Layout(file.parent)), lambda _done, _total: None))
    return records[:limit] if limit else records


def together(batch: BatchSearch, file: Path, query: RecordQuery, limit: int = 0) -> Any:
    with history(file) as files:
        return batch.newest(files, query, limit)


@pytest.mark.parametrize("seed", range(10))
def test_each_answer_is_that_of_a_search_of_its_own(tmp_path: Path, seed: int) -> None:
    """All records and the newest ones, before and after others were appended."""
    chance, file, batch = Random(seed), tmp_path / "ledger.jsonl", BatchSearch()
    append(file, range(60), chance)
    with history(file) as files:
        assert batch.read(files, QUERIES)
    for upper in (60, 61, 90):
        append(file, range(60, upper), chance)
        for query in QUERIES:
            for limit in (0, 3):
                assert together(batch, file, query, limit) == alone(file, query, limit)
    assert any(together(batch, file, query) for query in QUERIES[: len(PATHS)])
    assert any(together(batch, file, query) for query in QUERIES[len(PATHS) :])


def test_what_was_not_read_has_no_answer(tmp_path: Path) -> None:
    """Another query, another file in the ledger's place, a torn last line: each has to be searched for."""
    file, batch, query = tmp_path / "ledger.jsonl", BatchSearch(), QUERIES[0]
    append(file, range(5), Random(1))
    with history(file) as files:
        batch.read(files, [query])
    assert together(batch, file, query) is not None
    assert together(batch, file, QUERIES[1]) is None
    content = file.read_bytes()
    file.rename(tmp_path / "old")
    file.write_bytes(content)
    assert together(batch, file, query) is None
    file.write_bytes(content[:-1])
    with history(file) as files:
        batch.read(files, [query])
    assert together(batch, file, query) is None, "the last line may get its rest"


def test_no_archive_is_read(tmp_path: Path) -> None:
    """With archives, and without a ledger, nothing is read and nothing is answered."""
    file, batch, query = tmp_path / "ledger.jsonl", BatchSearch(), QUERIES[0]
    append(file, range(5), Random(1))
    with history(file) as files:
        archived = replace(files, archives=(Archive(tmp_path / "a.jsonl.zst", 1),))
        assert not batch.read(archived, [query])
        assert not batch.read(replace(files, live=None), [query])
        assert batch.read(files, [query])
        assert batch.newest(archived, query, 0) is None
        assert batch.newest(replace(files, live=None), query, 0) is None
