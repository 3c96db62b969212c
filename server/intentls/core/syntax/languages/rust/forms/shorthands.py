"""Rust that has a shorter form: lifetimes that are so anyway, matches of one pattern, closures that only call."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.languages.rust.forms.borrows import lend, signatures_in
from intentls.core.syntax.languages.rust.forms.lifetimes import elide, elide_of_type, without_implied, without_unnamed
from intentls.core.syntax.languages.rust.forms.places import is_place, is_settled, without_sign
from intentls.core.syntax.languages.rust.paths import bound_names
from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

_NUMBERS = frozenset(
    {
        *("u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64"),
    }
)
_LIMITS = frozenset({"MAX", "MIN", "EPSILON", "INFINITY", "NEG_INFINITY", "NAN", "MIN_POSITIVE"})
_ASKED_LIMITS = {"max_value": "MAX", "min_value": "MIN"}
_NOTHING = frozenset({"{}", "()"})
_OTHERWISE = frozenset({"_", "None", "Err(_)", "Ok(_)", "Some(_)"})


def shortened(root: Node) -> None:
    """A `Rewrite`: `if let` for a `match` of one pattern, `while let` for such a `loop`, `A::b` for `|c| A::b(c)`.

    And `a?` for `try!(a)`, no `mut` that nothing needs, no `-> ()`, no lifetimes that a compiler fills in alike, no
    `std::` before limits of numbers, no `let _ =` before a call, no crates that a path names anyway, no needless `&`.
    """
    _without_crates(root)
    signatures = signatures_in(root)
    elsewhere = {id(node) for module in inner_nodes(root) if module.kind == "mod_item" for node in every_node(module)}
    functions = {_name_of(node) for node in every_node(root) if node.kind == "function_item"} - bound_names(root)
    for node in reversed(list(inner_nodes(root))):  # what is within comes first
        if any(child.kind == "ERROR" for child in node.children):
            _tried(node)
        if node.kind == "call_expression" and id(node) not in elsewhere:
            lend(node, signatures)
        if (shape := _SHAPES.get(node.kind)) is not None:
            shape(node)
        if any(child.kind == "closure_expression" for child in node.children):
            node.children = [_only_called(child, functions) for child in node.children]
    without_unnamed(root)


def _tried(node: Node) -> None:
    """`a?` for `try!(a)`, which is no macro to the grammar."""
    kept: list[Node] = []
    for child in node.children:
        given = child
        while given.kind != "parenthesized_expression" and given.children:
            given = given.children[0]
        is_macro = bool(kept) and kept[-1].kind == "ERROR" and spelling(kept[-1]) == "try!"
        if is_macro and given.kind == "parenthesized_expression":
            kept.pop()
            given.kind, given.children = "try_expression", [given.children[1], word_at(given, "?")]
        kept.append(child)
    node.children = kept


def _without_crates(root: Node) -> None:
    """Without `extern crate a;`, if a path of the file begins with `a`: then that is the crate either way.

    But for `alloc`, which no file has without being told.
    """
    if not any(item.kind == "extern_crate_declaration" for item in root.children):
        return
    paths = {_spelled(item).strip(": ").split("::")[0] for item in root.children if item.kind == "import_item"}
    for node in inner_nodes(root):
        if node.kind in ("scoped_identifier", "scoped_type_identifier"):
            paths.add(spelling(node.children[0]))
    for leaf in root.children:
        paths.update(_PATH.findall(leaf.text or ""))  # what did not change
    kept: list[Node] = []
    for item in root.children:
        is_marked = bool(kept) and kept[-1].kind == "attribute_item"
        is_crate = item.kind == "extern_crate_declaration" and len(_EXTERN.findall(_spelled(item))) == 1
        if is_marked or not is_crate or _EXTERN.findall(_spelled(item))[0] not in paths:
            kept.append(item)
    root.children = kept


_FUNCTION = re.compile(r"\bfn\s+(\w+)")
_PATH = re.compile(r"\b(\w+)::")
_EXTERN = re.compile(r"\Aextern\s*crate\s*(?!alloc\b)(\w+)\s*;\Z")


def _spelled(item: Node) -> str:
    return item.text or "".join(f"{spelling(child)} " for child in item.children[:-1]) + spelling(item.children[-1])


def _signature(function: Node) -> None:
    kinds = [child.kind for child in function.children]
    if "->" in kinds and spelling(function.children[kinds.index("->") + 1]) == "()":
        at = kinds.index("->")
        del function.children[at : at + 2]
    elide(function)


def _without_mut(declaration: Node) -> None:
    """A name that nothing changes does not need `mut`, as both compile. Within a pattern it may mean a copy."""
    kinds = [child.kind for child in declaration.children]
    if "mutable_specifier" in kinds:
        at = kinds.index("mutable_specifier")
        if kinds[at + 1] in ("identifier", "self") and "&" not in kinds[:at]:
            del declaration.children[at]


def _without_mut_pattern(holder: Node) -> None:
    """So does a name that stands alone: `for mut a in b`, `|mut a| a`."""
    for index, child in enumerate(holder.children):
        if child.kind == "mut_pattern":
            holder.children[index] = in_place_of(child, child.children[-1])


def _declaration(statement: Node) -> None:
    """`a();` for `let _ = a();`, which drops what it is given at once."""
    _without_mut(statement)
    words = [child.kind for child in statement.children]
    if words == ["let", "_", "=", "call_expression", ";"]:
        call = statement.children[3]
        call.field = None
        statement.kind, statement.children = "expression_statement", [call, statement.children[4]]


def _limit(node: Node) -> None:
    """`u32::MAX` for `std::u32::MAX`."""
    path, _, name = node.children if len(node.children) == 3 else (node, node, node)
    said = spelling(path).removeprefix("::").removeprefix("std::").removeprefix("core::")
    if said in _NUMBERS and path.kind == "scoped_identifier" and name.text in _LIMITS:
        path.kind, path.text, path.children = "identifier", said, []


def _call(node: Node) -> None:
    """`u32::MAX` for `u32::max_value()`."""
    called, given = node.children
    path, _, name = called.children if len(called.children) == 3 else (called, called, called)
    if (
        called.kind == "scoped_identifier"
        and path.text in _NUMBERS
        and name.text in _ASKED_LIMITS
        and spelling(given) == "()"
    ):
        name.text = _ASKED_LIMITS[name.text]
        node.kind, node.children = called.kind, called.children


def _name_of(function: Node) -> str:
    name = function.child("name")
    said = _FUNCTION.search(function.text or "")  # one that did not change is a leaf
    return (name.text or "") if name is not None else said[1] if said is not None else ""


def _only_called(closure: Node, functions: Collection[str]) -> Node:
    """`A::b` for `|c| A::b(c)`: a path of more than one name is no variable, nor is one with a capital.

    Nor is one of the `functions` of the file.
    """
    if closure.kind != "closure_expression" or len(closure.children) != 2:
        return closure
    parameters, body = closure.children
    if parameters.kind != "closure_parameters" or body.kind != "call_expression":
        return closure
    called, given = body.children
    names = [child.text for child in parameters.children if child.text not in ("|", "||", ",")]
    handed = [child.text for child in given.children if child.text not in ("(", ")", ",")]
    said = (called.text or "") if called.kind == "identifier" else ""
    is_item = called.kind == "scoped_identifier" or said[:1].isupper() or said in functions
    kinds = {child.kind for child in (*parameters.children, *given.children)}
    is_handed_on = (
        names == handed and len(set(names)) == len(names) and kinds <= {"|", "||", ",", "(", ")", "identifier"}
    )
    return in_place_of(closure, called) if is_item and is_handed_on and not set(names) & _words(called) else closure


def _words(root: Node) -> set[str | None]:
    return {leaf.text for leaf in every_node(root)}


def _arms(match: Node) -> list[Node]:
    body = match.child("body")
    arms = [] if body is None else [child for child in body.children if child.text not in ("{", "}")]
    is_plain = all(arm.kind == "match_arm" and len(arm.children) == 3 for arm in arms)
    return arms if is_plain and len(arms) == 2 and all(len(arm.children[0].children) == 1 for arm in arms) else []


def _match(match: Node) -> None:
    """`if let A = b { c } else { d }` for `match b { A => c, _ => d }`.

    What `b` makes on its way may be dropped before `else`, but not before what does nothing.
    """
    arms, value = _arms(match), match.child("value")
    if not arms or value is None:
        return
    if spelling(arms[0].children[0]) == "None" and spelling(arms[1].children[0]).startswith("Some("):
        arms.reverse()
    (first, _, branch), (second, _, other) = (arm.children for arm in arms)
    does_nothing = spelling(other) in _NOTHING
    if spelling(second) not in _OTHERWISE or not (does_nothing or _is_kept(value)):
        return
    match.kind = "if_expression"
    match.children = [word_at(match, "if"), _let(first, value), _block(branch, "consequence", is_unit=does_nothing)]
    if not does_nothing:
        inner = [word_at(match, "else"), _block(other, None, is_unit=False)]
        match.children.append(Node("else_clause", "alternative", other.row, children=inner))


def _is_kept(value: Node) -> bool:
    """Whether nothing is made on the way that may be dropped earlier or later."""
    while value.kind in ("reference_expression", "unary_expression"):
        value = value.children[-1]
    return is_place(value)


def _let(pattern: Node, value: Node) -> Node:
    only = pattern.children[0]
    only.field, value.field = "pattern", "value"
    return Node(
        "let_condition", "condition", value.row, children=[word_at(value, "let"), only, word_at(value, "="), value]
    )


def _block(value: Node, field: str | None, *, is_unit: bool) -> Node:
    """The block of a branch; one without a value has no `;` after its last call, if nothing is dropped later for it."""
    block = value
    if value.kind != "block":
        value.field = None
        block = Node("block", None, value.row, children=[word_at(value, "{"), value, word_at(value, "}")])
    block.field = field
    last = block.children[-2] if len(block.children) > 2 else block
    if is_unit and last is not block:
        block.children[-2] = without_sign(last)
    return block


def _if(node: Node) -> None:
    """Without `;` after the last call of a branch without `else`."""
    if len(node.children) == 3:
        _block(node.children[2], node.children[2].field, is_unit=True)


def _loop(loop: Node) -> None:
    """`while let A = b { c }` for `loop { match b { A => c, _ => break } }`, or with what else follows `let`."""
    if len(loop.children) != 2 or len(loop.children[1].children) < 3:
        return
    body = loop.children[1]
    first = body.children[1]
    is_let = first.kind == "let_declaration" and [child.kind for child in first.children[2:]] == [
        "=",
        "match_expression",
        ";",
    ]
    match = first.children[3] if is_let else first.children[0] if first.kind == "expression_statement" else first
    arms = _arms(match) if match.kind == "match_expression" else []
    value = match.child("value")
    if (
        not arms
        or value is None
        or arms[1].children[2].kind != "break_expression"
        or len(arms[1].children[2].children) > 1
    ):
        return
    (pattern, _, branch), (other, _, _) = (arm.children for arm in arms)
    if spelling(other) not in _OTHERWISE or (is_let and not _hands_out(pattern, branch, first.children[1], value)):
        return
    if is_let:
        del body.children[1]
    elif len(body.children) == 3:
        body = _block(branch, "body", is_unit=True)
    else:
        return
    loop.kind = "while_expression"
    loop.children = [word_at(loop, "while"), _let(pattern, value), body]


def _hands_out(pattern: Node, branch: Node, name: Node, value: Node) -> bool:
    """Whether `let name = match value { Some(name) => name, .. }` does no more than that, and drops nothing."""
    only = pattern.children[0]
    is_one = only.kind == "tuple_struct_pattern" and len(only.children) == 4
    return (
        is_one and only.children[2].text == branch.text == name.text and name.kind == "identifier" and is_settled(value)
    )


_SHAPES: dict[str, Callable[[Node], None]] = {
    "function_item": _signature,
    "function_signature_item": _signature,
    "impl_item": elide_of_type,
    "struct_item": without_implied,
    "enum_item": without_implied,
    "let_declaration": _declaration,
    "for_expression": _without_mut_pattern,
    "closure_parameters": _without_mut_pattern,
    "parameter": _without_mut,
    "self_parameter": _without_mut,
    "scoped_identifier": _limit,
    "call_expression": _call,
    "match_expression": _match,
    "if_expression": _if,
    "loop_expression": _loop,
}
