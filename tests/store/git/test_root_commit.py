"""By what other machines know a repository, and what is said where they can't."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.core.errors import StoreError
from intentls.store.git.root_commit import folder_in_repository, root_commit
from tests.support.workspaces import commit_all, git, make_git_repo, write_files


def test_clones_and_folders_of_one_repository_know_it_by_its_first_commit(tmp_path: Path) -> None:
    """Whatever was committed since, and also after a merge of another history."""
    one = make_git_repo(tmp_path / "one", {"a": "1\n", "sub/b": "1\n"})
    first = git(one, "rev-parse", "HEAD")
    write_files(one, {"a": "2\n"})
    commit_all(one, "More")
    other = make_git_repo(tmp_path / "other", {"c": "1\n"})
    git(one, "fetch", "--quiet", str(other), "main")
    git(one, "merge", "--quiet", "--allow-unrelated-histories", "--message", "Both", "FETCH_HEAD")
    git(tmp_path, "clone", "--quiet", str(one), "two")
    assert root_commit(one) == root_commit(tmp_path / "two") == root_commit(one / "sub") == first
    assert (folder_in_repository(one), folder_in_repository(one / "sub")) == ("", "sub/")


def test_where_there_is_no_first_commit_a_sentence_says_why(tmp_path: Path) -> None:
    """No git, no commit yet, a shallow clone."""
    folder = tmp_path / "plain"
    folder.mkdir()
    for read in (root_commit, folder_in_repository):
        with pytest.raises(StoreError, match="is in no git"):
            read(folder)
    empty = make_git_repo(tmp_path / "empty")
    with pytest.raises(StoreError, match="has no commit yet"):
        root_commit(empty)
    deep = make_git_repo(tmp_path / "deep", {"a": "1\n"})
    write_files(deep, {"a": "2\n"})
    commit_all(deep, "More")
    git(tmp_path, "clone", "--quiet", "--depth", "1", deep.as_uri(), "shallow")
    with pytest.raises(StoreError, match="git fetch --unshallow"):
        root_commit(tmp_path / "shallow")
