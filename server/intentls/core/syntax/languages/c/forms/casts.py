"""Functions of C that do the same in another way: what is stored and never read, casts that convert nothing.

    int n = 0;                                    (nothing)
    n += f(a);                                    f(a);
    struct a *b = (struct a *)malloc(c);          struct a *b = malloc(c);
    void g(struct a *b) { h((struct c *)b); }     void g(struct a *b) { h(b); }
    static void g(struct a *b) { h(b); }          static void g(void *b) { h(b); }

Each form is made of a file's tokens, and of what is known of names: whether no macro of the repository has one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import accumulate, pairwise

from intentls.core.syntax.languages.c.functions import (
    CLOSES,
    KEYWORDS,
    OPENS,
)
from intentls.core.syntax.languages.c.macros import TEXTS, Macros, defined_by
from intentls.core.syntax.languages.c.spans import Lexemes, closing, value_end

UNUSED = "unused variables"
CASTS = "casts that change nothing"
POINTERS = "pointers that are only handed on"
MAX_NAMES = 20  # that are looked for in one function

_NAME = re.compile(r"[^\W\d]\w*\Z")
_NUMBER = re.compile(r"\d[\w.]*\Z")
_NUMBERS = frozenset(
    {"bool", "_Bool", "int", "unsigned", "signed", "long", "short", "char", "size_t", "ssize_t", "float", "double"}
)
_STORES = frozenset({"=", "+=", "-=", "*=", "|=", "&=", "^="})  # none of them divides
_STEPS = frozenset({"++", "--"})
_CONTROL = frozenset({"if", "while", "for", "switch"})
# What brackets follow and is no call, and what asks for the type of what it is given.
_NO_CALLS = _CONTROL | {"return", "sizeof", "typeof", "alignof", "offsetof", "case", "do", "else"}
_TYPED = re.compile(r"_|atomic_|va_|stdc_")

_BEFORE_CASTS = ("(", ",", "=", "==", "!=", "[", "?", ":", "&&", "||", ";", "{", "}")
_AFTER_CASTS = frozenset({")", ",", ";", "==", "!=", "]", "?", ":", "&&", "||"})

_STRUCTURE = OPENS | CLOSES | {"\n#", "\n", "else", "do", ";"}

Form = Callable[[Lexemes, Macros], Lexemes]


def statements(function: Lexemes) -> Iterator[tuple[int, int]]:
    """Where each statement without blocks, brackets around it or directives in it begins, and where its `;` is."""
    opened: list[int] = []
    start: int | None = None
    is_directive = False
    held = 0  # brackets that are open and are no blocks
    body = function.index("{")
    for index in [index for index, token in enumerate(function) if token in _STRUCTURE and index >= body]:
        token = function[index]
        is_free = not held
        if token == "\n#":
            start, is_directive = (index if start == index else None), True
        elif is_directive:
            if token == "\n":
                is_directive, start = False, (None if start is None else index + 1)
        elif token in OPENS:
            opened.append(index)
            held += token != "{"
            start = index + 1 if token == "{" and is_free else None if token == "{" else start
        elif token in CLOSES:
            held -= bool(opened) and function[opened[-1]] != "{"
            place = opened.pop() if opened else 0
            is_outer = not held
            is_head = token == ")" and function[place - 1] in _CONTROL
            start = index + 1 if is_outer and (is_head or token == "}") else start
        elif token in ("else", "do"):
            start = index + 1 if is_free else None
        elif token == ";" and is_free:
            yield from [(start, index)] if start is not None else []
            start = index + 1


def without_unread(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: without the numbers and pointers that are stored and never read; what computes them stays."""
    spans = list(statements(function))
    declared = [end for span in spans for end in _declared_number(function, *span)]
    for name in list(dict.fromkeys(declared))[:MAX_NAMES]:
        spans = list(statements(function))
        uses = sum(token == name and function[index - 1] not in (".", "->") for index, token in enumerate(function))
        own = [span for span in spans if _stores(function, *span) == name]
        known = [span for span in spans if name in _declared_number(function, *span)]
        if len(known) != 1 or uses != len(own) + 1 or not macros.have_not(name):
            continue
        if all(known[0] < span and _is_in_block(function, known[0][0], span[0]) for span in own):
            function = _without(function, [*known, *own], name, macros)
    return function


