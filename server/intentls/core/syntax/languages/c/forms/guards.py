"""Static functions of C that are compiled only where they are used: nothing else can call them.

#if !HAVE_READ                         static int read_all(void) { .. }
static int read_all(void) { .. }
#endif
int f(void) {                          int f(void) {
#if HAVE_READ                          #if HAVE_READ
  return read();                         return read();
#else                                  #else
  return read_all();                     return read_all();
#endif                                 #endif
}                                      }
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from intentls.core.syntax.languages.c.functions import chunks, is_function
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import Lexemes

GUARDED = "functions compiled only where they are used"

_WORD = re.compile(r"[^\W\d]\w*\Z")
_IFS, _ELSES = frozenset({"if", "ifdef", "ifndef"}), frozenset({"elif", "elifdef", "elifndef"})

Condition = tuple[str, bool]
"""What a directive asks, and whether its lines are read if that is so."""


def without_guards(lexemes: Lexemes, macros: Macros) -> Lexemes:
    """Without the conditions around a static function whose uses all stand under the same condition."""
    if "static" not in lexemes:
        return lexemes
    parts = chunks(lexemes)
    drop: set[int] = set()
    for index in range(1, len(parts) - 1):
        guard = _condition(parts[index - 1])
        name = _static_name(parts[index])
        is_alone = parts[index + 1][:2] == ("\n#", "endif")
        if guard is None or name is None or not is_alone or not macros.have_not(name):
            continue
        begin = sum(map(len, parts[: index - 1]))
        if guard in _around(lexemes, begin) or _may_change(lexemes[begin:], guard[0]):
            continue
        if all(guard in around for around in _conditions_of(lexemes, name)):
            drop |= {index - 1, index + 1}
    return tuple(token for index, part in enumerate(parts) if index not in drop for token in part)


def _static_name(chunk: Lexemes) -> str | None:
    """The name of a function that no other file can call."""
    if not is_function(chunk) or chunk[0] != "static":
        return None
    head = chunk[: chunk.index("{")]
    start = head.index("(")
    is_plain = head.count("(") == 1 and _WORD.match(head[start - 1]) is not None
    return head[start - 1] if is_plain else None


def _condition(directive: Lexemes) -> Condition | None:
    """What an `#if` asks, in one form; None if it is no such directive. `#if defined(A)` is `#ifdef A` by then."""
    if directive[:1] != ("\n#",) or directive[1] not in _IFS:
        return None
    asked, is_so = directive[2:-1], directive[1] != "ifndef"
    if directive[1] != "if":
        return f"defined {' '.join(asked)}", is_so
    while asked[:1] == ("!",) and len(asked) in (2, 3, 5):
        asked, is_so = asked[1:], not is_so
    return " ".join(asked), is_so


def _around(lexemes: Lexemes, end: int) -> list[Condition | None]:
    """The conditions under which a token stands."""
    return next(around for index, around in _walk(lexemes) if index == end)


def _conditions_of(lexemes: Lexemes, name: str) -> Iterator[list[Condition | None]]:
    return (around for index, around in _walk(lexemes) if lexemes[index] == name)


def _walk(lexemes: Lexemes) -> Iterator[tuple[int, list[Condition | None]]]:
    """Each token with the conditions under which it stands; None for one that can't be told."""
    around: list[Condition | None] = []
    for index, token in enumerate(lexemes):
        yield index, around
        if token != "\n#":
            continue
        word = lexemes[index + 1]
        if word in _IFS:
            around.append(_condition(lexemes[index : lexemes.index("\n", index) + 1]))
        elif word == "else":
            around[-1:] = [None if last is None else (last[0], not last[1]) for last in around[-1:]]
        elif word in _ELSES:
            around[-1:] = [None]
        else:
            del around[-1 if word == "endif" else len(around) :]


def _may_change(lexemes: Lexemes, asked: str) -> bool:
    """Whether a word of the condition may get another meaning on the way."""
    words = {"include", *asked.split()} - {"defined"}
    return any(
        token == "\n#"
        and lexemes[index + 1] in ("include", "define", "undef")
        and not words.isdisjoint(lexemes[index + 1 : index + 3])
        for index, token in enumerate(lexemes)
    )
