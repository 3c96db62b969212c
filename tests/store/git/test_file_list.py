"""Which files a root has, from git or from a walk."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.store.git import file_list
from intentls.store.git.command import ask_git
from intentls.store.git.file_list import FileList, Files
from tests.support.workspaces import git, make_git_repo, make_workspace, write_files

TREE = {"src/a.py": "", "src/api/b.py": "", "src0.py": "", ".gitignore": "junk/\n", "junk/x.py": ""}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_workspace(tmp_path / "w", files=TREE)


def test_git_says_which_files_there_are(root: Path) -> None:
    """Tracked and new ones, not the ignored ones, and nothing that intentls writes itself."""
    make_git_repo(root)
    write_files(root, {"new.py": "", ".orchestration/agent_trace.jsonl": ""})
    paths = FileList(root, root / "none").current().paths
    assert paths == (
        ".gitignore",
        ".orchestration/active_intents.yaml",
        "new.py",
        "src/a.py",
        "src/api/b.py",
        "src0.py",
    )


def test_a_root_inside_a_repository_has_its_own_files_only(tmp_path: Path) -> None:
    """Paths are relative to the root, not to the repository."""
    make_git_repo(tmp_path / "repo", {"outside.py": ""})
    inner = make_workspace(tmp_path / "repo" / "inner", files={"a.py": ""})
    assert FileList(inner, inner / "none").current().paths == (".orchestration/active_intents.yaml", "a.py")


def test_outside_git_the_folder_is_walked(root: Path) -> None:
    """Everything counts there, since nobody says what to ignore."""
    assert "junk/x.py" in FileList(root, root / "none").current().paths


def test_a_walk_ends_at_a_limit_and_says_so(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a huge folder some files are known, and that there are more."""
    monkeypatch.setattr(file_list, "MAX_WALKED", 2)
    found = FileList(root, root / "none").current()
    assert (len(found.paths), found.complete) == (2, False)


def test_the_list_is_the_same_object_until_something_changes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking again at once costs a stat; a change of the index, or of the ledger, is seen without waiting."""
    make_git_repo(root)
    ledger = root / "ledger.jsonl"
    listed = FileList(root, ledger)
    first = listed.current()
    asked: list[str] = []

    def noted(root: Path, *words: str) -> bytes | None:
        asked.append(words[0])
        return ask_git(root, *words)

    monkeypatch.setattr(file_list, "ask_git", noted)
    assert listed.current() is listed.current() is first or asked.count("ls-files") <= 1
    asked.clear()
    assert listed.current() is first
    assert asked == []
    (root / "more.py").write_bytes(b"")
    git(root, "add", "more.py")
    assert listed.current().has("more.py")
    (root / "also.py").write_bytes(b"")
    ledger.write_bytes(b"{}\n")
    assert listed.current().has("also.py")


def test_folders_are_found_by_their_names() -> None:
    """`below` is everything in a folder, `inside` the names directly in it; neighbours with a like name don't count."""
    files = Files(tuple(sorted(("src/a.py", "src/api/b.py", "src/api/c.py", "src0.py", "src-x/d.py"))))
    assert list(files.below("src")) == ["src/a.py", "src/api/b.py", "src/api/c.py"]
    assert files.inside("src") == ("a.py", "api/")
    assert set(files.inside("")) == {"src/", "src0.py", "src-x/"}
    assert (files.has("src/a.py"), files.has("src")) == (True, False)
