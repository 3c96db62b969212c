"""How the names of a file of JavaScript are used: what declares them, what calls them, and all else."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from msgspec import Struct, field

from intentls.core.syntax.languages.javascript.forms import CALLS
from intentls.core.syntax.tree import Node, Role, every_node

_WORD = re.compile(r"[\w$]+")
# A call by the name alone, in what was not read.
_CALLED = re.compile(r"(?<![\w$.])(?<!new )(?<!function )([A-Za-z_$][\w$]*)(?=\()")
_GIVEN = re.compile(r"\.([\w$]+)\(([^()]*)\)")


class NameUses(Struct):
    """`binds`: how often a name is declared. `calls`: the calls by the name alone. `others`: how often it stands else.

    `handed`: how often it is given to what is known to call it, and no more; the others don't count these.

    What stands word for word on the other side is not read; `unread` counts what it says, as calls where they look so.
    """

    binds: Counter[str] = field(default_factory=Counter)
    calls: defaultdict[str, list[Node]] = field(default_factory=lambda: defaultdict(list))
    others: Counter[str] = field(default_factory=Counter)
    handed: Counter[str] = field(default_factory=Counter)
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
            for given in _handed(node) if node.kind == "call_expression" else ():
                called.add(id(given))
                uses.handed[given.text or ""] += 1
        elif node.role is Role.NAME:
            if node.binds:
                uses.binds[node.text or ""] += 1
            elif id(node) not in called:
                uses.others[node.text or ""] += 1
        elif node.role is Role.TOKEN and is_unread(node):
            _read(node, uses)
    return uses


def _handed(call: Node) -> list[Node]:
    """The names that a list, a promise or an emitter of events is given: whatever has that name is called."""
    called, given = call.children[0], call.children[-1]
    if called.kind != "member_expression" or called.children[-1].text not in CALLS:
        return []
    return [part for part in given.children if part.role is Role.NAME and part.text is not None]


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
    lists = (given[2] for given in _GIVEN.finditer(text) if given[1] in CALLS)
    handed = Counter(word for given in lists for word in _WORD.findall(given))
    for word, count in Counter(_WORD.findall(text)).items():
        uses.unread[word] += count
        if word in declared:
            uses.binds[word] += 1
        else:
            uses.handed[word] += handed[word]
            uses.others[word] += max(count - calls[word] - handed[word], 0)


def words_of(root: Node) -> set[str]:
    """All words in a tree, in names, texts and what was not read."""
    return {word for leaf in every_node(root) for word in _WORD.findall(leaf.text or "")}
