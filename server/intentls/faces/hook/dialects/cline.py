"""Cline's hooks: executables named like the event. The session is `taskId`; there is no way to ask its user."""

from __future__ import annotations

from intentls.faces.hook.event import Event, EventKind, InvalidEvent, Json, folders, mapping, pause, text
from intentls.faces.hook.response import Answer, Dialect
from intentls.faces.hook.tool_mapping import Toolbox

TOOLBOX = Toolbox(
    edits={
        **{"write_to_file": "write_to_file", "new_rule": "write_to_file"},
        **{"replace_in_file": "edit", "apply_patch": "apply_patch"},
    },
    shells=frozenset({"execute_command"}),
    reading=frozenset({"read_file"}),
    safe=frozenset(
        {
            *("list_files", "search_files", "list_code_definition_names", "web_fetch", "web_search"),
            *("ask_followup_question", "plan_mode_respond", "new_task", "condense", "summarize_task", "report_bug"),
            *("load_mcp_documentation", "access_mcp_resource", "use_skill", "use_subagents"),
        }
    ),
    path_keys=("absolutePath",),
)
_FINISH, _MCP = "attempt_completion", "use_mcp_tool"
_OWN_SERVER = "intentls"
_PARTS = {"PreToolUse": ("preToolUse", EventKind.BEFORE), "PostToolUse": ("postToolUse", EventKind.AFTER)}
_STARTS = frozenset({"TaskStart", "TaskResume"})
_PAUSES = frozenset({"TaskCancel", "TaskComplete", "UserPromptSubmit"})
_NOTHING = frozenset({"PreCompact", "Notification"})


class Cline(Dialect):
    """Cline's events and answers."""

    def read(self, data: Json) -> Event:
        """The event. Raises InvalidInput."""
        name = text(data, "hookName")
        if name in _PAUSES:
            return pause(name, data, "taskId", "workspaceRoots", ended=name != "UserPromptSubmit")
        if name in _NOTHING:
            return Event(EventKind.NOTHING, name)
        session_id, roots = text(data, "taskId"), folders(data, "workspaceRoots")
        if name in _STARTS:
            return Event(EventKind.START, name, session_id, roots)
        if name not in _PARTS:
            raise InvalidEvent("hookName", f"is {name!r}, an event that is not known here")
        part, kind = _PARTS[name]
        call = mapping(data, part)
        tool_name, params = text(call, "toolName"), mapping(call, "parameters")
        failed = call.get("success") is False
        if tool_name == _FINISH and not params.get("command"):
            return Event(EventKind.NOTHING, name)
        if tool_name == _FINISH:
            tool_name = "execute_command"  # the command that shows the result
        if tool_name == _MCP and params.get("server_name") == _OWN_SERVER:
            return Event(EventKind.NOTHING, name)
        tool = TOOLBOX.tool(tool_name, params, roots[0], None)
        return Event(
            kind, name, session_id, roots, tool, success=not failed, error="The tool failed." if failed else None
        )

    def denied(self, event: Event, reason: str) -> Answer:  # noqa: ARG002  the protocol's signature
        """The error is for the user, the context for the model."""
        return {"cancel": True, "errorMessage": reason, "contextModification": reason}

    def advised(self, event: Event, advice: str) -> Answer:
        """Reaches the model with its next request."""
        return self.context(event, advice)

    def context(self, event: Event, text: str) -> Answer:  # noqa: ARG002  the protocol's signature
        """Reaches the model with its next request, the first one when a session begins."""
        return {"cancel": False, "contextModification": text}


DIALECT = Cline()
