"""Reading a patch line by line, and its hunks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from intentls.core.errors import InvalidPatch, shorten
from intentls.core.patch.hunks import PatchHunk

_HUNK_HEADER = re.compile(r"@@ -([0-9]{1,9})(?:,([0-9]{1,9}))? \+([0-9]{1,9})(?:,([0-9]{1,9}))? @@.*", re.DOTALL)


class PatchReader:
    r"""The lines of a patch, one after the other. Only `\n` ends a line; the last one may lack it."""

    def __init__(self, text: str) -> None:
        self._lines = text.removeprefix("\ufeff").split("\n")
        if not self._lines[-1]:
            self._lines.pop()
        self._next = 0

    @property
    def number(self) -> int:
        """The number of the next line, from 1."""
        return self._next + 1

    def peek(self, ahead: int = 0) -> str | None:
        """The next line (or the one `ahead` lines later) without its end; None behind the last."""
        at = self._next + ahead
        return self._lines[at] if at < len(self._lines) else None

    def skip(self) -> None:
        """Go on to the next line."""
        self._next += 1

    def error(self, clause: str, number: int | None = None) -> InvalidPatch:
        """What to raise about a line (default: the next one); `clause` goes on from `Line 7 of the patch`."""
        return InvalidPatch(f"Line {number or self.number} of the patch {clause}.")


@dataclass(slots=True)
class _PatchSide:
    """The old or the new lines of a hunk while they are read."""

    count: int
    lines: list[bytes] = field(default_factory=list)
    unended: bool = False  # the last line has no line end, so no other may follow

    @property
    def missing(self) -> int:
        return self.count - len(self.lines)

    def content(self) -> bytes:
        joined = b"".join(line + b"\n" for line in self.lines)
        return joined[:-1] if self.unended else joined


def read_hunks(reader: PatchReader) -> tuple[PatchHunk, ...]:
    """The hunks that come next, in the patch's order. Raises InvalidPatch."""
    hunks = []
    while (reader.peek() or "").startswith("@@"):
        hunks.append(_read_hunk(reader))
    return tuple(hunks)


def _read_hunk(reader: PatchReader) -> PatchHunk:
    number = reader.number
    header = _HUNK_HEADER.fullmatch(reader.peek() or "")
    if header is None:
        raise reader.error("is no hunk header: write '@@ -start,count +start,count @@'")
    old_start, old_count, new_start, new_count = (int(number or 1) for number in header.groups())
    if (old_count and not old_start) or (new_count and not new_start):
        raise reader.error("is no hunk header: lines count from 1")
    old, new = _PatchSide(old_count), _PatchSide(new_count)
    reader.skip()
    if not _read_body(reader, number, old, new):
        raise reader.error("begins a hunk that changes nothing: it has no line with '+' or '-'", number)
    return PatchHunk(number, old_start, old.content(), new.content())


def _read_body(reader: PatchReader, number: int, old: _PatchSide, new: _PatchSide) -> bool:
    """Fill both sides as the header (line `number`) counts them; whether any line is removed or added."""
    changed = False
    last: tuple[_PatchSide, ...] = ()
    while True:
        line = reader.peek()
        if line is not None and line.startswith("\\ "):  # "\ No newline at end of file", in any language
            if not last:
                raise reader.error("says that a line has no line end, but no line of the hunk comes before it")
            for side in last:
                side.unended = True
            last = ()
        elif old.missing or new.missing:
            last = _sides(reader, line, number, old, new)
            changed = changed or len(last) == 1
        else:
            return changed
        reader.skip()


def _sides(
    reader: PatchReader, line: str | None, number: int, old: _PatchSide, new: _PatchSide
) -> tuple[_PatchSide, ...]:
    """Add one line to the side or sides that it belongs to, and say which."""
    if line is None:
        raise reader.error(f"begins a hunk that is cut off: its header counts {_more(old, new)} than follow", number)
    # Some editors strip the space of an empty context line; git reads it as one, too.
    sides = {" ": (old, new), "": (old, new), "-": (old,), "+": (new,)}.get(line[:1])
    if sides is None:
        raise reader.error(
            f"is no line of a hunk ({shorten(line)!r}), but the header at line {number}"
            f" counts {_more(old, new)} than came before it"
        )
    if any(not side.missing for side in sides):
        raise reader.error(f"is one line more than the hunk's header at line {number} counts")
    if any(side.unended for side in sides):
        raise reader.error("follows a line that has no line end, and so must be the last of its file")
    content = _encoded(reader, line[1:])
    for side in sides:
        side.lines.append(content)
    return sides


def _more(old: _PatchSide, new: _PatchSide) -> str:
    return f"{old.missing} old and {new.missing} new lines more"


def _encoded(reader: PatchReader, line: str) -> bytes:
    try:
        return line.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise reader.error("has a lone surrogate, which no file can hold") from error
