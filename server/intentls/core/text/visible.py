"""Text that others wrote, made visible: no character hides, turns the direction, or runs over its neighbours."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp", "Zs"})
"""Categories of what has no picture of its own: controls, directions, joiners, surrogates, private use, odd blanks."""

_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Letters and marks that show nothing."""

_IGNORED = ((0x2065, 0x2065), (0xFE00, 0xFE0F), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF))
"""Variation selectors, tags, and what Unicode keeps free for more of them."""

_MAX_MARKS = 2  # combining marks on one letter; more of them would paint over the lines above and below


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """`text` in parts, each with whether it stands for a character that could not be seen: `U+202E`.

    A line end counts as one, so the answer has one line. A plain blank is itself.

    Example: `"a\\u202eb"` is `("a", False), ("U+202E", True), ("b", False)`.
    """
    plain, marks = "", 0
    for character in text:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if character.isascii() and character.isprintable():
            plain += character
        elif _is_hidden(character) or marks > _MAX_MARKS:
            if plain:
                yield plain, False
                plain = ""
            yield f"U+{ord(character):04X}", True
        else:
            plain += character
    if plain:
        yield plain, False


def visible(text: str) -> str:
    """`text` on one line, each character that could not be seen as its number in brackets: `[U+202E]`."""
    return "".join(f"[{piece}]" if is_hidden else piece for piece, is_hidden in pieces(text))


def shortened(text: str, limit: int) -> str:
    """`text`, and of one longer than `limit` its beginning and its end, with how many characters are between them.

    Example: `shortened("abcdefghijklmnopqrstuvwxyz", 12)` is `"abcdefghi…(14 more)…xyz"`.
    """
    if len(text) <= limit:
        return text
    head, tail = limit - limit // 4, limit // 4
    return f"{text[:head]}…({len(text) - head - tail:,} more)…{text[len(text) - tail :]}"


def _is_hidden(character: str) -> bool:
    if unicodedata.category(character) in _HIDDEN or character in _BLANK:
        return True
    return any(first <= ord(character) <= last for first, last in _IGNORED)
