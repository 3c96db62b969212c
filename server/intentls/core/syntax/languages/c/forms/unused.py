"""What a file of C declares for itself and never uses: static functions and variables, types, macros.

    #define LIMIT 7                                 static int f(void) { return 1; }
    static int g(void) { return LIMIT; }
    static int f(void) { return 1; }

No word of the file means `g`, so nothing does; and without `g` nothing means `LIMIT`. So it is with a prototype of
what another file has, or none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Sequence

from intentls.core.syntax.languages.c.declarations import DIRECTIVE, declared
from intentls.core.syntax.languages.c.forms.qualifiers import is_prototype
from intentls.core.syntax.languages.c.functions import chunks, is_function
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, outside, parameters_start

UNUSED_MACROS = "unused macros"
UNUSED_DEFINITIONS = "unused private definitions"

_TYPES = frozenset({"typedef", "struct", "union", "enum"})
_IFS = frozenset({"if", "ifdef", "ifndef"})
_PLAIN = frozenset({"__inline", "__inline__", "__const", "__thread"})

MayGo = Callable[[str, bool], bool]
"""Whether nothing but the file can mean a name, and whether it is declared below all that the file includes."""

IsWords = Callable[[str], bool]
"""Whether a word before a name is no macro, or one that stands for words alone: an attribute may run a function."""


def without_unused(lexemes: Lexemes, other: Lexemes, may_go: MayGo, is_words: IsWords) -> Lexemes:
    """One version of a file without what nothing else in it uses, and of which the other one has not even the name."""
    parts = chunks(lexemes)
    last_include = max((index for index, part in enumerate(parts) if "include" in part), default=-1)
    own = {index: _private(part, is_words) for index, part in enumerate(parts)}
    defined = {name for index, names in own.items() for name in names if not is_prototype(parts[index])}
    unused = {index for index, names in own.items() if names and names <= defined and names.isdisjoint(other)}
    todo = [index for index in range(len(parts)) if index not in unused]
    used: set[str] = set()
    while todo:
        used.update(*(parts[index] for index in todo))
        todo = [index for index in unused if not used.isdisjoint(own[index])]
        unused.difference_update(todo)
        if not todo:  # to ask about a name takes a search
            todo = [index for index in unused if not _may_go(own[index], parts[index], index > last_include, may_go)]
            unused.difference_update(todo)
    dropped = set(unused)
    for index in sorted(unused):
        dropped |= _empty_condition(parts, index, dropped)
    return tuple(token for index, part in enumerate(parts) if index not in dropped for token in part)


def _may_go(names: set[str], part: Lexemes, is_below_includes: bool, may_go: MayGo) -> bool:
    # A macro is known below its definition alone, so that no other file has this one.
    return is_below_includes if part[0] == DIRECTIVE else all(may_go(name, is_below_includes) for name in names)


def without_unused_macros(lexemes: Lexemes, other: Lexemes) -> Lexemes:
    """Without the macros below all includes that no word of the file asks for, and the other version does not have."""
    last = max((index for index, token in enumerate(lexemes) if token == "include"), default=0)
    counts, kept = Counter(lexemes), set(_definitions(other).values())
    dropped: set[int] = set()
    for index, line in _definitions(lexemes).items():
        if index >= last and counts[line[2]] == line.count(line[2]) and line not in kept:
            dropped |= set(range(index, index + len(line) + 1))
    return tuple(token for index, token in enumerate(lexemes) if index not in dropped)


def without_idle_prototypes(lexemes: Lexemes, other: Lexemes, macros: Macros) -> Lexemes:
    """Without the prototypes of what the other version does not name, of a file that nothing includes."""
    known = {*other}

    def is_idle(part: Lexemes) -> bool:
        if not is_prototype(part):
            return False
        start = parameters_start(part)
        name, words = part[start - 1], [token for token in part[: start - 1] if NAME.match(token)]
        return name not in known and all(map(macros.name_not, words)) and macros.have_not(name)

    return tuple(token for part in chunks(lexemes) if not is_idle(part) for token in part)


def _definitions(lexemes: Lexemes) -> dict[int, Lexemes]:
    """By where it begins, each directive that defines a macro, but for its end; one may be half typed."""
    starts = [index for index, token in enumerate(lexemes) if token == DIRECTIVE and lexemes[index + 1] == "define"]
    lines = ((index, lexemes[index : lexemes.index("\n", index)]) for index in starts)
    return {index: line for index, line in lines if len(line) > 2}


def _empty_condition(parts: Sequence[Lexemes], index: int, dropped: Container[int]) -> set[int]:
    """The directives around a dropped part between which nothing is left."""
    start, end = index, index
    while start in dropped:
        start -= 1
    while end in dropped:
        end += 1
    begins = start >= 0 and parts[start][0] == DIRECTIVE and parts[start][1] in _IFS
    return {start, end} if begins and parts[end : end + 1] and parts[end][:2] == (DIRECTIVE, "endif") else set()


def _private(part: Lexemes, is_words: IsWords) -> set[str]:
    """What a part declares for its file alone; nothing where it may do more than that."""
    if part[0] == DIRECTIVE:
        return {part[2]} if part[1] == "define" and len(part) > 3 else set()
    if part[0] in _TYPES and "static" not in part:
        names, others = declared(part)
        return names if part[-1] == ";" and DIRECTIVE not in part and not others else set()
    head = part[: part.index("{")] if is_function(part) else part[: part.index("=")] if "=" in part else part
    words = [head[index] for index in outside(head) if NAME.match(head[index])]
    is_declaration = is_function(part) or is_prototype(part) or (part[-1] == ";" and DIRECTIVE not in part)
    is_odd = any(word.startswith("__") and word not in _PLAIN for word in words) or "asm" in words
    if "static" not in head or not is_declaration or is_odd or not all(map(is_words, words)):
        return set()
    return declared(part)[0]
