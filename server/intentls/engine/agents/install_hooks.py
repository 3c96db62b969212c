"""Making an agent call our hooks, by its own settings file, and taking that out again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.errors import ConfigurationError, StoreError
from intentls.engine.agents.opencode_plugin import PLUGIN
from intentls.engine.agents.settings_file import Json, json_like, parse_json, read_text, refuse_links, write_text
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.path_resolution import because
from intentls.store.setup.scaffold import ScaffoldOutcome, ScaffoldStep

_WAIT_S = 120  # for a person's answer, as long as policy's own limit is by default
_TIMEOUT_S = 10 + _WAIT_S  # ours is 8 and the wait: the agent's own would let the tool run


class Settings(Struct, frozen=True):
    """A settings file, what is in a new one, and the entries that make the agent call us, by event."""

    path: str
    fresh: Json
    entries: Mapping[str, Json]
    command: str

    @property
    def files(self) -> tuple[str, ...]:
        """What is written, from the root."""
        return (self.path,)


class Scripts(Struct, frozen=True):
    """Executables that the agent starts, all with the same content; `older` are contents of earlier versions."""

    folder: str
    names: tuple[str, ...]
    content: str
    older: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """What is written, from the root."""
        return tuple(f"{self.folder}/{name}" for name in self.names)


def install(root: Path, agent: str, *, of_user: bool = False) -> tuple[ScaffoldStep, ...]:
    """Make `agent` call our hooks in `root`; done twice, the second time changes nothing.

    `of_user`: `root` is a home folder, and all that the user starts is guarded.

    Raises ConfigurationError for settings that can't be read, and StoreError where the disk refuses.
    """
    return _each(root, _hooks(agent, of_user=of_user), agent, _with_ours, _write_script)


def remove(root: Path, agent: str, *, of_user: bool = False) -> tuple[ScaffoldStep, ...]:
    """Take our hooks out again, and nothing else. A file that then holds nothing is removed. Raises as `install`."""
    return _each(root, _hooks(agent, of_user=of_user), agent, _without_ours, _remove_script)


def next_step(agent: str, *, of_user: bool = False) -> str:
    """What a person still has to do before the agent calls the hooks that were just installed."""
    return "Restart it, wherever you work." if of_user and agent != "codex" else NEXT_STEPS[agent]


def _hooks(agent: str, *, of_user: bool) -> Settings | Scripts:
    hooks = AGENTS[agent]
    if not of_user:
        return hooks
    if agent not in USER_SETTINGS:
        raise ConfigurationError(f"{agent} has no hooks for all of a user's projects that could be written here.")
    place = USER_SETTINGS[agent]
    return replace(hooks, path=place) if isinstance(hooks, Settings) else replace(hooks, folder=place)


Change = Callable[[Json, Settings], Json]
Handle = Callable[[Path, Scripts], ScaffoldOutcome]


def _each(
    root: Path, hooks: Settings | Scripts, agent: str, change: Change, handle: Handle
) -> tuple[ScaffoldStep, ...]:
    try:
        for name in hooks.files:
            refuse_links(root, name)
        if isinstance(hooks, Scripts):
            return tuple(ScaffoldStep(name, handle(root / name, hooks), f"{agent}'s hook") for name in hooks.files)
        return (ScaffoldStep(hooks.path, _rewrite(root / hooks.path, hooks, change), f"{agent}'s hooks"),)
    except OSError as error:
        raise StoreError(f"{agent}'s settings can't be written: {because(error)}.") from error


def _rewrite(path: Path, settings: Settings, change: Change) -> ScaffoldOutcome:
    text = read_text(path)
    before = settings.fresh if text is None else _parse(path, text)
    after = change(before, settings)
    if after == before and (text is not None or after == settings.fresh):
        return ScaffoldOutcome.KEPT
    if change is _without_ours and after == settings.fresh:
        path.unlink(missing_ok=True)
        return ScaffoldOutcome.REMOVED
    write_text(path, json_like(text, after))
    if change is _without_ours:
        return ScaffoldOutcome.REMOVED
    return ScaffoldOutcome.CREATED if text is None else ScaffoldOutcome.EXTENDED


def _with_ours(data: Json, settings: Settings) -> Json:
    """`data` with our entries, after those of others; an older form of ours is replaced."""
    hooks = dict(_without_ours(data, settings).get("hooks", {}))
    if all(entry in data.get("hooks", {}).get(event, []) for event, entry in settings.entries.items()):
        return data
    for event, entry in settings.entries.items():
        hooks[event] = [*hooks.get(event, []), entry]
    return {**data, "hooks": hooks}


def _without_ours(data: Json, settings: Settings) -> Json:
    hooks: Json = {}
    for event, entries in data.get("hooks", {}).items():
        if not isinstance(entries, list):
            hooks[event] = entries
            continue
        kept = [part for part in (_stripped(entry, settings.command) for entry in entries) if part is not None]
        if kept or not entries:
            hooks[event] = kept
    if hooks or "hooks" in settings.fresh:
        return {**data, "hooks": hooks}
    return {key: value for key, value in data.items() if key != "hooks" or value == {}}


def _stripped(entry: Any, command: str) -> Any:
    """An entry without our command; None if nothing else was in it."""
    if not isinstance(entry, dict):
        return entry
    if _is_ours(entry, command):
        return None
    inner = entry.get("hooks")
    if not isinstance(inner, list):
        return entry
    kept = [hook for hook in inner if not _is_ours(hook, command)]
    return entry if len(kept) == len(inner) else {**entry, "hooks": kept} if kept else None


def _is_ours(hook: Any, command: str) -> bool:
    lines = [hook.get(key) for key in ("command", "bash")] if isinstance(hook, dict) else []
    return any(isinstance(line, str) and (line == command or line.startswith(f"{command} ")) for line in lines)


def _parse(path: Path, text: str) -> Json:
    data = parse_json(path, text)
    if not isinstance(data.get("hooks", {}), dict):
        raise ConfigurationError(f"{path} holds no settings as they should be, so it was left alone. Mend it first.")
    return data


def _write_script(path: Path, scripts: Scripts) -> ScaffoldOutcome:
    text = read_text(path)
    if text == scripts.content:
        return ScaffoldOutcome.KEPT
    if text is not None and text not in scripts.older:
        raise ConfigurationError(f"{path} is a hook of your own. Call `intentls hook cline` from it.")
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_bytes(path, scripts.content.encode(), mode=0o755)
    return ScaffoldOutcome.CREATED if text is None else ScaffoldOutcome.EXTENDED


def _remove_script(path: Path, scripts: Scripts) -> ScaffoldOutcome:
    if read_text(path) not in (scripts.content, *scripts.older):
        return ScaffoldOutcome.KEPT
    path.unlink()
    return ScaffoldOutcome.REMOVED


def _grouped(agent: str, matchers: Mapping[str, str | None], timeout: int, **more: str) -> dict[str, Json]:
    """Claude Code's form, which Codex and Gemini CLI share: groups of hooks under a matcher.

    `more` is what makes a missing or failing hook stop the tool, beside the exit code that its command has then.
    """
    hook = {"type": "command", "command": f"{_command(agent)} --wait {_WAIT_S}", "timeout": timeout}
    closed = hook | {"command": _closed(agent), **more}
    return {
        event: {
            **({} if matcher is None else {"matcher": matcher}),
            "hooks": [closed if event in _BEFORE_A_TOOL else hook],
        }
        for event, matcher in matchers.items()
    }


def _flat(agent: str, matchers: Mapping[str, str | None]) -> dict[str, Json]:
    """Cursor's form. Where it must fail closed, silence is no answer: the editor takes it for a failed hook."""
    waiting = f"{_command(agent)} --wait {_WAIT_S}"
    hook = {"command": waiting, "timeout": _TIMEOUT_S}
    closed = {"command": f"{waiting} --answer", "failClosed": True}
    return {
        event: hook | (closed if event == "preToolUse" else {}) | ({} if matcher is None else {"matcher": matcher})
        for event, matcher in matchers.items()
    }


