"""Java: a local name for a value that is used once, in the next statement, with and without the name.

    final Reader reader = new FileReader(file);          copy(new FileReader(file), out);
    copy(reader, out);

The value is computed before all else that the next statement does but for what looks up names that it can't change.
The type of the name may say which method is called, so that it has to be the type of the value itself: of a new
object, a cast, a text. Of other values only a truth that is asked, and a number that is compared, need no name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from msgspec import Struct

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.languages.java.known_types import Known, known_types
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_HOLDERS = frozenset({"block", "constructor_body", "switch_block_statement_group"})
_METHODS = ("method_declaration", "constructor_declaration")
_BINDING = frozenset(
    {
        *("method_declaration", "constructor_declaration", "for_statement", "enhanced_for_statement", "catch_clause"),
        *("try_with_resources_statement", "lambda_expression"),
    }
)
_MAX_DEPTH = 40
# The field of a statement that is computed first; none: all of it is.
_HEADS = {
    **dict.fromkeys(("expression_statement", "return_statement", "throw_statement"), ""),
    **{"if_statement": "condition", "enhanced_for_statement": "value", "local_variable_declaration": "declarator"},
}
# What is computed part by part, in the order of the source.
_IN_ORDER = frozenset(
    {
        *("expression_statement", "return_statement", "throw_statement", "variable_declarator", "argument_list"),
        *("method_invocation", "binary_expression", "unary_expression", "cast_expression", "instanceof_expression"),
        *("field_access", "assignment_expression", "array_access"),
    }
)
_LOGIC = frozenset({"&&", "||"})
_ORDERS = frozenset({"<", "<=", ">", ">="})
_WORD = re.compile(r"[\w$]+")
_TYPE_NAME = re.compile(r"[A-Z]\w*[a-z]\w*\Z")
# Classes of the language whose initialization does nothing that a program sees.
_PLAIN_CLASSES = re.compile(
    r"\w*(?:Exception|Error)|ArrayList|ArrayDeque|LinkedList|(?:Linked)?Hash(?:Map|Set)|Tree(?:Map|Set)|StringBuilder"
    r"|StringBuffer|File|(?:Buffered|InputStream|File|String)Reader|(?:Buffered|OutputStream|File|String|Print)Writer"
    r"|(?:File|ByteArray|Buffered|Data|Object)(?:Input|Output)Stream|Scanner|Atomic\w+|BigDecimal|BigInteger|Date|Thread"
)
# What makes a text of itself, and does nothing else.
_PLAIN_TYPES = frozenset(
    {"String", "int", "long", "short", "byte", "char", "boolean", "float", "double", "Integer", "Long"}
)
_TEXTS = frozenset({"valueOf", "format", "join", "copyValueOf"})
# Methods of the language that return a text, and of which none is told by its call what to return.
_TELLING = frozenset(
    {
        *("toString", "getName", "getSimpleName", "getCanonicalName", "getCanonicalPath", "getAbsolutePath", "getPath"),
        *("getMessage", "getLocalizedMessage", "trim", "strip", "substring", "toLowerCase", "toUpperCase", "concat"),
        *("replace", "replaceAll", "replaceFirst", "readLine", "nextToken", "intern", "toHexString", "repeat"),
    }
)


class _NamedValue(Struct, frozen=True):
    """A declaration of one name, and what it is given.

    `is_own`: the name has the very type of the value; `is_inferred`: but for what stands in angle brackets. `acts`: to
    compute the value may change something.
    """

    name: str
    type: str
    value: Node
    is_own: bool
    is_inferred: bool
    acts: bool


def inlined(root: Node) -> None:
    """A `Rewrite`: put such values in the place of their names."""
    types = cache(lambda: known_types(root))
    for method in (node for node in inner_nodes(root) if node.kind in _METHODS):
        stack: list[tuple[Node, Node, frozenset[str]]] = [(method, method, frozenset())]
        while stack:
            node, parent, local = stack.pop()
            if node.kind == "class_body":
                continue  # its methods are others
            if node.kind in _HOLDERS:
                known = list(_known_at_each(node, local))
                stack += ((child, node, names) for child, names in zip(node.children, known, strict=True))
                # What a case declares the cases below it have as well.
                _inline_in(node, parent if node.kind == "switch_block_statement_group" else node, known, types)
            else:
                if node.kind in _BINDING:
                    local |= _bound_in(child for child in node.children if child.kind not in _HOLDERS)
                stack += ((child, node, local) for child in node.children if child.children)


def _known_at_each(holder: Node, local: frozenset[str]) -> Iterator[frozenset[str]]:
    """The local names at each statement: not those that are declared below it, which are fields there."""
    for statement in holder.children:
        yield local
        if statement.kind == "local_variable_declaration":
            local |= _bound_in([statement])


def _bound_in(parts: Iterable[Node]) -> frozenset[str]:
    return frozenset(leaf.text or "" for part in parts for leaf in every_node(part) if leaf.binds)


def _inline_in(holder: Node, scope: Node, known: Sequence[frozenset[str]], types: Callable[[], Known]) -> None:
    for index in range(len(holder.children) - 1, 0, -1):  # the last first: a value may take another one's
        statement, following = holder.children[index - 1 : index + 1]
        named = _named_value(statement, types)
        if named is None or _mentions(scope, named.name) != 2:
            continue
        place = _first_use(following, named, known[index])
        if place is not None:
            parent, position = place
            parent.children[position] = in_place_of(parent.children[position], named.value)
            del holder.children[index - 1]


def _mentions(root: Node, name: str) -> int:
    return sum(_WORD.findall(leaf.text).count(name) for leaf in every_node(root) if leaf.text is not None)


def _named_value(statement: Node, types: Callable[[], Known]) -> _NamedValue | None:
    """What `final T name = value` declares, if that is all."""
    if statement.kind != "local_variable_declaration" or not statement.children:
        return None
    *words, written, declarator = statement.children
    is_single = written.field == "type" and [child.field for child in declarator.children] == ["name", None, "value"]
    if not is_single or spelling(Node("", None, 0, children=words)) not in ("", "final"):
        return None
    name, _, value = declarator.children
    if any(node.kind in _CHANGING or node.binds for node in every_node(value)):
        return None
    declared = spelling(written)
    acts = any(node.kind in _ACTING or _asks_for_text(node, types) for node in every_node(value))
    is_inferred = value.kind == "object_creation_expression" and spelling(value.children[1]) != declared
    return _NamedValue(name.text or "", declared, value, _is_of_type(value, declared), is_inferred, acts)


_CHANGING = frozenset({"assignment_expression", "update_expression"})
_ACTING = frozenset({"method_invocation", "object_creation_expression", "explicit_constructor_invocation"})


def _is_of_type(value: Node, declared: str) -> bool:
    """Whether a compiler takes the value for just what the name is declared as."""
    if value.kind == "object_creation_expression":
        is_plain = [child.field for child in value.children] == [None, "type", "arguments"]
        made, written = spelling(value.children[1]).partition("<"), declared.partition("<")
        return is_plain and made[:2] == written[:2]
    if value.kind == "cast_expression":
        return spelling(value.children[1]) == declared
    if value.kind == "array_creation_expression":
        dimensions = sum(leaf.text == "[" for child in value.children for leaf in [*child.children, child])
        return declared == spelling(value.children[1]) + dimensions * "[]"
    return declared == "String" and _is_text(value)


def _is_text(value: Node) -> bool:
    """Whether a value is a text whatever the names in it are."""
    if value.kind == "binary_expression" and value.children[1].text == "+":
        return any(_is_text(side) for side in (value.children[0], value.children[-1]))
    if value.kind == "method_invocation":
        owner, name = value.children[0], value.child("name")
        is_static = owner.text == "String" and name is not None and name.text in _TEXTS
        return is_static or (owner.field == "object" and name is not None and name.text in _TELLING)
    return value.kind == "string_literal"


def _asks_for_text(node: Node, types: Callable[[], Known]) -> bool:
    """Whether a text is joined with what may have to be asked for one: `"a" + b` calls `b.toString()`."""
    if node.kind != "binary_expression" or not _is_text(node):
        return False
    sides = (node.children[0], node.children[-1])
    return any(side.role is Role.NAME and types().type_of(side) not in _PLAIN_TYPES for side in sides)


def is_computed_first(statement: Node, name: str) -> bool:
    """Whether a statement computes a name before all else, and always: `a` of `if (a == 1 && b())`."""
    return _first_use(statement, _NamedValue(name, "", statement, True, False, False), frozenset()) is not None


def _first_use(statement: Node, named: _NamedValue, local: frozenset[str]) -> tuple[Node, int] | None:
    """Where the name may be replaced by the value: where it is computed before all else, and always."""
    head = _HEADS.get(statement.kind)
    if head is None:
        return None
    node, index = statement, -1
    if head:
        index = next((at for at, child in enumerate(statement.children) if child.field == head), -1)
    for _ in range(_MAX_DEPTH):
        index = _next(node, named, local) if index < 0 else index
        if index < 0:
            return None
        part = node.children[index]
        if named.is_inferred and (part.field == "object" or node.kind == "local_variable_declaration"):
            return None
        if part.text == named.name and part.role is Role.NAME and not part.binds:
            return (node, index) if _may_stand(node, part, named) else None
        node, index = part, -1
    return None


def _next(node: Node, named: _NamedValue, local: frozenset[str]) -> int:
    """The part with the name, if all parts before it are still; -1 if not."""
    if node.kind == "ternary_expression":
        return 0
    if node.kind == "object_creation_expression":
        is_plain = [child.field for child in node.children] == [None, "type", "arguments"]
        is_idle = not named.acts or _PLAIN_CLASSES.fullmatch(spelling(node.children[1]).partition("<")[0])
        return 2 if is_plain and is_idle else -1
    if node.kind not in _IN_ORDER:
        return -1
    for index, child in enumerate(node.children):
        if any(leaf.text == named.name and leaf.role is Role.NAME for leaf in every_node(child)):
            return -1 if any(part.text in _LOGIC for part in node.children[:index]) else index
        if not _is_still(child, node, named, local):
            return -1
    return -1


def _is_still(part: Node, parent: Node, named: _NamedValue, local: frozenset[str]) -> bool:
    """Whether it computes nothing that the value may change: a sign, a constant, a local name, a type."""
    if part.text is None:
        is_target = parent.kind == "assignment_expression" and part.kind == "field_access"
        is_own = is_target and part.children[0].kind == "this" and parent.children[1].text == "="
        return part.field == "type" or (is_own and len(part.children) == 3)
    if part.role is not Role.NAME or part.binds or part.text in local or part.field == "type":
        return True
    is_given = parent.kind == "assignment_expression" and part.field == "left" and parent.children[1].text == "="
    is_class = part.field == "object" and _TYPE_NAME.match(part.text) is not None
    return is_given or is_class or not named.acts


def _may_stand(parent: Node, use: Node, named: _NamedValue) -> bool:
    """Whether the value does there what the name does."""
    if named.is_own:
        # Texts that are joined may become one, which is another object.
        return parent.kind != "binary_expression" or named.type != "String" or named.acts
    sign = parent.children[1].text if parent.kind == "binary_expression" else ""
    if named.type == "boolean":
        is_asked = use.field == "condition" or (parent.kind == "unary_expression" and parent.children[0].text == "!")
        return is_asked or sign in _LOGIC
    is_number = named.type in ("int", "long")
    other = parent.children[-1].kind if sign in ("==", "!=") else ""
    return is_number and (sign in _ORDERS or other == "decimal_integer_literal")
