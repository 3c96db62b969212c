"""Functions of a file alone, which are declared in several ways: one form for those that are only called.

    const area = (a, b) => a * b     and     function area(a, b) { return a * b }

A function that is declared is there from the beginning; so nothing that runs before may lead to it. Nobody makes an
object of it, and an arrow function has neither `this` nor `arguments` of its own to ask for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from intentls.core.syntax.languages.javascript.forms import OWN_SCOPE, assigned, is_of_function, own_nodes
from intentls.core.syntax.languages.javascript.modules import is_module
from intentls.core.syntax.languages.javascript.name_uses import NameUses, uses_of, words_of
from intentls.core.syntax.languages.javascript.shorthands import each_variable
from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node, Role, every_node

REASON = "functions declared in another way"

# A package, or a module of Node.
_FAR = re.compile(r"(?:@[\w-]+/)?[\w-][\w.-]*|node:.*")
# What gives a function a name, as far as the beginning of what was not read can tell.
_UNREAD = re.compile(r"(?:const|let|var)\s+[\w$]+\s*=\s*(?:async\s+)?(?:function\b|[\w$]+\s*=>|\([^()]*\)\s*=>)")
_DECLARED = ("function_declaration", "generator_function_declaration")
_MADE = {
    "arrow_function": "function_declaration",
    "function_expression": "function_declaration",
    "generator_function": "generator_function_declaration",
}
_STILL = frozenset({*_DECLARED, "import_item", "interface_declaration", "type_alias_declaration"})


def declared_functions(root: Node) -> None:
    """A `Rewrite`: a function that has a name of the file alone, and is only called by it, is declared."""
    blocks = [(owner, block) for owner, block in blocks_of(root) if any(map(_variables, block.children))]
    if not blocks:
        return
    uses, changed = uses_of(root), assigned(root)
    for owner, block in blocks:
        block.children = [part for child in block.children for part in _apart(child)]
        functions = {name: node for child in block.children for name, node in _functions(child)}
        for index, child in enumerate(block.children):
            made = _variables(child)
            if len(made) != 1 or made[0][0] in changed or not uses.is_only_called(made[0][0]):
                continue
            name, function = made[0]
            is_own = owner is root or _is_within(name, owner, uses)
            if is_own and _is_plain(name, function) and not _leads_there(name, block, index, functions):
                block.children[index] = _declaration(child, name, function)


def blocks_of(root: Node) -> Iterator[tuple[Node, Node]]:
    """The functions with their bodies, and the file with itself if no other file sees its names."""
    if is_module(root):
        yield root, root
    for node in every_node(root):
        body = node.child("body") if node.kind in OWN_SCOPE else None
        if body is not None and body.kind == "statement_block":
            yield node, body


def _apart(child: Node) -> list[Node]:
    return each_variable(child) if _variables(child) else [child]


def _variables(statement: Node) -> list[tuple[str, Node]]:
    """The names that a statement declares for functions, and the functions."""
    if statement.kind not in ("lexical_declaration", "variable_declaration"):
        return []
    found: list[tuple[str, Node]] = []
    for part in statement.children:
        parts = part.children if part.kind == "variable_declarator" else []
        if len(parts) == 3 and parts[0].role is Role.NAME and parts[2].kind in _MADE:
            found.append((parts[0].text or "", parts[2]))
    return found


def _functions(statement: Node) -> list[tuple[str, Node]]:
    """The functions that a statement defines, in whatever form, and does no more."""
    inner = statement.child("declaration") if statement.kind == "export_statement" else statement
    if inner is None or inner.kind not in _DECLARED:
        return _variables(inner) if inner is not None else []
    name = inner.child("name")
    return [(inner.origin or (name.text if name is not None else "") or "", inner)]


def _is_within(name: str, owner: Node, uses: NameUses) -> bool:
    """Whether all that says the name stands in its function: what is said elsewhere is something else."""
    inside = sum(leaf.text == name and leaf.role is Role.NAME for leaf in every_node(owner))
    return not uses.unread[name] and inside == len(uses.calls[name]) + uses.handed[name] + 1


def _is_plain(name: str, function: Node) -> bool:
    own_name = function.child("name")
    if own_name is not None and own_name.text != name and own_name.text in words_of(function.children[-1]):
        return False
    return function.kind != "arrow_function" or not any(map(is_of_function, own_nodes(function)))


def _leads_there(name: str, block: Node, index: int, functions: dict[str, Node]) -> bool:
    """Whether something may call the function before it has its value: it would be told that there is none yet."""
    leading = _leading_to(name, functions)
    for child in block.children[:index]:
        if child.kind == "export_statement" or child.kind in _STILL:
            continue
        is_function = len(_variables(child)) == 1 or _UNREAD.match(child.text or "") is not None
        if not is_function and not leading.isdisjoint(words_of(child)):
            return True
    is_shown = block.kind == "program" and any(
        child.kind == "export_statement" and not leading.isdisjoint(words_of(child)) for child in block.children
    )
    return is_shown and any(is_near(child) for child in block.children)


def is_near(child: Node) -> bool:
    """Whether a statement may load a file of the repository, which may ask for what this one exports."""
    named = child.children[0] if child.kind == "import_item" else child.child("source")
    is_loading = child.kind in ("import_item", "import_statement", "export_statement")
    return is_loading and named is not None and _FAR.fullmatch((named.text or "").strip("'\"")) is None


def _leading_to(name: str, functions: dict[str, Node]) -> set[str]:
    """The name, and those of the functions that lead to it."""
    leading = {name}
    waiting = {other: words_of(node) for other, node in functions.items() if other != name}
    while True:
        more = {other for other, words in waiting.items() if not leading.isdisjoint(words)} - leading
        if not more:
            return leading
        leading |= more


def _declaration(statement: Node, name: str, function: Node) -> Node:
    body = function.children[-1]
    if body.kind != "statement_block":
        body.field = None
        value = Node("return_statement", None, body.row, children=[word_at(body, "return"), body])
        body = Node("statement_block", "body", body.row, children=[word_at(body, "{"), value, word_at(body, "}")])
    words = [child for child in function.children if child.kind in ("async", "*")]
    parts = [
        child for child in function.children[:-1] if child.kind not in ("async", "*", "=>", "function", "identifier")
    ]
    named = Node("identifier", "name", statement.row, name, Role.NAME, binds=True)
    before = [child for child in words if child.kind == "async"]
    after = [child for child in words if child.kind == "*"]
    children = [*before, word_at(statement, "function"), *after, named, *parts, body]
    return Node(_MADE[function.kind], statement.field, statement.row, end=statement.end, children=children)
