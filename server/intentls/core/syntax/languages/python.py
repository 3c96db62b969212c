"""Python: what black, ruff format and isort change, and what is behaviour although it looks like prose."""

from __future__ import annotations

import inspect
import re
from functools import lru_cache

from intentls.core.syntax.languages.adapter import (
    Adapter,
    Bindings,
    Context,
    drop_last_comma,
    leaf_like,
    note_owner,
    unwrap,
    unwrapped,
    without_last_comma,
)
from intentls.core.syntax.languages.python_annotations import REASON as ANNOTATIONS
from intentls.core.syntax.languages.python_annotations import without_annotations
from intentls.core.syntax.languages.python_decorators import quiet
from intentls.core.syntax.languages.python_types import annotation, union, with_item
from intentls.core.syntax.languages.return_inlining import REASON as RETURNED
from intentls.core.syntax.languages.return_inlining import returned_at_once
from intentls.core.syntax.tree import Node, Role, spelling

_ESCAPED = re.compile(r"\\((x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})|.)", re.DOTALL)
_OCTAL_END = re.compile(r"\\[0-7]{1,2}\Z")
# Where docstrings become help texts, schemas or grammars; in such a file each of them counts.
_DOCS_READ = re.compile(
    r"__doc__|getdoc|docopt|\bfire\b|\bply\b|tornado|BaseModel|\bSchema\b|Tool\b|Command\b|View(Set)?\b"
)
_DYNAMIC = frozenset({"eval", "exec", "locals", "vars", "globals", "dir", "__getattr__", "__all__", "_getframe"})
_SILENT = quiet(
    r"(typing\.)?overload", r"(functools\.)?wraps.*", r"(dataclasses\.)?dataclass.*", r"(pytest\.)?fixture.*"
)


