"""Texts of Rust that are printed with values: what is known stands in the text, and names do.

    println!("{} {}", name, self.b)     write!(f, "{}: {}", "error", self.text())
    println!("{name} {}", self.b)       write!(f, "error: {}", self.text())

So in the macros of the standard library, and where a macro of the file is made of them. All that is printed is only
looked at, so that `&a` prints what `a` prints, and so does `a.to_string()`, the text that `{}` asks `a` for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from intentls.core.syntax.languages.adapter import leaf_like
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node, inner_nodes, spelling

REASON = "values named in the text"

# Which argument is the template.
_FORMATS = {
    **dict.fromkeys(("print", "println", "eprint", "eprintln", "format", "format_args", "todo", "unimplemented"), 0),
    **dict.fromkeys(("write", "writeln"), 1),
    **dict.fromkeys(("assert_eq", "assert_ne", "debug_assert_eq", "debug_assert_ne"), 2),
}
# Before the edition of 2021 these do not format a text that is alone.
_PANICS = {"panic": 0, "unreachable": 0, "assert": 1, "debug_assert": 1}
_NONE: Mapping[str, int] = {}
# Macros of other crates, which hand all they are given on to `format_args!`.
_LOGS = dict.fromkeys(("trace", "debug", "info", "warn", "error"), 0)
_FOREIGN = {"log": _LOGS, "tracing": _LOGS, "anyhow": {"anyhow": 0, "bail": 0, "ensure": 1}}
_HOLE = re.compile(r"\{\{|\}\}|\{(?:([^{}:]*)(:[^{}]*)?)\}")
_COUNTED = re.compile(r"[$*]")  # a width or a precision that is an argument itself
_NUMBER = re.compile(r"\d+\Z")
_PRINTED = re.compile(r"(0|[1-9]\d*)\Z")
_IN_TEXTS = {"'\"'": '\\"', r"'\''": "'", "'{'": "{{", "'}'": "}}"}  # what is spelled otherwise in a text
_NAME = re.compile(r"[^\W\d]\w*\Z")
_NAMES = frozenset({"identifier", "self"})
# What binds closer than a `&` before it.
_PLACE = frozenset({"identifier", "self", "super", "crate", "integer_literal", "token_tree", ".", "::", "?"})
_MAKES_TEXT = (".", "to_string", "()")


class _Hole(Struct):
    """One `{}`: the number of the argument, or the name, that it asks for, and what follows that, if anything."""

    asked: int | str
    how: str


def named_in_texts(root: Node) -> None:
    """A `Rewrite`: `"{name}"` for `"{}", name`, and `"a"` for `"{}", "a"`."""
    own = _own(root)
    foreign = _foreign(root)
    for node in inner_nodes(root):
        if node.kind == "macro_invocation" and node.children[-1].kind == "token_tree":
            name = spelling(node.children[0])
            if name in foreign:
                _inline(node.children[-1], foreign[name], own)
            elif name not in own:
                _inline(node.children[-1], _FORMATS.get(name), own, is_library=True, panics=_PANICS.get(name))
        elif node.kind == "macro_rule":
            for inner in inner_nodes(node.children[-1]):
                for name, tree in _calls(inner):
                    if name not in own:
                        _inline(tree, _FORMATS.get(name), own, is_library=True, panics=_PANICS.get(name))


def named_in_panics(root: Node, facts: Surroundings) -> None:
    """An `InformedRewrite`: the same where a text that is alone has no holes before the edition of 2021."""
    panics = [
        node
        for node in inner_nodes(root)
        if node.kind == "macro_invocation" and node.children[0].text in _PANICS and _HOLE.search(spelling(node))
    ]
    own = _own(root) if panics and facts.is_of_2021() else set(_PANICS)
    for node in panics:
        name = node.children[0].text or ""
        if name not in own:
            _inline(node.children[-1], _PANICS[name], own, is_library=True)


def _own(root: Node) -> set[str]:
    """The macros and functions that the file declares."""
    declared = (node.child("name") for node in inner_nodes(root) if node.kind in ("macro_definition", "function_item"))
    return {name.text or "" for name in declared if name is not None}


def _foreign(root: Node) -> dict[str, int]:
    """The macros of well-known crates, as the file calls them, and which argument of theirs is the template."""
    known = {f"{crate}::{name}": at for crate, macros in _FOREIGN.items() for name, at in macros.items()}
    imported = (node.children for node in root.children if node.kind == "import_item")
    paths = {parts[-1].text or "": f"{(parts[0].text or '').strip()}{parts[1].text}" for parts in imported}
    return {**known, **{name: known[path] for name, path in paths.items() if path in known}}


def _calls(node: Node) -> Iterator[tuple[str, Node]]:
    """The macros that are called among words: their names, and what they are given."""
    words = [node, *node.children]
    for before, name, sign, tree in zip(words, words[1:], words[2:], words[3:], strict=False):
        if sign.text == "!" and tree.kind == "token_tree" and before.text not in ("::", "$"):
            yield name.text or "", tree


def _inline(
    tree: Node, at: int | None, own: Collection[str], *, is_library: bool = False, panics: int | None = None
) -> None:
    """Name the values in the template, the argument `at`; in that of `panics` if others than names are left."""
    arguments = split_at_commas(tree.children[1:-1])
    keeps = at is None
    at = panics if at is None else at
    if at is None or at >= len(arguments) or len(arguments[at]) != 1:
        return
    template, values = arguments[at][0], arguments[at + 1 :]
    text = template.text or ""
    names, values = _named(values)
    holes = _holes(text, names) if template.kind == "string_literal" and "\\u{" not in text else None
    if holes is None or {hole.asked for hole in holes if isinstance(hole.asked, int)} != set(range(len(values))):
        return
    values = [_bare(value, [hole.how for hole in holes if hole.asked == at], own) for at, value in enumerate(values)]
    known = [_known(value, [hole.how for hole in holes if hole.asked == at]) for at, value in enumerate(values)]
    known = known if is_library else [None] * len(values)
    said = [f"{{{_name(value)}" if _name(value) else "" for value in values]
    kept = [at for at, value in enumerate(values) if known[at] is None and not said[at]]
    if keeps and not kept:
        return
    left = [hole.asked for hole in holes if hole.asked in kept]
    numbers = {at: "" if left == kept else str(number) for number, at in enumerate(kept)}
    following = iter(holes)

    def filled(hole: re.Match[str]) -> str:
        if hole[1] is None:
            return hole[0]
        found = next(following)
        if isinstance(found.asked, str):
            return f"{{{found.asked}{found.how}}}"
        plain = known[found.asked]
        return f"{said[found.asked] or '{' + numbers.get(found.asked, '')}{found.how}}}" if plain is None else plain

    inlined = leaf_like(template, template.kind, _HOLE.sub(filled, text))
    parts = [*arguments[:at], [inlined], *(values[number] for number in kept)]
    listed = [part for argument in parts for part in (word_at(tree, ","), *argument)]
    tree.children = [tree.children[0], *listed[1:], tree.children[-1]]


def _named(values: list[list[Node]]) -> tuple[dict[str, int], list[list[Node]]]:
    """The numbers of those that have a name, and all without their names. Example: `b` of `a = b`."""
    names = {
        value[0].text or "": number
        for number, value in enumerate(values)
        if len(value) > 2 and value[0].kind == "identifier" and value[1].kind == "="
    }
    return names, [value[2:] if number in names.values() else value for number, value in enumerate(values)]


def _holes(text: str, names: Mapping[str, int]) -> list[_Hole] | None:
    """What each `{}` of the text asks for; None if one is not understood."""
    found: list[_Hole] = []
    if "{" in _HOLE.sub("", text) or "}" in _HOLE.sub("", text):
        return None
    count = 0
    for hole in _HOLE.finditer(text):
        asked, how = hole[1], (hole[2] or "").removesuffix(":") if hole[2] == ":" else hole[2] or ""
        if asked is None:
            continue
        if _COUNTED.search(how) or not (not asked or _NUMBER.match(asked) or _NAME.match(asked)):
            return None
        found.append(_Hole(names.get(asked, asked) if not asked.isdigit() else int(asked), how))
        if not asked:
            found[-1].asked, count = count, count + 1
    return found


def _bare(value: list[Node], hows: list[str], own: Collection[str]) -> list[Node]:
    """The value without `&`, or `.to_string()`, where it is only printed."""
    while value and value[0].kind == "&" and all(part.kind in _PLACE for part in value[1:]) and _are_shown(hows):
        value = value[1:]
    is_text = tuple(map(spelling, value[-3:])) == _MAKES_TEXT and len(value) > 3 and "to_string" not in own
    is_place = is_text and all(part.kind in _PLACE for part in value)
    return value[:-3] if is_place and not any(hows) else value


def _are_shown(hows: list[str]) -> bool:
    """Whether the value is shown, and not where it lies."""
    return not any(how.endswith("p") for how in hows)


def _name(value: list[Node]) -> str:
    text = (value[0].text or "") if len(value) == 1 and value[0].kind in _NAMES else ""
    return text if _NAME.match(text) else ""


def _known(value: list[Node], hows: list[str]) -> str | None:
    """What a value is printed as, if that can be told."""
    if len(value) != 1 or any(hows):
        return None
    text = value[0].text or ""
    if value[0].kind == "string_literal" and text[:1] == '"' and "\\u{" not in text:
        return text[1:-1].replace("{", "{{").replace("}", "}}")
    if value[0].kind == "char_literal" and text[:1] == "'" and "\\u{" not in text:
        return _IN_TEXTS.get(text, text[1:-1])
    return text if value[0].kind == "integer_literal" and _PRINTED.match(text) else None


def split_at_commas(children: list[Node]) -> list[list[Node]]:
    """What stands between the commas."""
    parts: list[list[Node]] = [[]]
    for child in children:
        if child.kind == ",":
            parts.append([])
        else:
            parts[-1].append(child)
    return parts
