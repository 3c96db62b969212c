"""Annotations of Python that nothing reads at run time: with and without them a program does the same.

Many things read annotations: web frameworks those of endpoints and of what these depend on, command lines, containers,
serialisers. So they stay where a file speaks of any of these, on what has a decorator that may look at them, in class
bodies, and on parameters of what another file may hand to such a reader: a public function, a constructor.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterator

from intentls.core.syntax.languages.python_decorators import quiet
from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

REASON = "only annotations"

_READ = re.compile(
    r"__annotations__|get_type_hints|get_annotations|signature|getfullargspec|singledispatch|typer|fastapi|Depends"
    r"|pydantic|BaseModel|validate_call|strawberry|msgspec|beartype|typeguard|[Ii]nject|cattrs|ctypes|Annotated|hypothesis"
    r"|cyclopts|defopt|\b(fire|plac|clize|punq|svcs|lagom|dishka|numba|cython|mypyc|prefect|dagster|langchain|tool)\b"
)
_SILENT = quiet(r"pytest\.(fixture|mark).*")
_GIVEN_AWAY = frozenset({"__init__", "__call__", "__new__"})
_TYPING = frozenset({"typing", "typing_extensions", "collections.abc", "types"})
_PLAIN = frozenset(
    {
        *("identifier", "attribute", "subscript", "union_type", "binary_operator", "string", "content", "none"),
        *("ellipsis", "list", "tuple", ".", "[", "]", ",", "|", "...", "gap"),
    }
)
_DEFINITIONS = ("function_definition", "class_definition", "decorated_definition")
_WORD = re.compile(r"\w+")
_BUILTINS = frozenset(dir(builtins))


def without_annotations(root: Node) -> None:
    """Take away the annotations that nothing can read, and the imports that were there for them alone."""
    words = _words(root)
    is_read = _READ.search(spelling(root)) is not None
    for node, above in _definitions(root):
        if not is_read and _is_silent(above):
            if _is_hidden(node, above):
                _strip_parameters(node, words)
            _strip_result(node, words)
    for node, is_local in _assignments(root):
        if is_local and len(node.kids) == 5 and _is_plain(node.kids[2], words):
            del node.kids[1:3]
    _strip_imports(root)


def _definitions(root: Node) -> Iterator[tuple[Node, list[Node]]]:
    """Each function, and what it stands in, the nearest last."""
    stack: list[tuple[Node, list[Node]]] = [(root, [])]
    while stack:
        node, above = stack.pop()
        if node.kind == "function_definition":
            yield node, above
        inside = [*above, node] if node.kind in _DEFINITIONS else above
        stack.extend((kid, inside) for kid in node.kids if kid.kids)


def _is_silent(above: list[Node]) -> bool:
    if not above or above[-1].kind != "decorated_definition":
        return True
    return all(_SILENT.match(spelling(kid)) for kid in above[-1].kids if kid.kind == "decorator")


def _is_hidden(node: Node, above: list[Node]) -> bool:
    """Whether no other file hands the function, as it is, to something that reads it."""
    name = node.child("name")
    text = "" if name is None else name.text or ""
    holders = [each.kind for each in above if each.kind != "decorated_definition"]
    return bool(text not in _GIVEN_AWAY and (holders or text.startswith(("_", "test_"))))


def _strip_parameters(node: Node, words: frozenset[str]) -> None:
    for holder in (kid for kid in node.kids if kid.field == "parameters"):
        holder.kids = [_bare(each, words) for each in holder.kids]


def _bare(parameter: Node, words: frozenset[str]) -> Node:
    kind, kids = parameter.kind, parameter.kids
    if kind == "typed_parameter" and len(kids) == 3 and _is_plain(kids[2], words):
        return kids[0]
    if kind == "typed_default_parameter" and len(kids) == 5 and _is_plain(kids[2], words):
        parameter.kind = "default_parameter"
        del kids[1:3]
    return parameter


def _strip_result(node: Node, words: frozenset[str]) -> None:
    for at, kid in enumerate(node.kids):
        if kid.kind == "->" and _is_plain(node.kids[at + 1], words):
            del node.kids[at : at + 2]
            return


def _assignments(root: Node) -> Iterator[tuple[Node, bool]]:
    """Each assignment, and whether it stands in a function: what is annotated there is never even looked up."""
    stack = [(root, False)]
    while stack:
        node, is_local = stack.pop()
        if node.kind == "assignment" and len(node.kids) > 1 and node.kids[1].kind == ":":
            yield node, is_local and node.kids[0].kind == "identifier"
        inside = {"function_definition": True, "class_definition": False}.get(node.kind, is_local)
        stack.extend((kid, inside) for kid in node.kids if kid.kids)


def _is_plain(annotation: Node, words: frozenset[str]) -> bool:
    """Whether it only names types, all of which are there: another one could fail, or do something."""
    return all(
        node.kind in _PLAIN
        and node.text != "Literal"
        and (node.kind != "identifier" or node.field == "attribute" or node.text in words)
        for node in every_node(annotation)
    )


def _words(root: Node) -> frozenset[str]:
    """The names that mean something anywhere in the file: built in, declared, or in a part that was not walked."""
    found = set(_BUILTINS)
    for node in every_node(root):
        if node.text is None:
            continue
        if node.binds:
            found.add(node.text)
        elif node.kind in _DEFINITIONS:
            found.add(node.origin)
        elif node.kind.endswith("_statement"):
            found.update(_WORD.findall(node.text))
    return frozenset(found)


def _strip_imports(root: Node) -> None:
    used = _used(root)
    for node in inner_nodes(root):
        if node.kind == "if_statement" and _is_for_types(node):
            _drop(node.kids[-1], lambda kid: _is_idle(kid, used))
    for node in inner_nodes(root):
        _drop(node, lambda kid: kid.kind == "if_statement" and _is_for_types(kid) and not kid.kids[-1].kids)
    used = _used(root)
    for node in inner_nodes(root):
        _drop(node, lambda kid: _is_idle(kid, used) and kid.kids[0].text in _TYPING)


def _drop(node: Node, is_idle: Callable[[Node], bool]) -> None:
    node.kids = [kid for kid in node.kids if not is_idle(kid)]


def _is_for_types(node: Node) -> bool:
    """`if TYPE_CHECKING:` without another branch."""
    return (
        len(node.kids) == 4
        and spelling(node.kids[1]) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")
        and node.kids[3].text is None
    )


def _is_idle(node: Node, used: set[str]) -> bool:
    return node.kind == "import_item" and node.kids[-1].binds and node.kids[-1].text not in used


def _used(root: Node) -> set[str]:
    """The words that stand outside the imports."""
    found: set[str] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if node.kind != "import_item":
            found.update(_WORD.findall(node.text or ""))
            stack.extend(node.kids)
    return found
