"""Lifetimes of Rust that a compiler fills in alike: what does the same without them is written without them."""

from __future__ import annotations

from collections import Counter

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

# In these, a lifetime that is left out is another one.
_BINDERS = frozenset({"function_type", "dynamic_type", "abstract_type", "bounded_type", "higher_ranked_trait_bound"})


def without_unnamed(root: Node) -> None:
    """`A` for `A<'_>`, and `&a` for `&'_ a`."""
    for node in reversed(list(inner_nodes(root))):  # what is within comes first
        if node.kind == "reference_type":
            node.children = [child for child in node.children if spelling(child) != "'_"]
        if not any(child.kind == "generic_type" for child in node.children):
            continue
        is_head = node.kind == "impl_item"  # there it tells what `Self` is
        node.children = [
            child if is_head and child.field == "type" else _without_arguments(child) for child in node.children
        ]


def _without_arguments(child: Node) -> Node:
    given = child.children[-1] if child.kind == "generic_type" else child
    if given is child or all(spelling(part) != "'_" for part in given.children):
        return child
    kept = [part for part in given.children[1:-1] if part.kind != "," and spelling(part) != "'_"]
    if not kept:
        return in_place_of(child, child.children[0])
    commas = [Node(",", None, part.row, ",") for part in kept]
    given.children[1:-1] = [part for pair in zip(kept, commas, strict=True) for part in pair][:-1]
    return child


def without_implied(node: Node) -> None:
    """`T` for `T: 'a` where a part of the type is `&'a T`, or its head says both: then that is so anyway."""
    listed = node.child("type_parameters")
    where = "type" if node.kind == "impl_item" else "body"
    parts = [child for child in node.children if child.field == where]
    said = [set(map(spelling, every_node(one))) for part in parts for one in every_node(part) if one.kind in _SAYING]
    for parameter in listed.children if listed is not None else []:
        bounds = parameter.child("bounds")
        name = parameter.child("name")
        if parameter.kind != "type_parameter" or bounds is None or name is None or len(bounds.children) != 2:
            continue
        bound = bounds.children[1]
        is_lifetime = bound.kind == "lifetime" and spelling(bound) != "'static"
        if is_lifetime and any({spelling(bound), name.text} <= words for words in said):
            parameter.children.remove(bounds)


_SAYING = frozenset({"reference_type", "generic_type"})


def elide(function: Node) -> None:
    """Without lifetimes that a compiler fills in alike: of one input alone, or the only one or `self`'s for results."""
    listed, inputs, result = (
        function.child("type_parameters"),
        function.child("parameters"),
        function.child("return_type"),
    )
    if inputs is not None and result is not None:
        _leave_to_inputs(function, inputs, result)
    if listed is None or inputs is None:
        return
    counts = Counter(map(spelling, _lifetimes(function)))
    given = _lifetimes(inputs)
    places = len(given) + sum(_is_bare(node) for node in every_node(inputs))
    has_self = any(child.kind == "self_parameter" for child in inputs.children)
    for parameter in [child for child in listed.children if child.kind == "lifetime_parameter"]:
        name = spelling(parameter)
        mine = [node for node in given if spelling(node) == name]
        shown = [node for node in _lifetimes(result) if spelling(node) == name] if result is not None else []
        is_own = counts[name] == 1 + len(mine) + len(shown) and len(mine) < 2
        is_of_self = has_self and any(node is mine[0] for node in _own_lifetimes(inputs)) if mine else False
        is_told = not shown or is_of_self or (mine and places == 1 and not has_self)
        if is_own and is_told and all(_is_plain(function, node) for node in (*mine, *shown)):
            _leave_out(function, listed, parameter, (*mine, *shown))


def _leave_to_inputs(function: Node, inputs: Node, result: Node) -> None:
    """A result's lifetime has no name if it is that of `self`, or the only one of the parameters."""
    own = [part for part in _own_lifetimes(inputs) if part.kind == "lifetime"]
    has_self = any(child.kind == "self_parameter" for child in inputs.children)
    given = own if has_self else _lifetimes(inputs)
    bare = 0 if has_self else sum(_is_bare(node) for node in every_node(inputs))
    if len(given) + bare == 1 and given and spelling(given[0]) != "'static" and _is_plain(function, given[0]):
        for node in _lifetimes(result):
            if spelling(node) == spelling(given[0]) and _is_plain(function, node):
                node.children[-1].text = "_"


def _lifetimes(root: Node) -> list[Node]:
    return [node for node in every_node(root) if node.kind == "lifetime"]


def _own_lifetimes(inputs: Node) -> list[Node]:
    return [part for child in inputs.children if child.kind == "self_parameter" for part in child.children]


def _is_bare(node: Node) -> bool:
    """Whether it is a reference of a lifetime without a name."""
    is_reference = node.kind == "reference_type" or (node.kind == "self_parameter" and node.children[0].kind == "&")
    return is_reference and all(child.kind != "lifetime" for child in node.children)


def _is_plain(root: Node, lifetime: Node) -> bool:
    """Whether a lifetime stands at a reference or among the arguments of a type, where it may be left out."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.kind not in _BINDERS and node.kind != "block":
            if any(child is lifetime for child in node.children):
                return node.kind in ("reference_type", "self_parameter", "type_arguments")
            stack.extend(node.children)
    return False


def _leave_out(root: Node, listed: Node, parameter: Node, uses: tuple[Node, ...]) -> None:
    kept = [child for child in listed.children[1:-1] if child is not parameter and child.kind != ","]
    if kept:
        commas = [Node(",", None, child.row, ",") for child in kept]
        inner = [part for pair in zip(kept, commas, strict=True) for part in pair][:-1]
        listed.children[1:-1] = inner
    else:
        root.children = [child for child in root.children if child is not listed]
    for node in inner_nodes(root):
        if node.kind in ("reference_type", "self_parameter"):
            node.children = [child for child in node.children if not any(child is use for use in uses)]
    for use in uses:
        use.children[-1].text = "_"


def elide_of_type(node: Node) -> None:
    """`impl A<'_>` for `impl<'a> A<'a>`, if nothing in it says the lifetime again."""
    without_implied(node)
    listed = node.child("type_parameters")
    counts = Counter(map(spelling, _lifetimes(node)))
    head = [child for child in node.children if child.field in ("type", "trait")]
    if listed is None:
        return
    for parameter in [child for child in listed.children if child.kind == "lifetime_parameter"]:
        uses = [use for part in head for use in _lifetimes(part) if spelling(use) == spelling(parameter)]
        if counts[spelling(parameter)] == 1:
            _leave_out(node, listed, parameter, ())
        if counts[spelling(parameter)] == 2 and len(uses) == 1 and _is_plain(node, uses[0]):
            _leave_out(node, listed, parameter, tuple(uses))
