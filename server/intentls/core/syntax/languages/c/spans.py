"""Where what begins at a token of C ends: a bracket, a value, a statement. No macro is looked into."""

from __future__ import annotations

import re
from collections.abc import Iterator

Lexemes = tuple[str, ...]

NAME = re.compile(r"[^\W\d]\w*\Z")
_OPENS, _CLOSES = frozenset({"(", "{", "["}), frozenset({")", "}", "]"})
_HEADS = frozenset({"if", "for", "while", "switch"})
_OF_ALL = frozenset({"extern", "static"})
_TELLS = frozenset({"error", "warning", "pragma"})
_NO_VALUES = frozenset({"sizeof", "return", "case", "else", "do", "goto", "if", "while", "for", "switch", "typedef"})


def closing(lexemes: Lexemes, start: int) -> int:
    """Where the bracket closes that opens at a token; beyond the end if it does not."""
    depth = 0
    for index in range(start, len(lexemes)):
        depth += (lexemes[index] in _OPENS) - (lexemes[index] in _CLOSES)
        if depth == 0:
            return index
    return len(lexemes)


def parameters_start(head: Lexemes) -> int:
    """Where the brackets open in which a function is told what it is given; -1 if there are none.

    They stand after its name, and a macro may be given its type before that: `API(int *) sum(int a);`.
    """
    if "(" not in head:
        return -1
    start = head.index("(")
    end = closing(head, start) + 1
    is_typed = set(head[: start - 1]) <= _OF_ALL and head[start - 1] not in _NO_VALUES
    is_named = is_typed and head[end + 1 : end + 2] == ("(",) and NAME.match(head[end]) is not None
    return end + 1 if is_named else start


def brackets(lexemes: Lexemes) -> dict[int, int]:
    """By where each bracket opens, where it closes; none if they are not in pairs.

    Where a condition decides, each of its branches may open or close the same ones.
    """
    pairs: dict[int, int] = {}
    opened: list[int] = []
    before: list[tuple[int, ...]] = []  # what was open before each condition
    for index, token in enumerate(lexemes):
        if token == "\n#":
            word = lexemes[index + 1]
            before += [tuple(opened)] if word in ("if", "ifdef", "ifndef") else []
            opened = [*before[-1]] if before and word in ("else", "elif", "elifdef", "elifndef") else opened
            del before[len(before) - (word == "endif") :]
        elif token in _OPENS:
            opened.append(index)
        elif token in _CLOSES:
            if not opened:
                return {}
            pairs[opened.pop()] = index
    return {} if opened else pairs


def outside(lexemes: Lexemes) -> Iterator[int]:
    """The tokens that no bracket is around, without brackets."""
    index = 0
    while index < len(lexemes):
        if lexemes[index] in ("(", "{", "["):
            index = closing(lexemes, index)
        else:
            yield index
        index += 1


def block_end(lexemes: Lexemes, index: int) -> int:
    """Where the block ends in which a token stands."""
    depth = 0
    while depth >= 0 and index + 1 < len(lexemes):
        index += 1
        depth += (lexemes[index] == "{") - (lexemes[index] == "}")
    return index


def is_told(lexemes: Lexemes, index: int) -> bool:
    """Whether a token stands in what is said to a person, or to the compiler alone: `#error`, `#pragma`."""
    while index and lexemes[index] not in ("\n", "\n#"):
        index -= 1
    return lexemes[index] == "\n#" and lexemes[index + 1] in _TELLS


def value_end(lexemes: Lexemes, start: int) -> int:
    """Beyond the name at a token and the calls, members and places of arrays after it; the start if there is none."""
    if start >= len(lexemes) or not NAME.match(lexemes[start]) or lexemes[start] in _NO_VALUES:
        return start
    index = start + 1
    while index < len(lexemes):
        if lexemes[index] in ("(", "["):
            index = closing(lexemes, index) + 1
        elif lexemes[index] in (".", "->"):
            index += 2
        else:
            break
    return min(index, len(lexemes))


def value_start(lexemes: Lexemes, end: int, opening: dict[int, int]) -> int:
    """Where the value begins that ends before a token, as `value_end` has it; the end if there is none."""
    index = end - 1
    while True:  # what opens the function is no value
        if lexemes[index] in (")", "]") and index in opening:
            index = opening[index] - 1
            continue
        if not NAME.match(lexemes[index]) or lexemes[index] in _NO_VALUES:
            return end
        if lexemes[index - 1] not in (".", "->"):
            break
        index -= 2
    return index if value_end(lexemes[:end], index) == end else end


def statement_end(lexemes: Lexemes, start: int) -> int | None:
    """The last token of the statement that begins here; None where that can't be told."""
    open_heads: list[str] = []
    index = start
    while index < len(lexemes):
        token = lexemes[index]
        if token in _HEADS and lexemes[index + 1] == "(":
            open_heads.append(token)
            index = closing(lexemes, index + 1) + 1
            continue
        if token == "do":
            open_heads.append(token)
            index += 1
            continue
        end = _simple_end(lexemes, index)
        while end is not None and open_heads:
            head = open_heads.pop()
            if head == "if" and lexemes[end + 1 : end + 2] == ("else",):
                break
            if head == "do":
                end = _simple_end(lexemes, end + 1) if lexemes[end + 1 : end + 3] == ("while", "(") else None
        else:
            return end
        open_heads.append("else")
        index = end + 2
    return None


def _simple_end(lexemes: Lexemes, start: int) -> int | None:
    """The last token of a block, or of a statement that holds no other."""
    if lexemes[start] == "{":
        end = closing(lexemes, start)
        return end if end < len(lexemes) else None
    depth = 0
    for index in range(start, len(lexemes)):
        token = lexemes[index]
        if token == "\n#" or (depth == 0 and (token == ":" and index == start + 1)):
            return None
        if depth == 0 and token in ("else", "case", "default", "}", "{") and lexemes[index - 1] != "=":
            return None
        if depth == 0 and token == ";":
            return index
        depth += (token in _OPENS) - (token in _CLOSES)
    return None


def edited(function: Lexemes, edits: dict[int, tuple[int, Lexemes]]) -> Lexemes:
    """With other tokens from each index in `edits` to the end beside it."""
    if not edits:
        return function
    kept: list[str] = []
    index = 0
    while index < len(function):
        end, tokens = edits.get(index, (index + 1, (function[index],)))
        kept += tokens
        index = end
    return tuple(kept)
