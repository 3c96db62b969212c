"""What a call of C hands over to a function whose body is to stand there, and where its value may.

    mark(a->b, &c);  for  void mark(struct s *b, struct t *d) { use(b->n); d->n++; }  is  use(a->b->n); c.n++;

Variables of the very type and constants stand where the parameter does, and so does the address of a variable. A path
to a field is read where the parameter stands, if the body reads that once, before it does anything else, and asks for a
field of it, which tells that nothing is converted. What else is handed over gets the name of the parameter.
"""

from __future__ import annotations

from msgspec import Struct

from intentls.core.syntax.languages.c.forms.locals import between_commas, variables
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, block_end, closing

_FIELDS = frozenset({".", "->"})
_COMPARING = frozenset({"==", "!=", "<", ">", "<=", ">="})
_LOOSER = frozenset({"?", ":", ",", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
_CLOSED = _LOOSER - {"?", ":", ","} | {"++", "--", "{"}  # what gives names another value, or is no value
_BITS = frozenset({"&", "|", "^"})
_LOGIC = frozenset({"&&", "||"})
_TRUTHS = frozenset({("int",), ("bool",), ("_Bool",)})
_ENDS = frozenset({";", "{", "}"})
_AROUND = frozenset({"if", "while", "&&", "||", "!", "(", "=", "return", "?", ":"})


class CalledFunction(Struct, frozen=True):
    """A function: its parameters with their types, what it gives, and its body."""

    name: str
    whole: Lexemes
    parameters: tuple[tuple[Lexemes, str], ...]
    result: Lexemes
    body: Lexemes

    @property
    def own(self) -> set[str]:
        """The names that the body declares."""
        return {*variables(self.whole)} - {name for _, name in self.parameters}

    def with_values(self, handed: HandedValues) -> Lexemes:
        """The body with what a call gives."""
        made = [*handed.declared]
        index = 0
        while index < len(self.body):
            token = self.body[index]
            value = handed.values.get(token, (token,)) if is_name(self.body, index) else (token,)
            if value[0] == "&" and self.body[index + 1] == "->":
                made += [*value[1:], "."]
                index += 1
            else:
                made += value
            index += 1
        return tuple(made)


class HandedValues(Struct, frozen=True):
    """By the name of a parameter, what stands in its place; and the declarations of those that get a name."""

    values: dict[str, Lexemes]
    declared: Lexemes

    @property
    def are_variables(self) -> bool:
        """Whether nothing but variables is handed over."""
        return not self.declared and all(len(value) == 1 and NAME.match(value[0]) for value in self.values.values())


def is_name(body: Lexemes, index: int) -> bool:
    """Whether a token of a body, which ends with a sign, is a name, and not that of a field."""
    return NAME.match(body[index]) is not None and body[index - 1] not in _FIELDS


class HandedToCall:
    """What the call at a token of a function hands over."""

    def __init__(
        self,
        function: Lexemes,
        index: int,
        helper: CalledFunction,
        known: dict[str, list[tuple[int, Lexemes]]],
        macros: Macros,
    ) -> None:
        self._function, self._index, self._helper = function, index, helper
        self._known, self._macros = known, macros

    def handed(self) -> HandedValues | None:
        """What each parameter is; None where one may be something else."""
        function, start = self._function, self._index + 1
        given = function[start + 1 : closing(function, start)]
        arguments = list(between_commas(given)) if given else []
        if len(arguments) != len(self._helper.parameters):
            return None
        values: dict[str, Lexemes] = {}
        named: list[tuple[Lexemes, str, Lexemes]] = []
        for (kind, name), argument in zip(self._helper.parameters, arguments, strict=True):
            words = {token for token in argument if NAME.match(token)}
            if not argument or not all(self._macros.are_blind_to(word, self._helper.whole) for word in words):
                return None
            if self._may_stand(argument, kind):
                values[name] = argument
            else:
                named.append((kind, name, argument))
        if all(_is_path(argument) and kind[-1] == "*" and self._is_read_first(name) for kind, name, argument in named):
            return HandedValues(values | {name: argument for _, name, argument in named}, ())
        is_named = all(self._may_be_named(name, argument) for _, name, argument in named)
        if not is_named or sum("(" in argument for _, _, argument in named) > 1:
            return None  # which of two calls comes first no one says
        declared = tuple(token for kind, name, argument in named for token in (*kind, name, "=", *argument, ";"))
        return HandedValues(values, declared)

    def _may_be_named(self, name: str, argument: Lexemes) -> bool:
        """Whether what is handed over may be the value of a new variable with the name of the parameter."""
        is_new = name not in self._function and self._helper.own.isdisjoint(argument)
        return is_new and _CLOSED.isdisjoint(argument)

    def _may_stand(self, argument: Lexemes, kind: Lexemes) -> bool:
        """Whether the argument does in the place of the parameter what that does."""
        if len(argument) == 1:
            return self._is_of_type(argument[0], kind)
        is_address = len(argument) == 2 and argument[0] == "&" and kind[-1] == "*"
        return is_address and self._is_declared(argument[1], kind[:-1]) and self._takes_addresses(kind)

    def _is_of_type(self, argument: str, kind: Lexemes) -> bool:
        """Whether it is a variable in sight of just that type, which nothing has the address of, or such a constant."""
        if argument[-1:] == '"':
            return kind == ("const", "char", "*")
        if argument.isdigit():
            return kind == ("int",)
        function = self._function
        is_lent = any(function[at - 1] == "&" for at, token in enumerate(function) if token == argument and at)
        return self._is_declared(argument, kind) and not is_lent

    def _is_declared(self, name: str, kind: Lexemes) -> bool:
        """Whether a variable in sight is of just that type."""
        found = self._known.get(name, ())
        if len(found) != 1 or found[0][1] not in (kind, tuple(token for token in kind if token != "const")):
            return False
        place, function = found[0][0], self._function
        return place < function.index("{") or (place < self._index < block_end(function, place))

    def _takes_addresses(self, kind: Lexemes) -> bool:
        """Whether the address of a variable may stand wherever the body has a parameter of this type."""
        body, names = self._helper.body, {name for each, name in self._helper.parameters if each == kind}
        return all(
            (body[index + 1] == "->" and body[index - 1] not in ("&", "++", "--", "*"))
            or (body[index - 1] in ("(", ",") and body[index + 1] in (",", ")"))
            for index, token in enumerate(body)
            if token in names and is_name(body, index)
        )

    def _is_read_first(self, name: str) -> bool:
        """Whether the body asks for a field of a parameter once, and always, before it does anything else."""
        body = self._helper.body
        uses = [index for index, token in enumerate(body) if token == name and is_name(body, index)]
        if len(uses) != 1 or body[uses[0] + 1] != "->" or body[uses[0] - 1] == "&":
            return False
        before = body[: uses[0]]
        is_headed = body[0] in ("if", "switch") and uses[0] < closing(body, 1)
        is_early = body[0] not in ("while", "for", "do") and (is_headed or body[0] not in ("if", "switch"))
        done = {";", "{", "}", ")", "]", "?", "++", "--", "sizeof", "typeof"} | _LOGIC
        inner = before.index("(") if "(" in before else len(before)
        is_listed = "," in before[:inner] or any(token in _LOOSER - {","} for token in before[inner:])
        return is_early and done.isdisjoint(before) and not is_listed


def _is_path(argument: Lexemes) -> bool:
    """Whether it is a field of a variable, or a field of that."""
    is_plain = all(NAME.match(token) if at % 2 == 0 else token in _FIELDS for at, token in enumerate(argument))
    return is_plain and len(argument) % 2 == 1


def is_truth_for_call(function: Lexemes, index: int, end: int, helper: CalledFunction) -> bool:
    """Whether the body gives a truth alone, and nothing else is computed beside the call that could come between."""
    if helper.result not in _TRUTHS or helper.body[0] != "return" or helper.body.index(";") != len(helper.body) - 1:
        return False
    return _is_truth(helper.body[1:-1]) and _is_asked_alone(function, index, end)


def _is_truth(value: Lexemes) -> bool:
    """Whether a value is 0 or 1, of the type `int`, whatever is in it."""
    signs: set[str] = set()
    depth = 0
    for token in value:
        depth -= token in (")", "]")
        signs |= {token} if depth == 0 else set()
        depth += token in ("(", "[")
    if not signs.isdisjoint(_LOOSER) or "{" in value:
        return False
    return not signs.isdisjoint(_LOGIC) or (not signs.isdisjoint(_COMPARING) and signs.isdisjoint(_BITS))


def _is_asked_alone(function: Lexemes, index: int, end: int) -> bool:
    """Whether a call is a condition or a part of one, or all that a variable is given, or that is returned."""
    start = next(at for at in range(index, -1, -1) if function[at] in _ENDS) + 1
    stop = next(at for at in range(end, len(function)) if function[at] in _ENDS)
    around = function[start:index] + function[end + 1 : stop]
    before = next(at for at in range(index - 1, -1, -1) if function[at] != "!")
    is_led = function[before] in _LOGIC | {"return", "?", ":", "="}
    is_led = is_led or (function[before] == "(" and function[before - 1] in ("if", "while", "&&", "||", "!"))
    if not is_led or function[end + 1] not in _LOGIC | {")", ";", "?", ":"} or "++" in around or "--" in around:
        return False
    if function[before] == "=" and any(token in ("(", "[") for token in function[start:before]):
        return False
    depth = 0
    for at in range(index - 1, start - 1, -1):
        depth += (function[at] in (")", "]")) - (function[at] in ("(", "["))
        if depth < 0:
            if function[at] == "[" or function[at - 1] not in _AROUND:
                return False
            depth = 0
    return True
