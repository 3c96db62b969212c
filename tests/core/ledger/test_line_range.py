"""The changed lines of a record: which lines, and the hash of exactly these."""

from __future__ import annotations

from intentls.core.hashing import content_hash
from intentls.core.ledger.line_range import LineRange, changed_ranges


def test_changed_ranges_hash_exactly_the_lines_they_name() -> None:
    """A range holds the hash of its lines, ends included, so that a block is found again after a move."""
    after = b"new\r\na\nb\nc1\nc2"
    assert changed_ranges(b"a\nb\nc", after) == (
        LineRange(1, 1, content_hash(b"new\r\n")),
        LineRange(4, 5, content_hash(b"c1\nc2")),
    )
    block = b"one\ntwo\n"
    assert changed_ranges(b"x\n", b"x\n" + block)[0].content_hash == changed_ranges(None, block)[0].content_hash


def test_deleted_lines_leave_no_range() -> None:
    """A deletion, of lines or of the file, has no lines that could be named."""
    assert changed_ranges(b"a\nb\n", b"b\n") == ()
    assert changed_ranges(b"a\n", None) == ()
    assert changed_ranges(b"a\n", b"a\n") == ()
