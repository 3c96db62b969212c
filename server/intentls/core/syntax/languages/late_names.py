"""Local names of constants and new lists: declared right before what says them first, in the order of their use there.

    names = []                         log(path)
    log(path)                 and      names = []
    fill(names, path)                  fill(names, path)

Nothing between has the name, so nothing can tell when it got its value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from intentls.core.syntax.languages.adapter import Rewrite
from intentls.core.syntax.languages.inlining import counted_words, named_value
from intentls.core.syntax.tree import Node, every_node, inner_nodes

REASON = "variables declared in another way"

_BLOCKS = frozenset({"block", "statement_block"})
_HOISTED = ("function_declaration", "generator_function_declaration")
_IDLE = frozenset(
    {
        *("string", "content", "integer", "float", "number", "true", "false", "none", "null"),
        *("list", "dictionary", "array", "object", "[", "]", "{", "}", ","),
    }
)


def declared_late(function_kinds: Collection[str], dynamic: Collection[str]) -> Rewrite:
    """A rewrite of functions of these kinds; `dynamic` names may reach any name."""

    def rewrite(root: Node) -> None:
        stack = [root]
        while stack:
            node = stack.pop()
            if node.kind not in function_kinds:
                stack.extend(child for child in node.children if child.children)
                continue
            blocks = [block for block in inner_nodes(node) if block.kind in _BLOCKS and any(map(_idle, block.children))]
            words = counted_words(node) if blocks else Counter[str]()
            if blocks and words.keys().isdisjoint(dynamic):
                for block in blocks:
                    _sink(block, words)

    return rewrite


def _idle(statement: Node) -> str:
    """The name that a statement gives a constant or a new list of constants; empty for any other one."""
    pair = named_value(statement)
    return pair[0] if pair is not None and all(node.kind in _IDLE for node in every_node(pair[1])) else ""


def _sink(block: Node, words: Counter[str]) -> None:
    said = [counted_words(child) for child in block.children]
    for index in range(len(block.children) - 2, -1, -1):
        statement = block.children[index]
        name = _idle(statement)
        using = [at for at in range(index + 1, len(said)) if said[at][name]] if name else []
        is_hoisted = any(block.children[at].kind in _HOISTED for at in using)
        if not using or is_hoisted or sum(said[at][name] for at in using) != words[name] - 1:
            continue
        target = block.children[using[0]]
        at = using[0] - 1  # where it comes to stand once it is taken out
        counts = said.pop(index)
        del block.children[index]
        while at > index and _comes_later(block.children[at - 1], target, name):
            at -= 1
        block.children.insert(at, statement)
        said.insert(at, counts)


def _comes_later(before: Node, target: Node, name: str) -> bool:
    """Whether a statement declares what the target says after the name."""
    other = _idle(before)
    said = _words(target) if other else []
    return other in said and said.index(name) < said.index(other)


def _words(root: Node) -> list[str]:
    """The texts of the leaves of a tree from the left to the right."""
    words: list[str] = []
    stack = [root]
    while stack:
        node = stack.pop()
        words += [] if node.text is None else [node.text]
        stack.extend(reversed(node.children))
    return words
