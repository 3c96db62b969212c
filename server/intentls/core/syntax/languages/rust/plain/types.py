"""Plain values of Rust: numbers, truths, characters and texts, whose types a function's own words tell.

fn f(a: u8, b: &str) { let c = a > 2; let d = !c && b == "x"; }      `a` is a `u8`, `b` a `&str`, `c` and `d` a `bool`

To read one does nothing else, and no other code can say what its operators do. What may panic is no such value.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Set

from msgspec import Struct

from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

WHOLE = frozenset(f"{sign}{size}" for sign in "iu" for size in ("8", "16", "32", "64", "128", "size")) | {"{integer}"}
"""Types of whole numbers; `{integer}` is one that other words tell."""
ORDERED = WHOLE | {"bool", "char", "&str"}
"""Types of which each value is less than another one, equal, or greater."""
_FLOATS = frozenset({"f32", "f64", "{float}"})
_TYPES = ORDERED | _FLOATS
_ANY_NUMBER = {"{integer}": WHOLE, "{float}": _FLOATS}
_LISTS = re.compile(r"&?(?:String|str|\[.*\]|Vec<.*>)\Z", re.DOTALL)
_ELEMENTS = re.compile(r"&(?:\[([^;]*)\]|Vec<(.*)>)\Z", re.DOTALL)
_LOOPED = re.compile(r"&?(\w+)(?:\.iter\(\))?\Z")
_TOLD = {"is_empty": "bool", "len": "usize"}  # methods of lists and texts that only tell
_COMPARING = frozenset({"==", "!=", "<", "<=", ">", ">="})
_LOGIC = frozenset({"&&", "||"})
_BITS = frozenset({"&", "|", "^"})
_COUNTING = frozenset({"+", "-", "*", "/", "%"})
# Macros of the library that look at what they are given.
_LOOKING = frozenset(
    {
        *("print", "println", "eprint", "eprintln", "format", "panic", "vec", "matches", "assert", "assert_eq"),
        *("assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne", "unreachable", "todo", "unimplemented"),
    }
)
_OF_NUMBERS = {"integer_literal": "{integer}", "float_literal": "{float}"}
_LITERALS = frozenset({"string_literal", "raw_string_literal", "char_literal", "true", "false"})
_OF_SIGNS = (('"', "&str"), ("r", "&str"), ("'", "char"), ("b'", "u8"), ("true", "bool"), ("false", "bool"))
_UNREAD = frozenset({"held_statement", "ERROR"})
_WORD = re.compile(r"\w+")
_SIZED = re.compile(r"[iu]")  # no digit of a number with the base 16
_SUFFIX = re.compile(r"(?<=\d)_?([iuf](?:8|16|32|64|128|size))\Z")


class PlainTypes(Struct, frozen=True):
    """The types of a function's names; `fixed`: those that always have the value that they were given first.

    What is fixed is told by the `mut` of all others, so that only a step knows it before which none takes that away.
    """

    names: Mapping[str, str]
    fixed: Set[str]

    def of(self, value: Node, *, may_panic: bool = False) -> str:
        """The type of a plain value; empty for all else. `may_panic`: what is computed may, and does nothing else.

        Example: `bool` of `a == 1 && b`, and nothing of `a + 1`, which may be too much.
        """
        if value.kind == "boolean_literal":
            return "bool"
        if value.text is not None:
            return self._of_word(value)
        if value.kind == "binary_expression":
            return self._of_operands(value, may_panic)
        if value.kind == "unary_expression":
            return self._of_sign(value, may_panic)
        if value.kind == "type_cast_expression":
            kind = spelling(value.children[-1])
            inner = self.of(value.children[0], may_panic=may_panic)
            return kind if kind in _TYPES and inner in _TYPES - {"&str"} else ""
        return self._of_call(value)

    def mixed(self, one: Node, other: Node) -> str:
        """The type that two values have, which may panic; empty where they have none, or not the same."""
        return _alike(self.of(one, may_panic=True), self.of(other, may_panic=True))

    def _of_word(self, leaf: Node) -> str:
        text = leaf.text or ""
        if leaf.kind == "identifier":
            kind = self.names.get(text, "")
            return kind if kind in _TYPES or kind[:1] == "&" else ""
        if leaf.kind in _OF_NUMBERS:
            suffix = _SUFFIX.search(text) if text[:2] != "0x" else None
            is_open = suffix is None and (text[:2] != "0x" or not _SIZED.search(text))
            return suffix[1] if suffix is not None else _OF_NUMBERS[leaf.kind] if is_open else ""
        return next((kind for sign, kind in _OF_SIGNS if text.startswith(sign)), "") if leaf.kind in _LITERALS else ""

    def _of_operands(self, value: Node, may_panic: bool) -> str:
        sign = value.children[1].kind
        kinds = [self.of(part, may_panic=may_panic) for part in value.children[::2]]
        if sign in _LOGIC:
            return "bool" if {*kinds} == {"bool"} else ""
        kind = _alike(*kinds)
        if sign in _COMPARING:
            return "bool" if kind in _TYPES or kind.removeprefix("&") in _TYPES else ""
        if sign in _BITS:
            return kind if kind in WHOLE or kind == "bool" else ""
        is_counted = kind in _FLOATS or (may_panic and kind in WHOLE)
        return kind if sign in _COUNTING and is_counted else ""

    def _of_sign(self, value: Node, may_panic: bool) -> str:
        sign, inner = value.children
        kind = self.of(inner, may_panic=may_panic)
        if sign.kind == "!":
            return kind if kind in WHOLE or kind == "bool" else ""
        if sign.kind == "-":
            return kind if inner.kind.endswith("_literal") and (kind in WHOLE or kind in _FLOATS) else ""
        return kind[1:] if kind[:1] == "&" and kind[1:] in _TYPES else ""

    def _of_call(self, value: Node) -> str:
        called = value.children[0] if value.kind == "call_expression" else value
        if called.kind != "field_expression" or called is value or spelling(value.children[-1]) != "()":
            return ""
        owner, _, name = called.children
        is_list = owner.kind == "identifier" and _LISTS.match(self.names.get(owner.text or "", "")) is not None
        return _TOLD.get(name.text or "", "") if is_list else ""


def _alike(one: str, other: str) -> str:
    """The one type of two, of which one may be that of a number without a type of its own."""
    if one == other or other in _ANY_NUMBER.get(one, ()):
        return other
    return one if one in _ANY_NUMBER.get(other, ()) else ""


def declared_in(root: Node) -> frozenset[str]:
    """The names of all that a file declares or imports."""
    found: set[str] = set()
    for node in every_node(root):
        if node.kind == "import_item":
            is_open = node.children[1].text == "*" and not _OF_LIBRARY.match(node.children[0].text or "")
            found.update(_LIBRARY if is_open else {node.children[-1].text or ""})
        elif node.kind == "use_declaration":
            found.update(leaf.text or "" for leaf in every_node(node))
        elif node.kind.endswith(("_item", "_definition", "_parameter", "type_parameters")):
            name = node.child("name")
            found.add(node.origin if name is None else name.text or "")
            found.update(leaf.text or "" for leaf in (node.children if node.kind == "type_parameters" else ()))
    return frozenset(found)


def plain_types(function: Node, declared: frozenset[str]) -> PlainTypes:
    """The types of the names that a function binds once; `declared` is what the file calls so itself."""
    names: dict[str, str] = {}
    fixed: set[str] = set()
    types = PlainTypes(names, fixed)
    if not declared.isdisjoint(_TYPES | {"str"}):
        return types
    bound: Counter[str] = Counter()
    hidden: set[str] = set()
    changed: set[str] = set()
    declarations: list[Node] = []
    for node in _in_order(function):
        for child in node.children:
            if child.field == "pattern" or node.kind == "closure_parameters":
                bound.update(leaf.text or "" for leaf in every_node(child))
            if child.text == "ref":
                return types
            if child.kind in _UNREAD:
                hidden.update(_WORD.findall(child.text or ""))
        if node.kind in ("parameter", "let_declaration", "for_expression"):
            declarations.append(node)
        elif node.kind.startswith("macro_"):
            is_known = node.kind == "macro_invocation" and node.children[0].text in _LOOKING - declared
            hidden.update(() if is_known else (leaf.text or "" for leaf in every_node(node)))
        if node.kind in _CHANGING:
            changed.update(leaf.text or "" for leaf in every_node(node.children[_CHANGING[node.kind]]))
    for node in declarations:
        name, kind = _declared(node, types, declared)
        if kind and bound[name] == 1 and name not in hidden:
            names[name] = kind
            is_given = node.kind != "let_declaration" or node.child("value") is not None
            is_changed = name in changed and any(child.text == "mut" for child in node.children)
            fixed.update({name} if is_given and not is_changed else ())
    return types


# What may change a name that is `mut`, and which of its children has the name.
_CHANGING = {
    **{"assignment_expression": 0, "compound_assignment_expr": 0, "field_expression": 0},
    **{"reference_expression": -1, "macro_invocation": -1},
}
_LIBRARY = frozenset({"String", "Vec"})
_OF_LIBRARY = re.compile(r"\S* (::)?(std|core|alloc)::")


def _in_order(root: Node) -> Iterator[Node]:
    """The nodes that have children, in the order of the source."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.children:
            yield node
            stack.extend(reversed(node.children))


