"""A report about very much: the page and the Markdown stay small, and say what they leave out."""

from __future__ import annotations

import re
from typing import Any

import pytest

from intentls.core.branch.findings import BranchCode, BranchFinding
from intentls.core.mutation.classes import Change
from intentls.core.report.compose import make_report
from intentls.core.report.content import Report
from intentls.core.report.facts import (
    FileFacts,
    LineGroup,
    LoggedCommit,
    ReportFacts,
    ReportSubject,
    RootFacts,
    Vouched,
)
from intentls.engine.wire.report.html import MOST_FILES, as_html
from intentls.engine.wire.report.markdown import as_markdown, as_summary

AGENT: Any = {"type": "ai", "model_id": "anthropic/claude-opus-4-5"}


def large_report(files: int, findings: int = 0) -> Report:
    """A branch of so many files with 10 lines each, and so many findings in them."""
    records: list[Any] = [
        {
            "timestamp": f"2026-02-18T{number % 24:02}:00:00Z",
            "intent_id": f"INT-{number % 40:03}",
            "session_id": f"agent-{number % 30}",
            "tool_name": "write_to_file",
            "success": number % 5 > 0,
            "code": "" if number % 5 else "SCOPE_VIOLATION",
            "error": "" if number % 5 else f"Scope Violation: INT-{number:05} is not authorized to edit this.",
            "files": [{"path": path(number), "post_hash": "x", "conversations": [{"contributor": AGENT}]}],
        }
        for number in range(files)
    ]
    return make_report(
        ReportFacts(
            ReportSubject("branch", "main", "b" * 40, "a" * 40),
            (RootFacts(".", {}, records),),
            tuple(
                FileFacts(".", path(number), Change.ADD, (LineGroup(10, record, AGENT),), (record,))
                for number, record in enumerate(records)
            ),
            findings=tuple(
                BranchFinding(BranchCode.UNCOVERED_CHANGE, path(number), "Changed. " * 20) for number in range(findings)
            ),
            commits=tuple(
                LoggedCommit(f"{number:040}", "Ada", "2026-02-18T10:00:00Z", "Work") for number in range(files // 10)
            ),
        )
    )


def path(number: int) -> str:
    return f"services/billing/src/package_{number % 97}/module_{number:05}_with_a_long_name.py"


@pytest.fixture(scope="module")
def large() -> Report:
    return large_report(10_000, 2_000)


def test_a_page_of_ten_thousand_files_is_small(large: Report) -> None:
    """Under 2 MB, hardly more than that of a thousand files; the numbers are those of all."""
    page = as_html(large)
    assert len(page.encode()) < 2_000_000
    assert len(page) < 1.2 * len(as_html(large_report(1_500, 2_000 * 15 // 100)))
    assert page.count('<span class="path">services') < MOST_FILES + 4 * 301
    assert "And 9,500 files more with 95,000 lines, which only <code>--json</code> lists." in page
    assert ">10,000</b>" in page
    assert f"And {len(large.outside) - 300:,} attempts more, which only" in page


@pytest.mark.parametrize(("form", "limit"), [(as_markdown, 65_536), (as_summary, 1_048_576)])
def test_markdown_stays_under_the_forges_limits(large: Report, form: Any, limit: int) -> None:
    """Counted in bytes, the strictest way; and it is still whole Markdown."""
    made = form(large)
    assert len(made.encode()) < limit
    assert made.count("<details>") == made.count("</details>")
    assert "- and 1,985 more" in made or form is as_summary


def test_what_does_not_fit_is_counted_or_named() -> None:
    """No section pushes out another one, however long its texts are; the verdict and the figures are always there."""
    text = "\U0001f600" * 300
    findings = tuple(BranchFinding(code, f"{code} {text}", text) for code in BranchCode for _ in range(30))
    records = [_refusal(f"{number} {text}") for number in range(200)]
    root = RootFacts(text, {}, records)
    attestations = tuple(Vouched(f"{number} {text}", 1, text, text, text, None, "accepted") for number in range(9))
    commits = tuple(LoggedCommit("c" * 40, text, "", text) for _ in range(90))
    files = tuple(FileFacts(text, f"{number} {text}", Change.DELETE) for number in range(90))
    subject = ReportSubject("branch", text)
    facts = ReportFacts(subject, (root,), files, 0, findings, attestations, commits)
    made = as_markdown(make_report(facts))
    assert 50_000 < len(made.encode()) < 65_536
    assert f"### intentls: {len(findings):,} errors\n" in made
    assert "200 attempts out of scope" in made
    assert re.findall(r"#### ([\w ]+) \(", made) == [
        *("Attempts out of scope", "Unexplained changes", "Loosened rules", "Other findings", "Attestations")
    ]
    assert re.findall(r"^And \d+ lines more, which the page has\.$", made, re.MULTILINE)
    (sentence,) = [line for line in made.splitlines() if line.startswith("Left out here")]
    assert sentence.endswith("Commits (90). The page has them.")


def _refusal(text: str) -> Any:
    files = [{"path": f"{place} {text}"} for place in range(5)]
    told = {"success": False, "code": text, "error": text, "scope_validation": "FAIL"}
    return {"timestamp": "2026-02-18T10:00:00Z", "session_id": text, "tool_name": text, "files": files, **told}
