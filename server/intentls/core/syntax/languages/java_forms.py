"""Java that is written in another way and does the same: one form for each of these."""

from __future__ import annotations

from collections import Counter

from intentls.core.syntax.languages.branches import Branches, denied
from intentls.core.syntax.languages.go_forms import affirmed
from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

_METHODS = frozenset({"method_declaration", "constructor_declaration", "lambda_expression"})
_FINAL = frozenset({"formal_parameter", "catch_formal_parameter", "enhanced_for_statement", "spread_parameter"})
# What stands in an interface is all of these.
_IN_INTERFACES = {
    "method_declaration": frozenset({"public", "abstract"}),
    "constant_declaration": frozenset({"public", "static", "final"}),
}
# A class of one of these kinds is static within another one.
_STATIC = frozenset({"enum_declaration", "interface_declaration", "record_declaration"})
# Values of which a compiler makes no constant.
_COMPUTED = frozenset({"method_invocation", "object_creation_expression", "array_creation_expression"})


def modernized(root: Node) -> None:
    """A `Rewrite`: `final` of parameters, words that say what is so anyway, `<>`, a local that is only returned."""
    for node in inner_nodes(root):
        if node.kind in _FINAL or (node.kind == "local_variable_declaration" and not _may_be_constant(node)):
            _drop_words(node, frozenset({"final"}))
        elif node.kind in ("interface_body", "class_body"):
            for child in node.children:
                words = _IN_INTERFACES.get(child.kind) if node.kind == "interface_body" else None
                _drop_words(child, words or frozenset({"static"} if child.kind in _STATIC else ()))
        if node.kind in ("local_variable_declaration", "field_declaration"):
            _infer_type(node)
    for method in inner_nodes(root):
        if method.kind == "method_declaration":
            _return_at_once(method)


def _may_be_constant(declaration: Node) -> bool:
    values = (child.child("value") for child in declaration.children if child.kind == "variable_declarator")
    return any(value is not None and value.kind not in _COMPUTED for value in values)


def _drop_words(node: Node, words: frozenset[str]) -> None:
    modifiers = next((child for child in node.children if child.kind == "modifiers"), None)
    if modifiers is not None and modifiers.children:
        modifiers.children = [child for child in modifiers.children if child.text not in words]
        if not modifiers.children:
            node.children = [child for child in node.children if child is not modifiers]


def _infer_type(declaration: Node) -> None:
    """`List<A> a = new ArrayList<>()` for `new ArrayList<A>()`, which asks for what is declared anyway."""
    declared = _arguments(declaration.child("type"))
    for declarator in (child for child in declaration.children if child.kind == "variable_declarator"):
        value = declarator.child("value")
        if value is None or value.kind != "object_creation_expression" or len(value.children) != 3:
            continue
        given = _arguments(value.children[1])
        if given is not None and declared is not None and spelling(given) == spelling(declared):
            given.children = [given.children[0], given.children[-1]]


def _arguments(written: Node | None) -> Node | None:
    """The types in the angle brackets."""
    is_generic = written is not None and written.kind == "generic_type"
    return written.children[-1] if written is not None and is_generic else None


def _return_at_once(method: Node) -> None:
    """`return a;` for `T b = a; return b;` in a method that returns a `T`, if nothing else in it is called `b`."""
    result, body = method.child("type"), method.child("body")
    words = Counter(leaf.text for leaf in every_node(method) if leaf.text is not None)
    stack = [body] if body is not None else []
    while stack:
        holder = stack.pop()
        if holder.kind in _METHODS:
            continue
        for index in range(len(holder.children) - 1, 0, -1):
            statement, following = holder.children[index - 1 : index + 1]
            if result is not None and _is_pair(statement, following, spelling(result), words):
                value = statement.children[1].children[2]
                value.field = None
                following.children[1] = value
                del holder.children[index - 1]
        stack.extend(holder.children)


def _is_pair(statement: Node, following: Node, result: str, words: Counter[str]) -> bool:
    if statement.kind != "local_variable_declaration" or following.kind != "return_statement":
        return False
    if [child.field for child in statement.children] != ["type", "declarator"] or len(following.children) != 2:
        return False
    written, declarator = statement.children
    name = declarator.children[0].text or ""
    is_given = len(declarator.children) == 3 and declarator.children[2].kind != "array_initializer"
    return is_given and words[name] == 2 and following.children[1].text == name and spelling(written) == result


BRANCHES = Branches(
    "block",
    frozenset({"method_declaration", "lambda_expression"}),
    frozenset({"for_statement", "enhanced_for_statement", "while_statement"}),
    ("binary_expression", "&&"),
    affirmed,
    denied(affirmed, "operand"),
    is_scoped=True,
)
