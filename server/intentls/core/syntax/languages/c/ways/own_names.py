"""The variables of a function of C that nothing but its own words can read or change, and values made of them alone.

    int f(int a, struct s *b) { int c = a; g(&c, b->n); return a + 1; }

Nothing else reaches `a`, so that `a + 1` is the same before and after the call. `c` has been given away, and `b->n` is
somewhere else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise

from intentls.core.syntax.languages.c.forms.locals import declared_names, variables
from intentls.core.syntax.languages.c.forms.statements import may_declare
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import NAME, Lexemes
from intentls.core.syntax.languages.c.ways.blocks import CodeStatement

_CONTROL = frozenset({"if", "while", "for", "switch", "return", "sizeof", "case", "else", "do"})
_NO_TYPES = frozenset({"return", "else", "do", "case", "goto", "sizeof"})
_OPEN_TYPES = frozenset({"volatile", "_Atomic", "static", "extern", "_Thread_local", "__thread", "typedef"})
# What changes variables unseen: the assembler, and ways that lead back into a function.
_UNSEEN = frozenset({"asm", "__asm__", "__asm", "setjmp", "sigsetjmp", "_setjmp", "vfork", "typeof", "_Generic"})
_TYPED = re.compile(r"_|atomic_|va_|stdc_")
_OPERATORS = frozenset(
    {"+", "-", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "!", "~", "&", "|", "^", "(", ")", "*"}
)
_BEFORE_STARS = re.compile(r"[\w)\]]")
_NUMBER = re.compile(r"(\d\w*|'(?:[^'\\]|\\.)+')\Z")
_WORDS_OF_NUMBERS = re.compile(
    r"(int|unsigned|signed|long|short|char|size_t|ssize_t|bool|_Bool|const|u?int(8|16|32|64|ptr)_t)\Z"
)


def declared_by(statements: Sequence[CodeStatement], macros: Macros) -> set[str] | None:
    """The names that statements declare beside each other; None where that can't be told.

    Example: `{"a", "b"}` of `int a = 1; char *b; { int c; }`.
    """
    found: set[str] = set()
    for one in statements:
        if one.kind == "label":
            return None
        if one.kind == "":
            names = {one.head[index] for index in declared_names(one.head, 0, len(one.head) - 1)}
            if not names and may_declare(one.head, macros):
                return None
            found |= names
            if one.head[0].isupper():  # a macro may declare what it is given
                found |= set(filter(NAME.match, one.head[1:]))
    return found


class OwnNames:
    """What is known of the variables of a function."""

    def __init__(self, function: Lexemes, macros: Macros) -> None:
        self._function, self._macros = function, macros
        self._asked: dict[str, bool] = {}

    @cached_property
    def types(self) -> dict[str, Lexemes]:
        """By its name the type of each variable that is declared once and is no array."""
        found = variables(self._function)
        seen = Counter({name: len(places) for name, places in found.items()})
        said: Counter[str] = Counter()
        for index, token in enumerate(self._function):
            if token in found:
                said[token] += self._looks_declared(index)
        return {
            name: places[0][1]
            for name, places in found.items()
            if len(places) == 1 and places[0][1] and said[name] <= seen[name]
        }

    def _looks_declared(self, index: int) -> bool:
        tokens = self._function
        last, before, first = tokens[index - 1], tokens[index - 2], tokens[index - 3]
        if NAME.match(last):
            return last not in _NO_TYPES
        is_pointer = last == "*" and before == "(" and tokens[index + 1 : index + 3] in ((")", "("), (")", "["))
        return is_pointer or (last == "*" and first == ":" and NAME.match(before) is not None)  # after a label

    @cached_property
    def _lent(self) -> frozenset[str]:
        """The names whose address is taken, a part of which is changed, or that a macro may change."""
        tokens = self._function
        changed = {token for token, following in pairwise(tokens) if following == "."}
        changed |= {token for last, token in pairwise(tokens) if last == "&"}
        return frozenset(changed | self._given_to(lambda callee: not self._is_function(callee)))

    def _given_to(self, is_asked: Callable[[str], bool]) -> set[str]:
        """The names in brackets after what is asked for."""
        found: set[str] = set()
        tokens = self._function
        opened: list[bool] = []
        for index in range(tokens.index("{"), len(tokens)):
            token = tokens[index]
            if token == "(":
                opened.append(opened[-1:] == [True] or is_asked(tokens[index - 1]))
            elif token == ")":
                del opened[-1:]
            elif opened[-1:] == [True]:
                found.add(token)
        return found

    @cached_property
    def shown(self) -> frozenset[str]:
        """The words that something is given which may be a macro that makes a text of them."""
        macros = self._macros
        return frozenset(self._given_to(lambda callee: callee not in macros.results and macros.may_show(callee)))

    def _is_function(self, callee: str) -> bool:
        """Whether brackets after a token are those of the language, or of what is called and is no macro."""
        if not NAME.match(callee) or callee in _CONTROL:
            return True
        return not (callee.isupper() or _TYPED.match(callee) or "each" in callee) and self._macros.name_not(callee)

    @cached_property
    def _is_closed(self) -> bool:
        return _UNSEEN.isdisjoint(self._function)

    def is_quiet(self, name: str) -> bool:
        """Whether to read or change the variable of this name is nothing that anything else could tell."""
        if name not in self._asked:
            self._asked[name] = self._find_quiet(name)
        return self._asked[name]

    def _find_quiet(self, name: str) -> bool:
        type_ = self.types.get(name, ())
        is_plain = bool(type_) and _OPEN_TYPES.isdisjoint(type_) and name not in self._lent and self._is_closed
        return is_plain and self._macros.are_blind_to(name, self._function)

    def is_quiet_value(self, value: Lexemes) -> bool:
        """Whether a value is made of such variables and numbers alone, in a way that can't fail."""
        for index, token in enumerate(value):
            is_word = NAME.match(token) is not None
            last = value[index - 1] if index else "("
            if token in _OPERATORS:
                if token in ("*", "&") and not _BEFORE_STARS.match(last[-1]):
                    return False
                if token == "(" and (NAME.match(last) or last == ")"):
                    return False
            elif (is_word and token != "NULL" and not self.is_quiet(token)) or (
                not is_word and not _NUMBER.match(token)
            ):
                return False
        return bool(value)

    def is_whole_number(self, value: Lexemes) -> bool:
        """Whether a value is a whole number for sure, which is less than another one or is not."""
        if not self.is_quiet_value(value):
            return False
        return all(
            _NUMBER.match(token) is not None if not NAME.match(token) else self._is_number(token)
            for token in value
            if token not in _OPERATORS
        )

    def _is_number(self, name: str) -> bool:
        return all(map(_WORDS_OF_NUMBERS.match, self.types.get(name, ("",))))
