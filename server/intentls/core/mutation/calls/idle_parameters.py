"""Parameters that a private function does not ask for, and their order, which only its calls and it have to agree on.

    func show(a int, b string) { print(a) }        func show(a int) { print(a) }
    show(1, name)                                  show(1)

All calls follow, so the file in which `show` is does what it did, too. A public function tells its callers something
else than before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from posixpath import splitext

from intentls.core.mutation.calls.parameters import CALLS, TakenParts, each_parameter, give_parameters
from intentls.core.mutation.renames.declared_places import FUNCTIONS
from intentls.core.syntax.tree import Node, all_said, every_node

_ASKS_FOR_ALL = re.compile(r"\b(?:locals|vars|eval|exec|dir|globals|inspect|_getframe)\b")  # of Python
_CALLED_BY_NAME = frozenset(
    {"init", "main", "readObject", "readObjectNoData", "readResolve", "writeObject", "writeReplace"}
)
_MARKS = frozenset({"attribute_item", "comment", "line_comment", "block_comment"})
_KEPT_ALIVE = frozenset({"reference_type", "primitive_type"})  # of Rust: what nothing happens to at its end


def is_private(root: Node, name: str, path: str) -> bool:
    """Whether all functions of a name that a tree declares are for its file, or its package of Go, alone."""
    shown = _shown(root)
    return all(_is_own(function, name, path) and id(function) not in shown for function in functions_in(root, name))


def is_idle(root: Node, name: str, taken: TakenParts, path: str) -> bool:
    """Whether no function of a name that a tree declares asks for what only one side takes."""
    return all(_asks_for_none(function, taken, path) for function in functions_in(root, name))


def functions_in(root: Node, name: str) -> Iterator[Node]:
    """The functions of a name that a tree declares."""
    for node in every_node(root):
        named = node.child("name") if FUNCTIONS.search(node.kind) else None
        if named is not None and named.text == name:
            yield node


def settle_parameters(root: Node, name: str, taken: TakenParts) -> None:
    """Take out of the functions of a name what only one side takes, or bring it into the other order."""
    for function in functions_in(root, name):
        parts = each_parameter(function)
        if taken.order:
            give_parameters(function, [parts[at] for at in taken.order])
        else:
            give_parameters(function, [part for at, part in enumerate(parts) if at not in taken.places])


def _shown(root: Node) -> set[int]:
    """The functions that someone may ask for by what they are part of, or by what stands before them.

    They are those of a trait or of a class with a base, and those below an attribute, or a comment that counts.
    """
    shown: set[int] = set()
    for node in every_node(root):
        is_trait = node.kind == "trait_item" or (node.kind == "impl_item" and node.child("trait") is not None)
        if is_trait or (node.kind == "class_definition" and node.child("superclasses") is not None):
            shown |= {id(each) for each in every_node(node)}
        shown |= {id(child) for mark, child in pairwise(node.children) if mark.kind in _MARKS}
    return shown


def _is_own(function: Node, name: str, path: str) -> bool:
    marks = [part for child in function.children[:1] if child.kind == "modifiers" for part in child.children]
    match splitext(path)[1]:
        case _ if name in _CALLED_BY_NAME:
            return False
        case ".go":
            return not name[:1].isupper()
        case ".py":
            return name.startswith("_") and not name.endswith("__")
        case ".java":
            is_marked = any("annotation" in mark.kind for mark in marks)
            return any(mark.text == "private" for mark in marks) and not is_marked
        case ".rs":
            heads = {child.kind for child in function.children}
            return function.kind == "function_item" and heads.isdisjoint({"visibility_modifier", "function_modifiers"})
        case _:
            return False


def _asks_for_none(function: Node, taken: TakenParts, path: str) -> bool:
    parts = each_parameter(function)
    if any(node.kind in CALLS or "annotation" in node.kind for part in parts for node in every_node(part)):
        return False  # it is computed once, or tells something
    body = function.child("body")
    if body is None:
        return function.kind == "method_elem"  # of Go's interfaces
    said = all_said(body)
    taken_parts = [parts[at] for at in taken.places]
    names = [name_asked_for(part, path) for part in taken_parts]
    kinds = {kind.kind for part in taken_parts if (kind := part.child("type")) is not None}
    if None in names or (path.endswith(".py") and _ASKS_FOR_ALL.search(said)):
        return False
    if path.endswith(".rs") and not kinds <= _KEPT_ALIVE:
        return False
    return not any(name and says(said, name) for name in names)


def says(said: str, name: str) -> bool:
    """Whether a text has a name as a word."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said) is not None


def name_asked_for(part: Node, path: str) -> str | None:
    """By which name a function asks for a parameter, empty for none; None where that can't be told."""
    if path.endswith(".rs"):
        pattern = part.child("pattern")
        names = [] if pattern is None else [pattern.text]
    else:
        names = [leaf.text for leaf in every_node(part) if leaf.binds]
    if len(names) != 1:
        return None if names or not path.endswith(".go") else ""
    return "" if names[0] == "_" and path.endswith((".go", ".rs")) else names[0]
