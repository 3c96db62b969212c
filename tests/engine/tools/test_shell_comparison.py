"""A command from its announcement to its end: what is remembered of it, recorded, and forgotten again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from intentls.core.gate.refusal import Code, Override
from intentls.engine.actions.effects import drive
from intentls.engine.intents.checkout import select
from intentls.engine.tools import shell_calls, shell_changes, shell_comparison
from intentls.engine.tools.shell_call import ShellCall, ShellChanges
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from tests.support.session import ledger_of
from tests.support.workspaces import make_git_repo, make_workspace

API, DESIGN, DONE = "src/api/weather.py", "docs/design.md", "prototype/main.py"
INTENTS = ".orchestration/active_intents.yaml"
CALL = ShellCall("s1", "execute_command", "k")


class Command:
    """A session under INT-001 in one root, whose commands are announced and reported."""

    def __init__(self, root: Path, policy: str | None = None) -> None:
        self.root = make_git_repo(make_workspace(root, policy=policy))
        drive(select(Engine(Headless("hook", (self.root,))), "s1", "INT-001", None, None))
        self._seen = len(ledger_of(self.root))

    @property
    def workspace(self) -> Workspace:
        """As each process has it."""
        return Engine(Headless("hook", (self.root,))).workspace(self.root)

    def begin(self, call: ShellCall = CALL) -> None:
        shell_changes.remember(self.workspace, call)

    def end(self, call: ShellCall = CALL) -> ShellChanges:
        return shell_comparison.reconcile(self.workspace, call)

    def write(self, path: str, text: str) -> None:
        (self.root / path).write_text(text)

    @property
    def open(self) -> list[tuple[str, bool]]:
        """The calls that are not over, and whether each is reported."""
        return [(call.key, call.is_reported) for call in shell_changes.announced_calls(self.workspace).all()]

    @property
    def has_tree(self) -> bool:
        return shell_changes.worktree_of(self.workspace).recall("s1") is not None

    @property
    def files(self) -> list[tuple[str, bool]]:
        """The paths on record since, and whether each change stands."""
        records: list[dict[str, Any]] = ledger_of(self.root)[self._seen :]
        return [(file["path"], record["success"]) for record in records for file in record["files"]]


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path / "root")


def test_what_a_command_changed_is_on_record_and_the_command_is_over(command: Command) -> None:
    command.begin()
    assert (command.open, command.has_tree) == ([("k", False)], True)
    assert len(command.workspace.accepted.state().commands) == 1
    command.write(API, "X = 1\n")
    assert command.end() == ShellChanges(1)
    assert command.files == [(API, True)]
    assert (command.open, command.has_tree) == ([], False)
    assert command.workspace.accepted.state().commands == {}
    assert command.end() == ShellChanges(no_baseline=True)


def test_a_command_that_runs_on_is_reported_and_not_over(command: Command) -> None:
    """What it changes later is recorded at the end of its session."""
    command.begin()
    command.write(API, "X = 1\n")
    assert command.end(replace(CALL, runs_on=True)) == ShellChanges(1)
    assert (command.open, command.has_tree) == ([("k", True)], True)
    command.write(API, "X = 2\n")
    assert shell_calls.settle(command.workspace, "s1", ended=True) == ShellChanges(1)
    assert command.files == [(API, True), (API, True)]
    assert (command.open, command.has_tree) == ([], False)


def test_where_another_command_of_the_session_runs_the_tree_is_remembered_for_it(command: Command) -> None:
    """Each change is recorded once."""
    other = replace(CALL, key="other")
    command.begin()
    command.begin(other)
    command.write(API, "X = 1\n")
    assert command.end() == ShellChanges(1)
    assert (command.open, command.has_tree) == ([("other", False)], True)
    assert command.end(other) == ShellChanges()
    assert command.files == [(API, True)]


def test_between_two_turns_a_call_that_is_not_reported_is_taken_to_run_on(command: Command) -> None:
    """Within a turn its report may still come."""
    command.begin()
    command.write(API, "X = 1\n")
    assert shell_calls.settle(command.workspace, "s1") == ShellChanges(1)
    assert command.open == [("k", False)]
    command.write(API, "X = 2\n")
    assert shell_calls.settle(command.workspace, "s1", between_turns=True) == ShellChanges(1)
    assert command.open == [("k", True)]
    assert shell_calls.settle(command.workspace, "s2", ended=True) == ShellChanges()
    assert command.open == [("k", True)]


def test_what_a_command_may_not_change_is_told_and_put_back_where_policy_says_so(tmp_path: Path) -> None:
    """The refusal names the file and where its content is; what is in scope stands."""
    command = Command(tmp_path / "root", "shell: revert\n")
    command.begin()
    command.write(DESIGN, "# Spoiled\n")
    command.write(API, "X = 1\n")
    changes = command.end()
    assert (changes.recorded, changes.reverted) == (1, (DESIGN,))
    assert [refusal.paths for refusal in changes.refusals] == [(DESIGN,)]
    assert (command.root / DESIGN).read_text() == "# Design\n"
    assert changes.trash is not None
    assert (command.root / changes.trash / DESIGN).read_text() == "# Spoiled\n"
    assert command.files == [(API, True), (DESIGN, False)]
    assert changes.trash in ledger_of(command.root)[-1]["error"]


def test_what_runs_on_behind_its_report_is_not_put_back(tmp_path: Path) -> None:
    """It may be a person's."""
    command = Command(tmp_path / "root", "shell: revert\n")
    command.begin()
    command.end(replace(CALL, runs_on=True))
    command.write(DESIGN, "# Spoiled\n")
    changes = shell_calls.settle(command.workspace, "s1", ended=True)
    assert (changes.recorded, changes.reverted, len(changes.refusals)) == (1, (), 1)
    assert (command.root / DESIGN).read_text() == "# Spoiled\n"


