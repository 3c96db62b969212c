"""Branches of Python for versions that the package no longer supports, by the oldest one that it says it needs.

    if sys.version_info >= (3, 8) and fast:      and      if fast:

are the same if `requires-python` is `>=3.8` or later: an environment that the package can't be installed in is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.tree import Node, Role, every_node, spelling

REASON = "no more branches for older versions"

_VERSION = re.compile(r"(?:sys\.)?version_info(?:\[:2\])?\Z")
_MAJOR = re.compile(r"(?:sys\.)?version_info(?:\[0\]|\.major)\Z")


# What each version has without asking for it, from this one on.
_ALWAYS = {
    **dict.fromkeys(("nested_scopes", "generators", "with_statement"), (2, 6)),
    **dict.fromkeys(("absolute_import", "division", "print_function", "unicode_literals"), (3, 0)),
    "generator_stop": (3, 7),
}


# What `typing_extensions` takes from `typing` as it is, from this version on.
_SAME_TYPES = {
    **dict.fromkeys(("ClassVar", "Type", "NoReturn", "Text", "TYPE_CHECKING", "Awaitable"), (3, 6)),
    **dict.fromkeys(("AsyncIterable", "AsyncIterator", "Coroutine", "DefaultDict", "Deque"), (3, 6)),
    **dict.fromkeys(("Counter", "ChainMap"), (3, 7)),
    **dict.fromkeys(("Final",), (3, 8)),
    **dict.fromkeys(("Annotated",), (3, 9)),
    **dict.fromkeys(("TypeAlias", "TypeGuard", "ParamSpecArgs", "ParamSpecKwargs"), (3, 10)),
}
_SAME_ERRORS = ("IOError", "EnvironmentError")


def without_old_versions(root: Node, facts: Surroundings) -> None:
    """Put in what comparisons with `sys.version_info` always say, and take out the branches that are never taken.

    And what is asked of `__future__` that is so in all versions.
    """
    oldest = () if _says_nothing(root) else facts.oldest_python()
    if not oldest:
        return
    _name_as_today(root, oldest)
    root.children = [child for child in root.children if not _is_so_anyway(child, oldest)]
    nodes: list[tuple[Node, bool]] = []
    stack = [(root, False)]
    while stack:
        node, is_local = stack.pop()
        nodes.append((node, is_local))
        is_local = is_local or node.kind == "function_definition"
        stack.extend((child, is_local) for child in node.children)
    for node, is_local in reversed(nodes):  # from the inside out
        node.children = [part for child in node.children for part in _folded(child, oldest, is_local=is_local)]


def _says_nothing(root: Node) -> bool:
    is_said = any(_is_so_anyway(child, (3, 99)) or _is_extended(child, (3, 99)) for child in root.children)
    words = ("version_info", *_SAME_ERRORS)
    return not is_said and not any(node.text in words or _is_coding(node) for node in every_node(root))


def _is_coding(node: Node) -> bool:
    """Whether it is the comment that says of a file that it is UTF-8."""
    return node.kind == "comment" and _CODING.fullmatch(node.text or "") is not None


_CODING = re.compile(r"#.{0,20}?coding[:=][ \t]*utf-?8\b.{0,20}", re.IGNORECASE)


def _is_extended(child: Node, oldest: tuple[int, ...]) -> bool:
    """Whether it takes from `typing_extensions` what `typing` has as well."""
    if child.kind != "import_item" or child.children[0].text != "typing_extensions" or len(child.children) != 3:
        return False
    return oldest >= _SAME_TYPES.get(child.children[1].text or "", (9,))


def _name_as_today(root: Node, oldest: tuple[int, ...]) -> None:
    """Names that are another one's, and what says of a file what it is anyway."""
    if oldest >= (3, 0):
        root.children = [child for child in root.children if not _is_coding(child)]
    for child in root.children:
        if _is_extended(child, oldest):
            child.children[0].text = child.children[1].origin = child.children[-1].origin = "typing"
    bound = {node.text for node in every_node(root) if node.binds}
    if oldest < (3, 3) or "OSError" in bound:
        return
    for node in every_node(root):
        if node.role is Role.NAME and node.text in _SAME_ERRORS and node.text not in bound:
            node.text = "OSError"
    for node in every_node(root):
        node.children = [_of_one(child) if node.kind == "except_clause" else child for child in node.children]


