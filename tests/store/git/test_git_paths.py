"""Where a repository keeps several things, asked at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.store.git.commits import git_path, git_paths
from tests.support.workspaces import git, make_git_repo

NAMES = ("MERGE_HEAD", "rebase-merge", "hooks")


@pytest.mark.parametrize("name", ["main", "ma in", "ma\nin"])
def test_several_places_are_those_of_each(tmp_path: Path, name: str) -> None:
    """In a linked work tree, too, whose repository lies elsewhere, in a folder with a line end in its name."""
    main, linked = make_git_repo(tmp_path / name, {"a": "1\n"}), tmp_path / "linked"
    git(main, "worktree", "add", "--quiet", "../linked")
    for top in (main, linked):
        assert git_paths(top, NAMES) == [git_path(top, each) for each in NAMES]


def test_outside_git_there_are_none(tmp_path: Path) -> None:
    """No folder is a repository only because it is asked about."""
    assert git_paths(tmp_path, NAMES) == []
