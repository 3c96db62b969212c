"""Java: values that have a name of their own, of which all is told by the method that they stand in.

    int n = a * 2 + 1;                      send(a * 2 + 1);
    send(n);                   and          return a * 2 + 1;
    return n;

The name has the very type of the value, so that the same methods are called. Texts that are joined and other new
objects keep their names: each time they are another object.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from intentls.core.mutation.equivalences.values.kept_values import MAX_DEPTH, KeptValue
from intentls.core.syntax.languages.java.finals import folded
from intentls.core.syntax.languages.java.inlining import is_computed_first
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_FUNCTIONS = frozenset({"method_declaration", "constructor_declaration"})
_CLASSES = frozenset({"class_declaration", "enum_declaration", "record_declaration", "interface_declaration"})
_LOCALS = frozenset({"formal_parameter", "local_variable_declaration", "enhanced_for_statement"})
_WHOLE = frozenset({"byte", "short", "char", "int", "long"})
_NUMBERS = ("double", "float", "long")  # the first that one of two operands has is the type of both
_LITERALS = {
    **dict.fromkeys(("true", "false"), "boolean"),
    **{"string_literal": "String", "character_literal": "char", "null_literal": "null"},
}
_ORDERS = frozenset({"<", "<=", ">", ">="})
_COMPUTING = frozenset({"+", "-", "*", "/", "%", "&", "|", "^"})
_TOGETHER = frozenset({"&&", "||", "&", "|", "^"})
_PRIMITIVE = frozenset({*_WHOLE, *_NUMBERS, "boolean"})
_PLAIN = "|".join(sorted((*_PRIMITIVE, "String")))
_BODIES = frozenset({"class_body", "enum_body", "interface_body"})
_LOOP = "enhanced_for_statement"
_WITH_PARAMETERS = frozenset({"method_declaration", "constructor_declaration", "lambda_expression"})
_NOT_ZERO = re.compile(r"[1-9]\d*[lL]?\Z")


def java_functions(root: Node) -> Iterator[tuple[str, Node]]:
    """The methods and constructors of a file's classes, by the names of all of them."""
    stack = [(root, "")]
    while stack:
        node, around = stack.pop()
        if node.kind in _CLASSES or node.kind in _FUNCTIONS:
            name = node.child("name")
            around = f"{around}.{name.text if name is not None else ''}"
        if node.kind in _FUNCTIONS:
            if node.children:
                yield around, node
        else:
            stack.extend((child, around) for child in node.children)


def named_in_java(statement: Node) -> str:
    """The name that `T name = value` declares, with or without `final`."""
    if statement.kind != "local_variable_declaration" or len(statement.children) not in (2, 3):
        return ""
    *words, written, declarator = statement.children
    is_single = written.field == "type" and [child.field for child in declarator.children] == ["name", None, "value"]
    is_plain = all(spelling(word) == "final" for word in words)
    return (declarator.children[0].text or "") if is_single and is_plain else ""


def _parameters(function: Node) -> Iterator[str]:
    """The names of what a method or a lambda takes."""
    for child in function.children:
        if child.field == "parameters":
            yield from (leaf.text or "" for leaf in every_node(child) if leaf.binds)


def _fields_beside(method: Node, root: Node) -> list[Node]:
    """The fields of the class whose method it is."""
    beside = (node.children for node in inner_nodes(root) if any(child is method for child in node.children))
    return [child for child in next(beside, []) if child.kind == "field_declaration"]


def _words(field: Node) -> list[str]:
    """What a field is declared as, without its value."""
    if field.text is not None:
        return field.text.partition("=")[0].split()
    leaves = [leaf for part in field.children for leaf in part.children or [part]]
    return [part.text or spelling(part) for part in leaves]


def _assigned(node: Node) -> Iterator[str]:
    """The variable that an assignment gives another value."""
    if node.kind in ("assignment_expression", "update_expression"):
        targets = (child for child in node.children if child.field != "right" and child.role is Role.NAME)
        yield from (target.text or "" for target in targets)


def _literal(node: Node) -> str | None:
    """The type of a constant; None for what is none."""
    text = (node.text or "").lower()
    if node.kind.endswith("integer_literal"):
        return "long" if text.endswith("l") else "int"
    if node.kind == "decimal_floating_point_literal":
        return "float" if text.endswith("f") else "double"
    return _LITERALS.get(node.kind)


def _promoted(*kinds: str) -> str:
    """What numbers of these types become where they are computed with; empty if one of them is none."""
    if not all(kind in _WHOLE or kind in _NUMBERS for kind in kinds):
        return ""
    return next((kind for kind in _NUMBERS if kind in kinds), "int")


Kind = tuple[str, bool]
"""The type of a value, and whether to compute it may fail."""


