"""Rust as its lints suggest it, one form for each of these:

    r#"a"#            a == None         format!("a")         io::Error::new(ErrorKind::Other, a)
    r"a"              a.is_none()       "a".to_string()      io::Error::other(a)

    b as f64          A { b, a }        command.args(&["a"])
    f64::from(b)      A { a, b }        command.args(["a"])

And `unwrap_or(a)` for `unwrap_or_else(|| a)` where to make `a` does nothing that anyone can tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Set

from intentls.core.syntax.languages.adapter import leaf_like
from intentls.core.syntax.languages.made_nodes import become, given_to, joined_by, word_at
from intentls.core.syntax.languages.rust.forms.methods import call_of, closure, method_of
from intentls.core.syntax.tree import Node, all_said, inner_nodes, spelling

Own = Set[str]
"""The names that a file declares: what the library means by them is not what they are there."""

_CONSTANT = re.compile(r"[A-Z]")  # it may be a `static mut`
_RAW = re.compile(r'(b?)r(#*)"(.*)"\2\Z', re.DOTALL)
_DECLARES = re.compile(r"_item\Z|enum_variant\Z|macro_definition\Z")
_ASKED = {"==": "is_none", "!=": "is_some"}
_FLOATS = frozenset({"f32::from", "f64::from"})
_AS_SPELLED = frozenset({"token_tree", "attribute"})  # which a macro may be given
_EAGER = {
    **{"unwrap_or_else": "unwrap_or", "ok_or_else": "ok_or", "or_else": "or", "map_or_else": "map_or"},
    **{"get_or_insert_with": "get_or_insert", "or_insert_with": "or_insert"},
}
_LITERAL = re.compile(r"(integer|float|string|char|boolean)_literal\Z")
_MADE = re.compile(
    r'(?:(?:String|Vec|PathBuf|OsString)::new\(\)|(?:String::from|(?:std::path::)?Path::new|OsStr::new)\("[^"\\]*"\)'
    r'|"[^"\\]*"\.to_(?:owned|string)\(\)|vec!(?:\[\]|\(\))'
    r'|(?:std::)?io::Error::(?:new\((?:std::)?(?:io::)?ErrorKind::\w+,|other\()"[^"\\]*"\)'
    r"|(?:std::)?io::Error::from\((?:std::)?(?:io::)?ErrorKind::\w+\)|Duration::from_(?:secs|millis)\(\d+\))\Z"
)


def suggested(root: Node) -> None:
    """A `Rewrite`: all of these."""
    nodes = list(inner_nodes(root))
    declared = [node for node in nodes if _DECLARES.search(node.kind)]
    own = {name.text or "" for node in declared if (name := node.child("name")) is not None}
    for node in reversed(nodes):  # what is within comes first
        if node.kind not in _AS_SPELLED:
            node.children = [_plain(child) for child in node.children]
        if (shape := _SHAPES.get(node.kind)) is not None:
            shape(node, own)


def _plain(child: Node) -> Node:
    """A raw text as it is without `r`, or with no more `#` than it needs."""
    found = _RAW.match(child.text or "") if child.kind == "raw_string_literal" else None
    if found is None:
        return child
    prefix, _, said = found.groups()
    if not any(sign in said for sign in '"\\\r'):
        return leaf_like(child, "string_literal", f'{prefix}"{said}"')
    signs = ""
    while f'"{signs}' in said:
        signs += "#"
    return leaf_like(child, child.kind, f'{prefix}r{signs}"{said}"{signs}')


def _binary(node: Node, own: Own) -> None:
    """`a.is_none()` for `a == None`."""
    left, sign, right = node.children
    if sign.kind in _ASKED and right.text == "None" and "None" not in own:
        become(node, call_of(left, _ASKED[sign.kind], [], node))


def _macro(node: Node, own: Own) -> None:
    """`"a".to_string()` for `format!("a")`, and `a.to_string()` for `format!("{a}")`."""
    name, listed = node.children[0], node.children[-1]
    parts = listed.children[1:-1]
    if (
        name.text != "format"
        or not own.isdisjoint(("format", "to_string"))
        or len(parts) != 1
        or parts[0].kind != "string_literal"
    ):
        return
    text = (parts[0].text or "")[1:-1]
    value = re.fullmatch(r"\{([^\W\d]\w*)\}", text)
    if value is not None:
        become(node, call_of(Node("identifier", "value", node.row, value[1]), "to_string", [], node))
    elif not re.search(r"[{}]", text.replace("{{", "").replace("}}", "")):
        said = text.replace("{{", "{").replace("}}", "}")
        become(node, call_of(leaf_like(parts[0], "string_literal", f'"{said}"'), "to_string", [], node))


def _call(node: Node, own: Own) -> None:
    """`io::Error::other(a)`, `a as f64`, and what is made in any case."""
    called, given = node.children[0], given_to(node)
    said = spelling(called)
    kind = spelling(given[0]) if len(given) == 2 else ""
    if said.endswith("io::Error::new") and kind.endswith("ErrorKind::Other") and "io" not in own:
        called.children[-1].text = "other"
        del node.children[-1].children[1:3]
    elif said in _FLOATS and len(given) == 1:
        number = Node("primitive_type", "type", node.row, said[:3])
        given[0].field = "value"
        node.kind, node.children = "type_cast_expression", [given[0], word_at(node, "as"), number]
    else:
        _method(node, given, own)


def _method(node: Node, given: list[Node], own: Own) -> None:
    owner, name = method_of(node)
    if owner is None or not given:
        return
    made = _made_by(given[0], own)
    if name in _EAGER and made is not None:
        node.children[0].children[2].text = _EAGER[name]
        made.field = None
        node.children[-1].children[1] = made
    elif name == "then_some" and _is_made(given[0], own):
        node.children[0].children[2].text = "then"
        node.children[-1].children[1] = closure((), given[0])
    elif name == "args" and "args" not in own and len(given) == 1 and given[0].kind == "reference_expression":
        listed = given[0].children[-1]
        if listed.kind == "array_expression" and len(given[0].children) == 2:
            listed.field = None
            node.children[-1].children[1] = listed


def _made_by(value: Node, own: Own) -> Node | None:
    """What a closure makes of nothing, if it does no more than that."""
    is_closure = value.kind == "closure_expression" and spelling(value.children[0]) in ("||", "|_|")
    return value.children[-1] if is_closure and _is_made(value.children[-1], own) else None


def _is_made(value: Node, own: Own) -> bool:
    """Whether it is made without anyone noticing: a literal, a name, or a value of the library of such ones."""
    said = spelling(value)
    if said[:5] == "Some(" and value.kind == "call_expression" and "Some" not in own and len(given_to(value)) == 1:
        return _is_made(given_to(value)[0], own)
    if _LITERAL.match(value.kind) or (value.kind == "identifier" and said[:1].islower()):
        return True
    return _MADE.match(said) is not None and own.isdisjoint(re.findall(r"\w+", said))


def _fields(node: Node, _own: Own) -> None:
    """Fields in one order, if none of their values is computed, and what none of them says where one is."""
    parts = [child for child in node.children[1:-1] if child.kind != ","]
    fields = [part for part in parts if part.kind in ("shorthand_field_initializer", "field_initializer")]
    acting = [field for field in fields if not _is_still(field)]
    said = set(re.findall(r"\w+", all_said(acting[0]))) if acting else set()
    others = [field.children[-1].text or "" for field in fields if _is_still(field)]
    is_free = not acting or (len(acting) == 1 and said.isdisjoint(others) and not any(map(_CONSTANT.match, others)))
    rest = parts[len(fields) :]
    if is_free and all(part.kind == "base_field_initializer" for part in rest):
        node.children[1:-1] = joined_by(",", [*sorted(fields, key=_name), *rest])


def _is_still(field: Node) -> bool:
    value = field.children[-1]
    return value.text is not None or _LITERAL.match(value.kind) is not None


def _pattern(node: Node, _own: Own) -> None:
    """The fields of a pattern in one order."""
    at = next((index for index, child in enumerate(node.children) if child.kind == "{"), len(node.children))
    parts = [child for child in node.children[at + 1 : -1] if child.kind != ","]
    fields = [part for part in parts if part.kind == "field_pattern"]
    rest = [part for part in parts if part.kind != "field_pattern"]  # `..`, which stands last
    node.children[at + 1 : -1] = joined_by(",", [*sorted(fields, key=_name), *rest])


def _name(field: Node) -> str:
    return next((spelling(child) for child in field.children if child.kind not in _MARKS), "")


_MARKS = frozenset({"mutable_specifier", "ref"})


_SHAPES: dict[str, Callable[[Node, Own], None]] = {
    "binary_expression": _binary,
    "macro_invocation": _macro,
    "call_expression": _call,
    "field_initializer_list": _fields,
    "struct_pattern": _pattern,
}
