"""Who works under which intent, and which contents it has read: one small file a session.

Any process may act for a session, so nothing is kept in memory: each use reads the file. A session may be
lost at any time (its owner then selects an intent again), so it is written in one step but not forced to
disk, and a file that can't be read is an idle session.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from intentls.core.errors import IntentlsError, InvalidArgument, StoreError
from intentls.core.mutation.classes import MutationClass
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.named_locks import Locks
from intentls.store.fs.path_resolution import because
from intentls.store.fs.rooted_files import RootedFiles

log = logging.getLogger(__name__)

MAX_ID_LENGTH = 512  # characters

_SUFFIX = ".json"
_READABLE = 40  # characters of the id that a file name shows
_HEX_DIGITS = 32  # of the id's hash, which makes the name unique


@dataclass(frozen=True, slots=True)
class Session:
    """One session in one root. `reads` maps root-relative paths to the content hash it knows of each.

    `face` and `pid` are those of the process that selected the intent, `updated` the RFC 3339 time of that.
    """

    session_id: str
    intent_id: str | None = None
    mutation_class: MutationClass | None = None
    model: str | None = None
    reads: Mapping[str, str] = field(default_factory=dict)
    face: str = ""
    pid: int = 0
    updated: str = ""

    def select(
        self, intent_id: str, mutation_class: MutationClass | None, model: str | None, face: str, updated: str
    ) -> Self:
        """Take up an intent. A model once given stays known until another one is given."""
        return replace(
            self,
            intent_id=intent_id,
            mutation_class=mutation_class,
            model=self.model if model is None else model,
            face=face,
            pid=os.getpid(),
            updated=updated,
        )

    def clear(self, updated: str) -> Self:
        """Hand the intent back. What was read stays read."""
        return replace(self, intent_id=None, mutation_class=None, updated=updated)

    def with_read(self, path: str, content_hash: str | None) -> Self:
        """Know `path` with this content; with None, know nothing of it."""
        reads = {known: hash_ for known, hash_ in self.reads.items() if known != path}
        if content_hash is not None:
            reads[path] = content_hash
        return replace(self, reads=reads)


_KEYS = tuple(each.name for each in fields(Session))


class Sessions:
    """The session files in one folder.

    Every method raises InvalidArgument for an impossible id and StoreError if the disk refuses.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = RootedFiles(folder)
        # A lock folder of its own: nothing else is ever taken while one of these is held.
        self._locks = Locks(folder / "locks")

    def load(self, session_id: str) -> Session:
        """The session, idle if it is not known or its file is damaged (logged)."""
        found = self._read(_file_name(session_id))
        if found is not None and found.session_id != session_id:
            log.warning("%s is the file of another session", _file_name(session_id))
            found = None
        return found or Session(session_id)

    def save(self, session: Session) -> None:
        """Write the session's file. The last writer wins; use `update` to change what is there."""
        name = _file_name(session.session_id)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_bytes(self._folder / name, _serialised(session))
        except OSError as error:
            raise StoreError(f"{self._folder / name} can't be written: {because(error)}.") from error

    def update(self, session_id: str, change: Callable[[Session], Session]) -> Session:
        """Load, `change` and save under a lock that holds across processes. Returns what is stored then.

        `change` must not use this store itself. Raises LockTimeout.
        """
        holder = f"process {os.getpid()} (session {session_id[:_READABLE]})"
        with self._locks.hold([_file_name(session_id)], holder):
            before = self.load(session_id)
            after = change(before)
            if after != before:
                self.save(after)
        return after

    def all(self) -> list[Session]:
        """Every known session, by id; damaged files are left out (logged)."""
        try:
            names = [file.name for file in self._folder.iterdir() if file.suffix == _SUFFIX]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StoreError(f"{self._folder} can't be listed: {because(error)}.") from error
        found = [session for session in map(self._read, names) if session is not None]
        return sorted(found, key=lambda session: session.session_id)

    def drop(self, session_id: str) -> None:
        """Forget the session; one that is not known is fine."""
        self._files.remove(_file_name(session_id))

    def _read(self, name: str) -> Session | None:
        try:
            data = self._files.read(name)
            return None if data is None else _parse(data)
        except (IntentlsError, ValueError, TypeError, RecursionError) as error:
            log.warning("session file %s counts as empty: %s", self._folder / name, error)
            return None


def check_session_id(session_id: str) -> None:
    """Raises InvalidArgument for an id that no session can have. The disk is not read."""
    _file_name(session_id)


def _file_name(session_id: str) -> str:
    if not session_id:
        raise InvalidArgument("session_id", "is empty; leave it out to use the connection's own")
    if len(session_id) > MAX_ID_LENGTH:
        raise InvalidArgument("session_id", f"has {len(session_id)} characters, and {MAX_ID_LENGTH} are possible")
    try:
        digest = sha256(session_id.encode()).hexdigest()
    except UnicodeEncodeError:
        raise InvalidArgument("session_id", "is no valid Unicode (half a surrogate pair)") from None
    readable = re.sub(r"[^A-Za-z0-9_-]+", "-", session_id)[:_READABLE]
    return f"{readable}-{digest[:_HEX_DIGITS]}{_SUFFIX}"


def _serialised(session: Session) -> bytes:
    return json.dumps({name: getattr(session, name) for name in _KEYS}).encode("ascii")


def _parse(data: bytes) -> Session:
    """Raises ValueError or TypeError for anything that `save` does not write."""
    values = json.loads(data)
    if not isinstance(values, dict) or not isinstance(values.get("reads"), dict):
        raise TypeError("there is no session in it")
    found: dict[str, Any] = {name: values.get(name) for name in _KEYS}
    texts = (found["session_id"], found["face"], found["updated"], *found["reads"].values())
    optional = (text for text in (found["intent_id"], found["model"]) if text is not None)
    if not all(isinstance(text, str) for text in (*texts, *optional)) or not isinstance(found["pid"], int):
        raise TypeError("a value in it has the wrong type")
    if found["mutation_class"] is not None:
        found["mutation_class"] = MutationClass(found["mutation_class"])
    return Session(**found)
