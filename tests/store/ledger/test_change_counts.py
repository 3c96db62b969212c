"""How many changes each intent has: counted once, then only what is new."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from intentls.store.layout import Layout
from intentls.store.ledger import change_counts as tally_module
from intentls.store.ledger.chain_heads import ChainHeads
from intentls.store.ledger.change_counts import ChangeCounts
from intentls.store.ledger.ledger import Ledger
from intentls.store.ledger_files.line_reader import lines_forward
from tests.support.workspaces import make_workspace


class Book:
    """A ledger and its tally."""

    def __init__(self, root: Path) -> None:
        self.layout = Layout(make_workspace(root, files={}))
        self.layout.state.mkdir()
        self.ledger = Ledger(self.layout, ChainHeads(self.layout))
        self.tally = ChangeCounts(self.layout, self.ledger)

    def add(self, intent: str, *, success: bool = True) -> None:
        self.ledger.append({"id": "x", "intent_id": intent, "success": success}, durable=False)


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path / "w")


def test_refusals_and_lines_that_are_no_records_do_not_count(book: Book) -> None:
    """What counts is what was done."""
    assert book.tally.counts() == {}
    book.add("INT-001")
    book.add("INT-001", success=False)
    with book.layout.ledger.open("ab") as file:
        file.write(b'not json\n{"intent_id": 7, "success": true}\n')
    book.add("INT-002")
    assert book.tally.counts() == {"INT-001": 1, "INT-002": 1}


def test_only_new_lines_are_read_again(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is still being written counts once it is whole."""
    for _ in range(300):
        book.add("INT-001")
    assert book.tally.counts()["INT-001"] == 300
    read: list[int] = []

    def noted(descriptor: int, start: int, end: int) -> Iterator[tuple[int, bytes]]:
        read.append(end - start)
        return lines_forward(descriptor, start, end)

    monkeypatch.setattr(tally_module, "lines_forward", noted)
    line = json.dumps({"intent_id": "INT-001", "success": True}).encode()
    with book.layout.ledger.open("ab") as file:
        file.write(line)
    assert book.tally.counts()["INT-001"] == 300
    with book.layout.ledger.open("ab") as file:
        file.write(b"\n")
    assert book.tally.counts()["INT-001"] == 301
    assert read == [len(line), len(line) + 1]


def test_another_file_in_its_place_is_counted_anew(book: Book) -> None:
    """Git brings another ledger; its records count, and the old ones no more."""
    book.add("INT-001")
    assert book.tally.counts() == {"INT-001": 1}
    shutil.rmtree(book.layout.trace)
    assert book.tally.counts() == {}
    book.add("INT-002")
    assert book.tally.counts() == {"INT-002": 1}
