"""Macros of C that a file sees, whatever it is compiled for: their text may stand where they are called.

    list.h   #define FIRST(a) ((a)->first)
    a.c      #include "list.h"                  b = FIRST(c);     and     b = ((c)->first);

`FIRST` is defined once in the repository, under no condition but the one that a header is read once, and no file takes
it back. The file has the definition above, or includes the header that has it, under no condition either.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from intentls.core.mutation.moves.c_headers import HeaderPaths
from intentls.core.mutation.moves.c_moves import CFile
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.syntax.languages.c.declarations import DIRECTIVE, FilePart, parts_of_file
from intentls.core.syntax.languages.c.spans import Lexemes
from intentls.core.syntax.lexemes import lexemes_of_c

MAX_BYTES = 1 << 19  # of a file that is read
MAX_HEADERS = 400  # that one file includes

Visible = Callable[[str, str], Lexemes | None]
"""The directive that defines a macro of this name for all of the file at a path; None if that is not certain."""


class Directives:
    """The files beside a change set that define a macro, or take it back. They are read once for all names."""

    def __init__(self, others: RepositoryText) -> None:
        self._others = others
        self._by_name = cache(self._find_by_name)

    def of(self, name: str) -> Mapping[str, bytes] | None:
        """The files with directives of this name; None where that can't be told."""
        found = self._by_name()
        return self._others.mentioning((name,)) if found is None else found.get(name.encode(), {})

    def _find_by_name(self) -> Mapping[bytes, Mapping[str, bytes]] | None:
        mentioning = self._others.mentioning(("define", "undef"))
        if mentioning is None:
            return None  # too many at once
        found = defaultdict[bytes, dict[str, bytes]](dict)
        for path, content in mentioning.items():
            for name in _CHANGED.findall(content):
                found[name][path] = content
        return found


_CHANGED = re.compile(rb"#\s*(?:define|undef)\s+(\w+)")


class MacroPlaces:
    """One version of a repository: the files of C of a change set, and the others."""

    def __init__(self, files: Mapping[str, Lexemes], others: RepositoryText, directives: Directives) -> None:
        self._files, self._others, self._directives = files, others, directives
        self._headers = cache(self._find_headers)
        self._reached = cache(self._find_reached)
        self._parts = cache(self._find_parts)
        self.visible: Visible = cache(self._find_visible)

    def _find_visible(self, path: str, name: str) -> Lexemes | None:
        """The directive that defines the macro for all of the file at `path`."""
        mentioning = self._directives.of(name)
        if mentioning is None:
            return None
        changing = re.compile(rf"#\s*(define|undef)\s+{re.escape(name)}\b")
        texts = {place: content.decode("utf-8", "surrogateescape") for place, content in mentioning.items()}
        places = [place for place, text in texts.items() if changing.search(text)]
        if any(not place.endswith((".h", ".c")) or len(texts[place]) > MAX_BYTES for place in places):
            return None
        split = {place: lexemes_of_c(texts[place]) for place in places if place.endswith(".h")}
        directives: list[tuple[str, Lexemes, bool]] = []
        for place, lexemes in {**split, **self._files}.items():
            if lexemes is None:
                return None
            # A file that is compiled for itself has macros of its own.
            if place == path or place.endswith(".h"):
                directives += [(place, *found) for found in _changing(lexemes, name)]
        if len(directives) != 1:
            return None
        place, directive, is_plain = directives[0]
        is_seen = place == path or place in self._reached(path)
        return directive if is_plain and is_seen and directive[1] == "define" else None

    def _find_headers(self) -> Mapping[str, bytes]:
        guarded = self._others.mentioning(("ifndef", "pragma")) or {}
        return {path: text for path, text in guarded.items() if path.endswith(".h")}

    def _find_parts(self, path: str) -> tuple[FilePart, ...]:
        lexemes = self._files.get(path)
        text = self._headers().get(path)
        if lexemes is None and text is not None and len(text) <= MAX_BYTES:
            lexemes = lexemes_of_c(text.decode("utf-8", "surrogateescape"))
        return parts_of_file(lexemes or ())

    def _find_reached(self, path: str) -> frozenset[str]:
        """The headers that a file includes under no condition, and those that these include."""
        paths = HeaderPaths({*self._headers(), *(place for place in self._files if place.endswith(".h"))})
        seen: set[str] = set()
        todo = [path]
        while todo and len(seen) < MAX_HEADERS:
            includer = todo.pop()
            for text in _included(self._parts(includer)):
                place = paths.place(includer, text)
                if place is not None and place not in seen:
                    seen.add(place)
                    todo.append(place)
        return frozenset(seen)


def _included(parts: Sequence[FilePart]) -> Iterator[str]:
    guard = _guard_of(tuple(token for part in parts[:2] for token in part.lexemes))
    return (part.included for part in parts if part.included and part.conditions in ((), guard))


def _guard_of(lexemes: Lexemes) -> Lexemes:
    is_guard = lexemes[:2] == (DIRECTIVE, "ifndef") and lexemes[4:7] == (DIRECTIVE, "define", *lexemes[2:3])
    return (f"ifndef {lexemes[2]} \n",) if is_guard else ()


def _changing(lexemes: Lexemes, name: str) -> Iterator[tuple[Lexemes, bool]]:
    """The directives that define a macro or take it back, and whether they stand under no condition."""
    guard = _guard_of(lexemes)
    around: list[str] = []
    for index, token in enumerate(lexemes):
        if token != DIRECTIVE:
            continue
        directive = lexemes[index : lexemes.index("\n", index) + 1]
        word = directive[1]
        if word in ("if", "ifdef", "ifndef"):
            around.append(" ".join(directive[1:]))
        elif word == "endif":
            del around[-1:]
        elif word in ("else", "elif", "elifdef", "elifndef"):
            around[-1:] = [word]
        elif word in ("define", "undef") and directive[2] == name:
            yield directive, tuple(around) in ((), guard) or around == [f"ifndef {name} \n"]


def macro_places(files: Sequence[CFile], others: RepositoryText) -> tuple[MacroPlaces, MacroPlaces]:
    """The repository before a change set and after it."""
    directives = Directives(others)
    return (
        MacroPlaces({file.path: file.before for file in files}, others, directives),
        MacroPlaces({file.path: file.after for file in files}, others, directives),
    )
