"""docs/reference/hashes.json: what an implementation of the ledger's hashes can be tried with, and that ours agrees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from intentls.core.hashing import hash_of
from intentls.core.ledger.hash_chain import line_hash, link, parse, read_link
from intentls.core.ledger.line_range import changed_ranges
from intentls.core.text.lines import split_lines
from tests.support.markdown import Page

DOCS = Path(__file__).parent.parent / "docs" / "reference"
VECTORS: dict[str, Any] = json.loads((DOCS / "hashes.json").read_text("utf-8"))


@pytest.mark.parametrize("vector", VECTORS["files"], ids=lambda vector: vector["what"])
def test_a_whole_file_is_hashed_as_the_vectors_say(vector: dict[str, Any]) -> None:
    """Over the exact bytes; a file that does not exist has none."""
    data = None if vector["hex"] is None else bytes.fromhex(vector["hex"])
    assert hash_of(data) == vector["hash"]


@pytest.mark.parametrize("vector", VECTORS["ranges"], ids=lambda vector: vector["what"])
def test_a_range_is_hashed_as_the_vectors_say(vector: dict[str, Any]) -> None:
    """Over the bytes of its lines, line ends included."""
    data = bytes.fromhex(vector["hex"])
    lines = split_lines(data)
    assert len(lines) == vector["lines"]
    for where in vector["ranges"]:
        assert hash_of(b"".join(lines[where["start_line"] - 1 : where["end_line"]])) == where["content_hash"]
    (whole,) = changed_ranges(b"", data)
    assert (whole.start_line, whole.end_line, whole.content_hash) == (1, len(lines), hash_of(data))


def test_a_chain_is_linked_as_the_vectors_say() -> None:
    """`prev` is the hash of the writer's line before, without its line end; the first has none."""
    before: str | None = None
    for number, vector in enumerate(VECTORS["chain"], start=1):
        line = vector["line"].encode("utf-8")
        found = read_link(line)
        assert found is not None
        assert (found.seq, found.prev) == (number, before)
        record = json.loads(line)
        # A line of ours has spaces behind some commas; the hash is of the bytes as they are.
        assert parse(link(record, found.writer, number, before)) == record
        before = vector["line_hash"]
        assert line_hash(line) == before


def test_the_page_shows_the_vectors() -> None:
    """docs/reference/hashes.md quotes the hash of each file and each range from the data."""
    text = Page.read(DOCS / "hashes.md").text
    shown = [vector["hash"] for vector in VECTORS["files"] if vector["hash"]]
    shown += [where["content_hash"] for vector in VECTORS["ranges"] for where in vector["ranges"]]
    assert [each for each in shown if each not in text] == []
