"""From an agent's own tool to the contract's: its name, what it names, and how far it reaches."""

from __future__ import annotations

import os
from collections.abc import Mapping, Set
from pathlib import Path
from typing import NamedTuple

from intentls.core.errors import InvalidPatch
from intentls.core.gate.tool_class import SHELL, named_paths
from intentls.core.patch.codex_patch import BEGIN, is_codex_patch, paths_in_patch
from intentls.faces.hook.always_allowed import is_bookkeeping
from intentls.faces.hook.event import EventTool, InvalidEvent, Json, call_key
from intentls.faces.hook.patch_in_command import patched_in

_READ = "read_file"
_PATCH = "apply_patch"
_BACKGROUND = ("run_in_background", "is_background", "background")
_PATCH_KEYS = ("input", "patch", "patchText", "command", "diff")


class Toolbox(NamedTuple):
    """An agent's tools by name. `safe` ones change nothing, `reading` ones show a file's content as well.

    `own_prefixes`: what the names of our own MCP server's tools begin with; those are guarded where they are done.
    `path_keys`: where this agent names files, beside the usual places. What is not listed may write anywhere.
    """

    edits: Mapping[str, str]
    shells: Set[str]
    reading: Set[str]
    safe: Set[str]
    own_prefixes: tuple[str, ...] = ()
    path_keys: tuple[str, ...] = ()

    def tool(self, name: str, params: Json, base: Path, call_id: str | None) -> EventTool:
        """The call as the engine judges it. Raises InvalidInput where it can't be judged."""
        key = call_key(call_id, name, params)
        if name in self.safe or name.startswith(self.own_prefixes or ("\0",)):
            return EventTool(name, (), key, is_free=True)
        if name in self.reading:
            return EventTool(_READ, self._paths(params, base), key)
        if name in self.shells:
            command = params.get("command")
            is_free = isinstance(command, str) and is_bookkeeping(command)
            runs_on = any(params.get(name) is True for name in _BACKGROUND)
            paths = _in_command(command, base) if isinstance(command, str) else ()
            return EventTool(SHELL, paths, key, anywhere=True, is_free=is_free, runs_on=runs_on)
        if name in self.edits:
            return EventTool(self.edits[name], self._edited(self.edits[name], params, base), key, params=params)
        return EventTool(name, self._paths(params, base), key, anywhere=True, is_unknown=True)

    def _edited(self, name: str, params: Json, base: Path) -> tuple[str, ...]:
        paths = list(self._paths(params, base))
        for key in _PATCH_KEYS:
            value = params.get(key)
            if isinstance(value, str):
                paths += [path for named in _patched(name, key, value) for path in _absolute(named, base)]
        if not paths:
            raise InvalidEvent("tool_input", f"{name} names no file, so nobody can say whether it may be changed")
        return tuple(dict.fromkeys(paths))

    def _paths(self, params: Json, base: Path) -> tuple[str, ...]:
        own = [params[key] for key in self.path_keys if isinstance(params.get(key), str)]
        named = dict.fromkeys([*named_paths(params), *own])
        return tuple(dict.fromkeys(path for name in named if name for path in _absolute(name, base)))


def _in_command(command: str, base: Path) -> tuple[str, ...]:
    """The absolute paths that patches in a command name."""
    if BEGIN not in command:
        return ()
    return tuple(dict.fromkeys(path for named in patched_in(command) for path in _absolute(named, base)))


def _patched(name: str, key: str, value: str) -> tuple[str, ...]:
    """The paths in a patch; () for what is none."""
    try:
        if is_codex_patch(value):
            return paths_in_patch(value)
        if name != _PATCH:
            return ()
        from intentls.engine.tools.tool_paths import paths_of  # slow to import, and few calls hold a unified diff

        return paths_of(name, {"patch": value})
    except InvalidPatch as error:
        raise InvalidEvent(f"tool_input.{key}", str(error)) from error


def _absolute(path: str, base: Path) -> tuple[str, ...]:
    """The absolute path that an agent names. Some expand a `~` to the home folder, others don't: both are judged."""
    if "\0" in path:
        raise InvalidEvent("tool_input", "names a file with a NUL character")
    literal = os.path.join(base, path)
    at_home = os.path.expanduser(path)  # noqa: PTH111  only where it begins the path, as agents do
    return (literal,) if at_home == path else (literal, at_home)
