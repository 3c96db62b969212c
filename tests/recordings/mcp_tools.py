"""Every tool, resource and prompt of the MCP server."""

from __future__ import annotations

from typing import Any

from tests.recordings.lsp_commands import PATCH, WEATHER
from tests.recordings.speaking import Refusal, Talk
from tests.recordings.stage import INTENTS, Json, Stage, content_hash

TOOLS: tuple[tuple[str, Json], ...] = (
    ("list_intents", {}),
    ("select_active_intent", {"intent_id": "INT-001"}),
    ("get_active_intent", {}),
    ("clear_active_intent", {}),
    ("read_file", {"path": "docs/design.md"}),
    ("write_to_file", {"path": "src/api/x.py", "content": "x = 1\n"}),
    ("edit_file", {"path": "src/api/weather.py", "old_string": "sunny", "new_string": "dry"}),
    ("apply_patch", {"patch": PATCH}),
    ("delete_file", {"path": "src/api/x.py"}),
    ("rename_file", {"path": "src/api/x.py", "new_path": "src/api/y.py"}),
    ("check_edit", {"path": "src/api/weather.py"}),
    ("record_lesson", {"path": "src/api/weather.py", "problems": "unit is m/s"}),
    ("query_trace", {}),
    ("verify_trace", {}),
    ("blame", {"path": "src/api/weather.py"}),
    ("request_scope_expansion", {"glob": "lib/**", "reason": "for the library"}),
    ("set_status", {"intent_id": "INT-001", "status": "BLOCKED"}),
)


def shake_hands(talk: Talk, capabilities: Json | None = None, version: str = "2025-11-25") -> None:
    """`initialize` of a client of that protocol."""
    client = {"name": "recorder", "version": "0"}
    params = {"protocolVersion": version, "capabilities": capabilities or {}, "clientInfo": client}
    talk.request("initialize", params)
    talk.notify("notifications/initialized")


def tools(stage: Stage) -> None:
    """What there is, and each tool with success."""
    root = stage.workspace()
    talk = Talk(stage, root, "mcp", "--session", "agent-1")
    shake_hands(talk)
    talk.request("ping")
    talk.request("tools/list")
    talk.request("resources/list")
    talk.request("resources/templates/list")
    talk.request("prompts/list")
    talk.request("prompts/get", {"name": "intent_protocol"})
    for uri in ("intentls://intents", "intentls://intents/INT-001", "intentls://intents/INT-005", "intentls://lessons"):
        talk.request("resources/read", {"uri": uri})
    stage.say("Tools")
    call = talk.call
    for name in ("list_intents", "get_active_intent", "clear_active_intent", "verify_trace", "query_trace"):
        call(name)
    call("select_active_intent", intent_id="INT-001", model_identifier="acme/model-7")
    call("get_active_intent")
    call("read_file", path="src/api/wörter.py")
    call("check_edit", path="src/api/weather.py")
    call("check_edit", paths=["src/api/a.py", "tests/api/b.py"], tool_name="apply_patch")
    call("write_to_file", path="src/api/x.py", content="def x():\n    return 1\n")
    call("write_to_file", path="src/api/x.py", content="def x():\n    return 2\n", mutation_class="BUG_FIX",
         intent_id="INT-001", expected_content_hash=content_hash("def x():\n    return 1\n"))  # fmt: skip
    call("edit_file", path="src/api/weather.py", old_string="'rain'", new_string="'snow'")
    call("edit_file", path="src/api/weather.py", old_string="return", new_string="return ", replace_all=True)
    call("write_to_file", path="src/api/weather.py", content=WEATHER, model_identifier="acme/other")
    call("apply_patch", patch=PATCH)
    call("rename_file", path="src/api/x.py", new_path="src/api/deep/y.py")
    call("delete_file", path="src/api/deep/y.py")
    call("record_lesson", path="src/api/weather.py", problems="The unit of wind speed is m/s.")
    call("record_lesson", path="src/api/weather.py", problems="The unit of wind speed is m/s.")
    call("query_trace", limit=2)
    call("query_trace", path="src/api/new.py", intent_id="INT-001")
    call("query_trace", session_id="nobody")
    call("verify_trace")
    call("blame", path="src/api/weather.py")
    call("blame", path="src/api/weather.py", line=2)
    call("set_status", intent_id="INT-002", status="IN_PROGRESS")
    call("select_active_intent", intent_id="INT-001")
    talk.request("resources/read", {"uri": "intentls://lessons"})
    talk.request("resources/read", {"uri": "intentls://intents/INT-001"})
    call("clear_active_intent")
    talk.end()
    stage.show_records(root)


