"""Commands that nobody reports, commands that run on, and two agents at once: each change is on record, once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from intentls.engine.actions.effects import drive
from intentls.engine.agents import hook_events
from intentls.engine.agents.hook_events import ToolCall
from intentls.engine.intents.checkout import select
from intentls.engine.tools.open_calls import settle_orphans
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.store.fs.two_slots import newest
from tests.support.agent_shell import API, Shell, make_shell, refused
from tests.support.hook_process import claude, hook, hook_here, records
from tests.support.patience import PATIENCE_S
from tests.support.workspaces import commit_all, git, write_files

DESIGN = "docs/design.md"
INTENTS = ".orchestration/active_intents.yaml"
REVERT = "shell: revert\n"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return make_shell(tmp_path)


def changed(root: Path) -> list[tuple[str, str, str]]:
    """What is on record: session, path and verdict."""
    return [(r["session_id"], f["path"], r["scope_validation"]) for r in records(root) for f in r["files"]]


def other(shell: Shell, session_id: str, intent: str) -> None:
    drive(select(shell.engine(), session_id, intent, None, None))


def announce(shell: Shell, session_id: str, key: str = "k") -> None:
    hook_events.before(shell.engine(), ToolCall(session_id, "execute_command", (), key, anywhere=True))


def report(shell: Shell, session_id: str, key: str = "k") -> Any:
    return hook_events.after(
        shell.engine(), ToolCall(session_id, "execute_command", (), key, anywhere=True), success=True
    )


def tell(root: Path, event: str, **more: Any) -> Any:
    """An event of Claude Code that names no tool."""
    data = {"session_id": "s1", "cwd": str(root), "hook_event_name": event, **more}
    done = hook_here("claude-code", json.dumps(data).encode())
    assert done.code == 0, done.err
    return done.json


# --- never reported ---------------------------------------------------------------------------------------


def test_the_next_command_does_not_swallow_what_was_never_reported(shell: Shell) -> None:
    """A command whose host was killed: its changes are on record when the next one is announced."""
    shell.before("t1")
    write_files(shell.root, {API: "x = 1\n", DESIGN: "out\n"})
    shell.before("t2")
    assert changed(shell.root) == [("s1", API, "PASS"), ("s1", DESIGN, "FAIL")]
    assert shell.after("t2").recorded == 0
    assert shell.after("t1").recorded == 0


@pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop", "SessionEnd"])
def test_a_turn_or_session_that_ends_settles(shell: Shell, event: str) -> None:
    """Nothing more needs to run. After the session's end the calls are forgotten."""
    shell.before()
    write_files(shell.root, {DESIGN: "out\n"})
    said = tell(shell.root, event)
    assert changed(shell.root) == [("s1", DESIGN, "FAIL")]
    assert (said is not None) is (event == "UserPromptSubmit")
    if said is not None:
        assert DESIGN in said["hookSpecificOutput"]["additionalContext"]
    write_files(shell.root, {DESIGN: "by hand\n"})
    tell(shell.root, "Stop")
    assert len(changed(shell.root)) == (1 if event == "SessionEnd" else 2)


@pytest.mark.parametrize("tool", ["Read", "Edit"])
def test_any_tool_of_the_session_settles_and_its_agent_is_told(shell: Shell, tool: str) -> None:
    """Whether it is announced with a warning or refused."""
    shell.before()
    write_files(shell.root, {DESIGN: "out\n"})
    event = claude(shell.root, "PreToolUse", tool, {"file_path": str(shell.root / API), "old_string": "x"}, "t9")
    said = hook_here("claude-code", json.dumps(event).encode()).json
    assert changed(shell.root) == [("s1", DESIGN, "FAIL")]
    assert DESIGN in said["hookSpecificOutput"]["additionalContext"]


def test_under_revert_what_was_never_reported_is_put_back(tmp_path: Path) -> None:
    """As if it had been reported."""
    shell = make_shell(tmp_path, REVERT)
    shell.before()
    write_files(shell.root, {DESIGN: "out\n"})
    shell.before("t2")
    assert (shell.root / DESIGN).read_text() == "# Design\n"


