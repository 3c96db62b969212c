"""Items of Rust that one module renamed, where other modules have items of the old name or of the new one.

    utils.rs   pub struct Mutex<T> { .. }      pub struct Spinlock<T> { .. }
    zero.rs    use utils::Mutex;               use utils::Spinlock;
    pool.rs    use std::sync::Mutex;           (is left alone: it means another one)

`utils.rs` has no other use of either name, each file that takes `Mutex` from `utils` takes `Spinlock` now, and each
other file that has one of the words declares it, or says where it comes from: not from `utils`, or what may be it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from intentls.core.mutation.names.homes import stem_of
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.names.tree_names import Place, content_with, places_of
from intentls.core.mutation.renames.rust_macros import is_in_macro, is_plain
from intentls.core.mutation.renames.tree_renames import ChangedTree
from intentls.core.syntax.languages.adapter import kinds
from intentls.core.syntax.tree import Node, spelling

_ITEMS = kinds("struct_item enum_item union_item trait_item type_item")
# What is no item of the name, or may be taken from anywhere.
_MEMBERS = kinds("enum_variant use_list use_as_clause scoped_use_list")
_NEAR = frozenset({"crate", "super", "self", ""})
_PRELUDE = kinds(
    "Option Some None Result Ok Err Vec String Box Clone Copy Send Sync Sized Drop Fn FnMut FnOnce Iterator"
    " IntoIterator Extend DoubleEndedIterator ExactSizeIterator ToOwned ToString From Into AsRef AsMut Default"
    " PartialEq Eq Ord PartialOrd Debug Hash TryFrom TryInto FromIterator Self"
)


def item_renames(
    pairs: Mapping[str, str],
    files: Sequence[ChangedTree],
    others: RepositoryText,
    parse: Callable[[str, bytes], Node | None],
) -> dict[str, dict[str, str]]:
    """The names that are other ones in each file, by its path, of those in `pairs`."""
    rust = [file for file in files if file.path.endswith(".rs")]
    found: dict[str, dict[str, str]] = {}
    for old, new in pairs.items():
        homes = [file for file in rust if _is_home(file, old, new, pairs)]
        if len(homes) != 1 or not old[:1].isupper() or not new[:1].isupper() or not _PRELUDE.isdisjoint((old, new)):
            continue
        mentioning = others.mentioning((old, new))
        if mentioning is None:
            continue
        rest = {path: parse(path, content) for path, content in mentioning.items() if path.endswith(".rs")}
        for path in _Item(old, new, homes[0]).followers(rust, rest):
            found.setdefault(path, {})[old] = new
    return found


def _is_home(file: ChangedTree, old: str, new: str, pairs: Mapping[str, str]) -> bool:
    """Whether the file declares the item, before by the old name and after by the new one."""
    if file.before is None or file.after is None:
        return False
    had, has = ([node for node in root.children if _name_of(node) == name] for root, name in _sides(file, old, new))
    return len(had) == len(has) == 1 and content_with(had[0], pairs) == content_with(has[0], {})


def _sides(file: ChangedTree, old: str, new: str) -> list[tuple[Node, str]]:
    return [(root, name) for root, name in ((file.before, old), (file.after, new)) if root is not None]


def _name_of(node: Node) -> str:
    name = node.child("name") if node.kind in _ITEMS else None
    return (name.text or "") if name is not None else ""


class _Item:
    """One item that the file `home` renamed."""

    def __init__(self, old: str, new: str, home: ChangedTree) -> None:
        self._old, self._new, self._home = old, new, home
        self._modules = {_module(path) for path in (home.path, home.old_path) if path is not None}

    def followers(self, files: Iterable[ChangedTree], rest: Mapping[str, Node | None]) -> list[str]:
        """The files in which the name is another one; none if that does not hold everywhere."""
        following = [file for file in files if file is self._home or self._takes(file)]
        following += [
            file for file in files if file not in following and self._takes(file)
        ]  # from one that hands it on
        if not all(map(self._is_whole, following)):
            return []
        aside = [(file.path, root) for file in files if file not in following for root in (file.before, file.after)]
        others = (*rest.items(), *((path, root) for path, root in aside if root is not None))
        is_clear = all(root is not None and self._is_another(root, path) for path, root in others)
        return [file.path for file in following] if is_clear else []

    def _takes(self, file: ChangedTree) -> bool:
        """Whether a file takes the item from its module by name. One that hands it on is another place to take it."""
        taken = [item for item in _imports(file.before) if self._is_taken(item)]
        if any((item.children[0].text or "").startswith("pub") for item in taken):
            self._modules.add(_module(file.path))
        return bool(taken)

    def _is_taken(self, item: Node) -> bool:
        return [child.text for child in item.children[1:]] == [self._old] * 2 and _last(item) in self._modules

    def _is_whole(self, file: ChangedTree) -> bool:
        """Whether the file has one of the names before, the other one after, and each as this item."""
        if file.before is None or file.after is None:
            return False
        (had, said_before), (has, said_after) = (
            places_of(root, {self._old, self._new}, file.path) for root in (file.before, file.after)
        )
        is_clean = not (said_before or said_after or _has_inner_stars(file.before) or _has_inner_stars(file.after))
        is_said = {place.word for place in had} == {self._old} and {place.word for place in has} == {self._new}
        return is_clean and is_said and all(self._is_it(place, file) for place in had)

    def _is_it(self, place: Place, file: ChangedTree) -> bool:
        parent = place.holder()
        is_member = place.leaf.kind == "field_identifier" or parent.kind in _MEMBERS
        if is_member or is_in_macro(place, is_written_out=file.is_written_out):
            return False
        if parent.kind == "import_item":
            return self._is_taken(parent)
        if _is_last(place):
            return _before_last(parent) in self._modules
        return is_plain(place)

    def _is_another(self, root: Node, path: str) -> bool:
        """Whether each use of one of the names is of something that the file declares or takes from elsewhere."""
        places, _ = places_of(root, {self._old, self._new}, path)
        if places and _module(path) in self._modules:
            return False
        bound = {place.word for place in places if self._binds(place)}
        has_all = _has_inner_stars(root) or any(
            item.children[1].text == "*" and self._may_be_it(_last(item))
            for item in root.children
            if item.kind == "import_item"
        )
        is_told = all(place.word in bound or _is_last(place) for place in places)
        return is_told and not any(map(self._leads_to_it, places)) and not (places and has_all)

    def _binds(self, place: Place) -> bool:
        parent = place.holder()
        return parent.kind == "import_item" or (parent.kind in _ITEMS and place.leaf.field == "name")

    def _leads_to_it(self, place: Place) -> bool:
        parent = place.holder()
        if parent.kind == "import_item":
            return self._may_be_it(_last(parent))
        return _is_last(place) and self._may_be_it(_before_last(parent))

    def _may_be_it(self, module: str) -> bool:
        return module in self._modules or module in _NEAR


def _is_last(place: Place) -> bool:
    """Whether a name is the last one of a path."""
    parent = place.holder()
    return parent.kind in ("scoped_identifier", "scoped_type_identifier") and parent.children[-1] is place.leaf


def _before_last(path: Node) -> str:
    return spelling(path.children[0]).rpartition("::")[2]


def _imports(root: Node | None) -> list[Node]:
    stack, found = [root] if root is not None else [], []
    while stack:
        node = stack.pop()
        if node.kind == "import_item":
            found.append(node)
        stack.extend(node.children)
    return found


def _has_inner_stars(root: Node) -> bool:
    """Whether a block or a module in the file takes all of a module, but for one that takes all of the file itself."""
    known = [child for child in root.children if child.kind == "import_item"]
    bodies = (node.child("body") for node in root.children if node.kind == "mod_item")
    known += [
        item
        for body in bodies
        if body is not None
        for item in body.children
        if item.kind == "import_item" and _spelled(item) == "super::*"
    ]
    stars = [item for item in _imports(root) if item.children[1].text == "*"]
    return sum(item.children[1].text == "*" for item in known) < len(stars)


def _module(path: str) -> str:
    stem = stem_of(path)[-1]
    return "crate" if stem in ("lib", "main") else stem


def _spelled(item: Node) -> str:
    return f"{(item.children[0].text or '').rpartition(' ')[2]}{item.children[1].text}"


def _last(item: Node) -> str:
    """The last name of the module that an import names."""
    path = (item.children[0].text or "").rpartition(" ")[2]
    return path.removesuffix("::").rpartition("::")[2]
