"""What an agent's event says, by dialect, and how the agent wants to be answered: without a workspace."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from intentls.faces.hook.event import Event, EventKind, InvalidEvent
from intentls.faces.hook.response import Dialect

WORK = Path("/work")
# By agent: what each of its events has, and the names of its keys.
COMMON: dict[str, dict[str, Any]] = {
    "claude-code": {"session_id": "s", "cwd": "/work"},
    "codex": {"session_id": "s", "cwd": "/work"},
    "cursor": {"conversation_id": "s", "workspace_roots": ["/work"]},
    "gemini": {"session_id": "s", "cwd": "/work"},
    "cline": {"taskId": "s", "workspaceRoots": ["/work"]},
}


def dialect(agent: str) -> Dialect:
    module = importlib.import_module(f"intentls.faces.hook.dialects.{agent.replace('-', '_')}")
    made: Dialect = module.DIALECT
    return made


def read(agent: str, name: str, **values: Any) -> Event:
    key = "hookName" if agent == "cline" else "hook_event_name"
    return dialect(agent).read({**COMMON[agent], key: name, **values})


def call(agent: str, name: str, tool: str, params: dict[str, Any], **values: Any) -> Event:
    """An event about a tool."""
    if agent == "cline":
        part = {"toolName": tool, "parameters": params, **values}
        return read(agent, name, **{name[0].lower() + name[1:]: part})
    return read(agent, name, tool_name=tool, tool_input=params, **values)


@pytest.mark.parametrize(
    ("agent", "name", "kind"),
    [
        ("claude-code", "UserPromptSubmit", EventKind.TURN),
        ("claude-code", "Stop", EventKind.TURN),
        ("claude-code", "SessionEnd", EventKind.END),
        ("claude-code", "SessionStart", EventKind.START),
        ("claude-code", "Notification", EventKind.NOTHING),
        ("codex", "Stop", EventKind.TURN),
        ("codex", "SubagentStop", EventKind.NOTHING),
        ("codex", "SessionStart", EventKind.START),
        ("cursor", "stop", EventKind.TURN),
        ("cursor", "beforeSubmitPrompt", EventKind.TURN),
        ("cursor", "sessionEnd", EventKind.END),
        ("cursor", "sessionStart", EventKind.START),
        ("cursor", "afterFileEdit", EventKind.NOTHING),
        ("gemini", "BeforeAgent", EventKind.TURN),
        ("gemini", "SessionEnd", EventKind.END),
        ("gemini", "SessionStart", EventKind.START),
        ("gemini", "BeforeModel", EventKind.NOTHING),
        ("cline", "UserPromptSubmit", EventKind.TURN),
        ("cline", "TaskCancel", EventKind.END),
        ("cline", "TaskComplete", EventKind.END),
        ("cline", "TaskResume", EventKind.START),
        ("cline", "PreCompact", EventKind.NOTHING),
    ],
)
def test_an_event_without_a_tool_begins_or_ends_something(agent: str, name: str, kind: EventKind) -> None:
    """Whose it is and where is known, unless there is nothing to do."""
    event = read(agent, name)
    assert (event.kind, event.name, event.tool) == (kind, name, None)
    if kind is not EventKind.NOTHING:
        assert (event.session_id, event.folders) == ("s", (WORK,))


@pytest.mark.parametrize("agent", COMMON)
def test_an_event_that_is_not_known_is_refused_by_name(agent: str) -> None:
    with pytest.raises(InvalidEvent, match="'Nonsense', an event that is not known"):
        read(agent, "Nonsense")


CALLS = [
    ("claude-code", "PreToolUse", "PostToolUse", "Write", {"file_path": "a"}),
    ("codex", "PreToolUse", "PostToolUse", "Write", {"file_path": "a"}),
    ("cursor", "preToolUse", "postToolUse", "Write", {"file_path": "a"}),
    ("gemini", "BeforeTool", "AfterTool", "write_file", {"file_path": "a"}),
    ("cline", "PreToolUse", "PostToolUse", "write_to_file", {"absolutePath": "/work/a"}),
]


@pytest.mark.parametrize(("agent", "before", "after", "tool", "params"), CALLS)
def test_a_call_has_the_same_key_before_and_after(
    agent: str, before: str, after: str, tool: str, params: dict[str, Any]
) -> None:
    """Its file is named from the folder where the agent works; what ran has succeeded unless its agent says else."""
    first, last = call(agent, before, tool, params), call(agent, after, tool, params)
    assert (first.kind, last.kind) == (EventKind.BEFORE, EventKind.AFTER)
    assert first.tool is not None and last.tool is not None
    assert first.tool.paths == last.tool.paths == ("/work/a",)
    assert first.tool.key == last.tool.key != ""
    assert (last.success, last.error, last.session_id, last.folders) == (True, None, "s", (WORK,))


@pytest.mark.parametrize(
    ("agent", "name", "values", "error"),
    [
        ("claude-code", "PostToolUseFailure", {"error": "no"}, "no"),
        ("claude-code", "PostToolUseFailure", {}, "The tool failed."),
        ("cursor", "postToolUseFailure", {"error_message": "no"}, "no"),
        ("cursor", "postToolUseFailure", {}, "The tool failed."),
        ("gemini", "AfterTool", {"tool_response": {"error": "no"}}, "no"),
        ("cline", "PostToolUse", {"success": False}, "The tool failed."),
    ],
)
def test_a_tool_that_failed_is_read_as_one(agent: str, name: str, values: dict[str, Any], error: str) -> None:
    tool = {"gemini": "write_file", "cline": "write_to_file"}.get(agent, "Write")
    event = call(agent, name, tool, {"file_path": "/work/a"}, **values)
    assert (event.kind, event.success, event.error) == (EventKind.AFTER, False, error)


@pytest.mark.parametrize(
    ("agent", "mode", "may_ask"),
    [
        ("claude-code", "default", True),
        ("claude-code", "plan", True),
        ("claude-code", "bypassPermissions", False),
        ("claude-code", "dontAsk", False),
        ("codex", "default", False),
    ],
)
def test_a_user_is_asked_only_where_the_agent_really_asks(agent: str, mode: str, may_ask: bool) -> None:
    assert call(agent, "PreToolUse", "Write", {"file_path": "a"}, permission_mode=mode).may_ask is may_ask


@pytest.mark.parametrize(("name", "may_ask"), [("beforeShellExecution", True), ("afterShellExecution", False)])
def test_cursor_asks_before_shell_commands(name: str, may_ask: bool) -> None:
    """Its shell events name the command outside of any tool; the folder counts if it is named."""
    event = read("cursor", name, command="make", cwd="/work/sub")
    assert (event.may_ask, event.folders) == (may_ask, (WORK, WORK / "sub"))
    assert event.tool is not None and event.tool.anywhere
    assert not call("cursor", "preToolUse", "Write", {"file_path": "a"}).may_ask


@pytest.mark.parametrize(
    ("tool", "is_free"), [("MCP:list_intents", True), ("list_intents", True), ("MCP:write_to_file", False)]
)
def test_cursor_lets_only_harmless_tools_pass_by_name(tool: str, is_free: bool) -> None:
    """It does not say whose tool it is: another server may have one of the same name."""
    event = call("cursor", "beforeMCPExecution", tool, {"path": "a"})
    assert event.tool is not None
    assert (event.tool.is_free, event.may_ask) == (is_free, True)


def test_clines_last_word_is_a_tool_only_with_a_command() -> None:
    assert call("cline", "PreToolUse", "attempt_completion", {}).kind is EventKind.NOTHING
    with_command = call("cline", "PreToolUse", "attempt_completion", {"command": "make"})
    assert with_command.tool is not None and with_command.tool.anywhere


@pytest.mark.parametrize(("server", "kind"), [("intentls", EventKind.NOTHING), ("files", EventKind.BEFORE)])
def test_cline_says_whose_an_mcp_tool_is(server: str, kind: EventKind) -> None:
    params = {"server_name": server, "tool_name": "write_to_file", "arguments": "{}"}
    assert call("cline", "PreToolUse", "use_mcp_tool", params).kind is kind


def test_claude_codes_project_is_where_it_works_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The agent may have gone elsewhere since; Codex has no such variable."""
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", "/project")
    assert read("claude-code", "SessionStart").folders == (Path("/project"), WORK)
    assert read("codex", "SessionStart").folders == (WORK,)


