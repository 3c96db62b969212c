"""Go: where a name can mean what another place of it means. Members are found by a dot, all else by scopes.

type log struct { lastIndex int }          a field that becomes `last` is never the variable `last` of a function,
func next(last int) int { .. }             nor the other way round
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from intentls.core.mutation.names.tree_names import Place
from intentls.core.syntax.tree import Node, Role, every_node

# What is known by its name to nothing but what is compiled with it, even where values are looked through.
NAMELESS = frozenset({"function_declaration", "var_spec", "const_spec"})


def share(places: Sequence[Place], others: Iterable[Place]) -> list[Place]:
    """Those of `others` that may mean the same as one of `places`, which are all of one name."""
    kinds = {_kind(place) for place in places}
    return [place for place in others if len(kinds) != 1 or _kind(place) in ("", *kinds) or kinds == {""}]


def _kind(place: Place) -> str:
    """Whether it is a member or a plain name; empty where it may be either.

    So is what stands before the colon in a literal, a type that a struct has without a name, and `a.B`.
    """
    holder = place.holder()
    if (place.holder(2).kind == "keyed_element" and place.holder(2).children[0] is holder) or is_embedded(place):
        return ""
    if place.leaf.kind != "field_identifier":
        return "plain"
    is_qualified = holder.kind == "selector_expression" and holder.children[0].kind == "identifier"
    return "" if is_qualified and place.word[:1].isupper() else "member"


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


def receivers(functions: Iterable[Node]) -> set[str]:
    """What methods of Go call themselves."""
    holders = (node.child("receiver") for node in functions)
    nodes = (node for holder in holders if holder is not None for node in every_node(holder))
    return {node.text or "" for node in nodes if node.role is Role.NAME and node.binds}
