"""JavaScript: what prettier and import sorters change, and other ways to write the same."""

from __future__ import annotations

import re
from functools import partial
from itertools import zip_longest

from msgspec.structs import replace

from intentls.core.syntax.languages.adapter import (
    BRACES,
    REASON,
    Adapter,
    Bindings,
    Context,
    TypedGrammar,
    bound_name,
    drop_last_comma,
    fields,
    finishes,
    flattened,
    import_item,
    in_place_of,
    kinds,
    leaf_like,
    note_owner,
    returned_at_once,
    unwrap,
    unwrapped,
    without,
    without_braces,
    without_last_comma,
)
from intentls.core.syntax.languages.branches import REASON as BRANCHED
from intentls.core.syntax.languages.inlining import REASON as INLINED
from intentls.core.syntax.languages.inlining import inlined
from intentls.core.syntax.languages.javascript.branching import branched
from intentls.core.syntax.languages.javascript.choices import chosen
from intentls.core.syntax.languages.javascript.forms import (
    DECLARED,
    OWN_SCOPE,
    SUFFIXES,
    assigned,
    declared_alike,
    modernized,
    without_suffixes,
)
from intentls.core.syntax.languages.javascript.forms import REASON as MODERNIZED
from intentls.core.syntax.languages.javascript.functions import REASON as FUNCTIONS
from intentls.core.syntax.languages.javascript.functions import declared_functions
from intentls.core.syntax.languages.javascript.idle_locals import (
    PLAIN_VALUES,
    without_idle_locals,
    without_unread_locals,
)
from intentls.core.syntax.languages.javascript.lints.linted import linted
from intentls.core.syntax.languages.javascript.lints.optional import asked_at_once
from intentls.core.syntax.languages.javascript.lints.parameters import with_rest
from intentls.core.syntax.languages.javascript.lints.statements import held_to_their_end, restated
from intentls.core.syntax.languages.javascript.lints.values import revalued
from intentls.core.syntax.languages.javascript.loads import REASON as LOADED
from intentls.core.syntax.languages.javascript.loads import loaded_first
from intentls.core.syntax.languages.javascript.modules import is_module
from intentls.core.syntax.languages.javascript.owners import without_names_of_this
from intentls.core.syntax.languages.javascript.parameters import REASON as PARAMETERS
from intentls.core.syntax.languages.javascript.parameters import without_idle_parameters
from intentls.core.syntax.languages.javascript.shorthands import shortened, shortened_untyped
from intentls.core.syntax.languages.late_names import declared_late
from intentls.core.syntax.languages.unused_locals import REASON as UNUSED
from intentls.core.syntax.languages.unused_locals import without_unused
from intentls.core.syntax.lexemes import lexemes_of_script
from intentls.core.syntax.tree import Node, Role, spelling

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_PLAIN = re.compile(r"[A-Za-z_$][\w$]*\Z")
_INDEX = re.compile(r"0|[1-9]\d{0,14}")
_DECIMAL = re.compile(r"(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\Z", re.IGNORECASE)
_CHAINS = ("member_expression", "call_expression", "subscript_expression", "non_null_expression")
_PRAGMA = re.compile(
    r"#!|///\s*<|/[/*].*(@jsx|@(jest|vitest)-|@vite-|webpack|[#@]__|turbopack|@flow|@ts-nocheck)", re.DOTALL
)


def _parentheses(node: Node, context: Context) -> list[Node]:
    inner = unwrapped(node)
    is_directive = context.parent == "expression_statement" and inner[0].kind == "string"
    is_chain = context.parent in _CHAINS and inner[0].kind in _CHAINS and "?." in spelling(inner[0])
    if len(inner) != 1 or is_directive or is_chain:
        return [node]
    return [in_place_of(node, inner[0])]


