"""One segment of a scope glob, read as minimatch 10 reads it with `{dot: true}`.

The text is in UTF-16 code units (see `core/patterns/glob.py`) and holds no slash; braces are already expanded.

    `a?[0-9]*.py`   the pieces `a`, `[^/]`, `[0-9]`, a star, `\\.`, `p`, `y`;
                    as a PathSegment: `a[^/][0-9]`, then anything, then `\\.py`
    `[!a-c]x`       `[^/a-c]`, `x`: no class matches a slash
    `a\\*`           `a`, `\\*`: nothing magic, so the segment has the literal `a*`
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from intentls.core.patterns.path_regex import ANY_CHARACTER, NOTHING, PathSegment
from intentls.late_pattern import late_pattern


class Unsupported(ValueError):
    """The segment can't be read as minimatch would; the message says what to write instead."""


_EXTGLOB: Final = late_pattern(r"[+@!*?]\(")
_STARS: Final = late_pattern(r"\*+")
_POSIX_CLASS: Final = late_pattern(r"\[:[a-z]+:\]")
# minimatch matches segments of this form without their regular expression.
_FAST_FORM: Final = late_pattern(r"(?:\*+|\?+)[^+@!?*\[(]*")


class _Piece(Struct, frozen=True):
    """What matches one character (`regex`), or a star (`regex` is None). It is written at `start` to `end`."""

    regex: str | None
    start: int
    end: int
    literal: str | None = None


def parse_segment(text: str) -> PathSegment | None:
    """The segment that `text` stands for; None for a `**`. Raises `Unsupported`."""
    if text == "**":
        return None
    pieces = _pieces(text)
    _refuse_contradictions(text, pieces)
    sections: list[list[str]] = [[]]
    for piece in pieces:
        if piece.regex is None:
            sections.append([])
        else:
            sections[-1].append(piece.regex)
    names = [piece.literal for piece in pieces if piece.literal is not None]
    return PathSegment(tuple(map("".join, sections)), "".join(names) if len(names) == len(pieces) else None)


def _pieces(text: str) -> list[_Piece]:
    pieces: list[_Piece] = []
    index = 0
    # Where a `[` is not closed, none after it is: don't search again.
    closable = True
    while index < len(text):
        bracket = _bracket(text, index) if closable and text[index] == "[" else None
        closable = closable and (text[index] != "[" or bracket is not None)
        pieces.append(bracket or _piece(text, index))
        index = pieces[-1].end
    return pieces


def _piece(text: str, index: int) -> _Piece:
    """The piece at `index`, which is not a class."""
    character = text[index]
    if _EXTGLOB.match(text, index):
        raise Unsupported(f"extglobs such as `{character}(a|b)` are not supported; write braces: `{{a,b}}`")
    if stars := _STARS.match(text, index):
        # Looked at again from the last of them: `**(` is a star and an extglob.
        last = stars.end() - 1
        return _Piece(None, index, stars.end()) if last == index else _piece(text, last)
    if character == "?":
        return _Piece(ANY_CHARACTER, index, index + 1)
    if character == "\\" and index + 1 < len(text):
        return _Piece(re.escape(text[index + 1]), index, index + 2, text[index + 1])
    return _Piece(re.escape(character), index, index + 1, character)


def _bracket(text: str, start: int) -> _Piece | None:
    """The class that opens at `start`; None when nothing closes it, so that its `[` is a character."""
    negated = text[start + 1 : start + 2] in {"!", "^"}
    first = index = start + 1 + negated
    ranges: list[tuple[str, str]] = []
    low = ""
    while index < len(text):
        character = text[index]
        if character == "]" and index > first:
            return _class(text, ranges, start, index + 1, negated=negated)
        if character == "\\":
            index += 1
            character = text[index : index + 1]
        elif _POSIX_CLASS.match(text, index):
            raise Unsupported("POSIX classes are not supported; write a range, such as `[a-zA-Z]`")
        if low:
            ranges += [(low, character)] if low <= character else []
            low = ""
        elif text.startswith("-]", index + 1):
            ranges += [(character, character), ("-", "-")]
            index += 1
        elif text.startswith("-", index + 1):
            low = character
            index += 1
        else:
            ranges.append((character, character))
        index += 1
    return None


def _class(text: str, ranges: list[tuple[str, str]], start: int, end: int, *, negated: bool) -> _Piece:
    if not ranges:
        # Only ranges that run backwards: it matches nothing, and minimatch reads no further.
        return _Piece(NOTHING, start, len(text))
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1] and not negated:
        return _Piece(re.escape(ranges[0][0]), start, end, ranges[0][0])
    if ranges[0][0] == "^" and not negated:
        raise Unsupported("minimatch reads `[\\^a]` as `[!a]`; put another character first: `[a^]`")
    body = "".join(f"{re.escape(low)}-{re.escape(high)}" for low, high in ranges)
    if negated:
        return _Piece(f"[^/{body}]", start, end)
    # Written alone a class can't hold a slash, but `[+-9]` reaches across it.
    crosses = any(low < "/" < high for low, high in ranges)
    return _Piece(f"(?!/)[{body}]" if crosses else f"[{body}]", start, end)


def _refuse_contradictions(text: str, pieces: list[_Piece]) -> None:
    """Refuse what minimatch itself reads in two ways (see `core/patterns/glob.py`)."""
    if 0 <= text.find("\\") < len(text) - 1 and _FAST_FORM.fullmatch(text):
        raise Unsupported("minimatch does not read the backslash after `*` or `?` as an escape; write `[x]` for `\\x`")
    is_magic = any(piece.literal is None for piece in pieces)
    if is_magic and any(text[piece.start : piece.end] == "\\|" for piece in pieces):
        raise Unsupported("minimatch reads `\\|` beside a wildcard as `or`; write `|` or `[|]`")
