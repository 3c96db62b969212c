"""Gitignore patterns for pathspec that decide as git does (`dir.c` and `wildmatch.c`), corner cases included.

pathspec keeps the order of the lines, drops those without effect and lets the last one that matches decide. What a
line means is read here, because pathspec's own pattern types differ from git:

- They try every way to place stars: six `**/a/` on 40 directories take half a second. Here the work grows linearly with
  the path (`core/path_regex.py`).
- They raise for patterns that git accepts: `a\\/b`, or `a\\` and `!`, which it never finds; also for `[z-a]`.
- They know no `[:alpha:]`, no `\\]` inside a class and no slash inside one.
- They take `foo**/bar` for `foo*/bar`; git finds `foobar` and `foo/x/bar` too.
- They strip white space of any kind from the end of a line; git strips spaces, but not an escaped one.
- They count characters; git counts bytes, so `?` is one byte. Text is handed over `as_bytes`, one character for each
  byte of its UTF-8 form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from pathspec import PathSpec, Pattern

from intentls.core.patterns.path_regex import ANY_CHARACTER, PathSegment, Segments, compile_any, to_regex

# Whole-segment stars right behind literal text
_LATE_GLOBSTAR: Final = re.compile(r"([^*?\[\\]*[^*?\[\\/])\*\*+(?:/\*\*+)*(?=/|\\/|\Z)")
_STARS: Final = re.compile(r"\*+")
_STAR: Final = PathSegment(("", ""))
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


class GitIgnore:
    """The lines of gitignore files, the later ones last."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Takes `lines` without their line ends, and no comments. A line that git can't use has no effect."""
        # The other backends are what a machine happens to have, and their engines know no atomic groups.
        self._spec = PathSpec.from_lines(GitPattern, lines, backend="simple")

    def ignores(self, path: str) -> bool:
        """Whether `path` (root-relative, normalised; a directory's ends with a slash) or a directory above is ignored.

        Each directory above comes first, since git takes nothing below an ignored one back in. pathspec's
        `GitIgnoreSpec` looks at the whole path only: for `a/` and `!a/b` it takes `a/b` back in.
        """
        name = as_bytes(path)
        slash = name.find("/")
        while 0 < slash < len(name) - 1:
            if self._matches(name[: slash + 1]):
                return True
            slash = name.find("/", slash + 1)
        return self._matches(name)

    def _matches(self, name: str) -> bool:
        """Whether the entry `name` is ignored by itself, whatever stands above it."""
        # No separators: a backslash is a character of the name on every system.
        return self._spec.match_file(name, separators=())


class GitPattern(Pattern):
    """One line of a `.gitignore`, not a comment. A line that matches nothing has no effect: `include` is None."""

    __slots__ = ("_directories_only", "_regex")

    def __init__(self, line: str) -> None:
        text = _without_trailing_spaces(as_bytes(line))
        negated = text.startswith("!")
        body = text[negated:]
        rows = _rows(body.removesuffix("/"))
        super().__init__(not negated if rows else None)
        self._directories_only = body.endswith("/")
        self._regex = compile_any(map(to_regex, rows))

    def match_file(self, file: str) -> re.Match[str] | None:
        """The match of `file`, a path `as_bytes`. As everywhere in pathspec, a directory's ends with a slash."""
        name = file.removesuffix("/")
        if self._directories_only and name == file:
            return None
        return self._regex.match(name)


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


def _rows(body: str) -> tuple[Segments, ...]:
    """The rows of a pattern without its `!` and its final slash; none if nothing can match it."""
    if not body.strip("/"):
        return ()
    try:
        return _anchored(body.removeprefix("/")) if "/" in body else ((None, *_segments(body)),)
    except _NeverMatches:
        return ()


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
    row: list[PathSegment | None] = []
    sections: list[list[str]] = [[]]
    index = 0
    while index < len(text):
        if stars := _STARS.match(text, index):
            index = stars.end()
            if _is_globstar(text, stars):
                if index == len(text):
                    return (*row, None)
                # An escaped slash keeps git from trying none at all.
                row += [_STAR, None] if text[index] == "\\" else [None]
                index = text.index("/", index) + 1
            else:
                sections.append([])
        elif text[index] == "/" or text.startswith("\\/", index):
            row.append(_segment(sections))
            sections = [[]]
            index = text.index("/", index) + 1
        else:
            regex, index = _character(text, index)
            sections[-1].append(regex)
    return (*row, _segment(sections))


def _segment(sections: list[list[str]]) -> PathSegment:
    return PathSegment(tuple(map("".join, sections)))


def _is_globstar(text: str, stars: re.Match[str]) -> bool:
    start, end = stars.span()
    follows = end == len(text) or text[end] == "/" or text.startswith("\\/", end)
    return end - start > 1 and (start == 0 or text[start - 1] == "/") and follows


def _character(text: str, index: int) -> tuple[str, int]:
    """The expression for the one character that `text` asks for at `index`, and where it goes on."""
    if text[index] == "[":
        return _class(text, index)
    if text[index] == "?":
        return ANY_CHARACTER, index + 1
    if text[index] == "\\":
        index += 1
        if index == len(text):
            raise _NeverMatches
    return re.escape(text[index]), index + 1


def _class(text: str, start: int) -> tuple[str, int]:
    negated = text[start + 1 : start + 2] in {"!", "^"}
    first = index = start + 1 + negated
    body, low = "", ""
    close = -1
    while index == first or text[index : index + 1] != "]":
        if close < index:
            close = text.find("]", index)
        if close < 0:
            raise _NeverMatches
        if text.startswith("[:", index) and close > index + 2 and text[close - 1] == ":":
            body, low, index = body + _posix(text[index + 2 : close - 1]), "", close + 1
            continue
        character = text[index]
        is_range = character == "-" and low and text[index + 1 : index + 2] not in {"", "]"}
        index += 1 if is_range else 0
        index += 1 if text[index : index + 1] == "\\" else 0
        character = text[index]
        if not is_range:
            body += re.escape(character)
        elif low <= character:
            body += f"{re.escape(low)}-{re.escape(character)}"
        low = "" if is_range else character
        index += 1
    # No class matches a slash, not even one that reaches across it.
    return (f"[^/{body}]" if negated else f"(?!/)[{body}]"), index + 1


def _posix(name: str) -> str:
    if name not in _POSIX_CLASSES:
        raise _NeverMatches
    return _POSIX_CLASSES[name]
