"""Definitions of Go that went to another file of their package: a package is one scope, whatever its files are called.

    p/a.go  before              p/a.go  after              p/b.go  after
    import "os"                 func main() { load() }     import "os"
    func load() { os.Exit(1) }                             func load() { os.Exit(1) }
    func main() { load() }

`load` is gone from one file and came to the other, word for word but for proven names, and `os` is the same import in
both. So it is taken out of both files' trees, with the imports that this takes, before they are compared. A variable
goes likewise if nothing can tell when it gets its value.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import basename, dirname, splitext

from msgspec import Struct

from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.names.go.packages import told_name
from intentls.core.mutation.names.go.references import DEFINITIONS, import_items, parts_of_file, spelled_item
from intentls.core.mutation.names.tree_names import content_with, is_name
from intentls.core.mutation.renames.tree_renames import ChangedTree
from intentls.core.syntax.languages.adapter import kinds
from intentls.core.syntax.tree import Node, every_node, spelling

_KINDS = DEFINITIONS | {"function_definition", "class_definition"}  # Python's, in `module_moves.py`
PINNED = frozenset({"init", "_", "TestMain"})
_BUILD_LINE = re.compile(rb"^//\s*(?:go:build|\+build)[^\n]*", re.MULTILINE)
_C_CODE = re.compile(rb'^[ \t]*(import[ \t]*)?(\([ \t]*)?"C"', re.MULTILINE)
_SYSTEM = re.compile(
    r"_(aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|unix|386"
    r"|amd64|arm|arm64|loong64|mips[^\W_]*|ppc64[^\W_]*|riscv64|s390x|wasm)(?=_|\Z)"
)
_WHOLES = kinds(
    "expression_list argument_list literal_element literal_key unary_expression binary_expression"
    " type_conversion_expression"
)
_CONSTANTS = {f"time.{name}" for name in kinds("Nanosecond Microsecond Millisecond Second Minute Hour")}
# They make something of what they are given, and do nothing else.
_MAKERS = kinds("errors.New fmt.Errorf regexp.MustCompile strings.NewReplacer")
_FUNCTION = re.compile(r"func\s*(\w+)\s*\(")
_VARIABLE = re.compile(r"(?<!type_)identifier\Z")


Built = tuple[str, ...]
"""For what a file of Go is built: the systems that its name says, then its lines with build tags."""


def built_for(path: str, contents: Iterable[bytes | None]) -> Built | None:
    """For what all these contents of one file are built; None if not for the same, or with C code in it."""
    texts = [text for text in contents if text is not None]
    lines = {
        tuple(" ".join(line.decode("utf-8", "replace").split()) for line in _BUILD_LINE.findall(text)) for text in texts
    }
    if len(lines) != 1 or any(map(_C_CODE.search, texts)):
        return None
    return (*_SYSTEM.findall(splitext(basename(path))[0]), *lines.pop())


class MovedHere(Struct, frozen=True):
    """What left a file (`gone`) and `came` to it, by content, the `imports` that it takes, and the `reasons`."""

    gone: frozenset[str]
    came: frozenset[str]
    imports: frozenset[str]
    reasons: tuple[str, ...]

    def shed(self, old: Node, new: Node) -> None:
        """Take it out of the file's two trees; the names in `old` are those of today."""
        has = ({spelled_item(item) for item in import_items(root)} for root in (old, new))
        moved = set.symmetric_difference(*has) & self.imports
        for root, contents in ((old, self.gone), (new, self.came)):
            root.children = [
                child
                for child in parts_of_file(root)
                if not (child.kind in _KINDS and child.text is None and content_with(child, {}) in contents)
                and not (child.kind == "import_item" and spelled_item(child) in moved)
            ]


def moves_in_packages(
    edits: Sequence[FileVersions], files: Sequence[ChangedTree], renamed: Mapping[str, str]
) -> dict[str, MovedHere]:
    """By path: what a file of Go gave to others of its package, or took from them."""
    contents = {edit.path: (edit.before, edit.after) for edit in edits}
    apart = {edit.path for edit in edits if edit.old_path not in (None, edit.path)}
    packages: defaultdict[tuple[str, str, bool, Built], list[ChangedTree]] = defaultdict(list)
    for file in files:
        name = splitext(basename(file.path))[0]
        package = {_package(root) for root in (file.before, file.after) if root is not None}
        built = built_for(file.path, contents[file.path])
        if file.adapter.name == "Go" and len(package) == 1 and file.path not in apart and built is not None:
            packages[dirname(file.path), package.pop(), name.endswith("_test"), built].append(file)
    moves: dict[str, MovedHere] = {}
    for members in packages.values():
        moves.update(_moves(members, renamed))
    return moves


def _moves(files: Sequence[ChangedTree], renamed: Mapping[str, str]) -> dict[str, MovedHere]:
    """The moves among the files of one package."""
    old, new = [file.before for file in files], [file.after for file in files]
    gone = _sole((content_with(node, renamed), (file, node)) for file in files for node in _movable(file.before, old))
    came = _sole((content_with(node, {}), (file, node)) for file in files for node in _movable(file.after, new))
    left: defaultdict[str, dict[str, str]] = defaultdict(dict)
    taken: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for content in gone.keys() & came.keys():
        (source, node), (target, copy) = gone[content], came[content]
        if source is not target and _means_the_same(node, source, target, renamed):
            names = ", ".join(_names(copy)[:3])
            left[source.path][content] = f"moved {names} to {target.path}"
            taken[target.path][content] = f"moved {names} from {source.path}"
    had, has = (
        {spelled_item(item) for root in roots if root is not None for item in import_items(root)}
        for roots in ([file.before for file in files], [file.after for file in files])
    )
    return {
        path: MovedHere(
            frozenset(left[path]),
            frozenset(taken[path]),
            frozenset(had & has),
            tuple(sorted({*left[path].values(), *taken[path].values()})),
        )
        for path in {*left, *taken}
    }


