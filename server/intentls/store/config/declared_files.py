"""The declared files of a root, parsed or out of the cache; and the form in which the cache keeps each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, Protocol, TypeVar

from msgspec.structs import astuple

from intentls.core.constraints.rules import Rule, parse_rule, written
from intentls.core.diagnostic import Diagnostic, Severity, Span
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
from intentls.core.hashing import content_hash
from intentls.core.intents.intent import Command, Intent, Status
from intentls.core.intents.ownership_index import OwnershipIndex
from intentls.core.intents.scope import Scope
from intentls.core.patterns.glob import Glob
from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.store.config.declared_intents import DeclaredIntents, join
from intentls.store.config.intents_file import IntentsFile
from intentls.store.config.parse_cache import ParseCache
from intentls.store.layout import Layout

V = TypeVar("V")

_BOM = b"\xef\xbb\xbf"
_NAMES = Policy.__struct_fields__


class DeclaredFiles:
    """The one reader of a root's intents and policy.

    `trust_cache`: to use what an earlier process parsed, as long as the files are the same. Never where something is
    recorded.
    """

    def __init__(self, layout: Layout, *, trust_cache: bool) -> None:
        self._layout = layout
        self._trusted = trust_cache
        self.intents = ParseCache(
            (layout.intents,),
            layout.known / "intents.json",
            parse_intents,
            _packed_intents,
            _unpacked_intents,
            trusted=trust_cache,
        ).read
        self.policy = ParseCache(
            (layout.policy,),
            layout.known / "policy.json",
            parse_policy,
            _packed_policy,
            _unpacked_policy,
            trusted=trust_cache,
        ).read
        self._known: Mapping[str, IntentsFile] = {}

    def all_intents(self, listed: bytes | None, contents: Mapping[str, bytes]) -> DeclaredIntents:
        """What the list and the files of single intents, by path, declare together. Never raises."""
        file = self.intents(listed)
        if not contents:
            return join({INTENTS_FILE: file})
        names = [path.rpartition("/")[2] for path in contents]
        cache = ParseCache(
            [self._layout.intents_folder / name for name in names],
            self._layout.known / "intents-folder.json",
            lambda _: _parsers()[2](file, contents, self._known),
            _packed_folder,
            lambda packed, _: _unpacked_folder(packed, file, contents),
            trusted=self._trusted,
        )
        # What the files are together depends on the list, too.
        hashes = [f"{path} {content_hash(data)}" for path, data in contents.items()]
        declared = cache.read("\n".join([file.content_hash, *hashes]).encode())
        self._known = declared.files
        return declared


def parse_intents(data: bytes | None, path: str = INTENTS_FILE) -> IntentsFile:
    """The intents that the bytes of a file of intents declare, by default of the list. Never raises."""
    return _parsers()[0](data, path)


def parse_all_intents(contents: Mapping[str, bytes]) -> DeclaredIntents:
    """What files of intents, by root-relative path, declare together. Never raises."""
    others = {path: data for path, data in contents.items() if path != INTENTS_FILE}
    listed = parse_intents(contents.get(INTENTS_FILE))
    return _parsers()[2](listed, others, {}) if others else join({INTENTS_FILE: listed})


def parse_policy(data: bytes | None) -> PolicyFile:
    """The policy that the file's bytes declare; the default for a missing or empty file. Never raises."""
    if not data:
        return PolicyFile(DEFAULT)
    return _parsers()[1](data)


class _IntentsParser(Protocol):
    def __call__(self, data: bytes | None, path: str = INTENTS_FILE) -> IntentsFile: ...


_FolderParser = Callable[[IntentsFile, Mapping[str, bytes], Mapping[str, IntentsFile]], DeclaredIntents]


def _parsers() -> tuple[_IntentsParser, Callable[[bytes | None], PolicyFile], _FolderParser]:
    # YAML and schemas take long to import; a hook finds all files in the cache.
    from intentls.store.config import intents_folder, intents_parser, policy_parser

    return intents_parser.parse_intents, policy_parser.parse_policy, intents_folder.parse_folder


