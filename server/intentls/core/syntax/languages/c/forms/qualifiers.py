"""Words of declarations in C that change nothing that a program does, and names that prototypes say for their reader.

    int f(int a, char *b);                      int f(int, char *);
    size_t const n = g(a);                      size_t n = g(a);
    const char *b = h(a);                       char *b = h(a);

In C, `const` says what may not be written to, and no other code is made of it, unless what is so is an object that a
pointer leads to. So it means nothing for the value of a name of which no pointer is made, and for what a local pointer
leads to. A header may be read by C++, where it chooses what is called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from intentls.core.syntax.languages.c.functions import KEYWORDS, chunks, is_function
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, closing, parameters_start

CONSTANTS = "const of what no other function sees"
PROTOTYPES = "prototypes"
TYPES = "types announced"
STATIC = "static, as no other file has the name"

_ASKING = ("_Generic", "typeof", "__typeof__", "__auto_type", "__builtin_types_compatible_p")
_QUALIFIERS = frozenset({"const", "volatile", "restrict", "register", "struct", "union", "enum", "unsigned", "signed"})
_TAGS = frozenset({"struct", "union", "enum"})
_WORDS = frozenset({"int", "char", "long", "short", "double", "float", "void", "unsigned", "signed", *_TAGS})
_NO_OBJECTS = frozenset({"return", "else", "case", "goto", "do", "sizeof"})


def without_const(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: without the `const` of local names, and of what local pointers lead to."""
    if "const" not in function or any(word in function or not macros.are_blind_to(word, function) for word in _ASKING):
        return function
    body = function.index("{")
    is_own = "static" in function[:body]
    dropped: set[int] = set()
    is_directive = False
    for index, token in enumerate(function[:-2]):
        is_directive = (is_directive or token == "\n#") and token != "\n"
        if token != "const" or is_directive:
            continue
        is_local = index > body
        if _is_of_pointee(function, index):
            dropped |= {index} if is_local or is_own else set()
        elif _is_of_value(function, index, is_local=is_local):
            dropped.add(index)
    return tuple(token for index, token in enumerate(function) if index not in dropped)


def _is_of_pointee(function: Lexemes, index: int) -> bool:
    """Whether it says something of what a pointer leads to: only a star and nothing else stands after its type."""
    after = index + 1
    while function[after] in _WORDS or (NAME.match(function[after]) and function[after] not in KEYWORDS):
        after += 1
    before = function[index - 1]
    is_type = after > index + 1 or (NAME.match(before) is not None and before not in _NO_OBJECTS)
    return function[after] == "*" and is_type and before != "*"


def _is_of_value(function: Lexemes, index: int, *, is_local: bool) -> bool:
    """Whether it says that a name keeps its value, of which no pointer is made."""
    after = index + 1
    while NAME.match(function[after + 1]):
        after += 1
    name, following = function[after], function[after + 1]
    start = index
    while function[start - 1] not in (";", "{", "}", "(", ",", "\n"):
        start -= 1
    if not NAME.match(name) or name in KEYWORDS or following not in ("=", ";", ",", ")"):
        return False
    if set(function[start:after]) <= {"const", "static"} or (is_local and not _is_alone(function, start, after)):
        return False
    uses = [place for place, token in enumerate(function[:-1]) if token == name]
    return not any(
        function[place - 1] == "&" or function[place + 1] in (".", "[") or (place > 1 and function[place - 1] == "#")
        for place in uses
    )


def _is_alone(function: Lexemes, start: int, after: int) -> bool:
    """Whether what begins here declares one local name, and is no cast."""
    if function[start - 1] == "," or function[after + 1] not in ("=", ";"):
        return False
    depth = 0
    for token in function[after:]:
        depth += (token in ("(", "{", "[")) - (token in (")", "}", "]"))
        if depth == 0 and token in (",", ";"):
            return token == ";"
    return False


def without_parameter_names(lexemes: Lexemes, macros: Macros) -> Lexemes:
    """Prototypes without the names of parameters, and without `extern`."""
    kept: list[str] = []
    for chunk in chunks(lexemes):
        kept += (*head_of((*chunk[:-1], "{"), macros), ";") if is_prototype(chunk) else chunk
    return tuple(kept)


def without_prototypes(lexemes: Lexemes, macros: Macros) -> Lexemes:
    """Without the prototypes that a file of C does without, once their parameters have no names.

    What only this file has would not compile without a definition or a prototype before it is called. Others might be
    called in another way then, so they have to be defined before.
    """
    parts = chunks(lexemes)
    functions = [
        (index, head_of(chunk, macros)) for index, chunk in reversed([*enumerate(parts)]) if is_function(chunk)
    ]
    defined = {head: index for index, head in functions}
    open_to_all = {token for _, head in functions if "static" not in head for token in head}
    kept: list[str] = []
    called: set[str] = set()
    for index, chunk in enumerate(parts):
        if not is_prototype(chunk):
            called.update(chunk)
            kept += chunk
            continue
        start = parameters_start(chunk)
        name, own = chunk[start - 1], defined.get(chunk[:-1], -1)
        is_plain = all(macros.name_not(word) for word in chunk[:start] if NAME.match(word))
        is_early = own > index and name not in called and not any(name in part for part in parts[index + 1 : own])
        is_own = "static" in chunk and name not in open_to_all  # what is announced so is so
        kept += () if is_plain and "inline" not in chunk and (is_own or is_early) else chunk
    return tuple(kept)


