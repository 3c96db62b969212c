"""Finds a definition by its name, and the line on which that name stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from intentls.core.definitions.definition import Definition
from intentls.core.errors import InvalidArgument

_MAX_NEAR = 3
_COMMENT_OR_ANNOTATION = re.compile(rb"\s*(?://|/\*|\*|@|#(?!\s*define\b))")


def definition_named(definitions: Sequence[Definition], name: str, path: str) -> Definition:
    """The one definition of that qualified name, or the only one whose name ends in it.

    Of `City.parse`, `City.snow` and `Town.snow`: `parse` is City.parse, `Town.snow` itself, `snow` is ambiguous.
    Raises InvalidArgument, with the names that are near, if there is none or more than one.
    """
    named = [definition for definition in definitions if definition.name == name]
    named = named or [definition for definition in definitions if definition.name.endswith(f".{name}")]
    if len(named) == 1:
        return named[0]
    if named:
        places = ", ".join(f"{definition.name} (line {definition.start_line})" for definition in named)
        raise InvalidArgument("symbol", f"{path} has {len(named)} definitions named {name}: {places}")
    names = {definition.name for definition in definitions}
    last = {one.rpartition(".")[2]: one for one in sorted(names)}
    near = get_close_matches(name, names, _MAX_NEAR) or [
        last[one] for one in get_close_matches(name.rpartition(".")[2], last, _MAX_NEAR)
    ]
    hint = f". Near: {', '.join(near)}" if near else ""
    raise InvalidArgument("symbol", f"{path} has no definition {name}{hint}")


def name_line(definition: Definition, lines: Sequence[bytes]) -> int:
    """The number of the line with its name, among all `lines` of the file; where it begins, if no line has that."""
    word = re.compile(rb"(?<!\w)" + re.escape(definition.name.rpartition(".")[2].encode()) + rb"(?!\w)")
    for number in range(definition.own_line, definition.end_line + 1):
        line = lines[number - 1]
        if word.search(line) and not _COMMENT_OR_ANNOTATION.match(line):
            return number
    return definition.own_line
