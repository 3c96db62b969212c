"""A staged run in a linked working tree: its git directory is another tree's, and only commits come back to it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.confinement.conftest import Tree
from tests.support.workspaces import git


@pytest.fixture
def linked(tree: Tree) -> Tree:
    """A working tree of its own beside the first one, on the branch `side`."""
    root = tree.root.parent / "linked"
    git(tree.root, "worktree", "add", "--quiet", "-b", "side", str(root))
    return replace(tree, root=root)


def test_a_commit_inside_a_linked_working_tree_moves_its_branch(tree: Tree, linked: Tree) -> None:
    done = linked.staged("echo 'a = 2' > src/a.py; git commit -qam In; git log -1 --format=%s")
    assert done.stdout == "In\n"
    assert "Branch side has the command's commits." in done.stderr
    assert git(linked.root, "log", "-1", "--format=%s") == "In"
    assert git(linked.root, "status", "--porcelain", "src") == ""
    assert linked.read("src/a.py") == "a = 2\n"
    assert git(tree.root, "log", "-1", "--format=%s") == "Start"
    assert linked.runs_left == []


def test_a_branch_that_another_working_tree_has_checked_out_stays(tree: Tree, linked: Tree) -> None:
    done = linked.staged("echo 'a = 2' > src/a.py; git commit -qam In; git update-ref refs/heads/main HEAD")
    assert "Branch main stays as it is: another working tree has it checked out" in done.stderr
    assert git(tree.root, "log", "-1", "--format=%s") == "Start"
    assert git(tree.root, "status", "--porcelain", "src") == ""


def test_hooks_and_settings_of_the_shared_directory_stay_as_they_are(tree: Tree, linked: Tree) -> None:
    before = tree.read(".git/config")
    common = tree.root / ".git"
    line = (
        f"printf '#!/bin/sh\\n' > {common}/hooks/post-commit; git config core.fsmonitor src/evil; rm -rf {common}/info"
    )
    done = linked.staged(f"{line}; echo '* filter=x' > {common}/info; echo 1 > {common}/worktrees/linked/HEAD")
    assert tree.read(".git/hooks/post-commit") is None
    assert tree.read(".git/config") == before
    assert (common / "info").is_dir()
    assert git(linked.root, "branch", "--show-current") == "side"
    paths = {file["path"] for record in linked.records for file in record["files"]}
    assert {".git/hooks/post-commit", ".git/config"} <= paths
    assert "Held: .git/config (PROTECTED_PATH)" in done.stderr
