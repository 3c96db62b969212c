"""What a change set moved: files that are still found by all who import them, and definitions that mean the same there.

    internal.rs  before                 options.rs  after                 main.rs
    use std::fs;                        use std::fs;                      -use crate::internal::Options;
    pub struct Options { .. }           pub struct Options { .. }         +use crate::options::Options;

`Options` is gone from one file and came to the other, word for word but for proven names, and each name in it is the
same import here and there. So main.rs, which only follows it, is a refactor.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from posixpath import basename, dirname, splitext

from intentls.core.mutation.classes import Change
from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.names.go.packages import MovedPackages
from intentls.core.mutation.names.homes import (
    Homes,
    imports_in_text,
    imports_of,
    is_script,
    stem_of,
    target_of,
    whole_names,
)
from intentls.core.mutation.names.prose import is_for_people
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.names.tree_names import content_with, is_name
from intentls.core.mutation.renames.tree_renames import ChangedTree
from intentls.core.syntax.tree import Node, Role, every_node

# A file that something finds by its name, in a language or a framework.
_SPECIAL = re.compile(
    r"(conftest|__main__|setup|settings|urls|models|views|admin|apps|tests|main|lib|build|manage|wsgi|asgi|package-info"
    r"|module-info|doc)\Z|.*(\.config|\.d|\.test|\.spec|\.stories|_linux|_windows|_darwin|_unix|_amd64|_arm64|_js|_wasm)\Z"
    r"|test.*|.*_test\Z"
)
_ROUTED = frozenset(
    {"migrations", "versions", "commands", "pages", "routes", "api", "app", "templatetags", "bin", "examples"}
)
_WORD = re.compile(r"\w+")
# In a file with one of these its place means something.
_PLACED = re.compile(
    r"__file__|__name__|__package__|__dirname|__filename|import\.meta|module_path!|\bfile!|include(_str|_bytes)?!|caller\("
)


class Moves:
    """The moves of a change set, in the light of the repository's other files. `unread`: those of it without a tree.

    `packages`: those of Go that moved.
    """

    def __init__(
        self,
        edits: Sequence[FileVersions],
        files: Sequence[ChangedTree],
        renamed: Mapping[str, str],
        others: RepositoryText,
        parse: Callable[[str, bytes], Node | None],
        unread: Sequence[FileVersions],
        packages: MovedPackages,
    ) -> None:
        self._edits, self._files, self._renamed, self._unread = edits, files, renamed, unread
        self._others, self._parse, self._packages = others, parse, packages
        self._bound: dict[tuple[str, bool], dict[str, str]] = {}  # of each file that was asked about, before and after

    def homes(self) -> Homes:
        """What moved, without what some file still looks for in its old place."""
        files = {edit.old_path: edit.path for edit in self._edits if edit.old_path is not None and _may_move(edit)}
        files = {old: new for old, new in files.items() if not self._is_still_asked_for(old)}
        return Homes({**files, **self._packages.files}, self._definitions(Homes(files)), self._packages)

    def _is_still_asked_for(self, path: str) -> bool:
        """Whether a file imports or names the one that was at `path`."""
        for file in self._files:
            if file.after is not None and (_asks_for(file.after, file.path, path) or _spells(file.after, path)):
                return True
        if any(self._names(edit.path, edit.after or b"", path) for edit in self._unread):
            return True
        mentioning = self._others.mentioning((stem_of(path)[-1], basename(path)))
        return mentioning is None or any(self._names(other, text, path) for other, text in mentioning.items())

    def _names(self, other: str, content: bytes, path: str) -> bool:
        if is_for_people(other, content):
            return False
        root = self._parse(other, content)
        text = content.decode("utf-8", "replace")
        is_named = re.search(rf"(?<![\w-]){re.escape(basename(path))}(?!\w)", text) is not None
        is_dotted = re.search(rf"\b{'[./]'.join(map(re.escape, stem_of(path)[-2:]))}\b", text) is not None
        if is_named or (is_dotted and len(stem_of(path)) > 1):
            return True
        taken = imports_in_text(content, other) if root is None else imports_of(root, other)
        return any(home.is_at(path) or (name and (home / name).is_at(path)) for home, name in taken)

    def _definitions(self, homes: Homes) -> dict[tuple[str, str], str]:
        gone: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        came: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        had = {file.path: _definitions(file.before) for file in self._files}
        has = {file.path: _definitions(file.after) for file in self._files}
        for path, nodes in had.items():
            suffix = splitext(path)[1]
            for name in nodes.keys() - has[path].keys():
                gone[suffix, name].append(path)
            for name in has[path].keys() - nodes.keys():
                came[suffix, name].append(path)
        pairs = ((key[1], gone[key], came[key]) for key in gone.keys() & came.keys())
        moved = {
            (sources[0], name): targets[0]
            for name, sources, targets in pairs
            if len(sources) == len(targets) == 1
            and content_with(had[sources[0]][name], self._renamed) == content_with(has[targets[0]][name], {})
        }
        while True:  # it ends, as each round but the last takes some away
            kept = {
                (source, name): target
                for (source, name), target in moved.items()
                if self._means_the_same(had[source][name], source, target, Homes(homes.files, moved))
            }
            if kept == moved:
                left = self._left(moved)
                return {(source, name): target for (source, name), target in moved.items() if name not in left}
            moved = kept

    def _left(self, moved: Mapping[tuple[str, str], str]) -> set[str]:
        """The names that a file beside the change set imports from where they were."""
        mentioning = self._others.mentioning(sorted({name for _, name in moved})) if moved else {}
        if mentioning is None:
            return {name for _, name in moved}
        files = {**mentioning, **{edit.path: edit.after or b"" for edit in self._unread}}
        roots = [(path, content, self._parse(path, content)) for path, content in files.items()]
        taken = [
            pair
            for path, content, root in roots
            for pair in (imports_in_text(content, path) if root is None else imports_of(root, path))
        ]
        return {
            name for source, name in moved if any(word in (name, "*") and home.is_at(source) for home, word in taken)
        }

    def _means_the_same(self, node: Node, source: str, target: str, homes: Homes) -> bool:
        """Whether each name in a definition is the same thing in both files."""
        old, new = self._names_bound(source, is_before=True), self._names_bound(target, is_before=False)
        if {name for name in old if name[0] == "*"} != {name for name in new if name[0] == "*"}:
            return False
        for leaf in every_node(node):
            if leaf.text is None or not is_name(leaf) or leaf.role is Role.MEMBER:
                continue
            here, there = old.get(leaf.text), new.get(self._renamed.get(leaf.text, leaf.text))
            if here != there:
                return False
            if here == _OWN and homes.definitions.get((source, leaf.text)) != target:
                return False
        return True

    def _names_bound(self, path: str, *, is_before: bool) -> dict[str, str]:
        """What the names at the top of a file are: imports, as they are after the change, or its own."""
        key = path, is_before
        if key not in self._bound:
            self._bound[key] = self._bind(path, is_before=is_before)
        return self._bound[key]

    def _bind(self, path: str, *, is_before: bool) -> dict[str, str]:
        file = next(file for file in self._files if file.path == path)
        root = file.before if is_before else file.after
        assert root is not None
        bound = dict.fromkeys(_unread(root), f"{path}\0")
        bound.update(dict.fromkeys(_definitions(root), _OWN))
        for item in (child for child in root.children if child.kind == "import_item"):
            name = item.children[-1]
            module = item.children[0].text or ""
            target = target_of(module, path)
            place = "/".join(target.parts) if target is not None and target.is_whole else module
            is_all = name.kind == "wildcard_import" or (name.text or "*").endswith("*")
            key = f"*{module}" if is_all else name.text or ""
            bound[key] = " ".join((place, *(child.text or "" for child in item.children[1:])))
        return bound


_OWN = "\0"


def _may_move(edit: FileVersions) -> bool:
    old, new = edit.old_path or "", edit.path
    if edit.change is not Change.RENAME or splitext(old)[1] != splitext(new)[1] or stem_of(old) == stem_of(new):
        return False
    names = [splitext(basename(path))[0] for path in (old, new)]
    is_test = [name.startswith("test_") or name.endswith("_test") for name in names]
    if all(is_test):
        return dirname(old) == dirname(new)
    routed = _ROUTED - {"examples"} if is_script(new) else _ROUTED  # those that Cargo finds
    if any(_SPECIAL.match(name) for name in names) or routed & {*old.split("/")[:-1], *new.split("/")[:-1]}:
        return False
    is_near = dirname(old) == dirname(new)
    contents = (edit.before or b"") + (edit.after or b"")
    return (is_near or not new.endswith(".go")) and _PLACED.search(contents.decode("utf-8", "replace")) is None


def _asks_for(root: Node, importer: str, path: str) -> bool:
    return any(home.is_at(path) or (name and (home / name).is_at(path)) for home, name in imports_of(root, importer))


def _spells(root: Node, path: str) -> bool:
    """Whether a text has the whole name of the class of Java at `path`."""
    names = whole_names(path)
    texts = [node.text for node in every_node(root) if node.text is not None and not is_name(node)] if names else []
    return any(name in text for name in names for text in texts)


def _definitions(root: Node | None) -> dict[str, Node]:
    """What a file defines at its top, each name once."""
    pairs = [(name, node) for node in (root.children if root is not None else ()) for name in _names(node)]
    counts = Counter(name for name, _ in pairs)
    return {name: node for name, node in pairs if counts[name] == 1}


def _unread(root: Node) -> set[str]:
    """The words of what stands at the top, did not change, and may give something a name."""
    unread = [child.text for child in root.children if child.text is not None and not child.origin]
    return {word for text in unread for word in _WORD.findall(text)}


def _names(node: Node) -> Iterator[str]:
    if node.text is not None and node.origin:
        yield node.origin
        return
    inner = node
    while inner.kind in ("export_statement", "decorated_definition", "lexical_declaration", "expression_statement"):
        parts = [child for child in inner.children if child.children and child.kind != "decorator"]
        if len(parts) != 1:
            return
        inner = parts[0]
    name = inner.child("name") or (inner.child("left") if inner.kind == "assignment" else None)
    if name is not None and name.text is not None and is_name(name) and inner.kind not in ("mod_item", "import_item"):
        yield name.text
