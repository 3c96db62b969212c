"""Path patterns as regular expressions whose work grows linearly with the path.

A pattern is a row of segments, some of them `**`. A segment is a row of sections with a star between each two,
and a section is a row of one-character expressions. So a section has one length, and where several places fit,
the leftmost is as good as any: what matches behind a later place matches behind the earlier one too, because a
star swallows the difference. That allows an *atomic group* around each section (and likewise around the
segments between two `**`), which the engine never enters again once it has matched. Only what must touch the
end of the path is bound to it.

Both dialects (`core/patterns/glob.py`, `core/patterns/gitignore.py`) are read into this one shape.

    src/**/a*b*.py  is  (PathSegment(("src",)), None, PathSegment(("a", "b", r"\\.py")))  and becomes, in three parts,

    src/                            the segments before the first `**`, at the start of the path
    (?:.*/)?+                       `**` before a last segment: that is behind the last slash
    a(?>[^/]*?b)(?>[^/]*\\.py)\\Z    the leftmost `b` behind `a`, once and for all; the last section at the end
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from intentls.late_pattern import late_pattern

ANY_CHARACTER: Final = "[^/]"
NOTHING: Final = "(?!)"

_MAX_DIFFERING: Final = 16
# Neither an absolute path nor one that begins with `.` or `..` as a segment
_RELATIVE: Final = r"(?!/|\.\.?(?:/|\Z))"
_DOT_SEGMENT: Final = late_pattern(r"/\.\.?(?:/|\Z)")


class PathSegment(Struct, frozen=True):
    """What one name of a path must look like.

    `sections` are regular expressions with a star between each two, so `*.py` is `("", r"\\.py")`.
    `literal` is the name itself when nothing in the segment is magic.
    """

    sections: tuple[str, ...]
    literal: str | None = None

    def regex(self) -> str:
        """The segment as a regular expression that never matches a slash."""
        first, *others = self.sections
        if not others:
            return first
        if not any(self.sections):
            return "[^/]++"
        middle = "".join(f"(?>[^/]*?{section})" for section in others[:-1])
        # Greedy, so that it takes the last place in the segment: the only one that can touch its end.
        last = f"(?>[^/]*{others[-1]})" if others[-1] else "[^/]*+"
        return first + middle + last


Segments = tuple[PathSegment | None, ...]
"""A row of at least one segment. None is a `**`: any number of segments, none included, but one at the end."""


def to_regex(segments: Segments) -> str:
    """The source that `compile_any` puts together: it matches a path from its start to its end."""
    head, *others = _split_at_globstars(segments)
    opening = "" if segments[0] and segments[0].literal else _RELATIVE
    if not others:
        return opening + _names(head)
    return opening + _directories(head) + "".join(map(_somewhere, others[:-1])) + _at_the_end(others[-1])


def merge(rows: Iterable[Segments]) -> list[Segments]:
    """`rows`, those that differ in one segment only made one row: `a/x` and `b/x` become `(?:a|b)/x`.

    The same paths match, but a glob with 1,000 alternatives stays one short expression.
    """
    merged = list(dict.fromkeys(rows))
    for index in _differing_indexes(merged):
        alike: dict[object, list[Segments]] = {}
        for row in merged:
            segment = row[index] if index < len(row) else None
            # A row with a `**` here, or nothing, stays by itself.
            alike.setdefault((row[:index], row[index + 1 :]) if segment else row, []).append(row)
        merged = [_union(group, index) for group in alike.values()]
    return merged


def _differing_indexes(rows: list[Segments]) -> list[int]:
    length = max(map(len, rows), default=0)
    indexes = [index for index in range(length) if len({row[index : index + 1] for row in rows}) > 1]
    # Rows that differ all over are not one glob's braces but a list of paths: not worth the search.
    return indexes if len(indexes) <= _MAX_DIFFERING else []


def _union(rows: list[Segments], index: int) -> Segments:
    row = rows[0]
    if len(rows) == 1:
        return row
    regex = "|".join(segment.regex() for other in rows if (segment := other[index]))
    return (*row[:index], PathSegment((f"(?:{regex})",)), *row[index + 1 :])


def _split_at_globstars(segments: Segments) -> list[list[PathSegment]]:
    groups: list[list[PathSegment]] = [[]]
    for segment in segments:
        if segment is None:
            groups.append([])
        else:
            groups[-1].append(segment)
    return groups


def _somewhere(group: list[PathSegment]) -> str:
    """The leftmost place where the segments of `group` follow each other; nothing for an empty group."""
    return f"(?>(?:[^/]++/)*?{_directories(group)})" if group else ""


def _at_the_end(group: list[PathSegment]) -> str:
    """The segments of `group` as the last ones of the path; any rest of it for an empty group."""
    if not group:
        return "."
    # One name stands after the last slash, nowhere else; for several the place is searched from the right.
    return ("(?:.*/)?+" if len(group) == 1 else "(?:.*/)?") + _names(group)


def _directories(group: list[PathSegment]) -> str:
    return "".join(segment.regex() + "/" for segment in group)


def _names(group: list[PathSegment]) -> str:
    return "/".join(segment.regex() for segment in group) + r"\Z"


def compile_any(sources: Iterable[str]) -> re.Pattern[str]:
    """One expression for `.match(path)` that holds when any of `sources` (of `to_regex`) does.

    It matches no absolute path and none that begins with `.` or `..`; for those further behind see `passes_dots`.
    """
    return re.compile("|".join(dict.fromkeys(sources)) or NOTHING, re.DOTALL)


def passes_dots(path: str) -> bool:
    """Whether a `.` or `..` stands behind the first segment of `path`: it may point anywhere."""
    return _DOT_SEGMENT.search(path) is not None
