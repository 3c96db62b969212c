"""Whether a class has no base but the repository's own, so that no one else's code calls its members by their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.names.tree_names import is_name
from intentls.core.syntax.tree import Node, every_node

MAX_BASES = 5  # above each other
CLASSES = re.compile(r"(class|interface|enum|record|trait|impl|object)_?(definition|declaration|item|type)\Z|class\Z")
_OWN_BASES = frozenset({"object", "Exception", "ValueError", "TypeError", "RuntimeError", "ABC", "Error", "Object"})
# Interfaces of the language, with all that they call by its name; `JDK_MEMBERS` are the names of it.
JDK = frozenset(
    {
        *("Closeable", "AutoCloseable", "Flushable", "Cloneable", "Comparable", "Runnable", "Callable", "Iterable"),
        *("Iterator", "Comparator", "Supplier", "Consumer", "Function", "Predicate", "BiFunction", "BiConsumer"),
    }
)
JDK_MEMBERS = frozenset(
    {
        *("close", "flush", "compareTo", "run", "call", "iterator", "forEach", "spliterator", "next", "hasNext"),
        *("remove", "forEachRemaining", "compare", "reversed", "thenComparing", "get", "accept", "andThen", "apply"),
        *("compose", "identity", "test", "and", "or", "not", "negate", "isEqual"),
    }
)
_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>")
_PLAIN_BASES = re.compile(r"\(?\s*(extends |implements )?\s*\w*(,\s*\w+)*\s*\)?\Z")  # in a header that did not change
# What stands before a class's name, with comments between them: a tree is made of a file that has it.
_DECLARED = rb"\b(?:class|interface|enum|record|trait)(?:\s|\\|//[^\n]*\n|/\*.*?\*/)+"
_WORD = re.compile(r"\w+")


class ClassBases:
    """The classes of a change set (`roots`) and of the repository's other files, by their names."""

    def __init__(
        self, roots: Sequence[Node], others: RepositoryText, parse: Callable[[str, bytes], Node | None]
    ) -> None:
        self._roots, self._others, self._parse = roots, others, parse

    def are_own(self, owner: Node, depth: int = MAX_BASES) -> bool:
        """Whether a class has no base, or none but the repository's own."""
        bases = bases_of(owner)
        if bases is None or depth == 0:
            return False
        return all(
            base in _OWN_BASES or self._is_of_the_language(base, owner) or self.is_own(base, depth - 1)
            for base in bases
        )

    def _is_of_the_language(self, base: str, owner: Node) -> bool:
        is_java = is_anonymous(owner) or any(child.field in ("interfaces", "permits") for child in owner.children)
        is_java = is_java or any(child.kind == "extends_interfaces" for child in owner.children)
        return is_java and base in JDK and not any(_classes(self._roots, base))

    def is_own(self, name: str, depth: int = MAX_BASES) -> bool:
        """Whether there is one class of this name, and it has no base but such ones."""
        classes = list(_classes(self._roots, name))
        if not classes:
            mentioning = self._others.mentioning((name,)) or {}
            declared = re.compile(_DECLARED + re.escape(name).encode() + rb"\b", re.DOTALL)
            parsed = (self._parse(path, text) for path, text in mentioning.items() if declared.search(text))
            classes = list(_classes((root for root in parsed if root is not None), name))
        return len(classes) == 1 and self.are_own(classes[0], depth)


def bases_of(owner: Node) -> list[str] | None:
    """The names of a class's bases; None for one that can't be told, or that may do anything."""
    holders = [
        child
        for child in owner.children
        if child.field in ("superclasses", "superclass", "interfaces", "trait")
        or child.kind in ("class_heritage", "extends_interfaces", "extends_type_clause")
        or (child.field == "type" and is_anonymous(owner))
    ]
    names: list[str] = []
    for holder in holders:
        if holder.text is not None and not is_name(holder):
            text = _without_arguments(holder.text)
            if not _PLAIN_BASES.match(text):
                return None
            names += [word for word in _WORD.findall(text) if word not in ("extends", "implements")]
        parts = [holder] if holder.kind == "generic_type" else holder.children or [holder]
        bases = [base.children[0] if base.kind == "subscript" else base for base in parts]
        for node in (node for base in bases for node in without_type_arguments(base)):
            if node.kind in ("keyword_argument", "attribute", "member_expression", "call", "call_expression"):
                return None
            if node.text is not None and is_name(node):
                names.append(node.text)
    return names


def is_anonymous(node: Node) -> bool:
    """Whether it is an object of Java that has a class of its own."""
    return node.kind == "object_creation_expression" and node.children[-1].kind == "class_body"


def is_owner(node: Node) -> bool:
    """Whether it has members: a class, a structure of Rust, or an object of Java that has a class of its own."""
    return CLASSES.search(node.kind) is not None or node.kind == "struct_item" or is_anonymous(node)


def _without_arguments(text: str) -> str:
    """A header without what stands in angle brackets, however deep."""
    for _ in range(MAX_BASES):
        text = _TYPE_ARGUMENTS.sub("", text)
    return text


def without_type_arguments(base: Node) -> Iterator[Node]:
    """The parts of a base; of `A<B>` Java's `A` alone."""
    stack = [base]
    while stack:
        node = stack.pop()
        yield node
        if node.kind == "generic_type":
            stack.extend(node.children[:1])
        else:
            stack.extend(node.children)


def _classes(roots: Iterable[Node], name: str) -> Iterator[Node]:
    for root in roots:
        for node in every_node(root):
            child = node.child("name") if CLASSES.search(node.kind) else None
            if child is not None and child.text == name:
                yield node
