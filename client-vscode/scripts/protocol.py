"""Writes `src/protocol.ts`: what the server and a client send each other, as TypeScript types.

They come from the server's table of operations, by way of the JSON Schemas that msgspec makes of its types. Run
`python client-vscode/scripts/protocol.py` after a change of an argument or an answer; a test compares the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from intentls.engine.operations.table import OPERATIONS
from intentls.engine.wire.arguments import Arguments
from intentls.engine.wire.folder_state import EditorState
from intentls.engine.wire.proposal import Proposal
from intentls.engine.wire.question import QuestionAnswered, QuestionContents, QuestionList, QuestionNotAnswered
from intentls.engine.wire.refusals import RefusalAnswer

FILE = Path(__file__).parents[1] / "src" / "protocol.ts"

Schema = Mapping[str, Any]

_HEAD = """\
// Generated from the server's table of operations by scripts/protocol.py: do not edit.

import type { LedgerRecord } from './ledgerRecord';
"""
_TAIL = """\
export type CommandId = keyof Commands;

export type Answer<Id extends CommandId> = Commands[Id]['answer'] | RefusalAnswer;
"""
_ALONE = (
    *(RefusalAnswer, Proposal, EditorState),
    *(QuestionList, QuestionContents, QuestionAnswered, QuestionNotAnswered),
)
_REFERENCE = "#/types/"
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
# What the schema leaves open: records are the ledger's own lines, in the form of Agent Trace.
_OPEN = {("RecordsAnswer", "entries"): "LedgerRecord[]"}


def text() -> str:
    """The whole file."""
    commands = [operation for operation in OPERATIONS.values() if operation.in_lsp]
    kinds = [kind for operation in commands for kind in (operation.arguments, operation.answer)]
    _, schemas = msgspec.json.schema_components([*kinds, *_ALONE], ref_template=_REFERENCE + "{name}")
    rows = [
        f"{_comment(row.description, '  ')}"
        f"  '{row.command}': {{ argument: {row.arguments.__name__}; answer: {row.answer.__name__} }};\n"
        for row in commands
    ]
    title = _comment("The server's commands: what each takes, and what it answers where it is not refused.")
    table = f"{title}export interface Commands {{\n{''.join(rows)}}}\n"
    arguments = {kind.__name__ for kind in kinds if issubclass(kind, Arguments)}
    interfaces = [_interface(name, schema, name in arguments) for name, schema in schemas.items()]
    return "\n".join([_HEAD, *interfaces, table, _TAIL])


def _interface(name: str, schema: Schema, is_argument: bool) -> str:
    fields = _fields(name, schema, is_argument)
    return f"{_comment(schema.get('description', ''))}export interface {name} {{\n{''.join(fields)}}}\n"


def _fields(name: str, schema: Schema, is_argument: bool) -> Iterator[str]:
    """A line for each field. An optional argument is one to be left out: null need not be known to a caller."""
    for field, described in schema["properties"].items():
        kind = _OPEN.get((name, field)) or _kind(described)
        if is_argument:
            kind = kind.removesuffix(" | null")
        optional = "" if field in schema["required"] else "?"
        options = described.get("anyOf", [{}])
        yield f"{_comment(described.get('description') or options[0].get('description', ''), '  ')}"
        yield f"  {field}{optional}: {kind};\n"


def _kind(schema: Schema) -> str:
    """`{"type": "array", "items": {"type": "string"}}` becomes `string[]`."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(_REFERENCE)
    if "anyOf" in schema:
        return " | ".join(_kind(option) for option in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(f"'{value}'" if isinstance(value, str) else str(value).lower() for value in schema["enum"])
    if schema.get("type") == "array":
        item = _kind(schema.get("items", {}))
        return f"({item})[]" if " " in item else f"{item}[]"
    if schema.get("type") == "object":
        return "Record<string, unknown>"
    return _PLAIN[schema["type"]] if "type" in schema else "unknown"


def _comment(sentences: str, indent: str = "") -> str:
    """A comment of one line or, for a docstring with paragraphs, of several."""
    lines = [line.strip() for line in sentences.strip().splitlines()]
    if not lines:
        return ""
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return f"{indent}/**\n" + "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines) + f"{indent} */\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
