"""Python as its linters write it: the shorter form of what takes the same steps.

    if a:                             isinstance(a, b) or isinstance(a, c)      except (A,):
        b.x = 1                       isinstance(a, (b, c))                     except A:
    else:
        b.x = 2                       getattr(a, "b")                           if d := e(): ..
    b.x = 1 if a else 2               a.b                                       d = e()
                                                                                if d: ..

A name of the language means that only where the file binds no such name.
"""

from __future__ import annotations

import keyword
from collections import Counter
from collections.abc import Callable, Set

from intentls.core.syntax.languages.adapter import flattened, in_place_of
from intentls.core.syntax.languages.made_nodes import joined_by, word_at
from intentls.core.syntax.languages.python.bound import bound_in
from intentls.core.syntax.languages.python.lints.asked import ask_plainly, chosen
from intentls.core.syntax.languages.python.lints.library import said_in_short, truth_of
from intentls.core.syntax.languages.python.lints.named_lambdas import define_lambdas
from intentls.core.syntax.languages.python.lints.tidy import tidied
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

Bound = Set[str | None]

_MERGED = frozenset({"startswith", "endswith"})
_CONSUMERS = frozenset({"sorted", "tuple", "set", "frozenset", "list", "sum", "min", "max"})
_COPIES = frozenset({"list", "tuple", "sorted", "iter"})  # made only to be gone through
_UNORDERED = frozenset({"sorted", "set", "frozenset"})  # for which no order of what they are given matters
READ_OTHERWISE = frozenset(
    {
        *(b"tuple", b"sorted", b"isinstance", b"startswith", b"endswith", b"getattr", b"setattr", b"iter", b"compile"),
        *(b"bool", b"zip", b"encode", b"map", b"filter", b"lru_cache", b"all"),
    }
)
"""The functions whose calls another form may not have."""
_OF_PATTERNS = frozenset({"match", "search", "fullmatch", "findall", "finditer"})  # they take flags last
_METHODS = _OF_PATTERNS | {"split", "sub", "subn"}
_ASK_SYSTEM = frozenset({"os.getenv", "os.environ.get"})
_CONSTANTS = frozenset({"integer", "float", "true", "false", "none"})
_ASSERTIONS = {
    "assertEquals": "assertEqual",
    "assertNotEquals": "assertNotEqual",
    "assert_": "assertTrue",
    "failUnless": "assertTrue",
    "failIf": "assertFalse",
    "failUnlessEqual": "assertEqual",
    "failUnlessRaises": "assertRaises",
    "assertAlmostEquals": "assertAlmostEqual",
    "assertRegexpMatches": "assertRegex",
    "assertNotRegexpMatches": "assertNotRegex",
    "assertRaisesRegexp": "assertRaisesRegex",
}


def linted(root: Node) -> None:
    """A `Rewrite`: `a.x = 1 if b else 2` for two branches, `a.b` for `getattr(a, "b")`, and more."""
    bound = bound_in(root)
    _forget_errors(root)
    if any(node.kind == "lambda" for node in inner_nodes(root)):
        define_lambdas(root, _DYNAMIC)
    for node in reversed(list(inner_nodes(root))):
        shape = _SHAPES.get(node.kind)
        if shape is not None:
            shape(node, bound)
        if node.kind in ("block", "module"):
            node.children = [
                part
                for child in node.children
                for tidy in tidied(child, bound)
                for one in _each(tidy)
                for part in _ask_before(one)
            ]
        if node.kind == "attribute" and node.children[0].text == "self":
            name = node.children[-1].text or ""
            if bound.isdisjoint((name, _ASSERTIONS.get(name))):
                node.children[-1].text = _ASSERTIONS.get(name, name)
        elif node.kind == "import_item":
            _import(node)
        node.children = [_other_form(child, bound) for child in node.children]
        ask_plainly(node)


