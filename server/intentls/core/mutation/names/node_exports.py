"""What modules of Node give to each other by name: `exports.load = ..`, `module.exports = { load }`, and who takes it.

    a.js   exports.load = load               b.js   const { load } = require("./a")
           module.exports = { load }                require("./a").load()
           const all = { load }
           module.exports = all

Such a name is a key of an object, but one that the repository's own files alone write and read; keys of all other
objects may be data.
"""

from __future__ import annotations

import re

from intentls.core.mutation.names.tree_names import Place
from intentls.core.syntax.languages.inlining import counted_words
from intentls.core.syntax.tree import Node, spelling

_EXPORTS = ("exports", "module.exports")


def export_of(place: Place) -> Node | None:
    """The node that exports something under this name: `exports.a = b`, or `a: b` of what a module exports.

    That may have a name of its own, which nothing else in the file says.
    """
    parent, around = place.holder(), place.holder(2)
    if len(place.above) < 4 or any(node.field == "body" for node in place.above):
        return None
    if parent.kind == "member_expression" and parent.field == "left" and around.kind == "assignment_expression":
        is_name = parent.children[-1] is place.leaf and spelling(parent.children[0]) in _EXPORTS
        return around if is_name else None
    if parent.kind in ("pair", "method_definition") and place.leaf.field in ("key", "name"):
        given = place.holder(3)
        if around.kind == "object" and around.field == "right" and given.kind == "assignment_expression":
            return parent if spelling(given.children[0]) in _EXPORTS else None
        is_named = around.kind == "object" and around.field == "value" and given.kind == "variable_declarator"
        return parent if is_named and _is_only_exported(place.above[0], given.children[0]) else None
    return None


def _is_only_exported(root: Node, name: Node) -> bool:
    """Whether the file says a name of its top only once more, where the module exports what has it."""
    exported = (spelling(child).rstrip(";") for child in root.children if child.kind == "expression_statement")
    is_exported = any(_WHOLE.sub("", text) == name.text for text in exported)
    return is_exported and counted_words(root)[name.text or ""] == 2


_WHOLE = re.compile(r"\A(?:exports\s*=\s*)?module\.exports\s*=\s*")


def taken_from(place: Place) -> str | None:
    """The module from which a name is taken here: `const { a } = require("b")`, `require("b").a`; None: from none."""
    parent = place.holder()
    if parent.kind == "pair_pattern" and place.leaf.field == "key":
        declarator = place.holder(3)
        is_whole = place.holder(2).field == "name" and declarator.kind == "variable_declarator"
        return _loaded(declarator.children[-1]) if is_whole else None
    if parent.kind == "member_expression" and parent.children[-1] is place.leaf:
        owner = parent.children[0]
        return _loaded(owner) if owner.text is None else _named(place.above[0], owner.text)
    return None


def _loaded(value: Node) -> str | None:
    """The module that is loaded by a call of `require`, if that is all."""
    if value.kind == "await_expression":
        value = value.children[-1]
    if value.kind != "call_expression" or spelling(value.children[0]) not in ("require", "import"):
        return None
    given = value.children[-1].children
    return given[1].text if [part.kind for part in given] == ["(", "string", ")"] else None


def _named(root: Node, name: str) -> str | None:
    """The module that has this name at the top of the file."""
    in_text = re.compile(
        rf"(?:const|let|var|,)\s+{re.escape(name)}\s*=\s*require\(\s*['\"]([^'\"\n]+)['\"]\s*\)(?=\s*[;,\n]|\s*\Z)"
    )
    for child in root.children:
        if child.kind not in ("lexical_declaration", "variable_declaration"):
            continue
        said = in_text.search(child.text or "")
        if said is not None:
            return said[1]
        for part in child.children:
            if part.kind == "variable_declarator" and part.children[0].text == name:
                return _loaded(part.children[-1])
    return None
