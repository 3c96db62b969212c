"""Packages of Go as if they were one file: the compiler reads them so, whatever their files are called.

    p/a.go  before               p/a.go  after           p/b.go  after
    func main() {                func main() {           func (s *shop) open() {
        s.count++                    s.open()                s.count++
        log.Print(s)             }                           log.Print(s)
    }                                                    }

No file alone does what it did: `open` was taken out of `main`, and stands in another file. Both together do the same,
with what one file would import. What has an order by files, as variables that are computed and `init` have, stays in
its file; and names of packages that mean something else in another file keep them apart.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from posixpath import basename, dirname, splitext

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.mutation.canonical_trees import tree_of
from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.file_class import FileClass
from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.moves.package_moves import Built, Loaded, built_for, is_timeless
from intentls.core.mutation.names.go.packages import told_name
from intentls.core.mutation.names.go.references import (
    DEFINITIONS,
    GoFile,
    Key,
    clause_of,
    import_items,
    key_of,
    parts_of_file,
    spelled_item,
)
from intentls.core.syntax.canonicalize import NodeBudget, NotClassifiable, syntax_tree
from intentls.core.syntax.languages.go.adapter import GO
from intentls.core.syntax.tree import Node, every_node

MAX_BYTES = 300_000  # of all contents of one package
_MIN_LINE, _MIN_LINES = 8, 2  # that went from one file to another: fewer are there by chance
_APART = re.compile(rb"//go:(linkname|debug)\b")
# It only asks the compiler whether a type has the methods of another one.
_ASKS = re.compile(rb"^var _ [\w.]+ = \(\*[\w.]+\)\(nil\)[ \t]*$", re.MULTILINE)
_WORD = re.compile(r"\w+")


class MergedPackage(Struct, frozen=True):
    """The files of a package that a change set changes, and the one file that they are together."""

    paths: tuple[str, ...]
    whole: FileVersions


class _Member(Struct, frozen=True):
    """A file of a package, and its trees; none where there is no file."""

    edit: FileVersions
    roots: tuple[Node | None, Node | None]

    @property
    def contents(self) -> tuple[bytes, bytes]:
        return self.edit.before or b"", self.edit.after or b""


def merged_packages(
    edits: Sequence[FileVersions], verdicts: Iterable[FileClass], budget: NodeBudget
) -> Iterator[MergedPackage]:
    """The packages of which more than one file changed, one does something else alone, and lines went to another."""
    unproven = {verdict.path for verdict in verdicts if verdict.mutation_class is MutationClass.INTENT_EVOLUTION}
    folders: defaultdict[tuple[str, bool, Built], list[FileVersions]] = defaultdict(list)
    for edit in edits:
        name = splitext(basename(edit.path))[0]
        if edit.path.endswith(".go") and edit.old_path in (None, edit.path):
            built = built_for(edit.path, (edit.before, edit.after))
            if built is not None:
                folders[dirname(edit.path), name.endswith("_test"), built].append(edit)
    for files in folders.values():
        is_hoped = len(files) > 1 and any(edit.path in unproven for edit in files) and _has_moved_lines(files)
        merged = _merged(sorted(files, key=lambda edit: edit.path), budget) if is_hoped else None
        if merged is not None:
            yield merged


def _has_moved_lines(files: Sequence[FileVersions]) -> bool:
    """Whether lines are gone from one file that came to another."""
    gone, came = [], []
    for edit in files:
        had, has = (
            Counter(line for line in map(bytes.strip, (text or b"").split(b"\n")) if len(line) >= _MIN_LINE)
            for text in (edit.before, edit.after)
        )
        gone.append(had - has)
        came.append(has - had)
    return any(
        (lost & new).total() >= _MIN_LINES
        for index, lost in enumerate(gone)
        for place, new in enumerate(came)
        if place != index
    )


def _merged(files: Sequence[FileVersions], budget: NodeBudget) -> MergedPackage | None:
    """The files as one; None if they are none, or a name in them would mean something else."""
    contents = [text for edit in files for text in (edit.before, edit.after) if text is not None]
    if sum(map(len, contents)) > MAX_BYTES or any(map(_APART.search, contents)):
        return None
    try:
        members = [
            _Member(edit, (_tree(edit.before, budget), _tree(edit.after, budget)))
            for edit in map(_without_asking, files)
        ]
    except NotClassifiable:
        return None
    roots = [root for member in members for root in member.roots if root is not None]
    clauses = {clause_of(root) for root in roots}
    if len(clauses) != 1 or "" in clauses or not _are_names_clear(roots):
        return None
    sides = [[member.roots[side] for member in members] for side in (0, 1)]
    if any(_in_order(member.roots[0], sides[0]) != _in_order(member.roots[1], sides[1]) for member in members):
        return None
    before, after = (_joined(members, side, clauses) for side in (0, 1))
    paths = tuple(edit.path for edit in files)
    return MergedPackage(paths, FileVersions(paths[0], Change.MODIFY, before, after))


def _without_asking(edit: FileVersions) -> FileVersions:
    before, after = (None if text is None else _ASKS.sub(b"", text) for text in (edit.before, edit.after))
    return replace(edit, before=before, after=after)


def _tree(content: bytes | None, budget: NodeBudget) -> Node | None:
    return None if content is None else tree_of(content, GO, budget)


def _are_names_clear(roots: Sequence[Node]) -> bool:
    """Whether each name of an import means one package in all files, and each package's name can be told."""
    paths: defaultdict[str, set[str]] = defaultdict(set)
    for item in (item for root in roots for item in import_items(root)):
        path, name = item.children[0].text or "", told_name(item)
        # What a package is called need not be told by its path: it may be any word of the end of it.
        for word in [name] if name is not None else _WORD.findall("/".join(path.split("/")[-2:])):
            paths[word].add(path)
    if any(len(found) > 1 for name, found in paths.items() if name != "_"):
        return False
    definitions = (part for root in roots for part in parts_of_file(root) if part.kind in DEFINITIONS)
    declared = {name for part in definitions for name in key_of(part)}
    return all(_are_packages_told(root, declared) for root in roots)


