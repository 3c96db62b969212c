"""Imports whose names stand nowhere else in the file: with and without them a program does the same.

    import json                          import re
    import re                     and    print(re.findall("a", "ba"))
    print(re.findall("a", "ba"))

`json` is used nowhere, and to import it does nothing that a program could miss. What an import may do beside giving a
name differs by language: Java's do nothing, TypeScript's are left out of what is emitted, and those of Python,
JavaScript and Go run a module, so that only modules go that are known to do nothing.
"""

from __future__ import annotations

import builtins
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from posixpath import basename, splitext

from intentls.core.mutation.equivalences.rust_idle_exports import drop_idle_exports
from intentls.core.mutation.names.java_labels import JavaNames, may_name_labels
from intentls.core.syntax.languages.adapter import Adapter, kinds
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.go.standard_library import QUIET
from intentls.core.syntax.languages.javascript.loads import QUIET as QUIET_JAVASCRIPT
from intentls.core.syntax.languages.javascript.modules import SCRIPTS
from intentls.core.syntax.languages.javascript.name_uses import is_unread
from intentls.core.syntax.languages.python.code_text import without_prose
from intentls.core.syntax.lexemes import uncommented
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_WORD = re.compile(r"[\w$]+")
_QUIET_PYTHON = (sys.stdlib_module_names - {"readline", "this", "antigravity", "rlcompleter", "__future__"}) | {
    "pytest",
    "setuptools",
    "typing_extensions",
}
_BUILTINS = frozenset(dir(builtins))
_LOADS = frozenset({"Python", "JavaScript"})  # where an import runs a module, once


def drop_idle_imports(old: Node, new: Node, adapter: Adapter, path: str, facts: Surroundings) -> None:
    """Take the unused imports out of both trees, where that is known to do nothing.

    That is so for one of a module that is imported on both sides, too: of two names of `m` one may go. One that came
    has to be there.
    """
    if adapter.name == "Rust":
        _drop_in_modules(old, new)
        drop_idle_exports(old, new, path, facts)
    if _spellings(old) == _spellings(new):
        return  # before all words of a file are looked at
    is_quiet = _QUIET.get(adapter.name)
    if is_quiet is None or splitext(basename(path))[0] in ("__init__", "mod", "lib"):  # others may import it from here
        return
    loaded = [_loaded(root) for root in (old, new)]
    text_of = _python_text if adapter.name == "Python" else _text
    had = {_spelled(item) for item in _items(old)}

    def may_go(item: Node, others: set[str]) -> bool:
        module, name = item.children[0].text or "", item.children[1].text or ""
        came = _spelled(item) not in had
        if adapter.name == "Python" and not came and facts.is_taken(item.children[-1].text or ""):
            return False
        if came and adapter.name in _LOADS and item.children[1].kind == "imported" and not facts.has(module, name):
            return False  # no module has to have that name: then the import fails
        if is_quiet(item):
            return adapter.name != "Rust" or not _leads_on(item, old if not came else new)
        if adapter.name not in _LOADS:
            return False
        if module not in others:
            is_known = item.children[1].kind != "imported" or name[:1].isupper() or facts.has(module, name)
            return adapter.name == "Python" and is_known and facts.is_loaded(module, name, others, is_before=came)
        is_there = not came and (adapter.name != "Python" or name.lstrip("_")[:1].isupper())
        return is_there or (item.children[1].kind == "imported" and facts.has(module, name))

    idle = [
        [item for item in _idle(root, text_of, is_script=adapter.name in SCRIPTS) if may_go(item, others)]
        for root, others in zip((old, new), reversed(loaded), strict=True)
    ]
    if adapter.name == "Java":
        idle = [_idle_of_java(old, new), _idle_of_java(new, old)]
    first, second = ({_spelled(item) for item in items} for items in idle)
    if adapter.name == "Rust" and first - second and second - first:
        return  # one trait for another: a method may be another one's
    for root, items in zip((old, new), idle, strict=True):
        gone = {id(item) for item in items}
        root.children = [child for child in root.children if id(child) not in gone]