def _sole(pairs: Iterable[tuple[str, tuple[ChangedTree, Node]]]) -> dict[str, tuple[ChangedTree, Node]]:
    """What there is once."""
    by_content: defaultdict[str, list[tuple[ChangedTree, Node]]] = defaultdict(list)
    for content, place in pairs:
        by_content[content].append(place)
    return {content: places[0] for content, places in by_content.items() if len(places) == 1}


def _movable(root: Node | None, all_roots: Sequence[Node | None]) -> Iterator[Node]:
    """The definitions that stand in one version of a file alone, without a comment before them that counts."""
    if root is None:
        return
    before: Node | None = None
    known = Loaded.by(root, *all_roots)
    for child in parts_of_file(root):
        is_marked = before is not None and before.kind == "comment"
        may_wait = child.kind != "var_declaration" or is_timeless(child, known)
        is_free = may_wait and not is_marked and PINNED.isdisjoint(_names(child))
        if child.text is None and child.kind in DEFINITIONS and is_free:
            yield child
        before = child


class Loaded(Struct, frozen=True):
    """What a file has when its variables get their values: `packages` by their names in it, and `functions`."""

    packages: Mapping[str, str]
    functions: frozenset[str]

    @classmethod
    def by(cls, root: Node, *others: Node | None) -> Loaded:
        """What one version of a file has, with the functions of others of its package."""
        parts = (child for one in (root, *others) if one is not None for child in one.children)
        heads = (_FUNCTION.match(spelling(part)) for part in parts if part.kind == "function_declaration")
        return cls(_bound(root), frozenset(head[1] for head in heads if head is not None))


def is_timeless(declaration: Node, known: Loaded) -> bool:
    """Whether nothing can tell when variables get their values: these have an order, by files and in them."""
    specs = [node for node in every_node(declaration) if node.kind == "var_spec"]
    return all(_is_fixed(value, known) for spec in specs for value in spec.children if value.field == "value")


def _is_fixed(value: Node, known: Loaded) -> bool:
    """Whether a value is made of literals, types and functions alone, and by functions that do nothing else."""
    if value.kind in ("selector_expression", "call_expression"):
        said = spelling(value if value.kind == "selector_expression" else value.children[0])
        package = said.partition(".")[0]
        is_known = said in (_CONSTANTS if value.kind == "selector_expression" else _MAKERS)
        arguments = value.children[1:] if value.kind == "call_expression" else []
        return is_known and known.packages.get(package) == package and all(_is_fixed(part, known) for part in arguments)
    if value.kind == "composite_literal":
        has_fields = not value.children[0].kind.endswith(("map_type", "slice_type", "array_type"))
        return _are_fixed(value.children[-1], known, has_fields=has_fields)
    if value.kind == "literal_value":
        return _are_fixed(value, known, has_fields=True)
    if value.text is not None:
        return _VARIABLE.search(value.kind) is None or value.text in known.functions
    is_whole = value.kind in _WHOLES or value.kind.endswith("_type") or value.kind == "func_literal"
    return is_whole and (value.kind == "func_literal" or all(_is_fixed(part, known) for part in value.children))


def _are_fixed(body: Node, known: Loaded, *, has_fields: bool) -> bool:
    """Whether that is so of all that stands in the braces of a literal; what stands before a colon may be a field."""
    parts = [
        part
        for element in body.children
        for part in (element.children if element.kind == "keyed_element" else [element])
        if not (has_fields and part.kind == "literal_key" and part.children and part.children[0].kind == "identifier")
    ]
    return all(_is_fixed(part, known) for part in parts)


def _names(node: Node) -> list[str]:
    """What a declaration declares."""
    holders = [node, *node.children, *(spec for child in node.children for spec in child.children)]
    names = (holder.child("name") for holder in holders if holder.kind.endswith(("declaration", "spec", "alias")))
    return [name.text or "" for name in names if name is not None]


def _means_the_same(node: Node, source: ChangedTree, target: ChangedTree, renamed: Mapping[str, str]) -> bool:
    """Whether each name in a definition that may be an import is the same one in both files."""
    assert source.before is not None
    assert target.after is not None
    old, new = _bound(source.before), _bound(target.after)
    unsure = [{name for name in bound if name.startswith("\0")} for bound in (old, new)]
    # What one file alone may know under a name would not be there for the other.
    if (unsure[0] - unsure[1] and unsure[1] - unsure[0]) or "." in {*old, *new}:
        return False
    words = {leaf.text or "" for leaf in every_node(node) if leaf.text is not None and is_name(leaf)}
    return all(old.get(word) == new.get(renamed.get(word, word)) for word in words)


def _bound(root: Node) -> dict[str, str]:
    """The imports of a file by the name that they have in it; one whose name its path may not tell has none."""
    paths = ((told_name(item), item.children[0].text or "") for item in import_items(root))
    return {f"\0{path}" if name is None else name: path for name, path in paths}


def _package(root: Node) -> str:
    clause = next((spelling(child) for child in root.children if child.kind == "package_clause"), "")
    return "".join(clause.split())
