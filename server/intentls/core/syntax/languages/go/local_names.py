"""Go: what a function itself says of its names, without knowing the types of anything else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec import Struct

from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes

_TYPES = {"slice_type": "list", "map_type": "map", "variadic_parameter_declaration": "list"}
_PURE = frozenset({"selector_expression", "identifier", "field_identifier", "package_identifier", ".", "nil"})
_SCOPES = frozenset(
    {
        *("function_declaration", "method_declaration", "func_literal", "block", "if_statement", "for_statement"),
        *("expression_switch_statement", "type_switch_statement", "select_statement", "expression_case"),
        *("default_case", "type_case", "communication_case"),
    }
)
_SIGNS = frozenset({",", "_", "="})


class LocalNames(Struct):
    """The names that a function binds once (`lists` and `maps`: those of that type), and those that may be moved.

    `moved` are the names whose address is taken, or that a function in the function gives another value.
    """

    bound: Counter[str]
    types: dict[str, str]
    moved: set[str]
    scopes: dict[str, Node]  # of each name the node in which it is declared
    said: Counter[str]  # how often each name stands in the function, from its declaration on

    def is_list(self, node: Node) -> bool:
        """Whether it is a name that is a list as long as it is seen."""
        return self._is(node, "list")

    def is_collection(self, node: Node) -> bool:
        """Whether it is the name of a list or a map."""
        return self._is(node, "list") or self._is(node, "map")

    def is_own(self, name: str | None) -> bool:
        """Whether it is a local name that nothing but plain assignments of this function can give another value."""
        return name is not None and self.is_one(name) and name not in self.moved

    def is_one(self, name: str) -> bool:
        """Whether wherever the function says it, it is the one that it declares, once."""
        scope = self.scopes.get(name)
        return self.bound[name] == 1 and scope is not None and mentions(scope, name) == self.said[name]

    def _is(self, node: Node, kind: str) -> bool:
        is_name = node.kind == "identifier" and node.text is not None
        return is_name and self.types.get(node.text or "") == kind and self.is_one(node.text or "")


def local_names(function: Node) -> LocalNames:
    """Those of a function, and of all functions in it."""
    nodes = list(every_node(function))
    bound = Counter(leaf.text or "" for leaf in nodes if leaf.binds and leaf.text is not None)
    bound.update(leaf.text or "" for node in nodes if node.field == "alias" for leaf in node.children)
    types: dict[str, str] = {}
    for node in nodes:
        kind = _type_of(node)
        if kind is not None:
            types.update((child.text or "", kind) for child in node.children if child.binds and child.text is not None)
            types.update((leaf.text or "", kind) for leaf in node.children[0].children if leaf.binds)
    moved = set(addressed_in(function, types))
    for node in nodes:
        if node.kind == "func_literal":
            moved.update(assigned_in(node))
    scopes, said = _declared(function)
    return LocalNames(bound, types, moved, scopes, said)


def _declared(function: Node) -> tuple[dict[str, Node], Counter[str]]:
    """Where each name is declared that the function does not say before, and how often it says each name."""
    scopes: dict[str, Node] = {}
    said: Counter[str] = Counter()
    above: list[Node] = []
    stack: list[Node | None] = [function]
    while stack:
        node = stack.pop()
        if node is None:
            above.pop()
        elif node.text is None:
            above.append(node)
            stack.append(None)
            values = [child for child in node.children if child.field in ("right", "value")]  # without the new name
            rest = [child for child in node.children if child.field not in ("right", "value")]
            stack.extend(reversed((*values, *rest)))
        elif node.role is Role.NAME:
            if node.binds and not said[node.text]:
                scopes[node.text] = next(outer for outer in reversed(above) if outer.kind in _SCOPES)
            said[node.text] += 1
    return scopes, said


def _type_of(node: Node) -> str | None:
    """Whether what a parameter or a variable declares is a list or a map."""
    if node.kind == "variadic_parameter_declaration":
        return "list"
    if node.kind in ("parameter_declaration", "var_spec"):
        declared = node.child("type")
        return None if declared is None else _TYPES.get(declared.kind)
    if node.kind != "short_var_declaration" or any(len(node.children[index].children) != 1 for index in (0, 2)):
        return None
    value = node.children[2].children[0]
    return _TYPES.get(value.children[0].kind) if value.kind == "composite_literal" else None


def addressed_in(root: Node, types: Mapping[str, str]) -> Iterator[str]:
    """The variables into which an address leads: a place of a list does not lie in the variable that has the list."""
    for node in inner_nodes(root):
        if node.kind == "unary_expression" and node.children[0].text == "&":
            inner = node.children[1]
            while inner.children and inner.kind in ("selector_expression", "index_expression"):
                is_place = inner.kind == "index_expression" and types.get(inner.children[0].text or "") == "list"
                inner = inner.children[1 if is_place else 0]
            if inner.text is not None:
                yield inner.text


def assigned_in(root: Node) -> Iterator[str]:
    """The names that something in it gives another value, not counting declarations."""
    for node in inner_nodes(root):
        if node.kind in ("assignment_statement", "range_outer"):
            targets = [child for child in node.children if child.field == "left"]
        elif node.kind in ("inc_statement", "dec_statement"):
            targets = node.children[:1]
        elif node.kind in ("short_var_declaration", "receive_statement"):
            targets = node.children[:1] if len(node.children[0].children) > 1 else []
        else:
            continue
        for target in targets:
            for leaf in target.children if target.kind == "expression_list" else [target]:
                if leaf.text is not None and leaf.text not in _SIGNS:
                    yield leaf.text


def is_pure(node: Node) -> bool:
    """Whether it only looks names, members and constants up."""
    return all(part.kind in _PURE or is_literal(part) for part in every_node(node))


def is_literal(node: Node) -> bool:
    """Whether it is a number, a text or the like: not a function, nor a value that is made of others."""
    return node.text is not None and (node.kind.endswith("_literal") or node.kind in ("true", "false", "nil"))


def mentions(root: Node, name: str | None) -> int:
    """How often a name stands in a tree."""
    return sum(leaf.text == name and leaf.role is Role.NAME for leaf in every_node(root))
