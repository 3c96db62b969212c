"""A file of intents, the list or one intent: bytes -> intents, where each stands, and what is wrong with the file."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from intentls.core.constraints.rules import Rule, parse_rule
from intentls.core.diagnostic import Diagnostic, Severity, Span
from intentls.core.errors import InvalidGlob
from intentls.core.hashing import content_hash
from intentls.core.intents.intent import Command, Intent, Status
from intentls.core.intents.ownership_index import OwnershipIndex
from intentls.core.intents.scope import Scope
from intentls.core.intents.scope_budget import MAX_ALTERNATIVES, MAX_WEIGHT, AlternativesBudget, find_excess
from intentls.core.patterns.protected_paths import INTENTS_FILE, is_single_intent_file
from intentls.store.config.conflict_markers import BOM, conflict_message, conflict_spans
from intentls.store.config.intents_file import IntentsFile as IntentsFile
from intentls.store.config.intents_file import IntentSpans as IntentSpans
from intentls.store.yaml.document import YamlDocument, collector_paused, compose
from intentls.store.yaml.nodes import MAX_PROBLEMS, MappingNode, Node, ScalarNode, SequenceNode, YamlProblem
from intentls.store.yaml.schema import load_schema


def parse_intents(data: bytes | None, path: str = INTENTS_FILE) -> IntentsFile:
    """Read the bytes (None: there is no file) of the file at root-relative `path`. Never raises; see `diagnostics`.

    Of a file with git's conflict markers nothing is read: they are its diagnostics.
    """
    data = data or b""
    conflicts = conflict_spans(data)
    if conflicts:
        return _conflicted(data, path, conflicts)
    with collector_paused():
        document = compose(data)
        reader = _IntentReader(document, is_single=is_single_intent_file(path))
        reader.read()
    return IntentsFile(
        intents=OwnershipIndex(reader.intents),
        diagnostics=document.diagnostics(reader.problems),
        content_hash=content_hash(data),
        spans=MappingProxyType(reader.spans),
        text=document.text,
        bom=document.bom,
        path=path,
        weight=document.weight,
        alternatives=reader.budget.used,
    )


def intent_entries(root: Node | None, *, is_single: bool = False) -> list[Node]:
    """The intents of a document, whatever they are: the items of `active_intents`, or the document itself."""
    if is_single:
        return [] if root is None else [root]
    listed = root.get("active_intents") if isinstance(root, MappingNode) else None
    return listed.items if isinstance(listed, SequenceNode) else []


def _conflicted(data: bytes, path: str, conflicts: tuple[Span, ...]) -> IntentsFile:
    code = "merge-conflict"
    return IntentsFile(
        intents=OwnershipIndex({}),
        diagnostics=tuple(Diagnostic(span, Severity.ERROR, code, conflict_message(span)) for span in conflicts),
        content_hash=content_hash(data),
        spans=MappingProxyType({}),
        text=data.removeprefix(BOM).decode("utf-8", "replace"),
        bom=BOM if data.startswith(BOM) else b"",
        path=path,
    )


class _IntentReader:
    """Collects intents, spans and problems of one document."""

    def __init__(self, document: YamlDocument, *, is_single: bool) -> None:
        self.document = document
        self.is_single = is_single
        self.intents: dict[str, Intent] = {}
        self.spans: dict[str, IntentSpans] = {}
        self.problems = list(document.problems)
        self._ids: dict[str, ScalarNode] = {}
        self._scopes: dict[str, tuple[Scope, Node]] = {}
        self.budget = AlternativesBudget()
        self._is_overdrawn = False

    def read(self) -> None:
        """Judge the whole document, then read entry by entry."""
        root = self.document.root
        if root is None or (self.is_single and root.data is None):
            if self.is_single and not self.problems:
                message = "this file declares no intent yet: write its id, such as `id: INT-007`"
                self.problems.append(YamlProblem(0, 0, "empty-file", message, Severity.WARNING))
            return
        self.problems += load_schema("intent" if self.is_single else "active_intents").problems(root)
        errors = [problem for problem in self.problems if problem.severity is Severity.ERROR]
        broken = {problem.path[1] for problem in errors if len(problem.path) > 1}
        offsets = sorted(problem.start for problem in errors)
        for index, node in enumerate(intent_entries(root, is_single=self.is_single)):
            if isinstance(node, MappingNode):
                inside = bisect_left(offsets, node.start) != bisect_left(offsets, node.end)
                sound = not errors if self.is_single else index not in broken and not inside
                self._entry(node, sound=sound)
        self._check_weight()

    def _entry(self, node: MappingNode, sound: bool) -> None:
        identity = node.get("id")
        if not isinstance(identity, ScalarNode) or not isinstance(identity.data, str):
            return
        first = self._ids.setdefault(identity.data, identity)
        if first is not identity:
            line = self.document.lines.position(first.start)[0] + 1
            message = f"the id {identity.data} is already taken on line {line}; give this intent another one"
            self._report(identity, "duplicate-id", message)
            return
        self.spans[identity.data] = self._spans(node, identity)
        scope = self._scope(node)
        if scope is not None:
            self._scopes[identity.data] = (scope, node.get("owned_scope") or identity)
        rules = self._constraints(node) if sound else None
        if scope is not None and rules is not None:
            intent = _intent(node.data, scope, rules)
            self.intents[intent.id] = intent
            self._check_breadth(intent, node, identity)

    def _spans(self, node: MappingNode, identity: ScalarNode) -> IntentSpans:
        scope = node.get("owned_scope")
        globs = scope.items if isinstance(scope, SequenceNode) else []
        return IntentSpans(
            whole=self.document.span(node),
            id=self.document.span(identity),
            scope=self._value_span(node, "owned_scope"),
            globs=tuple(self.document.span(item) for item in globs),
            status=self._value_span(node, "status"),
        )

    def _value_span(self, node: MappingNode, name: str) -> Span | None:
        """Where the value of `name` stands; an absent value is shown at its key."""
        entry = node.entry(name)
        if entry is None:
            return None
        key, value = entry
        return self.document.span(key if value.start == value.end else value)

    def _scope(self, node: MappingNode) -> Scope | None:
        """The scope; None (and a problem at each bad pattern) if it can't be read."""
        listed = node.get("owned_scope")
        items = listed.items if isinstance(listed, SequenceNode) else []
        globs = [item for item in items if isinstance(item, ScalarNode) and isinstance(item.data, str)]
        if listed is not None and not self._affords(listed, [glob.value for glob in globs]):
            return None
        try:
            return _scope_of(tuple(glob.value for glob in globs))
        except InvalidGlob:
            self._report_bad_globs(globs)
            return None

    def _constraints(self, node: MappingNode) -> tuple[str | Rule, ...] | None:
        """The constraints, which the schema accepts; None (and a problem at each) if a rule's glob can't be read."""
        listed = node.get("constraints")
        constraints: list[str | Rule] = []
        sound = True
        for item in listed.items if isinstance(listed, SequenceNode) else []:
            glob = item.data.get("requires_change_in") if isinstance(item, MappingNode) else None
            if isinstance(glob, str) and not self._affords(item, [glob]):
                return None
            try:
                constraints.append(parse_rule(item.data) if isinstance(item, MappingNode) else str(item.data).strip())
            except InvalidGlob as error:
                self._report(item, "bad-glob", str(error))
                sound = False
        return tuple(constraints) if sound else None

    def _affords(self, node: Node, patterns: list[str]) -> bool:
        """Whether the file's patterns are few enough, with these; else a problem here, once, and no more are read."""
        if not self._is_overdrawn and not self.budget.covers(patterns):
            self._is_overdrawn = True
            message = (
                f"all patterns of this file together stand for more than {MAX_ALTERNATIVES:,}, from here on. Write `*`"
                " for braces, or remove the intents that are finished."
            )
            self._report(node, "too-many-patterns", message)
        return not self._is_overdrawn

    def _check_weight(self) -> None:
        excess = find_excess({intent_id: scope for intent_id, (scope, _) in self._scopes.items()})
        if excess is not None:
            where = excess.directory or "the root"
            message = (
                f"the scopes for {where} are too much for a quick decision ({excess.weight:,} of {MAX_WEIGHT:,}), and"
                f" that of {excess.intent_id} most. Write fewer patterns, or ones that begin with other directories."
            )
            self._report(self._scopes[excess.intent_id][1], "slow-scopes", message)

    def _report_bad_globs(self, globs: list[ScalarNode]) -> None:
        for glob in globs:
            try:
                Scope.parse([glob.value])
            except InvalidGlob as error:
                self._report(glob, "bad-glob", str(error))
            if len(self.problems) > MAX_PROBLEMS:
                return  # more are not shown, and each costs time

    def _check_breadth(self, intent: Intent, node: MappingNode, identity: ScalarNode) -> None:
        if not intent.is_open:
            return
        key, scope = node.entry("owned_scope") or (identity, identity)
        marked = key if scope.start == scope.end else scope
        if intent.scope.is_whole_workspace:
            message = f"{intent.id} has no owned_scope: it may change the whole workspace. List its globs."
            self._report(marked, "empty-scope", message, Severity.WARNING)
        elif all(pattern.startswith("!") for pattern in intent.scope.patterns):
            message = f"{intent.id} only excludes files: nothing is in its scope. Add a glob without !."
            self._report(marked, "empty-scope", message, Severity.WARNING)

    def _report(self, node: Node, code: str, message: str, severity: Severity = Severity.ERROR) -> None:
        self.problems.append(YamlProblem(node.start, node.end, code, message, severity))


def _intent(data: Mapping[str, Any], scope: Scope, constraints: tuple[str | Rule, ...]) -> Intent:
    """An entry that the schema accepts. White space around free texts (a block scalar ends in one) goes."""
    return Intent(
        id=data["id"],
        name=(data.get("name") or "").strip(),
        status=Status(data.get("status") or Status.PENDING),
        description=(data.get("description") or "").strip(),
        scope=scope,
        constraints=constraints,
        acceptance_criteria=tuple(map(_criterion, data.get("acceptance_criteria") or ())),
        agent=data.get("agent"),
        branch=data.get("branch"),
    )


@lru_cache(maxsize=20_000)
def _scope_of(patterns: tuple[str, ...]) -> Scope:
    """Parsing globs is half the cost of a large file, and most stay as they are when the file changes."""
    return Scope.parse(patterns)


def _criterion(item: str | dict[str, str]) -> str | Command:
    return item.strip() if isinstance(item, str) else Command(item["run"].strip())
