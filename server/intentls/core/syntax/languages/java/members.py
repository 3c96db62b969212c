"""Members of a Java class: how its own body names them, and private methods that need no object."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from intentls.core.syntax.languages.java.finals import drop_words
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_WORD = re.compile(r"\w+")
_STATIC = re.compile(r"\bstatic\b[^;={}()]*?\b(\w+)\s*[(=;]")
BODIES = frozenset({"class_body", "interface_body", "enum_body", "annotation_type_body"})

_STATIC_WORD = frozenset({"static"})
_STATIC_OR_NOT = frozenset({"private", "static", "final"})
# Private methods that a stream of objects looks for.
LOOKED_FOR = frozenset({"readObject", "writeObject", "readObjectNoData", "readResolve", "writeReplace"})


def without_own_names(body: Node) -> None:
    """`a` for `this.a` in the members of a class, where a member has no variable `a`; `f()` for `this.f()`."""
    for member in body.children:
        _named_alone(member, "this", "this")


def without_class_name(declaration: Node) -> None:
    """`a` and `f()` for `A.a` and `A.f()` in the members of a class `A`, as for `this`.

    Only of a class that inherits from `Object` alone, and of what is `static` in it: that is its own either way, and no
    variable that it inherits is called `A`.
    """
    name, body = declaration.child("name"), declaration.child("body")
    inherits = any(child.field in ("superclass", "interfaces") for child in declaration.children)
    if name is None or body is None or inherits:
        return
    members = list(members_of(body))
    if _fields_have(members, name.text):
        return
    known = _statics(members)
    for member in members if known else ():
        if name.text not in _declared(member):
            _named_alone(member, "identifier", name.text, known)


def members_of(body: Node) -> Iterator[Node]:
    """What stands in the body of a class, or of an enum behind and among its constants."""
    for child in body.children:
        yield from child.children if child.kind == "enum_body_declarations" else (child,)


def _fields_have(members: list[Node], name: str | None) -> bool:
    """Whether a field may have the name. One that did not change is a leaf, and its text tells."""
    fields = [child for child in members if child.kind == "field_declaration"]
    declared = {_name(part) for field in fields for part in field.children}
    texts = (field.text for field in fields if field.text is not None)
    return name in declared or any(re.search(rf"\b{name}\s*[=;,\[]", text) for text in texts)


def _statics(members: list[Node]) -> set[str]:
    """What the class has without an object. A member that did not change is a leaf, and its text tells."""
    found: set[str] = set()
    for member in members:
        if member.kind == "enum_constant":
            found.add(_name(member) or member.origin)
        elif member.text is not None:
            found.update(_STATIC.findall(member.text))
        elif any(child.kind == "modifiers" and "static" in map(spelling, child.children) for child in member.children):
            found.update(_name(part) for part in (member, *member.children))
    return found


def _named_alone(member: Node, kind: str, owner: str | None, known: set[str] | None = None) -> None:
    declared: set[str] | None = None
    stack = [member]
    while stack:
        node = stack.pop()
        if node.kind in BODIES:
            continue  # of a class within: there another one is meant
        first, _, name = node.children[:3] if len(node.children) > 2 else (node, node, node)
        is_owned = first.field == "object" and first.kind == kind and first.text == owner
        if is_owned and first is not node and (known is None or name.text in known):
            if node.kind == "method_invocation" and node.children[2].field == "name":
                del node.children[:2]
            elif node.kind == "field_access" and len(node.children) == 3:
                declared = _declared(member) if declared is None else declared
                if node.children[2].text not in declared:
                    node.kind, node.text, node.role = "identifier", node.children[2].text, Role.NAME
                    node.children = []
        stack.extend(node.children)


def _declared(member: Node) -> set[str]:
    """The words that may be variables in the member of a class."""
    return {
        leaf.text
        for node in inner_nodes(member)
        for leaf in node.children
        if leaf.text is not None
        and (
            leaf.binds
            or (leaf.field == "name" and node.kind != "method_invocation")
            or node.kind.endswith(("pattern", "component"))
        )
    }


def without_static(root: Node, unseen: list[Node]) -> None:
    """A method without `static` that is private or `unseen`, if all that says its name is a call by its name alone.

    Both compile, so it needs no object. What finds a method in another way may ask for one: `b.f()`, `A::f`, a text.
    """
    known = {id(node) for node in unseen}
    hidden = [
        node
        for node in inner_nodes(root)
        if node.kind == "method_declaration" and _may_be_either(node, is_unseen=id(node) in known)
    ]
    if not hidden:
        return
    names = {_name(node) for node in hidden}
    calls = (
        node for node in inner_nodes(root) if node.kind == "method_invocation" and node.children[0].field == "name"
    )
    plain = Counter(map(_name, (*hidden, *calls)))
    said = Counter(word for leaf in every_node(root) for word in _words(leaf) if word in names)
    for method in hidden:
        if plain[_name(method)] == said[_name(method)]:
            drop_words(method, _STATIC_WORD)


def _may_be_either(method: Node, *, is_unseen: bool) -> bool:
    modifiers = method.children[0]
    words = {child.text for child in modifiers.children} if modifiers.kind == "modifiers" else set()
    return (is_unseen or "private" in words) and words <= _STATIC_OR_NOT and _name(method) not in LOOKED_FOR


def _name(node: Node) -> str:
    """The name of a method, or of the method that is called."""
    name = node.child("name")
    return (name.text or "") if name is not None else ""


def _words(leaf: Node) -> list[str]:
    text = leaf.text or ""
    return _WORD.findall(text) if "literal" in leaf.kind or "fragment" in leaf.kind else [text]
