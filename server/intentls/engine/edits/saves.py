"""A save in the editor: what it changed, whose changes those were, and the `did_save` record.

What was there before and after is what the editor says, for it alone knows: by the time that its message is read the
disk may hold half of a file that is being written, or a later save. The disk tells how the text is written as bytes,
where it holds that text, and history tells what a file was that the editor shows otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from intentls.core.blame.line_form import indentation_counts
from intentls.core.blame.save_attribution import Attribution, AuthoredText, attribute
from intentls.core.errors import InvalidPath
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
from intentls.engine.workspace.open_documents import DocumentEdits, GuardedEdit
from intentls.engine.workspace.workspace import Workspace

_BOM = "\ufeff"


class SaveResult(Struct, frozen=True):
    """A save that changed something. `trace_id` is None if policy or the disk kept it off the record."""

    path: str
    before: bytes | None
    after: bytes
    trace_id: str | None


def opened(workspace: Workspace, path: str, text: str) -> None:
    """Remember what a file held at the moment its document was opened with `text`."""
    try:
        file = workspace.tree.read_with_state(path)
    except InvalidPath:
        return  # no file of this root
    state, on_disk = file or (None, None)
    content = _content_at_opening(workspace, path, text, on_disk)
    workspace.pending.opened(path, content, state if content == on_disk else None)


def changed(workspace: Workspace, path: str, lines: Sequence[str]) -> None:
    """A change that was no keystroke left the document with these lines: note whether the editor loaded the file again.

    It may have if the file is another one than at the last save and holds just that. By the time of the look it may
    have been saved again: then history tells whether it held that.
    """
    file = workspace.pending.take(path)
    if file is None:
        return
    try:
        if file.knows(workspace.tree.state(path)):
            return
        state, on_disk = workspace.tree.read_with_state(path) or (None, None)
    except InvalidPath:
        return
    text = "".join(lines)
    if on_disk is not None and shows(on_disk, text):
        workspace.pending.loaded(path, on_disk, state)
        return
    known = FileHistory(workspace, path).newest_of(_forms(text, on_disk, file.saved))
    if known is not None:
        workspace.pending.loaded(path, known, None)


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
        state, on_disk = workspace.tree.read_with_state(path) or (None, None)
    except InvalidPath:
        return None
    now = _saved_content(None if file is None else file.saved, on_disk, text)
    if now is None:
        return None
    state = state if now == on_disk else None
    if file is not None:
        _load(path, file, now, FileHistory(workspace, path))
    before = None if file is None else file.saved
    if before == b"" and not FileHistory(workspace, path).has(b""):
        before = None  # a new file: editors make it empty, or show it so before there is one
    if file is None or before == now or is_binary(now) or (before is not None and is_binary(before)):
        if file is not None and before == now:
            workspace.pending.settled(path, now, state, _attributed(path, before or b"", file, now).versions)
        else:
            workspace.pending.settled(path, now, state)
        return None
    session = workspace.sessions.load(session_id)
    LeaseRequest.take(workspace, session, (path,), workspace.configuration().policy)
    attributed = _attributed(path, before or b"", file, now)
    parts = attributed.ranges
    if not workspace.configuration().policy.trace_on_save:
        # The policy exempts people; what an agent did is always recorded.
        parts = {author: ranges for author, ranges in parts.items() if author is not None}
        if not parts:
            workspace.pending.settled(path, now, state, attributed.versions)
            return SaveResult(path, before, now, None)
    edit = PlannedEdit(path, Change.ADD if before is None else Change.MODIFY, before, now)
    record = RecordWriter(workspace).save(edit, parts, session)
    if workspace.trace(record) is TraceState.LOST:
        return SaveResult(path, before, now, None)  # not settled: the next save's record will hold this change, too
    workspace.pending.settled(path, now, state, attributed.versions)
    update_maps(workspace, record, (edit,), workspace.configuration())
    return SaveResult(path, before, now, record.id)


def _load(path: str, file: DocumentEdits, now: bytes, history: FileHistory) -> None:
    """What the editor loaded before the save of `now` is no change of the document: the save is compared with it.

    If the save has just what was loaded, it is that or what a person wrote. It is on record in the former case.
    """
    load = file.loads[-1] if file.loads else None
    if load is not None and load.content == now and not history.has_on_record(now):
        load = file.loaded_before(now)
    if load is None or load.content == file.saved:
        return
    before = file.saved or b""
    later = DocumentEdits(applied=file.applied[: load.changes], versions=file.versions)
    file.versions = _attributed(path, before, later, load.content).versions
    file.saved, file.applied, file.loads = load.content, file.applied[load.changes :], []


def _content_at_opening(workspace: Workspace, path: str, text: str, on_disk: bytes | None) -> bytes | None:
    """What the file held. The disk is asked first, then history, and where neither knows the text it is believed.

    Example: the editor shows `a b c`, and the disk has `a`. It is being written just now, unless `a` is what history
    has: then the editor has restored a text that was never saved, as editors do when they are started again.
    """
    if on_disk is not None and shows(on_disk, text):
        return on_disk
    history = FileHistory(workspace, path)
    known = history.newest_of((on_disk, *_forms(text, on_disk, history.committed)))
    if known is not None:
        return known
    if not text:
        return b""
    return None if on_disk is None else _written(text, on_disk)


def _forms(text: str, *forms: bytes | None) -> list[bytes]:
    """The text as it may be written: in the form of each of these contents, and as a new file."""
    return [_written(text, form) for form in (*forms, None)]


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


def _attributed(path: str, before: bytes, file: DocumentEdits, now: bytes) -> Attribution[GuardedEdit | None]:
    """The changed lines by author, None standing for the person at the keyboard, and the document's versions.

    Versions are kept from an agent's first edit on: what a person alone wrote needs none.
    """
    attributed = attribute(before, _steps(file, now), file.versions, is_indented=indentation_counts(path))
    has_agent = file.applied or file.unanswered or file.versions
    return attributed if has_agent else Attribution(attributed.ranges, ())


def _steps(file: DocumentEdits, now: bytes) -> list[AuthoredText[GuardedEdit | None]]:
    """How the document came from its last save to `now`."""
    steps: list[AuthoredText[GuardedEdit | None]] = []
    for change in (*file.applied, *file.unanswered):
        steps.append(AuthoredText(None, change.before, by_hand=True))
        steps.append(AuthoredText(change.edit, change.after))
    return [*steps, AuthoredText(None, now, by_hand=True)]
