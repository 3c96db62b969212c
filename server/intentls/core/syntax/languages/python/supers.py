"""Calls of `super` in methods: `super(A, self)` in a method of the class `A` is `super()`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from intentls.core.syntax.languages.python.annotations import quiet
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

# Decorators that leave a function what it is: others may make a new one, without the class that it stands in.
_SILENT = quiet(r"(pytest\.)?(fixture|mark).*", r"(functools\.)?wraps.*", r"(typing\.)?overload")


def shorten_super(root: Node) -> None:
    """Write the calls of `super` without arguments, where the class has its name for good."""
    times = Counter(node.text for node in every_node(root) if node.binds and node.role is Role.NAME)
    for class_node, parent in _classes(root):
        name, body = class_node.child("name"), class_node.child("body")
        if name is None or body is None or times[name.text] != 1 or parent.kind == "decorated_definition":
            continue
        for method in body.children:
            receiver = _receiver(_plain(method))
            for node in _outside_of_functions(_plain(method)) if receiver is not None else ():
                called = node.children[0] if node.kind == "call" else None
                if called is not None and called.text == "super" and spelling(node) == f"super({name.text},{receiver})":
                    del node.children[1].children[1:-1]


def _classes(root: Node) -> Iterator[tuple[Node, Node]]:
    """Each class that does not stand in another one, whose name would not be seen from its methods; and its parent."""
    inner = {id(node.child("body")) for node in inner_nodes(root) if node.kind == "class_definition"}
    for node in inner_nodes(root):
        if id(node) not in inner:
            yield from ((child, node) for child in node.children if child.kind == "class_definition")


def _plain(method: Node) -> Node:
    """A method without the decorators that leave it what it is."""
    if method.kind != "decorated_definition" or not method.children:
        return method
    decorators = [spelling(child) for child in method.children if child.kind == "decorator"]
    return method.children[-1] if all(_SILENT.match(decorator) for decorator in decorators) else method


def _receiver(method: Node) -> str | None:
    """What a method calls its object; None if it is no plain method."""
    parameters = method.child("parameters") if method.kind == "function_definition" else None
    if parameters is None or len(parameters.children) < 3 or parameters.children[1].role is not Role.NAME:
        return None
    name = parameters.children[1].text
    is_given = sum(node.binds and node.text == name for node in every_node(method)) > 1
    return None if is_given else name


def _outside_of_functions(method: Node) -> Iterator[Node]:
    """The nodes of a function but for those of functions, classes and comprehensions in it."""
    stack = list(method.children)
    while stack:
        node = stack.pop()
        yield node
        if not node.kind.endswith(("definition", "comprehension", "generator_expression", "lambda")):
            stack.extend(node.children)
