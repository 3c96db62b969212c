r"""Lines, columns and LSP positions of a text.

In LSP a line ends only at ``\n``, ``\r\n`` and ``\r``. `str.splitlines` also breaks at form feeds, U+2028 and
others, so an edit below such a character would land on the wrong line (pygls: reproduced with
tests/faces/lsp/protocol/test_line_index.py).

A *column* counts code points, a *character* counts units of the encoding that client and server agreed on
("utf-8", "utf-16" or "utf-32"). Positions past the end of a line or of the text are clamped, as LSP says;
a character inside a code point means the start of that code point.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

from lsprotocol import types

from intentls.core.diagnostic import Span

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
# Line ends of str.splitlines that are none in LSP. Searching for each with `in` is much faster than one pattern.
_FALSE_LINE_ENDS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"


def split_lines(text: str) -> list[str]:
    r"""The lines of `text`, each with its line end; the last one has none and may be empty.

    There is always at least one line, and `"".join` gives the text back: `"a\nb\n"` is `["a\n", "b\n", ""]`.
    """
    has_false_end = any(end in text for end in _FALSE_LINE_ENDS)
    lines = _LINE.findall(text) if has_false_end else text.splitlines(keepends=True)
    if not lines or lines[-1].endswith(("\n", "\r")):
        lines.append("")
    return lines


def content_length(line: str) -> int:
    """The number of code points of `line` without its line end."""
    if line.endswith("\r\n"):
        return len(line) - 2
    return len(line) - line.endswith(("\n", "\r"))


def width(text: str, encoding: str) -> int:
    """The length of the text in units of `encoding`: "😀" has 4 in utf-8, 2 in utf-16 and 1 in utf-32."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def column_of(line: str, character: int, encoding: str) -> int:
    """The column in `line` of a client's `character`, at most the length of the line without its end."""
    end = content_length(line)
    if encoding == "utf-32" or line.isascii():
        return max(0, min(character, end))
    codec, size = ("utf-8", 1) if encoding == "utf-8" else ("utf-16-le", 2)
    data = line[:end].encode(codec, "surrogatepass")
    cut = max(0, min(character * size, len(data)))
    while _is_inside_code_point(data, cut, size):
        cut -= size
    return len(data[:cut].decode(codec, "surrogatepass"))


def _is_inside_code_point(data: bytes, cut: int, size: int) -> bool:
    """Whether a cut before data[cut] parts a code point; `size` bytes a unit: 1 in utf-8, 2 in utf-16-le."""
    if not 0 < cut < len(data):
        return False
    if size == 1:
        return data[cut] & 0xC0 == 0x80
    return data[cut - 1] & 0xFC == 0xD8 and data[cut + 1] & 0xFC == 0xDC  # a high half before, a low one after


def locate(lines: Sequence[str], position: types.Position, encoding: str) -> tuple[int, int]:
    """(line, column) of a client's position, clamped to the text. `lines` as `split_lines` gives them."""
    if position.line >= len(lines):
        return len(lines) - 1, content_length(lines[-1])
    line = max(0, position.line)
    return line, column_of(lines[line], position.character, encoding)


def position_of(lines: Sequence[str], line: int, column: int, encoding: str) -> types.Position:
    """The client's position of (line, column), clamped to the text."""
    if line >= len(lines):
        line, column = len(lines) - 1, len(lines[-1])
    line = max(0, line)
    column = max(0, min(column, content_length(lines[line])))
    return types.Position(line=line, character=width(lines[line][:column], encoding))


class LineIndex:
    """Offsets and ranges in one text that does not change.

    An *offset* counts code points from the start of the text.
    """

    __slots__ = ("_starts", "lines", "text")

    def __init__(self, text: str, lines: Sequence[str] | None = None) -> None:
        """`lines`: the text as `split_lines` gives it, if the caller has it already."""
        self.text = text
        self.lines: Sequence[str] = split_lines(text) if lines is None else lines
        self._starts = [0, *accumulate(map(len, self.lines[:-1]))]

    def offset_at(self, position: types.Position, encoding: str) -> int:
        """The offset of a client's position; 0 <= offset <= len(text)."""
        line, column = locate(self.lines, position, encoding)
        return self._starts[line] + column

    def range_of(self, span: Span, encoding: str) -> types.Range:
        """The client's range of a span whose columns are code points."""
        return types.Range(
            start=position_of(self.lines, span.start_line, span.start_column, encoding),
            end=position_of(self.lines, span.end_line, span.end_column, encoding),
        )
