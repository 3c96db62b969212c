"""The files' entries in a record, made from what an action did to them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from string import whitespace

from msgspec.structs import replace

from intentls.core.blame.line_form import indentation_counts
from intentls.core.blame.moved_lines import FileLines, moved
from intentls.core.blame.moved_lines import formatted as formatted_origins
from intentls.core.ledger.line_range import MAX_ORIGINS, LineRange, Origin, changed_ranges
from intentls.core.ledger.record import Conversation, FileChange
from intentls.core.mutation.form import form_key
from intentls.core.text.line_hashes import MAX_LINES, bare_lines, join_hashes, supports_line_blame
from intentls.core.text.lines import Hunk, diff
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.records.definition_entries import with_definitions

Part = tuple[PlannedEdit, tuple[Conversation, ...]]
"""What happened to a file, and who contributed what."""

_Lines = list[bytes] | None
"""The lines of a content without their ends; None if it is too large or binary for blame by line."""


def ranges_of(edit: PlannedEdit) -> tuple[LineRange, ...]:
    """The lines of the new content that really changed, as far as the edit is their author."""
    return () if edit.is_shared else changed_ranges(edit.before, edit.after)


def file_changes(
    parts: Sequence[Part],
    formatted: Collection[str] = (),
    too_large: Collection[str] = (),
    *,
    with_forms: bool = False,
) -> tuple[FileChange, ...]:
    """The file entries of one action.

    `formatted`: paths of which only the form changed; `too_large`: those whose class the bounds left open.
    `with_forms`: a formatter may run before the new contents are committed.
    """
    hunks = [_hunks(edit) for edit, _ in parts]
    texts = [(_lines(edit.before), _lines(edit.after)) for edit, _ in parts]
    origins = _origins(parts, hunks, texts, formatted)
    described = with_definitions(
        [
            (edit, _hashed(after, conversations), of_file)
            for (edit, conversations), (_, after), of_file in zip(parts, texts, hunks, strict=True)
        ]
    )
    return tuple(
        FileChange(
            path=edit.path,
            change=edit.change,
            pre_hash=edit.pre_hash,
            post_hash=edit.post_hash,
            conversations=described[number].conversations,
            hunks=hunks[number],
            old_path=edit.old_path,
            origins=tuple(origins.get(number, ())),
            definition_origins=described[number].origins,
            removed_line_hashes=_removed(texts[number][0], hunks[number]),
            is_too_large=described[number].is_exceeded or edit.path in too_large,
            form=form_key(edit.path, edit.after) if with_forms else None,
        )
        for number, (edit, _) in enumerate(parts)
    )


def _hunks(edit: PlannedEdit) -> tuple[Hunk, ...]:
    # The old text is known by its hash alone, if at all, so there is nothing to compare with.
    return () if edit.is_shared or edit.claimed_pre_hash is not None else diff(edit.before, edit.after)


def _lines(content: bytes | None) -> _Lines:
    return bare_lines(content or b"") if supports_line_blame(content or b"") else None


def _hashed(lines: _Lines, conversations: tuple[Conversation, ...]) -> tuple[Conversation, ...]:
    """With the hashes of the lines of every range, if they are not too many."""
    count = sum(where.end_line - where.start_line + 1 for part in conversations for where in part.ranges)
    if lines is None or not 0 < count <= MAX_LINES:
        return conversations
    return tuple(
        replace(
            part,
            ranges=tuple(
                replace(where, line_hashes=join_hashes(lines[where.start_line - 1 : where.end_line]))
                for where in part.ranges
            ),
        )
        for part in conversations
    )


def _removed(lines: _Lines, hunks: Sequence[Hunk]) -> str | None:
    """The hashes of the removed lines: if they are pasted somewhere, blame sees that they moved."""
    if lines is None or not 0 < sum(hunk.old_lines for hunk in hunks) <= MAX_LINES:
        return None
    gone = (lines[hunk.old_start - 1 : hunk.old_start - 1 + hunk.old_lines] for hunk in hunks if hunk.old_lines)
    return join_hashes(line for block in gone for line in block)


def _is_reflowed(edit: PlannedEdit) -> bool:
    """Whether only white space changed, in a language where that says nothing by itself."""
    return not indentation_counts(edit.path) and _bare(edit.before) == _bare(edit.after)


def _bare(content: bytes | None) -> bytes:
    return (content or b"").translate(None, whitespace.encode())


def _origins(
    parts: Sequence[Part],
    hunks: Sequence[Sequence[Hunk]],
    texts: Sequence[tuple[_Lines, _Lines]],
    formatted: Collection[str],
) -> dict[int, list[Origin]]:
    """By the file's number, where its changed lines come from, as far as they are not new."""
    all_hunks = [hunk for file_hunks in hunks for hunk in file_hunks]
    if not (any(hunk.old_lines for hunk in all_hunks) and any(hunk.new_lines for hunk in all_hunks)):
        return {}
    files = {
        number: FileLines(parts[number][0].path, before, after, hunks[number])
        for number, (before, after) in enumerate(texts)
        if hunks[number] and before is not None and after is not None
    }
    result: dict[int, list[Origin]] = {}
    for (number, file), origins in zip(files.items(), moved([*files.values()]), strict=True):
        if file.path in formatted or _is_reflowed(parts[number][0]):
            origins = formatted_origins(file)  # noqa: PLW2901
        if 0 < len(origins) <= MAX_ORIGINS:
            result[number] = origins
    return result
