"""Java as its inspections write it: the shorter form of what a compiler reads alike, or of what a type is sure to do.

    o instanceof A                 if (o instanceof A a) { b(a); }         list.size() == 0
    ? true : false                 if (o instanceof A) {                   list.isEmpty()
                                       A a = (A) o;
    o instanceof A                     b(a);                               for (; a; ) { b(); }
                                   }                                       while (a) { b(); }

What a variable is, its declarations say: all that the file has of its name. What the language calls so, no class of the
file is called, and no import but one of Java's own.
"""

from __future__ import annotations

from collections.abc import Callable, Set

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.languages.java.known_types import Known, known_types
from intentls.core.syntax.languages.java.lints.needless import NEEDLESS
from intentls.core.syntax.languages.java.lints.suggested import SUGGESTED
from intentls.core.syntax.languages.made_nodes import become, given_to, word_at
from intentls.core.syntax.tree import Node, Role, inner_nodes, spelling

_COLLECTIONS = frozenset(
    {
        *("Collection", "List", "ArrayList", "LinkedList", "Set", "HashSet", "LinkedHashSet", "TreeSet", "SortedSet"),
        *("Map", "HashMap", "LinkedHashMap", "TreeMap", "SortedMap", "Deque", "ArrayDeque", "Queue"),
    }
)
_LISTS = frozenset({"List", "ArrayList", "LinkedList"})
_EMPTY = {"==0": True, "<1": True, "<=0": True, "!=0": False, ">0": False, ">=1": False}
_FOUND = {"!=-1": True, ">=0": True, ">-1": True, "==-1": False, "<0": False}
_NOTHING = {"EMPTY_LIST": "emptyList", "EMPTY_SET": "emptySet", "EMPTY_MAP": "emptyMap"}
_GIVES_TEXT = frozenset({"trim", "strip", "substring", "toLowerCase", "toUpperCase", "concat", "replace", "replaceAll"})
_ASKED = {"nonNull": "!=", "isNull": "=="}
_ACCESS = frozenset({"public", "protected", "private"})


def linted(root: Node) -> None:
    """A `Rewrite`: `a.isEmpty()` for `a.size() == 0`, `o instanceof A a` for a cast after the question, and more."""
    known = known_types(root)
    for node in reversed(list(inner_nodes(root))):
        for shapes in (_SHAPES, NEEDLESS, SUGGESTED):
            shape = shapes.get(node.kind)
            if shape is not None:
                shape(node, known)


def _deny(node: Node, value: Node) -> None:
    value.field = "operand"
    node.kind, node.children = "unary_expression", [word_at(node, "!", "operator"), value]


def _called(node: Node) -> tuple[Node | None, str]:
    """What a method is called of, and how it is called."""
    is_method = node.kind == "method_invocation" and len(node.children) == 4 and node.children[1].kind == "."
    return (node.children[0], node.children[2].text or "") if is_method else (None, "")


def _ternary(node: Node, _known: Known) -> None:
    """`a` for `a ? true : false`."""
    condition, _, first, _, second = node.children
    if (first.kind, second.kind) == ("true", "false"):
        become(node, condition)
    elif (first.kind, second.kind) == ("false", "true"):
        _deny(node, condition)


def _binary(node: Node, known: Known) -> None:
    """`a.isEmpty()` for `a.size() == 0`, and `a.contains(b)` for `a.indexOf(b) != -1`."""
    call, sign, right = node.children
    owner, name = _called(call)
    if owner is None:
        return
    asked, kind, given = f"{sign.text}{spelling(right)}", known.type_of(owner), given_to(call)
    is_size = (name == "size" and kind in _COLLECTIONS) or (name == "length" and _is_text(owner, known))
    if is_size and not given and asked in _EMPTY:
        _ask(node, call, "isEmpty", is_so=_EMPTY[asked])
    is_place = name == "indexOf" and len(given) == 1 and asked in _FOUND
    if is_place and (kind in _LISTS or (_is_text(owner, known) and _is_text(given[0], known))):
        _ask(node, call, "contains", is_so=_FOUND[asked])


def _is_text(value: Node, known: Known) -> bool:
    """Whether it is a `String` for sure: a variable, a literal, or what these give."""
    while value.kind == "method_invocation":
        owner, name = _called(value)
        if owner is None:
            return False
        if name == "toString" and not given_to(value):
            return "String" not in known.foreign
        if name not in _GIVES_TEXT:
            return False
        value = owner
    return value.kind == "string_literal" or known.type_of(value) == "String"


def _ask(node: Node, call: Node, name: str, *, is_so: bool) -> None:
    call.children[2].text = name
    if is_so:
        become(node, call)
    else:
        _deny(node, call)


def _call(node: Node, known: Known) -> None:
    """`a.isEmpty()` for `a.equals("")`, `a != null` for `Objects.nonNull(a)`, `a.sort(b)` for `sort(a, b)`."""
    owner, name = _called(node)
    given = given_to(node)
    if owner is None:
        return
    if name == "equals" and _is_text(owner, known) and [spelling(part) for part in given] == ['""']:
        node.children[2].text = "isEmpty"
        del node.children[-1].children[1:-1]
    elif owner.text == "Objects" and name in _ASKED and len(given) == 1 and "Objects" not in known.foreign:
        given[0].field = "left"
        null = Node("null_literal", "right", node.row, "null")
        node.kind, node.children = "binary_expression", [given[0], word_at(node, _ASKED[name], "operator"), null]
    elif owner.text == "Collections" and name == "sort" and "Collections" not in known.foreign:
        if 0 < len(given) < 3 and known.type_of(given[0]) in _LISTS:
            given[0].field = "object"
            order = given[1] if len(given) == 2 else Node("null_literal", None, node.row, "null")
            node.children[0], node.children[-1].children[1:-1] = given[0], [order]
    elif name == "toArray" and len(given) == 1 and given[0].kind == "array_creation_expression":
        size = given[0].children[-1]
        is_all = spelling(size) in ("[0]", f"[{spelling(owner)}.size()]") and known.type_of(owner) in _COLLECTIONS
        if is_all:
            size.children[1:-1] = [Node("decimal_integer_literal", None, node.row, "0")]


