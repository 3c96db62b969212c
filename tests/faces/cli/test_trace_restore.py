"""`intentls trace restore`: what history took out of the ledger comes back; and the maps follow the ledger."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.conftest import Cli
from tests.support.agent_edits import Agent
from tests.support.workspaces import commit_all, git, make_git_repo, make_workspace


@pytest.fixture
def root(tmp_path: Path, cli: Cli) -> Path:
    """A repository with a commit of one edit on main."""
    made = make_git_repo(make_workspace(tmp_path / "w"))
    assert cli("init", "--root", made).code == 0
    Agent(made).select("INT-001").write("src/api/first.py", "first = 1\n")
    commit_all(made, "First")
    return made


def squashed(root: Path) -> str:
    """A branch with one edit lands on main as one commit, which is then reverted; the commit that reverted it."""
    git(root, "switch", "-qc", "topic")
    Agent(root).select("INT-001").write("src/api/second.py", "second = 2\n")
    commit_all(root, "Second")
    git(root, "switch", "-q", "main")
    git(root, "merge", "-q", "--squash", "topic")
    git(root, "commit", "-qm", "Squashed")
    git(root, "branch", "-qD", "topic")
    git(root, "revert", "--no-edit", "HEAD")
    return git(root, "rev-parse", "HEAD")


def test_a_reverted_segment_is_named_and_put_back(cli: Cli, root: Path) -> None:
    """With the commit that took it out; then it is no finding, also once it is committed."""
    commit = squashed(root)
    found = cli("trace", "verify", "--root", root)
    assert found.code == 1
    assert f"removed by commit {commit[:12]}" in found.out
    restored = cli("trace", "restore", "--json", "--root", root).json["restored"]
    assert [(entry["records"], entry["removed_by"]) for entry in restored] == [(1, commit)]
    assert (root / ".orchestration/trace" / restored[0]["segment"]).is_file()
    assert cli("trace", "verify", "--root", root).code == 0
    commit_all(root, "Restored")
    assert cli("trace", "verify", "--root", root).code == 0
    assert cli("trace", "restore", "--root", root).err == "intentls: No segment is missing.\n"


def test_a_segment_that_is_deleted_before_any_commit_comes_back(cli: Cli, root: Path) -> None:
    """`git clean` takes what git does not have; this machine still knows it."""
    Agent(root).select("INT-001").write("src/api/second.py", "second = 2\n")
    git(root, "clean", "-qfd", ".orchestration")
    assert "segment-removed" in cli("trace", "verify", "--root", root).out
    assert cli("trace", "restore", "--root", root).code == 0
    assert cli("trace", "verify", "--root", root).code == 0
    assert cli("trace", "log", "--json", "--root", root).json["entries"][0]["files"][0]["path"] == "src/api/second.py"


def test_the_maps_follow_the_ledger_after_a_merge(cli: Cli, root: Path, tmp_path: Path) -> None:
    """With the next action, without `map --rebuild`, which then finds nothing to do."""
    git(root, "clone", "-q", ".", str(tmp_path / "clone"))
    there = tmp_path / "clone"
    Agent(there).select("INT-001").write("src/api/theirs.py", "theirs = 1\n")
    commit_all(there, "Theirs")
    Agent(root).select("INT-001").write("src/api/ours.py", "ours = 1\n")
    commit_all(root, "Ours")
    git(root, "pull", "-q", "--no-rebase", "--no-edit", str(there), "main")
    assert not git(root, "status", "--porcelain")
    Agent(root).select("INT-001").write("src/api/next.py", "next = 1\n")
    text = (root / ".orchestration/intent_map.md").read_text()
    assert [name for name in ("first", "theirs", "ours", "next") if f"`src/api/{name}.py`" not in text] == []
    before = {name: (root / ".orchestration" / name).read_bytes() for name in ("intent_map.md", "spatial_map.json")}
    assert cli("map", "--rebuild", "--root", root).code == 0
    assert {name: (root / ".orchestration" / name).read_bytes() for name in before} == before
