"""JavaScript, TypeScript, TSX: what prettier and import sorters change."""

from __future__ import annotations

import re
from dataclasses import replace

from intentls.core.syntax.languages.adapter import (
    Adapter,
    Bindings,
    Context,
    drop_last_comma,
    flattened,
    leaf_like,
    note_owner,
    unwrap,
    unwrapped,
    without_last_comma,
)
from intentls.core.syntax.languages.javascript_empty_statements import without_empty
from intentls.core.syntax.languages.jsx import children, markup
from intentls.core.syntax.languages.return_inlining import REASON, returned_at_once
from intentls.core.syntax.tree import Node, Role, spelling

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_PLAIN = re.compile(r"[A-Za-z_$][\w$]*\Z")
_INDEX = re.compile(r"0|[1-9]\d{0,14}")
_DECIMAL = re.compile(r"(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\Z", re.IGNORECASE)
_CHAINS = ("member_expression", "call_expression", "subscript_expression", "non_null_expression")
_PRAGMA = re.compile(
    r"#!|///\s*<|/[/*].*(@jsx|@(jest|vitest)-|@vite-|webpack|[#@]__|turbopack|@flow|@ts-nocheck)", re.DOTALL
)


def _parentheses(node: Node, around: Context) -> list[Node]:
    inner = unwrapped(node)
    is_directive = around.parent == "expression_statement" and inner[0].kind == "string"
    is_chain = around.parent in _CHAINS and inner[0].kind in _CHAINS and "?." in spelling(inner[0])
    if len(inner) != 1 or is_directive or is_chain:
        return [node]
    inner[0].field = node.field
    return inner


def _string(node: Node, around: Context) -> list[Node]:
    text = node.text or ""
    is_markup = around.parent == "jsx_attribute"
    if text[:1] not in "'\"" or (is_markup and ("\\" in text or "&" in text)):
        return [node]
    content = _ESCAPED.sub(lambda found: found[1] if found[1] in "'\"" else found[0], text[1:-1])
    is_key = around.parent == "pair" and node.field == "key"
    if is_key and _INDEX.fullmatch(content):
        return _number(leaf_like(node, "number", content), around)
    is_key = is_key and _PLAIN.match(content) is not None and content != "__proto__"
    if is_key:
        return [Node("property_identifier", "key", node.row, content, Role.MEMBER)]
    return [leaf_like(node, "string", content)]


