"""Where words stand in a canonical tree: as names, with all that is around them, or in texts.

A method of Java has a name of its own kind, as `a` and `a()` may be two things: its key is `a()`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from intentls.core.syntax.tree import Node, every_node

_NAME = re.compile(r"identifier\Z|imported\Z")
_METHOD = "method_identifier"  # the kind of a method's name
_STATIC = re.compile(r"import static ")
_CALL = "()"
_WORD = re.compile(r"\w+")
# What is no code: texts, characters and comments.
_OTHER = re.compile(r"""("(?:[^"\\\n]|\\.)*")|'(?:[^'\\\n]|\\.)+'|//[^\n]*|/\*.*?\*/""", re.DOTALL)
# What may stand around a method's name in a text that is more than a name, if a program reads it.
_BEFORE, _AFTER = re.compile(r"[.#:'\"`$@{&]\Z"), re.compile(r"\s*\(|[.#:'\"`}]")


class Place(Struct, frozen=True):
    """A name where it stands in the file `path`; `above` is what it stands in, the nearest last."""

    leaf: Node
    above: tuple[Node, ...]
    path: str
    key: str  # the word, with the sign of a method in Java

    @property
    def word(self) -> str:
        """The name, without the sign of a private one in JavaScript."""
        return (self.leaf.text or "").removeprefix("#")

    def holder(self, distance: int = 1) -> Node:
        """What it stands in: 1 is its parent. Beyond the root: the root."""
        return self.above[max(-distance, -len(self.above))]


def is_name(node: Node) -> bool:
    """Whether a leaf is a name, in any of the languages."""
    return _NAME.search(node.kind) is not None


def places_of(root: Node, words: Collection[str], path: str) -> tuple[list[Place], set[str]]:
    """The places in which one of the words is a name, in source order, and the words that a text has."""
    places: list[Place] = []
    said: set[str] = set()
    above: list[Node] = []
    imported = _imported_methods(root, words)
    stack: list[Node | None] = [root]
    while stack:
        node = stack.pop()
        if node is None:
            above.pop()
        elif node.text is None:
            above.append(node)
            stack.append(None)
            stack.extend(reversed(node.children))
        elif not is_name(node):
            found = set(_WORD.findall(node.text))
            said.update(word for word in found.intersection(words) if not _is_for_people(node, word, path))
            called = (word for word in found if word + _CALL in words)
            said.update(word + _CALL for word in called if may_call(node.text, word))
        elif node.text.removeprefix("#") in words or _key_of(node, imported) in words:
            places.append(Place(node, tuple(above), path, _key_of(node, imported)))
    return places, said


def _key_of(leaf: Node, imported: Collection[int] = ()) -> str:
    text = (leaf.text or "").removeprefix("#")
    return text + _CALL if leaf.kind == _METHOD or id(leaf) in imported else text


def _imported_methods(root: Node, words: Collection[str]) -> set[int]:
    """The names in static imports of Java that are those of methods: nothing but calls has them. By identity."""
    asked = {bare(word) for word in words if word.endswith(_CALL)}
    items = [
        item for item in root.children if item.kind == "import_item" and _STATIC.match(item.children[0].text or "")
    ]
    items = [item for item in items if item.children[-1].text in asked]
    if not items:
        return set()
    rest = [leaf for child in root.children if child.kind != "import_item" for leaf in every_node(child)]
    plain = {leaf.text for leaf in rest if is_name(leaf) and leaf.kind != _METHOD}
    texts = [leaf.text for leaf in rest if leaf.text is not None and not is_name(leaf)]
    found: set[int] = set()
    for item in items:
        name = item.children[-1].text or ""
        word = re.compile(rf"(?<!\w){name}(?!\w)(?!\s*\()")
        if name not in plain and not any(word.search(_OTHER.sub(" ", text)) for text in texts):
            found |= {id(leaf) for leaf in item.children[1:]}
    return found


def bare(word: str) -> str:
    """A word as a source has it, without the sign of a method."""
    return word.removesuffix(_CALL)


def may_call(text: str, name: str) -> bool:
    """Whether a text, or code that is not read, may mean a method of Java by this name.

    Code calls it or refers to it. A text that has white space in it is one for people, unless the word stands beside
    a sign, as in `bean.find()` and `#find`.
    """
    code, quoted = _OTHER.sub(" ", text), _OTHER.findall(text)
    if re.search(rf"(?<!\w){name}\s*\(|::\s*{name}(?!\w)", code):
        return True
    if '"' in code or "'" in code:
        return True  # it can't be told where a text begins
    return any(_is_meant(part[1:-1], name) for part in quoted if part)


def _is_for_people(leaf: Node, word: str, path: str) -> bool:
    """Whether a text of Go or Rust says the word to people, as in `"the len of a list"`: no program finds a name by it.

    So it is where there is more than one word, and none of the signs beside it by which it would be asked for. What
    stands in the brackets of a text of Rust is a variable: `"the {len} of"`, `"{:>len$} is"`.
    """
    text = leaf.text or ""
    if leaf.kind not in ("string_literal", "interpreted_string_literal") or not path.endswith((".go", ".rs")):
        return False
    if path.endswith(".rs") and any(word in _WORD.findall(part) for part in _IN_BRACES.findall(text)):
        return False
    return not _is_meant(text[text.find('"') + 1 : -1], word)


_IN_BRACES = re.compile(r"\{[^{}]*\}")


def _is_meant(text: str, name: str) -> bool:
    if not re.search(r"\s", text.strip()):
        return name in _WORD.findall(text)
    return any(
        _BEFORE.search(text[: found.start()]) or _AFTER.match(text[found.end() :])
        for found in re.finditer(rf"(?<!\w){name}(?!\w)", text)
    )


def parts_of(word: str) -> Iterator[str]:
    """The beginnings and ends that a program could put the name together from: of `do_it` are they `do_` and `_it`."""
    for edge in re.finditer(r"(?<=[^_])_(?=[^_])", word):
        yield word[: edge.end()]
        yield word[edge.start() :]


def content_with(root: Node, renames: Mapping[str, str]) -> str:
    """What nodes that say the same have in common, once the names are changed."""
    parts: list[str] = []
    stack: list[Node | None] = [root]
    while stack:
        node = stack.pop()
        if node is None:
            parts.append(")")
        elif node.text is None:
            parts.append(f"({node.kind}")
            stack.append(None)
            stack.extend(reversed(node.children))
        else:
            parts.append(f"{node.kind} {_renamed(node, renames)}")
    return "\n".join(parts)


def rename(root: Node, renames: Mapping[str, str]) -> None:
    """Change the names in a tree."""
    imported = _imported_methods(root, renames)
    for node in every_node(root):
        if node.text is not None:
            node.text = _renamed(node, renames, imported)


def _renamed(leaf: Node, renames: Mapping[str, str], imported: Collection[int] = ()) -> str:
    text = leaf.text or ""
    if not is_name(leaf):
        return text
    if leaf.kind == _METHOD or id(leaf) in imported:
        return bare(renames.get(text + _CALL, text))
    return f"#{renames.get(text[1:], text[1:])}" if text.startswith("#") else renames.get(text, text)
