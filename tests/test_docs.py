"""The documentation knows everything that the program knows, and nothing else."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

import intentls
from intentls.core.gate.policy import ContextPolicy, LinterPolicy, Policy
from intentls.core.gate.refusal import ActionHint, Code, Refusal
from intentls.core.intents.intent import Status
from intentls.core.ledger.verifier import ProblemKind
from intentls.core.mutation.classes import ALIASES, MutationClass
from intentls.engine.declarations.hints import NO_MATCH, OVERLAP
from intentls.engine.wire import arguments
from intentls.faces.cli.main import _VERBS
from intentls.faces.lsp.commands import COMMANDS
from intentls.faces.lsp.options import LspOptions, setting
from intentls.store.config.policy_parser import parse_policy
from tests.support.markdown import Page, code

ROOT = Path(__file__).parent.parent
PACKAGE = Path(intentls.__file__).parent
_TYPES = {
    "string": "string",
    "boolean": "boolean",
    "integer": "integer",
    "object": "object",
    "array": "list",
}
_NOTHING = "\N{EN DASH}"  # where there is no default
_KEBAB = re.compile(r"[a-z]+(-[a-z0-9]+)+")


@cache
def page(name: str) -> Page:
    return Page.read(ROOT / "docs" / "reference" / f"{name}.md")


def first_cells(rows: Sequence[Sequence[str]]) -> set[str]:
    """What the first cells of a table name."""
    return {name for row in rows for name in code(row[0])}


# -- commands -------------------------------------------------------------------------------------------------


def argument_rows(struct: type[arguments.Arguments]) -> dict[str, tuple[str, str]]:
    """(type, default) of each argument, as a page should show them."""
    schema = msgspec.json.schema(struct)
    (definition,) = (value for key, value in schema["$defs"].items() if key == struct.__name__)
    required = definition.get("required", [])
    return {
        name: (_type(described), "required" if name in required else _default(described))
        for name, described in definition["properties"].items()
    }


def _type(described: dict[str, Any]) -> str:
    options = [option for option in described.get("anyOf", [described]) if option.get("type") != "null"]
    return " or ".join(_list_type(option) for option in options)


def _list_type(described: dict[str, Any]) -> str:
    name = _TYPES[described["type"]]
    item = described.get("items", {}).get("type")
    return f"{name} of {_TYPES[item]}s" if item else name


def _default(described: dict[str, Any]) -> str:
    default = described.get("default")
    return _NOTHING if default is None else f"`{json.dumps(default)}`"


def shown_arguments(section: Page) -> dict[str, tuple[str, str]]:
    rows = section.rows("argument", "type", "default")
    return {name: (row[1], row[2]) for row in rows for name in code(row[0])}


def test_every_command_has_its_section() -> None:
    """reference/commands.md describes each command that the server offers, and no other."""
    headings = re.findall(r"^### `(intent\.\w+)`$", page("commands").text, flags=re.MULTILINE)
    assert sorted(headings) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_argument_is_described(command: str) -> None:
    """A command's section lists exactly the arguments that the command takes, each with its type and default."""
    struct, section = COMMANDS[command].arguments, page("commands").section(command)
    shown = shown_arguments(section)
    if issubclass(struct, arguments.EditArguments):
        assert "(#arguments-of-every-edit)" in section.text
        shown |= shown_arguments(page("commands").section("Arguments of every edit"))
    assert {"session_id": ("string", _NOTHING), **shown} == argument_rows(struct)