def _binary(node: Node, kinds: list[str]) -> Kind:
    sign, number = node.children[1].text or "", _promoted(*kinds)
    is_truth = {*kinds} == {"boolean"}
    if len(kinds) != 2:  # a chain of conditions
        return "boolean" if is_truth and sign in _TOGETHER else "", False
    if sign in _ORDERS:
        return "boolean" if number else "", False
    if sign in ("==", "!="):
        are_objects = not any(kind in _PRIMITIVE for kind in kinds)
        return "boolean" if number or is_truth or are_objects else "", False
    if is_truth:
        return "boolean" if sign in _TOGETHER else "", False
    may_fail = sign in ("/", "%") and number in _WHOLE and not _NOT_ZERO.match(node.children[2].text or "")
    return number if sign in _COMPUTING else "", may_fail


def _unary(node: Node, kinds: list[str]) -> Kind:
    sign = node.children[0].text
    if sign == "!":
        return "boolean" if kinds == ["boolean"] else "", False
    return _promoted(*kinds), False


def _ternary(_node: Node, kinds: list[str]) -> Kind:
    return kinds[1] if kinds[0] == "boolean" and kinds[1] == kinds[2] and len(kinds) == 3 else "", False


def _cast(node: Node, kinds: list[str]) -> Kind:
    written = spelling(node.children[1])
    return written if _promoted(written) and _promoted(*kinds) else "", False


def _element(_node: Node, kinds: list[str]) -> Kind:
    is_element = kinds[0].endswith("[]") and _promoted(kinds[1]) == "int"
    return kinds[0].removesuffix("[]") if is_element else "", True


def _is_instance(node: Node, kinds: list[str]) -> Kind:
    is_plain = len(node.children) == 3 and not any(leaf.binds for leaf in every_node(node))
    return "boolean" if is_plain and kinds[0] not in _PRIMITIVE else "", False


def _of_text(node: Node, kinds: list[str]) -> Kind:
    """What a text is asked, which depends on nothing but the text; a constant is never missing."""
    text, *asked = kinds
    kind, wanted = _OF_TEXTS.get((node.child("name") or node).text or "", ("", ["?"]))
    is_object = wanted == ["Object"] and len(asked) == 1 and asked[0] not in _PRIMITIVE
    is_sure = node.children[0].kind == "string_literal" and wanted in ([], ["Object"])
    return kind if text == "String" and (asked == wanted or is_object) else "", not is_sure


_OF_TEXTS: dict[str, tuple[str, list[str]]] = {
    **{"length": ("int", []), "isEmpty": ("boolean", []), "equals": ("boolean", ["Object"])},
    **{"startsWith": ("boolean", ["String"]), "endsWith": ("boolean", ["String"]), "charAt": ("char", ["int"])},
    **{
        "contains": ("boolean", ["String"]),
        "indexOf": ("int", ["String"]),
        "equalsIgnoreCase": ("boolean", ["String"]),
    },
}


_KINDS: dict[str, Callable[[Node, list[str]], Kind]] = {
    "binary_expression": _binary,
    "unary_expression": _unary,
    "ternary_expression": _ternary,
    "cast_expression": _cast,
    "array_access": _element,
    "instanceof_expression": _is_instance,
    "method_invocation": _of_text,
}
# The fields of what is computed first.
_PARTS = {
    "unary_expression": ("operand",),
    "ternary_expression": ("condition", "consequence", "alternative"),
    "cast_expression": ("value",),
    "array_access": ("array", "index"),
    "instanceof_expression": ("left",),
    "method_invocation": ("object",),
}


def _parts(node: Node) -> list[Node]:
    """What is computed before it."""
    listed = node.child("arguments") if node.kind == "method_invocation" else None
    given = [part for part in listed.children if part.text not in ("(", ",", ")")] if listed is not None else []
    if node.kind == "binary_expression":
        return node.children[::2]  # a chain has several
    return [child for child in node.children if child.field in _PARTS.get(node.kind, ())] + given


class _Computed(Struct, frozen=True):
    """What a value is: its type, whether it reads what may change, and whether to compute it may fail."""

    kind: str
    reads: bool = False
    fails: bool = False


