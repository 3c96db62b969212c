"""What a root's files declared at the base, at the head and in between, and whether they were loosened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.branch.findings import BranchCode, BranchFinding, BranchRules, DeclaredRules, FindingLevel
from intentls.core.branch.loosening import dropped_rules, ignore_loosenings, policy_loosenings
from intentls.core.gate.policy import EmptyScope, Mode, Policy
from intentls.core.intents.intent import Intent, Status
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.intents.scope import Scope, widened_by
from intentls.core.ledger.record_json import RecordJson
from intentls.core.patterns.protected_paths import INTENTS_FILE, POLICY_FILE, is_intents_file
from intentls.engine.blame.record_history import last_changes
from intentls.engine.branch_check.attested_declarations import AttestedDeclarations, DeclaredLine, accepted
from intentls.engine.branch_check.branch_ledgers import BranchLedgers, Entry
from intentls.engine.branch_check.comparison import Comparison
from intentls.store.config.declared_files import parse_all_intents, parse_policy
from intentls.store.config.declared_intents import DeclaredIntents
from intentls.store.git.commits import read_objects
from intentls.store.git.tree_snapshot import TreeSnapshot
from intentls.store.layout import IGNORE_NAME, ORCHESTRATION

_IGNORES = (f"{ORCHESTRATION}/{IGNORE_NAME}", IGNORE_NAME)
DECLARED = (INTENTS_FILE, POLICY_FILE, *_IGNORES, ".gitattributes")
"""What is read of each root, by path from it; its folder of intents may have more."""


class DeclaredVersion(Struct, frozen=True):
    """One version of what people declare in a root."""

    intents: DeclaredIntents
    policy: Policy
    ignores: tuple[str, ...]

    @property
    def declared(self) -> DeclaredRules:
        """For judging records; which policy says what an empty scope is, `branch_rules` decides."""
        return DeclaredRules(self.intents.intents, IgnoreRules.parse(self.ignores))


def read_declarations(snapshot: TreeSnapshot, prefix: str) -> DeclaredVersion:
    """What `snapshot` declares in the root at `prefix`."""
    files = sorted(path for path in snapshot.entries if _declares_intents(path, prefix))
    contents = dict(snapshot.read_all([*files, *(prefix + name for name in (POLICY_FILE, *_IGNORES))]))
    policy = parse_policy(contents.get(prefix + POLICY_FILE)).policy
    ignores = (contents.get(prefix + name, b"").decode("utf-8", "surrogateescape") for name in _IGNORES)
    intents = {path.removeprefix(prefix): contents[path] for path in files if path in contents}
    return DeclaredVersion(parse_all_intents(intents), policy, tuple(ignores))


def _declares_intents(path: str, prefix: str) -> bool:
    return path.startswith(prefix) and is_intents_file(path.removeprefix(prefix))


_Late = Callable[[str], list[Entry]]
"""The records of a file that the base has already, though the file came later."""


class DeclaredLineOwners:
    """The records of this branch, and late ones, that wrote lines of files of intents; each file is looked at once."""

    def __init__(self, declared: DeclaredIntents, ledgers: BranchLedgers, late: _Late) -> None:
        self._declared = declared
        self._ledgers = ledgers
        self._late = late
        self._known: dict[str, list[RecordJson | None]] = {}

    def at(self, path: str, line: int) -> RecordJson | None:
        """The record that wrote a line of the file at root-relative `path`, if a record of this branch did."""
        if path not in self._known:
            file = self._declared.files[path]
            entries = [*self._late(path), *self._ledgers.entries(path)]
            changes = last_changes([entry for _, entry in entries], file.encode(file.text))
            records = [None if change is None else self._ledgers.record(entries[change][0]) for change in changes]
            self._known[path] = records
        records = self._known[path]
        return records[line - 1] if line <= len(records) else None

    def of_glob(self, intent_id: str, pattern: str) -> DeclaredLine | None:
        """The line of `pattern` in the scope of `intent_id`, if it has one to itself."""
        path, lines = self._declared.paths[intent_id], _glob_lines(self._declared, intent_id)
        patterns = self._declared.intents[intent_id].scope.patterns
        if pattern not in patterns or len(set(lines)) != len(patterns):
            return None
        return DeclaredLine(path, self.at(path, lines[patterns.index(pattern)]))

    def of_status(self, intent_id: str) -> DeclaredLine | None:
        """The line of the status of `intent_id`, if it is written."""
        path = self._declared.paths[intent_id]
        span = self._declared.files[path].spans[intent_id].status
        return None if span is None else DeclaredLine(path, self.at(path, span.start_line + 1))


def intents_between(
    comparison: Comparison, prefix: str, base: DeclaredVersion, head: DeclaredVersion
) -> list[tuple[str, bytes]]:
    """The contents that commits of the branch made of files of intents, with their root-relative paths."""
    paths = tuple(prefix + path for path in dict.fromkeys([*base.intents.files, *head.intents.files]))
    versions_of = comparison.versions(paths)
    contents = read_objects(comparison.top, (oid for oids in versions_of.values() for oid in oids))
    return [
        (path.removeprefix(prefix), contents[oid])
        for path in paths
        for oid in reversed(versions_of.get(path, []))
        if oid in contents
    ]


def branch_rules(
    base: DeclaredVersion,
    head: DeclaredVersion,
    between: Iterable[tuple[str, bytes]],
    ledgers: BranchLedgers,
    attested: AttestedDeclarations,
) -> BranchRules:
    """What the records of a root are judged by; `between` as `intents_between` gives it."""
    named = ((record, str(record.get("intent_id"))) for record in ledgers.records)
    vouched = _reopened(ledgers) | {intent_id for record, intent_id in named if _is_reasoned(record, intent_id)}
    rules = [_vouched_for({path: data}, base, ledgers, attested) for path, data in between]
    rules.append(_before_closing(base, head, ledgers))
    denied = any(version.policy.empty_scope is EmptyScope.DENY for version in (base, head))
    versions = [replace(each, empty_scope_denied=denied) for each in (base.declared, head.declared, *rules)]
    return BranchRules(versions[0], versions[1], tuple(versions[2:]), frozenset(vouched))


def _vouched_for(
    version: Mapping[str, bytes], base: DeclaredVersion, ledgers: BranchLedgers, attested: AttestedDeclarations
) -> DeclaredRules:
    """What a file of intents said for a while, without what was put there by hand into intents that the base has."""
    declared, reopened = parse_all_intents(version), _reopened(ledgers)
    owners = DeclaredLineOwners(declared, ledgers, lambda _: [])
    intents: dict[str, Intent] = {}
    for intent_id, intent in declared.intents.items():
        before = base.intents.intents.get(intent_id)
        if before is not None:
            allowed = [
                pattern
                for pattern in intent.scope.patterns
                if pattern in before.scope.patterns
                or attested.widening(intent_id, pattern, owners.of_glob(intent_id, pattern)) is not None
                or _is_reasoned(owners.at(declared.paths[intent_id], _line_of(declared, intent_id, pattern)), intent_id)
            ]
            # Nobody can give a reason for taking an exclusion out.
            kept = tuple(dict.fromkeys([*allowed, *(each for each in before.scope.patterns if each.startswith("!"))]))
            is_attested = attested.reopening(intent_id, owners.of_status(intent_id)) is not None
            is_status_known = intent_id in reopened or is_attested
            status = intent.status if is_status_known else before.status
            intent = replace(intent, scope=Scope(kept) if allowed else before.scope, status=status)  # noqa: PLW2901
        intents[intent_id] = intent
    return DeclaredRules(intents)


def _before_closing(base: DeclaredVersion, head: DeclaredVersion, ledgers: BranchLedgers) -> DeclaredRules:
    """The intents that were declared and closed on this branch, as they were while they were open.

    A squash, or one commit at the end, keeps no version of the file in which they are open; a record of their status
    says that they were.
    """
    closed_here = _reopened(ledgers) | {
        str(record.get("intent_id"))
        for record in ledgers.records
        if record.get("tool_name") == "accept_intent" and record.get("success") is True
    }
    return DeclaredRules(
        {
            intent.id: replace(intent, status=Status.IN_PROGRESS)
            for intent in head.intents.intents.values()
            if not intent.is_open and intent.id in closed_here and intent.id not in base.intents.intents
        }
    )


def is_advisory(base: DeclaredVersion, head: DeclaredVersion) -> bool:
    """Whether policy says that nothing is refused: on both sides, so that no branch can say it for itself."""
    return base.policy.mode is Mode.ADVISE and head.policy.mode is Mode.ADVISE


class Loosenings(Struct, frozen=True):
    """What the branch made easier for itself in the root at `prefix`. In files of intents, what a person attested is a
    warning.
    """

    prefix: str
    base: DeclaredVersion
    head: DeclaredVersion
    owners: DeclaredLineOwners
    attested: AttestedDeclarations

    def findings(self) -> Iterator[BranchFinding]:
        """All of it, or that the files of intents can't be read any more."""
        base, head = self.base, self.head
        if not head.intents.valid or (base.intents.intents and not head.intents.intents):
            yield _invalid(self.prefix, head.intents)
            return
        yield from self._scopes()
        yield from self._statuses()
        yield from self._dropped()
        yield from _new_intents(self.prefix, base.intents, head.intents)
        for message in policy_loosenings(base.policy, head.policy):
            yield BranchFinding(BranchCode.POLICY_LOOSENED, self.prefix + POLICY_FILE, message)
        for loosening in ignore_loosenings(base.ignores, head.ignores):
            lines = () if loosening.line is None else ((loosening.line, loosening.line),)
            name = self.prefix + _IGNORES[loosening.file]
            yield BranchFinding(BranchCode.IGNORE_LOOSENED, name, loosening.message, lines=lines)

    def _scopes(self) -> Iterator[BranchFinding]:
        was_nothing = self.base.policy.empty_scope is EmptyScope.DENY  # what no scope stands for
        for intent_id, intent in self.head.intents.intents.items():
            before = self.base.intents.intents.get(intent_id)
            patterns = () if before is None else widened_by(before.scope, intent.scope)
            if before is not None and before.scope.is_whole_workspace and was_nothing:
                patterns = tuple(glob.pattern for glob in intent.scope.included)
            for pattern in patterns:
                line = _line_of(self.head.intents, intent_id, pattern)
                path = self.head.intents.paths[intent_id]
                owner = None if pattern.startswith("!") else self.owners.at(path, line)
                if _is_reasoned(owner, intent_id):
                    continue
                how = f"no longer leaves out {pattern[1:]}" if pattern.startswith("!") else f"now has {pattern}"
                what = f"The scope of {intent_id} {how}"
                finding = BranchFinding(
                    BranchCode.SCOPE_WIDENED,
                    self.prefix + path,
                    f"{what}, and no record gives a reason. Take it back, and expand the scope with `intentls expand` "
                    "and a reason, or attest it: `intentls attest`.",
                    lines=((line, line),),
                    intent_id=intent_id,
                    record_ids=() if owner is None else (str(owner.get("id")),),
                )
                yield accepted(
                    finding, what, self.attested.widening(intent_id, pattern, self.owners.of_glob(intent_id, pattern))
                )

    def _statuses(self) -> Iterator[BranchFinding]:
        """Intents that are gone, or open again by a line that no record of a status wrote."""
        base, head = self.base.intents, self.head.intents
        for intent_id, before in base.intents.items():
            now = head.intents.get(intent_id)
            if now is None:
                message = (
                    f"{intent_id} is gone, and the ledger may cite it. Close it instead: status DONE or ABANDONED."
                )
                yield BranchFinding(
                    BranchCode.INTENT_REMOVED, self.prefix + base.paths[intent_id], message, intent_id=intent_id
                )
            elif now.is_open and not before.is_open:
                path = head.paths[intent_id]
                spans = head.files[path].spans[intent_id]
                line = (spans.status or spans.id).start_line + 1
                owner = self.owners.at(path, line)
                if owner is not None and _sets_status(owner) and owner.get("intent_id") == intent_id:
                    continue
                what = f"{intent_id} was {before.status} and is open again"
                message = f"{what}, which no record tells. Use `intentls set-status`, or attest it: `intentls attest`."
                lines = ((line, line),)
                finding = BranchFinding(
                    BranchCode.INTENT_REOPENED, self.prefix + path, message, lines=lines, intent_id=intent_id
                )
                yield accepted(finding, what, self.attested.reopening(intent_id, self.owners.of_status(intent_id)))

    def _dropped(self) -> Iterator[BranchFinding]:
        base, head = self.base.intents, self.head.intents
        for intent_id, before in base.intents.items():
            now = head.intents.get(intent_id)
            for message in () if now is None else dropped_rules(before, now):
                path, line = _place(head, intent_id)
                advice = f"{message} Put it back, or attest it: `intentls attest`."
                lines = ((line, line),)
                finding = BranchFinding(
                    BranchCode.RULE_DROPPED, self.prefix + path, advice, lines=lines, intent_id=intent_id
                )
                yield accepted(finding, message.rstrip("."), self.attested.drop(intent_id, message))


