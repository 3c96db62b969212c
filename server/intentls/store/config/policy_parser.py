"""policy.yaml: bytes -> how strict this workspace is. A bad value is reported and the default holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from intentls.core.diagnostic import Severity
from intentls.core.errors import InvalidGlob
from intentls.core.gate.policy import (
    DEFAULT,
    Confine,
    ContextPolicy,
    LinterPolicy,
    Policy,
    PolicyFile,
    RunMode,
    RunPolicy,
)
from intentls.core.intents.scope_budget import MAX_WEIGHT
from intentls.core.patterns.glob import Glob
from intentls.late_module import LateModule
from intentls.store.yaml.document import compose
from intentls.store.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode, YamlProblem
from intentls.store.yaml.schema import load_schema

if TYPE_CHECKING:
    from intentls.core.gate import database_address
else:
    database_address = LateModule("intentls.core.gate.database_address")  # few policies name a database

_PARTED = frozenset({"context", "run"})
_RUN: dict[str, Callable[[Any], Any]] = {"mode": RunMode, "confine": Confine, "writable": tuple, "max_changes": int}


def parse_policy(data: bytes | None) -> PolicyFile:
    """Read the file's bytes (None: there is no file). Never raises; see `diagnostics`."""
    if not data:
        return PolicyFile(DEFAULT)
    document = compose(data)
    root = document.root
    if root is None:
        return PolicyFile(DEFAULT, document.diagnostics(document.problems))
    if isinstance(root, MappingNode):
        _read_words(root)
    problems = [
        *document.problems,
        *load_schema("policy").problems(root),
        *_glob_problems(root),
        *_address_problems(root),
    ]
    policy = _policy(root.data, _bad_paths(root, problems)) if isinstance(root, MappingNode) else DEFAULT
    return PolicyFile(policy, document.diagnostics(problems))


def _read_words(root: MappingNode) -> None:
    """Take a plain `off` for the word where a key has it among its words, though YAML 1.1 reads it as false."""
    for key, node in root.entries:
        words = type(getattr(DEFAULT, key.value, None))
        if isinstance(node, ScalarNode) and not node.style and issubclass(words, StrEnum) and node.value in set(words):
            node.data = root.data[key.value] = node.value


def _bad_paths(root: MappingNode, problems: list[YamlProblem]) -> set[tuple[str | int, ...]]:
    """The keys whose default holds, as `(key,)` or, for those that have parts, `("context", key)`."""
    bad: set[tuple[str | int, ...]] = set()
    for problem in problems:
        if problem.severity is not Severity.ERROR:
            continue
        if problem.path:
            bad.add(problem.path[: 2 if problem.path[0] in _PARTED else 1])
        else:
            bad.update((k.value,) for k, v in root.entries if k.start <= problem.start < max(k.end, v.end))
    return bad


def _policy(data: dict[str, Any], bad: set[tuple[str | int, ...]]) -> Policy:
    values: dict[str, Any] = {}
    for name in Policy.__struct_fields__:
        if name in data and (name,) not in bad:
            values[name] = _value(name, data[name], bad)
    return Policy(**values)


def _value(name: str, data: Any, bad: set[tuple[str | int, ...]]) -> Any:
    if name == "linters":
        return tuple(_linter(entry) for entry in data)
    if name == "protected":
        return tuple(Glob(pattern) for pattern in data)
    if name in ("attest_authors", "safe_tools", "signed_by"):
        return tuple(data)
    if name == "context":
        parts = [part for part in ContextPolicy.__struct_fields__ if part in data]
        return ContextPolicy(**{part: data[part] for part in parts if ("context", part) not in bad})
    if name == "run":
        values = {part: read(data[part]) for part, read in _RUN.items() if part in data and ("run", part) not in bad}
        return RunPolicy(**values)
    kind: type[Any] = type(getattr(DEFAULT, name))  # a StrEnum, bool or int
    return kind(data)


def _linter(data: dict[str, Any]) -> LinterPolicy:
    files = tuple(Glob(pattern) for pattern in data["files"])
    return LinterPolicy(data["name"], files, tuple(data["command"]), data.get("format", "text"))


def _glob_problems(root: Node) -> Iterator[YamlProblem]:
    """The bad patterns in `protected` and `linters[*].files`; wrong types there are the schema's business."""
    weight = 0
    for path, item in _pattern_nodes(root):
        try:
            weight += sum(map(len, Glob(item.value).sources))
        except InvalidGlob as error:
            yield YamlProblem(item.start, item.end, "bad-glob", str(error), path=path)
        if weight > MAX_WEIGHT:
            message = "from here on the patterns of this file are too much to match; write fewer"
            yield YamlProblem(item.start, item.end, "slow-scopes", message, path=path)
            return


def _address_problems(root: Node) -> Iterator[YamlProblem]:
    """A bad address of a database, or one with its secret, which is not for a file that is in git."""
    node = root.get("coordination") if isinstance(root, MappingNode) else None
    if not isinstance(node, ScalarNode) or not isinstance(node.data, str) or node.data == "files":
        return
    try:
        if not database_address.has_password(node.data):
            return
        message = "an address here is without its password: put that into INTENTLS_COORDINATION or ~/.pgpass"
    except database_address.InvalidAddress as error:
        message = f"{error}, or files"
    yield YamlProblem(node.start, node.end, "bad-address", message, path=("coordination",))


def _pattern_nodes(root: Node) -> Iterator[tuple[tuple[str | int, ...], ScalarNode]]:
    """Each pattern with the path of its list."""
    if not isinstance(root, MappingNode):
        return
    linters = root.get("linters")
    lists: list[tuple[tuple[str | int, ...], Node | None]] = [(("protected",), root.get("protected"))]
    for number, linter in enumerate(linters.items if isinstance(linters, SequenceNode) else ()):
        lists.append((("linters", number, "files"), linter.get("files") if isinstance(linter, MappingNode) else None))
    for path, patterns in lists:
        for item in patterns.items if isinstance(patterns, SequenceNode) else ():
            if isinstance(item, ScalarNode) and isinstance(item.data, str):
                yield path, item
