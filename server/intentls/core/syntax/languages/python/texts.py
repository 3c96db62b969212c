"""Texts of Python that are put together: `format`, `%` and f-strings, all as f-strings.

    "{0}: {1!r}".format(name, value)      "%s: %r" % (str(name), value)      f"{name}: {value!r}"

`%s` is what `str` makes of a value and `{}` what the value itself makes of it, so that the two are the same only for
what is a text or a whole number for sure. An f-string writes each value before it computes the next one, and the others
write none before all are computed: so nothing that may change a value is computed after it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes

_FIELD = re.compile(r"\{\{|\}\}|\{(\w*)((?:\.[^\W\d]\w*)*)(?:!([rsa]))?(?::([\w<>^+\-,.#% ]+))?\}|[{}]")
_PERCENT = re.compile(r"%(?:([%sra])|.|\Z)", re.DOTALL)
# Signs of a field that are spelled in another way, and names that mean another one in a class.
_ESCAPED = re.compile(r"(?i)\\(x(25|7b|7d)|u00(25|7b|7d)|u000000(25|7b|7d)|n\{|0?45|173|175)")
_MANGLED = re.compile(r"\.__\w*(?<!__)(\.|\Z)")
_MAKES_TEXT = {"str": "!s", "repr": "!r", "ascii": "!a"}
_SURE_CALLS = frozenset({"str", "repr", "ascii", "chr", "hex", "oct", "bin", "len", "ord"})
_SURE_METHODS = frozenset(
    {
        *(
            "strip",
            "lstrip",
            "rstrip",
            "lower",
            "upper",
            "title",
            "capitalize",
            "casefold",
            "replace",
            "join",
            "format",
        ),
        *("zfill", "ljust", "rjust", "center", "expandtabs", "removeprefix", "removesuffix", "swapcase"),
    }
)
_QUIET_CALLS = _SURE_CALLS | {"type", "id", "isinstance", "issubclass", "callable"}
_GOING_ON = ("join", "format")  # they go through what they are given, or ask it
_ACTING = frozenset(
    {
        *("await", "yield", "named_expression", "generator_expression", "list_comprehension", "set_comprehension"),
        *("dictionary_comprehension", "lambda", "list_splat", "dictionary_splat"),
    }
)
_SHIFTING = ("augmented_assignment", "named_expression", "case_clause", "global_statement", "nonlocal_statement")
_ROUNDS = 3  # names that are given names that are given texts


class Texts(Struct, frozen=True):
    """What a file says of texts: the names that it gives to something, and the leaves that are a text for sure."""

    bound: Collection[str | None]
    sure: Collection[int]

    def of(self, node: Node) -> Node | None:
        """The f-string that says the same as a call of `format` or a `%`; None for all else."""
        if node.kind == "call":
            called, arguments = node.children
            is_format = called.kind == "attribute" and called.children[-1].text == "format"
            plain = _content(called.children[0]) if is_format and arguments.kind == "argument_list" else None
            return None if plain is None else self._formatted(plain, arguments.children[1:-1], node.row)
        if node.kind != "binary_operator" or node.children[1].kind != "%":
            return None
        plain = _content(node.children[0])
        return None if plain is None else self._percent(plain, node.children[2], node.row)

    def settle(self, interpolation: Node) -> None:
        """In an f-string: `{a!s}` for `{str(a)}`, and no `!s` for what is a text anyway."""
        self._drop_conversion(interpolation)
        children = interpolation.children
        is_converted = any(child.kind == "type_conversion" for child in children)
        if len(children) > 2 and children[1].kind == "call" and not is_converted:
            called, arguments = children[1].children
            given = arguments.children[1:-1] if arguments.kind == "argument_list" else []
            conversion = _MAKES_TEXT.get(called.text or "") if called.text not in self.bound else None
            if conversion and len(given) == 1 and not given[0].kind.endswith(("_splat", "argument")):
                given[0].field = "expression"
                sign = _leaf("type_conversion", conversion, given[0].row, "type_conversion")
                interpolation.children = [children[0], given[0], sign, *children[2:]]
                self._drop_conversion(interpolation)

    def _drop_conversion(self, interpolation: Node) -> None:
        children = interpolation.children
        if len(children) == 4 and children[2].text == "!s" and self.is_sure(children[1]):
            del children[2]

    def is_sure(self, value: Node) -> bool:
        """Whether a value is a text, or a whole number, whatever else happens: no tuple, and as `str` shows it."""
        if value.kind in ("string", "integer"):
            return True
        if value.text is not None:
            return id(value) in self.sure
        if value.kind != "call":
            return _is_name_of_class(value, self.bound)
        called = value.children[0]
        if called.kind == "attribute":
            return called.children[-1].text in _SURE_METHODS and called.children[0].kind == "string"
        return called.text in _SURE_CALLS and called.text not in self.bound

    def acts(self, value: Node) -> bool:
        """Whether computing a value may do something to another one."""
        for node in every_node(value):
            called = node.children[0] if node.kind == "call" else None
            is_quiet = called is not None and called.text in _QUIET_CALLS and called.text not in self.bound
            name = called.children[-1].text if called is not None and called.kind == "attribute" else None
            is_text = name not in (None, *_GOING_ON) and self.is_sure(node)
            if node.kind in _ACTING or (called is not None and not is_quiet and not is_text):
                return True
        return False

    def _are_in_order(self, values: Sequence[Node]) -> bool:
        """Whether each value is the same if it is written before the next one is computed."""
        last = max((index for index, value in enumerate(values) if self.acts(value)), default=0)
        return all(self.is_sure(value) for value in values[:last])

    def _formatted(self, plain: str, arguments: Sequence[Node], row: int) -> Node | None:
        given: dict[str, Node] = {}
        for part in (part for part in arguments if part.kind != ","):
            if part.kind in ("list_splat", "dictionary_splat"):
                return None
            is_named = part.kind == "keyword_argument"
            given[(part.children[0].text or "") if is_named else str(len(given))] = (
                part.children[2] if is_named else part
            )
        parts: list[Node] = []
        used: list[str] = []
        text, end, numbered = "", 0, 0
        for field in _FIELD.finditer(plain):
            text += plain[end : field.start()]
            end = field.end()
            if field[0] in ("{{", "}}"):
                text += field[0][0]
                continue
            name = field[1] or str(numbered)
            numbered += not field[1]
            is_again = name in used and name in given and not _is_simple(given[name])
            if len(field[0]) == 1 or name not in given or is_again or _MANGLED.search(field[2] or ""):
                return None
            used.append(name)
            parts += _contents(text, row)
            value = _member(_copy(given[name]), field[2] or "")
            parts.append(_interpolation(value, f"!{field[3]}" if field[3] else "", field[4] or ""))
            text = ""
        once = [name for name in given if not _is_simple(given[name])]
        is_whole = set(used) == set(given) and [name for name in used if name in once] == once
        if not is_whole or not self._are_in_order(list(given.values())):
            return None
        return Node("string", None, row, children=[*parts, *_contents(text + plain[end:], row)])

    def _percent(self, plain: str, right: Node, row: int) -> Node | None:
        values = [part for part in right.children if part.kind != ","] if right.kind == "tuple" else [right]
        if right.kind != "tuple" and not self.is_sure(right):
            return None  # a tuple is taken apart, and a mapping looked up
        parts: list[Node] = []
        text, end, used = "", 0, 0
        for field in _PERCENT.finditer(plain):
            text += plain[end : field.start()]
            end = field.end()
            if field[1] == "%":
                text += "%"
                continue
            if field[1] is None or used == len(values) or values[used].kind == "list_splat":
                return None
            parts += [*_contents(text, row), _interpolation(values[used], f"!{field[1]}", "")]
            text, used = "", used + 1
        if used != len(values) or not self._are_in_order(values):
            return None
        return Node("string", None, row, children=[*parts, *_contents(text + plain[end:], row)])


def texts_in(root: Node, bound: Collection[str | None]) -> Texts:
    """What a file says of its texts. The leaves that are sure are read only if something is put together."""
    texts = Texts(bound, frozenset[int]())
    if not any(node.kind in ("binary_operator", "interpolation") for node in inner_nodes(root)) and not any(
        node.text == "format" for node in every_node(root)
    ):
        return texts
    shared = {leaf.text for node in every_node(root) if node.kind in _SHIFTING for leaf in _shifted(node)}
    sure: set[int] = set()
    for function in (node for node in inner_nodes(root) if node.kind == "function_definition"):
        sure |= _sure_leaves(function, shared, texts)
    return Texts(bound, sure)


def _shifted(node: Node) -> Iterator[Node]:
    """The names that a statement may give another kind of value."""
    is_first = node.kind in ("augmented_assignment", "named_expression")
    return every_node(node.children[0] if is_first else node)


def _sure_leaves(function: Node, shared: Collection[str | None], texts: Texts) -> set[int]:
    """The names in a function that only ever get texts."""
    own = list(_own_nodes(function))
    times = Counter(node.text for node in own if node.binds and node.role is Role.NAME)
    given: dict[str, list[Node]] = {}
    for node in own:
        is_plain = node.kind == "assignment" and len(node.children) == 3 and node.children[0].role is Role.NAME
        if is_plain and node.children[0].text not in shared:
            given.setdefault(node.children[0].text or "", []).append(node.children[2])
    found = Texts(texts.bound, frozenset[int]())
    for _ in range(_ROUNDS):
        names = {
            name for name, values in given.items() if times[name] == len(values) and all(map(found.is_sure, values))
        }
        leaves = {id(node) for node in own if node.text in names and node.role is Role.NAME}
        found = Texts(texts.bound, leaves)
    return set(found.sure)


def _own_nodes(function: Node) -> Iterator[Node]:
    """The nodes of a function but for what functions, classes, comprehensions in it have of their own."""
    stack = list(function.children)
    while stack:
        node = stack.pop()
        yield node
        if node.kind.endswith("_definition"):
            stack.extend(leaf for leaf in every_node(node) if leaf.binds and leaf.field == "name")
        elif not node.kind.endswith(("_comprehension", "generator_expression", "lambda")):
            stack.extend(node.children)


def _is_name_of_class(value: Node, bound: Collection[str | None]) -> bool:
    """Whether it is `type(a).__name__`."""
    if value.kind != "attribute" or value.children[-1].text not in ("__name__", "__qualname__"):
        return False
    owner = value.children[0]
    return owner.kind == "call" and owner.children[0].text == "type" and "type" not in bound


def _content(text: Node) -> str | None:
    """What a text says that has no values in it."""
    if text.kind != "string" or [part.kind for part in text.children] != ["content"]:
        return None
    said = text.children[0].text or ""
    return None if _ESCAPED.search(said) else said


def _is_simple(value: Node) -> bool:
    """Whether it may as well be said twice, or earlier."""
    return value.role is Role.NAME or value.kind == "integer"


def _copy(value: Node) -> Node:
    if value.text is None:
        return value
    return Node(value.kind, value.field, value.row, value.text, value.role, origin=value.origin)


def _member(value: Node, path: str) -> Node:
    """`value.a.b`"""
    for name in path.split(".")[1:]:
        value.field = "object"
        leaves = [_leaf(".", ".", value.row), Node("identifier", "attribute", value.row, name, Role.MEMBER)]
        leaves[1].origin = (value.text or "") if value.role is Role.NAME else ""
        value = Node("attribute", None, value.row, children=[value, *leaves])
    return value


def _interpolation(value: Node, conversion: str, form: str) -> Node:
    value.field = "expression"
    row = value.row
    children = [_leaf("{", "{", row), value]
    children += [_leaf("type_conversion", conversion, row, "type_conversion")] if conversion else []
    if form:
        parts = [_leaf(":", ":", row), _leaf("gap", form, row)]
        children.append(Node("format_specifier", "format_specifier", row, children=parts))
    return Node("interpolation", None, row, children=[*children, _leaf("}", "}", row)])


def _contents(text: str, row: int) -> list[Node]:
    return [_leaf("content", text, row)] if text else []


def _leaf(kind: str, text: str, row: int, field: str | None = None) -> Node:
    return Node(kind, field, row, text)