def with_prototypes_in_order(lexemes: Lexemes, _macros: Macros) -> Lexemes:
    """Prototypes that stand side by side in one order: each says the same wherever it stands among others."""
    kept: list[Lexemes] = []
    run: list[Lexemes] = []
    for chunk in chunks(lexemes):
        if is_prototype(chunk):
            run.append(chunk)
        else:
            kept += [*sorted(run), chunk]
            run = []
    return tuple(token for chunk in (*kept, *sorted(run)) for token in chunk)


def without_announced_types(lexemes: Lexemes, macros: Macros) -> Lexemes:
    """Without `struct list;` outside of functions: that there is such a type does nothing, and is the same anywhere."""
    return tuple(
        token
        for chunk in chunks(lexemes)
        if not (len(chunk) == 3 and chunk[0] in ("struct", "union") and macros.name_not(chunk[1]))
        for token in chunk
    )


def is_prototype(chunk: Lexemes) -> bool:
    """Whether it announces one function that gives a value of a plain type."""
    if chunk[-2:] != (")", ";") or "\n#" in chunk or {"typedef", "=", "{"} & {*chunk} or "(" not in chunk:
        return False
    start = parameters_start(chunk)
    head = [token for token in chunk[:start] if token not in ("*", "(", ")")]
    is_named = len(head) > 1 and all(map(NAME.match, head)) and chunk[start - 1] not in KEYWORDS
    return is_named and closing(chunk, start) == len(chunk) - 2


def head_of(function: Lexemes, macros: Macros) -> Lexemes:
    """What stands before a body, without the names of the parameters, and without `extern`."""
    head = function[: function.index("{")]
    start = parameters_start(head) if "(" in head else len(head)
    kept = [token for token in head[:start] if token != "extern"]
    for index in range(start, len(head)):
        token = head[index]
        is_last = head[index + 1 : index + 2] in ((",",), (")",), ("[",))
        if is_last and _is_name(head, index) and head.count(token) == 1 and macros.name_not(token):
            continue
        kept.append(token)
    return (*kept[:-1], "void", ")") if kept[-2:] == ["(", ")"] else tuple(kept)


def _is_name(head: Lexemes, index: int) -> bool:
    """Whether a type stands before a word."""
    if not NAME.match(head[index]) or head[index] in KEYWORDS:
        return False
    start = index
    while head[start - 1] not in ("(", ","):
        start -= 1
    words = [token for token in head[start:index] if token not in ("const", "volatile", "restrict", "register", "*")]
    is_tag = len(words) == 1 and words[0] in _TAGS
    return bool(words) and not is_tag and all(map(NAME.match, words))


def with_static(lexemes: Lexemes, macros: Macros, is_alone: Callable[[str], bool]) -> Lexemes:
    """`static` of functions and variables that this file alone has and uses; no `inline` of what is so."""
    kept: list[str] = []
    counts = Counter(lexemes)
    for chunk in chunks(lexemes):
        names = list(_defined(chunk))
        is_found = bool(names) and f'"{names[0]}"' in counts  # by a program that looks for it among its own symbols
        is_used = bool(names) and counts[names[0]] > chunk.count(names[0]) and not is_found
        if is_used and is_alone(names[0]) and all(map(macros.name_not, chunk[: chunk.index(names[0])])):
            kept.append("static")
        is_inline = chunk[:2] in (("static", "inline"), ("inline", "static")) and is_function(chunk)
        kept += ("static", *chunk[2:]) if is_inline else chunk
    return tuple(kept)


def _defined(chunk: Lexemes) -> Iterator[str]:
    """The name of a function or variable that other files could use."""
    end = chunk.index("(") if is_function(chunk) and "(" in chunk else 0
    if chunk[0] == "\n#" or {"static", "extern", "inline", "typedef"} & {*chunk[: end or len(chunk)]}:
        return
    if "__attribute__" in chunk[: chunk.index("{") if "{" in chunk else len(chunk)]:
        return
    if not end and chunk[-1] == ";" and "(" not in chunk and "{" not in chunk and "," not in chunk:
        end = chunk.index("=") if "=" in chunk else chunk.index("[") if "[" in chunk else len(chunk) - 1
    words = [token for token in chunk[:end] if token != "*"]
    if len(words) > 1 and all(map(NAME.match, words)) and NAME.match(chunk[end - 1]) and words[-2] not in _TAGS:
        yield chunk[end - 1]
