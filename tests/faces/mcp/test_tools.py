"""What a client is told of the tools."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from intentls.core.gate.refusal import Code, Refusal
from intentls.core.gate.tool_class import ToolClass, classify
from intentls.engine.operations.operation import Operation
from intentls.engine.wire import arguments
from intentls.engine.wire.refusals import refused
from intentls.faces.mcp import resources
from intentls.faces.mcp.tools import TOOLS, tool
from tests.faces.mcp.conftest import agent
from tests.support.markdown import Page, code

PAGE = Page.read(Path(__file__).parents[3] / "docs" / "reference" / "mcp.md")

CONTRACT = {
    *("list_intents", "select_active_intent", "clear_active_intent", "get_active_intent", "read_file", "set_status"),
    *("write_to_file", "edit_file", "apply_patch", "delete_file", "rename_file", "check_edit", "record_lesson"),
    *("query_trace", "verify_trace", "blame", "search", "request_scope_expansion"),
}
GUARDED = {"write_to_file", "edit_file", "apply_patch", "delete_file", "rename_file"}
EACH = pytest.mark.parametrize("operation", TOOLS.values(), ids=list(TOOLS))


async def test_the_tools_are_those_of_the_contract(workspace: Path) -> None:
    """`tools/list` names each tool of the contract, and no other."""
    async with agent(workspace) as connected:
        listed = (await connected.client.list_tools()).tools
    assert {tool.name for tool in listed} == CONTRACT


@EACH
def test_input_is_typed_described_and_closed(operation: Operation) -> None:
    """Every argument has a type and a sentence; an unknown one is not allowed; there is no reference to follow."""
    schema = tool(operation).input_schema
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]) == set(operation.arguments.__struct_fields__)
    for name, described in schema["properties"].items():
        assert "type" in described or "anyOf" in described, name
        assert described["description"].endswith("."), name
    assert "$ref" not in str(schema)


@EACH
def test_what_the_schema_requires_is_what_the_parser_requires(operation: Operation) -> None:
    """The required arguments of the schema are those without a default."""
    required = {field.name for field in msgspec.structs.fields(operation.arguments) if field.required}
    assert set(tool(operation).input_schema.get("required", [])) == required


@EACH
def test_output_is_typed(operation: Operation) -> None:
    """Every tool promises an object with a status, and says what else is in it."""
    schema = tool(operation).output_schema
    assert schema is not None
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert schema["properties"]["status"] == {"enum": ["ok"]}
    assert len(schema["properties"]) > 1


@EACH
def test_annotations_agree_with_the_gate(operation: Operation) -> None:
    """What the gate calls destructive is announced as such; nothing reaches beyond this machine."""
    hints = tool(operation).annotations
    assert hints is not None
    assert hints.destructive_hint == (operation.name in GUARDED)
    if hints.destructive_hint:
        assert classify(operation.name) is ToolClass.DESTRUCTIVE
        assert not hints.read_only_hint
    assert hints.open_world_hint is False
    assert hints.idempotent_hint is not None


@EACH
def test_a_tool_says_what_it_is_for(operation: Operation) -> None:
    """A title, and whole sentences."""
    assert operation.title
    assert re.fullmatch(r"[A-Z].*\.", operation.description)


SAMPLES: dict[str, list[dict[str, Any]]] = {
    "write_to_file": [{"path": "a", "content": ""}, {"path": "a"}, {"path": "", "content": ""}, {"frob": 1}],
    "query_trace": [{}, {"limit": 0}, {"limit": 20, "since": "2026-02-18T18:30:00Z"}, {"limit": "20"}],
    "blame": [
        {"path": "a", "line": 1},
        {"path": "a", "line": 0},
        {"line": 1},
        {"path": "a", "symbol": "A.f"},
        {"symbol": 1},
    ],
    "search": [{"words": "a"}, {"words": "a", "limit": 0}, {"words": ""}, {}],
    "record_lesson": [{"path": "a", "problems": "x"}, {"path": "a", "problems": []}, {"path": "a", "problems": 1}],
    "select_active_intent": [{"intent_id": "I", "mutation_class": "BUG_FIX"}, {"intent_id": 1}],
    "request_scope_expansion": [{"path": "a", "reason": "r"}, {"path": "a", "reason": ""}, {"path": "a"}],
}


@pytest.mark.parametrize(("name", "given"), [(name, given) for name, each in SAMPLES.items() for given in each])
def test_the_schema_and_the_parser_agree(name: str, given: dict[str, Any]) -> None:
    """What the input schema takes is parsed, and what it refuses is refused."""
    operation = TOOLS[name]
    fits = jsonschema.Draft202012Validator(tool(operation).input_schema).is_valid(given)
    try:
        arguments.parse(operation.arguments, given)
        parsed = True
    except ValueError:
        parsed = False
    assert fits == parsed


def test_every_tool_is_documented() -> None:
    """The page has a row for each tool, in the order of the table, and says which change files under the gate."""
    rows = PAGE.section("Tools").rows("tool", "what it does", "changes files")
    assert [code(row[0])[0] for row in rows] == list(TOOLS)
    assert {code(row[0])[0] for row in rows if row[2] == "yes"} == {
        operation.name for operation in TOOLS.values() if operation.edits
    }


def test_every_resource_is_documented() -> None:
    """docs/reference/mcp.md names each resource and the prompt."""
    section = PAGE.section("Resources and prompt")
    known = [resources.INTENTS, resources.templates()[0].uri_template, resources.LESSONS]
    assert [code(row[0])[0] for row in section.rows("resource", "what it is")] == known
    assert resources.PROMPT in code(section.prose)


@EACH
def test_some_clients_hold_a_refusal_against_the_output_schema(operation: Operation) -> None:
    """Gemini CLI hides what does not fit: for it a refusal fits as well as an answer does."""
    schema = tool(operation, admits_refusals=True).output_schema
    assert schema is not None
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(refused(Refusal.of(Code.SCOPE_VIOLATION, "no")))
    assert not validator.is_valid({"status": "error"})


def test_no_description_of_a_type_has_the_indent_of_the_source() -> None:
    schemas = [tool(operation).output_schema or {} for operation in TOOLS.values()]
    found = [kind.get("description", "") for schema in schemas for kind in schema.get("$defs", {}).values()]
    assert any("\n" in description for description in found)
    assert not any("\n  " in description for description in found)
