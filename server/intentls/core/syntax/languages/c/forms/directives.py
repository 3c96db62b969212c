"""Directives of C in one form: what asks whether a macro is defined, and what decides nothing.

#if defined(A)            #ifdef A
#if !defined A            #ifndef A
#if A                     (nothing)
#endif
"""

from __future__ import annotations

from collections.abc import Sequence

from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, edited

ASKED = "conditions asked in another way"
EMPTY = "conditions that decide nothing"

_BRANCHES = frozenset({"else", "elif", "elifdef", "elifndef"})


def with_plain_conditions(lexemes: Lexemes, _macros: Macros) -> Lexemes:
    """Without `defined`, where a condition asks for nothing else."""
    edits: dict[int, tuple[int, Lexemes]] = {}
    for index in range(len(lexemes) - 1):
        if lexemes[index : index + 2] != ("\n#", "if"):
            continue
        end = next((at for at in range(index + 2, len(lexemes)) if lexemes[at] in ("\n", "\n#")), len(lexemes))
        asked = lexemes[index + 2 : end]
        is_denied = asked[:1] == ("!",)
        if asked[is_denied : is_denied + 1] != ("defined",):
            continue
        rest = asked[is_denied + 1 :]
        name = rest[1:-1] if rest[:1] == ("(",) and rest[-1:] == (")",) else rest
        if len(name) == 1 and NAME.match(name[0]):
            edits[index] = (end, ("\n#", "ifndef" if is_denied else "ifdef", name[0]))
    return edited(lexemes, edits)


def without_empty_conditions(lexemes: Lexemes, _macros: Macros) -> Lexemes:
    """Without each condition between whose directives nothing stands."""
    starts = (index for index, token in enumerate(lexemes) if token == "\n#")
    if not any(lexemes[index + 1] == "endif" and lexemes[index - 1] == "\n" for index in starts):
        return lexemes
    kept: list[str] = []
    begun: list[int] = []  # where each condition that is open begins, in what is kept
    index = 0
    while index < len(lexemes):
        end = index + 1
        if lexemes[index] == "\n#":
            end = lexemes.index("\n", index) + 1
            word = lexemes[index + 1]
            if word in ("if", "ifdef", "ifndef"):
                begun.append(len(kept))
            elif word == "endif" and begun:
                start = begun.pop()
                if _is_empty(kept[start:]):
                    del kept[start:]
                    index = end
                    continue
        kept += lexemes[index:end]
        index = end
    return tuple(kept)


def _is_empty(lexemes: Sequence[str]) -> bool:
    """Whether it is the beginning of a condition, and directives that say what else it asks for."""
    index = 0
    while index < len(lexemes):
        if lexemes[index] != "\n#" or (index and lexemes[index + 1] not in _BRANCHES):
            return False
        index = lexemes.index("\n", index) + 1
    return True
