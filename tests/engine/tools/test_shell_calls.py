"""The calls of an agent's shell from announcement to end: what is remembered of them, and what is forgotten."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from intentls.engine.agents import hook_events
from intentls.engine.tools.open_calls import has_open_calls
from intentls.engine.tools.shell_changes import worktree_of
from intentls.store.worktree.state import TreeState
from tests.support.agent_shell import API, Shell, make_shell
from tests.support.workspaces import write_files

NOT_COMMITTED = "x = 0\n"  # what git has, git may have put back


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return make_shell(tmp_path)


def remembered(shell: Shell) -> TreeState | None:
    """What is remembered of the working tree for the session."""
    return worktree_of(shell.engine().workspace(shell.root)).recall("s1")


def test_the_working_tree_is_remembered_until_the_last_call_is_reported(shell: Shell) -> None:
    """Nothing of it is left on the disk then."""
    shell.before("t1")
    shell.before("t2")
    shell.after("t1")
    assert remembered(shell) is not None
    shell.after("t2")
    assert remembered(shell) is None


def test_a_session_that_ends_leaves_no_open_call_and_no_working_tree(shell: Shell) -> None:
    """Else each later event would look for what its calls changed."""
    shell.before("t1")
    shell.before("t2")
    hook_events.settle(shell.engine(), "s1", ended=True)
    assert not has_open_calls((shell.root,))
    assert remembered(shell) is None


def test_a_change_that_is_taken_back_between_two_settlements_is_on_record(shell: Shell) -> None:
    """Each comparison begins where the one before it ended, not at the announcement."""
    write_files(shell.root, {API: NOT_COMMITTED})
    shell.before()
    for text in ("x = 1\n", NOT_COMMITTED):
        write_files(shell.root, {API: text})
        hook_events.settle(shell.engine(), "s1")
    assert [file["path"] for record in shell.new for file in record["files"]] == [API, API]


def test_a_change_that_is_taken_back_between_two_reports_is_on_record(shell: Shell) -> None:
    """The same where two calls of a session overlap."""
    write_files(shell.root, {API: NOT_COMMITTED})
    shell.before("t1")
    shell.before("t2")
    for key, text in (("t1", "x = 1\n"), ("t2", NOT_COMMITTED)):
        write_files(shell.root, {API: text})
        assert shell.after(key).recorded == 1


def test_a_command_that_changed_many_files_starts_no_more_processes(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the files were dirty before, and git might have put them back: the agent waits for each process."""
    started: list[object] = []

    class Counted(subprocess.Popen[bytes]):
        def __init__(self, command: object, *rest: Any, **options: Any) -> None:
            started.append(command)
            super().__init__(command, *rest, **options)

    monkeypatch.setattr("subprocess.Popen", Counted)
    counts = []
    for number in (2, 20):
        names = [f"src/api/many{at}.py" for at in range(number)]
        write_files(shell.root, dict.fromkeys(names, f"before = {number}\n"))
        shell.before(f"t{number}")
        write_files(shell.root, dict.fromkeys(names, f"after = {number}\n"))
        started.clear()
        shell.after(f"t{number}")
        counts.append(len(started))
        assert {file["path"] for file in shell.new[-1]["files"]} == set(names)
    assert counts[1] <= counts[0]
