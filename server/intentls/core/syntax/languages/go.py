"""Go: what gofmt and goimports change; names that begin with a small letter stay in their package."""

from __future__ import annotations

import re

from intentls.core.syntax.languages.adapter import Adapter, Bindings, Context, drop_last_comma, note_owner
from intentls.core.syntax.tree import Node, Role, spelling


def _lines(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    node.kids = [kid for kid in node.kids if kid.kind not in ("\n", "\0", ";")]
    return [node]


def _range(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    if any(kid.kind == "=" for kid in node.kids):  # the loop's variables are declared elsewhere
        node.kind = "range_outer"
    return [node]


def _import(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    listed = [kid for kid in node.kids if kid.kind == "import_spec_list"]
    made = []
    for spec in (kid for holder in (*listed, node) for kid in holder.kids if kid.kind == "import_spec"):
        path, alias = spec.child("path"), spec.child("name")
        origin = spelling(path or spec).strip('"`')
        name = spelling(alias) if alias is not None else origin.rpartition("/")[2]
        item = Node("import_item", None, node.row)
        item.kids = [
            Node("module", None, node.row, origin),
            Node("identifier", "alias", node.row, name, Role.NAME, binds=True, origin=origin),
        ]
        made.append(item)
    return made


GO = Adapter(
    "Go",
    "tree_sitter_go",
    pragma=re.compile(
        r"//(go:|line |export |extern |nolint)|//\s*\+build|/\*line |//\s*(unordered )?output:", re.IGNORECASE
    ),
    comments_count=re.compile(r'import\s*(\(\s*)?"C"|\bfunc Example'),
    names=frozenset({"identifier", "type_identifier", "field_identifier", "package_identifier", "label_name"}),
    member_kinds=frozenset({"field_identifier", "label_name"}),
    member_places=frozenset({("package_clause", None)}),
    exact=re.compile(r"string_literal$|rune_literal"),
    imports=frozenset({"import_declaration"}),
    free=frozenset({"function_declaration", "method_declaration"}),
    finish={
        **dict.fromkeys(("source_file", "statement_list", "block", "field_declaration_list"), _lines),
        **dict.fromkeys(("argument_list", "literal_value", "parameter_list"), drop_last_comma),
        "range_clause": _range,
        "selector_expression": note_owner,
        "import_declaration": _import,
    },
    bindings=Bindings(
        places=frozenset(
            {
                *(("short_var_declaration", "left"), ("range_clause", "left"), ("receive_statement", "left")),
                *(("parameter_declaration", "name"), ("variadic_parameter_declaration", "name")),
                *(("var_spec", "name"), ("const_spec", "name"), ("function_declaration", "name")),
            }
        ),
        patterns=frozenset({"expression_list"}),
        scopes=frozenset(
            {
                *("source_file", "function_declaration", "method_declaration", "func_literal", "block", "if_statement"),
                *("for_statement", "expression_switch_statement", "expression_case", "communication_case"),
            }
        ),
        outside=frozenset({"parameter_list"}),
        frozen=frozenset(
            {"type_switch_statement", "labeled_statement", "receive_statement", "range_outer", "keyed_element"}
        ),
        case_matters=True,
        capitals_are_public=True,
    ),
)
