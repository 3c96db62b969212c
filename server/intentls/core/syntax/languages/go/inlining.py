"""Go: a local name for a value that is used once, in the next statement, with and without the name.

    missing := len(list)                 if len(list) == 1 {
    if missing == 1 {                        return first(list)
        return first(list)               }
    }

The value is computed before all else that the next statement does but for what looks names up that it can't change.
What may be a constant, whose type a name decides, stays where something is computed with it; what has an address stays
where a method may take that.
"""

from __future__ import annotations

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.languages.go.local_names import LocalNames, local_names, mentions
from intentls.core.syntax.languages.inlining import REASON
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes

__all__ = ["REASON", "inlined"]

_HOLDERS = frozenset({"block", "expression_case", "default_case", "type_case", "communication_case"})
_FUNCTIONS = frozenset({"function_declaration", "method_declaration"})
_MAX_DEPTH = 40
# The field of a statement that is computed first; none: all of it is.
_HEADS = {
    **dict.fromkeys(("expression_statement", "return_statement", "go_statement", "defer_statement"), ""),
    **dict.fromkeys(("short_var_declaration", "assignment_statement"), "right"),
    **{"if_statement": "condition", "expression_switch_statement": "value", "range_clause": "right"},
}
_LOGIC = frozenset({"&&", "||"})
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_ACTS = frozenset({"call_expression", "type_conversion_expression"})
# Values without an address, of which a method can't change the variable that they come from.
_FRESH = frozenset({"call_expression", "type_assertion_expression", "type_conversion_expression", "composite_literal"})
_OWNED = frozenset({"selector_expression", "index_expression", "slice_expression"})
_QUIET = frozenset({"make", "new", "len", "cap"})
_CLOSED = frozenset({"func_literal", "block", "type_conversion_expression"})


def inlined(root: Node) -> None:
    """A `Rewrite`: put such values in the place of their names."""
    packages = {child.children[-1].text or "" for child in root.children if child.kind == "import_item"}
    for function in root.children:
        if function.kind in _FUNCTIONS and function.children:
            local = local_names(function)
            for holder in reversed(list(inner_nodes(function))):
                if holder.kind in _HOLDERS:
                    _inline_in(holder, local, packages)
                elif holder.kind == "if_statement":
                    _inline_condition(holder, local, packages)


def _inline_in(holder: Node, local: LocalNames, packages: set[str]) -> None:
    for index in range(len(holder.children) - 1, 0, -1):  # the last first: a value may take another one's
        statement, following = holder.children[index - 1 : index + 1]
        named = _named_value(statement, holder)
        if named is None:
            continue
        loop = next((child for child in following.children if child.kind == "range_clause"), following)
        place = _first_use(loop, named, local, packages) if following.child("initializer") is None else None
        if place is not None:
            _put(place, named[1])
            del holder.children[index - 1]


def _inline_condition(branch: Node, local: LocalNames, packages: set[str]) -> None:
    """The same of `if a := f(); a == 1 {`."""
    before = branch.child("initializer")
    named = None if before is None else _named_value(before, branch)
    place = None if named is None else _first_use(branch, named, local, packages)
    if place is not None and named is not None:
        _put(place, named[1])
        branch.children = [child for child in branch.children if child is not before and child.kind != ";"]


def _put(place: tuple[Node, int], value: Node) -> None:
    parent, index = place
    parent.children[index] = in_place_of(parent.children[index], value)


def _named_value(statement: Node, scope: Node) -> tuple[str, Node] | None:
    """The name and the value of `name := value`, if its scope says the name once more."""
    if statement.kind != "short_var_declaration" or any(len(statement.children[at].children) != 1 for at in (0, 2)):
        return None
    target, value = statement.children[0].children[0], statement.children[2].children[0]
    name = target.text or ""
    shifts = any(leaf.text in ("<<", ">>") for leaf in every_node(value))
    return None if shifts or mentions(scope, name) != 2 else (name, value)


def _acts(value: Node, local: LocalNames) -> bool:
    """Whether to compute the value may change something: if it calls what is not known to leave all as it is."""
    calls = (node for node in every_node(value) if node.kind in _ACTS)
    known = all(node.children[0].text in _QUIET and not local.bound[node.children[0].text or ""] for node in calls)
    return not known or any(node.text == "<-" for node in every_node(value))


def _first_use(
    statement: Node, named: tuple[str, Node], local: LocalNames, packages: set[str]
) -> tuple[Node, int] | None:
    """Where the name may be replaced by the value."""
    name, value = named
    above = first_use(statement, name, local, packages, acts=_acts(value, local))
    if above is None:
        return None
    index = next(at for at, child in enumerate(above[-1].children) if child.text == name)
    return (above[-1], index) if _may_stand(above, above[-1].children[index], value) else None


