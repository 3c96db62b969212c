"""Rust as clippy writes it: the shorter form of what takes the same steps, and drops the same at the same time.

    if a == true                  match o {                     for a in b.iter()
    if v.len() == 0                   Some(a) => a,             for a in &b
                                      None => 0,
    if a                          }                             "a".to_string()
    if v.is_empty()               o.unwrap_or(0)                "a".to_owned()

What the library calls so, nothing in the file is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Set

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.languages.made_nodes import become, given_to, word_at
from intentls.core.syntax.languages.rust.forms.bounds import with_inner_bounds
from intentls.core.syntax.languages.rust.forms.calls import shortened_call, with_line_end, with_type_at_call
from intentls.core.syntax.languages.rust.forms.loops import (
    as_for,
    as_loop,
    let_some,
    of_reference,
    of_some,
    with_borrowed_loops,
)
from intentls.core.syntax.languages.rust.forms.methods import as_character, call_of, closure, make_new, method_of
from intentls.core.syntax.languages.rust.forms.options import (
    LEAVING,
    arms_of,
    as_block,
    named_in,
    only_value,
    with_else,
)
from intentls.core.syntax.languages.rust.forms.places import bare, is_place, is_settled
from intentls.core.syntax.languages.rust.forms.ranges import first_sign, in_order, not_in_range, of_range
from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

Own = Set[str]
"""The names that a file declares: what the library means by them is not what they are there."""

_OPPOSITE = {"==": "!=", "!=": "=="}
_EMPTY = {"==0": True, "<1": True, "!=0": False, ">0": False, ">=1": False}
_ASKED = {
    **{"Some(_)": "is_some", "None": "is_none", "Ok(_)": "is_ok", "Err(_)": "is_err"},
    **{"Poll::Ready(_)": "is_ready", "Poll::Pending": "is_pending"},
}
_DENIED = {"is_some": "is_none", "is_none": "is_some", "is_ok": "is_err", "is_err": "is_ok"}
_MAKES_TEXT = frozenset({"to_string", "to_owned"})
_OF_PATTERNS = frozenset(
    {
        *("split", "rsplit", "splitn", "rsplitn", "find", "rfind", "contains", "starts_with", "ends_with", "replace"),
        *("trim_matches", "trim_start_matches", "trim_end_matches", "strip_prefix", "strip_suffix", "split_terminator"),
        *("split_once", "rsplit_once", "matches", "rmatches", "match_indices", "replacen"),
    }
)
_LITERAL = re.compile(r"(integer|float|string|char|boolean)_literal\Z")
_ASSERTED = {"==": "assert_eq", "!=": "assert_ne"}
_VALUES = frozenset({"call_expression", "try_expression"})
_DECLARES = re.compile(r"_item\Z|enum_variant\Z|macro_definition\Z")


def linted(root: Node) -> None:
    """A `Rewrite`: `a` for `a == true`, `v.is_empty()` for `v.len() == 0`, `a?` for a match that returns the error."""
    own = {
        name.text or ""
        for node in inner_nodes(root)
        if _DECLARES.search(node.kind) and (name := node.child("name")) is not None
    }
    with_borrowed_loops(root)
    for node in reversed(list(inner_nodes(root))):
        if node.kind == "token_tree":
            continue
        shape = _SHAPES.get(node.kind)
        if shape is not None:
            shape(node, own)
        is_block = node.kind == "block"
        kept = (child for child in node.children if not (is_block and child.kind == "empty_statement"))
        node.children = [bare(child, _VALUES) for child in kept]


def _deny(node: Node, value: Node) -> None:
    value.field = None
    node.kind, node.text, node.children = "unary_expression", None, [word_at(node, "!"), value]


def _binary(node: Node, own: Own) -> None:
    """`a` for `a == true`, and `a.is_empty()` for `a.len() == 0`."""
    left, sign, right = node.children
    if right.kind == "boolean_literal" and sign.kind in _OPPOSITE:
        if (spelling(right) == "true") == (sign.kind == "=="):
            become(node, left)
        else:
            _deny(node, left)
        return
    owner, name = method_of(left)
    asked = f"{sign.kind}{spelling(right)}"
    if owner is not None and name == "len" and not given_to(left) and asked in _EMPTY:
        left.children[0].children[2].text = "is_empty"
        if _EMPTY[asked]:
            become(node, left)
        else:
            _deny(node, left)
        return
    in_order(node)
    if sign.kind in _OPPOSITE and "Some" not in own:
        first_sign(node)


def _unary(node: Node, _own: Own) -> None:
    """`a != b` for `!(a == b)`, and `a.is_none()` for `!a.is_some()`."""
    sign, inner = node.children
    if sign.kind != "!":
        return
    if inner.kind == "binary_expression" and inner.children[1].kind in _OPPOSITE:
        word = _OPPOSITE[inner.children[1].kind]
        inner.children[1] = word_at(inner, word, "operator")
        become(node, inner)
    elif method_of(inner)[1] in _DENIED and not given_to(inner):
        field = inner.children[0].children[2]
        field.text = _DENIED[field.text or ""]
        become(node, inner)
    else:
        not_in_range(node)


def _if(node: Node, own: Own) -> None:
    """`if a.is_some()` for `if let Some(_) = a`, and no `!` before a condition with two branches."""
    asked = node.children[1]
    if asked.kind == "let_condition" and own.isdisjoint(("Some", "None", "Ok", "Err", "Poll")):
        _, pattern, _, value = asked.children
        name = _ASKED.get(spelling(pattern))
        if name is not None and is_place(value):
            become(asked, call_of(value, name, [], asked))
        elif len(node.children) == 4 and (some := named_in((spelling(pattern),), "Some")):
            _option(node, value, some, only_value(node.children[2]), only_value(node.children[3].children[-1]))
    elif len(node.children) == 4 and spelling(only_value(node.children[3].children[-1])) == "None":
        _then(node, asked, only_value(node.children[2]), own)
    elif asked.kind == "unary_expression" and asked.children[0].kind == "!" and len(node.children) == 4:
        other = node.children[3].children[-1]
        if other.kind == "block":
            node.children[1] = in_place_of(asked, asked.children[1])
            branch = node.children[2]
            other.field, branch.field = branch.field, other.field
            node.children[2], node.children[3].children[-1] = other, branch


def _then(node: Node, asked: Node, given: Node, own: Own) -> None:
    """`a.then(|| b)` for `if a { Some(b) } else { None }`."""
    is_some = given.kind == "call_expression" and given.children[0].text == "Some" and len(given_to(given)) == 1
    if not is_some or not is_settled(asked) or not own.isdisjoint(("Some", "None")):
        return
    inner = given_to(given)[0]
    if not any(part.kind in LEAVING for part in every_node(inner)):
        become(node, call_of(asked, "then", [closure((), inner)], node))


def _match(node: Node, own: Own) -> None:
    """`if a` for a match of `true` and `false`, and what `Option` and `Result` have methods for."""
    arms, value = arms_of(node), node.child("value")
    if len(arms) != 2 or value is None:
        return
    if arms.keys() == {"true", "false"}:
        blocks = [as_block(arms["true"], "consequence"), as_block(arms["false"], None)]
        other = Node("else_clause", "alternative", node.row, children=[word_at(node, "else"), blocks[1]])
        value.field = "condition"
        node.kind, node.children = "if_expression", [word_at(node, "if"), value, blocks[0], other]
        return
    if not own.isdisjoint(("Some", "None", "Ok", "Err")):
        return
    some, good, error = (named_in(arms, kind) for kind in ("Some", "Ok", "Err"))
    if good and error:
        is_same = spelling(arms[f"Ok({good})"]) == good
        if is_same and spelling(only_value(arms[f"Err({error})"])).removesuffix(";") == f"returnErr({error})":
            value.field = None
            node.kind, node.children = "try_expression", [value, word_at(node, "?")]
    elif some and (nothing := arms.get("None", arms.get("_"))) is not None:
        _option(node, value, some, only_value(arms[f"Some({some})"]), only_value(nothing))


def _option(node: Node, value: Node, name: str, some: Node, nothing: Node) -> None:
    """`a.unwrap_or(1)`, and `a.map(|b| c)`, for what one or the other branch gives."""
    if spelling(some) == name and _is_constant(nothing):
        become(node, call_of(value, "unwrap_or", [nothing], node))
    elif spelling(some) == name and spelling(nothing).removesuffix(";") == "returnNone":
        value.field = None
        node.kind, node.children = "try_expression", [value, word_at(node, "?")]
    elif spelling(nothing) == "None":
        _map(node, value, name, some)
    elif spelling(some) == f"Ok({name})" and nothing.kind == "call_expression" and nothing.children[0].text == "Err":
        for error in given_to(nothing)[:1]:
            _error(node, value, error)


def _error(node: Node, value: Node, body: Node) -> None:
    """`a.ok_or(B::C)`, or `a.ok_or_else(|| d())`, for a match that gives what there is as `Ok`, and else an error."""
    is_path = body.kind in ("identifier", "scoped_identifier")
    if _is_constant(body) or (is_path and spelling(body).rpartition("::")[2][:1].isupper()):
        become(node, call_of(value, "ok_or", [body], node))
    elif is_place(value) and not any(part.kind in LEAVING for part in every_node(body)):
        become(node, call_of(value, "ok_or_else", [closure((), body)], node))


def _is_constant(value: Node) -> bool:
    return _LITERAL.match(value.kind) is not None


def _map(node: Node, value: Node, name: str, result: Node) -> None:
    """`a.map(|b| c)` for a match that gives `Some(c)` or `None`."""
    if result.kind != "call_expression" or result.children[0].text != "Some" or len(given_to(result)) != 1:
        return
    inner = given_to(result)[0]
    if is_place(value) and not any(part.kind in LEAVING for part in every_node(inner)):
        become(node, call_of(value, "map", [closure((name,), inner)], node))


def _call(node: Node, own: Own) -> None:
    """`a.map(|b| c)` for `a.and_then(|b| Some(c))`, `a.find(b)` for `a.filter(b).next()`, and the like."""
    owner, name = method_of(node)
    given = given_to(node)
    if owner is None:
        _function(node, given, own)
        return
    inner, before = method_of(owner)
    if name in _MAKES_TEXT and owner.kind == "string_literal" and not given:
        _as_text(node, owner)
    elif name == "unwrap_or" and before == "map" and inner is not None and len(given) == 1 and _is_constant(given[0]):
        become(node, call_of(inner, "map_or", [given[0], *given_to(owner)], node))
    elif name == "unwrap_or" and before == "as_ref" and len(given) == 1:
        _lend(node, given[0])
    elif name == "next" and before == "filter" and inner is not None and not given:
        become(node, call_of(inner, "find", given_to(owner), node))
    elif name == "nth" and [spelling(value) for value in given] == ["0"]:
        become(node, call_of(owner, "next", [], node))
    elif name == "extend" and len(given) == 1 and method_of(given[0])[1] == "into_iter" and not given_to(given[0]):
        become(node, call_of(owner, "extend", [given[0].children[0].children[0]], node))
    elif owner.kind == "range_expression":
        of_range(node)
    elif name in _OF_PATTERNS:
        arguments = node.children[-1]
        arguments.children = [as_character(child) for child in arguments.children]
    elif name == "and_then" and len(given) == 1 and given[0].kind == "closure_expression" and "Some" not in own:
        result = given[0].children[-1]
        if result.kind == "call_expression" and result.children[0].text == "Some" and len(given_to(result)) == 1:
            given[0].children[-1] = in_place_of(result, given_to(result)[0])
            node.children[0].children[2].text = "map"
    else:
        shortened_call(node, owner, name, own)


def _lend(call: Node, given: Node) -> None:
    """`a.as_ref().unwrap_or(b)` for `a.as_ref().unwrap_or(&b)`: if both compile, `b` is a reference itself."""
    if given.kind == "reference_expression" and len(given.children) == 2:
        arguments = call.children[-1]
        given.children[1].field = None
        arguments.children = [given.children[1] if child is given else child for child in arguments.children]


def _function(node: Node, given: list[Node], own: Own) -> None:
    """`"a".to_owned()` for `String::from("a")`."""
    said = spelling(node.children[0])
    if len(given) == 1 and said == "String::from" and given[0].kind == "string_literal" and "String" not in own:
        _as_text(node, given[0])


def _as_text(node: Node, text: Node) -> None:
    """`String::new()` for a text of nothing, else `"a".to_owned()`."""
    if text.text == '""':
        make_new(node, "String")
    else:
        become(node, call_of(text, "to_owned", [], node))


def _macro(node: Node, own: Own) -> None:
    """`Vec::new()` for `vec![]`, `println!()` for `println!("")`, `assert_eq!(a, b)` for `assert!(a == b)`."""
    name, listed = node.children[0], node.children[-1]
    parts = listed.children[1:-1]
    if name.text in own:
        return
    with_line_end(node, own)
    said = [part.text for part in parts]
    if name.text in ("println", "eprintln") and said == ['""']:
        del listed.children[1]
    elif name.text == "writeln" and said[-2:] == [",", '""']:
        del listed.children[-3:-1]
    elif name.text == "vec" and not parts and "Vec" not in own:
        make_new(node, "Vec")
    elif name.text == "assert":
        signs = [index for index, part in enumerate(parts) if part.kind in ("==", "!=")]
        others = {part.kind for part in parts} & {"&&", "||", ",", "|", "&", "..", "as"}
        if len(signs) == 1 and not others and 0 < signs[0] < len(parts) - 1:
            name.text = _ASSERTED[parts[signs[0]].kind]
            listed.children[signs[0] + 1] = word_at(listed, ",")


def _assignment(node: Node, _own: Own) -> None:
    """`a += 1` for `a = a + 1`."""
    target, _, value = node.children
    is_step = value.kind == "binary_expression" and value.children[1].kind in ("+", "-", "*", "/", "%")
    is_again = is_step and target.kind == "identifier" and value.children[0].text == target.text
    if is_again and value.children[2].kind == "integer_literal":
        word = f"{value.children[1].kind}="
        node.kind = "compound_assignment_expr"
        node.children = [target, word_at(node, word, "operator"), value.children[2]]


def _field(node: Node, _own: Own) -> None:
    """`a.b` for `(*a).b` and `(&a).b`. What a method is called of decides which one it is."""
    owner = node.children[0]
    is_asked = owner.kind in ("unary_expression", "reference_expression") and owner.children[0].kind in ("*", "&")
    if node.field != "function" and is_asked and is_place(owner.children[-1]):
        node.children[0] = in_place_of(owner, owner.children[-1])


def _while(node: Node, own: Own) -> None:
    """`loop` for `while true` and `while a`, and `for` for a loop that takes what comes next."""
    if spelling(node.children[-2]) == "true":
        node.kind, node.children[-3:-1] = "loop_expression", [word_at(node, "loop")]
        return
    asked = node.children[-2]
    owner, name = method_of(asked)
    if name == "is_some" and owner is not None and len(node.children[-1].children) == 2 and "Some" not in own:
        node.children[-2] = let_some(asked, owner)
    if node.children[-2].kind == "let_condition":
        as_for(node, own)
    else:
        as_loop(node)
        if node.kind == "loop_expression":
            _without_twice(node.children[-1].children[1].children[0], own)


def _without_twice(branch: Node, own: Own) -> None:
    """`if a` for `if !!a`, and `if a != b` for `if !(a == b)`."""
    asked = branch.children[1]
    inner = asked.children[1]
    if inner.kind == "unary_expression" and inner.children[0].kind == "!":
        branch.children[1] = in_place_of(asked, inner.children[1])
    else:
        _unary(asked, own)


def _declared(let: Node, own: Own) -> None:
    """`let a = b?;` for what returns where there is nothing, and types where they are asked for."""
    with_else(let, own)
    with_type_at_call(let)
    block, pattern, value = let.child("alternative"), let.child("pattern"), let.child("value")
    if block is None or pattern is None or value is None or not own.isdisjoint(("Some", "None")):
        return
    if of_some(pattern) is not None and spelling(block) in ("{returnNone}", "{returnNone;}"):
        found = Node("try_expression", "value", value.row, children=[value, word_at(value, "?")])
        name = pattern.children[2]
        name.field, value.field = "pattern", None
        let.children = [let.children[0], name, let.children[2], found, let.children[-1]]


_SHAPES: dict[str, Callable[[Node, Own], None]] = {
    "binary_expression": _binary,
    "unary_expression": _unary,
    "if_expression": _if,
    "match_expression": _match,
    "call_expression": _call,
    "for_expression": of_reference,
    "macro_invocation": _macro,
    "assignment_expression": _assignment,
    "field_expression": _field,
    "let_declaration": _declared,
    "while_expression": _while,
    "function_item": with_inner_bounds,
    "impl_item": with_inner_bounds,
    "struct_item": with_inner_bounds,
}
