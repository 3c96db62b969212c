"""Unified diffs, of git or of plain `diff -u`: what each file of a patch becomes.

    diff --git a/src/a.py b/src/b.py    a section begins; both names are the same unless the file is renamed
    rename from src/a.py                git's header lines: modes, renames
    rename to src/b.py
    --- a/src/a.py                      the two names again; /dev/null for a file that does not exist
    +++ b/src/b.py
    @@ -1 +1 @@                         hunks: see core/patch/hunks.py
    -x = 1
    +x = 2

The parser is strict on purpose: a line it does not understand is refused, never skipped, since what it skips
would be a change that the gate and the ledger don't see.
"""

from __future__ import annotations

import re

from msgspec import Struct

from intentls.core.errors import HunkMismatch, InvalidPatch, shorten
from intentls.core.mutation.classes import Change
from intentls.core.patch.file_names import (
    BadName,
    SideName,
    common_name,
    file_name,
    git_header_name,
    side_name,
    without_prefix,
)
from intentls.core.patch.hunks import PatchHunk, PatchReader, apply_hunks, read_hunks
from intentls.late_pattern import late_pattern

_GIT = "diff --git "
_TWO_NAMES = (
    "must name one file twice; a rename needs 'rename from' and 'rename to'. A diff of two files ('--no-index') does"
    " not say which of them to change: write that one's name in all lines"
)
_FIELD = late_pattern(
    r"(old mode|new mode|deleted file mode|new file mode|rename from|rename to|copy from|copy to"
    r"|similarity index|dissimilarity index|index) (.*)",
    re.DOTALL,
)
_INDEX_MODE = late_pattern(r"[0-9a-f]+\.\.[0-9a-f]+ ([0-7]{6})")
_REGULAR_FILE = late_pattern(r"100[0-7]{3}")
_BINARY = ("GIT binary patch", "Binary files ")
_VERSION = late_pattern(r"[0-9]+\.[0-9]+.*", re.DOTALL)
# What belongs to a section; outside of one it must not be skipped as if it were prose.
_ORPHAN = late_pattern(
    r"@@ -|\+\+\+ |rename (from|to) |copy (from|to) |(old|new|new file|deleted file) mode [0-7]{6}\r?$"
    r"|GIT binary patch|Binary files .* differ\r?$"
)

_DEV_NULL_LINE = late_pattern(r"/dev/null\r?(?:\t.*)?", re.DOTALL)  # mercurial writes a time behind it
# What begins another mail or commit: `git format-patch --stdout` and `git log -p` write several.
_NEXT_COMMIT = late_pattern(r"From \S+ .*[0-9]{2}:[0-9]{2}.*|commit [0-9a-f]{7,64}\b.*", re.DOTALL)


class FilePatch(Struct, frozen=True):
    """One file of a patch. Paths are as the patch has them, without git's `a/` and `b/`, and unchecked.

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
    counts, a hunk that is cut off, binary patches, copies, links, several mails or commits, a path that comes twice.
    """
    reader = PatchReader(text)
    files: list[FilePatch] = []
    paths: set[str] = set()
    while _find_section(reader, files_before=bool(files)):
        line = reader.number
        file = _read_section(reader)
        for path in {file.old_path or file.path, file.path}:
            if path in paths:
                raise reader.error(f"begins {path!r} again: put all changes of a file in one place", line)
            paths.add(path)
        _check_hunks(reader, line, file)
        files.append(file)
    if not files:
        raise InvalidPatch(
            "The patch is no unified diff: it has no 'diff --git' line, and no '---' before a '+++' line."
        )
    return tuple(files)


def _check_hunks(reader: PatchReader, line: int, file: FilePatch) -> None:
    """Refuse hunks that contradict what the header (from `line` on) says is done to the file."""
    if file.change in (Change.ADD, Change.DELETE):
        absent = [hunk.old if file.change is Change.ADD else hunk.new for hunk in file.hunks]
        if len(absent) > 1 or any(absent):
            raise reader.error(f"is to {file.change} {file.path!r}, but its hunks say otherwise", line)
    if file.change is Change.MODIFY and not file.hunks and file.new_mode is None:
        raise reader.error(f"begins {file.path!r}, but nothing after it changes this file", line)


# --- Sections ---------------------------------------------------------------------------------------------


def _find_section(reader: PatchReader, *, files_before: bool) -> bool:
    """Go on to where the next section begins; False if there is none.

    Before the first section, and behind the signature that ends a mail, other text is skipped, else only what
    `diff -r` and others write between two files. Raises InvalidPatch for any other line.
    """
    prose = not files_before
    while (line := reader.peek()) is not None:
        if line.startswith(_GIT) or (line.startswith("--- ") and reader.next_starts_with("+++ ", 1)):
            return True
        if files_before and _NEXT_COMMIT.fullmatch(line):
            raise reader.error(
                "begins another mail or commit: apply them one after the other, or make one diff of all"
                " with 'git diff BASE HEAD'"
            )
        # `git format-patch` ends a mail with two dashes and, on the next line, git's version.
        prose = prose or (line == "-- " and _VERSION.fullmatch(reader.peek(1) or "") is not None)
        is_separator = not line.strip() or line.startswith(("Index: ", "=====", "diff -"))
        if _ORPHAN.match(line) or not (prose or is_separator):
            raise reader.error(
                f"belongs to no file and no hunk ({shorten(line)!r}). Check the hunk's counts, and begin"
                " each file with 'diff --git' or '---' and '+++'"
            )
        reader.skip()
    return False


