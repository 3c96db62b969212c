"""Statements of JavaScript that hold nothing apart, catch nothing, or have a name that nothing says.

    try {                       case 1:                       all: for (const b of c) {
      send(a);                    const b = f(a);               send(b);
    } catch (error) {             send(b);                    }
      throw error;                break;
    }
    send(a);                    case 1: {                     for (const b of c) {
                                  const b = f(a);               send(b);
                                  send(b);                    }
                                  break;
                                }

A name that a block declares may be one of what the block stands in, if nothing else there says it.
"""

from __future__ import annotations

import re

from intentls.core.syntax.languages.inlining import counted_words
from intentls.core.syntax.languages.javascript.modules import is_module
from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node, every_node, inner_nodes

_CASES = frozenset({"switch_case", "switch_default"})
_LISTS = _CASES | {"program", "statement_block"}
_OF_BLOCKS = re.compile(r"(class|abstract_class|function|generator_function|enum|interface|type_alias)\w*_declaration")
_LEFT = frozenset({"break_statement", "continue_statement"})


def held_to_their_end(root: Node) -> None:
    """A `Rewrite`: what follows `using a = b` in its block stands in it, as `a` is disposed of at the end of that.

    Example: `using a = b { send(a); }` for `using a = b; send(a);`, so that nothing moves out of it, or into it.
    """
    blocks = [node for node in inner_nodes(root) if node.kind in ("program", "statement_block")]
    while blocks:
        node = blocks.pop()
        at = next((at for at, child in enumerate(node.children) if _is_using(child)), None)
        if at is not None:
            declaration, *rest = node.children[at:]
            last = [rest.pop()] if node.kind == "statement_block" else []
            braces = [word_at(declaration, brace) for brace in "{}"]
            block = Node("statement_block", "body", declaration.row, children=[braces[0], *rest, braces[1]])
            held = Node("using_statement", None, declaration.row, children=[declaration, block])
            node.children = [*node.children[:at], held, *last]
            blocks.append(block)


def _is_using(statement: Node) -> bool:
    """Whether it is `using a = b`, which the grammar of TypeScript reads as an assignment with a word before it."""
    inside = statement.children[0] if statement.kind == "expression_statement" and statement.children else statement
    inside = inside.children[-1] if inside.kind == "await_expression" else inside
    is_given = inside.kind == "assignment_expression" and len(inside.children) > 3
    return statement.kind == "using_declaration" or (is_given and inside.children[0].text == "using")


def restated(root: Node) -> None:
    """A `Rewrite`: no blocks that stand alone, no errors that are only thrown again, no labels that nothing says."""
    places: list[tuple[Node, Node]] = []  # lists of statements, and where all is that may say a name of theirs
    stack = [(root, root, root)]
    while stack:
        node, parent, above = stack.pop()
        if node.kind in _LISTS and node.children:
            places.append((node, above if node.kind in _CASES else parent))
        stack.extend((child, node, parent) for child in node.children if child.children)
    closed = not is_module(root)
    for node, scope in reversed(places):  # what is within comes first
        is_global = closed and scope is root and node is root  # other scripts may say its names
        node.children = [part for child in node.children for part in _in_list(child, None if is_global else scope)]
        if node.kind in _CASES:
            _hold_names(node, scope)


def _in_list(statement: Node, scope: Node | None) -> list[Node]:
    if statement.kind == "labeled_statement":
        body = statement.children[-1]
        if _OF_BLOCKS.match(body.kind) or _may_be_directive(body) or _is_gone_to(statement):
            return [statement]
        statement = body
    if statement.kind == "try_statement":
        statement = _without_catch(statement)
    is_block = statement.kind == "statement_block" and len(statement.children) > 1
    return _opened(statement, scope) if is_block else [statement]


def _is_gone_to(labeled: Node) -> bool:
    """Whether a statement leaves by the label, or something is not known to do else."""
    label = labeled.children[0].text
    for node in every_node(labeled.children[-1]):
        if node.kind == "held_statement" or (node.kind in _LEFT and node.children[-1].text == label):
            return True
    return False


def _without_catch(statement: Node) -> Node:
    """What is tried, where what is caught is only thrown again."""
    catch = next((child for child in statement.children if child.kind == "catch_clause"), None)
    parameter, body = (catch.child("parameter"), catch.child("body")) if catch is not None else (None, None)
    thrown = body.children[1:-1] if body is not None else []
    is_again = len(thrown) == 1 and thrown[0].kind == "throw_statement" and len(thrown[0].children) == 2
    if catch is None or parameter is None or not is_again:
        return statement
    if parameter.kind != "identifier" or thrown[0].children[1].text != parameter.text:
        return statement
    if any(child.kind == "finally_clause" for child in statement.children):
        statement.children = [child for child in statement.children if child is not catch]
        return statement
    return statement.children[1]


def _opened(block: Node, scope: Node | None) -> list[Node]:
    """The statements of a block that stands alone, or the block, where something else may say what it declares."""
    inside = block.children[1:-1]
    if any(_OF_BLOCKS.match(child.kind) for child in inside) or (inside and _may_be_directive(inside[0])):
        return [block]
    names = _names_in(inside)
    if names and (scope is None or not _are_said_only(names, [block], scope)):
        return [block]
    return inside


def _may_be_directive(statement: Node) -> bool:
    return statement.kind == "expression_statement" and (
        not statement.children or statement.children[0].kind == "string"
    )


def _names_in(statements: list[Node]) -> set[str]:
    declared = (statement for statement in statements if statement.kind == "lexical_declaration")
    return {
        leaf.text or "" for statement in declared for leaf in every_node(statement) if leaf.binds and not leaf.children
    }


def _are_said_only(names: set[str], places: list[Node], scope: Node) -> bool:
    """Whether nothing in a scope but these places says the names."""
    said = counted_words(scope)
    if said["eval"]:
        return False
    for place in places:
        said.subtract(counted_words(place))
    return not any(said[name] for name in names)


def _hold_names(case: Node, switch: Node) -> None:
    """Braces around a case that declares names which no other case says."""
    colon = next(index for index, child in enumerate(case.children) if child.kind == ":")
    inside = case.children[colon + 1 :]
    names = _names_in(inside)
    is_apart = names and not any(_OF_BLOCKS.match(child.kind) for child in inside)
    if is_apart and _are_said_only(names, inside, switch):
        block = Node("statement_block", "body", case.row, children=[word_at(case, "{"), *inside, word_at(case, "}")])
        case.children[colon + 1 :] = [block]
