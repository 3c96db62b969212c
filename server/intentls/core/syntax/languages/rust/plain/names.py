"""Rust: local names of plain values, with and without the name, however often and wherever it stands.

    let is_small = a < 9 && b;           if a < 9 && b { send(a); }
    if is_small { send(a); }             log(a < 9 && b);
    log(is_small);

What the value is made of never changes, so that it is the same at each place. What may panic has to be computed at
once, before all else: later it is then known not to.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from intentls.core.syntax.languages.rust.forms.inlining import first_place
from intentls.core.syntax.languages.rust.plain.types import PlainTypes, declared_in, functions_in
from intentls.core.syntax.tree import Node, all_said, copy_with, every_node, inner_nodes

_WORD = re.compile(r"\w+")
_MAX_COPIED = 200  # nodes in the place of one name
_UNTYPED = frozenset({"{integer}", "{float}"})  # what stands around a number tells which it is
# Where a name is no value that is read: it is lent, is what a method is called of, or a field is named after it.
_CLOSED = frozenset({"reference_expression", "shorthand_field_initializer", "token_tree", "field_expression"})


def without_plain_names(root: Node) -> None:
    """A `Rewrite`: put such values in the place of their names."""
    if not any(node.kind == "let_declaration" for node in inner_nodes(root)):
        return
    for function, types in functions_in(root, declared_in(root)):
        if types.names:
            _put_in(function, types)


class _NamedPlace(Struct, frozen=True):
    """Where a name stands: a child of its parent."""

    parent: Node
    at: int

    def take(self, value: Node) -> None:
        """Put a copy of the value there."""
        copy = copy_with(value, {})
        copy.field = self.parent.children[self.at].field
        self.parent.children[self.at] = copy


def _put_in(function: Node, types: PlainTypes) -> None:
    lets = [found for found in _lets(function) if _name(found[0].children[found[1]]) in types.names]
    if not lets:
        return
    words = Counter(_WORD.findall(all_said(function)))
    uses: dict[str, list[_NamedPlace]] = {}
    for node in inner_nodes(function):
        for at, child in enumerate(node.children):
            if child.kind == "identifier":
                uses.setdefault(child.text or "", []).append(_NamedPlace(node, at))
    gone: set[int] = set()
    for block, index in lets:
        let = block.children[index]
        places = [use for use in uses.get(_name(let), ()) if use.parent is not let]
        if len(places) != words[_name(let)] - 1 or not _are_below(block, index, places):
            continue
        if _name(let) not in types.fixed:
            gone |= _unread(types, function, let, places)
        elif _may_be_put(types, block, index, places):
            for use in places:
                use.take(let.children[-2])
            gone.add(id(let))
    for block in [node for node in inner_nodes(function) if node.kind == "block"] if gone else ():
        block.children = [child for child in block.children if id(child) not in gone and id(_only(child)) not in gone]


def _are_below(block: Node, index: int, places: Sequence[_NamedPlace]) -> bool:
    """Whether each place is one of the name that a statement declares: none before it, or after its block."""
    inside = {id(node) for statement in block.children[index + 1 :] for node in inner_nodes(statement)}
    return all(id(use.parent) in inside or (use.parent is block and use.at > index) for use in places)


def _only(statement: Node) -> Node:
    """What a statement does, where it gives nothing."""
    is_ended = statement.kind == "expression_statement" and len(statement.children) == 2
    return statement.children[0] if is_ended else statement


def _unread(types: PlainTypes, function: Node, let: Node, places: Sequence[_NamedPlace]) -> set[int]:
    """The declaration and all assignments of a name that nothing reads, by their identities; none if something does."""
    steps = [use.parent for use in places]
    is_idle = all(node.kind == "assignment_expression" and types.of(node.children[2]) for node in steps)
    if not steps or not is_idle or any(use.at for use in places) or not types.of(let.children[-2]):
        return set()
    statements = {
        id(part)
        for node in inner_nodes(function)
        if node.kind == "block"
        for child in node.children
        for part in (child, _only(child))
    }
    gone = {id(let), *map(id, steps)}
    return gone if gone <= statements else set()


def _lets(function: Node) -> Iterator[tuple[Node, int]]:
    """Where the function gives names to values, in the order of the source."""
    stack = [function]
    while stack:
        node = stack.pop()
        for index, child in enumerate(node.children if node.kind == "block" else ()):
            if _name(child) and node.children[index - 1].kind != "attribute_item":
                yield node, index
        stack.extend(reversed([child for child in node.children if child.children]))


def _name(statement: Node) -> str:
    """The name that `let name = value;` gives, with a type or without."""
    kinds = [child.kind for child in statement.children if child.kind != "mutable_specifier"]
    kinds = kinds if statement.kind == "let_declaration" else []
    is_plain = kinds[:2] == ["let", "identifier"] and kinds[-3:-2] == ["="] and len(kinds) in (5, 7)
    return _text(statement.child("pattern")) if is_plain else ""


def _text(leaf: Node | None) -> str:
    return (leaf.text or "") if leaf is not None else ""


def _may_be_put(types: PlainTypes, block: Node, index: int, places: Sequence[_NamedPlace]) -> bool:
    """Whether the value may stand at each place."""
    let = block.children[index]
    size = sum(1 for _ in every_node(let)) * len(places)
    is_same = size <= _MAX_COPIED and _is_same(types, let, let.children[-2], places)
    return is_same and _may_move(types, block, index, places)


def _is_same(types: PlainTypes, let: Node, value: Node, places: Sequence[_NamedPlace]) -> bool:
    """Whether the value means the same at each place, and has the same type there."""
    if not all(leaf.text in types.fixed for leaf in every_node(value) if leaf.kind == "identifier"):
        return False
    if any(use.parent.kind in _CLOSED or use.parent.children[use.at].field == "pattern" for use in places):
        return False
    kind, said = types.of(value, may_panic=True), types.names[_name(let)]
    is_told = kind == said and kind not in _UNTYPED
    is_one = len(let.children) == 5 and all(use.parent.kind != "type_cast_expression" for use in places[:1])
    is_one = is_one and len(places) < 2
    return bool(kind) and (is_told or is_one or all(_wants(types, use, kind, said) for use in places))


def _wants(types: PlainTypes, use: _NamedPlace, kind: str, said: str) -> bool:
    """Whether a number without a type of its own is one of this type there: so says what it is computed with."""
    if use.parent.kind != "binary_expression" or len(use.parent.children) != 3 or kind not in _UNTYPED:
        return False
    other = types.of(use.parent.children[2 - use.at], may_panic=True)
    return other not in _UNTYPED and bool(other) and said in (other, kind)


def _may_move(types: PlainTypes, block: Node, index: int, places: Sequence[_NamedPlace]) -> bool:
    """Whether the value can be computed later: always, or where the next statement does that before all else."""
    let = block.children[index]
    value = let.children[-2]
    if types.of(value):
        return True
    name = _name(let)
    following = next(one for one in block.children[index + 1 :] if not _is_beside(types, one, name))
    first = first_place(following, name, value)
    return first is not None and any(use.parent is first[0] and use.at == first[1] for use in places)


def _is_beside(types: PlainTypes, statement: Node, name: str) -> bool:
    """Whether a statement only names another plain value, which cannot panic."""
    is_other = _name(statement) in types.names and bool(types.of(statement.children[-2]))
    return is_other and name not in _WORD.findall(all_said(statement))