def _declared(node: Node, types: PlainTypes, declared: frozenset[str]) -> tuple[str, str]:
    """The name that a declaration gives, and its type."""
    pattern, kind, value = node.child("pattern"), node.child("type"), node.child("value")
    name = (pattern.text or "") if pattern is not None and pattern.kind == "identifier" else ""
    if kind is not None:
        is_lent = kind.kind == "reference_type" and all(part.kind != "mutable_specifier" for part in kind.children)
        said = f"&{spelling(kind.children[-1])}" if is_lent else spelling(kind)
        return name, said if said.removeprefix("&") in _TYPES or _is_list(said, declared) else ""
    if value is None:
        return name, ""
    if node.kind == "let_declaration":
        return name, types.of(value, may_panic=True) if node.child("alternative") is None else ""
    if (element := _element(value, types)) and (element in _TYPES or _is_list(element, declared)):
        return name, f"&{element}"
    ends = value.children[::2] if value.kind == "range_expression" and len(value.children) == 3 else []
    kinds = [types.of(end, may_panic=True) for end in ends]
    whole = [one for one in kinds if one in WHOLE]
    return name, min(whole) if whole else ""


def _is_list(kind: str, declared: frozenset[str]) -> bool:
    """Whether it is a list or a text of the library."""
    return _LISTS.match(kind) is not None and declared.isdisjoint(_WORD.findall(kind.partition("<")[0]))


def _element(value: Node, types: PlainTypes) -> str:
    """The type of what a loop lends of each place of a list."""
    said = _LOOPED.match(spelling(value))
    found = _ELEMENTS.match(types.names.get(said[1], "")) if said is not None else None
    return (found[1] or found[2]) if found is not None else ""


def functions_in(root: Node, declared: frozenset[str]) -> Iterator[tuple[Node, PlainTypes]]:
    """Each function that changed, with the types of its names."""
    for node in inner_nodes(root):
        if node.kind == "function_item" and node.child("body") is not None:
            yield node, plain_types(node, declared)
