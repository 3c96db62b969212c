"""Claude Code's hooks. The session is `session_id`; its subagents share it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from intentls.faces.hook.event import Event, EventKind, InvalidEvent, Json, folder, mapping, optional_text, pause, text
from intentls.faces.hook.response import Answer, Dialect
from intentls.faces.hook.tool_mapping import Toolbox
from intentls.faces.hook.transcript import model_in

TOOLBOX = Toolbox(
    edits={"Write": "write_to_file", "Edit": "edit", "MultiEdit": "edit", "NotebookEdit": "edit"},
    shells=frozenset({"Bash", "PowerShell", "Shell", "Monitor"}),
    reading=frozenset({"Read", "NotebookRead"}),
    safe=frozenset(
        {
            *("Glob", "Grep", "LS", "LSP", "WebFetch", "WebSearch", "ToolSearch", "AskUserQuestion", "TodoWrite"),
            *("Task", "Agent", "TaskCreate", "TaskUpdate", "TaskGet", "TaskList", "TaskOutput", "TaskStop"),
            *("BashOutput", "KillShell", "EnterPlanMode", "ExitPlanMode", "Skill", "SlashCommand"),
            *("ListMcpResourcesTool", "ReadMcpResourceTool", "ListAgents", "ReportFindings", "ScheduleWakeup"),
            *("CronCreate", "CronDelete", "CronList", "SendMessage", "EnterWorktree", "ExitWorktree", "Workflow"),
        }
    ),
    own_prefixes=("mcp__intentls__",),
)
_KINDS = {"PreToolUse": EventKind.BEFORE, "PostToolUse": EventKind.AFTER, "PostToolUseFailure": EventKind.AFTER}
_NOTHING = frozenset(
    {
        *("Setup", "UserPromptExpansion", "InstructionsLoaded", "ConfigChange"),
        *("PostToolBatch", "PermissionRequest", "PermissionDenied", "Notification", "Elicitation", "ElicitationResult"),
        *("SubagentStart", "SubagentStop", "TeammateIdle", "TaskCreated", "TaskCompleted"),
        *("PreCompact", "PostCompact", "CwdChanged", "FileChanged", "WorktreeCreate", "WorktreeRemove"),
    }
)
_PAUSES = frozenset({"UserPromptSubmit", "Stop", "StopFailure", "SessionEnd"})
# In the other modes nobody is there to be asked, or a question counts as answered.
_ASKING_MODES = frozenset({"default", "acceptEdits", "plan"})
_PROJECT_VARIABLE = "CLAUDE_PROJECT_DIR"


class ClaudeCode(Dialect):
    """Claude Code's events and answers. Codex has the same format, with other tools and without questions."""

    def __init__(
        self,
        toolbox: Toolbox,
        nothing: frozenset[str],
        asking_modes: frozenset[str],
        project_variable: str | None = None,
        advises: bool = True,
        allows: bool = True,
    ) -> None:
        self.toolbox = toolbox
        self.nothing = nothing
        self.asking_modes = asking_modes
        self.project_variable = project_variable
        self.advises = advises
        self.allows = allows

    def read(self, data: Json) -> Event:
        """The event. Raises InvalidInput."""
        name = text(data, "hook_event_name")
        if name in _PAUSES:
            return pause(name, data, "session_id", "cwd", ended=name == "SessionEnd")
        if name in self.nothing:
            return Event(EventKind.NOTHING, name)
        cwd = folder(text(data, "cwd"))
        session_id, folders = text(data, "session_id"), (*self._project(), cwd)
        if name == "SessionStart":
            return Event(EventKind.START, name, session_id, folders, model=optional_text(data, "model"))
        if name not in _KINDS:
            raise InvalidEvent("hook_event_name", f"is {name!r}, an event that is not known here")
        tool = self.toolbox.tool(
            text(data, "tool_name"), mapping(data, "tool_input"), cwd, optional_text(data, "tool_use_id")
        )
        failed = name == "PostToolUseFailure"
        model = optional_text(data, "model")
        if model is None and not tool.is_free:
            model = model_in(optional_text(data, "transcript_path"))
        return Event(
            _KINDS[name],
            name,
            session_id,
            folders,
            tool,
            model=model,
            cwd=cwd,
            may_ask=data.get("permission_mode") in self.asking_modes,
            success=not failed,
            error=(optional_text(data, "error") or "The tool failed.") if failed else None,
        )

    def denied(self, event: Event, reason: str) -> Answer:
        """`deny`: shown to the model."""
        return _specific(event, permissionDecision="deny", permissionDecisionReason=reason)

    def asked(self, event: Event, reason: str) -> Answer:
        """`ask`: shown in the permission prompt."""
        return _specific(event, permissionDecision="ask", permissionDecisionReason=reason)

    def allowed(self, event: Event) -> Answer:
        """`allow`: waives the permission prompt for what only keeps our books."""
        return _specific(event, permissionDecision="allow") if self.allows else None

    def advised(self, event: Event, advice: str) -> Answer:
        """No decision, so that the user's own permissions still apply."""
        return _specific(event, additionalContext=advice) if self.advises else None

    def told(self, event: Event, message: str) -> Answer:
        """`block` after the fact: the model is made to look at it. After a failed tool only a context is possible."""
        if event.name != "PostToolUse":
            return self.context(event, message)
        return {"decision": "block", "reason": message}

    def noted(self, event: Event, message: str) -> Answer:
        """Joins the prompt; at the other events there is nobody to tell."""
        return self.context(event, message) if event.name == "UserPromptSubmit" else None

    def context(self, event: Event, text: str) -> Answer:
        """Joins the conversation's beginning."""
        return _specific(event, additionalContext=text)

    def _project(self) -> tuple[Path, ...]:
        directory = os.environ.get(self.project_variable) if self.project_variable is not None else None
        return (folder(directory),) if directory else ()


def _specific(event: Event, **values: Any) -> Answer:
    return {"hookSpecificOutput": {"hookEventName": event.name, **values}}


DIALECT = ClaudeCode(TOOLBOX, _NOTHING, _ASKING_MODES, _PROJECT_VARIABLE)
