"""Claude Code's one file for settings and session state: what a confined command may bring back into it.

`~/.claude.json` holds counters and prompts, and beside them servers to start, folders to trust and tools to allow. The
command has a copy of its own; afterwards the real file takes over the values of `_STATE` alone.

    the copy: {"numStartups": 8, "mcpServers": {"x": {"command": "evil"}}}
    the file: {"numStartups": 7, "theme": "dark"}  ->  {"numStartups": 8, "theme": "dark"}
"""

from __future__ import annotations

import json
import logging
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.bounded_read import read_bounded

log = logging.getLogger(__name__)

_STATE: Final = frozenset(
    {
        *("numStartups", "tipsHistory", "promptQueueUseCount", "memoryUsageCount", "firstStartTime", "userID"),
        *("machineID", "firstStartVersion", "migrationVersion", "seenNotifications", "lastReleaseNotesSeen"),
        *("hasCompletedOnboarding", "lastOnboardingVersion", "hasCompletedProjectOnboarding", "history"),
        *("lastCost", "lastAPIDuration", "lastDuration", "lastLinesAdded", "lastLinesRemoved", "lastSessionId"),
        *("lastTotalInputTokens", "lastTotalOutputTokens", "lastModelUsage", "projectOnboardingSeenCount"),
    }
)
"""Keys whose values Claude Code counts or shows. Nothing is run, trusted or allowed because of one."""

_PROJECTS = "projects"
_MAX_BYTES = 16 * 1024 * 1024


def bring_back(copy: Path, file: Path) -> None:
    """Let the real file take over the session state of a command's copy. What can't be read is logged and left."""
    try:
        ours, theirs = _read(file), _read(copy)
        merged = with_state(ours, theirs)
        if merged != ours:
            data = json.dumps(merged, indent=2, ensure_ascii=False).encode("utf-8")
            replace_bytes(file, data, mode=stat.S_IMODE(file.stat().st_mode))
    except (OSError, ValueError, TypeError, RecursionError):
        log.warning("What the command noted in %s is left out.", file.name, exc_info=True)


def with_state(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> dict[str, Any]:
    """`ours` with the session state of `theirs`, also that of projects that both name."""
    merged = {**ours, **_state(theirs)}
    own, other = ours.get(_PROJECTS), theirs.get(_PROJECTS)
    if isinstance(own, dict) and isinstance(other, dict):
        merged[_PROJECTS] = {
            name: {**project, **_state(other[name])}
            if isinstance(project, dict) and isinstance(other.get(name), dict)
            else project
            for name, project in own.items()
        }
    return merged


def _state(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key in _STATE}


def _read(file: Path) -> dict[str, Any]:
    """Raises OSError, ValueError, TypeError."""
    values = json.loads(read_bounded(file, _MAX_BYTES) or b"{}")
    if not isinstance(values, dict):
        raise TypeError(f"{file.name} is no object")
    return values
