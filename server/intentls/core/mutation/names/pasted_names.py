"""Names of C that no file spells: macros paste them together with `##`.

    #define FIELD(type, name) type##_##name        FIELD(list, len) = 1;      is      list_len = 1;

What a macro pastes are the words beside `##` in its text, here `_`, and those that it is given wherever it is called,
here `list` and `len`. A name may be made if it is a row of such words: `list_len` is `list`, `_`, `len`. If it is such
a word itself, another name may be made of it. A macro that hands on to a pasting one pastes too; so does one that is
given the name of one, `#define EACH(X) X(list) X(tree)` in `EACH(ONE)`, and what it is made of counts as given.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from posixpath import basename

from msgspec import Struct

from intentls.core.mutation.classes import Change, MutationClass, infer
from intentls.core.mutation.names.c_includes import INCLUDED
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.syntax.languages.adapter import kinds
from intentls.core.syntax.languages.c.declarations import DIRECTIVE
from intentls.core.syntax.languages.c.macros import MacroDefinition, defined_by, macro_of
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, closing
from intentls.core.syntax.lexemes import lexemes_of_c

MAX_FILES = 400  # that may call a macro that pastes

PastingMacros = Mapping[str, tuple[Sequence[bytes], Sequence[str]]]
"""By the path of each file that defines macros with `##`: what it holds and held, and the lines that define them."""

_WORD = re.compile(r"\w+")
_COUNTED = kinds("__LINE__ __COUNTER__")
_ASKS = kinds("define undef ifdef ifndef defined")
_NO_MACROS = kinds("if for while switch return sizeof")
_NO_CODE = re.compile(rb"\"(?:\\.|[^\"\\\n])*\"|//[^\n]*|/\*.*?\*/", re.DOTALL)
_EVOLUTION = MutationClass.INTENT_EVOLUTION
_CODE = (".c", ".h", ".cc", ".cpp", ".hpp", ".hh", ".cxx", ".inl", ".inc", ".def")


class KnownMacros(Struct, frozen=True):
    """Of a repository's macros: whether one `shows` what it is given, and the names that are `pasted`.

    `called(name)`: the lines that define a macro so; None where that can't be told.
    """

    shows: Callable[[str], bool]
    pasted: Callable[[], PastedNames]
    called: Callable[[str], Sequence[str] | None]


class PastedNames:
    """The names that the macros of a repository may make, and those that they may make others of.

    `macros` is None where these can't be told. `changed` are the contents of a change set by path, before it and after
    it; `others` has the rest of the repository. A macro of a file that no other one includes is that file's own.
    """

    def __init__(
        self, macros: PastingMacros | None, changed: Sequence[tuple[str, bytes]], others: RepositoryText
    ) -> None:
        self._words: set[str] = set()
        self._everywhere: set[str] = set()
        self._inside = defaultdict[str, set[str]](set)  # by path
        self._changed, self._others = changed, others
        self._is_known = macros is not None and self._learn(macros)

    def has(self, name: str) -> bool:
        """Whether a macro may make the name, or another one of it; also where that can't be told."""
        ends = {0}  # of rows of words with which the name begins
        for start in range(len(name)):
            if start in ends:
                ends |= {end for end in range(start + 1, len(name) + 1) if self._is_piece(name[start:end])}
        return not self._is_known or len(name) in ends

    def _is_piece(self, text: str) -> bool:
        return text in self._words or (text.isdigit() and not _COUNTED.isdisjoint(self._words))

    def _learn(self, macros: PastingMacros) -> bool:
        """Find the words beside `##`, and those that macros are given that paste: whether they can be told."""
        alone = self._included_nowhere([path for path in macros if path.endswith(".c")])
        for path, (_, lines) in macros.items():
            for line in lines:
                macro = defined_by(line)
                if macro is None:
                    return False
                if "##" not in macro.body:  # in a text of it, maybe
                    continue
                (self._inside[path] if path in alone else self._everywhere).add(macro.name)
                self._words |= {word for word in _pasted(macro.body) if word not in (macro.parameters or ())}
        own = [(path, text) for path in self._inside for text in macros[path][0]]
        files = [_SourceOfNames(path, text) for path, text in (*self._changed, *own)]
        read: set[str] = set()
        asked: set[str] = set()
        while True:
            new = self._everywhere - asked
            mentioning = self._others.mentioning(sorted(new)) if new else {}
            asked |= new
            if mentioning is None:
                return False
            files += [_SourceOfNames(path, text) for path, text in mentioning.items() if path not in read]
            read |= mentioning.keys()
            naming = [file for file in files if not file.words.isdisjoint(self._names_in(file.path))]
            other = [file.path for file in naming if not file.path.endswith(_CODE)]
            alone = self._included_nowhere(other)
            naming = [file for file in naming if file.path not in alone or file.path.endswith(_CODE)]
            if len(naming) > MAX_FILES:
                return False
            had = self._count()
            for file in naming:
                self._take(file)
            if self._count() == had and not self._everywhere - asked:
                return True

    def _count(self) -> int:
        return len(self._everywhere) + sum(map(len, self._inside.values()))

    def _included_nowhere(self, paths: Sequence[str]) -> set[str]:
        """Those of the files that no file includes."""
        mentioning = self._others.mentioning(sorted(map(basename, paths))) if paths else {}
        if mentioning is None:
            return set()
        texts = [*mentioning.values(), *(text for _, text in self._changed)]
        included = {name for text in texts for name in INCLUDED.findall(text)}
        return {path for path in paths if basename(path).encode() not in included}

    def _names_in(self, path: str) -> set[str]:
        return self._everywhere | self._inside[path] if path in self._inside else self._everywhere

    def _take(self, file: _SourceOfNames) -> None:
        """Take in what a file gives to the macros that paste, and which of its own macros hand on to them."""
        if file.lexemes is None:
            self._words |= file.all_words
            return
        for use in _uses(file.lexemes, self._names_in(file.path)):
            self._words |= use.words
            if file.path in self._inside:
                self._inside[file.path] |= use.macros & file.macros
                self._everywhere |= use.macros - file.macros
            else:
                self._everywhere |= use.macros


