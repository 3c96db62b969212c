"""Which intent a session has selected: what was last said, as long as a few looks show that it still holds.

Agents and editors ask this often, and a server should answer without opening a file. In a workspace of one folder that
is a root itself there are three looks for a session that selected an intent: `.orchestration` is the same directory, so
the folder leads where it led; the list of intents is there, so that is a root; the session's own file is the same. For
one that did not, four: no name came into `.orchestration`, so there is neither a policy nor a command of an agent that
could give it an intent; the list; the session's file and that of the chosen intent are still missing. All else, and any
doubt, takes the slow way.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

from intentls.engine.workspace.host import Host
from intentls.engine.workspace.workspace import Workspace
from intentls.store.fs.primitives import is_racy, stamp_of
from intentls.store.layout import Layout
from intentls.store.sessions.sessions import Session, session_file_name

_MAX_KEPT: Final = 64  # sessions: a server's own, and those of the agents that work through it

_Look = tuple[int, ...]
_EXISTS: Final = slice(0, 0)
_IDENTITY: Final = slice(0, 3)
_TYPE: Final = 2
_STAMP: Final = slice(3, None)
_ALL: Final = slice(None)


class _SessionProof(Struct, frozen=True):
    """Files with the part of a look at each that counts, and what it gave; None for a missing one."""

    paths: tuple[str, ...]
    parts: tuple[slice, ...]
    looks: tuple[_Look | None, ...]

    @property
    def has_file(self) -> bool:
        """Whether the session has a file."""
        return self.looks[2] is not None

    def still_holds(self) -> bool:
        """Whether they give the same now."""
        try:
            rows = zip(self.paths, self.parts, self.looks, strict=True)
            return all(_part(_look(path), part) == look for path, part, look in rows)
        except OSError:
            return False


class _Kept(Struct, frozen=True):
    """A session, and why it is still so. `folders` as the client named them; without any, nothing can change it."""

    folders: tuple[Path, ...]
    session: Session
    proof: _SessionProof | None

    def holds(self, folders: tuple[Path, ...]) -> bool:
        """Whether it is still so."""
        return self.folders == folders and (self.proof is None or self.proof.still_holds())


class ActiveSessions:
    """The sessions of one engine as they stand at home. Safe to use from several threads."""

    def __init__(self, host: Host, home: Callable[[str], Workspace | None]) -> None:
        self._host = host
        self._home = home
        self._kept: dict[str, _Kept] = {}

    def known(self, session_id: str) -> Session | None:
        """The session, if it is known without reading a file. At most four calls of the system."""
        kept = self._kept.get(session_id)
        return kept.session if kept is not None and kept.holds(self._host.named_folders()) else None

    def now(self, session_id: str) -> Session:
        """The session; an idle one where governance is off. Raises InvalidArgument for an impossible id, StoreError."""
        folders = self._host.named_folders()
        proof = _proof(Layout(folders[0]), session_id) if len(folders) == 1 else None
        home = self._home(session_id)
        if home is None:
            session, holds = Session(session_id), not folders
        else:
            stored = home.sessions.stored(session_id)
            session = stored or home.sessions.load(session_id)
            again = _proof(home.layout, session_id)  # the root that the engine found by itself
            is_same = proof is not None and again is not None and proof.looks == again.looks
            holds = is_same and proof is not None and proof.has_file == (stored is not None)
        self._keep(session_id, _Kept(folders, session, proof) if holds else None)
        return session

    def _keep(self, session_id: str, kept: _Kept | None) -> None:
        if kept is None:
            self._kept.pop(session_id, None)
            return
        if len(self._kept) >= _MAX_KEPT:
            self._kept.clear()
        self._kept[session_id] = kept


def _proof(layout: Layout, session_id: str) -> _SessionProof | None:
    """What the looks give now; None where they prove nothing."""
    started = time.time_ns()
    orchestration, marker = os.fspath(layout.orchestration), os.fspath(layout.intents)
    file = os.fspath(layout.sessions / session_file_name(session_id))
    try:
        directory = _look(orchestration)
        if directory is None or not stat.S_ISDIR(directory[_TYPE]) or _look(marker) is None:
            return None
        if (of_file := _look(file)) is not None:
            is_young = is_racy(of_file[_STAMP], started)
            proof = _SessionProof(
                (orchestration, marker, file), (_IDENTITY, _EXISTS, _ALL), (directory[_IDENTITY], (), of_file)
            )
            return None if is_young else proof
        chosen, *absent = map(os.fspath, (layout.default_intent, layout.policy, layout.accepted_index))
        is_proof = os.name == "posix" and not is_racy(directory[_STAMP], started)  # see `directory_stamp`
        if not is_proof or any(_look(path) is not None for path in (chosen, *absent)):
            return None
        return _SessionProof(
            (orchestration, marker, file, chosen), (_ALL, _EXISTS, _ALL, _ALL), (directory, (), None, None)
        )
    except OSError:
        return None


def _look(path: str) -> _Look | None:
    """What shows a change; None for what is missing. Raises OSError."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_dev, stat.S_IFMT(status.st_mode), *stamp_of(status)


def _part(look: _Look | None, part: slice) -> _Look | None:
    return None if look is None else look[part]
