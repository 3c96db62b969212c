"""Two contents of C in one form, step by step, where no macro of the repository can tell the difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.syntax.languages.c.expansion import EXPANDED, Find, expandable, expanded, suggested
from intentls.core.syntax.languages.c.extracted import TAKEN_IN, called_otherwise
from intentls.core.syntax.languages.c.forms.casts import Form
from intentls.core.syntax.languages.c.forms.qualifiers import PROTOTYPES, STATIC, with_static
from intentls.core.syntax.languages.c.forms.unused import (
    UNUSED_DEFINITIONS,
    UNUSED_MACROS,
    without_idle_prototypes,
    without_unused,
    without_unused_macros,
)
from intentls.core.syntax.languages.c.functions import (
    KEYWORDS,
    chunks,
    function_name,
    functions_of_both,
    is_function,
)
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.names import AreHidden, with_names_of
from intentls.core.syntax.languages.c.spans import NAME, Lexemes
from intentls.core.syntax.languages.c.steps import (
    IN_FUNCTIONS,
    IN_PARTS,
    LAST_STEPS,
    STEPS_OF_FILES,
    STEPS_OF_HEADERS,
    VOID_STEP,
    Pair,
    PairStep,
    Step,
)
from intentls.core.syntax.languages.c.ways.named_values import results_of_both


class Surrounding(Struct, frozen=True):
    """What is known around a file: macros, whether no other file has a name or includes it, and what macros it sees.

    `is_in_c_alone`: whether only code of C has a name, and no macro makes it of others.
    """

    macros: Macros
    is_alone: Callable[[str], bool]
    is_included_nowhere: Callable[[], bool]
    is_in_c_alone: Callable[[str], bool]
    find_old: Find
    find_new: Find


class _Parts:
    """Both versions of a file as their parts, to take steps in those that are not the same in both."""

    def __init__(self, pair: Pair) -> None:
        self._parts = [list(chunks(lexemes)) for lexemes in pair]
        same = set(self._parts[0]) & set(self._parts[1])
        self._own = [
            [index for index, part in enumerate(parts) if part[0] != "\n#" and part not in same]
            for parts in self._parts
        ]

    def take(self, form: Form, macros: Macros, *, is_of_functions: bool) -> tuple[bool, bool]:
        """Take a step; whether the versions are the same now, and whether one lost more than the other."""
        lost = [0, 0]
        for side, (parts, own) in enumerate(zip(self._parts, self._own, strict=True)):
            for index in own:
                part = parts[index]
                if not is_of_functions or is_function(part):
                    parts[index] = form(part, macros)
                    lost[side] += len(part) - len(parts[index])
        return self._parts[0] == self._parts[1], lost[0] != lost[1]

    def pair(self) -> Pair:
        """Both versions as they are."""
        one, other = (tuple(token for part in parts for token in part) for parts in self._parts)
        return one, other


_UNSEEN = frozenset({"##", "asm", "__asm__", "__asm"})  # a text of the assembler may call a function, too


def rewritten(
    old: Lexemes, new: Lexemes, known: Surrounding, *, is_header: bool
) -> tuple[Lexemes, Lexemes, tuple[str, ...]]:
    """Both in one form, as far as that goes, and the equivalences that made a difference.

    To ask about a name takes a search, so that is done where all else is proven.
    """
    results = results_of_both(old, new)
    known = replace(known, macros=replace(known.macros, functions=functions_of_both(old, new), results=results))
    steps = STEPS_OF_HEADERS if is_header else STEPS_OF_FILES
    if _texts(old) != _texts(new) and _texts(_used(old, new)) != _texts(_used(new, old)):
        return _with_macros(old, new, known, steps, is_header=is_header)
    proven = _proven(old, new, known, steps, is_header=is_header)
    return proven or _with_macros(old, new, known, steps, is_header=is_header)


def _texts(lexemes: Lexemes) -> Counter[str]:
    """How often each text stands there: of what is used, no step but a macro's takes one away, so this is soon told."""
    return Counter(token for token in lexemes if token[-1] == '"')


def _used(lexemes: Lexemes, other: Lexemes) -> Lexemes:
    """What a version uses, if nothing else does."""
    return without_unused(lexemes, other, lambda _name, _is_below: True, lambda _word: True)


def _with_macros(
    old: Lexemes, new: Lexemes, known: Surrounding, steps: Sequence[Step], *, is_header: bool
) -> tuple[Lexemes, Lexemes, tuple[str, ...]]:
    """Both in one form once macros are replaced with their texts."""
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
    """Both in one form, if they are one then: with the best that could be known, soon told and then for certain."""
    macros = replace(_HOPED, results=known.macros.results)
    hoped = Surrounding(macros, _any, lambda: True, _any, known.find_old, known.find_new)
    whole, short = (old, new), _changed(old, new)
    for pair, knowing in ((short, hoped), (whole, hoped), (whole, known))[short == whole :]:
        own = () if is_header else (*_alone(knowing.is_alone, knowing.is_included_nowhere), *TAKEN_IN)
        are_hidden = _hidden(knowing.is_included_nowhere, knowing.is_in_c_alone, is_header=is_header)
        found = _rewritten(pair, knowing.macros, (*own, *steps), are_hidden)
        may_differ = pair is not whole
        if not is_header and not _is_proven(found, may_differ=may_differ):
            last = _rewritten(found[:2], knowing.macros, LAST_STEPS, are_hidden)
            found = (*last[:2], tuple(dict.fromkeys((*found[2], *last[2]))))
        if not _is_proven(found, may_differ=may_differ):
            return None
    return found


