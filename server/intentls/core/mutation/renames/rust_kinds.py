"""Rust: a method or a field is asked for by a dot, a function of a module by its name alone: neither is ever the other.

impl Printer { fn preview(&mut self, a: bool) { self.preview = a } }     a method and a field
#[test] fn preview() { printer().preview(true) }                         a function
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from intentls.core.mutation.names.tree_names import Place
from intentls.core.syntax.tree import every_node, spelling

_HOLDERS = ("impl_item", "trait_item")


def share_in_rust(places: Sequence[Place], others: Iterable[Place]) -> list[Place]:
    """Those of `others` that may mean the same as one of `places`, which are all of one name."""
    is_member = all(map(_is_member, places))
    return [place for place in others if not (is_member and _is_plain(place))]


def _is_member(place: Place) -> bool:
    return place.leaf.kind == "field_identifier" or (_is_function(place) and place.holder(3).kind in _HOLDERS)


def _is_plain(place: Place) -> bool:
    """Whether it is a function of a module, or a call of one."""
    is_called = place.leaf.field == "function" and place.leaf.kind == "identifier"
    return is_called or (_is_function(place) and place.holder(3).kind not in _HOLDERS)


def _is_function(place: Place) -> bool:
    return place.holder().kind == "function_item" and place.leaf.field == "name"


def is_field_within(place: Place) -> bool:
    """Whether it is what a structure of the file has, which a field of `self` holds: `self.config.preview = a`."""
    member = place.holder()
    receiver = member.children[0]
    is_of_self = receiver.kind == "field_expression" and receiver.children[0].text == "self"
    if not is_of_self or member.kind != "field_expression" or member.field == "function":
        return False
    fields: dict[str, dict[str, str]] = {}
    for node in every_node(place.above[0]):
        name = node.child("name") if node.kind == "struct_item" else None
        if name is not None:
            declared = (part for part in every_node(node) if part.kind == "field_declaration")
            pairs = ((part.child("name"), part.child("type")) for part in declared)
            own = {
                spelling(field): spelling(type_) for field, type_ in pairs if field is not None and type_ is not None
            }
            fields[name.text or ""] = {} if (name.text or "") in fields else own
    types = {own[held] for own in fields.values() if (held := receiver.children[-1].text or "") in own}
    return bool(types) and all(place.word in fields.get(type_, ()) for type_ in types)
