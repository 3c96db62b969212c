"""Rust that is written in another way and does the same: one form for each of these."""

from __future__ import annotations

import re
from collections import Counter

from intentls.core.syntax.languages.adapter import in_place_of, leaf_like
from intentls.core.syntax.languages.rust.forms.places import is_settled
from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

_WORD = re.compile(r"\w+")
_THROUGH = frozenset({"reference_type", "array_type", "tuple_type"})
# What may be called like a type around it, and what has a `Self` of its own.
_DECLARES = frozenset(
    {"struct_item", "enum_item", "trait_item", "impl_item", "type_item", "union_item", "use_declaration"}
)


def modernized(root: Node) -> None:
    """A `Rewrite`: `return a;` at the end, `let a = b; a`, `A { a: a }`, `if a { if b { .. } }`, `&'static`.

    And `dyn A`, `Self`, `1...2`, as they were written before, and no `let _ = a;` of a parameter.
    """
    for node in reversed(list(inner_nodes(root))):
        if node.kind in ("const_item", "static_item"):
            _drop_static(node.child("type"))
        elif node.kind == "field_initializer" and _is_twice(node):
            node.kind, node.children = "shorthand_field_initializer", node.children[2:]
        elif node.kind == "if_expression":
            _join_conditions(node)
        elif node.kind == "function_item":
            _drop_mentions(node)
            _end_with_value(node)
        elif node.kind == "impl_item":
            _name_itself(node)
        elif node.kind == "range_pattern":
            node.children = [_inclusive(child) for child in node.children]
        node.children = [_without_dyn(child) for child in node.children]


def _without_dyn(node: Node) -> Node:
    """`A` for `dyn A`, which says that `A` is a trait: that can't be anything else."""
    return in_place_of(node, node.children[1]) if node.kind == "dynamic_type" and len(node.children) == 2 else node


def _inclusive(sign: Node) -> Node:
    return Node("..=", sign.field, sign.row, "..=") if sign.kind == "..." else sign


def _name_itself(implementation: Node) -> None:
    """The name of the type for `Self` in its `impl`, where that says as much.

    With types as parameters only `A<T>`, as it is spelled, is what `Self` is; with lifetimes alone `A` is it, too.
    """
    itself, body = implementation.child("type"), implementation.child("body")
    name = itself.children[0] if itself is not None and itself.kind == "generic_type" else itself
    if itself is None or name is None or body is None or name.kind != "type_identifier":
        return
    if any(_may_hide(node, name.text) for node in every_node(body)):
        return
    given = itself.children[-1].children[1:-1] if itself.children else []
    has_types = any(part.kind not in ("lifetime", ",") for part in given)
    stack = [(body, False, False)]
    while stack:
        node, is_of_self, is_asked = stack.pop()
        if node.kind in ("match_expression", "let_condition"):
            value = node.child("value")
            is_of_self = value is not None and _OF_SELF.match(spelling(value)) is not None
        is_asked = is_asked or (is_of_self and (node.kind == "match_pattern" or node.field == "pattern"))
        if node.kind == "token_tree":
            continue
        is_path = node.kind in _PATHS
        node.children = [
            # What a pattern asks of `self` is of a type that is known.
            _named_itself(child, itself, is_path=is_path, has_types=has_types and not is_asked)
            for child in node.children
        ]
        stack.extend((child, is_of_self, is_asked) for child in node.children if child.children)


_OF_SELF = re.compile(r"\(?[&*]*(?:mut)?self\b[\w.,&*]*\)?\Z")


def _may_hide(node: Node, name: str | None) -> bool:
    """Whether it has a `Self` of its own, or may call something else by the type's name."""
    is_import = node.kind == "import_item" and (
        node.children[-1].kind != "identifier" or node.children[-1].text == name
    )
    return node.kind in _DECLARES or is_import


def _named_itself(child: Node, itself: Node, *, is_path: bool, has_types: bool) -> Node:
    if child.text != "Self" or child.kind not in ("identifier", "type_identifier"):
        return child
    if child.kind == "type_identifier" and not is_path:
        return child if "'_" in spelling(itself) else _copy_at(itself, child)
    name = itself.children[0] if itself.children else itself
    return child if has_types else leaf_like(child, child.kind, name.text or "")


def _copy_at(written: Node, place: Node) -> Node:
    copy = Node(written.kind, place.field, place.row, written.text)
    waiting = [(written, copy)]
    while waiting:
        node, into = waiting.pop()
        into.children = [Node(child.kind, child.field, place.row, child.text) for child in node.children]
        waiting.extend(zip(node.children, into.children, strict=True))
    return copy


# Where the name of a type is a part of a value, or of a longer name.
_PATHS = frozenset(
    {
        "struct_expression",
        "struct_pattern",
        "scoped_type_identifier",
        "scoped_identifier",
        "generic_type_with_turbofish",
    }
)


def _drop_static(written: Node | None) -> None:
    """A reference in the type of a constant lives for ever, whether it says so or not."""
    stack = [written] if written is not None else []
    while stack:
        node = stack.pop()
        if node.kind == "reference_type":
            node.children = [child for child in node.children if spelling(child) != "'static"]
        stack.extend(child for child in node.children if child.kind in _THROUGH)


def _is_twice(initializer: Node) -> bool:
    first, _, value = initializer.children if len(initializer.children) == 3 else (initializer,) * 3
    return first.kind == "field_identifier" and value.kind == "identifier" and first.text == value.text


