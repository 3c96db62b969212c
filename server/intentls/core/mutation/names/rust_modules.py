"""What the names in a crate of Rust mean: a path is followed from module to module, through what they hand on.

    src/lib.rs     mod idle; pub use idle::Park;
    src/idle.rs    pub struct Park;
    src/work.rs    use crate::Park;                `Park` is the item `Park` of the module `idle`

What leads out of the crate is known by its path alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from posixpath import basename, dirname

from msgspec import Struct, field

from intentls.core.syntax.tree import Node, spelling

ModulePlace = tuple[str, ...]
"""The directory or file of a crate's root, and the names of the modules down to this one."""

Meanings = frozenset[tuple[str, ...]] | None
"""What a path may name: each thing with the conditions on the way to it. None where that can't be told."""

_MAX_STEPS = 6
_SIGN = "::"
_EVERYTHING = "*"
_PUBLIC = "pub"
_EDITION = re.compile(rb"""^\s*edition\s*=\s*["'](\d+)["']""", re.MULTILINE)
_CRATE_NAME = re.compile(rb"""^\s*name\s*=\s*["']([\w-]+)["']""", re.MULTILINE)
_MADE = re.compile(r"macro_invocation")
_ITEM = re.compile(r"(?<!import)_item\Z|macro_definition\Z|extern_crate_declaration\Z")


class RustUse(Struct, frozen=True):
    """One path that an import takes, under the name that it has then; `*` for all names of a module."""

    visible: str
    path: tuple[str, ...]
    name: str
    conditions: frozenset[str]
    parts: tuple[Node, ...]  # the import, with the attributes before it


class RustItem(Struct, frozen=True):
    """An item of a module, or an `impl`, which has no name; `marks` are the attributes that are no conditions."""

    name: str
    node: Node
    visible: str
    conditions: frozenset[str]
    marks: tuple[str, ...]
    parts: tuple[Node, ...]

    @property
    def is_module(self) -> bool:
        """Whether it declares a module, with its body or without."""
        return self.node.kind == "mod_item"


class RustScope(Struct):
    """A module, or the part of one that a file has."""

    place: ModulePlace
    path: str
    holder: Node
    uses: list[RustUse] = field(default_factory=list)
    items: list[RustItem] = field(default_factory=list)
    rest: list[Node] = field(default_factory=list)

    def named(self, name: str) -> list[RustItem]:
        """The items of one name."""
        return [item for item in self.items if item.name == name]


def place_of(path: str) -> ModulePlace | None:
    """The module that a file is; None for one whose crate its path does not tell."""
    parts = path.removesuffix(".rs").split("/")
    if "src" not in parts[:-1]:
        return (path,)
    at = len(parts) - 1 - parts[::-1].index("src")
    if parts[at + 1] == "bin":
        if len(parts) < at + 4:
            return (path,)
        at += 2
    modules = parts[at + 1 :]
    if modules[-1] in ("lib", "main") and len(modules) == 1:
        modules = []
    elif modules[-1] == "mod":
        modules = modules[:-1]
    return ("/".join(parts[: at + 1]), *modules)


def scopes_in(root: Node, path: str) -> Iterator[RustScope]:
    """The module of a file, and those that stand in it with their bodies."""
    place = place_of(path)
    stack = [(root, place)] if place is not None else []
    while stack:
        holder, here = stack.pop()
        scope = RustScope(here, path, holder)
        before: list[Node] = []
        for child in holder.children:
            if child.kind == "attribute_item":
                before.append(child)
                continue
            _take(scope, child, before)
            before = []
            body = child.child("body") if child.kind == "mod_item" else None
            if body is not None:
                stack.append((body, (*here, _name(child))))
        yield scope


def _take(scope: RustScope, child: Node, before: Sequence[Node]) -> None:
    spelled = ["".join(spelling(mark).split()) for mark in before]
    conditions = frozenset(mark for mark in spelled if mark.startswith("#[cfg("))
    parts = (*before, child)
    uses = list(paths_of_import(child))
    for visible, path, name in uses:
        scope.uses.append(RustUse(visible, path, name, conditions, parts))
    if not uses:
        scope.rest += parts
    if _ITEM.search(child.kind) and child.text is None:
        marks = tuple(mark for mark in spelled if mark not in conditions)
        scope.items.append(RustItem(_name(child), child, _visible(child), conditions, marks, parts))


def _name(item: Node) -> str:
    name = item.child("alias") or item.child("name")
    return "" if name is None or item.kind == "impl_item" else name.text or ""


def _visible(item: Node) -> str:
    return next((spelling(child) for child in item.children if child.kind == "visibility_modifier"), "")


