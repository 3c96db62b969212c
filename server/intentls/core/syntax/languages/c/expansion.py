"""Macros of C in whose place their text stands.

    #define FIRST(a) ((a)->first)
    b = FIRST(c);                           b = ((c)->first);

What a macro is given that makes a text of it, or a part of a name, stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from intentls.core.syntax.languages.c.macros import MacroDefinition, Macros, defined_by
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, closing

EXPANDED = "a macro and its text"

MAX_TOKENS = 400_000
_MAX_NESTED = 20
_MAX_NAMES = 60  # that are looked for
_MAX_ROUNDS = 5  # of macros whose texts have other ones
_CONDITIONS = frozenset({"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef"})

Find = Callable[[str], Lexemes | None]
"""The directive that defines a macro for all of a file; None if that is not certain."""


def expanded(lexemes: Lexemes, names: Mapping[str, MacroDefinition], macros: Macros) -> Lexemes:
    """The tokens with these macros' texts where they are called, outside of directives."""
    expansion = _MacroExpansion(names, macros)
    for _ in range(_MAX_ROUNDS):
        last, lexemes = lexemes, expansion.of(lexemes)
        if lexemes == last:
            break
    return lexemes


class _MacroExpansion:
    def __init__(self, names: Mapping[str, MacroDefinition], macros: Macros) -> None:
        self._names, self._macros = names, macros
        self._shows = cache(macros.may_show)

    def of(self, lexemes: Lexemes, nested: int = 0) -> Lexemes:
        kept: list[str] = []
        around: list[str] = []
        index = 0
        is_defined = {name: nested > 0 or not _is_defined_here(lexemes, name) for name in self._names}
        while index < len(lexemes):
            token = lexemes[index]
            if token == "\n#" and nested == 0:
                end = lexemes.index("\n", index) + 1
                kept += lexemes[index:end]
                is_defined.update({lexemes[index + 2]: True} if lexemes[index + 1] == "define" else {})
                index = end
                continue
            text = None
            if token in self._names and is_defined[token]:
                text = self._text(lexemes, index, around, nested)
            if text is None:
                around += [lexemes[index - 1] if index else ""] if token == "(" else []
                del around[len(around) - (token == ")") :]
                kept.append(token)
                index += 1
                continue
            kept += text[0]
            index = text[1]
        return tuple(kept)

    def _text(self, lexemes: Lexemes, index: int, around: list[str], nested: int) -> tuple[Lexemes, int] | None:
        """What stands in the place of a macro's name and what it is given, and where that ends."""
        macro = self._names[lexemes[index]]
        words = [word for word in around if NAME.match(word)]
        if nested > _MAX_NESTED or any(map(self._shows, words)):
            return None
        if words and "," in macro.body and not all(map(self._macros.name_not, words)):
            return None
        if macro.parameters is None:
            return macro.body, index + 1
        if lexemes[index + 1 : index + 2] != ("(",):
            return None
        end = closing(lexemes, index + 1)
        given = list(_given(lexemes[index + 2 : end]))
        given = [] if given == [()] and not macro.parameters else given
        if len(given) != len(macro.parameters) or "\n#" in lexemes[index:end]:
            return None
        values = {name: self.of(value, nested + 1) for name, value in zip(macro.parameters, given, strict=True)}
        return tuple(part for token in macro.body for part in values.get(token, (token,))), end + 1


def _is_defined_here(lexemes: Lexemes, name: str) -> bool:
    return any(lexemes[index : index + 3] == ("\n#", "define", name) for index in range(len(lexemes) - 3))


def _given(inside: Lexemes) -> Iterator[Lexemes]:
    """What stands between the commas; braces are no brackets to a macro."""
    depth = begin = 0
    for index, token in enumerate(inside):
        depth += (token == "(") - (token == ")")
        if token == "," and depth == 0:
            yield inside[begin:index]
            begin = index + 1
    yield inside[begin:]


def expandable(names: list[str], find: Find) -> dict[str, MacroDefinition]:
    """The macros of these names whose texts say all that they are."""
    found: dict[str, MacroDefinition] = {}
    todo = list(dict.fromkeys(names))
    asked = set(todo)
    while todo:
        name = todo.pop()
        directive = find(name)
        macro = None if directive is None else defined_by("#" + _line(directive))
        if macro is None or "..." in (macro.parameters or ()) or {"#", "##", name, "_Pragma"} & {*macro.body}:
            continue
        found[name] = macro
        added = {word for word in macro.body if NAME.match(word)} - asked if len(asked) < _MAX_NAMES else set()
        asked |= added
        todo += sorted(added)
    return {name: macro for name, macro in found.items() if name not in _words_in(macro, found)}


def _words_in(macro: MacroDefinition, names: Mapping[str, MacroDefinition]) -> set[str]:
    """The words of a macro's text, and of the texts of others in it: one that has itself is not replaced again."""
    known: set[str] = set()
    todo = [macro]
    while todo:
        added = set(todo.pop().body) - known
        known |= added
        todo += [names[word] for word in added if word in names]
    return known


def _line(directive: Lexemes) -> str:
    """A directive as a line; a blank after the name tells a value from parameters."""
    words, rest = directive[1:3], directive[3:-1]
    return " ".join(words) + "".join(rest[:1]) + " ".join(rest[1:])


def suggested(old: Lexemes, new: Lexemes, macros: Macros) -> list[str]:
    """The macros that one version mentions more often than the other."""
    one, other = Counter(old), Counter(new)
    words = sorted(token for token in {*one, *other} if one[token] != other[token] and NAME.match(token))
    return [word for word in words[:200] if not macros.name_not(word)]
