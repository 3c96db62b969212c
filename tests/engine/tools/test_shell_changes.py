"""What is declared when a command is announced, and what counts of it when the command is judged."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from intentls.core.gate.policy import Shell
from intentls.engine.tools import shell_changes
from intentls.engine.tools.shell_call import ShellCall, ShellChanges, combine
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from tests.support.workspaces import make_git_repo, make_workspace

INTENTS, POLICY, IGNORE = ".orchestration/active_intents.yaml", ".orchestration/policy.yaml", ".intentignore"
CALL = ShellCall("s1", "execute_command", "k", "model-1")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_git_repo(make_workspace(tmp_path / "root", policy="shell: revert\n", ignore="docs/**\n"))


def opened(root: Path) -> Workspace:
    """As each process has it."""
    return Engine(Headless("hook", (root,))).workspace(root)


def accept(root: Path, path: str, data: bytes | None) -> None:
    """The file changes, and a person says that it counts."""
    if data is None:
        (root / path).unlink()
    else:
        (root / path).write_bytes(data)
    opened(root).accepted.accept(path, data)


def test_a_command_is_judged_by_what_was_declared_before_it(root: Path) -> None:
    """Even where a person has accepted something else while it ran."""
    shell_changes.remember(opened(root), CALL)
    accept(root, INTENTS, (root / INTENTS).read_bytes().replace(b"src/api/**", b"**"))
    accept(root, POLICY, b"shell: allow\n")
    accept(root, IGNORE, None)
    before = shell_changes.configurations_before(opened(root), [CALL])[0]
    assert not before.intents.intents["INT-001"].scope.contains("docs/design.md")
    assert before.policy.shell is Shell.REVERT
    assert before.ignore.excludes_path("docs/design.md")
    assert before.error is None


def test_another_call_is_judged_by_what_was_declared_before_itself(root: Path) -> None:
    """Each call has its own."""
    shell_changes.remember(opened(root), CALL)
    accept(root, POLICY, b"shell: deny\n")
    later = replace(CALL, key="later")
    shell_changes.remember(opened(root), later)
    policies = [shell_changes.configurations_before(opened(root), [call])[0].policy for call in (CALL, later)]
    assert [policy.shell for policy in policies] == [Shell.REVERT, Shell.DENY]


def test_a_call_that_is_over_has_nothing_declared_before_it(root: Path) -> None:
    """What is declared now counts then."""
    shell_changes.remember(opened(root), CALL)
    shell_changes.end(opened(root), "s1", "k")
    (root / POLICY).write_bytes(b"shell: deny\n")
    assert shell_changes.configurations_before(opened(root), [CALL])[0].policy.shell is Shell.DENY
    assert shell_changes.announced_calls(opened(root)).all() == []


@pytest.mark.parametrize("path", [INTENTS, POLICY, IGNORE])
def test_where_a_declared_file_could_not_be_read_before_a_command_nothing_is_allowed_to_it(
    root: Path, path: str
) -> None:
    """What the file would have forbidden is not known."""
    (root / path).unlink()
    os.mkfifo(root / path)
    shell_changes.remember(opened(root), CALL)
    (root / path).unlink()
    accept(root, path, b"")
    before = shell_changes.configurations_before(opened(root), [CALL])[0]
    assert before.error == "The intents had errors before the tool ran."


def test_a_file_that_is_not_text_is_remembered_as_it_is(root: Path) -> None:
    """An ignore file may name files whose names are no UTF-8."""
    (root / IGNORE).write_bytes(b"caf\xe9/**\n")
    shell_changes.remember(opened(root), CALL)
    accept(root, IGNORE, None)
    before = shell_changes.configurations_before(opened(root), [CALL])[0]
    assert before.ignore.excludes_path(os.fsdecode(b"caf\xe9/a"))
    assert not before.ignore.excludes_path("docs/design.md")


def test_an_announced_call_names_its_tool_its_model_and_the_calls_of_other_sessions(root: Path) -> None:
    """Calls of its own session are none of others."""
    for call in (CALL, ShellCall("s2", "execute_command", "a"), ShellCall("s1", "run", "b", "model-2")):
        shell_changes.remember(opened(root), call)
    calls = {(call.session_id, call.key): call for call in shell_changes.announced_calls(opened(root)).all()}
    assert {key: (call.tool_name, call.model, call.others) for key, call in calls.items()} == {
        ("s1", "k"): ("execute_command", "model-1", ()),
        ("s2", "a"): ("execute_command", None, (("s1", "k"),)),
        ("s1", "b"): ("run", "model-2", (("s2", "a"),)),
    }


def test_changes_in_several_roots_are_told_as_one(root: Path) -> None:
    """Counts are summed, places are named once, and trouble in one root is trouble."""
    one = ShellChanges(1, (), ("a",), "trash/1", ("x",), ledger_damage="Cut.")
    two = ShellChanges(2, (), ("b",), "trash/2", ("y",), git_failed=True, no_baseline=True, ledger_damage="Cut.")
    assert combine([one, two]) == ShellChanges(
        3, (), ("a", "b"), "trash/1 and trash/2", ("x", "y"), git_failed=True, no_baseline=True, ledger_damage="Cut."
    )
    assert combine([one, one]).trash == "trash/1"
    assert combine([]) == ShellChanges()