def _string(node: Node, context: Context) -> list[Node]:
    text = node.text or ""
    is_markup = context.parent == "jsx_attribute"
    if text[:1] not in "'\"" or (is_markup and ("\\" in text or "&" in text)):
        return [node]
    content = _ESCAPED.sub(lambda escape: escape[1] if escape[1] in "'\"" else escape[0], text[1:-1])
    is_key = context.parent == "pair" and node.field == "key"
    if is_key and _INDEX.fullmatch(content):
        return _number(leaf_like(node, "number", content), context)
    is_key = is_key and _PLAIN.match(content) is not None and content != "__proto__"
    if is_key:
        return [Node("property_identifier", "key", node.row, content, Role.MEMBER)]
    return [leaf_like(node, "string", content)]


def _number(node: Node, context: Context) -> list[Node]:
    text = (node.text or "").lower().replace("_", "")
    is_octal = text.startswith("0") and text.isdigit()
    return [leaf_like(node, "number", repr(float(text)) if _DECIMAL.match(text) and not is_octal else text)]


def _shorthand(node: Node, context: Context) -> list[Node]:
    name = node.text or ""
    is_pattern = node.kind.endswith("pattern")
    if name == "__proto__" or context.parent == "object_assignment_pattern":
        return [replace(node, role=Role.MEMBER)]
    result = Node("pair_pattern" if is_pattern else "pair", node.field, node.row)
    result.children = [
        Node("property_identifier", "key", node.row, name, Role.MEMBER),
        Node(":", None, node.row, ":"),
        Node("identifier", "value", node.row, name, Role.NAME, binds=node.binds),
    ]
    return [result]


def _brackets(kind: str, field: str, node: Node, children: list[Node]) -> Node:
    result = Node(kind, field, node.row)
    result.children = [Node("(", None, node.row, "("), *children, Node(")", None, node.row, ")")]
    return result


def _arrow(node: Node, context: Context) -> list[Node]:
    parameter = node.child("parameter")
    if parameter is not None:
        index = node.children.index(parameter)
        parameter.field = None
        node.children[index] = _brackets("formal_parameters", "parameters", parameter, [parameter])
    return [node]


def _new(node: Node, context: Context) -> list[Node]:
    if node.child("arguments") is None:
        node.children.append(_brackets("arguments", "arguments", node, []))
    return [node]


def _array(node: Node, context: Context) -> list[Node]:
    if len(node.children) > 3 and node.children[-3].kind != ",":  # [a,,] has a hole, [a,] has none
        without_last_comma(node)
    return [node]


def _statement(node: Node, context: Context) -> list[Node]:
    is_header = context.parent == "for_statement" and node.field != "body"
    if not is_header and node.children[-1].kind == ";":
        node.children.pop()
    return [node]


def _union(node: Node, context: Context) -> list[Node]:
    if node.children[0].kind in ("|", "&"):
        del node.children[0]
    if len(node.children) == 1:
        return [in_place_of(node, node.children[0])]
    return [flattened(node, node.children[1].kind)]


def _chain(node: Node, context: Context) -> list[Node]:
    word = node.children[1].kind if len(node.children) > 1 else ""
    return [flattened(node, word) if word in ("&&", "||", "??", ",") else node]


def _flags(node: Node, context: Context) -> list[Node]:
    body, slash, flags = (node.text or "").rpartition("/")
    return [leaf_like(node, node.kind, f"{body}{slash}{''.join(sorted(flags))}")]


def _import(node: Node, context: Context) -> list[Node]:
    _statement(node, context)
    clause = next((child for child in node.children if child.kind == "import_clause"), None)
    source = node.child("source")
    words = [child.text for child in node.children]
    is_type = words[:3] == ["import", "type", None]
    if clause is None or source is None or "{" in words or not (is_type or words[:2] == ["import", None]):
        return [node]  # for its effect alone, or with attributes: as it stands
    items = []
    origin = source.text or ""
    typed = [leaf_like(node, "type", "type")] if is_type else []
    for child in clause.children:
        if child.kind == "named_imports":
            parts = [part for part in child.children if part.kind == "import_specifier"]
        else:
            parts = [] if child.kind == "," else [child]
        for part in parts:
            items.append(import_item(node, origin, *typed, *_imported(part, origin)))
    return items or [node]


