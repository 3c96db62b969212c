"""Functions of Java: a lambda, and an object of one method that does what a lambda does."""

from __future__ import annotations

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.tree import Node, every_node, spelling


def without_block(node: Node) -> None:
    """`a -> b` for `a -> { return b; }`."""
    body = node.child("body")
    if body is not None and body.kind == "block" and len(body.children) == 3:
        statement = body.children[1]
        if statement.kind == "return_statement" and len(statement.children) == 2:
            node.children[-1] = in_place_of(body, statement.children[1])


# Interfaces of one method that are called and nothing else, and what else an object of one can be asked.
_FUNCTIONAL = frozenset(
    {
        *("Runnable", "Callable", "Comparator", "Supplier", "Consumer", "BiConsumer", "Function", "BiFunction"),
        *(
            "Predicate",
            "BiPredicate",
            "UnaryOperator",
            "BinaryOperator",
            "IntFunction",
            "IntPredicate",
            "ToIntFunction",
        ),
        *("ActionListener", "FileFilter", "FilenameFilter", "PrivilegedAction", "PrivilegedExceptionAction"),
        *("ThreadFactory", "UncaughtExceptionHandler", "InvocationHandler"),
    }
)
_ASKED = frozenset(
    {
        *("equals", "hashCode", "toString", "getClass", "notify", "notifyAll", "wait", "clone", "finalize", "andThen"),
        *(
            "compose",
            "negate",
            "and",
            "or",
            "not",
            "test",
            "apply",
            "accept",
            "get",
            "run",
            "call",
            "compare",
            "reversed",
        ),
        *(
            "isEqual",
            "identity",
            "naturalOrder",
            "reverseOrder",
            "nullsFirst",
            "nullsLast",
            "comparing",
            "minBy",
            "maxBy",
        ),
        *("actionPerformed", "newThread", "uncaughtException", "invoke", "invokeDefault"),
    }
)


def in_arrow_form(node: Node) -> None:
    """`a -> f(a)` for `new Consumer<A>() { public void accept(A a) { f(a); } }`, if it does not ask for its object."""
    method = _only_method(node)
    if method is None or any(map(_is_asking, every_node(method))):
        return
    body, given, result = method.child("body"), method.child("parameters"), method.child("type")
    names = [] if given is None else [part.child("name") for part in given.children[1:-1] if part.kind != ","]
    if body is None or given is None or result is None or any(name is None for name in names):
        return
    parameters = given
    if names:
        parameters = Node("inferred_parameters", "parameters", node.row, binds=True)
        signs = [Node(sign, None, node.row, sign) for sign in "()"]
        inner = [part for name in names if name is not None for part in (Node(",", None, node.row, ","), name)][1:]
        parameters.children = [signs[0], *inner, signs[1]]
    if len(names) == 1 and names[0] is not None:
        parameters = in_place_of(given, names[0])
    only = body.children[1] if len(body.children) == 3 else body
    if result.kind == "void_type" and only.kind == "expression_statement":
        body = in_place_of(body, only.children[0])
    node.kind = "lambda_expression"
    node.children = [parameters, Node("->", None, node.row, "->"), body]
    without_block(node)


def _only_method(node: Node) -> Node | None:
    """The method of an anonymous class that has nothing else, and is of an interface that a function stands for."""
    if [child.field for child in node.children[1:3]] != ["type", "arguments"] or len(node.children) != 4:
        return None
    name, body = spelling(node.children[1]).partition("<")[0], node.children[3]
    if name not in _FUNCTIONAL or body.kind != "class_body" or len(body.children) != 3:
        return None
    method = body.children[1]
    words = next((spelling(child) for child in method.children if child.kind == "modifiers"), "")
    return method if method.kind == "method_declaration" and words in ("public", "@Overridepublic") else None


def _is_asking(node: Node) -> bool:
    """Whether it may be about the object that an anonymous class is, or a function is not."""
    if node.kind in ("this", "super", "type_parameters"):
        return True
    name = node.children[0] if node.kind == "method_invocation" else None
    return name is not None and name.field == "name" and name.text in _ASKED