def test_an_edit_that_was_announced_and_happened_is_on_record_though_nobody_reports_it(command: Command) -> None:
    """Once; and not where it is as it was, or as a record says."""
    workspace = command.workspace
    for path in (API, DESIGN):
        workspace.snapshots.keep("s1", path, (command.root / path).read_bytes(), "write_to_file")
    workspace.snapshots.keep("s2", API, b"", "write_to_file")
    command.write(API, "X = 1\n")
    for _ in range(2):
        shell_calls.settle(command.workspace, "s1", between_turns=True)
    assert command.files == [(API, True)]
    assert [snapshot.session_id for snapshot in workspace.snapshots.all()] == ["s2"]


@pytest.mark.parametrize("other", ["s0", "s2"])
def test_a_file_whose_edit_another_session_has_announced_is_left_to_its_report(command: Command, other: str) -> None:
    command.begin()
    command.workspace.snapshots.keep(other, API, (command.root / API).read_bytes(), "write_to_file")
    command.write(API, "X = 1\n")
    assert command.end() == ShellChanges()
    assert command.files == []


@pytest.mark.parametrize("is_still_allowed", [True, False])
def test_another_sessions_command_answers_for_what_it_is_still_allowed_to_change(
    command: Command, is_still_allowed: bool
) -> None:
    """What a person has taken from its scope is charged to the command that is compared."""
    engine = Engine(Headless("hook", (command.root,)))
    drive(select(engine, "s2", "INT-002", None, None))
    command.begin()
    command.begin(ShellCall("s2", "execute_command", "k2"))
    if not is_still_allowed:
        file = command.root / INTENTS
        file.write_text(file.read_text().replace("docs/**", "manual/**"))
        command.workspace.accepted.accept(INTENTS, file.read_bytes())
    command.write(DESIGN, "# New\n")
    assert ((DESIGN,) in [refusal.paths for refusal in command.end().refusals]) is not is_still_allowed


@pytest.mark.parametrize("selected", [None, "INT-099"])
def test_a_command_that_rids_its_session_of_the_intent_is_judged_by_what_was_selected_before(
    command: Command, selected: str | None
) -> None:
    """INT-099 is no intent: a selection that no declaration stands behind allows nothing."""
    command.begin()
    command.workspace.sessions.update("s1", lambda session: session.under(selected))
    command.write(DESIGN, "# New\n")
    command.write(API, "X = 1\n")
    assert [(refusal.code, refusal.paths) for refusal in command.end().refusals] == [(Code.SCOPE_VIOLATION, (DESIGN,))]
    records = ledger_of(command.root)[-2:]
    assert [(record["files"][0]["path"], record["scope_validation"]) for record in records] == [
        (API, "PASS"),
        (DESIGN, "FAIL"),
    ]
    assert records[0]["intent_id"] == "INT-001"


def test_a_command_that_selects_another_intent_may_change_what_each_of_the_two_allows(command: Command) -> None:
    command.begin()
    command.workspace.sessions.update("s1", lambda session: session.under("INT-002"))
    command.write(API, "X = 1\n")
    command.write(DESIGN, "# New\n")
    assert command.end().refusals == ()
    by_intent = {record["files"][0]["path"]: record["intent_id"] for record in ledger_of(command.root)[-2:]}
    assert by_intent == {DESIGN: "INT-002", API: "INT-001"}


@pytest.mark.parametrize("change", ["closed", "cleared"])
def test_a_session_whose_intent_was_closed_or_cleared_answers_for_nothing_of_another_sessions(
    command: Command, change: str
) -> None:
    engine = Engine(Headless("hook", (command.root,)))
    drive(select(engine, "s2", "INT-002", None, None))
    if change == "cleared":
        command.workspace.sessions.update("s2", lambda session: session.under(None))
    command.begin(ShellCall("s2", "execute_command", "k2"))
    command.begin()
    if change == "closed":
        file = command.root / INTENTS
        head, mark, tail = file.read_text().partition("id: INT-002")
        file.write_text(head + mark + re.sub("status: [A-Z_]+", "status: COMPLETED", tail, count=1))
        command.workspace.accepted.accept(INTENTS, file.read_bytes())
    command.write(DESIGN, "# New\n")
    assert DESIGN in {path for refusal in command.end().refusals for path in refusal.paths}


def test_what_a_person_let_a_command_do_under_a_closed_intent_is_no_violation(command: Command) -> None:
    command.workspace.sessions.update("s1", lambda session: session.under("INT-003"))
    command.begin()
    command.write(DONE, "X = 1\n")
    approved = replace(CALL, overrides=(Override("ada", "Approve", "INTENT_CLOSED"),))
    assert (command.end(approved).refusals, command.files) == ((), [(DONE, True)])
