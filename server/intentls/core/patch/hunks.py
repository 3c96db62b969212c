"""Hunks: reading them out of a patch, and fitting them into a file, byte for byte."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import itemgetter

from msgspec import Struct, field
from msgspec.structs import replace

from intentls.core.errors import HunkMismatch, InvalidPatch, shorten
from intentls.core.text.encoding import TextFormat
from intentls.late_pattern import late_pattern

_HUNK_HEADER = late_pattern(r"@@ -([0-9]{1,9})(?:,([0-9]{1,9}))? \+([0-9]{1,9})(?:,([0-9]{1,9}))? @@.*", re.DOTALL)


class PatchHunk(Struct, frozen=True):
    r"""One hunk: the bytes `old` become `new`.

    `old_start` is the header's first old line (from 1; the line before if `old` is empty), where lines end
    with `\n` only, as git counts them. `line` is the header's line in the patch (from 1), for messages.
    The bytes are the patch's text in UTF-8; a lone surrogate of `surrogateescape` stands for its raw byte.
    """

    line: int
    old_start: int
    old: bytes
    new: bytes


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
        index = self._next + ahead
        return self._lines[index] if index < len(self._lines) else None

    def next_starts_with(self, prefix: str, ahead: int = 0) -> bool:
        """Whether there is a next line (or one `ahead` lines later), and it begins with `prefix`."""
        return (self.peek(ahead) or "").startswith(prefix)

    def skip(self) -> None:
        """Go on to the next line."""
        self._next += 1

    def error(self, clause: str, number: int | None = None) -> InvalidPatch:
        """What to raise about a line (default: the next one); `clause` goes on from `Line 7 of the patch`."""
        return InvalidPatch(f"Line {number or self.number} of the patch {clause}.")


class _PatchSide(Struct):
    """The old or the new lines of a hunk while they are read."""

    count: int
    lines: list[bytes] = field(default_factory=list)
    unended: bool = False  # the last line has no line end, so no other may follow

    @property
    def missing(self) -> int:
        return self.count - len(self.lines)

    def content(self) -> bytes:
        content = b"".join(line + b"\n" for line in self.lines)
        return content[:-1] if self.unended else content


def read_hunks(reader: PatchReader) -> tuple[PatchHunk, ...]:
    """The hunks that come next, in the patch's order. Raises InvalidPatch."""
    hunks = []
    while reader.next_starts_with("@@"):
        hunks.append(_read_hunk(reader))
    return tuple(hunks)


def _read_hunk(reader: PatchReader) -> PatchHunk:
    number = reader.number
    header = _HUNK_HEADER.fullmatch(reader.peek() or "")
    if header is None:
        raise reader.error("is no hunk header: write '@@ -start,count +start,count @@'")
    old_start, old_count, new_start, new_count = (int(digits or 1) for digits in header.groups())
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
            last = _add_line(reader, line, number, old, new)
            changed = changed or len(last) == 1
        else:
            return changed
        reader.skip()


def _add_line(
    reader: PatchReader, line: str | None, number: int, old: _PatchSide, new: _PatchSide
) -> tuple[_PatchSide, ...]:
    """Add one line to the side or sides that it belongs to, and return these."""
    missing = f"{old.missing} old and {new.missing} new lines more"
    if line is None:
        raise reader.error(f"begins a hunk that is cut off: its header counts {missing} than follow", number)
    # Some editors strip the space of an empty context line; git reads it as one, too.
    sides = {" ": (old, new), "": (old, new), "-": (old,), "+": (new,)}.get(line[:1])
    if sides is None:
        raise reader.error(
            f"is no line of a hunk ({shorten(line)!r}), but the header at line {number}"
            f" counts {missing} than came before it"
        )
    if any(not side.missing for side in sides):
        raise reader.error(f"is one line more than the hunk's header at line {number} counts")
    if any(side.unended for side in sides):
        raise reader.error("follows a line that has no line end, and so must be the last of its file")
    try:
        content = line[1:].encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise reader.error("has a lone surrogate, which no file can hold") from error
    for side in sides:
        side.lines.append(content)
    return sides


def apply_hunks(before: bytes, hunks: Sequence[PatchHunk], path: str) -> bytes:
    r"""`before` with all `hunks` applied; `path` is for messages.

    A hunk sits where its header says, or else at the only other place where its old lines occur; no fuzz.
    So `@@ -2 +2 @@`, `-b`, `+B` makes `a\nB\n` of `a\nb\n`. It also makes `a\nx\nB\n` of `a\nx\nb\n`, where `b` moved
    to line 3, and does not fit `b\nx\nb\n`, where two lines could be meant.

    A file that is not plain UTF-8 is compared as text and keeps its encoding and byte order mark; a file
    that uses only `\r\n` also takes hunks that have no `\r` at all.
    Raises HunkMismatch if a hunk does not fit, InvalidPatch if the file's encoding can't hold a new line.
    """
    form = TextFormat.of(before)
    readings = _readings(before, hunks, form)
    mismatches: list[HunkMismatch] = []
    for may_move in (False, True):  # the declared place in any reading beats another place in the first one
        for reading in readings:
            try:
                after = _apply(reading, path, may_move)
            except HunkMismatch as error:
                mismatches.append(error)
            else:
                return _encode(after, form, path) if reading.as_text else after
    raise mismatches[len(readings)]