def test_what_git_took_away_meanwhile_is_not_put_back_for_a_command_that_was_never_reported(tmp_path: Path) -> None:
    """A person commits a new file and reverts that: git's work stays, and so does what is on record."""
    shell = make_shell(tmp_path, REVERT)
    write_files(shell.root, {"docs/new.md": "new\n"})
    shell.before()
    commit_all(shell.root, "New")
    git(shell.root, "revert", "--no-edit", "HEAD")
    shell.before("t2")
    assert not (shell.root / "docs/new.md").exists()
    assert shell.files == {"docs/new.md": ("delete", "FAIL", True)}


def test_what_runs_on_in_the_background_is_settled_at_each_event(tmp_path: Path) -> None:
    """Until the session ends; it is not undone, for a person may have written it."""
    shell = make_shell(tmp_path, REVERT)
    for event in ("PreToolUse", "PostToolUse"):
        data = claude(shell.root, event, "Bash", {"command": "make watch", "run_in_background": True}, "t1")
        hook_here("claude-code", json.dumps(data).encode())
    for number in range(2):
        write_files(shell.root, {DESIGN: f"later {number}\n"})
        tell(shell.root, "Stop")
    assert changed(shell.root) == [("s1", DESIGN, "FAIL")] * 2
    assert (shell.root / DESIGN).read_text() == "later 1\n"
    tell(shell.root, "SessionEnd")
    write_files(shell.root, {DESIGN: "by hand\n"})
    tell(shell.root, "Stop")
    assert len(changed(shell.root)) == 2


def test_nothing_is_left_to_a_command_that_outlived_its_turn(tmp_path: Path) -> None:
    """Session s1's command was never reported, and its turn is over; s2 then writes into the scope of s1."""
    shell = make_shell(tmp_path, REVERT)
    other(shell, "s2", "INT-002")
    announce(shell, "s1")
    tell(shell.root, "Stop")
    announce(shell, "s2")
    write_files(shell.root, {API: "x = 1\n"})
    assert refused(report(shell, "s2")) == {API}
    assert (shell.root / API).read_text() == "x = 1\n"  # it may be the work of s1: it is not undone
    tell(shell.root, "Stop")
    assert changed(shell.root) == [("s2", API, "FAIL")]


def test_a_declared_file_that_a_person_accepted_is_not_put_back(tmp_path: Path) -> None:
    """The person's own git brought it while a command runs, or the command wrote it: a person's word stands."""
    shell = make_shell(tmp_path, REVERT)
    shell.before()
    declared = (shell.root / INTENTS).read_text().replace("docs/**", "guide/**")
    write_files(shell.root, {INTENTS: declared})
    shell.engine().workspace(shell.root).accepted.accept(INTENTS, declared.encode())
    assert not shell.after().reverted
    assert (shell.root / INTENTS).read_text() == declared
    ((record, file),) = [(record, file) for record in records(shell.root) for file in record["files"]]
    assert record["scope_validation"] == "FAIL" and file["conversations"][0]["ranges"] == []


def test_what_a_person_writes_after_the_turn_of_a_lost_command_stays(tmp_path: Path) -> None:
    """Under `shell: revert`, too."""
    shell = make_shell(tmp_path, REVERT)
    shell.before()
    tell(shell.root, "Stop")
    write_files(shell.root, {DESIGN: "by hand\n"})
    tell(shell.root, "Stop")
    assert (shell.root / DESIGN).read_text() == "by hand\n"


def test_an_agent_that_is_gone_is_settled_at_the_next_start(tmp_path: Path) -> None:
    """The process that announced the command has ended; one that lives is left alone."""
    shell = make_shell(tmp_path)
    data = claude(shell.root, "PreToolUse", "Bash", {"command": "make"})
    program = (
        "import subprocess, sys; "
        "command = [sys.executable, '-m', 'intentls', 'hook', 'claude-code'];"
        "subprocess.run(command, input=sys.argv[1].encode(), check=True)"
    )
    subprocess.run([sys.executable, "-c", program, json.dumps(data)], cwd=shell.root, check=True, timeout=PATIENCE_S)
    write_files(shell.root, {DESIGN: "out\n"})
    Engine(Headless("lsp", (shell.root,)), settle_orphans).workspace(shell.root)
    assert changed(shell.root) == [("s1", DESIGN, "FAIL")]
    shell.before("t5")
    write_files(shell.root, {DESIGN: "again\n"})
    Engine(Headless("lsp", (shell.root,)), settle_orphans).workspace(shell.root)
    assert len(changed(shell.root)) == 1


