"""Carrying out what the gate let pass: on disk through the journal, or in the editor."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping

from intentls.core.errors import StoreError
from intentls.core.gate.checks import stale_text
from intentls.core.gate.refusal import Code, Refusal
from intentls.core.mutation.classes import Change
from intentls.core.text.encoding import TextFormat
from intentls.engine.actions.acceptance import accept_written
from intentls.engine.actions.approved_action import ApprovedAction
from intentls.engine.actions.effects import ApplyInEditor, DocumentEdit, Steps
from intentls.engine.actions.request import EditResult, PlannedEdit, with_known_contents
from intentls.engine.records.derived_maps import update_maps
from intentls.engine.records.record_writer import RecordWriter
from intentls.engine.workspace.file_contents import Content
from intentls.engine.workspace.open_documents import DocumentChange, GuardedEdit
from intentls.engine.workspace.workspace import Workspace
from intentls.store.journal.failures import TargetChanged
from intentls.store.journal.journal import FileOp

log = logging.getLogger(__name__)


class Applier:
    """Performs approved actions of one root and records them."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._records = RecordWriter(workspace)

    def to_disk(self, action: ApprovedAction, has_lapsed: Callable[[], bool] = lambda: False) -> EditResult | Refusal:
        """Write every edit of files that no editor has open, record it, update the maps. The caller holds the locks.

        Raises EditLapsed where `has_lapsed` says that its leases are over by the time it has landed.
        """
        edits = action.disk_edits
        record = self._records.change(action, edits)
        try:
            degraded = not self._workspace.journal.commit(_operations(edits), record.to_json(), has_lapsed).traced
        except TargetChanged as changed:
            log.info("the target changed under the edit: %s", changed)
            return self._refused(action, Code.STALE_CONTEXT, stale_text(changed.path), (changed.path,))
        self._workspace.note_trace(degraded=degraded)
        for edit in edits:
            self._workspace.pending.written(edit.path, edit.after)
            accept_written(self._workspace, edit.path, edit.after)
        self._remember(action, edits)
        update_maps(self._workspace, record, edits, action.configuration)
        return self._result(action, record.id, degraded=degraded)

    def in_editor(self, action: ApprovedAction) -> Steps[EditResult | Refusal]:
        """Edit the open documents through the client, then write the rest; undo the former if the latter fails."""
        edits, author = action.editor_edits, _author(action)
        changes = {edit.path: DocumentChange(author, edit.before or b"", edit.after or b"") for edit in edits}
        for path, change in changes.items():
            self._workspace.pending.sent(path, change)
        refusal: Refusal | None = None
        is_applied = False
        try:
            refusal = yield from self._through_editor(action)
            is_applied = refusal is None
        finally:
            for path, change in changes.items():
                self._workspace.pending.answered(path, change, applied=is_applied)
        if refusal is not None:
            return refusal
        self._remember(action, edits)
        return self._result(action, None, in_editor=True)

    def _through_editor(self, action: ApprovedAction) -> Steps[Refusal | None]:
        edits = action.editor_edits
        accepted = yield ApplyInEditor(action.request.plan.tool_name, document_edits(edits, action.contents))
        if accepted is not True:
            error = "Edit Rejected: the editor did not apply the edit. Read the file again and retry."
            return self._refused(action, Code.EDIT_REJECTED, error, tuple(edit.path for edit in edits))
        if action.disk_edits:
            names = [str(self._workspace.root / edit.path) for edit in action.disk_edits]
            try:
                with self._workspace.journal.hold(names, self._workspace.holder(action.request.session_id)):
                    result = self.to_disk(action)
            except (StoreError, OSError):
                yield self._undo_in_editor(action)
                raise
            if isinstance(result, Refusal):
                yield self._undo_in_editor(action)
                return result
        return None

    def _refused(self, action: ApprovedAction, code: Code, error: str, paths: tuple[str, ...]) -> Refusal:
        refusal = Refusal.of(code, error, paths=paths)
        self._records.refusal(action.request, refusal, action.session)
        return refusal

    def _undo_in_editor(self, action: ApprovedAction) -> ApplyInEditor:
        undo = []
        for edit in action.editor_edits:
            document = self._workspace.host.open_document(self._workspace.root / edit.path)
            if document is not None:
                undo.append(DocumentEdit(document, _text(edit, edit.before)))
        return ApplyInEditor(f"undo {action.request.plan.tool_name}", tuple(undo))

    def _remember(self, action: ApprovedAction, edits: Iterable[PlannedEdit]) -> None:
        """What a session wrote it knows: its next edit builds on that content."""
        session_id = action.request.session_id
        try:
            self._workspace.sessions.update(session_id, lambda session: with_known_contents(session, edits))
        except StoreError:  # the edit stands all the same: the session just has to read the file again
            log.warning("session %s does not know what it wrote", session_id, exc_info=True)

    def _result(
        self, action: ApprovedAction, trace_id: str | None, *, in_editor: bool = False, degraded: bool = False
    ) -> EditResult:
        mutation = action.mutation
        return EditResult(
            self._workspace.root,
            action.edits,
            mutation.mutation_class,
            mutation.inferred,
            mutation.reasons,
            in_editor,
            trace_id,
            degraded,
            action.warnings,
        )


def _author(action: ApprovedAction) -> GuardedEdit:
    declared = action.request.mutation_class or action.session.mutation_class
    return GuardedEdit(action.request.session_id, action.intent_id, action.model, declared, action.overrides)


def document_edits(edits: Iterable[PlannedEdit], contents: Mapping[str, Content]) -> tuple[DocumentEdit, ...]:
    """The new texts of those documents that are open, of files that stay where they are."""
    return tuple(
        DocumentEdit(document, _text(edit, edit.after))
        for edit in edits
        if edit.change is Change.MODIFY and (document := contents[edit.path].document) is not None
    )


def _text(edit: PlannedEdit, data: bytes | None) -> str:
    """`data` as text, in the encoding of what the edit replaces."""
    content = data or b""
    return TextFormat.of(edit.before if edit.before is not None else content).decode(content)


def _operations(edits: Iterable[PlannedEdit]) -> tuple[FileOp, ...]:
    operations: list[FileOp] = []
    for edit in edits:
        if edit.old_path is not None and edit.old_path != edit.path:
            operations.append(FileOp(edit.path, None, edit.after, edit.mode))
            operations.append(FileOp(edit.old_path, edit.seen_hash, None, None))
        else:
            operations.append(FileOp(edit.path, edit.seen_hash, edit.after, edit.mode))
    return tuple(operations)
