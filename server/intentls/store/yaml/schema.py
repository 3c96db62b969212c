"""A document against one of the shipped JSON Schemas: what is wrong, where, and what to write instead."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from jsonschema_rs import Draft202012Validator, ValidationError, ValidationErrorKind

import intentls
from intentls.core.diagnostic import Severity
from intentls.core.errors import shorten
from intentls.store.yaml.nodes import MAX_PROBLEMS, MappingNode, Node, ScalarNode, SequenceNode, YamlProblem

_TYPE_NAMES: Final = {
    "string": "text",
    "array": "a list",
    "object": "a mapping",
    "boolean": "true or false",
    "integer": "a whole number",
}
_Path = tuple[str | int, ...]
_SCHEMAS: Final = Path(intentls.__file__).parent / "schemas"  # `importlib.resources` loads `zipfile` for it
_PATTERNS: Final = {r"\S": "must not be blank", r"^[^\r\n]+$": "must be one line, and not empty"}
_DECISIVE: Final = (ValidationErrorKind.Type, ValidationErrorKind.AdditionalProperties)


class Schema:
    """One of the schemas in `intentls/schemas`, ready to judge documents."""

    def __init__(self, name: str) -> None:
        self.definition = _definition(name)
        self._validator = Draft202012Validator(self.definition)

    def problems(self, root: Node) -> list[YamlProblem]:
        """Errors for what the schema refuses, hints for keys it does not know; at most MAX_PROBLEMS each."""
        problems: dict[_Path, YamlProblem] = {}
        for error in islice(self._validator.iter_errors(root.data), MAX_PROBLEMS):
            path = tuple(error.instance_path)
            # A wrong type, or a key of no meaning, makes what other keywords say about the same value pointless.
            if path not in problems or isinstance(error.kind, _DECISIVE):
                problems[path] = _describe(error, root, path, self.at(path) or {})
        return [*problems.values(), *islice(self._unknown_keys(root, self.definition), MAX_PROBLEMS)]

    def at(self, path: Iterable[str | int]) -> dict[str, Any] | None:
        """What the schema says of the value at `path`; None if it says nothing."""
        schema: dict[str, Any] | None = self.definition
        for step in path:
            if schema is None:
                return None
            schema = schema.get("items") if isinstance(step, int) else schema.get("properties", {}).get(step)
            schema = self._resolve(schema)
        return schema

    def _resolve(self, schema: dict[str, Any] | None) -> dict[str, Any] | None:
        if schema is None or "$ref" not in schema:
            return schema
        definition: dict[str, Any] = self.definition["$defs"][schema["$ref"].rpartition("/")[2]]
        return definition

    def _unknown_keys(self, node: Node, schema: dict[str, Any]) -> Iterator[YamlProblem]:
        schema = self._resolve(schema) or schema
        if isinstance(node, MappingNode) and "properties" in schema:
            properties = schema["properties"]
            for key, value in node.entries:
                if key.value in properties:
                    yield from self._unknown_keys(value, properties[key.value])
                elif schema.get("additionalProperties", True):
                    yield _unknown_key(key, list(properties))
        elif isinstance(node, SequenceNode) and "items" in schema:
            for item in node.items:
                yield from self._unknown_keys(item, schema["items"])


def _definition(name: str) -> dict[str, Any]:
    """The shipped schema; one that is a part of another is that part, with what the other defines."""
    text = (_SCHEMAS / f"{name}.schema.json").read_text("utf-8")
    definition: dict[str, Any] = json.loads(text)
    whole, _, part = definition.get("$ref", "").partition(".schema.json#/$defs/")
    if not part:
        return definition
    shared = _definition(whole)["$defs"]
    return {**shared[part], "$defs": shared}


@cache
def load_schema(name: str) -> Schema:
    """The schema `name` (without `.schema.json`), read once."""
    return Schema(name)


def _unknown_key(key: ScalarNode, properties: list[str]) -> YamlProblem:
    close = difflib.get_close_matches(key.value[:100], properties, n=1)
    advice = f"did you mean `{close[0]}`?" if close else "It is kept, but nothing reads it."
    message = f"unknown key `{shorten(key.value)}`. {advice}"
    data = {"key": key.value, "suggestion": close[0]} if close else {"key": key.value}
    return YamlProblem(key.start, key.end, "unknown-key", message, Severity.HINT, data=data)


def _locate(root: Node, path: _Path) -> tuple[Node, ScalarNode | None]:
    """The node at `path`, and the key that it is the value of."""
    node, key = root, None
    for step in path:
        if isinstance(node, SequenceNode):
            key, node = None, node.items[int(step)]
        else:
            assert isinstance(node, MappingNode)
            key, node = next(entry for entry in node.entries if entry[0].value == step)
    return node, key


def _describe(error: ValidationError, root: Node, path: _Path, schema: dict[str, Any]) -> YamlProblem:
    node, key = _locate(root, path)
    kind = error.kind
    subject = _subject(path)
    if isinstance(kind, ValidationErrorKind.Required):
        first = node.entries[0][0] if isinstance(node, MappingNode) and node.entries else node
        message = f"{subject} has no `{kind.property}`; add one"
        return YamlProblem(first.start, first.end, "missing-key", message, path=path)
    marked = key if key is not None and node.start == node.end else node
    if isinstance(kind, ValidationErrorKind.Type):
        code, message = "wrong-type", _wrong_type(subject, kind.types, node)
    elif isinstance(kind, ValidationErrorKind.AdditionalProperties):
        code, message = "wrong-type", f"{subject} {_foreign_key(kind.unexpected[0], schema)}"
    else:
        code, message = "bad-value", f"{subject} {_bad_value(kind, node)}"
    return YamlProblem(marked.start, marked.end, code, message, path=path)


def _subject(path: _Path) -> str:
    """How a message names the value at `path`."""
    if not path:
        return "the file"
    last = path[-1]
    if isinstance(last, str):
        return f"`{last}`"
    return f"item {last + 1} of {_subject(path[:-1])}"


def _wrong_type(subject: str, types: list[str], node: Node) -> str:
    type_name = next(name for name in types if name != "null")
    clause = f"{subject} must be {_TYPE_NAMES[type_name]}, not {_kind_of(node)}"
    return f"{clause}. {_type_advice(type_name, node)}".rstrip()


def _kind_of(node: Node) -> str:
    if isinstance(node, MappingNode):
        return "a mapping"
    if isinstance(node, SequenceNode):
        return "a list"
    if node.data is None:
        return "empty"
    if isinstance(node.data, str):
        return "text"
    if isinstance(node.data, bool):
        return "true or false"
    written = shorten(node.value, 40)
    return f"{written}, which YAML may read as {'true or false' if written[0].isalpha() else 'a number'}"


def _type_advice(type_name: str, node: Node) -> str:
    if type_name == "string":
        if isinstance(node, ScalarNode) and node.value:
            return f'Put it in quotes: "{shorten(node.value, 40)}".'
        return "Put the text in quotes if it contains ': '." if isinstance(node, MappingNode) else ""
    if type_name == "array":
        text = shorten(node.value, 40).strip() if isinstance(node, ScalarNode) else ""
        return f'Write a list: ["{text}"].' if text else "Write a list: []."
    if type_name == "boolean":
        return "Write true or false, without quotes."
    return "Write it as digits, without quotes." if type_name == "integer" else ""


def _foreign_key(key: str, schema: dict[str, Any]) -> str:
    allowed = ", ".join(schema.get("properties", {}))
    text = " Put a text with ': ' in quotes." if "string" in schema.get("type", ()) else ""
    return f"can't have `{shorten(key, 40)}`. It can have {allowed}.{text}"


def _bad_value(kind: ValidationErrorKind, node: Node) -> str:
    if isinstance(kind, ValidationErrorKind.Enum):
        allowed = ", ".join(str(option) for option in kind.options if option is not None)
        written = shorten(node.value, 40) if isinstance(node, ScalarNode) else "this"
        return f"can't be {written!r}. Write one of {allowed}."
    if isinstance(kind, ValidationErrorKind.Minimum):
        return f"must be at least {kind.limit}"
    if isinstance(kind, ValidationErrorKind.Maximum):
        return f"must be at most {kind.limit}"
    if isinstance(kind, ValidationErrorKind.MaxProperties):
        return f"must have {kind.limit} key only; write several items"
    if isinstance(kind, ValidationErrorKind.Pattern) and kind.pattern in _PATTERNS:
        return _PATTERNS[kind.pattern]
    # minLength, minItems and the pattern of an id: the schemas use no other keyword
    return "must not be empty or contain white space" if node.data else "must not be empty"
