"""Definitions of Go that went to another package, with all who use them.

    shop/a.go  before             shop/a.go  after                    money/b.go  after
    func sum(a []int) int {..}    import "example.com/m/money"        func Sum(a []int) int {..}
    func Total(a []int) int {     func Total(a []int) int {
        return sum(a)                 return money.Sum(a)
    }                             }

`sum` is gone from one package, `Sum` came to the other, and both do the same: each name in them means the same thing,
local names aside. Nothing else declared or declares either, and nobody asks for the old one any more. So both are taken
out of the trees, and who names one means `money.Sum`, before and after. A file that imports a package which it did not
loads what this one does when it begins, so that has to be nothing.

The new package may have had another name for it, `type Cent = shop.Cent` or `const One = shop.One`: that is gone, too.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from posixpath import dirname

from msgspec import Struct

from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.moves.go_directories import READS
from intentls.core.mutation.moves.go_glances import declared_names, folded
from intentls.core.mutation.moves.go_loading import GoLoading
from intentls.core.mutation.moves.go_sources import TEST, GoSources
from intentls.core.mutation.moves.package_moves import PINNED, Loaded, built_for, is_timeless
from intentls.core.mutation.names.go.modules import GoModules, modules_of
from intentls.core.mutation.names.go.references import (
    DEFINITIONS,
    GoFile,
    Key,
    alias_in,
    clause_of,
    content_of,
    import_items,
    key_of,
    parts_of_file,
    references,
    spelled_item,
    write_references,
)
from intentls.core.mutation.names.prose import is_for_people
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.renames.tree_renames import ChangedTree
from intentls.core.syntax.tree import Node, every_node

_SUFFIX = ".go"
_PLACED = re.compile(r"^runtime\.(Caller|FuncForPC|Stack)|^runtime/debug\.", re.MULTILINE)
# That of a package is a part of each type's, and decoders name the type of what they can't read.
_SHOWS_NAMES = re.compile(
    rb"%[-+# ]*T|%#v|\breflect\.(?!DeepEqual\b)|\bgob\b|\b(?:json|yaml|toml|xml)\.(?:Unmarshal|NewDecoder)\b"
)


class MovedBetween(Struct, frozen=True):
    """What left a file of Go for another package (`gone`), what `came`, with the other files, and what names mean now.

    `paths` and `packages` are the file's, before and after. `names`: by what they meant, as in
    `example.com/m/shop.sum`. `imports` may come and go. `aliases` are definitions of the old file that only were other
    names for what came.
    """

    paths: tuple[str, str]
    packages: tuple[str, str]
    gone: Mapping[Key, str]
    came: Mapping[Key, str]
    names: Mapping[str, str]
    imports: frozenset[str]
    aliases: frozenset[Key] = frozenset()

    @property
    def is_elsewhere(self) -> bool:
        """Whether the file itself went to another package."""
        return self.packages[0] != self.packages[1]

    def shed(self, old: Node, new: Node) -> set[str]:
        """Take it out of a file's two trees, and write in both what names mean; the reasons."""
        files = [
            GoFile(root, path, package)
            for root, path, package in zip((old, new), self.paths, self.packages, strict=True)
        ]
        now = {name: name for name in self.names.values()}
        was, means = ({said for _, said, _ in references(file)} for file in files)
        followed = {name for old_name, name in self.names.items() if old_name != name and old_name in was} & means
        if not (self.gone or self.came or self.aliases or followed):
            return set()
        one, other = (file.imports for file in files)
        apart = {name for name in {*one, *other} if one.get(name) != other.get(name)}
        had, has = ({spelled_item(item) for item in import_items(root)} for root in (old, new))
        dropped = {text for text in had ^ has if text.split()[0] in self.imports and not text.endswith((" _", " ."))}
        sides = (({*self.gone, *self.aliases}, self.names), ({*self.came}, now))
        for file, (moved, names) in zip(files, sides, strict=True):
            kept = [
                part
                for part in parts_of_file(file.root)
                if not (part.text is None and part.kind in DEFINITIONS and key_of(part) in moved)
                and not (part.kind == "import_item" and spelled_item(part) in dropped)
            ]
            is_empty = all(part.kind in ("package_clause", "import_item", "comment") for part in kept)
            if self.is_elsewhere and is_empty and not any(spelled_item(part).endswith(" _") for part in kept):
                kept = [part for part in kept if part.kind != "package_clause"]
            file.root.children = kept
            write_references(file, names, apart)
        reasons = {f"moved {_said(key)} to {place}" for key, place in self.gone.items()}
        reasons |= {f"moved {_said(key)} from {place}" for key, place in self.came.items()}
        return reasons | {f"follows {name}" for name in followed}


