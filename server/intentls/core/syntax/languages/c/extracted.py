"""Functions of C that one version alone has, with their bodies in the place of each call.

    static void mark(struct s *a) { a->n++; log(a); }      void f(struct s *b) { b->n++; log(b); g(b); }
    void f(struct s *b) { mark(b); g(b); }

What a call hands over are variables of the caller of the very type, which nothing has the address of and the body gives
no other value, or constants. No name of the body means anything else there, and no macro in it sees one of them, or
hides a way out. What returns stands at the end of the caller, or where that returns what the function gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from intentls.core.syntax.languages.c.forms.locals import between_commas, variables
from intentls.core.syntax.languages.c.forms.qualifiers import is_prototype
from intentls.core.syntax.languages.c.functions import KEYWORDS, chunks, is_function
from intentls.core.syntax.languages.c.macros import Macros, defined_by
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, block_end, closing, parameters_start

EXTRACTED = "functions with their bodies where they are called"
MAX_HELPERS = 20  # of one file

_BEFORE = frozenset({";", "{", "}", "else"})
_FIELDS = frozenset({".", "->"})
_CHANGING = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"})
_LEADING = frozenset({"++", "--", "&"})
# What belongs to the function that it stands in, or says which one that is.
_CLOSED = frozenset(
    {
        *("goto", "static", "\n#", "asm", "__asm__", "__asm", "alloca", "va_start", "va_arg", "setjmp", "sigsetjmp"),
        *("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__", "__LINE__", "__builtin_return_address", "assert"),
    }
)
_WAYS_OUT = frozenset({"return", "goto", "break", "continue"})


class _StaticFunction(Struct, frozen=True):
    """A static function: its parameters with their types, what it gives, and its body."""

    name: str
    whole: Lexemes
    parameters: tuple[tuple[Lexemes, str], ...]
    result: Lexemes
    body: Lexemes

    @property
    def own(self) -> set[str]:
        """The names that the body declares."""
        return {*variables(self.whole)} - {name for _, name in self.parameters}


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


def _helper(part: Lexemes, theirs: set[str]) -> _StaticFunction | None:
    """A static function that the other version does not have."""
    if part[0] != "static" or not is_function(part):
        return None
    start = part.index("{")
    head, body = part[:start], part[start + 1 : -1]
    opening = parameters_start(head)
    name = head[opening - 1] if opening > 1 else ""
    result = tuple(token for token in head[1 : opening - 1] if token != "inline")
    parameters = list(_parameters(head[opening + 1 : -1]))
    is_plain = NAME.match(name) is not None and name not in theirs and all(parameters) and bool(result)
    if not is_plain or name in body or not _CLOSED.isdisjoint(body) or not all(_is_word(token) for token in result):
        return None
    known = tuple((one[:-1], one[-1]) for one in parameters)
    return None if _is_changed(body, parameters) else _StaticFunction(name, part, known, result, body)


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
        if token in kinds and _is_name(body, index):
            is_part = body[index + 1] == "." and "*" not in kinds[token]
            if is_part or body[index + 1] in _CHANGING or body[index - 1] in _LEADING:
                return True
    return False


def _is_name(body: Lexemes, index: int) -> bool:
    """Whether a token of a body, which ends with a sign, is a name, and not that of a field."""
    return NAME.match(body[index]) is not None and body[index - 1] not in _FIELDS


def _replaced(parts: Sequence[Lexemes], helper: _StaticFunction, macros: Macros) -> list[Lexemes] | None:
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


def _is_open(helper: _StaticFunction, macros: Macros) -> bool:
    """Whether no macro in the body sees its names, or hides a way out."""
    names = {name for _, name in helper.parameters} | helper.own
    if not all(macros.are_blind_to(name, helper.whole) for name in names):
        return False
    lines = [macros.called(word) for word in {*helper.body} if NAME.match(word)]
    found = [defined_by(line) for told in lines for line in told or ()]
    is_told = all(told is not None for told in lines) and all(macro is not None for macro in found)
    return is_told and all(macro is None or _WAYS_OUT.isdisjoint(macro.body) for macro in found)


def _with_bodies(function: Lexemes, helper: _StaticFunction, macros: Macros) -> Lexemes | None:
    """The function with the body for each call; None where one may not stand there."""
    known = variables(function)
    free = {token for index, token in enumerate(helper.body) if _is_name(helper.body, index)} - helper.own
    free -= {name for _, name in helper.parameters}
    if not free.isdisjoint(known) or not helper.own.isdisjoint(function):
        return None
    made: list[str] = []
    is_single = function.count(helper.name) == 1  # then nothing is declared twice
    index = 0
    while index < len(function):
        if function[index] != helper.name:
            made.append(function[index])
            index += 1
            continue
        values = _values(function, index, helper, known, macros)
        end = closing(function, index + 1) if values is not None else index
        if values is None or function[end + 1] != ";" or not _may_stand(function, index, end, helper):
            return None
        if function[index - 1] == "return":
            made.pop()
        body = [
            values.get(token, token) if _is_name(helper.body, at) else token for at, token in enumerate(helper.body)
        ]
        is_apart = not is_single or made[-1] not in (";", "{", "}")
        made += ["{", *body, "}"] if is_apart else body
        index = end + 2
    return tuple(made)


def _may_stand(function: Lexemes, index: int, end: int, helper: _StaticFunction) -> bool:
    """Whether the ways out of the body are those of the caller there, and the call is a statement of its own."""
    opening = parameters_start(function[: function.index("{")])
    result = tuple(token for token in function[: opening - 1] if token not in ("static", "inline", "extern"))
    if function[index - 1] == "return":
        return result == helper.result and helper.result != ("void",)
    is_statement = function[index - 1] in _BEFORE and helper.result == ("void",)
    is_last = end + 3 == len(function) and result == ("void",)
    return is_statement and (is_last or "return" not in helper.body)


def _values(
    function: Lexemes,
    index: int,
    helper: _StaticFunction,
    known: dict[str, list[tuple[int, Lexemes]]],
    macros: Macros,
) -> dict[str, str] | None:
    """What each parameter is in a call; None where one may be something else."""
    if function[index + 1 : index + 2] != ("(",):
        return None
    given = function[index + 2 : closing(function, index + 1)]
    arguments = list(between_commas(given)) if given else []
    if len(arguments) != len(helper.parameters):
        return None
    values: dict[str, str] = {}
    for (kind, name), argument in zip(helper.parameters, arguments, strict=True):
        if len(argument) != 1 or not _is_of_type(argument[0], kind, function, index, known):
            return None
        if NAME.match(argument[0]) and not macros.are_blind_to(argument[0], helper.whole):
            return None
        values[name] = argument[0]
    return values


def _is_of_type(
    argument: str, kind: Lexemes, function: Lexemes, index: int, known: dict[str, list[tuple[int, Lexemes]]]
) -> bool:
    """Whether it is a variable in sight of just that type, which nothing has the address of, or such a constant."""
    if argument[-1:] == '"':
        return kind == ("const", "char", "*")
    if argument.isdigit():
        return kind == ("int",)
    found = known.get(argument, ())
    if len(found) != 1 or found[0][1] not in (kind, tuple(token for token in kind if token != "const")):
        return False
    place = found[0][0]
    is_in_sight = place < function.index("{") or (place < index < block_end(function, place))
    is_lent = any(function[at - 1] == "&" for at, token in enumerate(function) if token == argument and at)
    return is_in_sight and not is_lent
