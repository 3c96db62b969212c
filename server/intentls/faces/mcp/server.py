"""The MCP server: which request is answered by what."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types.version import MODERN_PROTOCOL_VERSIONS
from msgspec import Struct

import intentls
from intentls.core.errors import ConfigurationError, StoreError
from intentls.engine.actions.authority import AGENT_SESSION
from intentls.engine.operations.operation import Operation
from intentls.faces.mcp import resources
from intentls.faces.mcp.call_result import call_tool
from intentls.faces.mcp.connection import McpConnection
from intentls.faces.mcp.elicitation_rounds import ask_at_once, can_elicit
from intentls.faces.mcp.host import McpHost, asker
from intentls.faces.mcp.tools import TOOLS, tool

log = logging.getLogger(__name__)

_INSTRUCTIONS = (
    "Files here are governed by intents. Call list_intents, then select_active_intent before you change anything, "
    "and change files with this server's tools. A refusal says in action_hint what to do next. "
    "The prompt intent_protocol has the rules in full."
)

_CHECK_ERRORS = frozenset({"gemini-cli-mcp-client", "qwen-code-mcp-client"})
"""Clients that hold the text of a tool error against the tool's output schema, and hide what does not fit."""


class McpOptions(Struct, frozen=True):
    """`root`: where to work, instead of the current folder and the client's own roots.

    `session_id`: whom tools act for, instead of the agent's own session (which the environment names, or its hooks),
    or else one of this process. `trusted`: linters that the workspace names may run.
    """

    root: Path | None = None
    session_id: str | None = None
    trusted: bool = False


Context = ServerRequestContext[McpConnection, Any]
ToolResult = types.CallToolResult | types.InputRequiredResult


def build(options: McpOptions) -> Server[McpConnection]:
    """A server that works in the current folder unless told otherwise."""

    @asynccontextmanager
    async def connected(_: Server[McpConnection]) -> AsyncIterator[McpConnection]:
        folder = (options.root or Path.cwd()).resolve()
        session_id = options.session_id or os.environ.get(AGENT_SESSION)
        host = McpHost(folder, session_id, trusted=options.trusted)
        async with anyio.create_task_group() as tasks:
            connection = McpConnection(host, tasks, follow_roots=options.root is None)
            await connection.note_agent_once()
            yield connection
            tasks.cancel_scope.cancel()
        connection.close()

    server: Server[McpConnection] = Server(
        "intentls",
        version=intentls.__version__,
        title="intentls",
        instructions=_INSTRUCTIONS,
        lifespan=connected,
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
        on_list_resources=_list_resources,
        on_list_resource_templates=_list_templates,
        on_read_resource=_read_resource,
        on_list_prompts=_list_prompts,
        on_get_prompt=_get_prompt,
    )
    for method in ("notifications/initialized", "notifications/roots/list_changed"):
        server.add_notification_handler(method, types.NotificationParams, _roots_changed)
    return server


async def _list_tools(ctx: Context, _: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    params = ctx.session.client_params
    name = params.client_info.name if params is not None else ""
    admits_refusals = name in _CHECK_ERRORS
    return types.ListToolsResult(
        tools=[tool(operation, admits_refusals=admits_refusals) for operation in TOOLS.values()]
    )


async def _call_tool(ctx: Context, params: types.CallToolRequestParams) -> ToolResult:
    operation = TOOLS.get(params.name)
    if operation is None:
        raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r}. Known are {', '.join(TOOLS)}.")
    await ctx.lifespan_context.roots.settled(ctx.session)
    await ctx.lifespan_context.note_agent_once()
    called = await _call_or_resume(ctx, params, operation)
    if not operation.reads:
        await _notify_if_resources_changed(ctx)
    return called


async def _call_or_resume(ctx: Context, params: types.CallToolRequestParams, operation: Operation) -> ToolResult:
    connection, values = ctx.lifespan_context, params.arguments or {}
    client = ctx.session.client_params
    connection.host.agent = client.client_info.name if client is not None else connection.host.agent

    def work() -> Coroutine[Any, Any, types.CallToolResult]:
        return call_tool(connection, operation, values, ctx.session.report_progress)

    if can_elicit(ctx.session.client_capabilities):
        asker.set(ask_at_once(ctx.session, ctx.request_id))
    if not _is_modern(ctx):
        return await work()
    key = (operation.name, values)
    if params.request_state is not None:
        resumed = await connection.pending.resume(key, params.request_state, params.input_responses)
        if resumed is not None:
            return resumed
    return await connection.pending.begin(key, work)


async def _notify_if_resources_changed(ctx: Context) -> None:
    """An intent came or went, which a client that listed the resources should know."""
    connection = ctx.lifespan_context
    if connection.listed is None or _is_modern(ctx):
        return
    listed = connection.listed
    if await connection.questions.run(lambda: _uris(connection)) != listed:
        connection.listed = None
        await ctx.session.send_resource_list_changed()


def _uris(connection: McpConnection) -> tuple[str, ...]:
    return tuple(resource.uri for resource in resources.resources(connection.engine))


async def _list_resources(ctx: Context, _: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
    await ctx.lifespan_context.roots.settled(ctx.session)
    connection = ctx.lifespan_context
    with _own_errors_reported():
        listed = await connection.questions.run(lambda: resources.resources(connection.engine))
    connection.listed = tuple(resource.uri for resource in listed)
    return types.ListResourcesResult(resources=listed)


async def _list_templates(_: Context, __: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
    return types.ListResourceTemplatesResult(resource_templates=resources.templates())


async def _read_resource(ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    await ctx.lifespan_context.roots.settled(ctx.session)
    connection = ctx.lifespan_context
    with _own_errors_reported():
        content = await connection.questions.run(lambda: resources.content(connection.engine, params.uri))
    return types.ReadResourceResult(contents=[content])


async def _list_prompts(_: Context, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
    return types.ListPromptsResult(prompts=resources.prompts())


async def _get_prompt(ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
    await ctx.lifespan_context.roots.settled(ctx.session)
    connection = ctx.lifespan_context
    with _own_errors_reported():
        return await connection.questions.run(lambda: resources.prompt(connection.engine, params.name))


async def _roots_changed(ctx: Context, params: types.NotificationParams) -> None:
    await ctx.lifespan_context.roots.changed(ctx, params)


@contextmanager
def _own_errors_reported() -> Iterator[None]:
    """What the workspace or the disk does not allow, as an error with its own sentence."""
    try:
        yield
    except (ConfigurationError, StoreError) as trouble:
        raise MCPError(types.INTERNAL_ERROR, str(trouble)) from trouble


def _is_modern(ctx: Context) -> bool:
    """Whether the client speaks 2026-07-28 or later, where a server asks nothing by itself."""
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


def serve(options: McpOptions) -> int:
    """Serve one client on stdin and stdout until it is gone; the process's exit code."""
    anyio.run(_serve, options)
    return 0


async def _serve(options: McpOptions) -> None:
    server = build(options)
    started = server.create_initialization_options(NotificationOptions(resources_changed=True))
    try:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, started)
    except* (BrokenPipeError, ConnectionError):
        log.info("the client left while we were answering")
