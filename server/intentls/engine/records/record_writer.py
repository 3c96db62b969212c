"""Making records: the one place where an action becomes a line of the ledger."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterable, Mapping, Sequence

import intentls
from intentls.core.change_kind import Change
from intentls.core.gate.refusal import Code, Refusal, ScopeValidation
from intentls.core.ledger.line_range import LineRange
from intentls.core.ledger.record import (
    ClassSource,
    Contributor,
    ContributorType,
    Conversation,
    FileChange,
    Override,
    Record,
    Vcs,
)
from intentls.core.mutation.classes import MutationClass
from intentls.engine.actions.approved_action import ApprovedAction
from intentls.engine.actions.effects import Answer
from intentls.engine.actions.mutation_class import Mutation
from intentls.engine.actions.request import EditRequest, PlannedEdit
from intentls.engine.records.file_entries import Part, file_changes, ranges_of
from intentls.engine.workspace.open_documents import GuardedEdit
from intentls.engine.workspace.workspace import Workspace
from intentls.store.clock import timestamp

log = logging.getLogger(__name__)

_SCOPE_CODES = frozenset({Code.SCOPE_VIOLATION, Code.INTENTIGNORE_PATH_BLOCKED})
_HUMAN = Contributor(ContributorType.HUMAN)


class RecordWriter:
    """Makes the records of one root, and appends those that stand for themselves."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def change(self, judged: ApprovedAction, edits: Iterable[PlannedEdit]) -> Record:
        """The record of a guarded action that is about to happen."""
        model = judged.request.model or judged.session.model
        contributor = Contributor(ContributorType.AI, model)
        intent_id = judged.session.intent_id
        session_id = judged.request.session_id
        return self._record(
            session_id=session_id,
            tool_name=judged.request.plan.tool_name,
            intent_id=intent_id,
            mutation=judged.mutation,
            scope_validation=_scope_validation(judged),
            parts=[(edit, (Conversation(session_id, contributor, ranges_of(edit), intent_id),)) for edit in edits],
            overrides=judged.overrides,
            advice=judged.advice,
        )

    def save(
        self, edit: PlannedEdit, parts: Mapping[GuardedEdit | None, tuple[LineRange, ...]], session_id: str
    ) -> Record:
        """The record of a save; `parts` maps each guarded edit in it (None: the person) to its lines."""
        session = self._workspace.sessions.load(session_id)
        guarded = [author for author in parts if author is not None]
        lead = guarded[-1] if guarded else None
        intent_id = lead.intent_id if lead is not None else session.intent_id
        conversations = tuple(
            Conversation(session_id, _HUMAN, ranges, session.intent_id)
            if author is None
            else Conversation(
                author.session_id, Contributor(ContributorType.AI, author.model), ranges, author.intent_id
            )
            for author, ranges in parts.items()
        )
        return self._record(
            session_id=lead.session_id if lead is not None else session_id,
            tool_name="did_save",
            intent_id=intent_id,
            mutation=Mutation.of((edit,), lead.mutation_class if lead is not None else None),
            scope_validation=self._scope_of(edit.path, intent_id),
            parts=((edit, conversations),),
            overrides=tuple(override for author in guarded for override in author.overrides),
        )

    def refusal(self, request: EditRequest, refusal: Refusal) -> None:
        """Append the record of a refused action."""
        session = self._workspace.sessions.load(request.session_id)
        contributor = Contributor(ContributorType.AI, request.model or session.model)
        change = Change.DELETE if request.plan.tool_name == "delete_file" else Change.MODIFY
        conversation = Conversation(request.session_id, contributor, (), session.intent_id)
        declared = request.mutation_class or session.mutation_class
        paths = refusal.paths or request.plan.paths
        record = self._record(
            session_id=request.session_id,
            tool_name=request.plan.tool_name,
            intent_id=session.intent_id,
            mutation=Mutation(
                declared or MutationClass.UNKNOWN, ClassSource.DECLARED if declared else ClassSource.INFERRED
            ),
            scope_validation=refusal.scope_validation,
            files=tuple(FileChange(path, change, None, None, (conversation,)) for path in paths),
            success=False,
            advice=refusal,
        )
        self._workspace.trace(record, durable=False)

    def admitted(self, judged: ApprovedAction) -> None:
        """Append the record of an action that a person let pass and its host will perform."""
        contributor = Contributor(ContributorType.AI, judged.request.model or judged.session.model)
        conversation = Conversation(judged.request.session_id, contributor, (), judged.session.intent_id)
        record = self._record(
            session_id=judged.request.session_id,
            tool_name=judged.request.plan.tool_name,
            intent_id=judged.session.intent_id,
            mutation=Mutation(judged.request.mutation_class or MutationClass.UNKNOWN, ClassSource.INFERRED),
            scope_validation=_scope_validation(judged),
            files=tuple(
                FileChange(path, Change.MODIFY, None, None, (conversation,)) for path in judged.request.plan.paths
            ),
            overrides=judged.overrides,
        )
        self._workspace.trace(record)

    def selection(
        self, session_id: str, intent_id: str, refusal: Refusal | None, overrides: tuple[Override, ...]
    ) -> None:
        """Append the record of a checkout that was refused, or that a person let pass."""
        record = self._record(
            session_id=session_id,
            tool_name="select_active_intent",
            intent_id=intent_id,
            mutation=Mutation(MutationClass.UNKNOWN, ClassSource.INFERRED),
            scope_validation=ScopeValidation.EXEMPT,
            success=refusal is None,
            overrides=overrides,
            advice=refusal,
        )
        self._workspace.trace(record, durable=refusal is None)

    def note(self, record: Record) -> bool:
        """Append a record that stands for itself; False if the ledger can't be written (logged)."""
        return self._workspace.trace(record)

    def event(
        self,
        *,
        session_id: str,
        tool_name: str,
        intent_id: str | None,
        edit: PlannedEdit,
        contributor: Contributor,
        reason: str | None = None,
    ) -> Record:
        """The record of a change that no gate judges (a status set, a scope widened by a person)."""
        return self._record(
            session_id=session_id,
            tool_name=tool_name,
            intent_id=intent_id,
            mutation=Mutation.of((edit,), None),
            scope_validation=ScopeValidation.EXEMPT,
            parts=((edit, (Conversation(session_id, contributor, ranges_of(edit), intent_id),)),),
            reason=reason,
        )

    def reported(
        self,
        *,
        session_id: str,
        tool_name: str,
        model: str | None,
        declared: MutationClass | None,
        edits: tuple[PlannedEdit, ...],
        success: bool,
        error: str | None,
        overrides: tuple[Override, ...] = (),
        refusal: Refusal | None = None,
    ) -> Record:
        """The record of a tool that a host ran itself.

        `overrides` are what a person let pass for it, `refusal` what is to be said of changes that nobody could judge
        before they happened.
        """
        session = self._workspace.sessions.load(session_id)
        contributor = Contributor(ContributorType.AI, model or session.model)
        return self._record(
            session_id=session_id,
            tool_name=tool_name,
            intent_id=session.intent_id,
            mutation=Mutation.of(edits, declared or session.mutation_class),
            scope_validation=self._reported_scope(edits, session.intent_id, overrides, refusal),
            parts=[
                (edit, (Conversation(session_id, contributor, ranges_of(edit), session.intent_id),)) for edit in edits
            ],
            success=success,
            overrides=overrides,
            advice=refusal,
            error=error,
        )

    def _reported_scope(
        self,
        edits: tuple[PlannedEdit, ...],
        intent_id: str | None,
        overrides: tuple[Override, ...],
        refusal: Refusal | None,
    ) -> ScopeValidation:
        if refusal is not None:
            return refusal.scope_validation
        if any(override.code in _SCOPE_CODES for override in overrides):
            return ScopeValidation.EXEMPT
        return _worst_scope([self._scope_of(edit.path, intent_id) for edit in edits])

    def _scope_of(self, path: str, intent_id: str | None) -> ScopeValidation:
        configuration = self._workspace.configuration()
        intent = configuration.intents.intents.get(intent_id) if intent_id is not None else None
        if intent is None:
            return ScopeValidation.EXEMPT
        return ScopeValidation.PASS if intent.scope.contains(path) else ScopeValidation.FAIL

    def _record(
        self,
        *,
        session_id: str,
        tool_name: str,
        intent_id: str | None,
        mutation: Mutation,
        scope_validation: ScopeValidation,
        files: tuple[FileChange, ...] = (),
        parts: Sequence[Part] = (),
        success: bool = True,
        overrides: tuple[Override, ...] = (),
        advice: Refusal | None = None,
        error: str | None = None,
        reason: str | None = None,
    ) -> Record:
        head = self._workspace.git.head()
        return Record(
            id=str(uuid.uuid4()),
            timestamp=timestamp(),
            vcs=None if head is None else Vcs(head.sha),
            tool_version=intentls.__version__,
            session_id=session_id,
            tool_name=tool_name,
            intent_id=intent_id,
            mutation_class=mutation.mutation_class,
            mutation_class_source=mutation.source,
            mutation_class_inferred=mutation.inferred,
            scope_validation=scope_validation,
            success=success,
            files=files or file_changes(parts, mutation.formatted),
            overrides=overrides,
            error=advice.error if advice is not None else error,
            error_type=advice.error_type.value if advice is not None else None,
            code=advice.code.value if advice is not None else None,
            reason=reason,
        )


def _scope_validation(judged: ApprovedAction) -> ScopeValidation:
    """PASS only where the scope was really judged and fits; what a person waived is EXEMPT."""
    if judged.advice is not None:
        return judged.advice.scope_validation
    waived = {(override.code, override.action) for override in judged.overrides}
    if any(code in _SCOPE_CODES and action == Answer.APPROVE for code, action in waived):
        return ScopeValidation.EXEMPT
    known = judged.configuration.error is None and judged.session.intent_id is not None
    return ScopeValidation.PASS if known else ScopeValidation.EXEMPT


def _worst_scope(found: list[ScopeValidation]) -> ScopeValidation:
    for candidate in (ScopeValidation.FAIL, ScopeValidation.PASS):
        if candidate in found:
            return candidate
    return ScopeValidation.EXEMPT