def _field(node: Node, known: Known) -> None:
    """`Collections.emptyList()` for `Collections.EMPTY_LIST`."""
    owner, name = node.children[0], node.children[-1]
    if owner.text == "Collections" and name.text in _NOTHING and "Collections" not in known.foreign:
        called = Node("method_identifier", "name", node.row, _NOTHING[name.text], Role.MEMBER, origin="Collections")
        listed = Node("argument_list", "arguments", node.row, children=[word_at(node, "("), word_at(node, ")")])
        node.kind, node.children = "method_invocation", [owner, node.children[1], called, listed]


def _if(node: Node, _known: Known) -> None:
    """`if (a instanceof B b) { c(b); }` for `if (a instanceof B) { B b = (B) a; c(b); }`."""
    asked, block = node.child("condition"), node.child("consequence")
    if asked is None or block is None or asked.kind != "instanceof_expression" or len(asked.children) != 3:
        return
    name, _, kind = asked.children
    first = block.children[1] if block.kind == "block" and len(block.children) > 2 else node
    parts = first.children if first.kind == "local_variable_declaration" and len(first.children) == 2 else []
    value = parts[1].children[-1] if parts and len(parts[1].children) == 3 else node
    is_cast = value.kind == "cast_expression" and name.role is Role.NAME and value.children[-1].text == name.text
    if is_cast and spelling(value.children[1]) == spelling(parts[0]) == spelling(kind):
        own = parts[1].children[0]
        own.field, own.binds = "name", False  # as the grammar has it
        asked.children.append(own)
        del block.children[1]


def _for(node: Node, _known: Known) -> None:
    """`while (a)` for `for (; a; )`, and `while (true)` for `for (;;)`."""
    words = [child.kind for child in node.children if child.field not in ("condition", "body")]
    if words == ["for", "(", ";", ";", ")"]:
        condition = node.child("condition") or Node("true", "condition", node.row, "true")
        node.kind, node.children = "while_statement", [word_at(node, "while"), condition, node.children[-1]]


def _lambda(node: Node, _known: Known) -> None:
    """`(a, b) -> c` for `(A a, B b) -> c`."""
    listed = node.children[0]
    parts = [child for child in listed.children if child.kind not in ("(", ")", ",")]
    is_plain = all(part.kind == "formal_parameter" and len(part.children) == 2 for part in parts)
    if listed.kind == "formal_parameters" and parts and is_plain:
        for part in parts:
            part.children[-1].field = None
        names = {id(part): part.children[-1] for part in parts}
        listed.kind = "inferred_parameters"
        listed.children = [names.get(id(child), child) for child in listed.children]
        if len(parts) == 1:
            node.children[0] = in_place_of(listed, listed.children[1])


def _modifiers(node: Node, _known: Known) -> None:
    """`static final` for `final static`."""
    node.children.sort(key=lambda child: (child.kind not in ("marker_annotation", "annotation"), _order(child)))


def _order(modifier: Node) -> tuple[bool, str]:
    is_word = modifier.text is not None and not modifier.children
    return (modifier.text not in _ACCESS, modifier.text or "") if is_word else (False, "")


def _class(node: Node, known: Known) -> None:
    """No `extends Object`, and no constructor that a class has anyway."""
    node.children = [
        child for child in node.children if spelling(child) != "extendsObject" or "Object" in known.foreign
    ]
    body = node.child("body")
    made = [] if body is None else [child for child in body.children if child.kind == "constructor_declaration"]
    if body is not None and len(made) == 1 and node.kind == "class_declaration" and _is_idle(made[0], _access(node)):
        body.children = [child for child in body.children if child is not made[0]]


def _is_idle(made: Node, access: Set[str]) -> bool:
    """Whether a constructor does nothing, takes nothing, and is seen by whom its class is."""
    words = next((child for child in made.children if child.kind == "modifiers"), None)
    has_more = words is not None and not _ACCESS.issuperset(_words(words))
    rest = [child for child in made.children if child.kind != "modifiers"]
    is_plain = not has_more and [spelling(child) for child in rest[1:]] in (["()", "{}"], ["()", "{super();}"])
    return is_plain and _access(made) == access


def _access(declaration: Node) -> set[str]:
    holders = (child for child in declaration.children if child.kind == "modifiers")
    return {word for holder in holders for word in _words(holder)} & _ACCESS


def _words(modifiers: Node) -> list[str]:
    return modifiers.text.split() if modifiers.text else [spelling(child) for child in modifiers.children]


def _annotation(node: Node, _known: Known) -> None:
    """`@A("b")` for `@A({"b"})`."""
    listed = node.children[-1]
    values = listed.children[1:-1] if listed.kind == "annotation_argument_list" else []
    if len(values) == 1 and values[0].kind == "element_value_array_initializer" and len(values[0].children) == 3:
        listed.children[1] = values[0].children[1]


_SHAPES: dict[str, Callable[[Node, Known], None]] = {
    "ternary_expression": _ternary,
    "binary_expression": _binary,
    "method_invocation": _call,
    "field_access": _field,
    "if_statement": _if,
    "for_statement": _for,
    "lambda_expression": _lambda,
    "modifiers": _modifiers,
    "class_declaration": _class,
    "annotation": _annotation,
}
