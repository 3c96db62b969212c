"""Java: locals and parameters are renamed for certain; members only if they are private."""

from __future__ import annotations

import re
from functools import lru_cache

from intentls.core.syntax.languages.adapter import (
    BRACES,
    Adapter,
    Bindings,
    Context,
    bound_name,
    drop_last_comma,
    fields,
    finishes,
    import_item,
    kinds,
    unwrap,
    without,
    without_braces,
)
from intentls.core.syntax.languages.branches import REASON as BRANCHED
from intentls.core.syntax.languages.inlining import REASON as NAMED
from intentls.core.syntax.languages.java.conditions import asked_plainly, in_one_chain
from intentls.core.syntax.languages.java.forms import (
    BRANCHES,
    HIDDEN,
    modernized,
    without_private_fields,
    without_unread_names,
)
from intentls.core.syntax.languages.java.inlining import inlined
from intentls.core.syntax.languages.java.lambdas import shorter_lambdas, shorter_where_taken_so
from intentls.core.syntax.languages.java.linted import linted
from intentls.core.syntax.languages.java.needless_imports import REASON as NEEDLESS
from intentls.core.syntax.languages.java.needless_imports import without_needless_imports
from intentls.core.syntax.languages.java.newer import newer
from intentls.core.syntax.languages.java.patterns import asked_of_texts
from intentls.core.syntax.languages.java.shorthands import shortened
from intentls.core.syntax.languages.java.statements import in_one_step
from intentls.core.syntax.languages.java.switches import by_groups
from intentls.core.syntax.languages.java.throwing import without_needless_throws
from intentls.core.syntax.languages.java.visibility import REASON as UNSEEN
from intentls.core.syntax.languages.java.visibility import without_words_for_no_one
from intentls.core.syntax.languages.unused_locals import REASON as UNUSED
from intentls.core.syntax.languages.unused_locals import without_unused
from intentls.core.syntax.tree import Node, Role, spelling


def _import(node: Node, context: Context) -> list[Node]:
    words = [spelling(child) for child in node.children if child.kind not in (";", ".", "asterisk")]
    if any(child.kind == "asterisk" for child in node.children):
        module = " ".join(words)
        return [import_item(node, module, Node("wildcard", "alias", node.row, module, binds=True))]
    module, _, name = words.pop().rpartition(".")
    imported = Node("imported", None, node.row, name, Role.IMPORTED, origin=module)
    return [import_item(node, " ".join((*words, module)), imported, bound_name(node, name, module))]


def _modifiers(node: Node, context: Context) -> list[Node]:
    """Annotations first, without the one that only the compiler's warnings ask for."""
    kept = [child for child in node.children if not _is_silent(spelling(child), context.source)]
    node.children = sorted(kept, key=lambda child: not child.kind.endswith("annotation"))
    return [node] if kept else []


def _is_silent(annotation: str, source: str) -> bool:
    """Whether an annotation only talks to a compiler or a linter."""
    if annotation.startswith("@SuppressFBWarnings") and _FINDBUGS in source:
        return True
    return _SILENT.match(annotation) is not None and not _has_another(source)


_SILENT = re.compile(r"@(java\.lang\.)?SuppressWarnings\(")
_FINDBUGS = "import edu.umd.cs.findbugs.annotations.SuppressFBWarnings;"
_ANOTHER = re.compile(r"\bimport\s[^\n;]{0,300}\bSuppressWarnings\b|@interface\s{1,9}SuppressWarnings\b")


@lru_cache(maxsize=2)  # it is asked of each annotation of a file
def _has_another(source: str) -> bool:
    """Whether the file has another annotation of that name."""
    return _ANOTHER.search(source) is not None


def _constants(node: Node, context: Context) -> list[Node]:
    """An enum may end in a comma, and in a semicolon if nothing follows."""
    rest = node.children[-2]
    if rest.kind == "enum_body_declarations":
        rest.children = [child for child in rest.children if child.kind != ";"]
        if not rest.children:
            del node.children[-2]
        elif node.children[-3].kind == ",":
            del node.children[-3]
    return drop_last_comma(node, context)


