"""Where JavaScript and TypeScript name other files of the repository, beside the imports that bind names.

    const city = require("./city")        export * from "../util"        jest.mock("./city")

What loads a module is told from a text that only looks like one: the first can be followed, either is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import basename, dirname, normpath

from intentls.core.syntax.tree import Node, inner_nodes, spelling

REASON = "modules named by another path"

# What is given the name of a module, which is looked for from the file that calls it.
_LOADERS = re.compile(
    r"import|require(\.resolve)?|proxyquire"
    r"|(jest|vi)\.(mock|unmock|doMock|dontMock|requireActual|requireMock|importActual|importMock)\Z"
)
_FROM = frozenset({"import_statement", "export_statement", "import_require_clause"})
_QUOTED = re.compile(r"""['"`](\.\.?(?:/[^'"`\n]*)?)['"`]""")


def loading(root: Node) -> Iterator[Node]:
    """The texts that say which module is loaded, but for those of imports that bind names."""
    for node in inner_nodes(root):
        if node.kind in _FROM:
            named = node.child("source")
        elif node.kind == "call_expression":
            given = node.children[-1].children
            is_text = len(given) > 2 and given[1].kind == "string"
            named = given[1] if is_text and _LOADERS.fullmatch(spelling(node.children[0])) else None
        else:
            named = None
        if named is not None and named.kind == "string":
            named.text = _bare(named)
            yield named


def relative_texts(root: Node) -> Iterator[str]:
    """All that may be the path of a module from the file on, but for imports that bind names."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.kind == "import_item":
            continue
        stack.extend(node.children)
        if node.kind in ("string", "string_fragment") and _bare(node).startswith("."):
            yield _bare(node)
        elif node.kind != "string":
            yield from quoted_paths(node.text or "")


def quoted_paths(text: str) -> list[str]:
    """All that may be the path of a module from the file on, in a text that has no tree."""
    return _QUOTED.findall(text)


def _bare(text: Node) -> str:
    """What a text says: what is the same on both sides keeps its quotes."""
    return (text.text or "").strip("'\"")


def name_modules(root: Node, path: str) -> None:
    """Write the relative paths of modules in the shortest form: `../a` for `./../a`, `./a` for `../lib/a` in `lib`."""
    for item in (child for child in root.children if child.kind == "import_item"):
        module = item.children[0]
        if _bare(module).startswith("."):
            module.text = _shortest(_bare(module), path)
    for leaf in loading(root):
        if (leaf.text or "").startswith("."):
            leaf.text = _shortest(leaf.text or "", path)


def _shortest(module: str, path: str) -> str:
    if module.rpartition("/")[2] in ("", ".", ".."):  # a directory, and no file of that name
        return module
    here = basename(dirname(path))
    short = normpath(module)
    if here and short.startswith(f"../{here}/"):
        short = short.removeprefix(f"../{here}/")
    return short if short.startswith("../") else f"./{short}"
