"""From a tree-sitter tree to a canonical one: one walk, no recursion, within a budget.

    f( 'a', )  # comment      and      f("a")      both become

    (expression_statement (call (identifier f) (argument_list ( (string (content a)) ) )))

White space and comments are left out, and `finish` functions of the language's adapter bring what may be written in
several ways (quotes, last commas, parentheses) into one form.
"""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Callable, Collection
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

from msgspec import Struct

from intentls.core.errors import IntentlsError
from intentls.core.syntax.languages.adapter import Adapter, Context
from intentls.core.syntax.tree import Node, Role

if TYPE_CHECKING:
    from tree_sitter import Node as SyntaxNode
    from tree_sitter import Parser, Tree


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


class DoesNotParse(NotClassifiable):
    """The grammar can't make a tree of a content; the message says from which line on."""


class NodeBudget(Struct):
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


class PartTexts(Struct, frozen=True):
    """What stands directly in the file, or in a container that does.

    `counts`: each text, and how often it stands there. `functions`: those that have a name, by it. `holding`: the texts
    of which others are parts.
    """

    counts: Counter[bytes]
    functions: dict[bytes, bytes]
    holding: set[bytes]


def texts_of(tree: Tree, adapter: Adapter) -> PartTexts:
    """The texts of the parts of a file."""
    texts = PartTexts(Counter(), {}, set())
    waiting = [tree.root_node]
    while waiting:
        node = waiting.pop()
        body = node.child_by_field_name("body") if node.type in adapter.containers else None
        for child in node.children:
            text = child.text or b""
            texts.counts[text] += 1
            if child.type in adapter.containers or child == body:
                waiting.append(child)
                texts.holding.add(text)
            elif child.type in _FUNCTIONS and (name := child.child_by_field_name("name")) is not None:
                texts.functions[name.text or b""] = text
    return texts


_FUNCTIONS = frozenset(
    {"function_definition", "function_declaration", "method_definition", "method_declaration", "function_item"}
)
_WORD = re.compile(rb"[\w$]+")


def called_otherwise(old: PartTexts, new: PartTexts) -> set[bytes]:
    """The texts of functions that stand in both, and whose name what changed says more often on one side.

    Their bodies may stand in the place of a call, or a call in the place of theirs.
    """
    same = old.functions.keys() & new.functions.keys()
    if not same:
        return set()
    said = [
        Counter(
            word
            for text, count in texts.counts.items()
            if text not in texts.holding and count != others.counts[text]
            for word in _WORD.findall(text)
        )
        for texts, others in ((old, new), (new, old))
    ]
    names = {word for word in said[0].keys() | said[1].keys() if said[0][word] != said[1][word]}
    return {old.functions[name] for name in same & names if old.functions[name] == new.functions[name]}


def lower(
    tree: Tree,
    data: bytes,
    adapter: Adapter,
    same: Collection[bytes],
    budget: NodeBudget,
    source: str | None = None,
    *,
    is_whole: Callable[[bytes], bool] | None = None,
) -> Node:
    """The canonical tree. What of `same` stands in the file or a container becomes one leaf and is not walked.

    `source` is what may read comments and docstrings, if that is more than the content itself: two versions that are
    compared need one answer. Raises NotClassifiable for what does not parse, and when the budget is used up.

    With `is_whole` a part of the file may have something in it that does not parse, and is taken as it was understood,
    if its text is whole: it ends where it seems to. Else it is one leaf.
    """
    source = data.decode("utf-8", "surrogateescape") if source is None else source
    walk = _TreeWalk(data, adapter, same, budget, source, is_sound=not tree.root_node.has_error, is_whole=is_whole)
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


_CONDITION = "preproc_"  # how the kinds begin of what stands around parts of a file


