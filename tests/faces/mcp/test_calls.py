"""What the tools do, as a client sees it."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import jsonschema
import pytest
from mcp import types
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from intentls.core.errors import StoreError
from intentls.engine.intents import checkout
from intentls.engine.ledger import queries
from intentls.faces.mcp.server import McpOptions, build
from intentls.faces.mcp.tools import TOOLS, tool
from intentls.store.process.ancestry import running
from intentls.store.sessions import agent_processes
from tests.faces.mcp.conftest import LEGACY, MODERN, Agent, Person, agent, chosen
from tests.support.agent_edits import Agent as Direct
from tests.support.patience import PATIENCE_S
from tests.support.session import ledger_of
from tests.support.workspaces import make_workspace

ERAS = pytest.mark.parametrize("mode", [LEGACY, MODERN])
MODEL = "anthropic/claude-opus-4-5"
PATCH = """\
--- a/src/api/weather.py
+++ b/src/api/weather.py
@@ -1,2 +1,2 @@
 def today():
-    return 'rainy'
+    return 'stormy'
--- /dev/null
+++ b/src/api/new.py
@@ -0,0 +1 @@
+NEW = 1
"""


@ERAS
async def test_every_tool_answers_as_its_schema_says(workspace: Path, mode: str) -> None:
    """One session uses each tool; every structured answer fits the tool's output schema, and says nothing else."""
    done: set[str] = set()

    async def do(name: str, **arguments: Any) -> dict[str, Any]:
        done.add(name)
        answer = await connected.do(name, **arguments)
        jsonschema.validate(answer, closed(tool(TOOLS[name]).output_schema))
        return answer

    async with agent(workspace, Person(chosen("Approve")), mode=mode) as connected:
        assert [each["id"] for each in (await do("list_intents"))["intents"]] == ["INT-001", "INT-002", "INT-003"]
        selected = await do("select_active_intent", intent_id="INT-001", model_identifier=MODEL)
        assert (await do("get_active_intent"))["state"] == "ACTIVE"
        read = await do("read_file", path="src/api/weather.py")
        assert (await do("check_edit", path="src/api/weather.py"))["allowed"] is True
        edited = await do("edit_file", path="src/api/weather.py", old_string="sunny", new_string="rainy")
        assert edited["pre_hash"] == read["content_hash"]
        patched = await do("apply_patch", patch=PATCH)
        assert [(file["path"], file["change"]) for file in patched["files"]] == [
            ("src/api/weather.py", "modify"),
            ("src/api/new.py", "add"),
        ]
        assert (await do("write_to_file", path="src/api/more.py", content="MORE = 1\n"))["pre_hash"] is None
        assert (await do("rename_file", path="src/api/more.py", new_path="src/api/most.py"))[
            "path"
        ] == "src/api/most.py"
        assert (await do("delete_file", path="src/api/most.py"))["content_hash"] is None
        (first, *_) = (await do("blame", path="src/api/weather.py"))["ranges"][::-1]
        assert first["contributor"]["model_id"] == MODEL
        (work, *_) = (await do("search", words="weather"))["results"]
        assert (work["kind"], work["title"], work["by"]) == ("record", "Build Weather API", [MODEL.rpartition("/")[2]])
        assert await do("record_lesson", path="src/api/weather.py", problems="too stormy") == {
            "status": "ok",
            "recorded": 1,
            "duplicates": 0,
        }
        assert (await do("request_scope_expansion", glob="docs/api/**", reason="It documents the API."))["trace_id"]
        assert (await do("set_status", intent_id="INT-002", status="IN_PROGRESS"))["intent_id"] == "INT-002"
        entries = (await do("query_trace", limit=100))["entries"]
        assert (await do("verify_trace"))["records"] == len(entries)
        assert {entry["session_id"] for entry in entries} == {selected["session_id"]}
        assert (await do("clear_active_intent"))["state"] == "IDLE"
    assert done == set(TOOLS)


