"""What the names in a file of Go mean: what its package declares, what another one does, or what is local.

package shop                             money     the package "example.com/m/money"
import "example.com/m/money"             money.Sum      `Sum` of it
func Total(all []int) int {              Total     `Total` of "example.com/m/shop"
    return money.Sum(all)                all       a local name, the first one
}
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from intentls.core.mutation.names.go.packages import told_name
from intentls.core.mutation.names.name_scopes import NameScopes, scopes_of
from intentls.core.mutation.names.tree_names import is_name
from intentls.core.syntax.languages.go.adapter import GO
from intentls.core.syntax.languages.go.shorthands import each_spec
from intentls.core.syntax.tree import Node, Role, every_node

REFERENCE = "reference"  # the kind of a leaf that stands for a name of a package, whoever names it
GROUPS = frozenset({"type_declaration", "const_declaration", "var_declaration"})
DEFINITIONS = GROUPS | {"function_declaration", "method_declaration"}
_ALIASES = ("type_alias", "const_spec")
_QUALIFIED = {"selector_expression": "field_identifier", "qualified_type": "type_identifier"}
_VERSION = re.compile(r"/v\d+\Z|\.v\d+\Z")
Key = tuple[str, ...]
"""The names that a definition declares; a method's are the name of its type, an empty one, and its own."""


class GoFile:
    """One version of a file: the package that it is one of, by its import path, and what its names mean."""

    def __init__(self, root: Node, path: str, package: str) -> None:
        self.root, self.path, self.package = root, path, package
        self.imports, self._untold = _imports(root)
        # The name in `switch a := b.(type)` is local, too.
        switches = (node for node in every_node(root) if node.kind == "type_switch_statement")
        aliases = (node for switch in switches for node in switch.children if node.field == "alias")
        self._switched = {leaf.text for alias in aliases for leaf in every_node(alias)} - {None}
        scopes = scopes_of(root, GO.bindings)
        leaves = [node for node in _in_order(root) if node.text is not None and node.role is not Role.TOKEN]
        homes = (_home(scopes, index) for index in range(len(scopes.uses)))
        self._homes = {id(leaf): home for leaf, home in zip(leaves, homes, strict=True) if leaf.role is Role.NAME}

    @property
    def is_clear(self) -> bool:
        """Whether no import gives the file names that it does not say."""
        return "." not in self.imports

    @property
    def is_test(self) -> bool:
        """Whether it is compiled for tests alone."""
        return self.path.endswith("_test.go")

    def definitions(self) -> Iterator[tuple[Key, Node]]:
        """What it declares at the top, each of a group for itself, unless a comment that counts stands before it."""
        before: Node | None = None
        for part in parts_of_file(self.root):
            is_marked = before is not None and before.kind == "comment"
            if part.text is None and part.kind in DEFINITIONS and not is_marked:
                yield key_of(part), part
            before = part

    def qualified(self, node: Node) -> tuple[str, str] | None:
        """The name by which the file imports a package, and what it takes of it; None for anything else."""
        if node.kind not in _QUALIFIED or len(node.children) < 3:
            return None
        package, _, name = node.children[:3]
        if package.text is None or name.text is None or self.local(package) is not None:
            return None
        if package.text in self._switched and package.text not in self.imports:
            return None
        return (package.text, name.text) if package.role is Role.NAME else None

    def paths(self) -> Iterator[str]:
        """The packages that it imports."""
        return (item.children[0].text or "" for item in import_items(self.root))

    def path_of(self, name: str) -> str | None:
        """The path of the package that the file imports under a name; None if that is none, or can't be told."""
        if name in self.imports:
            return self.imports[name]
        paths = [path for path in self._untold if re.search(rf"\b{re.escape(name)}\b", _VERSION.sub("", path))]
        return paths[0] if len(paths) == 1 else None

    def local(self, leaf: Node) -> int | None:
        """The number of the scope that declares a name within a function; None if it is from outside of all."""
        return self._homes.get(id(leaf)) or None

    def is_global(self, leaf: Node) -> bool:
        """Whether a name is from outside of all functions."""
        return leaf.role is Role.NAME and self.local(leaf) is None


def import_items(root: Node) -> Iterator[Node]:
    """The imports of a file."""
    return (child for child in root.children if child.kind == "import_item")


def spelled_item(item: Node) -> str:
    """An import as a text: what it imports, and under which names."""
    return " ".join(child.text or "" for child in item.children)


def parts_of_file(root: Node) -> Iterator[Node]:
    """What stands at the top of a file, each definition of a group for itself."""
    for child in root.children:
        yield from each_spec(child) if child.kind in GROUPS and child.text is None else [child]


def key_of(definition: Node) -> Key:
    """The names that a definition declares."""
    if definition.kind == "method_declaration":
        receiver, name = definition.child("receiver"), definition.child("name")
        types = [] if receiver is None else [leaf for leaf in _in_order(receiver) if leaf.kind == "type_identifier"]
        return (types[0].text or "" if types else "", "", name.text or "" if name is not None else "")
    specs = (node for child in definition.children for node in (child, *child.children))
    holders = [definition, *(node for node in specs if node.kind.endswith(("_spec", "_alias")))]
    return tuple(child.text or "" for holder in holders for child in holder.children if child.field == "name")


