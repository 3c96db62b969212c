"""The plans of the five editing tools."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from intentls.core.errors import HunkMismatch, InvalidArgument, InvalidPatch
from intentls.core.mutation.classes import Change
from intentls.core.patch.unified_diff import FilePatch
from intentls.core.text.encoding import replace_content, replace_text
from intentls.engine.actions.request import PlannedEdit

Paths = Mapping[str, str]
Contents = Mapping[str, bytes | None]


class OneFile(Struct, frozen=True):
    """A plan that changes one file."""

    path: str

    @property
    def paths(self) -> tuple[str, ...]:
        """The path argument of the file."""
        return (self.path,)


class WriteFile(OneFile, frozen=True):
    """Replace or create a file."""

    content: str
    tool_name = "write_to_file"

    def edits(self, paths: Paths, contents: Contents) -> tuple[PlannedEdit, ...]:
        """The whole new content, in the encoding and with the line ends of what it replaces."""
        path = paths[self.path]
        before = contents[path]
        change = Change.ADD if before is None else Change.MODIFY
        return (PlannedEdit(path, change, before, replace_content(before, self.content)),)


class EditFile(OneFile, frozen=True):
    """Replace a string in a file."""

    old_string: str
    new_string: str
    replace_all: bool = False
    tool_name = "edit_file"

    def edits(self, paths: Paths, contents: Contents) -> tuple[PlannedEdit, ...]:
        """The file with the string replaced, all else byte for byte."""
        path = paths[self.path]
        before = contents[path]
        if before is None:
            raise InvalidArgument("path", f"{path} does not exist; create it with write_to_file")
        after = replace_text(before, self.old_string, self.new_string, self.replace_all)
        return (PlannedEdit(path, Change.MODIFY, before, after),)


class ApplyPatch(Struct, frozen=True):
    """Apply a unified diff of any number of files."""

    patches: tuple[FilePatch, ...]
    tool_name = "apply_patch"

    @property
    def paths(self) -> tuple[str, ...]:
        """Every path the patch touches, old names of renames included."""
        named = [path for patch in self.patches for path in (patch.old_path, patch.path) if path is not None]
        return tuple(dict.fromkeys(named))

    def edits(self, paths: Paths, contents: Contents) -> tuple[PlannedEdit, ...]:
        """Every file's new content. Raises HunkMismatch for the first that does not fit."""
        if len(set(paths.values())) < len(self.paths):
            raise InvalidArgument("patch", "two of its names lead to the same file; name each file once")
        return tuple(self._edit(patch, paths, contents) for patch in self.patches)

    @staticmethod
    def _edit(patch: FilePatch, paths: Paths, contents: Contents) -> PlannedEdit:
        path = paths[patch.path]
        old_path = paths[patch.old_path] if patch.old_path is not None else None
        before = contents[old_path if old_path is not None else path]
        if patch.change is Change.ADD and before is not None:
            raise HunkMismatch(path, "the patch creates it, but it exists")
        if patch.change is not Change.ADD and before is None:
            raise HunkMismatch(old_path or path, "the patch changes it, but it does not exist")
        if old_path is not None and old_path != path and contents[path] is not None:
            raise HunkMismatch(path, "the patch renames a file to it, but it exists")
        try:
            after = patch.apply(before)
        except InvalidPatch as error:  # a line that the file's own encoding can't hold
            raise InvalidArgument("patch", str(error)) from error
        return PlannedEdit(path, patch.change, before, after, patch.new_mode, old_path)


class DeleteFile(OneFile, frozen=True):
    """Remove a file."""

    tool_name = "delete_file"

    def edits(self, paths: Paths, contents: Contents) -> tuple[PlannedEdit, ...]:
        """The file, removed."""
        path = paths[self.path]
        before = contents[path]
        if before is None:
            raise InvalidArgument("path", f"{path} does not exist")
        return (PlannedEdit(path, Change.DELETE, before, None),)


class RenameFile(Struct, frozen=True):
    """Move a file to a path where none is."""

    path: str
    new_path: str
    tool_name = "rename_file"

    @property
    def paths(self) -> tuple[str, ...]:
        """The old and the new name."""
        return (self.path, self.new_path)

    def edits(self, paths: Paths, contents: Contents) -> tuple[PlannedEdit, ...]:
        """The same content under the new name."""
        old, new = paths[self.path], paths[self.new_path]
        before = contents[old]
        if before is None:
            raise InvalidArgument("path", f"{old} does not exist")
        if old == new:
            raise InvalidArgument("new_path", f"{new} is the same file")
        if contents[new] is not None:
            raise InvalidArgument("new_path", f"{new} exists already; delete it first or choose another name")
        return (PlannedEdit(new, Change.RENAME, before, before, old_path=old),)