def _number(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    text = (node.text or "").lower()
    is_octal = text.startswith("0") and text.isdigit()
    return [leaf_like(node, "number", repr(float(text)) if _DECIMAL.match(text) and not is_octal else text)]


def _shorthand(node: Node, around: Context) -> list[Node]:
    name = node.text or ""
    is_pattern = node.kind.endswith("pattern")
    if name == "__proto__" or around.parent == "object_assignment_pattern":
        return [replace(node, role=Role.MEMBER)]
    made = Node("pair_pattern" if is_pattern else "pair", node.field, node.row)
    made.kids = [
        Node("property_identifier", "key", node.row, name, Role.MEMBER),
        Node(":", None, node.row, ":"),
        Node("identifier", "value", node.row, name, Role.NAME, binds=node.binds),
    ]
    return [made]


def _brackets(kind: str, field: str, node: Node, kids: list[Node]) -> Node:
    made = Node(kind, field, node.row)
    made.kids = [Node("(", None, node.row, "("), *kids, Node(")", None, node.row, ")")]
    return made


def _arrow(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    parameter = node.child("parameter")
    if parameter is not None:
        where = node.kids.index(parameter)
        parameter.field = None
        node.kids[where] = _brackets("formal_parameters", "parameters", parameter, [parameter])
    return [node]


def _new(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    if node.child("arguments") is None:
        node.kids.append(_brackets("arguments", "arguments", node, []))
    return [node]


def _array(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    if len(node.kids) > 3 and node.kids[-3].kind != ",":  # [a,,] has a hole, [a,] has none
        without_last_comma(node)
    return [node]


def _statement(node: Node, around: Context) -> list[Node]:
    is_header = around.parent == "for_statement" and node.field != "body"
    if not is_header and node.kids[-1].kind == ";":
        node.kids.pop()
    return [node]


def _members(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    node.kids = [kid for kid in node.kids if kid.kind not in (";", ",")]
    return [node]


def _union(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    if node.kids[0].kind in ("|", "&"):
        del node.kids[0]
    if len(node.kids) == 1:
        node.kids[0].field = node.field
        return node.kids
    return [flattened(node, node.kids[1].kind)]


def _chain(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    word = node.kids[1].kind if len(node.kids) > 1 else ""
    return [flattened(node, word) if word in ("&&", "||", "??", ",") else node]


def _flags(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    body, slash, flags = (node.text or "").rpartition("/")
    return [leaf_like(node, node.kind, f"{body}{slash}{''.join(sorted(flags))}")]


def _import(node: Node, around: Context) -> list[Node]:
    _statement(node, around)
    clause = next((kid for kid in node.kids if kid.kind == "import_clause"), None)
    source = node.child("source")
    words = [kid.text for kid in node.kids]
    if clause is None or source is None or "{" in words or words[:2] != ["import", None]:
        return [node]  # for its effect alone, of a type, or with attributes: as it stands
    made = []
    origin = source.text or ""
    for kid in clause.kids:
        if kid.kind == "named_imports":
            parts = [part for part in kid.kids if part.kind == "import_specifier"]
        else:
            parts = [] if kid.kind == "," else [kid]
        for part in parts:
            item = Node("import_item", None, node.row)
            item.kids = [Node("module", None, node.row, origin), *_imported(part, origin)]
            made.append(item)
    return made or [node]


def _imported(part: Node, origin: str) -> list[Node]:
    if part.kind != "import_specifier":
        name = part.text or spelling(part.kids[-1])
        kind = "default" if part.text else "namespace"
        return [Node(kind, None, part.row, kind), _binder(name, part, origin)]
    names = [kid for kid in part.kids if kid.kind not in ("as", "type", "typeof")]
    words = [leaf_like(kid, kid.kind, kid.kind) for kid in part.kids if kid.kind in ("type", "typeof")]
    given = Node("imported", None, part.row, spelling(names[0]), Role.IMPORTED, origin=origin)
    return [*words, given, _binder(spelling(names[-1]), part, origin)]


def _binder(name: str, part: Node, origin: str) -> Node:
    return Node("identifier", "alias", part.row, name, Role.NAME, binds=True, origin=origin)


def _for_in(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    if node.child("kind") is None:  # the loop's variable is declared elsewhere
        node.kind = "for_in_outer"
    return [node]


def _parameter(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    if any(kid.kind in ("accessibility_modifier", "readonly", "override_modifier") for kid in node.kids):
        node.kind = "parameter_property"
    if len(node.kids) == 1:  # without a type it is what JavaScript has there
        node.kids[0].field = None
        return node.kids
    return [node]


_STATEMENTS = (
    *("expression_statement", "lexical_declaration", "variable_declaration", "return_statement", "throw_statement"),
    *("break_statement", "continue_statement", "export_statement", "debugger_statement", "do_statement"),
    *("type_alias_declaration", "function_signature", "import_alias"),
)
_LISTS = (
    *("arguments", "formal_parameters", "object", "object_pattern", "named_imports", "export_clause", "enum_body"),
    *("type_arguments", "type_parameters", "tuple_type"),
)
_NAMES = frozenset({"identifier", "type_identifier", "property_identifier", "private_property_identifier"})

JAVASCRIPT = Adapter(
    "JavaScript",
    "tree_sitter_javascript",
    comments=frozenset({"comment", "html_comment"}),
    pragma=_PRAGMA,
    names=_NAMES,
    member_kinds=frozenset({"property_identifier", "private_property_identifier"}),
    exact=re.compile(r"^string$|regex"),
    spaced=frozenset({"template_string"}),
    containers=frozenset({"class_declaration", "class_body", "export_statement"}),
    imports=frozenset({"import_statement"}),
    run_in_order=True,
    free=frozenset({"function_declaration", "generator_function_declaration"}),
    rewrites=((REASON, returned_at_once({"statement_block"}, {"eval"})),),
    finish={
        "member_expression": note_owner,
        "parenthesized_expression": _parentheses,
        "string": _string,
        "number": _number,
        "regex": _flags,
        "binary_expression": _chain,
        "sequence_expression": _chain,
        "parenthesized_type": unwrap,
        "jsx_element": children,
        "jsx_fragment": children,
        "shorthand_property_identifier": _shorthand,
        "shorthand_property_identifier_pattern": _shorthand,
        "arrow_function": _arrow,
        "new_expression": _new,
        "array": _array,
        "array_pattern": _array,
        "class_body": _members,
        "interface_body": _members,
        "object_type": _members,
        "union_type": _union,
        "intersection_type": _union,
        "jsx_text": markup,
        "import_statement": _import,
        **dict.fromkeys(("program", "statement_block", "switch_case", "switch_default"), without_empty),
        "for_in_statement": _for_in,
        "required_parameter": _parameter,
        "optional_parameter": _parameter,
        **dict.fromkeys(_STATEMENTS, _statement),
        **dict.fromkeys(_LISTS, drop_last_comma),
    },
    bindings=Bindings(
        places=frozenset(
            {
                *(("variable_declarator", "name"), ("formal_parameters", None), ("for_in_statement", "left")),
                *(("required_parameter", "pattern"), ("optional_parameter", "pattern"), ("catch_clause", "parameter")),
                *(("function_declaration", "name"), ("generator_function_declaration", "name")),
                *(("class_declaration", "name"), ("abstract_class_declaration", "name")),
                *(("interface_declaration", "name"), ("type_alias_declaration", "name")),
            }
        ),
        patterns=frozenset({"object_pattern", "array_pattern", "pair_pattern", "rest_pattern", "assignment_pattern"}),
        scopes=frozenset(
            {
                *("program", "function_declaration", "generator_function_declaration", "method_definition"),
                *("arrow_function", "function_expression", "generator_function", "statement_block", "for_statement"),
                *("for_in_statement", "catch_clause", "switch_body"),
            }
        ),
        classes=frozenset({"class", "class_declaration", "abstract_class_declaration"}),
        outside=frozenset({"formal_parameters"}),
        frozen=frozenset(
            {
                *(
                    "variable_declaration",
                    "for_in_outer",
                    "parameter_property",
                    "ambient_declaration",
                    "labeled_statement",
                ),
                *("enum_declaration", "internal_module", "module", "type_parameters", "infer_type"),
            }
        ),
        exported=frozenset({"export_statement"}),
        dynamic=frozenset({"eval"}),
        case_matters=True,
    ),
)

TYPESCRIPT = replace(JAVASCRIPT, name="TypeScript", module="tree_sitter_typescript", function="language_typescript")
TSX = replace(TYPESCRIPT, name="TSX", function="language_tsx")
