"""policy.yaml: bytes -> how strict this workspace is. A bad value is reported and the default holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Literal

from intentls.core.errors import InvalidGlob
from intentls.core.finding import Finding, Severity
from intentls.core.glob import Glob
from intentls.store.documents import compose
from intentls.store.nodes import MappingNode, Node, Problem, ScalarNode, SequenceNode
from intentls.store.schema import load_schema


class Mode(StrEnum):
    """Whether a refusal stops an edit or only warns."""

    ENFORCE = "enforce"
    ADVISE = "advise"


class Hitl(StrEnum):
    """Whether a person may be asked to override a refusal."""

    ASK = "ask"
    DENY = "deny"


class OnInvalid(StrEnum):
    """What happens to edits while the configuration has errors."""

    BLOCK = "block"
    ALLOW = "allow"


class OnTraceFailure(StrEnum):
    """What happens to further edits when the ledger can't be written."""

    WARN = "warn"
    BLOCK = "block"


class EmptyScope(StrEnum):
    """Whether an intent without globs may change everything or nothing."""

    ALLOW = "allow"
    DENY = "deny"


class Leases(StrEnum):
    """Whether another session's lease on a file warns or stops."""

    ADVISE = "advise"
    ENFORCE = "enforce"


class Shell(StrEnum):
    """What happens to what an agent's shell command changes outside the scope."""

    RECORD = "record"
    REVERT = "revert"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class ContextPolicy:
    """How much an agent gets back at checkout. A token counts as four bytes."""

    max_tokens: int = 4000
    recent_changes: int = 20


@dataclass(frozen=True, slots=True)
class LinterPolicy:
    """One linter. `command` is an argument vector (no shell) in which `{file}` stands for the saved file."""

    name: str
    files: tuple[Glob, ...]
    command: tuple[str, ...]
    format: Literal["sarif", "json", "text"] = "text"

    def handles(self, path: str) -> bool:
        """Whether the root-relative POSIX `path` is one of its files."""
        return any(glob.matches(path) for glob in self.files)


_RUFF = LinterPolicy("ruff", (Glob("**/*.py"),), ("ruff", "check", "--output-format", "sarif", "{file}"), "sarif")


@dataclass(frozen=True, slots=True)
class Policy:
    """Every key of policy.yaml, with its default."""

    mode: Mode = Mode.ENFORCE
    hitl: Hitl = Hitl.ASK
    hitl_timeout_s: int = 120
    on_invalid: OnInvalid = OnInvalid.BLOCK
    on_trace_failure: OnTraceFailure = OnTraceFailure.WARN
    require_base: bool = False
    empty_scope: EmptyScope = EmptyScope.ALLOW
    trace_on_save: bool = True
    shell: Shell = Shell.RECORD
    leases: Leases = Leases.ADVISE
    lease_ttl_s: int = 600
    context: ContextPolicy = field(default_factory=ContextPolicy)
    linters: tuple[LinterPolicy, ...] = (_RUFF,)


_DEFAULT = Policy()


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """The policy that holds, and what is wrong with the file."""

    policy: Policy
    findings: tuple[Finding, ...] = ()


def parse_policy(data: bytes | None) -> PolicyFile:
    """Read the file's bytes (None: there is no file). Never raises; see `findings`."""
    document = compose(data or b"")
    root = document.root
    if root is None:
        return PolicyFile(_DEFAULT, document.findings(document.problems))
    problems = [*document.problems, *load_schema("policy").problems(root), *_glob_problems(root)]
    policy = _policy(root.data, _bad_paths(root, problems)) if isinstance(root, MappingNode) else _DEFAULT
    return PolicyFile(policy, document.findings(problems))


def _bad_paths(root: MappingNode, problems: list[Problem]) -> set[tuple[str | int, ...]]:
    """The keys whose default holds, as `(key,)` or, for the parts of `context`, `("context", key)`."""
    bad: set[tuple[str | int, ...]] = set()
    for problem in problems:
        if problem.severity is not Severity.ERROR:
            continue
        if problem.path:
            bad.add(problem.path[: 2 if problem.path[0] == "context" else 1])
        else:
            bad.update((k.value,) for k, v in root.entries if k.start <= problem.start < max(k.end, v.end))
    return bad


def _policy(data: dict[str, Any], bad: set[tuple[str | int, ...]]) -> Policy:
    values: dict[str, Any] = {}
    for name in (key.name for key in fields(Policy)):
        if name in data and (name,) not in bad:
            values[name] = _value(name, data[name], bad)
    return Policy(**values)


def _value(name: str, data: Any, bad: set[tuple[str | int, ...]]) -> Any:
    if name == "linters":
        return tuple(_linter(entry) for entry in data)
    if name == "context":
        parts = [part.name for part in fields(ContextPolicy) if part.name in data]
        return ContextPolicy(**{part: data[part] for part in parts if ("context", part) not in bad})
    kind: type[Any] = type(getattr(_DEFAULT, name))  # a StrEnum, bool or int
    return kind(data)


def _linter(data: dict[str, Any]) -> LinterPolicy:
    files = tuple(Glob(pattern) for pattern in data["files"])
    return LinterPolicy(data["name"], files, tuple(data["command"]), data.get("format", "text"))


def _glob_problems(root: Node) -> Iterator[Problem]:
    """The bad patterns in `linters[*].files`; wrong types there are the schema's business."""
    linters = root.get("linters") if isinstance(root, MappingNode) else None
    for number, linter in enumerate(linters.items if isinstance(linters, SequenceNode) else ()):
        files = linter.get("files") if isinstance(linter, MappingNode) else None
        for item in files.items if isinstance(files, SequenceNode) else ():
            if isinstance(item, ScalarNode) and isinstance(item.data, str):
                try:
                    Glob(item.value)
                except InvalidGlob as error:
                    path = ("linters", number, "files")
                    yield Problem(item.start, item.end, "bad-glob", str(error), path=path)
