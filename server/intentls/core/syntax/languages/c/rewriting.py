"""Two contents of C in one form, step by step, where no macro of the repository can tell the difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from intentls.core.syntax.languages.c.expansion import EXPANDED, Find, expandable, expanded, suggested
from intentls.core.syntax.languages.c.expansion import UNUSED as UNUSED_MACROS
from intentls.core.syntax.languages.c.expansion import without_unused as without_unused_macros
from intentls.core.syntax.languages.c.expressions import (
    BRACKETS,
    NOTHING,
    with_sizes_in_brackets,
    without_brackets,
    without_nothing,
)
from intentls.core.syntax.languages.c.forms import (
    CASTS,
    POINTERS,
    UNUSED,
    Form,
    with_plain_pointers,
    without_casts,
    without_unread,
)
from intentls.core.syntax.languages.c.functions import (
    LOCALS,
    MOVED,
    VOID,
    chunks,
    in_order,
    is_function,
    with_names_of,
    with_void,
)
from intentls.core.syntax.languages.c.guards import GUARDED, without_guards
from intentls.core.syntax.languages.c.locals import (
    DECLARED,
    with_names_first,
    with_one_name_each,
    without_unused,
)
from intentls.core.syntax.languages.c.macros import Lexemes, Macros
from intentls.core.syntax.languages.c.qualifiers import (
    CONSTANTS,
    PROTOTYPES,
    STATIC,
    with_static,
    without_const,
    without_parameter_names,
)
from intentls.core.syntax.languages.c.statements import (
    BLOCKS,
    BRACES,
    ENDS,
    STEPS,
    with_braces,
    with_steps,
    without_blocks,
    without_last_breaks,
)

Pair = tuple[Lexemes, Lexemes]
Step = tuple[str, Callable[[Pair, Macros], Pair]]


class Surrounding(Struct, frozen=True):
    """What is known around a file: macros, whether no other file has a name or includes it, and what macros it sees."""

    macros: Macros
    is_alone: Callable[[str], bool]
    is_included_nowhere: Callable[[], bool]
    find_old: Find
    find_new: Find


def _in_file(form: Form) -> Callable[[Pair, Macros], Pair]:
    return lambda pair, macros: (form(pair[0], macros), form(pair[1], macros))


def _in_functions(form: Form) -> Callable[[Pair, Macros], Pair]:
    """A step for the functions that are not the same in both versions."""

    def change(pair: Pair, macros: Macros) -> Pair:
        one, other = list(chunks(pair[0])), list(chunks(pair[1]))
        same = set(one) & set(other)

        def all_of(parts: list[Lexemes]) -> Lexemes:
            forms = (part if part in same or not is_function(part) else form(part, macros) for part in parts)
            return tuple(token for part in forms for token in part)

        return all_of(one), all_of(other)

    return change


_VOID = (VOID, _in_file(with_void))
_STEPS: tuple[Step, ...] = (
    _VOID,
    (PROTOTYPES, _in_file(without_parameter_names)),
    (GUARDED, _in_file(without_guards)),
    (CONSTANTS, _in_functions(without_const)),
    (DECLARED, _in_functions(with_one_name_each)),
    (UNUSED, _in_functions(without_unread)),
    (UNUSED, _in_functions(without_unused)),
    (CASTS, _in_functions(without_casts)),
    (POINTERS, _in_functions(with_plain_pointers)),
    (BRACKETS, _in_functions(with_sizes_in_brackets)),
    (BRACES, _in_functions(with_braces)),
    (BLOCKS, _in_functions(without_blocks)),
    (ENDS, _in_functions(without_last_breaks)),
    (BRACKETS, _in_functions(without_brackets)),
    (NOTHING, _in_functions(without_nothing)),
    (BRACKETS, _in_functions(without_brackets)),
    (STEPS, _in_functions(with_steps)),
    (MOVED, _in_file(in_order)),
)
# A header may be one of C++ too, where types choose what is called.
_IN_HEADERS = tuple(step for step in _STEPS if step[0] in (VOID, GUARDED, UNUSED, MOVED, PROTOTYPES))
_NAMES_FIRST: Step = (DECLARED, _in_functions(with_names_first))


def rewritten(
    old: Lexemes, new: Lexemes, known: Surrounding, *, is_header: bool
) -> tuple[Lexemes, Lexemes, tuple[str, ...]]:
    """Both in one form, as far as that goes, and the equivalences that made a difference.

    To ask about a name takes a search, so that is done where all else is proven.
    """
    steps = _IN_HEADERS if is_header else _STEPS
    for more in ((), (_NAMES_FIRST,))[: 1 if is_header else 2]:
        proven = _proven(old, new, known, (*steps[:-1], *more, steps[-1]), is_header=is_header)
        if proven is not None:
            return proven
    if is_header:
        return old, new, ()
    names = suggested(old, new, known.macros)
    one, other = expandable(names, known.find_old), expandable(names, known.find_new)
    if not one and not other:
        return old, new, ()
    pair = expanded(old, one, known.macros), expanded(new, other, known.macros)
    proven = _proven(*pair, known, steps, is_header=is_header)
    return (old, new, ()) if proven is None else (*proven[:2], (EXPANDED, *proven[2]))


def _proven(
    old: Lexemes, new: Lexemes, known: Surrounding, steps: Sequence[Step], *, is_header: bool
) -> tuple[Lexemes, Lexemes, tuple[str, ...]] | None:
    """Both in one form, if they are one then."""
    hoped = Macros(lambda _name: True, lambda _name: True, is_hoped=True)
    sides = (
        (hoped, _alone(lambda _name: True, lambda: True)),
        (known.macros, _alone(known.is_alone, known.is_included_nowhere)),
    )
    for macros, alone in sides:
        found = _rewritten((old, new), macros, (*(() if is_header else alone), *steps))
        if found[0] != found[1]:
            return None
    return found


def _alone(is_alone: Callable[[str], bool], is_included_nowhere: Callable[[], bool]) -> tuple[Step, ...]:
    def static(pair: Pair, macros: Macros) -> Pair:
        names = {*pair[0]} | {*pair[1]} if pair[0].count("static") != pair[1].count("static") else set()
        own = [with_static(lexemes, macros, lambda name: name in names and is_alone(name)) for lexemes in pair]
        return own[0], own[1]

    def unused(pair: Pair, macros: Macros) -> Pair:
        one, other = map(_directives, pair)
        if set(one) == set(other) or not is_included_nowhere():
            return pair
        same = {directive[2] for directive in {*one} & {*other}}
        return without_unused_macros(pair[0], same), without_unused_macros(pair[1], same)

    return ((UNUSED_MACROS, unused), _VOID, (STATIC, static))


def _directives(lexemes: Lexemes) -> list[Lexemes]:
    starts = (index for index, token in enumerate(lexemes) if token == "\n#")
    return [lexemes[index : lexemes.index("\n", index)] for index in starts if lexemes[index + 1] == "define"]


def _rewritten(pair: Pair, macros: Macros, steps: Sequence[Step]) -> tuple[Lexemes, Lexemes, tuple[str, ...]]:
    reasons: list[str] = []
    for reason, change in steps:
        if pair[0] == pair[1]:
            break
        forms = change(pair, macros)
        has_changed = len(forms[0]) - len(forms[1]) != len(pair[0]) - len(pair[1])
        if (forms[0] == forms[1] or has_changed) and reason not in reasons:
            reasons.append(reason)
        pair = forms
    old, new = pair
    if old != new and len(old) == len(new):
        renamed = with_names_of(old, new, macros)
        if renamed == new:
            reasons.append(LOCALS)
            old = renamed
    return old, new, tuple(reasons)
