"""One line of a `.gitignore`, read as git reads it (`dir.c` and `wildmatch.c`), corner cases included.

Git works on bytes. So do the rules here: text is handed over `as_bytes`, one character for each byte of its UTF-8
form, and `?` is one byte.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from intentls.core.patterns.path_regex import ANY_CHARACTER, Segment, Segments

# Whole-segment stars right behind literal text
_LATE_GLOBSTAR: Final = re.compile(r"([^*?\[\\]*[^*?\[\\/])\*\*+(?:/\*\*+)*(?=/|\\/|\Z)")
_STARS: Final = re.compile(r"\*+")
_STAR: Final = Segment(("", ""))
_BACKSLASH: Final = "\\"

_POSIX_CLASSES: Final = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r"\t ",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t\n\r ",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern line. A path of the right kind that one of `rows` matches is ignored, or (`negated`) is not."""

    rows: tuple[Segments, ...]
    negated: bool = False
    directories_only: bool = False


class _NeverMatches(Exception):
    """Git accepts the pattern and never finds a match: an unclosed class, an unknown `[:name:]`, a final backslash."""


def as_bytes(text: str) -> str:
    """`text` with one character for each byte of its UTF-8 form; undecodable bytes of a file name come back."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("latin-1")
    except UnicodeEncodeError:  # a lone surrogate that stands for no byte: no file has it, any form will do
        return text.encode("utf-8", "surrogatepass").decode("latin-1")


def parse_rule(line: str) -> Rule | None:
    """The rule that `line` (without its line end) stands for; None for a blank, a comment or a dead pattern."""
    if line.startswith("#"):
        return None
    text = _without_trailing_spaces(as_bytes(line))
    negated = text.startswith("!")
    body = text[negated:]
    directories_only = body.endswith("/")
    body = body[: len(body) - directories_only]
    if not body.strip("/"):
        return None
    try:
        rows = _anchored(body.removeprefix("/")) if "/" in body else ((None, *_segments(body)),)
    except _NeverMatches:
        return None
    return Rule(rows, negated, directories_only)


def _without_trailing_spaces(text: str) -> str:
    stripped = text.rstrip(" ")
    backslashes = len(stripped) - len(stripped.rstrip("\\"))
    return stripped + " " if backslashes % 2 and stripped != text else stripped


def _anchored(body: str) -> tuple[Segments, ...]:
    """The rows of a pattern that starts at the root.

    Git compares the literal text before the first wildcard by itself and starts afresh behind it. So it takes
    `foo**/bar` for `foo` and then a whole-segment `**/bar`, which finds `foobar`, `foox/bar` and `foo/x/bar`.
    """
    late = _LATE_GLOBSTAR.match(body)
    if not late:
        return (_segments(body),)
    start, rest = late[1], body[late.end() :]
    below = f"{start}*/**{rest.removeprefix(_BACKSLASH)}"
    if rest.startswith(_BACKSLASH):
        return (_segments(below),)
    near = start + rest[1:] if rest else start + "*"
    return _segments(near), _segments(below)


def _segments(text: str) -> Segments:
    """The segments of `text`; its `**` count as such at its start and behind a slash."""
    row: list[Segment | None] = []
    sections: list[list[str]] = [[]]
    place = 0
    while place < len(text):
        if stars := _STARS.match(text, place):
            place = stars.end()
            if _is_globstar(text, stars):
                if place == len(text):
                    return (*row, None)
                # An escaped slash keeps git from trying none at all.
                row += [_STAR, None] if text[place] == "\\" else [None]
                place = text.index("/", place) + 1
            else:
                sections.append([])
        elif text[place] == "/" or text.startswith("\\/", place):
            row.append(_segment(sections))
            sections = [[]]
            place = text.index("/", place) + 1
        else:
            regex, place = _character(text, place)
            sections[-1].append(regex)
    return (*row, _segment(sections))


def _segment(sections: list[list[str]]) -> Segment:
    return Segment(tuple(map("".join, sections)))


def _is_globstar(text: str, stars: re.Match[str]) -> bool:
    start, end = stars.span()
    follows = end == len(text) or text[end] == "/" or text.startswith("\\/", end)
    return end - start > 1 and (start == 0 or text[start - 1] == "/") and follows


def _character(text: str, place: int) -> tuple[str, int]:
    """The expression for the one character that `text` asks for at `place`, and where it goes on."""
    if text[place] == "[":
        return _class(text, place)
    if text[place] == "?":
        return ANY_CHARACTER, place + 1
    if text[place] == "\\":
        place += 1
        if place == len(text):
            raise _NeverMatches
    return re.escape(text[place]), place + 1


def _class(text: str, start: int) -> tuple[str, int]:
    negated = text[start + 1 : start + 2] in {"!", "^"}
    first = place = start + 1 + negated
    body, low = "", ""
    close = -1
    while place == first or text[place : place + 1] != "]":
        if close < place:
            close = text.find("]", place)
        if close < 0:
            raise _NeverMatches
        if text.startswith("[:", place) and close > place + 2 and text[close - 1] == ":":
            body, low, place = body + _posix(text[place + 2 : close - 1]), "", close + 1
            continue
        character = text[place]
        is_range = character == "-" and low and text[place + 1 : place + 2] not in {"", "]"}
        place += 1 if is_range else 0
        place += 1 if text[place : place + 1] == "\\" else 0
        character = text[place]
        if not is_range:
            body += re.escape(character)
        elif low <= character:
            body += f"{re.escape(low)}-{re.escape(character)}"
        low = "" if is_range else character
        place += 1
    # No class matches a slash, not even one that reaches across it.
    return (f"[^/{body}]" if negated else f"(?!/)[{body}]"), place + 1


def _posix(name: str) -> str:
    if name not in _POSIX_CLASSES:
        raise _NeverMatches
    return _POSIX_CLASSES[name]
