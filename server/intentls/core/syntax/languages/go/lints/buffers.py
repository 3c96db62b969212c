"""Go: `bytes.Buffer` and `strings.Builder` of a function, whose methods and pointers are known.

var buf bytes.Buffer                          buf := new(bytes.Buffer)      or `&bytes.Buffer{}`, `bytes.NewBuffer(nil)`
buf.WriteString(fmt.Sprintf("%d", a))         fmt.Fprintf(buf, "%d", a)
fill(&buf)                                    fill(buf)
return string(buf.Bytes())                    return buf.String()
"""

from __future__ import annotations

from collections.abc import Set

from msgspec import Struct

from intentls.core.syntax.languages.go.local_names import assigned_in, local_names
from intentls.core.syntax.languages.go.shorthands import KnownNames
from intentls.core.syntax.languages.made_nodes import become, given_to, word_at
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_TYPES = {"bytes": "Buffer", "strings": "Builder"}
_MAKING = frozenset({"NewBuffer", "NewBufferString"})
_SAID = frozenset({"Buffer", "Builder", *_MAKING})


class _Buffers(Struct):
    """Names of buffers by what they are: pointers to a new one, buffers, and pointers that are given, maybe to none."""

    pointers: set[str]
    values: set[str]
    lent: set[str]


def with_buffers(function: Node, names: KnownNames) -> None:
    """Buffers by their pointers, what is formatted as printed into them, and their texts by `String`."""
    kinds = {f"{word}.{_TYPES[path]}" for word, path in names.packages.items() if path in _TYPES}
    if not kinds or not all(map(names.is_free, ("new", "nil", "string", "byte"))):
        return
    if not any(leaf.text in _SAID for leaf in every_node(function)):
        return
    for node in inner_nodes(function):
        _make_alike(node, kinds)
    buffers = _buffers_of(function, kinds, names)
    for name in [name for name in buffers.values if _by_pointer(function, name)]:
        buffers.values.remove(name)
        buffers.pointers.add(name)
    for node in list(inner_nodes(function)):
        if node.kind == "call_expression":
            _as_text(node, buffers)
        elif node.kind == "expression_statement":
            _print_into(node, names, buffers)


def _make_alike(node: Node, kinds: Set[str]) -> None:
    """`new(bytes.Buffer)` for `&bytes.Buffer{}` and `bytes.NewBuffer(nil)`."""
    if node.kind not in ("unary_expression", "call_expression") or len(node.children) != 2:
        return
    said = spelling(node)
    for kind in kinds:
        package, _, name = kind.partition(".")
        if said == f"&{kind}{{}}" or (name == "Buffer" and said == f"{package}.NewBuffer(nil)"):
            node.kind, node.children = "call_expression", _new(node, kind).children


def _new(place: Node, kind: str) -> Node:
    package, _, name = kind.partition(".")
    parts = [
        Node("package_identifier", "package", place.row, package, Role.NAME),
        word_at(place, "."),
        Node("type_identifier", "name", place.row, name, Role.NAME),
    ]
    made = Node("qualified_type", None, place.row, children=parts)
    given = Node("argument_list", "arguments", place.row, children=[word_at(place, "("), made, word_at(place, ")")])
    called = Node("identifier", "function", place.row, "new", Role.NAME)
    return Node("call_expression", None, place.row, children=[called, given])


