"""Values of JavaScript that are the same wherever they are computed: what is asked of names without calling anything.

typeof a === "string" && !b
"""

from __future__ import annotations

from intentls.core.syntax.languages.javascript.forms import OWN_SCOPE, assigned
from intentls.core.syntax.languages.plain_values import PlainValues
from intentls.core.syntax.tree import Node, Role

_CONSTANTS = frozenset({"string", "number", "true", "false", "null"})
_SIGNS = frozenset({"===", "!==", "&&", "||"})


def is_plain(value: Node) -> bool:
    """Whether a value is made of constants and names by what calls nothing: `==`, `<` and `+` may call `valueOf`."""
    stack = [value]
    while stack:
        node = stack.pop()
        if node.kind in _CONSTANTS or (node.kind == "identifier" and node.role is Role.NAME):
            continue
        parts = node.children
        if node.kind == "binary_expression" and len(parts) == 3 and parts[1].kind in _SIGNS:
            stack += [parts[0], parts[2]]
        elif node.kind == "unary_expression" and len(parts) == 2 and _may_stand_before(parts[0].kind, parts[1]):
            stack.append(parts[1])
        else:
            return False
    return True


def _may_stand_before(word: str, operand: Node) -> bool:
    return word in ("!", "typeof") or (word == "-" and operand.kind == "number")


PLAIN_VALUES = PlainValues(
    functions=OWN_SCOPE - {"class", "class_declaration", "abstract_class_declaration"},
    parameters=frozenset({"formal_parameters"}),
    holding=frozenset({"lexical_declaration", "for_in_statement"}),
    dynamic=frozenset({"eval", "arguments", "with"}),
    is_plain=is_plain,
    changed=assigned,
)
