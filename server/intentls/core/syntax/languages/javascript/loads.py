"""Modules of Node itself that a file takes with `require`: they do nothing when they are loaded, whenever that is.

    const a = require("./a");                 const fs = require("fs");
    const fs = require("fs");       and       const a = require("./a");

Each stands first, as an import does, if nothing but what loads modules stands before it: none of that knows the names
of this file. A part (`require("fs").promises`) stays where it is, since another module may change what it is.
"""

from __future__ import annotations

import re

from intentls.core.syntax.languages.adapter import bound_name, import_item, kinds
from intentls.core.syntax.languages.javascript.forms import assigned
from intentls.core.syntax.languages.javascript.modules import is_module
from intentls.core.syntax.languages.javascript.name_uses import words_of
from intentls.core.syntax.tree import Node, Role, every_node, spelling

REASON = "import order"

QUIET = kinds(
    "assert buffer child_process crypto dns events fs http http2 https net os path perf_hooks querystring readline"
    " stream string_decoder timers tls url util v8 vm worker_threads zlib async_hooks dgram assert/strict fs/promises"
    " stream/promises timers/promises path/posix path/win32"
)
_LOADS = re.compile(r"(?:const|let|var)\s+[\w$\s{},:]+=\s*require\s*\(\s*['\"][^'\"\n]+['\"]\s*\)")
_LOAD = re.compile(r"(?:const|let|var)\s+([\w$]+)\s*=\s*require\(\s*['\"]([^'\"\n]+)['\"]\s*\)\s*;?")
_CLOSED = frozenset({"arrow_function", "function_expression", "generator_function", "class", "object"})


def loaded_first(root: Node) -> None:
    """A `Rewrite`: bring `const a = require("fs")` to the top, as an import that has an order of its own."""
    if not is_module(root) or any(leaf.binds and leaf.text == "require" for leaf in every_node(root)):
        return
    end = _end_of_loads(root)
    changed: set[str] | None = None
    items: list[Node] = []
    loads: set[int] = set()
    for child in root.children[:end]:
        found = _loaded(child)
        if found is None:
            continue
        changed = assigned(root) if changed is None else changed
        name, module = found
        binds = sum(leaf.binds and leaf.text == name for leaf in every_node(root))
        if name not in changed and binds == (child.text is None):
            word = Node("namespace", None, child.row, "require")
            items.append(import_item(child, module, word, bound_name(child, name, module)))
            loads.add(id(child))
    if items:
        rest = [child for child in root.children if id(child) not in loads]
        first = next((number for number, child in enumerate(rest) if not _is_text(child)), len(rest))
        root.children = [*rest[:first], *items, *rest[first:]]


def _end_of_loads(root: Node) -> int:
    """Up to where a file only loads modules."""
    functions = {
        child.origin or spelling(child.child("name") or child)
        for child in root.children
        if child.kind.endswith("function_declaration")
    }
    for index, child in enumerate(root.children):
        if not _is_quiet(child) or not functions.isdisjoint(words_of(child)):
            return index
    return len(root.children)


def _is_quiet(child: Node) -> bool:
    if child.kind == "import_item" or _is_text(child):
        return True
    if child.kind not in ("lexical_declaration", "variable_declaration"):
        return False
    if child.text is not None:
        is_load = _LOADS.match(child.text) is not None or "(" not in child.text
        return is_load and "=>" not in child.text and "function" not in child.text
    return not any(node.kind in _CLOSED for node in every_node(child))


def _is_text(child: Node) -> bool:
    if child.kind != "expression_statement":
        return False
    return child.text[:1] in ("'", '"') if child.text else child.children[0].kind == "string"


def _loaded(statement: Node) -> tuple[str, str] | None:
    """The name that a statement gives to a module of Node as a whole, and which one."""
    if statement.kind not in ("lexical_declaration", "variable_declaration"):
        return None
    if statement.text is not None:
        said = _LOAD.fullmatch(statement.text)
        return (said[1], said[2]) if said is not None and said[2].removeprefix("node:") in QUIET else None
    parts = statement.children[1].children if len(statement.children) == 2 else []
    if len(parts) != 3 or parts[0].role is not Role.NAME or parts[2].kind != "call_expression":
        return None
    called, given = parts[2].children[0], parts[2].children[-1].children
    is_load = called.text == "require" and [part.kind for part in given] == ["(", "string", ")"]
    module = given[1].text or "" if is_load else ""
    return (parts[0].text or "", module) if module.removeprefix("node:") in QUIET else None
