"""The files' entries in a record, made from what an action did to them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from posixpath import basename, splitext
from typing import TYPE_CHECKING

from intentls.core.ledger.record import Conversation, FileChange
from intentls.core.text.line_hashes import MAX_LINES, bare_lines, join_hashes, supports_line_blame
from intentls.core.text.lines import Hunk, LineRange, changed_ranges, diff
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.records.definition_entries import with_definitions

if TYPE_CHECKING:
    from intentls.core.blame.moved_lines import Origin

Part = tuple[PlannedEdit, tuple[Conversation, ...]]
"""What happened to a file, and who contributed what."""

_Lines = list[bytes] | None
"""The lines of a content without their ends; None where nobody asks who wrote which. No file has no lines."""

_SPACE_COUNTS = frozenset(
    {".py", ".pyi", ".yaml", ".yml", ".mk", ".haml", ".pug", ".coffee", ".sass", ".nim", ".hs", ".fs", ".diff"}
)


def ranges_of(edit: PlannedEdit) -> tuple[LineRange, ...]:
    """The lines of the new content that really changed."""
    return changed_ranges(edit.before, edit.after)


def file_changes(parts: Sequence[Part], formatted: Collection[str] = ()) -> tuple[FileChange, ...]:
    """What the ledger says of the files of one action. `formatted`: paths of which only the form changed."""
    hunks = [_hunks(edit) for edit, _ in parts]
    texts = [(_lines(edit.before), _lines(edit.after)) for edit, _ in parts]
    origins = _origins(parts, hunks, texts, formatted)
    described = with_definitions(
        [(edit, _hashed(after, conversations)) for (edit, conversations), (_, after) in zip(parts, texts, strict=True)]
    )
    return tuple(
        FileChange(
            path=edit.path,
            change=edit.change,
            pre_hash=edit.pre_hash,
            post_hash=edit.post_hash,
            conversations=described[number],
            hunks=hunks[number],
            old_path=edit.old_path,
            origins=tuple(origins.get(number, ())),
            removed_line_hashes=_removed(texts[number][0], hunks[number]),
        )
        for number, (edit, _) in enumerate(parts)
    )


def _hunks(edit: PlannedEdit) -> tuple[Hunk, ...]:
    # Against a text that we never saw, hunks would be invented.
    return () if edit.claimed_pre_hash is not None else diff(edit.before, edit.after)


def _lines(content: bytes | None) -> _Lines:
    return bare_lines(content or b"") if supports_line_blame(content or b"") else None


def _hashed(lines: _Lines, conversations: tuple[Conversation, ...]) -> tuple[Conversation, ...]:
    """With the hashes of the lines of every range, if they are not too many."""
    count = sum(each.end_line - each.start_line + 1 for part in conversations for each in part.ranges)
    if lines is None or not 0 < count <= MAX_LINES:
        return conversations
    return tuple(
        replace(
            part,
            ranges=tuple(
                replace(each, line_hashes=join_hashes(lines[each.start_line - 1 : each.end_line]))
                for each in part.ranges
            ),
        )
        for part in conversations
    )


def _removed(lines: _Lines, hunks: Sequence[Hunk]) -> str | None:
    """What went: if it is pasted somewhere, it was moved."""
    if lines is None or not 0 < sum(hunk.old_lines for hunk in hunks) <= MAX_LINES:
        return None
    gone = (lines[hunk.old_start - 1 : hunk.old_start - 1 + hunk.old_lines] for hunk in hunks if hunk.old_lines)
    return join_hashes(line for block in gone for line in block)


def _is_reflowed(edit: PlannedEdit) -> bool:
    """Whether only white space changed, in a language where that says nothing by itself."""
    name = basename(edit.path).lower()
    if splitext(name)[1] in _SPACE_COUNTS or name == "makefile":
        return False
    return _bare(edit.before) == _bare(edit.after)


def _bare(content: bytes | None) -> bytes:
    return b"".join((content or b"").split())


def _origins(
    parts: Sequence[Part],
    hunks: Sequence[Sequence[Hunk]],
    texts: Sequence[tuple[_Lines, _Lines]],
    formatted: Collection[str],
) -> dict[int, list[Origin]]:
    """By the file's number, where its changed lines come from, as far as they are not new."""
    every = [hunk for each in hunks for hunk in each]
    if not (any(hunk.old_lines for hunk in every) and any(hunk.new_lines for hunk in every)):
        return {}
    from intentls.core.blame.moved_lines import MOST_ORIGINS, FileLines, moved
    from intentls.core.blame.moved_lines import formatted as reflowed

    sides = {
        number: FileLines(parts[number][0].path, before, after, hunks[number])
        for number, (before, after) in enumerate(texts)
        if hunks[number] and before is not None and after is not None
    }
    found = {
        number: reflowed(side) if side.path in formatted or _is_reflowed(parts[number][0]) else origins
        for (number, side), origins in zip(sides.items(), moved([*sides.values()]), strict=True)
    }
    return {number: origins for number, origins in found.items() if 0 < len(origins) <= MOST_ORIGINS}
