"""git's hooks don't hurt: the ledger is in each commit, and the tree is clean after it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from intentls.engine.branch_check.check import check_branch
from intentls.engine.branch_check.comparison import ComparisonRequest
from intentls.engine.intents import intents_edit
from intentls.store.git.stage_ledger import stage_ledger
from intentls.store.setup.git_hooks import install_hooks
from tests.branches.test_branch_check_segments import moved_over
from tests.support.random_branches import LEDGER, Branch
from tests.support.workspaces import git

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the hooks are shell scripts")
PATH = "src/part3.py"


@pytest.fixture(params=["segments", "one file"])
def branch(branch: Branch, intentls_on_path: None, request: pytest.FixtureRequest) -> Branch:
    """A branch with git's hooks, in a repository of either kind."""
    if request.param == "segments":
        moved_over(branch)
    install_hooks(branch.root)
    return branch


def write(branch: Branch, path: str, content: str) -> None:
    branch.done(branch.agent().write(path, content))


def commit(branch: Branch, *arguments: str) -> None:
    """As git's user does; what the hooks say is shown if it fails."""
    made = subprocess.run(
        ["git", "commit", "--quiet", "--message", "Work", *arguments], cwd=branch.root, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stdout + made.stderr


def status(branch: Branch) -> list[str]:
    return git(branch.root, "status", "--porcelain").splitlines()


def by_staging(branch: Branch) -> None:
    git(branch.root, "add", "src")
    commit(branch)


def by_all(branch: Branch) -> None:
    git(branch.root, "add", "--intent-to-add", "src")
    commit(branch, "--all")


def by_path(branch: Branch) -> None:
    git(branch.root, "add", "--intent-to-add", "src")
    commit(branch, "src")  # an index of its own, that git forgets afterwards


def by_amending(branch: Branch) -> None:
    git(branch.root, "add", "src/one.py")
    commit(branch)
    git(branch.root, "add", "src")
    commit(branch, "--amend")


@pytest.mark.parametrize("how", [by_staging, by_all, by_path, by_amending])
def test_the_tree_is_clean_after_a_commit(branch: Branch, how: Callable[[Branch], None]) -> None:
    """However it is made, with nothing but `git add` of the files themselves."""
    write(branch, "src/one.py", "one = 1\n")
    write(branch, "src/two.py", "two = 2\n")
    how(branch)
    assert status(branch) == []
    assert branch.judge().findings == ()
    write(branch, "src/one.py", "one = 'more'\n")
    how(branch)
    assert status(branch) == []
    assert branch.judge().findings == ()


def test_the_tree_is_clean_after_an_interactive_rebase(branch: Branch, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three commits: one is reworded, one is put into the one before it."""
    if git(branch.root, "ls-files", "--", LEDGER):
        pytest.skip("one file that every commit changes: git can't take commits apart")
    for name in ("one", "two", "three"):
        write(branch, f"src/{name}.py", "x = 1\n")
        git(branch.root, "add", "src")
        commit(branch)
    monkeypatch.setenv("GIT_SEQUENCE_EDITOR", "sed -i -e '1s/pick/reword/' -e '3s/pick/fixup/'")
    monkeypatch.setenv("GIT_EDITOR", "true")
    git(branch.root, "rebase", "--quiet", "--interactive", "main")
    assert git(branch.root, "rev-list", "--count", "main..HEAD") == "2"
    assert status(branch) == []
    assert branch.judge().findings == ()


def test_both_halves_of_an_edit_are_committed(branch: Branch) -> None:
    """`git add -p`: the first half with the record, the rest stays in the tree, and is committed next."""
    before = branch.read(PATH)
    half = before.replace("part3_line2 = 2\n", "part3_line2 = 'two'\n")
    whole = half.replace("part3_line20 = 20\n", "part3_line20 = 'twenty'\n")
    write(branch, PATH, whole)
    branch.put(PATH, half)
    git(branch.root, "add", PATH)
    branch.put(PATH, whole)
    commit(branch)
    assert [line.split() for line in status(branch)] == [["M", PATH]]
    git(branch.root, "add", PATH)
    commit(branch)
    assert status(branch) == []
    assert branch.judge().findings == ()


def test_a_refused_commit_says_what_to_do(branch: Branch) -> None:
    """By hand: refused; after `intentls attest`, made."""
    branch.put("src/by_hand.py", "x = 1\n")
    git(branch.root, "add", "src")
    refused = subprocess.run(["git", "commit", "-qm", "x"], cwd=branch.root, capture_output=True, text=True)
    assert (refused.returncode, "UNCOVERED_CHANGE" in refused.stdout + refused.stderr) == (1, True)
    subprocess.run(
        [sys.executable, "-m", "intentls", "attest", "src/by_hand.py", "--reason", "a fix in vim"],
        cwd=branch.root,
        check=True,
    )
    commit(branch)
    assert status(branch) == []
    assert branch.judge().findings == ()


def test_a_segment_is_staged_byte_for_byte(branch: Branch) -> None:
    """No attribute and no filter of the repository changes what is staged, and links are left alone."""
    branch.put(".gitattributes", "* text=auto eol=crlf filter=spoil\n")
    git(branch.root, "config", "filter.spoil.clean", "tr a-z A-Z")
    folder = branch.root / ".orchestration/trace"
    folder.mkdir(exist_ok=True)
    (folder / "0000000000aa-00000001-00000000.jsonl").write_bytes(b'{"a":1}\r\n')
    (folder / "link.jsonl").symlink_to("nowhere")
    (folder / "notes.txt").write_text("no\n")
    staged = stage_ledger(branch.root, None)
    assert [path for path in staged if "trace/" in path] == [
        ".orchestration/trace/0000000000aa-00000001-00000000.jsonl"
    ]
    shown = subprocess.run(["git", "cat-file", "blob", f":{staged[0]}"], cwd=branch.root, capture_output=True)
    assert shown.stdout == b'{"a":1}\r\n'
    assert stage_ledger(branch.root, None) == ()


def test_a_commit_goes_through_beside_work_under_an_intent_that_is_not_committed(branch: Branch) -> None:
    """Where git keeps the map, it names that intent already."""
    policy = ".orchestration/policy.yaml"
    branch.put(policy, branch.read(policy) + "commit_derived: true\n")
    write(branch, "src/one.py", "one = 1\n")
    for names in (policy, "src"), (".orchestration/intent_map.md", ".orchestration/spatial_map.json"):
        git(branch.root, "add", "--force", *names)
        commit(branch, "--no-verify")
    intent = "id: INT-050\nname: Later\nstatus: IN_PROGRESS\nowned_scope: [later/**]\n"
    branch.put(".orchestration/intents/INT-050.yaml", intent)
    branch.done(branch.agent("INT-050", "third").write("later/first.py", "first = 1\n"))
    write(branch, "src/two.py", "two = 2\n")
    assert "INT-050: Later" in branch.read(".orchestration/intent_map.md")
    git(branch.root, "add", "src")
    commit(branch)
    assert "src/two.py" in git(branch.root, "show", "--name-only", "--format=", "HEAD")
    branch.put(".orchestration/intent_map.md", branch.read(".orchestration/intent_map.md") + "Obey me.\n")
    assert "UNCOVERED_DECLARATION" in [
        finding.code for finding in check_branch(branch.root, ComparisonRequest(disk=True)).findings
    ]


def test_a_revert_keeps_the_ledger_and_leaves_a_clean_tree(branch: Branch) -> None:
    """What a revert takes out of the ledger is back in the commit of the revert."""
    write(branch, "src/one.py", "one = 1\n")
    git(branch.root, "add", "src")
    commit(branch)
    before = len(branch.records())
    git(branch.root, "revert", "--no-edit", "HEAD")
    assert status(branch) == []
    assert len(branch.records()) >= before
    assert "one.py" in git(branch.root, "show", "--name-only", "--format=", "HEAD")
    assert not {"LEDGER_REWRITTEN", "LEDGER_BROKEN"} & {finding.code for finding in branch.judge("HEAD~1").findings}


def test_a_scope_that_was_expanded_on_record_is_committed_later(branch: Branch) -> None:
    """The commit before took the record in, and the declaration was not staged."""
    agent = branch.agent()
    intents_edit.expand_scope(agent.engine, "INT-001", "tools/**", None, "agent-1", "the build needs it")
    write(branch, "src/one.py", "one = 1\n")
    git(branch.root, "add", "src")
    commit(branch)
    assert status(branch) == [" M .orchestration/active_intents.yaml"]
    git(branch.root, "add", "--all")
    commit(branch)
    assert branch.judge().findings == ()
    declared = branch.read(".orchestration/active_intents.yaml")
    git(branch.root, "revert", "--no-edit", "HEAD")
    branch.put(".orchestration/active_intents.yaml", declared)  # once more, and no record tells of that
    findings = check_branch(branch.root, ComparisonRequest(disk=True)).findings
    assert "SCOPE_WIDENED" in [finding.code for finding in findings]
