"""What follows a way out of a block of C: a `return`, `goto`, `break` or `continue` that stands in it for itself.

    if (a) { return 1; } else { b(); }      if (a) { return 1; } { b(); }
    return 2; b();                          return 2;
    void f(int a) { b(a); return; }         void f(int a) { b(a); }
    b(); out: return a;                     b(); return a;          where nothing says `goto out`

A label, a `case` and what a block declares may be reached from elsewhere, so what has one of them stays.
"""

from __future__ import annotations

from collections.abc import Iterator

from intentls.core.syntax.languages.c.forms.statements import is_whole, may_declare
from intentls.core.syntax.languages.c.macros import Macros, defined_by
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, brackets, closing, statement_end

OUT = "nothing more after a way out"
LABELS = "labels that nothing goes to"

_WAYS_OUT = frozenset({"return", "goto", "break", "continue"})
_BEFORE = frozenset({";", "{", "}", ":"})
_FIELDS = frozenset({".", "->"})
_REACHED = frozenset({"case", "default", "typedef", "\n#"})


def without_unreached(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: without what follows a way out in its block, without `else` after one, and a last empty `return`."""
    if any(not macros.name_not(word) for word in (*_WAYS_OUT, "else")):
        return function
    while (end := _else_after_way_out(function)) is not None:
        function = (*function[:end], *function[end + 1 :])
    dropped: set[int] = set()
    for start in _ways_out(function):
        statement = _statement(function, start)
        index = start + len(statement) if statement and is_whole(statement, macros) else len(function)
        while (end := _unreached(function, index, macros)) is not None:
            dropped |= set(range(index, end + 1))
            index = end + 1
    if _is_void(function) and function[-4] in (";", "}", "{") and function[-3:] == ("return", ";", "}"):
        dropped |= {len(function) - 3, len(function) - 2}
    return tuple(token for index, token in enumerate(function) if index not in dropped)


def _ways_out(function: Lexemes) -> Iterator[int]:
    """Where the ways out begin that stand in a block for themselves."""
    body = function.index("{")
    for index in range(body + 1, len(function)):
        if function[index] in _WAYS_OUT and function[index - 1] in _BEFORE:
            yield index


def _statement(function: Lexemes, start: int) -> Lexemes:
    end = statement_end(function, start)
    return function[start : start if end is None else end + 1]


def _unreached(function: Lexemes, start: int, macros: Macros) -> int | None:
    """The last token of a statement that nothing reaches after a way out; None if there is none."""
    if function[start : start + 1] in ((), ("}",)) or function[start] in _REACHED:
        return None
    end = statement_end(function, start)
    statement = function[start : end + 1] if end is not None else ()
    if not statement or not _REACHED.isdisjoint(statement) or not is_whole(statement, macros):
        return None
    words = {token for token in statement if NAME.match(token)}
    return None if may_declare(statement, macros) or any(_may_label(word, macros) for word in words) else end


def _may_label(word: str, macros: Macros) -> bool:
    """Whether a macro's text may have a label."""
    found = [defined_by(line) for line in macros.called(word) or ()]
    return any(macro is None or (":" in macro.body and "?" not in macro.body) for macro in found)


def _else_after_way_out(function: Lexemes) -> int | None:
    """Where an `else` stands after a block that ends with a way out, of an `if` that stands in a block for itself."""
    pairs = brackets(function)
    for index, token in enumerate(function[:-1]):
        if token != "if" or function[index - 1] not in _BEFORE or function[index + 1] != "(":
            continue
        start = closing(function, index + 1) + 1
        end = pairs.get(start, 0) if function[start : start + 1] == ("{",) else 0
        if end and function[end + 1 : end + 2] == ("else",) and function[end + 2 : end + 3] in (("{",), ("if",)):
            last = max(place for place in range(start, max(end - 1, start + 1)) if function[place] in (";", "{", "}"))
            if function[last + 1] in _WAYS_OUT and "\n#" not in function[start:end]:
                return end + 1
    return None


def _is_void(function: Lexemes) -> bool:
    """Whether it returns nothing, as it says itself."""
    head = function[: function.index("(")]
    return "void" in head and "*" not in head and function[:1] != ("\n#",)


def without_labels(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: without the labels that stand nowhere else in the function."""
    dropped: set[int] = set()
    for index in range(function.index("{") + 1, len(function) - 2):
        name, sign = function[index : index + 2]
        is_label = sign == ":" and function[index - 1] in (";", "{", "}") and NAME.match(name) and name != "default"
        if not is_label or function[index + 2] == "}":
            continue
        uses = [place for place, token in enumerate(function) if token == name and function[place - 1] not in _FIELDS]
        if len(uses) == 1 and macros.are_blind_to(name, function):
            dropped |= {index, index + 1}
    return tuple(token for index, token in enumerate(function) if index not in dropped)
