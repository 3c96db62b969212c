"""The YAML tree with positions, and how a line of text is found from an offset."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any, Final, TypeAlias

from msgspec import Struct, field

from intentls.core.diagnostic import Severity, Span
from intentls.late_pattern import late_pattern

# LSP's line ends. YAML 1.1 (and so PyYAML's marks) also counts \x85, U+2028 and U+2029.
_LINE_END = late_pattern(r"\r\n|\n|\r")

MAX_PROBLEMS: Final = 1000
"""Of one file. More are of no use, and a client should not have to show them."""

NOT_TEXT: Final = 0.5
"""Stands for a plain scalar that some YAML reader takes for something else than text (`007`, `1.5`, `yes`).
No key of our schemas takes a fraction, so validation refuses it wherever a type is asked for."""

_MAYBE_SPECIAL = frozenset("+-.0123456789tTfFnNyYoO~")
_CONSTANTS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **{form: NOT_TEXT for word in ("yes", "no", "on", "off") for form in (word, word.title(), word.upper())},
}
_INTEGER = late_pattern(r"[-+]?(?:0|[1-9][0-9]{0,15})")
# What YAML 1.1 or 1.2 reads as a number: both, because a file has more than one reader.
_NUMBER = late_pattern(
    r"""[-+]?(?: 0b[01_]+ | 0o[0-7]+ | 0x[0-9a-fA-F_]+
        | [0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?
        | \.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)? | \.(?:inf|Inf|INF|nan|NaN|NAN) )""",
    re.VERBOSE,
)


class ScalarNode(Struct):
    """One value. `start`/`end` are code-point offsets, quotes included (equal: nothing is written, as after
    `key:`). `data` is what JSON would hold.
    """

    start: int
    end: int
    value: str
    data: Any
    style: str  # "" plain, "'" or '"' quoted, "|" or ">" block
    alias: bool = False


class SequenceNode(Struct):
    """A list. A block list ends where its last item ends."""

    start: int
    end: int
    flow: bool
    items: list[Node] = field(default_factory=list)
    data: list[Any] = field(default_factory=list)
    alias: bool = False


class MappingNode(Struct):
    """A mapping, in the file's order. A repeated key stays in `entries`; `get` and `data` know the first."""

    start: int
    end: int
    flow: bool
    entries: list[tuple[ScalarNode, Node]] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    alias: bool = False

    def entry(self, key: str) -> tuple[ScalarNode, Node] | None:
        """The first entry with this key."""
        return next((entry for entry in self.entries if entry[0].value == key), None)

    def get(self, key: str) -> Node | None:
        """The value of this key."""
        entry = self.entry(key)
        return entry[1] if entry else None


Node: TypeAlias = ScalarNode | SequenceNode | MappingNode


class YamlProblem(Struct, frozen=True):
    """Something wrong at `start`..`end` (offsets). `path` leads there from the root, if that is known."""

    start: int
    end: int
    code: str
    message: str
    severity: Severity = Severity.ERROR
    path: tuple[str | int, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)


class YamlLineIndex:
    """Turns offsets into lines and columns; both count from 0, columns in code points."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of `offset`."""
        line = bisect_right(self._starts, offset) - 1
        return line, offset - self._starts[line]

    def span(self, start: int, end: int) -> Span:
        """The stretch `start`..`end`."""
        return Span(*self.position(start), *self.position(end))


def plain_data(value: str) -> Any:
    """What a plain scalar stands for: str, int, bool, None, or NOT_TEXT. Dates stay text."""
    if value and value[0] not in _MAYBE_SPECIAL:
        return value
    if value in _CONSTANTS:
        return _CONSTANTS[value]
    if _INTEGER.fullmatch(value):
        return int(value)
    return NOT_TEXT if _NUMBER.fullmatch(value) else value
