"""What of a name of Java matters to who follows it through a repository, and to whom else it is known."""

from __future__ import annotations

import re
from collections.abc import Iterable

from intentls.core.mutation.names.class_bases import JDK_MEMBERS, ClassBases, is_owner
from intentls.core.mutation.names.tree_names import Place
from intentls.core.syntax.tree import Node

# What programs of Java find by the form of its name: tests, beans and the handlers of events; and what they call on
# whatever is of an interface of the language.
_WHOLE = "|".join(sorted({*JDK_MEMBERS, "main", "init", "suite"}))
JAVA_FRAMEWORK = re.compile(rf"__|[Tt]est|[Bb]ench|[Ff]uzz|onEvent|set_?[Uu]p|tear_?[Dd]own|handle|({_WHOLE})\Z")
# Files in which no method of Java has its name: what is built of which parts, and other languages' forms of data.
CALLS_NO_METHODS = re.compile(r"(^|/)pom\.xml\Z|\.proto\Z|^(website|docs|site)/.*\.html\Z")
CONSTRUCTORS = ("constructor_declaration", "compact_constructor_declaration")
_ACCESS = frozenset({"public", "protected", "private"})


def without_access(declaration: Node) -> Node:
    """A method without the word for who sees it: for its file that is a change, for who calls it none."""
    modifiers = next((child for child in declaration.children if child.kind == "modifiers" and child.children), None)
    if modifiers is None or declaration.kind != "method_declaration":
        return declaration
    kept = [child for child in modifiers.children if child.text not in _ACCESS]
    said = [Node("modifiers", None, modifiers.row, children=kept)] if kept else []
    rest = [child for child in declaration.children if child is not modifiers]
    return Node(declaration.kind, declaration.field, declaration.row, children=[*said, *rest])


def is_meant(place: Place, declared: Iterable[Place], bases: ClassBases) -> bool:
    """Whether no class between a plain name and what declares it has a base from elsewhere: that may have the new name.

    Example: `use(total)` in `class In extends Base { .. }`, beside `int total` of the class around it.
    """
    if place.holder().child("object") not in (None, place.leaf):
        return True  # it is asked of an object
    owners = _owners(place)
    if all(map(bases.are_own, owners[1:])):
        return True
    homes = {id(owner) for home in declared for owner in _owners(home)[-1:]}
    home = next((at for at in reversed(range(len(owners))) if id(owners[at]) in homes), len(owners))
    return all(map(bases.are_own, owners[home + 1 :]))


def _owners(place: Place) -> list[Node]:
    return [node for node in place.above if is_owner(node)]
