"""A save in the editor: what it changed, whose changes those were, and the `did_save` record.

What was there before and after is what the editor says, for it alone knows: by the time that its message is read the
disk may hold half of a file that is being written, or a later save. The disk tells how the text is written as bytes,
where it holds that text, and history tells what a file was that the editor shows otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from intentls.core.blame.save_attribution import AuthoredText, attribute
from intentls.core.errors import InvalidPath
from intentls.core.ledger.line_range import LineRange
from intentls.core.ledger.trace_state import TraceState
from intentls.core.mutation.classes import Change
from intentls.core.text.encoding import TextFormat
from intentls.core.text.lines import is_binary
from intentls.engine.actions.acceptance import accept_saved
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.records.derived_maps import update_maps
from intentls.engine.records.file_history import FileHistory
from intentls.engine.records.record_writer import RecordWriter
from intentls.engine.workspace.file_contents import document_bytes
from intentls.engine.workspace.leases import LeaseRequest
from intentls.engine.workspace.open_documents import AppliedEdit, GuardedEdit
from intentls.engine.workspace.workspace import Workspace

_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class SaveResult:
    """A save that changed something. `trace_id` is None if policy or the disk kept it off the record."""

    path: str
    before: bytes | None
    after: bytes
    trace_id: str | None


def opened(workspace: Workspace, path: str, text: str) -> None:
    """Remember what a file held at the moment its document was opened with `text`."""
    try:
        on_disk = workspace.tree.read(path)
    except InvalidPath:
        return  # no file of this root
    workspace.pending.opened(path, _content_at_opening(workspace, path, text, on_disk))


def closed(workspace: Workspace, path: str) -> None:
    """Forget a closed document."""
    workspace.pending.closed(path)


def saved(workspace: Workspace, path: str, text: str | None, session_id: str) -> SaveResult | None:
    """Record what a save changed; `text` is the document's at that moment, None if it is not open.

    None if the save changed nothing, or if what it changed is not recorded (a binary file, a document never opened).
    """
    if text is not None:
        accept_saved(workspace, path, text, session_id)
    file = workspace.pending.take(path)
    try:
        on_disk = workspace.tree.read(path)
    except InvalidPath:
        return None
    now = _saved_content(None if file is None else file.saved, on_disk, text)
    if now is None:
        return None
    before = None if file is None else file.saved
    if before == b"" and not FileHistory(workspace, path).has(b""):
        before = None  # a new file: editors make it empty, or show it so before there is one
    if file is None or before == now or is_binary(now) or (before is not None and is_binary(before)):
        workspace.pending.settled(path, now)
        return None
    session = workspace.sessions.load(session_id)
    LeaseRequest.take(workspace, session, (path,), workspace.configuration().policy)
    parts = _parts(before, file.applied, now)
    if not workspace.configuration().policy.trace_on_save:
        # The policy exempts people; what an agent did is always recorded.
        parts = {author: ranges for author, ranges in parts.items() if author is not None}
        if not parts:
            workspace.pending.settled(path, now)
            return SaveResult(path, before, now, None)
    edit = PlannedEdit(path, Change.ADD if before is None else Change.MODIFY, before, now)
    record = RecordWriter(workspace).save(edit, parts, session)
    if workspace.trace(record) is TraceState.LOST:
        return SaveResult(path, before, now, None)  # not settled: the next save's record will hold this change, too
    workspace.pending.settled(path, now)
    update_maps(workspace, record, (edit,), workspace.configuration())
    return SaveResult(path, before, now, record.id)


def _content_at_opening(workspace: Workspace, path: str, text: str, on_disk: bytes | None) -> bytes | None:
    """What the file held. The disk is asked first, then history, and where neither knows the text it is believed.

    Example: the editor shows `a b c`, and the disk has `a`. It is being written just now, unless `a` is what history
    has: then the editor has restored a text that was never saved, as editors do when they are started again.
    """
    if on_disk is not None and shows(on_disk, text):
        return on_disk
    history = FileHistory(workspace, path)
    forms = (on_disk, history.committed, None)
    shown = [_written(text, form) for form in forms]
    known = history.newest_of((on_disk, *shown))
    if known is not None:
        return known
    if not text:
        return b""
    return None if on_disk is None else shown[0]


def _saved_content(before: bytes | None, on_disk: bytes | None, text: str | None) -> bytes | None:
    """What was saved: the document's text, as the disk has it if it has just that."""
    if text is None or (on_disk is not None and shows(on_disk, text)):
        return on_disk
    return _written(text, before or on_disk)


def shows(data: bytes, text: str) -> bool:
    r"""Whether an editor shows these bytes as this text.

    It may leave `\r` out, or keep a byte order mark. And it may know an encoding that we don't, which is neither UTF-8
    nor UTF-16: then a text with as many lines is taken for the same.
    """
    form = TextFormat.of(data)
    shown, text = form.decode(data), text.removeprefix(_BOM)
    if text == shown or ("\r" not in text and text == shown.replace("\r\n", "\n")):
        return True
    return form.encoding == "latin-1" and not text.isascii() and shown.count("\n") == text.count("\n")


def _written(text: str, like: bytes | None) -> bytes:
    """The bytes of `text` in the form of `like`."""
    if like and "\r" not in text and TextFormat.of(like).newline == "\r\n":
        text = text.replace("\n", "\r\n")
    return document_bytes(text.removeprefix(_BOM) if like else text, like)


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