def _buffers_of(function: Node, kinds: Set[str], names: KnownNames) -> _Buffers:
    """Those that are declared once, and are meant wherever the name is said."""
    found = _Buffers(set(), set(), set())
    for node in inner_nodes(function):
        if node.kind == "short_var_declaration" and len(node.children[0].children) == 1:
            value = node.children[2].children[0]
            is_made = value.kind == "call_expression" and names.calls(value.children[0], "bytes") in _MAKING
            if is_made or (spelling(value).startswith("new(") and spelling(value)[4:-1] in kinds):
                found.pointers.add(spelling(node.children[0]))
        elif _is_plain_variable(node) and spelling(node.children[1].children[1]) in kinds:
            found.values.add(spelling(node.children[1].children[0]))
        elif node.kind == "parameter_declaration" and spelling(node.children[-1]) in {f"*{kind}" for kind in kinds}:
            found.lent.update(child.text or "" for child in node.children[:-1] if child.field == "name")
    if not (found.pointers or found.values or found.lent):
        return found
    local = local_names(function)
    # What is left of the pointers is never another one, nor none.
    found.pointers -= {*assigned_in(function), *local.moved}
    some = (found.pointers, found.values, found.lent)
    return _Buffers(*({name for name in each if local.is_one(name)} for each in some))


def _is_plain_variable(node: Node) -> bool:
    """Whether it is `var a T`."""
    is_one = node.kind == "var_declaration" and len(node.children) == 2
    return is_one and [part.field for part in node.children[1].children] == ["name", "type"]


def _by_pointer(function: Node, name: str) -> bool:
    """`a := new(T)` for `var a T`, if all that is said of `a` are its members, and `&a`, which is the pointer."""
    declared: list[Node] = []
    addresses: list[Node] = []
    for node in inner_nodes(function):
        if _is_plain_variable(node) and node.children[1].children[0].text == name:
            declared.append(node)
            continue
        for index, child in enumerate(node.children):
            if child.text != name or child.role is not Role.NAME or child.binds:
                continue
            if node.kind == "unary_expression" and node.children[0].text == "&":
                addresses.append(node)
            elif node.kind != "selector_expression" or index != 0:
                return False
    for node in addresses:
        become(node, node.children[1])
    for node in declared:
        leaf, written = node.children[1].children
        leaf.field = None
        left = Node("expression_list", "left", node.row, children=[leaf])
        right = Node("expression_list", "right", node.row, children=[_new(node, spelling(written))])
        node.kind, node.children = "short_var_declaration", [left, word_at(node, ":="), right]
    return True


def _as_text(node: Node, buffers: _Buffers) -> None:
    """`a.String()` for `string(a.Bytes())`. Of a pointer to none the one is a text, and the other fails."""
    given = given_to(node) if node.children[0].text == "string" and len(node.children) == 2 else []
    name = spelling(given[0]).removesuffix(".Bytes()") if len(given) == 1 else ""
    if name in buffers.pointers | buffers.values and given[0].kind == "call_expression":
        given[0].children[0].children[2].text = "String"
        become(node, given[0])


def _print_into(node: Node, names: KnownNames, buffers: _Buffers) -> None:
    """`fmt.Fprintf(a, "b", c)` for `a.WriteString(fmt.Sprintf("b", c))`."""
    call = node.children[0]
    called = call.children[0] if call.kind == "call_expression" and len(call.children) == 2 else call
    if called.kind != "selector_expression" or called.children[2].text not in ("Write", "WriteString"):
        return
    name, given = called.children[0].text or "", given_to(call)
    if len(given) == 1 and called.children[2].text == "Write":
        value = given[0] if spelling(given[0]).startswith("[]byte(") else call
        given = [value.children[2]] if value.kind == "type_conversion_expression" else []
    is_made = len(given) == 1 and given[0].kind == "call_expression" and len(given[0].children) == 2
    if not is_made or names.calls(given[0].children[0], "fmt") != "Sprintf":
        return
    if name not in buffers.pointers | buffers.values | buffers.lent:
        return
    place = called.children[0]
    place.field = None
    if name in buffers.values:
        place.field = "operand"
        place = Node("unary_expression", None, node.row, children=[word_at(node, "&", "operator"), place])
    printed, texts = given[0].children
    printed.children[2].text, printed.field = "Fprintf", "function"
    texts.children[1:1] = [place, word_at(node, ",")]
    call.children = [printed, texts]
