"""Where `final` means nothing: what it forbids is not done anyway, as both versions compile, and it makes no constant.

A variable with `final` is a constant if its type is a number, a character, a truth or a `String`, and its value is made
of constants alone. A constant may choose another type in `a ? b : c`, becomes a part of a text at once (so that `==`
finds the same text), and may be a label.
"""

from __future__ import annotations

from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

# A value with one of these in it is no constant.
_COMPUTED = frozenset(
    {
        *("method_invocation", "object_creation_expression", "array_creation_expression", "array_access", "this"),
        *("null_literal", "lambda_expression", "method_reference", "class_literal", "instanceof_expression"),
        *("assignment_expression", "update_expression", "array_initializer", "switch_expression"),
    }
)
_PRIMITIVE = frozenset({"integral_type", "floating_point_type", "boolean_type"})
_OPEN = frozenset({"String", "java.lang.String", "var"})
_FINAL = frozenset({"final"})


def may_be_constant(declaration: Node) -> bool:
    """Whether a compiler may put the value of a variable in the place of its name, if the variable is `final`."""
    written = declaration.child("type")
    if written is not None and written.kind not in _PRIMITIVE and spelling(written) not in _OPEN:
        return False
    values = (child.child("value") for child in declaration.children if child.kind == "variable_declarator")
    return any(value is not None and not _is_computed(value) for value in values)


def _is_computed(value: Node) -> bool:
    return any(node.kind in _COMPUTED for node in every_node(value))


def drop_final(member: Node) -> None:
    """Without the `final` of a private method or class, or of a field of the package's own that is no constant."""
    modifiers = next((child for child in member.children if child.kind == "modifiers"), None)
    words = {child.text or "@" for child in modifiers.children} if modifiers is not None else set()
    is_field = member.kind == "field_declaration" and words.isdisjoint(("@", "public", "protected"))
    is_hidden = member.kind in ("method_declaration", "class_declaration") and "private" in words
    if is_hidden or (is_field and not may_be_constant(member)):
        drop_words(member, _FINAL)


def drop_final_of_locals(block: Node) -> None:
    """Without the `final` of local constants that are nowhere an operand of `+` or `a ? b : c`, nor in a label."""
    for index, statement in enumerate(block.children):
        modifiers = statement.children[0] if statement.kind == "local_variable_declaration" else statement
        if modifiers.kind == "modifiers" and any(child.text == "final" for child in modifiers.children):
            names = {child.children[0].text for child in statement.children if child.kind == "variable_declarator"}
            if names.isdisjoint(folded(block.children[index:])):
                drop_words(statement, _FINAL)


def folded(statements: list[Node]) -> set[str | None]:
    """The names in whatever a compiler may make one constant of: `a` in `"x" + a`, in `b ? a : c`, in a label."""
    return {
        leaf.text
        for statement in statements
        for node in inner_nodes(statement)
        if node.kind in ("ternary_expression", "switch_label") or _is_sum(node)
        for leaf in every_node(node)
        if leaf.role is Role.NAME
    }


def _is_sum(node: Node) -> bool:
    is_operation = node.kind in ("binary_expression", "assignment_expression") and len(node.children) > 1
    return is_operation and node.children[1].text in ("+", "+=")


def drop_words(node: Node, words: frozenset[str]) -> None:
    """The declaration without these modifiers."""
    modifiers = next((child for child in node.children if child.kind == "modifiers"), None)
    if modifiers is not None and modifiers.children:
        modifiers.children = [child for child in modifiers.children if child.text not in words]
        if not modifiers.children:
            node.children = [child for child in node.children if child is not modifiers]