def _forget_errors(root: Node) -> None:
    """`except A` for `except A as b`, if nothing in the function has the name."""
    words: dict[int, Counter[str | None]] = {}
    stack = [(root, root)]
    while stack:
        node, scope = stack.pop()
        named = node.children[1] if node.kind == "except_clause" else node
        if named.kind == "as_pattern" and named is not node:
            if id(scope) not in words:
                words[id(scope)] = Counter(leaf.text for leaf in every_node(scope))
            said, names = words[id(scope)], [leaf.text for leaf in named.children[-1].children]
            if len(names) == 1 and said[names[0]] == 1 and not _DYNAMIC & said.keys():
                node.children[1] = in_place_of(named, named.children[0])
        inside = node if node.kind == "function_definition" else scope
        stack.extend((child, inside) for child in node.children)


def _import(node: Node) -> None:
    """`from a import b as c` for `import a.b as c`."""
    module, name = node.children[0], node.children[-1]
    package, dot, last = (module.text or "").rpartition(".")
    if len(node.children) == 2 and dot and package.strip(".") and name.text != package.partition(".")[0]:
        module.text = name.origin = package
        node.children.insert(1, Node("imported", None, node.row, last, Role.IMPORTED, origin=package))


_DYNAMIC = frozenset({"eval", "exec", "locals", "globals", "vars"})


def _given(call: Node) -> list[Node]:
    """What a call is given; nothing where something is spread or named."""
    parts = [child for child in call.children[-1].children if child.kind not in ("(", ")", ",")]
    is_plain = call.children[-1].kind == "argument_list" and not any(
        part.kind in ("keyword_argument", "list_splat", "dictionary_splat", "generator_expression") for part in parts
    )
    return parts if is_plain else []


def _other_form(node: Node, bound: Bound) -> Node:
    if node.kind == "call" and len(node.children) == 2:
        return _called(node, bound)
    if node.kind == "conditional_expression" and len(node.children) == 5:
        return chosen(node)
    inner = node.children[-1] if node.kind == "not_operator" else node
    if inner.kind == "not_operator" and inner is not node:
        return chosen(truth_of(node, inner.children[-1]))
    return node


def _called(node: Node, bound: Bound) -> Node:
    called, given = node.children[0], _given(node)
    short = said_in_short(node, given, bound)
    if short is not node:
        return in_place_of(node, chosen(short) if short.kind == "conditional_expression" else short)
    name = called.text if called.role is Role.NAME and called.text not in bound else None
    if name == "getattr" and len(given) == 2 and (attribute := _attribute(given[0], given[1])) is not None:
        return in_place_of(node, attribute)
    if name in _CONSUMERS and len(given) == 1:
        inner = given[0]
        if inner.kind == "list_comprehension" and name not in ("list", "set"):
            _generate(node, inner)
        elif inner.kind == "call" and len(inner.children) == 2 and len(_given(inner)) == 1:
            copied = inner.children[0].text
            if name == "list" and copied == "sorted" and copied not in bound:
                return in_place_of(node, inner)  # which is a new list itself
            is_copy = copied in _COPIES - {"sorted"} or (copied == "sorted" and name in _UNORDERED)
            if is_copy and copied not in bound and name != copied:
                node.children[1].children[1] = _given(inner)[0]
    elif called.kind == "attribute" and called.children[-1].text == "join" and len(given) == 1:
        is_text = called.children[0].kind == "string"
        if is_text and given[0].kind == "list_comprehension":
            _generate(node, given[0])
    if called.kind == "attribute" and "re" not in bound:
        _ask_library(node, called, given)
    if spelling(called) in _ASK_SYSTEM and "os" not in bound and len(given) == 2 and given[1].kind == "none":
        del node.children[1].children[2:4]
    if name == "print" and len(given) == 1 and given[0].kind == "string" and not given[0].children:
        del node.children[1].children[1]
    if name == "tuple" and len(given) == 1 and given[0].kind == "list" and len(given[0].children) > 3:
        return Node("tuple", node.field, node.row, children=given[0].children[1:-1])
    if name == "open" and len(given) == 2 and spelling(given[1]) in ("r", "rt"):
        del node.children[1].children[2:4]
    return node


def _ask_library(node: Node, called: Node, given: list[Node]) -> None:
    """`re.match("a", b)` for `re.compile("a").match(b)`."""
    made, method = called.children[0], called.children[-1].text
    if made.kind != "call" or spelling(made.children[0]) != "re.compile":
        return
    text, *flags = _given(made) or [made]
    takes = 2 if method in ("sub", "subn") else 1
    if (
        text.kind == "string"
        and len(given) == takes
        and len(flags) < 2
        and method in _METHODS
        and (method in _OF_PATTERNS or not flags)
    ):
        called.children[0] = made.children[0].children[0]
        listed = joined_by(",", [text, *given, *flags])
        arguments = node.children[-1]
        arguments.children = [arguments.children[0], *listed, arguments.children[-1]]


