"""Constants, functions and variants that a type of Rust has, renamed where other things have the old or the new name.

    counter.rs   impl Counter { const INVALID: Counter = .. }      impl Counter { const MAX: Counter = .. }
    idle.rs      Counter::INVALID                                  Counter::MAX
    page.rs      usize::MAX, Page::INVALID                         (are left alone: they are of other types)

One type has the name `Counter`, by no other name, and what stands before `::` tells whose each `INVALID` and `MAX` is.
None of the old ones of `Counter` is left, and it had no `MAX`. The compiler finds all of them by the type. A variant of
an enumeration is one of these, unless some file takes all variants of that (`use Kind::*`), and names them alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence

from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.names.tree_names import Place, content_with, places_of
from intentls.core.mutation.renames.rust_macros import OPEN, is_in_macro, is_plain
from intentls.core.mutation.renames.tree_renames import ChangedTree
from intentls.core.syntax.languages.adapter import kinds
from intentls.core.syntax.tree import Node, every_node

_TYPES = kinds("struct_item enum_item union_item")
_NAMING = _TYPES | kinds("trait_item type_item type_parameter associated_type")
_MEMBERS = kinds("const_item function_item")
_PATHS = kinds("scoped_identifier scoped_type_identifier")
_VARIANT = "enum_variant"
_NO_OWNER = ""
_Parse = Callable[[str, bytes], Node | None]


def member_renames(
    pairs: Mapping[str, str], files: Sequence[ChangedTree], others: RepositoryText, parse: _Parse
) -> dict[str, dict[str, str]]:
    """The names that are other ones in each file, by its path, of those in `pairs`. The trees are to be whole."""
    rust = [file for file in files if file.path.endswith(".rs")]
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for file in rust:
        had = _declared(file.before, pairs.keys(), file.path)
        has = _declared(file.after, pairs.values(), file.path) if had else {}
        for (owner, old), node in had.items():
            other = has.get((owner, pairs[old]))
            if other is not None and content_with(_head(node), {old: pairs[old]}) == content_with(_head(other), {}):
                homes[old].append(owner)
    found: dict[str, dict[str, str]] = {}
    for old, owners in homes.items():
        for path in _TypeMember(old, pairs[old], owners[0]).followers(rust, others, parse) if len(owners) == 1 else ():
            found.setdefault(path, {})[old] = pairs[old]
    return found


def _declared(root: Node | None, words: Collection[str], path: str) -> dict[tuple[str, str], Node]:
    """What a file gives to types by one of the words: by the type and the word."""
    return {
        (owner, place.word): place.holder()
        for place in (places_of(root, words, path)[0] if root is not None else ())
        if _is_declared(place) and is_plain(place) and (owner := owner_of(place))
    }


def _is_declared(place: Place) -> bool:
    """Whether a type is given a variant, a constant, or a function that no value of it is asked for."""
    node, impl = place.holder(), place.holder(3)
    if node.kind == _VARIANT:
        return place.leaf.field == "name"
    parameters = node.child("parameters")
    is_method = parameters is not None and any(child.kind == "self_parameter" for child in parameters.children)
    is_inherent = impl.kind == "impl_item" and impl.child("trait") is None
    return place.leaf.field == "name" and node.kind in _MEMBERS and is_inherent and not is_method


def _head(declaration: Node) -> Node:
    """A declaration without the body of its function: who calls it does the same, whatever that does now."""
    kept = [child for child in declaration.children if child.field != "body" or declaration.kind == _VARIANT]
    return Node(declaration.kind, None, declaration.row, children=kept)


class _TypeMember:
    """What the type `owner` has by the name `old`, and by `new` afterwards."""

    def __init__(self, old: str, new: str, owner: str) -> None:
        self._old, self._new, self._owner = old, new, owner

    def followers(self, files: Sequence[ChangedTree], others: RepositoryText, parse: _Parse) -> list[str]:
        """The files in which the name is another one; none if that does not hold everywhere."""
        mentioning = others.mentioning((self._old, self._new, self._owner))
        if mentioning is None:
            return []
        rest = [(path, parse(path, text)) for path, text in mentioning.items() if path.endswith(".rs")]
        before = [(file.old_path or file.path, file.before) for file in files if file.before is not None]
        after = [(file.path, file.after) for file in files if file.after is not None]
        was, now = [*before, *rest], [*after, *rest]
        is_told = all(root is not None for _, root in rest) and self._is_one_type(was) and self._is_one_type(now)
        if not is_told or any(map(self._is_given_away, [*before, *now])):
            return []
        following = [file for file in files if file.before is not None and self._has(file.before, file.path, self._old)]
        others_are_clear = all(
            root is not None and not self._has(root, path, word)
            for word, trees in ((self._old, now), (self._new, was))
            for path, root in trees
        )
        return [file.path for file in following] if others_are_clear and all(map(self._is_whole, following)) else []

    def _has(self, root: Node, path: str, word: str) -> bool:
        """Whether a file has the name of the type, or may have: not if it never says which type that is."""
        places = places_of(root, {word, self._owner}, path)[0]
        owners = {owner_of(place) for place in places if place.word == word}
        return self._owner in owners or (None in owners and any(place.word == self._owner for place in places))

    def _is_given_away(self, tree: tuple[str, Node | None]) -> bool:
        """Whether a macro of the program is given the type, or a file takes all its variants: they may say any."""
        path, root = tree
        places = [] if root is None else places_of(root, {self._owner}, path)[0]
        if any(node.kind == "use_wildcard" for place in places for node in place.above):
            return True
        if root is not None and any(_takes_all(node) == self._owner for node in every_node(root)):
            return True
        macros = (node for place in places for node in place.above if node.kind.startswith("macro_"))
        return any(macro.kind == "macro_definition" or macro.children[0].text not in OPEN for macro in macros)

    def _is_whole(self, file: ChangedTree) -> bool:
        """Whether each of the old name in the file is this one, and no macro may know it."""
        places = [] if file.before is None else places_of(file.before, {self._old}, file.path)[0]
        return all(
            owner_of(place) == self._owner and not is_in_macro(place, is_written_out=file.is_written_out)
            for place in places
        )

    def _is_one_type(self, trees: Sequence[tuple[str, Node | None]]) -> bool:
        """Whether one type has the name of the owner, and has no other one."""
        named = 0
        for path, root in trees:
            for place in places_of(root, {self._owner}, path)[0] if root is not None else ():
                holder = place.holder()
                if holder.kind == "import_item" and len({child.text for child in holder.children[1:]}) > 1:
                    return False
                if any(node.kind == "type_item" for node in place.above):
                    return False
                if place.leaf.field == "name" and holder.kind in _NAMING:
                    named += 1 if holder.kind in _TYPES else 2
        return named == 1


def _takes_all(node: Node) -> str:
    """What `use a::B::*` takes all names of: `B`."""
    is_all = node.kind == "import_item" and node.children[1].text == "*"
    return _last_of(node.children[0].text or "") if is_all else ""


def _last_of(module: str) -> str:
    return module.removesuffix("::").rpartition("::")[2].rpartition(" ")[2]


def owner_of(place: Place) -> str | None:
    """The type, trait or module whose name it is, as the source says; empty for any other name, None if unsure."""
    holder = place.holder()
    if holder.kind == "import_item":
        return _last_of(holder.children[0].text or "")
    if holder.kind in _PATHS:
        return _of_path(holder, place) if holder.children[-1] is place.leaf else _NO_OWNER
    if any(node.kind == "macro_definition" for node in place.above):
        return None
    if holder.kind == "token_tree":
        at = next(number for number, child in enumerate(holder.children) if child is place.leaf)
        if holder.children[at - 1].text != "::":  # the first one is a bracket
            return _NO_OWNER
        path = holder.children[at - 2]
        is_whole = holder.children[at - 3].text != "::" or (holder.children[at - 4].text or "")[:1].islower()
        return _named(path, place) if path.kind in ("identifier", "primitive_type", "self") and is_whole else None
    if place.leaf.field == "name" and holder.kind == _VARIANT:
        return (place.holder(3).child("name") or holder).text
    if place.leaf.field == "name" and holder.kind in _MEMBERS | {"function_signature_item", "type_item"}:
        return _around(place) if place.holder(2).kind == "declaration_list" else _NO_OWNER
    return _NO_OWNER


def _of_path(path: Node, place: Place) -> str | None:
    """Whose the last name of a path is."""
    if len(path.children) < 3:
        return _NO_OWNER  # `::a`
    first = path.children[0]
    if first.kind == "generic_type":
        first = first.children[0]
    if first.kind == "bracketed_type":
        is_of_trait = any(child.kind == "qualified_type" for child in first.children)
        return _NO_OWNER if is_of_trait else None
    if first.kind in _PATHS:
        *modules, last = _words(first)
        return last if all(word[:1].islower() for word in modules) and last != "Self" else None
    return _named(first, place)


def _named(name: Node, place: Place) -> str | None:
    return _around(place) if name.text == "Self" else name.text


def _around(place: Place) -> str | None:
    """The type that is given what a place is in, or the trait."""
    node = next((node for node in reversed(place.above) if node.kind in ("impl_item", "trait_item")), None)
    if node is None:
        return None  # a macro may have it
    named = node.child("name") if node.kind == "trait_item" else node.child("type")
    while named is not None and named.kind == "generic_type":
        named = named.children[0]
    return None if named is None else _words(named)[-1]


def _words(path: Node) -> list[str]:
    """The names of a path, without what types are given."""
    found: list[str] = []
    while path.kind in _PATHS:
        found.append(path.children[-1].text or "")
        path = path.children[0] if len(path.children) > 2 else Node("", None, path.row, "")
    return [path.text or "", *reversed(found)]
