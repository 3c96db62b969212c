"""Names that are given one of several values: one form for all ways to write that, which branches then bring further.

    let key;                              const key = a ? b(1) : c(2);      let key = 1;
    if (a) { key = b(1) }                                                   if (a) key = b(2);
    else { key = c(2) }

Nothing may ask for the name before it has its value: a `const` would fail there.
"""

from __future__ import annotations

from functools import partial

from intentls.core.syntax.languages.adapter import NAMED_BY_IT, Rewrite
from intentls.core.syntax.languages.javascript.forms import OWN_SCOPE, assigned
from intentls.core.syntax.languages.javascript.modules import is_module
from intentls.core.syntax.languages.javascript.name_uses import words_of
from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node, Role, every_node

REASON = "branches in another form"

_CONSTANTS = frozenset({"string", "number", "true", "false", "null", "undefined"})
_LITERALS = _CONSTANTS | {"template_string", "object", "array"}
_MAX_DEPTH = 40


def _with_choices(root: Node, *, is_typed: bool) -> None:
    lists = [node for node in every_node(root) if node.kind == "statement_block" and node.children]
    for block in [*lists, *([root] if is_module(root) else [])]:
        for index in range(len(block.children) - 1, -1, -1):
            _declare_apart(block, index, root, is_typed=is_typed)
            if not is_typed:
                _choose_else(block, index)
            _return_each(block, index, is_typed=is_typed)


chosen: Rewrite = partial(_with_choices, is_typed=False)
"""A `Rewrite`: a name is declared, and given one of its values in each branch; or that is returned at once."""

chosen_typed: Rewrite = partial(_with_choices, is_typed=True)
"""The same, but for texts and numbers, of which a type that is inferred may say which ones they are."""


def declared_name(statement: Node) -> Node | None:
    """The name that a statement of `let` or `const` declares, if it is a single one and has no type."""
    if statement.kind != "lexical_declaration" or len(statement.children) != 2:
        return None
    parts = statement.children[1].children
    is_plain = len(parts) in (1, 3) and parts[0].role is Role.NAME and parts[-1].kind != "type_annotation"
    return parts[0] if is_plain else None


def giving(name: Node, value: Node) -> Node:
    """A statement that gives a name a value: `a = 1;`"""
    value.field = "right"
    target = Node("identifier", "left", name.row, name.text, Role.NAME)
    given = Node("assignment_expression", None, name.row, children=[target, word_at(name, "="), value])
    return Node("expression_statement", None, name.row, children=[given])


def _declare_apart(block: Node, index: int, root: Node, *, is_typed: bool) -> None:
    """`let a; a = b ? c : d` for `const a = b ? c : d`."""
    statement = block.children[index]
    name = declared_name(statement)
    value = statement.children[1].children[-1] if name is not None else statement
    if name is None or value.kind != "ternary_expression" or len(value.children) != 5:
        return
    if statement.children[0].text == "const" and name.text in assigned(root):
        return  # to give it another value fails
    if is_typed and any(value.children[number].kind in _LITERALS for number in (2, 4)):
        return
    if not _is_asked_later(block, index, name.text or ""):
        return
    declarator = Node("variable_declarator", None, statement.row, children=[name])
    word = Node("let", "kind", statement.row, "let")
    block.children[index : index + 1] = [
        Node("lexical_declaration", statement.field, statement.row, end=statement.end, children=[word, declarator]),
        giving(name, value),
    ]


def _is_asked_later(block: Node, index: int, name: str) -> bool:
    """Whether nothing can ask for a name of the block before its declaration is done."""
    statement = block.children[index]
    late = block.children[index:]
    hoisted = [child for child in late if child.kind.endswith(("function_declaration", "export_statement"))]
    words = [words_of(child) for child in (*block.children[:index], *hoisted, statement.children[1].children[-1])]
    return not any(name in said for said in words)


