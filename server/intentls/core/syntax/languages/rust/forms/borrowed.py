"""Patterns of Rust that borrow: `match a { A(ref b) => .. }` is `match &a { A(b) => .. }`, and so on.

What a pattern binds with `ref` is what it binds without, if what is matched is a reference: a reference to the part.
So each of these has one form, in which the value is borrowed and not its parts:

    match *self {              match self {               match self {
        A(ref b) => c(b),          &A(ref b) => c(b),         A(b) => c(b),
        B => d(),                  &B => d(),                 B => d(),
    }                          }                          }
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator

from msgspec import Struct

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.tree import Node, every_node, inner_nodes

# What a pattern may be made of, if it is to be understood.
_PATTERNS = frozenset(
    {
        *("tuple_struct_pattern", "tuple_pattern", "struct_pattern", "field_pattern", "or_pattern", "ref_pattern"),
        *("scoped_identifier", "range_pattern", "remaining_field_pattern", "negative_literal", "string_literal"),
    }
)
_SCOPES = frozenset({"if_expression", "while_expression", "match_expression"})
_FUNCTIONS = frozenset({"function_item", "impl_item", "trait_item", "mod_item"})
_WORD = re.compile(r"\w+")


class _MatchedValue(Struct):
    """A value and the patterns that it is matched with; `holder.children[at]` is the value, and so for each pattern."""

    holder: Node
    at: int
    patterns: list[tuple[Node, int]]
    arms: list[Node]
    around: Node  # what has all that the patterns bind


def borrowed(root: Node) -> None:
    """A `Rewrite`: what is matched is borrowed, and not the parts that the patterns bind."""
    for match, references in _matches(root):
        _without_idle(match)
        _without_references(match)
        _borrow(match, references)


def _matches(root: Node) -> list[tuple[_MatchedValue, frozenset[str]]]:
    """Each `match` and `let` of a condition, with what its function is given as a `&T`."""
    found: list[tuple[_MatchedValue, frozenset[str]]] = []
    stack = [(root, root, frozenset[str]())]
    while stack:
        node, around, references = stack.pop()
        if node.kind in _FUNCTIONS:
            references = frozenset(name for name, is_changed in references_of(node) if not is_changed)
        if node.kind in _SCOPES:
            around = node
        if node.kind == "match_expression":
            found.extend((match, references) for match in _match(node))
        elif node.kind == "let_condition":
            fields = [child.field for child in node.children]
            pattern = (node, fields.index("pattern"))
            found.append((_MatchedValue(node, fields.index("value"), [pattern], [], around), references))
        stack.extend((child, around, references) for child in node.children if child.children)
    return found


def references_of(function: Node) -> Iterator[tuple[str, bool]]:
    """The names of what a function is given as a reference, and whether as a `&mut T`.

    Not those that it may use for something else, too.
    """
    parameters = function.child("parameters")
    bound = Counter(leaf.text for node in every_node(function) for leaf in _declared_below(node))
    for parameter in () if parameters is None else parameters.children:
        words = [part.text or "" for part in parameter.children if part.kind != "lifetime"]
        kind, pattern = parameter.child("type"), parameter.child("pattern")
        if parameter.kind == "self_parameter" and words == ["&", "self"]:
            yield "self", False
        elif kind is not None and pattern is not None and kind.kind == "reference_type":
            is_changed = any(part.kind == "mutable_specifier" for part in kind.children)
            if pattern.text is not None and bound[pattern.text] == 1:
                yield pattern.text, is_changed


def _declared_below(node: Node) -> Iterator[Node]:
    """The words that may be variables which a node declares in patterns."""
    for child in node.children:
        if child.field == "pattern" or node.kind == "closure_parameters":
            yield from every_node(child)


def _match(node: Node) -> list[_MatchedValue]:
    at = next(index for index, child in enumerate(node.children) if child.field == "value")
    arms = [child for child in node.children[-1].children if child.kind == "match_arm"]
    patterns = [(part, 0) for arm in arms for part in arm.children if part.kind == "match_pattern"]
    return [_MatchedValue(node, at, patterns, arms, node)] if patterns else []


def _without_idle(match: _MatchedValue) -> None:
    """`_` for `ref a` of a name that its arm does not use."""
    for arm in match.arms:
        marked = [
            (node, index, child)
            for node in inner_nodes(arm.children[0])
            for index, child in enumerate(node.children)
            if child.kind == "ref_pattern"
        ]
        words = [word for leaf in every_node(arm) for word in _WORD.findall(leaf.text or "")] if marked else []
        for node, index, child in marked:
            if words.count(child.children[-1].text or "") == 1:
                node.children[index] = Node("_", child.field, child.row, "_")


def _without_references(match: _MatchedValue) -> None:
    """`match *a { A => .. }` for `match a { &A => .. }`."""
    patterns = [holder.children[at] for holder, at in match.patterns]
    marked = [pattern for pattern in patterns if pattern.kind == "reference_pattern" and len(pattern.children) == 2]
    if not marked or any(pattern.text != "_" and not _is_one(pattern, marked) for pattern in patterns):
        return
    for holder, at in match.patterns:
        if holder.children[at].text != "_":
            holder.children[at] = in_place_of(holder.children[at], holder.children[at].children[1])
    value = match.holder.children[match.at]
    if value.kind == "reference_expression" and len(value.children) == 2:
        match.holder.children[match.at] = in_place_of(value, value.children[1])
    else:
        match.holder.children[match.at] = _prefixed("*", "unary_expression", value)


def _is_one(node: Node, others: list[Node]) -> bool:
    return any(node is other for other in others)


def _prefixed(sign: str, kind: str, value: Node) -> Node:
    field, value.field = value.field, None
    return Node(kind, field, value.row, children=[Node(sign, None, value.row, sign), value])


def _borrow(match: _MatchedValue, references: Collection[str]) -> None:
    patterns = [holder.children[at] for holder, at in match.patterns]
    bound = _bindings(patterns, match)
    if bound is None:
        return
    value = match.holder.children[match.at]
    if not bound:
        if any(pattern.kind not in ("_", "identifier") for pattern in patterns):
            match.holder.children[match.at] = _bare(value)
        return
    for holder in bound:
        _unmark(holder)
    is_whole = value.kind == "unary_expression" and value.children[0].text == "*"
    if is_whole and value.children[1].text in references:
        match.holder.children[match.at] = in_place_of(value, value.children[1])
    else:
        match.holder.children[match.at] = _prefixed("&", "reference_expression", value)


def _bare(value: Node) -> Node:
    """What is matched without `&` and `*`: where nothing is bound, a pattern looks through references."""
    field = value.field
    while value.kind in ("unary_expression", "reference_expression") and value.children[0].text in ("*", "&"):
        value = value.children[-1]
    value.field = field
    return value


def _bindings(patterns: list[Node], match: _MatchedValue) -> list[Node] | None:
    """What binds a name with `ref`; None if something is bound in another way, or may be."""
    found: list[Node] = []
    constants: list[str] = []
    waiting = list(patterns)
    while waiting:
        node = waiting.pop()
        if node.text is not None:
            may_bind = node.kind in ("identifier", "shorthand_field_identifier", "metavariable")
            if may_bind and not node.text[:1].isupper():
                return None
            constants += [node.text] if may_bind and node.field != "type" else []
            continue
        if node.kind not in _PATTERNS:
            return None
        marks = [child.kind for child in node.children]
        if "mutable_specifier" in marks or "mut_pattern" in marks:
            return None
        if "ref" in marks:
            found.append(node)
        elif node.kind != "scoped_identifier":
            waiting.extend(node.children)
    if constants:  # unless one is a name that is bound, which something uses
        said = Counter(leaf.text for leaf in every_node(match.around))
        said.subtract(leaf.text for pattern in patterns for leaf in every_node(pattern))
        return found if all(said[name] <= 0 for name in constants) else None
    return found


def _unmark(holder: Node) -> None:
    """Without `ref`."""
    holder.children = [child for child in holder.children if child.kind != "ref"]
    if holder.kind == "ref_pattern":
        only = holder.children[0]
        holder.kind, holder.text, holder.children = only.kind, only.text, only.children
