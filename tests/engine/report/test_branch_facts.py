"""The report about a branch: every number of it computed once more, from the ledger's lines and git alone."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

from intentls.core.report.content import LineKind, Report, Verdict
from intentls.engine.branch_check.comparison import ComparisonRequest
from intentls.engine.report.branch_facts import report_branch
from tests.support.random_branches import Branch
from tests.support.reported_branches import (
    approved_write,
    attested_edit,
    busy_branch,
    changed_files,
    counted_lines,
    new_lines,
    refused_write,
)
from tests.support.workspaces import git

pytestmark = pytest.mark.skipif(os.name == "nt", reason="branches of these tests have mode bits and links")


def report(branch: Branch, base: str = "main") -> Report:
    return report_branch(branch.root, ComparisonRequest(base), "branch", base)


@pytest.mark.parametrize("seed", [1, 2])
def test_every_number_is_that_of_the_ledger_and_git(branch: Branch, seed: int) -> None:
    """Lines, files, records, refusals, exceptions, attestations, commits: counted by a second program."""
    busy_branch(branch, seed)
    made = report(branch)
    records = new_lines(branch.root, "main")
    counted = counted_lines(branch.root, "main")
    shown = Counter({share.intent_id or share.kind.value: share.lines for share in made.coverage})
    assert shown == counted
    assert min(counted["attested"], counted["unexplained"], counted["INT-001"], counted["INT-002"]) > 0
    assert made.lines == counted.total()
    assert made.explained == counted.total() - counted["unexplained"]
    assert made.percent == 100 * made.explained // made.lines
    assert sorted(file.path for file in made.files) == sorted(changed_files(branch.root, "main"))
    assert sum(file.lines for file in made.files) == sum(intent.lines for intent in made.intents) + sum(
        share.lines for share in made.coverage if share.kind is not LineKind.RECORD
    )
    assert made.records == len(records)
    refused = [record for record in records if not record["success"]]
    assert sum(attempt.count for attempt in made.outside if not attempt.went_ahead) == len(refused) == 2
    ahead = [record for record in records if record["success"] and record["scope_validation"] == "FAIL"]
    assert sum(attempt.count for attempt in made.outside if attempt.went_ahead) == len(ahead) == 1
    overrides = [record for record in records if "override" in record]
    assert sum(approval.count for approval in made.approvals) == len(overrides) == 1
    assert (made.approvals[0].by, made.approvers) == ("Ben", ("Ben",))
    assert len(made.attestations) == 1
    assert len(made.commits) == int(git(branch.root, "rev-list", "--count", "main..HEAD"))
    decided = [record for record in records if record["tool_name"] == "expand_scope"]
    assert (
        [step.reason for step in made.decisions] == [record["reason"] for record in decided] == ["the build needs it"]
    )
    checked = branch.judge()
    assert (made.errors, made.warnings) == (checked.errors, checked.warnings)
    assert len(made.unexplained) + len(made.loosened) + len(made.findings) == len(checked.findings)
    work = [
        record
        for record in records
        if record["success"]
        and record["tool_name"] not in ("attest", "expand_scope")
        and any(file["pre_hash"] or file["post_hash"] for file in record["files"])
    ]
    classes = Counter(record["mutation_class"] for record in work)
    assert {one.mutation_class: one.changes for one in made.classes} == classes
    assert sum(author.changes for author in made.authors) == len(work)
    assert sum(lane.count for lane in made.timeline.lanes) == len(records) - _others(records) + len(made.commits)


def _others(records: list[dict[str, object]]) -> int:
    """Records that are nothing of the timeline: selections, lessons, bindings."""
    return sum(not record["files"] and bool(record["success"]) for record in records)


def test_the_same_commits_make_the_same_report(branch: Branch, tmp_path: Path) -> None:
    """Also in another clone, in another folder, where nothing but git has the ledger."""
    busy_branch(branch, 3)
    elsewhere = tmp_path / "another" / "clone"
    git(tmp_path, "clone", "--quiet", str(branch.root), str(elsewhere))
    git(elsewhere, "branch", "main", "origin/main")
    assert report(Branch(elsewhere, branch.rng)) == report(branch)


def test_a_clean_branch_says_so(branch: Branch) -> None:
    """All lines are accounted for, and nothing else is to tell."""
    branch.writes()
    branch.commit()
    made = report(branch)
    assert (made.verdict, made.percent, made.errors, made.warnings) == (Verdict.CLEAN, 100, 0, 0)
    assert (made.outside, made.refusals, made.approvals, made.attestations, made.loosened) == ((),) * 5
    assert made.own_files > 0


def test_what_nothing_governs_is_said(tmp_path: Path) -> None:
    """A repository without a root."""
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    (tmp_path / "a.txt").write_text("a\n")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "First")
    made = report_branch(tmp_path, ComparisonRequest("HEAD"), "branch", "HEAD")
    assert (made.verdict, made.files, made.percent) == (Verdict.UNGOVERNED, (), None)


def test_a_renamed_file_keeps_what_it_had(branch: Branch) -> None:
    """Only what was changed in it counts, and the old name is beside the new one; also over two renames."""
    agent = branch.agent()
    branch.done(agent.rename("src/part1.py", "src/between.py"))
    branch.done(agent.rename("src/between.py", "src/moved.py"))
    branch.done(agent.edit("src/moved.py", "part1_line7 = 7\n", "part1_line7 = 'seven'\n"))
    branch.commit()
    made = report(branch)
    by_path = {file.path: file for file in made.files}
    assert (by_path["src/moved.py"].change, by_path["src/moved.py"].old_path) == ("rename", "src/part1.py")
    assert by_path["src/moved.py"].lines == 1
    assert by_path["src/part1.py"].change == "delete"
    assert by_path["src/part1.py"].intents == ("INT-001",)


def test_a_merge_of_the_base_is_not_the_branchs_work(branch: Branch) -> None:
    """What main did while the branch was open counts for nobody here."""
    branch.writes()
    branch.main_goes_on()
    assert branch.joins("merge")
    made = report(branch)
    assert len(made.files) == 1
    assert made.verdict is Verdict.CLEAN


def test_a_root_of_its_own_is_named(branch: Branch) -> None:
    """Files and intents of each root are told apart."""
    shutil.copytree(branch.root / ".orchestration", branch.root / "services/.orchestration")
    shutil.rmtree(branch.root / "services/.orchestration/trace")
    (branch.root / "services/.orchestration/agent_trace.jsonl").unlink()
    branch.commit("A root below")
    git(branch.root, "branch", "--force", "base")
    inner = Branch(branch.root / "services", branch.rng)
    inner.done(inner.agent(session="inner").write("src/inner.py", "inner = 1\n"))
    branch.writes()
    branch.commit()
    made = report(branch, "base")
    assert {(intent.root, intent.intent_id, intent.lines > 0) for intent in made.intents} == {
        (".", "INT-001", True),
        ("services", "INT-001", True),
    }
    assert ("services", "services/src/inner.py") in {(file.root, file.path) for file in made.files}


def test_a_denied_attestation_explains_nothing(branch: Branch) -> None:
    """Under `attest: deny` the lines stay unexplained, and the attestation is listed as denied."""
    attested_edit(branch)
    approved_write(branch)
    refused_write(branch)
    branch.declare(".orchestration/policy.yaml", "mode: enforce\nhitl: ask\nattest: deny\n")
    made = report(branch)
    assert [one.state for one in made.attestations] == ["denied"]
    assert {share.kind: share.lines for share in made.coverage} == {LineKind.RECORD: 1, LineKind.UNEXPLAINED: 2}
