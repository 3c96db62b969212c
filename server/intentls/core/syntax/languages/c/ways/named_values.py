"""Variables of C that are no more than another name for a value: the value itself, wherever they are asked for.

    int n = a * 2 + 1; send(n); return n;           send(a * 2 + 1); return a * 2 + 1;
    char *b = c[0]; if (!b || !*b) return 1;        if (!c[0] || !*c[0]) return 1;
    int s = get(a); send(s);                        send(get(a));

The variable is of the very type of the value, and gets no other one. What the value is made of stays as it is until the
last use. What is read from memory is read at once, and nothing is called or stored before the last use. A call is the
first thing that the next statement does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from intentls.core.syntax.languages.c.forms.locals import type_words
from intentls.core.syntax.languages.c.forms.qualifiers import is_prototype
from intentls.core.syntax.languages.c.functions import chunks, is_function
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, closing, outside, parameters_start
from intentls.core.syntax.languages.c.ways.blocks import CodeStatement, body_of, inner, words_of
from intentls.core.syntax.languages.c.ways.own_names import OwnNames
from intentls.core.syntax.languages.c.ways.stores import stored

NAMED = "a value has a name of its own"

_MAX_ROUNDS = 12
_APART = frozenset({"goto", "struct", "union", "enum"})
_NUMBER = re.compile(r"\d{1,9}\Z")
_WIDE = frozenset(
    {
        *(("int",), ("unsigned",), ("unsigned", "int"), ("long",), ("unsigned", "long"), ("size_t",), ("ssize_t",)),
        *(("long", "long"), ("unsigned", "long", "long"), ("int32_t",), ("uint32_t",), ("int64_t",), ("uint64_t",)),
    }
)
_NARROW = frozenset({("char",), ("unsigned", "char"), ("short",), ("unsigned", "short")})
_TRUTHS = frozenset({("int",), ("bool",), ("_Bool",)})
_ASKING = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||", "!"})
_COMPARING = _ASKING - {"!"}
_LOOSER = frozenset({"&", "|", "^"})
_SHIFTS = frozenset({"<<", ">>"})
_LOGIC = frozenset({"&&", "||", "?"})
_FIRST = frozenset({"if", "(", "!", "*", "-", "return", "switch"})
_STORING = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"})
_CONTROL = frozenset({"if", "while", "for", "switch", "return", "sizeof"})
_HEADS = frozenset({"", "if", "switch"})
_STORED = frozenset({"static", "inline", "extern"})


def without_named_values(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: values in the place of the variables that are no more than that."""
    body = function.index("{")
    for _ in range(_MAX_ROUNDS):
        statements = body_of(function)
        if statements is None or not _ValueNames(function, statements, macros).is_one_taken(statements):
            break
        function = (*function[: body + 1], *words_of(statements), "}")
    return function


def results_of_both(old: Lexemes, new: Lexemes) -> dict[str, Lexemes]:
    """By the name of each function that both versions declare or define, the type that it gives, if that is one.

    Example: `{"get": ("char", "*")}` of `static char *get(int a);`.
    """
    one, other = (_results(lexemes) for lexemes in (old, new))
    return {name: given.pop() for name, given in one.items() if len(given) == 1 and other.get(name) == given}


def _results(lexemes: Lexemes) -> dict[str, set[Lexemes]]:
    found: dict[str, set[Lexemes]] = {}
    for part in chunks(lexemes):
        if is_function(part) or is_prototype(part):
            end = parameters_start(part) - 1
            found.setdefault(part[end], set()).add(tuple(token for token in part[:end] if token not in _STORED))
    return found


