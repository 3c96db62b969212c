"""Python: what black, ruff format and isort change, and what is behaviour although it looks like prose."""

from __future__ import annotations

import inspect
import re
from functools import lru_cache

from intentls.core.syntax.languages.adapter import REASON as RETURNED
from intentls.core.syntax.languages.adapter import (
    Adapter,
    Bindings,
    Context,
    Counting,
    bound_name,
    drop_last_comma,
    drop_second_comma,
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
    without_last_comma,
)
from intentls.core.syntax.languages.branches import REASON as BRANCHED
from intentls.core.syntax.languages.inlining import REASON as INLINED
from intentls.core.syntax.languages.inlining import inlined
from intentls.core.syntax.languages.late_names import REASON as DECLARED
from intentls.core.syntax.languages.late_names import declared_late
from intentls.core.syntax.languages.python.annotations import REASON as ANNOTATIONS
from intentls.core.syntax.languages.python.annotations import quiet, without_annotations
from intentls.core.syntax.languages.python.forms import BRANCHES, modernized, rebound
from intentls.core.syntax.languages.python.forms import REASON as MODERNIZED
from intentls.core.syntax.languages.python.linted import READ_OTHERWISE, linted
from intentls.core.syntax.languages.python.lints.tidy import without_idle_globals
from intentls.core.syntax.languages.python.plain import PLAIN_VALUES
from intentls.core.syntax.languages.python.stepwise import in_one_go
from intentls.core.syntax.languages.python.versions import REASON as VERSIONS
from intentls.core.syntax.languages.python.versions import without_old_versions
from intentls.core.syntax.languages.unused_locals import REASON as UNUSED
from intentls.core.syntax.languages.unused_locals import without_unused
from intentls.core.syntax.tree import Node, Role, spelling

_ESCAPED = re.compile(r"\\((x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})|.)", re.DOTALL)
_OCTAL_END = re.compile(r"\\[0-7]{1,2}\Z")
# Where docstrings become help texts, schemas or grammars; in such a file each of them counts.
_DOCS_READ = re.compile(
    r"__doc__|getdoc|docopt|\bfire\b|\bply\b|tornado|BaseModel|\bSchema\b|Tool\b|Command\b|View(Set)?\b"
)
# Where a docstring is given, or handed on as one, it is not read.
_DOCS_GIVEN = re.compile(
    r"\b__doc__\s{0,9}=(?!=)([ \t]*(\w{1,100} or )?"
    r"([\w.]{1,100}\.__doc__|getattr\(\w+, ['\"]__doc__['\"](, \w+)?\))\s*$)?",
    re.M,
)
_DYNAMIC = kinds("eval exec locals vars globals dir __getattr__ __all__ _getframe")
_SILENT = quiet(
    r"(typing\.)?overload", r"(functools\.)?wraps.*", r"(dataclasses\.)?dataclass.*", r"(pytest\.)?fixture.*"
)
_NEAR = 50  # ancestors that are looked at: a source may nest as deep as it likes
_RIGHT_OPEN = ("conditional_expression", "lambda")


def _interpolation(node: Node, context: Context) -> list[Node]:
    if any(child.kind == "=" for child in node.children):  # f"{name=}" prints the name
        node.kind = "interpolation_named"
    return [node]


def _number(node: Node, context: Context) -> list[Node]:
    text = (node.text or "").lower()
    if node.kind == "integer":
        return [leaf_like(node, node.kind, text)]
    return [leaf_like(node, node.kind, f"{float(text.rstrip('jl'))!r}{'j' if text[-1] == 'j' else ''}")]


def _escape(escape: re.Match[str]) -> str:
    if escape[1] in ("'", '"'):
        return escape[1]
    return escape[0][:2] + escape[0][2:].lower() if escape[2] else escape[0]