def _idle_of_java(root: Node, other: Node) -> list[Node]:
    names = JavaNames(child for child in root.children if child.kind != "import_item")
    named = [item for item in _items(root) if _java(item) and item.children[-1].text not in names.said]
    return [item for item in named if may_name_labels(item, names, root, other)]


def _drop_in_modules(old: Node, new: Node) -> None:
    """Take the unused imports out of the modules of Rust that stand in the file: no other module sees these."""
    holders = [
        [node.children[-1] for node in inner_nodes(root) if node.kind == "mod_item" and node.children[-1].children]
        for root in (old, new)
    ]
    had, has = ([_spellings(body) for body in bodies] for bodies in holders)
    if had == has:
        return
    idle = [
        [(body, item) for body in bodies for item in _idle(body, _text) if _rust(item) and not _leads_on(item, body)]
        for bodies in holders
    ]
    first, second = ({_spelled(item) for _, item in pairs} for pairs in idle)
    if first - second and second - first:
        return  # as above: one trait for another
    for body, item in (pair for pairs in idle for pair in pairs):
        body.children = [child for child in body.children if child is not item]


def _leads_on(item: Node, holder: Node) -> bool:
    """Whether another import begins with the name: without this one it may still be one, of something else."""
    others = (other.children[0].text or "" for other in _items(holder) if other is not item)
    paths = (module.partition(" ")[2] for module in others)  # without its `pub`
    return any(_WORD.findall(path)[:1] == [item.children[-1].text] for path in paths)


def _text(node: Node) -> str:
    return node.text or ""


def _python_text(node: Node) -> str:
    """What it says, but for prose: docstrings without examples, and comments in a part that was not walked."""
    if node.kind in ("docstring", "comment") and ">>>" not in (node.text or ""):
        return ""
    return _TAKEN.sub(" ", without_prose(node.text or ""))


# What `_taken` finds in a tree, as a text says it.
_TAKEN = re.compile(r"^[ \t]*from[ \t]+[\w.]+[ \t]+import\b|\b\w+[ \t]+as\b(?=[ \t]+\w)", re.MULTILINE)


def _items(root: Node) -> Iterator[Node]:
    return (child for child in root.children if child.kind == "import_item")


def _spellings(root: Node) -> Counter[str]:
    return Counter(map(_spelled, _items(root)))


def _loaded(root: Node) -> set[str]:
    """The modules that the file imports, in Python with those that they lie in."""
    modules = {item.children[0].text or "" for item in _items(root)}
    dotted = {module for module in modules if not module.startswith((".", "'", '"'))}
    return modules | {module[: dot.start()] for module in dotted for dot in re.finditer(r"\.", module)}


def _used(statements: Iterable[Node]) -> set[str]:
    """What statements of JavaScript may say of names: all but members, and what elements of JSX become calls of."""
    words: set[str] = set()
    for node in (node for statement in statements for node in every_node(statement)):
        if node.kind.startswith("jsx_"):
            words |= _MAKE_ELEMENTS
        elif is_unread(node):
            words |= _MAKE_ELEMENTS if _TAG.search(node.text or "") else set()
            words.update(_WORD.findall(_MEMBER.sub("", uncommented(node.text or ""))))
        elif node.role is Role.NAME:
            words.add(node.text or "")
        elif node.role is not Role.MEMBER and node.text is not None:
            words.update(_WORD.findall(node.text))
    return words


# `.a`, but not `...a`, and `a:` in an object.
_MEMBER = re.compile(r"(?<!\.)\.\s*[A-Za-z_$][\w$]*|(?<=[{,])\s*[A-Za-z_$][\w$]*\s*(?=:)")
_TAG = re.compile(r"</|/>")
_MAKE_ELEMENTS = kinds("React h jsx createElement Fragment preact Preact Inferno dom m")


