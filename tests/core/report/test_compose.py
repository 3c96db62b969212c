"""A report from its facts: each number and each name comes from the records that it stands for."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from intentls.core.branch.findings import BranchCode, BranchFinding, FindingLevel
from intentls.core.mutation.classes import Change
from intentls.core.report.compose import make_report
from intentls.core.report.content import (
    AuthorReport,
    ClassReport,
    CriterionState,
    FileOwner,
    LineKind,
    LineShare,
    Verdict,
)
from intentls.core.report.facts import LineGroup, LoggedCommit, ReportSubject, RootFacts
from tests.core.report.samples import ADA, AGENT, INTENT, facts, file, record, refusal

UNCOVERED = BranchFinding(BranchCode.UNCOVERED_CHANGE, "b.py", "Changed.", ((1, 2),))
WARNING = BranchFinding(BranchCode.INTENT_NEW, "c.yaml", "New.", level=FindingLevel.WARNING)


def test_lines_are_counted_by_what_tells_of_them() -> None:
    """An intent's, those under no intent, attested ones, those explained otherwise, and the unexplained."""
    wrote = record("a.py")
    free = record("a.py", intent_id="UNTRACKED", by=ADA, tool_name="did_save")
    vouched = record("a.py", tool_name="attest", attestation={"by": "Ben", "reason": "ok"}, by=ADA)
    nobody = record("a.py", tool_name="attest", attestation={}, by=ADA)
    lines = [
        *(LineGroup(6, wrote, AGENT), LineGroup(3, free, ADA), LineGroup(2, vouched, ADA), LineGroup(1)),
        LineGroup(1, nobody, ADA),
    ]
    report = make_report(
        facts(wrote, free, vouched, files=[file("a.py", *lines), file("b.py", LineGroup(4))], findings=(UNCOVERED,))
    )
    assert report.coverage == (
        LineShare(LineKind.RECORD, 6, "INT-001", "."),
        LineShare(LineKind.UNTRACKED, 3),
        LineShare(LineKind.ATTESTED, 3),
        LineShare(LineKind.EARLIER, 1),
        LineShare(LineKind.UNEXPLAINED, 4),
    )
    assert (report.lines, report.explained, report.percent) == (17, 13, 76)
    assert [(one.path, one.findings) for one in report.files] == [("b.py", 1), ("a.py", 0)]
    assert report.files[1].owners[0] == FileOwner(LineKind.RECORD, "INT-001", "claude-opus-4-5 for Ada", 6)
    assert report.files[0].owners == (FileOwner(LineKind.UNEXPLAINED, None, "", 4),)
    assert report.authors == (
        AuthorReport("claude-opus-4-5 for Ada", "ai", 6, 1, 0),
        AuthorReport("Ada", "human", 3, 1, 0),
    )


def test_a_hundred_percent_means_all() -> None:
    """999 of 1,000 lines are 99 percent; of no line there is no percentage."""
    wrote = record("a.py")
    files = [file("a.py", LineGroup(999, wrote, AGENT)), file("b.py", LineGroup(1))]
    assert make_report(facts(wrote, files=files, findings=(UNCOVERED,))).percent == 99
    assert make_report(facts(wrote, files=files)).percent == 100
    assert make_report(facts()).percent is None


@pytest.mark.parametrize(
    ("findings", "verdict", "errors", "warnings"),
    [
        ((), Verdict.CLEAN, 0, 0),
        ((WARNING,), Verdict.WARNINGS, 0, 1),
        ((UNCOVERED, WARNING), Verdict.ERRORS, 1, 1),
    ],
)
def test_the_verdict_is_the_checks(
    findings: tuple[BranchFinding, ...], verdict: Verdict, errors: int, warnings: int
) -> None:
    """One error is enough; warnings alone let it pass."""
    report = make_report(facts(findings=findings))
    assert (report.verdict, report.errors, report.warnings) == (verdict, errors, warnings)


def test_what_nothing_governs_and_what_is_not_judged_say_so() -> None:
    """No root: not governed. An intent's life is no verdict."""
    assert make_report(facts(roots=())).verdict is Verdict.UNGOVERNED
    assert make_report(facts(roots=(), findings=(WARNING,))).verdict is Verdict.WARNINGS
    assert make_report(facts(subject=ReportSubject("intent", "INT-001"))).verdict is Verdict.UNJUDGED


def test_each_finding_is_in_one_section() -> None:
    """Unexplained, loosened, or other: a code that nobody thought of is among the others."""
    loosened = BranchFinding(BranchCode.POLICY_LOOSENED, "p", "Less.")
    report = make_report(facts(findings=(UNCOVERED, loosened, WARNING)))
    assert (report.unexplained, report.loosened, report.findings) == ((UNCOVERED,), (loosened,), (WARNING,))


