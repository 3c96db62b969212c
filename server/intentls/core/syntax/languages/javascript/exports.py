"""Exports of JavaScript and TypeScript in one form: what a module exports stands in one list at its end.

export function f() {}                 function f() {}
export { g as h };                     export { f as f, g as h };

export { a } from "x";                 export { a as a } from "x";
export { b } from "x";                 export { b as b } from "x";
"""

from __future__ import annotations

import re

from intentls.core.syntax.tree import Node, Role, every_node, flatten, spelling

REASON = "exports told in another way"

_FIRST = re.compile(r"(?:async\s+)?(?:function\s*\*?|class|const|let)\s*\b([\w$]+)\s*(?:[({=:<]|extends\b)")
_DECLARATIONS = frozenset({"function_declaration", "generator_function_declaration", "class_declaration"})


def export_alike(old: Node, new: Node) -> None:
    """Bring two versions into that form, if they have other lists."""
    lists = [[spelling(node) for node in every_node(root) if node.kind == "export_clause"] for root in (old, new)]
    if lists[0] != lists[1]:
        _in_one_list(old)
        _in_one_list(new)


def _in_one_list(root: Node) -> None:
    """Each name that a module exports, with the name that others know it by, in one list."""
    kept: list[Node] = []
    listed: list[Node] = []
    for child in root.children:
        words = [part.text for part in child.children] if child.kind == "export_statement" else []
        clause = child.children[1] if len(words) > 1 and words[0] == "export" else None
        if clause is None:
            kept.append(child)
        elif clause.kind == "export_clause" and len(words) == 2:
            listed += _specifiers(clause)
        elif clause.kind == "export_clause":
            kept += _apart(child, clause)
        elif clause.field == "declaration" and (names := _declared(clause)):
            clause.field = None
            kept.append(clause)
            listed += [_specifier(name, name) for name in names]
        else:
            kept.append(child)
    if listed:
        listed.sort(key=lambda node: node.children[-1].text or "")
        kept.append(_statement(listed, root.row))
    root.children = _in_order(kept)


def _declared(declaration: Node) -> list[Node]:
    """The names that a declaration declares; none if it does so by patterns, or declares types alone."""
    if declaration.text is not None:  # what did not change is one leaf
        said = _FIRST.match(declaration.text)
        is_told = said is not None and (declaration.kind in _DECLARATIONS or "," not in declaration.text)
        return [Node("identifier", "name", declaration.row, said[1], Role.NAME)] if said is not None and is_told else []
    if declaration.kind in _DECLARATIONS:
        name = declaration.child("name")
        return [name] if name is not None else []
    names = [part.children[0] for part in declaration.children if part.kind == "variable_declarator"]
    return names if declaration.kind == "lexical_declaration" and all(_is_name(name) for name in names) else []


def _is_name(node: Node) -> bool:
    return node.role is Role.NAME


def _specifiers(clause: Node) -> list[Node]:
    return [
        _specifier(part.children[0], part.children[-1]) if len(part.children) in (1, 3) else part
        for part in clause.children
        if part.kind == "export_specifier"
    ]


def _specifier(name: Node, alias: Node) -> Node:
    """`f as f`: by which name others know it changes with no name of the file."""
    own = Node("identifier", "name", name.row, name.text, Role.NAME)
    known = Node("exported", "alias", alias.row, alias.text)
    return Node("export_specifier", None, name.row, children=[own, Node("as", None, name.row, "as"), known])


def _statement(specifiers: list[Node], row: int) -> Node:
    clause = Node("export_clause", None, row, children=specifiers)
    return Node("export_statement", None, row, children=[Node("export", None, row, "export"), clause])


def _apart(statement: Node, clause: Node) -> list[Node]:
    """One statement for each name that is handed on from another module."""
    found = [_statement([specifier], statement.row) for specifier in _specifiers(clause)]
    for one in found:
        one.children += statement.children[2:]
    return found


def _in_order(statements: list[Node]) -> list[Node]:
    """What is handed on from one module side by side, in one order."""
    kept: list[Node] = []
    run: list[Node] = []
    for statement in [*statements, None]:
        source = statement.child("source") if statement is not None and statement.kind == "export_statement" else None
        is_next = source is not None and statement is not None and len(statement.children) == 4
        if run and not (is_next and source is not None and source.text == run[0].children[-1].text):
            kept += sorted(run, key=lambda node: flatten(node).names + flatten(node).tokens)
            run = []
        if statement is not None and is_next:
            run.append(statement)
        elif statement is not None:
            kept.append(statement)
    return kept
