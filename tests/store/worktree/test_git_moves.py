"""What git's operations explain of a command's changes, asked without any command."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from intentls.store.git import repository, status
from intentls.store.git.command import ask_git
from intentls.store.git.repository import LogEntry
from intentls.store.worktree import known_versions
from intentls.store.worktree.diff import Worktree
from intentls.store.worktree.git_moves import charge
from intentls.store.worktree.known_versions import made_by
from intentls.store.worktree.state import TreeChange, TreeState
from tests.support.workspaces import commit_all, git, make_git_repo, write_files

LINES = "".join(f"line {number}\n" for number in range(1, 21))
THEIRS = LINES.replace("line 2\n", "their line 2\n")
OURS = LINES.replace("line 19\n", "our line 19\n")
MERGED = THEIRS.replace("line 19\n", "our line 19\n")


class Tree:
    """A work tree with a branch `work` beside `main`: their changes of `a` fit together, and those of `b` don't."""

    def __init__(self, folder: Path) -> None:
        self.root = make_git_repo(folder / "root", {"a": LINES, "b": "b\n"})
        git(self.root, "switch", "--quiet", "--create", "work")
        write_files(self.root, {"a": THEIRS, "b": "their b\n"})
        commit_all(self.root, "Work")
        git(self.root, "switch", "--quiet", "main")
        write_files(self.root, {"a": OURS, "b": "our b\n"})
        commit_all(self.root, "Ours")
        self._worktree = Worktree(self.root, folder / "state")

    def remember(self) -> TreeState:
        self._worktree.remember("s", "")
        state = self._worktree.recall("s")
        assert state is not None
        return state

    def run(self, *arguments: str) -> None:
        """A command of git's, which may fail."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("GIT_EDITOR", "true")
            with suppress(AssertionError):
                git(self.root, *arguments)

    def charged(self, state: TreeState) -> tuple[TreeChange, ...]:
        return charge(self.root, state, self.changes(state))

    def changes(self, state: TreeState) -> Sequence[TreeChange]:
        return self._worktree.changes("s", state).files


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


@pytest.mark.parametrize("command", [("merge", "work"), ("cherry-pick", "work"), ("rebase", "work")])
def test_where_git_stops_at_a_conflict_what_it_merged_is_gits_and_the_resolution_is_the_commands(
    tree: Tree, command: tuple[str, ...]
) -> None:
    """Nothing is committed yet."""
    state = tree.remember()
    tree.run(*command)
    assert "<<<<<<<" in (tree.root / "b").read_text()
    assert (tree.root / "a").read_text() == MERGED
    write_files(tree.root, {"b": "both\n"})
    (change,) = tree.charged(state)
    assert (change.path, change.after.data) == ("b", b"both\n")


def test_what_a_revert_that_stopped_at_a_conflict_took_back_is_gits(tree: Tree) -> None:
    write_files(tree.root, {"a": MERGED, "b": "new\n"})
    commit_all(tree.root, "Change both")
    write_files(tree.root, {"a": MERGED.replace("line 10\n", "new line 10\n"), "b": "newer\n"})
    commit_all(tree.root, "Build on it")
    state = tree.remember()
    tree.run("revert", "HEAD~1")
    assert "<<<<<<<" in (tree.root / "b").read_text()
    assert [change.path for change in tree.charged(state)] == ["b"]


def test_what_is_written_on_top_of_a_merge_that_is_under_way_is_the_commands_alone(tree: Tree) -> None:
    state = tree.remember()
    tree.run("merge", "work")
    write_files(tree.root, {"a": MERGED + "more\n", "b": "our b\n"})
    (change,) = tree.charged(state)
    assert (change.path, change.before.data, change.after.data) == ("a", MERGED.encode(), f"{MERGED}more\n".encode())


def test_without_any_merge_what_another_branch_has_too_is_the_commands(tree: Tree) -> None:
    """A command that writes a line of a branch itself wrote it."""
    state = tree.remember()
    write_files(tree.root, {"a": OURS.replace("line 2\n", "their line 2\n")})
    (change,) = tree.charged(state)
    assert change.before.data == OURS.encode()


def test_what_a_command_changes_without_git_is_all_its_own(tree: Tree) -> None:
    state = tree.remember()
    write_files(tree.root, {"b": "changed\n"})
    (change,) = tree.charged(state)
    assert (change.path, change.before.data, change.after.data) == ("b", b"our b\n", b"changed\n")


def test_a_command_beside_git_costs_few_questions_however_many_files_it_changed(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is a process of git's: what the index, HEAD with what is under way, and HEAD's tree have of the files."""
    write_files(tree.root, {"a": "mine\n", "b": "mine\n"})
    state = tree.remember()
    write_files(tree.root, {"a": "changed\n", "b": "changed\n"})
    changes = tree.changes(state)
    asked: list[str] = []

    def watched(root: Path, *arguments: str, **options: Any) -> bytes | None:
        asked.append(next(word for word in arguments if word in _QUESTIONS))
        return ask_git(root, *arguments, **options)

    for module in (known_versions, repository, status):
        monkeypatch.setattr(module, "ask_git", watched)
    assert charge(tree.root, state, changes) == tuple(changes)
    assert asked == ["for-each-ref", "ls-files", "cat-file", "cat-file", "ls-tree"]


