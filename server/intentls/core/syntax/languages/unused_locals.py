"""Local variables that nothing asks for, of a value that nothing misses: without them a program does the same.

    def load(path):                 def load(path):
        names = []          and         return read(path)
        return read(path)

`names` stands in no other place of the function, and to make a list does nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from intentls.core.syntax.languages.adapter import Rewrite
from intentls.core.syntax.tree import Node, Role, every_node, spelling

REASON = "unused variables"

_WORD = re.compile(r"\w+")
_DECLARATIONS = frozenset({"expression_statement", "lexical_declaration", "local_variable_declaration"})
_CONSTANTS = frozenset(
    {
        *("string", "none", "number", "true", "false", "null", "bytes", "string_literal", "decimal_integer_literal"),
        *("character_literal", "null_literal"),
    }
)
_CLASSES = frozenset({"class_definition", "class_body"})
_PLAIN = frozenset({"content", "[", "]", "{", "}", ",", "list", "dictionary", "array", "object"})
_LISTS = frozenset({"ArrayList", "LinkedList", "HashMap", "LinkedHashMap", "TreeMap", "HashSet", "LinkedHashSet"})
_NEW = re.compile(r"new(\w+)(?:<.*>)?\(\)\Z")


def without_unused(function_kinds: Collection[str], dynamic: Collection[str], counted: Collection[str] = ()) -> Rewrite:
    """A rewrite of functions of these kinds; `dynamic` names may reach any name. Values of `counted` kinds stay."""
    constants = _CONSTANTS.difference(counted)

    def rewrite(root: Node) -> None:
        lists = {name for child in root.children for name in _lists(child)}
        stack: list[tuple[Node, Node | None]] = [(root, None)]
        words: dict[int, Counter[str]] = {}  # of a function, by its identity, if it has a candidate
        while stack:
            node, function = stack.pop()
            if node.kind in _CLASSES:
                function = None  # what it holds are no locals
            elif function is None and node.kind in function_kinds:
                function = node
            if function is not None:
                idle = [
                    (name, child)
                    for child in node.children
                    if (name := _local(child)) is not None and _does_nothing(_value(child), constants, lists)
                ]
                counts = words.get(id(function)) or (_words(function) if idle else Counter())
                words[id(function)] = counts
                if idle and not any(word in counts for word in dynamic):
                    unused = {id(child) for name, child in idle if counts[name] == 1}
                    node.children = [child for child in node.children if id(child) not in unused]
            stack.extend((child, function) for child in node.children)

    return rewrite


def _lists(item: Node) -> set[str]:
    """The collection that an import of Java brings."""
    is_list = item.kind == "import_item" and item.children[0].text == "import java.util"
    return {item.children[-1].text or ""} & _LISTS if is_list else set()


def _words(function: Node) -> Counter[str]:
    return Counter(word for leaf in every_node(function) for word in _WORD.findall(leaf.text or ""))


def _local(statement: Node) -> str | None:
    """The name of the one variable that a statement gives a value."""
    if statement.kind not in _DECLARATIONS or not 0 < len(statement.children) < 3:
        return None
    holder = statement.children[-1]
    if holder.kind not in ("assignment", "variable_declarator"):
        return None
    target = holder.children[0]
    is_named = len(holder.children) == 3 and target.role is Role.NAME and target.binds
    return target.text if is_named else None


def _value(statement: Node) -> Node:
    return statement.children[-1].children[-1]


def _does_nothing(value: Node, constants: Collection[str], lists: Collection[str]) -> bool:
    if value.kind == "object_creation_expression":
        created = _NEW.match(spelling(value))
        return created is not None and created[1] in lists
    return all(node.kind in constants or node.kind in _PLAIN for node in every_node(value))
