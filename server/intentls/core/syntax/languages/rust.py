"""Rust: what rustfmt changes. Names are not followed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from intentls.core.syntax.languages.adapter import (
    Adapter,
    Context,
    drop_last_comma,
    drop_second_comma,
    finishes,
    import_item,
    in_place_of,
    kinds,
    leaf_like,
    without_last_comma,
)
from intentls.core.syntax.tree import Node, flatten, inner_nodes, spelling

# Macros of the standard library that are called like functions: a last comma means nothing to them.
_CALLED = kinds(
    "print println eprint eprintln format write writeln panic vec matches assert"
    " assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne unreachable todo"
    " unimplemented format_args"
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


def _tokens(node: Node, context: Context) -> list[Node]:
    """A macro is given words, not the white space between them, unless it makes a text of them."""
    near = context.ancestors[-_NEAR:]
    is_shallow = any(above.kind != "token_tree" for above in near)
    if not is_shallow or any(child.text == "stringify" for above in near for child in above.children[-_BEFORE:]):
        return [node]
    # `& &` are two, `&&` is one.
    node.children = [
        child
        for index, child in enumerate(node.children)
        if child.kind != "gap" or all(map(_is_punctuation, node.children[index - 1 : index + 2 : 2]))
    ]
    is_called = context.parent == "macro_invocation" and context.ancestors[-1].children[0].text in _CALLED
    is_derive = context.parent == "attribute" and context.ancestors[-1].children[0].text == "derive"
    if is_called or is_derive:
        without_last_comma(node)
    return [node]


def _is_punctuation(node: Node) -> bool:
    return _PUNCTUATION.search(node.text or "") is not None


def _named_values(root: Node) -> None:
    """A `Rewrite`: `"{}", name` is `"{name}"`, where all that is printed are names."""
    for node in inner_nodes(root):
        if node.kind == "macro_invocation" and node.children[-1].kind == "token_tree":
            _inline(node.children[-1], node.children[0].text or "")


def _inline(node: Node, macro: str) -> None:
    arguments = _split(node.children[1:-1])
    template_index = _FORMATS.get(macro, len(arguments))
    if template_index >= len(arguments) or any(len(argument) != 1 for argument in arguments[template_index:]):
        return
    template, *values = (argument[0] for argument in arguments[template_index:])
    names = [value.text or "" for value in values if value.kind == "identifier"]
    text = template.text or ""
    if template.kind != "string_literal" or "\\u{" in text or len(names) != len(values):
        return
    holes = [hole[1] for hole in _HOLE.finditer(text) if hole[1] is not None]
    if any(_COUNTED.search(hole) for hole in holes) or sum(hole[:1] in ("", ":") for hole in holes) != len(names):
        return
    following = iter(names)

    def filled(hole: re.Match[str]) -> str:
        is_next = hole[1] is not None and hole[1][:1] in ("", ":")
        return f"{{{next(following)}{hole[1]}}}" if is_next else hole[0]

    inlined = _HOLE.sub(filled, text)
    kept = sum(len(argument) + 1 for argument in arguments[:template_index])
    node.children = [*node.children[: 1 + kept], leaf_like(template, template.kind, inlined), node.children[-1]]


def _split(children: list[Node]) -> list[list[Node]]:
    """What stands between the commas."""
    parts: list[list[Node]] = [[]]
    for child in children:
        if child.kind == ",":
            parts.append([])
        else:
            parts[-1].append(child)
    return parts


def _sorted_derives(root: Node) -> None:
    """A `Rewrite`: what `#[derive]` lists stands in any order."""
    for node in inner_nodes(root):
        if node.kind == "attribute" and node.children[0].text == "derive" and node.children[-1].kind == "token_tree":
            parts = _split(node.children[-1].children[1:-1])
            node.children[-1].children = [child for part in sorted(parts, key=_part) for child in part]


def _part(children: list[Node]) -> str:
    return "".join(map(spelling, children))


def _lint(node: Node, context: Context) -> list[Node]:
    """An attribute that only tells lints what to say is like a comment."""
    is_quiet = node.children[-2].children[0].text in ("allow", "warn", "expect")
    return [] if is_quiet else [node]


def _arm(node: Node, context: Context) -> list[Node]:
    if node.children[-1].kind == ",":
        node.children.pop()
    return _body(node, context)


def _body(node: Node, context: Context) -> list[Node]:
    """A block of one expression is that expression."""
    last = node.children[-1]
    if last.kind != "block" or len(last.children) != 3:
        return [node]
    only = last.children[1]
    if only.kind == "expression_statement" and len(only.children) == 1:
        only = only.children[0]
    if not only.kind.endswith(_STATEMENTS):
        node.children[-1] = in_place_of(last, only)
    return [node]


def _rules(node: Node, context: Context) -> list[Node]:
    if node.children[-2].kind == ";":
        del node.children[-2]
    return [node]


_STATEMENTS = ("statement", "declaration", "item", "comment", "definition")


def _use(node: Node, context: Context) -> list[Node]:
    """One item for each path: `use a::{b, c as d};` is `use a::b; use a::c as d;`."""
    siblings = context.ancestors[-1].children
    if siblings and siblings[-1].kind in ("attribute_item", "inner_attribute_item", "line_comment", "block_comment"):
        return [node]  # what stands before it belongs to it
    visible = "".join(spelling(child) for child in node.children if child.kind == "visibility_modifier")
    return [_imported(node, visible, *path) for path in _paths(node.children[-2])]


def _paths(tree: Node) -> Iterator[tuple[str, str, str]]:
    """Each path of a `use`: what stands before its last name, that name, and the name that it binds."""
    stack = [("", tree)]
    while stack:
        prefix, node = stack.pop()
        if node.kind == "use_list":
            stack.extend((prefix, child) for child in reversed(node.children) if child.kind not in ("{", "}", ","))
        elif node.kind == "scoped_use_list":
            stack.append((prefix + "".join(map(spelling, node.children[:-1])), node.children[-1]))
        else:
            path, _, alias = node.children if node.kind == "use_as_clause" else (node, None, node)
            before, separator, name = (prefix + spelling(path)).rpartition("::")
            yield before + separator, name, spelling(alias).rpartition("::")[2]


def _imported(node: Node, visible: str, module: str, name: str, alias: str) -> Node:
    is_plain = name != "*" and alias not in ("self", "_")
    bound = alias if is_plain else f"{module}{name}"  # what binds no name, or one that the path tells, stands in no way
    kind = "identifier" if is_plain else "path"
    return import_item(
        node,
        f"{visible} {module}",
        Node("imported", None, node.row, name),
        Node(kind, "alias", node.row, bound, binds=True),
    )


def _names(node: Node, context: Context) -> list[Node]:
    """The names of a list in one order."""
    names = [child for child in node.children if child.kind != ","]
    node.children = sorted(names, key=lambda child: flatten(child).tokens)
    return [node]


RUST = Adapter(
    "Rust",
    "tree_sitter_rust",
    comments=kinds("line_comment block_comment"),
    pragma=re.compile(r"#!"),
    # Doc comments are attributes: these libraries make programs of them. A fence is a test.
    comments_count=re.compile(
        r"clap|structopt|[Ss]chema|graphql|juniper|utoipa|uniffi|pyo3|\bpy(class|function|method)|Parser|//[/!]\s*```"
    ),
    exact=re.compile(r"string_literal$|char_literal|string_content"),
    spaced=kinds("token_tree"),
    imports=kinds("use_declaration"),
    free=kinds("function_item struct_item enum_item const_item static_item impl_item trait_item type_item"),
    hoists=True,
    rewrites=(
        ("derive order", _sorted_derives),
        ("values named in the text", _named_values),
    ),
    finish=finishes(
        (_tokens, "token_tree"),
        (_lint, "attribute_item inner_attribute_item"),
        (_arm, "match_arm"),
        (_body, "closure_expression"),
        (_use, "use_declaration"),
        (_names, "use_list"),
        (_rules, "macro_definition"),
        (drop_second_comma, "tuple_expression tuple_pattern tuple_type"),
        (
            drop_last_comma,
            "arguments parameters array_expression field_initializer_list field_declaration_list"
            " ordered_field_declaration_list enum_variant_list struct_pattern tuple_struct_pattern"
            " slice_pattern type_arguments type_parameters",
        ),
    ),
)
