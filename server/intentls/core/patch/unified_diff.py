"""Unified diffs: what each file of a patch becomes.

The parser is strict on purpose: a line it does not understand is refused, never skipped, since what it skips
would be a change that the gate and the ledger don't see.
"""

from __future__ import annotations

from dataclasses import dataclass

from intentls.core.change_kind import Change as Change
from intentls.core.errors import HunkMismatch, InvalidPatch
from intentls.core.patch.file_section import FileSection, Subject, find_section, read_section
from intentls.core.patch.hunks import PatchHunk, apply_hunks
from intentls.core.patch.reader import PatchReader


@dataclass(frozen=True, slots=True)
class FilePatch:
    """One file of a patch. Paths are as the patch has them, without git's `a/` and `b/`; nobody checked them.

    `path` is the new path (of a deleted file: its only one), `old_path` the one that a renamed file had.
    `new_mode` holds the permission bits that the patch asks for (0o644, 0o755), None if it leaves them alone.
    """

    change: Change
    path: str
    old_path: str | None = None
    hunks: tuple[PatchHunk, ...] = ()
    new_mode: int | None = None

    def apply(self, before: bytes | None) -> bytes | None:
        """The file's new bytes; None stands for no file, before and after.

        Raises HunkMismatch if `before` is not what the patch was made for, InvalidPatch if the encoding of
        `before` can't hold a new line.
        """
        if self.change is Change.ADD:
            if before is not None:
                raise HunkMismatch(self.path, "exists already, but the patch adds it. Make a new patch.")
            return b"".join(hunk.new for hunk in self.hunks)
        source = self.old_path or self.path
        if before is None:
            raise HunkMismatch(
                source,
                f"does not exist, but the patch is to {self.change} it. A new file needs '--- /dev/null'.",
            )
        after = apply_hunks(before, self.hunks, source)
        if self.change is not Change.DELETE:
            return after
        if after:
            raise HunkMismatch(source, "has more lines than the patch deletes. Read it again and make a new patch.")
        return None


def parse_patch(text: str) -> tuple[FilePatch, ...]:
    r"""The files of a unified diff, in its order.

    It may come from git (extended headers, quoted names, text around it as `git format-patch` writes it) or
    from plain `diff -u`. Bytes that are not UTF-8 may stand in it as `surrogateescape` decodes them. The line
    end of the very last line may be missing.
    Raises InvalidPatch, which names the line, for all that is not wholly understood: no diff at all, wrong
    counts, a hunk that is cut off, binary patches, copies, links, and a path that comes twice.
    """
    reader = PatchReader(text)
    files: list[FilePatch] = []
    seen: set[str] = set()
    while find_section(reader, prose=not files):
        section = read_section(reader)
        for path in {section.subject.old, section.subject.new}:
            if path in seen:
                raise reader.error(f"begins {path!r} again: put all changes of a file in one place", section.line)
            seen.add(path)
        files.append(_file_patch(reader, section))
    if not files:
        raise InvalidPatch(
            "The patch is no unified diff: it has no 'diff --git' line, and no '---' before a '+++' line."
        )
    return tuple(files)


def _file_patch(reader: PatchReader, section: FileSection) -> FilePatch:
    subject, hunks = section.subject, section.hunks
    change = _change(subject)
    if change in (Change.ADD, Change.DELETE):
        absent = [hunk.old if subject.added else hunk.new for hunk in hunks]
        if len(hunks) > 1 or any(absent):
            raise reader.error(f"is to {change} {subject.new!r}, but its hunks say otherwise", section.line)
    if change is Change.MODIFY and not hunks and section.new_mode is None:
        raise reader.error(f"begins {subject.new!r}, but nothing after it changes this file", section.line)
    old_path = subject.old if change is Change.RENAME else None
    return FilePatch(change, subject.new, old_path, hunks, section.new_mode)


def _change(subject: Subject) -> Change:
    if subject.added:
        return Change.ADD
    if subject.deleted:
        return Change.DELETE
    return Change.MODIFY if subject.old == subject.new else Change.RENAME
