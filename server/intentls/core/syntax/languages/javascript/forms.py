"""JavaScript and TypeScript that are written in another way and do the same: one form for each of these."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from intentls.core.syntax.languages.adapter import in_place_of, kinds
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.javascript.blocks import narrow
from intentls.core.syntax.languages.javascript.modules import is_module
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes

REASON = "the same written in another way"
SUFFIXES = "modules named without their suffixes"
DECLARED = "variables declared in another way"

_NAME = re.compile(r"[A-Za-z_$][\w$]*\Z")
_OPPOSITES = {"!==": "===", "!=": "=="}
_UNEQUAL = {equal: unequal for unequal, equal in _OPPOSITES.items()}
STRICT = {"==": "===", "!=": "!=="}
# Whoever is given a function by these only calls it, and never with `new`.
CALLS = kinds(
    "forEach map filter reduce reduceRight some every find findIndex flatMap sort then catch finally setTimeout"
    " setInterval setImmediate nextTick describe it test before after beforeEach afterEach beforeAll afterAll context"
    " findLast findLastIndex queueMicrotask requestAnimationFrame on once off addListener prependListener"
    " removeListener addEventListener removeEventListener readFile writeFile readdir stat lstat mkdir unlink exec"
    " execFile suite setup teardown suiteSetup suiteTeardown specify throws doesNotThrow rejects doesNotReject"
)
_WITH_THIS = kinds("forEach map filter some every find findIndex findLast findLastIndex flatMap")
_MAKE_LISTS = kinds("keys values entries getOwnPropertyNames from of")
_KEEP_LISTS = kinds("map filter slice concat sort reverse flat flatMap")
_OWN_THIS = frozenset(
    {
        *("function_expression", "function_declaration", "generator_function", "generator_function_declaration"),
        *("method_definition", "class", "class_declaration", "abstract_class_declaration"),
    }
)
OWN_SCOPE = _OWN_THIS | {"arrow_function"}
_ASSIGNED = frozenset({"assignment_expression", "augmented_assignment_expression", "for_in_outer"})


def modernized(root: Node) -> None:
    """A `Rewrite`: `a['b']`, `typeof a == 'b'`, `() => { return a }`, a `catch (e)` that is not used, and the like."""
    if any(child.kind in ("import_item", "export_statement") for child in root.children):
        root.children = [child for child in root.children if not _is_strict(child)]  # a module is strict anyway
    for node in reversed(list(inner_nodes(root))):
        _SHAPES.get(node.kind, _unchanged)(node)
        if node.kind == "call_expression":
            _keep_this(node, root)


def _is_strict(statement: Node) -> bool:
    inner = statement.children[0] if len(statement.children) == 1 else statement
    return statement.kind == "expression_statement" and (inner.text or "").rstrip(";").strip("'\"") == "use strict"


def _unchanged(node: Node) -> None:
    """There is one way to write it."""


def _subscript(node: Node) -> None:
    if len(node.children) == 4 and node.children[2].kind == "string" and _NAME.match(node.children[2].text or ""):
        name = Node("property_identifier", "property", node.row, node.children[2].text, Role.MEMBER)
        node.kind = "member_expression"
        node.children = [node.children[0], Node(".", None, node.row, "."), name]


def _binary(node: Node) -> None:
    left, sign, right = node.children if len(node.children) == 3 else (node, node, node)
    is_typeof = left.kind == "unary_expression" and left.children[0].kind == "typeof"
    if is_typeof and right.kind == "string" and sign.kind in STRICT:
        word = STRICT[sign.kind]
        node.children[1] = Node(word, sign.field, sign.row, word)


def _arrow(node: Node) -> None:
    body = node.child("body")
    if body is None or body.kind != "statement_block" or len(body.children) != 3:
        return
    statement = body.children[1]
    if statement.kind == "return_statement" and len(statement.children) == 2:
        node.children[-1] = in_place_of(body, statement.children[1])


def _catch(node: Node) -> None:
    parameter, body = node.child("parameter"), node.child("body")
    if parameter is None or body is None or parameter.kind != "identifier" or len(node.children) != 5:
        return
    if not any(leaf.text == parameter.text for leaf in every_node(body)):
        node.children = [node.children[0], body]


def _call(node: Node) -> None:
    called, arguments = node.children[0], node.child("arguments")
    name = called.children[-1].text if called.kind == "member_expression" else called.text
    if name == "substr" and called is not node and called.text is None and arguments is not None:
        _slice(called, arguments)
    if arguments is None or arguments.kind != "arguments":
        return
    # One that is `async` makes no objects, whoever is given it.
    arguments.children = [
        as_arrow(_unbound(child)) if name in CALLS else as_arrow(child) if _is_async(child) else child
        for child in arguments.children
    ]


def _is_async(function: Node) -> bool:
    return function.kind == "function_expression" and function.children[0].kind == "async"


def _unbound(value: Node) -> Node:
    """`a => { this.b(a) }` for `function (a) { this.b(a) }.bind(this)`, where it is only called."""
    called = value.children[0] if value.kind == "call_expression" else value
    function = called.children[0] if called.kind == "member_expression" else called
    given = [child.kind for child in value.children[-1].children] if value.children else []
    if function.kind != "function_expression" or called.children[-1].text != "bind" or given != ["(", "this", ")"]:
        return value
    others = [node for node in own_nodes(function) if is_of_function(node) and node.text != "this"]
    return value if others or function.child("name") is not None else in_place_of(value, _arrow_like(function))


def _is_list(value: Node) -> bool:
    """Whether a value is sure to be a list, whose functions call what they are given with the `this` they are given."""
    while value.kind == "call_expression" and value.children[0].kind == "member_expression":
        owner, _, method = value.children[0].children[:3]
        if owner.text in ("Object", "Array"):
            return method.text in _MAKE_LISTS and owner.role is Role.NAME
        if method.text not in _KEEP_LISTS:
            return False
        value = owner
    return value.kind == "array"


def _keep_this(call: Node, root: Node) -> None:
    """`a => { this.b(a) }` for `function (a) { this.b(a) }, this` where a list calls it."""
    called, arguments = call.children[0], call.children[-1]
    if called.kind != "member_expression" or called.children[-1].text not in _WITH_THIS:
        return
    parts = arguments.children
    is_given = len(parts) == 5 and parts[3].kind == "this" and parts[1].kind == "function_expression"
    if not is_given or parts[1].child("name") is not None:
        return
    others = [node for node in own_nodes(parts[1]) if is_of_function(node) and node.text != "this"]
    is_own = any(leaf.binds and leaf.text in ("Object", "Array") for leaf in every_node(root))
    if not others and not is_own and _is_list(called.children[0]):
        parts[1] = _arrow_like(parts[1])
        del parts[2:4]


def _slice(called: Node, arguments: Node) -> None:
    """`a.slice(1)` for `a.substr(1)`, which only a text has: without a length both take the rest."""
    if len(arguments.children) == 3 and arguments.children[1].kind == "number":
        called.children[-1].text = "slice"


def as_arrow(function: Node) -> Node:
    """`(a) => { b }` for `function (a) { b }`, if nothing in it asks for what an arrow function has not."""
    is_plain = function.kind == "function_expression" and function.child("name") is None
    if not is_plain or any(is_of_function(node) for node in own_nodes(function)):
        return function
    return _arrow_like(function)


def _arrow_like(function: Node) -> Node:
    parts = [child for child in function.children if child.kind != "function"]
    result = Node("arrow_function", function.field, function.row, children=parts)
    result.children.insert(len(parts) - 1, Node("=>", None, function.row, "=>"))
    _arrow(result)
    return result


def is_of_function(node: Node) -> bool:
    """Whether it is something that an arrow function takes from around it."""
    return node.text in ("this", "arguments", "super", "eval") or node.kind == "meta_property"


def own_nodes(function: Node) -> Iterator[Node]:
    """The nodes of a function but for those of what has a `this` of its own."""
    stack = list(function.children)
    while stack:
        node = stack.pop()
        yield node
        if node.kind not in _OWN_THIS:
            stack.extend(node.children)


def _new(node: Node) -> None:
    """Who makes a `Promise` only calls the function that it is given."""
    arguments = node.child("arguments")
    if node.children[1].text == "Promise" and arguments is not None:
        arguments.children = [as_arrow(child) for child in arguments.children]


_SHAPES = {
    "new_expression": _new,
    "subscript_expression": _subscript,
    "binary_expression": _binary,
    "arrow_function": _arrow,
    "catch_clause": _catch,
    "call_expression": _call,
}


def declared_alike(root: Node) -> None:
    """A `Rewrite`: `var` and `let` are `const` where the name is given a value once, and asked for only after that.

    Who imports a `var` may ask for it before it has one.
    """
    others = assigned(root)
    exported = {word for child in root.children for word in _exported(child)}
    is_closed = is_module(root)
    for node in inner_nodes(root):
        block = node.child("body") if node.kind in OWN_SCOPE else root if node is root and is_closed else None
        for declaration in _like_let(block, node) if block is not None else ():
            if node is not root or not any(leaf.binds and leaf.text in exported for leaf in every_node(declaration)):
                _declare(declaration, "let")
        if block is not None:
            narrow(node)
    for node in inner_nodes(root):
        for declaration in _variables(node, "let"):
            names = [child for child in declaration.children if child.kind == "variable_declarator"]
            is_given = all(child.child("value") is not None for child in names)
            if is_given and not any(leaf.binds and leaf.text in others for leaf in every_node(declaration)):
                _declare(declaration, "const")
        word = node.child("kind") if node.kind == "for_in_statement" else None
        if word is not None and word.kind == "let" and not _binds_any(node.child("left"), others):
            word.kind = word.text = "const"


def _exported(statement: Node) -> list[str]:
    """The words of what a module exports by a list."""
    is_list = statement.kind == "export_statement" and statement.child("declaration") is None
    return [word for leaf in every_node(statement) for word in _WORD.findall(leaf.text or "")] if is_list else []


def _binds_any(pattern: Node | None, names: set[str]) -> bool:
    return pattern is None or any(leaf.binds and leaf.text in names for leaf in every_node(pattern))


def _variables(block: Node, word: str) -> Iterator[Node]:
    """The declarations with `var` or `let` that stand in a block."""
    for child in block.children:
        is_declaration = child.kind in ("variable_declaration", "lexical_declaration") and child.text is None
        if is_declaration and child.children[0].kind == word:
            yield child


def _declare(declaration: Node, word: str) -> None:
    declaration.kind = "lexical_declaration"
    declaration.children[0] = Node(word, "kind", declaration.row, word)


def assigned(root: Node) -> set[str]:
    """The names that are given another value anywhere in the file."""
    names: set[str] = set()
    for node in inner_nodes(root):
        target = node.child("argument") if node.kind == "update_expression" else None
        if node.kind in _ASSIGNED:
            target = node.child("left")
        if target is not None and target.kind not in ("member_expression", "subscript_expression"):
            names.update(leaf.text or "" for leaf in every_node(target))
    return names


def _like_let(block: Node, owner: Node) -> list[Node]:
    """The `var` in a function's block that are declared once, before all that uses them.

    What hoisted functions use has to be declared before anything mentions one of these.
    """
    declarations = list(_variables(block, "var"))
    places = [(leaf.text or "", node) for node in declarations for leaf in every_node(node) if leaf.binds]
    of = {name: id(node) for name, node in places}
    uses = Counter[str]()
    reached: set[int] = set()
    unlike: set[int] = set()
    early = _early(block) if declarations else set()
    stack: list[tuple[Node, bool]] = [(owner, False)] if declarations else []
    while stack:
        node, is_hoisted = stack.pop()
        reached.add(id(node))
        is_hoisted = is_hoisted or (node is not owner and node.kind.endswith("function_declaration"))
        declared = of.get(node.text or "") if node.role is Role.NAME else None
        if declared is not None:
            uses[node.text or ""] += node.binds
            is_late = declared not in early if is_hoisted else declared not in reached
            if is_late or uses[node.text or ""] > 1:
                unlike.add(declared)
        stack.extend((child, is_hoisted) for child in reversed(node.children))
    return [node for node in declarations if id(node) not in unlike]


def _early(block: Node) -> set[int]:
    """The identities of the statements in a block that run before any function that is declared in it can.

    Not in a module that imports: who imports what it exports may call that before.
    """
    hoisted = {node.origin or (name.text if (name := node.child("name")) else None) for node in _functions_in(block)}
    early: set[int] = set()
    for child in block.children:
        if child.kind in ("import_item", "export_statement"):
            return set()
        if not child.kind.endswith("function_declaration"):
            words = {word for leaf in every_node(child) for word in _WORD.findall(leaf.text or "")}
            if not words.isdisjoint(hoisted) or not words.isdisjoint(("eval", "arguments")):
                return early
            early.add(id(child))
    return early


def _functions_in(block: Node) -> Iterator[Node]:
    """The functions that are declared in a block or a block in it."""
    stack = list(block.children)
    while stack:
        node = stack.pop()
        if node.kind.endswith("function_declaration"):
            yield node
        elif node.kind not in OWN_SCOPE:
            stack.extend(node.children)


_WORD = re.compile(r"[\w$]+")
_SUFFIX = re.compile(r"(\.\.?/[^'\"]*)\.(?:js|jsx|ts|tsx)\Z")


def without_suffixes(root: Node, facts: Surroundings) -> None:
    """An `InformedRewrite`: `./a` for `./a.js`, in a file that leaves other suffixes out, if there is one such file."""
    items = [node for node in root.children if node.kind == "import_item" and len(node.children) > 1]
    modules = [(item.children[0].text or "").strip("'\"") for item in items]
    if any(module.startswith(".") and "." not in module.rpartition("/")[2] for module in modules):
        for item, module in zip(items, modules, strict=True):
            name = next((child.text for child in item.children if child.kind == "imported"), None)
            stem = _SUFFIX.match(module)
            if stem is not None and name is not None and facts.has(stem[1], name):
                item.children[0].text = stem[1]


def affirmed(condition: Node) -> Node | None:
    """What is so if a condition is not; None where it says what is so."""
    children = condition.children
    if condition.kind == "unary_expression" and children[0].kind == "!":
        return in_place_of(condition, children[1])
    sign = children[1].kind if condition.kind == "binary_expression" and len(children) == 3 else ""
    if sign in _OPPOSITES:
        word = Node(_OPPOSITES[sign], "operator", condition.row, _OPPOSITES[sign])
        return Node(condition.kind, condition.field, condition.row, children=[children[0], word, children[2]])
    return None


def opposite(condition: Node) -> Node | None:
    """What is so if a condition is not, also for `a === b`."""
    sign = condition.children[1].kind if condition.kind == "binary_expression" and len(condition.children) == 3 else ""
    if sign not in _UNEQUAL:
        return affirmed(condition)
    word = Node(_UNEQUAL[sign], "operator", condition.row, _UNEQUAL[sign])
    left, _, right = condition.children
    return Node(condition.kind, condition.field, condition.row, children=[left, word, right])


_TRUTHS = kinds("=== !== == != < > <= >= instanceof in")


def is_truth(condition: Node) -> bool:
    """Whether a condition is `true` or `false`, and nothing that is only taken for one of them."""
    if condition.kind == "unary_expression":
        return condition.children[0].kind == "!"
    sign = condition.children[1].kind if condition.kind == "binary_expression" and len(condition.children) > 2 else ""
    return sign in _TRUTHS or (sign in ("&&", "||") and all(map(is_truth, condition.children[::2])))
