"""Putting a refusal to a person, where policy, the refusal and the face allow it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from intentls.core.gate.refusal import Refusal
from intentls.engine.actions.authority import acts_for_agent, is_started_by_agent
from intentls.engine.actions.effects import Answer, Ask, Reply, Steps
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.workspace.people import signature
from intentls.engine.workspace.workspace import Workspace

# What a refusal tells the agent to do next; a person who is asked has other choices.
_ADVICE_TO_AGENTS = (
    "Request scope expansion.",
    "Re-read the file with read_file and try again.",
    "Read it with read_file, or pass expected_content_hash.",
    "Select an open intent.",
)


def question_text(question: Ask) -> str:
    """What a person is asked: who wants to do what, and why it was refused."""
    reason = question.refusal.error
    for advice in _ADVICE_TO_AGENTS:
        reason = reason.removesuffix(advice).rstrip()
    return f"{question.intent_id or 'An agent without an intent'}: {question.tool_name}? {reason}"


def ask_person(
    workspace: Workspace,
    refusal: Refusal,
    session_id: str,
    intent_id: str | None,
    tool_name: str,
    *,
    expandable: bool,
    model: str | None = None,
    proposed: Callable[[], tuple[PlannedEdit, ...]] = tuple,
) -> Steps[Reply | None]:
    """The answer that lets the action pass, by name, or None: not asked, or anything but a clear yes.

    A client that an agent's process started is not asked, nor one that can ask by its own setting alone about what an
    agent does: it may be the agent's. `model`
    is what the call names. `proposed` says what the action would change; it is only called if somebody is asked.
    """
    policy = workspace.configuration().policy
    if not refusal.overridable or policy.hitl != "ask" or not workspace.host.can_ask:
        return None
    if workspace.host.face == "lsp" and is_started_by_agent(workspace):
        return None
    if workspace.host.asks_by_setting_alone and acts_for_agent(workspace, session_id, model):
        return None
    offers = (Answer.APPROVE, Answer.REJECT, *((Answer.EXPAND_SCOPE,) if expandable else ()))
    reply = yield Ask(refusal, intent_id, tool_name, offers, policy.hitl_timeout_s, proposed())
    if not isinstance(reply, Reply) or reply.answer not in offers or reply.answer is Answer.REJECT:
        return None
    return reply if reply.by else replace(reply, by=signature(workspace))
