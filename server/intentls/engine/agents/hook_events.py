"""An agent's own tools, as its hooks announce and report them; and the context that a session begins with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from intentls.core.errors import InvalidPath
from intentls.core.gate.policy import ContextPolicy
from intentls.core.gate.refusal import ActionHint, Override, Refusal
from intentls.core.gate.tool_class import ToolClass, classify
from intentls.engine.actions.approval import NOBODY_LISTENS, can_be_asked, has_listener
from intentls.engine.actions.effects import REJECTED, Answer, Ask, Effect, Reply, drive, refuse
from intentls.engine.actions.request import EditRequest, Plan
from intentls.engine.intents.prompt import hook_prompt
from intentls.engine.tools.host_tools import HostTool, ToolPermission, admit, refuse_shell, refused_calls
from intentls.engine.tools.open_calls import has_open_calls, shell_calls
from intentls.engine.tools.shell_call import ShellCall
from intentls.engine.workspace.engine import Engine, GoverningWorkspace
from intentls.engine.workspace.live_sessions import connect, show
from intentls.engine.workspace.people import signature
from intentls.engine.workspace.workspace import Workspace
from intentls.late_module import LateModule
from intentls.store.fs.path_resolution import find_root
from intentls.store.sessions.pre_edit_snapshots import PreEditSnapshots

if TYPE_CHECKING:
    from intentls.engine.tools.shell_call import ShellChanges
    from intentls.engine.workspace import other_machines
else:
    other_machines = LateModule("intentls.engine.workspace.other_machines")  # only when a session begins

# Each event is a process of its own that an agent waits for: what only some events need is imported there.

_BYTES_PER_TOKEN = 4


class ToolCall(Struct, frozen=True):
    """A tool call. `tool_name` is the contract's, or the agent's own where the contract has none like it.

    `paths` are absolute. `key` is the call's id before and after. `anywhere`: it may write to files that it does not
    name. `runs_on`: it goes on behind its report. `params` are the agent's own, to predict the files' new content.
    `folder` is where it runs: the root there judges what names no file.
    """

    session_id: str
    tool_name: str
    paths: tuple[str, ...]
    key: str
    anywhere: bool = False
    model: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    runs_on: bool = False
    folder: Path | None = None


class HostQuestion(Struct, frozen=True):
    """A refusal that the agent's own user may let pass, for the agent asks them."""

    refusal: Refusal


def before(
    engine: Engine, call: ToolCall, ask: Callable[[Ask], Reply] = lambda _: REJECTED
) -> ToolPermission | HostQuestion | Refusal:
    """May it run? The contents of its files are kept for the report. Raises InvalidInput, StoreError, and what `ask`
    raises.

    `ask` puts a question to the editors that listen. Where none does, or none answers while the agent waits for its
    hook, the agent's own user decides, if the agent asks them.
    """
    request = EditRequest(
        HostTool(call.tool_name, call.paths),
        call.session_id,
        model=call.model,
        predict_plan=partial(_predict_plan, call),
    )
    governing = _governing(engine, call)
    questions: list[Ask] = []
    approvals: list[Override] = []

    def answer(effect: Effect) -> Reply | bool:
        """A person at an editor that listens; else the agent's own user, after this process."""
        if not isinstance(effect, Ask):
            return refuse(effect)
        reply = ask(effect) if effect.has_listener else REJECTED
        if reply.answer is Answer.APPROVE:
            approvals.append(Override(reply.by, reply.answer.value, effect.subject.refusal.code.value))
        elif reply is REJECTED and effect.asks_here and _is_cut_short(effect):
            questions.append(effect)
        return reply

    outcome = drive(admit(governing, request), answer)
    if not isinstance(outcome, Refusal) and call.anywhere:
        outcome = refuse_shell(engine.workspaces(), request) or outcome
    if isinstance(outcome, Refusal) and not questions:
        return outcome
    if governing.workspace is not None:
        _prepare(engine, governing.workspace, governing.paths, call, outcome, approvals)
    return HostQuestion(outcome) if isinstance(outcome, Refusal) else outcome


