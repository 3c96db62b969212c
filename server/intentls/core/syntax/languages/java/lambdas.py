"""Java's lambdas that only call something: `A::b` for `c -> A.b(c)`, `D::new` for `c -> new D(c)`, no needless braces.

    Runnable run = () -> { a(); };             list.forEach(b -> A.c(b));         Supplier<D> made = () -> new D();
    Runnable run = () -> a();                  list.forEach(A::c);                Supplier<D> made = D::new;

What a lambda is given to may be called in several ways, by what the lambda looks like. So it is one that is kept in a
variable or returned, or that is given to a method which takes but one kind of function: one of the library, or the
only one of its name and with so many parameters in a class of the repository.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.made_nodes import given_to, word_at
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_KEPT = frozenset({"return_statement", "variable_declarator", "assignment_expression"})
# They take one kind of function, however many there are of the name.
_TAKES_ONE = frozenset(
    {
        *("forEach", "forEachOrdered", "map", "filter", "flatMap", "peek", "anyMatch", "allMatch", "noneMatch"),
        *("mapToInt", "mapToLong", "mapToDouble", "mapToObj", "ifPresent", "orElseGet", "orElseThrow", "execute"),
        *("computeIfAbsent", "computeIfPresent", "removeIf", "replaceAll", "withInitial", "generate", "supplyAsync"),
        *("runAsync", "thenAccept", "thenRun", "thenApply", "invokeLater", "assertDoesNotThrow"),
        *("assertThrows", "assertThrowsExactly", "assertThatThrownBy", "assertThatCode", "isThrownBy"),
        *("assertAll", "thenAnswer", "doAnswer", "forEachRemaining", "thenCompose", "whenComplete", "exceptionally"),
        *("catchThrowable", "compute", "merge", "ifPresentOrElse", "scheduleAtFixedRate", "scheduleWithFixedDelay"),
    }
)
_CALLS = frozenset({"method_invocation", "object_creation_expression", "assignment_expression", "update_expression"})
_STATIC = re.compile(r"\bstatic\b")
_SIGNS = frozenset({"(", ")", ","})


def shorter_lambdas(root: Node) -> None:
    """A `Rewrite`: references to what a lambda only calls."""
    _shorten(root, None)


def shorter_where_taken_so(root: Node, facts: Surroundings) -> None:
    """As above, where the repository tells what a lambda is given to."""
    _shorten(root, facts)


def _shorten(root: Node, facts: Surroundings | None) -> None:
    lambdas = list(_lambdas(root)) if any(node.kind == "lambda_expression" for node in inner_nodes(root)) else []
    if not lambdas:
        return
    own = {_name(node) for node in every_node(root) if node.kind == "method_declaration"}
    bound = {leaf.text for node in inner_nodes(root) for leaf in node.children if leaf.binds}
    for node, above in lambdas:
        if _is_taken_so(above, own) or (facts is not None and _is_given_to_one(above, own, root, facts)):
            _without_braces(node)
            _as_reference(node, above, bound)


def _lambdas(root: Node) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    """Each lambda with what is around it; what is within comes first."""
    found: list[tuple[Node, tuple[Node, ...]]] = []
    stack: list[tuple[Node, tuple[Node, ...]]] = [(root, ())]
    while stack:
        node, above = stack.pop()
        if node.kind == "lambda_expression" and len(node.children) == 3:
            found.append((node, above))
        stack.extend((child, (*above, node)) for child in node.children)
    return reversed(found)


def _is_taken_so(above: tuple[Node, ...], own: set[str | None]) -> bool:
    """Whether nothing can take a lambda in another way for how it is written."""
    if above[-1].kind != "argument_list" or len(above) < 2:
        return above[-1].kind in _KEPT
    if above[-2].kind == "object_creation_expression":
        return spelling(above[-2].child("type") or above[-2]) == "Thread"
    name = above[-2].child("name")
    said = None if name is None or above[-2].kind != "method_invocation" else name.text
    return said in _TAKES_ONE and said not in own


def _is_given_to_one(above: tuple[Node, ...], own: set[str | None], root: Node, facts: Surroundings) -> bool:
    """Whether it is given to a static method of the repository that is the only one of its kind."""
    call = above[-2] if above[-1].kind == "argument_list" and len(above) > 1 else root
    name, owner = call.child("name"), call.child("object")
    if call.kind != "method_invocation" or name is None or name.text is None or name.text in own:
        return False
    imports = {item.children[-1].text: item for item in root.children if item.kind == "import_item"}
    item = imports.get(name.text if owner is None else owner.text)
    if owner is None:
        said = "" if item is None else (item.children[0].text or "").partition("static ")[2]
    elif item is None:
        said = owner.text or "" if owner.kind == "identifier" and (owner.text or "")[:1].isupper() else ""
    else:
        said = f"{(item.children[0].text or '').rpartition(' ')[2]}.{owner.text}"
    return bool(said) and facts.has_one_method(said.replace(".", "/"), name.text, len(given_to(call)))


def methods_of(root: Node, class_: str, name: str) -> list[int | None]:
    """How many parameters each method of this name in a class has; None for any number, or if it extends another."""
    found: list[int | None] = []
    for node in root.children:
        if node.kind == "class_declaration" and (node.child("name") or node).text == class_:
            body = node.child("body")
            found += [None] if node.child("superclass") is not None else []
            found += [_count(part) for part in (body or node).children if _is_called(part, name)]
    return found


def _is_called(node: Node, name: str) -> bool:
    return node.kind == "method_declaration" and (node.child("name") or node).text == name


def _count(method: Node) -> int | None:
    parameters = (method.child("parameters") or method).children
    is_variable = any(part.kind == "spread_parameter" for part in parameters)
    return None if is_variable else sum(part.kind == "formal_parameter" for part in parameters)


def _without_braces(node: Node) -> None:
    """`() -> a()` for `() -> { a(); }`."""
    body = node.children[2]
    only = body.children[1] if body.kind == "block" and len(body.children) == 3 else body
    if only.kind == "expression_statement" and len(only.children) == 1 and only.children[0].kind in _CALLS:
        only.children[0].field = "body"
        node.children[2] = only.children[0]


def _as_reference(node: Node, above: tuple[Node, ...], bound: set[str | None]) -> None:
    """`A::b` for `c -> A.b(c)`."""
    parameters, _, body = node.children
    names = [child.text for child in parameters.children or [parameters] if child.text not in _SIGNS]
    if (
        body.kind not in ("method_invocation", "object_creation_expression")
        or body.children[-1].kind != "argument_list"
    ):
        return
    if [value.text for value in given_to(body)] != names:
        return
    owner = _made(body) if body.kind == "object_creation_expression" else _called(body, above, bound)
    if owner is None:
        return
    name = body.child("name")
    last = word_at(body, "new") if name is None else Node("method_identifier", None, body.row, name.text, Role.MEMBER)
    node.kind, node.children = "method_reference", [owner, word_at(node, "::"), last]


def _made(body: Node) -> Node | None:
    """The class of which an object is made, whose type arguments are told by what the lambda is taken for."""
    kind = body.child("type")
    said = "" if kind is None else spelling(kind).removesuffix("<>")
    return _class(said, body) if said.isidentifier() else None


def _class(name: str, place: Node) -> Node:
    return Node("identifier", None, place.row, name, Role.MEMBER)


def _called(body: Node, above: tuple[Node, ...], bound: set[str | None]) -> Node | None:
    """The class, or the object, whose method is called: a class by its name, or the one around the lambda."""
    owner, name = body.child("object"), body.child("name")
    if name is None or body.child("type_arguments") is not None:
        return None
    if owner is not None:
        said = owner.text or ""
        is_class = owner.kind == "identifier" and said[:1].isupper() and said not in bound
        return _class(said, body) if is_class else word_at(body, "this") if owner.kind == "this" else None
    index = next((at for at in range(len(above) - 1, -1, -1) if above[at].kind.endswith("_body")), 0)
    around, holder = above[index], above[index - 1]
    found = [child for child in around.children if child.kind == "method_declaration" and _name(child) == name.text]
    kind = holder.child("name")
    if len(found) != 1 or kind is None or around.kind != "class_body":
        return None
    return _class(kind.text or "", body) if _is_static(found[0]) else word_at(body, "this")


def _name(method: Node) -> str | None:
    """How a method is called; one that did not change is a leaf."""
    name = method.child("name")
    return method.origin if name is None else name.text


def _is_static(method: Node) -> bool:
    if method.text is not None:
        return _STATIC.search(method.text.partition("(")[0]) is not None
    modifiers = [part for part in method.children if part.kind == "modifiers"]
    return any(leaf.text == "static" for part in modifiers for leaf in part.children)
