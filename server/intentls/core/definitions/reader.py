"""From a canonical tree to its definitions: one walk, no recursion."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from msgspec import Struct, field

from intentls.core.definitions.definition import Definition, hash_of_parts, hash_of_statement
from intentls.core.definitions.names import name_of
from intentls.core.definitions.node_tables import HOLDERS, OPEN, Table
from intentls.core.syntax.canonicalize import NodeBudget
from intentls.core.syntax.tree import Node, Role

_MAX_NAME = 500  # characters of a qualified name
_MAX_DEPTH = 50  # definitions in one another; each is read once more for its own hashes
_BLOCK = re.compile(
    r"(.*_)?(block|body)|compound_statement|body_statement|(field_)?declaration_list|statement_list|statements"
    r"|module|program|do|then|else"
)
_BODIES = ("function_body", "class_body", "enum_class_body")
# Of languages whose names are not followed.
_NAME = re.compile(r".*identifier|name|constant|variable_name|(instance|class|global)_variable")


def read_definitions(
    root: Node, table: Table, comments: frozenset[str], budget: NodeBudget, *, with_hashes: bool = True
) -> list[Definition]:
    """The definitions under `root`, in source order. `comments` are kinds of nodes that do not count.

    Without hashes, which are empty then, it is quicker. Raises NotClassifiable when the budget is used up.
    """
    reader = _DefinitionReader(table, comments | {"docstring"}, budget, with_hashes=with_hashes)
    reader.read(root)
    return [definition for _, definition in sorted(reader.definitions, key=lambda pair: pair[0])]


class _Statement(Struct):
    """A statement that is being read: its own parts."""

    parts: list[str] = field(default_factory=list)


class _Open(Struct):
    """A definition that is being read. The numbers are places in the reader's lists."""

    name: str
    kind: str
    first: int  # line from 0
    last: int
    own: int  # line of the node itself
    start: tuple[int, int]
    leaves: int
    body_start: tuple[int, int] | None = None
    body_end: tuple[int, int] | None = None
    statements: list[str] = field(default_factory=list)


class _Ends(NamedTuple):
    """What ends with a node."""

    definition: _Open | None
    statement: _Statement | None
    body_of: _Open | None


class _Wrapped(NamedTuple):
    """A node that may define something, and the lines of what is wrapped around it."""

    node: Node
    extent: tuple[int, int]


class _DefinitionBlock(NamedTuple):
    """A node that stands in a block: a statement."""

    node: Node


_Item = Node | _Wrapped | _DefinitionBlock | _Ends | None  # None: the end of any other node


