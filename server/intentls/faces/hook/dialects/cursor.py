"""Cursor's hooks. The session is `conversation_id`.

`ask` is accepted before a tool but not enforced there, so nobody is asked. Edits by Tab are a person's, and are
left to the editor's own trace of saves.
"""

from __future__ import annotations

from pathlib import Path

from intentls.core.gate.tool_class import ToolClass, classify
from intentls.faces.hook.always_allowed import OWN_TOOLS
from intentls.faces.hook.event import (
    Event,
    EventKind,
    EventTool,
    InvalidEvent,
    Json,
    folder,
    folders,
    mapping,
    optional_text,
    pause,
    text,
)
from intentls.faces.hook.response import Answer, Dialect
from intentls.faces.hook.tool_mapping import Toolbox

TOOLBOX = Toolbox(
    edits={
        **{"Write": "write_to_file", "StrReplace": "edit", "Edit": "edit", "MultiEdit": "edit"},
        **{"EditNotebook": "edit", "Delete": "delete_file", "ApplyPatch": "apply_patch"},
    },
    shells=frozenset({"Shell"}),
    reading=frozenset({"Read"}),
    safe=frozenset({"Grep", "Glob", "LS", "SemanticSearch", "ReadLints", "Task", "TodoWrite", "WebSearch", "WebFetch"}),
    path_keys=("target_notebook",),
)
_NOTHING = frozenset(
    {
        *("preCompact", "subagentStart", "subagentStop"),
        *("afterAgentResponse", "afterAgentThought", "beforeReadFile", "beforeTabFileRead", "afterFileEdit"),
        *("afterTabFileEdit", "afterMCPExecution"),
    }
)
_PAUSES = frozenset({"beforeSubmitPrompt", "stop", "sessionEnd"})
_KINDS = {
    **dict.fromkeys(("preToolUse", "beforeShellExecution", "beforeMCPExecution"), EventKind.BEFORE),
    **dict.fromkeys(("postToolUse", "postToolUseFailure", "afterShellExecution"), EventKind.AFTER),
}
_SHELL_EVENTS = frozenset({"beforeShellExecution", "afterShellExecution"})
_ASKING = frozenset({"beforeShellExecution", "beforeMCPExecution"})
_NEEDING = frozenset({"preToolUse"})
_MCP_PREFIX = "MCP:"
# Cursor does not say which server an MCP tool belongs to, so only what is harmless by name is let through by name.
_HARMLESS = frozenset(tool for tool in OWN_TOOLS if classify(tool) is ToolClass.SAFE)
_TELLING = frozenset({"postToolUse"})


class Cursor(Dialect):
    """Cursor's events and answers."""

    def read(self, data: Json) -> Event:
        """The event. Raises InvalidInput."""
        name = text(data, "hook_event_name")
        if name in _PAUSES:
            key = "conversation_id" if "conversation_id" in data else "session_id"
            return pause(name, data, key, "workspace_roots", ended=name == "sessionEnd")
        if name in _NOTHING:
            return Event(EventKind.NOTHING, name)
        session_id = optional_text(data, "conversation_id") or text(data, "session_id")
        roots, model = folders(data, "workspace_roots"), optional_text(data, "model")
        if name == "sessionStart":
            return Event(EventKind.START, name, session_id, roots, model=model)
        if name not in _KINDS:
            raise InvalidEvent("hook_event_name", f"is {name!r}, an event that is not known here")
        cwd = optional_text(data, "cwd")
        base = roots[0] if cwd is None else folder(cwd)
        failed = name == "postToolUseFailure"
        return Event(
            _KINDS[name],
            name,
            session_id,
            (*roots, *(() if cwd is None else (base,))),
            _tool(name, data, base),
            model=model,
            may_ask=name in _ASKING,
            success=not failed,
            error=(optional_text(data, "error_message") or "The tool failed.") if failed else None,
        )

    def denied(self, event: Event, reason: str) -> Answer:  # noqa: ARG002  the protocol's signature
        """The agent gets the reason as well as its user."""
        return _permission("deny", reason)

    def asked(self, event: Event, reason: str) -> Answer:  # noqa: ARG002  the protocol's signature
        """Only before shell commands and MCP calls."""
        return _permission("ask", reason)

    def passed(self, event: Event) -> Answer:
        """`allow` before a tool: with `failClosed` the editor takes silence there for a failed hook and stops the tool.

        Cursor asks nobody at that event, so this waives nothing. Where it does ask, `allow` might: silence there.
        """
        return {"permission": "allow"} if event.name in _NEEDING else None

    def advised(self, event: Event, advice: str) -> Answer:
        """Said along with the decision, where there must be one."""
        return {"permission": "allow", "agent_message": advice} if event.name in _NEEDING else None

    def told(self, event: Event, message: str) -> Answer:
        """Follows the tool's result, where Cursor reads an answer at all."""
        return {"additional_context": message} if event.name in _TELLING else None

    def context(self, event: Event, text: str) -> Answer:
        """Joins the conversation's beginning; commands learn which session they belong to."""
        return {"additional_context": text, "env": {"INTENTLS_SESSION": event.session_id}}


def _tool(event: str, data: Json, base: Path) -> EventTool:
    if event in _SHELL_EVENTS:
        return TOOLBOX.tool("Shell", {"command": text(data, "command")}, base, None)
    name, params = text(data, "tool_name"), mapping(data, "tool_input")
    if event == "beforeMCPExecution" and not name.startswith(_MCP_PREFIX):
        name = _MCP_PREFIX + name
    if name.startswith(_MCP_PREFIX) and name.removeprefix(_MCP_PREFIX) in _HARMLESS:
        return EventTool(name, (), "", is_free=True)
    return TOOLBOX.tool(name, params, base, optional_text(data, "tool_use_id"))


def _permission(decision: str, reason: str) -> Answer:
    return {"permission": decision, "user_message": reason, "agent_message": reason}


DIALECT = Cursor()
