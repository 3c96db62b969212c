"""Switches of Java by rules, as those by groups that end with `break`, and texts over several lines, as those on one.

switch (a) {                       switch (a) {                    return switch (a) {
    case 1, 2 -> b();                  case 1: case 2: b(); break;     case 1 -> b;
    default -> throw c;                default: throw c;               default -> c;
}                                  }                               };

The last of these is a switch whose groups return something. Each value of it has the type that the return has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node, every_node, inner_nodes

_LISTS = frozenset({"block", "constructor_body", "switch_block_statement_group"})
_LEAVING = frozenset(
    {"break_statement", "continue_statement", "return_statement", "throw_statement", "yield_statement"}
)
_DECLARING = frozenset({"local_variable_declaration", "class_declaration", "record_declaration"})
_PLAIN = re.compile(r"(identifier|literal|scoped_identifier|field_access|case|default|,)\Z")
_BLANK_END = re.compile(r"[ \t\f]+\Z")
_ESCAPE = re.compile(r'\\(\r?\n|.)|"', re.DOTALL)


def by_groups(root: Node) -> None:
    """A `Rewrite`: `case 1: a(); break;` for `case 1 -> a();`, `"a\\n"` for a text that ends on the next line."""
    if not any(node.kind == "switch_rule" or (node.text or "").startswith('"""') for node in every_node(root)):
        return  # most files have neither
    for node in inner_nodes(root):
        for index, child in enumerate(node.children):
            if child.kind == "string_literal" and (child.text or "").startswith('"""'):
                child.text = _on_one_line(child.text or "")
            elif node.kind in _LISTS and child.kind == "switch_expression":
                _regroup(child, is_returned=False)
            elif child.kind == "return_statement" and child.children[-1].kind == "switch_expression":
                switch = child.children[-1]
                if _regroup(switch, is_returned=True):
                    switch.field = None
                    node.children[index] = switch


def _regroup(switch: Node, *, is_returned: bool) -> bool:
    """Whether all rules of a switch are groups now. `is_returned`: each gives a value, and nothing follows."""
    body = switch.children[-1]
    rules = [child for child in body.children if child.kind == "switch_rule"]
    labels = [label for rule in rules for label in rule.children[0].children]
    is_whole = not is_returned or any(label.kind == "default" for label in labels)
    if not rules or not is_whole or not all(_PLAIN.search(label.kind) for label in labels):
        return False
    ends = [list(_statements(rule.children[-1], is_returned=is_returned)) for rule in rules]
    if any(not statements for statements in ends):
        return False
    groups = [part for rule, end in zip(rules, ends, strict=True) for part in _groups(rule.children[0], end)]
    body.children = [body.children[0], *groups, body.children[-1]]
    return True


def _groups(label: Node, statements: list[Node]) -> Iterator[Node]:
    """A group for each value; the last one has the statements."""
    values = [child for child in label.children if child.kind not in ("case", ",")]
    for number, value in enumerate(values, start=1):
        words = [value] if value.kind == "default" else [word_at(value, "case"), value]
        parts = [Node("switch_label", None, label.row, children=words), word_at(label, ":")]
        parts += statements if number == len(values) else []
        yield Node("switch_block_statement_group", None, label.row, children=parts)


def _statements(body: Node, *, is_returned: bool) -> Iterator[Node]:
    """What a rule does, as a group has it; nothing if that can't be told."""
    if body.kind == "expression_statement" and is_returned:
        words = [word_at(body, "return"), *body.children]
        yield Node("return_statement", None, body.row, children=words)
        return
    if body.kind == "block" and not any(part.kind in _DECLARING for part in body.children):
        statements = body.children[1:-1]
    else:
        statements = [body]
    last = statements[-1] if statements else body
    if last.kind == "yield_statement" and is_returned and _is_only_yield(body, last):
        last.kind, last.children[0] = "return_statement", word_at(last, "return")
    elif is_returned and last.kind != "throw_statement":
        return
    yield from statements
    if last.kind not in _LEAVING:
        yield Node("break_statement", None, body.row, children=[word_at(body, "break")])


def _is_only_yield(body: Node, last: Node) -> bool:
    return all(node is last for node in inner_nodes(body) if node.kind == "yield_statement")


def _on_one_line(text: str) -> str:
    r"""A text over several lines as one with `\n`, by the rules of Java. Example: `"a\nb\n"`."""
    lines = text[3:-3].replace("\r\n", "\n").split("\n")[1:]
    counted = [line for line in lines[:-1] if line.strip()] + lines[-1:]
    indent = min(len(line) - len(line.lstrip(" \t\f")) for line in counted)
    bare = "\n".join(_BLANK_END.sub("", line[indent:]) for line in lines)
    return '"' + _ESCAPE.sub(_escaped, bare).replace("\n", "\\n") + '"'


def _escaped(found: re.Match[str]) -> str:
    if found[0] == '"':
        return '\\"'
    return {"\n": "", "\r\n": "", "s": " "}.get(found[1], found[0])
