"""Items of Rust that went to another module of their crate, and the files that find them there.

    src/config.rs  before                src/config.rs  after               src/paging.rs  after
    pub enum Paging { Always }           use crate::paging::Paging;         pub enum Paging { Always }
    pub struct Config { a: Paging }      pub struct Config { a: Paging }

`Paging` is gone from one module and came to the other, word for word, and each name in it means the same in both. So it
is taken out of both files' trees. What is left has to mean the same under the imports before and after, name by name:
then the old tree is compared as one with the imports of today.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.moves.rust_settled import SettledModule, content_of
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.names.rust_modules import (
    Meanings,
    ModulePlace,
    RustItem,
    RustModules,
    RustScope,
    RustUse,
    paths_of_import,
    place_of,
    roots_of,
    scopes_in,
)
from intentls.core.mutation.names.rust_paths import RustMacros, macros_in, paths_in
from intentls.core.mutation.renames.tree_renames import ChangedTree
from intentls.core.syntax.languages.adapter import kinds
from intentls.core.syntax.tree import Node, every_node, spelling

_MOVABLE = kinds("function_item struct_item enum_item union_item trait_item type_item const_item static_item impl_item")
# What finds a test by its whole name, or writes the module into a log.
_FOUND = re.compile(r"test|bench|case|instrument|tracing|track_caller")
_PLACED = kinds("type_name Location")
_SILENT = kinds("struct_item enum_item union_item type_item")  # nothing in them calls a method
_NO_TRAITS = kinds("struct_item enum_item union_item function_item const_item static_item mod_item")
_STARTS = kinds("crate self super")
_Path = tuple[str, ...]
_Parse = Callable[[str, bytes], Node | None]


class _MovedItem(Struct, frozen=True):
    """An item that is gone from one module, and the one that came to another."""

    item: RustItem
    source: RustScope
    copy: RustItem
    target: RustScope

    @property
    def old(self) -> tuple[str, ...]:
        """What it was to who names it."""
        return (*self.source.place, f"{self.item.node.kind} {self.item.name}")

    @property
    def new(self) -> tuple[str, ...]:
        """What it is now."""
        return (*self.target.place, f"{self.copy.node.kind} {self.copy.name}")


def moves_in_crates(
    edits: Sequence[FileVersions], files: Sequence[ChangedTree], others: RepositoryText, parse: _Parse
) -> dict[str, SettledModule]:
    """By path: what a file of Rust gave to other modules or took from them, and the imports that follow."""
    rust = [file for file in files if file.path.endswith(".rs")]
    mentioning = others.mentioning(sorted(_words(rust)))
    manifests = others.mentioning(("package",))
    if mentioning is None or manifests is None:
        return {}
    rest = {path: parse(path, text) for path, text in mentioning.items() if path.endswith(".rs")}
    unread = [mentioning[path] for path, root in rest.items() if root is None]
    texts = [*mentioning.values(), *(text for edit in edits for text in (edit.before, edit.after) if text is not None)]
    if any(b"type_name" in text for text in texts):
        return {}  # a program may say where a type is
    known = {path: root for path, root in rest.items() if root is not None}
    manifests = {**manifests, **{edit.path: edit.after for edit in edits if edit.after is not None}}
    crates, is_old = roots_of(manifests, [*known, *(file.path for file in rust)])
    had = {file.old_path or file.path: file.before for file in rust if file.before is not None}
    has = {file.path: file.after for file in rust if file.after is not None}
    before, after = RustModules({**known, **had}, crates, is_old), RustModules({**known, **has}, crates, is_old)
    return _CrateMoves(rust, before, after, RustMacros(others, texts), unread).settled()


def _words(files: Sequence[ChangedTree]) -> set[str]:
    """The words by which files may be asked for what changed in the imports of these, and what went or came."""
    words: set[str] = set()
    for file in files:
        scopes = [list(scopes_in(root, file.path)) if root is not None else [] for root in (file.before, file.after)]
        uses = [{path for scope in version for path in _used(scope)} for version in scopes]
        names = [{item.name for scope in version for item in scope.items} for version in scopes]
        words |= {word for path in uses[0] ^ uses[1] for word in path} | (names[0] ^ names[1])
        words |= {word for path in (file.path, file.old_path) if path for word in (place_of(path) or ())[1:]}
    return {word for word in words if word.isidentifier()} - {*_STARTS, "std", "core", "alloc"} | {"type_name"}


def _used(scope: RustScope) -> set[_Path]:
    return {use.path for use in scope.uses}


def _has_only(nodes: set[int], scopes: Sequence[RustScope]) -> bool:
    """Whether a module has a file of its own, and nothing in that but these items and imports that no one else sees."""
    items = [item for scope in scopes for item in scope.items]
    parts = {id(part) for item in items for part in item.parts}
    is_all = all(id(item.node) in nodes for item in items) and all(
        id(node) in parts for one in scopes for node in one.rest
    )
    return len(scopes) == 1 and is_all and not any(use.visible for scope in scopes for use in scope.uses)


class _CrateMoves:
    """The files of Rust of a change set, in the light of the modules before and after."""

    def __init__(
        self,
        files: Sequence[ChangedTree],
        before: RustModules,
        after: RustModules,
        macros: RustMacros,
        unread: Sequence[bytes],
    ) -> None:
        self._files, self._before, self._after, self._macros, self._unread = files, before, after, macros, unread
        self._moves: list[_MovedItem] = []
        self._today: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._said: dict[int, set[_Path]] = {}  # what each part of a module says, by its identity

    def settled(self) -> dict[str, SettledModule]:
        """What is proven of each file."""
        self._moves = list(self._find())
        while True:  # it ends, as each round but the last takes some away
            self._today = {move.old: move.new for move in self._moves if move.item.name}
            kept = [move for move in self._moves if self._means_the_same(move)]
            if len(kept) == len(self._moves):
                break
            self._moves = kept
        if not any(move.item.name for move in self._moves):
            return {}
        found = ((file.path, self._settle(file)) for file in self._files)
        return {path: settled for path, settled in found if settled is not None}

    def _find(self) -> Iterator[_MovedItem]:
        gone: defaultdict[tuple[str, str], list[tuple[RustItem, RustScope]]] = defaultdict(list)
        came: defaultdict[tuple[str, str], list[tuple[RustItem, RustScope]]] = defaultdict(list)
        changed = {path for file in self._files for path in (file.path, file.old_path)}
        for modules, found in ((self._before, gone), (self._after, came)):
            for scope in (scope for scopes in modules.scopes.values() for scope in scopes):
                for item in scope.items if scope.path in changed else ():
                    if item.node.kind in _MOVABLE:
                        found[scope.place[0], content_of(item)].append((item, scope))
        for key in gone.keys() & came.keys():
            if len(gone[key]) == len(came[key]) == 1:
                (item, source), (copy, target) = gone[key][0], came[key][0]
                if source.place != target.place and source.path != target.path:
                    yield _MovedItem(item, source, copy, target)

    def _means_the_same(self, move: _MovedItem) -> bool:
        item, copy = move.item, move.copy
        conditions = [
            None if way is None else way | one.conditions
            for way, one in (
                (self._before.conditions_of(move.source.place), item),
                (self._after.conditions_of(move.target.place), copy),
            )
        ]
        attributes = [*item.marks, *(spelling(node) for node in every_node(item.node) if node.kind == "attribute_item")]
        if conditions[0] is None or conditions[0] != conditions[1] or any(map(_FOUND.search, attributes)):
            return False
        is_shown = [modules.is_public(place) for modules, place in self._ends(move)]
        if item.name and (item.visible == "pub" and is_shown[0]) != (copy.visible == "pub" and is_shown[1]):
            return False
        if item.name and self._is_left(move):
            return False
        paths = set(paths_in([item.node]))
        is_placeless = all(map(self._macros.is_placeless, macros_in(item.node)))
        if not is_placeless or any(not _PLACED.isdisjoint(path) for path in paths):
            return False
        if item.node.kind not in _SILENT and not self._has_same_traits(move):
            return False
        here, there = move.source.place, move.target.place
        inner = {path for node in every_node(item.node) for _, path, _ in paths_of_import(node)}
        given = sorted(conditions[0])
        return all(self._is_same(path, here, there, given) for path in paths) and all(
            self._is_same(path, here, there, given, in_use=True) for path in inner
        )

    def _ends(self, move: _MovedItem) -> list[tuple[RustModules, ModulePlace]]:
        return [(self._before, move.source.place), (self._after, move.target.place)]

    def _is_left(self, move: _MovedItem) -> bool:
        """Whether a file still asks for it where it was, or something else is called so there."""
        name = move.item.name
        asked = (move.source.place, ("self", name))
        there = self._after.meaning(*asked)
        is_free = there is not None and all(thing[-1].endswith("::?") for thing in there)
        is_free = is_free or move.source.place not in self._after.scopes
        if not is_free and there != self._now(self._before.meaning(*asked)):
            return True
        word = re.compile(rf"(?<!\w){name}(?!\w)".encode())
        if any(map(word.search, self._unread)):
            return True
        scopes = [scope for scopes in self._after.scopes.values() for scope in scopes]
        return any(
            name in path and self._after.meaning(scope.place, path, in_use=in_use) == frozenset()
            for scope in scopes
            for in_use, paths in ((True, {use.path for use in scope.uses}), (False, self._paths_of(scope)))
            for path in paths
            if in_use or len(path) > 1
        )

    def _paths_of(self, scope: RustScope) -> set[_Path]:
        if id(scope) not in self._said:
            self._said[id(scope)] = set(paths_in(scope.rest))
        return self._said[id(scope)]

    def _now(self, meanings: Meanings) -> Meanings:
        """What was meant, as it is called today."""
        today = ((conditions, *self._today_of(tuple(thing))) for conditions, *thing in meanings or ())
        return None if meanings is None else frozenset(today)

    def _today_of(self, thing: tuple[str, ...]) -> tuple[str, ...]:
        head, sign, tail = thing[-1].partition("::") if thing else ("", "", "")
        moved = self._today.get((*thing[:-1], head))
        return thing if moved is None else (*moved[:-1], f"{moved[-1]}{sign}{tail}")

    def _is_same(
        self,
        path: _Path,
        here: ModulePlace,
        there: ModulePlace,
        given: Sequence[str] = (),
        *,
        in_use: bool = False,
    ) -> bool:
        """Whether a path means in one module before what it does in another one after, where `given` holds in both."""
        had = _under(given, self._now(self._before.meaning(here, path, in_use=in_use)))
        has = _under(given, self._after.meaning(there, path, in_use=in_use))
        return had is not None and had == has

    def _settle(self, file: ChangedTree) -> SettledModule | None:
        if file.before is None or file.after is None:
            return None
        gone = [move for move in self._moves if move.source.path == (file.old_path or file.path)]
        came = [move for move in self._moves if move.target.path == file.path]
        had = {scope.place: scope for scope in scopes_in(file.before, file.old_path or file.path)}
        has = {scope.place: scope for scope in scopes_in(file.after, file.path)}
        base = place_of(file.path) or ()
        if had.keys() != has.keys():
            return None
        followed = {name for move in self._moves for name in [move.item.name] if name}
        taken_out = {content_of(move.item) for move in gone} | {content_of(move.copy) for move in came}
        modules: set[_Path] = set()
        declared: set[str] = set()
        for place, old in had.items():
            new = has[place]
            out = {id(part) for move in gone if move.source.place == place for part in _parts_of(old, move.item)}
            came_here = [move for move in came if move.target.place == place]
            differing = self._modules_that_differ(old, new)
            if differing is None:
                return None
            is_changed = bool(out or came_here or differing) or _used(old) != _used(new)
            if is_changed and not self._may_replace(old, new, gone, out):
                return None
            if not is_changed and (gone or came) and not self._stays(old, new, out):
                return None
            if is_changed:
                modules.add(place[len(base) :])
            declared |= differing
        names = {word for scope in (*had.values(), *has.values()) for use in scope.uses for word in use.path}
        if not modules or not (gone or came or declared or names & followed):
            return None
        reasons = {f"moved {move.item.name} to {move.target.path}" for move in gone if move.item.name}
        reasons |= {f"moved {move.item.name} from {move.source.path}" for move in came if move.item.name}
        return SettledModule(
            frozenset(taken_out | declared),
            frozenset(taken_out | declared),
            frozenset(modules),
            (*sorted(reasons), "other imports, in which each name means the same"),
            file.path,
        )

    def _modules_that_differ(self, old: RustScope, new: RustScope) -> set[str] | None:
        """The modules that one version alone declares, by content; None if one has more than what moved."""
        contents: set[str] = set()
        nodes = {id(node) for move in self._moves for node in (move.item.node, move.copy.node)}
        for scope, other, modules, elsewhere in (
            (old, new, self._before, self._after),
            (new, old, self._after, self._before),
        ):
            known = {content_of(item) for item in other.items if item.is_module}
            for item in scope.items:
                if item.is_module and content_of(item) not in known:
                    place = (*scope.place, item.name)
                    if item.marks or place in elsewhere.scopes or not _has_only(nodes, modules.scopes.get(place, ())):
                        return None
                    contents.add(content_of(item))
        return contents

    def _may_replace(self, old: RustScope, new: RustScope, gone: Sequence[_MovedItem], out: set[int]) -> bool:
        """Whether what stays in a module means the same under its imports before and after."""
        if not self._stays(old, new, out):
            return False
        had, has = self._imported(old, self._before), self._imported(new, self._after)
        if had is None or has is None:
            return False
        own = {
            ("", move.item.visible, move.item.name, self._now(frozenset({("", *move.old)})))
            for move in gone
            if move.source.place == old.place and move.item.name
        }
        stars = [{part for part in side if part[2] == "*"} for side in (had, has)]
        shown = [{part for part in side if part[1]} for side in (had, has)]
        traits = [{part[3] for part in side if not part[1] and self._may_be_trait(part[3])} for side in (had, has)]
        traits[0] |= {part[3] for part in own if self._may_be_trait(part[3])}
        is_shown = shown[0] <= shown[1] and {part[1:] for part in shown[1] - shown[0]} <= {part[1:] for part in own}
        return stars[0] == stars[1] and is_shown and (traits[0] <= traits[1] or traits[1] <= traits[0])

    def _stays(self, old: RustScope, new: RustScope, out: set[int]) -> bool:
        """Whether each name in what stays in a module is the same thing before and after."""
        rest = [node for node in old.rest if id(node) not in out]
        return all(self._is_same(path, old.place, new.place) for path in set(paths_in(rest)))

    def _has_same_traits(self, move: _MovedItem) -> bool:
        """Whether what brings methods in one module is there in the other one, too."""
        had, has = self._traits(move.source, self._before), self._traits(move.target, self._after)
        return had is not None and has is not None and (had <= has or has <= had)

    def _traits(self, scope: RustScope, modules: RustModules) -> set[tuple[str, Meanings]] | None:
        imported = self._imported(scope, modules)
        if imported is None:
            return None
        own = [item for item in scope.items if item.node.kind == "trait_item"]
        meant = [modules.meaning(scope.place, (item.name,)) for item in own]
        found = {("", self._now(thing) if modules is self._before else thing) for thing in meant}
        return found | {
            ("*" if name == "*" else "", what)
            for _, _, name, what in imported
            if name == "*" or self._may_be_trait(what)
        }

    def _imported(self, scope: RustScope, modules: RustModules) -> set[tuple[str, str, str, Meanings]] | None:
        """What a module takes: under which attributes, seen by whom, by which name, and what it is."""
        found: set[tuple[str, str, str, Meanings]] = set()
        for use in scope.uses:
            path = use.path[:-1] if use.name == "*" else use.path
            meant = modules.meaning(scope.place, path, in_use=True)
            meant = self._now(meant) if modules is self._before else meant
            if not meant:
                return None
            found.add((_marked(use), use.visible, use.name, meant))
        return found

    def _may_be_trait(self, meant: Meanings) -> bool:
        """Whether an import may bring methods with it."""
        lasts = [thing[-1] for thing in meant or ()]
        return not all(last.split(" ")[0] in _NO_TRAITS or last.rpartition("::")[2][:1].islower() for last in lasts)


def _under(given: Sequence[str], meanings: Meanings) -> Meanings:
    """What is meant where these conditions hold anyway."""
    if meanings is None or not given:
        return meanings
    left = ([part for part in thing[0].split(" ") if part not in given] for thing in meanings)
    return frozenset((" ".join(parts), *thing[1:]) for parts, thing in zip(left, meanings, strict=True))


def _marked(use: RustUse) -> str:
    return " ".join(sorted(use.conditions))


def _parts_of(scope: RustScope, item: RustItem) -> Sequence[Node]:
    content = content_of(item)
    return [part for one in scope.items if content_of(one) == content for part in one.parts]
