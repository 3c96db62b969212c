"""From a tree-sitter tree to a canonical one: one walk, no recursion, within a budget.

    f( 'a', )  # comment      and      f("a")      both become

    (expression_statement (call (identifier f) (argument_list ( (string (content a)) ) )))

White space and comments are left out, and `finish` functions of the language's adapter bring what may be written in
several ways (quotes, last commas, parentheses) into one form.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

from intentls.core.errors import IntentlsError
from intentls.core.syntax.languages.adapter import Adapter, Context
from intentls.core.syntax.tree import Node, Role

if TYPE_CHECKING:
    from tree_sitter import Node as SyntaxNode
    from tree_sitter import Parser, Tree


def parser(module: str, function: str) -> Parser | None:
    """A new parser of the grammar that `module` brings; None where it is not installed."""
    make = _parser_factory(module, function)
    return None if make is None else make()


@cache
def _parser_factory(module: str, function: str) -> Callable[[], Parser] | None:
    try:
        from tree_sitter import Language, Parser  # an optional library: the extra `ast` brings it

        grammar = importlib.import_module(module)
    except ImportError:
        return None
    return partial(Parser, Language(getattr(grammar, function)()))


_KEPT_TREES = 4  # an edit's class and its definitions rest on one tree, and the next edit's old content is this new one
_KEPT_BYTES = 64 * 1024  # of a content whose tree is kept


def syntax_tree(content: bytes, module: str, function: str) -> Tree | None:
    """The tree of a content; None where the grammar that `module` brings is not installed. Never edit the tree."""
    make = _parser_factory(module, function)
    if make is None:
        return None
    return _kept_tree(content, make) if len(content) <= _KEPT_BYTES else make().parse(content)


@lru_cache(maxsize=_KEPT_TREES)
def _kept_tree(content: bytes, make: Callable[[], Parser]) -> Tree:
    return make().parse(content)


TOO_LARGE = "too large to be judged"


class NotClassifiable(IntentlsError):
    """The change can't be judged; the message is the reason."""


@dataclass(slots=True)
class NodeBudget:
    """How much work may still be done: nodes to visit, bytes to parse. Counted, so that a verdict depends on no clock.

    A quiet machine visits about 200,000 nodes a second; 128 KiB of Python are about 30,000.
    """

    nodes: int
    max_bytes: int = 1 << 20  # of one content
    is_exceeded: bool = False

    def spend(self) -> None:
        """One more node. Raises NotClassifiable when there is nothing left."""
        self.nodes -= 1
        if self.nodes < 0:
            self.is_exceeded = True
            raise NotClassifiable(TOO_LARGE)


def texts_of(tree: Tree, adapter: Adapter) -> Counter[bytes]:
    """The texts of what stands directly in the file, or in a container that does, and how often each does."""
    texts: Counter[bytes] = Counter()
    waiting = [tree.root_node]
    while waiting:
        node = waiting.pop()
        body = node.child_by_field_name("body") if node.type in adapter.containers else None
        for child in node.children:
            texts[child.text or b""] += 1
            if child.type in adapter.containers or child == body:
                waiting.append(child)
    return texts


def lower(tree: Tree, data: bytes, adapter: Adapter, same: Collection[bytes], budget: NodeBudget) -> Node:
    """The canonical tree. What of `same` stands in the file or a container becomes one leaf and is not walked.

    Raises NotClassifiable for what does not parse, and when the budget is used up.
    """
    walk = _TreeWalk(data, adapter, same, budget)
    cursor = tree.walk()
    while True:
        node = cursor.node
        if node is not None and walk.enter(node, cursor.field_name):
            cursor.goto_first_child()
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return walk.root.children[0]
            walk.leave()


