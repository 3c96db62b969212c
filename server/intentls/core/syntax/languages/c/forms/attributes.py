"""Attributes of C that speak to the compiler's warnings alone, and the macros that are called for them.

    int f(int a, int b UNUSED);            int f(int a, int b);
    [[nodiscard]] int g(void);             int g(void);
    #define UNUSED __attribute__((unused))

A program does the same with them and without. What tells the optimizer something, or changes what is compiled (`used`,
`packed`, `weak`), stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from intentls.core.syntax.languages.c.macros import Macros, defined_by
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, closing

ATTRIBUTES = "attributes for warnings alone"

_SILENT = re.compile(
    r"(__)?(unused|maybe_unused|deprecated|fallthrough|warn_unused_result|nodiscard|format|format_arg)\1?\Z"
)
# What a macro for one is called: to ask for every word takes a search.
_CALLED = re.compile(
    r"(?=[A-Z_]|unused|printflike)(?i:\w*(unused|attr|deprecat|fall_?through|format|printf|must_check|nodiscard|check_result)\w*)\Z"
)
_WORDS = frozenset({"__attribute__", "__attribute"})
_MAX_NESTED = 4


def without_attributes(lexemes: Lexemes, macros: Macros) -> Lexemes:
    """A part without them. A macro for one may be given something: `PRINTF(1, 2)`."""
    called = {token for token in {*lexemes} if _CALLED.match(token)}
    if not called and _WORDS.isdisjoint(lexemes) and ("[", "[") not in pairwise(lexemes):
        return lexemes
    kept: list[str] = []
    index = 0
    is_directive = False
    known: dict[str, bool] = {}
    while index < len(lexemes):
        token = lexemes[index]
        is_directive = (is_directive or token == "\n#") and token != "\n"
        end = index if is_directive else _end(lexemes, index)
        if end == index and not is_directive and token in called:
            known[token] = known[token] if token in known else _is_silent_macro(token, macros)
            end = _beyond(lexemes, index + 1) if known[token] else index
        if end == index:
            kept.append(token)
            index += 1
            continue
        # `[[fallthrough]];` is a statement, where one stands before it.
        is_statement = lexemes[end : end + 1] == (";",) and kept[-1:] in ([";"], ["}"])
        index = end + is_statement
    return tuple(kept)


def _beyond(lexemes: Lexemes, index: int) -> int:
    """Beyond the brackets that open at a token, if some do."""
    return min(closing(lexemes, index) + 1, len(lexemes)) if lexemes[index : index + 1] == ("(",) else index


def _end(lexemes: Lexemes, index: int) -> int:
    """Where the attributes end that begin here; the same place if none do, or one of them is more than a warning."""
    if lexemes[index] in _WORDS and lexemes[index + 1 : index + 3] == ("(", "("):
        end = closing(lexemes, index + 1)
        return end + 1 if all(_SILENT.match(name) for name in _names(lexemes[index + 3 : end - 1])) else index
    if lexemes[index : index + 2] == ("[", "["):
        end = closing(lexemes, index)
        return end + 1 if all(_SILENT.match(name) for name in _names(lexemes[index + 2 : end - 1])) else index
    return index


def _names(listed: Lexemes) -> Iterator[str]:
    """The names of attributes between commas, as `gnu::unused`; what is given to one stands in brackets."""
    depth, name = 0, ""
    for token in (*listed, ","):
        depth -= token in (")", "]")
        if depth == 0 and token == ",":
            yield name
            name = ""
        elif depth == 0 and token not in ("(", ")"):
            name += token
        depth += token in ("(", "[")


def _is_silent_macro(name: str, macros: Macros, nested: int = 0) -> bool:
    """Whether each macro of this name is made of such attributes, or of nothing, and one of them of some."""
    if macros.is_hoped:
        return True
    found = [defined_by(line) for line in macros.called(name) or ()]
    return (
        bool(found)
        and nested < _MAX_NESTED
        and all(macro is not None and _is_silent(macro.body, macros, nested) for macro in found)
    )


def _is_silent(body: Lexemes, macros: Macros, nested: int) -> bool:
    index = 0
    while index < len(body):
        end = _end(body, index)
        if end == index and NAME.match(body[index]) and _is_silent_macro(body[index], macros, nested + 1):
            end = _beyond(body, index + 1)
        if end == index:
            return False
        index = end
    return True
