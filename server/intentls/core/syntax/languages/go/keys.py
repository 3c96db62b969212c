"""Go: what stands before the colons of a literal of a struct: its fields, in any order.

    return &cache{size: n, log: l}       return &cache{log: l, size: n}

Of a type that the file declares as a struct, or that stands there itself, such a name is a field and no variable. The
order means nothing where no value is called, received, or looked up where nothing may be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_LISTS = frozenset({"slice_type", "array_type", "implicit_length_array_type"})
_COMPUTED = frozenset(
    {
        *("call_expression", "type_assertion_expression", "index_expression", "slice_expression", "binary_expression"),
        *("type_conversion_expression", "comment"),
    }
)
_ELEMENTS = frozenset({"literal_element", "literal_key"})
_STRUCT = re.compile(r"\b(\w+)(?:\[[^\]]*\])?\s+struct\b")


def with_fields(root: Node) -> None:
    """A `Rewrite`: fields are members, and stand in the order of their names where that means nothing."""
    structs = set(_structs(root))
    for node in inner_nodes(root):
        if node.kind == "composite_literal":
            _mark(node.children[0], node.children[-1], lambda kind: kind.kind == "struct_type" or kind.text in structs)
    for node in reversed(list(inner_nodes(root))):
        if node.kind == "literal_value":
            _sort(node)


def _structs(root: Node) -> Iterator[str]:
    """The types of a file that are structs wherever it declares them."""
    others: set[str] = set()
    found: set[str] = set()
    for child in root.children:
        if child.kind == "type_declaration":
            found.update(_STRUCT.findall(child.text or ""))
    for node in every_node(root):
        if node.kind in ("type_spec", "type_alias", "type_parameter_declaration"):
            is_struct = node.kind == "type_spec" and node.children[-1].kind == "struct_type"
            (found if is_struct else others).add(node.children[0].text or "")
    yield from found - others


def _mark(kind: Node, body: Node, is_struct: Callable[[Node], bool]) -> None:
    """Make members of the fields in a literal of a type, and in literals in it that leave their type out."""
    stack = [(kind, body)]
    while stack:
        declared, value = stack.pop()
        if declared.kind == "pointer_type":
            declared = declared.children[-1]
        inner = {key: declared.child(key) for key in ("key", "value", "element")}
        for child in value.children:
            parts = child.children if child.kind == "keyed_element" else [child]
            for part, wanted in zip((parts[0], parts[-1]), ("key", "value"), strict=True):
                found = inner[wanted] or (inner["element"] if declared.kind in _LISTS and part is parts[-1] else None)
                literal = part.children[0] if part.kind in _ELEMENTS and part.children else part
                if found is not None and literal.kind == "literal_value":
                    stack.append((found, literal))
            name = parts[0].children[0] if parts[0].kind == "literal_key" and parts[0].children else parts[0]
            if len(parts) > 1 and is_struct(declared) and name.kind == "identifier":
                name.kind, name.role = "field_identifier", Role.MEMBER


def _sort(body: Node) -> None:
    elements = [child for child in body.children if child.kind == "keyed_element"]
    signs = [child for child in body.children if child.kind != "keyed_element"]
    if len(elements) < 2 or any(sign.kind not in ("{", "}", ",") for sign in signs):
        return
    names = [element.children[0].children[0] for element in elements if element.children[0].children]
    is_plain = len(names) == len(elements) and all(name.kind == "field_identifier" for name in names)
    if is_plain and not any(_computes(element.children[-1]) for element in elements):
        elements.sort(key=lambda element: spelling(element.children[0]))
        listed = [part for element in elements for part in (Node(",", None, body.row, ","), element)][1:]
        body.children = [body.children[0], *listed, body.children[-1]]


def _computes(value: Node) -> bool:
    """Whether to compute a value may do something, or fail: one that makes something new does not."""
    stack = [value]
    while stack:
        node = stack.pop()
        called = node.children[0].text if node.kind == "call_expression" else ""
        is_made = called in ("make", "new") and all(part.kind != "binary_expression" for part in every_node(node))
        if (node.kind in _COMPUTED and not is_made) or (
            node.kind == "unary_expression" and node.children[0].text in ("<-", "*")
        ):
            return True
        if node.kind not in ("func_literal", "slice_type", "array_type", "map_type"):
            stack.extend(node.children)
    return False