def _attribute(owner: Node, text: Node) -> Node | None:
    """`a.b` for `a` and `"b"`; None for what is no name, or one that a class would hide."""
    name = spelling(text) if text.kind == "string" and all(part.kind == "content" for part in text.children) else ""
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("__"):
        return None
    owner.field = "object"
    member = Node("identifier", "attribute", text.row, name, Role.MEMBER, origin=_origin(owner))
    return Node("attribute", None, owner.row, children=[owner, word_at(owner, "."), member])


def _origin(owner: Node) -> str:
    return (owner.text or "") if owner.role is Role.NAME else ""


def _generate(call: Node, comprehension: Node) -> None:
    """A generator for a list that is only gone through to its end: what is made of it is the same."""
    if any(node.kind in ("await", "yield", "named_expression", "async", "call") for node in every_node(comprehension)):
        return
    inside = comprehension.children[1:-1]
    children = [word_at(call, "("), *inside, word_at(call, ")")]
    call.children[1] = Node("generator_expression", "arguments", call.row, children=children)


def _boolean(node: Node, bound: Bound) -> None:
    """`isinstance(a, (b, c))` for two calls of it, and the same of `startswith`."""
    word = node.children[1].kind
    if node.children[0].kind == "boolean_operator" and node.children[0].children[1].kind == word:
        node.children[:1] = node.children[0].children
    if word != "or":
        return
    kept: list[Node] = []
    for child in node.children[::2]:
        if kept and _takes_in(kept[-1], child, bound):
            continue
        kept.append(child)
    if len(kept) == 1:
        node.kind, node.children = kept[0].kind, kept[0].children
    else:
        node.children = joined_by("or", kept, "operator")


def _takes_in(one: Node, other: Node, bound: Bound) -> bool:
    """Give the first call what the second one asks for as well; whether that is so."""
    if one.kind != "call" or other.kind != "call" or spelling(one.children[0]) != spelling(other.children[0]):
        return False
    called, first, second = one.children[0], _given(one), _given(other)
    at = 1 if called.text == "isinstance" and "isinstance" not in bound else 0
    is_method = called.kind == "attribute" and called.children[-1].text in _MERGED and _is_still(called.children[0])
    if not (at or is_method) or len(first) != at + 1 or len(second) != at + 1:
        return False
    if at and not (_is_still(first[0]) and spelling(first[0]) == spelling(second[0])):
        return False
    asked = [*_listed(first[at]), *_listed(second[at])]
    if (is_method and any(part.kind != "string" for part in asked)) or (at and not all(map(_is_still, asked))):
        return False
    listed = joined_by(",", asked)
    arguments = one.children[-1]
    arguments.children[-2] = Node("tuple", first[at].field, first[at].row, children=listed)
    return True


def _listed(value: Node) -> list[Node]:
    return [child for child in value.children if child.kind != ","] if value.kind == "tuple" else [value]


def _is_still(value: Node) -> bool:
    """Whether it is a name, or a member of one: to ask for it again gives the same."""
    while value.kind == "attribute":
        value = value.children[0]
    return value.role is Role.NAME


def _each(statement: Node) -> list[Node]:
    """`x = 1; y = 2` for `x, y = 1, 2`."""
    given = statement.children[0] if statement.kind == "expression_statement" and len(statement.children) == 1 else None
    if given is None or given.kind != "assignment" or len(given.children) != 3:
        return [statement]
    names, sign, values = given.children
    is_list = names.kind == "patterns" and values.kind == "tuple"
    targets, parts = ([child for child in side.children if child.kind != ","] for side in (names, values))
    is_plain = all(target.role is Role.NAME for target in targets) and all(part.kind in _CONSTANTS for part in parts)
    if not is_list or len(targets) != len(parts) or not is_plain:
        return [statement]
    made: list[Node] = []
    for target, part in zip(targets, parts, strict=True):
        target.field, part.field = "left", "right"
        inner = Node("assignment", given.field, statement.row, children=[target, sign, part])
        made.append(Node("expression_statement", None, statement.row, end=statement.end, children=[inner]))
    return made


