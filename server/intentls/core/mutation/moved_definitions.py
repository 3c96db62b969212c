"""Python functions and classes that moved to another file of the same change, with the imports that this takes."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from intentls.core.mutation.name_scopes import NameScopes, scopes_of
from intentls.core.mutation.reordering import content_of
from intentls.core.syntax.languages.python import PYTHON
from intentls.core.syntax.tree import Node, Role, flatten

_DEFINITIONS = ("function_definition", "class_definition")
IsModule = Callable[[str, str, str], bool]


@dataclass(frozen=True, slots=True)
class ChangedText:
    """One file before and after; `before` is None for a new one."""

    path: str
    before: Node | None
    after: Node


def relocated(files: Sequence[ChangedText], is_module: IsModule) -> dict[str, str]:
    """The path of each file whose whole change is that definitions left it or came -> the reason.

    `is_module(module, path, importer)` tells whether the file at `path` can be what `importer` calls `module`.
    """
    sides = [_ChangeSide(file) for file in files]
    found: dict[str, str] = {}
    for source in sides:
        for target in sides:
            names = _moved(source, target)
            if names and _Move(source, target, names, is_module).is_proven():
                told = ", ".join(names[:3])
                found[source.path] = f"moved {told} to {target.path}"
                found[target.path] = f"moved {told} from {source.path}"
    return found


class _ChangeSide:
    def __init__(self, file: ChangedText) -> None:
        self.path = file.path
        self.is_new = file.before is None
        self.old = _Module(file.before or Node("module", None, 0))
        self.new = _Module(file.after)
        self.gone = {name: text for name, text in self.old.definitions.items() if name not in self.new.definitions}
        self.came = {name: text for name, text in self.new.definitions.items() if name not in self.old.definitions}
        self.imports_gone = self.old.imports - self.new.imports
        self.imports_came = self.new.imports - self.old.imports


class _Module:
    def __init__(self, root: Node) -> None:
        self.kids = root.kids
        self.nodes = {_name(kid): kid for kid in root.kids if kid.kind in _DEFINITIONS}
        self.definitions = {name: content_of(node) for name, node in self.nodes.items()}
        self.items = {content_of(kid): kid for kid in root.kids if kid.kind == "import_item"}
        self.imports = Counter(content_of(kid) for kid in root.kids if kid.kind == "import_item")

    def rest(self, moved: Sequence[str]) -> Node:
        """What is neither imported nor moved."""
        kids = [kid for kid in self.kids if kid.kind != "import_item" and not self._is_of(kid, moved)]
        return Node("module", None, 0, kids=kids)

    def _is_of(self, kid: Node, moved: Sequence[str]) -> bool:
        return kid.kind in _DEFINITIONS and _name(kid) in moved

    def binder_of(self, name: str) -> str | None:
        """The import that binds the name."""
        return next((text for text, item in self.items.items() if item.kids[-1].text == name), None)

    def are_imports_first(self) -> bool:
        """Whether all imports stand before all that does something, and each binds a name of its own."""
        kinds = [kid.kind == "import_item" for kid in self.kids if kid.kind not in ("docstring", "comment")]
        names = {item.kids[-1].text for item in self.items.values() if item.kids[-1].binds}
        return kinds == sorted(kinds, reverse=True) and len(names) == len(self.items)

    def future(self) -> set[str]:
        """What it takes from `__future__`: it changes what a definition means."""
        return {text for text, item in self.items.items() if item.kids[0].text == "__future__"}


def _name(definition: Node) -> str:
    name = definition.child("name")
    return definition.origin if name is None else name.text or ""


def _moved(source: _ChangeSide, target: _ChangeSide) -> list[str]:
    return [name for name, text in source.gone.items() if target.came.get(name) == text]


class _Move:
    def __init__(self, source: _ChangeSide, target: _ChangeSide, names: list[str], is_module: IsModule) -> None:
        self._source, self._target, self._names = source, target, names
        self._is_module = is_module
        self._source_rest, self._target_rest = source.new.rest(names), target.new.rest(names)

    def is_proven(self) -> bool:
        source, target = self._source, self._target
        return (
            set(source.gone) == set(self._names) == set(target.came)
            and not source.came
            and not target.gone
            and content_of(source.old.rest(self._names)) == content_of(self._source_rest)
            and content_of(target.old.rest(self._names)) == content_of(self._target_rest)
            and self._is_in_order()
            and source.old.future() == target.new.future()
            and all(module.are_imports_first() for module in (source.old, source.new, target.old, target.new))
            and self._is_name_left_alone()
            and self._is_source_adjusted()
            and self._is_target_adjusted()
            and all(self._means_the_same(name) for name in self._names)
        )

    def _is_in_order(self) -> bool:
        """They stand in one order here and there, each once, and nothing in the new file asks for one too early."""
        before, after = (
            [kid for kid in kids if kid.kind in _DEFINITIONS and _name(kid) in self._names]
            for kids in (self._source.old.kids, self._target.new.kids)
        )
        if [_name(kid) for kid in before] != [_name(kid) for kid in after] or len(before) != len(self._names):
            return False
        first = self._target.new.kids.index(after[0])
        early = Node(
            "module", None, 0, kids=[kid for kid in self._target.new.kids[:first] if kid.kind != "import_item"]
        )
        return set(self._names).isdisjoint(flatten(early).names)

    def _is_name_left_alone(self) -> bool:
        """Neither file gives the names to anything else."""
        for rest in (self._source_rest, self._target_rest):
            scope = scopes_of(rest, PYTHON.bindings).scopes[0]
            if not scope.held.isdisjoint(self._names) or any(name in scope.bound for name in self._names):
                return False
        return True

    def _is_source_adjusted(self) -> bool:
        """The old file imports what it still uses; a public name it goes on to know. No circle is closed."""
        source, target = self._source, self._target
        came = [source.new.items[text] for text in source.imports_came]
        if any(not self._is_of(item, target.path, source.path) for item in came):
            return False
        known = {item.kids[-1].text for item in came}
        words = set(
            re.findall(r"\w+", "\n".join((*flatten(self._source_rest).tokens, *flatten(self._source_rest).names)))
        )
        if any(name not in known and (name in words or not _is_private(name)) for name in self._names):
            return False
        needed = self._needed()
        for text in source.imports_gone:
            item = source.old.items[text]
            name = item.kids[-1].text
            if not _is_standard(item) or name in words or name not in needed:
                return False
        had = {item.kids[0].text for item in source.old.items.values()}
        is_near = source.path.rpartition("/")[0] == target.path.rpartition("/")[0]
        return not known or all(
            _is_standard(item) or (item.kids[0].text in had and (is_near or not _is_relative(item)))
            for item in target.new.items.values()
        )

    def _is_target_adjusted(self) -> bool:
        """The new file imports what came needs, as the old file did, and from the old one no more what is its own."""
        source, target = self._source, self._target
        gone = [target.old.items[text] for text in target.imports_gone]
        if any(not self._is_of(item, source.path, target.path) for item in gone):
            return False
        had = {item.kids[-1].text for item in gone}
        used = set(flatten(self._target_rest).names)
        if any(name in used and name not in had for name in self._names):
            return False
        still = {item.kids[0].text for item in target.new.items.values()}
        if not still.issuperset(item.kids[0].text for item in gone) and not _is_quiet(source.new):
            return False
        needed = self._needed()
        return all(
            text in source.old.items
            and target.new.items[text].kids[-1].text in needed
            and (_is_standard(target.new.items[text]) or target.is_new)
            for text in target.imports_came
            if target.new.items[text].kids[0].text != "__future__"
        )

    def _is_of(self, item: Node, path: str, importer: str) -> bool:
        """Whether it imports one of the names, under its own name, from the file at `path`."""
        name = item.kids[-1].text or ""
        is_plain = len(item.kids) == 3 and item.kids[1].text == name and name in self._names
        return is_plain and self._is_module(item.kids[0].text or "", path, importer)

    def _means_the_same(self, name: str) -> bool:
        """Each name that it takes from around it is the same thing in the new file."""
        source, target = self._source.old, self._target.new
        here, there = _bound(source.kids), _bound(target.kids)
        node = source.nodes[name]
        if any(token in ("(global_statement", "(nonlocal_statement") for token in flatten(node).tokens):
            return False
        words = set(re.findall(r"\w+", "\n".join(flatten(node).tokens)))  # a text may name what is around it
        for free in self._free(name) | (words & here):
            if free in PYTHON.bindings.dynamic or free.startswith("__"):
                return False
            if free in self._names:
                continue
            imported = source.binder_of(free)
            is_foreign = free not in here and free not in there
            is_same = is_foreign or (imported is not None and imported in target.items)
            if not is_same or not self._is_reachable(imported, source):
                return False
        return True

    def _is_reachable(self, imported: str | None, source: _Module) -> bool:
        """Whether a relative import says the same in both files."""
        if imported is None or not _is_relative(source.items[imported]):
            return True
        return self._source.path.rpartition("/")[0] == self._target.path.rpartition("/")[0]

    def _needed(self) -> set[str]:
        return {name for moved in self._names for name in self._free(moved)}

    def _free(self, name: str) -> set[str]:
        scopes: NameScopes = scopes_of(Node("module", None, 0, kids=[self._source.old.nodes[name]]), PYTHON.bindings)
        return {use.text for use in scopes.uses if use.role is Role.NAME and scopes.resolve(use) in (None, 0)} - {name}


def _bound(kids: list[Node]) -> set[str]:
    """The names that a file with these statements gives to something."""
    return set(scopes_of(Node("module", None, 0, kids=kids), PYTHON.bindings).scopes[0].bound)


def _is_quiet(module: _Module) -> bool:
    """Whether to import it does nothing but define: then it need not be imported."""
    for kid in module.kids:
        tokens = flatten(kid).tokens
        is_class = kid.kind == "class_definition" and "(call" not in tokens and "(argument_list" not in tokens
        is_other = kid.kind == "docstring" or (kid.kind == "import_item" and _is_standard(kid))
        if not (is_class or is_other or kid.kind == "function_definition"):
            return False
    return True


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _is_relative(item: Node) -> bool:
    return (item.kids[0].text or "").startswith(".")


def _is_standard(item: Node) -> bool:
    """Whether it is of the standard library: to import that has no effect that a program could miss."""
    return (item.kids[0].text or "").partition(".")[0] in sys.stdlib_module_names
