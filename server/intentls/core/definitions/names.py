"""What a definition is called where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from intentls.core.definitions.node_tables import Table
from intentls.core.syntax.tree import Node, spelling

_EXPORTS = re.compile(r"^(module\.exports|exports)\.")
_SPACE = re.compile(r"\s+")
_BRACKETS = ("[", "[[")
_MAX_NAME = 200  # characters


def name_of(node: Node, table: Table) -> str:
    """The name, without what it is defined in; empty if there is none."""
    fields = table.valued.get(node.kind)
    if fields is not None:
        name = node.child(fields[0])
        is_pattern = name is not None and name.kind.endswith("pattern")  # several names
        return "" if is_pattern else _EXPORTS.sub("", _spelled(name))
    special = _SPECIAL.get(node.kind)
    return special(node) if special is not None else _plain(node)


def _plain(node: Node) -> str:
    return _spelled(node.child("name")) or _declared(node)


def _declared(node: Node) -> str:
    """What the declarators of C lead to."""
    at = node
    while True:
        inner = at.child("declarator")
        if inner is None and at.kind == "reference_declarator":  # the one that names no field
            inner = at.children[-1]
        if inner is None and at.kind == "parenthesized_declarator":
            inner = at.children[1]
        if inner is None:
            return "" if at is node else _spelled(at)
        at = inner


def _spelled(node: Node | None) -> str:
    if node is None:
        return ""
    # A ledger is in UTF-8, whatever the source is in.
    text = spelling(node).encode("utf-8", "replace").decode("utf-8")
    text = text.replace("::", ".").replace("\\", ".").replace(".prototype.", ".")
    return _SPACE.sub(" ", text).strip(" .'\"")[:_MAX_NAME]


def _go_method(node: Node) -> str:
    receiver = node.child("receiver")
    owner = "" if receiver is None else _first_leaf(receiver, "type_identifier")
    return f"{owner}.{_plain(node)}".lstrip(".")


def _rust_impl(node: Node) -> str:
    implemented, target = _spelled(node.child("trait")), _spelled(node.child("type"))
    return f"{implemented} for {target}" if implemented else target


def _operator(node: Node) -> str:
    return f"operator{_spelled(node.child('operator'))}"


def _destructor(node: Node) -> str:
    return f"~{_plain(node)}"


def _indexer(_node: Node) -> str:
    return "this[]"


def _companion(node: Node) -> str:
    return _plain(node) or "Companion"


def _deinit(_node: Node) -> str:
    return "deinit"


def _subscript(_node: Node) -> str:
    return "subscript"


def _alias(node: Node) -> str:
    return _plain(node) or _spelled(node.child("type"))


def _property(node: Node) -> str:
    return _plain(node) or _first_leaf(node, "identifier")


def _assigned(node: Node) -> str:
    target = node.child("left")
    is_name = target is not None and target.kind in ("identifier", "constant")
    return _spelled(target) if is_name else ""


def _constant(node: Node) -> str:
    return _spelled(node.children[0])


def _table(node: Node) -> str:
    return next((_spelled(child) for child in node.children if child.kind not in _BRACKETS), "")


def _key(node: Node) -> str:
    return _spelled(node.child("key"))


def _first_leaf(root: Node, kind: str) -> str:
    stack = [root]
    while stack:
        node = stack.pop()
        if node.kind == kind:
            return _spelled(node)
        stack.extend(reversed(node.children))
    return ""


_SPECIAL: Mapping[str, Callable[[Node], str]] = MappingProxyType(
    {
        "method_declaration": _go_method,  # elsewhere there is no receiver
        "impl_item": _rust_impl,
        "operator_declaration": _operator,
        "destructor_declaration": _destructor,
        "indexer_declaration": _indexer,
        "companion_object": _companion,
        "deinit_declaration": _deinit,
        "subscript_declaration": _subscript,
        "type_alias": _alias,
        "property_declaration": _property,
        "assignment": _assigned,
        "const_element": _constant,
        "rule_set": _constant,
        "table": _table,
        "table_array_element": _table,
        "block_mapping_pair": _key,
        "pair": _key,
    }
)
