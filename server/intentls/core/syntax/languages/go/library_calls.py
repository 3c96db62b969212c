"""Go that its linters write in fewer words: what the standard library has a name for, and signs that say the same.

t.Sub(time.Now())                    time.Until(t)
fmt.Sprintf("%d", n)                 strconv.Itoa(n)            both compile for an `int` alone
"GET", 404                           http.MethodGet, http.StatusNotFound
fmt.Fprintln(os.Stdout, a)           fmt.Println(a)
fmt.Sprint("a")                      "a"
if strings.HasPrefix(s, "a") {       s = strings.TrimPrefix(s, "a")
    s = s[len("a"):]
}
!(a && b == c)                       !a || b != c
strings.Cut(s, "=")                  strings.SplitN(s, "=", 2)    (`cuts`)
"""

from __future__ import annotations

from collections.abc import Callable

from intentls.core.syntax.languages.adapter import flattened, leaf_like
from intentls.core.syntax.languages.go.cuts import with_slices
from intentls.core.syntax.languages.go.local_names import is_pure
from intentls.core.syntax.languages.go.shorthands import KnownNames, known_names
from intentls.core.syntax.languages.go.switches import as_branches
from intentls.core.syntax.languages.made_nodes import denied_once, given_to, word_at
from intentls.core.syntax.tree import Node, inner_nodes, spelling

_UNTIL = "\0Until"  # no name of a file
# What compiles for one type alone, as which it is printed: a whole number, a truth, a text.
_WRITTEN = {"Itoa": '"%d"', "FormatBool": '"%t"', "Quote": '"%q"'}
_SORTED = {"StringSlice": "Strings", "IntSlice": "Ints", "Float64Slice": "Float64s"}
_TRIMMED = {"HasPrefix": ("TrimPrefix", "start"), "HasSuffix": ("TrimSuffix", "end")}
_OPPOSITE = {"==": "!=", "!=": "=="}
_OTHER_SIGN = {"&&": "||", "||": "&&"}
_PRINTS = {"Fprint": "Print", "Fprintf": "Printf", "Fprintln": "Println"}
_RAW = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def with_library_names(root: Node) -> None:
    """A `Rewrite`: `time.Until(t)` for `t.Sub(time.Now())`, `!a || !b` for `!(a && b)`, and more."""
    for child, names in known_names(root):
        with_slices(child, names)
        for node in reversed(list(inner_nodes(child))):
            shape = _SHAPES.get(node.kind)
            if shape is not None:
                shape(node, names)
            node.children = [_value(part) for part in node.children]


def asked_in_a_row(root: Node) -> None:
    """A `Rewrite`: `a && b && c`, however it is nested, and `if` for a `switch`."""
    for node in reversed(list(inner_nodes(root))):
        if node.kind == "binary_expression" and node.children[1].text in _OTHER_SIGN:
            node.children = flattened(node, node.children[1].text or "").children
        elif node.kind == "expression_switch_statement":
            as_branches(node)


def _value(node: Node) -> Node:
    """A text in one form."""
    if node.kind == "raw_string_literal" and "\r" not in (node.text or ""):
        inner = "".join(_RAW.get(sign, sign) for sign in (node.text or "")[1:-1])
        return leaf_like(node, "interpreted_string_literal", f'"{inner}"')
    return node


def _call(node: Node, names: KnownNames) -> None:
    called, given = node.children[0], given_to(node)
    if len(node.children) != 2:
        return
    if names.calls(called, "time") == "Until" and len(given) == 1:
        node.children[0] = Node("identifier", called.field, called.row, _UNTIL)
    elif (word := _WRITTEN.get(names.calls(called, "strconv") or "")) is not None and len(given) == 1:
        node.children[0] = Node("identifier", called.field, called.row, word)
    elif names.calls(called, "fmt") == "Sprint" and [part.kind for part in given] == ["interpreted_string_literal"]:
        node.kind, node.text, node.children = given[0].kind, given[0].text, []
    elif names.calls(called, "fmt") == "Sprintf" and len(given) == 2 and given[0].text in _WRITTEN.values():
        node.children[0] = Node("identifier", called.field, called.row, given[0].text)
        del node.children[1].children[1:3]
    elif called.kind == "selector_expression" and called.children[2].text == "Sub" and len(given) == 1:
        _until(node, called, given[0], names)
    elif names.calls(called, "sort") == "Sort" and len(given) == 1 and given[0].kind == "call_expression":
        made = _SORTED.get(names.calls(given[0].children[0], "sort") or "")
        if made is not None and len(given_to(given[0])) == 1:
            called.children[2].text, node.children[1] = made, given[0].children[1]
    elif names.calls(called, "fmt") in ("Fprint", "Fprintf", "Fprintln") and given and _is_stdout(given[0], names):
        called.children[2].text = _PRINTS[called.children[2].text or ""]
        del node.children[1].children[1 : 3 if len(given) > 1 else 2]
        _call(node, names)
    elif names.calls(called, "fmt") in ("Print", "Println", "Fprint", "Fprintln"):
        _print(called, node.children[1], given, names)


def _is_stdout(value: Node, names: KnownNames) -> bool:
    return names.calls(value, "os") == "Stdout"