def _is_cut_short(question: Ask) -> bool:
    """Whether nobody was asked for as long as policy says."""
    policy = question.workspace.configuration().policy
    is_heard = question.has_listener and has_listener(question.workspace)
    return not is_heard or question.timeout_s < policy.hitl_timeout_s


def after(engine: Engine, call: ToolCall, *, success: bool, error: str | None = None) -> ShellChanges | None:
    """It ran: record what it changed. What a tool that may write anywhere changed is the result.

    Raises InvalidInput and StoreError.
    """
    governing = _governing(engine, call)
    if classify(call.tool_name) is ToolClass.SAFE:
        _note_reads(engine, governing, call.session_id)
        return None
    workspace = governing.workspace
    if workspace is None:
        return None
    overrides = _overrides(workspace, call)
    if call.paths:
        from intentls.engine.tools.tool_reports import ToolReport, record_report  # only for edits

        report = ToolReport(call.tool_name, success=success, error=error, model=call.model, overrides=overrides)
        record_report(governing, call.session_id, report)
    if not call.anywhere:
        return None
    shell = ShellCall(call.session_id, call.tool_name, call.key, call.model, overrides, call.runs_on)
    changes: ShellChanges = shell_calls().report(workspace, engine.workspaces(), shell)
    return changes


def ran_though_refused(engine: Engine, call: ToolCall) -> bool:
    """Whether the agent reports an edit that it was refused: then it does not stop tools."""
    workspace = _governing(engine, call).workspace
    names = () if workspace is None else _governing(engine, call).paths
    return workspace is not None and any(
        refused_calls(workspace).look(call.session_id, name) is not None for name in names
    )


def _governing(engine: Engine, call: ToolCall) -> GoverningWorkspace:
    """Where a call is decided: where its files are, else the deepest root around the folder in which it runs."""
    root = find_root(call.folder) if call.folder is not None and call.anywhere and not call.paths else None
    if root is not None:
        return GoverningWorkspace(engine.workspace(root), {})
    return engine.resolve(call.paths, call.session_id)


def settle(engine: Engine, session_id: str, *, ended: bool = False, between_turns: bool = False) -> ShellChanges | None:
    """Record what the session's earlier calls changed that nobody has reported; None if there is no such call.

    `ended`: the session ends. `between_turns`: no tool of it runs now. Raises StoreError.
    """
    workspaces = list(engine.workspaces())
    if not between_turns and not ended and not has_open_calls(workspace.root for workspace in workspaces):
        return None
    settled = [
        shell_calls().settle(workspace, session_id, ended=ended, between_turns=between_turns)
        for workspace in workspaces
    ]
    changes: ShellChanges = shell_calls().combine(settled)
    return changes


def session_context(engine: Engine, session_id: str, model: str | None, max_bytes: int) -> str:
    """What an agent should know when its session begins, in about `max_bytes` at most; "" outside governance."""
    home = engine.home(session_id)
    if home is None:
        return ""
    if model is not None:
        home.sessions.update(session_id, lambda session: replace(session, model=model))
    intro = hook_prompt(engine) + f"\nThis session's id is {session_id}. {_how_to_select(home, session_id)}\n"
    if (intent_id := home.sessions.load(session_id).intent_id) is not None:
        connect(home)
        show(home, home.sessions.load(session_id))
        warnings = other_machines.taken_elsewhere(home, intent_id, for_agent=True)
        intro += "".join(f"{warning}\n" for warning in warnings)
    return intro + _context(home, session_id, max_bytes - len(intro.encode()))


def advice(engine: Engine, session_id: str, refusal: Refusal) -> str:
    """How to do what a refusal hints at, where a hook's agent would not know; else ""."""
    home = engine.home(session_id)
    if home is None:
        return ""
    if refusal.action_hint is ActionHint.SELECT_ACTIVE_INTENT:
        return _how_to_select(home, session_id)
    is_unasked = refusal.action_hint is ActionHint.REQUEST_SCOPE_EXPANSION and not can_be_asked(home, session_id)
    return NOBODY_LISTENS if is_unasked and refusal.overridable else ""


