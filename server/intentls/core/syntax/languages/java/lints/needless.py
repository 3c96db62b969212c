"""Words and calls of Java that change nothing: casts and boxes that a compiler makes anyway, and values that are so.

    B m() { return (B) c(); }        Integer a = Integer.valueOf(b);      private int count = 0;
    B m() { return c(); }            Integer a = b;                       private int count;

A value that is returned, or kept under a name, is converted to what is declared there. Where both versions compile, a
cast to just that type finds what it is already, or does what is done anyway.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set

from intentls.core.syntax.languages.java.finals import drop_words
from intentls.core.syntax.languages.java.known_types import Known
from intentls.core.syntax.languages.made_nodes import become, given_to, word_at
from intentls.core.syntax.tree import Node, Role, copy_with, every_node, inner_nodes, spelling

_BOXES = {
    **{"Integer": "int", "Long": "long", "Double": "double", "Float": "float", "Boolean": "boolean"},
    **{"Short": "short", "Byte": "byte", "Character": "char"},
}
_LITERALS = {
    "int": re.compile(r"(?:0x)?[0-9a-f_]+\Z", re.IGNORECASE),
    "long": re.compile(r"(?:0x)?[0-9a-f_]+l\Z", re.IGNORECASE),
    "double": re.compile(r"[0-9_]*\.[0-9_]+(?:e[+-]?\d+)?d?\Z", re.IGNORECASE),
    "boolean": re.compile(r"(?:true|false)\Z"),
    "char": re.compile(r"'.*'\Z", re.DOTALL),
    "String": re.compile(r'".*"\Z', re.DOTALL),
}
_ZERO = re.compile(r"(?:0+|0*\.0+|0+\.0*)[ldf]?\Z", re.IGNORECASE)
# What a compiler makes of each number, if more is asked for.
_WIDER = {
    "byte": frozenset({"short", "int", "long", "float", "double"}),
    "short": frozenset({"int", "long", "float", "double"}),
    "char": frozenset({"int", "long", "float", "double"}),
    "int": frozenset({"long", "float", "double"}),
    "long": frozenset({"float", "double"}),
    "float": frozenset({"double"}),
}
_NUMBERS = frozenset({"byte", "short", "char", "int", "long", "float", "double"})
_PLAIN = _NUMBERS | {"boolean"}
_ORDERED = frozenset({"<", ">", "<=", ">=", "-", "*", "/", "%"})
_EQUAL = frozenset({"==", "!="})
# Values whose type depends on what they are asked for.
_OPEN = frozenset(
    {"ternary_expression", "switch_expression", "lambda_expression", "method_reference", "cast_expression"}
)
_DEFAULTS = {"AtomicBoolean": "false", "AtomicInteger": "0", "AtomicLong": "0", "AtomicReference": "null"}
_CHARSETS = {"UTF-8": "UTF_8", "ISO-8859-1": "ISO_8859_1", "US-ASCII": "US_ASCII", "UTF-16": "UTF_16"}
_SETS = frozenset({"Set", "HashSet", "LinkedHashSet", "TreeSet", "SortedSet"})
_MAPS = frozenset({"Map", "HashMap", "LinkedHashMap", "TreeMap", "SortedMap"})
_ASKED = {("contains", True): ("add", _SETS), ("contains", False): ("remove", _SETS)}
_ASKED |= {("containsKey", False): ("remove", _MAPS)}
_MOCKITO = "import static org.mockito.Mockito"
_METHOD, _FIELD, _LOCAL = "method_declaration", "field_declaration", "local_variable_declaration"
_OWN = frozenset({"lambda_expression", "class_body"})
_MAY_CALL_BACK = frozenset({"this", "lambda_expression", "method_reference", "class_body"})
_CALLS_BACK = re.compile(r"\bthis\b|->|::|\{|(?<![\w.])\w+\s*\(")
_NEW = re.compile(r"\bnew\s+([\w.]+)(?:\s*<[^()]*>)?\s*(?=\()")
_STATIC = re.compile(r"\bstatic\b")


def _is_own(name: str | None, known: Known) -> bool:
    return name not in known.foreign


def _array(node: Node, _known: Known) -> None:
    """`new A[0]` for `new A[] {}`."""
    if len(node.children) == 4 and [spelling(part) for part in node.children[2:]] == ["[]", "{}"]:
        size = Node("decimal_integer_literal", None, node.row, "0")
        listed = [word_at(node, "["), size, word_at(node, "]")]
        node.children[2:] = [Node("dimensions_expr", "dimensions", node.row, children=listed)]


def _creation(node: Node, known: Known) -> None:
    """`new AtomicBoolean()` for `new AtomicBoolean(false)`."""
    kind = spelling(node.child("type") or node).partition("<")[0]
    values = given_to(node) if node.children[-1].kind == "argument_list" else []
    if len(values) == 1 and _DEFAULTS.get(kind) == spelling(values[0]) and _is_own(kind, known):
        del node.children[-1].children[1:-1]


def _call(node: Node, known: Known) -> None:
    """`"a"` for `String.format("a")`, a charset by its constant, `verify(a)` for `verify(a, times(1))`."""
    owner, values = node.child("object"), given_to(node)
    name = (node.child("name") or node).text
    if owner is None:
        is_once = name == "verify" and len(values) == 2 and spelling(values[1]) == "times(1)"
        if is_once and known.imports.get("verify") == known.imports.get("times") == _MOCKITO:
            del node.children[-1].children[2:-1]
        return
    said = spelling(values[0]) if len(values) == 1 and values[0].kind == "string_literal" else "%"
    if (owner.text, name) == ("String", "format") and "%" not in said and _is_own("String", known):
        become(node, values[0])
    word = _CHARSETS.get(said.strip('"').upper())
    if (owner.text, name) == ("Charset", "forName") and word is not None and _is_own("Charset", known):
        place = Node("identifier", "object", node.row, "StandardCharsets", Role.NAME)
        field = Node("identifier", "field", node.row, word, Role.MEMBER, origin="StandardCharsets")
        node.kind, node.children = "field_access", [place, word_at(node, "."), field]


def _unary(node: Node, known: Known) -> None:
    """`!a` for `!a.booleanValue()`."""
    sign, value = node.children[0], node.children[-1]
    if sign.text in ("!", "-"):
        _unbox(value, known)


def _condition(node: Node, known: Known) -> None:
    for part in node.children:
        if part.field == "condition":
            _unbox(part, known)
    if node.kind == "if_statement":
        _ask_before(node, known)


def _binary(node: Node, known: Known) -> None:
    """`a < 1` for `a.intValue() < 1`, and `a + b` for `a.intValue() + b` of a number."""
    left, sign, right = node.children[0], node.children[1], node.children[-1]
    if sign.text in _ORDERED or sign.text in ("&&", "||"):
        _unbox(left, known)
        _unbox(right, known)
    elif sign.text in _EQUAL or sign.text == "+":
        kinds = _PLAIN if sign.text in _EQUAL else _NUMBERS  # with a text it is no sum
        for one, other in ((left, right), (right, left)):
            if _type_of(other, known) in kinds:
                _unbox(one, known)


def _unbox(value: Node, known: Known) -> None:
    """`a` for `a.intValue()`, where nothing but a number, or a truth, is asked for."""
    owner, name = value.child("object"), value.child("name")
    if value.kind != "method_invocation" or owner is None or name is None or given_to(value):
        return
    word = _BOXES.get(known.type_of(owner))
    if word is not None and name.text == f"{word}Value":
        become(value, owner)


def _type_of(value: Node, known: Known) -> str:
    """What a value is for sure: that of a literal, a variable, or a character of a text; else empty."""
    if value.kind == "method_invocation":
        owner, name = value.child("object"), (value.child("name") or value).text
        is_text = owner is not None and known.type_of(owner) in ("String", "CharSequence", "StringBuilder")
        return {"charAt": "char", "length": "int"}.get(name or "", "") if is_text else ""
    if value.kind.endswith("_literal") or value.kind in ("true", "false"):
        said = spelling(value)
        return next((kind for kind, literal in _LITERALS.items() if literal.match(said)), "")
    return known.type_of(value)


def _ask_before(node: Node, known: Known) -> None:
    """`a.add(b)` for `if (!a.contains(b)) a.add(b)`: what a set has it does not get again."""
    asked, does = node.child("condition"), node.child("consequence")
    if asked is None or does is None or node.child("alternative") is not None:
        return
    is_denied = asked.kind == "unary_expression" and asked.children[0].text == "!"
    asked = asked.children[1] if is_denied else asked
    inner = does.children[1] if does.kind == "block" and len(does.children) == 3 else does
    call = inner.children[0] if inner.kind == "expression_statement" else node
    if asked.kind != "method_invocation" or call.kind != "method_invocation" or len(asked.children) != 4:
        return
    method, kinds = _ASKED.get((asked.children[2].text or "", is_denied), ("", frozenset[str]()))
    values = given_to(asked)
    is_plain = len(values) == 1 and (values[0].role is Role.NAME or values[0].kind == "string_literal")
    is_same = spelling(call) == spelling(asked).replace(f".{asked.children[2].text}(", f".{method}(", 1)
    if is_plain and is_same and known.type_of(asked.children[0]) in kinds:
        inner.field = node.field
        node.kind, node.children = inner.kind, inner.children


def _method(node: Node, known: Known) -> None:
    """No cast to what the method returns."""
    written, body = node.child("type"), node.child("body")
    stack = [body] if body is not None and written is not None else []
    while stack:
        inner = stack.pop()
        if inner.kind == "return_statement" and len(inner.children) == 2:
            _as_asked(inner, spelling(written or node), known)
        stack.extend(child for child in inner.children if child.kind not in _OWN)


def _local(node: Node, known: Known) -> None:
    """No cast to what is declared; `B a = (B) c` for `var a = (B) c`."""
    written = node.child("type")
    declarators = [child for child in node.children if child.kind == "variable_declarator"]
    is_plain = written is not None and len(declarators) == 1 and len(declarators[0].children) == 3
    if written is None or not is_plain:
        return
    value = declarators[0].children[2]
    if spelling(written) == "var" and value.kind == "cast_expression":
        become(written, copy_with(value.children[1], {}))
    if spelling(written) != "var":
        _as_asked(declarators[0], spelling(written), known)


def _as_asked(holder: Node, kind: str, known: Known) -> None:
    """The value of a holder, its last part, without a cast or a box that makes the type that is asked for."""
    value = holder.children[-1]
    # What makes an array may go by the type that is asked for.
    if value.kind == "cast_expression" and len(value.children) == 4 and spelling(value.children[1]) == kind:
        inner = value.children[3]
        have = _type_of(inner, known)
        is_told = have == kind or kind in _WIDER.get(have, ())
        is_object = not kind.endswith("]") and kind not in _PLAIN and have not in _PLAIN and not _is_open(inner)
        is_object = is_object and inner.role is not Role.NAME  # what a name is may have been asked before
        if is_told or is_object:
            become(value, inner)
    elif kind in _PLAIN and spelling(value).endswith(f".{kind}Value()"):
        _unbox(value, known)
    elif value.kind == "method_invocation" and kind in _BOXES and _is_own(kind, known):
        given = given_to(value)
        called = [part.text for part in value.children[:3]]
        if called == [kind, ".", "valueOf"] and len(given) == 1 and _type_of(given[0], known) == _BOXES[kind]:
            become(value, given[0])


def _is_open(value: Node) -> bool:
    return any(node.kind in _OPEN or spelling(node).endswith("<>") for node in inner_nodes(value))


def _cast(node: Node, known: Known) -> None:
    """`1` for `(int) 1`, `a` for `(int) a` of an `int`."""
    kind, inner = spelling(node.children[1]), node.children[-1]
    if kind in _PLAIN | _BOXES.keys() | {"String"} and _type_of(inner, known) == kind and _is_own(kind, known):
        become(node, inner)


def _class(node: Node, known: Known) -> None:
    """No first value of a field that it has anyway; no `final` of what a `final` class does."""
    members = [member for child in node.children if child.field == "body" for member in child.children]
    words = {word for child in node.children if child.kind == "modifiers" for word in _words(child)}
    for member in members if "final" in words else ():
        if member.kind == _METHOD:
            drop_words(member, frozenset({"final"}))
    if any(child.field == "superclass" for child in node.children):
        return  # it may have called what gives the field another value
    nested = {_name(member) for member in members if member.kind.endswith("_declaration")}
    seen = {True: False, False: False}
    for member in members:
        is_static = _is_static(member)
        if member.kind == _FIELD and not seen[is_static] and member.text is None:
            _without_default(member)
        if member.kind in ("block", "static_initializer") or member.kind == _FIELD:
            seen[is_static] |= _may_give_values(member, nested, is_static=is_static)


def _words(modifiers: Node) -> list[str]:
    return modifiers.text.split() if modifiers.text else [spelling(child) for child in modifiers.children]


def _is_static(member: Node) -> bool:
    if member.text is not None:
        return _STATIC.search(member.text.partition("=")[0]) is not None or member.kind == "static_initializer"
    words = (word for child in member.children if child.kind == "modifiers" for word in _words(child))
    return "static" in words or member.kind == "static_initializer"


def _without_default(field: Node) -> None:
    """`int a` for `int a = 0`, which it is from the beginning."""
    written = spelling(field.child("type") or field)
    words = {word for child in field.children if child.kind == "modifiers" for word in _words(child)}
    for declarator in (child for child in field.children if child.kind == "variable_declarator"):
        if "final" not in words and len(declarator.children) == 3 and _is_default(written, declarator.children[2]):
            del declarator.children[1:]


def _is_default(written: str, value: Node) -> bool:
    if written == "boolean":
        return value.kind == "false"
    if written in _NUMBERS:
        return _ZERO.match(spelling(value)) is not None
    return value.kind == "null_literal"


def _name(member: Node) -> str:
    """How a member is called; one that did not change is a leaf."""
    name = member.child("name")
    return member.origin if name is None else name.text or ""


def _may_give_values(member: Node, nested: Set[str], *, is_static: bool) -> bool:
    """Whether what is done for a member, as an object or a class comes to be, may lead to another one's value."""
    if member.kind != _FIELD:
        return True
    if member.text is not None:
        said = member.text.partition("=")[2]
        if is_static:
            return "(" in said or "{" in said
        is_nested = not nested.isdisjoint(_NEW.findall(said))
        return is_nested or _CALLS_BACK.search(_NEW.sub("", said)) is not None
    values = [value for child in member.children if (value := child.child("value")) is not None]
    return any(_leads_back(value, nested, is_static=is_static) for value in values)


def _leads_back(value: Node, nested: Set[str], *, is_static: bool) -> bool:
    for node in every_node(value):
        if node.kind in _MAY_CALL_BACK:
            return True
        if node.kind == "object_creation_expression":
            made = spelling(node.child("type") or node).partition("<")[0]
            if is_static or made in nested:
                return True
        if node.kind == "method_invocation" and (is_static or node.children[0].field == "name"):
            return True
    return False


NEEDLESS: Mapping[str, Callable[[Node, Known], None]] = {
    "array_creation_expression": _array,
    "object_creation_expression": _creation,
    "method_invocation": _call,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "if_statement": _condition,
    "while_statement": _condition,
    "ternary_expression": _condition,
    "cast_expression": _cast,
    _METHOD: _method,
    _LOCAL: _local,
    _FIELD: _local,
    "class_declaration": _class,
}
"""What is done with each kind of node."""
