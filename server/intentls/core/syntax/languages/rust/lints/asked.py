"""Closures of Rust that only ask their one parameter, and the path of what they ask: `|a| a.len()` and `String::len`.

What a path is given is of just the type that has the method, which is then the first that is found for `a.len()`, too.
Which type that is may be told by the path alone, as in `text.parse().map(Metre::value)`: so no path is put in the place
of another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set

from intentls.core.syntax.languages.made_nodes import given_to
from intentls.core.syntax.languages.rust.forms.methods import call_of, closure, method_of
from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

_OF_LIBRARY = frozenset(
    {
        *("ToString", "ToOwned", "AsRef", "AsMut", "Clone", "Into", "Deref", "Borrow", "Iterator", "IntoIterator"),
        *("String", "str", "char", "Path", "PathBuf", "OsStr", "OsString", "Option", "Result", "Vec", "Cow", "Box"),
    }
)
_HERE = frozenset({"struct_item", "enum_item", "union_item"})
_IT = "it"


def asked_alike(old: Node, new: Node) -> None:
    """Closures for the paths of methods that one of two trees has, where the other one has more such closures."""
    paths = [list(_paths(root)) for root in (old, new)]
    closures = [list(_closures(root)) for root in (old, new)]
    counts = [Counter(path for _, _, path in side) for side in paths]
    asks = [Counter(name for _, name in side) for side in closures]
    for root, this, other in ((old, 0, 1), (new, 1, 0)):
        more, gone = counts[this] - counts[other], counts[other] - counts[this]
        asked = asks[other] - asks[this] if more else Counter[str]()
        replaced = {path.rpartition("::")[2] for path in gone}
        known = _known(root) if asked else _OF_LIBRARY
        for holder, at, path in paths[this]:
            *_, owner, name = path.split("::")
            if path in more and name in asked and name not in replaced and owner in known:
                it = Node("identifier", "value", holder.row, _IT)
                holder.children[at] = closure((_IT,), call_of(it, name, [], holder))
    if asks[0] != asks[1]:
        for (parameter, owner_of), _ in (*closures[0], *closures[1]):
            parameter.text = owner_of.text = _IT


def _paths(root: Node) -> Iterator[tuple[Node, int, str]]:
    """The paths of methods that something is given: where each one stands."""
    for node in inner_nodes(root):
        if node.kind != "arguments":
            continue
        for at, child in enumerate(node.children):
            path = spelling(child) if child.kind == "scoped_identifier" else ""
            if path.rpartition("::")[2][:1].islower():
                yield node, at, path


def _known(root: Node) -> Set[str]:
    """The types whose methods are known to be their own: those of the library, and of the file."""
    items = [node for node in every_node(root) if node.kind.endswith("_item")]
    types = {_declared(node) for node in items if node.kind in _HERE}
    return (_OF_LIBRARY - set(map(_declared, items))) | types


def _declared(item: Node) -> str:
    """The name of an item, also of one that is a leaf since it did not change."""
    name = item.child("name")
    return item.origin if name is None else name.text or ""


def _closures(root: Node) -> Iterator[tuple[tuple[Node, Node], str]]:
    """The closures that only ask their one parameter: the two places of that, and what they ask."""
    for node in inner_nodes(root):
        if node.kind != "closure_expression" or len(node.children) != 2:
            continue
        parameters, body = node.children
        names = [child for child in parameters.children if child.text != "|"]
        owner, name = method_of(body)
        if len(names) != 1 or owner is None or given_to(body) or owner.kind != "identifier":
            continue
        if (names[0].kind, names[0].text) == (owner.kind, owner.text):
            yield (names[0], owner), name