class _Moved(Struct, frozen=True):
    """A definition that is gone from `source`, and the one that came to `target`.

    `alias`: the file that had another name for it, where it is now.
    """

    source: GoFile
    target: GoFile
    node: Node
    copy: Node
    alias: GoFile | None = None

    def names(self) -> Iterator[tuple[str, str]]:
        """What its names meant, and what they mean."""
        if self.node.kind != "method_declaration":
            for old, new in zip(key_of(self.node), key_of(self.copy), strict=True):
                yield f"{self.source.package}.{old}", f"{self.target.package}.{new}"


_Parse = Callable[[str, bytes], Node | None]


class _Packages:
    """The files of each package before and after the change, those that it leaves alone included."""

    def __init__(
        self, changed: Mapping[bool, Sequence[GoFile]], sources: GoSources, modules: GoModules, parse: _Parse
    ) -> None:
        self._changed, self._sources, self._modules, self._parse = changed, sources, modules, parse
        self.declared = cache(self._declared)
        self.shown = cache(self._find_showing)

    def _files(self, package: str, *, is_before: bool) -> list[GoFile] | None:
        """Those of one package; None if they can't be told."""
        texts = self._sources.texts(package.removesuffix("_test"), is_before=is_before)
        files = [file for file in self._changed[is_before] if file.package == package]
        known = {file.path for file in self._changed[is_before]}
        for path, text in (texts or {}).items():
            root = None if path in known else self._parse(path, text)
            if root is not None and _package(root, path, self._modules) == package:
                files.append(GoFile(root, path, package))
            elif root is None and path not in known:
                return None
        return None if texts is None else files

    def _declared(self, package: str, *, is_before: bool) -> frozenset[str] | None:
        """The names that a package declares, and words that only look so; None if they can't be told."""
        texts = self._sources.texts(package.removesuffix("_test"), is_before=is_before)
        if texts is None:
            return None
        return frozenset(name for text in texts.values() for name in declared_names(text)) - {"_"}

    def _find_showing(self) -> set[str]:
        """What the files of the change name that may show what a type is called."""
        return {
            said
            for is_before, files in self._changed.items()
            for file in files
            if _SHOWS_NAMES.search(self._sources.changed[is_before][file.path])
            for _, said, _ in references(file)
        }

    def is_there(self, package: str, *, is_test: bool) -> bool:
        """Whether a package has a file after the change. `is_test`: its tests count."""
        texts = self._sources.texts(package.removesuffix("_test"), is_before=False) or {}
        return any(is_test or not path.endswith(TEST) for path in texts)

    def asks_for_none(self, methods: Collection[str], packages: Iterable[str]) -> bool:
        """Whether no interface of these packages asks for one of these methods, which is another one in each."""
        for package in packages:
            for is_before in (True, False):
                files = self._files(package, is_before=is_before)
                nodes = (node for file in files or () for node in every_node(file.root) if node.kind == "method_elem")
                names = {name.text for node in nodes if (name := node.child("name")) is not None}
                if files is None or not names.isdisjoint(methods):
                    return False
        return True