def _until(node: Node, called: Node, given: Node, names: KnownNames) -> None:
    """`time.Until(t)` for `t.Sub(time.Now())`."""
    owner = called.children[0]
    is_now = given.kind == "call_expression" and names.calls(given.children[0], "time") == "Now"
    if is_now and is_pure(owner) and not given_to(given):
        owner.field = None
        node.children[0] = Node("identifier", called.field, called.row, _UNTIL)
        node.children[1].children[1:-1] = [owner]


def _print(called: Node, listed: Node, given: list[Node], names: KnownNames) -> None:
    """`fmt.Printf("a\\n")` for `fmt.Println(fmt.Sprintf("a"))`, and `fmt.Printf("a")` for `fmt.Print`."""
    word = called.children[2].text or ""
    last = given[-1] if len(given) == (2 if word[0] == "F" else 1) else listed
    texts = given_to(last) if last.kind == "call_expression" and len(last.children) == 2 else []
    is_made = bool(texts) and names.calls(last.children[0], "fmt") == "Sprintf"
    if is_made and texts[0].kind == "interpreted_string_literal":
        ends_line = word.endswith("ln")
        texts[0].text = f'{(texts[0].text or "")[:-1]}\\n"' if ends_line else texts[0].text
        called.children[2].text = f"{word.removesuffix('ln')}f"
        at = next(index for index, child in enumerate(listed.children) if child is last)
        listed.children[at : at + 1] = last.children[1].children[1:-1]


def _unary(node: Node, _names: KnownNames) -> None:
    _spread_denial(node)


def _spread_denial(node: Node) -> None:
    """`!a || b != c` for `!(a && b == c)`."""
    sign, inner = node.children[0], node.children[-1]
    word = inner.children[1].text if inner.kind == "binary_expression" else ""
    if sign.text != "!":
        return
    if word in _OPPOSITE:
        inner.children[1] = word_at(inner, _OPPOSITE[word], "operator")
    elif word in _OTHER_SIGN:
        sides = [_denied(side) for side in inner.children[::2]]
        inner.children = [sides[0], word_at(inner, _OTHER_SIGN[word], "operator"), sides[1]]
    else:
        return
    node.kind, node.children = inner.kind, inner.children


def _denied(value: Node) -> Node:
    result = denied_once(value)
    if result.children and result.children[-1] is value:
        _spread_denial(result)
    return result


def _switch(node: Node, names: KnownNames) -> None:
    """`switch {` for `switch true {`."""
    if names.is_free("true"):
        node.children = [child for child in node.children if not (child.field == "value" and child.text == "true")]


def _assignment(node: Node, _names: KnownNames) -> None:
    """`<-a` for `_ = <-a`."""
    left, sign, right = node.children
    value = right.children[0] if len(right.children) == 1 else node
    is_received = value.kind == "unary_expression" and value.children[0].text == "<-"
    if is_received and sign.text == "=" and [child.text for child in left.children] == ["_"]:
        node.kind, node.children = "expression_statement", [value]


def _if(node: Node, names: KnownNames) -> None:
    """`a = strings.TrimPrefix(a, "b")` for what asks for `strings.HasPrefix` first."""
    condition, block = node.child("condition"), node.child("consequence")
    inner = [] if block is None else block.children[1:-1]
    if len(node.children) != 3 or condition is None or condition.kind != "call_expression" or len(inner) != 1:
        return
    called, given = condition.children[0], given_to(condition)
    found = _TRIMMED.get(names.calls(called, "strings") or "")
    if found is None or len(given) != 2 or not all(map(is_pure, given)) or not names.is_free("len"):
        return
    text, cut = spelling(given[0]), spelling(given[1])
    trimmed = f"{text}[len({cut}):]" if found[1] == "start" else f"{text}[:len({text})-len({cut})]"
    if inner[0].kind == "assignment_statement" and spelling(inner[0]) == f"{text}={trimmed}":
        called.children[2].text = found[0]
        condition.field = None
        inner[0].children[2].children = [condition]
        node.kind, node.children = inner[0].kind, inner[0].children


def _for(node: Node, names: KnownNames) -> None:
    """`a = append(a, b...)` for a loop that appends each of `b`."""
    clause, block = node.children[1], node.child("body")
    inner = [] if block is None else block.children[1:-1]
    if clause.kind != "range_clause" or len(inner) != 1 or not names.is_free("append") or len(clause.children) != 4:
        return
    named = [child.text for child in clause.children[0].children]
    listed = clause.children[3]
    name = named[2] if len(named) == 3 and named[0] == "_" else None
    target = inner[0].children[0] if inner[0].kind == "assignment_statement" else node
    text = spelling(target)
    is_plain = name is not None and is_pure(listed) and target is not node and is_pure(target.children[0])
    if not is_plain or spelling(listed) == text:
        return
    if spelling(inner[0]) == f"{text}=append({text},{name})" and name not in (text, listed.text):
        call = inner[0].children[2].children[0]
        listed.field = None
        spread = Node("variadic_argument", None, listed.row, children=[listed, word_at(listed, "...")])
        call.children[1].children[3] = spread
        node.kind, node.children = inner[0].kind, inner[0].children


_SHAPES: dict[str, Callable[[Node, KnownNames], None]] = {
    "call_expression": _call,
    "unary_expression": _unary,
    "expression_switch_statement": _switch,
    "assignment_statement": _assignment,
    "if_statement": _if,
    "for_statement": _for,
}
