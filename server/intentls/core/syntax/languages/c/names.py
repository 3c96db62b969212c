"""Two versions of a file of C that differ in names alone: is each name another one for the same thing?

    static int base;                        static int exit_base;
    int f(int a) { return a + base; }       int f(int b) { return b + exit_base; }
    int g(struct s *s, int base) {          int g(struct s *s, int base) {
      return s->base + base;                  return s->base + base;
    }                                       }

A place of a name is one of a variable that its function declares around it, or else of what the file declares. Both
versions have to say the same there: `a` and `b` are the first parameter of `f`, and `base` is the second one of `g` in
both. Names of the file itself change everywhere at once, if they are `static`: `base` outside of `g` is `exit_base`,
and nothing else is. Fields and tags have their names for themselves.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator

from intentls.core.syntax.languages.c.forms.casts import statements
from intentls.core.syntax.languages.c.forms.locals import declared_names, heads_of_loops, type_words
from intentls.core.syntax.languages.c.functions import CLOSES, KEYWORDS, OPENS, chunks, is_function
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, block_end, closing, is_told, statement_end

LOCALS = "names of variables in functions"
STATICS = "names of what no other file sees"

_MAX_NAMES = 40  # that may differ in one file, of both versions
_TAGS = frozenset({"struct", "union", "enum"})
_ELSEWHERE = frozenset({".", "->", "goto", "#", "##", *_TAGS})  # after them a name is none of a variable
_SPEAKING = frozenset({"asm", "__asm__", "__asm", "alias", "__alias__"})  # they know names by a text


AreHidden = Callable[[Collection[str]], bool]
"""Whether nothing but the file itself can know these names, if they are `static` in it."""


def with_names_of(old: Lexemes, new: Lexemes, macros: Macros, are_hidden: AreHidden) -> tuple[Lexemes, tuple[str, ...]]:
    """The old tokens under the new names if all of these are proven, else as they are; and which kinds of names."""
    pairs = {(one, two) for one, two in zip(old, new, strict=True) if one != two}
    words = {word for pair in pairs for word in pair}
    if len(words) > _MAX_NAMES or not words.isdisjoint(KEYWORDS) or not all(map(NAME.match, words)):
        return old, ()
    names = _NamePairs(words, macros)
    start, has_locals = 0, False
    for chunk in chunks(old):
        other = new[start : start + len(chunk)]
        start += len(chunk)
        if words.isdisjoint(chunk) and words.isdisjoint(other):
            continue
        if not names.are_alike(chunk, other):
            return old, ()
        has_locals = has_locals or chunk != other
    changed = {one: two for one, two in names.shared.items() if one != two}
    for lexemes, own in ((old, changed), (new, changed.values())):
        if own and (not _SPEAKING.isdisjoint(lexemes) or not all(_is_static(lexemes, name) for name in own)):
            return old, ()
    if changed and not are_hidden({*changed, *changed.values()}):
        return old, ()
    has_locals = has_locals and any((one, two) in pairs for one, two in names.inner)
    return new, ((LOCALS,) if has_locals else ()) + ((STATICS,) if changed else ())


class _NamePairs:
    """The search for a place where two versions do not say the same. `shared`: names of the file, and what they became.

    `inner`: the names that functions declare, and what they became.
    """

    def __init__(self, words: set[str], macros: Macros) -> None:
        self._words, self._macros = words, macros
        self.shared: dict[str, str] = {}
        self._back: dict[str, str] = {}
        self.inner: set[tuple[str, str]] = set()

    def are_alike(self, old: Lexemes, new: Lexemes) -> bool:
        """Whether both versions of a part of the file say the same, as far as it goes by its own names."""
        places = [index for index, pair in enumerate(zip(old, new, strict=True)) if not self._words.isdisjoint(pair)]
        fields = _fields(old)
        apart = {index for index in places if index in fields or _is_apart(old, index)}
        own = [index for index in places if index not in apart]
        if any(old[index] != new[index] for index in apart):
            return False
        if own and not all(self._is_free_of_macros(one, other, own) for one, other in ((old, new), (new, old))):
            return False
        one, other = _Declarers(old, self._words, self._macros), _Declarers(new, self._words, self._macros)
        for index in own:
            home = one.of(index)
            if home != other.of(index):
                return False
            if home is not None:
                self.inner.add((old[index], new[index]))
            elif not self._is_one_to_one(old[index], new[index]):
                return False
        return True

    def _is_one_to_one(self, old: str, new: str) -> bool:
        """Whether the old name became this one wherever it stood so far, and no other name did."""
        return self.shared.setdefault(old, new) == new and self._back.setdefault(new, old) == old

    def _is_free_of_macros(self, chunk: Lexemes, other: Lexemes, places: list[int]) -> bool:
        """Whether no macro can tell a name here from another one."""
        changed = [index for index in places if chunk[index] != other[index]]
        if chunk[0] == "\n#" or any(is_told(chunk, index) for index in changed):
            return False
        around = {word for index in changed for word in _called_around(chunk, index)}
        if any(map(self._macros.may_show, around)):
            return False
        own = {chunk[index] for index in places} & self._words
        return all(self._macros.are_blind_to(name, chunk) for name in own)


class _Declarers:
    """The places in a function where variables are declared that have one of the names, and where they are known."""

    def __init__(self, function: Lexemes, words: set[str], macros: Macros) -> None:
        self._function = function
        self._known: dict[str, list[tuple[int, int]]] = {}
        if is_function(function):
            for index, end in sorted(_declared(function, words, macros)):
                self._known.setdefault(function[index], []).append((index, end))

    def of(self, index: int) -> int | None:
        """Where the variable is declared that stands at a place; None if the function declares none of its name."""
        known = self._known.get(self._function[index], [])
        before = known[: bisect_right(known, (index, len(self._function)))]
        return next((start for start, end in reversed(before) if index <= end), None)


def _declared(function: Lexemes, words: set[str], macros: Macros) -> Iterator[tuple[int, int]]:
    """Where parameters and variables of these names are declared, and where what knows them ends. In source order."""
    body = function.index("{")
    depth = 0
    for index in range(1, body):
        depth += (function[index] in OPENS) - (function[index] in CLOSES)
        last, following = function[index - 1], function[index + 1]
        is_typed = last == "*" or (NAME.match(last) is not None and last not in _TAGS)
        if depth == 1 and function[index] in words and is_typed and following in (",", ")", "["):
            yield index, len(function)
    for start, end in (*statements(function), *heads_of_loops(function)):
        names = [index for index in declared_names(function, start, end) if function[index] in words]
        if names and all(map(macros.is_words, type_words(function, start, end))):
            is_in_head = function[start - 1] == "("
            last_token = statement_end(function, start - 2) if is_in_head else block_end(function, start)
            yield from ((index, len(function) if last_token is None else last_token) for index in names)


def _fields(chunk: Lexemes) -> set[int]:
    """The tokens that stand in the braces of a struct or a union."""
    found: set[int] = set()
    for index, token in enumerate(chunk):
        if token == "{" and not {"struct", "union"}.isdisjoint(chunk[max(index - 2, 0) : index]):
            found.update(range(index, closing(chunk, index)))
    return found


def _is_apart(chunk: Lexemes, index: int) -> bool:
    """Whether a name is one of a field, a tag or a label: variables may have the same one."""
    is_label = chunk[index + 1 : index + 2] == (":",) and chunk[index - 1] in (";", "{", "}")
    return is_label or chunk[index - 1] in _ELSEWHERE


def _called_around(chunk: Lexemes, index: int) -> Iterator[str]:
    """The names before the brackets that a token stands in: what may be macros that are given it."""
    depth = 0
    while index:
        index -= 1
        depth += (chunk[index] in CLOSES) - (chunk[index] in OPENS)
        if depth < 0:
            depth = 0
            yield from [chunk[index - 1]] if index and NAME.match(chunk[index - 1]) else []


def _is_static(lexemes: Lexemes, name: str) -> bool:
    """Whether a file declares the name for itself alone, each time that it does, below all includes."""
    last = max((index for index, token in enumerate(lexemes) if token == "include"), default=0)
    heads = [head for chunk in chunks(lexemes) for head in _heads(chunk, name)]
    is_own = all("static" in head and "extern" not in head for head in heads)
    return bool(heads) and is_own and name not in lexemes[:last] and not name.startswith("_")


def _heads(chunk: Lexemes, name: str) -> Iterator[Lexemes]:
    """What stands before the name where the file itself may declare it."""
    depth = 0
    is_value = False
    for index, token in enumerate(chunk):
        depth += (token in OPENS) - (token in CLOSES)
        is_value = depth == 0 and (token == "=" or (is_value and token != ","))
        if token != name or is_value or index == 0 or chunk[index - 1] in _TAGS:
            continue
        is_pointer = depth == 1 and chunk[index - 2 : index] == ("(", "*") and chunk[index + 1 : index + 2] == (")",)
        if depth == 0 or is_pointer:
            yield chunk[:index]
