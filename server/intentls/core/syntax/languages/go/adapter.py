"""Go: what gofmt and goimports change; names that begin with a small letter stay in their package."""

from __future__ import annotations

import re

from intentls.core.syntax.languages.adapter import (
    Adapter,
    Bindings,
    Context,
    bound_name,
    drop_last_comma,
    fields,
    finishes,
    import_item,
    kinds,
    note_owner,
    unwrap,
    without,
)
from intentls.core.syntax.languages.branches import REASON as BRANCHED
from intentls.core.syntax.languages.go.dead_stores import without_dead_stores
from intentls.core.syntax.languages.go.declarations import one_by_one
from intentls.core.syntax.languages.go.errors import handed_on
from intentls.core.syntax.languages.go.forms import modernized, with_any
from intentls.core.syntax.languages.go.inlining import inlined
from intentls.core.syntax.languages.go.keys import with_fields
from intentls.core.syntax.languages.go.library_calls import asked_in_a_row, with_library_names
from intentls.core.syntax.languages.go.linted import linted
from intentls.core.syntax.languages.go.lints.build_lines import without_build_lines
from intentls.core.syntax.languages.go.lints.suggested import suggested
from intentls.core.syntax.languages.go.scopes import branched
from intentls.core.syntax.languages.go.shorthands import shortened
from intentls.core.syntax.languages.go.standard_library import without_ioutil
from intentls.core.syntax.languages.inlining import REASON as INLINED
from intentls.core.syntax.tree import Node, spelling


def _file(node: Node, context: Context) -> list[Node]:
    without_build_lines(node)
    return _lines(node, context)


_lines = without("\n", "\0", ";", "")


def _statements(node: Node, context: Context) -> list[Node]:
    """They stand in what holds the list."""
    return [child for child in node.children if child.kind not in ("\n", "\0", ";", "")]


def _range(node: Node, context: Context) -> list[Node]:
    if any(child.kind == "=" for child in node.children):  # the loop's variables are declared elsewhere
        node.kind = "range_outer"
    return [node]


def _key(node: Node, context: Context) -> list[Node]:
    """What stands before a colon may be the field of a struct, or a variable."""
    node.children[0].kind = "literal_key"
    return [node]


def _import(node: Node, context: Context) -> list[Node]:
    lists = [child for child in node.children if child.kind == "import_spec_list"]
    parts = [child for holder in (*lists, node) for child in holder.children]
    items = [child for child in parts if child.kind == "comment"]
    for spec in (child for child in parts if child.kind == "import_spec"):
        path, alias = spec.child("path"), spec.child("name")
        origin = spelling(path or spec).strip('"`')
        name = spelling(alias) if alias is not None else origin.rpartition("/")[2]
        items.append(import_item(node, origin, bound_name(node, name, origin)))
    return items


def _number(node: Node, context: Context) -> list[Node]:
    """A number as gofumpt spells it: `0o777` for `0777`, `0xff` for `0XFF`, and without the `_` in it."""
    text = (node.text or "").lower().replace("_", "")
    octal = _OCTAL.match(text) if node.kind == "int_literal" else None
    node.text = text if octal is None else f"0o{octal[1]}"
    return [node]


_OCTAL = re.compile(r"0o?([0-7]+)\Z")


def _counts(text: str, context: Context) -> bool:
    """Whether a comment is C code before `import "C"`, or may be what an example has to print."""
    around = context.ancestors[1:4]
    if any(node.kind == "function_declaration" and _is_example(node) for node in around):
        return True
    items = (child for child in around[0].children if child.kind == "import_item") if around else ()
    # Each comment of a source asks, so that what is sooner told comes first.
    has_c = '"C"' in context.source and _C_IMPORT.search(context.source) is not None
    return has_c and not any(item.children[0].text == "C" for item in items)


def _is_example(function: Node) -> bool:
    name = function.child("name")
    return name is not None and (name.text or "").startswith("Example")


_C_IMPORT = re.compile(r'^[ \t]*(import[ \t]*)?(\([ \t]*)?"C"', re.MULTILINE)


GO = Adapter(
    "Go",
    "tree_sitter_go",
    pragma=re.compile(r"//(go:|line |export |extern )|//\s*\+build|/\*line "),
    comment_counts=_counts,
    names=kinds("identifier type_identifier field_identifier package_identifier label_name"),
    member_kinds=kinds("field_identifier label_name"),
    member_places=fields("package_clause"),
    exact=re.compile(r"string_literal$|rune_literal"),
    imports=kinds("import_declaration"),
    free=kinds("function_declaration method_declaration type_declaration const_declaration"),
    hoists=True,
    sequences=kinds("block expression_case default_case type_case communication_case"),
    whole=re.compile(b""),  # what a name means is told by all of its function
    first=(("the same written in another way", one_by_one),),
    rewrites=(
        ("os and io for io/ioutil", without_ioutil),
        ("the same written in another way", suggested),
        ("the same written in another way", shortened),
        ("the same written in another way", with_fields),
        ("the same written in another way", with_library_names),
        ("the same written in another way", linted),
        ("the same written in another way", handed_on),
        ("unused variables", without_dead_stores),
        (INLINED, inlined),
        ("the same written in another way", modernized),
        ("the same written in another way", asked_in_a_row),
    ),
    informed=(("any for interface{}", with_any), (BRANCHED, branched)),
    finish=finishes(
        (_file, "source_file"),
        (_lines, "block field_declaration_list"),
        (_statements, "statement_list"),
        (unwrap, "parenthesized_expression"),
        (drop_last_comma, "argument_list literal_value parameter_list"),
        (_range, "range_clause"),
        (note_owner, "selector_expression"),
        (_key, "keyed_element"),
        (_number, "int_literal float_literal imaginary_literal"),
        (_import, "import_declaration"),
    ),
    bindings=Bindings(
        places=fields(
            "short_var_declaration.left range_clause.left receive_statement.left"
            " parameter_declaration.name variadic_parameter_declaration.name var_spec.name"
            " const_spec.name function_declaration.name"
        ),
        patterns=kinds("expression_list"),
        scopes=kinds(
            "source_file function_declaration method_declaration func_literal block if_statement"
            " for_statement expression_switch_statement expression_case type_case default_case communication_case"
        ),
        outside=kinds("parameter_list"),
        frozen=kinds("receive_statement range_outer literal_key"),
        declaring=kinds("short_var_declaration var_spec const_spec range_clause receive_statement"),
        case_matters=True,
        blank="_",
        capitals_are_public=True,
    ),
)
