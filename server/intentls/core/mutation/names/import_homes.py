"""Where a name lives that a file imports: the way from module to module, as the files of a repository have it.

    a.py         from shop import Cart              before: `Cart` of shop/cart.py
    shop/__init__.py   from .cart import Cart
    shop/cart.py       class Cart: ..

A way is only followed where nothing else can give the name: each module on it says it once, under no condition.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from posixpath import dirname, join, normpath, splitext

from intentls.core.mutation.names.loaded_modules import LoadedModules, absolute, dotted
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.names.tree_names import places_of
from intentls.core.syntax.languages.facts import ImportedName
from intentls.core.syntax.tree import Node, every_node, spelling

_MAX_WAY = 6
_HOLDERS = re.compile(r"(function|class|method)_(definition|declaration|expression)|arrow_function|lambda")
_SUFFIXES = (".ts", ".tsx", ".d.ts")
_KINDS = r"(?:(?:declare|abstract|async)\s+)*(?:const\s+enum|const|let|class|interface|type|enum|function)"
_CLAUSE = re.compile(r"\bexport\s+(?:type\s+)?\{([^}]*)\}(?:\s*from\s*['\"]([^'\"]+)['\"])?")
_ALL = re.compile(r"\bexport\s+(?:type\s+)?\*\s*from\s*['\"]([^'\"]+)['\"]")
_PROSE = re.compile(r"/\*[\s\S]*?\*/|(?<!:)//[^\n]*")
_ROOTS = (["crate"], ["self"], ["super"])
_UNTOLD = frozenset({"use_declaration", "macro_invocation", "expression_statement", "macro_definition"})
_ROOT_FILES = ("lib.rs", "main.rs")

Home = tuple[str, str]
"""A file or a module, and a name in it."""


class ImportHomes:
    """Those of a repository before and after a change: `before` and `after` are the files that changed."""

    def __init__(
        self,
        before: Mapping[str, bytes],
        after: Mapping[str, bytes],
        others: RepositoryText,
        parse: Callable[[str, bytes], Node | None],
        modules: LoadedModules,
    ) -> None:
        self._changed = {True: before, False: after}
        self._others, self._parse, self._modules = others, parse, modules

    def is_same(self, path: str, one: ImportedName, other: ImportedName) -> bool:
        """Whether the file at `path` took, as `one` before the change, what it takes as `other` after it."""
        find = {".py": self._of_python, ".rs": self._of_rust}.get(splitext(path)[1], self._of_types)
        home = find(path, one, is_before=True)
        return home is not None and home == find(path, other, is_before=False)

    def is_same_module(self, path: str, one: str, other: str) -> bool:
        """Whether two names are of one module of Python, for the file at `path`."""
        return _whole(one, path) == _whole(other, path) != ""

    def _of_python(self, path: str, named: ImportedName, *, is_before: bool) -> Home | None:
        module, name, found = named.module, named.name, path
        for step in range(_MAX_WAY):
            whole = _whole(module, found)
            if not whole or whole.partition(".")[0] in sys.stdlib_module_names:
                return (whole, name) if whole else None
            files = self._files_with((name,), is_before=is_before)
            at = [other for other in files if other.endswith(".py") and dotted(other) == whole]
            root = self._parse(at[0], files[at[0]]) if len(at) == 1 else None
            item = None if root is None else self._only_binding(root, at[0], name)
            if root is None or item is None:
                return None
            is_home = item.kind != "import_item"
            if (step or not is_home) and self._modules.is_named(at[0], {name}):
                return None  # something may give it another value on the way
            if is_home or len(item.children) < 3:
                return whole, name
            module, name, found = item.children[0].text or "", item.children[1].text or "", at[0]
        return None

    @staticmethod
    def _only_binding(root: Node, path: str, name: str) -> Node | None:
        """The statement at the top of a module of Python that alone gives the name something."""
        given = (node for node in every_node(root) if node.kind == "global_statement")
        if any(leaf.text == name for node in given for leaf in node.children):
            return None
        stars = any(node.kind == "import_item" and node.children[-1].text == "*" for node in every_node(root))
        places = [
            place
            for place in places_of(root, {name}, path)[0]
            if place.leaf.binds and not any(_HOLDERS.search(node.kind) for node in place.above[:-1])
        ]
        statements = [child for child in root.children if any(leaf.binds and leaf.text == name for leaf in _own(child))]
        return statements[0] if len(places) == len(statements) == 1 and not stars else None

    def _of_types(self, path: str, named: ImportedName, *, is_before: bool) -> Home | None:
        module = named.module.strip("'\"")
        if not module.startswith("."):
            return None
        files = {
            other: _PROSE.sub(" ", content.decode("utf-8", "replace"))
            for other, content in self._files_with(("export",), is_before=is_before).items()
            if other.endswith(_SUFFIXES)
        }
        if not named.is_type:  # then a module is run, and has to be the same one
            found = _files_of(files, path, module)
            return (found[0], named.name) if len(found) == 1 else None
        homes = set(_types(files, path, module, named.name, _MAX_WAY))
        return homes.pop() if len(homes) == 1 else None

    def _of_rust(self, path: str, named: ImportedName, *, is_before: bool) -> Home | None:
        own = self._module_of(path, is_before=is_before)
        words = [word for word in named.module.split("::") if word]
        if own is None or words[:1] not in _ROOTS or named.module.startswith("::"):
            return None
        top, name = path.rpartition("src/")[0], named.name
        where = _from(words, [*own, *named.within])
        for _ in range(_MAX_WAY if where is not None else 0):
            found = self._handed_on(top, where or [], name, is_before=is_before)
            if found is None:
                break
            where, name = found
        return None if where is None else ("::".join(("crate", *where)), name)

    def _handed_on(self, top: str, where: list[str], name: str, *, is_before: bool) -> tuple[list[str], str] | None:
        """The module from which another one hands a name of Rust on, and its name there; None if it does not."""
        files = self._files_with((name,), is_before=is_before)
        stem = "/".join((f"{top}src", *where))
        places = [f"{stem}.rs", f"{stem}/mod.rs"] if where else [f"{stem}/{file}" for file in _ROOT_FILES]
        found = [place for place in places if place in files]
        root = self._parse(found[0], files[found[0]]) if len(found) == 1 else None
        item = None if root is None else _only_export(root, name)
        if root is None or item is None:
            return None
        words = (item.children[0].text or "").rpartition(" ")[2].split("::")[:-1]
        modules = (child.child("name") for child in root.children if child.kind == "mod_item")
        is_near = not where and any(module is not None and [module.text] == words[:1] for module in modules)
        target = _from(words, where) if is_near or words[:1] in _ROOTS else None
        return None if target is None else (target, item.children[1].text or "")

    def _module_of(self, path: str, *, is_before: bool) -> list[str] | None:
        """The modules from the crate's own file on to that of a file, each of which the one around it declares."""
        top, found, rest = path.rpartition("src/")
        parts = splitext(rest)[0].split("/")
        if not found or top[-1:] not in ("", "/") or parts[0] == "bin":
            return None
        if rest in _ROOT_FILES:
            return []
        parts = parts[:-1] if parts[-1] == "mod" else parts
        for index, name in enumerate(parts):
            files = self._files_with((name,), is_before=is_before)
            around = "/".join((f"{top}src", *parts[:index]))
            homes = [f"{around}/{file}" for file in _ROOT_FILES] if not index else [f"{around}.rs", f"{around}/mod.rs"]
            texts = [files[home].decode("utf-8", "replace") for home in homes if home in files]
            declared = re.compile(rf"^(?:pub(?:\([^)]*\))?[ \t]+)?mod[ \t]+{name};", re.MULTILINE)
            if not any(map(declared.search, texts)) or any("#[path" in text for text in texts):
                return None
        return parts

    def _files_with(self, words: tuple[str, ...], *, is_before: bool) -> Mapping[str, bytes]:
        return {**(self._others.mentioning(words) or {}), **self._changed[is_before]}


