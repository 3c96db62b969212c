"""Scope globs: minimatch's semantics with `{dot: true}`, as one regular expression with linear work.

A glob is anchored at the root and case-sensitive; only `/` separates. `*` and `?` never cross a slash; `**` as a
whole segment stands for any number of segments, `a/**` for everything below `a` but not for `a`. `[a-z]`,
`[!a]`, `{a,b}`, `{1..3}` and `\\x` work as in minimatch 10, with which tests/core/differential compares.

Refused, always with what to write instead:

- extglobs (`+(a)`), POSIX classes (`[[:alpha:]]`), a leading `!`, `/`, `./` or `#`, a trailing `/`, any `..`;
- an empty glob, a NUL, more than 4,096 characters, more than 1,000 alternatives or otherwise excessive braces;
- the glob `.`;
- where minimatch contradicts itself: `*` or `?` followed only by text with a backslash in it (`*\\.js`: its fast path
  takes the backslash literally), `\\|` beside a wildcard (it becomes "or"), and a class that begins with an escaped
  `^` (it becomes a negation);
- more than 200 `**` in one glob (minimatch gives up there and answers "no").

Characters are counted as in minimatch, in UTF-16 code units: an emoji is two, so `??` matches it and `?` does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import takewhile
from typing import Final

from intentls.core.errors import InvalidGlob, shorten
from intentls.core.patterns import braces
from intentls.core.patterns.minimatch import Unsupported, parse_segment
from intentls.core.patterns.path_regex import PathSegment, Segments, compile_any, merge, passes_dots, to_regex
from intentls.late_pattern import late_pattern

MAX_LENGTH: Final = 4_096
_MAX_GLOBSTARS: Final = 200
_MAX_SOURCE: Final = 50_000  # characters of regular expression, which take some 0.2 s to compile

_SLASHES = late_pattern("/+")
_LEADING = late_pattern(r"\A(?:\.?/+)+")
_BEYOND_16_BITS = late_pattern("[\U00010000-\U0010ffff]")


class Glob:
    """A scope glob, parsed. Raises `InvalidGlob` when it can't be used. It never changes, and is equal by `pattern`."""

    __slots__ = ("_regex", "alternatives", "pattern", "sources")

    def __init__(self, pattern: str) -> None:
        self.pattern: Final = pattern
        self.alternatives: Final = _parse(pattern)
        """The glob without its braces: one row of segments for each way to read it."""
        self.sources: Final = _translate(pattern, self.alternatives)
        """The glob as regular expressions, for `path_regex.compile_any`."""
        self._regex: re.Pattern[str] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Glob) and self.pattern == other.pattern

    def __hash__(self) -> int:
        return hash(self.pattern)

    def __repr__(self) -> str:
        return f"Glob({self.pattern!r})"

    def matches(self, path: str) -> bool:
        """Whether the glob matches `path`, root-relative and normalised (an absolute one or one with `..`: no)."""
        regex = self._regex
        if regex is None:
            regex = self._regex = compile_any(self.sources)
        return regex.match(as_utf16(path)) is not None and not passes_dots(path)

    @property
    def literal_prefix(self) -> str:
        """The longest directory that every match lies below, without a final slash; `""` if there is none."""
        rows = [_literal_directories(alternative) for alternative in self.alternatives]
        shared = takewhile(lambda names: len(set(names)) == 1, zip(*rows, strict=False))
        return "/".join(names[0] for names in shared)

    @property
    def places(self) -> tuple[tuple[str, bool], ...]:
        """For each alternative the longest path that all its matches are or lie below; whether nothing else is there.

        Example: `src/**` has `("src", True)`, `src/*.py` has `("src", False)`, `{a.md,b/?}` has `("a.md", True)` and
        `("b", False)`, `**/x` has `("", False)`.
        """
        return tuple(map(_place, self.alternatives))

    def names_first_segment(self, name: str) -> bool:
        """Whether an alternative begins with `name` itself, not with something that happens to match it."""
        return any(row[0] is not None and row[0].literal == as_utf16(name) for row in self.alternatives)