def _parameters(node: Node, context: Context) -> list[Node]:
    return unwrap(node, context) if len(node.children) == 3 else [node]


def _method(node: Node, context: Context) -> list[Node]:
    """The name of a method is one of its own kind: a field or a variable of the same name is another one."""
    for child in node.children[-1:] if node.kind == "method_reference" else node.children:
        if child.kind == "identifier" and (child.field in ("name", "key") or node.kind == "method_reference"):
            child.kind = _METHOD
    return [node]


_METHOD = "method_identifier"


JAVA = Adapter(
    "Java",
    "tree_sitter_java",
    comments=kinds("line_comment block_comment"),
    names=kinds("identifier type_identifier"),
    member_kinds=frozenset(),
    member_places=fields(
        "field_access.field method_invocation.name method_declaration.name"
        " scoped_identifier.name method_reference element_value_pair.key labeled_statement"
        " break_statement continue_statement package_declaration enum_constant.name"
        " switch_label"
    ),
    exact=re.compile(r"string_literal$|character_literal|template"),
    containers=kinds("class_declaration class_body interface_declaration interface_body"),
    imports=kinds("import_declaration"),
    free=kinds("method_declaration constructor_declaration class_declaration interface_declaration"),
    hoists=True,
    sequences=kinds("block constructor_body switch_block_statement_group"),
    rewrites=(
        ("the same written in another way", by_groups),
        ("the same written in another way", asked_of_texts),
        ("the same written in another way", newer),
        (NAMED, inlined),  # it goes by types as they are written
        ("the same written in another way", in_one_step),
        ("the same written in another way", linted),
        (BRACES, without_braces),
        ("the same written in another way", modernized),
        ("the same written in another way", shortened),
        ("the same written in another way", without_needless_throws),
        ("the same written in another way", asked_plainly),
        ("the same written in another way", shorter_lambdas),
        (UNUSED, without_unused({"method_declaration", "constructor_declaration"}, ())),
        (UNUSED, without_unread_names),
    ),
    informed=(
        ("the same written in another way", shorter_where_taken_so),
        (NEEDLESS, without_needless_imports),
        (UNSEEN, without_words_for_no_one),
        (BRANCHED, BRANCHES.rewrite),
    ),
    last=((HIDDEN, without_private_fields), ("the same written in another way", in_one_chain)),
    whole=re.compile(rb"\b(?:private|jupiter|import static)\b"),  # a body in the place of calls may be anywhere
    finish=finishes(
        (_import, "import_declaration"),
        (unwrap, "parenthesized_expression"),
        (_modifiers, "modifiers"),
        (_parameters, "inferred_parameters"),
        (_method, "method_declaration method_invocation method_reference"),
        (_method, "annotation_type_element_declaration element_value_pair"),
        (
            without(";"),
            "program block constructor_body class_body interface_body annotation_type_body expression_statement"
            " switch_block_statement_group return_statement"
            " throw_statement break_statement continue_statement yield_statement local_variable_declaration"
            " field_declaration",
        ),
        (_constants, "enum_body"),
        (drop_last_comma, "array_initializer element_value_array_initializer"),
    ),
    bindings=Bindings(
        places=fields(
            "variable_declarator.name formal_parameter.name enhanced_for_statement.name"
            " catch_formal_parameter.name resource.name lambda_expression.parameters"
            " class_declaration.name inferred_parameters"
        ),
        patterns=kinds("inferred_parameters"),
        scopes=kinds(
            "program method_declaration constructor_declaration lambda_expression block"
            " for_statement enhanced_for_statement catch_clause try_with_resources_statement"
            " switch_block compact_constructor_declaration"
        ),
        classes=kinds("class_body interface_body enum_body record_declaration"),
        frozen=kinds("annotation marker_annotation type_pattern record_pattern switch_label"),
        declaring=kinds("local_variable_declaration resource enhanced_for_statement"),
        fields_in_sight=True,
        definitions_only=True,
        case_matters=True,
        capitals_are_public=True,
    ),
)
