"""Names of types in Python: which are there when an annotation is computed, and which stand for a type and no more."""

from __future__ import annotations

import builtins
import re
from collections import Counter
from collections.abc import Callable, Iterator

from msgspec import Struct

from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.tree import Node, Role, every_node, spelling

_PLAIN = frozenset(
    {
        *("identifier", "attribute", "subscript", "union_type", "binary_operator", "string", "content", "none"),
        *("ellipsis", "list", "tuple", ".", "[", "]", ",", "|", "...", "gap"),
    }
)
_LITERAL = frozenset({"integer", "true", "false", "unary_operator", "-"})
_DEFINITIONS = ("function_definition", "class_definition", "decorated_definition")
_WORD = re.compile(r"\w+")
_BUILTINS = frozenset(dir(builtins))
_MAKERS = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple"})
_GENERIC = frozenset(
    {
        *(
            "dict",
            "list",
            "tuple",
            "set",
            "frozenset",
            "type",
            "Dict",
            "List",
            "Tuple",
            "Set",
            "FrozenSet",
            "Type",
            "Union",
        ),
        *("Optional", "Callable", "Iterable", "Iterator", "Mapping", "MutableMapping", "Sequence", "MutableSequence"),
        *("Awaitable", "Coroutine", "AsyncIterator", "AsyncIterable", "Generator", "AsyncGenerator", "Collection"),
        *(
            "DefaultDict",
            "Deque",
            "Counter",
            "ContextManager",
            "AsyncContextManager",
            "Literal",
            "Pattern",
            "Match",
            "IO",
        ),
    }
)
_MODULES = frozenset({"typing", "typing_extensions", "collections.abc", "collections"})


class TypeNames(Struct, frozen=True):
    """`words`: the names that mean something anywhere in the file. `first`: from where on the file has each.

    `order`: where each node stands that is reached while the file is read from the top; what stands in a function is
    reached later. `is_deferred`: no annotation is computed. `literals`: they may stand in one, as nothing can read it.
    """

    words: frozenset[str]
    first: dict[str, float]
    order: dict[int, int]
    is_deferred: bool
    literals: Callable[[], bool]

    def is_plain(self, annotation: Node, of: Node) -> bool:
        """Whether it only names types, all of which are there for what it is an annotation of: else it could fail."""
        at = self.order.get(id(of), _LATER)
        for node in every_node(annotation):
            is_allowed = node.kind in _PLAIN or node.kind in _LITERAL
            if not is_allowed or ((node.kind in _LITERAL or node.text == "Literal") and not self.literals()):
                return False
            if node.kind == "identifier" and node.field != "attribute" and not self._is_there(node.text or "", at):
                return False
        return True

    def _is_there(self, name: str, at: float) -> bool:
        is_late = not self.is_deferred and self.first.get(name, -1) >= at and name not in _BUILTINS
        return name in self.words and not is_late


_LATER = 1e9  # after all that is reached while the file is read


def type_names(root: Node, literals: Callable[[], bool]) -> TypeNames:
    """Those of a file."""
    words = set(_BUILTINS)
    first: dict[str, float] = {}
    order: dict[int, int] = {}
    for name, at in _given(root, order):
        words.add(name)
        first[name] = min(first.get(name, at), at)
    words.update(node.text for node in every_node(root) if node.binds and node.text is not None)
    is_deferred = any(_is_future(child) for child in root.children)
    return TypeNames(frozenset(words), first, order, is_deferred, literals)


def _is_future(child: Node) -> bool:
    """Whether it is what leaves all annotations uncomputed."""
    is_import = child.kind == "import_item" and child.children[0].text == "__future__"
    return is_import and child.children[1].text == "annotations"


