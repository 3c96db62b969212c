"""Agents' programs on this machine: their versions, what they trust, and whether they would find ours."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from intentls.store.fs.bounded_read import read_bounded

_PROGRAMS = {
    **{"claude-code": "claude", "cursor": "cursor-agent", "codex": "codex", "gemini": "gemini"},
    **{"cline": "cline", "opencode": "opencode", "copilot": "copilot"},
}
_TIMEOUT_S = 15
_MAX_BYTES = 4 * 1024 * 1024
_PREFIX = "intentls: refused"


def version(agent: str) -> str | None:
    """What the agent's program says of its version; None where it is not on the path, or says nothing."""
    program = shutil.which(_PROGRAMS[agent])
    done = None if program is None else _run([program, "--version"])
    lines = [] if done is None else (done.stdout or done.stderr).strip().splitlines()
    return lines[0][:100] if lines else None


def try_hook(agent: str) -> str | None:
    """Call the hook as an agent does, with an event that it must refuse; what is wrong, None if nothing is."""
    if shutil.which("intentls") is None:
        return "intentls is not on the PATH"
    done = _run(["intentls", "hook", agent], "{}")
    if done is None:
        return f"it can't be started, or takes over {_TIMEOUT_S} seconds"
    if done.returncode != 2 or not done.stderr.startswith(_PREFIX):
        return f"another program than this one answers (exit code {done.returncode})"
    return None


def in_login_shell() -> bool:
    """Whether a login shell of this user finds our program. True where that can't be tried."""
    shell = os.environ.get("SHELL") or shutil.which("bash")
    done = None if shell is None else _run([shell, "-lc", "command -v intentls"])
    return done is None or done.returncode == 0


def codex_settings() -> Path:
    """The user's own settings of Codex."""
    place = os.environ.get("CODEX_HOME")
    return (Path(place) if place else Path.home() / ".codex") / "config.toml"


def codex_sandbox_mode() -> str | None:
    """The sandbox that the user's settings of Codex name instead of a permission profile; None if they name none."""
    mode = _toml(codex_settings()).get("sandbox_mode")
    return mode if isinstance(mode, str) else None


def is_trusted(agent: str, root: Path) -> bool | None:
    """Whether the agent runs the hooks of the project at `root`, as its settings say; None where they can't tell."""
    home = Path.home()
    if agent == "codex":
        return _trusted_by_codex(_toml(codex_settings()), root)
    if agent == "gemini":
        settings = _json(home / ".gemini/settings.json")
        enabled = _at(settings, "security", "folderTrust", "enabled")
        if enabled is False or os.environ.get("GEMINI_CLI_TRUST_WORKSPACE") == "true":
            return None
        folders = _json(home / ".gemini/trustedFolders.json")
        levels = {Path(path): level for path, level in folders.items() if isinstance(level, str)}
        parents = {path.parent for path, level in levels.items() if level == "TRUST_PARENT"}
        trusted = parents | {path for path, level in levels.items() if level == "TRUST_FOLDER"}
        return any(place in trusted for place in (root, *root.parents))
    if agent == "copilot":
        config = _json(home / ".copilot/config.json")
        listed = config.get("trusted_folders") or config.get("trustedFolders") or []
        folders_ = {Path(path) for path in listed if isinstance(path, str)} if isinstance(listed, list) else set()
        return any(place in folders_ for place in (root, *root.parents))
    return None


def _trusted_by_codex(config: dict[str, Any], root: Path) -> bool:
    """Codex asks twice: for the project, and for each of its hooks."""
    if _at(config, "projects", str(root), "trust_level") != "trusted":
        return False
    state = _at(config, "hooks", "state")
    return isinstance(state, dict) and any(str(root) in key for key in state)


def _at(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(read_bounded(path, _MAX_BYTES) or b"{}")
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads((read_bounded(path, _MAX_BYTES) or b"").decode("utf-8"))
    except (OSError, ValueError):
        return {}


def _run(words: Sequence[str], data: str = "") -> subprocess.CompletedProcess[str] | None:
    try:
        return subprocess.run(
            words, input=data, capture_output=True, text=True, errors="replace", timeout=_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
