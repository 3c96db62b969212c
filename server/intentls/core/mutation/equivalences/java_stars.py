"""Java's imports of all names of a package or a class, and those of single ones: which of the two makes no difference.

    import static org.junit.Assert.*;          import static org.junit.Assert.assertTrue;
    class T { { assertTrue(a()); } }           class T { { assertTrue(a()); } }

A name that both could bring and one alone does not is a name that does not compile, or one that goes before imports of
all names in either case: the class's own, or another single import. What differs is how they come before others: a
single import goes before the types of the file's own package, and hides methods that another `*` brings.
"""

from __future__ import annotations

from intentls.core.mutation.names.java_packages import items_of
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.tree import Node

REASON = "imports of all names"


def name_each(old: Node, new: Node, facts: Surroundings) -> None:
    """Write a `*` that only one version has as the single imports that the other one has in its place."""
    for root, other in ((old, new), (new, old)):
        for star in _stars(root):
            module = star.children[0].text or ""
            named = [item for item in items_of(other) if item.children[0].text == module]
            if named and not any(map(_is_star, named)) and _is_the_same(module, named, (root, other), facts):
                index = next(number for number, child in enumerate(root.children) if child is star)
                root.children[index : index + 1] = named


def _is_the_same(module: str, named: list[Node], roots: tuple[Node, Node], facts: Surroundings) -> bool:
    names = {item.children[-1].text or "" for item in named}
    elsewhere = [item for root in roots for item in items_of(root) if item.children[0].text != module]
    if any(item.children[-1].text in names for item in elsewhere):
        return False  # another one's methods of that name would be hidden, or hide these
    if module.startswith("import static "):
        return not any(
            _is_star(item) and (item.children[0].text or "").startswith("import static") for item in elsewhere
        )
    return all(facts.is_only_in(name, module.removeprefix("import ")) for name in names)


def _stars(root: Node) -> list[Node]:
    return [item for item in items_of(root) if _is_star(item)]


def _is_star(item: Node) -> bool:
    return item.children[-1].kind == "wildcard"