class _TreeWalk:
    """A walk in progress. It does as little as it can at each node: a guarded write waits for it."""

    def __init__(
        self,
        data: bytes,
        adapter: Adapter,
        same: Collection[bytes],
        budget: NodeBudget,
        source: str,
        *,
        is_sound: bool,
        is_whole: Callable[[bytes], bool] | None,
    ) -> None:
        self._data = data
        self._adapter = adapter
        self._same = same
        self._budget = budget
        self._is_sound = is_sound
        self._is_whole = is_whole
        self.root = Node("", None, 0)
        self._open = [self.root]
        self._ends = [0]  # how far each open node has been read
        self._limits = [len(data)]
        self._context = Context(self._open, source)
        self._exact: dict[str, bool] = {}  # by kind
        self._places, self._patterns = adapter.bindings.places, adapter.bindings.patterns

    def enter(self, syntax_node: SyntaxNode, field: str | None) -> bool:
        """Take a node in; True if its children are to be visited next."""
        self._budget.spend()
        kind, start, end = syntax_node.type, syntax_node.start_byte, syntax_node.end_byte
        parent, adapter = self._open[-1], self._adapter
        is_broken = not self._is_sound and (syntax_node.is_error or syntax_node.is_missing)
        if is_broken and self._is_whole is None and not adapter.understood.fullmatch(self._text(start, end)):
            raise DoesNotParse(f"line {syntax_node.start_point[0] + 1} does not parse")
        if self._ends[-1] < start:
            self._gap(self._ends[-1], start)
        self._ends[-1] = end
        last, column = syntax_node.end_point
        # What ends with its line break ends on the line before.
        node = Node(kind, field, syntax_node.start_point[0], end=last if column else last - 1)
        # A default stands to the right in a pattern, and declares nothing.
        node.binds = (parent.kind, field) in self._places or (
            parent.binds and parent.kind in self._patterns and field != "right"
        )
        if kind in adapter.comments:
            self._comment(node, self._text(start, end))
            return False
        has_children = syntax_node.child_count > 0
        if has_children and self._same and self._is_same(syntax_node, field, parent):
            node.text = self._text(start, end)
            name = syntax_node.child_by_field_name("name")
            node.origin = "" if name is None else self._text(name.start_byte, name.end_byte)
            parent.children.append(node)
            return False
        if parent is self.root and not has_children:
            parent.children.append(node)  # an empty file has a tree too
            return False
        if not self._is_sound and self._is_whole is not None and self._is_unclear(syntax_node, parent):
            node.kind, node.text = "ERROR", self._text(start, end)
            parent.children.append(node)
            return False
        is_known = not is_broken or self._is_whole is not None
        if has_children and is_known and not (self._is_exact(kind) and syntax_node.is_named):
            self._open.append(node)
            self._ends.append(start)
            self._limits.append(end)
            return True
        if kind in adapter.names:
            is_member = kind in adapter.member_kinds or (parent.kind, field) in adapter.member_places
            node.role = Role.MEMBER if is_member else Role.NAME
        node.text = self._text(start, end)
        self._put(node, parent)
        return False

    def leave(self) -> None:
        """The children of the innermost open node are complete."""
        end, limit = self._ends.pop(), self._limits.pop()
        if end < limit:
            self._gap(end, limit)
        node = self._open.pop()
        self._put(node, self._open[-1])

    def _put(self, node: Node, parent: Node) -> None:
        finish = self._adapter.finish.get(node.kind)
        if finish is None:
            parent.children.append(node)
        else:
            parent.children.extend(finish(node, self._context))

    def _is_exact(self, kind: str) -> bool:
        """Whether every byte of a named node of this kind counts."""
        known = self._exact.get(kind)
        if known is None:
            known = self._exact[kind] = self._adapter.exact.search(kind) is not None
        return known

    def _is_same(self, syntax_node: SyntaxNode, field: str | None, parent: Node) -> bool:
        """Whether a node with children need not be walked, as it stands word for word on the other side."""
        adapter, kind = self._adapter, syntax_node.type
        if kind in adapter.imports or kind in adapter.containers:
            return False
        if field != adapter.part_fields.get(parent.kind, field):
            return False
        is_body = parent.field == "body" and self._open[-2].kind in adapter.containers
        if parent.kind not in adapter.containers and len(self._open) != 2 and not is_body:
            return False
        return (syntax_node.text or b"") in self._same

    def _is_unclear(self, syntax_node: SyntaxNode, parent: Node) -> bool:
        """Whether a part of the file has something in it that does not parse, and may end elsewhere."""
        assert self._is_whole is not None
        is_part = len(self._open) == 2 or parent.kind.startswith(_CONDITION)
        return (
            is_part
            and not syntax_node.type.startswith(_CONDITION)
            and syntax_node.has_error
            and not self._is_whole(syntax_node.text or b"")
        )

    def _comment(self, node: Node, text: str) -> None:
        counts = self._adapter.comment_counts
        if self._adapter.pragma.match(text) or (counts is not None and counts(text, self._context)):
            node.text = text.rstrip()
            self._put(node, self._open[-1])

    def _gap(self, start: int, end: int) -> None:
        """What stands between two children and is no node: it counts, unless it is white space."""
        parent = self._open[-1]
        is_spaced = self._adapter.all_spaced or parent.kind in self._adapter.spaced
        if parent is self.root or (not is_spaced and self._data[start:end].isspace()):
            return
        text = self._text(start, end)
        if is_spaced or self._adapter.blank.sub("", text):
            parent.children.append(Node("gap", None, parent.row, text))

    def _text(self, start: int, end: int) -> str:
        return self._data[start:end].decode("utf-8", "surrogateescape")
