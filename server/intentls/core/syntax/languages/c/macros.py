"""What is known of a repository's macros in C, and what a function can see of them.

    #define LEN(a) ((a)->len + extra)       `LEN(b)` in a function sees its variable `extra`, and no other
    #define CHECK(a) report(#a, a)          `CHECK(b)` shows the name `b`

A name in a function is as good as any other if no macro that is called there has it in its body, or makes a text of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from types import MappingProxyType

from msgspec import Struct

from intentls.core.syntax.languages.c.spans import NAME, Lexemes, closing, value_end
from intentls.core.syntax.lexemes import lexemes_of_c

MAX_WORDS = 4_000  # that a function and the macros that it calls may have
# Macros that may show the text of what they are given.
TEXTS = re.compile(r"[A-Z\d_]+\Z|.*(?i:assert|check|expect|test|pass|fail|log|trace|debug)")


_UNREAD = frozenset({"#", "##"})
NO_RESULTS: Mapping[str, Lexemes] = MappingProxyType({})


def _none(_name: str) -> Sequence[str] | None:
    return ()


class Macros(Struct, frozen=True):
    """What is known of the repository's macros. `have_not`: none has the word in what it is made of, or is called so.

    `name_not`: none is called so. `called`: the lines that define one so; None where that can't be told. What is only
    hoped to be so (`is_hoped`) has to be asked again. `functions` are those that the file itself has: a macro of a
    library that was called so would have taken their definitions apart. `results`: by the name of a function that both
    versions of the file declare, the type that it gives.
    """

    have_not: Callable[[str], bool]
    name_not: Callable[[str], bool]
    called: Callable[[str], Sequence[str] | None] = _none
    is_hoped: bool = False
    functions: Collection[str] = frozenset()
    results: Mapping[str, Lexemes] = NO_RESULTS

    def are_blind_to(self, name: str, function: Lexemes) -> bool:
        """Whether no macro that a function calls has the name in its body, but as that of a field, or is called so."""
        if self.have_not(name):
            return True
        known = {token for token in function if NAME.match(token)}
        todo = list(known)
        while todo:
            word = todo.pop()
            lines = self.called(word)
            if lines is None or (word == name and lines) or len(known) > MAX_WORDS:
                return False
            for line in lines:
                macro = defined_by(line)
                if macro is None or (name not in (macro.parameters or ()) and _has(macro.body, name)):
                    return False
                added = {token for token in macro.body if NAME.match(token)} - known
                known |= added
                todo += added
        return True

    def may_show(self, name: str) -> bool:
        """Whether something of this name may be a macro that makes a text, or a part of a name, of what it is given."""
        return not self.is_hoped and any(word is None or TEXTS.match(word) for word in self._unknown_of(name))

    def shows(self, name: str) -> bool:
        """Whether a macro of this name in the repository makes a text, or a part of a name, of what it is given."""
        return None in self._unknown_of(name)

    def _unknown_of(self, name: str) -> Iterator[str | None]:
        """What a macro hands on to that is none of the repository's; None for what makes a text or a part of a name.

        That is so for what can't be told, too: a macro that is handed what it calls.
        """
        known = {name}
        todo = [name]
        while todo:
            word = todo.pop()
            lines = self.called(word)
            if lines is None or len(known) > MAX_WORDS:
                yield None
            elif not lines and word not in self.functions:
                yield word
            for line in lines or ():
                macro = defined_by(line)
                called = set() if macro is None else set(_called_in(macro.body))
                if macro is None or not _UNREAD.isdisjoint(macro.body) or not called.isdisjoint(macro.parameters or ()):
                    yield None
                todo += called - known
                known |= called

    def may_paste(self, name: str) -> bool:
        """Whether something of this name may be a macro that makes names of parts."""
        lines = self.called(name)
        return lines is None or any("##" in line for line in lines)

    def is_words(self, name: str) -> bool:
        """Whether the name is no macro, or one that is no more than words, as the name of a type is."""
        lines = self.called(name)
        macros = [defined_by(line) for line in lines or ()]
        return lines is not None and all(
            macro is not None and macro.parameters is None and macro.body and all(map(NAME.match, macro.body))
            for macro in macros
        )

    def is_one_value(self, name: str) -> bool:
        """Whether the name is no macro, or one whose text is one value wherever it stands: a word, or in brackets."""
        lines = self.called(name)
        if lines is None:
            return False
        macros = [defined_by(line) for line in lines]
        return all(macro is not None and macro.is_one_value for macro in macros)


class MacroDefinition(Struct, frozen=True):
    """A macro: the names that it is given, or None if it is no more than a word, and what it is replaced with."""

    name: str
    parameters: tuple[str, ...] | None
    body: Lexemes

    @property
    def is_one_value(self) -> bool:
        """Whether nothing that stands beside it takes a part of it for itself."""
        if self.body[:1] == ("(",):
            return closing(self.body, 0) == len(self.body) - 1
        return len(self.body) == 1 or (bool(self.body) and value_end(self.body, 0) == len(self.body))


@cache
def defined_by(line: str) -> MacroDefinition | None:
    """The macro that a line defines; None where that can't be told."""
    lexemes = lexemes_of_c(line)
    return None if lexemes is None or "\n#" in lexemes[1:] else macro_of(lexemes)


def macro_of(lexemes: Lexemes) -> MacroDefinition | None:
    """The macro that a directive defines; None if it does something else."""
    if lexemes[:2] != ("\n#", "define") or len(lexemes) < 4:
        return None
    name, rest = lexemes[2], lexemes[3:-1]
    parameters: tuple[str, ...] | None = None
    if rest[:1] == ("(",):
        if ")" not in rest:
            return None
        end = rest.index(")")
        parameters = tuple(token for token in rest[1:end] if token not in (",", " "))
        rest = rest[end + 1 :]
    return MacroDefinition(name, parameters, tuple(token for token in rest if token != " "))


def _has(body: Lexemes, name: str) -> bool:
    return any(token == name and body[index - 1 : index] not in ((".",), ("->",)) for index, token in enumerate(body))


def _called_in(body: Lexemes) -> Iterator[str]:
    return (word for word, sign in pairwise(body) if sign == "(" and NAME.match(word))