_QUESTIONS = {"for-each-ref", "ls-files", "cat-file", "ls-tree", "rev-list", "rev-parse", "merge-base", "diff-tree"}


@pytest.mark.parametrize(
    ("commands", "may_be_undone"),
    [
        ([("revert", "--no-edit", "HEAD")], False),
        ([("reset", "--hard", "HEAD~1")], False),
        ([("switch", "work")], False),
        ([("rm", "new"), ("commit", "-m", "Gone")], True),
        ([("rm", "new"), ("commit", "-m", "Gone"), ("revert", "--no-edit", "HEAD"), ("rm", "new")], True),
    ],
)
def test_a_file_that_is_gone_with_a_commit_since_may_be_gits(
    tree: Tree, commands: list[tuple[str, ...]], may_be_undone: bool
) -> None:
    """It was new before, and was committed; it is charged, as whose the commit is can't be told."""
    write_files(tree.root, {"new": "new\n"})
    state = tree.remember()
    commit_all(tree.root, "New")
    for command in commands:
        tree.run(*command)
    assert [(one.path, one.may_be_undone) for one in tree.charged(state)] == [("new", may_be_undone)]


def test_a_file_that_was_changed_before_its_commit_was_left_is_not_kept_by_git_as_it_was(tree: Tree) -> None:
    write_files(tree.root, {"new": "new\n"})
    state = tree.remember()
    write_files(tree.root, {"new": "other\n"})
    commit_all(tree.root, "New")
    tree.run("reset", "--hard", "HEAD~1")
    assert [(one.path, one.may_be_undone) for one in tree.charged(state)] == [("new", True)]


def test_outside_a_repository_every_change_is_the_commands(tree: Tree) -> None:
    """Git is not asked about a tree that is none of its own."""
    state = tree.remember()
    tree.run("checkout", "-q", "work")
    changes = tree._worktree.changes("s", state).files
    assert charge(tree.root, state, changes) == ()
    for outside in (replace(state, in_git=False), replace(state, top=None)):
        assert charge(tree.root, outside, changes) == changes
    assert charge(tree.root, state, ()) == ()


def test_an_executable_bit_on_a_merged_file_is_the_commands(tree: Tree) -> None:
    """The content is git's, the mode is not."""
    state = tree.remember()
    tree.run("merge", "--no-edit", "-Xtheirs", "work")
    assert tree.charged(state) == ()
    (tree.root / "a").chmod(0o755)
    (change,) = tree.charged(state)
    assert (change.path, change.git_mode) == ("a", "100755")


def test_a_mode_that_a_branch_has_is_gits(tree: Tree) -> None:
    """Executable files, and links, come with their mode."""
    git(tree.root, "switch", "--quiet", "work")
    (tree.root / "b").chmod(0o755)
    (tree.root / "link").symlink_to("a")
    commit_all(tree.root, "Modes")
    git(tree.root, "switch", "--quiet", "main")
    state = tree.remember()
    tree.run("checkout", "-q", "work")
    assert tree.charged(state) == ()


def test_the_log_of_head_tells_of_any_of_the_verbs_in_any_of_its_entries() -> None:
    moves = [LogEntry("1", "2", "merge work: Fast-forward"), LogEntry("2", "3", "commit: x")]
    assert made_by(moves, "merge") and made_by(moves, "commit")
    assert made_by(moves, ("revert", "merge"))
    assert not made_by(moves, "work")
    assert not made_by([], "merge")


CONFLICT = LINES.replace("line 10\n", "our line 10\n").replace("line 19\n", "our line 19\n")
CONFLICTING = LINES.replace("line 10\n", "their line 10\n").replace("line 2\n", "their line 2\n")
"""Their line 2 fits to our line 19; lines 10 don't fit."""

UNCOMMITTED = [
    ("merge", "--no-commit", "other"),
    ("merge", "--no-commit", "--no-ff", "other"),
    ("merge", "--squash", "other"),
    ("cherry-pick", "--no-commit", "other"),
    ("cherry-pick", "other"),
    ("merge", "other"),
    ("rebase", "other"),
    ("stash", "apply"),
]


def conflicting(tree: Tree, command: tuple[str, ...], *, theirs: str, ours: str = CONFLICT) -> None:
    """Branch `other` (for `stash`, a stash) with `theirs` in `a`; main is checked out, with `ours`."""
    git(tree.root, "switch", "--quiet", "--create", "other", "main~1")
    write_files(tree.root, {"a": LINES, "b": "b\n"})
    git(tree.root, "commit", "--quiet", "--allow-empty", "--all", "--message", "Begin")
    git(tree.root, "switch", "--quiet", "--force-create", "main")
    write_files(tree.root, {"a": theirs})
    if command[0] == "stash":
        git(tree.root, "stash", "--quiet")
    write_files(tree.root, {"a": ours})
    commit_all(tree.root, "Ours again")
    git(tree.root, "switch", "--quiet", "other")
    write_files(tree.root, {"a": theirs})
    commit_all(tree.root, "Theirs")
    git(tree.root, "switch", "--quiet", "main")


