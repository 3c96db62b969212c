"""Annotations of Python that nothing reads at run time: with and without them a program does the same.

Many things read annotations: web frameworks those of endpoints and of what these depend on, command lines, containers,
serialisers. So they stay where a file speaks of any of these, on what has a decorator that may look at them, in class
bodies, and on parameters of what another file may hand to such a reader: a public function, a constructor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.python.annotation_readers import reads_annotations
from intentls.core.syntax.languages.python.type_names import TypeNames, drop_names_of_types, is_for_types, type_names
from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

REASON = "only annotations"

# Decorators that read neither the docstring nor the annotations of what they decorate
_QUIET = (
    r"property|staticmethod|classmethod|(abc\.)?abstractmethod|(typing\.)?(override|final)|\w+\.(setter|getter|deleter)"
    r"|(functools\.)?(cached_property|cache|lru_cache.*)|kept( for good)?|(contextlib\.)?(async)?contextmanager"
)


def quiet(*more: str) -> re.Pattern[str]:
    """Matches the decorators that read neither docstrings nor annotations: `_QUIET`, and `more` (expressions)."""
    return re.compile(rf"@({'|'.join((_QUIET, *more))})\Z", re.DOTALL)


_SILENT = quiet(r"pytest\.(fixture|mark).*", r"(typing\.)?overload")
_QUIET_BASE = re.compile(r"object|\w*(Exception|Error)|(\w+\.)?\w*TestCase")
_GIVEN_AWAY = frozenset({"__init__", "__call__", "__new__"})
_TYPING = frozenset({"typing", "typing_extensions", "collections.abc", "types"})
_DEFINITIONS = ("function_definition", "class_definition", "decorated_definition")
_WORD = re.compile(r"\w+")


def without_annotations(root: Node, facts: Surroundings) -> None:
    """Take away the annotations that nothing can read, and the imports that were there for them alone."""
    names = type_names(root, facts.ignores_annotations)
    is_read = reads_annotations(root)
    for node, above in _definitions(root):
        if not is_read and _is_silent(above):
            if _has_annotations(node) and (_is_hidden(node, above) or facts.ignores_annotations()):
                _strip_parameters(node, names)
            _strip_result(node, names)
    for parent, node, owner in _assignments(root):
        if not names.is_plain(node.children[2], node):
            continue
        is_local = owner is not None and owner.kind == "function_definition" and node.children[0].kind != "subscript"
        is_private = owner is None and (node.children[0].text or "").startswith("_")
        is_shown = is_read or node.children[0].kind != "identifier" or not (is_private or _is_plain_owner(owner, facts))
        if not is_local and is_shown:
            continue
        if len(node.children) == 5:
            del node.children[1:3]
        elif not is_local or _is_given(node.children[0], owner):
            parent.children = []
    for node in inner_nodes(root):
        _drop(node, lambda child: child.kind == "expression_statement" and child.text is None and not child.children)
    drop_names_of_types(root, facts)
    _strip_imports(root)


def without_annotations_of(function: Node, root: Node, facts: Surroundings) -> None:
    """Take away those of a function that nothing but direct calls reaches: no one can read them."""
    if any(child.kind == "->" for child in function.children) or _has_annotations(function):
        names = type_names(root, facts.ignores_annotations)
        _strip_parameters(function, names)
        _strip_result(function, names)


def defer_alike(old: Node, new: Node, facts: Surroundings) -> None:
    """Take `from __future__ import annotations` away where one version has it, and no annotation is left in that one.

    Where both have it, it stays in both: of what did not change neither shows its annotations.
    """
    deferring = [root for root in (old, new) if any(map(_is_deferring, root.children))]
    if len(deferring) == 1 and facts.ignores_annotations():
        (root,) = deferring
        if not (has_annotations(root) or _makes_code(root)):
            _drop(root, _is_deferring)


def _makes_code(root: Node) -> bool:
    """Whether a file may make code of texts, which is read as the file itself is."""
    return any(node.text in ("exec", "eval", "compile") for node in every_node(root))


def has_annotations(root: Node) -> bool:
    """Whether a tree shows one; what did not change shows none."""
    return any(
        node.kind in ("typed_parameter", "typed_default_parameter", "->")
        or (node.kind == "assignment" and len(node.children) > 1 and node.children[1].kind == ":")
        for node in every_node(root)
    )


def _is_deferring(child: Node) -> bool:
    """Whether it is `from __future__ import annotations`."""
    parts = [part.text for part in child.children] if child.kind == "import_item" else []
    return parts[:2] == ["__future__", "annotations"]


def _is_given(name: Node, function: Node | None) -> bool:
    """Whether a function makes a name its own by more than saying its type."""
    stack = [] if function is None else list(function.children)
    while stack:
        node = stack.pop()
        if node.binds and node.text == name.text and node is not name:
            return True
        if not node.kind.endswith(("_definition", "_comprehension", "generator_expression", "lambda")):
            stack.extend(node.children)
    return False


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


def _strip_parameters(node: Node, names: TypeNames) -> None:
    for holder in (child for child in node.children if child.field == "parameters"):
        holder.children = [_bare(parameter, node, names) for parameter in holder.children]


def _bare(parameter: Node, function: Node, names: TypeNames) -> Node:
    kind, children = parameter.kind, parameter.children
    if kind == "typed_parameter" and len(children) == 3 and names.is_plain(children[2], function):
        return children[0]
    if kind == "typed_default_parameter" and len(children) == 5 and names.is_plain(children[2], function):
        parameter.kind = "default_parameter"
        del children[1:3]
    return parameter


def _strip_result(node: Node, names: TypeNames) -> None:
    for index, child in enumerate(node.children):
        if child.kind == "->" and names.is_plain(node.children[index + 1], node):
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


def _strip_imports(root: Node) -> None:
    guarded = [node for node in inner_nodes(root) if is_for_types(node)]
    if guarded:
        used = _used(root)
        for node in guarded:
            _drop(node.children[-1], lambda child: _is_idle(child, used))
        for node in inner_nodes(root):
            _drop(node, lambda child: is_for_types(child) and not child.children[-1].children)
    holders = [node for node in inner_nodes(root) if any(map(_is_of_types, node.children))]
    if holders:
        used = _used(root)
        for node in holders:
            _drop(node, lambda child: _is_of_types(child) and _is_idle(child, used))


def _is_of_types(node: Node) -> bool:
    """Whether it is an import from a module that has types alone."""
    return node.kind == "import_item" and node.children[0].text in _TYPING


def _drop(node: Node, is_idle: Callable[[Node], bool]) -> None:
    node.children = [child for child in node.children if not is_idle(child)]


def _is_idle(node: Node, used: set[str]) -> bool:
    return node.kind == "import_item" and node.children[-1].binds and node.children[-1].text not in used


def _used(root: Node) -> set[str]:
    """The words that stand outside the imports."""
    texts: list[str] = []
    stack = [root]
    while stack:
        node = stack.pop()
        if node.kind != "import_item":
            texts.append(node.text or "")
            stack.extend(node.children)
    return set(_WORD.findall("\n".join(texts)))
