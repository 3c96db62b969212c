"""Where words stand in a canonical tree: as names, with all that is around them, or in texts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from intentls.core.syntax.tree import Node, every_node

_NAME = re.compile(r"identifier\Z|imported\Z")
_WORD = re.compile(r"\w+")


class Place(Struct, frozen=True):
    """A name where it stands in the file `path`; `above` is what it stands in, the nearest last."""

    leaf: Node
    above: tuple[Node, ...]
    path: str

    @property
    def word(self) -> str:
        """The name, without the sign of a private one in JavaScript."""
        return (self.leaf.text or "").removeprefix("#")

    def holder(self, distance: int = 1) -> Node:
        """What it stands in: 1 is its parent. Beyond the root: the root."""
        return self.above[max(-distance, -len(self.above))]


def is_name(node: Node) -> bool:
    """Whether a leaf is a name, in any of the languages."""
    return _NAME.search(node.kind) is not None


def places_of(root: Node, words: Collection[str], path: str) -> tuple[list[Place], set[str]]:
    """The places in which one of the words is a name, in source order, and the words that a text has."""
    places: list[Place] = []
    said: set[str] = set()
    above: list[Node] = []
    stack: list[Node | None] = [root]
    while stack:
        node = stack.pop()
        if node is None:
            above.pop()
        elif node.text is None:
            above.append(node)
            stack.append(None)
            stack.extend(reversed(node.children))
        elif not is_name(node):
            said.update(word for word in _WORD.findall(node.text) if word in words)
        elif node.text.removeprefix("#") in words:
            places.append(Place(node, tuple(above), path))
    return places, said


def parts_of(word: str) -> Iterator[str]:
    """The beginnings and ends that a program could put the name together from: of `do_it` are they `do_` and `_it`."""
    for edge in re.finditer(r"(?<=[^_])_(?=[^_])", word):
        yield word[: edge.end()]
        yield word[edge.start() :]


def content_with(root: Node, renames: Mapping[str, str]) -> str:
    """What nodes that say the same have in common, once the names are changed."""
    parts: list[str] = []
    stack: list[Node | None] = [root]
    while stack:
        node = stack.pop()
        if node is None:
            parts.append(")")
        elif node.text is None:
            parts.append(f"({node.kind}")
            stack.append(None)
            stack.extend(reversed(node.children))
        else:
            parts.append(f"{node.kind} {_renamed(node, renames)}")
    return "\n".join(parts)


def rename(root: Node, renames: Mapping[str, str]) -> None:
    """Change the names in a tree."""
    for node in every_node(root):
        if node.text is not None:
            node.text = _renamed(node, renames)


def _renamed(leaf: Node, renames: Mapping[str, str]) -> str:
    text = leaf.text or ""
    if not is_name(leaf):
        return text
    return f"#{renames.get(text[1:], text[1:])}" if text.startswith("#") else renames.get(text, text)