def _are_packages_told(root: Node, declared: set[str]) -> bool:
    """Whether it can be told of each import of which names it is the package."""
    if all(told_name(item) is not None for item in import_items(root)):
        return True
    file = GoFile(root, "", "")
    asked = {taken[0] for node in every_node(root) if (taken := file.qualified(node)) is not None}
    return all(file.path_of(name) is not None for name in asked - declared)


def _in_order(root: Node | None, all_roots: Sequence[Node | None]) -> list[Key]:
    """What of a file has its place among what a program does when it begins."""
    if root is None:
        return []
    known = Loaded.by(root, *all_roots)
    return [
        key_of(part)
        for part in parts_of_file(root)
        if (part.kind == "function_declaration" and key_of(part) == ("init",))
        or (part.kind == "var_declaration" and not is_timeless(part, known))
    ]


def _joined(members: Sequence[_Member], side: int, clauses: Collection[str]) -> bytes:
    """One content of all, with what any of them imports."""
    items = {
        spelled_item(item)
        for member in members
        if (root := member.roots[side]) is not None
        for item in import_items(root)
    }
    head = [f"package {next(iter(clauses))}", *(f"import {_import_of(item)}" for item in sorted(items))]
    return "\n".join(head).encode() + b"\n" + b"\n".join(_body(member.contents[side]) for member in members)


def _import_of(item: str) -> str:
    path, *_, name = item.split(" ")
    return f'{name} "{path}"' if name != path.rpartition("/")[2] else f'"{path}"'


def _body(content: bytes) -> bytes:
    """What stands in a file that parses but for its package and its imports; nothing where there is no file."""
    tree = syntax_tree(content, GO.module, GO.function)
    start, kept = 0, []
    for part in () if tree is None else tree.root_node.children:
        if part.type == "package_clause":
            start = part.end_byte
        elif part.type == "import_declaration":
            kept.append(content[start : part.start_byte])
            start = part.end_byte
    return b"".join((*kept, content[start:]))
