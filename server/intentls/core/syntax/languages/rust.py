"""Rust: what rustfmt changes. Names are not followed."""

from __future__ import annotations

import re

from intentls.core.syntax.languages.adapter import Adapter, Context, drop_last_comma, leaf_like, without_last_comma
from intentls.core.syntax.tree import Node, Role, flatten, inner_nodes

# Macros of the standard library that are called like functions: a last comma means nothing to them.
_CALLED = frozenset(
    {
        *("print", "println", "eprint", "eprintln", "format", "write", "writeln", "panic", "vec", "matches"),
        *("assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne", "unreachable"),
        *("todo", "unimplemented", "format_args"),
    }
)
# Which argument is the template. Not `panic`: before the edition of 2021 it does not format a text that is alone.
_FORMATS = {
    **dict.fromkeys(("print", "println", "eprint", "eprintln", "format", "format_args"), 0),
    **dict.fromkeys(("write", "writeln"), 1),
}
_HOLE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_COUNTED = re.compile(r"^\s*\d|[$*]|^\s")
_NEAR = 50  # ancestors that are looked at: a source may nest as deep as it likes
_BEFORE = 4  # what stands before a macro's brackets: its name, `!`, and white space
_PUNCTUATION = re.compile(r"[^\w\s()\[\]{},;\"']\Z")


def _tokens(node: Node, around: Context) -> list[Node]:
    """A macro is given words, not the white space between them, unless it makes a text of them."""
    near = around.ancestors[-_NEAR:]
    is_shallow = any(above.kind != "token_tree" for above in near)
    if not is_shallow or any(kid.text == "stringify" for above in near for kid in above.kids[-_BEFORE:]):
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


def _named_values(root: Node) -> None:
    """A `Rewrite`: `"{}", name` is `"{name}"`, where all that is printed are names."""
    for node in inner_nodes(root):
        if node.kind == "macro_invocation" and node.kids[-1].kind == "token_tree":
            _inline(node.kids[-1], node.kids[0].text or "")


def _inline(node: Node, macro: str) -> None:
    arguments = _split(node.kids[1:-1])
    at = _FORMATS.get(macro, len(arguments))
    if at >= len(arguments) or any(len(argument) != 1 for argument in arguments[at:]):
        return
    template, *values = (argument[0] for argument in arguments[at:])
    names = [value.text or "" for value in values if value.kind == "identifier"]
    text = template.text or ""
    if template.kind != "string_literal" or "\\u{" in text or len(names) != len(values):
        return
    holes = [found[1] for found in _HOLE.finditer(text) if found[1] is not None]
    if any(_COUNTED.search(hole) for hole in holes) or sum(hole[:1] in ("", ":") for hole in holes) != len(names):
        return
    following = iter(names)

    def filled(hole: re.Match[str]) -> str:
        is_next = hole[1] is not None and hole[1][:1] in ("", ":")
        return f"{{{next(following)}{hole[1]}}}" if is_next else hole[0]

    inlined = _HOLE.sub(filled, text)
    kept = sum(len(argument) + 1 for argument in arguments[:at])
    node.kids = [*node.kids[: 1 + kept], leaf_like(template, template.kind, inlined), node.kids[-1]]


def _split(kids: list[Node]) -> list[list[Node]]:
    """What stands between the commas."""
    found: list[list[Node]] = [[]]
    for kid in kids:
        if kid.kind == ",":
            found.append([])
        else:
            found[-1].append(kid)
    return found


def _tuple(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    if sum(kid.kind == "," for kid in node.kids) > 1:  # (a,) is a tuple, (a) is not
        without_last_comma(node)
    return [node]


def _arm(node: Node, around: Context) -> list[Node]:
    if node.kids[-1].kind == ",":
        node.kids.pop()
    return _body(node, around)


def _body(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
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


def _rules(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    if node.kids[-2].kind == ";":
        del node.kids[-2]
    return [node]


_STATEMENTS = ("statement", "declaration", "item", "comment", "definition")


def _use(node: Node, around: Context) -> list[Node]:
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


def _names(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
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
    rewrites=(("values named in the text", _named_values),),
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