def definitions_between_packages(
    edits: Sequence[FileVersions],
    files: Sequence[ChangedTree],
    renamed: Mapping[str, str],
    others: RepositoryText,
    parse: _Parse,
) -> dict[str, MovedBetween]:
    """By path: the files of Go from which definitions went to another package, to which they came, and their users.

    One directory lost what another one got (`may_be_between_packages`). The trees are to be whole; `renamed` are names
    that all of the repository calls otherwise.
    """
    code = [file for file in files if file.adapter.name == "Go"]
    is_read = len(code) == sum(edit.path.endswith(_SUFFIX) for edit in edits)
    if not is_read:
        return {}
    modules = modules_of(edits, others)
    changed = {
        is_before: [
            GoFile(root, path, package)
            for file in code
            for root, path in [(file.before, file.old_path or file.path) if is_before else (file.after, file.path)]
            if root is not None
            for package in [_package(root, path, modules)]
            if package is not None
        ]
        for is_before in (True, False)
    }
    sources = GoSources(edits, others, modules)
    packages = _Packages(changed, sources, modules, parse)
    moved = _candidates(changed, _built_apart(edits))
    while True:  # it ends, as each round but the last takes some away
        names = {old: new for move in moved for old, new in move.names()}
        kept = [move for move in moved if _means_the_same(move, names, renamed, packages)]
        if len(kept) == len(moved):
            break
        moved = kept
    if not moved or _is_embedded(moved, changed) or _is_left(names, others, modules, parse):
        return {}
    return dict(_by_path(code, changed, moved, GoLoading(edits, sources, parse)))


def _package(root: Node, path: str, modules: GoModules) -> str | None:
    """A package by its import path; that of tests which only see what others do is another one."""
    module = modules.around(dirname(path))
    is_outside = path.endswith(f"_test{_SUFFIX}") and clause_of(root).endswith("_test")
    return None if module is None else f"{module.import_path(dirname(path))}{'_test' if is_outside else ''}"


def _built_apart(edits: Sequence[FileVersions]) -> set[str]:
    """The files, before or after, that are built for some systems alone, or with C code in them."""
    found: set[str] = set()
    for edit in edits:
        paths = {edit.path, edit.old_path or edit.path}
        if any(built_for(path, (edit.before, edit.after)) != () for path in paths):
            found |= paths
    return found


def _candidates(changed: Mapping[bool, Sequence[GoFile]], apart: Collection[str]) -> list[_Moved]:
    """The definitions that are gone from one package and came to another one, as their names tell."""
    had, has = (_by_name(changed[is_before]) for is_before in (True, False))
    came: defaultdict[tuple[bool, Key], list[_Came]] = defaultdict(list)
    for (package, key), places in has.items():
        one = _Came(*places[0], *alias_in(had.get((package, key), ())))
        is_new = (package, key) not in had or one.alias is not None
        if is_new and len(places) == 1 and not any(file.path in apart for file in (one.file, one.alias) if file):
            came[one.file.is_test, tuple(map(folded, key))].append(one)
    moved: list[_Moved] = []
    for (package, key), places in had.items():
        if (package, key) in has or len(places) > 1 or places[0][0].path in apart or not PINNED.isdisjoint(key):
            continue
        source, node = places[0]
        targets = came[source.is_test, tuple(map(folded, key))]
        if len(targets) == 1 and targets[0].file.package != package:
            target = targets[0]
            if target.alias is None or target.meant == f"{package}.{key[0]}":
                moved.append(_Moved(source, target.file, node, target.node, target.alias))
    taken = Counter(id(move.copy) for move in moved)
    # What was there twice may be there once now, if nothing tells the one from the other.
    return [move for move in moved if taken[id(move.copy)] == 1 or move.node.kind == "function_declaration"]


class _Came(Struct, frozen=True):
    """A definition that a package has now. `alias`: the file in which it was another name for what is `meant`."""

    file: GoFile
    node: Node
    alias: GoFile | None = None
    meant: str = ""


def _by_name(files: Iterable[GoFile]) -> dict[tuple[str, Key], list[tuple[GoFile, Node]]]:
    found: defaultdict[tuple[str, Key], list[tuple[GoFile, Node]]] = defaultdict(list)
    for file in files:
        for key, node in file.definitions():
            found[file.package, key].append((file, node))
    return dict(found)


