"""The gate of one root: gather the facts of an action, decide, and ask a person where that may change the decision."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from intentls.core.errors import ConfigurationError, HunkMismatch, InvalidInput, InvalidPath
from intentls.core.gate.action import Action, Target
from intentls.core.gate.checks import held_by, stale_text
from intentls.core.gate.gate import Decision, decide, waived_codes
from intentls.core.gate.policy import LeasePolicy, Mode, OnTraceFailure
from intentls.core.gate.refusal import Code, Override, Refusal
from intentls.core.patterns.protected_paths import is_declared_file
from intentls.engine.actions.acceptance import with_note
from intentls.engine.actions.approval import ask_person
from intentls.engine.actions.approved_action import ApprovedAction, warnings_of
from intentls.engine.actions.authority import acts_for_agent
from intentls.engine.actions.effects import Answer, Steps
from intentls.engine.actions.mutation_class import Mutation
from intentls.engine.actions.plan_preview import file_edits, keep_mode, predicted_edits, preview_edits
from intentls.engine.actions.request import EditRequest, PlannedEdit
from intentls.engine.workspace.configuration import Configuration
from intentls.engine.workspace.editors import unsaved_elsewhere
from intentls.engine.workspace.file_contents import Content
from intentls.engine.workspace.leases import LeaseRequest, enforces, held_by_others
from intentls.engine.workspace.path_argument import ResolvedPath
from intentls.engine.workspace.workspace import Workspace
from intentls.store.sessions.sessions import Session

if TYPE_CHECKING:
    from intentls.core.intents.lease import Lease
    from intentls.engine.records.record_writer import RecordWriter

log = logging.getLogger(__name__)


class Gathered(Struct):
    """What the decision and the write rest on. `paths`: path argument -> root-relative path, for those inside.

    `path_error` is why one of the paths can't be read as a file; it is raised only if the gate lets the action pass,
    since a protected directory is protected before it is a directory. `model` is what the call names.
    """

    configuration: Configuration
    session: Session
    paths: Mapping[str, str]
    contents: dict[str, Content] = field(default_factory=dict)
    targets: list[Target] = field(default_factory=list)
    path_error: InvalidPath | None = None
    model: str | None = None

    @property
    def bytes(self) -> dict[str, bytes | None]:
        """The content of each file by root-relative path; None where there is no file."""
        return {path: content.data for path, content in self.contents.items()}

    @property
    def advisory_leases(self) -> tuple[Lease, ...]:
        """The leases of other sessions that do not stop the action."""
        if self.configuration.policy.leases is LeasePolicy.ENFORCE:
            return ()
        return tuple(target.lease for target in self.targets if target.lease is not None)


class Evaluation(Struct, frozen=True):
    """An action that may happen under these leases, or the refusal; with what was gathered for it."""

    gathered: Gathered
    outcome: ApprovedAction | Refusal
    leases: LeaseRequest


class Guard:
    """Decides on the actions of one root. `resolved` always has every path argument of the request's plan."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def evaluate(
        self, request: EditRequest, resolved: Mapping[str, ResolvedPath], overrides: tuple[Override, ...] = ()
    ) -> Evaluation:
        """Gather, decide, and lease the paths of what passed: a lease that was taken in between counts too.

        Raises InvalidInput for arguments that make no sense.
        """
        gathered = self._gather(request, resolved)
        leases = LeaseRequest(self._workspace)
        outcome = self._approve(request, gathered, overrides)
        if isinstance(outcome, ApprovedAction):
            policy = gathered.configuration.policy
            leases = LeaseRequest.take(self._workspace, gathered.session, outcome.contents, policy)
            if enforces(policy):
                outcome = _lease_refusal(leases) or outcome
            if isinstance(outcome, ApprovedAction) and leases.away is not None:
                outcome = replace(outcome, away=leases.away)
        return Evaluation(gathered, outcome, leases)

    def override(self, request: EditRequest, gathered: Gathered, refusal: Refusal) -> Steps[Override | Refusal]:
        """Ask whether the refused action may pass: the override, or the refusal that stays and is recorded."""
        answer = yield from self._ask(request, gathered, refusal)
        if isinstance(answer, Refusal):
            self.record_refusal(request, answer, gathered.session)
        return answer

    def admit(self, request: EditRequest, resolved: Mapping[str, ResolvedPath]) -> Steps[ApprovedAction | Refusal]:
        """Decide on an action that its host performs itself; a refusal and an override are recorded."""
        overrides: tuple[Override, ...] = ()
        while True:
            evaluation = self.evaluate(request, resolved, overrides)
            action = evaluation.outcome
            if isinstance(action, ApprovedAction):
                if overrides:
                    self._records.admitted(action)
                return action
            override = yield from self.override(request, evaluation.gathered, action)
            if isinstance(override, Refusal):
                return override
            overrides = (*overrides, override)

    def check(
        self, request: EditRequest, resolved: Mapping[str, ResolvedPath], session: Session | None = None
    ) -> tuple[str, ...] | Refusal:
        """What the gate would say now: the warnings that the action would get, or the refusal.

        No question, no record, no edits. `session`: decide as if this were the session that asks, whatever is stored
        of it. Raises InvalidPath for what no edit can be made of, such as a directory.
        """
        gathered = self._gather(request, resolved, session)
        decision = self._decide(gathered, _action(request, gathered))
        if decision.refusal is not None:
            return decision.refusal
        if gathered.path_error is not None:
            raise gathered.path_error
        return warnings_of(decision.advice, gathered.advisory_leases)

    def record_refusal(self, request: EditRequest, refusal: Refusal, session: Session) -> None:
        """Append the record of a refused action of this session."""
        self._records.refusal(request, refusal, session)

    @property
    def _records(self) -> RecordWriter:
        from intentls.engine.records.record_writer import RecordWriter  # a hook that lets a call pass writes none

        return RecordWriter(self._workspace)

    def _approve(
        self, request: EditRequest, gathered: Gathered, overrides: tuple[Override, ...]
    ) -> ApprovedAction | Refusal:
        action = _action(request, gathered)
        overrides = _still_bound(request, gathered, overrides)
        by_path = self._decide(gathered, action, overrides)
        if by_path.refusal is not None:
            return by_path.refusal
        if gathered.path_error is not None:
            raise gathered.path_error
        try:
            edits = request.plan.edits(gathered.paths, gathered.bytes)
        except HunkMismatch as mismatch:
            log.info("a hunk does not fit: %s", mismatch)
            return Refusal.of(Code.STALE_CONTEXT, stale_text(mismatch.path), paths=(mismatch.path,))
        expected = edits or predicted_edits(
            request, gathered.configuration, gathered.session, gathered.paths, gathered.contents
        )
        mutation = Mutation.of(expected, request.mutation_class or gathered.session.mutation_class)
        action = replace(action, edits=file_edits(expected), contradiction=mutation.contradiction)
        by_content = self._decide(gathered, action, overrides)
        if by_content.refusal is not None:
            return by_content.refusal
        return ApprovedAction(
            request=request,
            session=gathered.session,
            configuration=gathered.configuration,
            edits=tuple(keep_mode(edit, gathered.contents) for edit in edits),
            contents=gathered.contents,
            mutation=mutation,
            uses_editor=self._workspace.host.can_apply_edits,
            overrides=overrides,
            advice=by_path.advice or by_content.advice,
            leases=gathered.advisory_leases,
        )

    def _decide(self, gathered: Gathered, action: Action, overrides: tuple[Override, ...] = ()) -> Decision:
        configuration = gathered.configuration
        policy = configuration.policy
        facts = configuration.facts(gathered.session)
        if any(is_declared_file(target.path) for target in action.targets):
            facts = replace(
                facts, acts_for_agent=acts_for_agent(self._workspace, gathered.session.session_id, gathered.model)
            )
        if policy.on_trace_failure is OnTraceFailure.BLOCK and policy.mode is Mode.ENFORCE:
            facts = replace(facts, ledger_error=self._workspace.cannot_trace())
        decision = decide(facts, action, policy, waived=waived_codes(facts, action, policy, overrides))
        if decision.refusal is None or not configuration.unconfirmed:
            return decision
        return replace(decision, refusal=with_note(decision.refusal, configuration.unconfirmed))

    def _gather(
        self, request: EditRequest, resolved: Mapping[str, ResolvedPath], imagined: Session | None = None
    ) -> Gathered:
        """`imagined`: a session that does not exist, as if it asked; no lease is in its way."""
        workspace = self._workspace
        session = imagined or workspace.sessions.load(request.session_id)
        relative = {argument: path.relative_to(workspace.root) for argument, path in resolved.items()}
        inside = {argument: path for argument, path in relative.items() if path is not None}
        gathered = Gathered(workspace.configuration(), session, inside, model=request.model)
        leases = {} if imagined else held_by_others(workspace, inside.values(), request.session_id)
        unsaved = {} if imagined else unsaved_elsewhere(workspace)
        for index, argument in enumerate(request.plan.paths):
            path = relative[argument]
            if path is None:
                gathered.targets.append(Target(argument, inside=False))
                continue
            if path in gathered.contents:
                continue  # two names of one file are judged once
            gathered.contents[path] = self._read(path, gathered)
            # The hash a call cites is that of its subject, the first path; others rest on what was read.
            cited = request.expected_hash if index == 0 else None
            base = cited or session.reads.get(path)
            editor = unsaved.get(path)
            unsaved_in = "" if editor is None else editor.client or "an editor"
            gathered.targets.append(
                Target(path, True, gathered.contents[path].hash, base, leases.get(path), unsaved_in)
            )
        return gathered

    def _read(self, path: str, gathered: Gathered) -> Content:
        try:
            return self._workspace.contents.read(path)
        except InvalidPath as error:
            gathered.path_error = gathered.path_error or error
            return Content(None)

    def _ask(self, request: EditRequest, gathered: Gathered, refusal: Refusal) -> Steps[Override | Refusal]:
        intent_id = gathered.session.intent_id

        def proposed() -> tuple[PlannedEdit, ...]:
            """What the action would change as things stand: for a person to look at, not to be written."""
            if gathered.path_error is not None or any(not target.inside for target in gathered.targets):
                return ()  # a path that can't be changed at all: the gate says so after the answer
            plan = request.plan if request.predict_plan is None else request.predict_plan()
            return () if plan is None else preview_edits(plan, gathered.paths, gathered.contents)

        reply = yield from ask_person(
            self._workspace,
            refusal,
            request.session_id,
            intent_id,
            request.plan.tool_name,
            model=request.model,
            paths=tuple(dict.fromkeys(gathered.paths.values())),
            absent=_absent(gathered),
            expandable=refusal.code is Code.SCOPE_VIOLATION and intent_id is not None,
            proposed=proposed,
        )
        if reply is None:
            return refusal
        if reply.answer is Answer.EXPAND_SCOPE and intent_id is not None:
            from intentls.engine.intents.intents_edit import widen_scope  # YAML takes long to import, and few widen

            try:
                widen_scope(self._workspace, intent_id, refusal.paths, request.session_id, by=reply.by)
            except (ConfigurationError, InvalidInput) as error:
                return replace(refusal, error=f"{refusal.error} The scope could not be expanded: {error}")
        return Override(
            by=reply.by,
            action=reply.answer.value,
            code=refusal.code.value,
            paths=refusal.paths,
            contents=_resulting_hashes(request, gathered),
            intent_id=intent_id,
        )


