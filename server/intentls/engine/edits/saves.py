"""A save in the editor: what it changed, whose changes those were, and the `did_save` record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from intentls.core.blame.save_attribution import AuthoredText, attribute
from intentls.core.errors import InvalidPath
from intentls.core.ledger.line_range import LineRange
from intentls.core.mutation.classes import Change
from intentls.core.text.lines import is_binary
from intentls.engine.actions.acceptance import accept_saved
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.records.derived_maps import update_maps
from intentls.engine.records.record_writer import RecordWriter
from intentls.engine.workspace.file_contents import document_bytes
from intentls.engine.workspace.leases import LeaseRequest
from intentls.engine.workspace.open_documents import AppliedEdit, DocumentEdits, GuardedEdit
from intentls.engine.workspace.workspace import Workspace
from intentls.store.clock import now_ns

# A file that differs from the text just opened was either written since, or restored unsaved by the editor
# after a restart. What was written this recently was written since.
_FRESH_NS = 5_000_000_000


@dataclass(frozen=True, slots=True)
class SaveResult:
    """A save that changed something. `trace_id` is None if policy or the disk kept it off the record."""

    path: str
    before: bytes | None
    after: bytes
    trace_id: str | None


def opened(workspace: Workspace, path: str, text: str) -> None:
    """Remember what the disk has, and what the editor shows, at the moment a document is opened."""
    on_disk = _on_disk(workspace, path)
    shown = document_bytes(text, on_disk)
    if shown != on_disk and _is_fresh(workspace, path):
        on_disk = shown  # the editor is saving already, and the disk may hold half of it
    workspace.pending.opened(path, on_disk, shown)


def closed(workspace: Workspace, path: str) -> None:
    """Forget a closed document."""
    workspace.pending.closed(path)


def saved(workspace: Workspace, path: str, text: str | None, session_id: str) -> SaveResult | None:
    """Record what a save changed; `text` is the document's at that moment, None if it is not open.

    None if the save changed nothing, or if what it changed is not recorded (a binary file, a document never opened).
    """
    if text is not None:
        accept_saved(workspace, path, document_bytes(text, _on_disk(workspace, path)), session_id)
    file = workspace.pending.take(path)
    now = _saved_content(file, _on_disk(workspace, path), text)
    if now is None:
        return None
    workspace.pending.settled(path, now)
    if file is None:
        return None
    before = file.saved_before(now)
    if before == now or is_binary(now) or (before is not None and is_binary(before)):
        return None
    session = workspace.sessions.load(session_id)
    LeaseRequest.take(workspace, session, (path,))
    parts = _parts(before, file.applied, now)
    if not workspace.configuration().policy.trace_on_save:
        # The policy exempts people; what an agent did is always recorded.
        parts = {author: ranges for author, ranges in parts.items() if author is not None}
        if not parts:
            return SaveResult(path, before, now, None)
    edit = PlannedEdit(path, Change.ADD if before is None else Change.MODIFY, before, now)
    record = RecordWriter(workspace).save(edit, parts, session)
    if not workspace.trace(record):
        return SaveResult(path, before, now, None)
    update_maps(workspace, record, (edit,))
    return SaveResult(path, before, now, record.id)


def _saved_content(file: DocumentEdits | None, on_disk: bytes | None, text: str | None) -> bytes | None:
    """What was saved: the disk's content, unless it has not arrived there yet."""
    if file is None or text is None:
        return on_disk
    shown = document_bytes(text, on_disk)
    not_arrived = on_disk == file.on_disk and shown != file.shown
    return shown if not_arrived else on_disk


def _parts(
    before: bytes | None, applied: Sequence[AppliedEdit], now: bytes
) -> dict[GuardedEdit | None, tuple[LineRange, ...]]:
    """The changed lines by author; None stands for the person at the keyboard."""
    steps: list[AuthoredText[GuardedEdit | None]] = []
    for edit in applied:
        steps.append(AuthoredText(None, edit.before))
        steps.append(AuthoredText(edit.edit, edit.after))
    steps.append(AuthoredText(None, now))
    return attribute(before or b"", steps)


def _is_fresh(workspace: Workspace, path: str) -> bool:
    state = workspace.tree.state(path)
    return state is not None and now_ns() - state.mtime_ns < _FRESH_NS


def _on_disk(workspace: Workspace, path: str) -> bytes | None:
    try:
        return workspace.tree.read(path)
    except InvalidPath:
        return None
