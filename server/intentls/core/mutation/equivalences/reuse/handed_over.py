"""What a call hands over to a function whose body is to stand there: what each parameter is, what is computed.

Names that keep their values meanwhile and constants stand where the parameter does. What has to be computed stands
there, too, if the body uses it once, before it does anything else; else it gets the name of the parameter:

    note(a.b)  for  def note(c): log(c)               is  log(a.b)
    note(a.b)  for  def note(c): log(c); print(c)     is  c = a.b; log(c); print(c)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from intentls.core.mutation.equivalences.assignments import (
    bound_in,
    changes,
    deletes,
    is_assigned_in_another,
    parameter_names,
    sets,
)
from intentls.core.mutation.equivalences.helpers import FUNCTIONS, Helper, Site
from intentls.core.syntax.languages.adapter import NAMED_BY_IT
from intentls.core.syntax.languages.inlining import first_use
from intentls.core.syntax.languages.made_nodes import given_to
from intentls.core.syntax.tree import Node, Role, copy_with, every_node, spelling

BLOCKS = ("block", "statement_block")
LATER = FUNCTIONS | {"generator_expression", "class_body"}

_CONSTANTS = frozenset({"integer", "number", "true", "false", "none", "null", "string", "string_literal"})
_JAVA_CONSTANTS = {"decimal_integer_literal": "int", "true": "boolean", "false": "boolean", "string_literal": "String"}
_OF_LIBRARY = frozenset({"CharSequence", "Collection", "Iterable", "List", "Map", "Object", "Set"})
# What belongs to the place of the argument, is no value of its own, or gives other names a value.
_CLOSED = NAMED_BY_IT | {
    *("assignment_expression", "augmented_assignment_expression", "update_expression", "named_expression", "await"),
    *("await_expression", "yield", "yield_expression", "spread_element", "list_splat", "dictionary_splat"),
    *("keyword_argument", "lambda_expression", "method_reference", "switch_expression", "array_initializer"),
}


class Handed(Struct, frozen=True):
    """By the name of a parameter, what stands in its place; and those that get a value as variables first."""

    values: dict[str, Node]
    computed: dict[str, Node]

    @property
    def said(self) -> set[str | None]:
        """The names in all that is handed over."""
        given = (*self.values.values(), *self.computed.values())
        return {leaf.text for value in given for leaf in every_node(value) if leaf.role is Role.NAME}


class HandedOver:
    """What one call hands over."""

    def __init__(self, helper: Helper, site: Site, moved: Collection[str], language: str) -> None:
        self._helper, self._site, self._moved = helper, site, moved
        self._language, self._is_java = language, language == "Java"
        self._caller = site.outermost

    def handed(self) -> Handed | None:
        """What each parameter is; None where one may be something else than what the call gives."""
        pairs = self._pairs()
        if pairs is None:
            return None
        others = [pair for pair in pairs if not self._is_kept(*pair)]
        values = {name.text or "": argument for name, argument in pairs}
        if not others:
            return Handed(values, {})
        if not all(_is_value(argument) for _, argument in others):
            return None
        names = [name.text or "" for name, _ in others]
        if not self._is_java and self._are_first(names):
            return Handed(values, {})
        said = {leaf.text for leaf in every_node(self._caller) if leaf.role is Role.NAME}
        return (
            None
            if said & {*names}
            else Handed(
                {name: value for name, value in values.items() if name not in names},
                {name: values[name] for name in names},
            )
        )

    def _pairs(self) -> list[tuple[Node, Node]] | None:
        """Each parameter with its argument, in the order of the call."""
        named = {name.text or "": name for name in self._helper.parameters}
        arguments = given_to(self._site.call)
        if len(arguments) != len(named):
            return None
        pairs: list[tuple[Node, Node]] = []
        for parameter, argument in zip(self._helper.parameters, arguments, strict=True):
            is_by_name = argument.kind == "keyword_argument"
            name = named.pop((argument.children[0].text if is_by_name else parameter.text) or "", None)
            if name is None:
                return None
            pairs.append((name, argument.children[-1] if is_by_name else argument))
        return pairs

    def declarations(self, computed: dict[str, Node]) -> list[Node]:
        """Statements that give parameters their values."""
        return [self._declaration(name, value) for name, value in computed.items()]

    def _declaration(self, name: str, value: Node) -> Node:
        row = value.row
        held = copy_with(value, {})
        held.field = "right" if self._language == "Python" else "value"
        sign = Node("=", None, row, "=")
        if self._language == "Python":
            target = Node("identifier", "left", row, name, Role.NAME, binds=True)
            return Node(
                "expression_statement",
                None,
                row,
                children=[Node("assignment", None, row, children=[target, sign, held])],
            )
        target = Node("identifier", "name", row, name, Role.NAME, binds=True)
        declarator = Node("variable_declarator", "declarator" if self._is_java else None, row)
        declarator.children = [target, sign, held]
        if self._is_java:
            return Node("local_variable_declaration", None, row, children=[self._type_of(name), declarator])
        word = "let" if any(changes(part, {name}) for part in self._helper.body) else "const"
        return Node("lexical_declaration", None, row, children=[Node(word, "kind", row, word), declarator])

    def _type_of(self, name: str) -> Node:
        listed = next(part for part in self._helper.node.children if part.kind == "formal_parameters")
        parameter = next(part for part in listed.children if part.children and part.children[-1].text == name)
        return copy_with(next(child for child in parameter.children if child.field == "type"), {})

    def _are_first(self, names: Sequence[str]) -> bool:
        """Whether the body computes these parameters before all else, each once and always, in this order."""
        body = self._helper.body
        uses = [leaf for part in body for leaf in every_node(part) if leaf.role is Role.NAME and leaf.text in names]
        if sorted(leaf.text or "" for leaf in uses) != sorted(names) or any(leaf.binds for leaf in uses):
            return False
        return [leaf.text for leaf in _in_order(body[0]) if leaf.text in names and leaf.role is Role.NAME] == [
            *names
        ] and all(first_use(body[0], name, self._moved) is not None for name in names)

    def _is_kept(self, name: Node, argument: Node) -> bool:
        """Whether an argument has the same value wherever the parameter stands."""
        if self._is_java:
            is_seen_so = name.origin.partition("<")[0] in _OF_LIBRARY and self._is_asked_alone(name.text or "")
            return self._is_of_type(name.origin, argument) or (is_seen_so and self._is_variable(argument))
        if argument.kind in _CONSTANTS:
            return all(node.kind in _CONSTANTS | {"content"} for node in every_node(argument))
        if argument.role is not Role.NAME or argument.text is None:
            return False
        later = any(
            leaf.text == name.text
            for part in self._helper.body
            for inner in every_node(part)
            if inner.kind in LATER
            for leaf in every_node(inner)
        )
        return self._is_set(argument.text) and (not later or self._is_steady(argument.text))

    def _is_asked_alone(self, name: str) -> bool:
        """Whether the body only asks a parameter for what needs no argument, and whether it is there.

        What such an interface has, each of its types does in the same way, whatever it is known as.
        """
        parts = (part for statement in self._helper.body for part in every_node(statement))
        holders = [(part, leaf) for part in parts for leaf in part.children if leaf.text == name]
        return all(
            leaf.role is Role.NAME
            and (
                (part.kind == "method_invocation" and leaf.field == "object" and len(part.children[-1].children) == 2)
                or (part.kind == "binary_expression" and part.children[2].kind == "null_literal")
            )
            for part, leaf in holders
        )

    def _is_variable(self, argument: Node) -> bool:
        """Whether it is a variable of the caller alone."""
        binds = sum(leaf.binds and leaf.text == argument.text for leaf in every_node(self._caller))
        return argument.role is Role.NAME and binds == 1

    def _is_of_type(self, kind: str, argument: Node) -> bool:
        """Whether Java knows the argument by the very type of the parameter."""
        if argument.role is not Role.NAME:
            return _JAVA_CONSTANTS.get(argument.kind) == kind and bool(kind)
        nodes = [node for node in every_node(self._caller) if any(declares(child, argument) for child in node.children)]
        binds = sum(leaf.binds and leaf.text == argument.text for leaf in every_node(self._caller))
        return "".join(map(type_of, nodes)) == kind and binds == 1

    def _is_steady(self, name: str) -> bool:
        """Whether a name is given its value once, before all else: a parameter that nothing changes."""
        binds = sum(leaf.binds and leaf.text == name for leaf in every_node(self._caller))
        return binds == 1 and name in parameter_names(self._caller) and not changes(self._caller, {name})

    def _is_set(self, name: str) -> bool:
        """Whether a name of the caller alone has a value whenever the call is reached."""
        if is_assigned_in_another(self._caller, name) or any(deletes(node, name) for node in every_node(self._caller)):
            return False
        above = (*self._site.above, self._site.call)
        for inner, outer in zip(reversed(above), reversed(above[:-1]), strict=False):
            if outer.kind in FUNCTIONS and name in parameter_names(outer):
                return True
            if inner.field == "body" and name in bound_in(outer.child("left")):
                return True
            if outer.kind.endswith("comprehension") and inner.kind != "for_in_clause" and name in bound_in(outer):
                return True
            if outer.kind in BLOCKS:
                at = next(number for number, child in enumerate(outer.children) if child is inner)
                if any(sets(child, name) for child in outer.children[:at]):
                    return True
            if outer.kind in FUNCTIONS and name in bound_in(outer):
                return False
        return False


def _is_value(argument: Node) -> bool:
    """Whether it may be computed anywhere in the function, and gives no name a value."""
    return not any(node.kind in _CLOSED or node.binds for node in every_node(argument))


def _in_order(root: Node) -> list[Node]:
    """All leaves, in the order of the source."""
    leaves: list[Node] = []
    stack = [root]
    while stack:
        node = stack.pop()
        leaves += [node] if node.text is not None else []
        stack.extend(reversed(node.children))
    return leaves


def type_of(node: Node) -> str:
    """The type of a result, or of what is declared, as it is spelled; empty where there is none."""
    return "".join(spelling(child) for child in node.children if child.field == "type")


def declares(child: Node, name: Node) -> bool:
    """Whether what has a type has this part to declare the name: a parameter, or a local with others."""
    declared = child.children[0] if child.kind == "variable_declarator" else child
    return declared.binds and declared.text == name.text
