"""Two contents of C in one form, step by step, where no macro of the repository can tell the difference."""

from __future__ import annotations

from collections.abc import Sequence

from intentls.core.syntax.languages.c.forms import (
    CASTS,
    POINTERS,
    UNUSED,
    Form,
    in_functions,
    with_plain_pointers,
    without_casts,
    without_unread,
)
from intentls.core.syntax.languages.c.functions import (
    LOCALS,
    MOVED,
    VOID,
    Lexemes,
    Macros,
    in_order,
    with_names_of,
    with_void,
)
from intentls.core.syntax.languages.c.guards import GUARDED, without_guards

_FORMS = (
    (VOID, with_void),
    (GUARDED, without_guards),
    (UNUSED, in_functions(without_unread)),
    (CASTS, in_functions(without_casts)),
    (POINTERS, in_functions(with_plain_pointers)),
    (MOVED, in_order),
)


_HOPED = Macros(lambda _name: True, lambda _name: True)


def rewritten(
    old: Lexemes, new: Lexemes, macros: Macros, *, is_header: bool
) -> tuple[Lexemes, Lexemes, tuple[str, ...]]:
    """Both in one form, as far as that goes, and the equivalences that made a difference.

    A header may be one of C++ too, where a cast chooses what is called. To ask about a name takes a search, so that is
    done where all else is proven.
    """
    forms = tuple(form for form in _FORMS if not (is_header and form[0] in (CASTS, POINTERS)))
    hoped = _rewritten(old, new, _HOPED, forms)
    return _rewritten(old, new, macros, forms) if hoped[0] == hoped[1] else (old, new, ())


def _rewritten(
    old: Lexemes, new: Lexemes, macros: Macros, steps: Sequence[tuple[str, Form]]
) -> tuple[Lexemes, Lexemes, tuple[str, ...]]:
    reasons: list[str] = []
    for reason, change in steps:
        forms = change(old, macros), change(new, macros)
        has_changed = len(forms[0]) - len(forms[1]) != len(old) - len(new)
        if old != new and (forms[0] == forms[1] or has_changed):
            reasons.append(reason)
        old, new = forms
    if old != new and len(old) == len(new):
        renamed = with_names_of(old, new, macros)
        if renamed == new:
            reasons.append(LOCALS)
            old = renamed
    return old, new, tuple(reasons)
