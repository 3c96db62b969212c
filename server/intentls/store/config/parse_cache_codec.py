"""What is kept of each declared file, and how it becomes again what its parser would have made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import astuple, fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from intentls.core.gate.policy import DEFAULT, ContextPolicy, LinterPolicy, Policy, PolicyFile
from intentls.core.hashing import content_hash
from intentls.core.intents.intent import Command, Intent, Status
from intentls.core.intents.ownership_index import OwnershipIndex
from intentls.core.intents.scope import Scope
from intentls.core.patterns.glob import Glob
from intentls.store.config.intents_file import IntentsFile
from intentls.store.config.parse_cache import ParseCache
from intentls.store.layout import Layout

if TYPE_CHECKING:
    from intentls.core.constraints.rules import Rule
    from intentls.core.diagnostic import Diagnostic

V = TypeVar("V")

_BOM = b"\xef\xbb\xbf"
_NAMES = tuple(field.name for field in fields(Policy))


def known_intents(
    layout: Layout, parse: Callable[[bytes | None], IntentsFile], *, believes: bool
) -> ParseCache[IntentsFile]:
    """The intents of a root; `parse` reads them where they are not known or, without `believes`, always."""

    def unpack(packed: Any, data: bytes) -> IntentsFile:
        declared, diagnostics = packed
        rows = {row[0]: row for row in declared}
        return IntentsFile(
            intents=OwnershipIndex(
                _LazyMapping(rows, lambda intent_id: _intent(rows[intent_id])),
                lambda: ((row[0], row[4]) for row in declared),
            ),
            diagnostics=tuple(map(_diagnostic, diagnostics)),
            content_hash=content_hash(data),
            spans=_LazyMapping(rows, lambda intent_id: parse(data).spans[intent_id]),
            text=data.removeprefix(_BOM).decode("utf-8"),
            bom=_BOM if data.startswith(_BOM) else b"",
        )

    return ParseCache(layout.intents, layout.known / "intents.json", parse, _packed_intents, unpack, believes=believes)


def known_policy(
    layout: Layout, parse: Callable[[bytes | None], PolicyFile], *, believes: bool
) -> ParseCache[PolicyFile]:
    """The policy of a root; `parse` as for `known_intents`."""
    return ParseCache(layout.policy, layout.known / "policy.json", parse, _packed_policy, _policy, believes=believes)


class _LazyMapping(Mapping[str, V], Generic[V]):
    """A mapping whose values are made when they are asked for: of 10,000 intents a hook needs one."""

    def __init__(self, names: Mapping[str, Any], make: Callable[[str], V]) -> None:
        self._names = names
        self._make = make
        self._made: dict[str, V] = {}

    def __getitem__(self, name: str) -> V:
        if name not in self._made:
            if name not in self._names:
                raise KeyError(name)
            self._made[name] = self._make(name)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _packed_intents(file: IntentsFile) -> Any:
    if not file.valid or any(diagnostic.related for diagnostic in file.diagnostics):
        return None
    declared = [
        (
            *(intent.id, intent.name, intent.status.value, intent.description, intent.scope.patterns),
            *(
                [_packed_rule(rule) for rule in intent.constraints],
                [_packed(one) for one in intent.acceptance_criteria],
            ),
            intent.agent,
        )
        for intent in file.intents.values()
    ]
    return declared, [(astuple(f.span), f.severity, f.code, f.message, f.data) for f in file.diagnostics]


def _intent(row: Any) -> Intent:
    id_, name, status, description, patterns, constraints, criteria, agent = row
    return Intent(
        id=id_,
        name=name,
        status=Status(status),
        description=description,
        scope=Scope.parse(patterns),
        constraints=tuple(map(_rule, constraints)),
        acceptance_criteria=tuple(one if isinstance(one, str) else Command(one["run"]) for one in criteria),
        agent=agent,
    )


def _diagnostic(row: Any) -> Diagnostic:
    from intentls.core.diagnostic import Diagnostic, Severity, Span

    span, severity, code, message, data = row
    return Diagnostic(Span(*span), Severity(severity), code, message, data=data)


def _packed(criterion: str | Command) -> Any:
    return criterion if isinstance(criterion, str) else {"run": criterion.line}


def _packed_rule(rule: str | Rule) -> Any:
    if isinstance(rule, str):
        return rule
    from intentls.core.constraints.rules import written

    return written(rule)


def _rule(packed: Any) -> str | Rule:
    if isinstance(packed, str):
        return packed
    from intentls.core.constraints.rules import parse_rule

    return parse_rule(packed)


def _packed_policy(file: PolicyFile) -> Any:
    if file.diagnostics:
        return None
    policy = file.policy
    values = {name: getattr(policy, name) for name in _NAMES}
    values["context"] = (policy.context.max_tokens, policy.context.recent_changes)
    values["linters"] = [
        (each.name, [glob.pattern for glob in each.files], each.command, each.format) for each in policy.linters
    ]
    return values


def _policy(packed: Any, data: bytes) -> PolicyFile:  # noqa: ARG001  what `Known` passes
    return PolicyFile(Policy(**{name: _value(name, packed[name]) for name in _NAMES}))


def _value(name: str, packed: Any) -> Any:
    if name == "context":
        return ContextPolicy(*packed)
    if name == "linters":
        return tuple(map(_linter, packed))
    kind: type[Any] = type(getattr(DEFAULT, name))  # a StrEnum, bool or int
    return kind(packed)


def _linter(row: Any) -> LinterPolicy:
    name, patterns, command, form = row
    return LinterPolicy(name, tuple(map(Glob, patterns)), tuple(command), form)
