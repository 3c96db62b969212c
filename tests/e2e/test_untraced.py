"""A ledger that can't be written: every way in says so, keeps the record, and appends it later."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from intentls.engine.actions.effects import drive
from intentls.engine.intents.checkout import select
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from tests.support.faulty_disk import fill, small_disk
from tests.support.hook_process import claude, hook_here, records
from tests.support.session import Session, session
from tests.support.workspaces import make_git_repo, make_workspace

API = "src/api/weather.py"
OLD = "def today():\n    return 'sunny'\n"
NEW = "def today():\n    return 'rain'\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The weather workspace, committed, with an agent's session under INT-001."""
    root = make_git_repo(make_workspace(tmp_path / "work", files={API: OLD, "docs/design.md": "# Design\n"}))
    drive(select(Engine(Headless("cli", (root,))), "s1", "INT-001", None, None))
    return root


@contextmanager
def no_ledger(root: Path) -> Iterator[None]:
    """A folder in the ledger's place."""
    ledger = root / ".orchestration" / "agent_trace.jsonl"
    away = ledger.with_suffix(".away")
    if ledger.is_file():
        ledger.rename(away)
    ledger.mkdir()
    yield
    ledger.rmdir()
    if away.exists():
        away.rename(ledger)


def tell(root: Path, event: str, tool: str, given: dict[str, Any], call: str = "t1") -> str:
    """What Claude Code is answered, as text; "" for silence."""
    answered = hook_here("claude-code", json.dumps(claude(root, event, tool, given, call, tool_response={})).encode())
    assert answered.code == 0, answered.err
    return answered.out


def write(root: Path, text: str, path: str = API, call: str = "t1") -> str:
    """An agent's own Write, announced and reported; the answer to the report."""
    given = {"file_path": str(root / path), "content": text}
    assert "deny" not in tell(root, "PreToolUse", "Write", given, call)
    (root / path).write_text(text)
    return tell(root, "PostToolUse", "Write", given, call)


def test_an_agents_own_edit_waits_is_said_to_wait_and_is_appended_by_its_next(root: Path) -> None:
    """Once, with its real lines, and before the next one."""
    with no_ledger(root):
        assert "trace: degraded" in write(root, NEW)
    assert write(root, NEW + "# more\n") == ""
    first, second = records(root)
    ((where,),) = [c["ranges"] for c in first["files"][0]["conversations"]]
    assert (where["start_line"], where["end_line"]) == (2, 2)
    assert second["files"][0]["pre_hash"] == first["files"][0]["post_hash"]
    assert [record.get("recovered") for record in (first, second)] == [True, None]


def test_a_denied_edit_is_on_record_later(root: Path) -> None:
    """The refusal is answered at once, its record comes with the next event of any session."""
    with no_ledger(root):
        given = {"file_path": str(root / "docs/design.md"), "content": "x"}
        assert "SCOPE_VIOLATION" in tell(root, "PreToolUse", "Write", given)
    tell(root, "PreToolUse", "Write", {"file_path": str(root / API), "content": "x"}, "t2")
    (record,) = records(root)
    assert (record["success"], record["code"]) == (False, "SCOPE_VIOLATION")


def test_a_commands_violation_is_not_said_to_be_on_record_when_it_is_not(root: Path) -> None:
    """Later it is."""
    given = {"command": "echo x >> docs/design.md"}

    def run(call: str) -> str:
        tell(root, "PreToolUse", "Bash", given, call)
        with open(root / "docs/design.md", "a") as file:
            file.write("x\n")
        return tell(root, "PostToolUse", "Bash", given, call)

    with no_ledger(root):
        answer = run("t1")
    assert "Still changed: docs/design.md" in answer
    assert "trace: degraded" in answer and "on record as a violation" not in answer
    assert "on record as a violation: docs/design.md" in run("t2")
    assert [record["scope_validation"] for record in records(root)] == ["FAIL", "FAIL"]


def test_policy_block_refuses_an_agents_next_edit_while_a_record_of_its_last_waits(root: Path) -> None:
    """In its hook, in `checkEdit` and in `preToolUse`; reading goes on, and a whole ledger opens the gate."""
    (root / ".orchestration/policy.yaml").write_text("on_trace_failure: block\n")
    given = {"file_path": str(root / API), "content": NEW}
    with no_ledger(root):
        assert "trace: degraded" in write(root, NEW)
        assert "agent_trace.jsonl writable" in tell(root, "PreToolUse", "Write", given, "t2")
        assert tell(root, "PreToolUse", "Read", {"file_path": str(root / API)}, "t3") == ""
        with session(root) as server:
            server.do("selectActiveIntent", intent_id="INT-001")
            assert server.do("checkEdit", path=API)["code"] == "HOOK_ERROR"
            answer = server.do("preToolUse", tool_name="write_to_file", params={"path": API})
            assert "agent_trace.jsonl writable" in answer["error"]
    assert tell(root, "PreToolUse", "Write", given, "t4") == ""