def paths_of_import(child: Node) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """The paths of an import: who sees it, the path, and its name here."""
    if child.kind == "import_item":
        visible, _, module = (child.children[0].text or "").rpartition(" ")
        last = child.children[1].text or ""
        alias = child.children[-1]
        path = (*_split(module), *(() if last == "self" else (last,)))
        is_named = alias.kind == "identifier" and last != "self"
        yield visible, path, alias.text or "" if is_named else _bound_by(path, last, spelling(alias))
    elif child.kind == "use_declaration":
        said = child.children[-2]
        text = spelling(said.children[0] if said.kind == "use_as_clause" else said)
        path = _split(text.removesuffix("::self"))
        alias_of = said.children[-1].text or "" if said.kind == "use_as_clause" else path[-1]
        yield _visible(child), path, alias_of


def _bound_by(path: tuple[str, ...], last: str, alias: str) -> str:
    """The name of what has no name of its own in the tree: `a::{self}` is `a`, and `a::B as _` has none."""
    if last == "self":
        return path[-1] if "::" in alias else alias
    return last if last == _EVERYTHING else "_"


def _split(text: str) -> tuple[str, ...]:
    parts = text.split(_SIGN)
    return tuple(part for number, part in enumerate(parts) if part or number == 0) if text else ()


class RustModules:
    """The modules of one version of the files. `crates`: the root of each library that has a name in the repository.

    `is_old`: whether a crate, by its root, finds what an import names from there (the edition of 2015).
    """

    def __init__(self, trees: Mapping[str, Node], crates: Mapping[str, str], is_old: Mapping[str, bool | None]) -> None:
        self._crates, self._is_old = crates, is_old
        self.scopes: dict[ModulePlace, list[RustScope]] = defaultdict(list)
        for path, root in trees.items():
            for scope in scopes_in(root, path):
                self.scopes[scope.place].append(scope)
        self._known: dict[tuple[ModulePlace, tuple[str, ...], bool], Meanings] = {}

    def meaning(self, place: ModulePlace, path: tuple[str, ...], *, in_use: bool = False) -> Meanings:
        """What a path names in a module: an item, a module, what an import brings; none of these: nothing."""
        key = (place, path, in_use)
        if key not in self._known:
            self._known[key] = self._follow(place, path, in_use=in_use, steps=_MAX_STEPS)
        return self._known[key]

    def conditions_of(self, place: ModulePlace) -> frozenset[str] | None:
        """What decides whether a module is there; None where no file says that it is."""
        found: set[str] = set()
        for length in range(1, len(place)):
            declared = [item for item in self._declared(place[:length], place[length]) if item.is_module]
            if len(declared) != 1 or declared[0].marks:
                return None
            found |= declared[0].conditions
        return frozenset(found)

    def is_public(self, place: ModulePlace) -> bool:
        """Whether each module on the way to this one is `pub`."""
        return all(
            item.visible == _PUBLIC
            for length in range(1, len(place))
            for item in self._declared(place[:length], place[length])
            if item.is_module
        )

    def _declared(self, place: ModulePlace, name: str) -> list[RustItem]:
        return [item for scope in self.scopes.get(place, ()) for item in scope.named(name)]

    def _uses(self, place: ModulePlace) -> list[RustUse]:
        return [use for scope in self.scopes.get(place, ()) for use in scope.uses]

    def _follow(self, place: ModulePlace, path: tuple[str, ...], *, in_use: bool, steps: int) -> Meanings:
        if not steps or not path:
            return None
        start, rest = self._start(place, path, in_use=in_use)
        if start is None:
            return None if rest is None else frozenset({("", _SIGN.join(rest))})
        found: Meanings = frozenset({("", *start)})
        for number, name in enumerate(rest or (), start=1):
            found = self._step(found, name, place, steps=steps, is_last=number == len(rest or ()))
            if not found:
                return found
        return found

    def _start(
        self, place: ModulePlace, path: tuple[str, ...], *, in_use: bool
    ) -> tuple[ModulePlace | None, tuple[str, ...] | None]:
        """The module in which a path begins, and what is left of it; no module if it leads out of the crate."""
        first, *rest = path
        if first == "crate":
            return place[:1], tuple(rest)
        if first == "self":
            return place, tuple(rest)
        if first == "super":
            above = place
            names = list(path)
            while names and names[0] == "super":
                above, names = above[:-1], names[1:]
            return (above, tuple(names)) if above else (None, None)
        is_old = self._is_old.get(place[0])
        if first == "":
            is_own = is_old and (not rest or self._has(place[:1], rest[0], in_use=True))
            return (place[:1] if is_own else None), tuple(rest)
        if len(path) == 1 and not in_use:
            return place, path
        is_here, is_at_root = (self._has(module, first, in_use=in_use) for module in (place, place[:1]))
        if in_use and is_old is not False and place != place[:1]:
            if is_old:
                return (place[:1], path) if is_at_root else (None, path)
            return (None, None) if is_here or is_at_root else self._outside(path)
        return (place, path) if is_here else self._outside(path)

    def _outside(self, path: tuple[str, ...]) -> tuple[ModulePlace | None, tuple[str, ...]]:
        root = self._crates.get(path[0])
        return (None, path) if root is None else ((root,), path[1:])

    def _has(self, place: ModulePlace, name: str, *, in_use: bool) -> bool:
        """Whether a module says what a name is; an import of `a::b` does not begin with the `a` that it brings."""
        uses = (use for use in self._uses(place) if use.name == name)
        return bool(self._declared(place, name)) or any(not in_use or use.path[0] != name for use in uses)

    def _step(self, found: Meanings, name: str, importer: ModulePlace, *, steps: int, is_last: bool) -> Meanings:
        """What `name` is in each of the things that a path names so far."""
        results: set[tuple[str, ...]] = set()
        for conditions, *thing in found or ():
            place = tuple(thing)
            if place not in self.scopes:
                results.add((conditions, *thing[:-1], f"{thing[-1]}{_SIGN}{name}"))  # of a type, or out of the crate
                continue
            inner = self._in_module(place, name, importer, steps=steps, is_last=is_last)
            if inner is None:
                return None
            results |= {(_joined(conditions, more), *rest) for more, *rest in inner}
        return frozenset(results)

    def _in_module(
        self, place: ModulePlace, name: str, importer: ModulePlace, *, steps: int, is_last: bool
    ) -> Meanings:
        is_near = importer[: len(place)] == place  # it sees what is private there
        results: set[tuple[str, ...]] = set()
        declared = self._declared(place, name)
        modules = [item for item in declared if item.is_module]
        is_module = bool(modules) and not is_last  # what goes on after it can be nothing else
        for item in modules if is_module else declared:
            if not (is_near or item.visible):
                continue
            if item.node.kind == "extern_crate_declaration":
                outside = self._outside(((item.node.child("name") or item.node).text or "",))
                results.add((_joined("", *item.conditions), *(outside[0] or outside[1])))
            elif item.is_module:
                results.add((_joined("", *item.conditions), *place, name))
            else:
                results.add((_joined("", *item.conditions), *place, f"{item.node.kind} {name}"))
        for use in () if is_module else self._uses(place):
            if use.name == name and (is_near or use.visible):
                meant = self._follow(place, use.path, in_use=True, steps=steps - 1)
                if meant is None:
                    return None
                results |= {(_joined(conditions, *use.conditions), *rest) for conditions, *rest in meant}
        found = frozenset(results) if results else self._by_stars(place, name, is_near=is_near, steps=steps)
        if found == frozenset() and importer != place and self._may_be_made(place):
            return frozenset({("", *place, f"?{name}")})
        return found

    def _may_be_made(self, place: ModulePlace) -> bool:
        """Whether a macro may give a module any names."""
        parts = (part for scope in self.scopes[place] for part in scope.rest)
        return any(part.kind == "macro_invocation" or _MADE.search(_head_of(part)) for part in parts)

    def _by_stars(self, place: ModulePlace, name: str, *, is_near: bool, steps: int) -> Meanings:
        """What the imports of all names give a module under one."""
        results: set[tuple[str, ...]] = set()
        for use in self._uses(place):
            if use.name != _EVERYTHING or not (is_near or use.visible):
                continue
            meant = self._follow(place, use.path[:-1], in_use=True, steps=steps - 1)
            if meant is None:
                return None
            for conditions, *thing in meant:
                all_conditions = _joined(conditions, *use.conditions)
                if tuple(thing) in self.scopes:
                    if tuple(thing) == place:
                        continue
                    inner = self._in_module(tuple(thing), name, place, steps=steps - 1, is_last=True)
                    if inner is None:
                        return None
                    results |= {(_joined(all_conditions, more), *rest) for more, *rest in inner}
                else:
                    results.add((all_conditions, *thing[:-1], f"{thing[-1]}{_SIGN}?"))  # it may be one of these
        return frozenset(results)


