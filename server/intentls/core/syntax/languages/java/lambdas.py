"""Java's lambdas that only call something: `A::b` for `c -> A.b(c)`, `D::new` for `c -> new D(c)`, no needless braces.

    Runnable run = () -> { a(); };             list.forEach(b -> A.c(b));         Supplier<D> made = () -> new D();
    Runnable run = () -> a();                  list.forEach(A::c);                Supplier<D> made = D::new;

`T::b` may also ask each thing for what it has, as `c -> c.b()` does: where a class of the file, or one of the library,
has no `b` but that of its objects. What `T` is says nothing then.

A reference is taken by what takes the lambda, whatever that is: of several methods a compiler finds the same one for
both, or none. It looks for `b` with the same arguments as the call has. Of two that could take it in two ways neither
form would compile.

Without braces a lambda may have a value, by which another method takes it. So it is one that is kept in a variable,
cast or returned, or that is given to a method which takes but one kind of function: one of the library, or the only one
of its name and with so many parameters in a class of the repository.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.made_nodes import given_to, word_at
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_KEPT = frozenset({"return_statement", "variable_declarator", "assignment_expression", "cast_expression"})
# They take one kind of function, however many there are of the name.
_TAKES_ONE = frozenset(
    {
        *("forEach", "forEachOrdered", "map", "filter", "flatMap", "peek", "anyMatch", "allMatch", "noneMatch"),
        *("mapToInt", "mapToLong", "mapToDouble", "mapToObj", "ifPresent", "orElseGet", "orElseThrow", "execute"),
        *("computeIfAbsent", "computeIfPresent", "removeIf", "replaceAll", "withInitial", "generate", "supplyAsync"),
        *("runAsync", "thenAccept", "thenRun", "thenApply", "invokeLater", "assertDoesNotThrow"),
        *("assertThrows", "assertThrowsExactly", "assertThatThrownBy", "assertThatCode", "isThrownBy"),
        *("assertAll", "thenAnswer", "doAnswer", "forEachRemaining", "thenCompose", "whenComplete", "exceptionally"),
        *("catchThrowable", "compute", "merge", "ifPresentOrElse", "scheduleAtFixedRate", "scheduleWithFixedDelay"),
    }
)
_METHODS = frozenset({"method_declaration", "constructor_declaration"})
_TYPES = frozenset(f"{kind}_declaration" for kind in ("class", "interface", "enum", "record"))
# Methods of the library without parameters, of whose names there is no other one.
_OF_COLLECTIONS = frozenset({"size", "isEmpty", "stream", "iterator", "clear"})
_OF_LANGUAGE = {
    "String": frozenset({"length", "isEmpty", "trim", "isBlank", "strip", "intern", "toCharArray", "getBytes"}),
    "Class": frozenset({"getName", "getSimpleName", "getTypeName", "isInterface", "getSuperclass"}),
    "Enum": frozenset({"name", "ordinal"}),
}
_OF_LIBRARY = {
    **dict.fromkeys(("Collection", "List", "Set", "ArrayList", "HashSet"), _OF_COLLECTIONS),
    "Map": frozenset({"size", "isEmpty", "keySet", "values", "entrySet"}),
    **dict.fromkeys(("Map.Entry", "Entry"), frozenset({"getKey", "getValue"})),
    "Optional": frozenset({"get", "isPresent", "isEmpty"}),
}
_CALLS = frozenset({"method_invocation", "object_creation_expression", "assignment_expression", "update_expression"})
_STATIC = re.compile(r"\bstatic\b")
_EMPTY = re.compile(r"\(\s*\)\Z")
_SIGNS = frozenset({"(", ")", ","})


def shorter_lambdas(root: Node) -> None:
    """A `Rewrite`: references to what a lambda only calls."""
    _shorten(root, None)


def shorter_where_taken_so(root: Node, facts: Surroundings) -> None:
    """As above, where the repository tells what a lambda is given to."""
    _shorten(root, facts)


def _shorten(root: Node, facts: Surroundings | None) -> None:
    kinds = {node.kind for node in inner_nodes(root)}
    lambdas = list(_lambdas(root)) if kinds & {"lambda_expression", "method_reference"} else []
    if not lambdas:
        return
    own = {_name(node) for node in every_node(root) if node.kind == "method_declaration"}
    others = (node for node in inner_nodes(root) if node.kind not in _TYPES and node.kind != "import_item")
    bound = {leaf.text for node in others for leaf in node.children if leaf.binds}
    for node, above in lambdas:
        if node.kind == "method_reference":
            _of_each(node, root, bound, facts)
            continue
        if _is_taken_so(above, own) or (facts is not None and _is_given_to_one(above, own, root, facts)):
            _without_braces(node)
        _as_reference(node, above, bound)


def _lambdas(root: Node) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    """Each lambda with what is around it; what is within comes first."""
    found: list[tuple[Node, tuple[Node, ...]]] = []
    stack: list[tuple[Node, tuple[Node, ...]]] = [(root, ())]
    while stack:
        node, above = stack.pop()
        if node.kind in ("lambda_expression", "method_reference") and len(node.children) == 3:
            found.append((node, above))
        stack.extend((child, (*above, node)) for child in node.children)
    return reversed(found)


def _is_taken_so(above: tuple[Node, ...], own: set[str | None]) -> bool:
    """Whether nothing can take a lambda in another way for how it is written."""
    if above[-1].kind != "argument_list" or len(above) < 2:
        return above[-1].kind in _KEPT
    if above[-2].kind == "object_creation_expression":
        return spelling(above[-2].child("type") or above[-2]) == "Thread"
    name = above[-2].child("name")
    said = None if name is None or above[-2].kind != "method_invocation" else name.text
    return said in _TAKES_ONE and said not in own


def _is_given_to_one(above: tuple[Node, ...], own: set[str | None], root: Node, facts: Surroundings) -> bool:
    """Whether it is given to a static method of the repository that is the only one of its kind."""
    call = above[-2] if above[-1].kind == "argument_list" and len(above) > 1 else root
    name, owner = call.child("name"), call.child("object")
    if call.kind != "method_invocation" or name is None or name.text is None or (owner is None and name.text in own):
        return False
    imports = {item.children[-1].text: item for item in root.children if item.kind == "import_item"}
    item = imports.get(name.text if owner is None else owner.text)
    if owner is None:
        said = "" if item is None else (item.children[0].text or "").partition("static ")[2]
    elif item is None:
        said = owner.text or "" if owner.kind == "identifier" and (owner.text or "")[:1].isupper() else ""
    else:
        said = f"{(item.children[0].text or '').rpartition(' ')[2]}.{owner.text}"
    return bool(said) and facts.has_one_method(said.replace(".", "/"), name.text, len(given_to(call)))


def methods_of(root: Node, class_: str, name: str) -> list[int | None]:
    """How many parameters each method of this name in a class has; None for any number, or if it extends another."""
    found: list[int | None] = []
    for node in root.children:
        if node.kind == "class_declaration" and (node.child("name") or node).text == class_:
            body = node.child("body")
            found += [None] if node.child("superclass") is not None else []
            found += [_count(part) for part in (body or node).children if _is_called(part, name)]
    return found


def _is_called(node: Node, name: str) -> bool:
    return node.kind == "method_declaration" and _name(node) == name


def _count(method: Node) -> int | None:
    parameters = (method.child("parameters") or method).children
    is_variable = any(part.kind == "spread_parameter" for part in parameters)
    return None if is_variable else sum(part.kind == "formal_parameter" for part in parameters)


def _without_braces(node: Node) -> None:
    """`() -> a()` for `() -> { a(); }`."""
    body = node.children[2]
    only = body.children[1] if body.kind == "block" and len(body.children) == 3 else body
    if only.kind == "expression_statement" and len(only.children) == 1 and only.children[0].kind in _CALLS:
        only.children[0].field = "body"
        node.children[2] = only.children[0]


def _as_reference(node: Node, above: tuple[Node, ...], bound: set[str | None]) -> None:
    """`A::b` for `c -> A.b(c)`."""
    parameters, _, body = node.children
    names = [child.text for child in parameters.children or [parameters] if child.text not in _SIGNS]
    if (
        body.kind not in ("method_invocation", "object_creation_expression")
        or body.children[-1].kind != "argument_list"
    ):
        return
    given, asked = [value.text for value in given_to(body)], body.child("object")
    if names and asked is not None and asked.text == names[0] and given == names[1:] and names[0] not in given:
        name = body.child("name")
        if name is not None and body.child("type_arguments") is None and parameters.kind != "formal_parameters":
            _ask_each(node, name.text or "")
        return
    if given != names:
        return
    owner = _made(body) if body.kind == "object_creation_expression" else _called(body, above, bound)
    if owner is None:
        return
    name = body.child("name")
    last = word_at(body, "new") if name is None else Node("method_identifier", None, body.row, name.text, Role.MEMBER)
    node.kind, node.children = "method_reference", [owner, word_at(node, "::"), last]


_ANY = "\0"  # what stands for the class of what is asked


def _ask_each(node: Node, name: str) -> None:
    """`?::b` for `c -> c.b()`."""
    words = [_class(_ANY, node), word_at(node, "::"), Node("method_identifier", None, node.row, name, Role.MEMBER)]
    node.kind, node.children = "method_reference", words


def _of_each(node: Node, root: Node, bound: set[str | None], facts: Surroundings | None) -> None:
    """`?::b` for `A::b`, if that asks each thing for what it has.

    What takes arguments may be another method in a class that inherits `A`: there is none.
    """
    owner, _, name = node.children
    said = spelling(owner)
    if said in bound or name.text == "new":
        return
    first = said.partition(".")[0]
    named = [part for part in inner_nodes(root) if part.kind in _TYPES and _name(part) == first]
    imports = [child for child in root.children if child.kind == "import_item"]
    modules = [(item.children[0].text or "") for item in imports if item.children[-1].text == first]
    if not named:
        is_there = modules in ([], ["import java.lang"]) if said in _OF_LANGUAGE else modules == ["import java.util"]
        is_asked = is_there and name.text in {**_OF_LANGUAGE, **_OF_LIBRARY}.get(said, ())
    else:
        body = named[0].child("body")
        is_plain = len(named) == 1 and not modules and named[0].child("superclass") is None and body is not None
        found = [part for part in body.children if _is_called(part, name.text or "")] if body and is_plain else []
        is_own = not any(map(_takes, found)) or (facts is not None and _has_no_heirs(first, root, facts))
        is_asked = bool(found) and not any(map(_is_static, found)) and is_own
    if is_asked:
        _ask_each(node, name.text or "")


def _takes(method: Node) -> bool:
    """Whether a method takes arguments; one that did not change is a leaf."""
    return _count(method) != 0 if method.text is None else _EMPTY.search(method.text.partition(")")[0] + ")") is None


def _has_no_heirs(name: str, root: Node, facts: Surroundings) -> bool:
    """Whether no class extends the one of this name: none of the file does, and no other file has the name."""
    heir = re.compile(rf"\bextends\s+{name}\b")
    is_here = any(node.field == "superclass" and name in spelling(node) for node in every_node(root))
    is_here = is_here or any(heir.search(leaf.text or "") for leaf in every_node(root))
    return not is_here and facts.is_only_here(name)


def _made(body: Node) -> Node | None:
    """The class of which an object is made, whose type arguments are told by what the lambda is taken for."""
    kind = body.child("type")
    said = "" if kind is None else spelling(kind).removesuffix("<>")
    return _class(said, body) if said.isidentifier() else None


def _class(name: str, place: Node) -> Node:
    return Node("identifier", None, place.row, name, Role.MEMBER)


def _called(body: Node, above: tuple[Node, ...], bound: set[str | None]) -> Node | None:
    """The class, or the object, whose method is called: a class or a new object by its name, or the one around it."""
    owner, name = body.child("object"), body.child("name")
    if name is None or body.child("type_arguments") is not None:
        return None
    if owner is not None:
        said = owner.text or ""
        is_class = owner.kind == "identifier" and said[:1].isupper() and said not in bound
        if is_class or (owner.kind == "identifier" and _is_made_above(said, above)):
            return _class(said, body)
        return word_at(body, "this") if owner.kind == "this" else None
    index = next((at for at in range(len(above) - 1, -1, -1) if above[at].kind.endswith("_body")), 0)
    around, holder = above[index], above[index - 1]
    found = [child for child in around.children if child.kind == "method_declaration" and _name(child) == name.text]
    kind = holder.child("name")
    statics = {_is_static(method) for method in found}
    if len(statics) != 1 or kind is None or around.kind != "class_body":
        return None
    return _class(kind.text or "", body) if True in statics else word_at(body, "this")


def _is_made_above(name: str, above: tuple[Node, ...]) -> bool:
    """Whether it is a variable of the method that a new object is given to: then there is one, whenever it is asked."""
    method = next((node for node in above if node.kind in _METHODS), None)
    inner = () if method is None else inner_nodes(method)
    declared = [node for node in inner if any(child.binds and child.text == name for child in node.children)]
    made = [node.child("value") for node in declared if node.kind == "variable_declarator"]
    return len(declared) == 1 and [value.kind for value in made if value is not None] == ["object_creation_expression"]


def _name(method: Node) -> str | None:
    """How a method is called; one that did not change is a leaf."""
    name = method.child("name")
    return method.origin if name is None else name.text


def _is_static(method: Node) -> bool:
    if method.text is not None:
        return _STATIC.search(method.text.partition("(")[0]) is not None
    modifiers = [part for part in method.children if part.kind == "modifiers"]
    return any(leaf.text == "static" for part in modifiers for leaf in part.children)