def _meaning(file: GoFile, node: Node, declared: Collection[str]) -> str | None:
    """What a definition is written with: a text for one node, the whole of it if that is a name of a package.

    `declared` are the names that the package declares. None: it has to be read part by part, or is no name.
    """
    taken = file.qualified(node)
    if taken is not None:
        path = file.path_of(taken[0])
        return None if path is None else f"{path}.{taken[1]}"
    if node.text is None or not file.is_global(node):
        return None
    return f"{file.package}.{node.text}" if node.text in declared else f"\0{node.text}"


def content_of(
    file: GoFile, definition: Node, declared: Collection[str], moved: Mapping[str, str], renamed: Mapping[str, str]
) -> str | None:
    """What two definitions that do the same have in common, wherever they stand; None if that can't be told.

    `moved`: names of packages as they are called now; `renamed`: other names.
    """
    parts: list[str] = []
    numbers: dict[tuple[int, str], int] = {}
    stack: list[tuple[Node | None, str]] = [(definition, "")]
    while stack:
        node, above = stack.pop()
        if node is None:
            parts.append(")")
            continue
        taken = file.qualified(node)
        if taken is not None and file.path_of(taken[0]) is None and taken[0] not in declared:
            return None  # of which package it is can't be told
        said = _meaning(file, node, declared) if above != "literal_key" else None
        if said is not None:
            parts.append(moved.get(said, said))
        elif node.text is None:
            parts.append(f"({node.kind}")
            stack.append((None, ""))
            stack.extend((child, node.kind) for child in reversed(node.children))
        else:
            home = file.local(node)
            number = "" if home is None else str(numbers.setdefault((home, node.text), len(numbers)))
            is_said = home is None or above == "literal_key"  # what stands there may be a field, too
            text = renamed.get(node.text, node.text) if is_name(node) else node.text
            parts.append(f"{node.kind if home is None else 'local'} {text if is_said else ''} {number}")
    return "\n".join(parts)


def references(file: GoFile) -> Iterator[tuple[Node, str, str]]:
    """Where a file has a name of a package: the node, what it means, and under which name the package is imported.

    That is empty where it is the file's own. What follows below a node is read once the caller has seen it.
    """
    stack: list[tuple[Node, str]] = [(file.root, "")]
    while stack:
        node, above = stack.pop()
        taken = file.qualified(node)
        if taken is not None:
            yield node, f"{file.path_of(taken[0]) or ''}.{taken[1]}", taken[0]
            stack.extend((child, node.kind) for child in node.children[:1])  # what it takes is no name by itself
            continue
        if node.text is not None and above not in ("literal_key", "import_item") and file.is_global(node):
            yield node, f"{file.package}.{node.text}", ""
        stack.extend((child, node.kind) for child in node.children)


def write_references(file: GoFile, names: Mapping[str, str], apart: Collection[str]) -> None:
    """Write the names of packages in a file as what they mean.

    `names`: which ones, and what they mean now. `apart`: the imports whose names are all written so.
    """
    for node, said, package in references(file):
        if said in names or package in apart:
            node.kind, node.text, node.role = REFERENCE, names.get(said, said), Role.TOKEN
            node.binds, node.origin, node.children = False, "", []


def clause_of(root: Node) -> str:
    """What a file calls its package: with `_test` where it sees of it only what others do."""
    clause = next((child for child in root.children if child.kind == "package_clause"), None)
    words = [] if clause is None else " ".join(leaf.text or "" for leaf in _in_order(clause)).split()
    return words[-1] if words else ""


def _imports(root: Node) -> tuple[dict[str, str], list[str]]:
    """The paths that a file imports by the names that they have in it, and those whose names their paths don't tell."""
    told: dict[str, str] = {}
    untold: list[str] = []
    for item in import_items(root):
        name, path = told_name(item), item.children[0].text or ""
        if name is None:
            untold.append(path)
        elif name != "_":
            told[name] = path
    return told, untold


def _home(scopes: NameScopes, index: int) -> int | None:
    """The number of the scope that declares the name of a use: not one that does so only after it."""
    use = scopes.uses[index]
    number = scopes.resolve(use)
    while number and not use.binds and index < scopes.scopes[number].since.get(use.text, 0):
        number = scopes.home_of(use.text, scopes.scopes[number].parent)
    return number


def _in_order(root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def alias_in(places: Sequence[tuple[GoFile, Node]]) -> tuple[GoFile, str] | tuple[()]:
    """The file of the only definition, if that is another name for one of another package, and what that is."""
    if len(places) != 1:
        return ()
    file, node = places[0]
    specs = [child for child in node.children if child.kind in _ALIASES]
    if len(specs) != 1 or [child.kind for child in specs[0].children[1:2]] != ["="]:
        return ()  # a type of its own, or a value of another type
    value = specs[0].children[-1]
    if value.kind == "expression_list" and len(value.children) == 1:
        value = value.children[0]
    taken = file.qualified(value)
    path = None if taken is None else file.path_of(taken[0])
    return () if path is None or taken is None else (file, f"{path}.{taken[1]}")