def _still_bound(request: EditRequest, gathered: Gathered, overrides: tuple[Override, ...]) -> tuple[Override, ...]:
    """The overrides that were given for this intent and for what the action makes of its files now."""
    if not overrides:
        return ()
    bound = (gathered.session.intent_id, _resulting_hashes(request, gathered))
    return tuple(override for override in overrides if (override.intent_id, override.contents) == bound)


def _resulting_hashes(request: EditRequest, gathered: Gathered) -> dict[str, str | None] | None:
    """The content hash of each file after the action, None for one that is gone; None where that can't be told."""
    if gathered.path_error is not None or any(not target.inside for target in gathered.targets):
        return None
    plan = request.plan if request.predict_plan is None else request.predict_plan()
    edits = () if plan is None else preview_edits(plan, gathered.paths, gathered.contents)
    gone = {edit.old_path: None for edit in edits if edit.old_path is not None}
    return {**gone, **{edit.path: edit.post_hash for edit in edits}} or None


def _absent(gathered: Gathered) -> frozenset[str]:
    """The paths where no file is yet; none where a path is something else than a file."""
    if gathered.path_error is not None:
        return frozenset()
    return frozenset(path for path, content in gathered.contents.items() if content.data is None)


def _action(request: EditRequest, gathered: Gathered) -> Action:
    return Action(request.plan.tool_name, tuple(gathered.targets), request.intent_id)


def _lease_refusal(leases: LeaseRequest) -> Refusal | None:
    """Why an action can't happen although the gate let it pass; its new leases are given back then."""
    if leases.error is not None and leases.away is not None:
        return Refusal.of(Code.HOOK_ERROR, f"{leases.away} Another may hold the file, so nothing was changed; retry.")
    if leases.error is not None:
        return Refusal.of(Code.HOOK_ERROR, f"Lease Error: {leases.error} Nothing was changed; retry.")
    if leases.lost:
        leases.give_back()
        return held_by(leases.lost)
    return None
