"""Java as inspections suggest it: what takes the same steps in fewer statements, or in the words of one class.

while (true) {                    boolean found = false;            try {
    if (isDone()) {               if (a == b) {                         a();
        break;                        found = true;                 } catch (RuntimeException e) {
    }                             }                                     throw e;
    a();                                                            }
}                                 boolean found = a == b;
                                                                    a();
while (!isDone()) {               sb.append('a')
    a();
}                                 sb.append("a")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from intentls.core.syntax.languages.java.known_types import Known
from intentls.core.syntax.languages.made_nodes import denied_once, given_to, word_at
from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

_BUILDERS = frozenset({"StringBuilder", "StringBuffer"})
_IN_A_ROW = frozenset({"append", "insert", "reverse", "deleteCharAt"})
_BOXES = {
    **{"Integer": "int", "Long": "long", "Double": "double", "Float": "float", "Boolean": "boolean"},
    "Character": "char",
}
_AS_TEXT = {'"': '\\"', "\\'": "'"}
_OTHER = {"true": "false", "false": "true"}


def _loop(node: Node, _known: Known) -> None:
    """`while (!a) { b(); }` for `while (true) { if (a) break; b(); }`, and `while (a && !b)` where it asks before."""
    while True:
        condition, body = node.child("condition"), node.children[-1]
        first = body.children[1] if body.kind == "block" and len(body.children) > 2 else body
        parts = [child for child in first.children if child.field is not None]
        if condition is None or first.kind != "if_statement" or len(parts) != 2:
            return
        if spelling(parts[1]).strip("{}") != "break" or _may_name(parts[0]):
            return
        asked = denied_once(parts[0])
        if condition.kind != "true":
            condition.field, asked.field = "left", "right"
            both = [condition, word_at(first, "&&", "operator"), asked]
            asked = Node("binary_expression", None, first.row, children=both)
        asked.field = "condition"
        node.children = [asked if child is condition else child for child in node.children]
        del body.children[1]


def _may_name(root: Node) -> bool:
    """Whether a question in it may name what it finds, so that what follows sees the name."""
    return any(node.kind == "instanceof_expression" for node in inner_nodes(root))


def _call(node: Node, known: Known) -> None:
    """`a.append("b")` for `a.append('b')`, and `String.valueOf(a)` for `Integer.toString(a)`."""
    owner, name, given = node.child("object"), node.child("name"), given_to(node)
    if owner is None or name is None or len(given) != 1:
        return
    if name.text == "append" and given[0].kind == "character_literal":
        while owner.kind == "method_invocation" and (owner.child("name") or owner).text in _IN_A_ROW:
            owner = owner.child("object") or node
        said = (given[0].text or "")[1:-1]
        if known.type_of(owner) in _BUILDERS:
            given[0].kind, given[0].text = "string_literal", f'"{_AS_TEXT.get(said, said)}"'
    elif name.text == "toString" and known.foreign.isdisjoint({owner.text or "", "String"}):
        kind = _BOXES.get(owner.text or "", "")
        if kind and known.type_of(given[0]) == kind:
            owner.text, name.text = "String", "valueOf"


def _sizes(node: Node, _known: Known) -> None:
    """`int[] a()` for `int a()[]`."""
    written, sizes = node.child("type"), node.child("dimensions")
    if written is None or sizes is None or written.kind == "array_type":
        return
    at = next(index for index, child in enumerate(node.children) if child is written)
    node.children[at] = Node("array_type", "type", written.row, children=[written, sizes])
    node.children = [child for child in node.children if child is not sizes]
    written.field = "element"


def _statements(node: Node, _known: Known) -> None:
    """Statements of which some are one now, or more."""
    kept: list[Node] = []
    for statement in node.children:
        if statement.kind == "try_statement":
            kept += _tried(statement)
        elif not (kept and statement.kind == "if_statement" and _is_chosen(kept[-1], statement)):
            kept.append(statement)
    node.children = kept


def _is_chosen(declaration: Node, branch: Node) -> bool:
    """`boolean a = b;` for `boolean a = false; if (b) a = true;`, and with what is so else."""
    fields = [child.field for child in declaration.children]
    declarator = declaration.children[-1] if declaration.kind == "local_variable_declaration" else declaration
    if fields != ["type", "declarator"] or spelling(declaration.children[0]) != "boolean":
        return False
    name, value = declarator.children[0].text, declarator.children[-1]
    condition, *ways = [child for child in branch.children if child.field is not None]
    said = [spelling(way).strip("{};") for way in ways]
    then = next((word for word in _OTHER if said[0] == f"{name}={word}"), "")
    first = [f"{name}={spelling(value)}"] if len(declarator.children) == 3 else []
    is_else = (said[1:] or first) == [f"{name}={_OTHER.get(then)}"] and (not first or value.kind in _OTHER)
    if not is_else or any(leaf.text == name for leaf in every_node(condition)):
        return False
    chosen = condition if then == "true" else denied_once(condition)
    chosen.field = "value"
    declarator.children = [declarator.children[0], word_at(declaration, "="), chosen]
    return True


def _tried(statement: Node) -> list[Node]:
    """Without an empty `finally`, and without a last `catch` that throws what it has caught."""
    parts = [child for child in statement.children if child.kind != "finally_clause" or spelling(child) != "finally{}"]
    while parts[-1].kind == "catch_clause" and _hands_on(parts[-1]):
        parts.pop()
    body = parts[-1]
    if body.field != "body":
        statement.children = parts
        return [statement]
    inner = body.children[1:-1]
    declares = any(child.kind.endswith("_declaration") or _may_name(child) for child in inner)
    return [body] if declares else inner


def _hands_on(clause: Node) -> bool:
    """Whether it is `catch (A e) { throw e; }`."""
    caught = clause.children[2]
    name = caught.child("name")
    return name is not None and spelling(clause.children[-1]).replace(";", "") == f"{{throw{name.text}}}"


SUGGESTED: Mapping[str, Callable[[Node, Known], None]] = {
    "while_statement": _loop,
    "method_invocation": _call,
    "method_declaration": _sizes,
    **dict.fromkeys(("block", "constructor_body", "switch_block_statement_group"), _statements),
}
"""What is done with each kind of node."""