def _ask_before(statement: Node) -> list[Node]:
    """`a = b()` and `if a:` for `if a := b():`, where the name is the first thing that the condition asks for."""
    asked = statement.children[1] if statement.kind == "if_statement" and len(statement.children) > 1 else statement
    while asked.kind in ("not_operator", "boolean_operator", "comparison_operator"):
        asked = asked.children[1 if asked.kind == "not_operator" else 0]
    if asked.kind != "named_expression" or len(asked.children) != 3:
        return [statement]
    target, _, value = asked.children
    asked.kind, asked.text, asked.role, asked.children = target.kind, target.text, target.role, []
    target.field, value.field = "left", "right"
    given = Node("assignment", None, statement.row, children=[target, word_at(statement, "="), value])
    return [Node("expression_statement", None, statement.row, children=[given]), statement]


def _except(node: Node, bound: Bound) -> None:
    """`except A` for `except (A,)`, and `except` for `except BaseException`."""
    holder = node.children[1] if node.children[1].kind == "as_pattern" else node
    for index, child in enumerate(holder.children):
        if child.kind == "tuple" and [part.kind for part in child.children[1:]] == [","]:
            holder.children[index] = in_place_of(child, child.children[0])
    if node.children[1].text == "BaseException" and "BaseException" not in bound:
        del node.children[1]


def _if(node: Node, _bound: Bound) -> None:
    """`a.b = 1 if c else 2` for a branch that gives a member one of two values, `a = a or b` for `if not a: a = b`."""
    if len(node.children) == 4 and node.children[1].kind == "not_operator":
        _give_else(node)
    if len(node.children) != 5 or node.children[4].kind != "else_clause":
        return
    branch, other = node.children[3], node.children[4].children[-1]
    first, second = _only_given(branch), _only_given(other)
    if first is None or second is None or spelling(first.children[0]) != spelling(second.children[0]):
        return
    target, sign, value = first.children
    if target.role is Role.NAME or not _is_still(target):
        return
    condition, alternative = node.children[1], second.children[2]
    condition.field = value.field = alternative.field = None
    parts = [value, word_at(node, "if"), condition, word_at(node, "else"), alternative]
    choice = Node("conditional_expression", "right", node.row, children=parts)
    node.kind = "expression_statement"
    node.children = [Node("assignment", first.field, node.row, children=[target, sign, choice])]


def _give_else(node: Node) -> None:
    given, asked = _only_given(node.children[3]), node.children[1].children[-1]
    if given is None or asked.role is not Role.NAME or given.children[0].text != asked.text:
        return
    value, asked.field = given.children[2], None
    value.field = None
    choice = Node("boolean_operator", "right", node.row, children=[asked, word_at(node, "or", "operator"), value])
    given.children[2] = flattened(choice, "or")
    node.kind, node.children = "expression_statement", [given]


def _only_given(block: Node) -> Node | None:
    statement = block.children[0] if block.kind == "block" and len(block.children) == 1 else block
    inner = statement.children[0] if statement.kind == "expression_statement" and len(statement.children) == 1 else None
    is_plain = inner is not None and inner.kind == "assignment" and len(inner.children) == 3
    return inner if is_plain and inner is not None and inner.children[1].kind == "=" else None


def _statement(node: Node, bound: Bound) -> None:
    """`a.b = 1` for `setattr(a, "b", 1)`."""
    call = node.children[0]
    is_set = call.kind == "call" and call.children[0].text == "setattr" and "setattr" not in bound
    given = _given(call) if is_set else []
    attribute = _attribute(given[0], given[1]) if len(given) == 3 else None
    if attribute is not None:
        attribute.field, given[2].field = "left", "right"
        inner = Node("assignment", call.field, call.row, children=[attribute, word_at(call, "="), given[2]])
        node.children = [inner]


_SHAPES: dict[str, Callable[[Node, Bound], None]] = {
    "boolean_operator": _boolean,
    "except_clause": _except,
    "if_statement": _if,
    "expression_statement": _statement,
}
