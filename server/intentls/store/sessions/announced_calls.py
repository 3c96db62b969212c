"""Tool calls that agents announced and that are not over: who announced each, and when.

A call is over when it is reported. One that runs on behind its report stays, and so does one that nobody reports; it
ends with its session, or with the process that announced it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from intentls.store.sessions.announcer import Announcer, announcer
from intentls.store.sessions.keyed_files import MAX_READABLE, KeyedFiles, name_of


class AnnouncedCall(Struct, frozen=True):
    """A call of a session, by the call's `key`; `at` is when it was announced.

    `process`, `start` and `place` are those of the agent, 0 and "" where they are not known. `is_reported`: it runs on
    behind its report, or no report of it is due any more. `others` are the calls of other sessions that were announced
    then, each with its session. `intent_id` is what the session had selected then.
    """

    session_id: str
    key: str
    tool_name: str
    at: str
    model: str | None = None
    process: int = 0
    start: str = ""
    place: tuple[str, str] = ("", "")
    is_reported: bool = False
    others: tuple[tuple[str, str], ...] = ()
    intent_id: str | None = None

    @property
    def name(self) -> tuple[str, str]:
        """What tells it from all other calls."""
        return (self.session_id, self.key)


class AnnouncedCalls:
    """The calls of one root, a small file each. Every method raises StoreError where the disk refuses."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._files = KeyedFiles(directory, "call", _file_name, lambda call: _key(*call.name), asdict, _decode)

    def announce(self, call: AnnouncedCall) -> None:
        """Keep a call, with the process that announces it."""
        by = announcer()
        self._files.save(_key(*call.name), replace(call, process=by.process, start=by.start, place=by.place))

    def load(self, session_id: str, key: str) -> AnnouncedCall | None:
        """The call; None if it is over, or was never announced."""
        return self._files.load(_key(session_id, key))

    def runs_on(self, call: AnnouncedCall) -> None:
        """It was reported, or won't be, and may run on."""
        self._files.save(_key(*call.name), replace(call, is_reported=True))

    def close(self, session_id: str, key: str) -> None:
        """The call is over, and no other call need look out for it."""
        self._files.save(_key(session_id, key), None)
        for call in self.all():
            if (session_id, key) in call.others:
                others = tuple(name for name in call.others if name != (session_id, key))
                self._files.save(_key(*call.name), replace(call, others=others))

    def all(self) -> list[AnnouncedCall]:
        """Every call that is not over, the oldest first."""
        if not self._directory.is_dir():
            return []
        return sorted(self._files.all(), key=lambda call: call.at)

    def of(self, session_id: str) -> list[AnnouncedCall]:
        """Those of a session."""
        return [call for call in self.all() if call.session_id == session_id]


def is_orphan(call: AnnouncedCall) -> bool:
    """Whether the process that announced it has certainly ended."""
    return Announcer(call.process, call.start, call.place).is_gone


def _key(session_id: str, key: str) -> str:
    return f"{session_id}\0{key}"


def _file_name(key: str) -> str:
    return name_of(key, slice(MAX_READABLE))


_KEYS = AnnouncedCall.__struct_fields__


def _decode(values: dict[str, Any]) -> AnnouncedCall:
    known = {name: values[name] for name in _KEYS if name in values}
    known["others"] = tuple((str(session), str(key)) for session, key in values.get("others", ()))
    boot, namespace = values.get("place", ("", ""))
    call = AnnouncedCall(**known | {"place": (str(boot), str(namespace))})
    texts = (call.session_id, call.key, call.tool_name, call.at, call.start)
    if not all(isinstance(text, str) for text in texts) or not isinstance(call.process, int):
        raise TypeError("a value in it has the wrong type")
    return call
