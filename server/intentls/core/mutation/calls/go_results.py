"""Functions of Go for their package alone, whose result was always nil and is no more: who calls them does as before.

    type screen interface {                     type screen interface {
        update(msg) error                           update(msg)
    }                                           }
    func (*real) update(m msg) error {          func (*real) update(m msg) {
        draw(m)                                     draw(m)
        return nil
    }                                           }
    if err := s.update(m); err != nil {         s.update(m)
        return err
    }

All that is called `update` in the package returns nothing but nil before the change, and nothing after it. All calls
either do nothing with the result, or only something if it is not nil. No other package can call it, or be called by
that name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from posixpath import dirname

from msgspec import Struct, field

from intentls.core.mutation.names.prose import is_prose
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.names.tree_names import Place, places_of
from intentls.core.syntax.languages.go.linted import returns_of
from intentls.core.syntax.tree import Node, every_node, spelling

MAX_NAMES = 5  # in one change set

Parse = Callable[[str, bytes], Node | None]
"""The tree of a file at a path with this content; None where there is none."""

Contents = tuple[str, bytes | None, bytes | None]
"""A path, and what its file held and holds; None: there is no file."""

_DECLARED = frozenset({"function_declaration", "method_declaration", "method_elem"})


class NilResults(Struct, frozen=True):
    """The names of functions and methods whose result was always nil, by the directory of their package."""

    names: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def shed(self, old: Node, path: str) -> tuple[str, ...]:
        """Take the results out of the tree of a file before the change. The reasons, if it has such a name."""
        names = self.names.get(dirname(path), frozenset())
        known: set[str] = (
            {leaf.text or "" for leaf in every_node(old) if leaf.text in names} if path.endswith(".go") else set()
        )
        if known:
            for node in list(every_node(old)):
                name = node.child("name")
                if node.kind in _DECLARED and name is not None and name.text in known:
                    _drop_result(node)
                node.children = [_called_alone(child, known) for child in node.children]
        return tuple(f"{name} returns nothing where it returned nil" for name in sorted(known))


def nil_results(
    edits: Sequence[Contents],
    trees: Sequence[tuple[str, Node | None, Node | None]],
    others: RepositoryText,
    parse: Parse,
) -> NilResults:
    """What a change set proves. `trees`: of each file, by path, what changed in it before and after."""
    hopes = {
        (dirname(path), name)
        for path, before, after in trees
        if path.endswith(".go") and before is not None and after is not None
        for name in _declared(before, has_result=True) & _declared(after, has_result=False)
    }
    names: dict[str, frozenset[str]] = {}
    for directory, name in sorted(hopes)[:MAX_NAMES]:
        if _is_proven(directory, name, edits, others, parse):
            names[directory] = names.get(directory, frozenset()) | {name}
    return NilResults(names)


def _declared(root: Node, *, has_result: bool) -> set[str]:
    """The names of functions and methods that only their package can call."""
    nodes = [node for node in every_node(root) if node.kind in _DECLARED]
    named = ((node, node.child("name")) for node in nodes if (node.child("result") is not None) is has_result)
    return {name.text or "" for _, name in named if name is not None and not (name.text or "")[:1].isupper()}


def _is_proven(directory: str, name: str, edits: Sequence[Contents], others: RepositoryText, parse: Parse) -> bool:
    mentioning = others.mentioning((name,))
    if mentioning is None or any(dirname(path) == directory and not is_prose(path) for path in mentioning):
        return False
    for path, before, after in edits:
        if dirname(path) != directory or is_prose(path):
            continue
        for content, is_right in ((before, _returned_nil), (after, _returns_nothing)):
            if content is None or name.encode() not in content:
                continue
            root = parse(path, content) if path.endswith(".go") else None
            places, said = ([], {name}) if root is None else places_of(root, (name,), path)
            if said or not all(map(is_right, places)):
                return False
    return True


def _returned_nil(place: Place) -> bool:
    """Whether a name stands where it is declared with a result that is nil, or called for nothing else."""
    node = place.holder()
    if _is_name_of(place, node):
        result = node.child("result")
        returns = list(returns_of(node))
        is_nil = all(spelling(statement) == "returnnil" for statement in returns)
        is_settled = node.kind == "method_elem" or (bool(returns) and node.child("body") is not None)
        return result is not None and result.kind != "parameter_list" and is_nil and is_settled
    above = _around_call(place)
    return bool(above) and (above[0].kind == "expression_statement" or any(_result_of(node) for node in above[1:3]))


def _returns_nothing(place: Place) -> bool:
    node = place.holder()
    if _is_name_of(place, node):
        return node.child("result") is None and all(spelling(statement) == "return" for statement in returns_of(node))
    above = _around_call(place)
    return bool(above) and above[0].kind == "expression_statement"


def _is_name_of(place: Place, node: Node) -> bool:
    return node.kind in _DECLARED and place.leaf.field == "name"


def _around_call(place: Place) -> tuple[Node, ...]:
    """What a call of the name stands in, the nearest first; empty where it is not called."""
    above = place.above[::-1]
    member = above[0].kind == "selector_expression" and place.leaf.field == "field"
    called = above[0] if member else place.leaf
    call = above[1] if member else above[0]
    return above[2 if member else 1 :] if call.kind == "call_expression" and called.field == "function" else ()


def _result_of(statement: Node) -> Node | None:
    """The call in `_ = f()` and `if a := f(); a != nil {}`: what happens then if `f` returns nil is no more than it."""
    if statement.kind == "assignment_statement":
        target, sign, values = statement.children
        return values.children[0] if (spelling(target), sign.text, len(values.children)) == ("_", "=", 1) else None
    if statement.kind != "if_statement" or statement.child("alternative") is not None:
        return None
    declared, condition = statement.child("initializer"), statement.child("condition")
    if declared is None or condition is None or declared.kind != "short_var_declaration":
        return None
    target, _, values = declared.children
    is_asked = spelling(condition) == f"{spelling(target)}!=nil" and target.children[0].kind == "identifier"
    return values.children[0] if is_asked and len(target.children) == len(values.children) == 1 else None


def _called_alone(statement: Node, names: set[str]) -> Node:
    """The statement that calls one of the names, without what it does with the result."""
    call = _result_of(statement)
    if call is None or call.kind != "call_expression":
        return statement
    called = call.children[0]
    name = called.children[-1].text if called.kind == "selector_expression" else called.text
    if (name or "") not in names:
        return statement
    call.field = None
    return Node("expression_statement", statement.field, statement.row, children=[call])


def _drop_result(function: Node) -> None:
    function.children = [child for child in function.children if child.field != "result"]
    for statement in returns_of(function):
        del statement.children[1:]
    body = function.child("body")
    if body is not None and len(body.children) > 2 and spelling(body.children[-2]) == "return":
        del body.children[-2]
