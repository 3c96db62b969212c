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

from intentls.core.syntax.languages.c.functions import chunks, is_function
from intentls.core.syntax.languages.c.spans import Lexemes

_NAME = re.compile(r"[^\W\d]\w*\Z")
_HIDDEN = re.compile(r"(?i).*(static|inline|local|private|hidden|internal)")  # macros for `static` are called so
_TAGS = frozenset({"struct", "union", "enum"})
_OPENS, _CLOSES = frozenset({"(", "{", "["}), frozenset({")", "}", "]"})
_AFTER_NAMES = frozenset({",", ";", "=", "[", ")", "("})
_BEGINS, _ENDS = (("if",), ("ifdef",), ("ifndef",)), (("endif",),)
_BRANCHES = (("else",), ("elif",), ("elifdef",), ("elifndef",))
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
        if word in _ENDS:
            del conditions[-1:]
        parts.append(FilePart(chunk, tuple(conditions)))
        if word in _BEGINS:
            conditions.append(" ".join(chunk[1:]))
        elif word in _BRANCHES:
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
        return ({chunk[2]} if chunk[1:2] in (("define",), ("undef",)) and len(chunk) > 3 else set()), set()
    if is_function(chunk):
        head = chunk[: chunk.index("{")]
        names = set(_called(head))
        inside = {line.split()[1] for line in conditions_of(chunk) if line.startswith(("define ", "undef "))}
        if len(names) != 1:
            return words_of(head) | inside, set()
        return (names | inside, set()) if any(map(_HIDDEN.match, head)) else (inside, names)
    if chunk[-1] != ";" or DIRECTIVE in chunk or chunk[1:2] == ("(",):
        return words_of(chunk), set()
    triples = zip(chunk, chunk[1:], chunk[2:], strict=False)
    local = {word for last, word, following in triples if last in _TAGS and following in ("{", ";")}
    local |= set(_constants(chunk)) if "enum" in chunk else set()
    names = set(_declarators(chunk))
    is_hidden = "typedef" in chunk or any(map(_HIDDEN.match, chunk))
    return (local | names, set()) if is_hidden else (local, names)


def _called(head: Lexemes) -> Iterator[str]:
    """The words before an outer bracket."""
    depth = 0
    for index, token in enumerate(head):
        if token == "(" and depth == 0 and _NAME.match(head[index - 1]):
            yield head[index - 1]
        depth += (token in _OPENS) - (token in _CLOSES)


def _constants(chunk: Lexemes) -> Iterator[str]:
    """The words that stand in braces where an `enum` has its constants."""
    return (
        word
        for word, last in zip(chunk[1:], chunk, strict=False)
        if last in ("{", ",") and _NAME.match(word) is not None
    )


def _declarators(chunk: Lexemes) -> Iterator[str]:
    """The words that may be what a declaration declares: not in braces, and not in the value of another."""
    depth, is_value = 0, False
    for token, following in pairwise(chunk):
        is_value = is_value and not (token in (",", ";") and depth == 0)
        if depth < 2 and not is_value and _NAME.match(token) and following in _AFTER_NAMES:
            yield token
        is_value = is_value or (token == "=" and depth == 0)
        depth += 9 * ((token == "{") - (token == "}")) + (token in ("(", "[")) - (token in (")", "]"))