def _interpolation(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    if any(kid.kind == "=" for kid in node.kids):  # f"{name=}" prints the name
        node.kind = "interpolation_named"
    return [node]


def _number(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    text = (node.text or "").lower()
    if node.kind == "integer":
        return [leaf_like(node, node.kind, text)]
    return [leaf_like(node, node.kind, f"{float(text.rstrip('jl'))!r}{'j' if text[-1] == 'j' else ''}")]


def _unescape(content: str) -> str:
    return _ESCAPED.sub(_escape, content)


def _escape(found: re.Match[str]) -> str:
    if found[1] in ("'", '"'):
        return found[1]
    return found[0][:2] + found[0][2:].lower() if found[2] else found[0]


def _string(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    opening, ending = node.kids[0].text or "", node.kids[-1].text or ""
    prefix = opening.rstrip("'\"").lower()
    made = Node("bytes" if "b" in prefix else "template" if "t" in prefix else "string", node.field, node.row)
    # The grammar takes all of r"\"" for its end.
    inside = ending[: len(ending) - (len(opening) - len(prefix))]
    kids = [*node.kids[1:-1], *([leaf_like(node, "string_content", inside)] if inside else [])]
    for kid in kids:
        if kid.kind != "string_content":
            made.kids.append(kid)
            continue
        content = spelling(kid).replace("\r\n", "\n")
        if "f" in prefix or "t" in prefix:
            content = content.replace("{{", "{").replace("}}", "}")
        content = content.replace("\\", "\\\\") if "r" in prefix else _unescape(content)
        made.kids.append(leaf_like(kid, "content", content))
    return [made]


def _concatenated(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    kinds = {kid.kind for kid in node.kids}
    if len(kinds) != 1:
        return [node]
    made = Node(kinds.pop(), node.field, node.row)
    for part in (part for kid in node.kids for part in kid.kids):
        last = made.kids[-1] if made.kids else None
        joins = last is not None and last.kind == part.kind == "content"
        if last is None or not joins or _OCTAL_END.search(last.text or ""):
            made.kids.append(part)
        else:
            last.text = f"{last.text}{part.text}"
    return [made]


def _tuple(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    made = Node("patterns" if "pattern" in node.kind else "tuple", node.field, node.row, binds=node.binds)
    made.kids = unwrapped(node)
    if node.kind == "tuple_pattern" and len(made.kids) == 1:
        made.kids[0].field = node.field
        return made.kids
    if len(made.kids) > 2 and made.kids[-1].kind == ",":
        made.kids.pop()
    return [made]


def _subscript(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    if sum(kid.kind == "," for kid in node.kids) > 1:  # x[a,] asks with a tuple, x[a] does not
        without_last_comma(node)
    return [node]


def _with(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    without_last_comma(node)
    node.kids = unwrapped(node)
    return [node]


def _arguments(node: Node, around: Context) -> list[Node]:
    without_last_comma(node)
    return [] if around.parent == "class_definition" and len(node.kids) == 2 else [node]


def _bare_text(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    """A text that is a statement is indented like a docstring, which some take it for."""
    only = node.kids[0]
    if len(node.kids) == 1 and only.kind == "string" and len(only.kids) == 1 and only.kids[0].kind == "content":
        only.kids[0].text = _cleaned(only.kids[0].text or "")
    return [node]


def _cleaned(text: str) -> str:
    return "\n".join(line.rstrip() for line in inspect.cleandoc(text).split("\n")).strip()


def _body(node: Node, around: Context) -> list[Node]:
    node.kids = [kid for kid in node.kids if kid.kind not in ("pass_statement", ";")]
    first = next((kid for kid in node.kids if kid.kind != "comment"), None)
    if first is None or not _is_docstring(node, first, around):
        return [node]
    text = _cleaned(spelling(first))
    kept = text if _is_read(around) else _examples(text)
    where = node.kids.index(first)
    node.kids[where : where + 1] = [leaf_like(first, "docstring", kept)] if kept else []
    return [node]


def _is_docstring(body: Node, first: Node, around: Context) -> bool:
    if body.kind == "block" and around.parent not in ("function_definition", "class_definition"):
        return False
    if first.kind != "expression_statement" or len(first.kids) != 1 or first.kids[0].kind != "string":
        return False
    return all(kid.kind == "content" for kid in first.kids[0].kids)


def _is_read(around: Context) -> bool:
    """Whether something in the file may use the docstring."""
    if _reads_docs(around.source):
        return True
    if len(around.ancestors) < 3:
        return False
    name = around.ancestors[-1].child("name")
    if name is not None and (name.text or "").startswith(("p_", "t_")):
        return True
    decorators = (kid for kid in around.ancestors[-2].kids if kid.kind == "decorator")
    return any(not _SILENT.match(spelling(decorator)) for decorator in decorators)


@lru_cache(maxsize=2)  # it is asked of each docstring of a file
def _reads_docs(source: str) -> bool:
    return _DOCS_READ.search(source) is not None


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


def _import(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    found = node.child("module_name")
    future = "__future__" if node.kind == "future_import_statement" else ""
    module = spelling(found) if found is not None else future
    made = []
    for kid in node.kids:
        if kid.field != "name" and kid.kind != "wildcard_import":
            continue
        target, alias = (kid.child("name") or kid), kid.child("alias")
        name = spelling(target)
        item = Node("import_item", None, node.row)
        item.kids = [Node("module", None, node.row, module or name)]
        if module:
            item.kids.append(Node("imported", None, node.row, name, Role.IMPORTED, origin=module))
        if kid.kind != "wildcard_import":
            binder = name.partition(".")[0] if alias is None else spelling(alias)
            item.kids.append(
                Node("identifier", "alias", node.row, binder, Role.NAME, binds=True, origin=module or name)
            )
        made.append(item)
    return made


PYTHON = Adapter(
    "Python",
    "tree_sitter_python",
    comments=frozenset({"comment", "line_continuation"}),
    pragma=re.compile(r"#!|#.*coding[:=]|# (cython|distutils):|#cython:"),
    comments_count=re.compile(r"^# /// \w+$", re.MULTILINE),
    names=frozenset({"identifier"}),
    member_places=frozenset({("attribute", "attribute"), ("keyword_argument", "name")}),
    exact=re.compile(r"(?!)"),
    blank=re.compile(r"\s+|\\\r?\n"),
    spaced=frozenset({"string", "string_content", "format_specifier"}),
    containers=frozenset({"class_definition", "decorated_definition"}),
    imports=frozenset({"import_statement", "import_from_statement", "future_import_statement"}),
    run_in_order=True,
    free=frozenset({"function_definition"}),
    rewrites=(
        (RETURNED, returned_at_once({"function_definition"}, _DYNAMIC)),
        (ANNOTATIONS, without_annotations),
    ),
    finish={
        "attribute": note_owner,
        "parenthesized_expression": unwrap,
        "integer": _number,
        "float": _number,
        "string": _string,
        "concatenated_string": _concatenated,
        "tuple": _tuple,
        "expression_list": _tuple,
        "tuple_pattern": _tuple,
        "pattern_list": _tuple,
        "interpolation": _interpolation,
        "subscript": _subscript,
        "type_parameter": _subscript,
        "with_clause": _with,
        "with_item": with_item,
        "type": annotation,
        "generic_type": annotation,
        "union_type": union,
        "binary_operator": union,
        "expression_statement": _bare_text,
        "argument_list": _arguments,
        "block": _body,
        "module": _body,
        "import_statement": _import,
        "import_from_statement": _import,
        "future_import_statement": _import,
        **dict.fromkeys(("parameters", "list", "list_pattern", "dictionary", "set"), drop_last_comma),
    },
    bindings=Bindings(
        places=frozenset(
            {
                *(("parameters", None), ("lambda_parameters", None), ("typed_parameter", None)),
                *(("default_parameter", "name"), ("typed_default_parameter", "name")),
                *(("assignment", "left"), ("for_statement", "left"), ("for_in_clause", "left")),
                ("as_pattern_target", None),
                *(("function_definition", "name"), ("class_definition", "name")),
            }
        ),
        patterns=frozenset(
            {"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "dictionary_splat_pattern"}
        ),
        scopes=frozenset(
            {
                *("module", "function_definition", "lambda", "list_comprehension", "set_comprehension"),
                *("dictionary_comprehension", "generator_expression"),
            }
        ),
        classes=frozenset({"class_definition"}),
        outside=frozenset({"parameters", "lambda_parameters", "for_in_clause"}),
        frozen=frozenset({"global_statement", "nonlocal_statement", "case_clause", "interpolation_named"}),
        decorated=frozenset({"decorated_definition"}),
        dynamic=_DYNAMIC,
        keyword_parameters=True,
        definitions_only=True,
    ),
)