def as_utf16(path: str) -> str:
    """`path` with each character beyond U+FFFF as its two UTF-16 halves, as JavaScript sees it."""
    return path if path.isascii() else _BEYOND_16_BITS.sub(_halves, path)


def _halves(match: re.Match[str]) -> str:
    offset = ord(match[0]) - 0x10000
    return chr(0xD800 + (offset >> 10)) + chr(0xDC00 + (offset & 0x3FF))


def _from_utf16(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _literal_directories(alternative: Segments) -> list[str]:
    names: list[str] = []
    for segment in alternative[:-1]:
        if segment is None or segment.literal is None:
            break
        names.append(_from_utf16(segment.literal))
    return names


def _place(alternative: Segments) -> tuple[str, bool]:
    names, last = _literal_directories(alternative), alternative[-1]
    if len(names) == len(alternative) - 1 and last is not None and last.literal is not None:
        return "/".join([*names, _from_utf16(last.literal)]), True
    return "/".join(names), bool(names) and last is None and len(names) == len(alternative) - 1


def _parse(pattern: str) -> tuple[Segments, ...]:
    _check_text(pattern)
    read = cache(parse_segment)  # alternatives are much alike
    rows = [_parse_alternative(pattern, text, read) for text in braces.expand(as_utf16(pattern))]
    return tuple(row for row in rows if row)


def _translate(pattern: str, alternatives: tuple[Segments, ...]) -> tuple[str, ...]:
    sources = tuple(map(to_regex, merge(alternatives)))
    if sum(map(len, sources)) > _MAX_SOURCE:
        raise InvalidGlob(pattern, "its braces repeat too much text; write several globs")
    return sources


def _check_text(pattern: str) -> None:
    """Refuse what needs no parsing to be refused."""
    if len(pattern) > MAX_LENGTH:
        raise InvalidGlob(pattern, f"it is longer than {MAX_LENGTH:,} characters; write several globs")
    if not pattern:
        raise InvalidGlob(pattern, "it is empty; write `**` for the whole workspace")
    if "\0" in pattern:
        raise InvalidGlob(pattern, "it holds a NUL character, which no path does; take it out")
    if pattern[0] == "!":
        raise InvalidGlob(pattern, "only one `!` may lead a scope pattern; for a name with `!` write `\\!`")
    if pattern[0] == "#":
        raise InvalidGlob(pattern, "a leading `#` is a comment to minimatch; for a name with `#` write `\\#`")
    if pattern.endswith("/"):
        raise InvalidGlob(pattern, f"it ends with `/`; write {shorten(pattern.rstrip('/') + '/**')!r}")
    if pattern == ".":
        raise InvalidGlob(pattern, "it names no file; write `**` for the whole workspace")


def _parse_alternative(pattern: str, text: str, read: Callable[[str], PathSegment | None]) -> Segments | None:
    """The segments of one alternative; None for one that can't match, such as the `a/` of `a/{,b}`."""
    if text.startswith("/"):
        raise InvalidGlob(pattern, f"it starts with `/`; globs start at the root: write {_shown(text)}")
    try:
        row = tuple(map(read, _SLASHES.split(text)))
    except Unsupported as error:
        raise InvalidGlob(pattern, str(error)) from error
    names = {segment.literal for segment in row if segment}
    if ".." in names:
        raise InvalidGlob(pattern, "it holds a `..` segment; write the path from the root, without `..`")
    if text.startswith("./"):
        raise InvalidGlob(pattern, f"it starts with `./`; globs start at the root: write {_shown(text)}")
    if row.count(None) > _MAX_GLOBSTARS:
        raise InvalidGlob(pattern, f"it holds more than {_MAX_GLOBSTARS} `**`; write several globs")
    return None if names & {"", "."} else row


def _shown(text: str) -> str:
    """`text` without what leads from the root to itself, as a message shows it."""
    return repr(shorten(_from_utf16(_LEADING.sub("", text))))
