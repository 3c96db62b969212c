"""Go that is written in another way and does the same: one form for each of these."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from intentls.core.syntax.languages.adapter import in_place_of, leaf_like
from intentls.core.syntax.languages.branches import SURE, Branches, are_apart
from intentls.core.syntax.languages.chosen import Choices, ChosenName, is_constant
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.go.loops import without_copies
from intentls.core.syntax.languages.go.shorthands import KnownNames, known_names
from intentls.core.syntax.languages.logic import MIRRORED, Logic, affirmed, denied
from intentls.core.syntax.languages.tails import has_no_name_of
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

FUNCTIONS = frozenset({"function_declaration", "method_declaration", "func_literal"})
_METHODS = {
    f"Method{word}": f'"{word.upper()}"'
    for word in ("Get", "Head", "Post", "Put", "Patch", "Delete", "Connect", "Options", "Trace")
}
_STATUSES = {
    **{"StatusOK": "200", "StatusCreated": "201", "StatusAccepted": "202", "StatusNoContent": "204"},
    **{"StatusMovedPermanently": "301", "StatusFound": "302", "StatusSeeOther": "303", "StatusNotModified": "304"},
    **{"StatusTemporaryRedirect": "307", "StatusPermanentRedirect": "308", "StatusBadRequest": "400"},
    **{"StatusUnauthorized": "401", "StatusForbidden": "403", "StatusNotFound": "404", "StatusMethodNotAllowed": "405"},
    **{"StatusConflict": "409", "StatusTeapot": "418", "StatusUnprocessableEntity": "422"},
    **{"StatusTooManyRequests": "429", "StatusInternalServerError": "500", "StatusNotImplemented": "501"},
    **{"StatusBadGateway": "502", "StatusServiceUnavailable": "503", "StatusGatewayTimeout": "504"},
}
_HOLDERS = frozenset({"block", "expression_case", "default_case", "type_case", "communication_case"})
_LITERAL = re.compile(r"nil\Z|true\Z|false\Z|\w+_literal\Z")
_STEPS = {"inc_statement": "+=", "dec_statement": "-="}
_RUNE = re.compile(r"'([^'\"\\])'\Z")


def modernized(root: Node) -> None:
    """A `Rewrite`: `http.MethodGet`, `string('/')`, `time.Now().Sub(t)`, `for i, _ := range`, `var a = b`, `1 == a`."""
    for part, names in known_names(root):
        for node in reversed(list(inner_nodes(part))):
            if node.kind in ("range_clause", "range_outer"):
                _without_blanks(node)
            elif node.kind == "for_statement":
                without_copies(node)
            node.children = [_other_form(child, node, names) for child in node.children]
    for function in inner_nodes(root):
        if function.kind in FUNCTIONS:
            _join_values(function)
            _say_truths(function)


def _say_truths(function: Node) -> None:
    """Say of what a function returns that it is true or false, and of no other type, where its result is a `bool`."""
    result, body = function.child("result"), function.child("body")
    stack = [body] if body is not None and result is not None and result.text == "bool" else []
    while stack:
        node = stack.pop()
        if node.kind == "return_statement" and len(node.children) == 2:
            for value in node.children[1].children:
                value.field = SURE
        stack.extend(child for child in node.children if child.kind not in FUNCTIONS)


def with_any(root: Node, facts: Surroundings) -> None:
    """An `InformedRewrite`: `any` for `interface{}`, where that is not the name of something else."""
    for node in inner_nodes(root):
        for child in node.children:
            if child.kind == "interface_type" and len(child.children) == 3 and facts.is_predeclared("any"):
                child.kind, child.text, child.role, child.children = "type_identifier", "any", Role.NAME, []


def _without_blanks(clause: Node) -> None:
    """`for i := range a` for `for i, _ := range a`, and `for range a` for `for _ = range a`."""
    names = clause.child("left")
    if names is None:
        return
    while names.children and names.children[-1].text in ("_", ","):
        names.children.pop()
    if not names.children:
        clause.kind = "range_clause"
        del clause.children[:2]


def _other_form(node: Node, parent: Node, names: KnownNames) -> Node:
    result: Node | None = None
    if node.kind == "selector_expression":
        result = _of_constant(node, names)
    elif node.kind == "call_expression" and len(node.children) == 2:
        result = _of_call(node, names)
    elif node.kind == "binary_expression":
        _put_literal_last(node)
    elif node.kind in _STEPS:
        one = Node("expression_list", "right", node.row, children=[Node("int_literal", None, node.row, "1")])
        target = Node("expression_list", "left", node.row, children=[node.children[0]])
        word = _STEPS[node.kind]
        sign = Node(word, "operator", node.row, word)
        result = Node("assignment_statement", None, node.row, children=[target, sign, one])
    elif node.kind == "var_declaration" and parent.kind in _HOLDERS:
        result = _of_variable(node)
    return node if result is None else in_place_of(node, result)


def _put_literal_last(expression: Node) -> None:
    """`a == 1` for `1 == a`: a literal does nothing, so it may be asked for first or last."""
    left, sign, right = expression.children
    if sign.kind in MIRRORED and is_literal(left) and not is_literal(right):
        word = MIRRORED[sign.kind]
        left.field, right.field = right.field, left.field
        expression.children = [right, Node(word, sign.field, sign.row, word), left]


def is_literal(node: Node) -> bool:
    """Whether it is a number, a text, or a word for a value; not a function, nor a value that is made of others."""
    return _LITERAL.match(node.kind) is not None and node.text is not None


def is_comparison(condition: Node) -> bool:
    """Whether a condition compares, or is made of what does: it has no type but that which it is returned as."""
    stack = [condition]
    while stack:
        node = stack.pop()
        sign = node.children[1].kind if node.kind == "binary_expression" else ""
        if sign in ("&&", "||"):
            stack.extend((node.children[0], *node.children[2:]))
        elif node.kind == "unary_expression" and node.children[0].kind == "!":
            stack.append(node.children[1])
        elif sign not in MIRRORED:
            return False
    return True


def _of_constant(selector: Node, names: KnownNames) -> Node | None:
    package, _, member = selector.children
    if names.packages.get(package.text) != "net/http":
        return None
    name = member.text or ""
    if name in _METHODS:
        return leaf_like(selector, "interpreted_string_literal", _METHODS[name])
    return leaf_like(selector, "int_literal", _STATUSES[name]) if name in _STATUSES else None


def _of_call(call: Node, names: KnownNames) -> Node | None:
    called, arguments = call.children
    values = [child for child in arguments.children[1:-1] if child.kind != ","]
    if called.text == "string" and names.is_free("string") and len(values) == 1:
        rune = _RUNE.match(values[0].text or "")
        return None if rune is None else leaf_like(call, "interpreted_string_literal", f'"{rune[1]}"')
    if called.kind != "selector_expression":
        return None
    owner, _, member = called.children
    path = names.packages.get(owner.text)
    if path in ("strings", "bytes") and member.text == "Replace" and len(values) == 4 and _is_minus_one(values[3]):
        member.text = "ReplaceAll"
        del arguments.children[-3:-1]
    elif member.text == "Sub" and len(values) == 1 and values[0].kind in ("identifier", "selector_expression"):
        now = owner.children[0] if owner.kind == "call_expression" else owner
        is_now = now.kind == "selector_expression" and now.children[-1].text == "Now"
        if is_now and now is not owner and names.packages.get(now.children[0].text) == "time":
            now.children[-1].text = "Since"
            call.children[0] = in_place_of(called, now)
    return None


def _is_minus_one(value: Node) -> bool:
    return value.kind == "unary_expression" and [child.text for child in value.children] == ["-", "1"]


def _of_variable(declaration: Node) -> Node | None:
    """`a := b` for `var a = b` in a function: of one name both declare a new one."""
    spec = declaration.children[1]
    if len(declaration.children) != 2 or [child.field for child in spec.children] != ["name", None, "value"]:
        return None
    name, sign, value = spec.children
    target = Node("expression_list", "left", name.row, children=[name])
    name.field, value.field = None, "right"
    return Node("short_var_declaration", None, name.row, children=[target, Node(":=", None, sign.row, ":="), value])


def _join_values(function: Node) -> None:
    """`if a := f(); a { .. }` for `a := f()` before `if a { .. }`, and `return f()`, if no other part has the name."""
    words = Counter(leaf.text for leaf in every_node(function) if leaf.text is not None)
    for holder in list(inner_nodes(function)):
        if holder.kind in _HOLDERS:
            for index in range(len(holder.children) - 1, 0, -1):
                statement, following = holder.children[index - 1 : index + 1]
                is_one = statement.kind == "short_var_declaration" and _are_here_alone(statement, following, words)
                if is_one and _takes_value(statement, following):
                    del holder.children[index - 1]


def _are_here_alone(statement: Node, following: Node, words: Counter[str]) -> bool:
    names = {leaf.text or "" for leaf in _declared(statement)} - {"_"}
    here = Counter(leaf.text for part in (statement, following) for leaf in every_node(part) if leaf.text in names)
    return all(here[name] == words[name] for name in names)


def _declared(statement: Node) -> Iterator[Node]:
    return (leaf for leaf in every_node(statement.children[0]) if leaf.binds and leaf.text is not None)


def _takes_value(statement: Node, following: Node) -> bool:
    """Whether the next statement is one that has now taken the value in."""
    if following.kind == "if_statement" and following.child("initializer") is None:
        statement.field = "initializer"
        following.children[1:1] = [statement, Node(";", None, statement.row, ";")]
        return True
    names = [leaf.text for leaf in _declared(statement)]
    returned = following.children[1:] if following.kind == "return_statement" else []
    if len(names) != 1 or len(returned) != 1 or [leaf.text for leaf in returned[0].children] != names:
        return False
    values = statement.children[2]
    values.field = returned[0].field
    following.children[1] = values
    return True


_LOOPS = frozenset({"for_statement"})
_OF_RESULT = "result"
_DEFAULTS = {"int_literal": "int", "interpreted_string_literal": "string", "true": "bool", "false": "bool"}
_WITH_NIL = frozenset({"pointer_type", "slice_type", "map_type", "channel_type", "function_type", "interface_type"})


def mark_results(function: Node) -> None:
    """Mark what declares a variable of the one type that a function returns."""
    result, body = function.child("result"), function.child("body")
    if result is None or body is None or result.kind == "parameter_list":
        return
    stack = [body]
    while stack:
        node = stack.pop()
        if node.kind == "type_declaration":
            return  # it may be of the same name
        written = _type_of(node)
        if written is not None and spelling(written) == spelling(result):
            node.field = _OF_RESULT
        stack.extend(child for child in node.children if child.kind != "func_literal")


def _type_of(statement: Node) -> Node | None:
    """The type of the one variable that a statement declares with it, or with a literal."""
    if statement.kind == "var_declaration":
        spec = statement.children[1] if len(statement.children) == 2 else statement
        return spec.children[1] if [child.field for child in spec.children[:2]] == ["name", "type"] else None
    if statement.kind != "short_var_declaration":
        return None
    names, values = statement.children[0].children, statement.children[2].children
    if len(names) != 1 or len(values) != 1 or not is_constant(values[0]):
        return None
    literal = values[0].children[1] if values[0].children else values[0]
    word = _DEFAULTS.get(literal.kind)
    return None if word is None else Node("type_identifier", "type", statement.row, word, Role.NAME)


def _declared_value(statement: Node) -> ChosenName | None:
    written = _type_of(statement)
    if written is None:
        return None
    first: Node | None
    if statement.kind == "short_var_declaration":
        name, first = statement.children[0].children[0], statement.children[2].children[0]
    else:
        name, *others = statement.children[1].children
        values = others[2].children if len(others) == 3 else []
        has_nil = written.kind in _WITH_NIL or written.text == "error"
        nothing = Node("nil", None, statement.row, "nil") if has_nil and len(others) == 1 else None
        if (len(others) > 1 and len(values) != 1) or not all(map(is_constant, values)):
            return None
        first = values[0] if values else nothing
    if name.kind != "identifier" or name.text == "_":
        return None
    spec = Node("var_spec", None, statement.row, children=[name, written])
    word = Node("var", None, statement.row, "var")
    name.field = "name"
    plain = Node("var_declaration", None, statement.row, children=[word, spec])
    return ChosenName(name, plain, first, is_returned=statement.field == _OF_RESULT)


def _given_value(statement: Node) -> tuple[str, Node] | None:
    if statement.kind != "assignment_statement" or statement.children[1].text != "=":
        return None
    names, values = statement.children[0].children, statement.children[2].children
    is_one = len(names) == len(values) == 1 and names[0].kind == "identifier"
    return (names[0].text or "", values[0]) if is_one else None


def _giving(name: Node, value: Node) -> Node:
    leaf = Node("identifier", None, name.row, name.text, Role.NAME)
    target = Node("expression_list", "left", name.row, children=[leaf])
    values = Node("expression_list", "right", name.row, children=[value])
    return Node("assignment_statement", None, name.row, children=[target, Node("=", "operator", name.row, "="), values])


def _returned_value(statement: Node) -> Node | None:
    values = statement.children[1].children if len(statement.children) == 2 else []
    return values[0] if statement.kind == "return_statement" and len(values) == 1 else None


def _returning(value: Node) -> Node:
    values = Node("expression_list", None, value.row, children=[value])
    return Node("return_statement", None, value.row, children=[Node("return", None, value.row, "return"), values])


BRANCHES = Branches(
    "block",
    FUNCTIONS,
    _LOOPS,
    Logic("binary_expression", "&&", "||", affirmed, denied(affirmed, "operand")),
    are_apart=are_apart,
    is_truth=is_comparison,
    returned="expression_list",
    follows=has_no_name_of,
    choices=Choices(_declared_value, _given_value, _giving, _returned_value, _returning, _LOOPS),
)