class _Reading(Struct, frozen=True):
    """One way to compare a file with its hunks; `as_text`: `content` is its text in UTF-8, not its bytes."""

    content: bytes
    hunks: Sequence[PatchHunk]
    as_text: bool


def _readings(before: bytes, hunks: Sequence[PatchHunk], form: TextFormat) -> list[_Reading]:
    """The ways to compare, the best first: as text, as raw bytes, with the file's own CRLF."""
    as_text = _are_utf8(hunks)
    text = form.decode(before).encode("utf-8") if as_text else before
    readings = [_Reading(before, hunks, as_text=False)]
    if text != before:
        readings.insert(0, _Reading(text, hunks, as_text=True))
    if form.newline == "\r\n" and not any(b"\r" in hunk.old + hunk.new for hunk in hunks):
        with_crlf = [
            replace(hunk, old=hunk.old.replace(b"\n", b"\r\n"), new=hunk.new.replace(b"\n", b"\r\n")) for hunk in hunks
        ]
        readings.append(_Reading(text, with_crlf, as_text))
    return readings


def _are_utf8(hunks: Sequence[PatchHunk]) -> bool:
    try:
        for hunk in hunks:
            hunk.old.decode("utf-8")
            hunk.new.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _encode(text: bytes, form: TextFormat, path: str) -> bytes:
    data = form.write(text.decode("utf-8"))
    if data is None:
        raise InvalidPatch(
            f"{path}: the patch adds characters that the file's encoding ({form.encoding}) can't hold."
            " Leave them out, or write the whole file to turn it into UTF-8."
        )
    return data


def _apply(reading: _Reading, path: str, may_move: bool) -> bytes:
    content = reading.content
    # The offset of each line (only "\n" ends one), and behind the last line the offset of the end
    line_starts = [0, *(line_end.end() for line_end in re.finditer(rb"\n", content))]
    if line_starts[-1] != len(content):
        line_starts.append(len(content))
    placed = [(_find_place(content, line_starts, hunk, path, may_move), hunk) for hunk in reading.hunks]
    parts: list[bytes] = []
    copied = 0
    for start, hunk in sorted(placed, key=itemgetter(0)):
        name = f"the hunk at line {hunk.line} of the patch"
        if start < copied:
            raise HunkMismatch(path, f"{name} overlaps the one before it. Make a new patch.")
        end = start + len(hunk.old)
        # Only the file's last line may lack its end, before and after.
        joins_before = start > 0 and content[start - 1 : start] != b"\n"
        joins_after = not hunk.new.endswith(b"\n") and end < len(content)
        if hunk.new and (joins_before or joins_after):
            raise HunkMismatch(
                path, f"{name} would join two lines, since one of them has no line end. Make a new patch."
            )
        parts += (content[copied:start], hunk.new)
        copied = end
    return b"".join([*parts, content[copied:]])


def _find_place(content: bytes, line_starts: list[int], hunk: PatchHunk, path: str, may_move: bool) -> int:
    """The offset where the hunk's old lines begin. Raises HunkMismatch."""
    index = hunk.old_start - 1 if hunk.old else hunk.old_start
    if index < len(line_starts) and _fits(content, line_starts[index], hunk.old):
        return line_starts[index]
    name = f"the hunk at line {hunk.line} of the patch"
    if not hunk.old:
        raise HunkMismatch(
            path, f"{name} adds after line {hunk.old_start}, but the file has {len(line_starts) - 1} lines."
        )
    offsets = _other_offsets(content, hunk.old) if may_move else []
    if len(offsets) == 1:
        return offsets[0]
    reason = "occur at several other places" if offsets else "occur nowhere in the file"
    raise HunkMismatch(
        path,
        f"{name} does not fit: the lines it changes are not at line {hunk.old_start} and {reason}."
        " Read the file again and make a new patch.",
    )


def _fits(content: bytes, offset: int, old: bytes) -> bool:
    return content.startswith(old, offset) and (old[-1:] in (b"", b"\n") or offset + len(old) == len(content))


def _other_offsets(content: bytes, old: bytes) -> list[int]:
    """The first two offsets of the lines `old`, or as many as there are."""
    after_a_line = b"\n" + old
    if not old.endswith(b"\n"):  # a line without an end is the file's last
        return [len(content) - len(old)] if content == old or content.endswith(after_a_line) else []
    offsets = [0] if content.startswith(old) else []
    line_end = content.find(after_a_line)
    while line_end >= 0 and len(offsets) < 2:
        offsets.append(line_end + 1)
        line_end = content.find(after_a_line, line_end + 1)
    return offsets