def _imported(part: Node, origin: str) -> list[Node]:
    if part.kind != "import_specifier":
        name = part.text or spelling(part.children[-1])
        kind = "default" if part.text else "namespace"
        return [Node(kind, None, part.row, kind), bound_name(part, name, origin)]
    names = [child for child in part.children if child.kind not in ("as", "type", "typeof")]
    words = [leaf_like(child, child.kind, child.kind) for child in part.children if child.kind in ("type", "typeof")]
    imported = Node("imported", None, part.row, spelling(names[0]), Role.IMPORTED, origin=origin)
    imported = Node("default", None, part.row, "default") if imported.text == "default" else imported
    return [*words, imported, bound_name(part, spelling(names[-1]), origin)]


def _for_in(node: Node, context: Context) -> list[Node]:
    if node.child("kind") is None:  # the loop's variable is declared elsewhere
        node.kind = "for_in_outer"
    return [node]


def _parameter(node: Node, context: Context) -> list[Node]:
    if any(child.kind in ("accessibility_modifier", "readonly", "override_modifier") for child in node.children):
        node.kind = "parameter_property"
    if len(node.children) == 1:  # without a type it is what JavaScript has there
        node.children[0].field = None
        return node.children
    return [node]


def _drop_empty(node: Node, context: Context) -> list[Node]:
    """Without empty ones. One before a text at the beginning keeps it from being a directive."""
    kept: list[Node] = []
    for child, following in zip_longest(node.children, node.children[1:]):
        if child.kind != "empty_statement" or (_is_text(following) and all(map(_is_text, _without_brace(kept)))):
            kept.append(child)
    node.children = kept
    return [node]


def _is_text(node: Node | None) -> bool:
    if node is None or node.kind != "expression_statement":
        return False
    return node.text[:1] in ("'", '"') if node.text else node.children[0].kind == "string"


def _without_brace(children: list[Node]) -> list[Node]:
    return children[1:] if children and children[0].kind == "{" else children


def _trim_text(node: Node, context: Context) -> list[Node]:
    """A text without the white space that only lays it out."""
    lines = (node.text or "").split("\n")
    if len(lines) == 1:
        return [node]
    kept = [lines[0].rstrip(), *(line.strip() for line in lines[1:-1]), lines[-1].lstrip()]
    text = " ".join(line for line in kept if line)
    return [leaf_like(node, node.kind, text)] if text else []


def _join_text(node: Node, context: Context) -> list[Node]:
    """`{" "}` is the space that it stands for, part of the text beside it."""
    children: list[Node] = []
    for child in node.children:
        is_space = child.kind == "jsx_expression" and [part.text for part in child.children] == ["{", " ", "}"]
        result = leaf_like(child, "jsx_text", " ") if is_space else child
        if result.kind == "jsx_text" and children and children[-1].kind == "jsx_text":
            last = children.pop()
            result = leaf_like(last, "jsx_text", f"{last.text}{result.text}")
        children.append(result)
    node.children = children
    return [node]


_NAMES = kinds("identifier type_identifier property_identifier private_property_identifier")