def _choose_else(block: Node, index: int) -> None:
    """`let a; if (b) a = c; else a = 1` for `let a = 1; if (b) a = c`."""
    name = declared_name(block.children[index])
    following = block.children[index + 1] if index + 1 < len(block.children) else None
    if name is None or following is None or following.kind != "if_statement" or len(following.children) != 3:
        return
    declaration = block.children[index]
    parts = declaration.children[1].children
    given = _given(following.children[2], name.text or "")
    if len(parts) != 3 or parts[2].kind not in _CONSTANTS or parts[2].children or given is None:
        return
    if declaration.children[0].text != "let" or not _is_asked_later(block, index, name.text or ""):
        return
    if name.text in words_of(following.children[1]) | words_of(given):
        return
    word = Node("else", None, following.row, "else")
    other = giving(name, parts[2])
    following.children.append(Node("else_clause", "alternative", following.row, children=[word, other]))
    del parts[1:]


def _given(statement: Node, name: str) -> Node | None:
    """The value that a branch of one statement, which has no braces by now, gives to a name."""
    inner = statement.children[0] if statement.kind == "expression_statement" and statement.children else statement
    is_given = inner.kind == "assignment_expression" and len(inner.children) == 3 and inner.children[1].kind == "="
    return inner.children[2] if is_given and inner.children[0].text == name else None


def _statements(block: Node) -> list[Node]:
    return [child for child in block.children if child.kind not in ("{", "}")]


def _return_each(block: Node, index: int, *, is_typed: bool) -> None:
    """`if (b) return c; else return d` for `let a; if (b) a = c; else a = d; return a`."""
    name = declared_name(block.children[index])
    if name is None or len(block.children[index].children[1].children) != 1 or len(block.children) < index + 3:
        return
    branch, last = block.children[index + 1 : index + 3]
    is_returned = last.kind == "return_statement" and [child.text for child in last.children[1:]] == [name.text]
    if branch.kind != "if_statement" or not is_returned:
        return
    ends: list[tuple[Node, int, Node]] = []
    if not _collect(branch, name.text or "", ends, 0) or (is_typed and any(end[2].kind in _LITERALS for end in ends)):
        return
    said = sum(leaf.text == name.text and leaf.role is Role.NAME for leaf in every_node(block))
    if said != len(ends) + 2 or name.text in _words_of_functions(block):
        return
    for holder, at, value in ends:
        word = Node("return", None, value.row, "return")
        value.field = None
        old = holder.children[at]
        holder.children[at] = Node("return_statement", old.field, old.row, end=old.end, children=[word, value])
    del block.children[index + 2]
    del block.children[index]


def _words_of_functions(block: Node) -> set[str]:
    """The words of the functions in a block, which may be called at another time, and of its texts."""
    functions = (node for node in every_node(block) if node is not block and node.kind in OWN_SCOPE)
    return {word for function in functions for word in words_of(function)}


def _collect(branch: Node, name: str, ends: list[tuple[Node, int, Node]], depth: int) -> bool:
    """Gather where each of the branches gives the name its value, at its end. Answers whether all do."""
    others = branch.children[3:]
    if depth > _MAX_DEPTH or len(others) != 1 or others[0].kind != "else_clause":
        return False
    return all(
        _collect_end(holder, at, name, ends, depth)
        for holder, at in ((branch, 2), (others[0], len(others[0].children) - 1))
    )


def _collect_end(holder: Node, at: int, name: str, ends: list[tuple[Node, int, Node]], depth: int) -> bool:
    """Gather where one branch, a child of `holder`, gives the name its value."""
    part = holder.children[at]
    if part.kind == "statement_block":
        statements = _statements(part)
        if not statements or depth > _MAX_DEPTH:
            return False
        last = next(number for number, child in enumerate(part.children) if child is statements[-1])
        return _collect_end(part, last, name, ends, depth + 1)
    if part.kind == "if_statement":
        return _collect(part, name, ends, depth + 1)
    value = _given(part, name)
    if value is None or value.kind in NAMED_BY_IT:
        return False
    ends.append((holder, at, value))
    return True
