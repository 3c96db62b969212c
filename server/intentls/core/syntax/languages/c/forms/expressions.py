"""Expressions of C in one form: without brackets that the grammar has anyway, and without a comparison with nothing.

    return (a);                 return a;
    if ((a == b) && c)          if (a == b && c)
    if (a != NULL && 0 == b)    if (a && !b)
    sizeof a                    sizeof(a)

A macro sees the brackets of what it is given, and may make a text of it: what is given to one stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, brackets, edited, value_end, value_start

BRACKETS = "brackets that change nothing"
NOTHING = "nothing is compared with by its name"

_BINARY = {
    **dict.fromkeys(("*", "/", "%"), 13),
    **dict.fromkeys(("+", "-"), 12),
    **dict.fromkeys(("<<", ">>"), 11),
    **dict.fromkeys(("<", ">", "<=", ">="), 10),
    **dict.fromkeys(("==", "!="), 9),
    **{"&": 8, "^": 7, "|": 6, "&&": 5, "||": 4, "?": 3, ":": 3},
    **dict.fromkeys(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="), 2),
    ",": 1,
}
_ASSIGNS = frozenset(sign for sign, rank in _BINARY.items() if rank == 2)
_UNARY = frozenset({"!", "~", "+", "-", "*", "&", "++", "--", "sizeof"})
_POSTFIX = frozenset({".", "->", "[", "(", "++", "--"})
_OPEN = frozenset({"(", "[", "{", ",", ";", "}", "?", "return", "case"})
_CLOSE = frozenset({")", "]", "}", ",", ";", ":"})
_CONTROL = frozenset({"if", "while", "for", "switch"})
_NO_CALLS = _CONTROL | {"return", "case", "sizeof", "else", "do", "and", "or"}
_ZEROS = frozenset({"NULL", "0", "'\\0'"})
_ENDS = frozenset({")", "&&", "||", ";", ",", "?", ":", "]"})
_BEGINS = frozenset({"(", "&&", "||", "=", "return", "?", ":", ",", "[", ";", "{", "}"})
_FIRST = frozenset({"return", "=", "(", ",", ";", "{", "}", "?", ":", "["})
_TRUTHS = frozenset({10, 9, 5, 4})  # comparisons, and what is made of truths
_MAX_ROUNDS = 10


class Places:
    """The brackets of a function, and what each token stands in."""

    def __init__(self, function: Lexemes, macros: Macros) -> None:
        self.tokens, self._macros = function, macros
        self.pairs = brackets(function)
        self.opening = {end: start for start, end in self.pairs.items()}
        self._shows = cache(macros.may_show)
        self.around: list[tuple[int, ...]] = []
        self.is_directive: list[bool] = []
        around: tuple[int, ...] = ()
        inside = False
        for index, token in enumerate(function):
            inside = inside or token == "\n#"
            if index in self.opening:
                around = around[:-1]
            self.around.append(around if len(around) < 40 else around[-40:])
            self.is_directive.append(inside)
            if index in self.pairs:
                around = (*around, index)
            inside = inside and token != "\n"

    def callees(self, index: int) -> list[str]:
        """What may be a function or macro whose brackets a token stands in; the nearest last."""
        openings = (place for place in self.around[index] if self.tokens[place] == "(")
        words = (self.tokens[place - 1] for place in openings)
        return [word if NAME.match(word) and word not in _NO_CALLS else "" for word in words]

    def is_shown(self, index: int) -> bool:
        """Whether a macro may make a text of it, or it stands in a directive."""
        return self.is_directive[index] or any(map(self._shows, filter(None, self.callees(index))))

    def is_in_macro(self, index: int) -> bool:
        """Whether it stands in what a macro is given, with no other brackets around."""
        nearest = self.callees(index)[-1:]
        return bool(nearest and nearest[0]) and not self._macros.name_not(nearest[0])


def without_brackets(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: without brackets around what the grammar takes for one value anyway."""
    for _ in range(_MAX_ROUNDS):
        places = Places(function, macros)
        dropped: set[int] = set()
        outer = 0
        for start in sorted(places.pairs):
            if start >= outer and _is_idle(places, start, macros):
                outer = places.pairs[start]
                dropped |= {start, outer}
        if not dropped:
            break
        function = tuple(token for index, token in enumerate(function) if index not in dropped)
    return function


def _is_idle(places: Places, start: int, macros: Macros) -> bool:
    tokens, end = places.tokens, places.pairs[start]
    if tokens[start] != "(" or not places.around[start]:
        return False
    before, after = _left(places, start), _right(tokens, end)
    if before is None or after is None:
        return False
    rank = _rank(tokens, start + 1, end)
    is_same = rank == before and tokens[start - 1] in ("&&", "||")  # one after the other, either way
    if rank is None or not ((rank > before or is_same) and rank >= after):
        return False
    at_border = tokens[start - 1] in ("(", ",") or tokens[end + 1] in (")", ",")
    if places.is_shown(start) or (at_border and places.is_in_macro(start)):
        return False
    words = {token for token in tokens[start + 1 : end] if NAME.match(token)}
    return all(map(macros.is_one_value, words))


