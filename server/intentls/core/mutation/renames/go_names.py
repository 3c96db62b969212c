"""Go: where a name can mean what another place of it means. Members are found by a dot, all else by scopes.

type log struct { lastIndex int }          a field that becomes `last` is never the variable `last` of a function,
func next(last int) int { .. }             nor the other way round
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from intentls.core.mutation.names.go.packages import told_name
from intentls.core.mutation.names.go.references import DEFINITIONS, key_of
from intentls.core.mutation.names.tree_names import Place
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes

_OF_PACKAGE = "package"  # which is no member of a value
# What is known by its name to nothing but what is compiled with it, even where values are looked through.
NAMELESS = frozenset({"function_declaration", "var_spec", "const_spec"})


def share(places: Sequence[Place], others: Iterable[Place]) -> list[Place]:
    """Those of `others` that may mean the same as one of `places`, which are all of one name."""
    kinds = {kind if (kind := _kind(place)) != _OF_PACKAGE else "" for place in places}
    # A type is no value, so that before a colon it is the name of a field.
    is_type = all(place.leaf.kind == "type_identifier" for place in places)
    may_be = {"", *kinds} if kinds == {"member"} else {"", *kinds, _OF_PACKAGE}
    found = [place for place in others if len(kinds) != 1 or _kind(place) in may_be or kinds == {""}]
    return [place for place in found if not (is_type and kinds == {"plain"} and _is_key(place))]


def _kind(place: Place) -> str:
    """Whether it is a member, a plain name, or one of a package for sure; empty where it may be more than one of these.

    So is what stands before the colon in a literal, a type that a struct has without a name, and `B` of what may be a
    package in `a.B`.
    """
    holder = place.holder()
    if _is_key(place) or is_embedded(place):
        return ""
    if place.leaf.kind != "field_identifier":
        return "plain"
    owner = holder.children[0] if holder.kind == "selector_expression" else None
    if owner is None or owner.kind != "identifier" or not place.word[:1].isupper():
        return "member"
    name = owner.text or ""
    if not _may_be_package(place, name):
        return "member"
    return _OF_PACKAGE if _is_package(place, name) else ""


def _is_key(place: Place) -> bool:
    """Whether it stands before the colon in a literal."""
    return place.holder(2).kind == "keyed_element" and place.holder(2).children[0] is place.holder()


def _may_be_package(place: Place, name: str) -> bool:
    """Whether the file may import a package under this name."""
    items = (child for child in place.above[0].children if child.kind == "import_item")
    return any(told_name(item) in (name, ".", None) for item in items)


def _is_package(place: Place, name: str) -> bool:
    """Whether the file imports a package under this name, which always stands before a dot there."""
    root = place.above[0]
    if not any(child.kind == "import_item" and told_name(child) == name for child in root.children):
        return False
    return all(
        child.text != name or child.role is not Role.NAME or (index == 0 and node.kind in _QUALIFIED)
        for part in root.children
        if part.kind != "import_item"
        for node in inner_nodes(part)
        for index, child in enumerate(node.children)
    )


_QUALIFIED = frozenset({"selector_expression", "qualified_type"})


def is_embedded(place: Place) -> bool:
    """Whether a type stands in a struct without a name, where its own is that of the field."""
    above = list(reversed(place.above))
    holder = next((node for node in above if node.kind not in ("qualified_type", "generic_type", "pointer_type")), None)
    return holder is not None and holder.kind == "field_declaration" and holder.child("name") is None


def package_of(root: Node) -> str:
    """The name of the package that a file is one of."""
    clause = next((child for child in root.children if child.kind == "package_clause"), None)
    words = [] if clause is None else [clause.text or "", *(leaf.text or "" for leaf in clause.children)]
    return " ".join(words).split()[-1].removesuffix("_test") if clause is not None else ""


def exported_now(root: Node, renamed: Mapping[str, str]) -> list[str]:
    """The new names of what a file declares and other packages could not name before: `Parse` that was `parse`."""
    shown = {new for old, new in renamed.items() if old[:1].islower() and new[:1].isupper()}
    # Methods are never proven to be renamed so.
    declared = (part for part in root.children if part.kind in DEFINITIONS and part.kind != "method_declaration")
    return sorted(shown.intersection(name for part in declared for name in key_of(part)))


def receivers(functions: Iterable[Node]) -> set[str]:
    """What methods of Go call themselves."""
    holders = (node.child("receiver") for node in functions)
    nodes = (node for holder in holders if holder is not None for node in every_node(holder))
    return {node.text or "" for node in nodes if node.role is Role.NAME and node.binds}
