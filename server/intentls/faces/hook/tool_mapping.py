"""From an agent's own tool to the contract's: its name, what it names, and how far it reaches."""

from __future__ import annotations

import os
from collections.abc import Mapping, Set
from dataclasses import dataclass
from pathlib import Path

from intentls.core.errors import InvalidPatch
from intentls.core.gate.tool_names import SHELL, named_paths
from intentls.faces.hook.always_allowed import is_bookkeeping
from intentls.faces.hook.event import EventTool, InvalidEvent, Json, call_key

_READ = "read_file"
_PATCH = "apply_patch"
_PATCH_KEYS = ("input", "patch", "command", "diff")


@dataclass(frozen=True, slots=True)
class Toolbox:
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

    def tool(self, name: str, given: Json, base: Path, call_id: str | None) -> EventTool:
        """The call as the engine judges it. Raises InvalidInput where it can't be judged."""
        key = call_key(call_id, name, given)
        if name in self.safe or name.startswith(self.own_prefixes or ("\0",)):
            return EventTool(name, (), key, is_free=True)
        if name in self.reading:
            return EventTool(_READ, self._paths(given, base), key)
        if name in self.shells:
            command = given.get("command")
            return EventTool(
                SHELL, (), key, anywhere=True, is_free=isinstance(command, str) and is_bookkeeping(command)
            )
        if name in self.edits:
            return EventTool(self.edits[name], self._edited(self.edits[name], given, base), key, params=given)
        return EventTool(name, self._paths(given, base), key, anywhere=True)

    def _edited(self, name: str, given: Json, base: Path) -> tuple[str, ...]:
        found = list(self._paths(given, base))
        for key in _PATCH_KEYS:
            value = given.get(key)
            if isinstance(value, str):
                found += [path for one in _patched(name, key, value) for path in _meant(one, base)]
        if not found:
            raise InvalidEvent("tool_input", f"{name} names no file, so nobody can say whether it may be changed")
        return tuple(dict.fromkeys(found))

    def _paths(self, given: Json, base: Path) -> tuple[str, ...]:
        more = [given[key] for key in self.path_keys if isinstance(given.get(key), str)]
        named = dict.fromkeys([*named_paths(given), *more])
        return tuple(dict.fromkeys(path for one in named if one for path in _meant(one, base)))


def _patched(name: str, key: str, value: str) -> tuple[str, ...]:
    """The paths in a patch; () for what is none."""
    from intentls.core.patch.codex_patch import is_codex_patch, paths_in_patch

    try:
        if is_codex_patch(value):
            return paths_in_patch(value)
        if name != _PATCH:
            return ()
        from intentls.engine.tools.host_tools import paths_of  # as its reader sees them, which is slow to import

        return paths_of(name, {"patch": value})
    except InvalidPatch as error:
        raise InvalidEvent(f"tool_input.{key}", str(error)) from error


def _meant(given: str, base: Path) -> tuple[str, ...]:
    """The absolute path that an agent means. Some put the home folder for `~`, others don't: both are judged."""
    if "\0" in given:
        raise InvalidEvent("tool_input", "names a file with a NUL character")
    literal = os.path.join(base, given)
    at_home = os.path.expanduser(given)  # noqa: PTH111  only where it begins the path, as agents do
    return (literal,) if at_home == given else (literal, at_home)
