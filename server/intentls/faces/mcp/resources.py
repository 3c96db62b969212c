"""What there is to read without a tool: the intents, the lessons, and the protocol as a prompt."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote, unquote

import msgspec
from mcp import types
from mcp.shared.exceptions import MCPError

from intentls.core.intents.intent import Intent
from intentls.engine.intents.checkout import list_intents
from intentls.engine.intents.context import context_text
from intentls.engine.intents.lessons import all_lessons
from intentls.engine.intents.prompt import protocol_prompt
from intentls.engine.wire import reports
from intentls.engine.wire.answers import IntentsAnswer
from intentls.engine.workspace.engine import Engine

INTENTS = "intentls://intents"
LESSONS = "intentls://lessons"
PROMPT = "intent_protocol"

_PREFIX = f"{INTENTS}/"
_JSON, _XML = "application/json", "application/xml"
_UNGOVERNED = "Nothing governs this folder: it declares no intents, so every change is allowed and none is recorded."


def resources(engine: Engine) -> list[types.Resource]:
    """Everything there is, each intent by itself too."""
    return [
        types.Resource(
            uri=INTENTS, name="intents", title="Intents", description="The declared intents.", mime_type=_JSON
        ),
        types.Resource(
            uri=LESSONS, name="lessons", title="Lessons", description="What went wrong in which file.", mime_type=_JSON
        ),
        *(_resource(intent) for intent in list_intents(engine)),
    ]


def templates() -> list[types.ResourceTemplate]:
    """How one intent's resource is called."""
    return [
        types.ResourceTemplate(
            uri_template=f"{_PREFIX}{{id}}",
            name="intent",
            title="Intent",
            description="An intent's context, as select_active_intent gives it, without checking it out.",
            mime_type=_XML,
        )
    ]


def _resource(intent: Intent) -> types.Resource:
    name = _encodable(intent.id)
    return types.Resource(
        uri=f"{_PREFIX}{quote(name, safe='')}",
        name=name,
        title=_encodable(f"{intent.id}: {intent.name}"),
        description=f"The context of this intent ({intent.status.value}), without checking it out.",
        mime_type=_XML,
    )


def content(engine: Engine, uri: str) -> types.TextResourceContents:
    """What a resource says now. Raises MCPError for one that there is not."""
    if uri == INTENTS:
        return _document(uri, msgspec.to_builtins(IntentsAnswer.of(list_intents(engine))))
    if uri == LESSONS:
        return _document(uri, reports.lessons(all_lessons(engine)))
    text = context_text(engine, unquote(uri.removeprefix(_PREFIX))) if uri.startswith(_PREFIX) else None
    if text is None:
        message = f"There is no resource {uri}. Known are {INTENTS}, {_PREFIX}ID of a declared intent, and {LESSONS}."
        raise MCPError(types.INVALID_PARAMS, message, {"uri": uri})
    return types.TextResourceContents(uri=uri, mime_type=_XML, text=_encodable(text))


def prompts() -> list[types.Prompt]:
    """The one prompt."""
    description = "How to work in a workspace that is governed by intents."
    return [types.Prompt(name=PROMPT, title="Intent protocol", description=description)]


def prompt(engine: Engine, name: str) -> types.GetPromptResult:
    """The prompt's text. Raises MCPError for any other name."""
    if name != PROMPT:
        raise MCPError(types.INVALID_PARAMS, f"There is no prompt {name!r}. Known is {PROMPT}.")
    text = protocol_prompt(engine) or _UNGOVERNED
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=types.TextContent(text=text))])


def _document(uri: str, answer: dict[str, Any]) -> types.TextResourceContents:
    text = json.dumps(answer, ensure_ascii=False, indent=2)
    return types.TextResourceContents(uri=uri, mime_type=_JSON, text=_encodable(text))


def _encodable(text: str) -> str:
    """`text` as the protocol can carry it: half a surrogate pair becomes a question mark."""
    return text.encode("utf-8", "replace").decode()