def closed(schema: Any) -> Any:
    """The same schema, with nothing allowed that it does not name."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(value) for key, value in schema.items()}
    return {"additionalProperties": False, **inner} if "properties" in schema and "type" in schema else inner


async def test_a_model_reads_text_where_the_answer_is_one(workspace: Path) -> None:
    """A file comes as its text with its hash below, an intent as its context; all else is the answer's JSON."""
    async with agent(workspace) as connected:
        selected = await connected.call("select_active_intent", intent_id="INT-001")
        read = await connected.call("read_file", path="docs/design.md")
        (workspace / "docs/design.md").write_text("no line end")
        torn = await connected.call("read_file", path="docs/design.md")
        active = await connected.call("get_active_intent")
    assert text_of(selected) == selected.structured_content["context"]
    assert text_of(read) == f"# Design\n[content_hash: {read.structured_content['content_hash']}]"
    assert text_of(torn) == f"no line end\n[content_hash: {torn.structured_content['content_hash']}]"
    assert json.loads(text_of(active)) == active.structured_content


def text_of(found: types.CallToolResult) -> str:
    (content,) = found.content
    assert isinstance(content, types.TextContent)
    return content.text


@ERAS
async def test_a_refusal_is_a_tool_error_with_the_contracts_json(workspace: Path, mode: str) -> None:
    """`isError`, and for text exactly the refusal, which is on record too."""
    async with agent(workspace, mode=mode) as connected:
        refusal = await connected.refused("write_to_file", path="docs/design.md", content="")
    assert refusal == {
        "status": "error",
        "message": "The tool execution failed",
        "error": "You must cite a valid active Intent ID.",
        "error_type": "MISSING_OR_INVALID_INTENT",
        "code": "INTENT_REQUIRED",
        "recoverable": True,
        "action_hint": "select_active_intent",
        "classification": "destructive",
        "paths": [],
        "owners": [],
    }
    (record,) = ledger_of(workspace)
    assert (record["tool_name"], record["success"]) == ("write_to_file", False)
    assert (workspace / "docs/design.md").read_text() == "# Design\n"


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("read_file", {}, "path: is required"),
        ("read_file", {"path": 1}, "path: expected str, got int"),
        ("read_file", {"path": "nowhere"}, "path: nowhere does not exist"),
        ("read_file", {"path": "src/api"}, "path: 'src/api' is a folder"),
        ("write_to_file", {"path": "a", "content": "", "frob": 1}, "frob: unknown argument"),
        ("rename_file", {"path": "src/api/weather.py", "new_path": "a\0b"}, "new_path:"),
        ("edit_file", {"path": "src/api/weather.py", "old_string": "cloudy", "new_string": ""}, "old_string:"),
        ("apply_patch", {"patch": "frob"}, "patch:"),
        ("select_active_intent", {"intent_id": "INT-001", "mutation_class": "BIG"}, "mutation_class: unknown class"),
        ("check_edit", {"path": "a", "paths": ["b"]}, "paths: give path or paths, not both"),
        ("query_trace", {"since": "yesterday"}, "since:"),
        ("request_scope_expansion", {"reason": "r", "path": "a", "glob": "b"}, "path: give either path or glob"),
        ("request_scope_expansion", {"reason": "r", "glob": "/etc/**"}, "glob: bad glob"),
        ("request_scope_expansion", {"reason": "r", "path": "../a"}, "path: ../a lies outside the root"),
        ("request_scope_expansion", {"reason": "r", "path": "src/api/a"}, "is in the scope of INT-001 already"),
        ("request_scope_expansion", {"reason": "r", "path": "a", "intent_id": "INT-9"}, "intent_id:"),
        ("set_status", {"intent_id": "INT-001", "status": "FROB"}, "status: unknown status"),
        ("frob", {}, "There is no tool 'frob'. Known are list_intents,"),
    ],
)
async def test_arguments_that_make_no_sense_are_named(
    workspace: Path, tool: str, arguments: dict[str, Any], says: str
) -> None:
    """JSON-RPC -32602 with the argument's name, and nothing is done."""
    async with agent(workspace, Person(chosen("Approve"))) as connected:
        await connected.do("select_active_intent", intent_id="INT-001")
        with pytest.raises(MCPError) as caught:
            await connected.call(tool, **arguments)
    assert caught.value.code == -32602
    assert says in caught.value.message
    assert ledger_of(workspace) == []


