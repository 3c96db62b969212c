"""JSON Schemas of tools, made from the types that parse the arguments: what is promised is what is checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from intentls.core.intents.intent import Status
from intentls.core.mutation.classes import MutationClass

Schema = dict[str, Any]

_CLASSES = "What the change does, if you know it."
_DESCRIPTIONS: Mapping[str, str] = {
    "content": "The file's whole new text.",
    "expected_content_hash": "The content_hash that you build on; the edit is refused if the file has changed since.",
    "glob": "What to add to the scope instead of one file, for example src/api/**.",
    "intent_id": "The intent's id, for example INT-001.",
    "limit": "How many records at most.",
    "line": "Only the range that holds this line, counted from 1.",
    "model_identifier": "The model that you are, for example anthropic/claude-opus-4-5; recorded with your changes.",
    "mutation_class": _CLASSES,
    "new_path": "Where the file goes.",
    "new_string": "What stands there afterwards.",
    "old_string": "The text to replace, exactly as in the file; it must be unique unless replace_all is true.",
    "patch": "A unified diff with git headers; it may add, change, delete and rename several files, all or none.",
    "path": "A file: relative to the workspace's root, absolute, or a file: URI.",
    "paths": "Several files, instead of path.",
    "problems": "What is wrong: text, one problem a line, or a list of LSP diagnostics.",
    "reason": "Why it is needed, in a sentence for the person who decides.",
    "replace_all": "Replace every occurrence.",
    "session_id": "Whom this call acts for (default: this connection's own session).",
    "since": "Only records from then on: an RFC 3339 time such as 2026-02-18T18:30:00Z.",
    "status": "The intent's new status.",
    "tool_name": "The tool that would be used.",
}
_VALUES: Mapping[str, list[str]] = {
    "mutation_class": [each.value for each in MutationClass],
    "status": [each.value for each in Status],
}


def input_schema(kind: type[msgspec.Struct], special: Mapping[str, str]) -> Schema:
    """The schema of a tool's arguments; `special` describes those that mean something else in this tool.

    An optional argument is one to be left out: null, which is accepted as well, need not be known to a caller.
    """
    schema = _root(kind)
    properties = {
        name: {
            "description": special.get(name) or _DESCRIPTIONS[name],
            **_without_null(described),
            **({"enum": _VALUES[name]} if name in _VALUES else {}),
        }
        for name, described in schema["properties"].items()
    }
    required = {"required": schema["required"]} if schema["required"] else {}
    return {"type": "object", "properties": properties, **required, "additionalProperties": False}


def output_schema(kind: type[msgspec.Struct]) -> Schema:
    """The schema of a tool's structured answer."""
    return _root(kind)


def _root(kind: type[msgspec.Struct]) -> Schema:
    """The type's schema with `type: object` at its root, as MCP wants it, instead of a reference."""
    found = msgspec.json.schema(kind)
    definitions = found["$defs"]
    root: Schema = definitions.pop(kind.__name__)
    shown = {key: value for key, value in root.items() if key not in ("title", "description")}
    return {**shown, "$defs": definitions} if definitions else shown


def _without_null(described: Schema) -> Schema:
    options = [option for option in described.get("anyOf", []) if option != {"type": "null"}]
    rest = {key: value for key, value in described.items() if key != "anyOf" and (key, value) != ("default", None)}
    if not options:
        return rest
    return {**rest, **options[0]} if len(options) == 1 else {**rest, "anyOf": options}
