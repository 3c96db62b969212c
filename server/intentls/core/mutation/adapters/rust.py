"""Rust: what rustfmt changes. Names are not followed."""

from __future__ import annotations

import re

from intentls.core.mutation.adapters.base import Adapter, Around, drop_last_comma, without_last_comma
from intentls.core.mutation.node import Node, Role, flatten

# Macros of the standard library that are called like functions: a last comma means nothing to them.
_CALLED = frozenset(
    {
        *("print", "println", "eprint", "eprintln", "format", "write", "writeln", "panic", "vec", "matches"),
        *("assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne", "unreachable"),
        *("todo", "unimplemented", "format_args"),
    }
)
_PUNCTUATION = re.compile(r"[^\w\s()\[\]{},;\"']\Z")


def _tokens(node: Node, around: Around) -> list[Node]:
    """A macro is given words, not the white space between them, unless it makes a text of them."""
    if any(above.kids[0].text == "stringify" for above in around.ancestors if above.kind == "macro_invocation"):
        return [node]
    kids: list[Node] = []
    for at, kid in enumerate(node.kids):
        # `& &` are two, `&&` is one.
        if kid.kind != "gap" or all(_PUNCTUATION.search(near.text or "") for near in node.kids[at - 1 : at + 2 : 2]):
            kids.append(kid)
    node.kids = kids
    is_called = around.parent == "macro_invocation" and around.ancestors[-1].kids[0].text in _CALLED
    is_derive = around.parent == "attribute" and around.ancestors[-1].kids[0].text == "derive"
    if is_called or is_derive:
        without_last_comma(node)
    return [node]


def _tuple(node: Node, around: Around) -> list[Node]:  # noqa: ARG001
    if sum(kid.kind == "," for kid in node.kids) > 1:  # (a,) is a tuple, (a) is not
        without_last_comma(node)
    return [node]


def _arm(node: Node, around: Around) -> list[Node]:
    if node.kids[-1].kind == ",":
        node.kids.pop()
    return _body(node, around)


def _body(node: Node, around: Around) -> list[Node]:  # noqa: ARG001
    """A block of one expression is that expression."""
    last = node.kids[-1]
    if last.kind != "block" or len(last.kids) != 3:
        return [node]
    only = last.kids[1]
    if only.kind == "expression_statement" and len(only.kids) == 1:
        only = only.kids[0]
    if not only.kind.endswith(_STATEMENTS):
        only.field = last.field
        node.kids[-1] = only
    return [node]


def _rules(node: Node, around: Around) -> list[Node]:  # noqa: ARG001
    if node.kids[-2].kind == ";":
        del node.kids[-2]
    return [node]


_STATEMENTS = ("statement", "declaration", "item", "comment", "definition")


def _use(node: Node, around: Around) -> list[Node]:
    siblings = around.ancestors[-1].kids
    if siblings and siblings[-1].kind in ("attribute_item", "inner_attribute_item", "line_comment", "block_comment"):
        return [node]  # what stands before it belongs to it
    text = " ".join((*flatten(node).tokens, *flatten(node).names))
    item = Node("import_item", node.field, node.row)
    item.kids = [
        Node("module", None, node.row, text),
        Node("identifier", "alias", node.row, text, Role.TOKEN, binds=True),
    ]
    return [item]


def _names(node: Node, around: Around) -> list[Node]:  # noqa: ARG001
    """The names of a list in one order."""
    node.kids = sorted((kid for kid in node.kids if kid.kind != ","), key=lambda kid: flatten(kid).tokens)
    return [node]


RUST = Adapter(
    "Rust",
    "tree_sitter_rust",
    comments=frozenset({"line_comment", "block_comment"}),
    pragma=re.compile(r"#!"),
    # Doc comments are attributes: these libraries make programs of them. A fence is a test.
    comments_count=re.compile(
        r"clap|structopt|[Ss]chema|graphql|juniper|utoipa|uniffi|pyo3|\bpy(class|function|method)|Parser|//[/!]\s*```"
    ),
    exact=re.compile(r"string_literal$|char_literal|string_content"),
    spaced=frozenset({"token_tree"}),
    imports=frozenset({"use_declaration"}),
    finish={
        "token_tree": _tokens,
        "match_arm": _arm,
        "closure_expression": _body,
        "use_declaration": _use,
        "use_list": _names,
        "macro_definition": _rules,
        **dict.fromkeys(("tuple_expression", "tuple_pattern", "tuple_type"), _tuple),
        **dict.fromkeys(
            (
                *("arguments", "parameters", "array_expression", "field_initializer_list", "field_declaration_list"),
                *("ordered_field_declaration_list", "enum_variant_list", "struct_pattern", "tuple_struct_pattern"),
                *("slice_pattern", "type_arguments", "type_parameters"),
            ),
            drop_last_comma,
        ),
    },
)
