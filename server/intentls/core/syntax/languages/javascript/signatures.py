"""Signatures of TypeScript that only a line break parts, which the grammar takes for one: with a sign, it reads them.

    interface Pick {                     interface Pick {
      (): State<S>                         (): State<S>
      <U>(of: S): U                       ;<U>(of: S): U
    }                                    }

The language ends a type where the line does, so this is what it says. The sign stands in the place of a space, so that
all else stays where it was.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Tree

_BEGINS = re.compile(rb"(?<=\n)([ \t]*)[ \t](?=<[A-Za-z])")
_BODIES = frozenset({"object_type", "interface_body"})


def with_signatures_apart(content: bytes) -> bytes:
    """The content with a sign before each line that may begin with the names of a signature's types."""
    return _BEGINS.sub(rb"\1;", content)


def are_signatures_apart(tree: Tree, content: bytes) -> bool:
    """Whether each of the signs, of which `content` is without, parts what stands in a type."""
    for begin in _BEGINS.finditer(content):
        node = tree.root_node.descendant_for_byte_range(begin.end() - 1, begin.end())
        if node is None or node.type != ";" or node.parent is None or node.parent.type not in _BODIES:
            return False
    return True
