"""What git ignores, by ignore files in many places, and what is taken for it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from intentls.store.worktree.diff import Worktree
from intentls.store.worktree.ignored_files import hidden_changes
from tests.support.workspaces import git, make_git_repo, write_files

NAMES = ("a", "b", "c.o", "x y")
LINES = ("a", "b/", "/a", "*.o", "!a", "!c.o", "a/b", "!/b", "x*", "**/b", "a/**", "# a", "", "!x y", "[ab]", "\\!a")


def lines(rng: random.Random) -> str:
    return "\n".join(rng.choices(LINES, k=rng.randint(0, 3)))


@pytest.mark.parametrize("seed", range(8))
def test_of_new_files_those_are_hidden_that_git_showed_by_its_rules_from_before(tmp_path: Path, seed: int) -> None:
    """Generated rules in up to seven places; the command adds one that hides all."""
    rng = random.Random(seed)
    places = ("", "a/", "b/", "a/b/", "x y/")
    rules = {f"{place}.gitignore": lines(rng) for place in rng.sample(places, 3)}
    root = make_git_repo(tmp_path / "root", rules)
    exclude, user = root / ".git/info/exclude", root / ".git/user"
    exclude.write_text(lines(rng))
    user.write_text(lines(rng))
    git(root, "config", "core.excludesFile", str(user))
    git(root, "add", "--all", "--force")
    git(root, "commit", "--quiet", "--allow-empty", "--message", "Rules")
    worktree = Worktree(root, tmp_path / "state")
    before = worktree.remember("s")
    made = {f"{place}{name}" for place in places for name in (*NAMES, "deep/a", "deep/b/c.o")}
    write_files(root, {path: "x" for path in made if f"{path}/" not in places})
    shown = set(git(root, "ls-files", "-z", "--others", "--exclude-standard").split("\0")) - {""}
    assert hidden_changes(root, before, worktree.changes("s", before).ignored, ()) == ()
    exclude.write_text("*\n!.gitignore\n")
    for path in rules:
        (root / path).write_text("")
    changes = worktree.changes("s", before)
    found = hidden_changes(root, before, changes.ignored, changes.files)
    assert {change.path for change in found} == shown
