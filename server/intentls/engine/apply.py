"""Carrying out what the gate let pass: to disk through the journal, or in the editor."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from intentls.core.hashing import hash_of
from intentls.core.hooks.base import stale_text
from intentls.core.patch import Change
from intentls.core.textformat import TextFormat
from intentls.core.trace import Override
from intentls.core.verdict import Code, Refusal
from intentls.engine.configuration import Configuration
from intentls.engine.effects import ApplyInEditor, DocumentEdit, Steps
from intentls.engine.host import OpenDocument
from intentls.engine.maps import update_maps
from intentls.engine.pending import GuardedEdit
from intentls.engine.record import RecordWriter
from intentls.engine.request import Done, PlannedEdit, Request
from intentls.engine.workspace import Workspace
from intentls.store.journal import FileOp, TargetChanged
from intentls.store.sessions import Session

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Judged:
    """A guarded action that may happen, with all the facts it was judged by."""

    request: Request
    session: Session
    configuration: Configuration
    edits: tuple[PlannedEdit, ...]
    documents: Mapping[str, OpenDocument]
    overrides: tuple[Override, ...] = ()
    advice: Refusal | None = None

    @property
    def editor_edits(self) -> tuple[PlannedEdit, ...]:
        """The edits of texts that are open in the client."""
        return tuple(edit for edit in self.edits if self._is_open(edit))

    @property
    def disk_edits(self) -> tuple[PlannedEdit, ...]:
        """All other edits."""
        return tuple(edit for edit in self.edits if not self._is_open(edit))

    @property
    def document_edits(self) -> tuple[DocumentEdit, ...]:
        """The new texts of the open documents."""
        return tuple(
            DocumentEdit(self.documents[edit.path], _text(edit.before, edit.after)) for edit in self.editor_edits
        )

    def _is_open(self, edit: PlannedEdit) -> bool:
        # Files come and go on disk; only a text that stays where it is can be edited in place.
        return edit.change is Change.MODIFY and edit.path in self.documents


class Applier:
    """Performs judged actions of one root and leaves their traces."""

    def __init__(self, workspace: Workspace, records: RecordWriter) -> None:
        self._workspace = workspace
        self._records = records

    def to_disk(self, judged: Judged) -> Done | Refusal:
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
        self._workspace.trace_broken = self._workspace.trace_broken or degraded
        for edit in edits:
            self._workspace.pending.written(edit.path, edit.after)
        self._remember(judged, edits)
        update_maps(self._workspace, record, edits)
        return self._done(judged, record.id, degraded=degraded)

    def in_editor(self, judged: Judged) -> Steps[Done | Refusal]:
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
            rest = self._rest(judged)
            if isinstance(rest, Refusal):
                yield ApplyInEditor(f"undo {judged.request.plan.tool_name}", self._reversed(judged))
                return rest
        author = self._author(judged)
        for edit in judged.editor_edits:
            self._workspace.pending.applied(edit.path, author, edit.before or b"", edit.after or b"")
        self._remember(judged, judged.editor_edits)
        return self._done(judged, None, in_editor=True)

    def _rest(self, judged: Judged) -> Done | Refusal:
        names = [str(self._workspace.root / edit.path) for edit in judged.disk_edits]
        with self._workspace.journal.hold(names, self._workspace.holder(judged.request.session_id)):
            return self.to_disk(judged)

    def _reversed(self, judged: Judged) -> tuple[DocumentEdit, ...]:
        undo = []
        for edit in judged.editor_edits:
            document = self._workspace.host.open_document(self._workspace.root / edit.path)
            if document is not None:
                undo.append(DocumentEdit(document, _text(edit.before, edit.before)))
        return tuple(undo)

    @staticmethod
    def _author(judged: Judged) -> GuardedEdit:
        declared = judged.request.mutation_class or judged.session.mutation_class
        return GuardedEdit(
            judged.request.session_id,
            judged.session.intent_id,
            judged.request.model or judged.session.model,
            declared,
            judged.overrides,
        )

    def _remember(self, judged: Judged, edits: Iterable[PlannedEdit]) -> None:
        """What a session wrote it knows: its next edit builds on that content."""

        def learn(session: Session) -> Session:
            for edit in edits:
                if edit.old_path is not None:
                    session = session.with_read(edit.old_path, None)
                session = session.with_read(edit.path, hash_of(edit.after))
            return session

        self._workspace.sessions.update(judged.request.session_id, learn)

    def _done(self, judged: Judged, trace_id: str | None, *, in_editor: bool = False, degraded: bool = False) -> Done:
        warnings = (judged.advice.error,) if judged.advice is not None else ()
        mutation = self._records.mutation(judged).mutation_class
        return Done(self._workspace.root, judged.edits, mutation, in_editor, trace_id, degraded, warnings)


def _text(like: bytes | None, data: bytes | None) -> str:
    content = data or b""
    return TextFormat.of(like if like is not None else content).decode(content)


def _operations(edits: Iterable[PlannedEdit]) -> tuple[FileOp, ...]:
    operations: list[FileOp] = []
    for edit in edits:
        if edit.old_path is not None and edit.old_path != edit.path:
            operations.append(FileOp(edit.path, None, edit.after, edit.mode))
            operations.append(FileOp(edit.old_path, hash_of(edit.before), None, None))
        else:
            operations.append(FileOp(edit.path, hash_of(edit.before), edit.after, edit.mode))
    return tuple(operations)