class _TreeWalk:
    def __init__(self, data: bytes, adapter: Adapter, same: Collection[bytes], budget: NodeBudget) -> None:
        self._data = data
        self._adapter = adapter
        self._same = same
        self._budget = budget
        self.root = Node("", None, 0)
        self._open = [self.root]
        self._ends = [0]  # how far each open node has been read
        self._limits = [len(data)]
        source = data.decode("utf-8", "surrogateescape")
        self._context = Context(self._open, source)
        counting = adapter.comments_count
        self._comments_count = counting is not None and counting.search(source) is not None

    def enter(self, syntax_node: SyntaxNode, field: str | None) -> bool:
        """Take a node in; True if its children are to be visited next."""
        self._budget.spend()
        if syntax_node.is_error or syntax_node.is_missing:
            raise NotClassifiable(f"line {syntax_node.start_point[0] + 1} does not parse")
        kind, parent, adapter = syntax_node.type, self._open[-1], self._adapter
        self._gap(syntax_node.start_byte)
        self._ends[-1] = syntax_node.end_byte
        last, column = syntax_node.end_point
        # What ends with its line break ends on the line before.
        node = Node(kind, field, syntax_node.start_point[0], end=last if column else last - 1)
        node.binds = self._binds(parent, field)
        if kind in adapter.comments:
            self._comment(node, syntax_node)
            return False
        if self._is_same(syntax_node, parent):
            node.text = self._text(syntax_node.start_byte, syntax_node.end_byte)
            name = syntax_node.child_by_field_name("name")
            node.origin = "" if name is None else self._text(name.start_byte, name.end_byte)
            parent.children.append(node)
            return False
        if parent is self.root and not syntax_node.child_count:
            parent.children.append(node)  # an empty file has a tree too
            return False
        if syntax_node.child_count and not (syntax_node.is_named and adapter.exact.search(kind)):
            self._open.append(node)
            self._ends.append(syntax_node.start_byte)
            self._limits.append(syntax_node.end_byte)
            return True
        if kind in adapter.names:
            is_member = kind in adapter.member_kinds or (parent.kind, field) in adapter.member_places
            node.role = Role.MEMBER if is_member else Role.NAME
        node.text = self._text(syntax_node.start_byte, syntax_node.end_byte)
        self._put(node)
        return False

    def leave(self) -> None:
        """The children of the innermost open node are complete."""
        self._gap(self._limits[-1])
        self._ends.pop()
        self._limits.pop()
        self._put(self._open.pop())

    def _put(self, node: Node) -> None:
        finish = self._adapter.finish.get(node.kind)
        self._open[-1].children.extend([node] if finish is None else finish(node, self._context))

    def _is_same(self, syntax_node: SyntaxNode, parent: Node) -> bool:
        """Whether it need not be walked, as it stands word for word on the other side."""
        adapter, kind = self._adapter, syntax_node.type
        if not self._same or not syntax_node.child_count or kind in adapter.imports or kind in adapter.containers:
            return False
        is_body = parent.field == "body" and self._open[-2].kind in adapter.containers
        if parent.kind not in adapter.containers and len(self._open) != 2 and not is_body:
            return False
        return (syntax_node.text or b"") in self._same

    def _binds(self, parent: Node, field: str | None) -> bool:
        bindings = self._adapter.bindings
        # A default stands to the right in a pattern, and declares nothing.
        is_part = parent.binds and parent.kind in bindings.patterns and field != "right"
        return is_part or (parent.kind, field) in bindings.places

    def _comment(self, node: Node, syntax_node: SyntaxNode) -> None:
        text = self._text(syntax_node.start_byte, syntax_node.end_byte)
        if self._comments_count or self._adapter.pragma.match(text):
            node.text = text.rstrip()
            self._open[-1].children.append(node)

    def _gap(self, upto: int) -> None:
        """What stands between two children and is no node: it counts, unless it is white space."""
        start = self._ends[-1]
        if start >= upto:
            return
        parent = self._open[-1]
        text = self._text(start, upto)
        is_spaced = self._adapter.all_spaced or parent.kind in self._adapter.spaced
        if parent is not self.root and (is_spaced or self._adapter.blank.sub("", text)):
            parent.children.append(Node("gap", None, parent.row, text))

    def _text(self, start: int, end: int) -> str:
        return self._data[start:end].decode("utf-8", "surrogateescape")
