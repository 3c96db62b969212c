"""Functions of C whose tokens say the same in another way, where no macro of the repository can tell the difference.

    int f(int a) {            int f(int b) {
      return LEN(x, a);         return LEN(x, b);
    }                         }

`a` is declared in `f`, and so is `b` at the same place; neither is another name there, and no macro has either in its
body. Functions stand in any order between two directives, and `f()` that is defined takes nothing, as `f(void)` does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import Lexemes, is_told

LOCALS = "names of variables in functions"
MOVED = "moved functions"
VOID = "(void) for ()"

_NAME = re.compile(r"[^\W\d]\w*\Z")
OPENS, CLOSES = frozenset({"(", "{", "["}), frozenset({")", "}", "]"})
_STRUCTURE = OPENS | CLOSES | {";", "\n#"}
_NO_TYPES = frozenset({"return", "goto", "case", "else", "do", "sizeof", "typedef", "struct", "union", "enum"})
_NOT_HERE = frozenset({".", "->", "goto", "struct", "union", "enum", "#", "##"})
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
_MAX_NAMES = 20  # that may differ in one file


def with_void(lexemes: Lexemes, macros: Macros) -> Lexemes:
    """`int f(void) {` for `int f() {` outside of all functions."""
    kept: list[str] = []
    for chunk in chunks(lexemes):
        kept += chunk
        head = chunk.index("{") if "{" in chunk and chunk[0] != "\n#" else 0
        if head > 3 and chunk[head - 2 : head] == ("(", ")") and _NAME.match(chunk[head - 3]):
            is_typed = chunk[head - 4] == "*" or _NAME.match(chunk[head - 4]) is not None
            if is_typed and macros.have_not(chunk[head - 3]):
                kept.insert(len(kept) - len(chunk) + head - 1, "void")
    return tuple(kept)


def in_order(lexemes: Lexemes, _macros: Macros) -> Lexemes:
    """The functions between two directives in one order, after all else there, past conditions that only hold code."""
    parts = list(chunks(lexemes))
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


def _plain_conditions(parts: list[Lexemes]) -> set[int]:
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


def chunks(lexemes: Lexemes) -> Iterator[Lexemes]:
    """What stands in the file itself: definitions, declarations, directives; the rest as one where that is unclear."""
    start = depth = end = 0
    for index in [index for index, token in enumerate(lexemes) if token in _STRUCTURE]:
        token = lexemes[index]
        if index < end:
            continue  # in a directive
        if token == "\n#":
            end = lexemes.index("\n", index) + 1
            if depth == 0:
                yield from [lexemes[start:index]] if start < index else []
                yield lexemes[index:end]
                start = end
            continue
        depth += (token in OPENS) - (token in CLOSES)
        following = lexemes[index + 1 : index + 2]
        is_body = token == "}" and following not in ((";",), (",",), ("=",), ("[",))
        if depth == 0 and (token == ";" or (is_body and is_function(lexemes[start : index + 1]))):
            yield lexemes[start : index + 1]
            start = index + 1
    yield from [lexemes[start:]] if start < len(lexemes) else []


def with_names_of(old: Lexemes, new: Lexemes, macros: Macros) -> Lexemes:
    """The old tokens with the new names of variables, in the functions where each use of them changed alike."""
    kept: list[str] = []
    for chunk in chunks(old):
        other = new[len(kept) : len(kept) + len(chunk)]
        pairs: defaultdict[str, set[str]] = defaultdict(set)
        for one, two in zip(chunk, other, strict=True):
            pairs[one] |= {two} if one != two else set()
        changed = {one: two.copy().pop() for one, two in pairs.items() if len(two) == 1}
        proven = {
            one: two
            for one, two in list(changed.items())[:_MAX_NAMES]
            if is_function(chunk)
            and _NAME.match(one)
            and _NAME.match(two)
            and not _has_name(chunk, two)
            and _are_locals(chunk, one, macros)
            and macros.are_blind_to(one, chunk)
            and macros.are_blind_to(two, chunk)
        }
        kept += _renamed(chunk, proven)
    return tuple(kept)


def _renamed(chunk: Lexemes, names: dict[str, str]) -> Iterable[str]:
    last = ""
    for token in chunk:
        yield token if last in (".", "->") else names.get(token, token)
        last = token


def _has_name(chunk: Lexemes, name: str) -> bool:
    """Whether the name stands there, and not only as that of a member."""
    return any(token == name and chunk[index - 1] not in (".", "->") for index, token in enumerate(chunk))


def _are_locals(chunk: Lexemes, name: str, macros: Macros) -> bool:
    """Whether each use of the name is of a parameter, or of a variable that its block has declared before."""
    body = chunk.index("{")
    known_until = 0
    around: list[str] = []  # what stands before each open bracket
    for index, token in enumerate(chunk):
        last = chunk[index - 1] if index else ""
        if token in OPENS:
            around.append(last)
        elif token in CLOSES:
            del around[-1:]
        elif token == name and last not in (".", "->"):
            if last in _NOT_HERE or is_told(chunk, index) or any(map(macros.may_show, filter(_NAME.match, around))):
                return False
            following = chunk[index + 1]
            if index < body:
                is_parameter = (last == "*" or _NAME.match(last) is not None) and following in (",", ")", "[")
                known_until = len(chunk) if is_parameter and len(around) == 1 else known_until
            elif index > known_until and _is_declared(chunk, index) and following in (";", "=", ",", "["):
                known_until = _block_end(chunk, index)
            if index >= known_until:
                return False
    return True


def _is_declared(chunk: Lexemes, index: int) -> bool:
    """Whether what stands before it in its statement is a type, and other variables of that type."""
    start = index
    while chunk[start - 1] not in (";", "{", "}", "\n"):
        start -= 1
    head = chunk[start:index]
    words = [token for token in head if token not in ("*", ",")]
    is_typed = len(head) > 0 and all(_NAME.match(word) for word in words) and _NO_TYPES.isdisjoint(words)
    first = head.index(",") if "," in head else len(head)
    return is_typed and (first == len(head) or first > 1)


def _block_end(chunk: Lexemes, index: int) -> int:
    """Where the block ends in which a token stands."""
    depth = 0
    while depth >= 0 and index + 1 < len(chunk):
        index += 1
        depth += (chunk[index] == "{") - (chunk[index] == "}")
    return index
