"""The names and paths that code of Rust says, the macros that it calls, and whether these ask where they are called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.names.tree_names import is_name
from intentls.core.syntax.languages.adapter import kinds
from intentls.core.syntax.tree import Node

# Macros that do nothing with the module or the file in which they stand, but for the line that a panic tells.
_PLACELESS = kinds(
    "print println eprint eprintln format write writeln panic vec matches format_args try assert assert_eq assert_ne"
    " debug_assert debug_assert_eq debug_assert_ne unreachable todo unimplemented thread_local lazy_static cfg concat"
    " compile_error quote quote_spanned parse_quote bitflags json"
)
_ASKS_WHERE = re.compile(rb"\b(?:module_path|file|line|column|include\w*|log|trace|debug|info|warn|error)!")
_IN_BRACES = re.compile(r"\{(\w+)")
_STARTS = kinds("crate self super")
_OPENS = frozenset("([{")
_DECLARES = re.compile(r"(_item|_variant|type_parameter|const_parameter|macro_definition)\Z")
_Path = tuple[str, ...]


class RustMacros:
    """The macros of the repository, of which the `texts` of the change have some."""

    def __init__(self, others: RepositoryText, texts: Sequence[bytes]) -> None:
        self._others, self._texts = others, texts

    def is_placeless(self, name: str) -> bool:
        """Whether a macro is one wherever it is called, and does not ask where that is."""
        if name in _PLACELESS:
            return True
        mentioning = self._others.mentioning((name,)) or {}
        defined = re.compile(rb"macro_rules!\s*" + re.escape(name.encode()) + rb"(?!\w)")
        texts = [*mentioning.values(), *self._texts]
        found = {text[start.start() :] for text in texts if (start := defined.search(text)) is not None}
        macros = {text.partition(b"\n}")[0] for text in found}
        return len(macros) == 1 and not any(map(_ASKS_WHERE.search, macros))


def _leaves(nodes: Sequence[Node]) -> Iterator[Node]:
    """The leaves of what stands in a module, but for the modules and the imports in it."""
    stack = [node for node in reversed(nodes) if node.kind != "mod_item"]
    while stack:
        node = stack.pop()
        if node.text is not None:
            yield node
        elif node.kind not in ("import_item", "lifetime"):
            is_declared = _DECLARES.search(node.kind) is not None
            stack.extend(child for child in reversed(node.children) if not (is_declared and child.field == "name"))


def paths_in(nodes: Sequence[Node]) -> Iterator[_Path]:
    """The paths and names in what stands in a module, but for members and the modules in it."""
    path: list[str] = []
    is_open = False  # a path goes on
    last = ""
    for leaf in _leaves(nodes):
        text = leaf.text or ""
        if text == "::":
            if not path:
                path = ["?"] if last == ">" else [""]
            is_open = True
        elif leaf.kind == "field_identifier":
            yield from _whole(path)
            path, is_open = [], False
        elif is_name(leaf) or text in _STARTS:
            if is_open:
                path.append(text)
                is_open = False
            else:
                yield from _whole(path)
                path = ["?"] if last == "." else [text]
        else:
            yield from _whole(path)
            path, is_open = [], False
            yield from ((word,) for word in _IN_BRACES.findall(text))
        last = text
    yield from _whole(path)


def macros_in(node: Node) -> set[str]:
    """The macros that are called in it."""
    leaves = [leaf.text for leaf in _leaves([node])]
    return {
        name or ""
        for name, sign, bracket in zip(leaves, leaves[1:], leaves[2:], strict=False)
        if sign == "!" and bracket in _OPENS and (name or "").isidentifier()
    }


def _whole(path: list[str]) -> Iterator[_Path]:
    if path and path[0] != "?" and path not in ([""], ["self"]):
        yield tuple(path)
