"""Texts of Rust that are printed with values: what is known stands in the text, and names do.

    println!("{} {}", name, width)      write!(f, "{}: {}", "error", self.text())
    println!("{name} {width}")          write!(f, "error: {}", self.text())

So in the macros of the standard library, and where a macro of the file is made of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from intentls.core.syntax.languages.adapter import leaf_like
from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node, inner_nodes

REASON = "values named in the text"

# Which argument is the template. Not `panic`: before the edition of 2021 it does not format a text that is alone.
_FORMATS = {
    **dict.fromkeys(("print", "println", "eprint", "eprintln", "format", "format_args"), 0),
    **dict.fromkeys(("write", "writeln"), 1),
}
_HOLE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_COUNTED = re.compile(r"^\s*\d|[$*]|^\s")
_NUMBER = re.compile(r"\d+\Z")


def named_in_texts(root: Node) -> None:
    """A `Rewrite`: `"{name}"` for `"{}", name`, where all that is printed are names, and `"a"` for `"{}", "a"`."""
    for node in inner_nodes(root):
        if node.kind == "macro_invocation" and node.children[-1].kind == "token_tree":
            _inline(node.children[-1], node.children[0].text or "")
        elif node.kind == "macro_rule":
            for inner in inner_nodes(node.children[-1]):
                for name, tree in _calls(inner):
                    _inline(tree, name)


def _calls(node: Node) -> Iterator[tuple[str, Node]]:
    """The macros that are called among words: their names, and what they are given."""
    words = [node, *node.children]
    for before, name, sign, tree in zip(words, words[1:], words[2:], words[3:], strict=False):
        if sign.text == "!" and tree.kind == "token_tree" and before.text not in ("::", "$"):
            yield name.text or "", tree


def _inline(tree: Node, macro: str) -> None:
    arguments = split_at_commas(tree.children[1:-1])
    at = _FORMATS.get(macro, len(arguments))
    if at >= len(arguments) or len(arguments[at]) != 1:
        return
    template, values = arguments[at][0], arguments[at + 1 :]
    text = template.text or ""
    if template.kind != "string_literal" or "\\u{" in text:
        return
    holes = [hole[1] for hole in _HOLE.finditer(text) if hole[1] is not None]
    open_holes = [hole for hole in holes if hole[:1] in ("", ":")]
    if any(_COUNTED.search(hole) for hole in holes) or len(open_holes) != len(values):
        return
    known = [_known(value, hole) for value, hole in zip(values, open_holes, strict=True)]
    left = [value for value, said in zip(values, known, strict=True) if said is None]
    are_names = all(len(value) == 1 and value[0].kind == "identifier" for value in left)
    following = iter(zip(values, known, strict=True))

    def filled(hole: re.Match[str]) -> str:
        if hole[1] is None or hole[1][:1] not in ("", ":"):
            return hole[0]
        value, said = next(following)
        named = f"{{{value[0].text}{hole[1]}}}" if are_names else hole[0]
        return named if said is None else said

    inlined = leaf_like(template, template.kind, _HOLE.sub(filled, text))
    kept = [*arguments[:at], [inlined], *([] if are_names else left)]
    listed = [part for argument in kept for part in (word_at(tree, ","), *argument)]
    tree.children = [tree.children[0], *listed[1:], tree.children[-1]]


def _known(value: list[Node], hole: str) -> str | None:
    """What a value is printed as, if that can be told."""
    if len(value) != 1 or hole:
        return None
    text = value[0].text or ""
    if value[0].kind == "string_literal" and text[:1] == '"' and "\\u{" not in text:
        return text[1:-1].replace("{", "{{").replace("}", "}}")
    return text if value[0].kind == "integer_literal" and _NUMBER.match(text) else None


def split_at_commas(children: list[Node]) -> list[list[Node]]:
    """What stands between the commas."""
    parts: list[list[Node]] = [[]]
    for child in children:
        if child.kind == ",":
            parts.append([])
        else:
            parts[-1].append(child)
    return parts
