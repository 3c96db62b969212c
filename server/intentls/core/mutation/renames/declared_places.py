"""Where a declaration stands: in a function, in a class, as the field that an object gives itself, or at the top."""

from __future__ import annotations

import builtins
import re

from intentls.core.mutation.names.class_bases import is_anonymous, is_owner
from intentls.core.mutation.names.tree_names import Place
from intentls.core.syntax.tree import Node

FUNCTIONS = re.compile(r"(function|method).*(definition|declaration|item|elem|signature\w*)\Z")
MEMBERS = ("attribute", "member_expression", "field_access", "selector_expression", "field_expression")
OWN = frozenset({"self", "cls", "this", "super", "Self"})
_ASSIGNMENTS = ("assignment", "assignment_expression")
_BUILTINS = frozenset(dir(builtins))


def may_change(old: str, new: str) -> bool:
    """Whether neither name is built into Python or called by it."""
    return not {old, new} & _BUILTINS and not any(word.startswith("__") for word in (old, new))


def is_case_kept(old: str, new: str) -> bool:
    """Whether both begin with a capital, or neither does: that may say who sees them."""
    return old[:1].isupper() == new[:1].isupper()


def is_own_field(place: Place) -> bool:
    """Whether it is what `self.name = value` gives to an object of its own."""
    member = place.holder()
    is_target = member.kind in MEMBERS and member.field == "left" and member.children[-1] is place.leaf
    return is_target and member.children[0].text in OWN and place.holder(2).kind in _ASSIGNMENTS


def is_local(place: Place, declaration: Node) -> bool:
    """Whether it is declared in a function, and not as a field."""
    above = place.above[: place.above.index(declaration)]
    return not is_own_field(place) and any(FUNCTIONS.search(node.kind) for node in above)


def is_parameter(declaration: Node) -> bool:
    """Whether a declaration is one of a function's parameters."""
    return declaration.kind.endswith(("parameter", "parameters"))


def owner_of(place: Place, declaration: Node) -> Node | None:
    """The class whose member it is; None for what is none."""
    above = place.above[: place.above.index(declaration)]
    nearest = next((node for node in reversed(above) if is_anonymous(node) or FUNCTIONS.search(node.kind)), None)
    if nearest is not None and is_anonymous(nearest):
        return nearest
    if not is_own_field(place) and is_local(place, declaration):
        return None
    return next((node for node in reversed(above) if is_owner(node)), None)