def _string(node: Node, context: Context) -> list[Node]:
    opening, ending = node.children[0].text or "", node.children[-1].text or ""
    prefix = opening.rstrip("'\"").lower()
    result = Node("bytes" if "b" in prefix else "template" if "t" in prefix else "string", node.field, node.row)
    # The grammar takes all of r"\"" for its end.
    inside = ending[: len(ending) - (len(opening) - len(prefix))]
    children = [*node.children[1:-1], *([leaf_like(node, "string_content", inside)] if inside else [])]
    for child in children:
        if child.kind != "string_content":
            result.children.append(child)
            continue
        content = spelling(child).replace("\r\n", "\n")
        if "f" in prefix or "t" in prefix:
            content = content.replace("{{", "{").replace("}}", "}")
        content = content.replace("\\", "\\\\") if "r" in prefix else _ESCAPED.sub(_escape, content)
        result.children.append(leaf_like(child, "content", content))
    return [result]


def _concatenated(node: Node, context: Context) -> list[Node]:
    text_kinds = {child.kind for child in node.children}
    if len(text_kinds) != 1:
        return [node]
    result = Node(text_kinds.pop(), node.field, node.row)
    for part in (part for child in node.children for part in child.children):
        last = result.children[-1] if result.children else None
        joins = last is not None and last.kind == part.kind == "content"
        if last is None or not joins or _OCTAL_END.search(last.text or ""):
            result.children.append(part)
        else:
            last.text = f"{last.text}{part.text}"
    return [result]


def _tuple(node: Node, context: Context) -> list[Node]:
    result = Node("patterns" if "pattern" in node.kind else "tuple", node.field, node.row, binds=node.binds)
    result.children = unwrapped(node)
    if node.kind == "tuple_pattern" and len(result.children) == 1:
        return [in_place_of(node, result.children[0])]
    if len(result.children) > 2 and result.children[-1].kind == ",":
        result.children.pop()
    return [result]


def _with(node: Node, context: Context) -> list[Node]:
    without_last_comma(node)
    node.children = unwrapped(node)
    return [node]


def _arguments(node: Node, context: Context) -> list[Node]:
    without_last_comma(node)
    return [] if context.parent == "class_definition" and len(node.children) == 2 else [node]


def _bare_text(node: Node, context: Context) -> list[Node]:
    """A text that is a statement is indented like a docstring, which some take it for."""
    first, *others = node.children
    if not others and first.kind == "string" and [part.kind for part in first.children] == ["content"]:
        first.children[0].text = _cleaned(first.children[0].text or "")
    return [node]


def _cleaned(text: str) -> str:
    return "\n".join(line.rstrip() for line in inspect.cleandoc(text).split("\n")).strip()


def _body(node: Node, context: Context) -> list[Node]:
    node.children = [child for child in node.children if child.kind not in ("pass_statement", ";")]
    first = next((child for child in node.children if child.kind != "comment"), None)
    if first is None or not _is_docstring(node, first, context):
        return [node]
    text = _cleaned(spelling(first))
    kept = text if _is_read(context) else _examples(text)
    index = node.children.index(first)
    node.children[index : index + 1] = [leaf_like(first, "docstring", kept)] if kept else []
    return [node]


def _is_docstring(body: Node, first: Node, context: Context) -> bool:
    if body.kind == "block" and context.parent not in ("function_definition", "class_definition"):
        return False
    if first.kind != "expression_statement" or len(first.children) != 1 or first.children[0].kind != "string":
        return False
    return all(child.kind == "content" for child in first.children[0].children)


def _is_read(context: Context) -> bool:
    """Whether something in the file may use the docstring."""
    if _reads_docs(context.source):
        return True
    if len(context.ancestors) < 3:
        return False
    name = context.ancestors[-1].child("name")
    if name is not None and (name.text or "").startswith(("p_", "t_")):
        return True
    decorators = (child for child in context.ancestors[-2].children if child.kind == "decorator")
    return any(not _SILENT.match(spelling(decorator)) for decorator in decorators)


@lru_cache(maxsize=2)  # it is asked of each docstring of a file
def _reads_docs(source: str) -> bool:
    return _DOCS_READ.search(_DOCS_GIVEN.sub("", source)) is not None


