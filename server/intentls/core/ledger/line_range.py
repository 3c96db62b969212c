"""Changed lines as a record names them: a range, the hash of its bytes, and the definitions around and in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from intentls.core.hashing import content_hash
from intentls.core.text.lines import diff_lines, split_lines

if TYPE_CHECKING:
    from intentls.core.definitions.definition import Definition  # slow to import, and a save without a grammar has none


@dataclass(frozen=True, slots=True)
class LineRange:
    """Lines `start_line` to `end_line` (from 1, both included) and the hash of their bytes, line ends included.

    `line_hashes` is one hash a line (see `core.text.line_hashes`), None where they were not computed. `symbol` is the
    innermost definition that holds all the lines, `definitions` are those that lie wholly in them.
    """

    start_line: int
    end_line: int
    content_hash: str
    line_hashes: str | None = field(default=None, compare=False)
    symbol: Definition | None = field(default=None, compare=False)
    definitions: tuple[Definition, ...] = field(default=(), compare=False)


def changed_ranges(before: bytes | None, after: bytes | None) -> tuple[LineRange, ...]:
    """The lines of `after` that are new or changed; () if there are none or the file is gone."""
    lines = split_lines(after or b"")
    return tuple(
        range_of(lines, hunk.new_start, hunk.new_start + hunk.new_lines - 1)
        for hunk in diff_lines(split_lines(before or b""), lines)
        if hunk.new_lines
    )


def range_of(lines: list[bytes], start_line: int, end_line: int) -> LineRange:
    """Lines `start_line` to `end_line` (from 1, both included) of a content's `lines`, which have their ends."""
    return LineRange(start_line, end_line, content_hash(b"".join(lines[start_line - 1 : end_line])))
