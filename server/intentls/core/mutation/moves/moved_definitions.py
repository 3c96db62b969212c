"""Python functions and classes that moved to another file of the same change, with the imports that this takes.

    app.py  before                  app.py  after                   util.py  after (new)
    import json                     from util import load           import json
    def load(text):                                                 def load(text):
        return json.loads(text)                                         return json.loads(text)
    print(load("[]"))               print(load("[]"))

`load` is gone from one file and came to the other with the same text. The rest of both files is the same but for
imports, and these are what the move takes: app.py imports what it still uses, util.py brings what `load` needs, bound
to the same modules. So app.py is a refactor. Anything beyond that, and anything unclear, is not.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from intentls.core.mutation.equivalences.reordering import content_of
from intentls.core.mutation.names.name_scopes import scopes_of
from intentls.core.mutation.renames.file_renames import is_module
from intentls.core.syntax.languages.python.adapter import PYTHON
from intentls.core.syntax.tree import Node, Role, flatten

_DEFINITIONS = ("function_definition", "class_definition")


class ChangedText(Struct, frozen=True):
    """One file before and after; `before` is None for a new one."""

    path: str
    before: Node | None
    after: Node


def find_moves(files: Sequence[ChangedText], is_taken: Callable[[str, str], bool]) -> dict[str, str]:
    """The path of each file whose whole change is that definitions left it or came -> the reason.

    `is_taken(path, name)`: another file takes the name from the one at `path`.
    """
    changes = [_ModuleChange(file) for file in files]
    reasons: dict[str, str] = {}
    for source in changes:
        for target in changes:
            names = [name for name, text in source.gone.items() if target.came.get(name) == text]
            left = source.new.binds
            is_missed = any(name not in left and is_taken(source.path, name) for name in names)
            if names and not is_missed and _Move(source, target, names).is_proven():
                shown = ", ".join(names[:3])
                reasons[source.path] = f"moved {shown} to {target.path}"
                reasons[target.path] = f"moved {shown} from {source.path}"
    return reasons


class _ModuleChange:
    """A file before and after: its definitions and imports that are `gone`, and those that `came`."""

    def __init__(self, file: ChangedText) -> None:
        self.path = file.path
        self.is_new = file.before is None
        self.old = _Module(file.before or _module())
        self.new = _Module(file.after)
        self.gone = {name: text for name, text in self.old.definitions.items() if name not in self.new.definitions}
        self.came = {name: text for name, text in self.new.definitions.items() if name not in self.old.definitions}
        self.imports_gone = self.old.imports - self.new.imports
        self.imports_came = self.new.imports - self.old.imports


class _Module:
    """One version of a file: its statements (`children`), and its definitions and imports by name and content."""

    def __init__(self, root: Node) -> None:
        self.children = root.children
        self.nodes = {_name(child): child for child in root.children if child.kind in _DEFINITIONS}
        self.definitions = {name: content_of(node) for name, node in self.nodes.items()}
        import_items = [child for child in root.children if child.kind == "import_item"]
        self.items = {content_of(item): item for item in import_items}
        self.imports = Counter(map(content_of, import_items))

    @property
    def binds(self) -> set[str]:
        """The names that it imports."""
        return {item.children[-1].text or "" for item in self.items.values()}

    def rest(self, moved: Sequence[str]) -> Node:
        """What is neither imported nor moved."""
        return _module(
            child
            for child in self.children
            if child.kind != "import_item" and not (child.kind in _DEFINITIONS and _name(child) in moved)
        )

    def binder_of(self, name: str) -> str | None:
        """The import that binds the name."""
        return next((text for text, item in self.items.items() if item.children[-1].text == name), None)

    def are_imports_first(self) -> bool:
        """Whether all imports stand before all that does something, and each binds a name of its own."""
        kinds = [child.kind == "import_item" for child in self.children if child.kind not in ("docstring", "comment")]
        names = {item.children[-1].text for item in self.items.values() if item.children[-1].binds}
        return kinds == sorted(kinds, reverse=True) and len(names) == len(self.items)

    def future(self) -> set[str]:
        """What it takes from `__future__`: it changes what a definition means."""
        return {text for text, item in self.items.items() if item.children[0].text == "__future__"}


def _module(statements: Iterable[Node] = ()) -> Node:
    return Node("module", None, 0, children=list(statements))


def _name(definition: Node) -> str:
    name = definition.child("name")
    return definition.origin if name is None else name.text or ""


class _Move:
    """The claim that all that happened is: the definitions `names` went from one file to the other."""

    def __init__(self, source: _ModuleChange, target: _ModuleChange, names: list[str]) -> None:
        self._source, self._target, self._names = source, target, names
        self._source_rest, self._target_rest = source.new.rest(names), target.new.rest(names)

    def is_proven(self) -> bool:
        """Whether the two files and the names show it."""
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
            [child for child in children if child.kind in _DEFINITIONS and _name(child) in self._names]
            for children in (self._source.old.children, self._target.new.children)
        )
        if [_name(child) for child in before] != [_name(child) for child in after] or len(before) != len(self._names):
            return False
        earlier = self._target.new.children[: self._target.new.children.index(after[0])]
        early = _module(child for child in earlier if child.kind != "import_item")
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
        imported = {item.children[-1].text for item in came}
        words = set(re.findall(r"\w+", content_of(self._source_rest)))
        if any(name not in imported and (name in words or not _is_private(name)) for name in self._names):
            return False
        needed = self._needed()
        for text in source.imports_gone:
            item = source.old.items[text]
            name = item.children[-1].text
            if not _is_standard(item) or name in words or name not in needed:
                return False
        had = {item.children[0].text for item in source.old.items.values()}
        is_near = source.path.rpartition("/")[0] == target.path.rpartition("/")[0]
        return not imported or all(
            _is_standard(item) or (item.children[0].text in had and (is_near or not _is_relative(item)))
            for item in target.new.items.values()
        )

    def _is_target_adjusted(self) -> bool:
        """The new file imports what came needs, as the old file did, and from the old one no more what is its own."""
        source, target = self._source, self._target
        gone = [target.old.items[text] for text in target.imports_gone]
        if any(not self._is_of(item, source.path, target.path) for item in gone):
            return False
        had = {item.children[-1].text for item in gone}
        used = set(flatten(self._target_rest).names)
        if any(name in used and name not in had for name in self._names):
            return False
        still = {item.children[0].text for item in target.new.items.values()}
        if not still.issuperset(item.children[0].text for item in gone) and not _is_quiet(source.new):
            return False
        needed = self._needed()
        return all(
            text in source.old.items
            and target.new.items[text].children[-1].text in needed
            and (_is_standard(target.new.items[text]) or target.is_new)
            for text in target.imports_came
            if target.new.items[text].children[0].text != "__future__"
        )

    def _is_of(self, item: Node, path: str, importer: str) -> bool:
        """Whether it imports one of the names, under its own name, from the file at `path`."""
        name = item.children[-1].text or ""
        is_plain = len(item.children) == 3 and item.children[1].text == name and name in self._names
        return is_plain and is_module(item.children[0].text or "", path, importer)

    def _means_the_same(self, name: str) -> bool:
        """Each name that it takes from around it is the same thing in the new file."""
        source, target = self._source.old, self._target.new
        source_names, target_names = _bound(source.children), _bound(target.children)
        node = source.nodes[name]
        if any(token in ("(global_statement", "(nonlocal_statement") for token in flatten(node).tokens):
            return False
        words = set(re.findall(r"\w+", "\n".join(flatten(node).tokens)))  # a text may name what is around it
        for free in self._free(name) | (words & source_names):
            if free in PYTHON.bindings.dynamic or free.startswith("__"):
                return False
            if free in self._names:
                continue
            imported = source.binder_of(free)
            is_foreign = free not in source_names and free not in target_names
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
        """The names that what moved takes from around it."""
        return {name for moved in self._names for name in self._free(moved)}

    def _free(self, name: str) -> set[str]:
        scopes = scopes_of(_module([self._source.old.nodes[name]]), PYTHON.bindings)
        return {use.text for use in scopes.uses if use.role is Role.NAME and scopes.resolve(use) in (None, 0)} - {name}


def _bound(children: list[Node]) -> set[str]:
    """The names that a file with these statements gives to something."""
    return set(scopes_of(_module(children), PYTHON.bindings).scopes[0].bound)


def _is_quiet(module: _Module) -> bool:
    """Whether importing the file only defines functions and classes, so that no program misses the import."""
    for child in module.children:
        tokens = flatten(child).tokens
        is_class = child.kind == "class_definition" and "(call" not in tokens and "(argument_list" not in tokens
        is_other = child.kind == "docstring" or (child.kind == "import_item" and _is_standard(child))
        if not (is_class or is_other or child.kind == "function_definition"):
            return False
    return True


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _is_relative(item: Node) -> bool:
    return (item.children[0].text or "").startswith(".")


def _is_standard(item: Node) -> bool:
    """Whether it is of the standard library, whose imports have no effect that a program could miss."""
    return (item.children[0].text or "").partition(".")[0] in sys.stdlib_module_names
