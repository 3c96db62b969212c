"""Gemini CLI's hooks. The session is `session_id`; there is no way to ask its user."""

from __future__ import annotations

from typing import Any

from intentls.faces.hook.always_allowed import OWN_TOOLS
from intentls.faces.hook.event import Event, EventKind, InvalidEvent, Json, folder, mapping, optional_text, pause, text
from intentls.faces.hook.response import Answer, Dialect
from intentls.faces.hook.tool_mapping import Toolbox
from intentls.faces.hook.transcript import model_in

TOOLBOX = Toolbox(
    edits={"write_file": "write_to_file", "replace": "edit"},
    shells=frozenset({"run_shell_command"}),
    reading=frozenset({"read_file"}),
    safe=frozenset(
        {
            *("read_many_files", "list_directory", "glob", "search_file_content", "grep_search", "google_web_search"),
            *("web_fetch", "ask_user", "write_todos", "enter_plan_mode", "exit_plan_mode", "activate_skill"),
            *(f"mcp_intentls_{tool}" for tool in OWN_TOOLS),
        }
    ),
    own_prefixes=("mcp__intentls__",),
    path_keys=("absolute_path",),
)
_KINDS = {"BeforeTool": EventKind.BEFORE, "AfterTool": EventKind.AFTER}
_PAUSES = frozenset({"BeforeAgent", "AfterAgent", "SessionEnd"})
_NOTHING = frozenset(
    {
        *("BeforeModel", "AfterModel", "BeforeToolSelection"),
        *("Notification", "PreCompress"),
    }
)


class Gemini(Dialect):
    """Gemini CLI's events and answers."""

    def read(self, data: Json) -> Event:
        """The event. Raises InvalidInput."""
        name = text(data, "hook_event_name")
        if name in _PAUSES:
            return pause(name, data, "session_id", "cwd", ended=name == "SessionEnd")
        if name in _NOTHING:
            return Event(EventKind.NOTHING, name)
        cwd, session_id = folder(text(data, "cwd")), text(data, "session_id")
        if name == "SessionStart":
            return Event(EventKind.START, name, session_id, (cwd,))
        if name not in _KINDS:
            raise InvalidEvent("hook_event_name", f"is {name!r}, an event that is not known here")
        tool = TOOLBOX.tool(text(data, "tool_name"), mapping(data, "tool_input"), cwd, None)
        error = _error(data) if name == "AfterTool" else None
        model = None if tool.is_free else model_in(optional_text(data, "transcript_path"))
        return Event(
            _KINDS[name], name, session_id, (cwd,), tool, model=model, success=error is None, error=error, cwd=cwd
        )

    def denied(self, event: Event, reason: str) -> Answer:  # noqa: ARG002  the protocol's signature
        """The reason is sent to the model as the tool's error."""
        return {"decision": "deny", "reason": reason}

    def context(self, event: Event, text: str) -> Answer:
        """Becomes the first turn, or is appended to the tool's result."""
        return {"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": text}}


def _error(data: Json) -> str | None:
    response: Any = data.get("tool_response")
    error = response.get("error") if isinstance(response, dict) else None
    return None if not error else str(error)[:500]


DIALECT = Gemini()
