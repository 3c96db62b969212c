"""Rust: what rustfmt changes, and forms that mean the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

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
    unwrap,
    without_last_comma,
)
from intentls.core.syntax.languages.branches import REASON as BRANCHED
from intentls.core.syntax.languages.inlining import REASON as NAMED
from intentls.core.syntax.languages.rust.forms.borrowed import borrowed
from intentls.core.syntax.languages.rust.forms.branches import in_one_form
from intentls.core.syntax.languages.rust.forms.derived import with_derived
from intentls.core.syntax.languages.rust.forms.inlining import inlined
from intentls.core.syntax.languages.rust.forms.linted import linted
from intentls.core.syntax.languages.rust.forms.matching import asked_of_patterns
from intentls.core.syntax.languages.rust.forms.modernized import modernized
from intentls.core.syntax.languages.rust.forms.shorthands import shortened
from intentls.core.syntax.languages.rust.forms.tidy import tidied
from intentls.core.syntax.languages.rust.forms.units import ended_alike
from intentls.core.syntax.languages.rust.import_order import MODULES, gathered, with_modules
from intentls.core.syntax.languages.rust.import_order import REASON as ORDER
from intentls.core.syntax.languages.rust.lints.searched import searched
from intentls.core.syntax.languages.rust.lints.suggested import suggested
from intentls.core.syntax.languages.rust.paths import REASON as PATHS
from intentls.core.syntax.languages.rust.paths import with_whole_paths
from intentls.core.syntax.languages.rust.plain.choices import chosen_alike
from intentls.core.syntax.languages.rust.plain.conditions import asked_in_order, compared_alike
from intentls.core.syntax.languages.rust.plain.known import known_alike
from intentls.core.syntax.languages.rust.plain.matches import compared_with_literals
from intentls.core.syntax.languages.rust.plain.names import without_plain_names
from intentls.core.syntax.languages.rust.plain.stepwise import one_by_one
from intentls.core.syntax.languages.rust.printed import REASON as NAMED_VALUES
from intentls.core.syntax.languages.rust.printed import named_in_panics, named_in_texts, split_at_commas
from intentls.core.syntax.languages.rust.spelling import (
    FOR_COMPILERS,
    MODULE_ORDER,
    SPELLED,
    spelled_alike,
    with_modules_in_order,
    without_number_modules,
    without_silent_attributes,
)
from intentls.core.syntax.languages.rust.visibility import REASON as VISIBILITY
from intentls.core.syntax.languages.rust.visibility import seen_alike
from intentls.core.syntax.tree import Node, copy_with, flatten, inner_nodes, spelling

# Macros of the standard library that are called like functions: a last comma means nothing to them.
_CALLED = kinds(
    "print println eprint eprintln format write writeln panic vec matches assert"
    " assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne unreachable todo"
    " unimplemented format_args"
)
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


def _sorted_derives(root: Node) -> None:
    """A `Rewrite`: what `#[derive]` lists stands in any order."""
    for node in inner_nodes(root):
        if node.kind == "attribute" and node.children[0].text == "derive" and node.children[-1].kind == "token_tree":
            parts = split_at_commas(node.children[-1].children[1:-1])
            node.children[-1].children = [child for part in sorted(parts, key=_part) for child in part]


def _part(children: list[Node]) -> str:
    return "".join(map(spelling, children))


# Attributes that only tell lints, formatters and rustdoc what to do.
_FOR_TOOLS = kinds("allow warn expect deny forbid doc rustfmt::skip rustfmt_skip")
# What `cfg_attr` asks for where no program is built, but its documentation, or lints and formatters run.
_TOOLS_RUN = re.compile(r'(docsrs|docs_rs|doc|docrs|rustfmt|clippy|feature="cargo-clippy")\Z')
# Derives and attributes that are known not to read the doc comments of what they stand before.
_DEAF_DERIVES = kinds(
    "Debug Clone Copy PartialEq Eq PartialOrd Ord Hash Default Serialize Deserialize Error From Into Deref DerefMut"
)
_DEAF = kinds(
    "allow warn expect deny forbid doc derive cfg inline cold must_use deprecated repr non_exhaustive test bench ignore"
    " should_panic feature macro_use macro_export path no_std no_mangle link link_name export_name global_allocator"
    " track_caller target_feature automatically_derived recursion_limit type_length_limit rustfmt_skip default serde"
    " error from source transparent async_trait proc_macro proc_macro_derive proc_macro_attribute crate_type crate_name"
    " windows_subsystem used stable unstable rustc_const_stable may_dangle no_main panic_handler pin tokio::main"
    " tokio::test"
)
_ATTRIBUTE = re.compile(r"#!?\[\s*([^\]]{0,1000})")
_DERIVED = re.compile(r"\bderive\s{0,9}\(([^)]{0,1000})")
_LAST_WORD = re.compile(r"(\w+)\s*(?:,|\Z)")


def _lint(node: Node, context: Context) -> list[Node]:
    """An attribute that only talks to tools is like a comment; one that is a doc comment is one."""
    text = "".join(spelling(node.children[-2]).split())
    if text.startswith("doc=") and _counts(text, context):
        return [node]
    return [] if all(name in _FOR_TOOLS or name.startswith("clippy::") for name in _attributes(text)) else [node]


def _attributes(text: str) -> Iterator[str]:
    """The names of what an attribute does: of `cfg_attr(a, b(c), d)` these are `b` and `d`."""
    name = _PATH.match(text)
    if name is None or name[0] != "cfg_attr" or len(text) > _LONGEST or ")" not in text:
        yield name[0] if name is not None and name[0] != "cfg_attr" else ""
        return
    condition, *others = _COMMA.split(text[len("cfg_attr(") : text.rfind(")")])
    if not _TOOLS_RUN.match(condition):
        for other in others if condition.count("(") == condition.count(")") else [""]:
            yield from _attributes(other) if other else ()


_LONGEST = 1_000  # characters of an attribute that is taken to pieces
_PATH = re.compile(r"[\w:]+")
_COMMA = re.compile(r",(?![^(]*\))")  # but for those in brackets


def _counts(text: str, context: Context) -> bool:
    """Whether it is a doc comment that a program may be made of."""
    is_outer = text.startswith(("///", "/**", "doc=")) and not text.startswith(("////", "/***", "/**/"))
    return is_outer and _reads_docs(context.source)


@lru_cache(maxsize=2)  # it is asked of each comment of a file
def _reads_docs(source: str) -> bool:
    """Whether a derive or an attribute of the file is none of those that are known to leave doc comments alone."""
    derived = (name for match in _DERIVED.finditer(source) for name in _LAST_WORD.findall(match[1]))
    if not _DEAF_DERIVES.issuperset(derived):
        return True
    texts = ("".join(match[1].split()) for match in _ATTRIBUTE.finditer(source))
    return any(
        name not in _DEAF and not name.startswith(("clippy::", "rustfmt::", "rustdoc::"))
        for text in texts
        for name in _attributes(text)
    )


def _text(node: Node, context: Context) -> list[Node]:
    """A line break after a backslash, and the white space after it, are not in the text."""
    macro = next((above for above in reversed(context.ancestors) if above.kind == "macro_invocation"), None)
    if macro is not None and macro.children[0].text not in _CALLED:
        return [node]  # it may be given the text as it is spelled
    return [leaf_like(node, node.kind, _CONTINUED.sub(r"\1", node.text or ""))]


_CONTINUED = re.compile(r"(\\[^\r\n])|\\\r?\n\s*")


def _number(node: Node, context: Context) -> list[Node]:
    """A number without `_` between its digits, and in small letters; a macro may be given it as it is spelled."""
    if context.parent == "token_tree":
        return [node]
    text = (node.text or "").replace("_", "")
    return [leaf_like(node, node.kind, text.lower() if text[:2] == "0x" else text)]


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


def _parenthesized(node: Node, context: Context) -> list[Node]:
    """What stands in parentheses, but for a field that is called, and for what `try!` is given."""
    is_field = context.parent == "call_expression" and node.field == "function"
    before = next((above.children[-1] for above in reversed(context.ancestors) if above.children), node)
    is_kept = (is_field and node.children[1].kind == "field_expression") or before.kind == "ERROR"
    return [node] if is_kept else unwrap(node, context)


def _rules(node: Node, context: Context) -> list[Node]:
    if node.children[-2].kind == ";":
        del node.children[-2]
    return [node]


_STATEMENTS = ("statement", "declaration", "item", "comment", "definition")


def _use(node: Node, context: Context) -> list[Node]:
    """One item for each path: `use a::{b, c as d};` is `use a::b; use a::c as d;`."""
    siblings = context.ancestors[-1].children
    visible = "".join(spelling(child) for child in node.children if child.kind == "visibility_modifier")
    paths = list(_paths(node.children[-2]))
    if siblings and siblings[-1].kind in ("attribute_item", "inner_attribute_item", "line_comment", "block_comment"):
        return _marked(node, siblings, paths)
    return [_imported(node, visible, *path) for path in paths]


def _marked(node: Node, siblings: Sequence[Node], paths: Sequence[tuple[str, str, str]]) -> list[Node]:
    """What stands before an import belongs to it: to each path of a list, if that is attributes alone."""
    marks: list[Node] = []
    for sibling in reversed(siblings):
        if sibling.kind != "attribute_item":
            break
        marks.insert(0, sibling)
    is_alone = len(marks) == len(siblings) or not siblings[-len(marks) - 1].kind.endswith("comment")
    if not marks or not is_alone or node.children[-2].kind not in ("use_list", "scoped_use_list"):
        return [node]
    kept: list[Node] = []
    for path in paths:
        kept += [copy_with(mark, {}) for mark in marks] if kept else []
        argument = _argument(*path, node.row)
        kept.append(Node(node.kind, None, node.row, children=[*node.children[:-2], argument, node.children[-1]]))
    return kept


def _argument(module: str, name: str, alias: str, row: int) -> Node:
    """The path of one import, as the grammar has it."""
    names = [part for part in module.split("::") if part]
    path: Node | None = None
    for part in (*names, name):
        leaf = Node(part if part in _ROOTS or part == "*" else "identifier", None, row, part)
        sign = Node("::", None, row, "::")
        kind = "use_wildcard" if part == "*" else "scoped_identifier"
        path = leaf if path is None else Node(kind, None, row, children=[path, sign, leaf])
    assert path is not None
    if alias != name:
        words = [path, Node("as", None, row, "as"), Node("identifier", "alias", row, alias)]
        path = Node("use_as_clause", None, row, children=words)
    path.field = "argument"
    return path


_ROOTS = frozenset({"crate", "super", "self"})


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
    comment_counts=_counts,
    # A macro, before the edition of 2018 made a keyword of the name; the first of two attributes of a parameter.
    understood=re.compile(r"try!|#\[rustfmt::skip\]"),
    exact=re.compile(r"string_literal$|char_literal|string_content"),
    spaced=kinds("token_tree"),
    imports=kinds("use_declaration"),
    free=kinds("function_item struct_item enum_item const_item static_item impl_item trait_item type_item"),
    hoists=True,
    whole=re.compile(b""),  # what a name means is told by all of its function
    rewrites=(
        (FOR_COMPILERS, without_silent_attributes),
        (SPELLED, spelled_alike),
        (MODULES, with_modules),
        (MODULE_ORDER, with_modules_in_order),
        (ORDER, gathered),
        (PATHS, without_number_modules),
        ("the same written in another way", with_derived),
        ("derive order", _sorted_derives),
        (NAMED_VALUES, named_in_texts),
        ("the same written in another way", known_alike),
        (NAMED, one_by_one),
        (NAMED, without_plain_names),
        (BRANCHED, compared_with_literals),
        ("the same written in another way", searched),
        ("the same written in another way", suggested),
        ("the same written in another way", tidied),
        ("the same written in another way", shortened),
        (NAMED, inlined),
        ("the same written in another way", linted),
        ("the same written in another way", modernized),
        ("the same written in another way", borrowed),
        ("the same written in another way", asked_of_patterns),
        (PATHS, with_whole_paths),
    ),
    informed=((NAMED_VALUES, named_in_panics), (VISIBILITY, seen_alike)),
    last=(
        ("the same written in another way", compared_alike),
        ("the same written in another way", ended_alike),
        (BRANCHED, chosen_alike),
        ("the same written in another way", ended_alike),  # of what has a value no longer
        (BRANCHED, in_one_form),
        (BRANCHED, asked_in_order),
    ),
    finish=finishes(
        (_tokens, "token_tree"),
        (_text, "string_literal"),
        (_number, "integer_literal float_literal"),
        (_lint, "attribute_item inner_attribute_item"),
        (_arm, "match_arm"),
        (_body, "closure_expression"),
        (_use, "use_declaration"),
        (_names, "use_list"),
        (_parenthesized, "parenthesized_expression"),
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
