"""LSP's commands: the operations of the table that LSP offers, and how a connection runs one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from lsprotocol import types

from intentls.engine.actions.effects import Steps, drive
from intentls.engine.operations.operation import Call, Operation, Reply
from intentls.engine.operations.table import OPERATIONS
from intentls.engine.wire.answers import SelectionAnswer
from intentls.engine.workspace.progress import Progress
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.progress import run_with_progress
from intentls.faces.lsp.protocol.command_table import Handler, progress_token

COMMANDS: Mapping[str, Operation] = {
    operation.command: operation for operation in OPERATIONS.values() if operation.in_lsp
}
"""By id."""


def command_handlers(connection_of: Callable[[], LspConnection]) -> dict[str, Handler]:
    """The commands, bound to the connection, which need not exist yet."""

    def bind(operation: Operation) -> Handler:
        def handle(values: dict[str, Any]) -> Reply | Coroutine[Any, Any, Reply]:
            return _begin(connection_of(), operation, values)

        return handle

    return {command: bind(operation) for command, operation in COMMANDS.items()}


def _begin(
    connection: LspConnection, operation: Operation, values: dict[str, Any]
) -> Reply | Coroutine[Any, Any, Reply]:
    """The answer, where it is known and nothing that the client asked before is under way; else what makes it.

    Raises InvalidInput.
    """
    call = Call(connection.engine, connection.session_id)
    steps = operation.begin(call, values)
    if operation.known is not None and connection.edits.is_idle and (reply := operation.known(call)) is not None:
        return reply
    return _run(connection, operation, call, steps)


async def _run(connection: LspConnection, operation: Operation, call: Call, steps: Steps[Reply]) -> Reply:
    """The answer to one call. Raises InvalidInput, other errors of ours, and JsonRpcRequestCancelled."""

    def report(progress: Progress) -> Reply:
        call.progress = progress
        return drive(steps)

    if operation.long:
        reply = await run_with_progress(connection, operation.long, report, progress_token.get())
    else:
        reply = await connection.perform(steps)
    asyncio.get_running_loop().call_soon(_follow_up, connection, call)  # once the answer is on its way
    if isinstance(reply, SelectionAnswer) and reply.warnings and call.session_id == connection.session_id:
        warning = " ".join(reply.warnings)  # whoever selects by a lens or a quick fix sees no answer
        connection.server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, warning))
    return reply


def _follow_up(connection: LspConnection, call: Call) -> None:
    """Begin what an answered call leaves to do, and show what it changed."""
    if connection.has_ended:
        return
    for work in call.follow_ups:
        connection.background.begin(work)
    connection.index_later()
    if call.changed:
        connection.refresh_editor()
