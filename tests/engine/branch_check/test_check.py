"""The check of a whole repository: roots that come and go, and intents whose work is done."""

from __future__ import annotations

import shutil

from intentls.core.branch.findings import BranchCode, BranchFinding
from tests.support.random_branches import INTENTS_FILE, Branch
from tests.support.workspaces import git, write_files

INNER = f"src/own/{INTENTS_FILE}"


def roots_changed(branch: Branch, base: str = "main") -> list[BranchFinding]:
    return [finding for finding in branch.judge(base).findings if finding.code is BranchCode.ROOT_CHANGED]


def test_a_root_inside_another_is_named_with_its_file_and_the_root_around_it(branch: Branch) -> None:
    """At the top, the root around it is called ./ ."""
    branch.root_inside()
    branch.commit()
    (finding,) = roots_changed(branch)
    assert (finding.path, finding.level) == (INNER, "error")
    assert finding.message.startswith("A root of its own begins inside ./, so the intents there no longer govern")


def test_a_root_that_is_gone_is_named_with_its_file(branch: Branch) -> None:
    branch.root_inside()
    branch.commit()
    git(branch.root, "branch", "with-root")
    git(branch.root, "rm", "-r", "--quiet", "src/own/.orchestration")
    branch.commit("Without the root")
    (finding,) = roots_changed(branch, "with-root")
    assert (finding.path, finding.level) == (INNER, "error")
    assert finding.message.startswith("The root is gone: nothing governs these files any more.")


def test_a_root_beside_all_others_is_judged_from_now_on(branch: Branch) -> None:
    """Where no root was above it, nobody's rules are lifted."""
    shutil.rmtree(branch.root / ".orchestration")
    branch.commit("No root")
    git(branch.root, "branch", "without-root")
    write_files(branch.root, {INNER: "active_intents: []\n", "src/own/new.py": "new = 1\n"})
    branch.commit()
    report = branch.judge("without-root")
    assert (report.roots, report.files, report.findings) == (("src/own",), 0, ())
    assert report.notes == ("src/own/ was begun on this branch: what changed below it is judged from now on.",)


def test_an_open_intent_whose_branch_is_merged_is_named_in_a_note(branch: Branch) -> None:
    """Committed states alone are told: a commit under way has other worries."""
    scope = 'owned_scope:\n      - "src/**"'
    branch.declare(INTENTS_FILE, branch.read(INTENTS_FILE).replace(scope, f"branch: work\n    {scope}"))
    branch.writes()
    branch.commit()
    git(branch.root, "switch", "--quiet", "main")
    git(branch.root, "merge", "--quiet", "--no-edit", "work")
    git(branch.root, "switch", "--quiet", "--create", "next")
    branch.writes()
    branch.commit()
    note = "INT-001 is still IN_PROGRESS, and its branch work is merged or gone: `intentls close INT-001`."
    assert branch.judge().notes == (note,)
    assert branch.judge(disk=True).notes == ()
