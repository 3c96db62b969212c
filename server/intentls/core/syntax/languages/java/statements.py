"""Statements of Java that say in several steps what another form says in one: declarations, loops, cases, catches."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy

from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_LISTS = frozenset({"block", "constructor_body", "switch_block_statement_group"})
_DECLARATION = "local_variable_declaration"
_METHODS = ("method_declaration", "constructor_declaration")
# What may be made of a caught exception without a look at the type that it was caught as.
_MADE = frozenset({"RuntimeException", "IllegalStateException", "IllegalArgumentException", "AssertionError", "Error"})


def in_one_step(root: Node) -> None:
    """A `Rewrite`: `int a = b();` for `int a; a = b();`, one variable and one caught type at a time, loops over all.

    Example: `for (A b : c) { d(b); }` for

        for (Iterator<A> i = c.iterator(); i.hasNext();) {
            A b = i.next();
            d(b);
        }
    """
    own = {_name_of(node) for node in inner_nodes(root) if node.kind == "class_declaration"}
    own |= {item.children[-1].text or "" for item in root.children if item.kind == "import_item"}
    for node in reversed(list(inner_nodes(root))):  # what is within comes first
        if node.kind in _LISTS:
            node.children = _joined([part for child in node.children for part in _each_variable(child)])
            node.children = _without_iterators(node)
        elif node.kind == "class_body":
            node.children = [part for child in node.children for part in _each_variable(child)]
        elif node.kind == "for_statement":
            _over_iterator(node)
        elif node.kind == "switch_block":
            _without_last_break(node)
        elif node.kind in ("try_statement", "try_with_resources_statement"):
            node.children = [part for child in node.children for part in _each_type(child, own)]
    for method in (node for node in inner_nodes(root) if node.kind in _METHODS):
        _over_arrays(method)


def _name_of(node: Node) -> str:
    name = node.child("name")
    return (name.text or "") if name is not None else ""


def _each_variable(declaration: Node) -> list[Node]:
    """`int a = 1; int b;` for `int a = 1, b;`."""
    declarators = [child for child in declaration.children if child.kind == "variable_declarator"]
    is_declaration = declaration.kind in (_DECLARATION, "field_declaration")
    if not is_declaration or len(declarators) < 2 or any(one.child("dimensions") is not None for one in declarators):
        return [declaration]
    head = [child for child in declaration.children if child.kind not in ("variable_declarator", ",")]
    if spelling(head[-1]) == "var":
        return [declaration]
    return [
        Node(declaration.kind, declaration.field, one.row, end=one.end, children=[*deepcopy(head), one])
        for one in declarators
    ]


def _joined(statements: list[Node]) -> list[Node]:
    """`int a = b();` for `int a; a = b();`, where one follows the other, or for `int a; if ((a = b()) == 1)`."""
    joined: list[Node] = []
    for statement in statements:
        value = _first_value(joined[-1], statement) if joined else None
        asked = _asked_first(joined[-1], statement) if joined and value is None else None
        if asked is not None:
            target, _, value = asked.children
            asked.kind, asked.text, asked.role, asked.children = target.kind, target.text, target.role, []
        if value is not None:
            value.field = "value"
            joined[-1].children[-1].children += [Node("=", None, value.row, "="), value]
        if value is None or asked is not None:
            joined.append(statement)
    return joined


def _asked_first(declaration: Node, branch: Node) -> Node | None:
    """`a = b()` of `if ((a = b()) == 1)`, if that is the variable that was declared without a value."""
    first = branch.child("condition") if branch.kind == "if_statement" else None
    while first is not None and first.kind == "binary_expression":
        first = first.children[0]
    if first is None or first.kind != "assignment_expression":
        return None
    statement = Node("expression_statement", None, first.row, children=[first])
    return first if _first_value(declaration, statement) is not None else None


def _first_value(declaration: Node, statement: Node) -> Node | None:
    """What the statement gives to the one variable that was declared without a value; None if it is no such pair."""
    declarator = declaration.children[-1] if declaration.children else declaration
    given = statement.children[0] if statement.children else statement
    if declaration.kind != _DECLARATION or declarator.kind != "variable_declarator" or len(declarator.children) != 1:
        return None
    if statement.kind != "expression_statement" or given.kind != "assignment_expression":
        return None
    target, sign, value = given.children
    is_it = target.role is Role.NAME and target.text == declarator.children[0].text and sign.text == "="
    return value if is_it else None


def _over_iterator(loop: Node) -> None:
    """A loop of `for` over an iterator that nothing else knows."""
    init = loop.child("init")
    if init is not None and loop.child("update") is None:
        _loop_over(loop, init, loop.child("condition"), loop.child("body"), loop)


def _without_iterators(block: Node) -> list[Node]:
    """The statements, with a loop over all there is for an iterator and a `while` with it."""
    kept: list[Node] = []
    for statement in block.children:
        condition, body = statement.child("condition"), statement.child("body")
        is_loop = statement.kind == "while_statement" and bool(kept)
        if is_loop and _loop_over(statement, kept[-1], condition, body, block):
            kept.pop()
        kept.append(statement)
    return kept


def _loop_over(loop: Node, init: Node, condition: Node | None, body: Node | None, scope: Node) -> bool:
    """Make it a loop over all there is, if that is what it does; `scope` is where the iterator has its name."""
    if condition is None or body is None:
        return False
    declarator = init.children[-1] if init.kind == _DECLARATION else init
    value = declarator.child("value") if declarator.kind == "variable_declarator" else None
    if value is None or not _is_call(value, "iterator") or not spelling(init.children[-2]).startswith("Iterator"):
        return False
    name = declarator.children[0].text or ""
    collection, first = value.children[0], _first_of(body)
    if collection.text in ("this", "super") or first is None or spelling(condition) != f"{name}.hasNext()":
        return False
    taken = first.children[-1].children[2]
    if taken.kind == "cast_expression" and spelling(taken.children[1]) == spelling(first.children[-2]):
        taken = taken.children[3]
    if spelling(taken) != f"{name}.next()" or _words(scope)[name] != 3:
        return False
    _become_loop_over(loop, first, collection, body)
    return True


def _is_call(node: Node, name: str) -> bool:
    """Whether it calls a method of that name of something, without arguments."""
    parts = [part.text for part in node.children[1:3]] if node.kind == "method_invocation" else []
    return parts == [".", name] and len(node.children[-1].children) == 2


def _first_of(body: Node) -> Node | None:
    """The declaration with a value that a body begins with."""
    first = body.children[1] if body.kind == "block" and len(body.children) > 2 else body
    declarator = first.children[-1] if first.kind == _DECLARATION else first
    is_plain = declarator.kind == "variable_declarator" and len(declarator.children) == 3
    return first if is_plain and spelling(first.children[-2]) != "var" else None


def _become_loop_over(loop: Node, first: Node, collection: Node, body: Node) -> None:
    name = first.children[-1].children[0]
    name.field, collection.field = "name", "value"
    signs = [Node(sign, None, loop.row, sign) for sign in ("for", "(", ":", ")")]
    loop.kind = "enhanced_for_statement"
    loop.children = [*signs[:2], *first.children[:-1], name, signs[2], collection, signs[3], body]
    del body.children[1]


def _over_arrays(method: Node) -> None:
    """A loop over an array that a parameter, or a variable declared before, is all the time."""
    listed = method.child("parameters")
    parameters = [] if listed is None else [_name_of(part) for part in listed.children]
    for block in (node for node in inner_nodes(method) if node.kind in _LISTS):
        known = set(parameters)
        for statement in block.children:
            if statement.kind == "for_statement":
                _over_array(statement, method, known)
            elif statement.kind == _DECLARATION:
                known.add(statement.children[-1].children[0].text or "")


def _over_array(loop: Node, method: Node, known: set[str]) -> None:
    init, body, first = loop.child("init"), loop.child("body"), None
    if init is not None and body is not None:
        first = _first_of(body)
    if init is None or body is None or first is None or spelling(init.children[0]) != "int":
        return
    index = (init.children[-1].children[0].text or "") if init.kind == _DECLARATION else ""
    taken = first.children[-1].children[2]
    if taken.kind != "array_access" or not index or taken.children[0].role is not Role.NAME:
        return
    array = taken.children[0].text or ""
    head = " ".join(spelling(part) for part in loop.children[2:-2] if part.kind != ";")
    forms = {f"int{index}=0 {index}<{array}.length {step}" for step in (f"{index}++", f"++{index}")}
    binds = sum(leaf.binds and leaf.text == array for leaf in every_node(method))
    is_steady = array in known and binds == 1 and not _is_given(method, array)
    is_whole = head in forms and spelling(taken) == f"{array}[{index}]" and _words(loop)[index] == 4
    if is_steady and is_whole:
        _become_loop_over(loop, first, taken.children[0], body)


def _is_given(method: Node, name: str) -> bool:
    """Whether the method gives the name another value."""
    given = (node.children[0] for node in inner_nodes(method) if node.kind == "assignment_expression")
    return any(target.text == name for target in given)


def _words(root: Node) -> Counter[str | None]:
    return Counter(leaf.text for leaf in every_node(root) if leaf.text is not None)


def _without_last_break(switch: Node) -> None:
    """The last case ends anyway, and a last `default` that does nothing is none."""
    groups = [child for child in switch.children if child.kind == "switch_block_statement_group"]
    while groups:
        last = groups.pop()
        if last.children[-1].kind == "break_statement" and len(last.children[-1].children) == 1:
            last.children.pop()
        if [spelling(part) for part in last.children] != ["default", ":"]:
            return
        switch.children = [child for child in switch.children if child is not last]


def _each_type(clause: Node, own: set[str]) -> list[Node]:
    """A `catch` for each of its types, if nothing in it depends on what the exception was caught as."""
    parameter = next((part for part in clause.children if part.kind == "catch_formal_parameter"), None)
    caught = next((part for part in parameter.children if part.kind == "catch_type"), None) if parameter else None
    if clause.kind != "catch_clause" or parameter is None or caught is None or len(caught.children) < 2:
        return [clause]
    if not _is_caught_as_any(clause.children[-1], _name_of(parameter), own):
        return [clause]
    clauses = []
    for kind in caught.children[::2]:
        caught.children = [kind]
        clauses.append(deepcopy(clause))
    return clauses


def _is_caught_as_any(body: Node, name: str, own: set[str]) -> bool:
    """Whether the exception is only thrown on, asked without arguments, or the cause of one of the language's own."""
    good = 0
    for node in inner_nodes(body):
        parts = [child.text for child in node.children]
        if node.kind == "throw_statement":
            good += parts[1] == name
        elif node.kind == "method_invocation":
            good += parts[0] == name and len(node.children[-1].children) == 2
        elif node.kind == "object_creation_expression" and len(node.children) == 3:
            arguments = [child.text for child in node.children[2].children]
            good += parts[1] in _MADE - own and name in arguments
    return _words(body)[name] == good
