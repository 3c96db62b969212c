"""An agent's own tools, as its hooks announce and report them; and what a session is told when it begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from intentls.core.errors import InvalidPath
from intentls.core.gate.policy import ContextPolicy
from intentls.core.gate.refusal import ActionHint, Refusal
from intentls.core.gate.tool_names import ToolClass, classify
from intentls.engine.actions.effects import REJECTED, Answer, Ask
from intentls.engine.actions.request import EditRequest, Plan
from intentls.engine.tools import host_tools
from intentls.engine.tools.aftermath import ShellChanges
from intentls.engine.tools.host_tools import HostTool, ToolPermission, ToolReport
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.workspace import Workspace
from intentls.store.sessions.pre_edit_snapshots import PreEditSnapshots

if TYPE_CHECKING:
    from intentls.core.ledger.record import Override

# What only some events need is imported where it is needed: each event is a process of its own, and an agent waits.

_BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call. `tool_name` is the contract's, or the agent's own where the contract knows none like it.

    `paths` are absolute. `key` is what the call is known by before and after. `anywhere`: it may write to files
    that it does not name. `params` are the agent's own, for what can be foreseen of the files' new content.
    """

    session_id: str
    tool_name: str
    paths: tuple[str, ...]
    key: str
    anywhere: bool = False
    model: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HostQuestion:
    """A refusal that the agent's own user may let pass, for the agent asks them."""

    refusal: Refusal


def before(engine: Engine, call: ToolCall) -> ToolPermission | HostQuestion | Refusal:
    """May it run? What files hold now is remembered for the report. Raises InvalidInput and StoreError."""
    request = EditRequest(
        HostTool(call.tool_name, call.paths),
        call.session_id,
        model=call.model,
        foreseen=partial(_foresee, call),
    )
    steps = host_tools.announce(engine, request)
    asked = False
    outcome: ToolPermission | Refusal
    try:
        effect = next(steps)
        while True:
            asked = isinstance(effect, Ask)
            effect = steps.send(REJECTED if asked else False)
    except StopIteration as end:
        outcome = end.value
    if isinstance(outcome, Refusal) and not asked:
        return outcome
    workspace = engine.venue(call.paths, call.session_id).workspace
    if workspace is not None:
        _prepare(engine, workspace, call, outcome)
    return HostQuestion(outcome) if isinstance(outcome, Refusal) else outcome


def after(engine: Engine, call: ToolCall, *, success: bool, error: str | None = None) -> ShellChanges:
    """It ran: record what it changed. Raises InvalidInput and StoreError."""
    if classify(call.tool_name) is ToolClass.SAFE:
        _note_reads(engine, call)
        return ShellChanges()
    workspace = engine.venue(call.paths, call.session_id).workspace
    if workspace is None:
        return ShellChanges()
    overrides = _overrides(workspace, call)
    if call.paths:
        told = ToolReport(
            call.tool_name,
            {"paths": list(call.paths)},
            success,
            error=error,
            model=call.model,
            overrides=overrides,
        )
        host_tools.report(engine, call.session_id, told)
    if not call.anywhere:
        return ShellChanges()
    from intentls.engine.tools.shell_changes import ShellCall, reconcile

    return reconcile(workspace, ShellCall(call.session_id, call.tool_name, call.key, call.model, overrides))


def started(engine: Engine, session_id: str, model: str | None, most_bytes: int) -> str:
    """What an agent should know when its session begins, in at most about `most_bytes`; "" outside governance."""
    home = engine.home(session_id)
    if home is None:
        return ""
    from intentls.engine.intents.prompt import protocol_prompt

    if model is not None:
        home.sessions.update(session_id, lambda session: replace(session, model=model))
    intro = protocol_prompt(engine) + f"\nThis session's id is {session_id}. {how_to_select(home, session_id)}\n"
    return intro + _context(home, session_id, most_bytes - len(intro.encode()))


def advice(engine: Engine, session_id: str, refusal: Refusal) -> str:
    """How to do what a refusal hints at, where a hook's agent would not know; else ""."""
    home = engine.home(session_id)
    if home is None or refusal.action_hint is not ActionHint.SELECT_ACTIVE_INTENT:
        return ""
    return how_to_select(home, session_id)


def how_to_select(workspace: Workspace, session_id: str) -> str:
    """The sentence that says how an agent without any other face checks an intent out."""
    configuration = workspace.configuration()
    usable = [
        intent.id
        for intent in configuration.intents.intents.values()
        if intent.is_open and not configuration.ignore.excludes_intent(intent.id)
    ]
    choice = f"Open intents: {', '.join(usable)}." if usable else "No intent is open."
    return f"Check an intent out with `intentls select INTENT --session {session_id}`. {choice}"


def _foresee(call: ToolCall) -> Plan | None:
    from intentls.engine.tools.predicted_edits import foresee

    return foresee(call.params, call.paths, call.tool_name)


def _prepare(engine: Engine, workspace: Workspace, call: ToolCall, outcome: ToolPermission | Refusal) -> None:
    marks = PreEditSnapshots(workspace.layout.announced / "asked")
    if isinstance(outcome, Refusal):
        marks.keep(call.session_id, call.key, outcome.code.value.encode())
        for place in engine.venue(call.paths, call.session_id).places.values():
            path = place.below(workspace.root)
            if path is not None:
                _keep(workspace, call.session_id, path)
    else:
        marks.take(call.session_id, call.key)
    if call.anywhere and classify(call.tool_name) is not ToolClass.SAFE:
        from intentls.engine.tools.shell_changes import remember

        remember(workspace, call.session_id, call.key)


def _keep(workspace: Workspace, session_id: str, path: str) -> None:
    try:
        data = workspace.contents.read(path).data
    except InvalidPath:
        return  # a folder; the refusal is what counts
    workspace.snapshots.keep(session_id, path, data)


def _overrides(workspace: Workspace, call: ToolCall) -> tuple[Override, ...]:
    """It was asked about, and it ran: so the agent's user let it pass."""
    mark = PreEditSnapshots(workspace.layout.announced / "asked").take(call.session_id, call.key)
    if mark is None or mark.data is None:
        return ()
    from intentls.core.ledger.record import Override

    return (Override("user", Answer.APPROVE.value, mark.data.decode("ascii", "replace")),)


def _note_reads(engine: Engine, call: ToolCall) -> None:
    """The session knows now what these files hold, so that an edit built on it is not stale."""
    for place in engine.venue(call.paths, call.session_id).places.values():
        if place.root is None or not place.real.is_file():
            continue
        workspace = engine.workspace(place.root)
        path = place.below(place.root)
        if path is None:
            continue
        _note_read(workspace, call.session_id, path)


def _note_read(workspace: Workspace, session_id: str, path: str) -> None:
    try:
        known = workspace.contents.read(path).hash
    except InvalidPath:
        return
    workspace.sessions.update(session_id, lambda session: session.with_read(path, known))


def _context(workspace: Workspace, session_id: str, room: int) -> str:
    configuration = workspace.configuration()
    session = workspace.sessions.load(session_id)
    intent = configuration.intents.intents.get(session.intent_id or "")
    if intent is None or configuration.error is not None:
        return ""
    from intentls.engine.intents.context import context_of

    policy = configuration.policy
    tokens = max(256, min(policy.context.max_tokens, room // _BYTES_PER_TOKEN))
    limits = ContextPolicy(tokens, policy.context.recent_changes)
    file = replace(configuration.policy_file, policy=replace(policy, context=limits))
    return context_of(workspace, replace(configuration, policy_file=file), intent, session.mutation_class).text