class JavaValues:
    """The values of one method."""

    def __init__(self, method: Node, root: Node) -> None:
        nodes = list(every_node(method))
        self._bound = Counter(leaf.text or "" for leaf in nodes if leaf.binds)
        self._said = Counter(leaf.text or "" for leaf in nodes if leaf.role is Role.NAME)
        self._types: dict[str, str] = {}
        self._scopes: dict[str, list[Node]] = {}
        for node in nodes:
            for index, child in enumerate(node.children):
                if child.kind in _LOCALS:
                    self._note(child, node.children[index:])
            if node.kind in _WITH_PARAMETERS:
                self._scopes.update((name, [node]) for name in _parameters(node))
        hidden = (node for node in nodes if node.kind in _BODIES)
        self._hidden = {leaf.text or "" for body in hidden for leaf in every_node(body)}  # may be members there
        self._assigned = {name for node in nodes for name in _assigned(node)}
        self._final = {named_in_java(node) for node in nodes if len(node.children) == 3}
        self._fields = [" ".join(_words(field)) for field in _fields_beside(method, root)]

    def _note(self, declaration: Node, scope: list[Node]) -> None:
        """The type of a variable, and where it is seen."""
        kind = declaration.child("type")
        written = spelling(kind) if kind is not None else ""
        for child in declaration.children:
            name = child.children[0] if child.kind == "variable_declarator" else child
            has_size = any(part.kind == "dimensions" for part in (*child.children, *declaration.children))
            if name.binds and not has_size and child.field != "type":
                self._types[name.text or ""] = written
                if declaration.kind != "formal_parameter":  # else it is all of the function
                    self._scopes[name.text or ""] = [declaration] if declaration.kind == _LOOP else scope

    def value_of(self, statement: Node) -> KeptValue | None:
        """What `T name = value` gives the name, if to compute it changes nothing, and it is just a `T`."""
        name, value = named_in_java(statement), statement.children[-1].children[2]
        if name in self._assigned or not self.is_own(name):
            return None
        computed = self._computed(value, 0)
        written = spelling(statement.children[-2])
        if computed is None or (computed.kind != written and (written != "var" or computed.kind in ("null", "var"))):
            return None
        operands = {leaf.text or "" for leaf in every_node(value) if leaf.role is Role.NAME}
        is_fixed = operands.isdisjoint(self._assigned)
        return KeptValue(name, value, operands, computed.reads, computed.fails, is_fixed, is_ordered=True)

    def may_stand(self, kept: KeptValue, uses: Sequence[tuple[Node, ...]], following: Sequence[Node]) -> bool:
        """Whether no compiler makes a constant of the value and what is around it, and it fails where it did."""
        may_be_constant = kept.name not in self._final and all(map(self._may_be_constant, kept.operands))
        if may_be_constant and kept.name in folded([*following]):
            return False
        if may_be_constant and any(node.kind == "lambda_expression" for above in uses for node in above):
            return False
        if kept.value.kind == "string_literal" and any(above[-2].kind == "binary_expression" for above in uses):
            return False
        return not kept.fails or is_computed_first(following[0], kept.name)

    def is_total(self, value: Node) -> bool:
        """Whether to compute a value can't fail and changes nothing."""
        return self.does_nothing(value, is_number=True)

    def does_nothing(self, value: Node, is_number: bool) -> bool:
        """Whether a value need not be computed if nothing reads it; `is_number`: a box would be opened for it."""
        computed = self._computed(value, 0)
        return computed is not None and not computed.fails and (not is_number or computed.kind in _PRIMITIVE)

    def is_own(self, name: str) -> bool:
        """Whether wherever the method says a name, it is the one variable that it declares."""
        if self._bound[name] != 1 or name not in self._types or name in self._hidden:
            return False
        leaves = (leaf for part in self._scopes[name] for leaf in every_node(part))
        return sum(leaf.text == name and leaf.role is Role.NAME for leaf in leaves) == self._said[name]

    def _may_be_constant(self, name: str) -> bool:
        return name in self._final or name not in self._types

    def _computed(self, node: Node, depth: int) -> _Computed | None:
        """What a value is, if to compute it changes nothing."""
        if node.role is Role.NAME:
            return self._variable(node.text or "")
        if depth > MAX_DEPTH:
            return None
        if (kind := _literal(node)) is not None:
            return _Computed(kind)
        if node.kind == "field_access":
            return self._member(node)
        parts = [self._computed(part, depth + 1) for part in _parts(node)]
        known = [part for part in parts if part is not None]
        make = _KINDS.get(node.kind)
        if make is None or len(known) < len(parts) or not known:
            return None
        kind, fails = make(node, [part.kind for part in known])
        reads = node.kind == "array_access" or any(part.reads for part in known)
        return _Computed(kind, reads, fails or any(part.fails for part in known)) if kind else None

    def _variable(self, name: str) -> _Computed | None:
        if self.is_own(name):
            return _Computed(self._types[name])
        return None if self._bound[name] else self._field(name)

    def _field(self, name: str) -> _Computed | None:
        """A field of the class that no other thread is said to change."""
        declared = re.compile(rf"(?:\A|\s)({_PLAIN}) {re.escape(name)}(?: =| ;|;|\Z)")
        found = [match[1] for said in self._fields if (match := declared.search(said)) and "volatile" not in said]
        return _Computed(found[0], reads=True) if len(found) == 1 else None

    def _member(self, node: Node) -> _Computed | None:
        """A field of this object, or the length of an array."""
        owner, *_, member = node.children
        if owner.kind == "this" and len(node.children) == 3:
            return self._field(member.text or "")
        is_array = self.is_own(owner.text or "") and self._types[owner.text or ""].endswith("]")
        return _Computed("int", fails=True) if is_array and member.text == "length" else None
