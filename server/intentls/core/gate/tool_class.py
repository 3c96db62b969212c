"""What a host's tool may do, by its name, and which paths a call of it names."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

SHELL = "execute_command"
"""The contract's name for a tool that runs a shell command."""


class ToolClass(StrEnum):
    """A tool that can change something is destructive; so is any tool we don't know."""

    SAFE = "safe"
    DESTRUCTIVE = "destructive"


# Exact names only: a name that merely begins with "read" may still write, and unsure means destructive.
_SAFE = frozenset(
    {
        *("read", "read_file", "read_files", "read_many_files", "view", "view_file", "fetch", "get_active_intent"),
        *("list", "list_files", "list_dir", "list_directory", "list_code_definition_names", "list_intents", "ls"),
        *("search", "search_files", "search_file_content", "codebase_search", "grep", "grep_search", "glob"),
        *("select", "select_active_intent", "clear_active_intent", "ask", "ask_followup_question", "query_trace"),
        *("blame", "check_edit", "verify_trace"),
    }
)
_PATH_KEYS = ("path", "file_path", "filePath", "notebook_path", "new_path", "newPath", "target_file", "relative_path")
_PATH_LIST_KEYS = ("paths", "file_paths", "files")


def classify(tool_name: str) -> ToolClass:
    """Safe only if it is one of the reading, listing, searching, selecting and asking tools we know by name."""
    return ToolClass.SAFE if tool_name.strip().lower() in _SAFE else ToolClass.DESTRUCTIVE


def named_paths(params: Mapping[str, Any]) -> tuple[str, ...]:
    """The paths that a tool call's parameters name, in order, without repeats."""
    found: list[str] = [params[key] for key in _PATH_KEYS if isinstance(params.get(key), str)]
    for key in _PATH_LIST_KEYS:
        value = params.get(key)
        if isinstance(value, list):
            found.extend(item for item in value if isinstance(item, str))
    return tuple(dict.fromkeys(found))