def first_use(statement: Node, name: str, local: LocalNames, packages: set[str], *, acts: bool) -> list[Node] | None:
    """What a name stands in, the statement first, if it is computed there before all else, and always.

    `acts`: to compute it may change something.
    """
    head = _HEADS.get(statement.kind)
    index = next((at for at, child in enumerate(statement.children) if child.field == head), -1) if head else 0
    if head is None or index < 0 or (head and not _are_plain(_before(statement, index), acts, local)):
        return None
    above: list[Node] = []
    node = statement
    while len(above) < _MAX_DEPTH and node.text is None and node.kind not in _CLOSED:
        if not head or node is not statement:
            index = _next(node, name, acts, local, packages)
        if index < 0:
            return None
        is_settled = (head and node is statement) or node.children[
            min(index + 1, len(node.children) - 1)
        ].text in _LOGIC
        rest = node.children[index + 1 :] if acts and not is_settled else []
        if not all(_is_settled(child, local, packages) for child in rest):
            return None
        above.append(node)
        node = node.children[index]
        if node.text == name and node.role is Role.NAME and not node.binds:
            return above
    return None


def _before(statement: Node, index: int) -> list[Node]:
    """What stands before the value, but for what gives the name its value."""
    return [child for child in statement.children[:index] if child.field != "initializer"]


def _are_plain(parts: list[Node], acts: bool, local: LocalNames) -> bool:
    """Whether what stands on the left computes nothing."""
    leaves = [leaf for part in parts for leaf in (part.children or [part])]
    is_read = parts[-1].text not in ("=", ":=", "range", "if", "switch", ";")  # of `a += b`
    names = [leaf.text for leaf in leaves if leaf.role is Role.NAME]
    return all(leaf.text is not None for leaf in leaves) and not (
        is_read and acts and not all(map(local.is_own, names))
    )


def _next(node: Node, name: str, acts: bool, local: LocalNames, packages: set[str]) -> int:
    """The part with the name, if all parts before it are still; -1 if not."""
    for index, child in enumerate(node.children):
        if any(leaf.text == name and leaf.role is Role.NAME for leaf in every_node(child)):
            is_later = index > 0 and any(part.text in _LOGIC for part in node.children[:index])
            return -1 if is_later else index
        if not _is_still(child, acts, local, packages):
            return -1
    return -1


def _is_still(part: Node, acts: bool, local: LocalNames, packages: set[str]) -> bool:
    """Whether it computes nothing that the value may change: a sign, a constant, a name, what is called by its name."""
    if part.text is not None:
        is_free = part.role is not Role.NAME or local.is_own(part.text) or not acts
        return is_free or part.field == "function" or part.text in packages
    if part.kind in ("literal_element", "literal_key", "keyed_element"):
        return all(_is_still(child, acts, local, packages) for child in part.children)
    if part.kind == "selector_expression":
        base = part.children[0]
        is_known = base.text in packages or local.is_own(base.text)
        return base.text is not None and is_known and (part.field == "function" or (base.text in packages and not acts))
    return False


def _is_settled(root: Node, local: LocalNames, packages: set[str]) -> bool:
    """Whether what is computed beside the value reads nothing that it may change: Go does not say which is first."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.kind == "func_literal":
            continue
        if node.kind == "selector_expression" and node.field != "function" and node.children[0].text not in packages:
            return False
        if node.kind in ("index_expression", "slice_expression") or node.text in ("*", "<-"):
            return False
        is_free = node.role is not Role.NAME or node.kind == "type_identifier" or node.field == "function"
        if not is_free and not local.is_own(node.text) and node.text not in packages:
            return False
        stack.extend(node.children)
    return True


def _may_stand(above: list[Node], use: Node, value: Node) -> bool:
    """Whether the value is the same there: not a constant with which something is computed, nor one without address."""
    parent = above[-1]
    if parent.kind in _OWNED and parent.children[0] is use:
        is_new = value.kind in _FRESH or (value.kind == "unary_expression" and value.children[0].text != "*")
        return is_new and parent.kind != "slice_expression"
    if parent.kind == "unary_expression" and parent.children[0].text == "&":
        return False
    is_constant = not any(
        node.kind in _FRESH or node.kind in ("func_literal", "index_expression") for node in every_node(value)
    )
    for node in above:
        sign = node.children[1].text if node.kind == "binary_expression" else ""
        counts = node.kind == "binary_expression" and sign not in _COMPARISONS and sign not in _LOGIC
        if is_constant and (counts or (node.kind == "unary_expression" and node.children[0].text != "!")):
            return False
    return True
