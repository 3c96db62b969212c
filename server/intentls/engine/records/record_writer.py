"""Making records: the one place where an action becomes a line of the ledger."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

import intentls
from intentls.core.derived.lesson import Lesson
from intentls.core.errors import InvalidPath
from intentls.core.gate.policy import Policy
from intentls.core.gate.refusal import Code, Override, Refusal, ScopeValidation
from intentls.core.ledger.lesson_record import RECORD_LESSON, lesson_json
from intentls.core.ledger.line_range import LineRange
from intentls.core.ledger.record import (
    ClassSource,
    Contributor,
    ContributorType,
    Conversation,
    FileChange,
    Record,
    Vcs,
)
from intentls.core.mutation.classes import Change, MutationClass
from intentls.engine.actions.approved_action import ApprovedAction
from intentls.engine.actions.effects import Answer
from intentls.engine.actions.mutation_class import Mutation
from intentls.engine.actions.request import EditRequest, PlannedEdit
from intentls.engine.records.file_entries import Part, file_changes, ranges_of
from intentls.engine.records.shared_leases import with_leases
from intentls.engine.workspace.open_documents import GuardedEdit
from intentls.engine.workspace.people import person
from intentls.engine.workspace.workspace import Workspace
from intentls.store.clock import timestamp
from intentls.store.fs.path_resolution import real_path, relative_to_root, to_path
from intentls.store.git.commit_hooks import runs_other_hooks
from intentls.store.sessions.sessions import Session

_SCOPE_CODES = frozenset({Code.SCOPE_VIOLATION, Code.INTENTIGNORE_PATH_BLOCKED})
_HUMAN = Contributor(ContributorType.HUMAN)
_UNKNOWN_CLASS = Mutation(MutationClass.UNKNOWN, ClassSource.INFERRED)


class ToolReport(Struct, frozen=True):
    """What a host says of a tool it ran. `pre_hash` counts only if `pre_hash_known`.

    `params` are the tool's own; `overrides` are what a person let pass for it, asked by the host.
    """

    tool_name: str
    params: Mapping[str, Any] = field(default_factory=dict)
    success: bool = True
    pre_hash: str | None = None
    pre_hash_known: bool = False
    error: str | None = None
    mutation_class: MutationClass | None = None
    model: str | None = None
    overrides: tuple[Override, ...] = ()


class RecordWriter:
    """Makes the records of one root, and appends those that stand for themselves."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def change(self, action: ApprovedAction, edits: Iterable[PlannedEdit]) -> Record:
        """The record of a guarded action that is about to happen."""
        session_id, intent_id = action.request.session_id, action.intent_id
        return self._record(
            session_id=session_id,
            tool_name=action.request.plan.tool_name,
            intent_id=intent_id,
            mutation=action.mutation,
            scope_validation=_scope_validation(action),
            parts=_by_agent(session_id, action.model, intent_id, edits),
            overrides=action.overrides,
            advice=action.advice,
            reason=action.request.reason,
            policy=action.configuration.policy,
        )

    def save(
        self, edit: PlannedEdit, parts: Mapping[GuardedEdit | None, tuple[LineRange, ...]], session: Session
    ) -> Record:
        """The record of a save; `parts` maps each guarded edit in it (None: the person) to its lines."""
        guarded = [author for author in parts if author is not None]
        lead = guarded[-1] if guarded else None
        intent_id = lead.intent_id if lead is not None else session.intent_id
        conversations = tuple(
            Conversation(session.session_id, _HUMAN, ranges, session.intent_id)
            if author is None
            else Conversation(author.session_id, _agent(author.model), ranges, author.intent_id)
            for author, ranges in parts.items()
        )
        return self._record(
            session_id=lead.session_id if lead is not None else session.session_id,
            tool_name="did_save",
            intent_id=intent_id,
            mutation=Mutation.of((edit,), lead.mutation_class if lead is not None else None),
            scope_validation=self._scope_of(edit.path, intent_id),
            parts=((edit, conversations),),
            overrides=tuple(override for author in guarded for override in author.overrides),
        )

    def rename(self, edit: PlannedEdit, session: Session) -> Record:
        """The record of a file that a person renamed in the editor."""
        scopes = {self._scope_of(path, session.intent_id) for path in (edit.path, edit.old_path or edit.path)}
        conversation = Conversation(session.session_id, _HUMAN, (), session.intent_id)
        return self._record(
            session_id=session.session_id,
            tool_name="did_rename",
            intent_id=session.intent_id,
            mutation=Mutation.of((edit,), None),
            scope_validation=ScopeValidation.FAIL if ScopeValidation.FAIL in scopes else min(scopes),
            parts=((edit, (conversation,)),),
        )

    def refusal(self, request: EditRequest, refusal: Refusal, session: Session) -> None:
        """Append the record of a refused action; `session` is the one that was judged."""
        paths = tuple(self._inside(path) for path in refusal.paths or request.plan.paths)
        declared = request.mutation_class or session.mutation_class
        mutation = _UNKNOWN_CLASS if declared is None else Mutation(declared, ClassSource.DECLARED)
        agent = _agent(request.model or session.model)
        conversation = Conversation(request.session_id, agent, (), session.intent_id)
        record = self._record(
            session_id=request.session_id,
            tool_name=request.plan.tool_name,
            intent_id=session.intent_id,
            mutation=mutation,
            scope_validation=refusal.scope_validation,
            files=tuple(
                FileChange(path, self._refused_change(request.plan.tool_name, path), None, None, (conversation,))
                for path in paths
            ),
            success=False,
            advice=refusal,
            reason=request.reason,
        )
        self._workspace.trace(record, durable=False)

    def _inside(self, argument: str) -> str:
        """The root-relative path that a path argument leads to; the argument itself where that is outside."""
        try:
            real = real_path(to_path(argument, self._workspace.root))
        except InvalidPath:
            return argument
        return relative_to_root(real, self._workspace.root) or argument

    def _refused_change(self, tool_name: str, path: str) -> Change:
        """What a refused tool would have done to a file, as far as its name and the file's presence tell."""
        if tool_name == "delete_file":
            return Change.DELETE
        return Change.MODIFY if os.path.lexists(self._workspace.root / path) else Change.ADD

    def admitted(self, action: ApprovedAction) -> None:
        """Append the record of an action that a person let pass and its host will perform."""
        request = action.request
        record = self._record(
            session_id=request.session_id,
            tool_name=request.plan.tool_name,
            intent_id=action.intent_id,
            mutation=Mutation(request.mutation_class or MutationClass.UNKNOWN, ClassSource.INFERRED),
            scope_validation=_scope_validation(action),
            files=_unchanged(
                request.plan.paths,
                Change.MODIFY,
                Conversation(request.session_id, _agent(action.model), (), action.intent_id),
            ),
            overrides=action.overrides,
        )
        self._workspace.trace(record)

    def selection(
        self, session_id: str, intent_id: str, refusal: Refusal | None, overrides: tuple[Override, ...]
    ) -> None:
        """Append the record of a selection that was refused, or that a person let pass."""
        record = self._record(
            session_id=session_id,
            tool_name="select_active_intent",
            intent_id=intent_id,
            mutation=_UNKNOWN_CLASS,
            scope_validation=ScopeValidation.EXEMPT,
            success=refusal is None,
            overrides=overrides,
            advice=refusal,
        )
        self._workspace.trace(record, durable=refusal is None)

    def lesson(self, session_id: str, lesson: Lesson) -> Record:
        """The record of a lesson. It changes no file, so it has none."""
        intent_id = self._workspace.sessions.load(session_id).intent_id
        record = self._record(
            session_id=session_id,
            tool_name=RECORD_LESSON,
            intent_id=intent_id,
            mutation=_UNKNOWN_CLASS,
            scope_validation=ScopeValidation.EXEMPT,
        )
        return replace(record, lesson=lesson_json(lesson, intent_id))

    def declaration_edit(
        self,
        session_id: str,
        tool_name: str,
        intent_id: str,
        edit: PlannedEdit,
        contributor: Contributor,
        reason: str | None = None,
    ) -> Record:
        """The record of a change of an intent's declaration, which no gate judges: a status set, a scope widened."""
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
        self, session: Session, report: ToolReport, edits: tuple[PlannedEdit, ...], refusal: Refusal | None = None
    ) -> Record:
        """The record of a tool that a host ran itself.

        `refusal` is what the gate says of changes that could not be judged before they happened.
        """
        intent_id = session.intent_id
        return self._record(
            session_id=session.session_id,
            tool_name=report.tool_name,
            intent_id=intent_id,
            mutation=Mutation.of(edits, report.mutation_class or session.mutation_class),
            scope_validation=self._reported_scope(edits, intent_id, report.overrides, refusal),
            parts=_by_agent(session.session_id, report.model or session.model, intent_id, edits),
            success=report.success,
            overrides=report.overrides,
            advice=refusal,
            error=report.error,
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
        scopes = {self._scope_of(edit.path, intent_id) for edit in edits}
        worst_first = (ScopeValidation.FAIL, ScopeValidation.PASS)
        return next((scope for scope in worst_first if scope in scopes), ScopeValidation.EXEMPT)

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
        policy: Policy | None = None,
    ) -> Record:
        head, name = self._workspace.git.head(), person(self._workspace, policy)
        if not files:
            with_forms = bool(parts) and runs_other_hooks(self._workspace.root)
            files = file_changes(parts, mutation.formatted, mutation.too_large, with_forms=with_forms)
        files, coordination = with_leases(self._workspace, session_id, files)
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
            files=tuple(file.named(name) for file in files),
            overrides=overrides,
            error=advice.error if advice is not None else error,
            error_type=advice.error_type.value if advice is not None else None,
            code=advice.code.value if advice is not None else None,
            reason=reason,
            coordination=coordination,
        )


def _agent(model: str | None) -> Contributor:
    return Contributor(ContributorType.AI, model)


def _by_agent(
    session_id: str, model: str | None, intent_id: str | None, edits: Iterable[PlannedEdit]
) -> tuple[Part, ...]:
    """The edits, each wholly the work of the session's agent."""
    return tuple((edit, (Conversation(session_id, _agent(model), ranges_of(edit), intent_id),)) for edit in edits)


def _unchanged(paths: tuple[str, ...], change: Change, conversation: Conversation) -> tuple[FileChange, ...]:
    """The files that an action names and has not changed (yet)."""
    return tuple(FileChange(path, change, None, None, (conversation,)) for path in paths)


def _scope_validation(action: ApprovedAction) -> ScopeValidation:
    """PASS only where the path was compared with the scope and fits; what a person waived is EXEMPT."""
    if action.advice is not None:
        return action.advice.scope_validation
    waived = {(override.code, override.action) for override in action.overrides}
    if any(code in _SCOPE_CODES and action == Answer.APPROVE for code, action in waived):
        return ScopeValidation.EXEMPT
    compared = action.configuration.error is None and action.intent_id is not None
    return ScopeValidation.PASS if compared else ScopeValidation.EXEMPT