def _invalid(prefix: str, declared: DeclaredIntents) -> BranchFinding:
    first = declared.first_error
    if first is None:
        message = "The file is gone or declares no intents any more. Restore it: under nothing, nothing may be changed."
        return BranchFinding(BranchCode.CONFIGURATION_INVALID, prefix + INTENTS_FILE, message)
    path, error = first
    line = error.span.start_line + 1
    message = f"{error.message.rstrip('.')}. With an error in it, the gate refuses every edit."
    return BranchFinding(BranchCode.CONFIGURATION_INVALID, prefix + path, message, lines=((line, line),))


def _is_reasoned(record: RecordJson | None, intent_id: str) -> bool:
    return (
        record is not None
        and record.get("success") is True
        and record.get("tool_name") == "expand_scope"
        and record.get("intent_id") == intent_id
        and bool(str(record.get("reason") or "").strip())
    )


def _line_of(declared: DeclaredIntents, intent_id: str, pattern: str) -> int:
    patterns, lines = declared.intents[intent_id].scope.patterns, _glob_lines(declared, intent_id)
    if pattern in patterns and len(patterns) == len(lines):
        return lines[patterns.index(pattern)]
    spans = declared.files[declared.paths[intent_id]].spans[intent_id]
    return (spans.scope or spans.id).start_line + 1


