"""A hook event of any agent, and how to read one from JSON without guessing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from intentls.core.errors import InvalidInput

Json = Mapping[str, Any]


class InvalidEvent(InvalidInput):
    """An event that can't be read, or that this agent does not have: `where` in it, and why."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")


class MustWait(Exception):
    """A person is to be asked, and this process can't wait for the answer."""


class Waiting(NamedTuple):
    """How a person's answer may be waited for: so many seconds, and `begin` is called before."""

    seconds: float
    begin: Callable[[], None] = lambda: None


class EventKind(StrEnum):
    """What is to be done about an event."""

    BEFORE = "before a tool"
    AFTER = "after a tool"
    START = "a session begins"
    TURN = "a turn begins or ends"
    END = "a session ends"
    NOTHING = "nothing to guard"


class EventTool(NamedTuple):
    """A tool call. `name` is the contract's where it knows one like it; `paths` are absolute.

    `anywhere`: it may change files that it does not name. `key` is the same before and after. `is_free`: it
    changes nothing, or is guarded where it is done. `params` are the agent's own. `runs_on`: it goes on in the
    background. `is_unknown`: nothing is known of it but its name.
    """

    name: str
    paths: tuple[str, ...]
    key: str
    anywhere: bool = False
    is_free: bool = False
    params: Json = MappingProxyType({})
    runs_on: bool = False
    is_unknown: bool = False


class Event(NamedTuple):
    """What an agent tells. `folders` are where it works, the main one first.

    `may_ask`: the agent would really put a question about this call to its user. `success` and `error` are of a tool
    that ran. `cwd` is the folder in which a tool runs, `tool_name` the agent's own name of the tool. `goes_on`: the
    agent's run is to go on after a refusal.
    """

    kind: EventKind
    name: str
    session_id: str = ""
    folders: tuple[Path, ...] = ()
    tool: EventTool | None = None
    model: str | None = None
    may_ask: bool = False
    agent: str = ""
    success: bool = True
    error: str | None = None
    cwd: Path | None = None
    tool_name: str = ""
    goes_on: bool = False


def text(data: Json, key: str) -> str:
    """A value that must be there and be text. Raises InvalidEvent."""
    value = data.get(key)
    if not isinstance(value, str) or not value:
        raise InvalidEvent(key, "is missing in the event, or is no text")
    return value


def optional_text(data: Json, key: str) -> str | None:
    """A value that may be missing; what is no text says nothing."""
    value = data.get(key)
    return value if isinstance(value, str) and value else None


def mapping(data: Json, key: str) -> Json:
    """A value that must be an object; one given as JSON text is read. Raises InvalidEvent."""
    value = data.get(key)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError as error:
            raise InvalidEvent(key, "is no JSON object") from error
    if not isinstance(value, dict):
        raise InvalidEvent(key, "is missing in the event, or is no object")
    return value


def folder(path: str) -> Path:
    """A folder that the agent names, absolute. Raises InvalidEvent."""
    if not Path(path).is_absolute() or "\0" in path:
        raise InvalidEvent("cwd", f"{path!r} is no absolute path")
    return Path(path)


def folders(data: Json, key: str) -> tuple[Path, ...]:
    """A list of folders that the agent names; one at least. Raises InvalidEvent."""
    value = data.get(key)
    if not isinstance(value, list) or not value or not all(isinstance(item, str) for item in value):
        raise InvalidEvent(key, "is missing in the event, or is no list of folders")
    return tuple(folder(item) for item in value)


def pause(name: str, data: Json, session_key: str, where: str, *, ended: bool) -> Event:
    """A turn or the session is over: time to look at what runs on. Nothing where the event does not say whose it is."""
    session_id, value = optional_text(data, session_key), data.get(where)
    paths = [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str)]
    if session_id is None or not paths or not all(Path(path).is_absolute() and "\0" not in path for path in paths):
        return Event(EventKind.NOTHING, name)
    return Event(EventKind.END if ended else EventKind.TURN, name, session_id, tuple(Path(path) for path in paths))


def call_key(call_id: str | None, name: str, params: Json) -> str:
    """The key of a call before and after: its id, or else a hash of its name and parameters."""
    if call_id is not None:
        return call_id
    return sha256(json.dumps([name, params], sort_keys=True, default=str).encode()).hexdigest()
