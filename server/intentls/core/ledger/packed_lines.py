"""What a file's entry says of single lines, in few bytes: its hunks as numbers, the hashes of its lines as one text.

Records of intentls before 0.2 say the same at greater length; both are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from intentls.core.ledger.line_range import LineRange
from intentls.core.ledger.record_json import FileJson, objects
from intentls.core.text.line_hashes import WIDTH
from intentls.core.text.lines import Hunk


def pack_hunks(hunks: Sequence[Hunk]) -> list[int]:
    """Three numbers for each hunk: the unchanged lines since the one before, its old lines, its new lines.

    Example: where line 3 became two lines and then line 9 was deleted, they are 2, 1, 2, 5, 1, 0.
    """
    numbers: list[int] = []
    line = 1  # the first old line that no hunk was read for yet
    for hunk in hunks:
        start = hunk.old_start if hunk.old_lines else hunk.old_start + 1
        numbers += (start - line, hunk.old_lines, hunk.new_lines)
        line = start + hunk.old_lines
    return numbers


def unpack_hunks(value: Any) -> tuple[Hunk, ...] | None:
    """The hunks again; None if `value` is anything else.

    Before 0.2 each was a list of its own, of the numbers that a unified diff has. Numbers may be as odd as one likes:
    blame uses no hunk that does not fit its content.
    """
    if not isinstance(value, list):
        return None
    if all(isinstance(hunk, list) and len(hunk) == 4 and all(isinstance(n, int) for n in hunk) for hunk in value):
        return tuple(Hunk(*hunk) for hunk in value)
    if len(value) % 3 or not all(isinstance(number, int) for number in value):
        return None
    hunks: list[Hunk] = []
    old, new = 1, 1
    for gap, old_lines, new_lines in zip(value[::3], value[1::3], value[2::3], strict=True):
        old, new = old + gap, new + gap
        hunks.append(Hunk(old if old_lines else old - 1, old_lines, new if new_lines else new - 1, new_lines))
        old, new = old + old_lines, new + new_lines
    return tuple(hunks)


def pack_line_hashes(ranges: Sequence[LineRange]) -> str | list[str | None] | None:
    """The hashes of the lines of all ranges, one after the other; None if there are none.

    A list with an item for each range where only some of them have hashes.
    """
    hashes = [where.line_hashes for where in ranges]
    known = [text for text in hashes if text is not None]
    if not known:
        return None
    return "".join(known) if len(known) == len(hashes) else hashes


def unpack_line_hashes(file: FileJson) -> list[str | None]:
    """The hashes of the lines of each range of all conversations, in their order; [] where the entry has none."""
    value: Any = file.get("line_hashes")
    if isinstance(value, list):
        return [hashes if isinstance(hashes, str) else None for hashes in value]
    if not isinstance(value, str):
        return []
    ranges = [where for part in objects(file.get("conversations")) for where in objects(part.get("ranges"))]
    counts = [_lines_in(where) for where in ranges]
    if len(value) != sum(counts) * WIDTH:
        return []
    parts: list[str | None] = []
    start = 0
    for count in counts:
        parts.append(value[start : start + count * WIDTH])
        start += count * WIDTH
    return parts


def _lines_in(where: dict[str, Any]) -> int:
    start, end = where.get("start_line"), where.get("end_line")
    return max(0, end - start + 1) if isinstance(start, int) and isinstance(end, int) else 0
