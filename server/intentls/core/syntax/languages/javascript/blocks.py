"""`var` in the blocks of a function: it is `let` where all that asks for the name stands in the block, after it.

    for (var i = 0; i < n; i++) {         for (let i = 0; i < n; i++) {
      var city = cities[i]          and     let city = cities[i]
      show(city)                            show(city)
    }                                     }

In a loop each round has names of its own, so no function may keep one, and each has to be given a value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from intentls.core.syntax.tree import Node, Role, every_node

_FUNCTIONS = frozenset(
    {
        *("function_expression", "function_declaration", "generator_function", "generator_function_declaration"),
        *("method_definition", "class", "class_declaration", "abstract_class_declaration", "arrow_function"),
    }
)
_LOOPS = frozenset({"for_statement", "for_in_statement", "for_in_outer", "while_statement", "do_statement"})


class _Place(Struct, frozen=True):
    """A `var` in what holds it: the block, or the loop of whose head it is a part."""

    node: Node
    holder: Node
    is_repeated: bool


def narrow(owner: Node) -> None:
    """Make each `var` of a function, or of a module, a `let` where that is the same, but for those of its own block."""
    places = list(_places(owner))
    if not places:
        return
    names = Counter[str]()
    binds = Counter[str]()
    for leaf in every_node(owner):
        if leaf.role is Role.NAME and leaf.text is not None:
            names[leaf.text] += 1
            binds[leaf.text] += leaf.binds
    if names["eval"]:
        return
    bound = [
        [leaf.text or "" for leaf in every_node(_pattern(place)) if leaf.binds and leaf.role is Role.NAME]
        for place in places
    ]
    counts = {
        name: [_inside(name, place) for place, said in zip(places, bound, strict=True) if name in said]
        for name in {name for said in bound for name in said}
    }
    kept = {
        name for name, found in counts.items() if 0 in found or len(found) != binds[name] or sum(found) != names[name]
    }
    while True:  # it ends, as each round but the last keeps more
        more = {name for said in bound if not kept.isdisjoint(said) for name in said} - kept
        if not more:
            break
        kept |= more
    for place, said in zip(places, bound, strict=True):
        if kept.isdisjoint(said):
            _narrow(place.node)


def _pattern(place: _Place) -> Node:
    """What has the names that are declared, and the values that they are given at once."""
    left = place.node.child("left")
    return place.node if left is None else left


def _places(owner: Node) -> Iterator[_Place]:
    stack = [(child, owner, False) for child in reversed(owner.children)]
    while stack:
        node, block, is_repeated = stack.pop()
        if node.kind in _FUNCTIONS:
            continue
        if node.kind == "for_in_statement" and _is_var(node.child("kind")):
            yield _Place(node, node, is_repeated=True)
        if node.kind == "variable_declaration" and node.children and _is_var(node.children[0]):
            is_nested = block.kind == "for_statement" or (block.kind == "statement_block" and block is not _body(owner))
            if is_nested and (not is_repeated or _is_given(node) or block.kind == "for_statement"):
                yield _Place(node, block, is_repeated)
        inner = node if node.kind in ("statement_block", "switch_body", "for_statement") else block
        is_again = is_repeated or node.kind in _LOOPS
        for child in reversed(node.children):
            is_head = node.kind == "for_statement" and child.field != "initializer"
            stack.append((child, block if is_head and child.kind != "statement_block" else inner, is_again))


def _body(owner: Node) -> Node | None:
    return owner.child("body")


def _is_var(word: Node | None) -> bool:
    return word is not None and word.text == "var"


def _is_given(declaration: Node) -> bool:
    names = [child for child in declaration.children if child.kind == "variable_declarator"]
    return all(child.child("value") is not None for child in names)


def _inside(name: str, place: _Place) -> int:
    """How often the name stands in the block; 0 if it does so before it is declared, or in a function that keeps it."""
    inside, binds = 0, 0
    stack: list[tuple[Node, bool]] = [(place.holder, False)]
    while stack:
        node, is_kept = stack.pop()
        if node.text == name and node.role is Role.NAME:
            inside += 1
            binds += node.binds
            if is_kept or not binds:
                return 0
        is_function = node.kind in _FUNCTIONS and (place.is_repeated or node.kind.endswith("declaration"))
        stack.extend((child, is_kept or is_function) for child in reversed(node.children))
    in_head = place.node.child("right") if place.node.kind == "for_in_statement" else place.node
    said = sum(leaf.text == name and leaf.role is Role.NAME for leaf in every_node(in_head or place.node))
    return inside if binds == 1 and said == (in_head is place.node) else 0


def _narrow(node: Node) -> None:
    word = node.child("kind") or node.children[0]
    word.kind = word.text = "let"
    if node.kind == "variable_declaration":
        node.kind = "lexical_declaration"
