"""A question to the person at the editor. Anything but one of the offered answers in time is a rejection."""

from __future__ import annotations

import asyncio
import logging

import msgspec
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from intentls.engine.actions.approver import question_text, user_name
from intentls.engine.actions.effects import REJECTED, Answer, Ask, Reply
from intentls.engine.wire.proposal import Proposal
from intentls.faces.lsp.protocol.serve import Server

log = logging.getLogger(__name__)

PROPOSED = "intentls/proposed"
"""Sent just before a question, to clients that ask for it: what the action would change."""


async def ask(server: Server, question: Ask, *, show_proposal: bool = False) -> Reply:
    """Show the question and wait for its answer, at most its time-out. The server goes on serving meanwhile."""
    if show_proposal:
        server.protocol.notify(PROPOSED, msgspec.to_builtins(Proposal.of(question, question_text(question))))
    params = types.ShowMessageRequestParams(
        type=types.MessageType.Warning,
        message=question_text(question),
        actions=[types.MessageActionItem(offer.value) for offer in question.offers],
    )
    try:
        chosen = await asyncio.wait_for(server.window_show_message_request_async(params), question.timeout_s)
    except TimeoutError:
        log.info("nobody answered in %g s: rejected", question.timeout_s)
        return REJECTED
    except JsonRpcException as error:
        log.info("the client could not ask (%s): rejected", error)
        return REJECTED
    if chosen is None or chosen.title not in set(question.offers):
        return REJECTED
    return Reply(Answer(chosen.title), user_name())
