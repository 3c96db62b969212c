"""Which session is changing which file: one small file for each leased path.

A lease that is lost is taken again by the next use. Whether a lease counts is not decided here.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from intentls.core.intents.lease import Lease, Process
from intentls.store.clock import parse_timestamp
from intentls.store.sessions.keyed_files import MAX_READABLE, KeyedFiles, name_of

Stored = TypeVar("Stored", bound=Lease | None)

_NAMES = 256  # that are kept: each needs a hash
_TEXTS = ("path", "session_id", "intent_id")
_TIMES = ("since", "renewed", "until")


class Leases:
    """The leases in one directory. Safe to use from several threads and processes."""

    def __init__(self, directory: Path) -> None:
        self._files = KeyedFiles(directory, "lease", _file_name, lambda lease: lease.path, _encode, _decode)

    def load(self, path: str) -> Lease | None:
        """The lease on root-relative `path`, if there is one and its file is sound."""
        return self._files.load(path)

    def update(self, path: str, change: Callable[[Lease | None], Stored], holder: str) -> Stored:
        """Load, `change` and store (None: remove) under a lock that holds across processes; what is stored then.

        `change` must not use this store. `holder` is how others see who has the lock. Raises StoreError.
        """
        stored: list[Stored] = []

        def noting(before: Lease | None) -> Stored:
            stored.append(change(before))
            return stored[0]

        self._files.update(path, noting, path, holder)
        return stored[0]

    def all(self) -> tuple[Lease, ...]:
        """Every lease, by path; damaged files are left out (logged). One `stat` where nothing changed.

        Raises StoreError.
        """
        return self._files.all()


@lru_cache(_NAMES)
def _file_name(path: str) -> str:
    return name_of(path, slice(-MAX_READABLE, None))


def _encode(lease: Lease) -> dict[str, Any]:
    values: dict[str, Any] = {name: getattr(lease, name) for name in _TEXTS}
    values |= {name: getattr(lease, name).isoformat() for name in _TIMES}
    values["process"] = None if lease.process is None else {"pid": lease.process.pid, "place": lease.process.place}
    return values


def _decode(values: dict[str, Any]) -> Lease:
    texts = {name: values.get(name) for name in (*_TEXTS, *_TIMES)}
    if not all(isinstance(text, str) for text in texts.values()):
        raise TypeError("a value in it has the wrong type")
    path, session_id, intent_id = (str(texts[name]) for name in _TEXTS)
    since, renewed, until = (_moment(str(texts[name])) for name in _TIMES)
    return Lease(path, session_id, intent_id, since, renewed, until, _process(values.get("process")))


def _moment(text: str) -> datetime:
    return parse_timestamp(text).astimezone(UTC)


def _process(value: Any) -> Process | None:
    if value is None:
        return None
    pid, place = (value.get("pid"), value.get("place")) if isinstance(value, dict) else (None, None)
    if not isinstance(pid, int) or pid <= 0 or not isinstance(place, str):
        raise TypeError("its process is none")
    return Process(pid, place)
