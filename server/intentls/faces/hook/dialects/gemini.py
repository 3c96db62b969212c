"""Gemini CLI's hooks. The session is `session_id`; there is no way to ask its user."""

from __future__ import annotations

from typing import Any

from intentls.faces.hook.always_allowed import OWN_TOOLS
from intentls.faces.hook.event import Event, EventKind, InvalidEvent, Json, folder, mapping, text
from intentls.faces.hook.response import Answer
from intentls.faces.hook.tool_mapping import Toolbox

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
_NOTHING = frozenset(
    {
        *("SessionEnd", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection"),
        *("Notification", "PreCompress"),
    }
)


class Gemini:
    """The dialect."""

    def read(self, data: Json) -> Event:
        """The event. Raises InvalidInput."""
        name = text(data, "hook_event_name")
        if name in _NOTHING:
            return Event(EventKind.NOTHING, name)
        cwd, session_id = folder(text(data, "cwd")), text(data, "session_id")
        if name == "SessionStart":
            return Event(EventKind.START, name, session_id, (cwd,))
        if name not in _KINDS:
            raise InvalidEvent("hook_event_name", f"is {name!r}, an event that is not known here")
        tool = TOOLBOX.tool(text(data, "tool_name"), mapping(data, "tool_input"), cwd, None)
        error = _error(data) if name == "AfterTool" else None
        return Event(_KINDS[name], name, session_id, (cwd,), tool, success=error is None, error=error)

    def denied(self, event: Event, reason: str) -> Answer:  # noqa: ARG002  the protocol's signature
        """The reason is sent to the model as the tool's error."""
        return {"decision": "deny", "reason": reason}

    def asked(self, event: Event, reason: str) -> Answer:
        """Nobody can be asked, so the answer is no."""
        return self.denied(event, reason)

    def passed(self, event: Event) -> Answer:  # noqa: ARG002  the protocol's signature
        """Silence, so that the user's own permissions still apply."""
        return None

    def advised(self, event: Event, advice: str) -> Answer:  # noqa: ARG002  the protocol's signature
        """There is no way to say something to the model before a tool."""
        return None

    def told(self, event: Event, message: str) -> Answer:
        """Appended to the tool's result."""
        return _context(event, message)

    def context(self, event: Event, text: str) -> Answer:
        """Becomes the first turn."""
        return _context(event, text)


def _error(data: Json) -> str | None:
    response: Any = data.get("tool_response")
    found = response.get("error") if isinstance(response, dict) else None
    return None if not found else str(found)[:500]


def _context(event: Event, text: str) -> Answer:
    return {"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": text}}


DIALECT = Gemini()