def _left(places: Places, start: int) -> float | None:
    """How closely what stands before a bracket takes hold of what follows; None if it has to be a bracket."""
    tokens = places.tokens
    before, last = tokens[start - 1], tokens[start - 2]
    if before in _OPEN:
        return 1 if before in ("(", ",") else 0  # a comma would be another argument
    if before in _ASSIGNS:
        return 1.5
    if before == ":":
        return 2.5
    is_cast = before == ")" and last == "*" and tokens[start - 3] != "("  # `(*)` is a part of a type
    if before in ("!", "~") or is_cast:
        return 13.5
    if before not in _BINARY:
        return None
    is_operand = NAME.match(last) or last[-1] in ")]'\"" or last[0].isdigit()
    return _BINARY[before] if is_operand and last not in ("return", "case") else 13.5


def _right(tokens: Lexemes, end: int) -> float | None:
    after = tokens[end + 1] if end + 1 < len(tokens) else ""
    if after in _CLOSE:
        return 1 if after in (")", ",") else 0
    if after in _ASSIGNS:
        return 14
    if after in _POSTFIX:
        return 15 if after != "(" else None
    return _BINARY[after] + (after == "?") if after in _BINARY else None


def _rank(tokens: Lexemes, start: int, end: int) -> float | None:
    """How closely an expression holds together: 15 for a name and the like; None if it may be a type."""
    inside = tokens[start:end]
    if not inside or {"\n#", ";", "{"} & {*inside}:
        return None
    if _may_be_type(inside):
        after = tokens[end + 1]
        is_before_value = after in _UNARY or after == "&&" or after not in {*_CLOSE, *_BINARY, *_POSTFIX}
        return None if len(inside) > 1 or is_before_value else 15
    lowest, depth = 15.0, 0
    is_value = False  # whether what stands before may be an operand
    for token in inside:
        if depth == 0 and token in _BINARY and is_value:
            lowest, is_value = min(lowest, _BINARY[token]), False
        elif depth == 0 and (token in _UNARY or token in _BINARY):
            lowest = min(lowest, 14)
        else:
            is_value = True
        depth += (token in ("(", "[")) - (token in (")", "]"))
    if inside[0] == "(" and brackets(inside).get(0) != len(inside) - 1:
        lowest = min(lowest, 14)  # it may be a cast
    return lowest


def _may_be_type(inside: Lexemes) -> bool:
    """Whether it is words, or words with stars after them."""
    words = inside[: inside.index("*")] if "*" in inside else inside
    rest = inside[len(words) :]
    return all(map(NAME.match, words)) and bool(words) and {"*", "const", "volatile", "restrict"}.issuperset(rest)


def with_sizes_in_brackets(function: Lexemes, _macros: Macros) -> Lexemes:
    """A `Form`: `sizeof(a)` for `sizeof a`."""
    kept: list[str] = []
    index = 0
    while index < len(function):
        kept.append(function[index])
        index += 1
        if kept[-1] == "sizeof" and function[index] != "(":
            start = index
            while function[start] == "*":
                start += 1
            end = value_end(function, start)
            if end > start:
                kept += ["(", *function[index:end], ")"]
                index = end
    return tuple(kept)


def without_choices(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: `a == b` for `a == b ? 1 : 0`, which is one of the two anyway."""
    signs = [index for index, token in enumerate(function) if token == "?"] if "?" in function else []
    signs = [index for index in signs if function[index + 1 : index + 4] == ("1", ":", "0")]
    signs = [index for index in signs if function[index + 4] in (";", ")")]
    if not signs:
        return function
    places = Places(function, macros)
    dropped: set[int] = set()
    for index in signs:
        start = index
        while function[start - 1] not in _FIRST:
            start = places.opening.get(start - 1, start - 1)
        at_border = function[start - 1] in ("(", ",") or function[index + 4] == ")"
        is_seen = places.is_shown(index) or (at_border and places.is_in_macro(index))
        words = {token for token in function[start:index] if NAME.match(token)}
        is_truth = _rank(function, start, index) in _TRUTHS and all(map(macros.is_one_value, words))
        dropped |= set(range(index, index + 4)) if is_truth and not is_seen else set()
    return tuple(token for index, token in enumerate(function) if index not in dropped)


def without_nothing(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: `!a` for `a == NULL`, and `a` for `a != 0` where that is all that a condition asks."""
    places = Places(function, macros)
    edits: dict[int, tuple[int, tuple[str, ...]]] = {}
    for index, token in enumerate(function):
        if token not in ("==", "!="):
            continue
        for start, end, value in _compared(function, index, places):
            if function[start - 1] not in _BEGINS or function[end] not in _ENDS or places.is_shown(index):
                continue
            first = next(word for word in value if word != "*")
            at_border = function[start - 1] in ("(", ",") or function[end] in (")", ",")
            if (at_border and places.is_in_macro(index)) or not macros.is_one_value(first):
                continue
            if token == "==":
                edits[start] = (end, ("!", *value))
            else:
                edits[start] = (end, value if _is_condition(function, start, end) else (*value, "!=", "0"))
            break
    return edited(function, edits)


def _compared(function: Lexemes, index: int, places: Places) -> Iterator[tuple[int, int, Lexemes]]:
    """Where a comparison with nothing begins and ends, and what is compared: nothing stands on the right of it."""
    if function[index + 1] in _ZEROS:
        start = value_start(function, index, places.opening)
        if start < index:
            while function[start - 1] == "*" and function[start - 2] in {*_BEGINS, "*"}:
                start -= 1
            yield start, index + 2, function[start:index]


def _is_condition(function: Lexemes, start: int, end: int) -> bool:
    """Whether all that matters of a value is whether it is nothing."""
    if function[start - 1] in ("&&", "||") or function[end] in ("&&", "||", "?"):
        return True
    return function[start - 1] == "(" and function[start - 2] in ("if", "while") and function[end] == ")"