def _read_section(reader: PatchReader) -> FilePatch:
    """The section that begins at the next line. Raises InvalidPatch."""
    line = reader.number
    fields: dict[str, str] = {}
    has_names = True
    if reader.next_starts_with(_GIT):
        git_names = (reader.peek() or "").removeprefix(_GIT)
        reader.skip()
        fields = _read_fields(reader)
        change, old, new = _git_subject(reader, line, git_names, fields)
        has_names = reader.next_starts_with("--- ")
        if has_names:
            change = _agreed_change(reader, change, old, new)
    else:
        change, old, new = _plain_subject(reader, line)
    hunks = read_hunks(reader)
    if has_names != bool(hunks):
        raise reader.error("must begin a hunk ('@@ -'), and hunks must follow '---' and '+++' lines")
    mode = fields.get("new mode") or fields.get("new file mode")
    new_mode = int(mode, 8) & 0o777 if mode else None
    return FilePatch(change, new, old if change is Change.RENAME else None, hunks, new_mode)


def _read_fields(reader: PatchReader) -> dict[str, str]:
    """Git's extended header lines, by their first words."""
    fields: dict[str, str] = {}
    while (line := reader.peek()) is not None:
        if line.startswith(_BINARY):
            raise reader.error("is of a binary patch, which can't be applied; write the whole file instead")
        match = _FIELD.fullmatch(line.rstrip("\r"))
        if match is None:
            break
        key, value = match.groups()
        if key in fields:
            raise reader.error(f"says {key!r} a second time for the same file")
        if key.startswith("copy"):
            raise reader.error("copies a file; write the copy as a new file instead")
        mode = value if key.endswith("mode") else ""
        if key == "index" and (index := _INDEX_MODE.fullmatch(value)):
            mode = index[1]
        if mode and not _REGULAR_FILE.fullmatch(mode):
            raise reader.error(
                f"has mode {shorten(mode)}: only regular files can be patched, no links or submodules. Leave this file"
                " out of the patch, and let a person or a command make the link"
            )
        fields[key] = value
        reader.skip()
    return fields


def _git_subject(reader: PatchReader, line: int, names: str, fields: dict[str, str]) -> tuple[Change, str, str]:
    """What git's header lines do to which file: the change, the old path and the new one."""
    added, deleted = "new file mode" in fields, "deleted file mode" in fields
    source, target = fields.get("rename from"), fields.get("rename to")
    try:
        if source is None and target is None:
            name = git_header_name(names)
            if name is None:
                raise reader.error(_TWO_NAMES, line)
            if added and deleted:
                raise reader.error("begins a file that is both new and deleted", line)
            return Change.ADD if added else Change.DELETE if deleted else Change.MODIFY, name, name
        if source is None or target is None or added or deleted:
            raise reader.error(
                "begins a rename without 'rename from' or 'rename to', or one that adds or deletes", line
            )
        old, new = file_name(source), file_name(target)
    except BadName as error:
        raise reader.error(str(error), line) from error
    return Change.MODIFY if old == new else Change.RENAME, old, new


def _agreed_change(reader: PatchReader, change: Change, old: str, new: str) -> Change:
    """Read the `---` and `+++` lines below git's header lines, which say `change`, `old` and `new`."""
    old_side, new_side = _read_names(reader)
    sides = (
        (old, change is Change.ADD, old_side, reader.number - 2),
        (new, change is Change.DELETE, new_side, reader.number - 1),
    )
    for path, is_absent, side, number in sides:
        agrees = old == new if side is None else not is_absent and path in (side.name, without_prefix(side.name))
        if not agrees:
            raise reader.error("does not agree with git's header lines above it", number)
    # Some writers leave out 'new file mode' and 'deleted file mode', so /dev/null has the last word.
    if old_side is None:
        return Change.ADD
    if new_side is None:
        return Change.DELETE
    return Change.MODIFY if old == new else Change.RENAME


def _plain_subject(reader: PatchReader, line: int) -> tuple[Change, str, str]:
    """The same of a section that has only `---` and `+++` lines, which are next."""
    old, new = _read_names(reader)
    if old is None or new is None:
        path = (old.name if old else "").removeprefix("a/") or (new.name if new else "").removeprefix("b/")
        if not path:
            raise reader.error("has an empty file name", line)
        return Change.ADD if old is None else Change.DELETE, path, path
    common = common_name(old.name, new.name)
    if common is None:
        raise reader.error(
            "and the next name two files; a rename needs git's 'rename from' and 'rename to', anything else the same"
            " name on both lines (with a/ and b/ before it, or without)",
            line,
        )
    # As in git, the first line's stamp counts first. What the hunks say otherwise is refused afterwards.
    return Change.ADD if old.is_absent else Change.DELETE if new.is_absent else Change.MODIFY, common, common


def _read_names(reader: PatchReader) -> tuple[SideName | None, SideName | None]:
    """The names of the `---` and the `+++` line as they stand there; None for `/dev/null`, but not twice."""
    old = _read_name(reader)
    if not reader.next_starts_with("+++ "):
        raise reader.error("must be the '+++ ' line that belongs to the '--- ' line before it")
    new = _read_name(reader)
    if old is None and new is None:
        message = "names /dev/null, as does the line before it: one of them must name the file"
        raise reader.error(message, reader.number - 1)
    return old, new


def _read_name(reader: PatchReader) -> SideName | None:
    """The name on the next line, which begins with `--- ` or `+++ `; None for `/dev/null` without quotes."""
    text = (reader.peek() or "")[4:]
    if _DEV_NULL_LINE.fullmatch(text):
        reader.skip()
        return None
    try:
        name = side_name(text)
    except BadName as error:
        raise reader.error(str(error)) from error
    reader.skip()
    return name
