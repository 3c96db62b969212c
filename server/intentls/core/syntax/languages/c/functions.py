"""Functions of C whose tokens say the same in another way, where no macro of the repository can tell the difference.

    int g(void);                  int f(void) { return 1; }
    int f() { return 1; }         int g(void);

Functions stand in any order between two directives, and `f()` that is defined takes nothing, as `f(void)` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import Lexemes, parameters_start

MOVED = "moved functions"
VOID = "(void) for ()"

_NAME = re.compile(r"[^\W\d]\w*\Z")
OPENS, CLOSES = frozenset({"(", "{", "["}), frozenset({")", "}", "]"})
_STRUCTURE = OPENS | CLOSES | {";", "\n#"}
KEYWORDS = frozenset(
    {
        "auto",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "register",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
    }
)
_CONDITIONS = frozenset({"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"})
_COUNTED = "__COUNTER__"
_NO_TYPES = frozenset({"static", "inline", "extern"})
_KEPT = 4  # files whose parts are kept: a step mostly leaves both versions as the step before did


def with_void(part: Lexemes, macros: Macros) -> Lexemes:
    """A part with `int f(void) {` for `int f() {`."""
    head = part.index("{") if "{" in part else 0
    if head < 4 or part[head - 2 : head] != ("(", ")") or not _NAME.match(part[head - 3]):
        return part
    is_typed = part[head - 4] == "*" or _NAME.match(part[head - 4]) is not None
    return (*part[: head - 1], "void", *part[head - 1 :]) if is_typed and macros.have_not(part[head - 3]) else part


def in_order(lexemes: Lexemes, _macros: Macros) -> Lexemes:
    """The functions between two directives in one order, after all else there, past conditions that only hold code."""
    parts = chunks(lexemes)
    passed = _plain_conditions(parts)
    if _COUNTED in lexemes:
        return lexemes
    kept: list[Lexemes] = []
    functions: list[Lexemes] = []
    for index, chunk in enumerate(parts):
        if index in passed:
            kept.append(chunk)
        elif chunk[0] == "\n#":
            kept += [*sorted(functions), chunk]
            functions = []
        elif is_function(chunk):
            functions.append(chunk)
        else:
            kept.append(chunk)
    return tuple(token for chunk in (*kept, *sorted(functions)) for token in chunk)


def _plain_conditions(parts: Sequence[Lexemes]) -> set[int]:
    """The parts from an `#if` to its `#endif` where no directive stands that changes what follows."""
    plain: set[int] = set()
    opened: list[int] = []
    start = 0  # of the outermost condition
    for index, chunk in enumerate(parts):
        word = chunk[1] if chunk[0] == "\n#" else ""
        if word in ("if", "ifdef", "ifndef"):
            start = start if opened else index
            opened.append(index)
        elif word == "endif" and opened:
            opened.pop()
            inside = {part[1] for part in parts[start : index + 1] if part[0] == "\n#"}
            is_whole = all("\n#" not in part[1:] for part in parts[start : index + 1])
            plain |= set(range(start, index + 1)) if not opened and is_whole and inside <= _CONDITIONS else set()
    return plain


def is_function(chunk: Lexemes) -> bool:
    """Whether it is a function with its body."""
    head = chunk[: chunk.index("{")] if chunk[-1] == "}" and "{" in chunk else ()
    return head[-1:] == (")",) and "(" in head


def functions_of_both(old: Lexemes, new: Lexemes) -> set[str]:
    """The names of functions that each version defines, or does not have at all."""
    defined = [{*map(function_name, filter(is_function, chunks(lexemes)))} - {""} for lexemes in (old, new)]
    found = defined[0] | defined[1]
    return found.difference(*({*lexemes} - names for lexemes, names in zip((old, new), defined, strict=True)))


def function_name(function: Lexemes) -> str:
    """The name of a function; empty if it may be a macro that stands for a head, as in `TEST(sum) {`."""
    head = function[: function.index("{")]
    start = parameters_start(head)
    last, parameters = head[start - 2], head[start + 1 : -1]
    is_typed = start > 1 and last not in _NO_TYPES and (last == "*" or _NAME.match(last) is not None)
    return head[start - 1] if is_typed and (len(parameters) != 1 or parameters == ("void",)) else ""


@lru_cache(maxsize=_KEPT)
def chunks(lexemes: Lexemes) -> tuple[Lexemes, ...]:
    """What stands in the file itself: definitions, declarations, directives; the rest as one where that is unclear.

    Where a condition decides, each of its branches may open the same brackets.
    """
    return tuple(_chunks(lexemes))


def _chunks(lexemes: Lexemes) -> Iterator[Lexemes]:
    start = depth = end = 0
    before: list[tuple[int, int]] = []  # how many were open before each condition, and most after a branch of it
    for index in [index for index, token in enumerate(lexemes) if token in _STRUCTURE]:
        token = lexemes[index]
        if index < end:
            continue  # in a directive
        if token == "\n#":
            end = lexemes.index("\n", index) + 1
            word = lexemes[index + 1]
            if word == "endif" and before:
                depth = max(depth, before.pop()[1])
            if depth == 0:
                yield from [lexemes[start:index]] if start < index else []
                yield lexemes[index:end]
                start = end
            if word in ("if", "ifdef", "ifndef"):
                before.append((depth, 0))
            elif word in ("else", "elif", "elifdef", "elifndef") and before:
                was, most = before.pop()
                before.append((was, max(most, depth)))
                depth = was
            continue
        depth += (token in OPENS) - (token in CLOSES)
        following = lexemes[index + 1 : index + 2]
        is_body = token == "}" and following not in ((";",), (",",), ("=",), ("[",))
        if depth == 0 and (token == ";" or (is_body and is_function(lexemes[start : index + 1]))):
            yield lexemes[start : index + 1]
            start = index + 1
    yield from [lexemes[start:]] if start < len(lexemes) else []
