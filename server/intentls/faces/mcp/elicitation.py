"""A question to the person behind the client, as a form with one choice. All but a clear yes, in time, means no."""

from __future__ import annotations

import logging
from typing import Any

from mcp import types
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from intentls.engine.actions import approver
from intentls.engine.actions.effects import REJECTED, Answer, Ask, Reply
from intentls.faces.mcp.host import Asker

log = logging.getLogger(__name__)

_CHOICE = "decision"


def can_elicit(capabilities: types.ClientCapabilities | None) -> bool:
    """Whether a client shows forms; one that names no mode does."""
    offered = capabilities.elicitation if capabilities is not None else None
    return offered is not None and (offered.form is not None or offered.url is None)


def form(question: Ask) -> types.ElicitRequestFormParams:
    """The question with what may be answered."""
    choice: dict[str, Any] = {
        "type": "string",
        "title": "Decision",
        "description": "Anything but a clear yes is a no.",
        "enum": [offer.value for offer in question.offers],
    }
    schema = {"type": "object", "properties": {_CHOICE: choice}, "required": [_CHOICE]}
    return types.ElicitRequestFormParams(message=approver.question_text(question), requested_schema=schema)


def reply_of(result: object, question: Ask) -> Reply:
    """What a person's answer means."""
    if not isinstance(result, types.ElicitResult) or result.action != "accept":
        return REJECTED
    decision = (result.content or {}).get(_CHOICE)
    if decision not in {offer.value for offer in question.offers}:
        return REJECTED
    return Reply(Answer(decision), approver.user_name())


def ask_at_once(session: ServerSession, request_id: types.RequestId | None) -> Asker:
    """Asks with a request of our own, as up to protocol 2025-11-25."""

    async def ask(question: Ask) -> Reply:
        shown = form(question)
        try:
            result = await session.elicit_form(shown.message, shown.requested_schema, request_id)
        except (MCPError, ValidationError) as error:
            log.info("the client could not ask (%s): rejected", error)
            return REJECTED
        return reply_of(result, question)

    return ask
