"""Directives of C in one form: what asks whether a macro is defined.

#if defined(A)            #ifdef A
#if !defined A            #ifndef A
"""

from __future__ import annotations

from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, edited

ASKED = "conditions asked in another way"


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
