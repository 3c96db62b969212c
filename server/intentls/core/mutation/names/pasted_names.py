"""Names of C that no file spells: macros paste them together with `##`.

    #define FIELD(type, name) type##_##name        FIELD(list, len) = 1;      is      list_len = 1;

What a macro pastes are the words beside `##` in its text, here `_`, and those that it is given wherever it is called,
here `list` and `len`. A name may be made if it is a row of such words: `list_len` is `list`, `_`, `len`. If it is such
a word itself, another name may be made of it. A macro that hands on to a pasting one pastes too; so does one that is
given the name of one, `#define EACH(X) X(list) X(tree)` in `EACH(ONE)`, and what it is made of counts as given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.syntax.languages.adapter import kinds
from intentls.core.syntax.languages.c.declarations import DIRECTIVE
from intentls.core.syntax.languages.c.macros import MacroDefinition, defined_by, macro_of
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, closing

MAX_FILES = 400  # that may call a macro that pastes

Split = Callable[[str, bytes], Lexemes | None]
"""The tokens of a file of C at a path; None where they can't be told, or it is none."""

_WORD = re.compile(r"\w+")
_COUNTED = kinds("__LINE__ __COUNTER__")
_ASKS = kinds("define undef ifdef ifndef defined")
_NO_MACROS = kinds("if for while switch return sizeof")


class PastedNames:
    """The names that the macros of a repository may make, and those that they may make others of.

    `macros` are the lines that define one and have `##`; None where these can't be told. `changed` are the tokens of
    the files of C in a change set, before it and after it, `unread` what others there hold; `others` has the rest of
    the repository.
    """

    def __init__(
        self,
        macros: Iterable[str] | None,
        changed: Sequence[Lexemes],
        unread: Sequence[bytes],
        others: RepositoryText,
        split: Split,
    ) -> None:
        self._changed, self._unread, self._others, self._split = changed, unread, others, split
        self._words = None if macros is None else self._find_words(list(macros))

    def has(self, name: str) -> bool:
        """Whether a macro may make the name, or another one of it; also where that can't be told."""
        if self._words is None:
            return True
        ends = {0}  # of rows of words with which the name begins
        for start in range(len(name)):
            if start in ends:
                ends |= {end for end in range(start + 1, len(name) + 1) if self._is_piece(name[start:end])}
        return len(name) in ends

    def _is_piece(self, text: str) -> bool:
        words = self._words or ()
        return text in words or (text.isdigit() and not _COUNTED.isdisjoint(words))

    def _find_words(self, macros: Sequence[str]) -> set[str] | None:
        """The words beside `##`, and those that macros are given that paste; None where they can't be told."""
        words: set[str] = set()
        names: set[str] = set()
        for line in macros:
            macro = defined_by(line)
            if macro is None:
                return None
            names.add(macro.name)
            words |= {word for word in _pasted(macro.body) if word not in (macro.parameters or ())}
        read: dict[str, Lexemes | None] = {}
        asked: set[str] = set()
        while names - asked:
            mentioning = self._others.mentioning(sorted(names - asked))
            if mentioning is None or len(read) + len(mentioning) > MAX_FILES:
                return None
            asked |= names
            read |= {path: self._split(path, text) for path, text in mentioning.items() if path not in read}
            unread = (text for path, text in mentioning.items() if read[path] is None)
            for text in (*self._unread, *unread):
                said = set(_WORD.findall(text.decode("utf-8", "replace")))
                words |= set() if names.isdisjoint(said) else said
            for lexemes in (*self._changed, *(found for found in read.values() if found is not None)):
                for place in _uses(lexemes, names):
                    words |= place.words
                    names |= place.macros
        return words


def _pasted(body: Lexemes) -> Iterator[str]:
    """The words that stand beside `##`."""
    signs = [token for token in body if token != " "]
    for before, sign, after in zip(signs, signs[1:], signs[2:], strict=False):
        yield from (word for word in (before, after) if sign == "##" and _WORD.fullmatch(word))


class _Use:
    """One place that has the name of a macro that pastes: the words that it is given, and who pastes by it too."""

    def __init__(self, words: Iterable[str], macros: Iterable[str]) -> None:
        self.words = {word for word in words if _WORD.fullmatch(word)}
        self.macros = {word for word in macros if NAME.match(word)} - _NO_MACROS


def _uses(lexemes: Lexemes, names: Collection[str]) -> Iterator[_Use]:
    """What each place of these names says, but for those that take one back or ask whether it is there."""
    if frozenset(names).isdisjoint(lexemes):
        return
    around: list[str] = []  # what is called, from the outside in
    macro: MacroDefinition | None = None  # of the directive
    last = ""
    for index, token in enumerate(lexemes):
        if token == DIRECTIVE:
            around = []
            macro = macro_of(lexemes[index : lexemes.index("\n", index) + 1])
            if macro is not None and macro.name in names and not set(macro.parameters or ()).isdisjoint(macro.body):
                yield _Use(_given_to(macro.parameters or (), macro.body), ())
        elif token == "\n":
            macro = None
        elif token == "(":
            around.append(last)
        elif token == ")":
            del around[-1:]
        elif token in names and last not in _ASKS and around[-1:] != ["defined"]:
            following = index + 1 + (lexemes[index + 1 : index + 2] == (" ",))
            own = () if macro is None else (macro.name,)
            if lexemes[following : following + 1] == ("(",):
                given = lexemes[following : closing(lexemes, following)]
                is_handed_on = macro is not None and not {*(macro.parameters or ()), "__VA_ARGS__"}.isdisjoint(given)
                yield _Use(given, own if is_handed_on else ())
            else:
                yield _Use((), (*around, *own))
        last = token if token != " " else last


def _given_to(called: Collection[str], body: Lexemes) -> Iterator[str]:
    """The words that a macro gives to what it is given, in brackets."""
    signs = tuple(token for token in body if token != " ")
    for index, (word, sign) in enumerate(pairwise(signs)):
        if word in called and sign == "(":
            yield from signs[index + 1 : closing(signs, index + 1)]
