"""Local variables of C in one form: one in each declaration, at the beginning of the function, without a first value.

    int f(int a) {                          int f(int a) {
      int *b = g(a), c;                       int *b; int c; int i;
                                              b = g(a);
      for (int i = 0; i < a; i++) {           for (i = 0; i < a; i++) {

A name is moved only if it is the only one of its kind in the function, no pointer is made of it, and it gets a value
before it is asked for one, each time that its block is run.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from intentls.core.syntax.languages.c.forms.casts import is_declared, result_type, statements
from intentls.core.syntax.languages.c.functions import KEYWORDS
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, brackets, edited, parameters_start, statement_end

DECLARED = "variables declared in another way"
RETURNED = "a value is returned without a name of its own"

_NO_TYPES = frozenset({"return", "goto", "case", "else", "do", "sizeof", "typedef", "break", "continue", "default"})
_FIXED = frozenset({"static", "extern", "const", "volatile", "typedef", "register", "_Atomic", "auto"})
_TAGS = frozenset({"struct", "union", "enum"})
_LOOPS = frozenset({"for", "while", "do"})
_MAX_NAMES = 60

Declaration = tuple[Lexemes, Lexemes]
"""The words of a type, and the stars, name and brackets after them."""


def with_one_name_each(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: one declaration for each local name."""
    edits: dict[int, tuple[int, Lexemes]] = {}
    for start, end in statements(function):
        words = type_words(function, start, end)
        if not words or "," not in function[start:end] or not all(map(macros.is_words, words)):
            continue
        parts = list(between_commas(function[start + len(words) : end]))
        if len(parts) > 1 and all(_declared(part) for part in parts):
            edits[start] = (end, tuple(token for part in parts for token in (*words, *part, ";"))[:-1])
    return edited(function, edits)


