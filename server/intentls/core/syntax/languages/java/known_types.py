"""What the variables of a file of Java are, as far as all of its declarations of their names say the same."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Set

from msgspec import Struct

from intentls.core.syntax.languages.chosen import ChosenName, is_constant
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_DECLARED = re.compile(r"\b(\w+)(?:\s*<[^;(){}=]*>)?(\s*\[\s*\])?\s+(\w+)\s*(\[)?(?=[\];=,):])")
_SPACE = re.compile(r"\s")


LOCAL = "local_variable_declaration"
OF_RESULT = "result"  # the field of a declaration of the type that the method returns


class Known(Struct, frozen=True):
    """The types of the file's variables by their names, and the names of classes that are not Java's own.

    `imports`: where each name that the file imports is from.
    """

    types: Mapping[str, Set[str]]
    foreign: Set[str]
    imports: Mapping[str, str]

    def type_of(self, node: Node) -> str:
        """What a variable is, without what its type is given; empty if that can't be told."""
        found = self.types.get(node.text or "", frozenset()) if node.role is Role.NAME else frozenset[str]()
        return next(iter(found)) if len(found) == 1 and not found & self.foreign else ""


def known_types(root: Node) -> Known:
    """The types of a file's variables, and its own classes."""
    items = [child for child in root.children if child.kind == "import_item"]
    imports = {item.children[-1].text or "": item.children[0].text or "" for item in items}
    foreign = {name for name, module in imports.items() if "java." not in module}
    return Known(_types(root), _declared(root) | foreign, imports)


def _types(root: Node) -> dict[str, set[str]]:
    types: defaultdict[str, set[str]] = defaultdict(set)
    for node in inner_nodes(root):
        kind = node.child("type")
        said = spelling(kind).partition("<")[0] if kind is not None else ""
        holders = [child for child in node.children if child.kind == "variable_declarator"]
        names = [holder.children[0] for holder in holders] if node.kind != "variable_declarator" else []
        for child in node.children if node.kind != "variable_declarator" else ():
            if child.binds and child.role is Role.NAME:
                types[child.text or ""].add(said)
        for name, holder in zip(names, holders, strict=True):
            is_plain = all(part.kind != "dimensions" for part in holder.children)
            types[name.text or ""].add(said if is_plain else "")
    for leaf in every_node(root):  # what did not change is one leaf
        said = leaf.text or ""
        for kind, size, name, own_size in _DECLARED.findall(said) if _SPACE.search(said) else ():
            types[name].add("" if size or own_size else kind)
    return types


def _declared(root: Node) -> set[str]:
    return {
        name.text or ""
        for node in inner_nodes(root)
        if node.kind.endswith("_declaration") and (name := node.child("name")) is not None and name.role is Role.NAME
    }


def one_variable(statement: Node) -> tuple[Node, Node | None] | None:
    """The name, and the value if there is one, of `int a = b;`, which declares one variable and says no more."""
    if statement.kind != LOCAL or [child.field for child in statement.children] != ["type", "declarator"]:
        return None
    parts = statement.children[1].children
    if len(parts) not in (1, 3) or written_type(statement) is None:
        return None
    return parts[0], parts[2] if len(parts) == 3 else None


def written_type(declaration: Node) -> Node | None:
    """The type of a variable, `int` also for `var a = 1;`; None where that can't be told."""
    written, value = declaration.child("type"), declaration.children[-1].child("value")
    if written is None or spelling(written) != "var":
        return written
    word = _TOLD.get(value.kind) if value is not None and not (value.text or "").endswith(("L", "l")) else None
    if word is None:
        return None
    kind = "type_identifier" if word == "String" else "boolean_type" if word == "boolean" else "integral_type"
    if kind == "integral_type":
        return Node(kind, "type", written.row, children=[Node(word, None, written.row, word)])
    return Node(kind, "type", written.row, word, Role.NAME if word == "String" else Role.TOKEN)


_TOLD = {
    **{"decimal_integer_literal": "int", "character_literal": "char", "true": "boolean", "false": "boolean"},
    "string_literal": "String",
}


def without_value(declaration: Node) -> Node:
    """`int a;` for `int a = 1;`, of a variable that `one_variable` knows."""
    declarator = declaration.children[1]
    written = written_type(declaration)
    assert written is not None  # its variable is known
    bare = Node(declarator.kind, declarator.field, declarator.row, children=declarator.children[:1])
    return Node(declaration.kind, declaration.field, declaration.row, end=declaration.end, children=[written, bare])


def giving(name: Node, value: Node) -> Node:
    """`a = b;`; it stands on no line."""
    target = Node("identifier", "left", name.row, name.text, Role.NAME)
    value.field = "right"
    sign = Node("=", "operator", name.row, "=")
    given = Node("assignment_expression", None, name.row, children=[target, sign, value])
    return Node("expression_statement", None, name.row, children=[given])


def declared_variable(statement: Node) -> ChosenName | None:
    """What `int a = 1;` or `int a;` declares; None for any other statement."""
    variable = one_variable(statement)
    if variable is None or (variable[1] is not None and not is_constant(variable[1])):
        return None
    name, first = variable
    return ChosenName(name, without_value(statement), first, is_returned=statement.field == OF_RESULT)


def given_value(statement: Node) -> tuple[str, Node] | None:
    """The name and the value of `a = b;`; None for any other statement."""
    given = statement.children[0] if statement.kind == "expression_statement" and statement.children else statement
    if (
        given.kind != "assignment_expression"
        or given.children[1].text != "="
        or given.children[0].role is not Role.NAME
    ):
        return None
    return given.children[0].text or "", given.children[2]