class _SourceOfNames:
    """A file, read as far as it is asked for. What is no code may still be included, and call a macro."""

    def __init__(self, path: str, text: bytes) -> None:
        self.path, self._text = path, text

    @cached_property
    def words(self) -> set[str]:
        """Those of its code; of what is none, and neither prose nor settings, those that look like a call."""
        if self.path.endswith(_CODE):
            return set(_WORD.findall(_NO_CODE.sub(b" ", self._text).decode("utf-8", "surrogateescape")))
        return set(_CALLED.findall(self._source)) if infer(self.path, Change.MODIFY) is _EVOLUTION else set()

    @property
    def all_words(self) -> set[str]:
        """Those of its comments and texts as well."""
        return set(_WORD.findall(self._source))

    @cached_property
    def lexemes(self) -> Lexemes | None:
        """Its tokens; None where they can't be told."""
        return lexemes_of_c(self._source) if self.path.endswith(_CODE) else None

    @cached_property
    def macros(self) -> set[str]:
        """The names that it defines."""
        return {name for word, name in pairwise(self.lexemes or ()) if word == "define"}

    @property
    def _source(self) -> str:
        return self._text.decode("utf-8", "surrogateescape")


_CALLED = re.compile(r"(\w+)[ \t]*\(")


def _pasted(body: Lexemes) -> Iterator[str]:
    """The words that stand beside `##`."""
    signs = [token for token in body if token != " "]
    for before, sign, after in zip(signs, signs[1:], signs[2:], strict=False):
        yield from (word for word in (before, after) if sign == "##" and _WORD.fullmatch(word))


class _GivenTo:
    """One place that has the name of a macro that pastes: the words that it is given, and who pastes by it too."""

    def __init__(self, words: Iterable[str], macros: Iterable[str]) -> None:
        self.words = {word for word in words if _WORD.fullmatch(word)}
        self.macros = {word for word in macros if NAME.match(word)} - _NO_MACROS


def _uses(lexemes: Lexemes, names: Collection[str]) -> Iterator[_GivenTo]:
    """What each place of these names says, but for those that take one back or ask whether it is there."""
    around: list[str] = []  # what is called, from the outside in
    macro: MacroDefinition | None = None  # of the directive
    last = ""
    for index, token in enumerate(lexemes):
        if token == DIRECTIVE:
            around = []
            macro = macro_of(lexemes[index : lexemes.index("\n", index) + 1])
            if macro is not None and macro.name in names and not set(macro.parameters or ()).isdisjoint(macro.body):
                yield _GivenTo(_given_to(macro.parameters or (), macro.body), ())
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
                yield _GivenTo(given, own if is_handed_on else ())
            else:
                yield _GivenTo((), (*around, *own))
        last = token if token != " " else last


def _given_to(called: Collection[str], body: Lexemes) -> Iterator[str]:
    """The words that a macro gives to what it is given, in brackets."""
    signs = tuple(token for token in body if token != " ")
    for index, (word, sign) in enumerate(pairwise(signs)):
        if word in called and sign == "(":
            yield from signs[index + 1 : closing(signs, index + 1)]
