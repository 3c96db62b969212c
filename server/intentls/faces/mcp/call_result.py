"""From an answer's JSON to a tool's result, and from what went wrong to the error that says so."""

from __future__ import annotations

import json
import logging
from typing import Any

from mcp import types
from mcp.shared.exceptions import MCPError

from intentls.core.errors import ConfigurationError, InvalidInput, StoreError
from intentls.engine.wire import arguments, requests, results
from intentls.faces.mcp.handlers import Call
from intentls.faces.mcp.tools import Tool

log = logging.getLogger(__name__)

Json = dict[str, Any]


async def outcome_of(tool: Tool, call: Call, given: Json) -> types.CallToolResult:
    """What the call of a tool comes to. Raises MCPError for arguments that make no sense, and for bugs of ours."""
    try:
        return _result(tool.name, await tool.run(call, arguments.parse(tool.arguments, given)))
    except InvalidInput as error:
        raise MCPError(types.INVALID_PARAMS, str(requests.naming(given, error))) from error
    except (ConfigurationError, StoreError) as trouble:
        return _result(tool.name, results.failed(trouble))
    except Exception as error:
        log.exception("%s failed", tool.name)
        message = f"{tool.name} failed because of a bug in intentls; what the server wrote to stderr has the details."
        raise MCPError(types.INTERNAL_ERROR, message) from error


def _result(tool_name: str, answer: Json) -> types.CallToolResult:
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