def test_an_intent_has_its_changes_refusals_authors_and_approvers() -> None:
    """Also one that nobody declared, and one that was only refused something; in order of lines."""
    wrote = record("a.py", override={"by": "Ben", "action": "Approve", "code": "SCOPE_VIOLATION"})
    other = record("z.py", intent_id="INT-999", by=ADA)
    files = [
        file("a.py", LineGroup(5, wrote, AGENT), records=[wrote]),
        file("z.py", LineGroup(7, other, ADA), records=[other]),
        file("gone.py", records=[wrote], change=Change.DELETE),
    ]
    report = make_report(facts(wrote, refusal("x.py"), other, files=files))
    unknown, build = report.intents
    assert (unknown.intent_id, unknown.status, unknown.name, unknown.lines, unknown.scope) == (
        "INT-999",
        None,
        "",
        7,
        (),
    )
    assert (build.lines, build.files, build.changes, build.refused) == (5, 1, 1, 1)
    assert (build.authors, build.approvers) == (("claude-opus-4-5 for Ada",), ("Ben",))
    assert (build.scope, build.constraints) == (("src/**",), ("No global state",))
    assert report.approvers == ("Ben",)
    assert {one.path: one.intents for one in report.files}["gone.py"] == ("INT-001",)
    assert report.authors[1] == AuthorReport("claude-opus-4-5 for Ada", "ai", 5, 1, 1)


def test_a_record_without_contributors_is_its_sessions() -> None:
    """A refused selection names no file, and so nobody."""
    report = make_report(facts(refusal(code="INTENT_CLOSED", tool_name="select_active_intent")))
    assert report.authors == (AuthorReport("session agent-1", "unknown", 0, 0, 1),)


def test_a_criterion_says_whether_it_ran() -> None:
    """By the newest acceptance; a command that no acceptance ran was not run, and a text is for a person."""
    never = make_report(facts(record("a.py"))).intents[0].criteria
    assert never == (CriterionState("Ada likes it", "for a person"), CriterionState("run: make test", "not run"))

    def accepted(result: str, time: str) -> object:
        told = {"by": "Ben", "criteria": [{"criterion": "run: make test", "result": result}]}
        return record("i.yaml", tool_name="accept_intent", acceptance=told, time=time)

    first, second = accepted("failed", "2026-02-18T10:00:00Z"), accepted("passed", "2026-02-18T11:00:00Z")
    assert make_report(facts(first, second)).intents[0].criteria == (
        CriterionState("Ada likes it", "for a person"),
        CriterionState("run: make test", "passed", "Ben", "2026-02-18T11:00:00Z"),
    )
    odd = record("i.yaml", tool_name="accept_intent", acceptance="yes", time="")
    assert make_report(facts(odd)).intents[0].criteria[1].result == "not run"


def test_mutation_classes_count_changes_and_lines() -> None:
    """As the records have them; those that somebody declared are counted."""
    new, fix = record("a.py"), record("b.py", mutation_class="BUG_FIX", mutation_class_source="declared")
    vouched = record("c.py", tool_name="attest", attestation={"by": "Ben"})
    files = [file("a.py", LineGroup(4, new, AGENT), LineGroup(2, fix, AGENT), LineGroup(9, vouched, ADA))]
    odd = record("d.py", mutation_class=7)
    report = make_report(facts(new, fix, refusal("x"), vouched, odd, files=files))
    assert report.classes == (
        ClassReport("BUG_FIX", 1, 0, 1, 2),
        ClassReport("FILE_CREATION", 1, 0, 0, 4),
        ClassReport("UNKNOWN", 1, 0, 0, 0),
    )


def test_a_settled_class_counts() -> None:
    """What the change set as a whole says of a record, by the newest that says it; its lines go with it."""
    wrote = record("a.py", id="1", mutation_class="INTENT_EVOLUTION")
    told = {"id": "1", "mutation_class": "AST_REFACTOR"}
    settle = record(tool_name="settle_classes", supersedes=[told])
    report = make_report(facts(wrote, settle, files=[file("a.py", LineGroup(4, wrote, AGENT))]))
    assert report.classes == (ClassReport("AST_REFACTOR", 1, 1, 0, 4),)


def test_the_same_intent_in_two_roots_is_two() -> None:
    """An intent is known by root and id."""
    one, two = record("a.py"), record("b.py")
    files = [file("a.py", LineGroup(1, one, AGENT)), replace(file("s/b.py", LineGroup(2, two, AGENT)), root="s")]
    roots = (RootFacts(".", {"INT-001": INTENT}, (one,)), RootFacts("s", {}, (two,)))
    report = make_report(facts(roots=roots, files=files))
    assert [(intent.root, intent.lines, intent.name) for intent in report.intents] == [("s", 2, ""), (".", 1, "Build")]
    assert report.coverage == (
        LineShare(LineKind.RECORD, 2, "INT-001", "s"),
        LineShare(LineKind.RECORD, 1, "INT-001", "."),
    )


def test_the_timeline_has_records_and_commits() -> None:
    """A lane for each kind that there is; what is of no kind is left out."""
    commit = LoggedCommit("c" * 40, "Ada", "2026-02-18T12:00:00+01:00", "Work")
    lesson = record(tool_name="record_lesson")
    report = make_report(facts(record("a.py"), refusal("b.py"), lesson, commits=(commit,)))
    assert [(lane.kind, lane.count) for lane in report.timeline.lanes] == [
        ("changed", 1),
        ("committed", 1),
        ("refused", 1),
    ]
    assert (report.timeline.start, report.timeline.end) == ("2026-02-18T10:00:00+00:00", "2026-02-18T11:00:00+00:00")
