"""The MCP face with the SDK's own client, both in this process: what is tested is what a client is told."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import types
from mcp.client.client import Client

from intentls.faces.mcp.server import McpOptions, build

Json = dict[str, Any]
LEGACY, MODERN = "legacy", "auto"


def chosen(decision: str) -> types.ElicitResult:
    """A person fills in the form."""
    return types.ElicitResult(action="accept", content={"decision": decision})


class Person:
    """Whoever is asked; `answer` is what they say, `asked` what they saw."""

    def __init__(self, answer: types.ElicitResult | types.ErrorData | None = None) -> None:
        self.answer = answer or chosen("Reject")
        self.asked: list[types.ElicitRequestFormParams] = []

    async def __call__(self, _: Any, params: Any) -> types.ElicitResult | types.ErrorData:
        self.asked.append(params)
        return self.answer


class Agent:
    """A connected client, with tools one call away."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> types.CallToolResult:
        return await self.client.call_tool(tool, arguments)

    async def do(self, tool: str, **arguments: Any) -> Json:
        """The structured answer of a call that succeeds."""
        found = await self.call(tool, **arguments)
        assert not found.is_error, found
        answer: Json = found.structured_content
        return answer

    async def refused(self, tool: str, **arguments: Any) -> Json:
        """The refusal that a call is answered with."""
        found = await self.call(tool, **arguments)
        assert found.is_error, found
        assert found.structured_content is None
        (content,) = found.content
        assert isinstance(content, types.TextContent)
        refusal: Json = json.loads(content.text)
        return refusal


@asynccontextmanager
async def agent(
    root: Path,
    person: Callable[..., Any] | None = None,
    *,
    mode: str = MODERN,
    session_id: str | None = None,
    **client: Any,
) -> AsyncIterator[Agent]:
    """A client of a server that works in `root`; without a `person` it can't ask."""
    server = build(McpOptions(root, session_id))
    async with Client(server, mode=mode, elicitation_callback=person, **client) as connected:
        yield Agent(connected)
