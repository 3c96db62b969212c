"""What stands before a declaration: decorators, annotations and attributes, which may get to know its name."""

from __future__ import annotations

import re

from intentls.core.mutation.names.tree_names import Place
from intentls.core.syntax.tree import Node, spelling

# Decorators below which a name is found as it was before; pytest finds a fixture by the name of a parameter.
_QUIET = re.compile(
    r"@(property|staticmethod|classmethod|(abc\.)?abstractmethod|(typing\.)?(override|final|overload)"
    r"|\w+\.(setter|getter|deleter)|(functools\.)?(cached_property|cache|lru_cache\b.*|wraps\b.*)"
    r"|(contextlib\.)?(async)?contextmanager|(pytest\.)?fixture(\((scope=.*)?\))?)\Z",
    re.DOTALL,
)
_FINAL = re.compile(r"@(typing(_extensions)?\.)?final\Z")
_ANNOTATION = re.compile(r"@[\w.]+(?:\([^)]*\))?")
_QUIET_ANNOTATION = re.compile(r"@(Override|Deprecated|Nullable|NonNull|NotNull|SuppressWarnings\(.*\))\Z", re.DOTALL)


def is_quiet(declaration: Node, place: Place) -> bool:
    """Whether no decorator, annotation or attribute gets to know what it is called."""
    index = place.above.index(declaration)
    around = place.above[max(index - 1, 0)]
    if around.kind == "decorated_definition":
        decorators = [spelling(child) for child in around.children if child.kind == "decorator"]
        return all(_QUIET.match(decorator) for decorator in decorators)
    modifiers = next((child for child in declaration.children if child.kind == "modifiers"), None)
    annotations = [] if modifiers is None else _ANNOTATION.findall(modifiers.text or "")
    annotations += [spelling(child) for child in (modifiers.children if modifiers is not None else ())]
    siblings = around.children if index else []
    position = next((number for number, child in enumerate(siblings) if child is declaration), 0)
    is_marked = position > 0 and siblings[position - 1].kind in ("decorator", "attribute_item")
    derives = is_marked and spelling(siblings[position - 1]).startswith(
        ("#[derive(", "#[inline", "#[must_use", "#[allow(")
    )
    return all(_QUIET_ANNOTATION.match(word) for word in annotations if word.startswith("@")) and (
        derives or not is_marked
    )


def is_bare(owner: Node, place: Place) -> bool:
    """Whether a class is not decorated, unless as one that has no subclass: what decorates it may read its fields."""
    index = next(number for number, node in enumerate(place.above) if node is owner)
    around = place.above[max(index - 1, 0)]
    holders = (around, owner) if around.kind == "decorated_definition" else (owner,)
    decorators = (child for holder in holders for child in holder.children if child.kind == "decorator")
    is_decorated = any(not _FINAL.match(spelling(decorator)) for decorator in decorators)
    modifiers = next((child for child in owner.children if child.kind == "modifiers"), None)
    return not is_decorated and (modifiers is None or "@" not in spelling(modifiers))