class _ValueNames:
    """The variables of a function, and where they get their values."""

    def __init__(self, function: Lexemes, statements: list[CodeStatement], macros: Macros) -> None:
        self._function, self._all, self._macros = function, statements, macros
        self._own = OwnNames(function, macros)

    def is_one_taken(self, statements: list[CodeStatement]) -> bool:
        """Whether a variable is gone now from these statements, or from what depends on them."""
        for index, one in enumerate(statements):
            if one.kind == "" and self._is_taken(statements, index):
                return True
            if self.is_one_taken(one.body) or self.is_one_taken(one.other):
                return True
        return False

    def _is_taken(self, statements: list[CodeStatement], index: int) -> bool:
        head = statements[index].head
        name = head[0] if head[1:2] == ("=",) else ""
        if not NAME.match(name) or not self._own.is_quiet(name):
            return False
        if name in self._own.shown:
            return False
        value, last = head[2:-1], self._last_use(statements, index, name)
        region = statements[index + 1 : last + 1]
        if not value or not region or not self._may_stand(name, value, region):
            return False
        put = value if len(value) == 1 else ("(", *value, ")")
        statements[index + 1 : last + 1] = [_with_value(one, name, put) for one in region]
        del statements[index]
        _drop_declaration(self._all, name)
        return True

    def _last_use(self, statements: Sequence[CodeStatement], index: int, name: str) -> int:
        """The statement that asks for a variable last; 0 if something else has it, or it gets another value."""
        tokens = self._function
        places = [place for place, token in enumerate(tokens) if token == name and tokens[place - 1] not in (".", "->")]
        if any(tokens[place - 1] in _APART for place in places):
            return 0
        uses = [_uses(words_of([one]), name) for one in statements]
        after = sum(uses[index + 1 :])
        is_plain = any(_is_declaration(one, name) for one in inner(self._all))
        region = words_of(statements[index + 1 :])
        if not is_plain or not after or after != len(places) - 2 or name in stored(region):
            return 0
        return max(place for place, count in enumerate(uses) if count and place > index)

    def _may_stand(self, name: str, value: Lexemes, region: Sequence[CodeStatement]) -> bool:
        """Whether a value is the same wherever its variable is asked for."""
        if any(one.kind in ("label", "directive") for one in region) or any(map(_is_open, inner(region))):
            return False
        type_ = tuple(word for word in self._own.types[name] if word != "const")
        words = words_of(region)
        if "{" in value or not stored(words).isdisjoint(value) or not stored(value).isdisjoint(words):
            return False
        if self._own.is_quiet_value(value):
            return self._is_of_type(value, type_)
        if self._is_read(value, type_):
            return self._is_read_first(name, region[0]) and self._is_still(region, name)
        return self._is_call(value, type_) and len(region) == 1 and self._is_all(name, region[0])

    def _is_of_type(self, value: Lexemes, type_: Lexemes) -> bool:
        """Whether a value is of just this type."""
        while value[0] == "(" and closing(value, 0) == len(value) - 1:
            value = value[1:-1]
        signs = [value[index] for index in outside(value)]
        if not _COMPARING.isdisjoint(signs):
            return type_ in _TRUTHS and _LOOSER.isdisjoint(signs)
        if len(value) == 1 and NAME.match(value[0]):
            return tuple(word for word in self._own.types.get(value[0], ()) if word != "const") == type_
        names = [token for token in value if NAME.match(token)]
        is_known = all(self._own.types.get(name) == type_ for name in names) and type_ in _WIDE
        is_plain = type_ == ("int",) or (bool(names) and _ASKING.isdisjoint(value) and _SHIFTS.isdisjoint(value))
        return is_known and is_plain and all(_NUMBER.match(token) for token in value if token[0].isdigit())

    def _is_read(self, value: Lexemes, type_: Lexemes) -> bool:
        """Whether it is an element of a variable, `a[0]` or `*a`, of just this type, which is no `volatile` one."""
        name = value[1] if value[:1] == ("*",) else value[0]
        is_element = len(value) > 3 and value[1] == "[" and closing(value, 1) == len(value) - 1
        is_first = len(value) == 2 and value[0] == "*"
        is_placed = is_first or (is_element and self._own.is_quiet_value(value[2:-1]))
        known = self._own.types.get(name, ())
        is_type = known == (*type_, "*") and (type_[-1:] == ("*",) or type_ in _WIDE | _NARROW)
        return is_placed and is_type and self._own.is_quiet(name)

    def _is_read_first(self, name: str, one: CodeStatement) -> bool:
        """Whether a statement asks for a variable in any case, and before all else."""
        words = words_of([one])
        before = words[: words.index(name)] if name in words else words
        if before[1:2] == ("=",) and self._own.is_quiet(before[0]):
            before = before[2:]
        is_called = len(before) == 2 and before[1] == "(" and NAME.match(before[0]) is not None
        return one.kind in _HEADS and name in words and (_FIRST.issuperset(before) or is_called)

    def _is_still(self, region: Sequence[CodeStatement], name: str) -> bool:
        """Whether nothing is stored or called until a variable was asked for last."""
        for one in inner(region):
            tokens = one.head
            stores = [index for index, token in enumerate(tokens) if token in _STORING]
            is_own = all(self._is_own_store(tokens, index) for index in stores)
            calls = [
                index
                for index, token in enumerate(tokens[1:], 1)
                if token == "(" and NAME.match(tokens[index - 1]) and tokens[index - 1] not in _CONTROL
            ]
            is_last = one is region[-1] and one.kind == "" and calls == [1] and closing(tokens, 1) == len(tokens) - 2
            is_plain = all(map(self._macros.name_not, filter(NAME.match, tokens)))
            is_loop = one.kind in ("loop", "do", "macro")
            if not is_own or is_loop or not is_plain or (calls and not is_last and name in _after(region, one, name)):
                return False
        return True

    def _is_own_store(self, tokens: Lexemes, index: int) -> bool:
        is_field = tokens[max(index - 2, 0)] in (".", "->")
        return index > 0 and not is_field and self._own.is_quiet(tokens[index - 1])

    def _is_call(self, value: Lexemes, type_: Lexemes) -> bool:
        """Whether a value is a call of a function of the file that gives just this type."""
        is_it = len(value) > 2 and value[1] == "(" and closing(value, 1) == len(value) - 1
        return is_it and self._macros.results.get(value[0]) == type_ and self._is_function(value[0])

    def _is_function(self, name: str) -> bool:
        """Whether a name is that of a function of the file, and of nothing else."""
        tokens = self._function
        is_called = all(tokens[index + 1] == "(" for index, token in enumerate(tokens) if token == name)
        return is_called and name in self._macros.results and self._macros.name_not(name)

    def _is_all(self, name: str, one: CodeStatement) -> bool:
        """Whether a statement, beside what it asks a variable for, knows nothing that a call could change."""
        head = ("if", "(", *one.head, ")") if one.kind == "if" else one.head
        if one.kind not in _HEADS or head.count(name) != 1 or _uses(words_of([one]), name) != 1:
            return False
        place = head.index(name)
        if not _LOGIC.isdisjoint(head[:place]):
            return False
        for index, token in enumerate(head):
            if token in ("if", "switch", "return") or index == place or token[0] == '"':
                continue
            is_around = head[index + 1 : index + 2] == ("(",) and index < place < closing(head, index + 1)
            if NAME.match(token):
                if not (is_around and self._is_function(token)) and not self._own.is_quiet(token):
                    return False
            elif _is_changeable(head, index):
                return False
        return True


