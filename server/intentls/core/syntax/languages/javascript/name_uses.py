"""How the names of a file of JavaScript are used: what declares them, what calls them, and all else."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from msgspec import Struct, field

from intentls.core.syntax.tree import Node, Role, every_node

_WORD = re.compile(r"[\w$]+")
# A call by the name alone, in what was not read.
_CALLED = re.compile(r"(?<![\w$.])(?<!new )(?<!function )([A-Za-z_$][\w$]*)(?=\()")


class NameUses(Struct):
    """`binds`: how often a name is declared. `calls`: the calls by the name alone. `others`: how often it stands else.

    What stands word for word on the other side is not read; `unread` counts what it says, as calls where they look so.
    """

    binds: Counter[str] = field(default_factory=Counter)
    calls: defaultdict[str, list[Node]] = field(default_factory=lambda: defaultdict(list))
    others: Counter[str] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)

    def is_only_called(self, name: str) -> bool:
        """Whether a name is declared once, and all else that says it is a call."""
        return self.binds[name] == 1 and not self.others[name]


def uses_of(root: Node) -> NameUses:
    """The uses of all names in a tree."""
    uses = NameUses()
    called: set[int] = set()
    for node in every_node(root):
        if node.children:
            if node.kind == "call_expression" and node.children[0].role is Role.NAME and _is_plain_call(node):
                called.add(id(node.children[0]))
                uses.calls[node.children[0].text or ""].append(node)
        elif node.role is Role.NAME:
            if node.binds:
                uses.binds[node.text or ""] += 1
            elif id(node) not in called:
                uses.others[node.text or ""] += 1
        elif node.role is Role.TOKEN and is_unread(node):
            _read(node, uses)
    return uses


def _is_plain_call(node: Node) -> bool:
    return len(node.children) == 2 and node.children[1].kind == "arguments"


def is_unread(node: Node) -> bool:
    """Whether a leaf is a whole statement, which both sides have."""
    return (
        not node.children and node.text is not None and node.kind.endswith(("statement", "declaration", "definition"))
    )


def _read(node: Node, uses: NameUses) -> None:
    text = node.text or ""
    calls = Counter(_CALLED.findall(text))
    declared = {node.origin} if node.origin else set()
    for word, count in Counter(_WORD.findall(text)).items():
        uses.unread[word] += count
        if word in declared:
            uses.binds[word] += 1
        elif count > calls[word]:
            uses.others[word] += count - calls[word]


def words_of(root: Node) -> set[str]:
    """All words in a tree, in names, texts and what was not read."""
    return {word for leaf in every_node(root) for word in _WORD.findall(leaf.text or "")}


def counted_words(root: Node) -> Counter[str]:
    """How often each word stands in a tree, as in `words_of`."""
    return Counter(word for leaf in every_node(root) for word in _WORD.findall(leaf.text or ""))
