"""Statements of C in one form: each in braces where it depends on something, without what ends a `switch` anyway.

    if (a) b();                             if (a) { b(); }
    else { if (c) d(); }                    else if (c) { d(); }
    switch (a) { case 1: b(); break; }      switch (a) { case 1: b(); }
    do { b(); } while (0);                  b();
    i++; i = i + 2;                         i += 1; i += 2;

A macro may be more than one statement, or the half of one: where one is called, its text has to be a whole one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

from intentls.core.syntax.languages.c.forms.casts import is_declared
from intentls.core.syntax.languages.c.macros import MAX_WORDS, Macros, defined_by
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, brackets, closing, outside, statement_end, value_end

BRACES = "braces around one statement"
BLOCKS = "blocks that hold nothing apart"
ENDS = "no more at the end of a switch"
STEPS = "the same written in another way"

_HEADS = frozenset({"if", "for", "while", "switch"})
_BRANCHING = frozenset(
    {"if", "else", "for", "while", "switch", "case", "default", "break", "continue", "return", "goto"}
)
_TYPES = frozenset({"typeof", "__typeof__", "_Alignas", "struct", "union", "enum", "static", "const"})
_BEFORE = frozenset({";", "{", "}"})
_OPERATORS = frozenset({"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"})


def with_braces(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: braces around each statement that depends on a condition, and none around an `if` after `else`."""
    opened: dict[int, int] = {}
    closed: dict[int, int] = {}
    dropped: set[int] = set()
    for index in _dependent(function):
        end = statement_end(function, index)
        if end is None:
            continue
        if function[index - 1] == "else" and function[index : index + 2] == ("{", "if"):
            if statement_end(function, index + 1) == end - 1:
                dropped |= {index, end}
        elif function[index] == "{" or function[index - 1 : index + 1] == ("else", "if"):
            continue
        elif is_whole(function[index : end + 1], macros):
            opened[index] = opened.get(index, 0) + 1
            closed[end] = closed.get(end, 0) + 1
    kept: list[str] = []
    for index, token in enumerate(function):
        kept += ["{"] * opened.get(index, 0)
        kept += [] if index in dropped else [token]
        kept += ["}"] * closed.get(index, 0)
    return tuple(kept)


def _dependent(function: Lexemes) -> Iterator[int]:
    """Where a statement begins that a condition or a loop decides about."""
    for index in range(function.index("{"), len(function) - 1):
        token = function[index]
        if token in ("else", "do"):
            yield index + 1
        elif token in _HEADS and function[index + 1] == "(":
            end = closing(function, index + 1) + 1
            # What ends a `do` has nothing that depends on it.
            if end < len(function) and not (token == "while" and function[index - 1] == "}" and function[end] == ";"):
                yield end


def is_whole(statement: Lexemes, macros: Macros) -> bool:
    """Whether no macro in a statement is several ones or the half of one."""
    if any(token == ";" for index, token in _in_brackets(statement) if index):
        return False  # a macro may be given statements
    known = {token for token in statement if NAME.match(token)}
    todo = list(known)
    while todo:
        lines = macros.called(todo.pop())
        if lines is None or len(known) > MAX_WORDS:
            return False
        for line in lines:
            macro = defined_by(line)
            if macro is None or not _is_one(macro.body):
                return False
            added = {macro.body[index] for index in outside(macro.body) if NAME.match(macro.body[index])} - known
            known |= added
            todo += added
    return True


def _in_brackets(statement: Lexemes) -> Iterator[tuple[bool, str]]:
    """Each token with whether it stands in round brackets other than those of `for`."""
    opened: list[bool] = []
    for index, token in enumerate(statement):
        yield any(opened), token
        if token == "(":
            opened.append(statement[index - 1] != "for" or index == 0)
        elif token == ")":
            del opened[-1:]


def _is_one(body: Lexemes) -> bool:
    outer = [body[index] for index in outside(body)]
    is_do = outer[:1] == ["do"] and outer[-1:] == ["while"] and len(outer) == 2
    return len(brackets(body)) * 2 == sum(token in "(){}[]" for token in body) and (
        is_do or not ({*outer} & {*_BRANCHING, ";", "{", "do"} or "{" in body[:1])
    )


