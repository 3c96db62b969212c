"""What a root's files declared at the base, at the head and in between, and whether they were loosened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from intentls.core.branch.findings import BranchCode, BranchFinding, BranchRules, DeclaredRules, FindingLevel
from intentls.core.branch.loosening import dropped_rules, ignore_loosenings, policy_loosenings
from intentls.core.gate.policy import EmptyScope, Mode, Policy
from intentls.core.intents.intent import Intent
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.intents.scope import Scope, widened_by
from intentls.core.ledger.record_json import RecordJson
from intentls.core.patterns.protected_paths import INTENTS_FILE, POLICY_FILE
from intentls.engine.blame.record_history import last_changes
from intentls.engine.branch_check.branch_ledgers import BranchLedgers
from intentls.engine.branch_check.comparison import Comparison
from intentls.store.config.intents_parser import IntentsFile, parse_intents
from intentls.store.config.policy_parser import parse_policy
from intentls.store.git.commits import read_objects
from intentls.store.git.tree_snapshot import TreeSnapshot
from intentls.store.layout import IGNORE_NAME, ORCHESTRATION

_IGNORES = (f"{ORCHESTRATION}/{IGNORE_NAME}", IGNORE_NAME)


@dataclass(frozen=True, slots=True)
class DeclaredVersion:
    """One version of what people declare in a root."""

    intents: IntentsFile
    policy: Policy
    ignores: tuple[str, ...]
    raw_intents: bytes | None

    @property
    def declared(self) -> DeclaredRules:
        """For judging records; which policy says what an empty scope is, `branch_rules` decides."""
        return DeclaredRules(self.intents.intents, IgnoreRules.parse(self.ignores))


def read_declarations(snapshot: TreeSnapshot, prefix: str) -> DeclaredVersion:
    """What `snapshot` declares in the root at `prefix`."""
    contents = dict(snapshot.read_all(prefix + name for name in (INTENTS_FILE, POLICY_FILE, *_IGNORES)))
    raw = contents.get(prefix + INTENTS_FILE)
    policy = parse_policy(contents.get(prefix + POLICY_FILE)).policy
    ignores = (contents.get(prefix + name, b"").decode("utf-8", "surrogateescape") for name in _IGNORES)
    return DeclaredVersion(parse_intents(raw), policy, tuple(ignores), raw)


def branch_rules(
    comparison: Comparison, prefix: str, base: DeclaredVersion, head: DeclaredVersion, ledgers: BranchLedgers
) -> BranchRules:
    """What the records of a root are judged by."""
    path = prefix + INTENTS_FILE
    named = ((record, str(record.get("intent_id"))) for record in ledgers.records)
    vouched = _reopened(ledgers) | {intent_id for record, intent_id in named if _is_reasoned(record, intent_id)}
    oids = comparison.versions((path,)).get(path, [])
    contents = read_objects(comparison.top, oids)
    between = [_vouched_for(contents[oid], base, ledgers) for oid in reversed(oids) if oid in contents]
    denied = any(version.policy.empty_scope is EmptyScope.DENY for version in (base, head))
    versions = [replace(rules, empty_scope_denied=denied) for rules in (base.declared, head.declared, *between)]
    return BranchRules(versions[0], versions[1], tuple(versions[2:]), frozenset(vouched))


def _vouched_for(content: bytes, base: DeclaredVersion, ledgers: BranchLedgers) -> DeclaredRules:
    """What stood in the intents for a while, without what was put there by hand into intents that the base has."""
    file, owners, reopened = parse_intents(content), _owners(content, ledgers), _reopened(ledgers)
    intents: dict[str, Intent] = {}
    for intent_id, intent in file.intents.items():
        before = base.intents.intents.get(intent_id)
        if before is not None:
            allowed = [
                pattern
                for pattern in intent.scope.patterns
                if pattern in before.scope.patterns
                or _is_reasoned(_at(owners, _line_of(file, intent_id, pattern)), intent_id)
            ]
            # Nobody can give a reason for taking an exclusion out.
            kept = tuple(dict.fromkeys([*allowed, *(each for each in before.scope.patterns if each.startswith("!"))]))
            status = intent.status if intent_id in reopened else before.status
            intent = replace(intent, scope=Scope(kept) if allowed else before.scope, status=status)  # noqa: PLW2901
        intents[intent_id] = intent
    return DeclaredRules(intents)


def is_advisory(base: DeclaredVersion, head: DeclaredVersion) -> bool:
    """Whether policy says that nothing is refused: on both sides, so that no branch can say it for itself."""
    return base.policy.mode is Mode.ADVISE and head.policy.mode is Mode.ADVISE


def loosening_findings(
    prefix: str, base: DeclaredVersion, head: DeclaredVersion, ledgers: BranchLedgers
) -> Iterator[BranchFinding]:
    """What the branch made easier for itself."""
    path = prefix + INTENTS_FILE
    if not head.intents.valid or (base.intents.intents and not head.intents.intents):
        yield _invalid(path, head.intents)
        return
    owners = _owners(head.raw_intents or b"", ledgers)
    yield from _scopes(path, base, head, owners)
    yield from _statuses(path, base.intents, head.intents, owners)
    yield from _dropped(path, base.intents, head.intents)
    yield from _new_intents(path, base.intents, head.intents)
    for message in policy_loosenings(base.policy, head.policy):
        yield BranchFinding(BranchCode.POLICY_LOOSENED, prefix + POLICY_FILE, message)
    for loosening in ignore_loosenings(base.ignores, head.ignores):
        lines = () if loosening.line is None else ((loosening.line, loosening.line),)
        name = prefix + _IGNORES[loosening.file]
        yield BranchFinding(BranchCode.IGNORE_LOOSENED, name, loosening.message, lines=lines)


def _invalid(path: str, file: IntentsFile) -> BranchFinding:
    first = file.first_error
    if first is None:
        message = "The file is gone or declares no intents any more. Restore it: under nothing, nothing may be changed."
        return BranchFinding(BranchCode.CONFIGURATION_INVALID, path, message)
    line = first.span.start_line + 1
    message = f"{first.message.rstrip('.')}. With an error in it, the gate refuses every edit."
    return BranchFinding(BranchCode.CONFIGURATION_INVALID, path, message, lines=((line, line),))


def _scopes(
    path: str, base: DeclaredVersion, head: DeclaredVersion, owners: list[RecordJson | None]
) -> Iterator[BranchFinding]:
    was_nothing = base.policy.empty_scope is EmptyScope.DENY  # what no scope stands for
    for intent_id, intent in head.intents.intents.items():
        before = base.intents.intents.get(intent_id)
        patterns = () if before is None else widened_by(before.scope, intent.scope)
        if before is not None and before.scope.is_whole_workspace and was_nothing:
            patterns = tuple(glob.pattern for glob in intent.scope.included)
        for pattern in patterns:
            line = _line_of(head.intents, intent_id, pattern)
            owner = None if pattern.startswith("!") else _at(owners, line)
            if _is_reasoned(owner, intent_id):
                continue
            what = f"no longer leaves out {pattern[1:]}" if pattern.startswith("!") else f"now has {pattern}"
            yield BranchFinding(
                BranchCode.SCOPE_WIDENED,
                path,
                f"The scope of {intent_id} {what}, and no record gives a reason. Take it back, and expand the scope "
                "with intent.expandScope and a reason, or have a person approve it.",
                lines=((line, line),),
                intent_id=intent_id,
                record_ids=() if owner is None else (str(owner.get("id")),),
            )


def _is_reasoned(record: RecordJson | None, intent_id: str) -> bool:
    return (
        record is not None
        and record.get("success") is True
        and record.get("tool_name") == "expand_scope"
        and record.get("intent_id") == intent_id
        and bool(str(record.get("reason") or "").strip())
    )


def _owners(content: bytes, ledgers: BranchLedgers) -> list[RecordJson | None]:
    """By line of a version of the intents file, the record that wrote it, if a record of this branch did."""
    entries = ledgers.entries(INTENTS_FILE)
    changes = last_changes([file for _, file in entries], content)
    return [None if change is None else ledgers.record(entries[change][0]) for change in changes]


def _at(owners: list[RecordJson | None], line: int) -> RecordJson | None:
    return owners[line - 1] if line <= len(owners) else None


def _line_of(file: IntentsFile, intent_id: str, pattern: str) -> int:
    spans = file.spans[intent_id]
    patterns = file.intents[intent_id].scope.patterns
    if pattern in patterns and len(patterns) == len(spans.globs):
        return spans.globs[patterns.index(pattern)].start_line + 1
    return (spans.scope or spans.id).start_line + 1


def _statuses(
    path: str, base: IntentsFile, head: IntentsFile, owners: list[RecordJson | None]
) -> Iterator[BranchFinding]:
    """Intents that are gone, or open again by a line that no record of a status wrote."""
    for intent_id, before in base.intents.items():
        now = head.intents.get(intent_id)
        if now is None:
            message = f"{intent_id} is gone, and the ledger may cite it. Close it instead: status DONE or ABANDONED."
            yield BranchFinding(BranchCode.INTENT_REMOVED, path, message, intent_id=intent_id)
        elif now.is_open and not before.is_open:
            spans = head.spans[intent_id]
            line = (spans.status or spans.id).start_line + 1
            owner = _at(owners, line)
            if owner is not None and _sets_status(owner) and owner.get("intent_id") == intent_id:
                continue
            message = f"{intent_id} was {before.status} and is open again, which no record tells. Use intent.setStatus."
            yield BranchFinding(BranchCode.INTENT_REOPENED, path, message, lines=((line, line),), intent_id=intent_id)


def _reopened(ledgers: BranchLedgers) -> set[str]:
    """The intents whose status was set, on record."""
    return {str(record.get("intent_id")) for record in ledgers.records if _sets_status(record)}


def _sets_status(record: RecordJson) -> bool:
    return record.get("tool_name") == "set_status" and record.get("success") is True


def _dropped(path: str, base: IntentsFile, head: IntentsFile) -> Iterator[BranchFinding]:
    for intent_id, before in base.intents.items():
        now = head.intents.get(intent_id)
        for message in () if now is None else dropped_rules(before, now):
            line = head.spans[intent_id].id.start_line + 1
            advice = f"{message} Put it back, or decide that on a branch of its own."
            yield BranchFinding(BranchCode.RULE_DROPPED, path, advice, lines=((line, line),), intent_id=intent_id)


def _new_intents(path: str, base: IntentsFile, head: IntentsFile) -> Iterator[BranchFinding]:
    for intent_id, intent in head.intents.items():
        if intent_id not in base.intents:
            scope = ", ".join(intent.scope.patterns) or "everything"
            message = f"{intent_id} is new on this branch, and its scope is {scope}. Is that what people agreed on?"
            line = head.spans[intent_id].id.start_line + 1
            level = FindingLevel.WARNING
            yield BranchFinding(
                BranchCode.INTENT_NEW, path, message, lines=((line, line),), intent_id=intent_id, level=level
            )
