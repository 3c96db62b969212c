"""Packages of Go that a change set moves to another directory, or calls otherwise, with all who import them.

    live/client.go -> pkg/share/client.go     -package live      -import "example.com/m/live"
                                              +package share     +import "example.com/m/pkg/share"
                                                                 -live.Open()
                                                                 +share.Open()

A package is all that lies in one directory, and is imported by the path of that: of its module, and of the directory in
it. So it has moved if all of its files did, to a directory that had none, and nothing asks for the old path any more.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from posixpath import basename, dirname, splitext

from msgspec import Struct

from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.moves.go_sources import clause_in
from intentls.core.mutation.names.go.modules import MODULE_FILE, GoModules, modules_of
from intentls.core.mutation.names.go.packages import MovedPackage, MovedPackages
from intentls.core.mutation.names.prose import is_for_people
from intentls.core.mutation.names.repository_text import RepositoryText

_SUFFIX = ".go"
_QUOTED = re.compile(rb"^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?\"([^\"\n]+)\"[ \t]*(?://.*)?$", re.MULTILINE)
# In a file with one of these its place means something.
_PLACED = re.compile(
    rb"//go:(embed|linkname)|runtime\.(Caller|FuncForPC)|\.PkgPath\(|^[ \t]*(import[ \t]*)?\"C\"", re.MULTILINE
)
# What it reads lies beside it.
READS = re.compile(
    rb"[\"`/](testdata|fixtures)\b|[\"`]\.\./|[\"`][\w./-]+\.(json|txt|golden|ya?ml|pem|html|tmpl|sql|csv|xml)[\"`]"
)
_SHOWS_NAMES = re.compile(rb"%[-+# ]*T|\breflect\b|\bgob\b")  # that of a package is a part of each type's


class _Directory(Struct, frozen=True):
    """A directory of Go that moved, what its package is called, and its files, with the paths that these have now."""

    old: str
    new: str
    old_name: str
    name: str
    files: Mapping[str, str]


def moved_packages(edits: Sequence[FileVersions], others: RepositoryText) -> MovedPackages:
    """The packages that moved as wholes, or are called otherwise, and for which nothing asks in their old place."""
    files: dict[str, str] = {}
    packages: dict[str, MovedPackage] = {}
    imports: dict[str, MovedPackage] = {}
    modules: GoModules | None = None
    for directory in _directories(edits):
        modules = modules_of(edits, others) if modules is None else modules
        module = modules.around(directory.old)
        prefixes = _prefixes(edits, directory) if module is None else {module.path}
        if len(prefixes) > 1 or module != modules.around(directory.new):
            continue
        prefix = next(iter(prefixes), "")
        places = (directory.old, directory.new)
        old, new = (f"{prefix}/{path}".strip("/") if module is None else module.import_path(path) for path in places)
        if _is_left(directory, old if prefix else "", edits, others):
            continue
        files.update(directory.files)
        package = MovedPackage(new if prefix else directory.new, directory.old_name, directory.name)
        packages[directory.old] = package
        if prefix:
            imports[old] = package
    return MovedPackages(files, packages, imports)


def _directories(edits: Sequence[FileVersions]) -> Iterator[_Directory]:
    """The directories all of whose files went to one that had none, or changed the name of their package."""
    code = [edit for edit in edits if edit.path.endswith(_SUFFIX) and edit.after is not None]
    went: defaultdict[str, set[str]] = defaultdict(set)
    came: defaultdict[str, set[str]] = defaultdict(set)
    for edit in code:
        old, new = dirname(edit.old_path or edit.path), dirname(edit.path)
        if edit.before is not None:
            went[old].add(new)
            came[new].add(old)
    added = {dirname(edit.path) for edit in code if edit.before is None}
    for old, targets in went.items():
        new = min(targets)
        moved = [edit for edit in code if edit.before is not None and dirname(edit.path) == new]
        old_names = {_package(edit.before) for edit in moved}
        names = {_package(edit.after) for edit in moved}
        if len(targets) > 1 or came[new] != {old} or len(old_names) > 1 or len(names) > 1 or (old in added - {new}):
            continue
        old_name, name = old_names.pop(), names.pop()
        is_seen = old_name != name and "internal" not in old.split("/")  # others may import it by its name
        is_program = "main" in (old_name, name) and (old_name != name or basename(old) != basename(new))
        if not old or not old_name or not name or is_program or is_seen or (old, old_name) == (new, name):
            continue
        if _stays_the_same(moved, (old, new), edits, is_called_otherwise=old_name != name):
            yield _Directory(old, new, old_name, name, {edit.old_path or edit.path: edit.path for edit in moved})


def _package(text: bytes | None) -> str:
    """What the package of a file is called, to which its tests belong."""
    return clause_in(text or b"").removesuffix("_test")


def _stays_the_same(
    moved: Sequence[FileVersions], places: tuple[str, str], edits: Sequence[FileVersions], *, is_called_otherwise: bool
) -> bool:
    """Whether the place of the files and the name of the package mean nothing, or what they read went with them."""
    texts = [text for edit in moved for text in (edit.before, edit.after) if text is not None]
    tests = [edit.after or b"" for edit in moved if edit.path.endswith(f"_test{_SUFFIX}")]  # run in their directory
    if is_called_otherwise and any(map(_SHOWS_NAMES.search, texts)):
        return False
    old, new = places
    if old == new:
        return True
    with_them = any(
        (edit.old_path or "").startswith(f"{old}/") and edit.path.startswith(f"{new}/" if new else "")
        for edit in edits
        if splitext(edit.path)[1] != _SUFFIX
    )
    return not any(map(_PLACED.search, texts)) and (with_them or not any(map(READS.search, tests)))


def _prefixes(edits: Sequence[FileVersions], directory: _Directory) -> set[str]:
    """What stands before the directory in imports that follow it: all there is to go by without a `go.mod`."""
    if not directory.new:
        return {"", "/"}
    had, has = (
        {
            path.decode("utf-8", "replace").removesuffix(f"/{place}")
            for text in texts
            for path in _QUOTED.findall(text or b"")
            if path.endswith(f"/{place}".encode())
        }
        for texts, place in (
            ([edit.before for edit in edits if edit.path.endswith(_SUFFIX)], directory.old),
            ([edit.after for edit in edits if edit.path.endswith(_SUFFIX)], directory.new),
        )
    )
    return had & has


def _is_left(directory: _Directory, imported: str, edits: Sequence[FileVersions], others: RepositoryText) -> bool:
    """Whether the old directory or the new one had other files, or something asks for the old one.

    `imported` is the path by which it was imported; empty if that can't be told.
    """
    is_deep = "/" in directory.old
    words = [directory.old] if is_deep else [imported, *directory.files] if imported else [directory.old]
    names = {directory.old_name, directory.name}
    mentioning = others.mentioning(sorted({*words, *names, *(f"{name}_test" for name in names)} - {""}))
    if mentioning is None or any(
        path.endswith(_SUFFIX) and dirname(path) in (directory.old, directory.new) for path in mentioning
    ):
        return True
    if directory.old == directory.new:
        return False  # who calls it otherwise follows, or does not compile
    old = re.escape(directory.old)
    in_go = rf"[\"`]{re.escape(imported)}[\"`]" if imported else rf"(?<![\w.-]){old}[\"`]"
    whole = rf"(?<![\w/.-]){re.escape(imported)}(?![\w-])" if imported else ""
    relative = rf"\./{old}(?![\w-])"
    named = rf"(?<![\w.-]){old}(?![\w-])" if is_deep else rf"(?<![\w/.-])(\./)?{old}/[\w*.-]+\.go|{relative}"
    for_go = re.compile(f"{in_go}|{relative}".encode())
    elsewhere = re.compile("|".join(filter(None, (whole, named))).encode())
    is_inner = f"/{directory.old}" in directory.new
    files = [*mentioning.items(), *((edit.path, edit.after) for edit in edits if edit.after is not None)]
    for path, text in files:
        if basename(path) == MODULE_FILE or is_for_people(path, text):
            continue
        kept = text.replace(directory.new.encode(), b"") if is_inner else text
        if (for_go if path.endswith(_SUFFIX) else elsewhere).search(kept):
            return True
    return False
