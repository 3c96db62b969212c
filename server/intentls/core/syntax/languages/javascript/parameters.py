"""Parameters and arguments that do nothing: without them a function that its file alone calls does the same.

    function area(a, b, unit) { return a * b }      and      function area(a, b) { return a * b }
    area(1, 2, "m")                                          area(1, 2)

The function is declared once and only called by its name; what goes away says neither anything that is computed nor a
name that may have no value yet.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from intentls.core.syntax.languages.javascript.forms import assigned
from intentls.core.syntax.languages.javascript.functions import blocks_of, is_near
from intentls.core.syntax.languages.javascript.name_uses import NameUses, uses_of, words_of
from intentls.core.syntax.tree import Node, Role, every_node

REASON = "parameters that nothing uses"

MAX_ROUNDS = 10
_MANY = 1 << 16
# The parameters of a function that was not read, as both sides have it.
_HEAD = re.compile(r"(?:async\s+)?function\s*\*?\s*[\w$]+\s*\(([^()]*)\)")
_PLAIN = re.compile(r"\s*[A-Za-z_$][\w$]*\s*(?::[\s\w$.\[\]|]*)?|")
_DYNAMIC = frozenset({"arguments", "eval"})
_CONSTANTS = frozenset({"string", "number", "true", "false", "null", "undefined"})
_FUNCTIONS = frozenset(
    {
        *("function_declaration", "generator_function_declaration", "function_expression", "generator_function"),
        *("arrow_function", "method_definition"),
    }
)


def without_idle_parameters(root: Node) -> None:
    """A `Rewrite`: take away what is handed over for nothing. What one call no more says may let another go."""
    listed = (child for _, block in blocks_of(root) for child in block.children)
    functions = [node for node in listed if node.kind == "function_declaration"]
    if not functions:
        return
    changed = assigned(root)
    for _ in range(MAX_ROUNDS):
        uses = uses_of(root)
        known: dict[int, frozenset[str]] = {}
        shortened = [_shorten(node, uses, known, root) for node in functions if _name(node) not in changed]
        if not any(shortened):
            return


def _name(function: Node) -> str:
    name = function.child("name")
    return function.origin or (name.text if name is not None else "") or ""


def _shorten(function: Node, uses: NameUses, known: dict[int, frozenset[str]], root: Node) -> bool:
    """Take away one parameter, or what is handed over beyond all of them. Answers whether there was something."""
    calls = uses.calls[_name(function)]
    said = words_of(function)
    is_called = (bool(calls) or uses.unread[_name(function)] > 0) and not uses.handed[_name(function)]
    if not is_called or not uses.is_only_called(_name(function)) or not _DYNAMIC.isdisjoint(said):
        return False
    if any(part.kind == "spread_element" for call in calls for part in _parts(call.children[1])):
        return False
    count = _count(function)
    rest = [(call, part) for call in calls for part in _parts(call.children[1])[count:]]
    if rest and _are_idle(rest, known, root):
        for call, _ in rest:
            _put(call.children[1], _parts(call.children[1])[:count])
        return True
    listed, body = function.child("parameters"), function.child("body")
    if listed is None or body is None or count == _MANY:
        return False
    inside = words_of(body)
    for index, parameter in enumerate(_parts(listed)):
        given = [(call, part) for call in calls for part in _parts(call.children[1])[index : index + 1]]
        if _named(parameter) not in inside and _are_idle(given, known, root):
            for holder in (listed, *(call.children[1] for call in calls)):
                _put(holder, [part for at, part in enumerate(_parts(holder)) if at != index])
            return True
    return False


def _count(function: Node) -> int:
    """How many parameters a function has, if all are names alone; else more than any call hands over."""
    listed = function.child("parameters")
    if listed is None:
        head = _HEAD.match(function.text or "")
        names = head[1].split(",") if head is not None else ["..."]
        return len(names) - (names == [""]) if all(_PLAIN.fullmatch(name) for name in names) else _MANY
    parts = _parts(listed)
    return len(parts) if all(_named(part) is not None for part in parts) else _MANY


def _named(parameter: Node) -> str | None:
    """The name of a parameter that has no more than a type; None for any other."""
    name = parameter.children[0] if parameter.kind == "required_parameter" and parameter.children else parameter
    is_plain = len(parameter.children) < 3 and all(child.field in ("pattern", "type") for child in parameter.children)
    return name.text if is_plain and name.role is Role.NAME else None


def _parts(listed: Node) -> list[Node]:
    return [part for part in listed.children if part.text not in ("(", ")", ",")]


def _put(listed: Node, parts: list[Node]) -> None:
    first, last = listed.children[0], listed.children[-1]
    inner = [child for part in parts for child in (Node(",", None, part.row, ","), part)][1:]
    listed.children = [first, *inner, last]


def _are_idle(given: list[tuple[Node, Node]], known: dict[int, frozenset[str]], root: Node) -> bool:
    """Whether to compute what these calls are given does nothing. What each of them knows is read when it matters."""
    if given and not known:
        known.update(_known_at_calls(root))
    return all(_is_idle(part, known[id(call)]) for call, part in given)


def _is_idle(argument: Node, known: frozenset[str]) -> bool:
    """Whether to compute an argument does nothing, and can't fail."""
    if argument.kind in _CONSTANTS:
        return all(node.kind in (*_CONSTANTS, "string_fragment", "escape_sequence") for node in every_node(argument))
    return argument.role is Role.NAME and argument.text in known


def _known_at_calls(root: Node) -> Iterator[tuple[int, frozenset[str]]]:
    """For each call the names that have a value whenever it is reached: parameters, and imports of packages."""
    binds = Counter(leaf.text for leaf in every_node(root) if leaf.binds)
    items = (child for child in root.children if child.kind == "import_item" and not is_near(child))
    imported = frozenset(item.children[-1].text or "" for item in items if binds[item.children[-1].text] == 1)
    stack = [(root, imported)]
    while stack:
        node, known = stack.pop()
        if node.kind == "call_expression":
            yield id(node), known
        listed = node.child("parameters") if node.kind in _FUNCTIONS else None
        if listed is None:
            stack.extend((child, known) for child in node.children)
            continue
        own = {name for part in _parts(listed) if (name := _named(part)) is not None}
        # What the function declares itself may stand there before it has a value; so may a default of a parameter.
        declared = {
            leaf.text or "" for part in node.children if part is not listed for leaf in every_node(part) if leaf.binds
        }
        stack.append((listed, known - own))
        inner = frozenset((known | own) - declared)
        stack.extend((child, inner) for child in node.children if child is not listed)
