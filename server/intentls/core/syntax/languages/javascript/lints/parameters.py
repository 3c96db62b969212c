"""What a function of JavaScript takes beyond its parameters: a parameter of its own for a list that is made first.

function all(first) {                                          function all(first, ...args) {
  const args = Array.prototype.slice.call(arguments, 1);         send(first, args);
  send(first, args);                                           }
}
"""

from __future__ import annotations

from intentls.core.syntax.languages.javascript.forms import assigned, own_nodes
from intentls.core.syntax.languages.made_nodes import given_to, word_at
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_OF_ALL = frozenset(
    {"Array.prototype.slice.call(arguments)", "[].slice.call(arguments)", "Array.from(arguments)", "[...arguments]"}
)
_SLICES = frozenset({"Array.prototype.slice.call", "[].slice.call"})
_TAKING = frozenset({"function_expression", "function_declaration", "method_definition"})


def with_rest(root: Node) -> None:
    """A `Rewrite` of files without types: `function (...a) {` for `function () { const a = [...arguments];`."""
    functions = [node for node in inner_nodes(root) if node.kind in _TAKING]
    found = [(node, pair) for node in functions if (pair := _first_list(node)) is not None]
    if not found or any(leaf.binds and leaf.text == "Array" for leaf in every_node(root)):
        return
    changed = assigned(root)
    for function, (body, declaration) in found:
        name = declaration.children[1].children[0]
        is_kept = declaration.children[0].text != "const" or name.text not in changed
        own = [node.text for node in own_nodes(function)]
        binds = sum(leaf.binds and leaf.text == name.text for leaf in every_node(function))
        if is_kept and binds == 1 and own.count("arguments") == 1 and "eval" not in own:
            _take_rest(function, name)
            body.children = [child for child in body.children if child is not declaration]


def _first_list(function: Node) -> tuple[Node, Node] | None:
    """The body of a function and its first statement, if that makes a list of what is given beyond its parameters."""
    body, listed = function.child("body"), function.child("parameters")
    if body is None or listed is None or len(body.children) < 3 or function.children[0].kind in ("get", "set"):
        return None
    first = body.children[1]
    declarator = first.children[-1] if first.kind.endswith(("lexical_declaration", "variable_declaration")) else first
    if declarator.kind != "variable_declarator" or len(first.children) != 2 or len(declarator.children) != 3:
        return None
    taken = [child for child in listed.children if child.kind not in ("(", ")", ",")]
    is_plain = all(child.kind == "identifier" for child in taken) and len({child.text for child in taken}) == len(taken)
    if not is_plain or declarator.children[0].role is not Role.NAME:
        return None
    return (body, first) if _is_rest(declarator.children[2], len(taken)) else None


def _is_rest(value: Node, count: int) -> bool:
    if spelling(value) in _OF_ALL:
        return count == 0
    given = given_to(value) if value.kind == "call_expression" and spelling(value.children[0]) in _SLICES else []
    return [part.text for part in given] == ["arguments", f"{count}.0"]


def _take_rest(function: Node, name: Node) -> None:
    listed = function.child("parameters")
    parts = listed.children if listed is not None else []
    name.field = None
    rest = Node("rest_pattern", None, function.row, binds=True, children=[word_at(function, "..."), name])
    parts[-1:-1] = [word_at(function, ","), rest] if len(parts) > 2 else [rest]