def report(server: Session, path: str, text: str) -> dict[str, Any]:
    """A host's own tool over LSP: announced, run, reported."""
    assert server.do("preToolUse", tool_name="write_to_file", params={"path": path})["status"] == "ok"
    (server.root / path).write_text(text)
    answer: dict[str, Any] = server.do("postToolUse", tool_name="write_to_file", params={"path": path}, success=True)
    return answer


def test_a_reported_edit_is_answered_with_the_record_that_waits(root: Path) -> None:
    """Its id is the one that is in the ledger later."""
    with session(root) as server:
        server.do("selectActiveIntent", intent_id="INT-001")
        with no_ledger(root):
            answer = report(server, API, NEW)
            assert answer["trace"] == "degraded"
            assert "not on record yet" in server.wire.expect_notification("window/showMessage")["message"]
        again = report(server, API, OLD)
        assert "trace" not in again
        assert [record["id"] for record in server.ledger] == [answer["trace_id"], again["trace_id"]]


def test_a_save_without_a_ledger_is_on_record_before_the_next_one(root: Path) -> None:
    """Each once, and each from what the one before it left."""
    with session(root) as server:
        server.open(API)
        with no_ledger(root):
            for text in (NEW, NEW + "# 2\n"):
                server.type(API, text)
                server.save(API, text)
            server.do("listIntents")
        server.type(API, OLD)
        server.save(API, OLD)
        server.do("listIntents")
        files = [record["files"][0] for record in server.ledger]
        assert [file["pre_hash"] for file in files[1:]] == [file["post_hash"] for file in files[:-1]]
        assert len(files) == 3
        assert server.do("verifyTrace")["ok"]


def test_where_nothing_can_be_kept_no_answer_names_a_record(tmp_path: Path) -> None:
    """On a full disk a report has no id, or that of a record to come; a save that is lost is in the next one's."""
    with small_disk(tmp_path / "disk", "1m") as disk:
        root = make_workspace(disk / "root", files={API: OLD, "src/api/snow.py": "1\n"})
        with session(root) as server:
            server.do("selectActiveIntent", intent_id="INT-001")
            ledger, turn = root / ".orchestration/agent_trace.jsonl", 0
            while turn == 0 or ledger.stat().st_size % 4096 < 3600:  # the last page of it must be as good as full
                turn += 1
                report(server, "src/api/rain.py", f"{turn}\n" + "#" * turn)
            server.open(API)
            server.do("preToolUse", tool_name="write_to_file", params={"path": "src/api/snow.py"})
            (root / "src/api/snow.py").write_text("2\n")
            filler = fill(disk)
            answer = server.do(
                "postToolUse", tool_name="write_to_file", params={"path": "src/api/snow.py"}, success=True
            )
            assert answer["trace"] == "degraded"
            server.type(API, NEW)
            server.wire.notify("textDocument/didSave", {"textDocument": {"uri": server.uri(API)}})
            server.do("listIntents")
            filler.unlink()
            server.save(API, NEW)
            server.do("listIntents")
            lines = ledger.read_bytes().splitlines()
        assert answer["trace_id"] is None or any(answer["trace_id"].encode() in line for line in lines)
        saves = [json.loads(line) for line in lines if b'"did_save"' in line and line.endswith(b"}")]
        ((where,),) = [c["ranges"] for c in saves[-1]["files"][0]["conversations"]]
        assert (where["start_line"], where["end_line"], len(saves)) == (2, 2, 1)


def test_policy_block_refuses_a_hosts_edit_that_a_full_disk_could_not_record(tmp_path: Path) -> None:
    """The ledger opens, but nothing can be written."""
    with small_disk(tmp_path / "disk", "1m") as disk:
        root = make_workspace(disk / "root", files={API: OLD}, policy="on_trace_failure: block\n")
        with session(root) as server:
            server.do("selectActiveIntent", intent_id="INT-001")
            report(server, "src/api/rain.py", "1\n")
            filler = fill(disk)
            answer = server.do("preToolUse", tool_name="write_to_file", params={"path": API})
            assert "Free some space" in answer["error"]
            filler.unlink()
            assert server.do("preToolUse", tool_name="write_to_file", params={"path": API})["status"] == "ok"
