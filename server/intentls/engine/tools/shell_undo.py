"""Putting back what a command changed: only what is known byte by byte, and what it left is kept."""

from __future__ import annotations

import logging
import os
from itertools import count
from pathlib import Path

from msgspec.structs import replace

from intentls.core.errors import InvalidPath, StoreError
from intentls.core.gate.refusal import Refusal
from intentls.core.hashing import content_hash
from intentls.engine.tools.shell_call import ShellCall
from intentls.engine.workspace.workspace import Workspace
from intentls.store.fs.atomic_write import write_new
from intentls.store.fs.rooted_files import RootedFiles
from intentls.store.worktree.state import TreeChange

log = logging.getLogger(__name__)


class Trash:
    """Where the contents go that one command left and that are undone."""

    def __init__(self, workspace: Workspace, call: ShellCall) -> None:
        self.session_id = call.session_id
        self._workspace = workspace
        self._name = content_hash(f"{call.session_id}\0{call.key}".encode("utf-8", "surrogatepass"))[-16:]
        self._folder: str | None = None
        self._files = RootedFiles(workspace.layout.state)

    @property
    def path(self) -> str | None:
        """The root-relative folder; None while there is nothing in it."""
        if self._folder is None:
            return None
        return (self._workspace.layout.trash / self._folder).relative_to(self._workspace.root).as_posix()

    def keep(self, path: str, data: bytes, mode: int | None) -> None:
        """Keep what a file holds, durably. Raises StoreError, InvalidPath and OSError."""
        trash = self._workspace.layout.trash
        folder = self._folder or self._unused_name(trash)
        staged = _staged(self._workspace, data)
        try:
            self._files.put(f"{trash.name}/{folder}/{path}", staged, mode)
        finally:
            staged.unlink(missing_ok=True)
        self._folder = folder

    def noted_in(self, refusal: Refusal) -> Refusal:
        """The refusal as the ledger shows it, with the place of what was undone."""
        if self.path is None:
            return refusal
        return replace(refusal, error=f"{refusal.error} Put back; what the command left is in {self.path}.")

    def _unused_name(self, trash: Path) -> str:
        names = (f"{self._name}-{number}" if number else self._name for number in count())
        return next(name for name in names if not os.path.lexists(trash / name))


def _staged(workspace: Workspace, data: bytes) -> Path:
    staged = workspace.layout.announced / f"back-{os.getpid()}"
    staged.unlink(missing_ok=True)
    write_new(staged, data, durable=True)
    return staged


def put_back(workspace: Workspace, trash: Trash, change: TreeChange) -> bool:
    """Restore what was there before the tool, and keep what is there now in the trash.

    False where that is not known or not possible; the file is then as it was.
    """
    if not change.may_be_undone:
        return False
    before, after = change.before.data, change.after.data
    try:
        with workspace.journal.hold((str(workspace.root / change.path),), workspace.holder(trash.session_id)):
            if workspace.tree.read(change.path) != after:
                return False  # it was changed since
            state = workspace.tree.state(change.path)
            mode = None if state is None else state.mode
            if after is not None:
                trash.keep(change.path, after, mode)
            if before is None:
                workspace.tree.remove(change.path)
            else:
                workspace.tree.put(change.path, _staged(workspace, before), change.mode or mode)
            return True
    except (StoreError, InvalidPath, OSError):
        log.info("%s can't be put back", change.path, exc_info=True)
        return False
