"""Copilot CLI's hooks, written with Claude Code's event names: then its events have Claude Code's form as well.

A subagent has a session of its own there; it works under its parent's. There is no way to ask the user that shows why.
"""

from __future__ import annotations

from typing import Any

from intentls.core.patch.codex_patch import is_codex_patch
from intentls.faces.hook.always_allowed import OWN_TOOLS
from intentls.faces.hook.dialects.claude_code import ClaudeCode
from intentls.faces.hook.event import Event, Json
from intentls.faces.hook.response import Answer
from intentls.faces.hook.tool_mapping import Toolbox

TOOLBOX = Toolbox(
    edits={
        **{"Write": "write_to_file", "Edit": "edit", "MultiEdit": "edit", "create": "write_to_file", "edit": "edit"},
        **{"apply_patch": "apply_patch", "ApplyPatch": "apply_patch"},
    },
    shells=frozenset({"Bash", "bash", "PowerShell", "powershell"}),
    reading=frozenset({"Read", "view"}),
    safe=frozenset(
        {
            *("Grep", "Glob", "grep", "rg", "glob", "WebFetch", "web_fetch", "WebSearch", "Task", "Agent", "task"),
            *("read_bash", "stop_bash", "list_bash", "read_agent", "list_agents", "write_agent", "skill", "Skill"),
            *("report_intent", "update_todo", "TodoWrite", "ask_user", "fetch_copilot_cli_documentation", "sql"),
            *("session_store_sql", "exit_plan_mode", "task_complete", "store_memory"),
            *(f"intentls-{tool}" for tool in OWN_TOOLS),
        }
    ),
    own_prefixes=("mcp__intentls__",),
)
_NOTHING = frozenset({"SubagentStart", "SubagentStop", "PermissionRequest", "PreCompact", "Notification"})


class Copilot(ClaudeCode):
    """Copilot's events and answers. An answer has both forms of the program: its own and Claude Code's."""

    def read(self, data: Json) -> Event:
        """The event. Raises InvalidInput."""
        changed: dict[str, Any] = dict(data)
        if isinstance(data.get("parent_agent_id"), str):
            changed["session_id"] = data["parent_agent_id"]
        if isinstance(data.get("tool_input"), str) and is_codex_patch(data["tool_input"]):
            changed["tool_input"] = {"input": data["tool_input"]}
        return ClaudeCode.read(self, changed)

    def denied(self, event: Event, reason: str) -> Answer:
        """`deny`: shown to the model."""
        return _both(ClaudeCode.denied(self, event, reason))

    def allowed(self, event: Event) -> Answer:
        """`allow`, where the shell is asked for nothing but our books."""
        return _both(ClaudeCode.allowed(self, event))

    def told(self, event: Event, message: str) -> Answer:
        """Follows the tool's result."""
        return self.context(event, message)

    def context(self, event: Event, text: str) -> Answer:
        """Joins the conversation."""
        return _both(ClaudeCode.context(self, event, text))


def _both(answer: Answer) -> Answer:
    inner = dict((answer or {}).get("hookSpecificOutput", {}))
    return {**{key: value for key, value in inner.items() if key != "hookEventName"}, **(answer or {})}


DIALECT = Copilot(TOOLBOX, _NOTHING, asking_modes=frozenset(), advises=False)
