"""Two contents of C in one form, step by step, where no macro of the repository can tell the difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.syntax.languages.c.expansion import EXPANDED, Find, expandable, expanded, suggested
from intentls.core.syntax.languages.c.extracted import SHARED_IN_HEADER, TAKEN_IN, called_otherwise
from intentls.core.syntax.languages.c.forms.attributes import ATTRIBUTES, without_attributes
from intentls.core.syntax.languages.c.forms.branches import BRANCHES, with_joined_branches, with_plain_loops
from intentls.core.syntax.languages.c.forms.casts import (
    CASTS,
    POINTERS,
    UNUSED,
    Form,
    with_plain_pointers,
    without_casts,
    without_unread,
)
from intentls.core.syntax.languages.c.forms.directives import (
    ASKED,
    EMPTY,
    with_plain_conditions,
    without_empty_conditions,
)
from intentls.core.syntax.languages.c.forms.expressions import (
    BRACKETS,
    NOTHING,
    with_sizes_in_brackets,
    without_brackets,
    without_choices,
    without_nothing,
)
from intentls.core.syntax.languages.c.forms.guards import GUARDED, without_guards
from intentls.core.syntax.languages.c.forms.locals import (
    DECLARED,
    RETURNED,
    with_names_first,
    with_one_name_each,
    without_returned_names,
    without_unused_names,
)
from intentls.core.syntax.languages.c.forms.qualifiers import (
    CONSTANTS,
    PROTOTYPES,
    STATIC,
    TYPES,
    with_prototypes_in_order,
    with_static,
    without_announced_types,
    without_const,
    without_parameter_names,
    without_prototypes,
)
from intentls.core.syntax.languages.c.forms.statements import (
    BLOCKS,
    BRACES,
    ENDS,
    STEPS,
    with_braces,
    with_steps,
    without_blocks,
    without_empty_statements,
    without_last_breaks,
)
from intentls.core.syntax.languages.c.forms.types import SIZES, SPELLED, with_plain_types, with_sizes_of_types
from intentls.core.syntax.languages.c.forms.unused import (
    UNUSED_DEFINITIONS,
    UNUSED_MACROS,
    without_idle_prototypes,
    without_unused,
    without_unused_macros,
)
from intentls.core.syntax.languages.c.forms.values import (
    FIRST,
    LENGTHS,
    SEMICOLONS,
    STARTED,
    ZEROS,
    with_lengths_of_texts,
    with_plain_zeros,
    without_first_zeros,
    without_idle_values,
    without_semicolons,
)
from intentls.core.syntax.languages.c.forms.ways_out import LABELS, OUT, without_labels, without_unreached
from intentls.core.syntax.languages.c.functions import (
    KEYWORDS,
    MOVED,
    VOID,
    chunks,
    function_name,
    functions_of_both,
    in_order,
    is_function,
    with_void,
)
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.names import AreHidden, with_names_of
from intentls.core.syntax.languages.c.spans import NAME, Lexemes

Pair = tuple[Lexemes, Lexemes]
PairStep = Callable[[Pair, Macros], Pair]
Step = tuple[str, PairStep | Form]
"""A reason, and what brings a whole file or, as a `Form`, one function or part of the file into one form."""


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


def _in_file(form: Form) -> PairStep:
    return lambda pair, macros: (form(pair[0], macros), form(pair[1], macros))


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


_VOID: Step = (VOID, with_void)
_STEPS: tuple[Step, ...] = (
    _VOID,
    (ATTRIBUTES, without_attributes),
    (SPELLED, with_plain_types),
    (SEMICOLONS, without_semicolons),
    (STARTED, without_first_zeros),
    (ASKED, _in_file(with_plain_conditions)),
    (TYPES, _in_file(without_announced_types)),
    (PROTOTYPES, _in_file(without_parameter_names)),
    (PROTOTYPES, _in_file(with_prototypes_in_order)),
    (PROTOTYPES, _in_file(without_prototypes)),
    (GUARDED, _in_file(without_guards)),
    (CONSTANTS, without_const),
    (DECLARED, with_one_name_each),
    (ZEROS, with_plain_zeros),
    (FIRST, without_idle_values),
    (RETURNED, without_returned_names),
    (UNUSED, without_unread),
    (UNUSED, without_unused_names),
    (EMPTY, _in_file(without_empty_conditions)),
    (CASTS, without_casts),
    (POINTERS, with_plain_pointers),
    (BRACKETS, with_sizes_in_brackets),
    (SIZES, with_sizes_of_types),
    (LENGTHS, with_lengths_of_texts),
    (LABELS, without_labels),
    (BRACES, with_braces),
    (BLOCKS, without_empty_statements),
    (STEPS, with_plain_loops),
    (OUT, without_unreached),
    (BLOCKS, without_blocks),
    (ENDS, without_last_breaks),
    (STEPS, with_steps),
    (BRACKETS, without_brackets),
    (CASTS, without_casts),
    (NOTHING, without_choices),
    (NOTHING, without_nothing),
    (BRACKETS, without_brackets),
    (BRANCHES, with_joined_branches),
    (BRACKETS, without_brackets),
    (STEPS, with_steps),
    (MOVED, _in_file(in_order)),
)
IN_FUNCTIONS = frozenset(
    {
        *(CONSTANTS, DECLARED, UNUSED, CASTS, POINTERS, BRACKETS, BRACES, BLOCKS, ENDS, NOTHING, STEPS, LABELS, OUT),
        *(BRANCHES, RETURNED, ZEROS, FIRST, SIZES, LENGTHS),
    }
)
IN_PARTS = frozenset({VOID, ATTRIBUTES, SPELLED, SEMICOLONS, STARTED})
# A header may be one of C++ too, where types choose what is called.
_IN_HEADERS: tuple[Step, ...] = (
    SHARED_IN_HEADER,
    _VOID,
    (ATTRIBUTES, without_attributes),
    (SPELLED, with_plain_types),
    (ASKED, _in_file(with_plain_conditions)),
    (TYPES, _in_file(without_announced_types)),
    (PROTOTYPES, _in_file(without_parameter_names)),
    (PROTOTYPES, _in_file(with_prototypes_in_order)),
    (GUARDED, _in_file(without_guards)),
    (UNUSED, without_unread),
    (MOVED, _in_file(in_order)),
)
_UNSEEN = frozenset({"##", "asm", "__asm__", "__asm"})  # a text of the assembler may call a function, too
# Where all else leaves two versions: these take names from where they are declared, by which other steps go.
_LAST: tuple[Step, ...] = ((DECLARED, with_names_first), (MOVED, _in_file(in_order)))


def rewritten(
    old: Lexemes, new: Lexemes, known: Surrounding, *, is_header: bool
) -> tuple[Lexemes, Lexemes, tuple[str, ...]]:
    """Both in one form, as far as that goes, and the equivalences that made a difference.

    To ask about a name takes a search, so that is done where all else is proven.
    """
    known = replace(known, macros=replace(known.macros, functions=functions_of_both(old, new)))
    steps = _IN_HEADERS if is_header else _STEPS
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
    hoped = Surrounding(_HOPED, _any, lambda: True, _any, known.find_old, known.find_new)
    whole, short = (old, new), _changed(old, new)
    for pair, knowing in ((short, hoped), (whole, hoped), (whole, known))[short == whole :]:
        own = () if is_header else (*_alone(knowing.is_alone, knowing.is_included_nowhere), *TAKEN_IN)
        are_hidden = _hidden(knowing.is_included_nowhere, knowing.is_in_c_alone, is_header=is_header)
        found = _rewritten(pair, knowing.macros, (*own, *steps), are_hidden)
        may_differ = pair is not whole
        if not is_header and not _is_proven(found, may_differ=may_differ):
            last = _rewritten(found[:2], knowing.macros, _LAST, are_hidden)
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
    return (*unused_steps, _VOID, (STATIC, static))


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
