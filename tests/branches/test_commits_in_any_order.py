"""Commits as a team makes them: declarations and work in any order, reverts, merges, with git's hooks."""

from __future__ import annotations

import os
import subprocess

import pytest

from intentls.faces.cli import main
from intentls.store.setup.git_hooks import install_hooks
from tests.branches.test_branch_check_segments import moved_over
from tests.support.random_branches import Branch
from tests.support.workspaces import git

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the hooks are shell scripts")
TRACE = ".orchestration/trace"
POLICY = ".orchestration/policy.yaml"


@pytest.fixture
def branch(branch: Branch, intentls_on_path: None, monkeypatch: pytest.MonkeyPatch) -> Branch:
    """A branch with git's hooks, in a repository with segments."""
    moved_over(branch)
    install_hooks(branch.root)
    monkeypatch.chdir(branch.root)
    return branch


def run_git(branch: Branch, *arguments: str) -> str:
    """As git's user does; both outputs."""
    made = subprocess.run(["git", *arguments], cwd=branch.root, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    return made.stdout + made.stderr


def status(branch: Branch) -> list[str]:
    return git(branch.root, "status", "--porcelain").splitlines()


def declare(name: str, branch: Branch) -> tuple[str, str]:
    """The id of a new intent, and its file."""
    assert main._code(["new", name, "--branch", "--scope", "src/**"]) == 0
    (path,) = (branch.root / ".orchestration/intents").glob("*.yaml")
    return path.stem, f".orchestration/intents/{path.name}"


def test_a_declaration_may_be_committed_after_its_record(branch: Branch) -> None:
    """The commit of another file takes all segments in, and the record of the declaration with them."""
    git(branch.root, "rm", "--quiet", "--cached", "--ignore-unmatch", ".orchestration/intent_map.md")
    branch.put(".git/info/exclude", "intent_map.md\n")
    run_git(branch, "commit", "--allow-empty", "--no-verify", "-m", "The map is local")
    _, file = declare("Rain", branch)
    branch.done(branch.agent().write("src/one.py", "one = 1\n"))
    git(branch.root, "add", "src")
    run_git(branch, "commit", "-m", "One")
    assert status(branch) == ["?? .orchestration/intents/"]
    branch.done(branch.agent().write("src/two.py", "two = 2\n"))
    git(branch.root, "add", "src", file)
    run_git(branch, "commit", "-m", "Two, with the intent")
    assert status(branch) == []
    assert not branch.judge().errors
    # The record is used up now: the same content once more, by hand, is not what it tells of.
    run_git(branch, "rm", "-q", file)
    run_git(branch, "commit", "-m", "Gone", "--no-verify")
    text = git(branch.root, "show", f"HEAD~1:{file}") + "\n"
    branch.put(file, text)
    branch.put("src/by_hand.py", "x = 1\n")
    git(branch.root, "add", "--all")
    report = branch.judge(None, staged=True)
    assert {finding.code for finding in report.findings} >= {"UNCOVERED_DECLARATION", "UNCOVERED_CHANGE"}


def test_an_intent_may_be_closed_in_the_commit_that_declares_it(branch: Branch) -> None:
    """A squash leaves no version in which it is open; the record of its status says that it was."""
    intent_id, file = declare("Rain", branch)
    branch.done(branch.agent(intent_id).write("src/one.py", "one = 1\n"))
    assert main._code(["close", intent_id]) == 0
    git(branch.root, "add", "--all")
    run_git(branch, "commit", "-m", "All at once")
    assert status(branch) == []
    assert not branch.judge().errors
    # Without such a record it was never open.
    text = branch.read(file).replace(intent_id, "INT-900-zzzz")
    branch.put(".orchestration/intents/INT-900-zzzz.yaml", text)
    branch.forge("src/two.py", "two = 2\n", intent_id="INT-900-zzzz")
    git(branch.root, "add", "--all")
    assert "INTENT_CLOSED" in {finding.code for finding in branch.judge(None, staged=True).findings}


def test_a_revert_keeps_the_ledger_and_says_so(branch: Branch) -> None:
    """Git runs no pre-commit for it: the segments come back, and the commit of the revert has them again."""
    branch.done(branch.agent().write("src/one.py", "one = 1\n"))
    git(branch.root, "add", "src")
    run_git(branch, "commit", "-m", "One")
    (segment,) = git(branch.root, "diff", "--name-only", "HEAD~1", "--", TRACE).splitlines()
    content = (branch.root / segment).read_bytes()
    told = run_git(branch, "revert", "--no-edit", "HEAD")
    assert "took records out of the ledger" in told
    assert status(branch) == []
    assert (branch.root / segment).read_bytes() == content
    assert not branch.judge().errors


def test_a_merge_that_brings_a_revert_keeps_the_ledger(branch: Branch) -> None:
    """A colleague without hooks reverted; whoever merges it gets the segments back."""
    branch.done(branch.agent().write("src/one.py", "one = 1\n"))
    git(branch.root, "add", "src")
    run_git(branch, "commit", "-m", "One")
    (segment,) = git(branch.root, "diff", "--name-only", "HEAD~1", "--", TRACE).splitlines()
    git(branch.root, "switch", "--quiet", "--create", "colleague")
    git(branch.root, "-c", "core.hooksPath=/nowhere", "revert", "--no-edit", "HEAD")
    git(branch.root, "switch", "--quiet", "work")
    assert "took records out of the ledger" in run_git(branch, "merge", "colleague")
    assert status(branch) == [f"?? {segment}"]
    run_git(branch, "commit", "--allow-empty", "-m", "Keep the ledger")
    assert status(branch) == []
    assert not branch.judge().errors


def test_a_merge_closes_the_intent_of_its_branch(branch: Branch) -> None:
    """If policy says so; otherwise the check of the next branch names it."""
    intent_id, file = declare("Rain", branch)
    branch.done(branch.agent(intent_id).write("src/one.py", "one = 1\n"))
    git(branch.root, "add", "--all")
    run_git(branch, "commit", "-m", "One")
    git(branch.root, "switch", "--quiet", "main")
    assert "COMPLETED" not in run_git(branch, "merge", "--no-ff", "--no-edit", "work")
    git(branch.root, "switch", "--quiet", "--create", "next")
    branch.done(branch.agent().write("src/two.py", "two = 2\n"))
    git(branch.root, "add", "--all")
    run_git(branch, "commit", "-m", "Two")
    (note,) = (note for note in branch.judge().notes if intent_id in note)
    assert note == (
        f"{intent_id} is still IN_PROGRESS, and its branch work is merged or gone: `intentls close {intent_id}`."
    )
    branch.put(POLICY, "close_intents: merge\n")
    git(branch.root, "add", POLICY)
    run_git(branch, "commit", "-m", "Close what is merged")
    git(branch.root, "switch", "--quiet", "main")
    told = run_git(branch, "merge", "--no-edit", "next")
    assert f"{intent_id} is COMPLETED ({file})" in told
    git(branch.root, "add", "--all")
    run_git(branch, "commit", "-m", "Closed")
    assert status(branch) == []


def test_a_conflict_between_two_edits_of_an_intent_is_resolved_by_a_person(branch: Branch) -> None:
    """Neither side has the result: the refusal names `attest`, and after it the merge is committed, told once."""
    _, file = declare("Rain", branch)
    git(branch.root, "add", "--all")
    run_git(branch, "commit", "-m", "Declare")
    text = branch.read(file)
    for name in ("short", "long"):
        git(branch.root, "switch", "--quiet", "--create", name, "work")
        branch.put(file, text.replace("name: Rain", f"name: The {name} rain"))
        run_git(branch, "commit", "--all", "-m", name)
    merged = subprocess.run(["git", "merge", "short"], cwd=branch.root, capture_output=True, text=True)
    assert "CONFLICT" in merged.stdout
    branch.put(file, text.replace("name: Rain", "name: The short, then the long rain"))
    git(branch.root, "add", file)
    refused = subprocess.run(["git", "commit", "--no-edit"], cwd=branch.root, capture_output=True, text=True)
    assert refused.returncode == 1
    assert "a person vouches for it with `intentls attest`" in refused.stdout + refused.stderr
    assert main._code(["attest", file, "--reason", "merged by hand"]) == 0
    told = run_git(branch, "commit", "--no-edit")
    assert told.count("changed by") == len({line for line in told.splitlines() if "changed by" in line}) > 0
    assert status(branch) == []
    assert not branch.judge().errors
