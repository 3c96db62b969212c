"""What the parts of a C file declare and include, as its tokens tell: a function, a variable, a type, a macro.

    #include "list.h"            includes `"list.h"`
    static int total;            declares `total`, for this file alone
    enum color { RED, BLUE };    declares `color`, `RED` and `BLUE`, for this file alone
    int sum(struct list *l);     declares `sum`, which is one function in the whole program

Where that can't be told, each word of a part counts as declared for the file alone: who asks wants to know what may
mean something else in another file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from intentls.core.syntax.languages.c.functions import KEYWORDS, chunks, is_function
from intentls.core.syntax.languages.c.spans import Lexemes, closing, parameters_start

_NAME = re.compile(r"[^\W\d]\w*\Z")
_HIDDEN = re.compile(r"(?i).*(static|inline|local|private|hidden|internal)")  # macros for `static` are called so
_TAGS = frozenset({"struct", "union", "enum"})
_SPECIFIERS = frozenset({"__attribute__", "__attribute", "__declspec", "__asm__", "__asm", "asm", "_Alignas", "typeof"})
_SILENT = frozenset({"static_assert", "_Static_assert", "__attribute__", "__attribute"})  # they declare nothing
_OPENS, _CLOSES = frozenset({"(", "{", "["}), frozenset({")", "}", "]"})
_AFTER_NAMES = frozenset({",", ";", "=", "[", ")", "("})
BEGINS, ENDS = (("if",), ("ifdef",), ("ifndef",)), (("endif",),)
BRANCHES = (("else",), ("elif",), ("elifdef",), ("elifndef",))
DIRECTIVE = "\n#"


class FilePart(Struct, frozen=True):
    """A definition, declaration or directive of a file, and the conditions (`#if`) that it stands under."""

    lexemes: Lexemes
    conditions: Lexemes

    @property
    def included(self) -> str:
        """What it includes, with its quotes or brackets; empty if it is no such directive."""
        is_include = self.lexemes[:2] == (DIRECTIVE, "include")
        return "".join(self.lexemes[2:-1]) if is_include else ""

    @property
    def is_definition(self) -> bool:
        """Whether it is a function with its body, a macro, or declares something."""
        return self.lexemes[0] != DIRECTIVE or self.lexemes[1:2] == ("define",)


def parts_of_file(lexemes: Lexemes) -> tuple[FilePart, ...]:
    """The parts of a file, one after the other."""
    parts: list[FilePart] = []
    conditions: list[str] = []
    for chunk in chunks(_without_linkage(lexemes)):
        word = chunk[1:2] if chunk[0] == DIRECTIVE else ()
        if word in ENDS:
            del conditions[-1:]
        parts.append(FilePart(chunk, tuple(conditions)))
        if word in BEGINS:
            conditions.append(" ".join(chunk[1:]))
        elif word in BRANCHES:
            conditions[-1:] = [f"{' '.join(chunk[1:])} of {' '.join(conditions[-1:])}"]
    return tuple(parts)


def _without_linkage(lexemes: Lexemes) -> Lexemes:
    """Without the `extern "C" {` and its end that only a compiler of C++ reads."""
    if '"C"' not in lexemes:
        return lexemes
    kept: list[str] = []
    for token in lexemes:
        kept.append(token)
        if kept[-3:] == ["extern", '"C"', "{"]:
            del kept[-3:]
        elif token == "}" and kept[-5:-1] == [DIRECTIVE, "ifdef", "__cplusplus", "\n"]:
            del kept[-1:]
    return tuple(kept)


def words_of(lexemes: Lexemes) -> set[str]:
    """The names among the tokens, whatever they are."""
    return {token for token in lexemes if _NAME.match(token)}


def included(lexemes: Lexemes) -> Iterator[str]:
    """What is included anywhere among the tokens, with its quotes or brackets."""
    for index, token in enumerate(lexemes):
        if token == DIRECTIVE and lexemes[index + 1] == "include":
            yield "".join(lexemes[index + 2 : lexemes.index("\n", index)])


def conditions_of(lexemes: Lexemes) -> Iterator[str]:
    """The directives among the tokens but for includes, each as one text."""
    for index, token in enumerate(lexemes):
        if token == DIRECTIVE and lexemes[index + 1] != "include":
            yield " ".join(lexemes[index + 1 : lexemes.index("\n", index)])


def declared(chunk: Lexemes) -> tuple[set[str], set[str]]:
    """The names that a part gives a meaning for its file alone, and those that are one thing in the whole program."""
    if chunk[0] == DIRECTIVE:
        return macros_of(chunk), set()
    inside = macros_of(chunk)
    if DIRECTIVE in chunk and not is_function(chunk):
        chunk = _without_directives(chunk)
    if is_function(chunk):
        head = chunk[: chunk.index("{")]
        *before, name = [*_called(head)] or [0]
        if head[name] in KEYWORDS or head[name + 1 : name + 2] != ("(",):
            return (words_of(head) - KEYWORDS) | inside, set()
        # Macros before it may declare what they are given, but for one that stands for its type.
        before = [macro for macro in before if parameters_start(head) != name + 1 or macro != head.index("(") - 1]
        inside |= {word for macro in before for word in words_of(head[macro + 1 : closing(head, macro + 1)])} - KEYWORDS
        names = {head[name]}
        return (names | inside, set()) if any(map(_HIDDEN.match, head[:name])) else (inside, names)
    if chunk[0] in _SILENT and chunk[1:2] == ("(",):
        return inside, set()
    if chunk[-1:] == (")",):  # the rest of it stands between directives
        chunk = (*chunk, ";")
    is_call = chunk[1:2] == ("(",) and chunk[0] not in KEYWORDS
    start = parameters_start(chunk)
    if start > 1 and start != chunk.index("(") and chunk[-1] == ";" and not {"{", "="} & {*chunk}:
        names = {chunk[start - 1]}
        return (names | inside, set()) if any(map(_HIDDEN.match, chunk[: start - 1])) else (inside, names)
    if chunk[-1:] != (";",) or is_call or _has_odd_brackets(chunk):
        return (words_of(chunk) - KEYWORDS) | inside, set()
    triples = zip(chunk, chunk[1:], chunk[2:], strict=False)
    local = {word for last, word, following in triples if last in _TAGS and following in ("{", ";")} | inside
    local |= set(_constants(chunk))
    names = set(_declarators(chunk))
    if not local | names:  # it may be written in a way that is not known
        return words_of(chunk) - KEYWORDS, set()
    first = min((index for index, token in enumerate(chunk) if token in names), default=len(chunk))
    is_hidden = "typedef" in chunk or any(map(_HIDDEN.match, chunk[:first]))
    return (local | names, set()) if is_hidden else (local, names)


def macros_of(chunk: Lexemes) -> set[str]:
    """The macros that a part defines or takes away."""
    names: set[str] = set()
    for index, token in enumerate(chunk[:-3]):
        if token == DIRECTIVE and chunk[index + 1] in ("define", "undef"):
            names.add(chunk[index + 2])
    return names


def _without_directives(chunk: Lexemes) -> Lexemes:
    """What stands between the directives, all branches of it."""
    kept: list[str] = []
    is_directive = False
    for token in chunk:
        is_directive = is_directive or token == DIRECTIVE
        kept += [] if is_directive else [token]
        is_directive = is_directive and token != "\n"
    return tuple(kept)


def _called(head: Lexemes) -> Iterator[int]:
    """Where the words stand before outer brackets, but those that only tell the compiler more."""
    depth = 0
    for index, token in enumerate(head):
        if token == "(" and depth == 0 and _NAME.match(head[index - 1]) and head[index - 1] not in _SPECIFIERS:
            yield index - 1
        depth += (token in _OPENS) - (token in _CLOSES)


def _constants(chunk: Lexemes) -> Iterator[str]:
    """The words that stand in braces where an `enum` has its constants."""
    for start, token in enumerate(chunk):
        if token == "{" and "enum" in chunk[max(start - 2, 0) : start]:
            inner = chunk[start : closing(chunk, start)]
            yield from (word for last, word in pairwise(inner) if last in ("{", ",") and _NAME.match(word) is not None)


def _has_odd_brackets(chunk: Lexemes) -> bool:
    """Whether a bracket stands after another one that is not around a name."""
    return any(
        depth == 1 and chunk[index : index + 2] == (")", "(") and not is_around
        for index, depth, is_around in _depths(chunk)
    )


def _declarators(chunk: Lexemes) -> Iterator[str]:
    """The words that may be what a declaration declares: not in braces, a parameter, or the value of another."""
    is_value = False
    for index, depth, is_around in _depths(chunk):
        token, following = chunk[index : index + 2]
        is_value = is_value and not (token in (",", ";") and depth == 0)
        is_word = _NAME.match(token) is not None and token not in KEYWORDS | _SPECIFIERS
        is_type = depth == 0 and following == "(" and _is_around_name(chunk, index + 1)
        is_name = is_word and following in _AFTER_NAMES and not is_type
        if is_name and not is_value and (depth == 0 or (depth == 1 and is_around)):
            yield token
        is_value = is_value or (token == "=" and depth == 0)


def _depths(chunk: Lexemes) -> Iterator[tuple[int, int, bool]]:
    """Each token but the last, how many brackets are open before it, and whether the outer one is around a name.

    A brace counts for more than all brackets that may stand around a name.
    """
    depth, is_around = 0, False
    for index, token in enumerate(chunk[:-1]):
        is_around = _is_around_name(chunk, index) if token == "(" and depth == 0 else is_around
        yield index, depth, is_around
        depth += 9 * ((token == "{") - (token == "}")) + (token in ("(", "[")) - (token in (")", "]"))


def _is_around_name(chunk: Lexemes, index: int) -> bool:
    """Whether a bracket is one around the name in `int (*f)(int a)` or `int (f)(int a)`."""
    return chunk[index + 1 : index + 2] in (("*",), ("^",)) or chunk[index + 2 : index + 4] == (")", "(")
