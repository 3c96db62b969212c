"""What Rust looks for and only asks whether it is there, and values of the library that have a shorter form.

    a.iter().find(|&&b| b == c).is_some()       a.iter().any(|&b| b == c)
    a.iter().position(b).is_none()              !a.iter().any(b)
    a.rev().next()                              a.next_back()
    a.as_ref().map(String::as_str)              a.as_deref()
    &[b'a', b'\\n']                              b"a\\n"
    a.write_all("b".as_bytes())                 a.write_all(b"b")
    let ref a = b;                              let a = &b;
    &a == &b                                    a == b

What `find` shows is lent, and `any` gives it away: so a pattern takes the `&` off, or it is only followed
(`*b`, `b.c`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Set

from intentls.core.syntax.languages.adapter import in_place_of, leaf_like
from intentls.core.syntax.languages.made_nodes import become, given_to, word_at
from intentls.core.syntax.languages.rust.forms.methods import call_of, method_of
from intentls.core.syntax.tree import Node, all_said, every_node, inner_nodes, spelling

_ASKED = {"is_some": True, "is_none": False}
# What gives places that are lent, or values that nothing is dropped with.
_SOURCES = frozenset({"iter", "chars", "bytes", "lines", "keys", "values", "char_indices", "split_whitespace"})
_BYTE = re.compile(r"b'((?:[^'\\]|\\[^'u])[^']*)'\Z")
_BYTES_OF = re.compile(r'"(?:[^"\\\r\n]|\\[nrt0\\"])*"\Z')
_TAKES_BYTES = frozenset({"write_all", "extend_from_slice"})
_COMPARING = frozenset({"==", "!=", "<", "<=", ">", ">="})
_ENDING = frozenset({"if_expression", "while_expression", "let_declaration"})
_AS_TEXTS = (["String::as_str"], ["std::string::String::as_str"])


def searched(root: Node) -> None:
    """A `Rewrite`: all of these."""
    own: set[str] | None = None
    last: set[int] = set()  # what nothing is computed after until what it has made is dropped
    nodes = list(inner_nodes(root))
    for node in nodes:
        if node.kind in _ENDING:
            last.update(id(child.children[-1] if _is_denied(child) else child) for child in node.children)
    for node in reversed(nodes):  # what is within comes first
        shape = _SHAPES.get(node.kind)
        if shape is not None:
            own = _declared(root) if own is None else own
            shape(node, own, id(node) in last)


def _is_denied(value: Node) -> bool:
    return value.kind == "unary_expression" and value.children[0].kind == "!"


def _declared(root: Node) -> set[str]:
    """The names of the functions, types and traits that a file declares."""
    items = (node for node in every_node(root) if node.kind.endswith("_item"))
    return {item.origin if (name := item.child("name")) is None else name.text or "" for item in items}


def _call(node: Node, own: Set[str], is_last: bool) -> None:
    owner, name = method_of(node)
    if owner is None or name in own:
        return
    given = given_to(node)
    inner, before = method_of(owner)
    if name in _ASKED and not given and inner is not None and before in ("find", "position"):
        if own.isdisjoint(("find", "position", "any")):
            _ask(node, owner, inner, is_last=is_last)
    elif name == "next" and before == "rev" and inner is not None and not given and not given_to(owner):
        become(node, call_of(inner, "next_back", [], node))
    elif (
        name == "map"
        and before == "as_ref"
        and inner is not None
        and [*map(spelling, given)] in _AS_TEXTS
        and "String" not in own
    ):
        become(node, call_of(inner, "as_deref", [], node))
    elif name in _TAKES_BYTES and len(given) == 1:
        text, told = method_of(given[0])
        if text is not None and told == "as_bytes" and _BYTES_OF.match(text.text or "") and (text.text or "").isascii():
            node.children[-1].children[1] = leaf_like(given[0], "string_literal", f"b{text.text}")


def _ask(node: Node, searching: Node, searched_in: Node, *, is_last: bool) -> None:
    """`a.any(b)` for `a.find(b).is_some()`, and `!a.any(b)` for `is_none`."""
    source, source_name = method_of(searched_in)
    asked = given_to(searching)
    if source is None or source_name not in _SOURCES or given_to(searched_in) or len(asked) != 1:
        return
    if method_of(searching)[1] == "find" and not _is_given(asked[0], is_last=is_last):
        return
    found = call_of(searched_in, "any", asked, node)
    if _ASKED[method_of(node)[1]]:
        become(node, found)
    else:
        found.field = "argument"
        node.kind, node.children = "unary_expression", [word_at(node, "!"), found]


def _is_given(question: Node, *, is_last: bool) -> bool:
    """Whether a closure that is shown something can be given it: it asks for that itself then, and drops it.

    What is a copy is dropped in no way. Else nothing comes between (`is_last`).
    """
    if question.kind != "closure_expression" or len(question.children) != 2:
        return False
    parameters, body = question.children
    at = next((index for index, child in enumerate(parameters.children) if child.text != "|"), 0)
    pattern = parameters.children[at]
    if len(parameters.children) != 3:
        return False
    if pattern.kind == "reference_pattern":
        inner = pattern.children[-1]
        while inner.kind == "reference_pattern" and len(inner.children) == 2:
            inner = inner.children[-1]
        if len(pattern.children) == 2 and inner.kind == "identifier":
            parameters.children[at] = in_place_of(pattern, pattern.children[1])
            return True
        return False
    return is_last and pattern.kind == "identifier" and _is_followed(question, body, pattern.text or "")


def _is_followed(question: Node, body: Node, name: str) -> bool:
    """Whether a closure only follows its parameter (`*a`, `a.b`), which need not be followed so far then."""
    stars: list[tuple[Node, int]] = []
    fields = 0
    for node in inner_nodes(question):
        for at, child in enumerate(node.children):
            is_star = child.kind == "unary_expression" and child.children[0].kind == "*"
            if is_star and child.children[1].kind == "identifier" and child.children[1].text == name:
                stars.append((node, at))
        owner = node.children[0]
        is_field = node.kind == "field_expression" and node.field != "function" and owner.kind == "identifier"
        fields += is_field and owner.text == name
    words = re.findall(rf"(?<![\w.]){re.escape(name)}(?!\w)", all_said(body))
    if len(words) != len(stars) + fields:
        return False
    for node, at in stars:
        node.children[at] = in_place_of(node.children[at], node.children[at].children[1])
    return True


def _reference(node: Node, _own: Set[str], _is_last: bool) -> None:
    r"""`b"a\n"` for `&[b'a', b'\n']`."""
    listed = node.children[-1]
    if len(node.children) != 2 or listed.kind != "array_expression":
        return
    parts = listed.children[1:-1]
    signs = [_BYTE.match(part.text or "") for part in parts[::2]]
    if parts and all(sign.kind == "," for sign in parts[1::2]) and all(signs):
        said = "".join(sign[1].replace('"', '\\"') for sign in signs if sign is not None)
        become(node, Node("string_literal", None, node.row, f'b"{said}"'))


def _compared(node: Node, _own: Set[str], _is_last: bool) -> None:
    """`a == b` for `&a == &b`, which the library compares by what they lead to."""
    left, sign, right = node.children
    is_lent = all(side.kind == "reference_expression" and len(side.children) == 2 for side in (left, right))
    if is_lent and sign.kind in _COMPARING:
        node.children = [in_place_of(left, left.children[1]), sign, in_place_of(right, right.children[1])]


def _let(node: Node, _own: Set[str], _is_last: bool) -> None:
    """`let a = &b;` for `let ref a = b;`."""
    kinds = [child.kind for child in node.children]
    if kinds[:3] != ["let", "ref_pattern", "="] or len(kinds) != 5:
        return
    name, value = node.children[1].children[-1], node.children[3]
    if name.kind != "identifier":  # but `mut`, or a pattern
        return
    name.field = "pattern"
    lent = Node("reference_expression", "value", value.row, children=[word_at(value, "&"), value])
    value.field = "value"
    node.children[1], node.children[3] = name, lent


_SHAPES: dict[str, Callable[[Node, Set[str], bool], None]] = {
    "binary_expression": _compared,
    "call_expression": _call,
    "reference_expression": _reference,
    "let_declaration": _let,
}