def _is_in_block(function: Lexemes, start: int, index: int) -> bool:
    """Whether the block in which a token stands is still open at a later one."""
    depth = 0
    for token in function[start:index]:
        depth += (token == "{") - (token == "}")
        if depth < 0:
            return False
    return True


def _declared_number(function: Lexemes, start: int, end: int) -> list[str]:
    """The one name that a statement declares, if that is a number's or a pointer's."""
    head = function[start:end]
    equals = head.index("=") if "=" in head else len(head)
    words, value = head[: equals - 1], head[equals + 1 :]
    is_kept = _NUMBERS.issuperset(words) or (words[-1:] == ("*",) and _is_type(words))
    if not words or not is_kept or not _NAME.match(head[equals - 1]) or _has_comma(value):
        return []
    return [head[equals - 1]]


def _has_comma(value: Lexemes) -> bool:
    depth = 0
    for token in value:
        depth += (token in OPENS) - (token in CLOSES)
        if token == "," and depth == 0:
            return True
    return False


def _stores(function: Lexemes, start: int, end: int) -> str | None:
    """The name that a statement gives a value; None if it does something else."""
    head = function[start:end]
    if len(head) == 2 and not _STEPS.isdisjoint(head):
        return head[1] if head[0] in _STEPS else head[0]
    return head[0] if len(head) > 2 and head[1] in _STORES else None


def _without(function: Lexemes, spans: list[tuple[int, int]], name: str, macros: Macros) -> Lexemes:
    """Without what stores the name, in these statements; what is computed for it stays if something may happen."""
    kept: list[str] = []
    position = 0
    for start, end in sorted(spans):
        head = function[start:end]
        value = head[head.index(name) + 2 :]  # after the name and the sign
        is_needed = not all(token in ("-", "NULL") or _is_plain(token, macros) for token in value)
        is_alone = function[start - 1] not in (")", "else", "do")
        kept += function[position:start]
        kept += value if is_needed else ()
        position = end + 1 if is_alone and not is_needed else end
    return (*kept, *function[position:])


def _is_plain(token: str, macros: Macros) -> bool:
    """Whether it is a number or a name, and no macro."""
    is_name = _NAME.match(token) is not None and not token.isupper() and token not in _NO_CALLS
    return _NUMBER.match(token) is not None or (is_name and macros.name_not(token))


