"""Putting a refusal to a person, where policy, the refusal and the face allow it."""

from __future__ import annotations

from collections.abc import Callable

from intentls.core.gate.refusal import Refusal
from intentls.engine.actions.effects import Answer, Ask, Reply, Steps
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.workspace.workspace import Workspace


def ask_person(
    workspace: Workspace,
    refusal: Refusal,
    intent_id: str | None,
    tool_name: str,
    *,
    expandable: bool,
    proposed: Callable[[], tuple[PlannedEdit, ...]] = tuple,
) -> Steps[Reply | None]:
    """The answer that lets the action pass, or None: not asked, or anything but a clear yes.

    `proposed` says what the action would change; it is only called if somebody is asked.
    """
    policy = workspace.configuration().policy
    if not refusal.overridable or policy.hitl != "ask" or not workspace.host.can_ask:
        return None
    offers = (Answer.APPROVE, Answer.REJECT, *((Answer.EXPAND_SCOPE,) if expandable else ()))
    reply = yield Ask(refusal, intent_id, tool_name, offers, policy.hitl_timeout_s, proposed())
    if not isinstance(reply, Reply) or reply.answer not in offers or reply.answer is Answer.REJECT:
        return None
    return reply
