"""Types of TypeScript that no caller can see: with and without them a program is the same, and is told the same.

    type Keep<T> = (a: T) => T                     const keep = (a) => a
    const keep: Keep<number> = (a) => a as number  export const size: number = keep(1)
    export const size: number = keep(1)

What is emitted has no types. What importers see are the types of what is exported, and of what these name: here only
`number`, as `size` says its type itself. Where a type is inferred, all that it is inferred from is seen. Decorators may
be given types, so nothing is taken away beside one. Nor is it in a test of types, where they are what is tested.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from intentls.core.syntax.tree import Node, Role, all_said, every_node, inner_nodes, spelling

REASON = "types that are not seen"
LABELS = "names in types"

_WORD = re.compile(r"\w+")
_TYPES = frozenset(
    {
        *("type_annotation", "type_arguments", "type_parameters", "type_predicate_annotation", "asserts_annotation"),
        *("implements_clause", "accessibility_modifier", "override_modifier", "readonly"),
        *("interface_declaration", "type_alias_declaration", "function_signature"),
        *("index_signature", "method_signature", "abstract_method_signature"),
    }
)
_CASTS = {"as_expression": 0, "satisfies_expression": 0, "non_null_expression": 0, "type_assertion": -1}
_FUNCTIONS = frozenset(
    {
        *("function_declaration", "generator_function_declaration", "function_expression", "generator_function"),
        *("arrow_function", "method_definition"),
    }
)
_CLASSES = frozenset({"class", "class_declaration", "abstract_class_declaration"})
_VARIABLES = frozenset({"lexical_declaration", "variable_declaration"})
_HOLDS_TYPES = frozenset({"optional_parameter", "required_parameter", "public_field_definition", "variable_declarator"})
_PLAIN = frozenset({"string", "number", "true", "false", "null"})
_CALLABLE_TYPES = frozenset(
    {"function_type", "constructor_type", "call_signature", "construct_signature", "method_signature"}
)


# Files of `tsd`, `vitest --typecheck`, `dtslint`, and what others call so.
_TESTS_OF_TYPES = re.compile(
    r"[.\-]test-d\.|(?:^|/)(?:test-d|tsd|dtslint|type-?tests?)/|(?:^|[/.\-])(?:types?|typings)[.\-](?:test|spec)\."
    r"|(?:^|/)(?:tests?|specs?|__tests__)/(?:.*/)?(?:types?|typings)(?:/|[^/]*$)"
)
_ASSERTS_TYPES = frozenset(
    {
        *("expectTypeOf", "assertType", "expectType", "expectNotType", "expectAssignable", "expectNotAssignable"),
        *("expectError", "expectNever", "attest", "AssertEqual", "Expect", "TypeEqual"),
    }
)


def tests_types(path: str) -> bool:
    """Whether a file tests what types others are told, as far as its name says so."""
    return _TESTS_OF_TYPES.search(path) is not None


def _asserts_types(root: Node) -> bool:
    return not _ASSERTS_TYPES.isdisjoint(_WORD.findall(all_said(root)))


def without_types(root: Node) -> None:
    """A `Rewrite`: take away the types that neither run nor are seen by who imports the file."""
    is_module = any(child.kind in ("import_item", "export_statement") for child in root.children)
    if not is_module or any(node.kind == "decorator" for node in every_node(root)) or _asserts_types(root):
        return
    seen = {id(node) for node in _seen(root)}
    stack = [root]
    while stack:
        node = stack.pop()
        if id(node) not in seen and node.children:
            node.children = list(_without(node, seen))
            stack.extend(node.children)


def without_labels(root: Node) -> None:
    """A `Rewrite`: the names of parameters in a type, and of a tuple's parts, mean nothing if the type has no use."""
    for node in reversed(list(inner_nodes(root))):  # from the inside out: one may be in both
        if node.kind in _CALLABLE_TYPES or node.kind == "tuple_type":
            words = Counter(leaf.text for leaf in every_node(node))
            for label in _labels(node):
                if words[label.text] == 1:
                    label.kind, label.text, label.role, label.binds = "label", "", Role.TOKEN, False


def _labels(node: Node) -> Iterator[Node]:
    holders = node.children if node.kind == "tuple_type" else (node.child("parameters") or node).children
    for holder in holders:
        name = holder.child("name") or holder.child("pattern") or holder
        if name.kind == "rest_pattern":
            name = name.children[-1]
        if name.kind == "identifier":
            yield name


def _without(node: Node, seen: set[int]) -> Iterator[Node]:
    """The children of a node that is not seen, without types."""
    children = _without_this(node.children) if node.kind == "formal_parameters" else node.children
    for child in children:
        if id(child) in seen:
            yield child
        elif not _is_type(child, node):
            yield _bare(child, node)