def without_blocks(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: without `do { } while (0)` that nothing leaves, and without blocks that declare nothing."""
    body = function.index("{")
    dropped: set[int] = set()
    for start, end in brackets(function).items():
        if function[start] != "{" or start == body:
            continue
        inside = function[start + 1 : end]
        if inside == (";",):
            dropped.add(start + 1)
        before, after = function[start - 1], function[end + 1 : end + 6]
        is_do = before == "do" and after == ("while", "(", "0", ")", ";") and function[start - 2] in _BEFORE
        is_plain = before in _BEFORE and function[start - 2 : start - 1] != ("=",)
        if (is_do or is_plain) and _is_flat(inside, macros):
            dropped |= {start, end}
            dropped |= {start - 1, *range(end + 1, end + 6)} if is_do else set()
    return tuple(token for index, token in enumerate(function) if index not in dropped)


def _is_flat(inside: Lexemes, macros: Macros) -> bool:
    """Whether a block holds statements alone that may stand beside it: no declaration, no label, no way out."""
    if (
        not inside
        or inside[-1] not in (";", "}")
        or {"break", "continue", "case", "default", "\n#", "typedef"} & {*inside}
    ):
        return False
    return not may_declare(inside, macros)


def may_declare(statements: Lexemes, macros: Macros) -> bool:
    """Whether one of the statements may declare something, or have a label."""
    starts = [0, *(index + 1 for index, token in enumerate(statements[:-1]) if token in (";", "{", "}"))]
    return any(_may_declare(statements, start, macros) for start in starts)


def _is_closed(word: str, macros: Macros) -> bool:
    """Whether a word is no macro, or one that declares nothing around it."""
    found = [defined_by(line) for line in macros.called(word) or ()]
    is_known = macros.called(word) is not None
    return is_known and all(macro is not None and (macro.is_one_value or macro.body[:1] == ("do",)) for macro in found)


def _may_declare(inside: Lexemes, start: int, macros: Macros) -> bool:
    one, two, three = (*inside[start : start + 3], "", "", "")[:3]
    if two == ":":
        return True  # a label
    if one in _TYPES or (NAME.match(one) and one not in _BRANCHING and not _is_closed(one, macros)):
        return True
    if not NAME.match(one) or one in _BRANCHING or one == "do":
        return False
    return NAME.match(two) is not None or (two == "*" and (three == "*" or NAME.match(three) is not None))


def without_last_breaks(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: without the `break` at the end of a `switch`, and without a last branch that does nothing else."""
    dropped: set[int] = set()
    for index, token in enumerate(function):
        if token != "switch" or function[index + 1] != "(":
            continue
        start = closing(function, index + 1) + 1
        if function[start : start + 1] != ("{",):
            continue
        end = closing(function, start)
        if function[end - 2 : end] == ("break", ";") and function[end - 3] in (";", "}", ":"):
            dropped |= {end - 2, end - 1}
            end -= 2
        if function[end - 2 : end] == ("default", ":") and function[end - 3] in (";", "}") and end > start + 3:
            dropped |= {end - 2, end - 1}
            if function[end - 4 : end - 2] == ("break", ";") and function[end - 5] in (";", "}", ":"):
                dropped |= {end - 4, end - 3}
    is_known = all(macros.name_not(word) for word in ("break", "default")) if dropped else True
    return tuple(token for index, token in enumerate(function) if index not in dropped) if is_known else function


def without_empty_statements(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: without a `;` that stands for itself in a block, behind another one or behind a block."""
    if not any(last in (";", "{", "}") and token == ";" for last, token in pairwise(function)):
        return function
    blocks = _block_ends(function)
    kept: list[str] = []
    depth = 0  # of brackets: those of `for` have empty parts
    for index, token in enumerate(function):
        depth += (token in ("(", "[")) - (token in (")", "]"))
        if not (token == ";" and depth == 0 and (kept[-1:] in ([";"], ["{"]) or index - 1 in blocks)):
            kept.append(token)
    is_known = len(kept) == len(function) or all(map(macros.name_not, (*_HEADS, "else", "do")))
    return tuple(kept) if is_known else function


def _block_ends(function: Lexemes) -> set[int]:
    """Where the blocks end that a condition or a loop decides about."""
    pairs = brackets(function)
    heads = {pairs[index + 1] for index, token in enumerate(function) if token in _HEADS and index + 1 in pairs}
    starts = [start for start in pairs if function[start] == "{"]
    return {pairs[start] for start in starts if start - 1 in heads or function[start - 1] == "else"}


def with_steps(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: `i += 1` for `i++`, `++i` and `i = i + 1` whose value nothing gets."""
    kept: list[str] = []
    index = 0
    own = set(_own_names(function))
    for start, end in _whole_values(function):
        step = _step(function[start:end], own, macros)
        kept += function[index:start]
        kept += function[start:end] if step is None else step
        index = end
    return (*kept, *function[index:])


def _whole_values(function: Lexemes) -> Iterator[tuple[int, int]]:
    """Where what may be a step stands: a whole statement, or the last of the three in `for`."""
    pairs = brackets(function)
    depth = 0
    for index in range(function.index("{") if pairs else len(function), len(function)):
        token = function[index]
        depth += (token == "(") - (token == ")")
        if token in (";", "{", "}") and depth == 0:
            stops = (place for place in range(index + 1, len(function)) if function[place] in (";", "{", "}", "\n#"))
            end = next(stops, 0)
            if function[end] == ";":
                yield index + 1, end
        elif token == "for" and function[index + 1] == "(":
            close = pairs[index + 1]
            last = max(place for place in range(index + 1, close) if function[place] in (";", "("))
            if function[last] == ";":
                yield last + 1, close


def _own_names(function: Lexemes) -> Iterator[str]:
    """The names that the function declares: others may be ones that are changed in one go (`_Atomic`)."""
    if any(token.startswith(("_Atomic", "atomic_")) for token in function):
        return
    for index in range(2, len(function)):
        if NAME.match(function[index]) and is_declared(function, index):
            yield function[index]


def _step(head: Lexemes, own: Collection[str], macros: Macros) -> Lexemes | None:
    """The statement in its one form; None if it is no step."""
    if head[:1] in (("++",), ("--",)) and value_end(head, 1) == len(head) > 1:
        return (*head[1:], f"{head[0][0]}=", "1")
    if head[-1:] in (("++",), ("--",)) and value_end(head, 0) == len(head) - 1 > 0:
        return (*head[:-1], f"{head[-1][0]}=", "1")
    is_again = len(head) > 4 and NAME.match(head[0]) and head[1:3] == ("=", head[0]) and head[3] in _OPERATORS
    if is_again and head[0] in own and macros.name_not(head[0]):
        rest = head[4:]
        if len(rest) == 1 or value_end(rest, 0) == len(rest) or (rest[0] == "(" and closing(rest, 0) == len(rest) - 1):
            is_value = all(macros.is_one_value(word) for word in rest[:1] if NAME.match(word))
            is_called = any(NAME.match(word) and sign == "(" for word, sign in pairwise(rest))
            return (head[0], f"{head[3]}=", *rest) if is_value and not is_called else None
    return None
