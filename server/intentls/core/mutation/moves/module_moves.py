"""Functions and classes of Python that went to another module, whatever else changed in both of them.

    a.py  before                    a.py  after                     b.py  after
    import json                     from b import load              import json
    def load(text):                                                 def load(text):
        return json.loads(text)                                         return json.loads(text)

`load` is gone from one module and came to the other with the same words, each of which means the same in both, and the
first one still has the name. So it is taken out of both files' trees, with the imports that this takes, before they are
compared: what is left has to be a refactor by itself.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from intentls.core.mutation.moves.package_moves import MovedHere
from intentls.core.mutation.names.loaded_modules import LoadedModules, absolute, dotted
from intentls.core.mutation.names.name_scopes import scopes_of
from intentls.core.mutation.names.tree_names import content_with
from intentls.core.mutation.renames.tree_renames import ChangedTree
from intentls.core.syntax.languages.python.adapter import PYTHON
from intentls.core.syntax.tree import Node, Role, every_node

_KINDS = ("function_definition", "class_definition")
_OWN, _UNSURE, _UNREAD = "\0own", "\0unsure", "\0unread"
_ACTING = frozenset({"call", "await", "yield", "named_expression"})
_WORD = re.compile(r"\w+")
_CONSTANT = re.compile(r"""\w+\s*=\s*("[^"\\\n]*"|'[^'\\\n]*'|-?\d[\w.]*|None|True|False)\s*\Z""")
# What may give a name to something in a statement that did not change and was not walked.
_BINDING = re.compile(r"^[^=(\n]*=(?!=)|\b(?:as|import|for|def|class|global|del)\b[^:\n]*|\w+\s*:=", re.MULTILINE)


class _MovedDefinition(Struct, frozen=True):
    """A definition that is gone from `source`, and the one that came to `target`."""

    name: str
    source: ChangedTree
    target: ChangedTree
    node: Node
    copy: Node


class _OneVersion:
    """One version of a module: what its names are at the top, and its definitions."""

    def __init__(self, root: Node, path: str) -> None:
        self.children = root.children
        self.names: dict[str, str] = {}
        self.definitions: dict[str, Node] = {}
        for child in root.children:
            for name, meaning in _given(child, path):
                known = self.names.get(name, _UNREAD)
                self.names[name] = meaning if known == _UNREAD else known if meaning == _UNREAD else _UNSURE
            if child.kind in _KINDS and child.text is None:
                self.definitions[_name(child)] = child
        self.definitions = {name: node for name, node in self.definitions.items() if self.names[name] == _OWN}
        self.future = {
            _spelled(child) for child in root.children if child.kind == "import_item" and _module(child) == "__future__"
        }

    def index_of(self, node: Node) -> int:
        """Where a statement stands."""
        return next(index for index, child in enumerate(self.children) if child is node)

    def binder(self, name: str) -> int:
        """Where the import stands that gives the name; behind all else if there is none."""
        indexes = (
            index
            for index, child in enumerate(self.children)
            if child.kind == "import_item" and child.children[-1].text == name
        )
        return next(indexes, len(self.children))

    def first_use(self, name: str, besides: Node | None = None) -> int:
        """Where the first statement stands that has the name, imports aside."""
        uses = (
            index
            for index, child in enumerate(self.children)
            if child.kind != "import_item" and child is not besides and name in _words(child)
        )
        return next(uses, len(self.children))


_Versions = Mapping[str, _OneVersion]  # by the path of the module


def moves_of_modules(
    files: Sequence[ChangedTree], renamed: Mapping[str, str], modules: LoadedModules
) -> dict[str, MovedHere]:
    """By path: what a file of Python gave to others, or took from them."""
    changed = [file for file in files if file.adapter is PYTHON and file.after is not None]
    if len(changed) < 2 or not _may_have_moved(changed):
        return {}
    old = {file.path: _OneVersion(file.before, file.path) for file in changed if file.before is not None}
    new = {file.path: _OneVersion(file.after, file.path) for file in changed if file.after is not None}
    gone: defaultdict[str, list[ChangedTree]] = defaultdict(list)
    came: defaultdict[str, list[ChangedTree]] = defaultdict(list)
    for file in changed:
        had = old[file.path].definitions if file.path in old else {}
        has = new[file.path].definitions
        for name in had.keys() - has.keys():
            gone[name].append(file)
        for name in has.keys() - had.keys():
            came[name].append(file)
    moves = {
        name: _MovedDefinition(name, gone[name][0], came[name][0], old[gone[name][0].path].definitions[name], copy)
        for name in gone.keys() & came.keys()
        if len(gone[name]) == len(came[name]) == 1
        for copy in [new[came[name][0].path].definitions[name]]
    }
    claims = _Claims(old, new, modules)
    moves = {
        name: move
        for name, move in moves.items()
        if content_with(move.node, renamed) == content_with(move.copy, {}) and claims.is_followed(move)
    }
    while True:  # it ends, as each round but the last takes some away
        kept = {name: move for name, move in moves.items() if claims.means_the_same(move, moves)}
        if kept == moves:
            return _by_path(kept.values(), old, new)
        moves = kept


