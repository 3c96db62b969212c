"""Imports of Java whose names stand only where no import is asked: after a dot, and as what a `case` is of.

    import static org.a.Kind.LEAF;            switch (kind) {
    import org.a.Leaf;                          case LEAF -> tree.Leaf();
    switch (kind) { case LEAF -> .. }         }

A `case` without a dot names a constant of the value's own enum; a constant of another class is there only by an import,
so that the file would not compile without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from intentls.core.mutation.names.java_packages import items_of
from intentls.core.syntax.lexemes import uncommented
from intentls.core.syntax.tree import Node, inner_nodes

_STATIC = "import static "
_WORD = re.compile(r"[\w$]+")
# As a part says it that was not walked: on one line, since a comment may end in a dot.
_MEMBER = re.compile(r"(?:(?<!\.)\.|::)[ \t]*[A-Za-z_$][\w$]*")
_LABEL = re.compile(r"\bcase[ \t]+([\w$]+[ \t]*(?:,[ \t]*[\w$]+[ \t]*)*)(?:->|:(?!:))")


class JavaNames:
    """The words of a file that imports may give a meaning, and those that only labels of a `switch` have."""

    def __init__(self, parts: Iterable[Node]) -> None:
        self.said: set[str] = set()
        self._labels: set[str] = set()
        for part in parts:
            self._read(part)
        self.labels = frozenset(self._labels - self.said)

    def _read(self, part: Node) -> None:
        if part.text is not None:
            self._say(part.text)
        for node in inner_nodes(part):
            before = ""
            for child in node.children:
                if child.text is not None and node.kind == "switch_label" and child.kind == "identifier":
                    self._labels.add(child.text)
                elif child.text is not None and before not in (".", "::"):
                    self._say(child.text)
                before = child.text or ""

    def _say(self, said: str) -> None:
        text = uncommented(said)
        for label in _LABEL.finditer(text):
            self._labels.update(_WORD.findall(label[1]))
        self.said.update(_WORD.findall(_LABEL.sub("", _MEMBER.sub("", text))))


def may_name_labels(item: Node, names: JavaNames, root: Node, other: Node) -> bool:
    """Whether an import may go: if the file has labels of its name, nothing else may be one of that name."""
    name, module = item.children[-1].text or "", item.children[0].text or ""
    if name not in names.labels:
        return True
    imports = [*items_of(root), *items_of(other)]
    is_alone = sum(one.children[-1].text == name for one in imports) == 1
    return module.startswith(_STATIC) and is_alone and not any(map(_is_static_star, imports))


def _is_static_star(item: Node) -> bool:
    return item.children[-1].kind == "wildcard" and (item.children[0].text or "").startswith(_STATIC)
