"""Functions of C that one version alone has, with their bodies in the place of each call.

    static void mark(struct s *a) { a->n++; log(a); }      void f(struct s *b) { b->n++; log(b); g(b); }
    void f(struct s *b) { mark(b); g(b); }

What a call hands over are variables of the caller of the very type, which nothing has the address of and the body gives
no other value, or constants. No name of the body means anything else there, and no macro in it sees one of them, or
hides a way out. What returns stands at the end of the caller, or where that returns what the function gives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from intentls.core.syntax.languages.c.called import CalledFunction, HandedToCall, is_name, is_truth_for_call
from intentls.core.syntax.languages.c.forms.locals import between_commas, variables
from intentls.core.syntax.languages.c.forms.qualifiers import is_prototype
from intentls.core.syntax.languages.c.functions import KEYWORDS, chunks, function_name, is_function
from intentls.core.syntax.languages.c.macros import Macros, defined_by
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, block_end, brackets, closing, parameters_start

EXTRACTED = "functions with their bodies where they are called"
REUSED = "calls for what a function does that both have"
MAX_HELPERS = 20  # of one file

_BEFORE = frozenset({";", "{", "}", "else"})
_CHANGING = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"})
_LEADING = frozenset({"++", "--", "&"})
# What belongs to the function that it stands in, or says which one that is.
_CLOSED = frozenset(
    {
        *("goto", "static", "\n#", "asm", "__asm__", "__asm", "alloca", "va_start", "va_arg", "setjmp", "sigsetjmp"),
        *("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__", "__LINE__", "__builtin_return_address", "assert"),
    }
)
_STORED = frozenset({"static", "inline", "extern"})
_OF_CPP = frozenset({"template", "namespace", "::", "operator", "class", "auto"})
_WAYS_OUT = frozenset({"return", "goto", "break", "continue"})


def taken_in(pair: tuple[Lexemes, Lexemes], macros: Macros) -> tuple[Lexemes, Lexemes]:
    """A step for both versions of a file: without the functions that the other one does not have."""
    old, new = pair
    return _without_helpers(old, new, macros), _without_helpers(new, old, macros)


def _without_helpers(lexemes: Lexemes, other: Lexemes, macros: Macros) -> Lexemes:
    if lexemes.count("static") <= other.count("static"):
        return lexemes
    parts, theirs = list(chunks(lexemes)), {*other}
    helpers = [helper for part in parts if (helper := _helper(part, theirs)) is not None]
    for helper in helpers[:MAX_HELPERS]:
        parts = _replaced(parts, helper, macros) or parts
    return tuple(token for part in parts for token in part)


def with_shared(pair: tuple[Lexemes, Lexemes], macros: Macros) -> tuple[Lexemes, Lexemes]:
    """A step for both versions of a file: functions that both have with their bodies, where one calls them more."""
    names = called_otherwise(*pair)
    return (_with_called(*pair, names, macros), _with_called(*pair[::-1], names, macros)) if names else pair


def with_shared_in_header(pair: tuple[Lexemes, Lexemes], macros: Macros) -> tuple[Lexemes, Lexemes]:
    """The same for a header, which may be one of C++: of functions that are given variables of one type alone."""
    names = called_otherwise(*pair)
    if not names or not _OF_CPP.isdisjoint(pair[0]) or not _OF_CPP.isdisjoint(pair[1]):
        return pair
    old, new = (_with_called(*each, names, macros, is_exact=True) for each in (pair, pair[::-1]))
    return old, new


def called_otherwise(old: Lexemes, new: Lexemes) -> set[str]:
    """The functions that both versions define, once each, and one names more often."""
    defined = [Counter(map(function_name, filter(is_function, chunks(lexemes)))) for lexemes in (old, new)]
    both = {name for name in defined[0] if name and defined[0][name] == defined[1][name] == 1}
    if not both:
        return both
    said = Counter(old), Counter(new)
    return {name for name in both if said[0][name] != said[1][name]}


def _with_called(
    lexemes: Lexemes, other: Lexemes, names: set[str], macros: Macros, *, is_exact: bool = False
) -> Lexemes:
    parts, same = list(chunks(lexemes)), {*chunks(other)}
    for called in [part for part in parts if is_function(part) and function_name(part) in names][:MAX_HELPERS]:
        helper = _helper_of(called)
        if helper is None or not macros.name_not(helper.name) or not _is_open(helper, macros):
            continue
        if is_exact and any(kind[0] == "const" for kind, _ in helper.parameters):
            continue
        for index, part in enumerate(parts):
            if part is not called and part not in same and helper.name in part and is_function(part):
                parts[index] = _with_bodies(part, helper, macros, is_shared=True, is_exact=is_exact) or part
    return tuple(token for part in parts for token in part)


def _helper(part: Lexemes, theirs: set[str]) -> CalledFunction | None:
    """A static function that the other version does not have."""
    if part[0] != "static" or not is_function(part):
        return None
    helper = _helper_of(part)
    return None if helper is None or helper.name in theirs else helper


def _helper_of(part: Lexemes) -> CalledFunction | None:
    """A function that may stand where it is called."""
    start = part.index("{")
    head, body = part[:start], part[start + 1 : -1]
    opening = parameters_start(head)
    name = head[opening - 1] if opening > 1 else ""
    result = tuple(token for token in head[: max(opening - 1, 0)] if token not in _STORED)
    parameters = list(_parameters(head[opening + 1 : -1]))
    is_plain = NAME.match(name) is not None and all(parameters) and bool(result) and bool(body)
    if not is_plain or name in body or not _CLOSED.isdisjoint(body) or not all(_is_word(token) for token in result):
        return None
    known = tuple((one[:-1], one[-1]) for one in parameters)
    return None if _is_changed(body, parameters) else CalledFunction(name, part, known, result, body)


def _is_word(token: str) -> bool:
    return token == "*" or NAME.match(token) is not None


def _parameters(listed: Lexemes) -> Iterator[Lexemes]:
    """Each parameter, its name last; an empty one for what is no plain variable."""
    if listed == ("void",):
        return
    for part in between_commas(listed):
        is_plain = len(part) > 1 and all(map(_is_word, part)) and part[-1] not in KEYWORDS and part[-1] != "*"
        yield part if is_plain else ()


def _is_changed(body: Lexemes, parameters: Sequence[Lexemes]) -> bool:
    """Whether the body gives a parameter another value, takes its address, or may change a part of a copy."""
    kinds = {part[-1]: part[:-1] for part in parameters}
    for index, token in enumerate(body):
        if token in kinds and is_name(body, index):
            is_part = body[index + 1] == "." and "*" not in kinds[token]
            if is_part or body[index + 1] in _CHANGING or body[index - 1] in _LEADING:
                return True
    return False


def _replaced(parts: Sequence[Lexemes], helper: CalledFunction, macros: Macros) -> list[Lexemes] | None:
    """The parts without the function and its prototypes; None where it has to stay."""
    kept: list[Lexemes] = []
    calls = 0
    for part in parts:
        if part is helper.whole or (is_prototype(part) and helper.name in part):
            continue
        if helper.name in part:
            replaced = _with_bodies(part, helper, macros) if is_function(part) else None
            if replaced is None:
                return None
            calls += 1
            kept.append(replaced)
        else:
            kept.append(part)
    return kept if calls and macros.have_not(helper.name) and _is_open(helper, macros) else None


def _is_open(helper: CalledFunction, macros: Macros) -> bool:
    """Whether no macro in the body sees its names, or hides a way out."""
    names = {name for _, name in helper.parameters} | helper.own
    if not all(macros.are_blind_to(name, helper.whole) for name in names):
        return False
    lines = [macros.called(word) for word in {*helper.body} if NAME.match(word)]
    found = [defined_by(line) for told in lines for line in told or ()]
    is_told = all(told is not None for told in lines) and all(macro is not None for macro in found)
    return is_told and all(macro is None or _WAYS_OUT.isdisjoint(macro.body) for macro in found)


def _with_bodies(
    function: Lexemes, helper: CalledFunction, macros: Macros, *, is_shared: bool = False, is_exact: bool = False
) -> Lexemes | None:
    """The function with the body for each call; None where one may not stand there, unless the function stays.

    With `is_exact` only where variables are handed over.
    """
    known = variables(function)
    free = {token for index, token in enumerate(helper.body) if is_name(helper.body, index)} - helper.own
    free -= {name for _, name in helper.parameters}
    is_other = any(function[at + 1] != "(" for at, token in enumerate(function) if token == helper.name)
    is_single = function.count(helper.name) == 1  # then nothing is declared twice
    given = _given(function, helper) if is_single else ""
    if is_other or not free.isdisjoint(known) or not (helper.own - {given}).isdisjoint(function):
        return None
    made: list[str] = []
    index = 0
    while index < len(function):
        if function[index] != helper.name:
            end = function.index("\n", index) if function[index] == "\n#" else index
            if not is_shared and helper.name in function[index:end]:
                return None
            made += function[index : end + 1]
            index = end + 1
            continue
        handed = HandedToCall(function, index, helper, known, macros).handed()
        handed = None if handed is not None and is_exact and not handed.are_variables else handed
        end = closing(function, index + 1) if handed is not None else index
        body = helper.with_values(handed) if handed is not None else ()
        if handed is not None and not handed.declared and is_truth_for_call(function, index, end, helper):
            made += ["(", *body[1:-1], ")"]
            index = end + 1
            continue
        if given and handed is not None and not handed.declared and given not in function[index:end]:
            del made[-len(helper.result) - 2 :]
            made += body[:-3]
            index = end + 2
            continue
        is_placed = handed is not None and function[end + 1] == ";" and _may_stand(function, index, end, helper)
        if not is_placed and is_shared:
            made.append(function[index])
            index += 1
            continue
        if not is_placed:
            return None
        if function[index - 1] == "return":
            made.pop()
        is_apart = not is_single or made[-1] not in (";", "{", "}")
        made += ["{", *body, "}"] if is_apart else body
        index = end + 2
    return tuple(made)


def _given(function: Lexemes, helper: CalledFunction) -> str:
    """The new variable of the caller that is given what the body makes under the same name; empty if there is none."""
    index, last = function.index(helper.name), len(helper.body) - 3
    name, start = function[index - 2], index - 2 - len(helper.result)
    is_new = function[start : index - 2] == helper.result and function[start - 1] in (";", "{", "}")
    is_statement = function[index - 1] == "=" and function[closing(function, index + 1) + 1] == ";"
    is_last = helper.body[last - 1] in (";", "}") and helper.body.count("return") == 1
    is_returned = is_last and helper.body[last:] == ("return", name, ";")
    made = variables(helper.whole).get(name, [])
    is_made = len(made) == 1 and made[0][1] == helper.result and made[0][0] > helper.whole.index("{")
    is_outer = is_made and block_end(helper.whole, made[0][0]) == len(helper.whole) - 1
    return name if is_new and is_statement and is_returned and is_outer else ""


def _may_stand(function: Lexemes, index: int, end: int, helper: CalledFunction) -> bool:
    """Whether the ways out of the body are those of the caller there, and the call is a statement of its own."""
    opening = parameters_start(function[: function.index("{")])
    result = tuple(token for token in function[: opening - 1] if token not in ("static", "inline", "extern"))
    if function[index - 1] == "return":
        return result == helper.result and helper.result != ("void",)
    is_branch = function[index - 1] == ")" and _is_head(function, index - 1)
    is_statement = (function[index - 1] in _BEFORE or is_branch) and helper.result == ("void",)
    is_last = end + 3 == len(function) and result == ("void",)
    return is_statement and (is_last or "return" not in helper.body)


def _is_head(function: Lexemes, end: int) -> bool:
    """Whether the bracket that closes here is that of an `if` or a loop."""
    opening = next((start for start, close in brackets(function).items() if close == end), 0)
    return function[opening - 1] in ("if", "while", "for")


TAKEN_IN = ((EXTRACTED, taken_in), (REUSED, with_shared))
SHARED_IN_HEADER = (REUSED, with_shared_in_header)
