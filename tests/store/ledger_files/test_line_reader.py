"""Reading from either end: every line once, whatever its length and wherever a block ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.store.ledger_files import line_reader
from intentls.store.ledger_files.line_reader import find_last, last_byte, lines_backward, lines_forward, opened

TEXTS = st.lists(st.sampled_from([b"\n", b"a", b"b", b"ab", b"\r", b"x" * 9]), max_size=40).map(b"".join)


@contextmanager
def reading(data: bytes, block: int) -> Iterator[int]:
    """A descriptor of a file with this content, read in tiny blocks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_reader, "_BLOCK", block)
        patch.setattr(line_reader, "_FIRST_BLOCK", min(block, 2))
        descriptor = os.memfd_create("ledger") if hasattr(os, "memfd_create") else -1
        os.write(descriptor, data)
        try:
            yield descriptor
        finally:
            os.close(descriptor)


needs_memfd = pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="needs files in memory")


@needs_memfd
@given(TEXTS, st.integers(1, 12), st.sampled_from([b"", b"a", b"ab", b"z"]))
def test_backwards_every_line_comes_once(data: bytes, block: int, needle: bytes) -> None:
    """The same lines as from the front, in the other order, and only those with what is searched for."""
    with reading(data, block) as descriptor:
        lines = list(lines_backward(descriptor, len(data), needle))
    expected = data.split(b"\n") if data else []
    assert [line for _, line in lines] == [line for line in reversed(expected) if needle in line]
    assert all(data[offset : offset + len(line)] == line for offset, line in lines)
    assert all(offset == 0 or data[offset - 1 : offset] == b"\n" for offset, _ in lines)


@needs_memfd
@given(TEXTS, st.data())
def test_forwards_every_line_comes_with_its_offset(data: bytes, draw: st.DataObject) -> None:
    """From any line's start to any end; put together they are the file again."""
    starts = [0, *(index + 1 for index, byte in enumerate(data) if byte == 10)]
    start = draw.draw(st.sampled_from(starts))
    end = draw.draw(st.integers(0, len(data)))
    with reading(data, 1 << 16) as descriptor:
        lines = list(lines_forward(descriptor, start, end))
    assert b"".join(raw for _, raw in lines) == data[start:end]
    assert all(data[offset : offset + len(raw)] == raw and raw for offset, raw in lines)
    assert all(raw.count(b"\n") == 1 and raw.endswith(b"\n") for _, raw in lines[:-1])


@needs_memfd
@given(TEXTS, st.integers(2, 12), st.integers(0, 9))
def test_the_last_line_with_some_text_is_found_with_its_place(data: bytes, block: int, begin: int) -> None:
    """For several texts at once; what does not occur is not in the answer."""
    needles = [b"a", b"ab", b"bx", b"zz"]
    with reading(data, block) as descriptor:
        found = find_last(descriptor, begin, len(data), needles)
    for needle in needles:
        at = data.rfind(needle, begin)
        if at < 0:
            assert needle not in found
        else:
            start = data.rfind(b"\n", 0, at) + 1
            end = data.find(b"\n", at)
            assert found[needle] == (start, data[start:] if end < 0 else data[start : end + 1])


@needs_memfd
def test_the_last_byte_tells_whether_a_line_is_torn() -> None:
    """An empty file has none."""
    with reading(b"ab\n", 8) as descriptor:
        assert last_byte(descriptor, 3) == b"\n"
        assert last_byte(descriptor, 2) == b"b"
        assert last_byte(descriptor, 0) == b""


def test_a_missing_file_is_no_error(tmp_path: Path) -> None:
    """Nothing was ever recorded."""
    with opened(tmp_path / "none") as descriptor:
        assert descriptor is None