def refusals(stage: Stage) -> None:
    """Each code, malformed arguments, and what there is not."""
    root = stage.workspace()
    talk = Talk(stage, root, "mcp", "--session", "agent-1")
    shake_hands(talk)
    call = talk.call
    stage.say("Without an intent")
    for name, arguments in TOOLS[5:11]:
        call(name, **arguments)
    for intent in ("INT-999", "INT-003", "INT-004"):
        call("select_active_intent", intent_id=intent)
    call("request_scope_expansion", path="lib/a.py", reason="r")
    stage.say("With one")
    call("select_active_intent", intent_id="INT-001")
    call("write_to_file", path="src/api/a.py", content="a", intent_id="INT-002")
    for path in ("../out", ".git/config", ".orchestration/policy.yaml", "src/api/a.secret", "docs/design.md", "lib/a"):
        call("write_to_file", path=path, content="a")
        call("check_edit", path=path)
    call("rename_file", path="src/api/weather.py", new_path="docs/weather.py")
    call("apply_patch", patch=PATCH.replace("src/api/new.py", "lib/new.py"))
    call("read_file", path="src/api/weather.py")
    (root / "src/api/weather.py").write_text("stale = 1\n")
    call("edit_file", path="src/api/weather.py", old_string="stale", new_string="fresh")
    call("request_scope_expansion", path="lib/a.py", reason="r")
    call("set_status", intent_id="INT-001", status="COMPLETED")
    stage.say("Malformed")
    for name, arguments in TOOLS:
        call(name, **arguments, colour="red")
        for key in arguments:
            call(name, **{other: value for other, value in arguments.items() if other != key})
            call(name, **{**arguments, key: 5})
    call("fly")
    call("write_to_file", path="src/api/a.py", content="a", mutation_class="WONDER")
    call("write_to_file", path="src/api/a.py", content="a", expected_content_hash="sha256:1")
    call("edit_file", path="src/api/wörter.py", old_string="absent", new_string="a")
    call("apply_patch", patch="no patch")
    call("delete_file", path="src/api/none.py")
    call("read_file", path="src/api/none.py")
    call("read_file", path="/etc/hosts")
    call("read_file", path="src")
    call("blame", path="src/api/wörter.py", line=99)
    call("query_trace", limit=0)
    call("query_trace", since="yesterday")
    call("set_status", intent_id="INT-002", status="ASLEEP")
    call("request_scope_expansion", glob="/abs", reason="r")
    call("request_scope_expansion", reason="r")
    talk.request("tools/call", {"name": "list_intents", "arguments": 5})
    talk.request("tools/call", {})
    for uri in ("intentls://nothing", "intentls://intents/INT-999", "file:///etc/hosts"):
        talk.request("resources/read", {"uri": uri})
    talk.request("prompts/get", {"name": "nothing"})
    talk.request("no/such/method")
    stage.say("A configuration that can't be trusted")
    (root / ".orchestration/active_intents.yaml").write_text(INTENTS.replace("INT-002", "INT-001"))
    for name, arguments in TOOLS:
        call(name, **arguments)
    talk.end()
    stage.show_records(root)


def questions(stage: Stage) -> None:
    """A person behind the client, asked by a form."""
    root = stage.workspace()
    talk = Talk(stage, root, "mcp", "--session", "agent-1", "--root", ".")
    shake_hands(talk, {"elicitation": {}}, "2025-06-18")
    talk.call("select_active_intent", intent_id="INT-001")

    def accept(decision: str) -> Json:
        return {"action": "accept", "content": {"decision": decision}}

    answers: tuple[Any, ...] = (
        *(accept("Approve"), accept("Reject"), accept("Perhaps"), {"action": "decline"}, {"action": "cancel"}),
        *(Refusal(-32601, "no forms"), accept("Expand scope")),
    )
    for number, answer in enumerate(answers):
        stage.say(f"{answer.message if isinstance(answer, Refusal) else answer}")
        talk.answers["elicitation/create"] = lambda _, answer=answer: answer
        talk.call("write_to_file", path="docs/design.md", content=f"# {number}\n")
        talk.call("write_to_file", path="src/api/key.secret", content=f"{number}\n")
        talk.call("request_scope_expansion", path=f"lib/{number}.py", reason="the library needs it")
        talk.call("write_to_file", path="../out", content="a")
    talk.end()
    stage.show_records(root)
    ungoverned = stage.play / "free"
    ungoverned.mkdir()
    talk = Talk(stage, ungoverned, "mcp", "--session", "agent-1")
    shake_hands(talk)
    for name, arguments in TOOLS:
        talk.call(name, **arguments)
    talk.request("resources/list")
    talk.request("prompts/get", {"name": "intent_protocol"})
    talk.end()