def test_an_edit_that_was_announced_and_never_reported_is_on_record(shell: Shell) -> None:
    """When the turn is over. One that did not happen is not."""
    for path in (API, "src/api/other.py"):
        hook_events.before(shell.engine(), ToolCall("s1", "edit", (str(shell.root / path),), path))
    write_files(shell.root, {API: "x = 1\n"})
    tell(shell.root, "Stop")
    assert changed(shell.root) == [("s1", API, "PASS")]
    tell(shell.root, "Stop")
    assert len(changed(shell.root)) == 1


def test_a_refused_edit_that_is_reported_records_nothing(shell: Shell) -> None:
    """A stray report of an edit that never happened."""
    given = {"file_path": str(shell.root / DESIGN), "content": "x\n"}
    pre, post = (claude(shell.root, event, "Write", given, "t7") for event in ("PreToolUse", "PostToolUse"))
    pre["permission_mode"] = "dontAsk"
    assert hook("claude-code", pre).json["hookSpecificOutput"]["permissionDecision"] == "deny"
    before = len(records(shell.root))
    assert hook("claude-code", post).code == 0
    assert len(records(shell.root)) == before


# --- two agents at once -----------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["s1", "s2"])
@pytest.mark.parametrize("opened", [("s1", "s2"), ("s2", "s1")])
def test_what_only_the_other_session_may_write_is_the_others(
    tmp_path: Path, first: str, opened: tuple[str, str]
) -> None:
    """In any order of announcements and reports; nothing is undone."""
    shell = make_shell(tmp_path, REVERT)
    other(shell, "s2", "INT-002")
    for session in opened:
        announce(shell, session)
    write_files(shell.root, {API: "of s1\n", DESIGN: "of s2\n"})
    report(shell, first)
    report(shell, "s2" if first == "s1" else "s1")
    assert sorted(changed(shell.root)) == [("s1", API, "PASS"), ("s2", DESIGN, "PASS")]
    assert (shell.root / DESIGN).read_text() == "of s2\n" and (shell.root / API).read_text() == "of s1\n"


def test_what_both_may_write_is_of_unknown_share(tmp_path: Path) -> None:
    """It is on record once, without lines of anyone."""
    shell = make_shell(tmp_path, REVERT)
    other(shell, "s2", "INT-001")
    announce(shell, "s1")
    announce(shell, "s2")
    write_files(shell.root, {API: "whose\n"})
    report(shell, "s2")
    report(shell, "s1")
    ((record, file),) = [(record, file) for record in records(shell.root) for file in record["files"]]
    assert file["conversations"][0]["ranges"] == [] and record["session_id"] == "s2"


def test_what_neither_may_write_is_a_violation_and_not_undone(tmp_path: Path) -> None:
    """It can't be told whose it is."""
    shell = make_shell(tmp_path, REVERT)
    other(shell, "s2", "INT-001")
    announce(shell, "s1")
    announce(shell, "s2")
    write_files(shell.root, {DESIGN: "whose\n"})
    found = report(shell, "s1")
    assert refused(found) == {DESIGN} and not found.reverted
    assert (shell.root / DESIGN).read_text() == "whose\n"


@pytest.mark.parametrize("is_granted", [True, False], ids=["granted since", "taken back since"])
def test_nothing_is_left_to_a_command_whose_session_may_not_write_it_all_the_time(
    tmp_path: Path, is_granted: bool
) -> None:
    """A person changes the scope of s1 while its command runs; its report goes by what was declared before."""
    shell = make_shell(tmp_path, REVERT)
    other(shell, "s2", "INT-002")
    narrow = (shell.root / INTENTS).read_text()
    wide = narrow.replace('"src/api/**"', '"src/api/**", "new/**"')
    write_files(shell.root, {INTENTS: narrow if is_granted else wide})
    announce(shell, "s1")
    declared = wide if is_granted else narrow
    write_files(shell.root, {INTENTS: declared})
    shell.engine().workspace(shell.root).accepted.accept(INTENTS, declared.encode())
    announce(shell, "s2")
    write_files(shell.root, {"new/a.py": "of s2\n"})
    assert refused(report(shell, "s2")) == {"new/a.py"}
    tell(shell.root, "Stop")
    assert [one for one in changed(shell.root) if one[1] != INTENTS] == [("s2", "new/a.py", "FAIL")]
    assert (shell.root / "new/a.py").read_text() == "of s2\n"


