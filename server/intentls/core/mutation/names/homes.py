"""Where what is imported lives: files and definitions that a change set moved, and the imports that follow them.

    a/opts.py -> a/options.py          from a.opts import Scope      both say the same: `Scope` of the file that is
                                       from a.options import Scope   `a/options.py` now

An import is read as the path of a file: relative to the importer, or the end of a path that has all its parts. What it
says is then written as the file's path after the change, in the tree before and in the one after.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from posixpath import dirname, join, normpath, splitext

from msgspec import Struct, field

from intentls.core.mutation.names.go.packages import MovedPackages
from intentls.core.mutation.names.script_modules import loading, quoted_paths, relative_texts
from intentls.core.syntax.tree import Node, spelling

_SCRIPTS = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts")
_INDEXES = ("__init__", "index", "mod")


class ImportedFile(Struct, frozen=True):
    """The file that an import names. `is_whole`: `parts` are its whole path, else the end of it."""

    parts: tuple[str, ...]
    is_whole: bool

    def __truediv__(self, name: str) -> ImportedFile:
        return ImportedFile((*self.parts, name), self.is_whole)

    def is_at(self, path: str) -> bool:
        """Whether it can be the file at `path`."""
        stem = stem_of(path)
        return bool(self.parts) and (self.parts == stem if self.is_whole else stem[-len(self.parts) :] == self.parts)


def stem_of(path: str) -> tuple[str, ...]:
    """The parts of a file's path by which it is imported: `a/b.py` and `a/b/__init__.py` are both `a`, `b`."""
    parts = tuple(splitext(path)[0].split("/"))
    return parts[:-1] if parts[-1] in _INDEXES else parts


def is_script(path: str) -> bool:
    """Whether a file holds JavaScript or TypeScript."""
    return splitext(path)[1] in _SCRIPTS


def target_of(module: str, importer: str) -> ImportedFile | None:
    """What an import of `module` in the file `importer` names; None for what is no file of a repository."""
    if not module.strip():  # half typed, or no import
        return None
    here = dirname(importer)
    suffix = splitext(importer)[1]
    if suffix == ".rs":
        words = module.split()
        parts = [part for part in (words[-1] if words else "").split("::") if part]
        if not parts or parts[0] in ("self", "super", "pub") or module.split()[-1].startswith("::"):
            return None
        return ImportedFile(tuple(parts[1:] if parts[0] == "crate" else parts), is_whole=False)
    if suffix == ".go":
        return None  # it imports packages, which are no files
    if suffix in _SCRIPTS:
        text = module.strip("'\"`")
        return _near(text, importer) if text.startswith(".") else None
    if suffix == ".java":
        return ImportedFile(tuple(module.split()[-1].split(".")), is_whole=False)
    dots = len(module) - len(module.lstrip("."))
    if dots:
        return _whole(join(here, "../" * (dots - 1), *module.lstrip(".").split(".")))
    return ImportedFile(tuple(module.split(".")), is_whole=False)


def _near(text: str, importer: str) -> ImportedFile:
    """The file that a script names by a path that begins with a dot."""
    return _whole(join(dirname(importer), _without_suffix(text)))


def _whole(path: str) -> ImportedFile:
    parts = normpath(path).split("/")
    return ImportedFile(tuple(part for part in parts if part != "."), is_whole=True)


def _without_suffix(text: str) -> str:
    stem, suffix = splitext(text)
    text = stem if suffix in _SCRIPTS else text
    return dirname(text) if text.endswith("/index") else text


