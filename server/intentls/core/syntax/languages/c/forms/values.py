"""Values of C written in another way: how zero is spelled, and what is zero or overwritten anyway.

*a = '\0';                   *a = 0;
char *b = 0;                 char *b = NULL;
static int c = 0;            static int c;
int d = 0; d = f();          int d; d = f();
struct s e = { 0 };          struct s e = { };
a = g = h;                   a = h;                       where nothing else has the name `g`
f("abc", sizeof("abc") - 1); f("abc", strlen("abc"));
"""

from __future__ import annotations

from intentls.core.syntax.languages.c.forms.casts import result_type, statements
from intentls.core.syntax.languages.c.forms.expressions import Places
from intentls.core.syntax.languages.c.forms.locals import type_words, variables
from intentls.core.syntax.languages.c.functions import is_function
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, block_end, edited

ZEROS = "how zero is spelled"
LENGTHS = "the length of a text"
FIRST = "first values that say nothing"
SEMICOLONS = "; after a function"
STARTED = "zeros that static variables have anyway"

_NOTHING = (("0",), ("NULL",), ("{", "}"), ("{", "0", "}"), ("{", "NULL", "}"), ("{", "{", "0", "}", "}"))
_CLOSE_SIGNS = frozenset({"-", "*", "/", "%", "&", "sizeof", "!", "~", ")"})  # they take hold of what follows first
_STARTS = frozenset({";", "{", "}"})
_KEPT = frozenset({"static", "extern", "volatile", "_Atomic", "_Thread_local", "__thread", "register", "auto"})