def _glob_lines(declared: DeclaredIntents, intent_id: str) -> list[int]:
    """Where the items of the scope of `intent_id` begin, in order, from 1."""
    spans = declared.files[declared.paths[intent_id]].spans[intent_id]
    return [span.start_line + 1 for span in spans.globs]


def _reopened(ledgers: BranchLedgers) -> set[str]:
    """The intents whose status was set, on record."""
    return {str(record.get("intent_id")) for record in ledgers.records if _sets_status(record)}


def _sets_status(record: RecordJson) -> bool:
    return record.get("tool_name") == "set_status" and record.get("success") is True


def _new_intents(prefix: str, base: DeclaredIntents, head: DeclaredIntents) -> Iterator[BranchFinding]:
    for intent_id, intent in head.intents.items():
        if intent_id not in base.intents:
            scope = ", ".join(intent.scope.patterns) or "everything"
            message = f"{intent_id} is new on this branch, and its scope is {scope}. Is that what people agreed on?"
            path, line = _place(head, intent_id)
            level = FindingLevel.WARNING
            yield BranchFinding(
                BranchCode.INTENT_NEW, prefix + path, message, lines=((line, line),), intent_id=intent_id, level=level
            )


def _place(declared: DeclaredIntents, intent_id: str) -> tuple[str, int]:
    """The file that declares an intent, and the line of its id."""
    path = declared.paths[intent_id]
    return path, declared.files[path].spans[intent_id].id.start_line + 1
