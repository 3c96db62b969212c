"""Which session works under which intent, and which contents it has read: one small file for each session.

Any process may act for a session. One that is lost, or whose file can't be read, is idle: it selects an intent again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

from msgspec import Struct, field
from msgspec.structs import replace

from intentls.core.errors import InvalidArgument
from intentls.core.mutation.classes import MutationClass
from intentls.store.sessions.keyed_files import MAX_READABLE, KeyedFiles, name_of

MAX_ID_LENGTH = 512  # characters
_NAMES = 256  # of files that are kept: each needs a hash


class Session(Struct, frozen=True):
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
        """Work under an intent. A model that was named once stays until another one is named."""
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
        """Work under no intent. What was read stays read."""
        return replace(self, intent_id=None, mutation_class=None, updated=updated)

    def under(self, intent_id: str | None) -> Self:
        """The session as it works under this intent; its mutation class counts under its own intent only."""
        return self if intent_id == self.intent_id else replace(self, intent_id=intent_id, mutation_class=None)

    def with_read(self, path: str, content_hash: str | None) -> Self:
        """As after reading this content of `path`; with None, as if it was never read."""
        reads = {name: hash_ for name, hash_ in self.reads.items() if name != path}
        if content_hash is not None:
            reads[path] = content_hash
        return replace(self, reads=reads)


_KEYS = Session.__struct_fields__


class Sessions:
    """The session files in one directory.

    Every method raises InvalidArgument for an impossible id and StoreError if the disk refuses. `default` gives the
    intent that a session begins with.
    """

    def __init__(self, directory: Path, default: Callable[[], str | None] = lambda: None) -> None:
        self._default = default
        self._files = KeyedFiles(
            directory, "session", session_file_name, lambda session: session.session_id, _encode, _decode
        )

    def load(self, session_id: str) -> Session:
        """The session; one that begins here, or whose file is damaged (logged), has the default intent or is idle."""
        return self.stored(session_id) or self._begun(session_id)

    def stored(self, session_id: str) -> Session | None:
        """The session as it was saved; None for one that selected and read nothing, or whose file is damaged."""
        return self._files.load(session_id)

    def save(self, session: Session) -> None:
        """Write the session's file. The last writer wins; use `update` to change what is there."""
        self._files.save(session.session_id, session)

    def update(self, session_id: str, change: Callable[[Session], Session]) -> Session:
        """Load, `change` and save under a lock that holds across processes. Returns what is stored then.

        `change` must not use this store itself. Raises LockTimeout.
        """
        holder = f"process {os.getpid()} (session {session_id[:MAX_READABLE]})"
        kept: list[Session] = []

        def changed(stored: Session | None) -> Session | None:
            before = stored or self._begun(session_id)
            kept.append(change(before))
            return stored if kept[0] == before else kept[0]

        self._files.update(session_id, changed, session_file_name(session_id), holder)
        return kept[0]

    def _begun(self, session_id: str) -> Session:
        return Session(session_id, self._default())

    def all(self) -> tuple[Session, ...]:
        """Every session, by id; damaged files are left out (logged). One `stat` where nothing changed."""
        return self._files.all()

    def drop(self, session_id: str) -> None:
        """Forget the session; one that does not exist is fine."""
        self._files.save(session_id, None)


def check_session_id(session_id: str) -> None:
    """Raises InvalidArgument for an id that no session can have. The disk is not read."""
    session_file_name(session_id)


@lru_cache(_NAMES)
def session_file_name(session_id: str) -> str:
    """The name of the session's file. Raises InvalidArgument for an id that no session can have."""
    if not session_id:
        raise InvalidArgument("session_id", "is empty; leave it out to use the connection's own")
    if len(session_id) > MAX_ID_LENGTH:
        raise InvalidArgument("session_id", f"has {len(session_id)} characters, and {MAX_ID_LENGTH} are possible")
    try:
        session_id.encode()
    except UnicodeEncodeError:
        raise InvalidArgument("session_id", "is no valid Unicode (half a surrogate pair)") from None
    return name_of(session_id, slice(MAX_READABLE))


def _encode(session: Session) -> dict[str, Any]:
    return {name: getattr(session, name) for name in _KEYS}


def _decode(values: dict[str, Any]) -> Session:
    known: dict[str, Any] = {name: values.get(name) for name in _KEYS}
    if not isinstance(known["reads"], dict):
        raise TypeError("there is no session in it")
    texts = (known["session_id"], known["face"], known["updated"], *known["reads"].values())
    optional = (text for text in (known["intent_id"], known["model"]) if text is not None)
    if not all(isinstance(text, str) for text in (*texts, *optional)) or not isinstance(known["pid"], int):
        raise TypeError("a value in it has the wrong type")
    if known["mutation_class"] is not None:
        known["mutation_class"] = MutationClass(known["mutation_class"])
    return Session(**known)
