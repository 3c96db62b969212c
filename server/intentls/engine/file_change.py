"""One file's entry in a record, made from what an action did to it."""

from __future__ import annotations

from intentls.core.text import LineRange, changed_ranges, diff
from intentls.core.trace import Conversation, FileChange
from intentls.engine.request import PlannedEdit


def ranges_of(edit: PlannedEdit) -> tuple[LineRange, ...]:
    """The lines of the new content that really changed."""
    return changed_ranges(edit.before, edit.after)


def file_change(edit: PlannedEdit, conversations: tuple[Conversation, ...]) -> FileChange:
    """What the ledger says of `edit`, with who contributed what."""
    return FileChange(
        path=edit.path,
        change=edit.change,
        pre_hash=edit.pre_hash,
        post_hash=edit.post_hash,
        conversations=conversations,
        # Against a text that we never saw, hunks would be invented.
        hunks=() if edit.claimed_pre_hash is not None else diff(edit.before, edit.after),
        old_path=edit.old_path,
    )
