"""An event in folders that an intents file governs: what the engine says of it, in the agent's dialect."""

from __future__ import annotations

import logging
from pathlib import Path

from intentls.core.gate.refusal import Refusal
from intentls.engine.agents import hook_events
from intentls.engine.agents.hook_events import HostQuestion, ToolCall
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.faces.hook.event import Event, EventKind
from intentls.faces.hook.response import MOST_CHARACTERS, Answer, Dialect, RefusalText, aftermath_text, cut

_FACE = "hook"


def answer(dialect: Dialect, event: Event, folders: tuple[Path, ...]) -> Answer:
    """What the agent is told; None for silence. Raises InvalidInput and StoreError."""
    _be_quiet()
    # Before a tool it counts how fast the answer comes. What is recorded after it rests on the files themselves: what
    # hooks recall of them, anybody who runs programs as this user could have forged.
    recalls = event.kind is EventKind.BEFORE
    engine = Engine(Headless(_FACE, folders, can_ask=event.may_ask, recalls=recalls))
    tool = event.tool
    if tool is None:
        text = hook_events.started(engine, event.session_id, event.model, MOST_CHARACTERS)
        return dialect.context(event, cut(text)) if text else None
    call = ToolCall(event.session_id, tool.name, tool.paths, tool.key, tool.anywhere, event.model, tool.params)
    return (
        _before(dialect, engine, event, call)
        if event.kind is EventKind.BEFORE
        else _after(dialect, engine, event, call)
    )


def _before(dialect: Dialect, engine: Engine, event: Event, call: ToolCall) -> Answer:
    outcome = hook_events.before(engine, call)
    if isinstance(outcome, Refusal):
        return dialect.denied(event, _reason(engine, event, outcome))
    if isinstance(outcome, HostQuestion):
        return dialect.asked(event, _reason(engine, event, outcome.refusal))
    return dialect.advised(event, cut(" ".join(outcome.warnings))) if outcome.warnings else None


def _after(dialect: Dialect, engine: Engine, event: Event, call: ToolCall) -> Answer:
    message = aftermath_text(hook_events.after(engine, call, success=event.success, error=event.error))
    return dialect.told(event, message) if message else None


def _reason(engine: Engine, event: Event, refusal: Refusal) -> str:
    return RefusalText(refusal, hook_events.advice(engine, event.session_id, refusal)).reason


def _be_quiet() -> None:
    """Nothing but a refusal's sentence goes to stderr, where an agent reads it."""
    log = logging.getLogger("intentls")
    log.addHandler(logging.NullHandler())
    log.propagate = False
