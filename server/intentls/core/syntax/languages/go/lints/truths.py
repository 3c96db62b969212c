"""Go: a name that a condition makes true has the condition for its value.

found := false                found := a == b
if a == b {
    found = true
}
"""

from __future__ import annotations

from intentls.core.syntax.languages.go.forms import BRANCHES, is_comparison
from intentls.core.syntax.languages.go.ranges import SEARCH
from intentls.core.syntax.languages.go.shorthands import KnownNames
from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node, Role, every_node, spelling

_OTHER = {"true": "false", "false": "true"}


def with_truths(block: Node, names: KnownNames) -> None:
    """Declare names with the conditions that choose one of two truths for them.

    What compares is of no type but that of the name, which is a `bool` as it is declared with a truth.
    """
    kept: list[Node] = []
    for statement in block.children:
        name = _declared(kept[-1], names) if kept and statement.kind == "if_statement" else None
        value = None if name is None else _chosen(statement, *name)
        kept.append(statement if name is None or value is None else _declaring(kept.pop(), name[0], value))
    block.children = kept


def _declaring(place: Node, name: str, value: Node) -> Node:
    leaf = Node("identifier", None, place.row, name, Role.NAME, binds=True)
    left = Node("expression_list", "left", place.row, children=[leaf])
    right = Node("expression_list", "right", place.row, children=[value])
    return Node("short_var_declaration", None, place.row, children=[left, word_at(place, ":="), right])


def _declared(statement: Node, names: KnownNames) -> tuple[str, str] | None:
    """The one name that a statement declares as true or false, and which of both."""
    if statement.kind == "short_var_declaration":
        parts = statement.children[::2]
    elif statement.kind == "var_declaration" and [child.field for child in statement.children[-1].children] == [
        *("name", None, "value")
    ]:
        parts = statement.children[-1].children[::2]
    else:
        return None
    name, value = (spelling(part) for part in parts)
    return (name, value) if value in _OTHER and name.isidentifier() and all(map(names.is_free, _OTHER)) else None


def _chosen(branch: Node, name: str, first: str) -> Node | None:
    """The condition by which a branch gives the name a truth, or what is so if it is not."""
    parts = branch.children[1:]
    fields = [part.field for part in parts if part.field is not None]
    condition = parts[0]
    if fields not in (["condition", "consequence"], ["condition", "consequence", "alternative"]):
        return None
    given = [spelling(part) for part in parts if part.field in ("consequence", "alternative")]
    then = next((word for word in _OTHER if given[0] == f"{{{name}={word}}}"), "")
    is_else = given[1:] == [f"{{{name}={_OTHER.get(then)}}}"] if len(given) > 1 else first == _OTHER.get(then)
    is_search = condition.kind == "call_expression" and condition.children[0].text == SEARCH
    if not is_else or not (is_search or is_comparison(condition)):
        return None
    if any(leaf.text == name for leaf in every_node(condition)):
        return None
    chosen = condition if then == "true" else BRANCHES.logic.opposite(condition)
    chosen.field = None
    return chosen
