"""A report from its facts. Nothing is looked up, and nothing depends on a clock: the same facts make the same report.

facts     root `.` with INT-001 and two records: Ada wrote 6 lines of a.py, and was refused b.py
          b.py was changed by hand, 2 lines; the check found UNCOVERED_CHANGE there
report    errors 1, lines 8, explained 6, percent 75
          coverage     INT-001 6, unexplained 2
          outside      SCOPE_VIOLATION of b.py by Ada
          unexplained  b.py
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from intentls.core.branch.findings import BranchCode, FindingLevel
from intentls.core.intents.intent import Command, Intent
from intentls.core.ledger.record_json import UNTRACKED, RecordJson, objects, text_of
from intentls.core.report.content import (
    AuthorReport,
    CriterionState,
    IntentReport,
    LineKind,
    Report,
    Verdict,
)
from intentls.core.report.facts import ReportFacts, RootFacts
from intentls.core.report.happenings import approvals, attempts, decisions
from intentls.core.report.records import (
    Kind,
    approver_of,
    contributors_of,
    intent_of,
    is_change,
    kind_of,
    name_of,
    overrides_of,
    timestamp_of,
    who_of,
)
from intentls.core.report.shares import (
    OwnedGroup,
    class_reports,
    explained_lines,
    file_report,
    in_order,
    line_shares,
    owned,
    percent,
)
from intentls.core.report.timeline import timeline

UNEXPLAINED = frozenset({BranchCode.UNCOVERED_CHANGE, BranchCode.CONTENT_MISMATCH})
LOOSENED = frozenset(
    {BranchCode.SCOPE_WIDENED, BranchCode.INTENT_REOPENED, BranchCode.INTENT_REMOVED, BranchCode.RULE_DROPPED}
    | {BranchCode.POLICY_LOOSENED, BranchCode.IGNORE_LOOSENED, BranchCode.ROOT_CHANGED}
)
_COMMITTED = "committed"
_ACCEPTED = "accept_intent"
_LANES = (Kind.CHANGED, _COMMITTED, Kind.REFUSED, Kind.LET_PASS, Kind.ATTESTED, Kind.DECIDED)


def make_report(facts: ReportFacts) -> Report:
    """The report of these facts."""
    findings = Counter(finding.path for finding in facts.findings)
    open_paths = {finding.path for finding in facts.findings if finding.code in UNEXPLAINED}
    groups = {file.path: owned(file, is_unexplained=file.path in open_paths) for file in facts.files}
    files = [file_report(file, groups[file.path], findings[file.path]) for file in facts.files]
    all_groups = list(chain.from_iterable(groups.values()))
    coverage = line_shares(all_groups)
    lines = sum(share.lines for share in coverage)
    records = [record for root in facts.roots for record in root.records]
    tried = [attempts(root.root, root.records) for root in facts.roots]
    happenings = [(kind_of(record).value, timestamp_of(record)) for record in records]
    happenings = [one for one in happenings if one[0] != Kind.OTHER]
    errors = sum(finding.level is FindingLevel.ERROR for finding in facts.findings)
    return Report(
        facts.subject,
        _verdict(facts, errors),
        errors,
        len(facts.findings) - errors,
        len(records),
        lines,
        explained_lines(coverage),
        percent(explained_lines(coverage), lines),
        facts.own_files,
        coverage,
        tuple(_intents(facts, all_groups)),
        _authors(records, all_groups),
        _approvers(records),
        facts.attestations,
        tuple(chain.from_iterable(outside for outside, _ in tried)),
        tuple(chain.from_iterable(others for _, others in tried)),
        tuple(chain.from_iterable(approvals(root.root, root.records) for root in facts.roots)),
        tuple(finding for finding in facts.findings if finding.code in UNEXPLAINED),
        tuple(finding for finding in facts.findings if finding.code in LOOSENED),
        tuple(finding for finding in facts.findings if finding.code not in UNEXPLAINED | LOOSENED),
        tuple(chain.from_iterable(decisions(root.root, root.records) for root in facts.roots)),
        class_reports(records, all_groups),
        timeline([*happenings, *((_COMMITTED, one.timestamp) for one in facts.commits)], map(str, _LANES)),
        in_order(files),
        facts.commits,
        facts.notes,
    )


def _verdict(facts: ReportFacts, errors: int) -> Verdict:
    if facts.subject.kind == "intent":
        return Verdict.UNJUDGED
    if not facts.roots and not facts.findings:
        return Verdict.UNGOVERNED
    if errors:
        return Verdict.ERRORS
    return Verdict.WARNINGS if facts.findings else Verdict.CLEAN


def _intents(facts: ReportFacts, groups: Iterable[OwnedGroup]) -> Iterator[IntentReport]:
    """Each intent that something is under, most lines first."""
    lines: Counter[tuple[str, str]] = Counter()
    files: Counter[tuple[str, str]] = Counter()
    for group in groups:
        if group.intent_id is not None:
            lines[group.root, group.intent_id] += group.lines
    for file in facts.files:
        for intent_id in {intent_of(group.record) for group in file.groups if group.record is not None}:
            files[file.root, intent_id] += 1
    reports = []
    for root in facts.roots:
        by_intent: dict[str, list[RecordJson]] = {}
        for record in root.records:
            by_intent.setdefault(intent_of(record), []).append(record)
        ids = {*by_intent, *(intent_id for of_root, intent_id in lines if of_root == root.root)} - {UNTRACKED}
        if facts.subject.kind == "intent":
            ids |= set(root.intents)  # also where nothing was done under it yet
        for intent_id in ids:
            key = (root.root, intent_id)
            reports.append(_intent(root, intent_id, by_intent.get(intent_id, []), lines[key], files[key]))
    yield from sorted(reports, key=lambda one: (-one.lines, one.root, one.intent_id))


def _intent(root: RootFacts, intent_id: str, records: Sequence[RecordJson], lines: int, files: int) -> IntentReport:
    intent = root.intents.get(intent_id)
    changes = [record for record in records if is_change(record)]
    return IntentReport(
        root.root,
        intent_id,
        "" if intent is None else intent.name,
        None if intent is None else intent.status.value,
        lines,
        files,
        len(changes),
        sum(kind_of(record) is Kind.REFUSED for record in records),
        tuple(dict.fromkeys(name_of(one) for record in changes for one in contributors_of(record))),
        _approvers(records),
        () if intent is None else intent.scope.patterns,
        () if intent is None else tuple(map(str, intent.constraints)),
        () if intent is None else tuple(_criteria(intent, _acceptance(records))),
    )


def _acceptance(records: Iterable[RecordJson]) -> RecordJson | None:
    """The newest record of an acceptance, of an intent's own."""
    accepted = [record for record in records if record.get("tool_name") == _ACCEPTED and record.get("success") is True]
    return accepted[-1] if accepted else None


