"""Which versions git had before a command, or fetched during it."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.store.git.repository import KnownObjects, repository_at
from intentls.store.worktree.diff import Worktree
from intentls.store.worktree.known_versions import KnownVersions, Step, TreeVersion, top_prefix
from tests.support.workspaces import commit_all, git, make_git_repo, write_files


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A clone of `hub`, beside a colleague's."""
    root = make_git_repo(tmp_path / "root", {"a": "1\n", "sub/run": "x\n"})
    git(tmp_path, "clone", "--quiet", "--bare", str(root), "hub")
    git(tmp_path, "clone", "--quiet", str(tmp_path / "hub"), "colleague")
    git(root, "remote", "add", "origin", str(tmp_path / "hub"))
    git(root, "fetch", "--quiet")
    git(root, "branch", "--quiet", "--set-upstream-to=origin/main")
    return root


def known(root: Path) -> KnownObjects:
    """What git has before the command."""
    worktree = Worktree(root, root.parent / "state")
    worktree.remember("s", "")
    state = worktree.recall("s")
    assert state is not None
    return state.known


def versions(root: Path, before: KnownObjects) -> KnownVersions:
    return KnownVersions(repository_at(root), before)


def commit(root: Path, text: str) -> str:
    write_files(root, {"a": text})
    return commit_all(root, text)


def test_what_the_command_commits_is_not_known_wherever_it_pushes_it(root: Path) -> None:
    before = known(root)
    own = commit(root, "2\n")
    git(root, "push", "--quiet", "origin", "main")
    git(root, "fetch", "--quiet")
    assert versions(root, before).unknown([own]) == {own}
    assert list(versions(root, before).new_commits(own) or ()) == [own]


def test_what_a_fetch_brings_is_known_and_what_the_command_builds_on_it_is_not(root: Path) -> None:
    before = known(root)
    first = git(root, "rev-parse", "HEAD")
    theirs = commit(root.parent / "colleague", "theirs\n")
    git(root.parent / "colleague", "push", "--quiet", "origin", "main")
    git(root, "pull", "--quiet", "--ff-only")
    own = commit(root, "own\n")
    git(root, "push", "--quiet", "origin", "main")
    after = versions(root, before)
    assert after.unknown([first, theirs, own]) == {own}
    assert after.new_commits(own) == {own: (theirs,)}
    assert after.new_commits(theirs) == {}
    assert after.unknown([]) == set()
    assert after.merge_base(first, own) == first
    assert after.commit_of("HEAD") == own and after.commit_of("nothing") is None


def test_a_branch_that_is_switched_to_was_there_before(root: Path) -> None:
    git(root, "switch", "--quiet", "--create", "work")
    work = commit(root, "work\n")
    git(root, "switch", "--quiet", "main")
    before = known(root)
    git(root, "switch", "--quiet", "work")
    assert versions(root, before).unknown([work]) == set()


def test_a_version_has_its_mode(root: Path) -> None:
    """Which tells links and executable files."""
    (root / "sub/run").chmod(0o755)
    (root / "link").symlink_to("a")
    head = commit_all(root, "Modes")
    after = versions(root, known(root))
    there = after.at([head], ["a", "sub/run", "link", "none", "sub"])
    assert {path: version.mode for (_, path), version in there.items()} == {
        "a": "100644",
        "sub/run": "100755",
        "link": "120000",
    }
    assert there[head, "a"].oid == git(root, "rev-parse", "HEAD:a")


def test_the_steps_of_a_file_are_told(root: Path) -> None:
    """From nothing, and to nothing."""
    one = TreeVersion("100644", git(root, "rev-parse", "HEAD:a"))
    commit(root, "2\n")
    two = TreeVersion("100644", git(root, "rev-parse", "HEAD:a"))
    git(root, "rm", "--quiet", "a")
    commit_all(root, "Without it")
    steps = versions(root, known(root)).steps(["a"])
    assert list(steps) == ["a"]
    assert set(steps["a"]) == {Step(two, None), Step(one, two), Step(None, one)}


def test_paths_from_the_top_begin_with_the_roots_place(tmp_path: Path) -> None:
    assert top_prefix(tmp_path, tmp_path) == ""
    assert top_prefix(tmp_path / "a" / "b", tmp_path) == "a/b/"
