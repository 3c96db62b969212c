"""Which changes of a branch break a constraint of their intent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from intentls.core.branch.findings import BranchCode, BranchFinding, BranchRules, overridden_codes
from intentls.core.constraints.check import Breach, ChangeSet, FileEdit, find_breaches
from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.engine.branch_check.branch_ledgers import BranchLedgers
from intentls.engine.branch_check.comparison import ChangedPath, Comparison


def constraint_findings(
    comparison: Comparison, prefix: str, ledgers: BranchLedgers, rules: BranchRules, changes: Sequence[ChangedPath]
) -> Iterator[BranchFinding]:
    """What breaks a rule, of the base or of the head: a rule that a branch takes out still holds for it.

    A file counts for an intent if one of the branch's records says that it was changed under it; not if a person let
    a constraint pass for it.
    """
    for intent_id, paths in _paths_by_intent(prefix, ledgers, changes).items():
        declared = [version.intents[intent_id] for version in (rules.base, rules.head) if intent_id in version.intents]
        constraints = tuple(dict.fromkeys(rule for intent in declared for rule in intent.rules))
        if not constraints:
            continue
        before, after = dict(comparison.base.read_all(paths)), dict(comparison.head.read_all(paths))
        files = tuple(FileEdit(path.removeprefix(prefix), before.get(path), after.get(path)) for path in paths)
        for breach in find_breaches(constraints, ChangeSet(files, whole=True)):
            yield _finding(prefix, intent_id, breach)


def _paths_by_intent(prefix: str, ledgers: BranchLedgers, changes: Sequence[ChangedPath]) -> dict[str, list[str]]:
    by_intent: dict[str, list[str]] = {}
    for change in changes:
        records = [ledgers.record(ref) for ref, _ in ledgers.entries(change.path.removeprefix(prefix))]
        if any(BranchCode.CONSTRAINT_VIOLATION in overridden_codes(record) for record in records):
            continue
        for intent_id in dict.fromkeys(str(record.get("intent_id")) for record in records):
            by_intent.setdefault(intent_id, []).append(change.path)
    return by_intent


def _finding(prefix: str, intent_id: str, breach: Breach) -> BranchFinding:
    path = INTENTS_FILE if breach.path is None else breach.path
    return BranchFinding(
        BranchCode.CONSTRAINT_VIOLATION,
        prefix + path,
        f"Against a constraint of {intent_id} ({breach.rule}): {breach.message}.",
        lines=() if breach.line is None else ((breach.line, breach.line),),
        intent_id=intent_id,
    )