JAVASCRIPT = Adapter(
    "JavaScript",
    "tree_sitter_javascript",
    comments=kinds("comment html_comment"),
    pragma=_PRAGMA,
    names=_NAMES,
    member_kinds=kinds("property_identifier private_property_identifier"),
    exact=re.compile(r"^string$|regex"),
    spaced=kinds("template_string"),
    lexemes=partial(lexemes_of_script, pragma=_PRAGMA),
    typed=TypedGrammar(b"@flow", "type_annotation", "tree_sitter_typescript", "language_tsx"),
    containers=kinds("class_declaration class_body export_statement"),
    part_fields={"export_statement": "declaration"},
    imports=kinds("import_statement"),
    run_in_order=True,
    free=kinds("function_declaration generator_function_declaration interface_declaration type_alias_declaration"),
    hoists=True,
    first=((FUNCTIONS, declared_functions),),
    rewrites=(
        (MODERNIZED, shortened_untyped),
        (MODERNIZED, with_rest),
        (MODERNIZED, held_to_their_end),
        (MODERNIZED, linted),
        (MODERNIZED, shortened),
        (MODERNIZED, restated),
        (MODERNIZED, revalued),
        (MODERNIZED, asked_at_once),
        (REASON, returned_at_once({"statement_block"}, {"eval"})),
        (BRACES, without_braces),
        (MODERNIZED, modernized),
        (MODERNIZED, without_names_of_this),
        (DECLARED, declared_alike),
        (LOADED, loaded_first),
        (PARAMETERS, without_idle_parameters),
        (BRANCHED, chosen),
        (UNUSED, without_unused(OWN_SCOPE, {"eval"})),
        (UNUSED, without_idle_locals),
        (UNUSED, without_unread_locals),
        (DECLARED, declared_late(OWN_SCOPE, {"eval"})),
    ),
    informed=(
        (SUFFIXES, without_suffixes),
        (INLINED, PLAIN_VALUES.put_in),
        (INLINED, inlined(OWN_SCOPE, {"eval"}, assigned, is_module)),
        (BRANCHED, branched),
    ),
    whole=re.compile(rb""),
    finish=finishes(
        (note_owner, "member_expression"),
        (_parentheses, "parenthesized_expression"),
        (_string, "string"),
        (_number, "number"),
        (_flags, "regex"),
        (_chain, "binary_expression sequence_expression"),
        (unwrap, "parenthesized_type"),
        (_join_text, "jsx_element jsx_fragment"),
        (_shorthand, "shorthand_property_identifier shorthand_property_identifier_pattern"),
        (_arrow, "arrow_function"),
        (_new, "new_expression"),
        (_array, "array array_pattern"),
        (without(";", ","), "class_body interface_body object_type"),
        (_union, "union_type intersection_type"),
        (_trim_text, "jsx_text"),
        (_import, "import_statement"),
        (_drop_empty, "program statement_block switch_case switch_default"),
        (_for_in, "for_in_statement"),
        (_parameter, "required_parameter optional_parameter"),
        (
            _statement,
            "expression_statement lexical_declaration variable_declaration return_statement"
            " throw_statement break_statement continue_statement export_statement debugger_statement"
            " do_statement type_alias_declaration function_signature import_alias",
        ),
        (
            drop_last_comma,
            "arguments formal_parameters object object_pattern named_imports export_clause"
            " enum_body type_arguments type_parameters tuple_type",
        ),
    ),
    bindings=Bindings(
        places=fields(
            "variable_declarator.name formal_parameters for_in_statement.left"
            " required_parameter.pattern optional_parameter.pattern catch_clause.parameter"
            " function_declaration.name generator_function_declaration.name class_declaration.name"
            " abstract_class_declaration.name interface_declaration.name"
            " type_alias_declaration.name"
        ),
        patterns=kinds("object_pattern array_pattern pair_pattern rest_pattern assignment_pattern"),
        scopes=kinds(
            "program function_declaration generator_function_declaration method_definition"
            " arrow_function function_expression generator_function statement_block for_statement"
            " for_in_statement catch_clause switch_body"
        ),
        classes=kinds("class class_declaration abstract_class_declaration"),
        outside=kinds("formal_parameters"),
        frozen=kinds(
            "variable_declaration for_in_outer parameter_property ambient_declaration"
            " labeled_statement enum_declaration internal_module module type_parameters infer_type"
        ),
        exported=kinds("export_statement"),
        dynamic=kinds("eval"),
        case_matters=True,
    ),
)