_HOPED = Macros(lambda _name: True, lambda _name: True, is_hoped=True)


def _any(_name: str) -> bool:
    return True


def _is_proven(found: tuple[Lexemes, Lexemes, tuple[str, ...]], *, may_differ: bool) -> bool:
    """Whether both are one; names may differ where bodies are short, which do not tell which of them may be others."""
    old, new, _ = found
    if old == new or not may_differ:
        return old == new
    pairs = zip(old, new, strict=False)
    return len(old) == len(new) and all(a == b or (NAME.match(a) and NAME.match(b)) for a, b in pairs)


def _changed(old: Lexemes, new: Lexemes) -> Pair:
    """Both versions with short bodies for functions that both have word for word, unless one calls them more.

    Of what these say it is enough to know which names of the rest they use: `{ a; b; }`.
    """
    parts = [chunks(lexemes) for lexemes in (old, new)]
    called = called_otherwise(old, new)
    same = {
        part
        for part in {*parts[0]} & {*parts[1]}
        if is_function(part) and not (called and function_name(part) in called)
    }
    words = {token for own in parts for part in own if part not in same for token in part} - KEYWORDS
    one, other = (
        tuple(token for part in own for token in (_short(part, words) if part in same else part)) for own in parts
    )
    return one, other


def _short(function: Lexemes, words: set[str]) -> Lexemes:
    start = function.index("{") + 1
    used = (token for token in dict.fromkeys(function[start:]) if token in words and NAME.match(token))
    return (*function[:start], *(token for name in used for token in (name, ";")), "}")


def _hidden(
    is_included_nowhere: Callable[[], bool], is_in_c_alone: Callable[[str], bool], *, is_header: bool
) -> AreHidden:
    return lambda names: not is_header and is_included_nowhere() and all(map(is_in_c_alone, names))


def _alone(is_alone: Callable[[str], bool], is_included_nowhere: Callable[[], bool]) -> tuple[Step, ...]:
    def static(pair: Pair, macros: Macros) -> Pair:
        names = {*pair[0]} | {*pair[1]} if pair[0].count("static") != pair[1].count("static") else set()
        own = [with_static(lexemes, macros, lambda name: name in names and is_alone(name)) for lexemes in pair]
        return own[0], own[1]

    def if_hidden(pair: Pair, found: Pair, macros: Macros) -> Pair:
        words = {token for lexemes in pair for token in lexemes} if found != pair else set()
        if not words or not _UNSEEN.isdisjoint(words) or not is_included_nowhere() or any(map(macros.may_paste, words)):
            return pair
        return found

    def macros_alone(pair: Pair, macros: Macros) -> Pair:
        return if_hidden(pair, (without_unused_macros(*pair), without_unused_macros(*pair[::-1])), macros)

    def prototypes(pair: Pair, macros: Macros) -> Pair:
        found = without_idle_prototypes(*pair, macros), without_idle_prototypes(*pair[::-1], macros)
        return if_hidden(pair, found, macros)

    def unused(pair: Pair, macros: Macros) -> Pair:
        def may_go(name: str, is_below_includes: bool) -> bool:
            return macros.have_not(name) and (is_below_includes or is_alone(name))

        old, new = pair
        found = without_unused(old, new, may_go, macros.is_words), without_unused(new, old, may_go, macros.is_words)
        return if_hidden(pair, found, macros)

    unused_steps: tuple[Step, ...] = (
        (UNUSED_MACROS, macros_alone),
        (UNUSED_DEFINITIONS, unused),
        (PROTOTYPES, prototypes),
    )
    return (*unused_steps, VOID_STEP, (STATIC, static))


def _rewritten(
    pair: Pair, macros: Macros, steps: Sequence[Step], are_hidden: AreHidden
) -> tuple[Lexemes, Lexemes, tuple[str, ...]]:
    reasons: list[str] = []
    parts: _Parts | None = None
    old, new, named = _named(pair, macros, are_hidden)  # before functions that are called otherwise are sorted
    if old == new:
        return old, new, named
    for reason, change in steps:
        if reason in IN_FUNCTIONS or reason in IN_PARTS:
            parts = parts or _Parts(pair)
            is_same, has_changed = parts.take(cast("Form", change), macros, is_of_functions=reason in IN_FUNCTIONS)
        else:
            last = pair if parts is None else parts.pair()
            pair, parts = cast("PairStep", change)(last, macros), None
            is_same = pair[0] == pair[1] and last[0] != last[1]
            has_changed = len(pair[0]) - len(pair[1]) != len(last[0]) - len(last[1])
        if (is_same or has_changed) and reason not in reasons:
            reasons.append(reason)
        if is_same:
            break
    old, new, named = _named(pair if parts is None else parts.pair(), macros, are_hidden)
    return old, new, (*reasons, *named)


def _named(pair: Pair, macros: Macros, are_hidden: AreHidden) -> tuple[Lexemes, Lexemes, tuple[str, ...]]:
    """The old version under the names of the new one, if names are all that differs and they are proven."""
    if len(pair[0]) != len(pair[1]) or pair[0] == pair[1]:
        return *pair, ()
    old, reasons = with_names_of(*pair, macros, are_hidden)
    return old, pair[1], reasons
