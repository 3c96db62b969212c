"""The guarded edit: judge, act, trace. One decision and one write under one lock, across processes."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from intentls.core.errors import ConfigurationError, HunkMismatch, InvalidInput, InvalidPath
from intentls.core.gate.action import Action, Target
from intentls.core.gate.checks import held_by, invalid_configuration, stale_text
from intentls.core.gate.gate import CONTENT, GATE, PLACE, judge
from intentls.core.gate.refusal import Code, Refusal
from intentls.engine.actions.approval import ask_person
from intentls.engine.actions.approved_action import ApprovedAction, warnings_of
from intentls.engine.actions.effects import Answer, Steps
from intentls.engine.actions.mutation_class import Mutation
from intentls.engine.actions.plan_preview import as_things_stand, file_edits, foreseen, keep_mode
from intentls.engine.actions.request import EditRequest, EditResult, PlannedEdit
from intentls.engine.workspace.configuration import Configuration
from intentls.engine.workspace.file_contents import Content
from intentls.engine.workspace.leases import LeaseRequest, enforces, held_by_others
from intentls.engine.workspace.path_argument import ResolvedPath
from intentls.engine.workspace.workspace import Workspace
from intentls.store.sessions.sessions import Session

if TYPE_CHECKING:
    from intentls.core.intents.lease import Lease
    from intentls.core.ledger.record import Override
    from intentls.engine.records.record_writer import RecordWriter

log = logging.getLogger(__name__)

# Checks that guard the disk itself hold even where policy only advises.
_ALWAYS_ENFORCED = frozenset({Code.PATH_OUTSIDE_WORKSPACE, Code.PROTECTED_PATH})


@dataclass(slots=True)
class _Facts:
    """What was found under the lock: everything the decision and the write rest on."""

    configuration: Configuration
    session: Session
    paths: Mapping[str, str]
    contents: dict[str, Content] = field(default_factory=dict)
    targets: list[Target] = field(default_factory=list)
    trouble: InvalidPath | None = None
    contradiction: str | None = None

    @property
    def leases(self) -> tuple[Lease, ...]:
        """What other sessions hold, where that only warns."""
        if self.configuration.policy.leases == "enforce":
            return ()
        return tuple(target.lease for target in self.targets if target.lease is not None)


class Guard:
    """Runs guarded actions of one root."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def run(self, request: EditRequest, places: Mapping[str, ResolvedPath]) -> Steps[EditResult | Refusal]:
        """Judge and perform. `places` resolves every path of the plan.

        Raises InvalidInput for arguments that make no sense; nothing is written then.
        """
        from intentls.engine.edits.apply import Applier  # a hook only judges, and does so in a process of its own

        applier = Applier(self._workspace, self._records)
        overrides: tuple[Override, ...] = ()
        while True:
            with self._locked(request, places):
                judged, claim = self._lease(request, places, overrides)
                if isinstance(judged, ApprovedAction) and not judged.editor_edits:
                    with claim:
                        return claim.settle(applier.to_disk(judged))
            if isinstance(judged, ApprovedAction):
                with claim:
                    return claim.settle((yield from applier.in_editor(judged)))
            answer = yield from self._ask(request, places, judged)
            if isinstance(answer, Refusal):
                self._records.refusal(request, answer)
                return answer
            overrides = (*overrides, answer)

    def admit(self, request: EditRequest, places: Mapping[str, ResolvedPath]) -> Steps[ApprovedAction | Refusal]:
        """Judge an action that its host performs itself; a refusal and an override are recorded."""
        overrides: tuple[Override, ...] = ()
        while True:
            judged, _ = self._lease(request, places, overrides)
            if isinstance(judged, ApprovedAction):
                if overrides:
                    self._records.admitted(judged)
                return judged
            answer = yield from self._ask(request, places, judged)
            if isinstance(answer, Refusal):
                self._records.refusal(request, answer)
                return answer
            overrides = (*overrides, answer)

    def check(
        self, request: EditRequest, places: Mapping[str, ResolvedPath], session: Session | None = None
    ) -> tuple[str, ...] | Refusal:
        """What the gate would say now: the warnings that the action would get, or the refusal.

        Asks nobody, writes nothing, computes no edits. `session`: judge as if this were the session that asks,
        whatever is known of it. Raises InvalidPath for what no edit can be made of, such as a folder.
        """
        facts = self._gather(request, places, session)
        refusal, advice = self._verdict(request, facts, ())
        if refusal is None and facts.trouble is not None:
            raise facts.trouble
        return warnings_of(advice, facts.leases) if refusal is None else refusal

    @property
    def _records(self) -> RecordWriter:
        from intentls.engine.records.record_writer import RecordWriter

        return RecordWriter(self._workspace)

    @contextmanager
    def _locked(self, request: EditRequest, places: Mapping[str, ResolvedPath]) -> Iterator[None]:
        names = [str(place.real) for place in places.values()]
        with self._workspace.journal.hold(names, self._workspace.holder(request.session_id)):
            yield

    def _lease(
        self, request: EditRequest, places: Mapping[str, ResolvedPath], overrides: tuple[Override, ...]
    ) -> tuple[ApprovedAction | Refusal, LeaseRequest]:
        """Judge, and lease the paths of what passed; a lease that somebody took in between counts too."""
        judged = self._judge(request, places, overrides)
        if isinstance(judged, Refusal):
            return judged, LeaseRequest(self._workspace)
        claim = LeaseRequest.take(self._workspace, judged.session, judged.paths)
        if not enforces(judged.configuration.policy):
            return judged, claim
        if claim.trouble is not None:
            return Refusal.of(Code.HOOK_ERROR, f"Lease Error: {claim.trouble} Nothing was changed; retry."), claim
        if claim.lost:
            claim.give_back()
            return held_by(claim.lost), claim
        return judged, claim

    def _judge(
        self, request: EditRequest, places: Mapping[str, ResolvedPath], overrides: tuple[Override, ...]
    ) -> ApprovedAction | Refusal:
        facts = self._gather(request, places)
        refusal, advice = self._verdict(request, facts, overrides)
        if refusal is not None:
            return refusal
        if facts.trouble is not None:
            raise facts.trouble
        try:
            edits = request.plan.edits(facts.paths, {path: content.data for path, content in facts.contents.items()})
        except HunkMismatch as mismatch:
            log.info("a hunk does not fit: %s", mismatch)
            return Refusal.of(Code.STALE_CONTEXT, stale_text(mismatch.path), paths=(mismatch.path,))
        made = edits or foreseen(request, facts.configuration, facts.session, facts.paths, facts.contents)
        mutation = Mutation.of(made, request.mutation_class or facts.session.mutation_class)
        facts.contradiction = mutation.contradiction
        refusal, found = self._verdict(request, facts, overrides, made)
        if refusal is not None:
            return refusal
        return ApprovedAction(
            request=request,
            session=facts.session,
            configuration=facts.configuration,
            edits=tuple(keep_mode(edit, facts.contents) for edit in edits),
            documents={
                path: content.document
                for path, content in facts.contents.items()
                if content.document is not None and self._workspace.host.can_apply_edits
            },
            overrides=overrides,
            advice=advice or found,
            mutation=mutation,
            paths=tuple(target.path for target in facts.targets if target.inside),
            leases=facts.leases,
        )

    def _gather(
        self, request: EditRequest, places: Mapping[str, ResolvedPath], session: Session | None = None
    ) -> _Facts:
        workspace = self._workspace
        imagined = session is not None  # nobody's lease is in the way of a session that does not exist
        session = session or workspace.sessions.load(request.session_id)
        below = {given: place.below(workspace.root) for given, place in places.items()}
        facts = _Facts(
            workspace.configuration(), session, {given: path for given, path in below.items() if path is not None}
        )
        leases = {} if imagined else held_by_others(workspace, facts.paths.values(), request.session_id)
        for index, given in enumerate(request.plan.paths):
            path = below[given]
            if path in facts.contents:
                continue  # two names of one file are judged once
            if path is None:
                facts.targets.append(Target(given, inside=False))
                continue
            facts.contents[path] = self._read(path, facts)
            # The hash a call cites is that of its subject, the first path; others rest on what was read.
            cited = request.expected_hash if index == 0 else None
            base = cited or session.reads.get(path)
            facts.targets.append(Target(path, True, facts.contents[path].hash, base, leases.get(path)))
        return facts

    def _read(self, path: str, facts: _Facts) -> Content:
        try:
            return self._workspace.contents.read(path)
        except InvalidPath as trouble:
            # The gate speaks first: a protected folder is protected before it is a folder.
            facts.trouble = facts.trouble or trouble
            return Content(None)

    def _verdict(
        self,
        request: EditRequest,
        facts: _Facts,
        overrides: tuple[Override, ...],
        edits: tuple[PlannedEdit, ...] | None = None,
    ) -> tuple[Refusal | None, Refusal | None]:
        """What stops the action, or else what policy lets pass. With `edits` it is their content that is judged."""
        refusal = self._refusal(request, facts, overrides, edits)
        if refusal is not None:
            return (None, refusal) if self._is_advice(refusal, facts.configuration) else (refusal, None)
        error = facts.configuration.error
        return None, None if error is None else invalid_configuration(error)

    def _refusal(
        self,
        request: EditRequest,
        facts: _Facts,
        overrides: tuple[Override, ...],
        edits: tuple[PlannedEdit, ...] | None,
    ) -> Refusal | None:
        hooks = GATE if edits is None else CONTENT
        made = file_edits(edits or ())
        action = Action(request.plan.tool_name, tuple(facts.targets), request.intent_id, made, facts.contradiction)
        situation = self._workspace.situation(facts.configuration, facts.session)
        waived = frozenset(Code(override.code) for override in overrides)
        try:
            if facts.configuration.policy.mode == "advise":
                # Advice ends at the first finding, and must not hide a path that is never writable.
                return judge(action, situation, checks=PLACE) or judge(action, situation, checks=hooks)
            refusal = judge(action, situation, waived=waived, checks=hooks)
        except Exception:
            log.exception("a pre-hook failed for %s", request.plan.tool_name)
            return Refusal.of(
                Code.HOOK_ERROR, "Hook Error: a pre-hook failed, so the action was refused. See the log and retry."
            )
        return refusal or self._ledger_refusal(facts.configuration)

    def _ledger_refusal(self, configuration: Configuration) -> Refusal | None:
        if configuration.policy.on_trace_failure != "block":
            return None
        reason = self._workspace.cannot_trace()
        return None if reason is None else Refusal.of(Code.HOOK_ERROR, reason)

    @staticmethod
    def _is_advice(refusal: Refusal, configuration: Configuration) -> bool:
        return configuration.policy.mode == "advise" and refusal.code not in _ALWAYS_ENFORCED

    def _ask(
        self, request: EditRequest, places: Mapping[str, ResolvedPath], refusal: Refusal
    ) -> Steps[Override | Refusal]:
        """Ask whether the refused action may pass: an override, or the refusal that stays."""
        session = self._workspace.sessions.load(request.session_id)
        expandable = refusal.code is Code.SCOPE_VIOLATION and session.intent_id is not None
        reply = yield from ask_person(
            self._workspace,
            refusal,
            session.intent_id,
            request.plan.tool_name,
            expandable=expandable,
            proposed=partial(self._proposed, request, places),
        )
        if reply is None:
            return refusal
        if reply.answer is Answer.EXPAND_SCOPE and session.intent_id is not None:
            from intentls.engine.intents.intents_edit import widen_scope

            try:
                widen_scope(self._workspace, session.intent_id, refusal.paths, request.session_id, by=reply.by)
            except (ConfigurationError, InvalidInput) as trouble:
                return replace(refusal, error=f"{refusal.error} The scope could not be expanded: {trouble}")
        from intentls.core.ledger.record import Override

        return Override(by=reply.by, action=reply.answer.value, code=refusal.code.value)

    def _proposed(self, request: EditRequest, places: Mapping[str, ResolvedPath]) -> tuple[PlannedEdit, ...]:
        """What the action would change as things stand: for a person to look at, not to be written."""
        facts = self._gather(request, places)
        if facts.trouble is not None or len(facts.paths) < len(places):
            return ()  # a path that can't be changed at all: the gate says so after the answer
        return as_things_stand(request.plan, facts.paths, facts.contents)
