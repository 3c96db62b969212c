"""Does a branch keep to the rules of the intents that it cites? Each is judged by all that was changed under it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from intentls.core.branch.findings import BranchCode, BranchFinding, BranchRules, waived_codes
from intentls.core.constraints.check import Breach, ChangeSet, FileEdit, find_breaches
from intentls.core.constraints.rules import Rule
from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.engine.branch_check.branch_ledgers import BranchLedgers
from intentls.engine.branch_check.comparison import ChangedPath, Comparison


def constraint_findings(
    comparison: Comparison, prefix: str, book: BranchLedgers, law: BranchRules, changes: Sequence[ChangedPath]
) -> Iterator[BranchFinding]:
    """What breaks a rule, of the base or of the head: a rule that a branch takes out still holds for it.

    A file counts for an intent if one of the branch's records says that it was changed under it; not if a person let
    a constraint pass for it.
    """
    for intent_id, paths in _by_intent(prefix, book, changes).items():
        rules = _rules(law, intent_id)
        if not rules:
            continue
        before, after = dict(comparison.base.read_all(paths)), dict(comparison.head.read_all(paths))
        files = tuple(FileEdit(path.removeprefix(prefix), before.get(path), after.get(path)) for path in paths)
        for found in find_breaches(rules, ChangeSet(files, whole=True)):
            yield _finding(prefix, intent_id, found)


def _by_intent(prefix: str, book: BranchLedgers, changes: Sequence[ChangedPath]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for change in changes:
        records = [book.record(number) for number, _ in book.entries(change.path.removeprefix(prefix))]
        if any(BranchCode.CONSTRAINT_VIOLATION in waived_codes(record) for record in records):
            continue
        for intent_id in dict.fromkeys(str(record.get("intent_id")) for record in records):
            found.setdefault(intent_id, []).append(change.path)
    return found


def _rules(law: BranchRules, intent_id: str) -> tuple[Rule, ...]:
    declared = [each.intents[intent_id] for each in (law.base, law.head) if intent_id in each.intents]
    return tuple(dict.fromkeys(rule for intent in declared for rule in intent.rules))


def _finding(prefix: str, intent_id: str, found: Breach) -> BranchFinding:
    path = INTENTS_FILE if found.path is None else found.path
    return BranchFinding(
        BranchCode.CONSTRAINT_VIOLATION,
        prefix + path,
        f"Against a constraint of {intent_id} ({found.rule}): {found.message}.",
        lines=() if found.line is None else ((found.line, found.line),),
        intent_id=intent_id,
    )
