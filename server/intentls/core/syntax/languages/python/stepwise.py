"""Python that does in several steps what another form does in one: loops that collect, values that branches choose.

    found = []                               found = [b.c for b in a if b]
    for b in a:
        if b:
            found.append(b.c)

    for b in a:                              return any(b.c == d for b in a)
        if b.c == d:
            return True
    return False

    size = 0                                 size = 1 if a else 0
    if a:
        size = 1

    if a:                                    if a:
        size = 1                                 return 1
    else:                                    return 2
        size = 2
    return size

In a comprehension the name of a round is its own, so that nothing else in the function may have it, and `super()` has
no class there (before Python 3.12). What a round that
fails has left behind is seen only where the error is caught.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cached_property

from intentls.core.syntax.languages.adapter import InformedRewrite
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.python.bound import bound_in
from intentls.core.syntax.languages.python.comprehensions import acts
from intentls.core.syntax.languages.python.forms import denied
from intentls.core.syntax.languages.python.lints.asked import asked_plainly
from intentls.core.syntax.tree import Node, Role, all_said, every_node, spelling

_WORD = re.compile(r"\w+")
_EMPTY = {"[]": "list", "{}": "dictionary", "set()": "set"}
_ADDING = {"append": "list", "add": "set"}
_INNER = frozenset({"function_definition", "lambda", "class_definition"})
_CATCHES = frozenset({"try_statement", "with_statement"})
_OF_PATTERNS = frozenset({"identifier", ",", "(", ")", "*"})
_OUTER = frozenset({"global", "nonlocal"})
_CLOSED = frozenset({"await", "yield", "named_expression", "async"})
_CONSTANTS = frozenset({"none", "true", "false", "integer", "float", "string"})
_ASKING = {("true", "false"): "any", ("false", "true"): "all"}
_HELD = frozenset({"block", "if_statement", "elif_clause", "else_clause"})
_WHILE = ["while", "condition", ":", "body"]
_IF, _IF_ELSE, _FOR = (
    ["if", "condition", ":", "consequence"],
    ["if", "condition", ":", "consequence", "alternative"],
    ["for", "left", "in", "right", ":", "body"],
)


class _Steps:
    """What a function says, as far as it is asked for. `bound` are the names that the file gives something to."""

    def __init__(self, node: Node, bound: set[str | None], dynamic: frozenset[str]) -> None:
        self._node, self.bound, self._dynamic = node, bound, dynamic

    @cached_property
    def words(self) -> Counter[str]:
        """How often it has each word."""
        return Counter(_WORD.findall(all_said(self._node)))

    @cached_property
    def inner(self) -> frozenset[str]:
        """The words of functions and classes within it."""
        parts = (part for part in every_node(self._node) if part.kind in _INNER and part is not self._node)
        return frozenset(word for part in parts for word in _WORD.findall(all_said(part)))

    @cached_property
    def is_plain(self) -> bool:
        """Whether no name in it may be reached in another way than by its scope."""
        return self._dynamic.isdisjoint(self.words) and not _OUTER & self.words.keys()


def in_one_go(dynamic: Collection[str]) -> InformedRewrite:
    """A rewrite of the steps of each function; `dynamic` names may reach any name."""

    def rewrite(root: Node, _facts: Surroundings) -> None:
        _in_tree(root, frozenset(dynamic))

    return rewrite


def _in_tree(root: Node, dynamic: frozenset[str]) -> None:
    bound = bound_in(root)
    for node in every_node(root):
        if node.kind == "function_definition":
            steps = _Steps(node, bound, dynamic)
            for block in _blocks(node):
                _in_block(block, steps)


def _blocks(function: Node) -> Iterator[Node]:
    """The blocks of a function itself, the inner ones last, without those where an error may be caught."""
    stack = [child for child in function.children if child.field == "body"]
    while stack:
        node = stack.pop()
        if node.kind == "block":
            yield node
        if node.kind not in _INNER and node.kind not in _CATCHES:
            stack.extend(node.children)


def _in_block(block: Node, function: _Steps) -> None:
    _leave_at_once(block, function)
    index = len(block.children) - 1
    while index > 0:
        first, second = block.children[index - 1 : index + 1]
        if any(form(first, second, function) for form in (_collect, _return_it, _choose, _ask, _return_each)):
            del block.children[index]
            index = len(block.children)  # what is one now may be followed by another one
        index -= 1


def _shape(node: Node) -> list[str]:
    return [child.field or child.kind for child in node.children]


def _given(statement: Node, *, has_type: bool = False) -> tuple[str, Node] | None:
    """The name and the value of `name = value`; `has_type`: or of `name: A = value`."""
    only = statement.children[0] if statement.kind == "expression_statement" and statement.children else statement
    shape = [part for part in _shape(only) if not (has_type and part in (":", "type"))]
    if only.kind != "assignment" or shape != ["left", "=", "right"]:
        return None
    name, value = only.children[0], only.children[-1]
    return (name.text or "", value) if name.kind == "identifier" else None


def _collect(first: Node, loop: Node, function: _Steps) -> bool:
    """A comprehension for a collection that a loop fills."""
    pair = _given(first, has_type=True)
    kind = _EMPTY.get(spelling(pair[1])) if pair is not None else None
    if pair is None or kind is None or (kind == "set" and "set" in function.bound) or not function.is_plain:
        return False
    name, value = pair
    clauses, last = _rounds(loop, function)
    is_closed = any(node.kind in _CLOSED or node.text == "super" for node in every_node(loop))
    if not clauses or is_closed or name in function.inner or _count(loop, name) != 1:
        return False
    added = _added(last, name, kind)
    if added is None:
        return False
    ends = [Node(sign, None, loop.row, sign) for sign in ("[]" if kind == "list" else "{}")]
    value.kind, value.text, value.children = f"{kind}_comprehension", None, [ends[0], added, *clauses, ends[1]]
    return True


def _return_it(first: Node, end: Node, function: _Steps) -> bool:
    """Such a comprehension without a name, if it is only returned."""
    pair = _given(first, has_type=True)
    returned = end.children[1] if end.kind == "return_statement" and len(end.children) == 2 else end
    is_it = pair is not None and pair[1].kind.endswith("_comprehension") and returned.text == pair[0]
    if pair is None or not is_it or not function.is_plain or pair[0] in function.inner:
        return False
    pair[1].field = None
    first.kind, first.children = end.kind, [end.children[0], pair[1]]
    return True


def _count(root: Node, word: str) -> int:
    return _WORD.findall(all_said(root)).count(word)


def _rounds(loop: Node, function: _Steps) -> tuple[list[Node], Node]:
    """The clauses of a comprehension for loops and conditions of which each holds only the next; what is done then.

    There are no clauses if the name of a round has another use.
    """
    clauses: list[Node] = []
    node = loop
    while True:
        shape = _shape(node)
        if node.kind == "for_statement" and shape == _FOR:
            leaves = [leaf for leaf in every_node(node.children[1]) if leaf.text is not None]
            names = [leaf.text or "" for leaf in leaves if leaf.kind == "identifier"]
            is_plain = all(leaf.kind in _OF_PATTERNS for leaf in leaves)
            if not is_plain or any(_count(loop, name) != function.words[name] for name in names):
                return [], node
            clauses.append(Node("for_in_clause", None, node.row, children=node.children[:4]))
        elif node.kind == "if_statement" and shape == _IF and clauses:
            asked = node.children[1]
            clauses.append(Node("if_clause", None, node.row, children=[node.children[0], asked]))
        else:
            return clauses, node
        body = node.children[-1]
        if len(body.children) != 1:
            return [], node
        node = body.children[0]


def _added(statement: Node, name: str, kind: str) -> Node | None:
    """What a statement adds to the collection, as a comprehension says it; None if it does something else."""
    only = statement.children[0] if statement.kind == "expression_statement" and statement.children else statement
    if kind == "dictionary":
        target = only.children[0] if only.kind == "assignment" and _shape(only) == ["left", "=", "right"] else only
        if target.kind != "subscript" or len(target.children) != 4 or target.children[0].text != name:
            return None
        key, value = target.children[2], only.children[2]
        if not _may_be_first(key, value):
            return None
        key.field, value.field = "key", "value"
        return Node("pair", "body", only.row, children=[key, Node(":", None, only.row, ":"), value])
    called, given = only.children if only.kind == "call" and len(only.children) == 2 else (only, only)
    method = called.children[-1].text if called.kind == "attribute" and called.children[0].text == name else ""
    is_one = given.kind == "argument_list" and len(given.children) == 3
    if _ADDING.get(method or "") != kind or not is_one:
        return None
    value = given.children[1]
    value.field = "body"
    return value


def _may_be_first(key: Node, value: Node) -> bool:
    """Whether it does not matter which of the two is computed first."""
    return not (acts(key, ()) or acts(value, ())) or any(part.text is not None for part in (key, value))


def _ask(loop: Node, end: Node, function: _Steps) -> bool:
    """`any` for a loop that returns true for the first round that is so, `all` for one that returns false for it."""
    if loop.kind != "for_statement" or end.kind != "return_statement" or not function.is_plain:
        return False
    clauses, last = _rounds(loop, function)
    is_end = end.kind == last.kind == "return_statement" and len(end.children) == len(last.children) == 2
    word = _ASKING.get((last.children[1].kind, end.children[1].kind)) if is_end else None
    if word is None or len(clauses) < 2:
        return False
    *rounds, asked = clauses
    first, *later = rounds
    parts = [asked, *later, *(child for child in first.children if child.field != "right")]
    is_closed = any(node.kind in _CLOSED for node in every_node(loop)) or any(
        acts(part, function.bound) for part in parts
    )
    if asked.kind != "if_clause" or is_closed or word in function.bound:
        return False
    condition = asked.children[1] if word == "any" else asked_plainly(denied(asked.children[1]))
    condition.field = "body"
    ends = [Node(sign, None, loop.row, sign) for sign in "()"]
    inner = Node("generator_expression", "arguments", loop.row, children=[ends[0], condition, *rounds, ends[1]])
    name = Node("identifier", "function", loop.row, word, Role.NAME)
    loop.kind = "return_statement"
    loop.children = [end.children[0], Node("call", None, loop.row, children=[name, inner])]
    return True


def _choose(first: Node, branch: Node, function: _Steps) -> bool:
    """Another branch for a constant that a name has before a branch gives it another value."""
    pair = _given(first)
    if pair is None or branch.kind != "if_statement" or _shape(branch) != _IF:
        return False
    if not function.is_plain or pair[0] in function.inner:
        return False
    name, value = pair
    body = branch.children[-1]
    other = _given(body.children[0]) if len(body.children) == 1 else None
    is_settled = all(part.kind in _CONSTANTS or part.kind == "content" for part in every_node(value))
    if not is_settled or other is None or other[0] != name or _count(branch, name) != 1:
        return False
    inner = Node("expression_statement", None, first.row, children=first.children)
    block = Node("block", "body", first.row, children=[inner])
    words = [Node(word, None, first.row, word) for word in ("else", ":")]
    branch.children.append(Node("else_clause", "alternative", first.row, children=[*words, block]))
    first.kind, first.children = branch.kind, branch.children
    return True


def _return_each(branch: Node, end: Node, function: _Steps) -> bool:
    """A `return` in each branch for a name that each gives a value, and that is returned then."""
    returned = end.children[1] if end.kind == "return_statement" and len(end.children) == 2 else end
    name = returned.text or ""
    blocks = _ways(branch)
    if returned.kind != "identifier" or not blocks or not function.is_plain or name in function.inner:
        return False
    values = [pair[1] for block in blocks if (pair := _given(block.children[-1])) is not None and pair[0] == name]
    if len(values) < len(blocks):
        return False
    for block, value in zip(blocks, values, strict=True):
        value.field = None
        word = Node("return", None, value.row, "return")
        block.children[-1] = Node("return_statement", None, value.row, children=[word, value])
    return True


def _ways(branch: Node) -> list[Node]:
    """The blocks of a branch of which one is taken for sure; none if that is not so."""
    if branch.kind != "if_statement" or not branch.children or branch.children[-1].kind != "else_clause":
        return []
    blocks = [part.children[-1] if part.kind != "block" else part for part in branch.children[3:]]
    return blocks if all(block.kind == "block" and block.children for block in blocks) else []


def _leave_at_once(block: Node, function: _Steps) -> None:
    """`return True` in a loop for `found = True` and `break`, where `found` is what is returned after the loop."""
    loop, end = block.children[-2:] if len(block.children) > 2 else (block, block)
    if end.kind != "return_statement" or len(end.children) != 2 or _shape(loop) not in (_FOR, _WHILE):
        return
    name = end.children[1].text or ""
    firsts = [child for child in block.children[:-2] if (pair := _given(child)) is not None and pair[0] == name]
    ways = [way for way in _ways_out(loop.children[-1]) if (pair := _given(way.children[-2])) and pair[0] == name]
    if len(firsts) != 1 or not ways or function.words[name] != len(ways) + 2 or not function.is_plain:
        return
    (_, value) = _given(firsts[0]) or ("", block)
    if not all(part.kind in _CONSTANTS or part.kind == "content" for part in every_node(value)):
        return
    for way in ways:
        (_, given) = _given(way.children[-2]) or ("", block)
        given.field = None
        word = Node("return", None, given.row, "return")
        way.children[-2:] = [Node("return_statement", None, given.row, children=[word, given])]
    value.field = None
    end.children[1] = value
    block.children = [child for child in block.children if child is not firsts[0]]


def _ways_out(body: Node) -> Iterator[Node]:
    """The blocks of a loop that end with one statement and `break`."""
    stack = [body]
    while stack:
        node = stack.pop()
        if node.kind == "block" and [child.kind for child in node.children[-2:]][1:] == ["break_statement"]:
            yield node
        stack.extend(child for child in node.children if child.kind in _HELD)