def test_the_session_is_described_once_for_all() -> None:
    """`session_id`, which every command takes, is described where all of them are."""
    shown = shown_arguments(page("commands").section("Arguments of every command"))
    assert shown == argument_rows(arguments.Arguments)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example_that_its_section_explains(command: str) -> None:
    """A section has a request of this command and its answer; each key of the answer is in a table."""
    section = page("commands").section(command)
    examples = [json.loads(text) for text in section.examples("json")]
    explained = first_cells(section.rows("answer", "what it is"))
    if "(#answer-of-every-edit)" in section.text:
        explained |= first_cells(page("commands").section("Answer of every edit").rows("key", "what it is"))
    assert [request["command"] for request in examples[::2]] == [command] * (len(examples) // 2) != []
    for answer in examples[1::2]:
        if answer["status"] == "ok":
            assert set(answer) - {"status"} <= explained


def test_every_mutation_class_and_status_is_named() -> None:
    """The classes of change and the statuses of an intent are named where arguments of theirs are described."""
    assert {*MutationClass, *ALIASES} <= set(code(page("commands").section("Arguments of every edit").prose))
    assert set(Status) <= set(code(page("commands").section("intent.setStatus").prose))
    assert set(Status) <= set(code(page("files").section("active_intents.yaml").prose))


def test_every_verb_of_the_command_line_is_described() -> None:
    """reference/commands.md lists each verb of `intentls`, and no other."""
    shown = first_cells(page("commands").section("The command line").rows("verb", "what it does"))
    assert shown == {f"intentls {verb}" for verb in _VERBS}


# -- errors ---------------------------------------------------------------------------------------------------


def test_every_refusal_is_described() -> None:
    """The page gives each refusal's type, hint and whether a person may override it, as the gate has them."""
    rows = page("errors").section("Refusals").rows("code", "error type", "action hint", "override")
    shown = {(*(code(cell)[0] for cell in row[:3]), row[3]) for row in rows}
    known = {_refusal_row(Refusal.of(each, "")) for each in Code}
    # The one code with two hints: an invalid configuration is not cured by trying again.
    known.add(_refusal_row(Refusal.of(Code.HOOK_ERROR, "", action_hint=ActionHint.FIX_CONFIGURATION)))
    assert shown == known


def _refusal_row(refusal: Refusal) -> tuple[str, str, str, str]:
    override = "yes" if refusal.overridable else "no"
    return refusal.code.value, refusal.error_type.value, refusal.action_hint.value, override


def sources(*folders: str) -> Iterator[ast.AST]:
    """Every node of the program's source in these folders."""
    for folder in folders:
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            yield from ast.walk(ast.parse(path.read_bytes()))


def constants(node: ast.AST) -> set[str]:
    return {each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)}


def finding_codes() -> set[str]:
    """The kebab-case codes that the store gives its findings, where it makes them."""
    makers = {"YamlProblem", "_report"}
    found: set[str] = set()
    for node in sources("store"):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in makers:
            found |= {text for argument in node.args for text in constants(argument) if _KEBAB.fullmatch(text)}
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("code", "(code, message)"):
            found |= {text for text in constants(node.value) if _KEBAB.fullmatch(text)}
    return found


def test_every_finding_is_described() -> None:
    """The page has each code that may stand beside a mark in the intents file or the policy, and no other."""
    known = finding_codes()
    assert {"yaml-syntax", "wrong-type", "empty-scope"} <= known, "the search no longer finds where codes are made"
    assert first_cells(page("errors").section("Diagnostics").rows("code", "severity", "what is wrong")) == known


def test_every_hint_is_described() -> None:
    """reference/errors.md has each hint that may stand at a scope, and no other."""
    rows = page("errors").section("Diagnostics").rows("code", "severity", "what it hints at")
    assert first_cells(rows) == {OVERLAP, NO_MATCH}


def test_every_argument_that_can_be_refused_is_described() -> None:
    """reference/errors.md says when each argument is answered with -32602."""
    shown = first_cells(page("errors").section("Invalid arguments").rows("argument", "when"))
    found = {
        node.args[0].value
        for node in sources("core", "store", "engine", "faces")
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "InvalidArgument"
        and isinstance(node.args[0], ast.Constant)
    }
    assert {"path", "old_string", "patch"} <= found, "the search no longer finds where arguments are refused"
    assert found - shown == set()


def test_every_problem_of_a_ledger_is_described() -> None:
    """reference/errors.md has each kind of problem that `intent.verifyTrace` can report, and no other."""
    assert first_cells(page("errors").section("Problems of a ledger").rows("kind")) == set(ProblemKind)


# -- policy, settings -----------------------------------------------------------------------------------------


def test_every_policy_key_is_described() -> None:
    """reference/policy.md has each key of policy.yaml with its default, and a section or a line for it."""
    rows = page("policy").rows("key", "values", "default", "in short")
    shown = {code(row[0])[0]: row for row in rows}
    assert set(shown) == set(Policy.__struct_fields__)
    for name, row in shown.items():
        default = getattr(Policy(), name)
        if isinstance(default, StrEnum):
            assert code(row[1]) == [each.value for each in type(default)]
            assert code(row[2]) == [default.value]
        elif isinstance(default, bool | int):
            assert code(row[2]) == [json.dumps(default)]


@pytest.mark.parametrize(("section", "kind"), [("context", ContextPolicy), ("linters", LinterPolicy)])
def test_every_part_of_a_policy_key_is_described(section: str, kind: type[Any]) -> None:
    """The parts of `context` and of a linter each have a row in their section of reference/policy.md."""
    assert first_cells(page("policy").section(section).rows("key")) == set(kind.__struct_fields__)


def test_the_defaults_are_shown_as_they_are() -> None:
    """The first example of reference/policy.md is the policy that holds without any file."""
    assert parse_policy(page("policy").examples("yaml")[0].encode()).policy == Policy()


def test_every_setting_of_a_client_is_described() -> None:
    """reference/clients.md has each setting that the server reads, and no other."""
    rows = page("clients").section("Settings").rows("setting")
    assert first_cells(rows) == set(map(setting, LspOptions.__struct_fields__))
