"""What stands around a workspace: programs that policy names, agents whose settings call us."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

# Where each agent looks for its hooks, relative to the project's folder.
_HOOK_FILES = {
    "claude-code": (".claude/settings.json", ".claude/settings.local.json"),
    "cursor": (".cursor/hooks.json",),
    "codex": (".codex/hooks.json", ".codex/config.toml"),
    "gemini": (".gemini/settings.json",),
    "cline": (".clinerules/hooks/PreToolUse",),
}
_MARK = b"intentls hook"
_MOST_BYTES = 1 << 20


def find_program(command: Sequence[str], root: Path) -> str | None:
    """Where the program that a command starts with lies; None if there is none. It may lie in the root."""
    name = command[0]
    inside = root / name
    return shutil.which(name if not Path(name).parent.parts else str(inside))


def hooked_agents(root: Path) -> dict[str, str]:
    """The agents that ask us before they edit: their names, and the settings files (root-relative) that say so."""
    return {agent: file for agent, files in _HOOK_FILES.items() for file in files[::-1] if _calls_us(root / file)}


def _calls_us(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return _MARK in opened.read(_MOST_BYTES)
    except OSError:
        return False
