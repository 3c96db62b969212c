"""What declares a name in a file of C, as tokens tell: macros hide from trees what they do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from intentls.core.syntax.languages.adapter import kinds
from intentls.core.syntax.languages.c.spans import Lexemes

MAX_USES = 1_000  # in one file, that may declare a name
MAX_BRACKET = 20_000  # tokens that are read from one on

_NAME = re.compile(r"[^\W\d]\w*\Z")
_MACRO = re.compile(r"[A-Z][A-Z\d_]*\Z")
_NO_TYPES = kinds("return goto case extern sizeof else do")
_TAGS = (("struct",), ("union",), ("enum",))
_WITH_BODIES = kinds("typedef struct union enum static")
OPENS, CLOSES = frozenset({"(", "{", "["}), frozenset({")", "}", "]"})


class Declared(Struct, frozen=True):
    """What declares a name, as tokens, without a body. `is_own`: for this file alone, and for who includes it."""

    lexemes: Lexemes
    is_own: bool


def declarations(tokens: Lexemes, word: str) -> Iterator[Declared]:
    """What declares the name: a macro, a type, a function with its body, a variable, a field, a constant."""
    for index in [*places_of_word(tokens, word)][:MAX_USES]:
        start = _start(tokens, index)
        head, following = tokens[start:index], tokens[index + 1 : index + 2]
        is_own = head[:1] in (("static",), ("typedef",))
        if head == ("define",) and tokens[start - 1] == "\n#":
            yield Declared(tokens[start : tokens.index("\n", index)], is_own=True)
        elif tokens[index - 1 : index] == ("}",) and following == (";",):
            opening = _opening(tokens, index - 1)
            begin = _start(tokens, opening)
            is_own = tokens[begin] in ("static", "typedef")
            yield from [Declared(tokens[begin:opening], is_own)] if tokens[begin] in _WITH_BODIES else []
        elif head[-2:] == ("(", "*") and following == (")",) and _is_type(head[:-2]):
            parameters = _bracket(tokens, index + 2)
            yield from [Declared((*head, *parameters), is_own)] if parameters[:1] == ("(",) else []
        elif head[-1:] in _TAGS:
            yield from ([Declared(head, is_own=True)] if following == ("{",) else [])
        elif _is_type(head) and following == ("(",):
            parameters = _bracket(tokens, index + 1)
            body = _bracket(tokens, index + 1 + len(parameters))
            yield from [Declared((*head, *parameters), is_own)] if body[:1] == ("{",) else []
        elif _is_type(head) and following in ((";",), ("=",), ("[",), (",",), (":",)):
            yield Declared((*head, word), is_own)
        elif following in ((",",), ("=",), ("}",)) and _is_constant(tokens, index):
            yield Declared(("enum", word), is_own=True)


def places_of_word(tokens: Lexemes, word: str) -> Iterator[int]:
    return (index for index, token in enumerate(tokens) if token == word)


def _start(tokens: Lexemes, index: int) -> int:
    """Where the statement or directive begins in which a token stands."""
    while index and tokens[index - 1] not in (";", "{", "}", "\n", "\n#"):
        index -= 1
    return index


def _bracket(tokens: Lexemes, start: int) -> Lexemes:
    """The bracket that begins here, with all that is in it; none if there is none, or it is too long."""
    depth = 0
    for position in range(start, min(start + MAX_BRACKET, len(tokens))):
        depth += (tokens[position] in OPENS) - (tokens[position] in CLOSES)
        if depth <= 0:
            return tokens[start : position + 1] if position > start else ()
    return ()


def _opening(tokens: Lexemes, end: int) -> int:
    """Where the bracket opens that closes at a token; that token itself if it is too long."""
    depth = 0
    for position in range(end, max(end - MAX_BRACKET, 0), -1):
        depth += (tokens[position] in CLOSES) - (tokens[position] in OPENS)
        if depth == 0:
            return position
    return end


def _is_type(head: Lexemes) -> bool:
    """Whether it is words and stars alone, as before the name in a declaration, or given to a macro: `INLINE(int)`."""
    if head[1:2] == ("(",) and _MACRO.match(head[0]) and ")" in head:
        end = head.index(")")
        head = (head[0], *head[2:end], *head[end + 1 :])
    words = [token for token in head if token != "*"]
    return bool(words) and all(_NAME.match(word) for word in words) and _NO_TYPES.isdisjoint(words)


def _is_constant(tokens: Lexemes, index: int) -> bool:
    """Whether it is the first or a later name in the braces of an `enum`."""
    place = bracket_around(tokens, index)
    is_enum = tokens[place] == "{" and "enum" in tokens[max(place - 2, 0) : place]
    return is_enum and tokens[index - 1] in ("{", ",")


def bracket_around(tokens: Lexemes, index: int) -> int:
    """The innermost bracket that is open at a token; that token itself if there is none, or it is too far."""
    depth = 0
    for place in range(index - 1, max(index - MAX_BRACKET, 0), -1):
        depth += (tokens[place] in CLOSES) - (tokens[place] in OPENS)
        if depth < 0:
            return place
    return index


def is_parameter(tokens: Lexemes, index: int) -> bool:
    """Whether a name is one of the parameters of a function that is declared around it."""
    is_typed = tokens[index - 1] == "*" or _NAME.match(tokens[index - 1]) is not None
    if not is_typed or tokens[index + 1 : index + 2] not in ((",",), (")",), ("[",)):
        return False
    place = bracket_around(tokens, index)
    head = tokens[_start(tokens, place) : place]
    return tokens[place] == "(" and len(head) > 1 and _is_type(head)
