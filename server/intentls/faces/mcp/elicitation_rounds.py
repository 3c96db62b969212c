"""Questions in protocol 2026-07-28, where only the client asks: a call is answered with the question, and made again.

The call's work goes on as a task meanwhile and waits for the answer. The question's state is a random token that names
that task; it is good for one answer, to the very call that raised the question.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
from anyio.abc import TaskGroup
from mcp import types
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError
from msgspec import Struct, field
from pydantic import ValidationError

from intentls.engine.actions.effects import REJECTED, Answer, Ask, Reply
from intentls.faces.mcp.host import Asker, asker

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
    return types.ElicitRequestFormParams(message=question.subject.message, requested_schema=schema)


def reply_of(result: object, question: Ask) -> Reply:
    """What a person's answer means."""
    if not isinstance(result, types.ElicitResult) or result.action != "accept":
        return REJECTED
    decision = (result.content or {}).get(_CHOICE)
    if decision not in {offer.value for offer in question.offers}:
        return REJECTED
    return Reply(Answer(decision))


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


Work = Callable[[], Awaitable[types.CallToolResult]]
Key = tuple[str, dict[str, Any]]

_QUESTION = "approval"
_MAX_EXPIRED = 32


class _PendingCall(Struct):
    """One call at work: it waits for an answer if it has a `question`, else it is over once `changed` is set."""

    key: Key
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    changed: anyio.Event = field(default_factory=anyio.Event)
    replied: anyio.Event = field(default_factory=anyio.Event)
    question: Ask | None = None
    reply: Reply | None = None
    token: str = ""
    result: types.CallToolResult | None = None
    error: Exception | None = None


class PendingCalls:
    """The calls of one connection that wait for an answer. `tasks` carries their work."""

    def __init__(self, tasks: TaskGroup) -> None:
        self._tasks = tasks
        self._by_token: dict[str, _PendingCall] = {}

    async def begin(self, key: Key, work: Work) -> types.CallToolResult | types.InputRequiredResult:
        """Start a call's work; its result, or the question that it has. Raises what the work raises."""
        call = _PendingCall(key)
        self._tasks.start_soon(self._run, call, work)
        return await self._next(call)

    async def resume(
        self, key: Key, token: str, responses: types.InputResponses | None
    ) -> types.CallToolResult | types.InputRequiredResult | None:
        """Answer a question; then as `begin`. None if we know of no such question.

        An answer that comes too late is told how the call ended without it. Raises MCPError for the state of
        another call.
        """
        call = self._by_token.get(token)
        if call is None:
            return None
        if call.key != key:
            message = "requestState: belongs to another call; send it with the call that it came from"
            raise MCPError(types.INVALID_PARAMS, message)
        del self._by_token[token]
        if call.question is not None:
            call.reply = reply_of((responses or {}).get(_QUESTION), call.question)
            call.changed = anyio.Event()
            call.replied.set()
        return await self._next(call)

    async def _next(self, call: _PendingCall) -> types.CallToolResult | types.InputRequiredResult:
        try:
            return await self._outcome(call)
        except anyio.get_cancelled_exc_class():
            call.scope.cancel()  # the client took its call back
            raise

    @staticmethod
    async def _outcome(call: _PendingCall) -> types.CallToolResult | types.InputRequiredResult:
        while True:
            await call.changed.wait()
            if call.error is not None:
                raise call.error
            if call.result is not None:
                return call.result
            if call.question is not None:
                asked: types.InputRequests = {_QUESTION: types.ElicitRequest(params=form(call.question))}
                return types.InputRequiredResult(input_requests=asked, request_state=call.token)
            call.changed = anyio.Event()  # the question ran out of time before it could be put

    async def _run(self, call: _PendingCall, work: Work) -> None:
        async def ask(question: Ask) -> Reply:
            return await self._ask(call, question)

        if asker.get() is not None:
            asker.set(ask)
        try:
            with call.scope:
                call.result = await work()
            if call.result is None:
                call.error = MCPError(types.INVALID_REQUEST, "the call was taken back")
        except Exception as error:  # noqa: BLE001  the call that waits for the result raises it
            call.error = error
        finally:
            call.changed.set()

    async def _ask(self, call: _PendingCall, question: Ask) -> Reply:
        call.question, call.token, call.replied = question, secrets.token_urlsafe(16), anyio.Event()
        self._by_token[call.token] = call
        self._forget()
        call.changed.set()
        try:
            await call.replied.wait()
        finally:
            call.question = None
        assert call.reply is not None
        return call.reply

    def _forget(self) -> None:
        """The last questions that ran out of time without an answer are kept for a late one."""
        over = [token for token, call in self._by_token.items() if call.question is None]
        for token in over[:-_MAX_EXPIRED]:
            del self._by_token[token]