def _idle(root: Node, text_of: Callable[[Node], str], *, is_script: bool = False) -> Iterator[Node]:
    """The imports at the top of the file whose names stand in no other place."""
    imports = [child for child in root.children if child.kind == "import_item" and child.children[-1].binds]
    if not imports:
        return
    rest = [child for child in root.children if child.kind != "import_item"]
    if is_script:
        words = _used(rest)
    else:
        taken = {id(part) for child in rest for part in _taken(child)}
        nodes = (node for child in rest for node in every_node(child) if node.text and id(node) not in taken)
        words = set(_WORD.findall("\n".join(map(text_of, nodes))))
    if "__all__" not in words or _says_all(root):
        yield from (item for item in imports if item.children[-1].text not in words)


def _taken(root: Node) -> Iterator[Node]:
    """What the imports within blocks take, and from which module: these are no names of the file."""
    return (part for node in inner_nodes(root) if node.kind == "import_item" for part in node.children[:-1])


def _says_all(root: Node) -> bool:
    """Whether the file lists, once and as texts, the names that it gives away: it gives away no other import."""
    texts = [child.text if child.text is not None else spelling(child) for child in root.children]
    lists = [text for text in texts if "__all__" in text]
    return len(lists) == 1 and _LISTED.match(lists[0]) is not None


_ITEMS = r"['\"]?\w+['\"]?\s*(?:,\s*['\"]?\w+['\"]?\s*)*,?\s*"
# A tuple in a tree has no brackets, and so its comma tells it from a name.
_LISTED = re.compile(rf"__all__\s*=\s*(?:[\[(]\s*{_ITEMS}[\])]|\w+,(?:{_ITEMS})?)\Z")


def hoist_imports(root: Node, adapter: Adapter) -> None:
    """Imports of modules that do nothing stand at the top, whichever function they stood in, if all mean one thing."""
    if adapter.name != "Python":
        return
    bound = Counter(node.text for node in every_node(root) if node.binds)
    inner = [
        (holder, item)
        for function in inner_nodes(root)
        if function.kind == "function_definition"
        for holder in function.children[-1:]
        for item in _items(holder)
        if _python(item) and item.children[-1].binds and item.children[-1].text not in _BUILTINS
    ]
    for holder, item in inner:
        name, spelled = item.children[-1].text, _spelled(item)
        alike = [other for other in (*_items(root), *(one for _, one in inner)) if _spelled(other) == spelled]
        if bound[name] == len(alike):
            holder.children = [child for child in holder.children if child is not item]
            bound[name] -= 1
            if not any(_spelled(other) == spelled for other in _items(root)):
                root.children.insert(_first(root), item)
                bound[name] += 1


def _first(root: Node) -> int:
    """Where an import may stand: after the file's own text and what `__future__` changes."""
    kinds_before = ("docstring", "comment", "expression_statement")
    index = 0
    for number, child in enumerate(root.children):
        is_future = child.kind == "import_item" and child.children[0].text == "__future__"
        if is_future or (number == index and child.kind in kinds_before and not child.children):
            index = number + 1
    return index


def _spelled(item: Node) -> str:
    return " ".join(child.text or "" for child in item.children)


def _python(item: Node) -> bool:
    return (item.children[0].text or "").partition(".")[0] in _QUIET_PYTHON


def _javascript(item: Node) -> bool:
    return (item.children[0].text or "").removeprefix("node:") in QUIET_JAVASCRIPT


def _rust(item: Node) -> bool:
    return item.children[-1].kind == "identifier" and not (item.children[0].text or "").startswith("pub")


def _java(item: Node) -> bool:
    return item.children[-1].kind == "identifier"


def _go(item: Node) -> bool:
    return item.children[-1].text not in ("_", ".") and (item.children[0].text or "") in QUIET


def _typescript(item: Node) -> bool:
    return not (item.children[0].text or "").endswith((".css", ".scss"))


_QUIET: dict[str, Callable[[Node], bool]] = {
    "Python": _python,
    "JavaScript": _javascript,
    "TypeScript": _typescript,
    "TSX": _typescript,
    "Rust": _rust,
    "Java": _java,
    "Go": _go,
}
