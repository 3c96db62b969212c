"""Python that is written in another way and does the same: one form for each of these."""

from __future__ import annotations

from intentls.core.syntax.languages.adapter import flattened, in_place_of
from intentls.core.syntax.languages.branches import Branches
from intentls.core.syntax.languages.logic import Logic
from intentls.core.syntax.languages.python.bound import bound_in
from intentls.core.syntax.languages.python.comprehensions import displayed
from intentls.core.syntax.languages.python.statements import restated
from intentls.core.syntax.languages.python.supers import shorten_super
from intentls.core.syntax.languages.python.texts import Texts, texts_in
from intentls.core.syntax.languages.tails import always
from intentls.core.syntax.tree import Node, every_node, inner_nodes

REASON = "the same written in another way"

_OPPOSITES = {"not in": "in", "is not": "is"}
_NEGATIONS = {word: opposite for opposite, word in _OPPOSITES.items()}


def modernized(root: Node) -> None:
    """A `Rewrite`: `class A(object)`, `super(A, self)`, `not a in b`, `set([a])`, `dict()`, `"{}".format(a)`."""
    bound = bound_in(root)
    for node in inner_nodes(root):
        node.children = [child for child in node.children if not _is_object_base(child, node, bound)]
    if "super" not in bound:
        shorten_super(root)
    texts = texts_in(root, bound)
    for node in reversed(list(inner_nodes(root))):
        node.children = [_other_form(child, texts) for child in node.children]
        if node.kind == "interpolation":
            texts.settle(node)
    restated(root, bound)


def _is_object_base(child: Node, parent: Node, bound: set[str | None]) -> bool:
    is_bases = parent.kind == "class_definition" and child.field == "superclasses"
    return is_bases and [part.text for part in child.children] == ["(", "object", ")"] and "object" not in bound


def _other_form(node: Node, texts: Texts) -> Node:
    if node.kind in _OPPOSITES:
        return Node(node.kind, node.field, node.row, node.kind)
    if node.kind == "not_operator":
        return _denied_each(together(node) or node)
    result = texts.of(node)
    if result is None and node.kind == "call" and len(node.children) == 2:
        result = displayed(node, texts.bound)
    return node if result is None else _settled(in_place_of(node, result), texts)


def _settled(node: Node, texts: Texts) -> Node:
    for part in node.children if node.kind == "string" else ():
        if part.kind == "interpolation":
            texts.settle(part)
    return node


def rebound(root: Node) -> set[str]:
    """The names of a file that one function may give another value while another one runs."""
    shared = (node for node in every_node(root) if node.kind in ("global_statement", "nonlocal_statement"))
    return {leaf.text or "" for node in shared for leaf in every_node(node)}


def together(condition: Node) -> Node | None:
    """`a not in b` for `not a in b`; None for what is no such comparison."""
    inner = condition.children[-1]
    sign = inner.children[1] if inner.kind == "comparison_operator" and len(inner.children) == 3 else None
    if sign is None or sign.kind not in _NEGATIONS:
        return None
    return in_place_of(condition, _with_sign(inner, _NEGATIONS[sign.kind]))


def affirmed(condition: Node) -> Node | None:
    """What is so if a condition is not; None where it says what is so."""
    children = condition.children
    if condition.kind == "not_operator" and len(children) == 2:
        return in_place_of(condition, children[1])
    if condition.kind == "comparison_operator" and len(children) == 3 and children[1].kind in _OPPOSITES:
        return _with_sign(condition, _OPPOSITES[children[1].kind])
    return None


def _with_sign(comparison: Node, sign: str) -> Node:
    left, old, right = comparison.children
    word = Node(sign, old.field, old.row, sign)
    return Node(comparison.kind, comparison.field, comparison.row, children=[left, word, right])


def denied(condition: Node) -> Node:
    """The opposite of a condition."""
    plain = affirmed(condition)
    if plain is not None:
        return plain
    negation = Node("not_operator", condition.field, condition.row)
    condition.field = "argument"
    negation.children = [Node("not", None, condition.row, "not"), condition]
    return _denied_each(together(negation) or negation)


def _denied_each(negation: Node) -> Node:
    """`not a or not b` for `not (a and b)`: what a denial gives is true or false."""
    inner = negation.children[-1]
    if negation.kind != "not_operator" or inner.kind != "boolean_operator":
        return negation
    word = _OTHER_WORD[inner.children[1].kind]
    parts: list[Node] = []
    for child in inner.children[::2]:
        parts += [Node(word, "operator", child.row, word), _denial(child)]
    return flattened(Node("boolean_operator", negation.field, negation.row, children=parts[1:]), word)


def _denial(condition: Node) -> Node:
    """The opposite of a condition, which is true or false whatever the condition is."""
    plain = affirmed(condition)
    if plain is not None and is_truth(plain):
        return plain
    negation = Node("not_operator", condition.field, condition.row)
    condition.field = "argument"
    negation.children = [Node("not", None, condition.row, "not"), condition]
    return _denied_each(together(negation) or negation)


_OTHER_WORD = {"and": "or", "or": "and"}


def is_truth(condition: Node) -> bool:
    """Whether a condition is true or false, and can be nothing else, whatever its operands are."""
    stack = [condition]
    while stack:
        node = stack.pop()
        if node.kind == "boolean_operator":
            stack.extend(node.children[::2])
        elif node.kind == "comparison_operator":
            if len(node.children) != 3 or node.children[1].kind not in _TRUTHS:
                return False
        elif node.kind not in ("not_operator", "true", "false"):
            return False
    return True


_TRUTHS = ("in", "not in", "is", "is not")

BRANCHES = Branches(
    "block",
    frozenset({"function_definition"}),
    frozenset({"for_statement", "while_statement"}),
    Logic("boolean_operator", "and", "or", affirmed, denied, has_one_unequal=False),
    choice=("conditional_expression", 2, 0, 4),
    is_truth=is_truth,
    follows=always,
)
