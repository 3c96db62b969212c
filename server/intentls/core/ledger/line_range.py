"""Changed lines as a record names them: a range, and the hash of its bytes."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from intentls.core.hashing import content_hash
from intentls.core.ledger.record_json import OriginJson, line_number, text_of
from intentls.core.text.lines import diff, split_lines


class LineRange(Struct, frozen=True):
    """Lines `start_line` to `end_line` (from 1, both included) and the hash of their bytes, line ends included.

    `line_hashes` is one hash a line (see `core.text.line_hashes`), None where they were not computed.
    """

    start_line: int
    end_line: int
    content_hash: str
    line_hashes: str | None = None


def changed_ranges(before: bytes | None, after: bytes | None) -> tuple[LineRange, ...]:
    """The lines of `after` that are new or changed; () if there are none or the file is gone."""
    lines = split_lines(after or b"")
    return tuple(
        range_of(lines, hunk.new_start, hunk.new_start + hunk.new_lines - 1)
        for hunk in diff(before, after)
        if hunk.new_lines
    )


def range_of(lines: list[bytes], start_line: int, end_line: int) -> LineRange:
    """Lines `start_line` to `end_line` (from 1, both included) of a content's `lines`, which have their ends."""
    return LineRange(start_line, end_line, content_hash(b"".join(lines[start_line - 1 : end_line])))


MAX_ORIGINS = 4_000
"""Origins of one file's entry; an entry with more is written without them."""


class Origin(Struct, frozen=True):
    """Lines `start_line` to `end_line` of the new content were lines `old_start_line` to `old_end_line` of the old one.

    Lines count from 1, both ends included. If both sides have as many lines, they belong together one by one; else
    each new line comes from all the old ones. `path` names another file of the same record whose old content is meant;
    None means this file. `old_line_hashes` are the hashes of the old lines where they differ from the new ones, with
    OMITTED for lines that are not evidence by themselves.
    """

    start_line: int
    end_line: int
    old_start_line: int
    old_end_line: int
    path: str | None = None
    old_line_hashes: str | None = None

    def to_json(self) -> OriginJson:
        """The JSON object; `path` only where it is another file's."""
        result: OriginJson = {
            "start_line": self.start_line,
            "end_line": self.end_line,
            "old_start_line": self.old_start_line,
            "old_end_line": self.old_end_line,
        }
        if self.path is not None:
            result["path"] = self.path
        if self.old_line_hashes is not None:
            result["old_line_hashes"] = self.old_line_hashes
        return result


def read_origin(entry: dict[str, Any]) -> Origin | None:
    """The origin in a record's JSON; None if it has another shape, since anybody may have written the record."""
    start, old_start = line_number(entry, "start_line"), line_number(entry, "old_start_line")
    end, old_end = line_number(entry, "end_line"), line_number(entry, "old_end_line")
    path = entry.get("path")
    if not (0 < start <= end and 0 < old_start <= old_end and (path is None or isinstance(path, str))):
        return None
    return Origin(start, end, old_start, old_end, path, text_of(entry, "old_line_hashes"))
