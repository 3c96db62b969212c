"""Annotations of Python that nothing reads at run time: with and without them a program does the same.

Many things read annotations: web frameworks those of endpoints and of what these depend on, command lines, containers,
serialisers. So they stay where a file speaks of any of these, on what has a decorator that may look at them, in class
bodies, and on parameters of what another file may hand to such a reader: a public function, a constructor.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterator

from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

REASON = "only annotations"

# Decorators that read neither the docstring nor the annotations of what they decorate
_QUIET = (
    r"property|staticmethod|classmethod|(abc\.)?abstractmethod|(typing\.)?(override|final)|\w+\.(setter|getter|deleter)"
    r"|(functools\.)?(cached_property|cache|lru_cache.*)|(contextlib\.)?(async)?contextmanager"
)


def quiet(*more: str) -> re.Pattern[str]:
    """Matches the decorators that read neither docstrings nor annotations: `_QUIET`, and `more` (expressions)."""
    return re.compile(rf"@({'|'.join((_QUIET, *more))})\Z", re.DOTALL)


_READ = re.compile(
    r"__annotations__|get_type_hints|get_annotations|signature|getfullargspec|singledispatch|typer|fastapi|Depends"
    r"|pydantic|BaseModel|validate_call|strawberry|msgspec|beartype|typeguard|[Ii]nject|cattrs|ctypes|Annotated|hypothesis"
    r"|cyclopts|defopt|\b(fire|plac|clize|punq|svcs|lagom|dishka|numba|cython|mypyc|prefect|dagster|langchain|tool)\b"
)
_SILENT = quiet(r"pytest\.(fixture|mark).*")
_QUIET_BASE = re.compile(r"object|\w*(Exception|Error)|(\w+\.)?\w*TestCase")
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


def without_annotations(root: Node, facts: Surroundings) -> None:
    """Take away the annotations that nothing can read, and the imports that were there for them alone."""
    words = _words(root)
    is_read = _READ.search(spelling(root)) is not None
    for node, above in _definitions(root):
        if not is_read and _is_silent(above):
            if _has_annotations(node) and (_is_hidden(node, above) or facts.ignores_annotations()):
                _strip_parameters(node, words)
            _strip_result(node, words)
    for parent, node, owner in _assignments(root):
        if not _is_plain(node.children[2], words):
            continue
        is_local = owner is not None and owner.kind == "function_definition" and node.children[0].kind != "subscript"
        is_private = owner is None and (node.children[0].text or "").startswith("_")
        is_shown = is_read or node.children[0].kind != "identifier" or not (is_private or _is_plain_owner(owner, facts))
        if not is_local and is_shown:
            continue
        if len(node.children) == 5:
            del node.children[1:3]
        elif not is_local:
            parent.children = []
    for node in inner_nodes(root):
        _drop(node, lambda child: child.kind == "expression_statement" and child.text is None and not child.children)
    _strip_imports(root)


def _is_plain_owner(owner: Node | None, facts: Surroundings) -> bool:
    """Whether nothing reads the annotations of a file or a class: no base could, and nothing in the repository does."""
    if owner is None:
        return facts.ignores_annotations()
    bases = owner.child("superclasses")
    names = [] if bases is None else [spelling(child) for child in bases.children if child.kind not in ("(", ")", ",")]
    return (
        owner.kind == "class_definition"
        and facts.ignores_annotations()
        and all(_QUIET_BASE.fullmatch(name) or facts.is_plain_class(name) for name in names)
    )


def _definitions(root: Node) -> Iterator[tuple[Node, list[Node]]]:
    """Each function, and what it stands in, the nearest last."""
    stack: list[tuple[Node, list[Node]]] = [(root, [])]
    while stack:
        node, above = stack.pop()
        if node.kind == "function_definition":
            yield node, above
        inside = [*above, node] if node.kind in _DEFINITIONS else above
        stack.extend((child, inside) for child in node.children if child.children)


def _is_silent(above: list[Node]) -> bool:
    if not above or above[-1].kind != "decorated_definition":
        return True
    return all(_SILENT.match(spelling(child)) for child in above[-1].children if child.kind == "decorator")


def _is_hidden(node: Node, above: list[Node]) -> bool:
    """Whether no other file hands the function, as it is, to something that reads it."""
    name = node.child("name")
    text = "" if name is None else name.text or ""
    holders = [holder.kind for holder in above if holder.kind != "decorated_definition"]
    return bool(text not in _GIVEN_AWAY and (holders or text.startswith(("_", "test_"))))


def _has_annotations(node: Node) -> bool:
    parameters = node.child("parameters")
    return parameters is not None and any(child.kind.startswith("typed") for child in parameters.children)


def _strip_parameters(node: Node, words: frozenset[str]) -> None:
    for holder in (child for child in node.children if child.field == "parameters"):
        holder.children = [_bare(parameter, words) for parameter in holder.children]


def _bare(parameter: Node, words: frozenset[str]) -> Node:
    kind, children = parameter.kind, parameter.children
    if kind == "typed_parameter" and len(children) == 3 and _is_plain(children[2], words):
        return children[0]
    if kind == "typed_default_parameter" and len(children) == 5 and _is_plain(children[2], words):
        parameter.kind = "default_parameter"
        del children[1:3]
    return parameter


def _strip_result(node: Node, words: frozenset[str]) -> None:
    for index, child in enumerate(node.children):
        if child.kind == "->" and _is_plain(node.children[index + 1], words):
            del node.children[index : index + 2]
            return


def _assignments(root: Node) -> Iterator[tuple[Node, Node, Node | None]]:
    """Each annotated assignment: its statement, itself, and the function or class that it stands in."""
    stack: list[tuple[Node, Node, Node | None]] = [(root, root, None)]
    while stack:
        parent, node, owner = stack.pop()
        if node.kind == "assignment" and len(node.children) > 1 and node.children[1].kind == ":":
            yield parent, node, owner
        inside = node if node.kind in ("function_definition", "class_definition", "decorated_definition") else owner
        if node.kind == "class_definition" and parent.kind == "decorated_definition":
            inside = parent
        stack.extend((node, child, inside) for child in node.children if child.children)


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
    words = set(_BUILTINS)
    for node in every_node(root):
        if node.text is None:
            continue
        if node.binds:
            words.add(node.text)
        elif node.kind in _DEFINITIONS:
            words.add(node.origin)
        elif node.kind.endswith("_statement"):
            words.update(_WORD.findall(node.text))
    return frozenset(words)


def _strip_imports(root: Node) -> None:
    used = _used(root)
    for node in inner_nodes(root):
        if node.kind == "if_statement" and _is_for_types(node):
            _drop(node.children[-1], lambda child: _is_idle(child, used))
    for node in inner_nodes(root):
        _drop(
            node,
            lambda child: child.kind == "if_statement" and _is_for_types(child) and not child.children[-1].children,
        )
    used = _used(root)
    for node in inner_nodes(root):
        _drop(node, lambda child: _is_idle(child, used) and child.children[0].text in _TYPING)


def _drop(node: Node, is_idle: Callable[[Node], bool]) -> None:
    node.children = [child for child in node.children if not is_idle(child)]


def _is_for_types(node: Node) -> bool:
    """`if TYPE_CHECKING:` without another branch."""
    return (
        len(node.children) == 4
        and spelling(node.children[1]) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")
        and node.children[3].text is None
    )


def _is_idle(node: Node, used: set[str]) -> bool:
    return node.kind == "import_item" and node.children[-1].binds and node.children[-1].text not in used


def _used(root: Node) -> set[str]:
    """The words that stand outside the imports."""
    words: set[str] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if node.kind != "import_item":
            words.update(_WORD.findall(node.text or ""))
            stack.extend(node.children)
    return words