def _counts(text: str, context: Context) -> bool:
    """Whether it is in the header that tells what a script needs to run (PEP 723), or says how a file is to be read."""
    if _CODING.search(text) is not None:
        return not context.source.isascii()
    return text.rstrip() in _script_header(context.source)


# Without it a file is read so anyway: by Python 2, too, if there is nothing in it that could be read in another way.
_CODING = re.compile(r"#.*coding[:=][ \t]*utf-?8\b", re.IGNORECASE)


@lru_cache(maxsize=2)  # it is asked of each comment of a file
def _script_header(source: str) -> frozenset[str]:
    blocks = (match[0] for match in _HEADER.finditer(source))
    return frozenset(line.rstrip() for block in blocks for line in block.split("\n"))


_HEADER = re.compile(r"^# /// [\w-]+\r?\n(#( .*)?\r?\n){0,300}# ///", re.MULTILINE)


def _examples(text: str) -> str:
    """The doctests in a docstring: they are run."""
    kept: list[str] = []
    running = False
    for line in text.split("\n"):
        stripped = line.strip()
        running = stripped.startswith(">>>") or (running and bool(stripped))
        if running:
            kept.append(stripped)
    return "\n".join(kept)


def _import(node: Node, context: Context) -> list[Node]:
    module_name = node.child("module_name")
    future = "__future__" if node.kind == "future_import_statement" else ""
    module = spelling(module_name) if module_name is not None else future
    items = []
    for child in node.children:
        if child.field != "name" and child.kind != "wildcard_import":
            continue
        target, alias = (child.child("name") or child), child.child("alias")
        name = spelling(target)
        names = [Node("imported", None, node.row, name, Role.IMPORTED, origin=module)] if module else []
        if child.kind != "wildcard_import":
            bound = name.partition(".")[0] if alias is None else spelling(alias)
            names.append(bound_name(node, bound, module or name))
        items.append(import_item(node, module or name, *names))
    return items


def _with_item(node: Node, context: Context) -> list[Node]:
    """The grammar takes `a if b else c as d` for `a if b else (c as d)`, which can't be written."""
    value = holder = node.children[0]
    while holder.children and holder.children[-1].kind in _RIGHT_OPEN:
        holder = holder.children[-1]
    if holder.children and value.kind in _RIGHT_OPEN and holder.children[-1].kind == "as_pattern":
        target = holder.children.pop()
        holder.children.append(target.children[0])
        target.children[0] = value
        node.children[0] = target
    return [node]


def _annotation(node: Node, context: Context) -> list[Node]:
    """What stands for a type is written as what it is elsewhere: an expression. The word `type` is none."""
    if not node.children:
        return [node]
    if node.kind == "type":
        return [in_place_of(node, node.children[0])]
    node.kind = "subscript"
    node.children[1:] = node.children[1].children
    return [node]


def _union(node: Node, context: Context) -> list[Node]:
    """A chain of `|` in an annotation means the same however it is nested; what a call makes may think otherwise."""
    if node.children[1].kind != "|":
        return [node]
    near = context.ancestors[-_NEAR:]
    is_type = node.kind == "union_type" or any(above.kind == "type" for above in near)
    is_value = any(
        above.kind in ("call", "lambda") or (above.children and above.children[0].text == "Annotated") for above in near
    )
    if is_value or not is_type:
        return [node]
    node.kind = "union_type"
    return [flattened(node, "|")]