def _given(root: Node, order: dict[int, int]) -> Iterator[tuple[str, float]]:
    """The names that a file gives to something at its top, and from where on; those of types alone never.

    Fills `order`. A function or class has its name after all that is in it.
    """
    stack: list[tuple[Node, bool, bool, bool]] = [(root, False, True, False)]
    number = 0
    while stack:
        node, is_done, at_top, is_never = stack.pop()
        number += 1
        at = _LATER if is_never else number
        name = node.child("name")
        if is_done:
            yield (name.text or "") if name is not None else "", at
        elif node.text is not None:
            if at_top and node.kind in _DEFINITIONS:
                yield node.origin, at
            elif at_top and node.kind.endswith("_statement"):
                yield from ((word, at) for word in _WORD.findall(node.text))
            elif at_top and node.binds:
                yield node.text, at
        else:
            order[id(node)] = number
            is_never = is_never or is_for_types(node)
            if at_top and node.kind in ("function_definition", "class_definition"):
                stack.append((node, True, True, is_never))
            if node.kind not in _SCOPES:
                inner = at_top and node.kind != "class_definition"
                stack.extend((child, False, inner, is_never) for child in reversed(node.children))


_SCOPES = frozenset(
    {
        *("function_definition", "lambda", "list_comprehension", "set_comprehension", "dictionary_comprehension"),
        "generator_expression",
    }
)


def is_for_types(node: Node) -> bool:
    """`if TYPE_CHECKING:` without another branch."""
    return (
        node.kind == "if_statement"
        and len(node.children) == 4
        and spelling(node.children[1]) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")
        and node.children[3].text is None
    )


def drop_names_of_types(root: Node, facts: Surroundings) -> None:
    """Take out what names a type, at the top of a file, that nothing uses: `_Pair = tuple[str, str]`."""
    while True:  # it ends, as each round but the last takes some away
        sources = {
            item.children[-1].text: item.children[0].text for item in root.children if item.kind == "import_item"
        }
        types = [child for child in root.children if _named(child) and _is_type(child, sources)]
        used = _words_in(root) if types else Counter[str]()
        idle = {id(child) for child in types if used[_named(child)] == _words_in(child)[_named(child)]}
        kept = [child for child in root.children if not (id(child) in idle and _is_own(child, facts))]
        if len(kept) == len(root.children):
            return
        root.children = kept


def _words_in(root: Node) -> Counter[str]:
    """How often each word stands in a tree; what was not walked is left to the look at all of it."""
    leaves = (node for node in every_node(root) if node.text is not None and node.kind not in _DEFINITIONS)
    texts = (node.text or "" for node in leaves if not node.kind.endswith("_statement"))
    return Counter(word for text in texts for word in _WORD.findall(text))


def _named(statement: Node) -> str:
    """The name that a statement gives to something, with or without saying that it is a type."""
    inner = statement.children[0] if statement.kind == "expression_statement" and statement.children else statement
    if inner.kind != "assignment" or len(inner.children) not in (3, 5) or inner.children[-2].kind != "=":
        return ""
    return (inner.children[0].text or "") if inner.children[0].role is Role.NAME else ""


def _is_own(statement: Node, facts: Surroundings) -> bool:
    """Whether no one else has the name: a private one, or any of a test, that no other file takes."""
    name = _named(statement)
    is_hidden = facts.is_test or (name.startswith("_") and not name.endswith("__"))
    return is_hidden and facts.ignores_annotations() and not facts.is_taken(name)


def _is_type(statement: Node, sources: dict[str | None, str | None]) -> bool:
    """Whether computing its value does nothing and can't fail: a generic type of `typing`, or a variable for types."""
    value = statement.children[0].children[-1]
    if value.kind == "call" and len(value.children) == 2:
        is_made = _is_of_typing(value.children[0], _MAKERS, sources)
        inside = [part for part in value.children[1].children if part.text not in ("(", ")", ",")]
        parts = [part.children[-1] if part.kind == "keyword_argument" else part for part in inside]
        return is_made and all(_is_made_of_names(part) or part.kind in ("true", "false") for part in parts)
    if value.kind != "subscript":
        return False
    return _is_of_typing(value.children[0], _GENERIC, sources) and all(map(_is_made_of_names, value.children[1:]))


def _is_of_typing(node: Node, names: frozenset[str], sources: dict[str | None, str | None]) -> bool:
    owner = node.children[0] if node.kind == "attribute" else node
    name = node.children[-1].text if node.kind == "attribute" else node.text
    source = sources.get(owner.text)
    return name in names and (source in _MODULES or (source is None and node.text in _BUILTINS))


def _is_made_of_names(node: Node) -> bool:
    return all(part.kind in _PLAIN and part.kind not in ("|", "binary_operator") for part in every_node(node))
