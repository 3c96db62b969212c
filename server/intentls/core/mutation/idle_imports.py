"""Imports whose names stand nowhere else in the file: with and without them a program does the same.

    import json                          import re
    import re                     and    print(re.findall("a", "ba"))
    print(re.findall("a", "ba"))

`json` is used nowhere, and to import it does nothing that a program could miss. What an import may do beside giving a
name differs by language: Java's do nothing, TypeScript's are left out of what is emitted, and those of Python and
JavaScript run a module, so that only modules go that are known to do nothing.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from posixpath import basename, splitext

from intentls.core.syntax.languages.adapter import Adapter, kinds
from intentls.core.syntax.tree import Node

_WORD = re.compile(r"[\w$]+")
_QUIET_PYTHON = (sys.stdlib_module_names - {"readline", "this", "antigravity", "rlcompleter", "__future__"}) | {
    "pytest",
    "typing_extensions",
}
_QUIET_JAVASCRIPT = kinds(
    "assert buffer child_process crypto dns events fs http http2 https net os path perf_hooks querystring readline"
    " stream string_decoder timers tls url util v8 vm worker_threads zlib"
)


def drop_idle_imports(old: Node, new: Node, adapter: Adapter, path: str) -> None:
    """Take the unused imports out of both trees, where that is known to do nothing."""
    is_quiet = _QUIET.get(adapter.name)
    if is_quiet is None or splitext(basename(path))[0] in ("__init__", "index", "mod", "lib"):
        return
    idle = [[item for item in _idle(root) if is_quiet(item)] for root in (old, new)]
    first, second = ({_spelled(item) for item in items} for items in idle)
    if adapter.name == "Rust" and first - second and second - first:
        return  # one trait for another: a method may be another one's
    for root, items in zip((old, new), idle, strict=True):
        gone = {id(item) for item in items}
        root.children = [child for child in root.children if id(child) not in gone]


def _idle(root: Node) -> Iterator[Node]:
    """The imports at the top of the file whose names stand in no other place."""
    imports = [child for child in root.children if child.kind == "import_item" and child.children[-1].binds]
    if not imports:
        return
    words: set[str] = set()
    stack = [child for child in root.children if child.kind != "import_item"]
    while stack:
        node = stack.pop()
        words.update(_WORD.findall(node.text or ""))
        stack.extend(node.children)
    if "__all__" not in words:
        yield from (item for item in imports if item.children[-1].text not in words)


def _spelled(item: Node) -> str:
    return " ".join(child.text or "" for child in item.children)


def _python(item: Node) -> bool:
    return (item.children[0].text or "").partition(".")[0] in _QUIET_PYTHON


def _javascript(item: Node) -> bool:
    return (item.children[0].text or "").removeprefix("node:") in _QUIET_JAVASCRIPT


def _rust(item: Node) -> bool:
    return item.children[-1].kind == "identifier" and not (item.children[0].text or "").startswith("pub")


def _java(item: Node) -> bool:
    return item.children[-1].kind == "identifier"


def _typescript(item: Node) -> bool:
    return not (item.children[0].text or "").endswith((".css", ".scss"))


_QUIET: dict[str, Callable[[Node], bool]] = {
    "Python": _python,
    "JavaScript": _javascript,
    "TypeScript": _typescript,
    "TSX": _typescript,
    "Rust": _rust,
    "Java": _java,
}