def _from(words: list[str], here: list[str]) -> list[str] | None:
    """The module that a path means from another one on; None where it leads out of the crate."""
    if words[0] == "crate":
        return words[1:]
    while words and words[0] in ("self", "super"):
        if words[0] == "super" and not here:
            return None
        here, words = here[: len(here) - (words[0] == "super")], words[1:]
    return [*here, *words]


def _only_export(root: Node, name: str) -> Node | None:
    """The import that alone gives a module of Rust the name, if no other statement can."""
    items = [child for child in root.children if child.kind == "import_item" and child.children[-1].text == name]
    rest = (child for child in root.children if child.kind != "import_item")
    declared = any((own := child.child("name")) is not None and own.text == name for child in rest)
    others = any(name in spelling(child) for child in root.children if child.kind in _UNTOLD)
    stars = any(child.kind == "import_item" and child.children[1].text == "*" for child in root.children)
    return items[0] if len(items) == 1 and not (declared or others or stars) else None


def _whole(module: str, path: str) -> str:
    """The whole name of a module of Python that a file imports."""
    if module.partition(".")[0] in sys.stdlib_module_names:
        return module
    return absolute(module, dotted(path), path)


def _own(statement: Node) -> Iterator[Node]:
    """The leaves of a statement, but for those within what it defines."""
    stack = [statement]
    while stack:
        node = stack.pop()
        if node.text is not None:
            yield node
        is_inner = node is not statement and _HOLDERS.search(node.kind) is not None
        stack += [] if is_inner else [child for child in node.children if child.field != "body"]


def _files_of(files: Mapping[str, str], importer: str, module: str) -> list[str]:
    """The files of TypeScript that a path may mean, which begins with a dot."""
    target = normpath(join(dirname(importer), module))
    stem = splitext(target)[0] if splitext(target)[1] in (".js", ".jsx", ".ts", ".tsx") else target
    return [file for end in _SUFFIXES for file in (f"{stem}{end}", f"{stem}/index{end}") if file in files]


def _types(files: Mapping[str, str], importer: str, module: str, name: str, steps: int) -> Iterator[Home]:
    """The files that may declare a type which one takes from another: more than one, or none, tells nothing."""
    found = _files_of(files, importer, module)
    if len(found) != 1 or not steps:
        yield from (("?", name), ("", name))  # it is not told
        return
    path, text = found[0], files[found[0]]
    if re.search(rf"^export\s+{_KINDS}\s+{re.escape(name)}\b", text, re.MULTILINE):
        yield path, name
    for names, source in _CLAUSE.findall(text):
        for entry in names.split(","):
            words = entry.split()
            words = words[1:] if words[:1] == ["type"] and len(words) > 1 else words
            if words[-1:] != [name]:
                continue
            if source.startswith("."):
                yield from _types(files, path, source, words[0], steps - 1)
            else:
                yield (f"{source}\0", words[0]) if source else (f"{path}\0{words[0]}", name)
    for source in _ALL.findall(text):
        if source.startswith("."):
            yield from _types(files, path, source, name, steps - 1)
        else:
            yield from (("?", name), ("", name))
