"""An event in folders that an intents file governs: what the engine says of it, in the agent's dialect."""

from __future__ import annotations

import logging
from math import inf
from pathlib import Path

from intentls.core.gate.refusal import Refusal
from intentls.core.gate.tool_class import ToolClass, classify
from intentls.engine.actions.acceptance import unconfirmed_note
from intentls.engine.actions.authority import note_agent
from intentls.engine.actions.effects import Ask, Reply
from intentls.engine.agents import hook_events
from intentls.engine.agents.hook_events import HostQuestion, ToolCall
from intentls.engine.questions.posting import ask_and_wait
from intentls.engine.tools.open_calls import has_open_calls, settle_orphans
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.faces.hook.event import Event, EventKind, MustWait, Waiting
from intentls.faces.hook.response import (
    MAX_CHARACTERS,
    Answer,
    Dialect,
    after_text,
    cut,
    refusal_text,
    shell_changes_text,
)
from intentls.store.fs.path_resolution import find_root, real_path

_FACE = "hook"


def answer(dialect: Dialect, event: Event, folders: tuple[Path, ...], waiting: Waiting | None) -> Answer:
    """What the agent is answered; None for silence. Raises InvalidInput, StoreError and MustWait."""
    _silence_log()
    # Before a tool the answer must come fast. What is recorded after it rests on the files themselves: any program of
    # this user could have forged the cache.
    roots = [root for root in map(find_root, folders) if root is not None]
    trust_cache = event.kind is EventKind.BEFORE and not has_open_calls(roots)
    host = Headless(
        _FACE,
        folders,
        can_ask=event.may_ask,
        trust_cache=trust_cache,
        agent=event.agent or None,
        patience_s=inf if waiting is None else waiting.seconds,
    )
    engine = Engine(host, settle_orphans)
    for workspace in engine.workspaces():
        note_agent(workspace, event.session_id)
    tool = event.tool
    if event.kind in (EventKind.TURN, EventKind.END):
        ended = event.kind is EventKind.END
        text = shell_changes_text(hook_events.settle(engine, event.session_id, ended=ended, between_turns=True))
        return dialect.noted(event, text) if text else None
    if tool is None:
        text = hook_events.session_context(engine, event.session_id, event.model, MAX_CHARACTERS)
        return dialect.context(event, cut(text)) if text else None
    if tool.is_unknown and _is_trusted(engine, tool.name):
        return None
    call = ToolCall(
        event.session_id,
        tool.name,
        tool.paths,
        tool.key,
        tool.anywhere,
        event.model,
        tool.params,
        tool.runs_on,
        None if event.cwd is None else real_path(event.cwd),
    )
    return (
        _before(dialect, engine, event, call, waiting)
        if event.kind is EventKind.BEFORE
        else _after(dialect, engine, event, call)
    )


def _is_trusted(engine: Engine, tool_name: str) -> bool:
    """Whether each root says that this tool changes nothing; one whose policy can't be read says nothing."""
    return all(
        workspace.configuration().error is None and workspace.configuration().policy.trusts_tool(tool_name)
        for workspace in engine.workspaces()
    )


def _before(dialect: Dialect, engine: Engine, event: Event, call: ToolCall, waiting: Waiting | None) -> Answer:
    def ask(question: Ask) -> Reply:
        if waiting is None:
            raise MustWait
        waiting.begin()
        return ask_and_wait(question)

    earlier = shell_changes_text(hook_events.settle(engine, call.session_id))
    outcome = hook_events.before(engine, call, ask)
    if isinstance(outcome, Refusal):
        return dialect.denied(event, _with(earlier, _reason(engine, event, outcome)))
    if isinstance(outcome, HostQuestion):
        return dialect.asked(event, _with(earlier, _reason(engine, event, outcome.refusal)))
    advice = _with(earlier, " ".join(outcome.warnings))
    return dialect.advised(event, advice) if advice else None


def _after(dialect: Dialect, engine: Engine, event: Event, call: ToolCall) -> Answer:
    if event.goes_on and call.paths and hook_events.ran_though_refused(engine, call):
        return dialect.denied(event, "A call that was refused ran all the same: this agent does not stop tools.")
    changes = hook_events.after(engine, call, success=event.success, error=event.error)
    others = "" if call.anywhere else shell_changes_text(hook_events.settle(engine, call.session_id))
    untraced = () if classify(call.tool_name) is ToolClass.SAFE else engine.untraced()
    text = _with(others, after_text(changes, untraced))
    if call.anywhere:
        waiting = (path for workspace in engine.workspaces() for path in workspace.configuration().unconfirmed)
        text = _with(text, unconfirmed_note(waiting))
    for workspace in engine.loaded():
        workspace.ledger.catch_up()  # where it has grown by much: some 50 ms, once in some thousand records
    return dialect.told(event, text) if text else None


def _with(earlier: str, later: str) -> str:
    """Two texts for the agent, one after the other."""
    return cut(" ".join(part for part in (earlier, later) if part))


def _reason(engine: Engine, event: Event, refusal: Refusal) -> str:
    return refusal_text(refusal, hook_events.advice(engine, event.session_id, refusal))


def _silence_log() -> None:
    """Only a refusal's sentence may go to stderr, where an agent reads it."""
    log = logging.getLogger("intentls")
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    log.propagate = False
