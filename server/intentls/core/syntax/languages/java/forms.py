"""Java that is written in another way and does the same: one form for each of these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.languages.branches import SURE, Branches, are_apart
from intentls.core.syntax.languages.chosen import Choices, returned, returning
from intentls.core.syntax.languages.java.finals import drop_final, drop_final_of_locals, drop_words, may_be_constant
from intentls.core.syntax.languages.java.functions import in_arrow_form, without_block
from intentls.core.syntax.languages.java.known_types import (
    LOCAL,
    OF_RESULT,
    declared_variable,
    given_value,
    giving,
    one_variable,
    without_value,
    written_type,
)
from intentls.core.syntax.languages.java.members import BODIES, without_class_name, without_own_names
from intentls.core.syntax.languages.logic import Logic, affirmed, denied
from intentls.core.syntax.languages.tails import has_no_name_of
from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

HIDDEN = "fields that only their class sees"

_METHODS = frozenset({"method_declaration", "constructor_declaration", "lambda_expression"})
_CREATION = "object_creation_expression"
# A resource is final anyway.
_FINAL = frozenset(
    {"formal_parameter", "catch_formal_parameter", "enhanced_for_statement", "spread_parameter", "resource"}
)
# What stands in an interface is all of these.
_IN_INTERFACES = {
    "method_declaration": frozenset({"public", "abstract"}),
    "constant_declaration": frozenset({"public", "static", "final"}),
}
# A class of one of these kinds is static within another one.
_STATIC = frozenset({"enum_declaration", "interface_declaration", "record_declaration"})


def modernized(root: Node) -> None:
    """A `Rewrite`: `final` of parameters, words that say what is so anyway, `<>`, a local that is only returned."""
    for node in inner_nodes(root):
        if (shape := _SHAPES.get(node.kind)) is not None:
            shape(node)
        if node.kind in _FINAL or (node.kind == "local_variable_declaration" and not may_be_constant(node)):
            drop_words(node, frozenset({"final"}))
        elif node.kind in ("interface_body", "class_body", "enum_body_declarations"):
            for child in node.children:
                words = _IN_INTERFACES.get(child.kind) if node.kind == "interface_body" else None
                drop_words(child, words or frozenset({"static"} if child.kind in _STATIC else ()))
                drop_final(child)
            without_own_names(node)
        elif node.kind in _LISTS:
            drop_final_of_locals(node)
        if node.kind in ("local_variable_declaration", "field_declaration"):
            _infer_type(node)
        elif node.kind in ("class_declaration", "enum_declaration"):
            without_class_name(node)
    for method in inner_nodes(root):
        if method.kind == "method_declaration":
            _return_at_once(method)
            _returned(method)


def _constructor(body: Node) -> None:
    """A constructor begins with `super()` anyway."""
    if len(body.children) > 2 and spelling(body.children[1]) == "super();":
        del body.children[1]


def _creation(node: Node) -> None:
    """`int[] a = {1}` for `int a[] = new int[] {1}`."""
    for declarator in [child for child in node.children if child.kind == "variable_declarator"]:
        _move_dimensions(node, declarator)
        written = node.child("type")
        value = declarator.child("value")
        if value is None or value.kind != "array_creation_expression" or len(value.children) != 4 or written is None:
            continue
        created = "".join(spelling(part) for part in value.children[1:3])
        if value.children[3].kind == "array_initializer" and created == spelling(written):
            declarator.children[-1] = in_place_of(value, value.children[3])


def _move_dimensions(node: Node, declarator: Node) -> None:
    """`int[] a` for `int a[]`, where it is the only one that is declared."""
    written, dimensions = node.child("type"), declarator.child("dimensions")
    is_alone = sum(child.kind == "variable_declarator" for child in node.children) < 2
    if written is None or dimensions is None or not is_alone or written.kind == "array_type":
        return
    declarator.children = [child for child in declarator.children if child is not dimensions]
    index = next(number for number, child in enumerate(node.children) if child is written)
    whole = Node("array_type", "type", written.row, children=[written, dimensions])
    written.field = "element"
    node.children[index] = whole


def _parameter(node: Node) -> None:
    _move_dimensions(node, node)


def _annotation(node: Node) -> None:
    """`@A` for `@A()`, and `@A(b)` for `@A(value = b)`."""
    arguments = node.child("arguments")
    parts = [] if arguments is None else arguments.children[1:-1]
    if not parts:
        node.kind, node.children = "marker_annotation", node.children[:2]
    elif len(parts) == 1 and parts[0].kind == "element_value_pair" and parts[0].children[0].text == "value":
        node.children[-1].children[1] = parts[0].children[2]
        parts[0].children[2].field = None


def _assignment(node: Node) -> None:
    if node.children[1].text == "=":
        _without_arguments(node.children[2])


_SHAPES: dict[str, Callable[[Node], None]] = {
    "constructor_body": _constructor,
    "local_variable_declaration": _creation,
    "field_declaration": _creation,
    "formal_parameter": _parameter,
    "annotation": _annotation,
    "assignment_expression": _assignment,
    "lambda_expression": without_block,
    _CREATION: in_arrow_form,
}


def without_private_fields(root: Node) -> None:
    """A `Rewrite`: a field without a word for who sees it is as one that is private, if both compile.

    Only the package sees it, and what is there is the repository's own. Which field is meant is known to the compiler;
    methods are chosen by the object. An annotation may tell a framework to look.
    """
    for body in (node for node in inner_nodes(root) if node.kind == "class_body"):
        for member in body.children:
            modifiers = next((child for child in member.children if child.kind == "modifiers"), None)
            if member.kind == "field_declaration" and modifiers is not None and "@" not in spelling(modifiers):
                drop_words(member, frozenset({"private"}))


_LISTS = frozenset({"block", "constructor_body", "switch_block_statement_group"})


def without_unread_names(root: Node) -> None:
    """A `Rewrite`: `new A(b);` for `A a = new A(b);`, if nothing else in the method is called `a`.

    A new object is what it is: to keep it converts nothing and checks nothing. Not with `<>`, which asks for the type
    that is declared.
    """
    for method in (
        node for node in inner_nodes(root) if node.kind in ("method_declaration", "constructor_declaration")
    ):
        words: Counter[str | None] | None = None
        for block in (node for node in inner_nodes(method) if node.kind in ("block", "constructor_body")):
            for statement in block.children:
                value = _kept_object(statement)
                if value is not None:
                    words = Counter(leaf.text for leaf in every_node(method)) if words is None else words
                    if words[statement.children[1].children[0].text] == 1:
                        value.field = None
                        statement.kind, statement.children = "expression_statement", [value]


def _kept_object(statement: Node) -> Node | None:
    """The new object that is all that a declaration without annotations gives to its one variable."""
    fields = [child.field for child in statement.children]
    if statement.kind != "local_variable_declaration" or fields != ["type", "declarator"]:
        return None
    value = statement.children[1].child("value")
    if value is None or value.kind != _CREATION or "<>" in spelling(value):
        return None
    return value


def _infer_type(declaration: Node) -> None:
    """`List<A> a = new ArrayList<>()` for `new ArrayList<A>()`, which asks for what is declared anyway."""
    declared = _arguments(declaration.child("type"))
    is_told = spelling(declaration.child("type") or declaration) != "var"
    for declarator in (child for child in declaration.children if child.kind == "variable_declarator"):
        value = declarator.child("value")
        if is_told:
            _without_arguments(value)
        _without_declared(value, declared)


def _without_declared(value: Node | None, declared: Node | None) -> None:
    """`<>` for the types that are asked for anyway; of a value that a condition chooses, in both."""
    for chosen in _chosen(value) if declared is not None else ():
        given = _arguments(chosen.children[1]) if chosen.kind == _CREATION and len(chosen.children) == 3 else None
        if given is not None and declared is not None and spelling(given) == spelling(declared):
            given.children = [given.children[0], given.children[-1]]


def _chosen(value: Node | None) -> Iterator[Node]:
    """The values of which one is it."""
    stack = [value] if value is not None else []
    while stack:
        node = stack.pop()
        if node.kind == "ternary_expression":
            stack.extend(child for child in node.children if child.field in ("consequence", "alternative"))
        else:
            yield node


def _returned(method: Node) -> None:
    """`return new ArrayList<>()` for `new ArrayList<A>()` in a method that returns a `List<A>`, and truths as such."""
    written, body = method.child("type"), method.child("body")
    declared = _arguments(written)
    is_truth = written is not None and written.kind == "boolean_type"
    stack = [body] if body is not None else []
    while stack:
        node = stack.pop()
        if node.kind == "return_statement" and len(node.children) == 2:
            value = node.children[1]
            value.field = SURE if is_truth else value.field
            _without_arguments(value)
            _without_declared(value, declared)
        if node.kind not in ("lambda_expression", *BODIES):
            stack.extend(node.children)


def _without_arguments(value: Node | None) -> None:
    """`new A()` for `new A<B>()` and `new A<>()`: where nothing is given, only the compiler reads the types."""
    if value is not None and value.kind == _CREATION and len(value.children) == 3:
        kind, given = value.children[1:]
        if kind.kind == "generic_type" and len(given.children) == 2:
            value.children[1] = in_place_of(kind, kind.children[0])


def _arguments(written: Node | None) -> Node | None:
    """The types in the angle brackets."""
    is_generic = written is not None and written.kind == "generic_type"
    return written.children[-1] if written is not None and is_generic else None


def _return_at_once(method: Node) -> None:
    """`return a;` for `T b = a; return b;` in a method that returns a `T`, if nothing else in it is called `b`."""
    result, body = method.child("type"), method.child("body")
    words = Counter(leaf.text for leaf in every_node(method) if leaf.text is not None)
    stack = [body] if body is not None else []
    while stack:
        holder = stack.pop()
        if holder.kind in _METHODS:
            continue
        for index in range(len(holder.children) - 1, 0, -1):
            statement, following = holder.children[index - 1 : index + 1]
            if result is not None and _is_pair(statement, following, spelling(result), words):
                value = statement.children[1].children[2]
                value.field = None
                following.children[1] = value
                del holder.children[index - 1]
        stack.extend(holder.children)


def _is_pair(statement: Node, following: Node, result: str, words: Counter[str]) -> bool:
    if statement.kind != "local_variable_declaration" or following.kind != "return_statement":
        return False
    if [child.field for child in statement.children] != ["type", "declarator"] or len(following.children) != 2:
        return False
    written, declarator = statement.children
    name = declarator.children[0].text or ""
    is_given = len(declarator.children) == 3 and declarator.children[2].kind != "array_initializer"
    is_returned = is_given and words[name] == 2 and following.children[1].text == name
    return is_returned and (spelling(written) == result or _is_plain_creation(declarator.children[2]))


def _is_plain_creation(value: Node) -> bool:
    """Whether it makes the same object whatever type it is asked for."""
    return value.kind == _CREATION and len(value.children) == 3 and "<" not in spelling(value.children[1])


# What a method may return of these may be a number that a condition makes another one of.
_BOXES = frozenset(
    {
        *("Object", "Number", "Comparable", "Serializable", "Constable", "ConstantDesc", "Integer", "Long", "Short"),
        *("Byte", "Character", "Float", "Double", "Boolean"),
    }
)
_TRUTHS = frozenset({"==", "!=", "<", ">", "<=", ">="})


def _choosing(root: Node) -> Iterator[Node]:
    """Where a value that a condition chooses is what it is alone, as no number is converted: returns, and variables.

    What declares a variable of the type that its method returns is marked.
    """
    declared = {leaf.text for node in inner_nodes(root) if node.kind == "type_parameter" for leaf in node.children[:1]}
    for method in (node for node in inner_nodes(root) if node.kind in _BODIED):
        result, body = method.child("type"), method.child("body")
        stack = [body] if body is not None else []
        has_classes = any(node.kind in ("class_declaration", "record_declaration") for node in every_node(method))
        while stack:
            node = stack.pop()
            if node.kind == "return_statement" and result is not None and _is_plain(result, declared):
                yield node
            elif node.kind == LOCAL and result is not None and not has_classes:
                written = written_type(node)
                node.field = OF_RESULT if written is not None and spelling(written) == spelling(result) else None
            elif node.kind in _LISTS:
                node.children = [part for child in node.children for part in _apart(child, declared)]
                yield from (child for child in node.children if child.kind == "expression_statement" and not child.end)
            if node.kind not in ("lambda_expression", "class_body"):
                stack.extend(node.children)


_BODIED = frozenset({"method_declaration", "constructor_declaration"})


def _apart(statement: Node, declared: set[str | None]) -> list[Node]:
    """`int a; a = b ? 1 : 2;` for `int a = b ? 1 : 2;`."""
    variable = one_variable(statement)
    if variable is None or variable[1] is None or variable[1].kind != "ternary_expression":
        return [statement]
    if not _is_plain(statement.children[0], declared):
        return [statement]
    return [without_value(statement), giving(variable[0], variable[1])]


def _is_plain(result: Node, declared: set[str | None]) -> bool:
    if result.kind in ("integral_type", "boolean_type"):
        return True
    name = result.children[0] if result.kind == "generic_type" else result
    return name.kind == "type_identifier" and name.text not in _BOXES and name.text not in declared


def _is_truth(condition: Node) -> bool:
    """Whether a condition is a `boolean`, and no `Boolean` that may be missing."""
    if condition.kind == "unary_expression":
        return condition.children[0].kind == "!"
    sign = condition.children[1].kind if condition.kind == "binary_expression" and len(condition.children) > 2 else ""
    return condition.kind == "instanceof_expression" or sign in _TRUTHS or sign in ("&&", "||")


_LOOPS = frozenset({"for_statement", "enhanced_for_statement", "while_statement", "do_statement"})

BRANCHES = Branches(
    "block",
    frozenset({"method_declaration", "lambda_expression"}),
    _LOOPS,
    Logic("binary_expression", "&&", "||", affirmed, denied(affirmed, "operand")),
    are_apart=are_apart,
    choice=("ternary_expression", 0, 2, 4),
    choosing=_choosing,
    is_truth=_is_truth,
    follows=has_no_name_of,
    choices=Choices(declared_variable, given_value, giving, returned, returning, _LOOPS),
)