@pytest.mark.parametrize("command", UNCOMMITTED, ids=" ".join)
def test_a_clean_merge_that_is_not_committed_is_gits(tree: Tree, command: tuple[str, ...]) -> None:
    """Also where both sides changed the file."""
    conflicting(tree, command, theirs=THEIRS, ours=OURS)
    state = tree.remember()
    tree.run(*command)
    assert (tree.root / "a").read_text() == MERGED
    assert tree.charged(state) == ()


@pytest.mark.parametrize("command", UNCOMMITTED, ids=" ".join)
def test_of_a_file_with_a_conflict_git_made_what_fits(tree: Tree, command: tuple[str, ...]) -> None:
    """The lines that resolve it are the command's."""
    conflicting(tree, command, theirs=CONFLICTING)
    state = tree.remember()
    tree.run(*command)
    assert "<<<<<<<" in (tree.root / "a").read_text()
    resolved = MERGED.replace("line 10\n", "both lines 10\n")
    write_files(tree.root, {"a": resolved})
    (change,) = tree.charged(state)
    assert change.after.data == resolved.encode()
    assert change.before.data is not None
    before = change.before.data.decode().splitlines()
    assert {line for line in resolved.splitlines() if line not in before} == {"both lines 10"}


@pytest.mark.parametrize("command", UNCOMMITTED, ids=" ".join)
def test_what_is_written_over_a_merge_that_is_not_committed_is_the_commands(
    tree: Tree, command: tuple[str, ...]
) -> None:
    conflicting(tree, command, theirs=THEIRS, ours=OURS)
    state = tree.remember()
    tree.run(*command)
    write_files(tree.root, {"a": MERGED.replace("line 10\n", "agent\n")})
    (change,) = tree.charged(state)
    assert change.before.data == MERGED.encode()


@pytest.mark.parametrize("command", UNCOMMITTED, ids=" ".join)
def test_of_a_conflict_that_is_left_only_its_own_lines_are_charged(tree: Tree, command: tuple[str, ...]) -> None:
    conflicting(tree, command, theirs=CONFLICTING)
    state = tree.remember()
    tree.run(*command)
    (change,) = tree.charged(state)
    assert change.before.data is not None and change.after.data is not None
    before, after = (set(data.decode().splitlines()) for data in (change.before.data, change.after.data))
    assert {"their line 2", "our line 19"} <= before
    assert all(line.startswith(("<<<<<<<", "=======", ">>>>>>>")) or "line 10" in line for line in before ^ after)


MORE_WAYS = [
    *UNCOMMITTED[:-1],
    ("merge", "--no-commit", "-Xtheirs", "other"),
    ("pull", "--quiet", "--no-rebase", "--no-commit", ".", "other"),
    ("cherry-pick", "-Xtheirs", "--no-commit", "other"),
]


@pytest.mark.parametrize("command", MORE_WAYS, ids=" ".join)
def test_a_file_that_a_merge_takes_away_is_taken_by_git(tree: Tree, command: tuple[str, ...]) -> None:
    """Committed or not."""
    conflicting(tree, command, theirs=THEIRS, ours=OURS)
    git(tree.root, "switch", "--quiet", "other")
    git(tree.root, "rm", "--quiet", "b")
    git(tree.root, "commit", "--quiet", "--amend", "--all", "--message", "Without b")
    git(tree.root, "switch", "--quiet", "main")
    state = tree.remember()
    tree.run(*command)
    assert not (tree.root / "b").exists() and (tree.root / "a").read_text() == MERGED
    assert tree.charged(state) == ()


@pytest.mark.parametrize("command", ["rm", "git rm", "git rm of what the past deleted", "git rm of another content"])
def test_a_file_that_a_command_takes_away_itself_is_charged(tree: Tree, command: str) -> None:
    """Also where the history behind HEAD has deleted it once, or another branch a file of another content."""
    if command.endswith("deleted"):
        git(tree.root, "rm", "--quiet", "b")
        commit_all(tree.root, "Without b")
        git(tree.root, "revert", "--no-edit", "HEAD")
    if command.endswith("content"):
        git(tree.root, "switch", "--quiet", "work")
        git(tree.root, "rm", "--quiet", "b")
        commit_all(tree.root, "Without b")
        git(tree.root, "switch", "--quiet", "main")
    state = tree.remember()
    if command == "rm":
        (tree.root / "b").unlink()
    else:
        git(tree.root, "rm", "--quiet", "b")
    assert [change.path for change in tree.charged(state)] == ["b"]


def test_what_a_command_stages_that_is_no_merge_of_known_versions_is_its_own(tree: Tree) -> None:
    """A staged content is git's where it is all that a merge makes, and no more."""
    state = tree.remember()
    write_files(tree.root, {"a": MERGED.replace("line 10\n", "agent\n")})
    git(tree.root, "add", "a")
    (change,) = tree.charged(state)
    assert change.before.data == OURS.encode()
