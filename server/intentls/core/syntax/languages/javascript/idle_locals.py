"""Local names of JavaScript that nothing asks for: what gives them a value is done all the same, if it does anything.

    const stop = listen(port)      and      listen(port)

    let last = null;
    for (const a of names) {                for (const a of names) {
      if (a !== last) last = a;
      send(a);                                send(a);
    }                                       }

A name of `let` or `const` is known in its block alone, and one of `var` in its function. What calls nothing, and is
made of names that never get another value (`typeof a === "string" && !b`), is the same wherever it is computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from intentls.core.syntax.languages.inlining import counted_words
from intentls.core.syntax.languages.javascript.choices import declared_name
from intentls.core.syntax.languages.javascript.forms import OWN_SCOPE, assigned
from intentls.core.syntax.languages.javascript.modules import is_module
from intentls.core.syntax.languages.plain_values import NamesInFunction, PlainValues
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes

REASON = "unused variables"

_DOES = frozenset({"call_expression", "new_expression", "await_expression"})
_NOTHING = frozenset({"string", "number", "true", "false", "null", "undefined", "string_fragment", "escape_sequence"})
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_DECLARED = frozenset({"function_declaration", "generator_function_declaration"})

_PLAIN = frozenset({"string", "number", "true", "false", "null"})
_PLAIN_SIGNS = frozenset({"===", "!==", "&&", "||"})


def is_plain(value: Node) -> bool:
    """Whether a value is made of constants and names by what calls nothing: `==`, `<` and `+` may call `valueOf`."""
    stack = [value]
    while stack:
        node = stack.pop()
        if node.kind in _PLAIN or (node.kind == "identifier" and node.role is Role.NAME):
            continue
        parts = node.children
        if node.kind == "binary_expression" and len(parts) == 3 and parts[1].kind in _PLAIN_SIGNS:
            stack += [parts[0], parts[2]]
        elif node.kind == "unary_expression" and len(parts) == 2 and _may_stand_before(parts[0].kind, parts[1]):
            stack.append(parts[1])
        else:
            return False
    return True


def _may_stand_before(word: str, operand: Node) -> bool:
    return word in ("!", "typeof") or (word == "-" and operand.kind == "number")


PLAIN_VALUES = PlainValues(
    functions=OWN_SCOPE - {"class", "class_declaration", "abstract_class_declaration"},
    parameters=frozenset({"formal_parameters"}),
    holding=frozenset({"lexical_declaration", "for_in_statement"}),
    dynamic=frozenset({"eval", "arguments", "with"}),
    is_plain=is_plain,
    changed=assigned,
)


def without_idle_locals(root: Node) -> None:
    """A `Rewrite`: take away names that stand in no other place of what knows them. Not beside `eval`."""
    blocks = [(block, is_whole) for block, is_whole in _blocks(root) if any(map(_name, block.children))]
    if not blocks or any(leaf.text == "eval" for leaf in every_node(root)):
        return
    for block, is_whole in blocks:
        # A function that a block in a function declares may be known around the block.
        idle = {
            id(child): _left(child)
            for child in block.children
            if (is_whole or child.kind not in _DECLARED)
            and _is_candidate(child, block is root)
            and not _is_said(_name(child) or "", child, block)
        }
        if idle:
            block.children = [part for child in block.children for part in idle.get(id(child), [child])]


def without_unread_locals(root: Node) -> None:
    """A `Rewrite`: take away names that only get values, of plain names and constants."""
    for function in PLAIN_VALUES.outermost(root):
        blocks = [node for node in inner_nodes(function) if node.kind == "statement_block"]
        if any(node.kind in _SETTING for node in inner_nodes(function)) and any(map(_lets, blocks)):
            _without_unread(blocks, NamesInFunction(PLAIN_VALUES, function, assigned(root)))


def _lets(block: Node) -> list[Node]:
    """The declarations of a block that say `let`, of one name that has a plain value then, or none."""
    named = [child for child in block.children if declared_name(child) is not None and child.children[0].text == "let"]
    return [child for child in named if len(child.children[1].children) == 1 or is_plain(child.children[1].children[2])]


def _without_unread(blocks: list[Node], names: NamesInFunction) -> None:
    for block in blocks:
        for declaration in _lets(block):
            setting = _only_set(declaration, block)
            values = [(value, node) for node in (declaration, *setting) for value in node.children[-1].children[2:]]
            if setting and not names.is_dark and all(names.are_known(*pair) for pair in values):
                block.children = [child for child in block.children if child is not declaration]
                _drop(setting, block, names)


def _only_set(declaration: Node, block: Node) -> list[Node]:
    """The statements that give a name its values, if nothing else says it; none of another name."""
    name = declaration.children[1].children[0].text or ""
    at = next(number for number, child in enumerate(block.children) if child is declaration)
    found: list[Node] = []
    stack = block.children[at + 1 :]
    while stack:
        node = stack.pop()
        if _sets(node, name):
            found.append(node)
        elif node.kind not in OWN_SCOPE:  # which may be called at another time
            stack.extend(node.children)
    return found if len(found) == counted_words(block)[name] - 1 else []


def _sets(statement: Node, name: str) -> bool:
    """Whether a statement does no more than to give a name a plain value, or to count it."""
    inner = statement.children[0] if statement.kind == "expression_statement" and statement.children else statement
    if inner.kind == "update_expression":
        return any(part.text == name for part in inner.children)
    if inner.kind != "assignment_expression" or inner is statement:
        return False
    target, sign, value = inner.children
    return target.text == name and sign.kind == "=" and is_plain(value)


def _drop(statements: list[Node], block: Node, names: NamesInFunction) -> None:
    """Take statements away, and the questions of which nothing depends then."""
    gone = {id(statement) for statement in statements}
    for node in reversed(list(inner_nodes(block))):
        if node.kind in _BODIES:
            node.children = [child for child in node.children if id(child) not in gone]
        else:  # a body without braces
            node.children = [_empty(child) if id(child) in gone else child for child in node.children]
        is_asked = node.kind == "if_statement" and len(node.children) == 3 and _does_nothing(node.children[2])
        if is_asked and is_plain(node.children[1]) and names.are_known(node.children[1], node):
            gone.add(id(node))


def _empty(statement: Node) -> Node:
    braces = [Node(sign, None, statement.row, sign) for sign in "{}"]
    return Node("statement_block", statement.field, statement.row, children=braces)


def _does_nothing(body: Node) -> bool:
    return body.kind == "statement_block" and all(child.kind in ("{", "}") for child in body.children)


_SETTING = frozenset({"assignment_expression", "update_expression"})
_BODIES = frozenset({"program", "statement_block", "switch_case", "switch_default"})


def _blocks(root: Node) -> Iterator[tuple[Node, bool]]:
    """The blocks in functions, the inner ones first, and the file if no other file sees its names.

    With each stands whether it is all that a function, or the file, does.
    """
    found: list[tuple[Node, bool]] = [(root, True)] if is_module(root) else []
    stack = [(root, False, False)]
    while stack:
        node, is_inside, is_body = stack.pop()
        if is_inside and node.kind == "statement_block":
            found.append((node, is_body))
        is_function = node.kind in OWN_SCOPE
        stack.extend(
            (child, is_inside or is_function, is_function and child.field == "body") for child in node.children
        )
    return reversed(found)


def _name(statement: Node) -> str | None:
    """The one name that a statement declares, and that nothing but its block knows."""
    if statement.kind in _DECLARED and statement.children:
        name = statement.child("name")
        return name.text if name is not None else None
    if statement.kind != "lexical_declaration" or len(statement.children) != 2:
        return None
    parts = statement.children[1].children
    return parts[0].text if len(parts) == 3 and parts[0].role is Role.NAME else None


def _is_candidate(statement: Node, is_of_file: bool) -> bool:
    """Whether a statement gives a name to what does nothing, or may do it without."""
    if _name(statement) is None:
        return False
    if statement.kind in _DECLARED:
        return not is_of_file  # those are definitions of the file
    value = statement.children[1].children[2]
    does_nothing = value.kind in _FUNCTIONS or all(node.kind in _NOTHING for node in every_node(value))
    return value.kind in _DOES or (does_nothing and not is_of_file)


def _is_said(name: str, statement: Node, block: Node) -> bool:
    """Whether something else in the block says the name, or a value does that it is given to."""
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    at = next(number for number, child in enumerate(block.children) if child is statement)
    inside = [] if statement.kind in _DECLARED else statement.children[1].children[2:]
    others = (*block.children[at + 1 :], *inside, *block.children[:at])  # what comes next mostly does
    leaves = (leaf.text for other in others for leaf in every_node(other) if leaf.text is not None)
    return any(name in text and word.search(text) is not None for text in leaves)


def _left(statement: Node) -> list[Node]:
    """What is done without the name."""
    value = statement.children[1].children[2] if statement.kind not in _DECLARED else statement
    if value.kind not in _DOES:
        return []
    value.field = None
    return [Node("expression_statement", statement.field, statement.row, end=statement.end, children=[value])]
