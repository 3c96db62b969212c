"""Whom git's configuration names, compared with what git itself says, and how often git is asked."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from intentls.store.fs import primitives
from intentls.store.git import identity
from intentls.store.git.identity import GitIdentity, GitUser
from tests.support.workspaces import commit_all, git, make_git_repo

ADA = GitUser("Ada Lovelace", "ada@example.invalid")


@pytest.fixture(autouse=True)
def _stamps_settle_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that a test has just written is as good as an old one: each test changes sizes, too."""
    monkeypatch.setattr(primitives, "RACY_NS", 0)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in which git finds the user's own configuration."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return folder


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository whose own configuration names Ada."""
    root = make_git_repo(tmp_path.resolve() / "repo", {"sub/a.txt": "1"})
    git(root, "config", "user.name", "Ada Lovelace")
    git(root, "config", "user.email", "ada@example.invalid")
    return root


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Every command that was started to ask git for its configuration."""
    commands: list[list[str]] = []
    start = subprocess.Popen

    def note(command: list[str], **options: object) -> object:
        if "config" in command:
            commands.append(command)
        return start(command, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", note)
    return commands


def test_git_is_asked_once_until_its_configuration_changes(repo: Path, asked: list[list[str]]) -> None:
    """A thousand records cost one process."""
    user = GitIdentity(repo / "sub")
    assert [user.user() for _ in range(1000)] == [ADA] * 1000
    assert len(asked) == 1
    with (repo / ".git" / "config").open("a") as file:
        file.write("[user]\n\tname = Grace\n")
    assert user.user().name == "Grace"


def test_a_file_that_git_would_read_if_it_were_there_is_noticed(tmp_path: Path, home: Path) -> None:
    """The user's own configuration, and a repository where there was none."""
    folder = tmp_path / "folder"
    folder.mkdir()
    user = GitIdentity(folder)
    assert user.user() == GitUser()
    (home / ".gitconfig").write_text("[user]\n\tname = Grace\n")
    assert user.user() == GitUser("Grace", None)
    make_git_repo(folder, {"a.txt": "1"})
    git(folder, "config", "user.name", "Ada Lovelace")
    assert user.user().name == "Ada Lovelace"


def test_a_linked_worktree_with_its_own_configuration_has_its_own_user(repo: Path, tmp_path: Path) -> None:
    """And the main worktree keeps its own; a later change is noticed."""
    linked = tmp_path / "linked"
    git(repo, "worktree", "add", "--quiet", str(linked))
    user = GitIdentity(linked)
    assert user.user() == ADA
    git(repo, "config", "extensions.worktreeConfig", "true")
    git(linked, "config", "--worktree", "user.name", "Grace")
    assert (user.user().name, GitIdentity(repo).user().name) == ("Grace", "Ada Lovelace")
    git(linked, "config", "--worktree", "user.name", "Grace Hopper")
    assert user.user().name == "Grace Hopper"


def test_a_conditional_include_counts_as_git_says(repo: Path, home: Path) -> None:
    """By folder, by branch, and when the included file comes to be."""
    git(repo, "config", "--unset", "user.name")
    (home / ".gitconfig").write_text(
        f'[user]\n\tname = Private\n[includeIf "gitdir:{repo}/"]\n\tpath = work.inc\n'
        '[includeIf "onbranch:release"]\n\tpath = ~/release.inc\n'
    )
    user = GitIdentity(repo)
    assert user.user().name == "Private"
    (home / "work.inc").write_text("[user]\n\tname = Ada at work\n")
    (home / "release.inc").write_text("[user]\n\tname = Release\n")
    assert user.user().name == "Ada at work"
    git(repo, "switch", "--quiet", "--create", "release")
    assert user.user().name == "Release"


def test_variables_that_name_the_author_of_one_commit_do_not_count(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git sets them for the commands that a commit or rebase calls: they say whose commit that is."""
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Mallory")
    monkeypatch.setenv("GIT_COMMITTER_NAME", "Mallory")
    monkeypatch.setenv("EMAIL", "mallory@example.invalid")
    assert GitIdentity(repo).user() == ADA


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("Ada\nLovelace\x1b]0;x\x07", "Ada Lovelace ]0;x"),
        ("A" * 10_240, "A" * 199 + "…"),
        ("user.email\nmallory@example.invalid", "user.email mallory@example.invalid"),
        ("", None),
    ],
)
def test_a_hostile_name_is_data(repo: Path, value: str, name: str | None) -> None:
    """Controls and line ends go, the length is bounded, and no value passes for another setting."""
    git(repo, "config", "user.name", value)
    assert GitIdentity(repo).user() == GitUser(name, "ada@example.invalid")


def test_a_name_that_is_no_utf_8_can_be_recorded(repo: Path) -> None:
    """What can't be read is shown as such."""
    with (repo / ".git" / "config").open("ab") as file:
        file.write(b"[user]\n\tname = Andr\xe9\n")
    assert GitIdentity(repo).user().name == "Andr\ufffd"


def test_without_git_or_with_a_configuration_it_can_not_read_nobody_is_named(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing is raised: a record without a name is a record."""
    (repo / ".git" / "config").write_text("[user\n")
    assert GitIdentity(repo).user() == GitUser()
    monkeypatch.setattr(identity, "run_git", lambda *_, **__: None)
    assert GitIdentity(repo).user() == GitUser()


def test_a_git_that_gave_no_answer_is_asked_again(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One process that was killed, as on a busy machine, does not take the name from the records that follow."""
    user, run_git = GitIdentity(repo), identity.run_git
    monkeypatch.setattr(identity, "run_git", lambda *_, **__: None)
    assert user.user() == GitUser()
    monkeypatch.setattr(identity, "run_git", run_git)
    assert user.user().name == "Ada Lovelace"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_a_git_file_that_is_no_file_ends_nothing(tmp_path: Path) -> None:
    """A FIFO in its place is not opened."""
    os.mkfifo(tmp_path / ".git")
    assert GitIdentity(tmp_path).user() == GitUser()


def test_the_name_is_that_of_commits(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As git itself writes it into the next commit."""
    for variable in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"):
        monkeypatch.delenv(variable)
    (repo / "b.txt").write_text("2")
    commit_all(repo, "Second")
    assert GitUser(*git(repo, "log", "-1", "--format=%an%n%ae").splitlines()) == GitIdentity(repo).user()