PYTHON = Adapter(
    "Python",
    "tree_sitter_python",
    comments=kinds("comment line_continuation"),
    pragma=re.compile(r"#!|#(?!.*coding[:=][ \t]*(?i:utf-?8)\b).*coding[:=]|# (cython|distutils):|#cython:"),
    comment_counts=_counts,
    names=kinds("identifier"),
    member_places=fields("attribute.attribute keyword_argument.name"),
    exact=re.compile(r"(?!)"),
    blank=re.compile(r"\s+|\\\r?\n"),
    spaced=kinds("string string_content format_specifier"),
    containers=kinds("class_definition decorated_definition"),
    imports=kinds("import_statement import_from_statement future_import_statement"),
    run_in_order=True,
    free=kinds("function_definition"),
    rewrites=(
        (MODERNIZED, linted),
        (RETURNED, returned_at_once({"function_definition"}, _DYNAMIC)),
        (MODERNIZED, modernized),
        (UNUSED, without_unused({"function_definition"}, _DYNAMIC, ("true", "false"))),
        (DECLARED, declared_late({"function_definition"}, _DYNAMIC)),
    ),
    informed=(
        (VERSIONS, without_old_versions),
        (ANNOTATIONS, without_annotations),
        (MODERNIZED, in_one_go(_DYNAMIC)),
        (INLINED, PLAIN_VALUES.put_in),
        (INLINED, inlined({"function_definition"}, _DYNAMIC, rebound)),
        (BRANCHED, BRANCHES.rewrite),
    ),
    last=((MODERNIZED, without_idle_globals),),
    whole=re.compile(rb""),
    counting=Counting(
        kinds(
            "call function_definition class_definition decorator keyword_argument for_statement"
            " while_statement try_statement except_clause finally_clause raise_statement"
            " assert_statement delete_statement break_statement yield await lambda"
            " unary_operator augmented_assignment for_in_clause if_clause"
            " slice match_statement case_clause nonlocal_statement"
        ),
        spelled=kinds("integer"),
        exchanged=(
            (kinds("if_statement elif_clause conditional_expression"), kinds("boolean_operator")),
            (kinds("for_statement"), kinds("for_in_clause")),
            (kinds("break_statement"), kinds("return_statement")),
            (kinds("assert_statement"), kinds("boolean_operator")),
            (kinds("lambda"), kinds("function_definition for_in_clause")),
        ),
        # An `if` of it may go, what stands after a way out, and what catches only to raise again.
        fails_beside=re.compile(
            rb"TYPE_CHECKING|version_info|range\(0,|\bexcept\b[^\n]*\s+raise[ \t\r]*(?:#|$)"
            rb"|^([ \t]+)(?:return|raise|break|continue)\b[^\n]*\n(?:[ \t]*\n)*\1[^\s#]",
            re.MULTILINE,
        ),
        called=frozenset({b"format", b"set", b"list", b"dict", b"str", b"repr", b"ascii"} | READ_OTHERWISE),
    ),
    finish=finishes(
        (note_owner, "attribute"),
        (unwrap, "parenthesized_expression"),
        (_number, "integer float"),
        (_string, "string"),
        (_concatenated, "concatenated_string"),
        (_tuple, "tuple expression_list tuple_pattern pattern_list"),
        (_interpolation, "interpolation"),
        (drop_second_comma, "subscript type_parameter"),
        (_with, "with_clause"),
        (_with_item, "with_item"),
        (_annotation, "type generic_type"),
        (_union, "union_type binary_operator"),
        (_bare_text, "expression_statement"),
        (_arguments, "argument_list"),
        (_body, "block module"),
        (_import, "import_statement import_from_statement future_import_statement"),
        (drop_last_comma, "parameters list list_pattern dictionary set"),
    ),
    bindings=Bindings(
        places=fields(
            "parameters lambda_parameters typed_parameter default_parameter.name"
            " typed_default_parameter.name assignment.left for_statement.left for_in_clause.left"
            " as_pattern_target function_definition.name class_definition.name"
        ),
        patterns=kinds("pattern_list tuple_pattern list_pattern list_splat_pattern dictionary_splat_pattern"),
        scopes=kinds(
            "module function_definition lambda list_comprehension set_comprehension"
            " dictionary_comprehension generator_expression"
        ),
        classes=kinds("class_definition"),
        outside=kinds("parameters lambda_parameters for_in_clause"),
        frozen=kinds("global_statement nonlocal_statement case_clause interpolation_named"),
        decorated=kinds("decorated_definition"),
        dynamic=_DYNAMIC,
        keyword_parameters=True,
        definitions_only=True,
    ),
)
