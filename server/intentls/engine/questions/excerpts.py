"""The changed places of a question's files, for other machines: parts of the contents, and only where policy says so.

Policy `question_excerpts: true` lets them leave the machine, otherwise no content does. A file whose changed places are
binary or too long is left out: a question is asked all the same. What comes from another machine is data: it is checked
for its types and its size, and shown as a text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from intentls.core.hashing import content_hash
from intentls.core.text.lines import Hunk, diff_lines, split_lines
from intentls.engine.workspace.workspace import Workspace
from intentls.store.questions.question_files import AskedFile, Question

_CONTEXT = 3  # lines before and after each change
_MAX_CONTENT = 256 * 1024  # of a file, to be compared
_MAX_EXCERPTS = 24_000  # characters of all excerpts of a question, as JSON escapes them
_SIDES = ("before", "after")

Excerpt = dict[str, str | None]


def excerpts_of(workspace: Workspace, question: Question) -> list[Excerpt | None] | None:
    """For each file of a question its changed places before and after; None for what can't be sent. None where policy
    says that nothing leaves. Raises OSError.
    """
    if not workspace.configuration().policy.question_excerpts:
        return None
    left, excerpts = _MAX_EXCERPTS, list[Excerpt | None]()
    for index, file in enumerate(question.files):
        excerpt = _excerpt(workspace, question, index, file)
        size = 0 if excerpt is None else sum(_escaped_length(text) for text in excerpt.values() if text is not None)
        excerpts.append(excerpt if size <= left else None)
        left -= size if size <= left else 0
    return excerpts


def shown_excerpt(entry: Mapping[str, Any]) -> tuple[bytes | None, bytes | None] | None:
    """What another machine shows of a file, before and after; None where it shows nothing, or no text."""
    values = [entry.get(side, ()) for side in _SIDES]
    if not all(value is None or isinstance(value, str) for value in values) or values == [None, None]:
        return None
    before, after = (None if value is None else value.encode("utf-8", "replace") for value in values)
    return before, after


def with_excerpt(file: AskedFile, excerpt: tuple[bytes | None, bytes | None]) -> AskedFile:
    """The file, with the hashes of what is shown of it."""
    before, after = (None if content is None else content_hash(content) for content in excerpt)
    return AskedFile(file.path, file.change, file.old_path, before, after, is_kept=True)


def _excerpt(workspace: Workspace, question: Question, index: int, file: AskedFile) -> Excerpt | None:
    if not file.is_kept:
        return None
    contents: dict[str, bytes | None] = {}
    for side in _SIDES:
        contents[side] = None
        if getattr(file, side) is not None:
            data = workspace.questions.content(question, index, side)
            if data is None or len(data) > _MAX_CONTENT:
                return None
            contents[side] = data
    try:
        return _changed_places(contents["before"], contents["after"])
    except UnicodeDecodeError:
        return None


def _changed_places(before: bytes | None, after: bytes | None) -> Excerpt:
    """The changed lines with some around them; a file that comes or goes whole. Raises UnicodeDecodeError.

    Example: of 100 lines of which the 50th changes, the lines 47 to 53, between two that say that others are equal.
    """
    if before is None or after is None:
        sides = zip(_SIDES, (before, after), strict=True)
        return {side: None if text is None else text.decode() for side, text in sides}
    old, new = split_lines(before), split_lines(after)
    parts = list(_parts(diff_lines(old, new), len(old)))
    return {
        "before": _joined(old, [(start, end) for start, end, _ in parts]),
        "after": _joined(new, _moved(parts)),
    }


def _parts(hunks: Sequence[Hunk], count: int) -> Iterator[tuple[int, int, int]]:
    """Which lines of the old text are shown, from 0, and by how many more there are in the new one."""
    start = end = grown = 0
    is_open = False
    for hunk in hunks:
        first = hunk.old_start - (1 if hunk.old_lines else 0)
        if is_open and first - _CONTEXT > end + 1:  # a line that says that one is left out is no shorter
            yield start, end, grown
            is_open, grown = False, 0
        if not is_open:
            start, is_open = max(0, first - _CONTEXT), True
        end = min(count, first + hunk.old_lines + _CONTEXT)
        grown += hunk.new_lines - hunk.old_lines
    if is_open:
        yield start, end, grown


def _moved(parts: Sequence[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """The same places in the new text."""
    shift, places = 0, []
    for start, end, grown in parts:
        places.append((start + shift, end + shift + grown))
        shift += grown
    return places


def _joined(lines: Sequence[bytes], places: Sequence[tuple[int, int]]) -> str:
    """These lines; where some are left out a line says so, the same in both texts."""
    text, position = "", 0
    for start, end in places:
        text += "" if start == position else "⋯ lines that stay as they are ⋯\n"
        text += b"".join(lines[start:end]).decode()
        position = end
    return text + ("" if position == len(lines) else "⋯ lines that stay as they are ⋯\n")


def _escaped_length(text: str) -> int:
    """Characters of the text as ASCII: six for each other character, twelve for those beyond the first plane."""
    return sum(1 if " " <= character <= "~" else 6 if character <= "\uffff" else 12 for character in text)
