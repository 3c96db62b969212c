"""Which editors have a root open: one small file for each server, with its session and the files it has unsaved.

The file of a server that was killed stays: the next one takes over the selection of its session. What a dead server
had unsaved counts no more.
"""

from __future__ import annotations

import os
import threading
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from intentls.store.process import ancestry
from intentls.store.process.ancestry import UnknownAncestry
from intentls.store.process.liveness import process_exists
from intentls.store.sessions.agent_processes import process_place
from intentls.store.sessions.keyed_files import MAX_READABLE, KeyedFiles, name_of

_TEXTS = ("session_id", "client", "start", "boot", "namespace", "seen")


class Editor(Struct, frozen=True):
    """A server that works for an editor.

    `session_id` is the editor's own session, `client` the editor's name, `start` tells its process from a later one of
    the same number, `boot` and `namespace` say where the number counts. `unsaved` are root-relative paths, `seen` is
    the RFC 3339 time of the last change. `selection` is the intent and the mutation class of an editor that ended in
    good order, or that was killed while it took them over; that of any other is in its session's file.
    """

    session_id: str
    client: str = ""
    pid: int = 0
    start: str = ""
    boot: str = ""
    namespace: str = ""
    seen: str = ""
    unsaved: tuple[str, ...] = ()
    selection: tuple[str, ...] = ()

    @property
    def is_running(self) -> bool:
        """Whether its server still runs here; False for one on another machine or in another container."""
        if (self.boot, self.namespace) != process_place():
            return False
        try:
            return ancestry.is_running(self.pid, self.start)
        except UnknownAncestry:
            return process_exists(self.pid)


class Editors:
    """The editors of one root. Safe to use from several threads. Every method raises StoreError if the disk refuses."""

    def __init__(self, directory: Path) -> None:
        self._lock = threading.Lock()
        self._ended: set[str] = (
            set()
        )  # of this process: what a thread notes late must not undo what was kept at the end
        self._files = KeyedFiles(directory, "editor", _file_name, lambda editor: editor.session_id, _encode, _decode)

    def note(
        self, session_id: str, client: str, unsaved: tuple[str, ...], seen: str, selection: tuple[str, ...] = ()
    ) -> None:
        """This process serves an editor that has these root-relative paths unsaved; nothing if it has ended already.

        `selection` is what the editor is about to select in its session, so that a kill meanwhile does not lose it.
        """
        boot, namespace = process_place()
        editor = Editor(session_id, client, os.getpid(), _own_start(), boot, namespace, seen, unsaved, selection)
        with self._lock:
            if session_id not in self._ended:
                self._files.save(session_id, editor)

    def note_ended(self, session_id: str, client: str, selection: tuple[str, ...], seen: str) -> None:
        """The editor ended in good order, with this selection: an intent, and its mutation class if one was named."""
        self._end(session_id, Editor(session_id, client, seen=seen, selection=selection))

    def drop(self, session_id: str) -> None:
        """Forget the editor with this session; one that is not known is fine."""
        self._end(session_id, None)

    def _end(self, session_id: str, editor: Editor | None) -> None:
        with self._lock:
            self._ended.add(session_id)
            self._files.save(session_id, editor)

    def all(self) -> tuple[Editor, ...]:
        """Every editor, running or not, by session."""
        return self._files.all()

    def unsaved_elsewhere(self) -> dict[str, Editor]:
        """The root-relative paths that an editor of another running process has unsaved."""
        others = (editor for editor in self.all() if editor.unsaved and editor.pid != os.getpid())
        return {path: editor for editor in others if editor.is_running for path in editor.unsaved}


@cache
def _own_start() -> str:
    try:
        process = ancestry.running(os.getpid())
    except UnknownAncestry:
        return ""
    return "" if process is None else process.start


def _file_name(session_id: str) -> str:
    return name_of(session_id, slice(MAX_READABLE))


def _encode(editor: Editor) -> dict[str, Any]:
    values: dict[str, Any] = {name: getattr(editor, name) for name in _TEXTS}
    return values | {"pid": editor.pid, "unsaved": list(editor.unsaved), "selection": list(editor.selection)}


def _decode(values: dict[str, Any]) -> Editor:
    pid, unsaved, selection = values.get("pid"), values.get("unsaved"), values.get("selection")
    texts = {name: values.get(name) for name in _TEXTS}
    if not isinstance(pid, int) or not isinstance(unsaved, list) or not isinstance(selection, list):
        raise TypeError("there is no editor in it")
    if not all(isinstance(text, str) for text in (*texts.values(), *unsaved, *selection)):
        raise TypeError("a value in it has the wrong type")
    known = {name: str(text) for name, text in texts.items()}
    return Editor(pid=pid, unsaved=tuple(unsaved), selection=tuple(selection), **known)
