"""What the newest record left of a file: its content, no file, or nothing that says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from intentls.core.hashing import hash_of
from intentls.engine.records.file_history import FileHistory, RecordedContent
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from tests.support.agent_edits import Agent
from tests.support.workspaces import make_git_repo, make_workspace

OLD, NEW = "src/api/weather.py", "src/api/climate.py"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    root = make_git_repo(make_workspace(tmp_path / "root"))
    return Engine(Headless("lsp", (root,))).workspace(root)


def agent(workspace: Workspace) -> Agent:
    return Agent(workspace.root, "s").select("INT-001")


def recorded(workspace: Workspace, path: str) -> RecordedContent | None:
    return FileHistory(workspace, path).recorded


def test_without_a_record_nothing_is_known(workspace: Workspace) -> None:
    assert recorded(workspace, OLD) is None


def test_the_newest_record_of_a_file_says_what_it_holds(workspace: Workspace) -> None:
    for text in ("one = 1\n", "two = 2\n"):
        agent(workspace).write(OLD, text)
    assert recorded(workspace, OLD) == RecordedContent(hash_of(b"two = 2\n"))


def test_a_rename_leaves_a_file_under_the_new_name_and_none_under_the_old(workspace: Workspace) -> None:
    content = hash_of((workspace.root / OLD).read_bytes())
    agent(workspace).rename(OLD, NEW)
    assert recorded(workspace, NEW) == RecordedContent(content)
    assert recorded(workspace, OLD) == RecordedContent(None)


def test_a_deletion_leaves_no_file(workspace: Workspace) -> None:
    agent(workspace).delete(OLD)
    assert recorded(workspace, OLD) == RecordedContent(None)


@pytest.mark.parametrize(
    ("contents", "newest"),
    [
        ([b"A", b"B"], b"B"),
        ([b"A", b"C"], b"A"),
        ([b"C", None], None),
    ],
)
def test_of_two_contents_the_one_is_newer_that_history_had_last(
    workspace: Workspace, contents: list[Any], newest: bytes | None
) -> None:
    """The file is committed with A and on record with B."""
    make_git_repo(workspace.root, {"src/api/a.txt": "A"})
    agent(workspace).write("src/api/a.txt", "B")
    assert FileHistory(workspace, "src/api/a.txt").newest_of(contents) == newest
    assert FileHistory(workspace, "src/api/a.txt").has(b"B")
    assert not FileHistory(workspace, "src/api/a.txt").has(b"C")
