"""Methods that an interface, an abstract class or a trait asks for: who has one takes what it has to take now.

    a.rs   trait Shape { fn draw(&mut self, to: &Out); }      trait Shape { fn draw(&self, to: &Out, at: Point); }
    b.rs   impl Shape for Dot {                               impl Shape for Dot {
               fn draw(&mut self, to: &Out) { .. }                fn draw(&self, to: &Out, _: Point) { .. }

b.rs does what it did: it does not ask for what is new, and looks into its fields alone, whose types tell what is
called. What callers are told is told of a.rs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from posixpath import splitext

from msgspec import Struct, field

from intentls.core.mutation.calls.idle_parameters import name_asked_for, says
from intentls.core.mutation.calls.parameters import (
    CALLS,
    Trees,
    differing,
    each_parameter,
    give_parameters,
    listed_parameters,
)
from intentls.core.mutation.names.tree_names import content_with
from intentls.core.syntax.tree import Node, all_said, every_node, inner_nodes, spelling

_CONTRACTS = frozenset({"trait_item", "interface_declaration", "class_declaration", "type_spec"})
_ASKED_FOR = frozenset({"function_signature_item", "function_item", "method_declaration", "method_elem"})
_BODIES = frozenset({"declaration_list", "class_body", "interface_body", "interface_type"})
_BEFORE_CALLS = frozenset({"return", "new", "else", "throw", "yield", "assert", "case"})
_OVERRIDES = "@Override"
_MARKED = re.compile("annotation|attribute")


class Contract(Struct, frozen=True):
    """What asks for a method, and its name."""

    owner: str
    name: str


Changed = tuple[tuple[int, ...], tuple[int, ...]]
"""The places of what only one side takes, before and after."""


class Contracts(Struct, frozen=True):
    """The methods that take something else now, and the files that ask for them."""

    methods: Mapping[Contract, Changed] = field(default_factory=dict)
    homes: frozenset[str] = frozenset()

    def settle(self, old: Node, new: Node, path: str) -> Iterator[str]:
        """Bring the methods in both trees of a file into one form. The reasons, if it has some."""
        for contract, changed in self.methods.items() if path not in self.homes else ():
            count = 0
            for root, places in zip((old, new), changed, strict=True):
                for method in _implementations(root, contract, path):
                    _settle(method, places, path)
                    count += 1
            if count:
                yield f"follows what {contract.owner}.{contract.name} takes"


def changed_contracts(trees: Trees) -> Contracts:
    """What a change set has of them."""
    methods: dict[Contract, Changed] = {}
    homes: set[str] = set()
    for path, old, new in trees:
        if old is None or new is None or splitext(path)[1] not in (".rs", ".java", ".go"):
            continue
        had, has = _asked(old), _asked(new)
        for contract in [contract for contract in had if contract in has]:
            before, after = had[contract], has[contract]
            changed = None if before is None or after is None else _changed(before, after)
            if changed is not None:
                methods[contract] = changed
                homes.add(path)
    return Contracts(methods, frozenset(homes))


def _changed(old: Node, new: Node) -> Changed | None:
    """What two declarations of a method take that the other does not; None if that can't be told, or is nothing."""
    had, has = listed_parameters(old), listed_parameters(new)
    said = {content_with(method.child("parameters") or method, {}) for method in (old, new)}
    if had is None or has is None or len(said) == 1:
        return None
    if len(had) == len(has):
        places = tuple(at for at, pair in enumerate(zip(had, has, strict=True)) if pair[0] != pair[1])
        return places, places
    alone = differing(had, has)
    return None if alone is None else (alone[0].places, alone[1].places)