async def test_a_bug_is_said_without_its_insides(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """-32603 with one sentence; the details are in the log."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(checkout, "intents_by_root", broken)
    async with agent(workspace) as connected:
        with pytest.raises(MCPError, match="bug in intentls") as caught:
            await connected.call("list_intents")
    assert caught.value.code == -32603
    assert "secret" not in caught.value.message


async def test_what_the_disk_refuses_is_a_refusal(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A trouble of the store is a tool error that says so."""

    def full(*_: object) -> None:
        raise StoreError("the disk is full.")

    monkeypatch.setattr(checkout, "intents_by_root", full)
    async with agent(workspace) as connected:
        refusal = await connected.refused("list_intents")
    assert (refusal["code"], refusal["error"]) == ("HOOK_ERROR", "Store Error: the disk is full. Nothing was changed.")


async def test_an_intents_file_that_is_invalid_blocks_and_heals(workspace: Path) -> None:
    """What can't be trusted is refused with a hint to mend it; mending it is enough."""
    file = workspace / ".orchestration" / "active_intents.yaml"
    good = file.read_bytes()
    async with agent(workspace) as connected:
        await connected.do("select_active_intent", intent_id="INT-001")
        file.write_text("active_intents: 1\n")
        edit = await connected.refused("write_to_file", path="src/api/a.py", content="")
        status = await connected.refused("set_status", intent_id="INT-001", status="DONE")
        assert {edit["action_hint"], status["action_hint"]} == {"fix_configuration"}
        file.write_bytes(good)
        await connected.do("write_to_file", path="src/api/a.py", content="")


async def test_text_that_cannot_be_sent_does_not_end_the_connection(workspace: Path) -> None:
    """Half a surrogate pair, from a record by somebody else, can't be sent; a question mark is."""
    record = '{"version":"0.1.0","intent_id":"half \\ud800","timestamp":"2026-02-18T18:30:00.000Z","files":[]}'
    (workspace / ".orchestration" / "agent_trace.jsonl").write_text(record + "\n")
    async with agent(workspace, mode=LEGACY) as connected:
        (entry,) = (await connected.do("query_trace"))["entries"]
    assert entry["intent_id"] == "half ?"


async def test_sessions_are_shared_by_their_id(workspace: Path) -> None:
    """An intent that the command line checks out for a session is that of the server started for it, and stays."""
    Direct(workspace, "agent-1").select("INT-001")
    async with agent(workspace, session_id="agent-1") as connected:
        assert await connected.do("get_active_intent") == {
            "status": "ok",
            "state": "ACTIVE",
            "intent_id": "INT-001",
            "mutation_class": None,
            "session_id": "agent-1",
        }
        await connected.do("write_to_file", path="src/api/a.py", content="")
    (record,) = ledger_of(workspace)
    assert record["session_id"] == "agent-1"
    assert record["files"][0]["conversations"][0]["contributor"]["model_id"] == MODEL
    assert Direct(workspace).engine.active_sessions.now("agent-1").intent_id == "INT-001"


@pytest.mark.parametrize("named", [None, "agent-2"])
async def test_the_session_is_that_of_the_claude_code_around_it(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, named: str | None
) -> None:
    """Its hooks name the same one, so what is selected here counts there; a name of the server's own comes first."""
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "claude-1")
    async with agent(workspace, session_id=named) as connected:
        await connected.do("select_active_intent", intent_id="INT-001")
        await connected.do("write_to_file", path="src/api/a.py", content="a\n")
    assert [record["session_id"] for record in ledger_of(workspace)] == [named or "claude-1"]


@pytest.mark.parametrize(
    ("named", "acts_for"), [((), "mcp-"), (("hooks-1",), "hooks-1"), (("hooks-1", "hooks-2"), "mcp-")]
)
async def test_the_session_is_the_one_that_hooks_named_to_the_same_process(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, named: tuple[str, ...], acts_for: str
) -> None:
    """Hooks of two chats leave it open which of them calls, so that the server keeps to itself."""
    monkeypatch.setattr(agent_processes, "caller", lambda: running(os.getpid()))
    async with agent(workspace) as connected:
        for session in named:  # also after the server has started
            Direct(workspace).engine.workspace(workspace).agents.note(session)
        answer = await connected.do("select_active_intent", intent_id="INT-001")
        assert answer["session_id"].startswith(acts_for)
        await connected.do("write_to_file", path="src/api/a.py", content="a\n")
    (record,) = ledger_of(workspace)
    assert record["session_id"].startswith(acts_for)
    kept = Direct(workspace).engine.active_sessions.now(record["session_id"]).intent_id
    assert kept == ("INT-001" if acts_for == "hooks-1" else None)  # only a session of the server's own ends with it