class Homes(Struct, frozen=True):
    """What a change set moved: `files` from path to path, `definitions` from path and name to the path of today.

    `packages` are those of Go.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    definitions: Mapping[tuple[str, str], str] = field(default_factory=dict)
    packages: MovedPackages = field(default_factory=MovedPackages)

    def __bool__(self) -> bool:
        return bool(self.files or self.definitions)

    def settle(self, root: Node, path: str, *, is_before: bool) -> set[str]:
        """Write what the imports of a tree name as it is after the change; the new paths of what moved of that."""
        if path.endswith(".go"):
            return self.packages.settle(root, path, is_before=is_before)
        followed = {self._settle(item, path, is_before=is_before) for item in _imports(root)}
        if is_script(path):
            followed |= {self._settle_text(leaf, path, is_before=is_before) for leaf in loading(root)}
        followed |= self._settle_texts(root) if is_before and self.files else set()
        if path.endswith(".java") and path in (self.files if is_before else self.files.values()):
            root.children = [child for child in root.children if not _is_package_of(child, path)]
        if self.files and path.endswith(".rs"):
            stems = {stem_of(old if is_before else new)[-1] for old, new in self.files.items()}
            kept = list(_without_modules(root.children, stems))
            followed |= {stem_of(new)[-1] for new in self.files.values() if len(kept) < len(root.children)}
            root.children = kept
        return followed - {""}

    def _settle_text(self, leaf: Node, path: str, *, is_before: bool) -> str:
        """Write the text that names a module for `require` and the like as the file that it is after the change."""
        target = target_of(leaf.text or "", path)
        if target is None:
            return ""
        for old, new in self.files.items():
            if target.is_at(old if is_before else new):
                leaf.text = f"\0{'/'.join(stem_of(new))}"
                return new
        if path in (self.files if is_before else self.files.values()):
            leaf.text = f"\0{'/'.join(target.parts)}"
        return ""

    def _settle_texts(self, root: Node) -> set[str]:
        """Write texts that are the whole name of a class of Java that moved as they are after the change."""
        names = {name: (text, new) for old, new in self.files.items() for name, text in _pairs_of(old, new)}
        followed: set[str] = set()
        stack = [root] if names else []
        while stack:
            node = stack.pop()
            if node.kind == "method_invocation" and _LOGS.search(spelling(node.child("name") or node)):
                continue  # a log's name is seen
            stack.extend(node.children)
            named = _NAMED.match(node.text or "") if node.kind == "string_literal" else None
            if named is not None and named[1] in names:
                text, new = names[named[1]]
                node.text = f'"{text}{named[2]}"'
                followed.add(new)
        return followed

    def _settle(self, item: Node, path: str, *, is_before: bool) -> str:
        module, *names = item.children
        target = target_of(module.text or "", path)
        if target is None or (len(names) == 1 and names[0].text == target.parts[0]):  # `import a.b` binds `a`
            return ""
        name = names[0].text or "" if len(names) > 1 else ""
        for (home, moved), new in self.definitions.items():
            if moved == name and target.is_at(home if is_before else new):
                module.text = f"\0{'/'.join(stem_of(new))}"
                return new
        for old, new in self.files.items():
            home = old if is_before else new
            if target.is_at(home):
                module.text = f"\0{'/'.join(stem_of(new))}"
                return new
            if name and (target / name).is_at(home):
                module.text = f"\0{'/'.join(stem_of(new))}"
                names[0].text = ""
                return new
        if target.is_whole and path in (self.files.values() if not is_before else self.files):
            module.text = f"\0{'/'.join(target.parts)}"
        return ""


_LOGS = re.compile(r"[lL]og")
# The name of a class, of one within it, or of a file made of it.
_NAMED = re.compile(r'"((?:\w+\.){2,}\w+|(?:\w+/){2,}\w+)((?:\$\w+)?(?:\.(?:class|java|raw))?)"\Z')


def _pairs_of(old: str, new: str) -> Iterator[tuple[str, str]]:
    before, after = whole_names(old), whole_names(new)
    yield from zip(before, after, strict=True) if before and after else ()


def whole_names(path: str) -> tuple[str, ...]:
    """How the class of Java at `path` is named by reflection and as a resource; nothing where that can't be told."""
    parts = stem_of(path)
    roots = [index for index, part in enumerate(parts[:-3], start=1) if part in ("java", "src")]
    if not path.endswith(".java") or not roots:
        return ()
    return tuple(sign.join(parts[roots[-1] :]) for sign in "./")


def imports_of(root: Node, path: str) -> Iterator[tuple[ImportedFile, str]]:
    """What each import names, and the name that it takes from there; an empty one if it takes the file itself."""
    for item in _imports(root):
        target = target_of(item.children[0].text or "", path)
        if target is not None:
            taken = item.children[1]
            yield target, (taken.text or "") if taken.kind == "imported" else ""
    if is_script(path):
        yield from ((_near(text, path), "") for text in relative_texts(root))


def imports_in_text(content: bytes, path: str) -> Iterator[tuple[ImportedFile, str]]:
    """The same of a file of JavaScript or TypeScript that has no tree: it may take all names."""
    for text in quoted_paths(content.decode("utf-8", "replace")) if is_script(path) else ():
        yield _near(text, path), "*"


def _is_package_of(node: Node, path: str) -> bool:
    """Whether it is the `package a.b;` of a file that lies in `a/b`."""
    package = spelling(node).removeprefix("package").removesuffix(";").replace(".", "/")
    return node.kind == "package_declaration" and f"/{dirname(path)}".endswith(f"/{package}")


def _imports(root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        if node.kind == "import_item":
            yield node
        else:
            stack.extend(node.children)


def _without_modules(children: list[Node], stems: set[str]) -> Iterator[Node]:
    """Without the `mod name;` of files that moved."""
    before: Node | None = None
    for child in children:
        name = child.child("name") if child.kind == "mod_item" and child.child("body") is None else None
        is_marked = before is not None and before.kind == "attribute_item"
        if name is None or name.text not in stems or is_marked:
            yield child
        before = child
