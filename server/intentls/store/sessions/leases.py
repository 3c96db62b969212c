"""Who is changing which file: one small file a leased path, shared by all processes.

A lease may be lost at any time (the next use takes it again), so it is written in one step but not forced to
disk, and a file that can't be read is no lease. Whether a lease counts is not decided here.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from intentls.core.errors import IntentlsError, StoreError
from intentls.core.intents.lease import Lease, Process
from intentls.store.clock import now_ns, parse_timestamp
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.named_locks import Locks
from intentls.store.fs.path_resolution import because
from intentls.store.fs.rooted_files import RootedFiles

Stored = TypeVar("Stored", bound=Lease | None)

log = logging.getLogger(__name__)

_SUFFIX = ".json"
_READABLE = 40  # characters of the path that a file name shows
_HEX_DIGITS = 32  # of the path's hash, which makes the name unique
# A folder that was changed this lately may change again without a new time stamp.
_SETTLED_NS = 50_000_000
_TEXTS = ("path", "session_id", "intent_id")
_TIMES = ("since", "renewed", "until")


class Leases:
    """The leases in one folder. Safe to use from several threads and processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = RootedFiles(folder)
        # Taken while path locks are held, so it needs a folder of its own: locks of one folder don't nest.
        self._locks = Locks(folder / "locks")
        self._known: tuple[int, tuple[Lease, ...]] | None = None

    def load(self, path: str) -> Lease | None:
        """The lease on root-relative `path`, if there is one and its file is sound."""
        found = self._read(_file_name(path))
        if found is not None and found.path != path:
            log.warning("%s is the lease of another file", _file_name(path))
            return None
        return found

    def update(self, path: str, change: Callable[[Lease | None], Stored], holder: str) -> Stored:
        """Load, `change` and store (None: remove) under a lock that holds across processes; what is stored then.

        `change` must not use this store. `holder` is how others are told who has the lock. Raises StoreError.
        """
        with self._locks.hold([path], holder):
            before = self.load(path)
            after = change(before)
            if after != before:
                self._store(path, after)
        return after

    def all(self) -> tuple[Lease, ...]:
        """Every lease, by path; damaged files are left out (logged). One `stat` where nothing changed.

        Raises StoreError.
        """
        looked = now_ns()
        try:
            stamp = self._folder.stat().st_mtime_ns
            known = self._known
            if known is not None and known[0] == stamp:
                return known[1]
            names = [file.name for file in self._folder.iterdir() if file.suffix == _SUFFIX]
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise StoreError(f"{self._folder} can't be listed: {because(error)}.") from error
        found = [lease for lease in map(self._read, names) if lease is not None]
        leases = tuple(sorted(found, key=lambda lease: lease.path))
        self._known = (stamp, leases) if looked - stamp > _SETTLED_NS else None
        return leases

    def _store(self, path: str, lease: Lease | None) -> None:
        file = self._folder / _file_name(path)
        try:
            if lease is None:
                file.unlink(missing_ok=True)
            else:
                replace_bytes(file, _serialised(lease))
        except OSError as error:
            raise StoreError(f"{file} can't be written: {because(error)}.") from error

    def _read(self, name: str) -> Lease | None:
        try:
            data = self._files.read(name)
            return None if data is None else _parse(data)
        except (IntentlsError, ValueError, TypeError, OverflowError, RecursionError) as error:
            log.warning("lease %s does not count: %s", self._folder / name, error)
            return None


def _file_name(path: str) -> str:
    digest = sha256(path.encode("utf-8", "surrogatepass")).hexdigest()
    readable = re.sub(r"[^A-Za-z0-9_-]+", "-", path)[-_READABLE:]
    return f"{readable}-{digest[:_HEX_DIGITS]}{_SUFFIX}"


def _serialised(lease: Lease) -> bytes:
    values: dict[str, Any] = {name: getattr(lease, name) for name in _TEXTS}
    values |= {name: getattr(lease, name).isoformat() for name in _TIMES}
    values["process"] = None if lease.process is None else {"pid": lease.process.pid, "place": lease.process.place}
    return json.dumps(values).encode("ascii")


def _parse(data: bytes) -> Lease:
    """Raises ValueError, TypeError or OverflowError for anything that `_serialised` does not make."""
    values = json.loads(data)
    if not isinstance(values, dict):
        raise TypeError("there is no lease in it")
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
