"""A file as a confined command left it, and the plan that puts such files into the tree."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from intentls.core.errors import HunkMismatch
from intentls.core.gate.tool_class import SHELL
from intentls.core.hashing import hash_of
from intentls.core.mutation.classes import Change
from intentls.engine.actions.request import PlannedEdit


class StagedFile(Struct, frozen=True):
    """A file as the command left it. `base` is the hash of what it was made from, None where there was no file.

    `after` is None where the command removed it. `doubt`: why it may not take the place of what the tree has now.
    """

    path: str
    base: str | None
    after: bytes | None
    mode: int | None
    doubt: str = ""


class LandFiles(Struct, frozen=True):
    """The plan that puts staged files into the tree, all or none."""

    files: tuple[StagedFile, ...]
    tool_name = SHELL

    @property
    def paths(self) -> tuple[str, ...]:
        """The files, by their root-relative paths."""
        return tuple(file.path for file in self.files)

    def edits(self, paths: Mapping[str, str], contents: Mapping[str, bytes | None]) -> tuple[PlannedEdit, ...]:
        """Each file's new content. Raises HunkMismatch for the first that is not what the command built on."""
        return tuple(self._edit(file, contents[paths[file.path]]) for file in self.files)

    def _edit(self, file: StagedFile, before: bytes | None) -> PlannedEdit:
        if file.doubt or hash_of(before) != file.base:
            raise HunkMismatch(file.path, file.doubt or "changed while the command ran")
        if file.after is None:
            return PlannedEdit(file.path, Change.DELETE, before, None)
        change = Change.ADD if before is None else Change.MODIFY
        return PlannedEdit(file.path, change, before, file.after, file.mode)
