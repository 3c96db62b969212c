"""Lines and positions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position, Range

from intentls.core.diagnostic import Span
from intentls.faces.lsp.protocol.line_index import LineIndex, position_of, split_lines, width

ENCODINGS = ("utf-8", "utf-16", "utf-32")
TEXTS = st.text(alphabet=st.sampled_from("ab\r\n\f\v\x1c\x85\u2028\u2029é€😀"), max_size=40)


def position_at(text: str, offset: int, encoding: str) -> Position:
    """The position of an offset that lies inside no line end."""
    before = split_lines(text[:offset])
    return position_of(split_lines(text), len(before) - 1, len(before[-1]), encoding)


@pytest.mark.parametrize("false_end", ["\f", "\v", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_only_lsp_line_ends_end_a_line(false_end: str) -> None:
    """Form feed, U+2028 and the like stay inside their line."""
    assert split_lines(f"a{false_end}b\nc") == [f"a{false_end}b\n", "c"]
    assert LineIndex(f"a{false_end}b\nc").offset_at(Position(1, 0), "utf-16") == 4


def test_each_lsp_line_end_ends_a_line() -> None:
    r"""\n, \r\n and \r each end one line; the last line has no end and may be empty."""
    assert split_lines("a\nb\r\nc\rd") == ["a\n", "b\r\n", "c\r", "d"]
    assert split_lines("a\n\r\n\r\r") == ["a\n", "\r\n", "\r", "\r", ""]
    assert split_lines("\fa\n\r\r\n") == ["\fa\n", "\r", "\r\n", ""]
    assert split_lines("") == [""]


@given(TEXTS)
def test_lines_make_the_text(text: str) -> None:
    """Joined, the lines are the text; every line but the last ends with a line end, and holds no other."""
    lines = split_lines(text)
    assert "".join(lines) == text
    for line in lines[:-1]:
        assert line.endswith(("\n", "\r"))
    for line in lines:
        content = line.removesuffix("\n").removesuffix("\r") if line.endswith("\n") else line.removesuffix("\r")
        assert "\n" not in content and "\r" not in content


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=TEXTS)
def test_offset_and_position_are_inverse(encoding: str, text: str) -> None:
    """An offset that is not inside a line end comes back from its position."""
    index = LineIndex(text)
    for offset in range(len(text) + 1):
        if text[max(0, offset - 1) : offset + 1] == "\r\n":
            continue
        assert index.offset_at(position_at(text, offset, encoding), encoding) == offset


def test_units_of_each_encoding() -> None:
    """An emoji is 4 units in utf-8, 2 in utf-16 and 1 in utf-32."""
    text = "a😀é\nb"
    assert [position_at(text, 2, encoding) for encoding in ENCODINGS] == [
        Position(0, 5),
        Position(0, 3),
        Position(0, 2),
    ]
    assert [position_at(text, 3, encoding) for encoding in ENCODINGS] == [
        Position(0, 7),
        Position(0, 4),
        Position(0, 3),
    ]
    assert [width("😀é", encoding) for encoding in ENCODINGS] == [6, 3, 2]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_past_the_end_is_the_end(encoding: str) -> None:
    """A character past the end of its line is the line's end, a line past the last is the text's end."""
    index = LineIndex("é😀\r\nxyz\n")
    assert index.offset_at(Position(0, 99), encoding) == 2
    assert index.offset_at(Position(1, 99), encoding) == 7
    assert index.offset_at(Position(2, 99), encoding) == 8
    assert index.offset_at(Position(99, 0), encoding) == 8
    assert position_of(index.lines, 99, 0, encoding) == Position(2, 0)
    assert position_of(index.lines, 0, 3, encoding) == position_of(index.lines, 0, 2, encoding), "inside a line end"
    assert position_of(["ab"], -1, -1, encoding) == Position(0, 0)


def test_inside_a_code_point_is_its_start() -> None:
    """A position that parts a code point means the start of it."""
    index = LineIndex("a😀b")
    assert [index.offset_at(Position(0, unit), "utf-16") for unit in range(5)] == [0, 1, 1, 2, 3]
    assert [index.offset_at(Position(0, unit), "utf-8") for unit in range(7)] == [0, 1, 1, 1, 1, 2, 3]


def test_lone_surrogates_are_units_too() -> None:
    """Half an emoji, as some clients send it, counts as one unit of utf-16."""
    index = LineIndex("\ud83dx\ude00")
    assert [index.offset_at(Position(0, unit), "utf-16") for unit in range(4)] == [0, 1, 2, 3]


def test_empty_text() -> None:
    """An empty text has one line, and every position in it is 0:0."""
    index = LineIndex("")
    assert index.offset_at(Position(3, 3), "utf-16") == 0
    assert position_of(index.lines, 0, 0, "utf-16") == Position(0, 0)


def test_spans_and_ranges() -> None:
    """A span counts code points, a range the client's units, with the ends clamped."""
    index = LineIndex("x: 😀😀 # é\nend")
    span = Span(0, 3, 0, 5)
    assert index.range_of(span, "utf-16") == Range(Position(0, 3), Position(0, 7))
    assert index.range_of(Span(0, 0, 9, 9), "utf-8") == Range(Position(0, 0), Position(1, 3))