def without_returned_names(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: `return f();` for `int a = f(); return a;`, in a function of that type."""
    result = tuple(word for word in result_type(function) if word != "const")
    types: dict[str, tuple[int, int, Lexemes]] = {}  # where a name is declared without a value, and as what
    edits: dict[int, tuple[int, Lexemes]] = {}
    for start, end in statements(function):
        words = type_words(function, start, end)
        at = start + len(words)
        while words and function[at] == "*":
            at += 1
        name = function[at]
        kind = tuple(word for word in function[start:at] if word != "const") if all(map(macros.is_words, words)) else ()
        if words and function[at + 1] == ";":
            types[name] = (start, end, kind)
        is_returned = function[at + 1] == "=" and function[end : end + 4] == (";", "return", name, ";")
        declared = (start, start, kind) if words else types.get(name, (start, start, ()))
        is_it = bool(result) and declared[2] == result and function.count(name) == (2 if words else 3)
        if is_returned and is_it and function[at + 2] != "{" and macros.are_blind_to(name, function):
            edits[declared[0]] = (declared[1] + 1, ())
            edits[start] = (end + 4, ("return", *function[at + 2 : end], ";"))
    return edited(function, edits)


def type_words(function: Lexemes, start: int, end: int) -> Lexemes:
    """The words of the type with which a statement declares something; none if it does not."""
    index = start
    while index < end and NAME.match(function[index]):
        index += 1
    stars = index
    while stars < end and function[stars] == "*":
        stars += 1
    words = function[start : index if stars > index else index - 1]
    name = stars if stars > index else index - 1
    is_named = name < end and NAME.match(function[name]) is not None and function[name] not in KEYWORDS
    is_typed = bool(words) and _NO_TYPES.isdisjoint(words) and not (len(words) == 1 and words[0] in {*_TAGS, *_FIXED})
    return words if is_named and is_typed and function[name + 1] in (",", "=", ";", "[") else ()


def declared_names(function: Lexemes, start: int, end: int) -> Iterator[int]:
    """Where the names of the variables stand that a statement declares; none if it declares something else."""
    index = start + len(type_words(function, start, end))
    for part in between_commas(function[index:end]) if index > start else ():
        yield from [index + part.index(name)] if (name := _declared(part)) else []
        index += len(part) + 1


def variables(function: Lexemes) -> dict[str, list[tuple[int, Lexemes]]]:
    """By its name where each parameter and local variable stands that is no array, and its type as it is written.

    Of a variable that is declared in another way the type is empty.
    """
    found: dict[str, list[tuple[int, Lexemes]]] = {}
    body = function.index("{")
    start = parameters_start(function[:body])
    index = start + 1
    for part in between_commas(function[start + 1 : body - 1]) if start > 0 else ():
        is_plain = len(part) > 1 and all(token == "*" or NAME.match(token) for token in part) and part[-2] not in _TAGS
        if is_plain and part[-1] not in KEYWORDS:
            found.setdefault(part[-1], []).append((index + len(part) - 1, part[:-1]))
        index += len(part) + 1
    for start, end in (*statements(function), *heads_of_loops(function)):
        words = type_words(function, start, end)
        for place in declared_names(function, start, end):
            first = place - 1
            while function[first] == "*":
                first -= 1
            is_array = function[place + 1] == "["
            type_ = () if is_array else (*words, *function[first + 1 : place])
            found.setdefault(function[place], []).append((place, type_))
    return found


def heads_of_loops(function: Lexemes) -> Iterator[tuple[int, int]]:
    """Where the first part begins of what stands in the brackets of each `for`, and where its `;` is."""
    for index, token in enumerate(function[:-2]):
        if token == "for" and function[index + 1] == "(" and ";" in function[index:]:
            yield index + 2, function.index(";", index)


def between_commas(declarators: Lexemes) -> Iterator[Lexemes]:
    """What stands between the commas outside of all brackets."""
    depth = begin = 0
    for index, token in enumerate(declarators):
        depth += (token in ("(", "{", "[")) - (token in (")", "}", "]"))
        if token == "," and depth == 0:
            yield declarators[begin:index]
            begin = index + 1
    yield declarators[begin:]


def _declared(part: Lexemes) -> str:
    """The name that it declares; empty if that is no plain one."""
    index = 0
    while part[index : index + 1] == ("*",):
        index += 1
    name = part[index : index + 1]
    following = part[index + 1 : index + 2]
    is_plain = bool(name) and NAME.match(name[0]) and name[0] not in KEYWORDS and following in ((), ("=",), ("[",))
    return name[0] if is_plain else ""


def without_unused_names(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: without variables that nothing mentions, if to make them does nothing."""
    edits: dict[int, tuple[int, Lexemes]] = {}
    for start, end in statements(function):
        words = type_words(function, start, end)
        declarator = function[start + len(words) : end]
        name = _declared(declarator) if words else ""
        if not name or function.count(name) != 1 or {"(", "{", "++", "--", "volatile", "->"} & {*declarator, *words}:
            continue
        value = declarator[declarator.index("=") + 1 :] if "=" in declarator else ()
        is_idle = len(value) < 2 or (len(value) == 2 and value[0] in ("-", "&"))
        known = [word for word in declarator if NAME.match(word) and word not in ("NULL", name)]
        is_read = any(NAME.match(word) and word != "NULL" and not _is_own(function, word) for word in value)
        is_plain = not is_read and all(map(macros.name_not, known)) and all(map(macros.is_words, words))
        if is_idle and is_plain and macros.are_blind_to(name, function):
            edits[start] = (end + 1, ())
    return edited(function, edits)


def _is_own(function: Lexemes, name: str) -> bool:
    """Whether the function declares the name: to read another one may do something (`volatile`)."""
    places = (index for index, token in enumerate(function) if token == name)
    return "volatile" not in function and any(is_declared(function, index) for index in places)


def with_names_first(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: local names without a first value, at the beginning of the function."""
    types = zip(function, function[2:], strict=False)
    if "typedef" in function or any(tag in _TAGS and sign == "{" for tag, sign in types):
        return function  # a type may be another one there
    function, names = _without_values(function, macros)
    body = function.index("{")
    moved: dict[int, list[tuple[str, Lexemes]]] = {body: list(names.items())}
    spans: list[tuple[int, int]] = []
    blocks = _Blocks(function)
    for start, end in statements(function):
        words = type_words(function, start, end)
        declarator = function[start + len(words) : end]
        name = _declared(declarator) if words else ""
        if not name or "=" in declarator or not _is_movable(words, macros) or len(spans) > _MAX_NAMES:
            continue
        place = blocks.place_of(name, start, end)
        if place is not None and _has_plain_size(declarator) and macros.are_blind_to(name, function):
            moved.setdefault(place, []).append((name, (*words, *declarator, ";")))
            spans.append((start, end + 1))
    edits: dict[int, tuple[int, Lexemes]] = {start: (end, ()) for start, end in spans}
    for place, parts in moved.items():
        # Not in the order of the names, which may be others.
        order = sorted(
            (tuple(word for word in part if word != name), _first_use(function, name), part) for name, part in parts
        )
        edits[place] = (place + 1, ("{", *(token for _, _, part in order for token in part)))
    return edited(function, edits)


def _first_use(function: Lexemes, name: str) -> int:
    uses = (index for index, token in enumerate(function) if token == name)
    return sum(1 for token in function[: [*uses][-1]] if token == ";")


def _without_values(function: Lexemes, macros: Macros) -> tuple[Lexemes, dict[str, Lexemes]]:
    """The function with a name's first value in a statement of its own, and what was declared in the heads of loops."""
    edits: dict[int, tuple[int, Lexemes]] = {}
    for start, end in statements(function):
        words = type_words(function, start, end)
        declarator = function[start + len(words) : end]
        name = _declared(declarator) if words else ""
        if not name or "=" not in declarator or not _is_movable(words, macros):
            continue
        equals = declarator.index("=")
        is_one = (
            "[" not in declarator[:equals]
            and declarator[equals + 1 : equals + 2] != ("{",)
            and "," not in [*_outer(declarator)]
        )
        if is_one and name not in declarator[equals:]:
            edits[start] = (end, (*words, *declarator[:equals], ";", name, *declarator[equals:]))
    names: dict[str, Lexemes] = {}
    for index, token in enumerate(function[:-4]):
        if token != "for" or function[index + 1] != "(":
            continue
        first = next((place for place in range(index, len(function)) if function[place] == ";"), index)
        words = type_words(function, index + 2, first)
        declarator = function[index + 2 + len(words) : first]
        name = _declared(declarator) if words else ""
        last = statement_end(function, index)
        if not name or last is None or "=" not in declarator or "," in [*_outer(declarator)] or "[" in declarator[:2]:
            continue
        is_alone = function.count(name) == function[index:last].count(name)
        is_made = any(pair == ("&", name) for pair in pairwise(function))
        if is_alone and not is_made and _is_movable(words, macros) and macros.are_blind_to(name, function):
            stars = declarator[: declarator.index(name)]
            names[name] = (*words, *stars, name, ";")
            edits[index + 2] = (index + 2 + len(words) + len(stars), ())
    return edited(function, edits), names


def _is_movable(words: Lexemes, macros: Macros) -> bool:
    return _FIXED.isdisjoint(words) and all(map(macros.is_words, words))


def _outer(declarator: Lexemes) -> Iterator[str]:
    """The tokens outside of all brackets."""
    depth = 0
    for token in declarator:
        depth -= token in (")", "}", "]")
        if depth == 0:
            yield token
        depth += token in ("(", "{", "[")


def _has_plain_size(declarator: Lexemes) -> bool:
    """Whether the size of an array is the same wherever it stands."""
    size = declarator[declarator.index("[") :] if "[" in declarator else ()
    return all(token in "[]+*-" or token[0].isdigit() or token.isupper() for token in size)


class _Blocks:
    """The blocks of a function, and what is done with a name in them."""

    def __init__(self, function: Lexemes) -> None:
        self._tokens, self._pairs = function, brackets(function)
        self._has_labels = "goto" in function

    def place_of(self, name: str, start: int, end: int) -> int | None:
        """The block at whose beginning the name may be declared as well: the outermost one, or its own."""
        tokens, pairs = self._tokens, self._pairs
        opened = [place for place in pairs if place < start and pairs[place] > end and tokens[place] == "{"]
        if not opened or self._is_conditional(start):
            return None
        block = max(opened)
        uses = [place for place, token in enumerate(tokens) if token == name]
        own = [place for place in uses if place > end]
        is_own = len(own) == len(uses) - 1 and all(place < pairs[block] for place in own)
        is_odd = any(tokens[place - 1] in ("&", ".", "->", "goto", *_TAGS) for place in own)
        if not own or not is_own or is_odd:
            return None
        # An array of a block is gone with it.
        is_pointer = tokens[end - 2] == "*"
        is_part = not is_pointer and any(tokens[place + 1] in (".", "[") for place in own)
        is_known = self._is_given_first(own[0], block) or (is_pointer and not self._is_repeated(block))
        return min(opened) if is_known and not is_part else block

    def _is_given_first(self, use: int, block: int) -> bool:
        """Whether a value is given there, whenever the block is run."""
        tokens, pairs = self._tokens, self._pairs
        around = [place for place in pairs if place < use < pairs[place]]
        is_loop = tokens[use - 1] == "(" and tokens[use - 2] == "for" and sorted(around)[-2:-1] == [block]
        is_statement = tokens[use - 1] in (";", "{", "}") and max(around) == block
        is_always = not self._has_labels and {"case", "default"}.isdisjoint(tokens[block : pairs[block]])
        return tokens[use + 1] == "=" and (is_statement or is_loop) and is_always

    def _is_repeated(self, block: int) -> bool:
        """Whether the block may be run more than once in one call of the function."""
        return self._has_labels or any(token in _LOOPS for token in self._tokens[:block])

    def _is_conditional(self, index: int) -> bool:
        """Whether a directive decides about it."""
        depth = 0
        for place in range(index):
            if self._tokens[place] == "\n#":
                word = self._tokens[place + 1]
                depth += word.startswith("if")
                depth -= word == "endif"
        return depth > 0
