"""One file's section of a patch: git's header lines, the two names, the hunks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from intentls.core.errors import shorten
from intentls.core.patch import file_names
from intentls.core.patch.hunks import PatchHunk
from intentls.core.patch.reader import PatchReader, read_hunks

T = TypeVar("T")

_GIT = "diff --git "
_FIELD = re.compile(
    r"(old mode|new mode|deleted file mode|new file mode|rename from|rename to|copy from|copy to"
    r"|similarity index|dissimilarity index|index) (.*)",
    re.DOTALL,
)
_INDEX_MODE = re.compile(r"[0-9a-f]+\.\.[0-9a-f]+ ([0-7]{6})")
_REGULAR_FILE = re.compile(r"100[0-7]{3}")
_BINARY = ("GIT binary patch", "Binary files ")
_VERSION = re.compile(r"[0-9]+\.[0-9]+.*", re.DOTALL)
# What belongs to a section; outside of one it must not be skipped as if it were prose.
_ORPHAN = re.compile(
    r"@@ -|\+\+\+ |rename (from|to) |copy (from|to) |(old|new|new file|deleted file) mode [0-7]{6}\r?$"
    r"|GIT binary patch|Binary files .* differ\r?$"
)


@dataclass(frozen=True, slots=True)
class Subject:
    """The file that a section is about. `old` and `new` differ only for a rename; at most one flag is set."""

    old: str
    new: str
    added: bool = False
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class FileSection:
    """`line` is where it begins (from 1); `new_mode` holds permission bits, None if the section sets none."""

    line: int
    subject: Subject
    new_mode: int | None
    hunks: tuple[PatchHunk, ...]


def find_section(reader: PatchReader, prose: bool) -> bool:
    """Go on to where the next section begins; False if there is none.

    With `prose` (before the first section, and behind the signature that ends a mail) other text is skipped,
    else only what `diff -r` and others write between two files. Raises InvalidPatch for any other line.
    """
    while (line := reader.peek()) is not None:
        if line.startswith(_GIT) or (line.startswith("--- ") and _starts(reader.peek(1), "+++ ")):
            return True
        prose = prose or _is_signature(reader, line)
        if _ORPHAN.match(line) or not (prose or _is_separator(line)):
            raise reader.error(
                f"belongs to no file and no hunk ({shorten(line)!r}). Check the hunk's counts, and begin"
                " each file with 'diff --git' or '---' and '+++'"
            )
        reader.skip()
    return False


def _starts(line: str | None, prefix: str) -> bool:
    return line is not None and line.startswith(prefix)


def _is_signature(reader: PatchReader, line: str) -> bool:
    """Whether the mail signature of `git format-patch` begins here: two dashes, then git's version."""
    return line == "-- " and _VERSION.fullmatch(reader.peek(1) or "") is not None


def _is_separator(line: str) -> bool:
    return not line.strip() or line.startswith(("Index: ", "=====", "diff -"))


def read_section(reader: PatchReader) -> FileSection:
    """The section that begins at the next line. Raises InvalidPatch."""
    line = reader.number
    first = reader.peek() or ""
    fields: dict[str, str] = {}
    has_names = True
    if first.startswith(_GIT):
        reader.skip()
        fields = _read_fields(reader)
        subject = _git_subject(reader, line, first.removeprefix(_GIT), fields)
        has_names = _starts(reader.peek(), "--- ")
        if has_names:
            subject = _agreed(reader, subject, *_read_names(reader))
    else:
        subject = _plain_subject(reader, line, *_read_names(reader))
    hunks = read_hunks(reader)
    if has_names != bool(hunks):
        raise reader.error("must begin a hunk ('@@ -'), and hunks must follow '---' and '+++' lines")
    return FileSection(line, subject, _new_mode(fields), hunks)


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
        _check_mode(reader, key, value)
        fields[key] = value
        reader.skip()
    return fields


def _check_mode(reader: PatchReader, key: str, value: str) -> None:
    if key == "index":
        match = _INDEX_MODE.fullmatch(value)
        value = match[1] if match else ""
    elif not key.endswith("mode"):
        return
    if value and not _REGULAR_FILE.fullmatch(value):
        raise reader.error(f"has mode {shorten(value)}: only regular files can be patched, no links or submodules")


def _new_mode(fields: dict[str, str]) -> int | None:
    mode = fields.get("new mode") or fields.get("new file mode")
    return int(mode, 8) & 0o777 if mode else None


def _named(reader: PatchReader, line: int, parse: Callable[[str], T], text: str) -> T:
    try:
        return parse(text)
    except ValueError as error:
        raise reader.error(str(error), line) from error


def _git_subject(reader: PatchReader, line: int, names: str, fields: dict[str, str]) -> Subject:
    """The file that git's header lines name."""
    added, deleted = "new file mode" in fields, "deleted file mode" in fields
    source, target = fields.get("rename from"), fields.get("rename to")
    if source is None and target is None:
        name = _named(reader, line, file_names.git_header_name, names)
        if name is None:
            raise reader.error("must name one file twice; a rename needs 'rename from' and 'rename to'", line)
        if added and deleted:
            raise reader.error("begins a file that is both new and deleted", line)
        return Subject(name, name, added, deleted)
    if source is None or target is None or added or deleted:
        raise reader.error("begins a rename without 'rename from' or 'rename to', or one that adds or deletes", line)
    return Subject(_named(reader, line, file_names.renamed, source), _named(reader, line, file_names.renamed, target))


def _read_names(reader: PatchReader) -> tuple[str | None, str | None]:
    """The names of the `---` and the `+++` line as they stand there; None for `/dev/null`, but not twice."""
    old = _named(reader, reader.number, file_names.file_name, (reader.peek() or "")[4:])
    reader.skip()
    if not _starts(reader.peek(), "+++ "):
        raise reader.error("must be the '+++ ' line that belongs to the '--- ' line before it")
    new = _named(reader, reader.number, file_names.file_name, (reader.peek() or "")[4:])
    if old is None and new is None:
        raise reader.error("names /dev/null, as does the line before it: one of them must name the file")
    reader.skip()
    return old, new


def _agreed(reader: PatchReader, subject: Subject, old_name: str | None, new_name: str | None) -> Subject:
    """`subject`, checked against the names of the `---` and `+++` lines, which were just read."""
    sides = (
        (subject.old, subject.added, old_name, reader.number - 2),
        (subject.new, subject.deleted, new_name, reader.number - 1),
    )
    for path, absent, name, number in sides:
        is_fit = subject.old == subject.new if name is None else not absent and file_names.means(name, path)
        if not is_fit:
            raise reader.error("does not agree with git's header lines above it", number)
    # Some writers leave out 'new file mode' and 'deleted file mode', so /dev/null has the last word.
    return Subject(subject.old, subject.new, old_name is None, new_name is None)


def _plain_subject(reader: PatchReader, line: int, old_name: str | None, new_name: str | None) -> Subject:
    """The file of a section that has only `---` and `+++` lines."""
    if old_name is None or new_name is None:
        name, prefix = (new_name, "b/") if old_name is None else (old_name, "a/")
        path = _named(reader, line, lambda text: file_names.without_prefix(text, prefix), name or "")
        return Subject(path, path, old_name is None, new_name is None)
    both = file_names.common_name(old_name, new_name)
    if both is None:
        raise reader.error("and the next name two files; a rename needs git's 'rename from' and 'rename to'", line)
    return Subject(both, both)
