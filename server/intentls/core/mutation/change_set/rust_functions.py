"""What the functions of a repository take, by the names that a file of Rust calls them by."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from intentls.core.mutation.change_set.rust_crates import RustCrates
from intentls.core.syntax.languages.rust.forms.borrows import types_told
from intentls.core.syntax.languages.rust.paths import bound_names
from intentls.core.syntax.tree import Node, every_node, inner_nodes

_MOST_FILES = 12  # in which functions of one name are looked at
_NAME = re.compile(r"[^\W\d]\w*\Z")
_HERE = re.compile(r"\s(crate|self|super)::")
_PARTS = re.compile(r"::|\.")
_HOLDERS = frozenset({"impl_item", "trait_item"})
_FUNCTIONS = frozenset({"function_item", "function_signature_item"})
_TYPES = frozenset({"struct_item", "enum_item", "union_item"})
_OF_TYPES = frozenset({"trait_item", "type_item", "mod_item", *_TYPES})
_PLAIN = frozenset({"primitive_type", "array_type", "type_identifier", "scoped_type_identifier", "generic_type"})
# The library has no trait of such a name.
_OF_LIBRARY = frozenset(
    {"String", "Path", "PathBuf", "OsStr", "OsString", "CStr", "Vec", "HashMap", "HashSet", "BTreeMap", "BTreeSet"}
)
_NOT_ONE = frozenset({"Self", "dyn", "impl", "fn"})


class RustFunctions:
    """`contents` and `old_contents` are those of the change, by path; `parse` makes a tree of what is at a path."""

    def __init__(
        self,
        crates: RustCrates,
        contents: Mapping[str, bytes],
        old_contents: Mapping[str, bytes],
        parse: Callable[[str, bytes], Node | None],
    ) -> None:
        self._crates, self._contents, self._old_contents, self._parse = crates, contents, old_contents, parse

    def lends(self, path: str, called: str, place: int, is_mut: bool) -> bool:
        """Whether each function that the file at `path` calls so takes a reference to one type there, or a `&mut` one.

        `a::b` is a function, `A::b` one of a type, `A.b` a method that is called of `self`, which is none of its
        places. Before the change and after it.
        """
        *before, name = _PARTS.split(called)
        versions = [contents.get(path) for contents in (self._old_contents, self._contents)]
        roots = [None if content is None else self._parse(path, content) for content in versions]
        if not all(map(_NAME.match, (*before, name))) or not all(_is_own(root, [*before, name]) for root in roots):
            return False
        owner = before[-1] if before and before[-1][:1].isupper() else ""
        found = self._declared(name, owner)
        return bool(found) and all(self._takes(*each, place, is_mut, is_method="." in called) for each in found)

    def _declared(self, name: str, owner: str) -> list[tuple[str, Node, Node, Node]]:
        """The functions of a type, or of none: where each one is, the file's tree, what has it, and itself.

        None of them if there are too many files to look at.
        """
        files = self._crates.mentioning(owner or name) or {}
        word = re.compile(rf"\bfn\s+{name}\b".encode())
        texts = [
            (path, content)
            for path, content in {*files.items(), *self._old_contents.items()}
            if path.endswith(".rs") and word.search(content)
        ]
        roots = [(path, self._parse(path, content)) for path, content in texts[:_MOST_FILES]]
        if len(texts) > _MOST_FILES or any(root is None for _, root in roots):
            return []
        return [
            (path, root, holder, function)
            for path, root in roots
            if root is not None
            for holder, function in _functions(root)
            if _called(function) == name and (_named(holder) if holder is not root else "") == owner
        ]

    def _takes(
        self, path: str, root: Node, holder: Node, function: Node, place: int, is_mut: bool, *, is_method: bool
    ) -> bool:
        listed = function.child("parameters")
        given = [child for child in listed.children if child.kind not in ("(", ")", ",")] if listed is not None else []
        has_self = bool(given) and given[0].kind == "self_parameter"
        given = given[1:] if is_method and has_self else given
        if (is_method and not has_self) or place >= len(given):
            return False
        kind = given[place].child("type")
        if kind is None or kind.kind != "reference_type":
            return False
        if any(child.kind == "mutable_specifier" for child in kind.children) != is_mut:
            return False
        inner = kind.children[-1]
        words = {leaf.text or "" for leaf in every_node(inner)}
        generic = {
            leaf.text
            for each in (holder, function)
            for listed in (each.child("type_parameters"),)
            if listed is not None
            for leaf in every_node(listed)
            if leaf.kind == "type_identifier"
        }
        is_plain = inner.kind in _PLAIN and words.isdisjoint(generic) and words.isdisjoint(_NOT_ONE)
        return is_plain and self._is_no_trait(path, root, inner)

    def _is_no_trait(self, path: str, root: Node, kind: Node) -> bool:
        """Whether it is surely a type: before the edition of 2021, a trait may stand for what implements it."""
        head = kind.children[0] if kind.kind == "generic_type" else kind
        name = head.text or ""
        if head.kind in ("primitive_type", "array_type") or name in _OF_LIBRARY or name in types_told(root):
            return True
        if self._crates.is_of_2021(path):
            return True
        files = self._crates.mentioning(name) if _NAME.match(name) and _is_own(root, [name]) else None
        texts = [content for place, content in (files or {}).items() if place.endswith(".rs")]
        declared = re.compile(rf"\b(struct|enum|union|trait)\s+{name}\b".encode())
        found = {match for text in texts for match in declared.findall(text)}
        return bool(found) and b"trait" not in found


def _is_own(root: Node | None, path: Sequence[str]) -> bool:
    """Whether the first name of a path is one of this crate: declared in the file, or imported from there."""
    head = path[0]
    if root is None or (len(path) == 1 and head in bound_names(root)):
        return False
    if head in ("crate", "self", "super"):
        return True
    kinds = _FUNCTIONS if len(path) == 1 and not head[:1].isupper() else _OF_TYPES
    modules = {_called(node) for node in root.children if node.kind == "mod_item"}
    imports = [node.children for node in every_node(root) if node.kind == "import_item"]
    bound = [parts for parts in imports if parts[-1].text == head]
    if bound:
        return all(_is_here(parts, modules) and parts[1].text == head for parts in bound)
    stars = [parts for parts in imports if parts[1].text == "*"]
    if any(node.kind in kinds and _called(node) == head for node in root.children):
        return True
    return bool(stars) and all(_is_here(parts, modules) for parts in stars)


def _is_here(parts: Sequence[Node], modules: set[str]) -> bool:
    module = parts[0].text or ""
    return _HERE.search(module) is not None or module.split(" ")[-1].partition("::")[0] in modules


def _functions(root: Node) -> Iterator[tuple[Node, Node]]:
    """The functions of a file, each with what has it: an `impl`, a trait, or the file."""
    for node in inner_nodes(root):
        holder = node if node.kind in _HOLDERS else root
        body = (
            node.child("body") if node.kind in _HOLDERS else node if node is root or node.kind == "mod_item" else None
        )
        listed = body.child("body") if body is not None and body.kind == "mod_item" else body
        for child in listed.children if listed is not None else ():
            if child.kind in _FUNCTIONS:
                yield holder, child


def _named(holder: Node) -> str:
    kind = holder.child("type") or holder.child("name")
    head = kind.children[0] if kind is not None and kind.kind == "generic_type" else kind
    return (head.text or "") if head is not None else ""


def _called(node: Node) -> str:
    name = node.child("name")
    return (name.text or "") if name is not None else ""