def _may_have_moved(files: Sequence[ChangedTree]) -> bool:
    """Whether one file lost a definition of a name that another one got, as a glance tells."""
    gone: set[str] = set()
    came: set[str] = set()
    for file in files:
        had, has = (
            {_name(child) for child in (root.children if root is not None else ()) if child.kind in _KINDS}
            for root in (file.before, file.after)
        )
        gone |= had - has
        came |= has - had
    return not gone.isdisjoint(came)


class _Claims:
    """What has to be so of a definition that moved, by the versions of the modules before and after."""

    def __init__(self, old: Mapping[str, _OneVersion], new: Mapping[str, _OneVersion], modules: LoadedModules) -> None:
        self._old, self._new, self._modules = old, new, modules

    def is_followed(self, move: _MovedDefinition) -> bool:
        """Whether the old module goes on to have the name, where it is used in time, and loads no more than before."""
        before, after = self._old[move.source.path], self._new[move.source.path]
        target = self._new[move.target.path]
        here, there = after.names.get(move.name), f"{dotted(move.target.path)} {move.name}"
        if here is None:
            is_private = move.name.startswith("_") and not move.name.startswith("__")
            is_unused = after.first_use(move.name) == len(after.children)
            is_left = is_private and is_unused and not self._modules.is_taken(move.source.path, move.name)
        else:
            is_left = here == there and after.binder(move.name) < after.first_use(move.name)
        had = self._old[move.target.path].names.get(move.name) if move.target.path in self._old else None
        is_free = had in (None, f"{dotted(move.source.path)} {move.name}")
        is_in_time = target.first_use(move.name, besides=move.copy) > target.index_of(move.copy)
        return (
            is_left
            and is_free
            and is_in_time
            and before.future == target.future
            and (here is None or self._may_load(move.source.path, move.target.path))
            and (had is None or self._is_not_missed(move.source.path, move.target.path))
        )

    def _is_not_missed(self, source: str, target: str) -> bool:
        """Whether the new module, which may import the old one no more, loads it anyway, or misses nothing."""
        is_quiet = all(_is_quiet(child) for child in (*self._old[source].children, *self._new[source].children))
        return is_quiet or self._modules.reaches(target, source, is_before=False)

    def _may_load(self, source: str, target: str) -> bool:
        """Whether importing the new module does nothing that did not happen before, and closes no circle."""
        if self._modules.reaches(target, source, is_before=False):
            return False
        is_loaded = target in self._old and self._modules.reaches(source, target, is_before=True)
        return is_loaded or all(_is_quiet(child) for child in self._new[target].children)

    def means_the_same(self, move: _MovedDefinition, moves: Mapping[str, _MovedDefinition]) -> bool:
        """Whether each name that it takes from around it is the same thing in the new module, and is there in time."""
        before, after = self._old[move.source.path], self._new[move.target.path]
        if _is_open(move.node) or not _is_made_quietly(move.node) or "*" in {*before.names, *after.names}:
            return False
        named = _words(move.node, texts_only=True)  # a text may name what is around it
        free = _free(move.node) | {name for name in named if before.names.get(name, _UNREAD) != _UNREAD}
        index, early = after.index_of(move.copy), _early(move.node)
        taken: set[str] = set()
        for name in free - {move.name}:
            if name in PYTHON.bindings.dynamic or name.startswith("__"):
                return False
            other = moves.get(name)
            had, has = before.names.get(name), after.names.get(name)
            if other is not None and (other.source, other.target) == (move.source, move.target):
                is_same = name not in early or after.index_of(other.copy) < index
            elif had is None and has is None:
                continue
            else:
                is_import = had not in (None, _OWN, _UNSURE, _UNREAD)
                is_same = is_import and had == has and after.binder(name) < index
            if not is_same:
                return False
            taken.add(name)
        return not self._modules.is_named(move.source.path, taken)