def _means_the_same(move: _Moved, names: Mapping[str, str], renamed: Mapping[str, str], packages: _Packages) -> bool:
    """Whether each name in a definition means the same where it is now, and it does not matter where it stands."""
    declared = packages.declared(move.source.package, is_before=True)
    there = packages.declared(move.target.package, is_before=False)
    if declared is None or there is None or not (move.source.is_clear and move.target.is_clear):
        return False
    if move.node.kind == "var_declaration" and not is_timeless(move.node, Loaded.by(move.source.root)):
        return False
    content = content_of(move.source, move.node, declared, names, renamed)
    if content is None or _PLACED.search(content) or content != content_of(move.target, move.copy, there, {}, {}):
        return False
    if move.node.kind == "type_declaration" and any(not packages.shown().isdisjoint(pair) for pair in move.names()):
        return False
    # A test is run where it stands, and what is asked for a package that is gone is asked for its directory.
    is_test = move.source.is_test
    if (is_test and READS.search(content.encode())) or not packages.is_there(move.source.package, is_test=is_test):
        return False
    hidden = {name for name in _methods(move.node) if not name[:1].isupper()}
    return not hidden or packages.asks_for_none(hidden, (move.source.package, move.target.package))


def _methods(definition: Node) -> Iterator[str]:
    """The methods that a definition makes or asks for."""
    if definition.kind == "method_declaration":
        yield key_of(definition)[-1]
    for node in every_node(definition):
        name = node.child("name") if node.kind == "method_elem" else None
        yield from [name.text or ""] if name is not None else []


def _is_embedded(moved: Iterable[_Moved], changed: Mapping[bool, Sequence[GoFile]]) -> bool:
    """Whether a struct has a type that is called otherwise now, without a name of its own for it."""
    words = {name for move in moved for name in (key_of(move.node) if key_of(move.node) != key_of(move.copy) else ())}
    nodes = (node for file in changed[True] for node in every_node(file.root) if words)
    fields = (node for node in nodes if node.kind == "field_declaration" and node.child("name") is None)
    return any(leaf.text in words for field in fields for leaf in every_node(field))


def _is_left(names: Mapping[str, str], others: RepositoryText, modules: GoModules, parse: _Parse) -> bool:
    """Whether something beside the change asks for a definition where it was."""
    mentioning = others.mentioning(sorted({name.rpartition(".")[2] for name in names}))
    if mentioning is None:
        return True
    for path, content in mentioning.items():
        if not path.endswith(_SUFFIX):
            # The linker may be told to set a variable.
            said = content.decode("utf-8", "replace")
            if not is_for_people(path, content) and any(
                re.search(rf"\b(main|{re.escape(package)})\.{name}\b", said)
                for package, _, name in (name.rpartition(".") for name in names)
            ):
                return True
            continue
        root = parse(path, content)
        package = None if root is None else _package(root, path, modules)
        if (
            root is None
            or package is None
            or any(said in names for _, said, _ in references(GoFile(root, path, package)))
        ):
            return True
    return False


def _by_path(
    files: Iterable[ChangedTree],
    changed: Mapping[bool, Sequence[GoFile]],
    moved: Sequence[_Moved],
    loading: GoLoading,
) -> Iterator[tuple[str, MovedBetween]]:
    names = {old: new for move in moved for old, new in move.names()}
    kept = {name: name for move in moved if move.alias is not None for _, name in move.names()}
    homes = frozenset(package for move in moved for package in (move.source.package, move.target.package))
    had, has = ({path for file in changed[is_before] for path in file.paths()} for is_before in (True, False))
    old, new = ({file.path: file for file in changed[is_before]} for is_before in (True, False))
    for file in files:
        paths = (file.old_path or file.path, file.path)
        one, other = old.get(paths[0]), new.get(paths[1])
        if one is None or other is None:
            continue
        is_sure = one.package != other.package or loading.is_same(one.package, is_test=one.is_test)
        yield (
            file.path,
            MovedBetween(
                paths,
                (one.package, other.package),
                {key_of(move.node): move.target.path for move in moved if move.source.path == paths[0]},
                {key_of(move.copy): move.source.path for move in moved if move.target.path == paths[1]},
                {**kept, **names},
                homes | (had & has) if is_sure else frozenset(),
                frozenset(
                    key_of(move.copy) for move in moved if move.alias is not None and move.alias.path == paths[0]
                ),
            ),
        )


def _said(key: Key) -> str:
    return ".".join(filter(None, key)) if "" in key else ", ".join(key[:3])