@pytest.mark.parametrize("agent", ["claude-code", "codex", "cursor"])
def test_a_session_knows_its_model_where_the_agent_names_it(agent: str) -> None:
    name = "sessionStart" if agent == "cursor" else "SessionStart"
    assert read(agent, name, model="m").model == "m"
    before = "preToolUse" if agent == "cursor" else "PreToolUse"
    assert call(agent, before, "Write", {"file_path": "a"}, model="m").model == "m"


def _specific(name: str, **values: str) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": name, **values}}


@pytest.mark.parametrize(
    ("agent", "name", "denied", "advised", "told", "passed"),
    [
        (
            *("claude-code", "PreToolUse"),
            _specific("PreToolUse", permissionDecision="deny", permissionDecisionReason="w"),
            _specific("PreToolUse", additionalContext="w"),
            _specific("PreToolUse", additionalContext="w"),
            None,
        ),
        (
            *("codex", "PostToolUse"),
            _specific("PostToolUse", permissionDecision="deny", permissionDecisionReason="w"),
            None,
            {"decision": "block", "reason": "w"},
            None,
        ),
        (
            *("cursor", "preToolUse"),
            {"permission": "deny", "user_message": "w", "agent_message": "w"},
            {"permission": "allow", "agent_message": "w"},
            None,
            {"permission": "allow"},
        ),
        (
            *("cursor", "postToolUse"),
            {"permission": "deny", "user_message": "w", "agent_message": "w"},
            None,
            {"additional_context": "w"},
            None,
        ),
        (
            *("gemini", "AfterTool"),
            {"decision": "deny", "reason": "w"},
            None,
            _specific("AfterTool", additionalContext="w"),
            None,
        ),
        (
            *("cline", "PostToolUse"),
            {"cancel": True, "errorMessage": "w", "contextModification": "w"},
            {"cancel": False, "contextModification": "w"},
            {"cancel": False, "contextModification": "w"},
            None,
        ),
    ],
)
def test_an_answer_has_the_agents_own_form(
    agent: str, name: str, denied: Any, advised: Any, told: Any, passed: Any
) -> None:
    spoken, event = dialect(agent), Event(EventKind.BEFORE, name)
    assert spoken.denied(event, "w") == denied
    assert spoken.advised(event, "w") == advised
    assert spoken.told(event, "w") == told
    assert spoken.passed(event) == passed


def test_an_agent_that_cannot_ask_refuses() -> None:
    """Claude Code and Cursor have a question of their own."""
    for agent in ("gemini", "cline"):
        event = Event(EventKind.BEFORE, "x")
        assert dialect(agent).asked(event, "w") == dialect(agent).denied(event, "w")
    asked = dialect("claude-code").asked(Event(EventKind.BEFORE, "PreToolUse"), "w")
    assert asked == _specific("PreToolUse", permissionDecision="ask", permissionDecisionReason="w")
    assert (dialect("cursor").asked(Event(EventKind.BEFORE, "x"), "w") or {})["permission"] == "ask"


@pytest.mark.parametrize(("name", "kind"), [("session.idle", EventKind.TURN), ("session.deleted", EventKind.END)])
def test_opencode_is_idle_between_turns_and_ends_with_its_session(name: str, kind: EventKind) -> None:
    event = dialect("opencode").read({"session_id": "s", "cwd": "/work", "hook_event_name": name})
    assert (event.kind, event.session_id) == (kind, "s")