def _head_of(part: Node) -> str:
    return part.children[0].kind if part.kind == "expression_statement" and part.children else ""


def _joined(*conditions: str) -> str:
    return " ".join(sorted({part for text in conditions for part in text.split(" ") if part}))


def roots_of(manifests: Mapping[str, bytes], paths: Sequence[str]) -> tuple[dict[str, str], dict[str, bool | None]]:
    """The roots of the libraries by their names, and whether each root is of the edition of 2015."""
    by_place = {dirname(path): text for path, text in manifests.items() if basename(path) == "Cargo.toml"}
    named: defaultdict[str, set[str]] = defaultdict(set)
    for place, text in by_place.items():
        for name in _CRATE_NAME.findall(text)[:1]:
            named[name.decode().replace("-", "_")].add(f"{place}/src".removeprefix("/"))
    roots = {place[0] for place in map(place_of, paths) if place is not None}
    return {name: places.pop() for name, places in named.items() if len(places) == 1}, {
        root: _is_of_2015(root, by_place) for root in roots
    }


def _is_of_2015(root: str, manifests: Mapping[str, bytes]) -> bool | None:
    place = dirname(root)
    while place and place not in manifests:
        place = dirname(place)
    if place not in manifests:
        return None
    edition = _EDITION.search(manifests[place])
    return edition[1] == b"2015" if edition is not None else b"edition" not in manifests[place]