def _of_one(errors: Node) -> Node:
    """`except OSError` for `except (OSError, OSError)`."""
    inner = errors.children[0] if errors.kind == "as_pattern" else errors
    if inner.kind != "tuple" or any(part.role is not Role.NAME for part in inner.children[::2]):
        return errors
    parts = list({part.text: part for part in inner.children[::2]}.values())
    if len(parts) == 1:
        alone = in_place_of(inner, parts[0])
        errors.children[:1] = [alone] if inner is not errors else errors.children[:1]
        return alone if inner is errors else errors
    inner.children = [sign for part in parts for sign in (part, Node(",", None, part.row, ","))][:-1]
    return errors


def _is_so_anyway(child: Node, oldest: tuple[int, ...]) -> bool:
    if child.kind != "import_item" or child.children[0].text != "__future__":
        return False
    name = child.children[1].text or ""
    return oldest >= _ALWAYS.get(name, (9,)) and child.children[-1].text == name


def _folded(node: Node, oldest: tuple[int, ...], *, is_local: bool) -> list[Node]:
    """What stands for the node: with a comparison decided, or an operand or a branch gone."""
    if not node.children:
        return [node]
    value = _compared(node, oldest) if node.kind == "comparison_operator" else None
    if value is not None:
        return [_truth(node, value)]
    kinds = [child.kind for child in node.children]
    if node.kind == "not_operator" and kinds[1] in ("true", "false"):
        return [_truth(node, kinds[1] == "false")]
    if node.kind == "boolean_operator" and kinds[0] in ("true", "false"):
        # Of `True and a and b` the rest is left, of `False and a and b` the first alone.
        is_rest = (kinds[0] == "true") == (kinds[1] == "and")
        node.children = node.children[2:] if is_rest else node.children[:1]
        return [in_place_of(node, node.children[0])] if len(node.children) == 1 else [node]
    if node.kind == "if_statement" and kinds[1] in ("true", "false"):
        kept, gone = _branches(node, is_true=kinds[1] == "true")
        if kept is not None and not (is_local and any(leaf.binds for part in gone for leaf in every_node(part))):
            return kept
    return [node]


def _truth(node: Node, value: bool) -> Node:
    return Node("true" if value else "false", node.field, node.row, str(value))


def _branches(node: Node, *, is_true: bool) -> tuple[list[Node] | None, list[Node]]:
    """The statements that are run, None where another condition decides that, and the parts that never are."""
    branch, others = node.children[3], node.children[4:]
    if is_true:
        return branch.children, others
    if not others:
        return [], [branch]
    if others[0].kind == "else_clause":
        return others[0].children[-1].children, [branch]
    return None, []


def _compared(node: Node, oldest: tuple[int, ...]) -> bool | None:
    """What a comparison says on every version from the oldest on; None if that differs, or is not of versions."""
    if len(node.children) != 3:
        return None
    left, sign, right = node.children
    if _VERSION.match(spelling(left)) and right.kind == "tuple":
        bound = tuple(_numbers(right))
    elif _MAJOR.match(spelling(left)) and right.kind == "integer":
        bound, oldest = tuple(_numbers(right)), oldest[:1]
    else:
        return None
    if sign.kind in (">=", "<") and oldest >= bound:
        return sign.kind == ">="
    if sign.kind in (">", "<=", "==", "!=") and oldest > bound:
        return sign.kind in (">", "!=")
    return None


def _numbers(node: Node) -> Iterator[int]:
    yield from (int(leaf.text or "") for leaf in [node, *node.children] if leaf.kind == "integer")
