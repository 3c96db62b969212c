"""An MCP client of nothing but the standard library: one JSON document a line, no SDK in between."""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, Any

from tests.support.forked_servers import connected
from tests.support.wire import Wire

Json = dict[str, Any]


class McpWire(Wire):
    """One connection to `intentls mcp`, used as `Wire` is."""

    @classmethod
    def begin(cls, root: Path, capabilities: Json | None = None, *options: str) -> McpWire:
        """Start a server in `root` and shake hands."""
        wire = connected(cls, root, "mcp", *options)
        client = {"name": "bare", "version": "0"}
        asked = {"protocolVersion": "2025-11-25", "capabilities": capabilities or {}, "clientInfo": client}
        answered = wire.request("initialize", asked)
        assert answered["result"]["protocolVersion"] == "2025-11-25"
        wire.notify("notifications/initialized")
        return wire

    def call(self, tool: str, **arguments: Any) -> Json:
        """The whole response to the call of a tool."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def do(self, tool: str, **arguments: Any) -> Json:
        """The structured answer of a call that succeeds, or the refusal of one that does not."""
        return outcome(self.call(tool, **arguments))

    def send(self, message: Json) -> None:
        """Sends a message; `jsonrpc` is added if it is not there."""
        self.raw(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode() + b"\n")

    def _read_next(self, stream: IO[bytes]) -> Json | None:
        line = stream.readline()
        if not line:
            return None
        message = json.loads(line)
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            raise ValueError(f"not a JSON-RPC message: {line[:200]!r}")
        return message


def outcome(response: Json) -> Json:
    """What a tool's response comes to: its structured answer, or the refusal that is its text."""
    assert "result" in response, response
    result = response["result"]
    if not result.get("isError"):
        answer: Json = result["structuredContent"]
        return answer
    (content,) = result["content"]
    assert set(content) == {"type", "text"}
    refusal: Json = json.loads(content["text"])
    return refusal