def _asked(root: Node) -> dict[Contract, Node | None]:
    """The declaration of each method that a file asks for; None for several of one name."""
    found: dict[Contract, Node | None] = {}
    for holder in inner_nodes(root):
        owner = holder.child("name")
        if holder.kind not in _CONTRACTS or owner is None:
            continue
        for body in (child for child in holder.children if child.kind in _BODIES):
            for method in body.children:
                name = method.child("name")
                is_open = holder.kind != "class_declaration" or "abstract" in _modifiers(method)
                if method.kind in _ASKED_FOR and is_open and name is not None:
                    contract = Contract(owner.text or "", name.text or "")
                    found[contract] = None if contract in found else method
    return found


def _modifiers(method: Node) -> set[str]:
    marks = [mark for child in method.children[:1] if child.kind == "modifiers" for mark in child.children]
    return {spelling(mark) for mark in marks}


def _implementations(root: Node, contract: Contract, path: str) -> Iterator[Node]:
    """The methods with a body that a file has because of what asks for them, each the only one of its name there."""
    for holder in inner_nodes(root):
        if path.endswith(".rs"):
            trait = holder.child("trait") if holder.kind == "impl_item" else None
            if trait is None or _name_of_trait(trait) != contract.owner:
                continue
        if holder.kind not in ("impl_item", "class_body", "source_file"):
            continue
        body = holder.child("body") or holder
        same = [node for node in body.children if (name := node.child("name")) and name.text == contract.name]
        if path.endswith(".java") and (len(same) > 1 or any(_has_one(node, contract.name) for node in body.children)):
            continue
        yield from (node for node in same if node.child("body") is not None and _is_asked_for(node, path))


def _has_one(leaf: Node, name: str) -> bool:
    """Whether what is the same on both sides may declare a method of the name."""
    found = re.findall(rf"([\w>\]]+)\s+{re.escape(name)}\s*\(", leaf.text or "")
    return any(word not in _BEFORE_CALLS for word in found)


def _name_of_trait(trait: Node) -> str | None:
    """Its name, without its path and what stands in angle brackets."""
    named = trait.child("type") or trait
    return (named.child("name") or named).text


def _is_asked_for(method: Node, path: str) -> bool:
    """Whether its parameters are not its own: in Go no other package sees it."""
    if path.endswith(".java"):
        return method.kind == "method_declaration" and _OVERRIDES in _modifiers(method)
    if path.endswith(".rs"):
        return method.kind == "function_item"
    receiver = method.child("receiver") if method.kind == "method_declaration" else None
    types = (
        [] if receiver is None else [leaf.text or "" for leaf in every_node(receiver) if leaf.kind == "type_identifier"]
    )
    name = method.child("name")
    return bool(types) and name is not None and not (types[0][:1].isupper() and (name.text or "")[:1].isupper())


def _settle(method: Node, places: Sequence[int], path: str) -> None:
    """Take out of a method what only one side takes, if it does not ask for it, and that it may change itself."""
    body = method.child("body")
    said = "" if body is None else all_said(body)
    parts = enumerate(each_parameter(method))
    give_parameters(method, [part for at, part in parts if at not in places or _is_asked(part, said, path)])
    receiver = next((part for part in every_node(method) if part.kind == "self_parameter"), None)
    if receiver is not None and body is not None and spelling(receiver) == "&mutself" and _sees_fields_alone(body):
        receiver.children = [part for part in receiver.children if part.kind != "mutable_specifier"]


def _is_asked(part: Node, said: str, path: str) -> bool:
    """Whether a body that says this may ask for a parameter, or something else may."""
    if any(node.kind in CALLS or _MARKED.search(node.kind) for node in every_node(part)):
        return True
    name = name_asked_for(part, path)
    return name is None or (bool(name) and says(said, name))


def _sees_fields_alone(body: Node) -> bool:
    """Whether nothing but fields is taken of `self`: there the types tell what happens, however it is borrowed."""
    for node in inner_nodes(body):
        is_field = node.kind == "field_expression" and node.field != "function"
        for child in node.children:
            if child.text == "self" and not (is_field and child is node.children[0]):
                return False
    return True