def without_idle_links(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: `b = c` for `b = a = c`, where `b` is of the type of `a`, and nothing else is done with that."""
    links = [index for index in range(3, len(function) - 1) if function[index - 1] == function[index + 1] == "="]
    known = variables(function) if links else {}
    dropped: set[int] = set()
    for index in links:
        name, given = function[index], function[index - 2]
        types = {_type_at(function, index, known.get(each, [])) for each in (name, given)}
        is_statement = function[index - 3] in _STARTS and function.count(name) == 2
        if is_statement and len(types) == 1 and () not in types and macros.are_blind_to(name, function):
            dropped |= {index, index + 1}
    return tuple(token for index, token in enumerate(function) if index not in dropped)


def _type_at(function: Lexemes, index: int, found: list[tuple[int, Lexemes]]) -> Lexemes:
    """The type of a variable that is declared once, where it is in sight; empty for any other."""
    if len(found) != 1:
        return ()
    place, type_ = found[0]
    is_in_sight = place < function.index("{") or place < index < block_end(function, place)
    return type_ if is_in_sight and _KEPT.isdisjoint(type_) else ()


def with_plain_zeros(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: 0 for the sign that is one, and `NULL` for what a pointer is given."""
    edits: dict[int, tuple[int, Lexemes]] = {}
    signs = [index for index, token in enumerate(function) if token == "'\\0'"]
    places = Places(function, macros) if signs else None
    edits |= {index: (index + 1, ("0",)) for index in signs if places is not None and not places.is_shown(index)}
    function = edited(function, edits)
    if not macros.name_not("NULL"):
        return function
    known = variables(function)
    body = function.index("{")
    edits = {}
    for start, end in statements(function):
        if function[end - 2 : end] == ("return", "0") and end - start == 2 and result_type(function)[-1:] == ("*",):
            edits[end - 1] = (end, ("NULL",))
        if function[end - 2 : end] != ("=", "0"):
            continue
        name = function[end - 3]
        found = known.get(name, ())
        place, type_ = found[0] if len(found) == 1 else (0, ())
        is_it = start in (end - 3, place - len(type_)) and place <= end - 3
        if type_[-1:] == ("*",) and is_it and (place < body or end < block_end(function, place)):
            edits[end - 1] = (end, ("NULL",))
    return edited(function, edits)


def with_lengths_of_texts(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: `strlen("abc")` for `sizeof("abc") - 1`."""
    edits: dict[int, tuple[int, Lexemes]] = {}
    places: Places | None = None
    for index in [index for index, token in enumerate(function) if token == "sizeof"]:
        text, end = function[index + 2], index + 6
        is_length = function[index + 1 : end] == ("(", text, ")", "-", "1") and text[:1] == '"' and "\\0" not in text
        is_apart = function[index - 1] not in _CLOSE_SIGNS and function[end : end + 1] not in (("*",), ("/",), ("%",))
        if is_length and is_apart and macros.name_not("strlen"):
            places = places or Places(function, macros)
            edits |= {} if places.is_shown(index) else {index: (end, ("strlen", "(", text, ")"))}
    return edited(function, edits)


def without_idle_values(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: no first value of what is zero anyway, or gets another one before it is asked for."""
    edits: dict[int, tuple[int, Lexemes]] = {}
    spans = dict(statements(function))
    for start, end in spans.items():
        equals = start + function[start:end].index("=") if "=" in function[start:end] else end
        value = function[equals + 1 : end]
        if function[start] == "static" and value in _NOTHING and _is_declaration(function[start:equals]):
            edits[equals] = (end, ())
        elif type_words(function, start, end) and _is_constant(value) and "[" not in function[start:equals]:
            name = function[equals - 1]
            if _is_given_first(function, spans, name, end) and _KEPT.isdisjoint(function[start:equals]):
                edits[equals] = (end, ()) if macros.are_blind_to(name, function) else (equals + 1, ("=",))
    return _with_plain_braces(edited(function, edits))


def _with_plain_braces(function: Lexemes) -> Lexemes:
    """`{ }` for `{ 0 }`: what no value is told for is zero. An array whose size is told by its values stays."""
    edits: dict[int, tuple[int, Lexemes]] = {}
    for index in [index for index, token in enumerate(function) if token == "="]:
        found = next((one for one in _NOTHING[3:] if function[index + 1 : index + 1 + len(one)] == one), ())
        if found and function[index + 1 + len(found)] in (",", ";") and function[index - 2 : index] != ("[", "]"):
            edits[index + 1] = (index + 1 + len(found), ("{", "}"))
    return edited(function, edits)


def _is_constant(value: Lexemes) -> bool:
    number = value[1:] if value[:1] == ("-",) else value
    return len(number) == 1 and (
        number[0][0].isdigit() or number[0] in ("NULL", "true", "false") or number[0][-1] in "'\""
    )


def _is_given_first(function: Lexemes, spans: dict[int, int], name: str, end: int) -> bool:
    """Whether the next that is done with a name, in the same block and in any case, is to give it another value."""
    use = next((index for index in range(end, len(function)) if function[index] == name), end)
    between = function[end:use]
    if use not in spans or function[use + 1] != "=" or name in function[use + 2 : spans[use]]:
        return False
    depth = between.count("{") - between.count("}")
    is_open = use < block_end(function, end) and depth == 0
    return is_open and function[use - 1] in (";", "{", "}") and {"goto", "\n#", "case", "default"}.isdisjoint(function)


def _is_declaration(head: Lexemes) -> bool:
    """Whether it is words and stars, a name, and the size of an array, if it is one that is told."""
    words = head[: head.index("[")] if "[" in head else head
    return len(words) > 2 and all(token == "*" or NAME.match(token) for token in words) and head[-2:] != ("[", "]")


def without_semicolons(part: Lexemes, _macros: Macros) -> Lexemes:
    """A part without `;` after a function."""
    return part[:-1] if part[-2:] == ("}", ";") and is_function(part[:-1]) else part


def without_first_zeros(part: Lexemes, _macros: Macros) -> Lexemes:
    """A part without the zero that a `static` variable has anyway."""
    is_static = part[:1] == ("static",) and part[-1] == ";"
    equals = part.index("=") if is_static and "=" in part else 0
    is_zero = equals > 0 and part[equals + 1 : -1] in _NOTHING and _is_declaration(part[:equals])
    return (*part[:equals], ";") if is_zero else part