def _without_this(parameters: list[Node]) -> list[Node]:
    """`(this: A, b)` takes `b` alone."""
    pattern = parameters[1].child("pattern") if len(parameters) > 2 else None
    if pattern is None or pattern.kind != "this":
        return parameters
    return [parameters[0], *parameters[3 if parameters[2].kind == "," else 2 :]]


def _is_type(child: Node, parent: Node) -> bool:
    if child.kind in ("?", "!"):
        return parent.kind in _HOLDS_TYPES
    if child.kind == "class_heritage":
        return all(part.kind == "implements_clause" for part in child.children)
    if parent.kind == "parameter_property":
        return child.kind == "type_annotation"
    return child.kind in _TYPES


def _bare(child: Node, parent: Node) -> Node:
    """A child without the cast around it, or the parameter without what only says its type."""
    inner, is_closed = child, False
    while inner.kind in _CASTS:
        is_closed |= inner.kind != "non_null_expression"
        inner = inner.children[_CASTS[inner.kind]]
    if parent.kind == "expression_statement" and inner.kind == "string":
        return child  # without the cast it would be a directive
    if is_closed and child.field in ("object", "function") and "?." in spelling(inner):
        brackets = [Node(text, None, inner.row, text) for text in "()"]
        inner = Node("parenthesized_expression", None, inner.row, children=[brackets[0], inner, brackets[1]])
    inner.field = child.field
    if inner.kind in ("required_parameter", "optional_parameter"):
        inner.kind = "required_parameter"
        kept = [part for part in inner.children if not _is_type(part, inner)]
        if len(kept) == 1:
            kept[0].field = None
            return kept[0]
    return inner


def _seen(root: Node) -> list[Node]:
    """The nodes that who imports the file sees: of what is exported, and of what that names."""
    declared: defaultdict[str, list[Node]] = defaultdict(list)
    for statement in root.children:
        for name, node in _declared(statement):
            declared[name].append(node)
    waiting = [
        node for statement in root.children if statement.kind == "export_statement" for node in _of_export(statement)
    ]
    waiting += [child for child in root.children if child.kind in ("ambient_declaration", "module", "internal_module")]
    seen: list[Node] = []
    known: set[str] = set()
    while waiting:
        node = waiting.pop()
        seen.append(node)
        for leaf in every_node(node):
            name = leaf.text or ""
            if name in declared and name not in known:
                known.add(name)
                waiting.extend(part for owner in declared[name] for part in _surface(owner))
    return seen


def _declared(statement: Node) -> Iterator[tuple[str, Node]]:
    inner = statement.child("declaration") if statement.kind == "export_statement" else statement
    for node in inner.children if inner is not None and inner.kind in _VARIABLES else [inner]:
        name = node.child("name") if node is not None else None
        if node is not None and name is not None:
            yield from ((leaf.text, node) for leaf in every_node(name) if leaf.text is not None)


def _of_export(statement: Node) -> Iterator[Node]:
    inner = statement.child("declaration") or statement.child("value")
    yield from _surface(inner) if inner is not None else [statement]


def _surface(node: Node) -> Iterator[Node]:
    """What a declaration or a value shows of itself."""
    if node.kind in _VARIABLES:
        for child in node.children:
            yield from _surface(child)
    elif node.kind in _FUNCTIONS:
        yield from (child for child in node.children if child.field not in ("body", "name"))
        body = node.child("body")
        if body is not None and node.child("return_type") is None and not _is_plain_body(body):
            yield body
    elif node.kind in ("variable_declarator", "public_field_definition"):
        yield from (child for child in node.children if child.field != "value")
        value = node.child("value")
        if value is not None and node.child("type") is None:
            yield from _surface(value)
    elif node.kind in _CLASSES:
        for child in node.children:
            parts = child.children if child.field == "body" else []
            yield from (seen for part in parts for seen in _surface(part))
            if not parts:
                yield child
    elif node.kind == "as_expression" and node.children[-1].kind != "const":
        yield node.children[-1]
    elif node.kind not in _PLAIN:
        yield node


def _is_plain_body(body: Node) -> bool:
    """Whether what a function returns has one type, whatever the types in it are: nothing, or texts and numbers."""
    if body.kind != "statement_block":
        return body.kind in _PLAIN
    stack = list(body.children)
    while stack:
        node = stack.pop()
        is_value = node.kind == "return_statement" and len(node.children) > 1
        if node.kind == "yield_expression" or (is_value and node.children[1].kind not in _PLAIN):
            return False
        if node.kind not in _FUNCTIONS:
            stack.extend(node.children)
    return True
