"""MCP's tools: the operations of the table that MCP offers, with JSON Schemas made from their types.

The arguments' types are also what parses a call: what is promised is what is checked.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import msgspec
from mcp import types

from intentls.core.intents.intent import Status
from intentls.core.mutation.classes import MutationClass
from intentls.engine.operations.operation import Operation
from intentls.engine.operations.table import OPERATIONS
from intentls.engine.wire.refusals import RefusalAnswer

Schema = dict[str, Any]

TOOLS: Mapping[str, Operation] = {name: operation for name, operation in OPERATIONS.items() if operation.in_mcp}

_VALUES: Mapping[str, list[str]] = {
    "mutation_class": [mutation_class.value for mutation_class in MutationClass],
    "status": [status.value for status in Status],
}


def tool(operation: Operation, *, admits_refusals: bool = False) -> types.Tool:
    """What `tools/list` says of an operation.

    `admits_refusals`: the output schema is also that of a refusal, for clients that hold a tool error against it.
    """
    return types.Tool(
        name=operation.name,
        title=operation.title,
        description=operation.description,
        input_schema=_input_schema(operation.arguments),
        output_schema=(_with_refusals if admits_refusals else _root)(operation.answer),
        annotations=types.ToolAnnotations(
            title=operation.title,
            read_only_hint=operation.reads,
            destructive_hint=operation.edits,
            idempotent_hint=operation.idempotent,
            open_world_hint=False,
        ),
    )


def _input_schema(kind: type[msgspec.Struct]) -> Schema:
    """An optional argument is one to be left out: null, which is accepted as well, need not be known to a caller."""
    schema = _root(kind)
    properties = {
        name: {**_without_null(described), **({"enum": _VALUES[name]} if name in _VALUES else {})}
        for name, described in schema["properties"].items()
    }
    required = {"required": schema["required"]} if schema["required"] else {}
    return {"type": "object", "properties": properties, **required, "additionalProperties": False}


def _with_refusals(kind: type[msgspec.Struct]) -> Schema:
    """The schema of the answer or of a refusal."""
    answer, refusal = _root(kind), _root(RefusalAnswer)
    definitions = {**answer.pop("$defs", {}), **refusal.pop("$defs", {})}
    schema: Schema = {"type": "object", "anyOf": [answer, refusal]}
    return {**schema, "$defs": definitions} if definitions else schema


def _root(kind: type[msgspec.Struct] | type[RefusalAnswer]) -> Schema:
    """The type's schema with `type: object` at its root, as MCP wants it, instead of a reference."""
    definitions = {name: _dedented(schema) for name, schema in msgspec.json.schema(kind)["$defs"].items()}
    root = {key: value for key, value in definitions.pop(kind.__name__).items() if key not in ("title", "description")}
    return {**root, "$defs": definitions} if definitions else root


def _dedented(schema: Schema) -> Schema:
    """A schema whose description has no indent: a release of msgspec keeps that of the docstring, another does not."""
    description = schema.get("description")
    return schema if description is None else {**schema, "description": inspect.cleandoc(description)}


def _without_null(described: Schema) -> Schema:
    """`{"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}` becomes `{"type": "string"}`."""
    options = [option for option in described.get("anyOf", []) if option != {"type": "null"}]
    rest = {key: value for key, value in described.items() if key != "anyOf" and (key, value) != ("default", None)}
    if not options:
        return rest
    return {**rest, **options[0]} if len(options) == 1 else {**rest, "anyOf": options}