def _how_to_select(workspace: Workspace, session_id: str) -> str:
    """How an agent without any other face selects an intent."""
    configuration = workspace.configuration()
    usable = [
        intent.id
        for intent in configuration.intents.intents.values()
        if intent.is_open and not configuration.ignore.excludes_intent(intent.id)
    ]
    choice = f"Open intents: {', '.join(usable)}." if usable else "No intent is open."
    return f"Check an intent out with `intentls select INTENT --session {session_id}`. {choice}"


def _predict_plan(call: ToolCall) -> Plan | None:
    from intentls.engine.tools.predicted_edits import predict_plan  # only where a rule compares

    return predict_plan(call.params, call.paths, call.tool_name)


def _prepare(
    engine: Engine,
    workspace: Workspace,
    paths: tuple[str, ...],
    call: ToolCall,
    outcome: ToolPermission | Refusal,
    approvals: Sequence[Override],
) -> None:
    """Keep what `after` needs: that the user was asked, the files' contents, the trees before a shell command."""
    marks = _marks(workspace)
    if isinstance(outcome, Refusal):
        marks.keep(call.session_id, call.key, _encoded([Override("", Answer.APPROVE.value, outcome.code.value)]))
        intent_id = workspace.sessions.load(call.session_id).intent_id
        for path in paths:
            try:
                data = workspace.contents.read(path).data
            except InvalidPath:
                continue  # a directory; the refusal is what counts
            workspace.snapshots.keep(call.session_id, path, data, call.tool_name, intent_id)
    elif approvals:
        marks.keep(call.session_id, call.key, _encoded(approvals))
    else:
        marks.take(call.session_id, call.key)
    if call.anywhere and classify(call.tool_name) is not ToolClass.SAFE:
        from intentls.engine.tools.shell_changes import remember  # only for shells

        settle(engine, call.session_id)
        for reached in [*engine.workspaces()] or [workspace]:
            remember(reached, ShellCall(call.session_id, call.tool_name, call.key, call.model))


def _overrides(workspace: Workspace, call: ToolCall) -> tuple[Override, ...]:
    """A person let it pass: at an editor, or as the agent's user, who was asked before the tool ran."""
    mark = _marks(workspace).take(call.session_id, call.key)
    if mark is None or mark.data is None:
        return ()
    return tuple(Override(by or signature(workspace), action, code) for by, action, code in json.loads(mark.data))


def _encoded(overrides: Iterable[Override]) -> bytes:
    return json.dumps([(override.by, override.action, override.code) for override in overrides]).encode("ascii")


def _marks(workspace: Workspace) -> PreEditSnapshots:
    """Which calls were put to the agent's user, by session and call, with the code of the refusal."""
    return PreEditSnapshots(workspace.layout.announced / "asked")


def _note_reads(engine: Engine, governing: GoverningWorkspace, session_id: str) -> None:
    """The session knows now what these files hold, or that they are gone, so that an edit built on it is not stale."""
    for resolved in governing.resolved.values():
        if resolved.root is None or (resolved.real.exists() and not resolved.real.is_file()):
            continue
        workspace, path = engine.workspace(resolved.root), resolved.relative_to(resolved.root)
        if path is not None:
            _note_read(workspace, session_id, path)


def _note_read(workspace: Workspace, session_id: str, path: str) -> None:
    try:
        hash_ = workspace.contents.read(path).hash
    except InvalidPath:
        return
    workspace.sessions.update(session_id, lambda session: session.with_read(path, hash_))


def _context(workspace: Workspace, session_id: str, max_bytes: int) -> str:
    configuration = workspace.configuration()
    session = workspace.sessions.load(session_id)
    intent = configuration.intents.intents.get(session.intent_id or "")
    if intent is None or configuration.error is not None:
        return ""
    from intentls.engine.intents.context import context_of  # only when a session begins

    policy = configuration.policy
    tokens = max(256, min(policy.context.max_tokens, max_bytes // _BYTES_PER_TOKEN))
    limits = ContextPolicy(tokens, policy.context.recent_changes)
    file = replace(configuration.policy_file, policy=replace(policy, context=limits))
    return context_of(workspace, replace(configuration, policy_file=file), intent, session.mutation_class).text
