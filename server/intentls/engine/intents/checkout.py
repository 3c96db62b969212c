"""Checking out an intent: select it, get exactly its context, hand it back."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.gate.action import Action
from intentls.core.gate.checks import MUST_CITE
from intentls.core.gate.gate import SELECTION, first_refusal
from intentls.core.gate.refusal import Code, Override, Refusal
from intentls.core.gate.tool_class import ToolClass
from intentls.core.intents.context_xml import ContextXml
from intentls.core.intents.intent import Intent
from intentls.core.mutation.classes import MutationClass
from intentls.engine.actions.acceptance import with_note
from intentls.engine.actions.approval import ask_person
from intentls.engine.actions.authority import acts_for_agent
from intentls.engine.actions.effects import Steps
from intentls.engine.intents.context import context_of
from intentls.engine.records.record_writer import RecordWriter
from intentls.engine.records.recorded_lessons import bring_lessons
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.leases import release
from intentls.engine.workspace.live_sessions import connect, hide, show
from intentls.engine.workspace.other_machines import taken_elsewhere
from intentls.engine.workspace.workspace import Workspace
from intentls.store.clock import timestamp
from intentls.store.sessions.sessions import Session


class SelectionResult(Struct, frozen=True):
    """A checked-out intent with its context. `warnings`: who works on it on other machines."""

    intent_id: str
    session_id: str
    context: ContextXml
    warnings: tuple[str, ...] = ()


def list_intents(engine: Engine) -> tuple[Intent, ...]:
    """Every intent of every known root, usable or not."""
    return tuple(intent for intents in intents_by_root(engine).values() for intent in intents)


def intents_by_root(engine: Engine) -> dict[Path, tuple[Intent, ...]]:
    """The same, by root."""
    return {workspace.root: tuple(workspace.configuration().intents.intents.values()) for workspace in engine.known()}


def select(
    engine: Engine,
    session_id: str,
    intent_id: str,
    mutation_class: MutationClass | None,
    model: str | None,
    root: str | None = None,
) -> Steps[SelectionResult | Refusal]:
    """Make `intent_id` the session's active intent in the root that declares it: `root`, else the first that does.

    A person may let a closed or ignored intent be taken up all the same. Raises InvalidArgument, InvalidPath.
    """
    workspace = _declaring(engine, intent_id) if root is None else engine.root_named(root)
    if workspace is None:
        return Refusal.of(Code.INTENT_NOT_FOUND, MUST_CITE)
    candidate = Session(session_id, intent_id=intent_id)
    action = Action("select_active_intent", intent_id=intent_id)
    overrides: tuple[Override, ...] = ()
    asked_about: Intent | None = None
    while True:
        configuration = workspace.configuration()  # also after an answer: it may have changed meanwhile
        facts = configuration.facts(candidate)
        if overrides and facts.intent != asked_about:
            overrides = ()  # the answer was about an intent that said something else
        waived = [Code(override.code) for override in overrides]
        refusal = first_refusal(facts, action, configuration.policy, SELECTION, waived=waived)
        if refusal is None:
            break
        asked_about = facts.intent
        if configuration.policy.mode == "advise" and refusal.overridable:
            overrides = (*overrides, Override("policy", "mode: advise", refusal.code.value))
            continue
        answer = yield from ask_person(
            workspace, refusal, session_id, intent_id, action.tool_name, expandable=False, model=model
        )
        if answer is None:
            refusal = with_note(refusal, configuration.unconfirmed)
            RecordWriter(workspace).selection(session_id, intent_id, refusal, ())
            return replace(refusal, classification=ToolClass.SAFE)
        overrides = (*overrides, Override(answer.by, answer.answer.value, refusal.code.value))
    if overrides:
        RecordWriter(workspace).selection(session_id, intent_id, None, overrides)
    intent = facts.intent
    if intent is None:  # a lenient root whose intents can't be read has none to give
        return Refusal.of(Code.INTENT_NOT_FOUND, MUST_CITE)

    def choose(session: Session) -> Session:
        return session.select(intent_id, mutation_class, model, engine.host.face, timestamp())

    selected = workspace.sessions.update(session_id, choose)
    connect(workspace)
    release(workspace, session_id, but=intent_id)
    show(workspace, selected)
    bring_lessons(workspace, session_id)
    context = context_of(workspace, configuration, intent, mutation_class)
    warnings = taken_elsewhere(workspace, intent_id, for_agent=acts_for_agent(workspace, session_id, model))
    return SelectionResult(intent_id, session_id, context, warnings)


def choose_default(workspace: Workspace, intent_id: str | None) -> Refusal | None:
    """Make an intent the one that sessions begin with here; None: no intent. A refusal for one that is not usable.

    Raises StoreError.
    """
    if intent_id is not None:
        configuration = workspace.configuration()
        facts = configuration.facts(Session("", intent_id=intent_id))
        action = Action("select_active_intent", intent_id=intent_id)
        refusal = first_refusal(facts, action, configuration.policy, SELECTION)
        if refusal is None and facts.intent is None:
            refusal = Refusal.of(Code.INTENT_NOT_FOUND, MUST_CITE)
        if refusal is not None:
            return replace(refusal, classification=ToolClass.SAFE)
    workspace.chosen_intent.write(intent_id)
    return None


def clear(engine: Engine, session_id: str) -> Session:
    """Hand the session's intents back, in every root."""
    for workspace in engine.known():
        if workspace.sessions.load(session_id).intent_id is not None:
            workspace.sessions.update(session_id, lambda session: session.clear(timestamp()))
            release(workspace, session_id)
            hide(workspace, session_id)
    return Session(session_id)


def _declaring(engine: Engine, intent_id: str) -> Workspace | None:
    first: Workspace | None = None
    for workspace in engine.known():
        if intent_id in workspace.configuration().intents.intents:
            return workspace
        first = first or workspace
    return first
