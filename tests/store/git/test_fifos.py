"""Git waits for a FIFO where it expects a file: it is not asked then."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from intentls.store.git import command, endless_files
from intentls.store.git.command import TIMEOUT_S, ask_git
from intentls.store.git.endless_files import endless_below
from intentls.store.git.repository import filtered_paths
from intentls.store.git.status import GitFiles, read_blobs, read_status
from tests.support.workspaces import make_git_repo, write_files

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="FIFOs")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Committed files in several directories."""
    root = tmp_path / "repository"
    write_files(root, {"src/a.py": "old\n", "docs/deep/a.md": "old\n"})
    return make_git_repo(root)


@pytest.mark.parametrize(
    "name", [".gitattributes", ".gitignore", ".orchestration/.gitignore", ".git/config", ".git/info/exclude"]
)
def test_a_fifo_that_git_would_read_costs_no_time(name: str, tmp_path: Path) -> None:
    """No answer at once, instead of none after the time limit: `doctor`, `init` and hooks ask several times."""
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / ".orchestration").mkdir()
    files = GitFiles(tmp_path)
    assert files.is_ignored("a") is False
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name)
    started = time.monotonic()
    assert files.is_ignored("a") is None
    assert files.attribute("a", "merge") is None
    assert read_status(tmp_path) is None
    assert time.monotonic() - started < TIMEOUT_S


@pytest.mark.parametrize("name", ["docs/.gitattributes", "docs/deep/.gitattributes", "docs/.gitignore"])
def test_a_fifo_beside_a_file_that_git_is_asked_about_is_seen_before(
    repository: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or above it. Git is not started, and answers about files elsewhere as before."""
    os.mkfifo(repository / name)
    files, path = GitFiles(repository), "docs/deep/a.md"
    assert files.is_ignored("src/a.py") is False
    assert files.committed("src/a.py") == b"old\n"
    monkeypatch.setattr(command, "_run", lambda *_: pytest.fail("git was started"))
    assert files.is_ignored(path) is None
    assert files.ignored([path]) == frozenset()
    assert files.ignored_folders(["docs/deep"]) == frozenset()
    assert files.attribute(path, "merge") is None
    assert files.committed(path) is None
    assert filtered_paths(repository, [path]) == {path}


def test_a_blob_is_not_converted_by_rules_that_never_end(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its content stays unknown."""
    path = "docs/deep/a.md"
    oid = subprocess.run(["git", "rev-parse", f"HEAD:{path}"], cwd=repository, capture_output=True, text=True).stdout
    assert read_blobs(repository, {path: oid.strip()}, 100) == {path: b"old\n"}
    os.mkfifo(repository / "docs/.gitattributes")
    real = command._run
    monkeypatch.setattr(
        command, "_run", lambda *given: pytest.fail("git was started") if "--filters" in given[0] else real(*given)
    )
    assert read_blobs(repository, {path: oid.strip()}, 100) == {}


@pytest.mark.parametrize("name", ["docs/.gitattributes", "docs/.gitignore", "new/deep/.gitignore"])
def test_a_status_that_waits_for_a_fifo_is_given_up_soon(
    repository: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    """It may lie anywhere. What made git wait is named, and its process has ended."""
    write_files(repository, {"docs/deep/a.md": "new\n", "new/deep/b.md": "new\n"})
    os.mkfifo(repository / name)
    assert ask_git(repository, "status", "--untracked-files=all", filters=True, timeout_s=3600.0) is None
    assert f"{name} is no regular file" in caplog.text


def test_a_slow_git_without_a_fifo_has_all_its_time(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And is heard to its end."""
    monkeypatch.setattr(command, "_SLOW_S", 0.0)
    assert ask_git(repository, "cat-file", "blob", "HEAD:src/a.py") == b"old\n"
    assert ask_git(repository, "hash-object", "--stdin", stdin=b"x" * 5_000_000) is not None


def test_only_so_many_directories_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The upper ones first; no link leads out, and what can't be read is left out."""
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "root/.git").mkdir(parents=True)
    for folder in ("elsewhere", "root/.git", "a/b"):
        os.mkfifo(tmp_path / folder / ".gitignore")
    (tmp_path / "root/link").symlink_to(tmp_path / "elsewhere")
    assert endless_below(tmp_path / "root") is None
    assert endless_below(tmp_path / "missing") is None
    assert endless_below(tmp_path / "a") == "b/.gitignore"
    monkeypatch.setattr(endless_files, "_MAX_DIRECTORIES", 1)
    assert endless_below(tmp_path / "a") is None
