"""Patterns of Java: `a.matches("b")` is what `Pattern.compile("b").matcher(a).matches()` gives, and so on.

The documentation of `String.matches`, `replaceAll`, `replaceFirst` and `split` says that they give just that.
"""

from __future__ import annotations

from intentls.core.syntax.languages.made_nodes import given_to, joined_by, word_at
from intentls.core.syntax.tree import Node, Role, inner_nodes, spelling

_ASKED = frozenset({"matches", "replaceAll", "replaceFirst"})
_HOME = "import java.util.regex"


def asked_of_texts(root: Node) -> None:
    """A `Rewrite`: methods of texts for those of patterns that are made of a literal, where they are asked."""
    items = [child for child in root.children if child.kind == "import_item" and child.children[-1].text == "Pattern"]
    if [(item.children[0].text, item.children[1].text) for item in items] != [(_HOME, "Pattern")]:
        return
    for node in list(inner_nodes(root)):
        if node.kind == "method_invocation":
            _ask_text(node)


def _ask_text(node: Node) -> None:
    name, given, owner = _parts(node)
    if name == "matches" and len(given) == 2 and owner is not None and owner.text == "Pattern":
        _become(node, given[1], name, [given[0]])
        return
    if owner is None:
        return
    if name in _ASKED:
        before, matched, pattern = _parts(owner)
        text = _made_of(pattern) if before == "matcher" and len(matched) == 1 and pattern is not None else None
        if text is not None:
            _become(node, matched[0], name, [text, *given])
    elif name == "split" and len(given) == 1 and (text := _made_of(owner)) is not None:
        _become(node, given[0], name, [text])


def _parts(call: Node) -> tuple[str, list[Node], Node | None]:
    """The name of a method that is called, what it is given, and of what it is one."""
    name = call.child("name") if call.kind == "method_invocation" else None
    return (name.text or "", given_to(call), call.child("object")) if name is not None else ("", [], None)


def _made_of(pattern: Node) -> Node | None:
    """The literal of a pattern that is made of nothing else."""
    name, given, owner = _parts(pattern)
    is_made = name == "compile" and owner is not None and spelling(owner) == "Pattern"
    return given[0] if is_made and [part.kind for part in given] == ["string_literal"] else None


def _become(node: Node, owner: Node, name: str, given: list[Node]) -> None:
    """Make a call that of a method of `owner`."""
    owner.field = "object"
    for part in given:
        part.field = None
    listed = [word_at(node, "("), *joined_by(",", given), word_at(node, ")")]
    arguments = Node("argument_list", "arguments", node.row, children=listed)
    method = Node("method_identifier", "name", node.row, name, Role.MEMBER)
    node.children = [owner, word_at(node, "."), method, arguments]
