"""Which files of the working tree are reviewed without anybody having opened them."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.engine.actions.effects import drive
from intentls.engine.editor import changed_files
from intentls.engine.editor.changed_files import ChangedFiles, file_diagnostics
from intentls.engine.intents import checkout
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from tests.support.workspaces import make_git_repo, make_workspace, write_files


def names(root: Path) -> list[str]:
    engine = Engine(Headless("test", (root,)))
    return [path.relative_to(root).as_posix() for path in ChangedFiles().of(engine.workspace(root))]


def test_changed_and_new_files_and_no_others(git_workspace: Path) -> None:
    """Not the deleted ones, folders, links, what git ignores, nor what intentls itself writes."""
    write_files(git_workspace, {"docs/design.md": "# New\n", "neu/ü 😀.md": "x", ".gitignore": "*.log\n", "a.log": ""})
    (git_workspace / "prototype/main.py").unlink()
    (git_workspace / "link.md").symlink_to("docs/design.md")
    write_files(git_workspace, {".orchestration/policy.yaml": "mode: advise\n", ".orchestration/AGENT.md": "x"})
    assert names(git_workspace) == [".gitignore", ".orchestration/policy.yaml", "docs/design.md", "neu/ü 😀.md"]


def test_outside_git_there_are_none(workspace: Path) -> None:
    """Nothing says what changed."""
    assert names(workspace) == []


def test_a_root_below_the_top_of_its_repository_has_its_own_changes_only(tmp_path: Path) -> None:
    """What lies beside the root is not its business."""
    root = make_workspace(tmp_path / "repo" / "part")
    make_git_repo(tmp_path / "repo", {"beside.md": "x"})
    write_files(tmp_path / "repo", {"beside.md": "y", "part/docs/design.md": "y"})
    assert names(root) == ["docs/design.md"]


def test_each_file_is_judged_by_the_root_that_governs_it(git_workspace: Path) -> None:
    """A root inside another one judges its own files."""
    inner = make_workspace(git_workspace / "inner", files={"docs/a.md": "a"})
    engine = Engine(Headless("test", (git_workspace,)))
    drive(checkout.select(engine, "me", "INT-001", None, None))
    found = file_diagnostics(engine, inner / "docs/a.md", "me")
    assert found is not None
    assert (found.workspace.root, found.path, found.diagnostics) == (inner, "docs/a.md", ())


def test_what_is_no_text_is_judged_without_being_read_as_text(git_workspace: Path) -> None:
    """A binary file and a huge one can be out of scope like any other; a file that is gone is left out."""
    write_files(git_workspace, {"x.bin": b"\0" * 9, "utf16.md": "é\n".encode("utf-16")})
    with (git_workspace / "huge.md").open("wb") as file:
        file.truncate(6 * 1024 * 1024)
    engine = Engine(Headless("test", (git_workspace,)))
    drive(checkout.select(engine, "me", "INT-001", None, None))
    for name, text in (("x.bin", ""), ("huge.md", ""), ("utf16.md", "é\n")):
        found = file_diagnostics(engine, git_workspace / name, "me")
        assert found is not None
        assert [diagnostic.code for diagnostic in found.diagnostics] == ["SCOPE_VIOLATION"]
        assert found.text.lstrip("\ufeff") == text
    assert file_diagnostics(engine, git_workspace / "gone.md", "me") is None
    assert file_diagnostics(engine, Path("/nowhere/at/all"), "me") is None


def test_a_slow_git_is_given_a_rest(git_workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where git takes seconds it is not asked again at once, unless something happened here."""
    clock = iter(range(0, 1000, 2))
    monkeypatch.setattr(changed_files.time, "monotonic", lambda: next(clock))
    files = ChangedFiles()
    workspace = Engine(Headless("test", (git_workspace,))).workspace(git_workspace)
    assert files.of(workspace) == ()
    write_files(git_workspace, {"new.md": "x"})
    assert files.of(workspace) == ()
    files.forget()
    assert files.of(workspace) == (git_workspace / "new.md",)