def _by_path(moves: Iterable[_MovedDefinition], old: _Versions, new: _Versions) -> dict[str, MovedHere]:
    gone: defaultdict[str, set[str]] = defaultdict(set)
    came: defaultdict[str, set[str]] = defaultdict(set)
    imports: defaultdict[str, set[str]] = defaultdict(set)
    reasons: defaultdict[str, set[str]] = defaultdict(set)
    for move in moves:
        source, target = move.source.path, move.target.path
        gone[source].add(content_with(move.copy, {}))
        came[target].add(content_with(move.copy, {}))
        for path, version in ((source, new[source]), (target, old.get(target))):
            items = () if version is None else version.children
            named = (item for item in items if item.kind == "import_item" and item.children[-1].text == move.name)
            imports[path].update(map(_spelled, named))
        reasons[source].add(f"moved {move.name} to {target}")
        reasons[target].add(f"moved {move.name} from {source}")
    return {
        path: MovedHere(
            frozenset(gone[path]), frozenset(came[path]), frozenset(imports[path]), tuple(sorted(reasons[path]))
        )
        for path in reasons
    }


def _given(child: Node, path: str) -> Iterator[tuple[str, str]]:
    """The names that a statement at the top gives to something, and what each means."""
    if child.kind == "import_item":
        module = absolute(_module(child), dotted(path), path) or _module(child)
        names = [part.text or "" for part in child.children[1:]]
        is_all = not child.children[-1].binds
        yield ("*" if is_all else names[-1]), " ".join((module, *names[:-1]))
    elif child.kind in _KINDS:
        yield _name(child), _OWN
    elif child.text is not None:
        bound = {word for part in _BINDING.findall(child.text) for word in _WORD.findall(part)}
        yield from ((word, _UNSURE if word in bound else _UNREAD) for word in set(_WORD.findall(child.text)))
    else:
        yield from ((leaf.text or "", _UNSURE) for leaf in every_node(child) if leaf.binds and leaf.text)


def _name(definition: Node) -> str:
    name = definition.child("name")
    return definition.origin if name is None else name.text or ""


def _module(item: Node) -> str:
    return item.children[0].text or ""


def _spelled(item: Node) -> str:
    return " ".join(child.text or "" for child in item.children)


def _words(root: Node, *, texts_only: bool = False) -> set[str]:
    leaves = (node for node in every_node(root) if node.text is not None)
    texts = (node.text or "" for node in leaves if not texts_only or node.role is Role.TOKEN)
    return {word for text in texts for word in _WORD.findall(text)}


def _free(definition: Node) -> set[str]:
    """The names that it takes from around it."""
    scopes = scopes_of(Node("module", None, 0, children=[definition]), PYTHON.bindings)
    return {use.text for use in scopes.uses if use.role is Role.NAME and scopes.resolve(use) in (None, 0)}


def _is_open(definition: Node) -> bool:
    return any(node.kind in ("global_statement", "nonlocal_statement") for node in every_node(definition))


def _at_once(definition: Node) -> Iterator[Node]:
    """The nodes that are computed when the definition is reached: all but the bodies of functions."""
    stack = [definition]
    while stack:
        node = stack.pop()
        yield node
        is_function = node.kind in ("function_definition", "lambda")
        stack.extend(child for child in node.children if not (is_function and child.field == "body"))


def _early(definition: Node) -> set[str]:
    return {node.text or "" for node in _at_once(definition) if node.role is Role.NAME}


def _is_made_quietly(definition: Node) -> bool:
    """Whether it does nothing when it is reached but to come into being."""
    return not any(node.kind in _ACTING for node in _at_once(definition))


def _is_quiet(statement: Node) -> bool:
    """Whether a statement at the top of a module only gives something a name."""
    if statement.text is not None:
        is_plain = statement.text.partition("):")[0].count("(") == 1  # no default is computed
        is_plain = is_plain if statement.kind == "function_definition" else _CONSTANT.match(statement.text) is not None
        return is_plain or statement.kind in ("docstring", "comment")
    is_plain = statement.kind in ("import_item", *_KINDS, "expression_statement")
    return is_plain and _is_made_quietly(statement)