def _unmatched(agent: str, events: tuple[str, ...]) -> dict[str, Json]:
    """Copilot CLI's form: each event has its hooks, for all tools."""
    return {
        event: {
            "type": "command",
            "bash": _closed(agent) if event in _BEFORE_A_TOOL else _command(agent),
            "powershell": _command(agent),
            "timeoutSec": _TIMEOUT_S,
        }
        for event in events
    }


def _command(agent: str) -> str:
    return f"intentls hook {agent}"


def _closed(agent: str) -> str:
    """A command that stops the tool also where the program is missing: at any other exit code agents let it run.

    Codex and Gemini CLI take an exit code without a reason for a failed hook.
    """
    return f'{_command(agent)} --wait {_WAIT_S} || {{ echo "{_FAILED}" >&2; exit 2; }}'


_FAILED = "intentls: refused, because its hook is missing or failed."
_BEFORE_A_TOOL = frozenset({"PreToolUse", "BeforeTool"})


_CLAUDE = "Edit|Write|MultiEdit|NotebookEdit|Bash|PowerShell|Monitor|mcp__.*"
_CURSOR = "Write|StrReplace|Edit|MultiEdit|EditNotebook|Delete|ApplyPatch|Shell|MCP:.*"
_CODEX = "Bash|apply_patch|mcp__.*"
_GEMINI = "write_file|replace|run_shell_command|mcp_.*"

