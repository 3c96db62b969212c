"""Types of C spelled in another way: their words in one order, arrays that are pointers, sizes of what has a type.

unsigned int a;                       unsigned a;
size_t const a;                       const size_t a;
const static int a;                   static const int a;
int main(int argc, char *argv[])      int main(int argc, char **argv)
struct s *a = malloc(sizeof(*a));     struct s *a = malloc(sizeof(struct s));
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from intentls.core.syntax.languages.c.forms.expressions import Places
from intentls.core.syntax.languages.c.forms.locals import variables
from intentls.core.syntax.languages.c.forms.qualifiers import is_prototype
from intentls.core.syntax.languages.c.functions import is_function
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import Lexemes, block_end, closing, edited, parameters_start

SPELLED = "types spelled in another way"
SIZES = "sizes of what has a type"

_BESIDE = frozenset({"const", "volatile", "restrict", "register", "struct", "union", "enum"})
# One of them stands in each row of words that has another order.
_WORDS = frozenset({"unsigned", "signed", "short", "long"})
_STARTS = frozenset({"static", "extern", "inline", "register", "(", ",", ";", "{", "}"})
_STORAGE = frozenset({"static", "extern"})
_QUALIFIERS = frozenset({"const", "volatile", "inline"})
_ORDER = ("unsigned", "signed", "short", "long", "int", "char", "float", "double")


def with_plain_types(part: Lexemes, macros: Macros) -> Lexemes:
    """A part with `unsigned` for `unsigned int`, and `char **a` for a parameter `char *a[]`."""
    return _with_pointers(_with_const_first(_with_storage_first(_in_order(part, macros), macros), macros))


def _with_storage_first(chunk: Lexemes, macros: Macros) -> Lexemes:
    """`static const int a` for `const static int a`."""
    if _STORAGE.isdisjoint(chunk):
        return chunk
    found = [index for index, pair in enumerate(pairwise(chunk)) if pair[0] in _QUALIFIERS and pair[1] in _STORAGE]
    places = Places(chunk, macros) if found else None
    shown = {index for index in found if places is not None and places.is_shown(index)}
    return edited(chunk, {index: (index + 2, chunk[index : index + 2][::-1]) for index in found if index not in shown})


def _with_const_first(chunk: Lexemes, macros: Macros) -> Lexemes:
    """`const size_t a` for `size_t const a`, where the type is one word that can't be a pointer."""
    found = [
        index
        for index, token in enumerate(chunk[:-1] if "const" in chunk else ())
        if token.endswith("_t") and chunk[index + 1] == "const" and (index == 0 or chunk[index - 1] in _STARTS)
    ]
    found = [index for index in found if macros.name_not(chunk[index])]
    if not found:
        return chunk
    places = Places(chunk, macros)
    return edited(chunk, {index: (index + 2, ("const", chunk[index])) for index in found if not places.is_shown(index)})


def _in_order(chunk: Lexemes, macros: Macros) -> Lexemes:
    has_words = not _WORDS.isdisjoint(chunk)
    runs = [run for run in _runs(chunk) if _plain(chunk[slice(*run)]) != chunk[slice(*run)]] if has_words else []
    if not runs:
        return chunk
    places = Places(chunk, macros)
    return edited(chunk, {start: (end, _plain(chunk[start:end])) for start, end in runs if not places.is_shown(start)})


def _runs(chunk: Lexemes) -> Iterator[tuple[int, int]]:
    """Where words of types stand side by side."""
    start = 0
    for index, token in enumerate((*chunk, "")):
        if token not in _ORDER:
            if index - start > 1:
                yield start, index
            start = index + 1


def _plain(words: Lexemes) -> Lexemes:
    return tuple(sorted((word for word in words if word != "int"), key=_ORDER.index))


def _with_pointers(chunk: Lexemes) -> Lexemes:
    if "[" not in chunk or not (is_function(chunk) or is_prototype(chunk)):
        return chunk
    head = chunk[: chunk.index("{")] if is_function(chunk) else chunk
    start = parameters_start(head)
    edits: dict[int, tuple[int, Lexemes]] = {}
    for index in [index for index in range(start, closing(head, start)) if head[index] == "["]:
        end = closing(head, index)
        size = head[index + 1 : end]
        is_plain = not size or (len(size) == 1 and (size[0][0].isdigit() or size[0].isupper()))
        if is_plain and head[end + 1 : end + 2] in ((",",), (")",)):
            first = index - _has_name(head, index)
            edits[first] = (end + 1, ("*", *head[first:index]))
    return edited(chunk, edits) if edits else chunk


def _has_name(head: Lexemes, end: int) -> bool:
    """Whether the parameter before a bracket has a name: a word after those of its type."""
    start = end
    while head[start - 1] not in ("(", ","):
        start -= 1
    words = [word for word in head[start:end] if word not in _BESIDE]
    count = sum(word not in _ORDER for word in words) + any(word in _ORDER for word in words)
    return words[-1:] != ["*"] and ("*" in words or count > 1)


def with_sizes_of_types(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: `sizeof(struct s)` for `sizeof(*a)`, where `a` is a `struct s *` of the function."""
    if "sizeof" not in function:
        return function
    known = variables(function)
    body = function.index("{")
    edits: dict[int, tuple[int, Lexemes]] = {}
    places: Places | None = None
    for index in [index for index, token in enumerate(function) if token == "sizeof" and function[index + 1] == "("]:
        end = closing(function, index + 1)
        inside = function[index + 2 : end]
        stars = inside.count("*")
        found = known.get(inside[-1], ()) if inside[:-1] == ("*",) * stars else ()
        if len(found) != 1:
            continue
        place, type_ = found[0]
        is_told = type_[len(type_) - stars :] == ("*",) * stars and (place > body or type_[-1] == "*")
        is_in_sight = place < index and (place < body or index < block_end(function, place))
        words = [word for word in type_ if word != "*"]
        if not (is_told and is_in_sight and macros.name_not(inside[-1]) and all(map(macros.is_words, words))):
            continue
        places = places or Places(function, macros)
        if not places.is_shown(index):
            kept = tuple(word for word in type_[: len(type_) - stars] if word != "const")
            edits[index + 2] = (end, kept)
    return edited(function, edits)
