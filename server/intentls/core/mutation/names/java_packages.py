"""Types of Java that a file sees without an import, as they lie in its own package, when one of the two moves.

    package a;                     package a;
                                   import a.inner.Cache;
    class Town { Cache c; }        class Town { Cache c; }

say the same if `a/Cache.java` became `a/inner/Cache.java`: each names the file that is there now.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from posixpath import dirname

from intentls.core.mutation.names.homes import stem_of
from intentls.core.syntax.languages.adapter import bound_name, import_item
from intentls.core.syntax.tree import Node, Role, all_said

# A word of the code, or a comment or text, whose words name nothing.
_WORD = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|([\w$]+)', re.DOTALL)


def import_neighbours(old: Node, new: Node, paths: tuple[str, str], files: Mapping[str, str]) -> set[str]:
    """Import what a file sees without, where only one of its versions does; the new paths of what moved of that.

    `paths` are where the file was and is, `files` what moved of the repository, from path to path.
    """
    if dirname(paths[0]) != dirname(paths[1]):
        _import_what_stayed(old, new, dirname(paths[0]))
        _import_what_stayed(new, old, dirname(paths[1]))
    moved = {home: target for home, target in files.items() if _goes_to_another_package(home, target)}
    followed = {target for home, target in moved.items() if _sees(old, paths[0], home, stem_of(target)[-1])}
    for target in followed:
        home = next(home for home, to in moved.items() if to == target)
        add_import(old, _module_of(home), stem_of(target)[-1])
    came = {target for target in moved.values() if _sees(new, paths[1], target, stem_of(target)[-1])}
    for target in came:
        add_import(new, _module_of(target), stem_of(target)[-1])
    return followed | came


def _goes_to_another_package(home: str, target: str) -> bool:
    """Whether it is a type that keeps its name: then it is an import that follows it."""
    is_java = home.endswith(".java") and target.endswith(".java")
    return is_java and dirname(home) != dirname(target) and stem_of(home)[-1] == stem_of(target)[-1]


def _module_of(path: str) -> str:
    return "import " + dirname(path).replace("/", ".")


def _sees(root: Node, path: str, home: str, name: str) -> bool:
    """Whether the file at `path` names what lies beside it without importing anything of that name."""
    is_beside = path != home and dirname(path) == dirname(home)
    return is_beside and name in _words(root) and not any(item.children[-1].text == name for item in items_of(root))


def _import_what_stayed(root: Node, other: Node, package: str) -> None:
    """Import what a file sees in its package and its other version, which lies elsewhere, imports from there."""
    if any(item.children[-1].kind == "wildcard" for item in items_of(root)):
        return  # a name may be another package's
    words = _words(root)
    for item in list(items_of(other)):
        module, name = item.children[0].text or "", item.children[-1].text or ""
        is_there = f"/{package}".endswith("/" + module.removeprefix("import ").replace(".", "/"))
        if is_there and name in words:
            add_import(root, module, name)


def items_of(root: Node) -> Iterator[Node]:
    """The imports at the top of a file."""
    return (child for child in root.children if child.kind == "import_item")


def add_import(root: Node, module: str, name: str) -> None:
    """Import a name of a module, beside the file's other imports."""
    first = next((index for index, child in enumerate(root.children) if child.kind == "import_item"), None)
    if first is None:
        first = sum(child.kind in ("package_declaration", "comment") for child in root.children[:1])
    origin = Node("imported", None, root.row, name, Role.IMPORTED, origin=module)
    root.children.insert(first, import_item(root, module, origin, bound_name(root, name, module)))


def _words(root: Node) -> set[str]:
    """The words of a file's code but for those of its imports."""
    rest = (child for child in root.children if child.kind not in ("import_item", "package_declaration"))
    return {word for child in rest for word in _WORD.findall(all_said(child))}