# The matcher of each event; None: the event has none.
_CLAUDE_EVENTS = {
    **{"SessionStart": None, "PreToolUse": _CLAUDE},
    **{"PostToolUse": f"{_CLAUDE}|Read", "PostToolUseFailure": f"{_CLAUDE}|Read"},
    **{"UserPromptSubmit": None, "Stop": None, "SessionEnd": None},
}
_CURSOR_EVENTS = {
    **{"sessionStart": None, "preToolUse": _CURSOR},
    **{"postToolUse": f"{_CURSOR}|Read", "postToolUseFailure": f"{_CURSOR}|Read"},
    **{"stop": None, "sessionEnd": None},
}
_CODEX_EVENTS = {"SessionStart": None, "PreToolUse": _CODEX, "PostToolUse": _CODEX, "Stop": None}
_GEMINI_EVENTS = {
    **{"SessionStart": None, "BeforeTool": _GEMINI, "AfterTool": f"{_GEMINI}|read_file"},
    **{"AfterAgent": None, "SessionEnd": None},
}
_COPILOT_EVENTS = (
    *("SessionStart", "PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop", "SessionEnd"),
)

# The CLI looks at no exit code: only this answer stops a tool.
_CLINE = """#!/bin/sh
# Written by `intentls init --agent cline`.
answer=$(intentls hook cline --go-on) || {
  echo '{"cancel": true, "errorMessage": "intentls: refused, because its hook is missing or failed."}'
  exit 2
}
printf '%s' "$answer"
"""
_OLD_CLINE = "#!/bin/sh\n# Written by `intentls init --agent cline`.\nexec intentls hook cline\n"

AGENTS: Mapping[str, Settings | Scripts] = {
    "claude-code": Settings(
        ".claude/settings.json",
        {},
        _grouped("claude-code", _CLAUDE_EVENTS, _TIMEOUT_S, onFailure="block"),
        _command("claude-code"),
    ),
    "cursor": Settings(
        ".cursor/hooks.json", {"version": 1, "hooks": {}}, _flat("cursor", _CURSOR_EVENTS), _command("cursor")
    ),
    "codex": Settings(
        ".codex/hooks.json", {"hooks": {}}, _grouped("codex", _CODEX_EVENTS, _TIMEOUT_S), _command("codex")
    ),
    "gemini": Settings(
        ".gemini/settings.json", {}, _grouped("gemini", _GEMINI_EVENTS, _TIMEOUT_S * 1000), _command("gemini")
    ),
    "cline": Scripts(
        ".clinerules/hooks",
        ("PreToolUse", "PostToolUse", "TaskStart", "TaskResume", "TaskComplete", "TaskCancel"),
        _CLINE,
        (_OLD_CLINE,),
    ),
    "opencode": Scripts(".opencode/plugins", ("intentls.js",), PLUGIN),
    "copilot": Settings(
        ".github/hooks/intentls.json",
        {"version": 1, "hooks": {}},
        _unmatched("copilot", _COPILOT_EVENTS),
        _command("copilot"),
    ),
}
"""What makes each agent call `intentls hook`, by the agent's name there."""

USER_SETTINGS: Mapping[str, str] = {
    "claude-code": ".claude/settings.json",
    "cursor": ".cursor/hooks.json",
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "opencode": ".config/opencode/plugins",
    "copilot": ".copilot/hooks/intentls.json",
}
"""The same for all projects of a user, from the home folder: a file, or a folder of scripts."""

NEXT_STEPS: Mapping[str, str] = {
    "claude-code": "Restart Claude Code here and accept its trust dialog.",
    "cursor": "Open this folder in Cursor again and trust it.",
    "codex": "Start Codex here and trust the project, then trust its hooks with /hooks.",
    "gemini": "Restart Gemini CLI here and trust the folder.",
    "cline": "Switch hooks on in Cline's settings; restart its CLI here.",
    "opencode": "Restart opencode.",
    "copilot": "Restart Copilot CLI here and trust the folder.",
}
"""What a person still has to do before each agent calls its hooks."""
