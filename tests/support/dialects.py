"""What an agent's hook is told when the agent wants what a tool of the contract does, and how it is told no."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Params = Mapping[str, Any]


def event(agent: str, root: Path, session: str, tool: str, params: Params) -> Json | None:
    """The event before the tool; None where the agent has no such tool."""
    call = _CALLS[agent](root, tool, params)
    return None if call is None else _EVENTS[agent](root, session, *call)


def refusal(agent: str, answer: Json) -> str | None:
    """The reason of a refusal, or of a question to the agent's user; None for anything else."""
    if agent in ("claude-code", "codex"):
        said = answer["hookSpecificOutput"]
        return said["permissionDecisionReason"] if said.get("permissionDecision") in ("deny", "ask") else None
    if agent == "cursor":
        return answer["agent_message"] if answer["permission"] in ("deny", "ask") else None
    if agent == "gemini":
        return answer["reason"] if answer.get("decision") == "deny" else None
    return answer["errorMessage"] if answer["cancel"] else None


def _claude(root: Path, session: str, tool: str, given: Json) -> Json:
    return {
        **{"session_id": session, "prompt_id": "p", "transcript_path": "/t", "cwd": str(root)},
        **{"permission_mode": "dontAsk", "hook_event_name": "PreToolUse"},
        **{"tool_name": tool, "tool_input": given, "tool_use_id": "call"},
    }


def _cursor(root: Path, session: str, tool: str, given: Json) -> Json:
    common = {
        **{"conversation_id": session, "generation_id": "g", "model": "m", "cursor_version": "2", "user_email": None},
        **{"workspace_roots": [str(root)], "transcript_path": None},
    }
    if tool == "Shell":
        return common | {"hook_event_name": "beforeShellExecution", "cwd": str(root), "sandbox": False, **given}
    if tool.startswith("MCP:"):
        return common | {"hook_event_name": "beforeMCPExecution", "tool_name": tool, "tool_input": json.dumps(given)}
    return common | {
        **{"hook_event_name": "preToolUse", "tool_name": tool, "tool_input": given, "tool_use_id": "call"},
        **{"cwd": str(root), "agent_message": ""},
    }


def _gemini(root: Path, session: str, tool: str, given: Json) -> Json:
    return {
        **{"session_id": session, "transcript_path": "/t", "cwd": str(root), "hook_event_name": "BeforeTool"},
        **{"timestamp": "2026-11-22T00:00:00Z", "tool_name": tool, "tool_input": given},
    }


def _cline(root: Path, session: str, tool: str, given: Json) -> Json:
    parameters = {name: value if isinstance(value, str) else json.dumps(value) for name, value in given.items()}
    return {
        **{"clineVersion": "3.36.0", "hookName": "PreToolUse", "timestamp": "0", "taskId": session, "userId": "u"},
        **{"workspaceRoots": [str(root)], "preToolUse": {"toolName": tool, "parameters": parameters}},
    }


AGENTS = ("claude-code", "cursor", "codex", "gemini", "cline")
_EVENTS = {"claude-code": _claude, "codex": _claude, "cursor": _cursor, "gemini": _gemini, "cline": _cline}

Call = tuple[str, Json] | None


def _absolute(root: Path, params: Params, **names: str) -> Json:
    """The parameters with absolute paths, as most agents give them, some under other names."""
    paths = {name: f"{root}/{params[name]}" for name in ("path", "new_path") if name in params}
    return {names.get(name, name): value for name, value in {**params, **paths}.items()}


def _of_claude(root: Path, tool: str, params: Params) -> Call:
    if tool == "edit_file" and params["old_string"] != params["new_string"]:
        step = {name: params[name] for name in ("old_string", "new_string")}
        return "MultiEdit", {"file_path": f"{root}/{params['path']}", "edits": [step]}
    names = {"write_to_file": "Write", "edit_file": "Edit", "execute_command": "Bash"}
    if tool in names:
        return names[tool], _absolute(root, params, path="file_path")
    return None if tool == "apply_patch" else (f"mcp__other__{tool}", _absolute(root, params))


def _of_codex(root: Path, tool: str, params: Params) -> Call:
    if tool == "execute_command":
        return "Bash", dict(params)
    envelope = _envelope(tool, params)
    if envelope is not None:
        return "apply_patch", {"command": envelope}
    return None if tool == "apply_patch" else (f"mcp__other__{tool}", _absolute(root, params))


def _of_cursor(root: Path, tool: str, params: Params) -> Call:
    if tool == "apply_patch":
        return "ApplyPatch", dict(params)
    names = {"write_to_file": "Write", "edit_file": "StrReplace", "delete_file": "Delete", "execute_command": "Shell"}
    name = names.get(tool, f"MCP:{tool}")
    return name, _absolute(root, params, **({} if name.startswith("MCP:") else {"path": "file_path"}))


def _of_gemini(root: Path, tool: str, params: Params) -> Call:
    names = {"write_to_file": "write_file", "edit_file": "replace", "execute_command": "run_shell_command"}
    if tool in names:
        return names[tool], _absolute(root, params, path="file_path")
    return None if tool == "apply_patch" else (f"mcp_other_{tool}", _absolute(root, params))


def _of_cline(root: Path, tool: str, params: Params) -> Call:
    if tool in ("write_to_file", "execute_command"):
        return tool, dict(params)
    if tool == "edit_file":
        blocks = f"------- SEARCH\n{params['old_string']}\n=======\n{params['new_string']}\n+++++++ REPLACE\n"
        return "replace_in_file", {"path": params["path"], "diff": blocks}
    envelope = _envelope(tool, params)
    if envelope is not None:
        return "apply_patch", {"input": envelope}
    return ("apply_patch", {"input": params["patch"]}) if tool == "apply_patch" else (tool, _absolute(root, params))


_CALLS = {
    **{"claude-code": _of_claude, "codex": _of_codex, "cursor": _of_cursor, "gemini": _of_gemini},
    **{"cline": _of_cline},
}


def _envelope(tool: str, params: Params) -> str | None:
    """The same as a patch in Codex's notation, where that has a way to say it."""
    path = params.get("path", "")
    if path != path.strip():  # which that notation can't name
        return None
    match tool:
        case "write_to_file":
            body = [f"*** Add File: {path}", *(f"+{line}" for line in params["content"].splitlines())]
        case "edit_file":
            old, new = ([f"{sign}{line}" for line in params[key].splitlines()] for sign, key in _SIDES)
            body = [f"*** Update File: {path}", "@@", *old, *new]
        case "delete_file":
            body = [f"*** Delete File: {path}"]
        case "rename_file":
            body = [f"*** Update File: {path}", f"*** Move to: {params['new_path']}"]
        case _:
            return None
    return "\n".join(["*** Begin Patch", *body, "*** End Patch"])


_SIDES = (("-", "old_string"), ("+", "new_string"))
