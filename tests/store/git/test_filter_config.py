"""Whether a repository may define content filters, told without git; unsure means that it may."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from intentls.store.git.command import surely_defines_no_filter
from tests.support.workspaces import git, make_git_repo


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one commit."""
    return make_git_repo(tmp_path / "r", {"a": "a\n", "inner/b": "b\n"})


def test_a_plain_repository_surely_defines_none(repository: Path) -> None:
    """At its top, below it, and outside every repository."""
    assert surely_defines_no_filter(repository)
    assert surely_defines_no_filter(repository / "inner")
    assert surely_defines_no_filter(repository.parent)


@pytest.mark.parametrize(
    "text",
    [
        '[filter "x"]\n\tclean = evil\n',
        '[FilTer "x"]\r\nclean = evil\r\n',
        "[filter.x] clean = evil\n",
        "[include]\n\tpath = more\n",
        '[includeIf "gitdir:/"]\n\tpath = more\n',
        "\n" * (1024 * 1024 + 1),
    ],
    ids=["section", "letter case", "dotted", "include", "conditional include", "endless"],
)
@pytest.mark.parametrize("name", ["config", "config.worktree"])
def test_whatever_may_bring_a_filter_in_counts(repository: Path, name: str, text: str) -> None:
    """A filter in either file, under any spelling, and every file that is included."""
    with (repository / ".git" / name).open("ab") as file:
        file.write(text.encode())
    assert not surely_defines_no_filter(repository / "inner")


def test_a_repository_further_up_counts_too(repository: Path) -> None:
    """An empty `.git` is no repository for git, which then goes on to the folder above."""
    (repository / "inner" / ".git").mkdir()
    assert surely_defines_no_filter(repository / "inner")
    git(repository, "config", "filter.x.clean", "evil")
    assert not surely_defines_no_filter(repository / "inner")


def test_what_is_not_simple_is_left_to_git(repository: Path) -> None:
    """A linked worktree, a bare repository, a common folder elsewhere, and what is no regular file."""
    git(repository, "worktree", "add", "--quiet", "../linked")
    assert not surely_defines_no_filter(repository.parent / "linked")
    git(repository, "clone", "--quiet", "--bare", ".", "../bare.git")
    assert not surely_defines_no_filter(repository.parent / "bare.git")
    (repository / ".git" / "config.worktree").symlink_to("nowhere")
    assert not surely_defines_no_filter(repository)
    (repository / ".git" / "config.worktree").unlink()
    (repository / ".git" / "commondir").write_text("../elsewhere\n")
    assert not surely_defines_no_filter(repository)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_pipe_in_a_files_place_does_not_hang(repository: Path) -> None:
    """It is no configuration that could be read twice."""
    os.mkfifo(repository / ".git" / "config.worktree")
    assert not surely_defines_no_filter(repository)