def _join_conditions(node: Node) -> None:
    """`if a && b { .. }` for `if a { if b { .. } }`: neither declares a name, and neither has an `else`."""
    while len(node.children) == 3 and node.children[2].text is None and len(node.children[2].children) == 3:
        only = node.children[2].children[1]
        inner = only.children[0] if only.kind == "expression_statement" and len(only.children) == 1 else only
        conditions = (node.children[1], inner.children[1]) if inner.kind == "if_expression" else ()
        if len(inner.children) != 3 or not conditions or any(part.kind.startswith("let_") for part in conditions):
            return
        first, second = conditions
        sign = Node("&&", "operator", second.row, "&&")
        first.field, second.field = "left", "right"
        joined = Node("binary_expression", "condition", first.row, children=[first, sign, second])
        node.children = [node.children[0], joined, inner.children[2]]


def _drop_mentions(function: Node) -> None:
    """`let _ = a;` of a parameter binds nothing, moves nothing and drops nothing. A closure might keep `a` for it."""
    parameters = (part for child in function.children if child.field == "parameters" for part in child.children)
    names = {name.text for parameter in parameters if (name := parameter.child("pattern")) is not None}
    for body in (child for child in function.children if child.field == "body"):
        body.children = [child for child in body.children if not _is_mention(child, names)]


def _is_mention(statement: Node, names: set[str | None]) -> bool:
    if statement.kind != "let_declaration" or [child.text for child in statement.children[:3]] != ["let", "_", "="]:
        return False
    value = statement.children[3]
    return len(statement.children) == 5 and value.kind == "identifier" and value.text in names


def _end_blocks(body: Node) -> None:
    """Without `return` before what a block ends with, and the blocks of its last branches or arms."""
    blocks = [body]
    while blocks:
        block = blocks.pop()
        _hand_on(block)
        last = block.children[-2] if len(block.children) > 2 else block
        only = last.children[0] if last.kind == "expression_statement" else last
        if only.kind == "return_expression":
            values = only.children[1:]
            if _declares_nothing(block) or all(map(is_settled, values)):
                block.children[-2:-1] = [in_place_of(last, value) for value in values]
        elif last.kind != "expression_statement" or len(last.children) == 1:
            blocks += _last_blocks(only)


def _declares_nothing(block: Node) -> bool:
    """Whether nothing of a block is dropped before what its last value leaves behind, which then goes first anyway."""
    kinds = {child.kind for child in block.children}
    calls = (child.children[0] for child in block.children if child.kind == "expression_statement" and child.children)
    return kinds.isdisjoint(_DECLARING) and not any(call.kind == "macro_invocation" for call in calls)


_DECLARING = frozenset({"let_declaration", "macro_invocation"})  # a macro may declare something, too


def _hand_on(block: Node) -> None:
    """`a` at the end for `Ok(a?)`, and for `a?; Ok(())`: as both compile, the error is of the one type already."""
    at = len(block.children) - 2
    last = block.children[at] if at > 0 else block
    statement = block.children[at - 1] if at > 1 else block
    if spelling(last) in ("Ok(())", "Some(())") and [child.kind for child in statement.children] == _TRIED:
        value = statement.children[0].children[0]
        if is_settled(value):
            block.children[at - 1 : at + 1] = [in_place_of(last, value)]
    elif at > 0 and last.kind == "expression_statement":
        last.children[0] = _handed_on(last.children[0])
    elif at > 0:
        block.children[at] = _handed_on(last)


_TRIED = ["try_expression", ";"]


def _handed_on(value: Node) -> Node:
    if value.kind == "return_expression":
        value.children = [_handed_on_at_once(child) for child in value.children]
    return _handed_on_at_once(value)


def _handed_on_at_once(value: Node) -> Node:
    given = value.children[1].children if value.kind == "call_expression" else []
    is_tried = len(given) == 3 and given[1].kind == "try_expression"
    return in_place_of(value, given[1].children[0]) if is_tried and value.children[0].text in _GOOD else value


_GOOD = ("Ok", "Some")


def _last_blocks(node: Node) -> list[Node]:
    """The blocks that a value of several branches ends with; what an arm returns at once is its value."""
    blocks: list[Node] = []
    if node.kind == "if_expression" and len(node.children) == 4:
        inner = node.children[3].children[-1]
        blocks = [node.children[2], *([inner] if inner.kind == "block" else _last_blocks(inner))]
    elif node.kind == "match_expression":
        for arm in node.children[-1].children:
            if arm.kind == "match_arm":
                arm.children[-1] = _handed_on(arm.children[-1])
            value = arm.children[-1] if arm.kind == "match_arm" else arm
            if value.kind == "block":
                blocks.append(value)
            elif value.kind == "return_expression" and len(value.children) == 2:
                arm.children[-1] = in_place_of(value, value.children[1])
    return blocks


def _end_with_value(function: Node) -> None:
    """The value at the end, without a `return` or a name of its own, if it leaves nothing that is dropped after it."""
    body = function.child("body")
    if body is None or len(body.children) < 3:
        return
    _end_blocks(body)
    if len(body.children) < 4:
        return
    statement, last = body.children[-3:-1]
    words = Counter(word for leaf in every_node(function) for word in _WORD.findall(leaf.text or ""))
    if statement.kind == "let_declaration" and len(statement.children) == 5 and last.kind == "identifier":
        name, value = statement.children[1], statement.children[3]
        is_named = name.kind == "identifier" and name.text == last.text and words[last.text or ""] == 2
        if is_named and statement.children[2].kind == "=" and is_settled(value):
            body.children[-3:-1] = [in_place_of(last, value)]