def _criteria(intent: Intent, accepted: RecordJson | None) -> Iterator[CriterionState]:
    """Each criterion, with what the newest acceptance says of it. One that was written since was not run."""
    (known,) = objects([(accepted or {}).get("acceptance")]) or [{}]
    results = {text_of(one, "criterion"): text_of(one, "result") for one in objects(known.get("criteria"))}
    by = text_of(known, "by")
    for criterion in intent.acceptance_criteria:
        result = results.get(str(criterion))
        if result is not None:
            yield CriterionState(str(criterion), result, by, timestamp_of(accepted or {}) or None)
        else:
            yield CriterionState(str(criterion), "not run" if isinstance(criterion, Command) else "for a person")


def _authors(records: Iterable[RecordJson], groups: Iterable[OwnedGroup]) -> tuple[AuthorReport, ...]:
    """People and agents with lines, changes or refusals, most lines first."""
    kinds: dict[str, str] = {}
    lines: Counter[str] = Counter()
    changes: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for group in groups:
        if group.kind in (LineKind.RECORD, LineKind.UNTRACKED):
            kinds.setdefault(group.who, group.author_kind)
            lines[group.who] += group.lines
    for record in records:
        counter = changes if is_change(record) else refused if kind_of(record) is Kind.REFUSED else None
        if counter is None:
            continue
        names = {name_of(one): text_of(one, "type") or "unknown" for one in contributors_of(record)}
        for name, kind in (names or {who_of(record): "unknown"}).items():
            kinds.setdefault(name, kind)
            counter[name] += 1
    names_in_order = sorted(kinds, key=lambda name: (-lines[name], -changes[name], name))
    return tuple(AuthorReport(name, kinds[name], lines[name], changes[name], refused[name]) for name in names_in_order)


def _approvers(records: Iterable[RecordJson]) -> tuple[str, ...]:
    return tuple(sorted({approver_of(override) for record in records for override in overrides_of(record)}))