class _LazyMapping(Mapping[str, V], Generic[V]):
    """A mapping whose values are made when they are asked for: of 10,000 intents a hook needs one."""

    def __init__(self, names: Mapping[str, Any], make: Callable[[str], V]) -> None:
        self._names = names
        self._make = make
        self._values: dict[str, V] = {}

    def __getitem__(self, name: str) -> V:
        if name not in self._values:
            if name not in self._names:
                raise KeyError(name)
            self._values[name] = self._make(name)
        return self._values[name]

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
                [{"run": c.line} if isinstance(c, Command) else c for c in intent.acceptance_criteria],
            ),
            *(intent.agent, intent.branch),
        )
        for intent in file.intents.values()
    ]
    diagnostics = [(astuple(f.span), f.severity, f.code, f.message, f.data) for f in file.diagnostics]
    return declared, diagnostics, file.weight, file.alternatives


def _unpacked_intents(packed: Any, data: bytes, path: str = INTENTS_FILE) -> IntentsFile:
    declared, diagnostics, weight, alternatives = packed
    rows = {row[0]: row for row in declared}
    return IntentsFile(
        intents=OwnershipIndex(
            _LazyMapping(rows, lambda intent_id: _intent(rows[intent_id])),
            lambda: ((row[0], row[4]) for row in declared),
        ),
        diagnostics=tuple(map(_diagnostic, diagnostics)),
        content_hash=content_hash(data),
        spans=_LazyMapping(rows, lambda intent_id: _parsers()[0](data, path).spans[intent_id]),
        text=data.removeprefix(_BOM).decode("utf-8"),
        bom=_BOM if data.startswith(_BOM) else b"",
        path=path,
        weight=weight,
        alternatives=alternatives,
    )


def _packed_folder(declared: DeclaredIntents) -> Any:
    files = [file for path, file in declared.files.items() if path != INTENTS_FILE]
    packed = [_packed_intents(file) for file in files]
    return None if not declared.valid or None in packed else packed


def _unpacked_folder(packed: Any, listed: IntentsFile, contents: Mapping[str, bytes]) -> DeclaredIntents:
    files = {INTENTS_FILE: listed}
    for (path, data), one in zip(contents.items(), packed, strict=True):
        files[path] = _unpacked_intents(one, data, path)
    return join(files)


def _intent(row: Any) -> Intent:
    id_, name, status, description, patterns, constraints, criteria, agent, branch = row
    return Intent(
        id=id_,
        name=name,
        status=Status(status),
        description=description,
        scope=Scope.parse(patterns),
        constraints=tuple(map(_rule, constraints)),
        acceptance_criteria=tuple(c if isinstance(c, str) else Command(c["run"]) for c in criteria),
        agent=agent,
        branch=branch,
    )


def _diagnostic(row: Any) -> Diagnostic:
    span, severity, code, message, data = row
    return Diagnostic(Span(*span), Severity(severity), code, message, data=data)


def _packed_rule(rule: str | Rule) -> Any:
    if isinstance(rule, str):
        return rule
    return written(rule)


def _rule(packed: Any) -> str | Rule:
    if isinstance(packed, str):
        return packed
    return parse_rule(packed)


def _packed_policy(file: PolicyFile) -> Any:
    if file.diagnostics:
        return None
    policy = file.policy
    values = {name: getattr(policy, name) for name in _NAMES}
    values["context"] = (policy.context.max_tokens, policy.context.recent_changes)
    values["run"] = (policy.run.mode, policy.run.confine, policy.run.writable, policy.run.max_changes)
    values["protected"] = [glob.pattern for glob in policy.protected]
    values["linters"] = [
        (linter.name, [glob.pattern for glob in linter.files], linter.command, linter.format)
        for linter in policy.linters
    ]
    return values


def _unpacked_policy(packed: Any, _data: bytes) -> PolicyFile:
    return PolicyFile(Policy(**{name: _value(name, packed[name]) for name in _NAMES}))


def _value(name: str, packed: Any) -> Any:
    if name == "context":
        return ContextPolicy(*packed)
    if name == "run":
        mode, confine, writable, max_changes = packed
        return RunPolicy(RunMode(mode), Confine(confine), tuple(writable), max_changes)
    if name == "linters":
        return tuple(map(_linter, packed))
    if name == "protected":
        return tuple(map(Glob, packed))
    kind: type[Any] = type(getattr(DEFAULT, name))  # a StrEnum, bool or int
    return kind(packed)


def _linter(row: Any) -> LinterPolicy:
    name, patterns, command, form = row
    return LinterPolicy(name, tuple(map(Glob, patterns)), tuple(command), form)
