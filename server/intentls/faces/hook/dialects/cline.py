"""Cline's hooks: executables named like the event. There is no way to ask its user.

Two programs call them, and both answers are JSON on stdout:

    the editor extension    hookName PreToolUse     preToolUse: {toolName, parameters}, each parameter as text
    Cline CLI 3             hookName tool_call      the same, and tool_call: {id, name, input}

The CLI looks at no exit code. `cancel: true` stops the tool there, and the whole run with it, so that the model never
sees why. With `--go-on` a refused call of its own tools gets arguments that do nothing instead: the tool fails, the
reason joins the conversation, and the run goes on. Should a call run all the same, the next event ends the run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from intentls.core.gate.tool_class import SHELL
from intentls.faces.hook.always_allowed import is_bookkeeping
from intentls.faces.hook.event import (
    Event,
    EventKind,
    EventTool,
    InvalidEvent,
    Json,
    call_key,
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
        **{"write_to_file": "write_to_file", "new_rule": "write_to_file", "editor": "edit"},
        **{"replace_in_file": "edit", "apply_patch": "apply_patch"},
    },
    shells=frozenset({"execute_command"}),
    reading=frozenset({"read_file", "read_files"}),
    safe=frozenset(
        {
            *("list_files", "search_files", "list_code_definition_names", "web_fetch", "web_search"),
            *("ask_followup_question", "plan_mode_respond", "new_task", "condense", "summarize_task", "report_bug"),
            *("load_mcp_documentation", "access_mcp_resource", "use_skill", "use_subagents"),
            *("search_codebase", "fetch_web_content", "ask_question", "spawn_agent", "skills", "submit_and_exit"),
        }
    ),
    own_prefixes=("intentls__",),
    path_keys=("absolutePath",),
)
_FINISH, _MCP, _COMMANDS = "attempt_completion", "use_mcp_tool", "run_commands"
_TEAM = "team_"  # how the tools begin by which the CLI's agents talk to each other
_OWN_SERVER = "intentls"
_PARTS = {
    **{"PreToolUse": ("preToolUse", EventKind.BEFORE), "PostToolUse": ("postToolUse", EventKind.AFTER)},
    **{"tool_call": ("preToolUse", EventKind.BEFORE), "tool_result": ("postToolUse", EventKind.AFTER)},
}
_STARTS = frozenset({"TaskStart", "TaskResume", "agent_start", "agent_resume"})
_TURNS = frozenset({"UserPromptSubmit", "prompt_submit", "agent_end"})
_ENDS = frozenset({"TaskCancel", "TaskComplete", "agent_abort", "agent_error", "session_shutdown"})
_NOTHING = frozenset({"PreCompact", "Notification"})
# What each of the CLI's own tools can do nothing with: it answers that its arguments are wrong.
_NO_CALL: Mapping[str, Json] = {"editor": {}, "apply_patch": {"input": ""}, _COMMANDS: {"commands": []}}


class Cline(Dialect):
    """Cline's events and answers."""

    def read(self, data: Json) -> Event:
        """The event. Raises InvalidInput."""
        name = text(data, "hookName")
        if name in _TURNS | _ENDS:
            return pause(name, data, "taskId", "workspaceRoots", ended=name in _ENDS)
        if name in _NOTHING:
            return Event(EventKind.NOTHING, name)
        session_id, roots = text(data, "taskId"), folders(data, "workspaceRoots")
        if name in _STARTS:
            return Event(EventKind.START, name, session_id, roots)
        if name not in _PARTS:
            raise InvalidEvent("hookName", f"is {name!r}, an event that is not known here")
        part, kind = _PARTS[name]
        call = mapping(data, part)
        tool_name, params, call_id = text(call, "toolName"), mapping(call, "parameters"), None
        detail = data.get(name)  # the CLI's own form of the call: with an id, and with arguments that are not text
        if isinstance(detail, Mapping):
            params = {**params, **detail["input"]} if isinstance(detail.get("input"), Mapping) else params
            call_id = optional_text(detail, "id")
        if name == "tool_result" and params == _NO_CALL.get(tool_name):
            return Event(EventKind.NOTHING, name)  # what a refused call was made into
        failed = call.get("success") is False
        if tool_name == _FINISH and not params.get("command"):
            return Event(EventKind.NOTHING, name)
        if tool_name == _FINISH:
            tool_name = "execute_command"  # the command that shows the result
        if tool_name.startswith(_TEAM) or (tool_name == _MCP and params.get("server_name") == _OWN_SERVER):
            return Event(EventKind.NOTHING, name)
        tool = _tool(tool_name, params, roots[0], call_id)
        return Event(
            kind,
            name,
            session_id,
            roots,
            tool,
            success=not failed,
            error="The tool failed." if failed else None,
            tool_name=tool_name,
        )

    def denied(self, event: Event, reason: str) -> Answer:
        """The error is for the user, the context for the model."""
        if event.goes_on and event.name == "tool_call" and event.tool_name in _NO_CALL:
            return {"cancel": False, "contextModification": reason, "overrideInput": _NO_CALL[event.tool_name]}
        return {"cancel": True, "errorMessage": reason, "contextModification": reason}

    def advised(self, event: Event, advice: str) -> Answer:
        """Reaches the model with its next request."""
        return self.context(event, advice)

    def context(self, event: Event, text: str) -> Answer:  # noqa: ARG002  the protocol's signature
        """Reaches the model with its next request, the first one when a session begins."""
        return {"cancel": False, "contextModification": text}


def _tool(name: str, params: Json, base: Path, call_id: str | None) -> EventTool:
    if name == _COMMANDS:
        commands = _commands(params)
        is_free = bool(commands) and all(map(is_bookkeeping, commands))
        return EventTool(SHELL, (), call_key(call_id, name, params), anywhere=True, is_free=is_free)
    if name == "read_files":
        params = {"files": [*_file_names(_parsed(params.get("files"))), *_file_names(_parsed(params.get("paths")))]}
    return TOOLBOX.tool(name, params, base, call_id)


def _parsed(value: Any) -> Any:
    """A parameter, which may be JSON as text."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _commands(params: Json) -> list[str]:
    """The commands of a call; [] where one of them is not a line of a shell."""
    value = _parsed(params.get("commands", params.get("command")))
    commands = value if isinstance(value, list) else [value]
    return commands if all(isinstance(command, str) for command in commands) else []


def _file_names(files: Any) -> list[str]:
    """The paths of files to read: each is a path, or an object that has one."""
    names = (
        [file.get("path") if isinstance(file, Mapping) else file for file in files] if isinstance(files, list) else []
    )
    return [name for name in names if isinstance(name, str)]


DIALECT = Cline()
