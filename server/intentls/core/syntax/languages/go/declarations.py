"""Go: several variables that one statement declares, one at a time: `x := 0` and `y := 1` for `x, y := 0, 1`.

All of them are new, and no value says one of the names, calls something or may fail in more than one way.
"""

from __future__ import annotations

from intentls.core.syntax.languages.go.local_names import local_names
from intentls.core.syntax.tree import Node, every_node, inner_nodes

_FUNCTIONS = frozenset({"function_declaration", "method_declaration"})
_HOLDERS = frozenset({"block", "expression_case", "default_case", "type_case", "communication_case"})
_SIGNS = frozenset({"+", "-", "*", "&&", "||", "<", "<=", ">", ">="})
_LISTS = frozenset({"expression_list", "selector_expression"})


def one_by_one(root: Node) -> None:
    """A `Rewrite`: declare such variables in statements of their own."""
    for function in root.children:
        holders = [node for node in inner_nodes(function) if node.kind in _HOLDERS and any(map(_values, node.children))]
        if function.kind in _FUNCTIONS and holders:
            bound = local_names(function).bound
            for holder in holders:
                holder.children = [
                    part
                    for child in holder.children
                    for part in (_apart(child) if all(bound[name] == 1 for name in _names(child)) else [child])
                ]


def _values(statement: Node) -> list[Node]:
    """The values of `x, y := a, b`; none of any other statement."""
    if statement.kind != "short_var_declaration":
        return []
    left, right = statement.children[0], statement.children[2]
    names = {leaf.text for leaf in left.children}
    nodes = list(every_node(right))
    is_plain = all(node.text is not None or node.kind in _LISTS or _computes(node) for node in nodes)
    is_apart = "_" not in names and names.isdisjoint({node.text for node in nodes if node.text != ","})
    is_several = 1 < len(left.children) == len(right.children)
    return right.children[::2] if is_several and is_plain and is_apart else []


def _computes(node: Node) -> bool:
    return node.kind == "binary_expression" and node.children[1].text in _SIGNS


def _names(statement: Node) -> list[str]:
    return [leaf.text or "" for leaf in statement.children[0].children[::2]] if _values(statement) else []


def _apart(statement: Node) -> list[Node]:
    values = _values(statement)
    if not values:
        return [statement]
    left, sign, right = statement.children
    apart: list[Node] = []
    for name, value in zip(left.children[::2], values, strict=True):
        one = Node(left.kind, left.field, left.row, binds=left.binds, children=[name])
        other = Node(right.kind, right.field, right.row, children=[value])
        word = Node(sign.kind, sign.field, sign.row, sign.text)
        apart.append(Node(statement.kind, None, statement.row, end=statement.end, children=[one, word, other]))
    return apart