def _is_changeable(head: Lexemes, index: int) -> bool:
    """Whether a sign stores something, but for what a statement begins with, or asks for what is stored elsewhere."""
    token = head[index]
    is_store = token in _STORING and (token != "=" or index != 1)
    is_elsewhere = token in (".", "->", "[", "{") or (token == "*" and not NAME.match(head[index - 1]))
    return is_store or is_elsewhere


def _after(region: Sequence[CodeStatement], one: CodeStatement, name: str) -> Lexemes:
    """The words from a statement on."""
    found: list[str] = []
    is_reached = False
    for each in inner(region):
        is_reached = is_reached or each is one
        found += each.head if is_reached else ()
    return tuple(found)


def _uses(words: Lexemes, name: str) -> int:
    return sum(token == name and words[index - 1] not in (".", "->") for index, token in enumerate(words))


def _is_open(one: CodeStatement) -> bool:
    return one.kind == "directive" or (one.kind == "label" and one.head[0] not in ("case", "default"))


def _is_declaration(one: CodeStatement, name: str) -> bool:
    """Whether all that a statement does is to declare a variable."""
    return one.kind == "" and one.head[-2:-1] == (name,) and bool(type_words(one.head, 0, len(one.head) - 1))


def _with_value(one: CodeStatement, name: str, value: Lexemes) -> CodeStatement:
    return CodeStatement(
        one.kind,
        tuple(_put(one.head, name, value)),
        [_with_value(each, name, value) for each in one.body],
        [_with_value(each, name, value) for each in one.other],
    )


def _put(words: Lexemes, name: str, value: Lexemes) -> Iterator[str]:
    for index, token in enumerate(words):
        yield from value if token == name and words[index - 1] not in (".", "->") else (token,)


def _drop_declaration(statements: list[CodeStatement], name: str) -> None:
    statements[:] = [one for one in statements if not _is_declaration(one, name)]
    for one in statements:
        _drop_declaration(one.body, name)
        _drop_declaration(one.other, name)
