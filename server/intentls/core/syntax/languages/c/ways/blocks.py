"""The statements of a function of C as a tree, where its words tell for sure which they are.

    if (a) { b(); } else if (c) { d(); } e();

is a branch on `a`, whose other way holds a branch on `c`, and `e();`. Each statement that depends on a condition stands
in braces before (`with_braces`). A directive is a statement of its own, and so is a label.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from intentls.core.syntax.languages.c.spans import NAME, Lexemes, closing

_CONTROL = frozenset({"if", "else", "for", "while", "do", "switch", "return", "break", "continue", "goto"})
_LOOPS = frozenset({"for", "while"})
_OPENS = frozenset({"(", "[", "{"})
_CLOSES = frozenset({")", "]", "}"})
MAX_DEPTH = 40


class CodeStatement(Struct):
    """A statement: what it is, its words, and what depends on it.

    `kind` is `if` (its `head` is the condition alone), `loop`, `do` (its `head` stands at its end), `switch`, `block`,
    `macro` (`EACH(a) { b(); }`), `label`, `directive`, or empty for what holds no other one.
    """

    kind: str
    head: Lexemes
    body: list[CodeStatement] = []
    other: list[CodeStatement] = []


class UnclearStatementError(Exception):
    """The words do not tell what is a statement."""


def body_of(function: Lexemes) -> list[CodeStatement] | None:
    """The statements of a function; None where that can't be told."""
    start = function.index("{")
    try:
        statements, end = _listed(function, start + 1, 0)
    except (UnclearStatementError, IndexError, ValueError):
        return None
    return statements if end == len(function) - 1 else None


def _listed(tokens: Lexemes, start: int, depth: int) -> tuple[list[CodeStatement], int]:
    """The statements from a token to the brace that ends them, and where that is."""
    if depth > MAX_DEPTH:
        raise UnclearStatementError
    found: list[CodeStatement] = []
    index = start
    while tokens[index] != "}":
        statement, index = _statement(tokens, index, depth)
        found.append(statement)
    return found, index


def _block(tokens: Lexemes, start: int, depth: int) -> tuple[list[CodeStatement], int]:
    """What stands in the braces that open at a token, and what comes after them."""
    if tokens[start] != "{":
        raise UnclearStatementError
    found, end = _listed(tokens, start + 1, depth + 1)
    return found, end + 1


def _statement(tokens: Lexemes, start: int, depth: int) -> tuple[CodeStatement, int]:
    word, following = tokens[start], tokens[start + 1]
    if word == "\n#":
        end = tokens.index("\n", start) + 1
        return CodeStatement("directive", tokens[start:end]), end
    if word == "{":
        inside, end = _block(tokens, start, depth)
        return CodeStatement("block", (), inside), end
    if word == "if":
        return _branch(tokens, start, depth)
    if word == "do":
        inside, end = _block(tokens, start + 1, depth)
        stop = closing(tokens, end + 1) + 1
        if tokens[end : end + 2] != ("while", "(") or tokens[stop] != ";":
            raise UnclearStatementError
        return CodeStatement("do", tokens[end : stop + 1], inside), stop + 1
    if word in _LOOPS or word == "switch":
        close = _condition_end(tokens, start + 1)
        inside, end = _block(tokens, close + 1, depth)
        return CodeStatement("switch" if word == "switch" else "loop", tokens[start : close + 1], inside), end
    if word in ("case", "default") or (following == ":" and NAME.match(word)):
        end = tokens.index(":", start) + 1
        if "?" in tokens[start:end]:
            raise UnclearStatementError
        return CodeStatement("label", tokens[start:end]), end
    return _simple(tokens, start, depth)


def _branch(tokens: Lexemes, start: int, depth: int) -> tuple[CodeStatement, int]:
    close = _condition_end(tokens, start + 1)
    inside, end = _block(tokens, close + 1, depth)
    other: list[CodeStatement] = []
    if tokens[end] == "else":
        if tokens[end + 1] == "if":
            chained, end = _branch(tokens, end + 1, depth)
            other = [chained]
        else:
            other, end = _block(tokens, end + 1, depth)
            other = other or [CodeStatement("block", ())]
    return CodeStatement("if", tokens[start + 2 : close], inside, other), end


def _condition_end(tokens: Lexemes, start: int) -> int:
    close = closing(tokens, start)
    if tokens[start] != "(" or not {"{", "\n#"}.isdisjoint(tokens[start:close]):
        raise UnclearStatementError
    return close


def _simple(tokens: Lexemes, start: int, depth: int) -> tuple[CodeStatement, int]:
    """What holds no other statement, or what a macro holds: `EACH(a) { b(); }`."""
    index = start
    while tokens[index] != ";":
        token = tokens[index]
        if token == "{" and tokens[index - 1] == ")" and closing(tokens, start + 1) == index - 1:
            inside, end = _block(tokens, index, depth)
            return CodeStatement("macro", tokens[start:index], inside), end
        is_inner = index > start and token in _CONTROL
        if is_inner or token in ("\n#", "else", *_CLOSES) or (token == "{" and tokens[index - 1] not in ("=", ")")):
            raise UnclearStatementError
        end = closing(tokens, index) if token in _OPENS else index
        if "\n#" in tokens[index:end]:
            raise UnclearStatementError
        index = end + 1
    return CodeStatement("", tokens[start : index + 1]), index + 1


def words_of(statements: Sequence[CodeStatement]) -> Lexemes:
    """The words of statements, as `body_of` read them; what stands after a branch that leaves needs no `else`.

    Example: `if (a) { return b; } c();` for a branch with `c();` on its other way.
    """
    return tuple(_words(statements))


def _words(statements: Sequence[CodeStatement], *, is_chained: bool = False) -> Iterator[str]:
    for index, one in enumerate(statements):
        if one.kind == "if":
            yield from ("if", "(", *one.head, ")", "{", *_words(one.body), "}")
            is_last = index == len(statements) - 1 and not is_chained
            if one.other and is_last and leaves(one.body):
                yield from _words(one.other)
            elif len(one.other) == 1 and one.other[0].kind == "if":
                yield from ("else", *_words(one.other, is_chained=True))
            elif one.other:
                yield from ("else", "{", *_words(one.other), "}")
        elif one.kind == "do":
            yield from ("do", "{", *_words(one.body), "}", *one.head)
        elif one.kind in ("loop", "switch", "macro", "block"):
            yield from (*one.head, "{", *_words(one.body), "}")
        else:
            yield from one.head


def leaves(statements: Sequence[CodeStatement]) -> bool:
    """Whether what follows the statements is not reached from their end."""
    last = statements[-1] if statements else None
    if last is None:
        return False
    if last.kind == "if":
        return bool(last.other) and leaves(last.body) and leaves(last.other)
    return last.kind == "" and last.head[0] in ("return", "goto", "break", "continue")


def inner(statements: Sequence[CodeStatement]) -> Iterator[CodeStatement]:
    """Each statement, and those that depend on it."""
    for one in statements:
        yield one
        yield from inner(one.body)
        yield from inner(one.other)
