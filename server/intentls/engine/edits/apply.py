"""Carrying out what the gate let pass: to disk through the journal, or in the editor."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from intentls.core.errors import StoreError
from intentls.core.gate.checks import stale_text
from intentls.core.gate.refusal import Code, Refusal
from intentls.core.hashing import hash_of
from intentls.engine.actions.approved_action import ApprovedAction, text_of
from intentls.engine.actions.effects import ApplyInEditor, DocumentEdit, Steps
from intentls.engine.actions.request import EditResult, PlannedEdit
from intentls.engine.records.derived_maps import update_maps
from intentls.engine.records.record_writer import RecordWriter
from intentls.engine.workspace.open_documents import GuardedEdit
from intentls.engine.workspace.workspace import Workspace
from intentls.store.journal.journal import FileOp, TargetChanged
from intentls.store.sessions.sessions import Session

log = logging.getLogger(__name__)


class Applier:
    """Performs judged actions of one root and leaves their traces."""

    def __init__(self, workspace: Workspace, records: RecordWriter) -> None:
        self._workspace = workspace
        self._records = records

    def to_disk(self, judged: ApprovedAction) -> EditResult | Refusal:
        """Write every edit, record it, update what is derived. The caller holds the locks."""
        edits = judged.disk_edits
        record = self._records.change(judged, edits)
        try:
            degraded = not self._workspace.journal.commit(_operations(edits), record.to_json()).traced
        except TargetChanged as changed:
            log.info("the target changed under the edit: %s", changed)
            refusal = Refusal.of(Code.STALE_CONTEXT, stale_text(changed.path), paths=(changed.path,))
            self._records.refusal(judged.request, refusal)
            return refusal
        self._workspace.note_trace(degraded=degraded)
        for edit in edits:
            self._workspace.pending.written(edit.path, edit.after)
        self._remember(judged, edits)
        update_maps(self._workspace, record, edits)
        return self._done(judged, record.id, degraded=degraded)

    def in_editor(self, judged: ApprovedAction) -> Steps[EditResult | Refusal]:
        """Edit the open documents through the client, then write the rest; undo the former if the latter fails."""
        accepted = yield ApplyInEditor(judged.request.plan.tool_name, judged.document_edits)
        if accepted is not True:
            refusal = Refusal.of(
                Code.EDIT_REJECTED,
                "Edit Rejected: the editor did not apply the edit. Read the file again and retry.",
                paths=tuple(edit.path for edit in judged.editor_edits),
            )
            self._records.refusal(judged.request, refusal)
            return refusal
        if judged.disk_edits:
            try:
                rest = self._rest(judged)
            except (StoreError, OSError):
                yield self._undo_in_editor(judged)
                raise
            if isinstance(rest, Refusal):
                yield self._undo_in_editor(judged)
                return rest
        author = self._author(judged)
        for edit in judged.editor_edits:
            self._workspace.pending.applied(edit.path, author, edit.before or b"", edit.after or b"")
        self._remember(judged, judged.editor_edits)
        return self._done(judged, None, in_editor=True)

    def _rest(self, judged: ApprovedAction) -> EditResult | Refusal:
        names = [str(self._workspace.root / edit.path) for edit in judged.disk_edits]
        with self._workspace.journal.hold(names, self._workspace.holder(judged.request.session_id)):
            return self.to_disk(judged)

    def _undo_in_editor(self, judged: ApprovedAction) -> ApplyInEditor:
        return ApplyInEditor(f"undo {judged.request.plan.tool_name}", self._reversed(judged))

    def _reversed(self, judged: ApprovedAction) -> tuple[DocumentEdit, ...]:
        undo = []
        for edit in judged.editor_edits:
            document = self._workspace.host.open_document(self._workspace.root / edit.path)
            if document is not None:
                undo.append(DocumentEdit(document, text_of(edit.before, edit.before)))
        return tuple(undo)

    @staticmethod
    def _author(judged: ApprovedAction) -> GuardedEdit:
        declared = judged.request.mutation_class or judged.session.mutation_class
        return GuardedEdit(
            judged.request.session_id,
            judged.session.intent_id,
            judged.request.model or judged.session.model,
            declared,
            judged.overrides,
        )

    def _remember(self, judged: ApprovedAction, edits: Iterable[PlannedEdit]) -> None:
        """What a session wrote it knows: its next edit builds on that content."""

        def learn(session: Session) -> Session:
            for edit in edits:
                if edit.old_path is not None:
                    session = session.with_read(edit.old_path, None)
                session = session.with_read(edit.path, hash_of(edit.after))
            return session

        try:
            self._workspace.sessions.update(judged.request.session_id, learn)
        except StoreError:  # the edit stands all the same: the session just has to read the file again
            log.warning("session %s was not told what it wrote", judged.request.session_id, exc_info=True)

    def _done(
        self, judged: ApprovedAction, trace_id: str | None, *, in_editor: bool = False, degraded: bool = False
    ) -> EditResult:
        mutation = judged.mutation
        return EditResult(
            self._workspace.root,
            judged.edits,
            mutation.mutation_class,
            mutation.inferred,
            mutation.reasons,
            in_editor,
            trace_id,
            degraded,
            judged.warnings,
        )


def _operations(edits: Iterable[PlannedEdit]) -> tuple[FileOp, ...]:
    operations: list[FileOp] = []
    for edit in edits:
        if edit.old_path is not None and edit.old_path != edit.path:
            operations.append(FileOp(edit.path, None, edit.after, edit.mode))
            operations.append(FileOp(edit.old_path, hash_of(edit.before), None, None))
        else:
            operations.append(FileOp(edit.path, hash_of(edit.before), edit.after, edit.mode))
    return tuple(operations)
