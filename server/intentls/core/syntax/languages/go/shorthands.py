"""Go that says the same in more or fewer words: one form for each, mostly the one that `gofmt -s` and linters write."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy

from msgspec import Struct

from intentls.core.syntax.languages.adapter import leaf_like
from intentls.core.syntax.languages.branches import SURE
from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

_CASES = frozenset({"expression_case", "default_case", "type_case", "communication_case"})
_SWITCHES = frozenset({"expression_switch_statement", "type_switch_statement"})
_GROUPED = frozenset({"const_spec", "var_spec", "type_spec", "type_alias"})
_TYPES = frozenset({"type_spec", "type_alias"})
_SIGNS = frozenset({"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "&^"})
_OPPOSITE = {"==": "!=", "!=": "=="}
_ZEROS = {"int": ("int_literal", "0"), "string": ("interpreted_string_literal", '""'), "bool": ("false", "false")}
_DEFAULTS = {
    **{"int_literal": "int", "interpreted_string_literal": "string", "float_literal": "float64"},
    **{"true": "bool", "false": "bool"},
}
_PLAIN = re.compile(r'`[^`"\\\n\r]*`\Z')
# A search says where it found something, and the shorter form whether.
_SEARCHES = {"Index": "Contains", "IndexAny": "ContainsAny", "IndexRune": "ContainsRune"}
_FOUND = {("!=", "-1"): True, (">", "-1"): True, (">=", "0"): True, ("==", "-1"): False, ("<", "0"): False}


class KnownNames(Struct):
    """How often a file declares each name, and which package each name of an import is, if nothing else has it."""

    bound: Counter[str | None]
    packages: dict[str | None, str | None]

    def is_free(self, word: str | None) -> bool:
        """Whether a word of the language means what it means everywhere."""
        return not self.bound[word]

    def calls(self, called: Node, path: str) -> str | None:
        """The name of the function of a package that is called; None for what is none."""
        parts = called.children if called.kind == "selector_expression" else []
        return parts[2].text if len(parts) == 3 and self.packages.get(parts[0].text) == path else None


def known_names(root: Node) -> Iterator[tuple[Node, KnownNames]]:
    """Each part of a file with children, and what is known of the names in it."""
    items = [child for child in root.children if child.kind == "import_item"]
    packages = {item.children[-1].text: item.children[0].text for item in items}
    around: Counter[str | None] = Counter()
    for child in root.children:
        if child.kind == "function_declaration" and child.children:
            around[(child.child("name") or child).text] += 1
        elif child.kind != "method_declaration":
            around.update(leaf.text for leaf in every_node(child) if leaf.binds)
            around.update(spec.children[0].text for spec in child.children if spec.kind in _TYPES)
    for child in root.children:
        if child.children:
            is_function = child.kind in ("function_declaration", "method_declaration")
            own = Counter[str | None]()
            for node in every_node(child) if is_function else ():
                if node.binds or node.field == "alias":
                    own.update(leaf.text for leaf in (node.children or [node]))
                elif node.kind in _TYPES:
                    own[node.children[0].text] += 1
            bound = around + own
            yield child, KnownNames(bound, {name: path for name, path in packages.items() if bound[name] == 1})


def shortened(root: Node) -> None:
    """A `Rewrite`: types that a literal repeats, `a[0:b]`, groups of declarations, `_ = f()`, `var a int = 0` and more.

    Example: `var a = []T{{1}}` for `var a = []T{T{1}}`.
    """
    for part, names in known_names(root):
        for node in reversed(list(inner_nodes(part))):
            node.children = [part for child in node.children for part in _each(child)]
            shape = _SHAPES.get(node.kind)
            if shape is not None:
                shape(node, names)
    root.children = [part for child in root.children for part in _each(child)]


def _each(node: Node) -> list[Node]:
    """One declaration, parameter or field for each name."""
    if node.kind in ("const_declaration", "var_declaration", "type_declaration"):
        return each_spec(node)
    if node.kind == "raw_string_literal" and _PLAIN.match(node.text or ""):
        return [leaf_like(node, "interpreted_string_literal", f'"{(node.text or "")[1:-1]}"')]
    if node.kind not in ("parameter_declaration", "field_declaration"):
        return [node]
    names = [child for child in node.children if child.field == "name"]
    rest = [child for child in node.children if child.field != "name" and child.kind != ","]
    if len(names) < 2:
        return [node]
    each = [Node(node.kind, node.field, node.row, end=node.end, children=[name, *deepcopy(rest)]) for name in names]
    comma = Node(",", None, node.row, ",")
    is_parameter = node.kind == "parameter_declaration"
    return [part for one in each for part in (one, comma)][:-1] if is_parameter else each


def each_spec(declaration: Node) -> list[Node]:
    """A declaration for each of a group, unless one of them counts with `iota` or repeats the one before it."""
    holder = next((child for child in declaration.children if child.kind == "var_spec_list"), declaration)
    specs = [child for child in holder.children if child.kind in _GROUPED]
    others = {child.text for child in holder.children if child.kind not in _GROUPED} - {"(", ")", ";", None, "\n"}
    is_known = others <= {"var", "const", "type"} and len(specs) + len(others) > 0
    repeats = declaration.kind == "const_declaration" and any(spec.child("value") is None for spec in specs)
    if not specs or not is_known or repeats or any(leaf.text == "iota" for leaf in every_node(holder)):
        return [declaration]
    word = declaration.children[0]
    return [Node(declaration.kind, declaration.field, spec.row, end=spec.end, children=[word, spec]) for spec in specs]


def _variable(spec: Node, names: KnownNames) -> None:
    """`var a = 0` for `var a int = 0` and `var a int`, and `var a []T` for `var a []T = nil`."""
    fields = [child.field for child in spec.children]
    if fields == ["name", "type", None, "value"]:
        value = _only(spec.children[3])
        kind = spec.children[1].text
        if value.kind == "nil" and names.is_free("nil"):
            del spec.children[2:]
        elif _DEFAULTS.get(value.kind) == kind and names.is_free(kind):
            del spec.children[1]
    elif fields == ["name", "type"] and spec.children[1].text in _ZEROS and names.is_free(spec.children[1].text):
        kind, text = _ZEROS[spec.children[1].text or ""]
        row = spec.row
        value = Node("expression_list", "value", row, children=[Node(kind, None, row, text)])
        spec.children[1:] = [Node("=", None, row, "="), value]


def _only(values: Node) -> Node:
    return values.children[0] if values.kind == "expression_list" and len(values.children) == 1 else values


def _literal(literal: Node, _names: KnownNames) -> None:
    """`[]T{{1}}` for `[]T{T{1}}`, and `[]*T{{1}}` for `[]*T{&T{1}}`; the same in maps."""
    written, body = literal.children[0], literal.children[-1]
    for child in body.children:
        if child.kind == "keyed_element" and len(child.children) == 3:
            _repeated(child.children[0], written.child("key"))
            _repeated(child.children[2], written.child("value") or written.child("element"))
        else:
            _repeated(child, written.child("element"))


def _repeated(element: Node, wanted: Node | None) -> None:
    """Leave out the type of an element of a list or a map, if it is the one that is wanted there."""
    inner = (
        element.children[0]
        if element.kind in ("literal_element", "literal_key") and len(element.children) == 1
        else element
    )
    if wanted is None:
        return
    if inner.kind == "unary_expression" and wanted.kind == "pointer_type" and inner.children[0].text == "&":
        inner, wanted = inner.children[1], wanted.children[1]
    body = inner.child("body")
    if inner.kind != "composite_literal" or body is None or spelling(inner.children[0]) != spelling(wanted):
        return
    element.children = [body]
    body.field = None


def _slice(node: Node, names: KnownNames) -> None:
    """`a[:b]` for `a[0:b]`, and `a[b:]` for `a[b:len(a)]`."""
    operand, start, end = node.child("operand"), node.child("start"), node.child("end")
    if start is not None and start.text == "0":
        node.children = [child for child in node.children if child is not start]
    if operand is None or operand.kind != "identifier" or end is None or node.child("capacity") is not None:
        return
    if spelling(end) == f"len({operand.text})" and names.is_free("len"):
        node.children = [child for child in node.children if child is not end]


def _assignment(node: Node, _names: KnownNames) -> None:
    """`a += 1` for `a = a + 1`, and `f()` for `_ = f()`: what may stand alone is a call."""
    left, sign, right = node.children
    target, value = _only(left), _only(right)
    is_dropped = all(child.text in ("_", ",") for child in (left.children or [left]))
    if sign.text == "=" and value.kind == "call_expression" and is_dropped:
        value.field = None
        node.kind, node.children = "expression_statement", [value]
    elif sign.text == "=" and _is_place(target) and value.kind == "binary_expression":
        first, operator, second = value.children
        if spelling(first) == spelling(target) and _is_place(first) and operator.text in _SIGNS:
            second.field = None
            given = Node("expression_list", "right", right.row, children=[second])
            word = f"{operator.text}="
            node.children = [left, Node(word, "operator", sign.row, word), given]


def _is_place(target: Node) -> bool:
    """Whether it is a name, or a member of one."""
    while target.kind == "selector_expression":
        target = target.children[0]
    return target.kind == "identifier"


def _case(node: Node, _names: KnownNames) -> None:
    """A case ends anyway."""
    last = node.children[-1]
    if last.kind == "break_statement" and spelling(last) == "break":
        node.children.pop()


def _switch(node: Node, _names: KnownNames) -> None:
    """A `default` that does nothing is none."""
    node.children = [child for child in node.children if child.kind != "default_case" or spelling(child) != "default:"]


def _loop(node: Node, names: KnownNames) -> None:
    """`for a { }` for `for ; a; { }`, and `for { }` for `for true { }`."""
    for index, child in enumerate(node.children):
        parts = [part for part in child.children if part.kind != ";"]
        if child.kind == "for_clause" and not parts:
            del node.children[index]
            return
        if child.kind == "for_clause" and len(parts) == 1 and parts[0].field == "condition":
            node.children[index] = parts[0]
            parts[0].field = None
        elif child.kind == "true" and names.is_free("true"):
            del node.children[index]
            return


def _comparison(node: Node, names: KnownNames) -> None:
    """`strings.Contains(a, b)` for `strings.Index(a, b) != -1`, `bytes.Equal(a, b)` for `bytes.Compare(a, b) == 0`."""
    call, sign, number = node.children
    called = call.children[0] if call.kind == "call_expression" else call
    searched = names.calls(called, "strings") or names.calls(called, "bytes") or ""
    found = _FOUND.get((sign.text or "", spelling(number)))
    if found is not None and searched in _SEARCHES:
        called.children[2].text = _SEARCHES[searched]
    elif names.calls(called, "bytes") == "Compare" and number.text == "0" and sign.text in _OPPOSITE:
        called.children[2].text, found = "Equal", sign.text == "=="
    else:
        return
    if found:
        node.kind, node.children = call.kind, call.children
    else:
        call.field = "operand"
        node.kind, node.children = "unary_expression", [Node("!", "operator", node.row, "!"), call]


def _denial(node: Node, _names: KnownNames) -> None:
    """`a != b` for `!(a == b)`."""
    sign, operand = node.children
    word = operand.children[1].text if operand.kind == "binary_expression" else None
    if sign.text == "!" and word in _OPPOSITE:
        other = _OPPOSITE[word]
        operand.children[1] = Node(other, "operator", sign.row, other)
        node.kind, node.children = operand.kind, operand.children


def _call(node: Node, names: KnownNames) -> None:
    """`map[A]B{}` for `make(map[A]B)`, `[]A{}` for `make([]A, 0)`, and one form of an error with a text."""
    if len(node.children) != 2:
        return
    called, given = node.children
    values = [child for child in given.children if child.text not in ("(", ")", ",")]
    kinds = [value.kind for value in values]
    # A list of none has room for none.
    is_list = kinds[:2] == ["slice_type", "int_literal"] and {value.text for value in values[1:]} == {"0"}
    if called.text == "make" and names.is_free("make") and len(values) == 2 and values[1].text == "0" and not is_list:
        del given.children[2:4]  # without it a list would not compile
        kinds.pop()
    if called.text == "make" and names.is_free("make") and (kinds == ["map_type"] or is_list):
        values[0].field = "type"
        braces = [Node(sign, None, node.row, sign) for sign in ("{", "}")]
        node.kind = "composite_literal"
        node.children = [values[0], Node("literal_value", "body", node.row, children=braces)]
    elif names.calls(called, "errors") == "New":
        node.children[0] = _new_error(called)
    elif names.calls(called, "fmt") == "Errorf" and kinds[:1] == ["interpreted_string_literal"]:
        _error(node, called, given, values)


def _error(node: Node, called: Node, given: Node, values: list[Node]) -> None:
    """`errors.New("a")` for `fmt.Errorf("a")`, and with `fmt.Sprintf` in it where there is a format.

    That is what `Errorf` does, but for `%w`.
    """
    text = spelling(values[0])
    if "w" in text if "%" in text else len(values) > 1:
        return
    made = _new_error(called)
    if "%" in text:
        called.children[2].text = "Sprintf"
        inner = Node("call_expression", None, node.row, children=[called, given])
        signs = [Node(sign, None, node.row, sign) for sign in ("(", ")")]
        given = Node("argument_list", "arguments", node.row, children=[signs[0], inner, signs[1]])
    node.children = [made, given]


def _new_error(called: Node) -> Node:
    """A word for `errors.New` that is no name, as not every file imports the package."""
    return Node("identifier", "function", called.row, "new error")


def _function(function: Node, names: KnownNames) -> None:
    """Results and receivers without names that nothing says, and truths that are returned as such."""
    body, result, receiver = function.child("body"), function.child("result"), function.child("receiver")
    if body is None:
        return
    words = Counter(leaf.text for leaf in every_node(body))
    is_bare = any(node.kind == "return_statement" and len(node.children) == 1 for node in inner_nodes(body))
    for listed in (result if not is_bare else None, receiver):
        _unname(listed, words)
    if result is not None and [child.kind for child in result.children] == ["(", "parameter_declaration", ")"]:
        declared = result.children[1]
        if len(declared.children) == 1:
            only = declared.children[0]
            result.kind, result.text, result.role, result.children = only.kind, only.text, only.role, only.children
    if result is not None and result.text == "bool" and names.is_free("bool"):
        stack = [body]
        while stack:
            node = stack.pop()
            if node.kind == "return_statement" and len(node.children) == 2:
                node.children[1].field = SURE
            if node.kind != "func_literal":
                stack.extend(node.children)


def _unname(listed: Node | None, words: Counter[str | None]) -> None:
    declared = [] if listed is None else [child for child in listed.children if child.kind == "parameter_declaration"]
    names = [child for one in declared for child in one.children if child.field == "name"]
    if names and not any(words[name.text] for name in names):
        for one in declared:
            one.children = [child for child in one.children if child.field != "name"]


_SHAPES: dict[str, Callable[[Node, KnownNames], None]] = {
    "var_spec": _variable,
    "composite_literal": _literal,
    "slice_expression": _slice,
    "assignment_statement": _assignment,
    "for_statement": _loop,
    "binary_expression": _comparison,
    "unary_expression": _denial,
    "call_expression": _call,
    "function_declaration": _function,
    "method_declaration": _function,
    **dict.fromkeys(_CASES, _case),
    **dict.fromkeys(_SWITCHES, _switch),
}
