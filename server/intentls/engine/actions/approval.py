"""Putting a refusal to a person, where policy, the refusal and the face allow it."""

from __future__ import annotations

import logging
from collections.abc import Callable

from msgspec.structs import replace

from intentls.core.gate.refusal import Refusal
from intentls.engine.actions.authority import acts_for_agent, is_below_agent, is_started_by_agent
from intentls.engine.actions.effects import Answer, Ask, Reply, Steps
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.actions.wording import Subject
from intentls.engine.workspace.people import signature
from intentls.engine.workspace.workspace import Workspace
from intentls.store.questions.listeners import REMOTE

log = logging.getLogger(__name__)

NOBODY_LISTENS = (
    "No person could be asked: no editor that shows questions has this folder open. Have one opened, or "
    "`intentls questions --watch` run in a terminal, and ask again."
)


def ask_person(
    workspace: Workspace,
    refusal: Refusal,
    session_id: str,
    intent_id: str | None,
    tool_name: str,
    *,
    expandable: bool,
    model: str | None = None,
    paths: tuple[str, ...] = (),
    absent: frozenset[str] = frozenset(),
    reason: str = "",
    proposed: Callable[[], tuple[PlannedEdit, ...]] = tuple,
) -> Steps[Reply | None]:
    """The answer that lets the action pass, by name, or None: not asked, or anything but a clear yes.

    The question goes to the editors that listen, and to the client of this connection where `asks_here` holds.
    `model` is what the call names, `paths` those of the action, `absent` those of them where no file is, `reason` the
    agent's. `proposed` says what the action would change; it is only called if somebody is asked.
    """
    configuration = workspace.configuration()
    policy = configuration.policy
    if not refusal.overridable or policy.hitl != "ask":
        return None
    here, listened = asks_here(workspace, session_id, model), has_listener(workspace)
    if not here and not listened:
        return None
    session = workspace.sessions.load(session_id)
    subject = Subject(
        refusal,
        tool_name,
        model or session.model or workspace.host.agent or "",
        intent_id,
        configuration.intents.intents.get(intent_id or ""),
        paths,
        proposed(),
        reason,
        absent,
        by_person=not acts_for_agent(workspace, session_id, model),
    )
    offers = (Answer.APPROVE, Answer.REJECT, *((Answer.EXPAND_SCOPE,) if expandable else ()))
    reply = yield Ask(
        subject,
        offers,
        min(policy.hitl_timeout_s, workspace.host.patience_s),
        workspace,
        session_id,
        model or session.model,
        asks_here=here,
        has_listener=listened,
    )
    if not isinstance(reply, Reply) or reply.answer not in offers or reply.answer is Answer.REJECT:
        return None
    return reply if reply.by else replace(reply, by=signature(workspace))


def can_be_asked(workspace: Workspace, session_id: str, model: str | None = None) -> bool:
    """Whether there is anybody whom `ask_person` would ask, or policy wants nobody asked."""
    if workspace.configuration().policy.hitl != "ask":
        return True
    return asks_here(workspace, session_id, model) or has_listener(workspace)


def asks_here(workspace: Workspace, session_id: str, model: str | None = None) -> bool:
    """Whether the client of this very connection may be asked about what `session_id` does.

    A client that an agent's process started is not, nor one that can ask by its own setting alone about what an agent
    does: it may be the agent's.
    """
    host = workspace.host
    if not host.can_ask or (host.face == "lsp" and is_started_by_agent(workspace)):
        return False
    return not (host.asks_by_setting_alone and acts_for_agent(workspace, session_id, model))


def has_listener(workspace: Workspace) -> bool:
    """Whether a person sees the questions of this root, in another process: one that no agent started, or elsewhere."""
    if workspace.host.patience_s <= 0:
        return False
    try:
        others = workspace.listeners.others()
        return any(face == REMOTE or not is_below_agent(workspace, process) for process, face in others)
    except OSError:
        log.warning("who listens for questions can't be told", exc_info=True)
        return False
