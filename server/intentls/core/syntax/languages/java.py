"""Java: locals and parameters are renamed for certain; members only if they are private."""

from __future__ import annotations

import re

from intentls.core.syntax.languages.adapter import Adapter, Bindings, Context, drop_last_comma, unwrap
from intentls.core.syntax.tree import Node, Role, spelling


def _import(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    words = [spelling(kid) for kid in node.kids if kid.kind != ";"]
    item = Node("import_item", None, node.row)
    item.kids = [
        Node("module", None, node.row, " ".join(words)),
        Node("identifier", "alias", node.row, words[-1].rpartition(".")[2], Role.NAME, binds=True),
    ]
    return [item]


def _modifiers(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    node.kids.sort(key=lambda kid: not kid.kind.endswith("annotation"))
    return [node]


def _members(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    node.kids = [kid for kid in node.kids if kid.kind != ";"]
    return [node]


def _constants(node: Node, around: Context) -> list[Node]:
    """An enum may end in a comma, and in a semicolon if nothing follows."""
    rest = node.kids[-2]
    if rest.kind == "enum_body_declarations":
        rest.kids = [kid for kid in rest.kids if kid.kind != ";"]
        if not rest.kids:
            del node.kids[-2]
        elif node.kids[-3].kind == ",":
            del node.kids[-3]
    return drop_last_comma(node, around)


def _parameters(node: Node, around: Context) -> list[Node]:
    return unwrap(node, around) if len(node.kids) == 3 else [node]


JAVA = Adapter(
    "Java",
    "tree_sitter_java",
    comments=frozenset({"line_comment", "block_comment"}),
    names=frozenset({"identifier", "type_identifier"}),
    member_kinds=frozenset(),
    member_places=frozenset(
        {
            *(("field_access", "field"), ("method_invocation", "name"), ("method_declaration", "name")),
            *(("scoped_identifier", "name"), ("method_reference", None), ("element_value_pair", "key")),
            *(("labeled_statement", None), ("break_statement", None), ("continue_statement", None)),
            *(("package_declaration", None), ("enum_constant", "name"), ("switch_label", None)),
        }
    ),
    exact=re.compile(r"string_literal$|character_literal|template"),
    containers=frozenset({"class_declaration", "class_body", "interface_declaration", "interface_body"}),
    imports=frozenset({"import_declaration"}),
    free=frozenset({"method_declaration", "class_declaration", "interface_declaration"}),
    finish={
        "import_declaration": _import,
        "parenthesized_expression": unwrap,
        "modifiers": _modifiers,
        "inferred_parameters": _parameters,
        **dict.fromkeys(("program", "class_body", "interface_body"), _members),
        "enum_body": _constants,
        **dict.fromkeys(("array_initializer", "element_value_array_initializer"), drop_last_comma),
    },
    bindings=Bindings(
        places=frozenset(
            {
                *(("variable_declarator", "name"), ("formal_parameter", "name"), ("enhanced_for_statement", "name")),
                *(("catch_formal_parameter", "name"), ("resource", "name"), ("lambda_expression", "parameters")),
                *(("class_declaration", "name"), ("inferred_parameters", None)),
            }
        ),
        patterns=frozenset({"inferred_parameters"}),
        scopes=frozenset(
            {
                *("program", "method_declaration", "constructor_declaration", "lambda_expression", "block"),
                *("for_statement", "enhanced_for_statement", "catch_clause", "try_with_resources_statement"),
                *("switch_block", "compact_constructor_declaration"),
            }
        ),
        classes=frozenset({"class_body", "interface_body", "enum_body", "record_declaration"}),
        frozen=frozenset({"annotation", "marker_annotation", "type_pattern", "record_pattern", "switch_label"}),
        fields_in_sight=True,
        definitions_only=True,
        case_matters=True,
        capitals_are_public=True,
    ),
)
