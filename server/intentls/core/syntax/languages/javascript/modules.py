"""Modules of JavaScript: whether a file is one, whose names no other file sees, and what it loads of Node itself."""

from __future__ import annotations

import re

from intentls.core.syntax.tree import Node, spelling

SCRIPTS = ("JavaScript", "TypeScript", "TSX")

# What a module of Node gives to others, or takes from them, as it is loaded.
_LOADED = re.compile(
    r"(?:module\.)?exports\b(?:\.\w+)*\s*=(?!=)"
    r"|(?:var|let|const)\s[\w\s{},:]{1,300}=\s*require\(\s*(?:'[^'\n]+'|\"[^\"\n]+\")\s*\)"
)


def _is_of_module(child: Node) -> bool:
    """Whether a statement at the top stands in a module, whose names no other file sees."""
    if child.kind in ("import_item", "export_statement") or child.text is not None:
        return child.kind in ("import_item", "export_statement") or _LOADED.match(child.text or "") is not None
    if child.kind == "expression_statement":
        return _LOADED.match(spelling(child)) is not None
    values = [part.child("value") for part in child.children if part.kind == "variable_declarator"]
    return any(value is not None and _is_loaded(value) for value in values)


def _is_loaded(value: Node) -> bool:
    """Whether it begins with `require("a")`."""
    while value.children and value.child("arguments") is None and value.kind == "member_expression":
        value = value.children[0]
    arguments = value.child("arguments")
    kinds_given = [] if arguments is None else [part.kind for part in arguments.children]
    return value.children[:1] != [] and value.children[0].text == "require" and kinds_given == ["(", "string", ")"]


def is_module(root: Node) -> bool:
    """Whether a file is a module, of the language or of Node's."""
    return any(map(_is_of_module, root.children))
