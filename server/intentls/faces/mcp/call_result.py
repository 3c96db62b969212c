"""How a connection runs an operation, and its answer, or what went wrong, as the result of a tool."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import anyio.from_thread
import msgspec
from mcp import types
from mcp.shared.exceptions import MCPError

from intentls.core.errors import ConfigurationError, InvalidInput, StoreError
from intentls.engine.actions.effects import Steps, drive
from intentls.engine.ledger.indexes import has_index_work, update_indexes
from intentls.engine.operations.operation import Call, Operation, Reply
from intentls.engine.wire.refusals import failed
from intentls.faces.mcp.connection import McpConnection

log = logging.getLogger(__name__)

Json = dict[str, Any]
Report = Callable[[float, float], Coroutine[Any, Any, None]]
"""Tells the client how far a call is: (done, total)."""


async def call_tool(
    connection: McpConnection, operation: Operation, values: Json, report: Report
) -> types.CallToolResult:
    """The result of a call. Raises MCPError for arguments that make no sense, and for bugs of ours."""
    call = Call(connection.engine, connection.session_id)
    try:
        steps = operation.begin(call, values)
        reply = await (_run_long(connection, call, steps, report) if operation.long else connection.perform(steps))
        for work in call.follow_ups:
            connection.later(work)
        if has_index_work(connection.engine):
            connection.later(partial(update_indexes, connection.engine))
        return _result(operation.name, reply)
    except InvalidInput as error:
        raise MCPError(types.INVALID_PARAMS, str(error)) from error
    except (ConfigurationError, StoreError) as error:
        return _result(operation.name, failed(error))
    except Exception as error:
        log.exception("%s failed", operation.name)
        message = (
            f"{operation.name} failed because of a bug in intentls; what the server wrote to stderr has the details."
        )
        raise MCPError(types.INTERNAL_ERROR, message) from error


async def _run_long(connection: McpConnection, call: Call, steps: Steps[Reply], report: Report) -> Reply:
    """Runs beside other calls, says how far it is, and ends if the call is taken back."""
    furthest = 0

    def progress(done: int, total: int) -> None:
        nonlocal furthest
        anyio.from_thread.check_cancelled()
        if done > furthest:  # of several roots' ledgers the longest one counts: progress never goes back
            furthest = done
            anyio.from_thread.run(report, done, total)

    call.progress = progress
    return await connection.questions.run(lambda: drive(steps))


def _result(tool_name: str, reply: Reply) -> types.CallToolResult:
    answer: Json = msgspec.to_builtins(reply)
    text = json.dumps(answer, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, from a name that is no UTF-8: the protocol can't carry it
        text = text.encode("utf-8", "replace").decode()
        answer = json.loads(text)
    if answer["status"] != "ok":
        return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)
    shown = _for_reading(tool_name, answer) or text
    return types.CallToolResult(content=[types.TextContent(text=shown)], structured_content=answer)


def _for_reading(tool_name: str, answer: Json) -> str | None:
    """The text of an answer that is one for a model to read, not a document; None for all others."""
    if tool_name == "select_active_intent":
        return str(answer["context"])
    if tool_name == "read_file":
        content = str(answer["content"])
        end = "" if content.endswith("\n") or not content else "\n"
        return f"{content}{end}[content_hash: {answer['content_hash']}]"
    return None
