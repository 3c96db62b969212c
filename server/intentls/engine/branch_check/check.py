"""`intentls check --base`: every root of a repository, judged one by one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from intentls.core.branch.findings import BranchCode, BranchFinding, BranchRules, FindingLevel, overridden_codes
from intentls.core.constraints.check import Breach, ChangeSet, FileEdit, find_breaches
from intentls.core.intents.intent import names_of
from intentls.core.patterns.protected_paths import INTENTS_FILE, LEDGER_FILE
from intentls.engine.branch_check.branch_ledgers import BranchLedgers, open_ledgers
from intentls.engine.branch_check.comparison import ChangedPath, Comparison, ComparisonRequest, compare
from intentls.engine.branch_check.coverage import Coverage
from intentls.engine.branch_check.declarations import branch_rules, is_advisory, loosening_findings, read_declarations
from intentls.engine.branch_check.kept_files import KeptFiles, is_kept
from intentls.store.git.tree_snapshot import TreeSnapshot

_MARKS = (INTENTS_FILE, LEDGER_FILE)

_MISSING = frozenset({BranchCode.UNCOVERED_CHANGE, BranchCode.CONTENT_MISMATCH})


@dataclass(frozen=True, slots=True)
class BranchReport:
    """What was found. `roots` are those that were judged, by path from the top (`.` is the top); `files` the changes
    below them. `notes` are sentences about what was not judged.
    """

    top: Path
    base: str | None
    head: str
    roots: tuple[str, ...]
    files: int
    findings: tuple[BranchFinding, ...]
    notes: tuple[str, ...] = ()

    @property
    def errors(self) -> int:
        """How many findings fail the check."""
        return sum(finding.level is FindingLevel.ERROR for finding in self.findings)

    @property
    def warnings(self) -> int:
        """How many do not."""
        return len(self.findings) - self.errors


def check_branch(start: Path, request: ComparisonRequest) -> BranchReport:
    """Judge what is requested, in the repository that has `start`. Changes and records nothing.

    Raises ConfigurationError where git can't answer, and LedgerUnavailable where an archive can't be read.
    """
    comparison = compare(start, request)
    old, new = _roots(comparison.base), _roots(comparison.head)
    only = None if request.only is None else _prefix(comparison.top, request.only)
    changes = comparison.changed()
    findings: list[BranchFinding] = list(_root_changes(old, new, only))
    notes: list[str] = []
    files = 0
    judged = sorted(prefix for prefix in new if only in (None, prefix))
    for prefix in judged:
        mine = [change for change in changes if _governing(change.path, new | old) == prefix]
        if prefix not in old and _governing(prefix + "x", old) is None:
            notes.append(f"{prefix or './'} was begun on this branch: what changed below it is judged from now on.")
            continue
        files += len(mine)
        of_root = list(_root(comparison, prefix, mine, request.lenient))
        findings += of_root
        if request.staged and any(finding.code in _MISSING for finding in of_root) and _is_behind(comparison, prefix):
            notes.append(
                f"{prefix}{LEDGER_FILE} has changes that are not staged: `git add {prefix}{LEDGER_FILE}` may help."
            )
    return BranchReport(
        comparison.top,
        comparison.base_id,
        comparison.head_name,
        tuple(prefix.removesuffix("/") or "." for prefix in judged),
        files,
        tuple(sorted(findings, key=lambda finding: (finding.path, finding.lines, finding.code))),
        tuple(notes),
    )


def _root(
    comparison: Comparison, prefix: str, changes: Sequence[ChangedPath], lenient: frozenset[BranchCode]
) -> Iterator[BranchFinding]:
    base, head = read_declarations(comparison.base, prefix), read_declarations(comparison.head, prefix)
    with tempfile.TemporaryDirectory(prefix="intentls-check-") as directory:
        ledgers = open_ledgers(comparison.base, comparison.head, prefix, Path(directory))
        rules = branch_rules(comparison, prefix, base, head, ledgers)
        findings = list(ledgers.findings)
        if comparison.joined is None:  # what a merge brings in was judged where it was made
            findings += loosening_findings(prefix, base, head, ledgers)
        names = names_of({**base.intents.intents, **head.intents.intents})
        kept = [change for change in changes if is_kept(change.path.removeprefix(prefix))]
        findings += KeptFiles(comparison, prefix, ledgers, names).findings(kept)
        ordinary = [change for change in changes if not is_kept(change.path.removeprefix(prefix))]
        findings += Coverage(comparison, prefix, ledgers, rules).findings(ordinary)
        findings += constraint_findings(comparison, prefix, ledgers, rules, ordinary)
    advisory = is_advisory(base, head)
    for finding in findings:
        is_warning = advisory or finding.code in lenient
        yield replace(finding, level=FindingLevel.WARNING) if is_warning else finding


def _root_changes(old: set[str], new: set[str], only: str | None) -> Iterator[BranchFinding]:
    for prefix in sorted(old - new):
        if only in (None, prefix):
            message = "The root is gone: nothing governs these files any more. Restore its intents and its ledger."
            yield BranchFinding(BranchCode.ROOT_CHANGED, prefix + INTENTS_FILE, message)
    for prefix in sorted(new - old):
        above = _governing(prefix.removesuffix("/"), old)
        if above is not None and only in (None, prefix):
            message = (
                f"A root of its own begins inside {above or './'}, so the intents there no longer govern these files. "
                "Somebody who may decide that has to say so."
            )
            yield BranchFinding(BranchCode.ROOT_CHANGED, prefix + INTENTS_FILE, message)


def _is_behind(comparison: Comparison, prefix: str) -> bool:
    """Whether the ledger on the disk is not the one that is judged."""
    try:
        return (comparison.top / prefix / LEDGER_FILE).read_bytes() != comparison.head.read(prefix + LEDGER_FILE)
    except OSError:
        return False


def _roots(snapshot: TreeSnapshot) -> set[str]:
    """What the paths below each root begin with: "" at the top. A ledger with records makes a root as well."""
    found: set[str] = set()
    for path in snapshot.entries:
        for mark in _MARKS:
            if path == mark or path.endswith("/" + mark):
                found.add(path.removesuffix(mark))
    return found


def _governing(path: str, prefixes: Iterable[str]) -> str | None:
    fitting = [prefix for prefix in prefixes if path.startswith(prefix)]
    return max(fitting, key=len, default=None)


def _prefix(top: Path, root: Path) -> str:
    inner = root.relative_to(top).as_posix() if root.is_relative_to(top) else f"{root}"
    return "" if inner == "." else f"{inner}/"


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
