"""Fitting a patch's hunks into a file, byte for byte."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from intentls.core.errors import HunkMismatch, InvalidPatch
from intentls.core.text.encoding import TextFormat


@dataclass(frozen=True, slots=True)
class PatchHunk:
    r"""One hunk: the bytes `old` become `new`.

    `old_start` is the header's first old line (from 1; the line before if `old` is empty), where lines end
    with `\n` only, as git counts them. `line` is the header's line in the patch (from 1), for messages.
    The bytes are the patch's text in UTF-8; a lone surrogate of `surrogateescape` stands for its raw byte.
    """

    line: int
    old_start: int
    old: bytes
    new: bytes


def apply_hunks(before: bytes, hunks: Sequence[PatchHunk], path: str) -> bytes:
    r"""`before` with all `hunks` applied; `path` is for messages.

    A hunk sits where its header says, or else at the only other place where its old lines occur; no fuzz.
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
                after = _applied(reading, path, may_move)
            except HunkMismatch as error:
                mismatches.append(error)
            else:
                return _written(after, form, path) if reading.as_text else after
    raise mismatches[len(readings)]


@dataclass(frozen=True, slots=True)
class _HunkReader:
    """One way to compare a file with its hunks; `as_text`: `content` is its text in UTF-8, not its bytes."""

    content: bytes
    hunks: Sequence[PatchHunk]
    as_text: bool


def _readings(before: bytes, hunks: Sequence[PatchHunk], form: TextFormat) -> list[_HunkReader]:
    """The ways to compare, the best first: as text, as raw bytes, with the file's own CRLF."""
    as_text = all(_is_utf8(hunk.old) and _is_utf8(hunk.new) for hunk in hunks)
    text = form.decode(before).encode("utf-8") if as_text else before
    readings = [_HunkReader(before, hunks, as_text=False)]
    if text != before:
        readings.insert(0, _HunkReader(text, hunks, as_text=True))
    if form.newline == "\r\n" and not any(b"\r" in hunk.old + hunk.new for hunk in hunks):
        readings.append(_HunkReader(text, [_with_crlf(hunk) for hunk in hunks], as_text))
    return readings


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _with_crlf(hunk: PatchHunk) -> PatchHunk:
    return PatchHunk(hunk.line, hunk.old_start, hunk.old.replace(b"\n", b"\r\n"), hunk.new.replace(b"\n", b"\r\n"))


def _written(text: bytes, form: TextFormat, path: str) -> bytes:
    data = form.write(text.decode("utf-8"))
    if data is None:
        raise InvalidPatch(
            f"{path}: the patch adds characters that the file's encoding ({form.encoding}) can't hold."
            " Leave them out, or write the whole file to turn it into UTF-8."
        )
    return data


def _applied(reading: _HunkReader, path: str, may_move: bool) -> bytes:
    content = reading.content
    starts = _line_starts(content)
    found = [(_place(content, starts, hunk, path, may_move), hunk) for hunk in reading.hunks]
    parts: list[bytes] = []
    done = 0
    for at, hunk in sorted(found, key=lambda place: place[0]):
        if at < done:
            raise HunkMismatch(path, f"{_named(hunk)} overlaps the one before it. Make a new patch.")
        end = at + len(hunk.old)
        _check_joint(content, at, end, hunk, path)
        parts += (content[done:at], hunk.new)
        done = end
    return b"".join([*parts, content[done:]])


def _line_starts(content: bytes) -> list[int]:
    r"""The offset of each line (ends: `\n` only), and behind the last line the offset of the end."""
    starts = [0]
    at = content.find(b"\n")
    while at >= 0:
        starts.append(at + 1)
        at = content.find(b"\n", at + 1)
    if starts[-1] != len(content):
        starts.append(len(content))
    return starts


def _place(content: bytes, starts: list[int], hunk: PatchHunk, path: str, may_move: bool) -> int:
    """The offset where the hunk's old lines begin. Raises HunkMismatch."""
    index = hunk.old_start - 1 if hunk.old else hunk.old_start
    if index < len(starts) and _fits(content, starts[index], hunk.old):
        return starts[index]
    if not hunk.old:
        raise HunkMismatch(
            path,
            f"{_named(hunk)} adds after line {hunk.old_start}, but the file has {len(starts) - 1} lines.",
        )
    places = _other_places(content, hunk.old) if may_move else []
    if len(places) == 1:
        return places[0]
    what = "occur at several other places" if places else "occur nowhere in the file"
    raise HunkMismatch(
        path,
        f"{_named(hunk)} does not fit: the lines it changes are not at line {hunk.old_start} and {what}."
        " Read the file again and make a new patch.",
    )


def _fits(content: bytes, at: int, old: bytes) -> bool:
    return content.startswith(old, at) and (old[-1:] in (b"", b"\n") or at + len(old) == len(content))


def _other_places(content: bytes, old: bytes) -> list[int]:
    """The first two offsets of the lines `old`, or as many as there are."""
    after_a_line = b"\n" + old
    if not old.endswith(b"\n"):  # a line without an end is the file's last
        return [len(content) - len(old)] if content == old or content.endswith(after_a_line) else []
    places = [0] if content.startswith(old) else []
    at = content.find(after_a_line)
    while at >= 0 and len(places) < 2:
        places.append(at + 1)
        at = content.find(after_a_line, at + 1)
    return places


def _check_joint(content: bytes, at: int, end: int, hunk: PatchHunk, path: str) -> None:
    """Only the file's last line may lack its end, before and after."""
    glued_before = hunk.new and at > 0 and content[at - 1 : at] != b"\n"
    glued_after = hunk.new and not hunk.new.endswith(b"\n") and end < len(content)
    if glued_before or glued_after:
        raise HunkMismatch(
            path, f"{_named(hunk)} would join two lines, since one of them has no line end. Make a new patch."
        )


def _named(hunk: PatchHunk) -> str:
    return f"the hunk at line {hunk.line} of the patch"
