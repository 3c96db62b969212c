"""JavaScript as its linters write it: names for what has one, and the newer form of what took more words.

    const { a } = b                  const a = b.a
    if (!(a && b === c)) d()         if (!a || b !== c) d()
    require('fs')                    require('node:fs')
    Object.assign({}, a, { b })      { ...a, b }
    if (!a) a = b                    a ||= b

A name of the language means that only where the file declares no such name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container

from intentls.core.syntax.languages.adapter import flattened
from intentls.core.syntax.languages.javascript.forms import OWN_SCOPE, STRICT, as_arrow, is_truth, opposite
from intentls.core.syntax.languages.made_nodes import become, joined_by, word_at
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

Bound = Container[str | None]
"""The names that a file declares: what the language means by them is not what they are there."""

_BUILTINS = frozenset(
    {
        *("assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto", "dgram"),
        *("diagnostics_channel", "dns", "domain", "events", "fs", "fs/promises", "http", "http2", "https", "inspector"),
        *(
            "module",
            "net",
            "os",
            "path",
            "path/posix",
            "path/win32",
            "perf_hooks",
            "process",
            "querystring",
            "readline",
        ),
        *("repl", "stream", "stream/promises", "string_decoder", "timers", "timers/promises", "tls", "tty", "url"),
        *("util", "util/types", "v8", "vm", "worker_threads", "zlib", "assert/strict", "dns/promises"),
    }
)
_LISTS = frozenset({"program", "statement_block", "switch_case", "switch_default"})
_OF_BLOCKS = re.compile(r"(lexical|function|class|generator_function|enum|interface|type_alias)\w*_declaration")
_READ_OTHERWISE = frozenset({"expression_statement", "jsx_attribute"})  # a directive, and markup
_EQUALS = frozenset({"===", "!==", "==", "!="})
_NUMBERS = frozenset({"parseInt", "parseFloat"})
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_ESCAPE = re.compile(
    r"\\(?:u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{2})|([^ux\d])|(0)(?!\d))", re.DOTALL
)
_PLAIN_KEY = re.compile(r"[A-Za-z_$][\w$]*\Z")
_PATTERN = re.compile(r"[^\\/\n\r]+\Z")
_FLAGS = re.compile(r"[dgimsuvy]*\Z")
_OWN = "Object.prototype.hasOwnProperty"
_SLICE = frozenset({"Array.prototype.slice", "[].slice"})


def linted(root: Node) -> None:
    """A `Rewrite`: `a.b` for `{ b } = a`, `!a || !b` for `!(a && b)`, `node:fs` for `fs`, and more."""
    bound = {leaf.text for leaf in every_node(root) if leaf.binds}
    if "undefined" not in bound:
        _ask_undefined(root)
    for node in reversed(list(inner_nodes(root))):
        if node.kind in _LISTS:
            node.children = [part for child in node.children for part in _each_name(child)]
        for child in node.children if node.kind not in _READ_OTHERWISE else ():
            if child.kind == "string" and child.text is not None:
                child.text = _decoded(child.text)
        if node.kind == "import_item":
            _name_builtin(node.children[0])
        shape = _SHAPES.get(node.kind)
        if shape is not None:
            shape(node, bound)


def _decoded(text: str) -> str:
    """A text with the characters that its escapes stand for, but for what has to be escaped."""

    def character(escape: re.Match[str]) -> str:
        code = escape[1] or escape[2] or escape[3]
        if code is not None:
            value = int(code, 16)
            found = chr(value) if value < 0x110000 and not 0xD800 <= value < 0xE000 else escape[0]
        elif escape[4] in ("\n", "\r", "\u2028", "\u2029"):
            found = ""  # a text that goes on in the next line
        else:
            found = _ESCAPES.get(escape[4] or "0", escape[4] or "\0")
        return found if len(found) != 1 or (found.isprintable() and found != "\\") else _escaped(found)

    return _ESCAPE.sub(character, text) if "\\" in text else text


def _escaped(character: str) -> str:
    return "\\\\" if character == "\\" else f"\\u{{{ord(character):x}}}"


def _each_name(declaration: Node) -> list[Node]:
    """`const a = b.a; const d = b.c` for `const { a, c: d } = b`, or of `this`; of a call if it is one name."""
    declarator = declaration.children[-1] if declaration.children else declaration
    if declarator.kind != "variable_declarator" or len(declaration.children) != 2 or len(declarator.children) != 3:
        return [declaration]
    pattern, _, value = declarator.children
    pairs = [child for child in pattern.children if child.kind not in ("{", "}", ",")]
    is_plain = pattern.kind == "object_pattern" and all(
        pair.kind == "pair_pattern"
        and pair.children[0].kind == "property_identifier"
        and pair.children[2].role is Role.NAME
        for pair in pairs
    )
    names = {pair.children[-1].text for pair in pairs if is_plain}
    is_again = value.kind == "this" or (value.role is Role.NAME and value.text not in names)
    if not is_plain or not pairs or _is_load(value) or not (is_again or len(pairs) == 1):
        return [declaration]
    return [_of_member(declaration, declarator, pair, value) for pair in pairs]


def _is_load(value: Node) -> bool:
    """Whether it is a call of `require`, of which a member is one of a pattern in the other form."""
    return value.kind == "call_expression" and value.children[0].text == "require"


def _of_member(declaration: Node, declarator: Node, pair: Node, value: Node) -> Node:
    key, name = pair.children[0], pair.children[2]
    row = pair.row
    member = Node("property_identifier", "property", row, key.text, Role.MEMBER)
    owner = Node(value.kind, "object", row, value.text, value.role, children=value.children)
    made = Node("member_expression", "value", row, children=[owner, word_at(pair, "."), member])
    name.field = "name"
    one = Node("variable_declarator", None, row, children=[name, declarator.children[1], made])
    return Node(declaration.kind, declaration.field, row, end=declaration.end, children=[declaration.children[0], one])


def _name_builtin(module: Node) -> None:
    """`node:fs` for `fs`: a module of Node itself comes before any other one of the name."""
    text = module.text or ""
    name = text.strip("'\"")
    if name in _BUILTINS:
        module.text = text.replace(name, f"node:{name}", 1)


def _call(node: Node, bound: Bound) -> None:
    called, given = node.children[0], node.children[-1]
    values = [child for child in given.children if child.kind not in ("(", ")", ",")]
    if called.kind == "function_expression":
        node.children[0] = as_arrow(called)
        return
    said = spelling(called)
    if said == "require" and "require" not in bound and len(values) == 1 and values[0].kind == "string":
        _name_builtin(values[0])
    elif said.partition(".")[0] in bound or any(value.kind == "spread_element" for value in values):
        return
    elif said == "Object.assign" and len(values) > 1 and values[0].kind == "object":
        _spread(node, values)
    elif said == "Math.pow" and len(values) == 2 and any(value.kind == "number" for value in values):
        values[0].field, values[1].field = "left", "right"
        node.kind, node.children = "binary_expression", [values[0], word_at(node, "**", "operator"), values[1]]
    elif said == f"{_OWN}.call" and len(values) == 2:
        _rename_call(called, "hasOwn")
    elif said in {f"{way}.call" for way in _SLICE} | {"Array.from"} and [value.text for value in values] == [
        "arguments"
    ]:
        spread = Node("spread_element", None, node.row, children=[word_at(node, "..."), values[0]])
        node.kind, node.children = "array", [word_at(node, "["), spread, word_at(node, "]")]
    elif said in {f"Number.{name}" for name in _NUMBERS} and called.children[2].text not in bound:
        name = called.children[2].text
        node.children[0] = Node("identifier", called.field, called.row, name, Role.NAME)


def _rename_call(called: Node, name: str) -> None:
    """`Object.name` in the place of a longer path that begins with `Object`."""
    owner = called
    while owner.children:
        owner = owner.children[0]
    member = Node("property_identifier", "property", called.row, name, Role.MEMBER, origin="Object")
    owner.field = "object"
    called.children = [owner, word_at(called, "."), member]


def _spread(node: Node, values: list[Node]) -> None:
    """`{ ...a, b: c }` for `Object.assign({}, a, { b: c })`: a new object is given what each of them has."""
    parts = [child for child in values[0].children if child.kind not in ("{", "}", ",")]
    if not all(part.kind in ("pair", "spread_element") and _is_value(part) for part in parts):
        return
    for value in values[1:]:
        inner = [child for child in value.children if child.kind not in ("{", "}", ",")]
        if value.kind == "object" and all(
            part.kind in ("pair", "spread_element") and _is_value(part) for part in inner
        ):
            parts += inner
        else:
            value.field = None
            parts.append(Node("spread_element", None, value.row, children=[word_at(value, "..."), value]))
    listed = joined_by(",", parts)
    node.kind, node.children = "object", [word_at(node, "{"), *listed, word_at(node, "}")]


def _is_value(pair: Node) -> bool:
    """Whether it gives a value to a key that is no `__proto__`, which would be something else."""
    return pair.kind != "pair" or (pair.children[0].text or "__proto__") != "__proto__"


def _new(node: Node, bound: Bound) -> None:
    """`/a/g` for `new RegExp('a', 'g')`."""
    made, given = node.children[1:3]
    values = [child for child in given.children if child.kind not in ("(", ")", ",")]
    texts = [value.text or "" for value in values if value.kind == "string"]
    is_plain = made.text == "RegExp" and "RegExp" not in bound and 0 < len(values) == len(texts) < 3
    if is_plain and _PATTERN.match(texts[0]) and _FLAGS.match("".join(texts[1:])):
        flags = "".join(sorted(texts[1])) if len(texts) == 2 else ""
        node.kind, node.text, node.children = "regex", f"/{texts[0]}/{flags}", []


def _key(node: Node, _bound: Bound) -> None:
    """`{ a: b }` for `{ ['a']: b }`."""
    key = node.children[0]
    if key.kind == "computed_property_name" and len(key.children) == 3 and key.children[1].kind == "string":
        name = key.children[1].text or ""
        if _PLAIN_KEY.match(name) and name not in ("__proto__", "constructor"):
            node.children[0] = Node("property_identifier", key.field, key.row, name, Role.MEMBER)


def _method(node: Node, bound: Bound) -> None:
    """`{ a() { b() } }` for `{ a: function () { b() } }`, unless its name is one of what `new` makes."""
    _key(node, bound)
    key, value = node.children[0], node.children[-1]
    words = [child.kind for child in value.children[:-2]]
    is_plain = len(node.children) == 3 and value.kind == "function_expression" and words == ["function"]
    if is_plain and key.kind == "property_identifier" and not (key.text or "")[:1].isupper():
        key.field = "name"
        node.kind, node.children = "method_definition", [key, *value.children[1:]]


def _unary(node: Node, _bound: Bound) -> None:
    """`!a || !b` for `!(a && b)`: both are true or false. `a` for `!!a` of a truth."""
    inner = node.children[1]
    if node.children[0].kind == "!" and inner.kind == "unary_expression" and inner.children[0].kind == "!":
        if is_truth(inner.children[1]):
            become(node, inner.children[1])
        return
    if node.children[0].kind != "!" or node.children[1].kind != "binary_expression":
        return
    sign = inner.children[1].kind
    if sign in ("&&", "||"):
        parts = [_denied(child) for child in inner.children[::2]]
        word = "||" if sign == "&&" else "&&"
        listed = joined_by(word, parts, "operator")
        whole = flattened(Node("binary_expression", node.field, node.row, children=listed), word)
        node.kind, node.children = "binary_expression", whole.children


def _denied(condition: Node) -> Node:
    found = opposite(condition)
    if found is not None and is_truth(found):
        return found
    condition.field = "argument"
    result = Node("unary_expression", None, condition.row, children=[word_at(condition, "!", "operator"), condition])
    _unary(result, ())
    return result


def _ask_undefined(root: Node) -> None:
    """`a === undefined` for `typeof a === 'undefined'` of a member, or of a parameter of a function around it."""
    stack: list[tuple[Node, frozenset[str | None]]] = [(root, frozenset())]
    while stack:
        node, known = stack.pop()
        if node.kind in OWN_SCOPE:
            listed = node.child("parameters")
            names = every_node(listed) if listed is not None else ()
            known |= {leaf.text for leaf in names if leaf.binds}
        if node.kind == "binary_expression" and len(node.children) == 3:
            left, sign, right = node.children
            is_asked = left.kind == "unary_expression" and left.children[0].kind == "typeof" and right.kind == "string"
            asked = left.children[1] if is_asked and right.text == "undefined" and sign.kind in _EQUALS else node
            if asked.kind == "member_expression" or (asked.role is Role.NAME and asked.text in known):
                asked.field = "left"
                word = word_at(sign, STRICT.get(sign.kind, sign.kind), "operator")
                node.children = [asked, word, Node("undefined", "right", right.row, "undefined")]
        stack.extend((child, known) for child in node.children)


def _binary(node: Node, _bound: Bound) -> None:
    """`a` for `a === true` of a truth."""
    if len(node.children) != 3:
        return
    left, sign, right = node.children
    if sign.kind == "===" and right.kind == "true" and is_truth(left):
        become(node, left)


def _ternary(node: Node, _bound: Bound) -> None:
    """`a || b` for `a ? a : b`, `a ?? b` for `a == null ? b : a`, `!a` for `a ? false : true`."""
    condition, _, first, _, second = node.children
    word, value, other = "", first, second
    if condition.role is Role.NAME and first.text == condition.text:
        word = "||"
    else:
        name, is_nothing = _asks_for_nothing(condition)
        value, other = (second, first) if is_nothing else (first, second)
        word = "??" if name and value.role is Role.NAME and value.text == name else ""
    if word and not (word == "??" and other.kind == "binary_expression" and other.children[1].kind in ("&&", "||")):
        value.field, other.field = "left", "right"
        whole = Node(
            "binary_expression", node.field, node.row, children=[value, word_at(node, word, "operator"), other]
        )
        node.kind, node.children = "binary_expression", flattened(whole, word).children
    elif (first.kind, second.kind) == ("false", "true"):
        condition.field = "argument"
        node.kind, node.children = "unary_expression", [word_at(node, "!", "operator"), condition]
        _unary(node, _bound)


def _asks_for_nothing(condition: Node) -> tuple[str, bool]:
    """The name that a condition compares with `null` and `undefined`, and whether it is so if it is one of them."""
    parts = condition.children if condition.kind == "binary_expression" else []
    if len(parts) == 3 and parts[1].kind in ("==", "!=") and parts[2].kind in ("null", "undefined"):
        is_name = parts[0].role is Role.NAME
        return (parts[0].text or "" if is_name else ""), parts[1].kind == "=="
    if len(parts) == 3 and parts[1].kind in ("&&", "||"):
        sides = [side.children for side in parts[::2] if side.kind == "binary_expression" and len(side.children) == 3]
        sign = "!==" if parts[1].kind == "&&" else "==="
        names = {side[0].text for side in sides if side[1].kind == sign and side[0].role is Role.NAME}
        nothing = {side[2].kind for side in sides}
        if len(sides) == 2 and len(names) == 1 and nothing == {"null", "undefined"}:
            return names.pop() or "", sign == "==="
    return "", False


def _if(node: Node, _bound: Bound) -> None:
    """`a ||= b` for `if (!a) a = b`, and `a ??= b` for `if (a == null) a = b`."""
    branch = [child for child in node.children[-1].children if child.kind not in ("{", "}")]
    is_block = node.children[-1].kind == "statement_block" and len(branch) == 1
    statement = branch[0] if is_block else node.children[-1]
    if len(node.children) != 3 or statement.kind != "expression_statement":
        return
    condition = node.children[1]
    given = statement.children[0]
    target = given.children[0] if given.kind == "assignment_expression" else given
    if given is target or given.children[1].kind != "=" or target.role is not Role.NAME:
        return
    is_false = condition.kind == "unary_expression" and condition.children[0].kind == "!"
    name, is_nothing = _asks_for_nothing(condition)
    word = "||=" if is_false and condition.children[1].text == target.text else ""
    word = word or ("??=" if is_nothing and name == target.text else "")
    if word:
        _give(given, word, given.children[2])
        node.kind, node.children = "expression_statement", [given]


def _give(given: Node, word: str, value: Node) -> None:
    value.field = "right"
    given.kind = "augmented_assignment_expression"
    given.children = [given.children[0], word_at(given, word, "operator"), value]


def _statement(node: Node, _bound: Bound) -> None:
    """`a ||= b` for `a = a || b`, where nothing gets the value."""
    given = node.children[0]
    parts = given.children if given.kind == "assignment_expression" and len(given.children) == 3 else []
    value = parts[2] if parts and parts[1].kind == "=" else node
    is_chain = value.kind == "binary_expression" and len(value.children) == 3
    if is_chain and value.children[1].kind in ("||", "??", "&&") and parts[0].role is Role.NAME:
        first, sign, second = value.children
        if first.role is Role.NAME and first.text == parts[0].text:
            _give(given, f"{sign.kind}=", second)


def _case(node: Node, _bound: Bound) -> None:
    """`case 1: a()` for `case 1: { a() }`: a block that declares nothing holds nothing apart."""
    blocks = [child for child in node.children if child.kind == "statement_block"]
    if len(blocks) == 1 and blocks[0] is node.children[-1]:
        inner = [child for child in blocks[0].children if child.kind not in ("{", "}")]
        if not any(_OF_BLOCKS.match(child.kind) for child in inner):
            node.children[-1:] = inner


def _class(node: Node, _bound: Bound) -> None:
    """Without a constructor that only hands on what it is given."""
    body = node.child("body")
    if body is not None and any(child.kind == "class_heritage" for child in node.children):
        body.children = [child for child in body.children if not _HANDS_ON.match(spelling(child))]


_HANDS_ON = re.compile(r"constructor\(\.\.\.([\w$]+)\)\{super\(\.\.\.\1\)\}\Z")
_SHAPES: dict[str, Callable[[Node, Bound], None]] = {
    "call_expression": _call,
    "new_expression": _new,
    "pair": _method,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "ternary_expression": _ternary,
    "if_statement": _if,
    "expression_statement": _statement,
    "switch_case": _case,
    "switch_default": _case,
    "class_declaration": _class,
}