class _DefinitionReader:
    def __init__(self, table: Table, ignored: frozenset[str], budget: NodeBudget, *, with_hashes: bool) -> None:
        self._table = table
        self._with_hashes = with_hashes
        self._ignored = ignored
        self._budget = budget
        self._definers = frozenset((*table.kinds, *table.outermost, *table.valued))
        self._tokens: list[str] = []  # all that is said, with a hole for each name
        self._names: list[str] = []
        self._leaves = 0
        self._open: list[_Open] = []
        self._statements: list[_Statement] = [_Statement()]
        self._bodies: dict[int, _Open] = {}  # by the identity of the node
        self._stack: list[_Item] = []
        self.definitions: list[tuple[tuple[int, int], Definition]] = []  # with the place of its start

    def read(self, root: Node) -> None:
        stack, spend, ignored = self._stack, self._budget.spend, self._ignored
        stack.append(root)
        while stack:
            item = stack.pop()
            if isinstance(item, Node):  # most are
                if item.kind in ignored:
                    continue
                if item.text is None:
                    spend()
                    self._enter(item, None, None)
                else:
                    self._leaf(item, item.text)
            elif item is None:
                self._token(")")
            elif isinstance(item, _Ends):
                self._leave(item)
            elif isinstance(item, _Wrapped):
                spend()
                self._enter(item.node, item.extent, None)
            else:
                spend()
                self._enter(item.node, None, self._statement())

    def _enter(self, node: Node, extent: tuple[int, int] | None, statement: _Statement | None) -> None:
        kind = node.kind
        definition = self._definition(node, extent) if kind in self._definers else None
        body_of = self._bodies.pop(id(node), None)
        if body_of is not None:
            body_of.body_start = self._place()
        self._token(f"({kind}")
        ends = definition or statement or body_of
        self._stack.append(_Ends(definition, statement, body_of) if ends is not None else None)
        if _is_block(kind):
            self._stack.extend(
                _DefinitionBlock(child) if self._is_statement(child) else child for child in reversed(node.children)
            )
        elif definition is None and kind in self._table.wrappers and self._wraps_one(node):
            lines = extent or (node.row, node.end)
            self._stack.extend(
                _Wrapped(child, lines) if child.text is None else child for child in reversed(node.children)
            )
        else:
            self._stack.extend(reversed(node.children))

    @staticmethod
    def _is_statement(node: Node) -> bool:
        return node.text is None and not _is_block(node.kind)  # a list of statements is none

    def _wraps_one(self, node: Node) -> bool:
        return sum(child.kind in self._definers or child.kind in self._table.wrappers for child in node.children) == 1

    def _leaf(self, node: Node, text: str) -> None:
        kind = node.kind
        self._leaves += 1
        if not self._with_hashes:
            self._tokens.append(kind)  # a place is all that counts
            return
        self._statements[-1].parts.append(text)
        if _is_name(kind) or node.role is not Role.TOKEN:
            self._tokens.append("\0")
            # Members have numbers of their own: self.name is not the parameter name.
            self._names.append(f".{text}" if node.role is Role.MEMBER or kind.startswith("field_") else text)
        else:
            self._tokens.append(f"{kind} {text}")

    def _token(self, token: str) -> None:
        self._tokens.append(token)
        self._statements[-1].parts.append(token)

    def _place(self) -> tuple[int, int]:
        return len(self._tokens), len(self._names)

    def _statement(self) -> _Statement:
        made = _Statement()
        self._statements.append(made)
        return made

    def _definition(self, node: Node, extent: tuple[int, int] | None) -> _Open | None:
        kind = self._kind(node)
        name = name_of(node, self._table) if kind else ""
        if not name or len(self._open) >= _MAX_DEPTH:
            return None
        outer = self._open[-1] if self._open else None
        if outer is not None:
            name = f"{outer.name}.{name}"[-_MAX_NAME:]
            kind = "method" if kind == "function" and outer.kind in HOLDERS else kind
        first, last = extent or (node.row, node.end)
        value = node.child(self._table.valued[node.kind][1]) if node.kind in self._table.valued else None
        opened = _Open(name, kind, first, last, node.row, self._place(), self._leaves)
        self._open.append(opened)
        body = _body(value or node)
        if body is not None:
            self._bodies[id(body)] = opened
        return opened

    def _kind(self, node: Node) -> str:
        """What the node defines; empty if nothing."""
        table = self._table
        if node.kind in table.bodied and node.child("body") is None:
            return ""
        value = node.child(table.valued[node.kind][1]) if node.kind in table.valued else None
        known = table.values.get(value.kind, "") if value is not None else ""
        if known and (known != "object" or self._is_outermost()):
            return known
        known = table.kinds.get(node.kind, "")
        if known == "type":
            inner = node.child("type")
            return _GO_TYPES.get(inner.kind, known) if inner is not None else known
        if not known and self._is_outermost():
            return table.outermost.get(node.kind, "")
        return known

    def _is_outermost(self) -> bool:
        return all(opened.kind in OPEN for opened in self._open)

    def _leave(self, item: _Ends) -> None:
        self._token(")")
        if item.body_of is not None:
            item.body_of.body_end = self._place()
        if item.definition is not None:
            self._close(item.definition)
        if item.statement is not None:
            done = self._statements.pop()
            if self._open and self._with_hashes:
                self._open[-1].statements.append(hash_of_statement(done.parts))

    def _close(self, opened: _Open) -> None:
        self._open.pop()
        end = self._place()
        body = None
        if opened.body_start is not None and opened.body_end is not None:
            body = self._exact(opened.body_start, opened.body_end)
        definition = Definition(
            name=opened.name,
            kind=opened.kind,
            start_line=opened.first + 1,
            end_line=opened.last + 1,
            normalized_hash=self._exact(opened.start, end),
            alpha_hash=self._alpha(opened.start, end),
            nameless_hash=self._nameless(opened.name.rpartition(".")[2], opened.start, end),
            body_hash=body,
            leaves=self._leaves - opened.leaves,
            statements=tuple(opened.statements),
            own_line=opened.own + 1,
        )
        self.definitions.append((opened.start, definition))

    def _exact(self, start: tuple[int, int], end: tuple[int, int]) -> str:
        if not self._with_hashes:
            return ""
        return hash_of_parts((*self._tokens[start[0] : end[0]], *self._names[start[1] : end[1]]))

    def _nameless(self, own: str, start: tuple[int, int], end: tuple[int, int]) -> str:
        if not self._with_hashes:
            return ""
        names = ("" if name.removeprefix(".") == own else name for name in self._names[start[1] : end[1]])
        return hash_of_parts((*self._tokens[start[0] : end[0]], *names))

    def _alpha(self, start: tuple[int, int], end: tuple[int, int]) -> str:
        if not self._with_hashes:
            return ""
        numbers: dict[str, int] = {}
        names = (str(numbers.setdefault(name, len(numbers))) for name in self._names[start[1] : end[1]])
        return hash_of_parts((*self._tokens[start[0] : end[0]], *names))


_GO_TYPES = {"struct_type": "struct", "interface_type": "interface"}


@cache
def _is_block(kind: str) -> bool:
    return _BLOCK.fullmatch(kind) is not None


@cache
def _is_name(kind: str) -> bool:
    return _NAME.fullmatch(kind) is not None


def _body(node: Node) -> Node | None:
    return node.child("body") or next((child for child in node.children if child.kind in _BODIES), None)