def test_what_one_of_its_open_commands_may_write_is_within_a_sessions_scope(tmp_path: Path) -> None:
    """The first was announced before a person granted the folder, the second after that; no report comes of either."""
    shell = make_shell(tmp_path, REVERT)
    announce(shell, "s1", "k1")
    declared = (shell.root / INTENTS).read_text().replace('"src/api/**"', '"src/api/**", "new/**"')
    write_files(shell.root, {INTENTS: declared})
    shell.engine().workspace(shell.root).accepted.accept(INTENTS, declared.encode())
    announce(shell, "s1", "k2")
    write_files(shell.root, {"new/a.py": "x = 1\n", DESIGN: "out\n"})
    tell(shell.root, "Stop")
    assert changed(shell.root)[1:] == [("s1", "new/a.py", "PASS"), ("s1", DESIGN, "FAIL")]
    assert (shell.root / "new/a.py").read_text() == "x = 1\n" and (shell.root / DESIGN).read_text() != "out\n"


def test_an_edit_that_another_session_announced_is_left_to_it(tmp_path: Path) -> None:
    """Whether it is reported before or after the command."""
    shell = make_shell(tmp_path, REVERT)
    other(shell, "s2", "INT-002")
    announce(shell, "s1")
    edit = ToolCall("s2", "edit", (str(shell.root / DESIGN),), "e1")
    hook_events.before(shell.engine(), edit)
    write_files(shell.root, {DESIGN: "# Design\nof s2\n"})
    report(shell, "s1")
    hook_events.after(shell.engine(), edit, success=True)
    assert changed(shell.root) == [("s2", DESIGN, "PASS")]
    assert (shell.root / DESIGN).read_text() == "# Design\nof s2\n"


def _session_of(call: Path) -> str:
    """Whose an announced call is."""
    session_id = json.loads(newest(call.read_bytes()))["session_id"]
    assert isinstance(session_id, str)
    return session_id


def test_a_command_cannot_take_the_other_sessions_call_away(tmp_path: Path) -> None:
    """The calls of others were noted before it: what might be theirs is not undone."""
    shell = make_shell(tmp_path, REVERT)
    other(shell, "s2", "INT-002")
    announce(shell, "s2")
    announce(shell, "s1")
    calls = shell.root / ".orchestration/.state/announced/calls"
    (own,) = [file for file in calls.glob("*.json") if _session_of(file) == "s1"]
    for file in calls.glob("*.json"):
        if file != own:
            file.unlink()
    write_files(shell.root, {DESIGN: "of s2\n"})
    report(shell, "s1")
    assert (shell.root / DESIGN).read_text() == "of s2\n"


def test_an_edit_beside_a_command_of_the_same_session_is_recorded_once(shell: Shell) -> None:
    """Parallel tools of one agent."""
    shell.before("t1")
    edit = ToolCall("s1", "edit", (str(shell.root / API),), "e1")
    hook_events.before(shell.engine(), edit)
    write_files(shell.root, {API: "x = 1\n"})
    shell.after("t1")
    hook_events.after(shell.engine(), edit, success=True)
    assert changed(shell.root) == [("s1", API, "PASS")]


@pytest.mark.parametrize("mode", ["dontAsk", "default"])
def test_each_command_that_writes_what_an_edit_was_refused_for_is_on_record(shell: Shell, mode: str) -> None:
    """Denied outright, or asked of a person who said no: the two commands after it are violations at once."""
    edit = claude(shell.root, "PreToolUse", "Edit", {"file_path": str(shell.root / DESIGN), "old_string": "x"}, "t1")
    answer = hook("claude-code", edit | {"permission_mode": mode}).json
    assert answer["hookSpecificOutput"]["permissionDecision"] == ("deny" if mode == "dontAsk" else "ask")
    for number in (1, 2):
        shell.before(f"b{number}")
        write_files(shell.root, {DESIGN: f"by a command {number}\n"})
        assert refused(shell.after(f"b{number}")) == {DESIGN}
    tell(shell.root, "Stop")
    written = [record for record in records(shell.root) if record["success"]]
    verdicts = [(record["tool_name"], record["scope_validation"]) for record in written]
    assert verdicts == [("execute_command", "FAIL")] * 2