async def test_a_session_of_our_own_ends_with_the_connection(workspace: Path) -> None:
    """Without an id the session is this connection's alone; a call may name another one."""
    async with agent(workspace) as connected:
        own = (await connected.do("select_active_intent", intent_id="INT-001"))["session_id"]
        assert own.startswith("mcp-")
        await connected.refused("write_to_file", path="src/api/a.py", content="", session_id="agent-2")
        await connected.do("select_active_intent", intent_id="INT-002", session_id="agent-2")
        await connected.do("write_to_file", path="docs/a.md", content="", session_id="agent-2")
        assert (await connected.do("get_active_intent"))["intent_id"] == "INT-001"
    engine = Direct(workspace).engine
    assert engine.active_sessions.now(own).intent_id is None
    assert engine.active_sessions.now("agent-2").intent_id == "INT-002"


async def test_outside_governance_all_is_allowed_and_nothing_is_written(tmp_path: Path) -> None:
    """A folder without intents is nobody's business."""
    root = make_workspace(tmp_path / "w", intents=None)
    async with agent(root) as connected:
        answer = await connected.do("write_to_file", path="docs/design.md", content="new")
        assert answer["trace_id"] is None
        outside = await connected.refused("read_file", path=str(tmp_path / "elsewhere"))
        assert outside["code"] == "PATH_OUTSIDE_WORKSPACE"
    assert (root / "docs/design.md").read_text() == "new"
    assert not (root / ".orchestration").exists()


async def test_lessons_of_the_policys_linters_come_with_trust(tmp_path: Path) -> None:
    """An edit is linted after its answer where the user trusts the workspace, and not otherwise."""
    policy = "linters:\n  - {name: grumble, files: ['**/*.py'], command: [echo, '{file}:1:1: bad'], format: text}\n"
    for trusted in (False, True):
        root = make_workspace(tmp_path / str(trusted), policy=policy)
        await _write_one(root, trusted=trusted)
        lessons = root / ".orchestration" / "AGENT.md"
        assert lessons.exists() == trusted


async def _write_one(root: Path, *, trusted: bool) -> None:
    async with Client(build(McpOptions(root, trusted=trusted))) as client:
        connected = Agent(client)
        await connected.do("select_active_intent", intent_id="INT-001")
        await connected.do("write_to_file", path="src/api/a.py", content="A = 1\n")
        await connected.do("get_active_intent")


async def test_a_long_verification_tells_how_far_it_is(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that wants progress gets it, never backwards."""
    monkeypatch.setattr("intentls.store.ledger.history._PROGRESS_LINES", 5)
    direct = Direct(workspace).select("INT-001")
    for number in range(20):
        direct.write("src/api/a.py", f"A = {number}\n")
    told: list[tuple[float, float | None]] = []

    async def progress(done: float, total: float | None, _: str | None) -> None:
        told.append((done, total))

    async with agent(workspace) as connected:
        await connected.client.call_tool("verify_trace", {}, progress_callback=progress)
    assert len(told) >= 3
    assert told == sorted(told)
    assert {total for _, total in told} == {(workspace / ".orchestration" / "agent_trace.jsonl").stat().st_size}


@ERAS
async def test_a_long_question_ends_when_its_call_is_taken_back(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """A cancelled call does not go on reading, and the connection serves the next one."""
    begun, over = threading.Event(), threading.Event()

    def endless(_: object, progress: Callable[[int, int], None]) -> None:
        try:
            for done in range(1, 10_000_000):  # hours
                progress(done, 10_000_000)
                begun.set()
                time.sleep(0.001)
        finally:
            over.set()

    monkeypatch.setattr(queries, "verify", endless)
    async with agent(workspace, mode=mode) as connected:
        with anyio.CancelScope() as taken_back:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(connected.call, "verify_trace")
                await anyio.to_thread.run_sync(begun.wait, PATIENCE_S)
                taken_back.cancel()
        assert await anyio.to_thread.run_sync(over.wait, PATIENCE_S)
        assert (await connected.do("get_active_intent"))["state"] == "IDLE"