def without_casts(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: without casts to the type that a value gets anyway, and those of pointers that a function is given."""
    drop: set[int] = set()
    result = result_type(function)
    for start, end in statements(function):
        head = function[start:end]
        if _is_mark(head, macros) and function[start - 1] not in (")", "else", "do"):
            drop.update(range(start, end + 1))
            continue
        if head[:3] == ("(", "void", ")"):
            is_name = len(head) == 4 and _is_plain(head[3], macros)
            is_alone = is_name and function[start - 1] not in (")", "else", "do")
            drop.update(range(start, end + 1 if is_alone else start + 3))
            continue
        equals = head.index("=") if "=" in head else 0
        type_ = result if head[:1] == ("return",) else head[: max(equals - 1, 0)]
        value = start + (1 if head[:1] == ("return",) else equals + 1)
        after = value + len(type_) + 2
        if _is_type(type_) and function[value:after] == ("(", *type_, ")"):
            given = function[after:end]
            is_nothing = given == ("NULL",) and type_[-1] == "*"
            drop.update(range(value, after) if is_nothing or _is_operand(given, macros) else ())
    drop |= _casts_to_own_types(function, macros)
    drop |= _casts_of_freed(function, macros)
    pointers = _pointers(function)
    for index in range(function.index("{"), len(function) - 1):
        if function[index] in pointers and function[index - 1] == ")":
            opening = _opening(function, index - 1)
            is_cast = _is_type(function[opening + 1 : index - 1]) and function[index - 2] == "*"
            if is_cast and _is_argument(function, opening, index, macros):
                drop.update(range(opening, index))
    return tuple(token for index, token in enumerate(function) if index not in drop)


def _casts_of_freed(function: Lexemes, macros: Macros) -> set[int]:
    """The casts of pointers that `free` is given, which takes any of them."""
    drop: set[int] = set()
    found = [index for index, token in enumerate(function) if token == "free"]
    is_it = all(function[index + 1] == "(" and _stands_alone(function, index) for index in found)
    if not found or not is_it or not macros.name_not("free") or "free" in macros.functions:
        return drop
    for index in found:
        start = index + 2
        end = closing(function, start)
        is_pointer = function[start] == "(" and function[end - 1] == "*" and _is_type(function[start + 1 : end])
        after = value_end(function, end + 1)
        is_whole = end + 1 < after < len(function) and function[after] == ")"
        if is_pointer and is_whole and all(map(macros.is_one_value, filter(_NAME.match, function[end + 1 : after]))):
            drop.update(range(start, end + 1))
    return drop


def _stands_alone(function: Lexemes, index: int) -> bool:
    """Whether a name before a bracket is no member, and not declared there."""
    return function[index - 1] in (";", "{", "}", ")", ":", ",", "(", "else", "do")


def _is_mark(statement: Lexemes, macros: Macros) -> bool:
    """Whether it marks a variable as one that is not read: `UNUSED(a);` with `#define UNUSED(x) ((void)(x))`."""
    if len(statement) != 4 or (statement[1], statement[3]) != ("(", ")") or not _is_plain(statement[2], macros):
        return False
    if macros.is_hoped:
        return statement[0].isupper()
    defined = [defined_by(line) for line in macros.called(statement[0]) or ()]
    return bool(defined) and all(
        macro is not None
        and macro.parameters is not None
        and tuple(token for token in macro.body if token not in "()") == ("void", *macro.parameters)
        for macro in defined
    )


def result_type(function: Lexemes) -> Lexemes:
    """The type that a function returns, as it is written."""
    head = function[: function.index("(")][:-1]
    head = tuple(token for token in head if token not in ("static", "inline", "extern"))
    # How it is called, or that others may call it, is no type.
    return tuple(
        token for index, token in enumerate(head) if not (index and _NAME.match(head[index - 1]) and token.isupper())
    )


def _casts_to_own_types(function: Lexemes, macros: Macros) -> set[int]:
    """The casts of a variable to the very type that it is declared with."""
    drop: set[int] = set()
    types: dict[str, Lexemes | None] = {}
    shows = cache(macros.may_show)
    for index in range(2, len(function) - 1):
        name, last = function[index], function[index - 1]
        if not _NAME.match(name) or last == "\n" or not is_declared(function, index):
            continue
        start = index
        while function[start - 1] == "*" or (_NAME.match(function[start - 1]) and function[start - 1] not in _NO_CALLS):
            start -= 1
        type_ = tuple(token for token in function[start:index] if token not in ("static", "register"))
        is_whole = function[start - 1] in ("(", ",", ";", "{", "}") and function[index + 1] in (",", ")", ";", "=")
        types[name] = type_ if is_whole and name not in types and _is_type(type_) else None
    around: list[str] = []
    for index, token in enumerate(function[:-1]):
        if token in OPENS:
            around.append(function[index - 1])
        elif token in CLOSES:
            del around[-1:]
        if token != "(" or function[index + 1] == ")":
            continue
        end = next((place for place in range(index + 1, len(function)) if function[place] in (")", "(")), index)
        name = function[end + 1] if end + 1 < len(function) else ""
        is_cast = function[end] == ")" and types.get(name) == function[index + 1 : end]
        is_value = function[index - 1] in (*_BEFORE_CASTS, "return") and {*function[end + 2 : end + 3]} <= _AFTER_CASTS
        if is_cast and is_value and not any(map(shows, filter(_NAME.match, around))):
            drop.update(range(index, end + 1))
    return drop


def _is_type(tokens: Lexemes) -> bool:
    """Whether it is a type's words, and stars after them."""
    words = tuple(token for token in tokens if token != "*")
    if tokens[: len(words)] != words:
        return False
    named = tuple(word for word in words if word != "const")
    is_tag = len(named) == 2 and named[0] in ("struct", "union", "enum") and named[1] not in KEYWORDS
    is_name = len(named) == 1 and _NAME.match(named[0]) is not None and (named[0] == "void" or named[0] not in KEYWORDS)
    return is_tag or is_name or (bool(named) and _NUMBERS.issuperset(named))


def _is_operand(value: Lexemes, macros: Macros) -> bool:
    """Whether a cast before it is one of all of it: a number, or a name, with calls, members and places of arrays."""
    number = value[1:] if value[:1] == ("-",) else value
    if len(number) == 1 and _NUMBER.match(number[0]):
        return True
    if not value or not (_is_plain(value[0], macros) or _is_known_value(value[0], macros)):
        return False
    depth = 0
    for last, token in pairwise(value):
        is_postfix = token in (".", "->", "(", "[") or (last in (".", "->") and _NAME.match(token) is not None)
        depth -= token in CLOSES
        if depth == 0 and not (is_postfix or token in CLOSES):
            return False
        depth += token in OPENS
    return depth == 0


def _is_known_value(name: str, macros: Macros) -> bool:
    """Whether it is a macro of the repository that is one value."""
    return (
        _NAME.match(name) is not None and (macros.is_hoped or bool(macros.called(name))) and macros.is_one_value(name)
    )


def _pointers(function: Lexemes) -> set[str]:
    """The parameters that are pointers, and that no block declares again."""
    body = function.index("{")
    named = zip(function[:body], function[1:body], function[2:body], strict=False)
    names = {name for star, name, following in named if star == "*" and following in (",", ")") and _NAME.match(name)}
    return {
        name
        for name in names
        if function[:body].count("(") == 1
        and not any(is_declared(function, index) for index in range(body, len(function)) if function[index] == name)
    }


def is_declared(function: Lexemes, index: int) -> bool:
    """Whether a type may stand before a name."""
    last, before = function[index - 1], function[index - 2]
    is_word = _NAME.match(last) is not None and last != "return"
    return is_word or (last == "*" and (_NAME.match(before) is not None or before in ("*", ")")))


def _opening(function: Lexemes, index: int) -> int:
    """Where the bracket opens that closes at a token; 0 if none does."""
    depths = accumulate((token in CLOSES) - (token in OPENS) for token in reversed(function[: index + 1]))
    return index - next((distance for distance, depth in enumerate(depths) if depth == 0), index)


def _is_argument(function: Lexemes, start: int, end: int, macros: Macros) -> bool:
    """Whether what begins and ends with these tokens is all that a function, and no macro, is given for a parameter."""
    if function[start - 1] not in ("(", ",") or function[end + 1] not in (",", ")"):
        return False
    depth, place = 1, start
    while depth and place:
        place -= 1
        depth += (function[place] in CLOSES) - (function[place] in OPENS)
    called = function[place - 1]
    is_call = function[place] == "(" and _NAME.match(called) is not None and called not in _NO_CALLS
    is_typed = called.isupper() or _TYPED.match(called) or TEXTS.match(called)
    return is_call and not is_typed and macros.name_not(called)


def with_plain_pointers(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: `void *` for the pointers that a static function only tests, and hands on to others."""
    body = function.index("{")
    if function[0] != "static":
        return function
    for name in sorted(_pointers(function))[:MAX_NAMES]:
        index = function.index(name)
        start = index - 1
        while function[start - 1] not in ("(", ","):
            start -= 1
        uses = [place for place in range(body, len(function)) if function[place] == name]
        is_one = function[start:index].count("*") == 1 and _is_type(function[start:index])
        if (
            is_one
            and _is_seen_by_none(function, name, macros)
            and all(_is_handed_on(function, place, macros) for place in uses)
        ):
            constant = ("const",) if "const" in function[start:index] else ()
            function = (*function[:start], *constant, "void", "*", *function[index:])
            body = function.index("{")
    return function


def _is_seen_by_none(function: Lexemes, name: str, macros: Macros) -> bool:
    """Whether no macro has the name, or none is in the function."""
    words = {token for token in function if _NAME.match(token)} - KEYWORDS - {name, "NULL"}
    return macros.have_not(name) or (len(words) <= MAX_NAMES and all(map(macros.name_not, words)))


def _is_handed_on(function: Lexemes, index: int, macros: Macros) -> bool:
    before, after = function[index - 2 : index], function[index + 1 : index + 3]
    is_tested = before in (("if", "("), ("while", "(")) and after[:1] == (")",)
    is_compared = before[1:] == ("(",) and after in (("==", "NULL"), ("!=", "NULL"))
    return is_tested or is_compared or _is_argument(function, index, index, macros)
