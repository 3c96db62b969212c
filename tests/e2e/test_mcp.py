"""`intentls mcp` as a process: with the SDK's own client, and with one that shares no code with it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from mcp import types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from tests.support.agent_edits import Agent
from tests.support.mcp_wire import McpWire, outcome
from tests.support.patience import PATIENCE_S, eventually
from tests.support.processes import runs
from tests.support.session import ledger_of, session
from tests.support.wire import SILENCE, Refuse
from tests.support.workspaces import make_workspace, write_files

ELICITING = {"elicitation": {}}
DESIGN = "docs/design.md"
POLICY = ".orchestration/policy.yaml"


def _choose(decision: str) -> dict[str, Any]:
    return {"action": "accept", "content": {"decision": decision}}


async def test_the_sdks_client_finds_everything(workspace: Path) -> None:
    """Over stdio, in the newest protocol: tools with schemas, an edit, an approval, resources and the prompt."""

    async def approve(_: Any, params: Any) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content={"decision": "Approve"})

    server = StdioServerParameters(
        command=sys.executable, args=["-m", "intentls", "mcp", "--session", "agent-1"], cwd=workspace
    )
    async with Client(server, elicitation_callback=approve) as client:
        assert client.protocol_version == "2026-07-28"
        assert len((await client.list_tools()).tools) == 18
        await client.call_tool("select_active_intent", {"intent_id": "INT-001"})
        for path in ("src/api/a.py", DESIGN):
            done = await client.call_tool("write_to_file", {"path": path, "content": "new\n"})
            assert not done.is_error, done
        assert len((await client.list_resources()).resources) == 5
        assert (await client.get_prompt("intent_protocol")).messages
    assert [record.get("override", {}).get("action") for record in ledger_of(workspace)] == [None, "Approve"]
    assert {record["session_id"] for record in ledger_of(workspace)} == {"agent-1"}


def test_a_bare_client_is_served_by_the_letter(tmp_path: Path) -> None:
    """A line each: answers, refusals, -32602; what came in a row happens in that row; questions hold nothing up."""
    root = make_workspace(tmp_path / "w")
    with McpWire.begin(root, ELICITING) as wire:
        described = wire.request("tools/list")["result"]["tools"]
        assert all(tool["inputSchema"]["additionalProperties"] is False for tool in described)
        assert wire.do("write_to_file", path=DESIGN, content="")["code"] == "INTENT_REQUIRED"
        assert wire.call("read_file")["error"] == {"code": -32602, "message": "path: is required"}
        assert wire.call("frob")["error"]["code"] == -32602
        assert wire.request("frob/frob")["error"]["code"] == -32601
        wire.raw(b"{no json\n\n[1]\n")  # is nobody's request; the connection goes on
        wire.do("select_active_intent", intent_id="INT-001")

        wire.do("write_to_file", path="src/api/n.py", content="0\n")
        steps = [{"path": "src/api/n.py", "old_string": f"{n}\n", "new_string": f"{n + 1}\n"} for n in range(20)]
        ids = [wire.ask("tools/call", {"name": "edit_file", "arguments": step}) for step in steps]
        assert [outcome(wire.answer(each))["status"] for each in ids] == ["ok"] * 20
        assert (root / "src/api/n.py").read_text() == "20\n"

        _questions_end_as_they_should(wire, root)
        _is_served_while_a_question_is_open(wire, root)
        assert wire.do("verify_trace")["ok"] is True
        assert wire.close() == 0
        assert "Traceback" not in wire.log()


def _questions_end_as_they_should(wire: McpWire, root: Path) -> None:
    def broken(_: Any) -> Any:
        raise Refuse(-32603, "no form here")

    noes: list[Any] = [{"action": "decline"}, {"action": "cancel"}, {"action": "accept"}, {"action": "frob"}]
    for said in (*noes, _choose("Reject"), _choose("Yes"), {}, broken, SILENCE):
        wire.handlers["elicitation/create"] = said if callable(said) else lambda _, said=said: said
        write_files(root, {POLICY: f"hitl_timeout_s: {1 if said is SILENCE else PATIENCE_S}\n"})
        asked = len(wire.asked)
        assert wire.do("write_to_file", path=DESIGN, content="new")["code"] == "SCOPE_VIOLATION", said
        assert len(wire.asked) == asked + 1, said
    assert (root / DESIGN).read_text() == "# Design\n"
    cancelled = wire.expect_notification("notifications/cancelled")  # nobody need fill the form any more
    assert cancelled["requestId"] == wire.asked[-1]["id"]
    write_files(root, {POLICY: f"hitl_timeout_s: {PATIENCE_S}\n"})
    wire.handlers["elicitation/create"] = lambda _: _choose("Approve")
    assert wire.do("write_to_file", path=DESIGN, content="new")["status"] == "ok"
    assert ledger_of(root)[-1]["override"]["action"] == "Approve"


def _is_served_while_a_question_is_open(wire: McpWire, root: Path) -> None:
    seen, go_on = threading.Event(), threading.Event()

    def later(_: Any) -> Any:
        seen.set()
        assert go_on.wait(PATIENCE_S)
        return _choose("Expand scope")

    wire.handlers["elicitation/create"] = later
    waiting = wire.ask("tools/call", {"name": "delete_file", "arguments": {"path": DESIGN}})
    assert seen.wait(PATIENCE_S)
    assert wire.do("write_to_file", path="src/api/a.py", content="")["status"] == "ok"
    go_on.set()
    assert outcome(wire.answer(waiting))["status"] == "ok"
    assert wire.do("write_to_file", path=DESIGN, content="again")["status"] == "ok"  # in scope from now on


ACTIONS: list[tuple[str, dict[str, Any]]] = [
    ("write_to_file", {"path": "src/api/a.py", "content": ""}),
    ("select_active_intent", {"intent_id": "INT-009"}),
    ("select_active_intent", {"intent_id": "INT-003"}),
    ("select_active_intent", {"intent_id": "INT-001"}),
    ("write_to_file", {"path": "src/api/a.py", "content": "", "intent_id": "INT-002"}),
    ("write_to_file", {"path": DESIGN, "content": ""}),
    ("write_to_file", {"path": "src/api/secret/key.py", "content": ""}),
    ("delete_file", {"path": "../elsewhere"}),
    ("delete_file", {"path": ".git/config"}),
    ("delete_file", {"path": "src/api/generated/schema.py"}),
    ("rename_file", {"path": "src/api/weather.py", "new_path": "docs/weather.py"}),
    ("write_to_file", {"path": "src/api/weather.py", "content": "", "expected_content_hash": "sha256:" + "0" * 64}),
    ("apply_patch", {"patch": "--- a/src/api/weather.py\n+++ b/src/api/weather.py\n@@ -1 +1 @@\n-frob\n+brof\n"}),
    ("apply_patch", {"patch": "--- a/docs/design.md\n+++ b/docs/design.md\n@@ -1 +1 @@\n-# Design\n+#\n"}),
    ("check_edit", {"paths": ["src/api/a.py", DESIGN]}),
    ("edit_file", {"path": "src/api/weather.py", "old_string": "cloudy", "new_string": ""}),
    ("read_file", {"path": "../elsewhere"}),
]


def test_mcp_and_lsp_say_the_same(tmp_path: Path) -> None:
    """The same action is refused with the same JSON, and the same arguments with the same sentence."""
    roots = [make_workspace(tmp_path / name, ignore="src/api/secret/\n") for name in ("lsp", "mcp")]
    with session(roots[0]) as lsp, McpWire.begin(roots[1]) as mcp:
        for tool, arguments in ACTIONS:
            first, *rest = tool.split("_")
            command = "intent." + first + "".join(part.capitalize() for part in rest)
            by_lsp, by_mcp = lsp.wire.command(command, arguments), mcp.call(tool, **arguments)
            if "error" in by_lsp:
                assert by_mcp["error"]["code"] == by_lsp["error"]["code"] == -32602
                assert by_mcp["error"]["message"] == by_lsp["error"]["message"]
            elif by_lsp["result"]["status"] == "error":
                assert outcome(by_mcp) == by_lsp["result"], tool
            else:
                assert outcome(by_mcp)["status"] == "ok"
    codes = [[record.get("code") for record in ledger_of(root)] for root in roots]
    assert codes[0] == codes[1]
    assert len(set(codes[0])) >= 8


def test_the_server_leaves_with_a_client_that_is_killed(workspace: Path) -> None:
    """No goodbye: the pipe is gone, so is the server, and its session with it; a question that was open is a no."""
    program = (
        "import subprocess, sys, json, time\n"
        "server = subprocess.Popen([sys.executable, '-m', 'intentls', 'mcp'], stdin=subprocess.PIPE,"
        " stdout=subprocess.PIPE)\n"
        "def send(**message):\n"
        "    server.stdin.write(json.dumps({'jsonrpc': '2.0', **message}).encode() + b'\\n'); server.stdin.flush()\n"
        "send(id=0, method='initialize', params={'protocolVersion': '2025-11-25', 'capabilities': {'elicitation': {}},"
        " 'clientInfo': {'name': 'bare', 'version': '0'}})\n"
        "send(method='notifications/initialized')\n"
        "send(id=1, method='tools/call', params={'name': 'select_active_intent',"
        " 'arguments': {'intent_id': 'INT-001'}})\n"
        "send(id=2, method='tools/call', params={'name': 'delete_file', 'arguments': {'path': 'docs/design.md'}})\n"
        "while 'elicitation/create' not in (line := server.stdout.readline().decode()): pass\n"
        "print(server.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    client = subprocess.Popen([sys.executable, "-c", program], cwd=workspace, stdout=subprocess.PIPE)
    assert client.stdout is not None
    server = int(client.stdout.readline())
    client.send_signal(signal.SIGKILL)
    client.wait()
    client.stdout.close()
    eventually(lambda: not runs(server))
    assert (workspace / DESIGN).exists()
    (record,) = ledger_of(workspace)
    assert (record["tool_name"], record["code"]) == ("delete_file", "SCOPE_VIOLATION")
    sessions = workspace / ".orchestration" / ".state" / "sessions"
    assert [json.loads(file.read_text()) for file in sessions.glob("*.json")] == []
    Agent(workspace).select("INT-001")
