"""Words of Java for who sees a member, where no one else asks for it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.java.finals import drop_words
from intentls.core.syntax.languages.java.members import LOOKED_FOR, members_of, without_static
from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

REASON = "who sees what no one else asks for"

_MODIFIER = re.compile(r"@?\w+")
_WORD, _ANNOTATION = re.compile(r"\w+"), re.compile(r"@\w+\b")
_SEEN_FROM_ELSEWHERE = frozenset({"public", "protected"})
_IN_QUESTION = frozenset({"private", "static"})
_PRIVATE, _PUBLIC = frozenset({"private"}), frozenset({"public"})
_METHOD, _CONSTRUCTOR = "method_declaration", "constructor_declaration"
_TYPES = frozenset({"class_declaration", "enum_declaration", "interface_declaration", "record_declaration"})
_OWNERS = frozenset({"class_declaration", "enum_declaration", "record_declaration"})
# What runs the tests of these finds them whoever sees them.
_JUPITER = ("import org.junit.jupiter.api", "import org.junit.jupiter.params")
_OTHER_RUNNERS = ("org.junit", "org.junit.runner", "junit.framework", "org.testng.annotations")
_TESTS = frozenset(
    {
        *("@Test", "@ParameterizedTest", "@RepeatedTest", "@TestFactory", "@TestTemplate", "@BeforeEach", "@AfterEach"),
        *("@BeforeAll", "@AfterAll"),
    }
)


def without_words_for_no_one(root: Node, facts: Surroundings) -> None:
    """An `InformedRewrite`: no `private` of what no other file names, nor `public` of tests that none does.

    What was private is inherited without that word. So a method stays unless no class of the file inherits it or calls
    one of its own the same, and a constructor unless it is the only one of a class in another, or of a private one.
    What is used nowhere stays as well, as it may go. Then `static` goes of what is called by its name alone.
    """
    extended = {leaf.text for part in every_node(root) if part.field == "superclass" for leaf in every_node(part)}
    extended |= {spelling(_type_made(node)) for node in inner_nodes(root) if _has_body(node)}
    homes = _homes(root)
    said = Counter(word for leaf in every_node(root) for word in _WORD.findall(leaf.text or ""))
    tops = {id(child) for child in root.children}
    hidden = {id(node) for node in inner_nodes(root) if node.kind in _OWNERS and "private" in _words(node)}
    unseen: list[Node] = []
    for owner in (node for node in inner_nodes(root) if node.kind in _OWNERS or _has_body(node)):
        body = owner.children[-1] if _has_body(owner) else owner.child("body")
        members = [] if body is None else list(members_of(body))
        is_extended = _name(owner) in extended or any(part.kind == "class_body" for part in _inner_parts(members))
        constructors = sum(member.kind == _CONSTRUCTOR for member in members)
        in_question = {_name(member) for member in members if _may_lose_words(member)}  # a search for each costs much
        for member in members:
            words, name = _words(member), _name(member)
            if any(word.startswith("@") for word in words) or not words.isdisjoint(_SEEN_FROM_ELSEWHERE):
                continue
            if member.kind == _CONSTRUCTOR:
                is_nested = id(owner) not in tops and "public" not in _words(owner)
                if id(owner) in hidden or (is_nested and constructors == 1):
                    drop_words(member, _PRIVATE)
            elif (member.kind == _METHOD or member.kind in _TYPES) and len(homes[name]) == 1 and said[name] > 1:
                is_inherited = is_extended and member.kind == _METHOD and "static" not in words
                if name in in_question and name not in LOOKED_FOR and not is_inherited and facts.is_only_here(name):
                    drop_words(member, _PRIVATE)
                    unseen += [member] if member.kind == _METHOD else []
    without_static(root, unseen)
    if _is_jupiter(root):
        _without_public(root, facts)


def _has_body(node: Node) -> bool:
    """Whether an object is made that has a class of its own."""
    return node.kind == "object_creation_expression" and node.children[-1].kind == "class_body"


def _type_made(creation: Node) -> Node:
    kind = next(child for child in creation.children if child.field == "type")
    return kind.children[0] if kind.kind == "generic_type" else kind


def _inner_parts(members: list[Node]) -> Iterator[Node]:
    """What the constants of an enum are made of."""
    return (part for member in members if member.kind == "enum_constant" for part in member.children)


def _homes(root: Node) -> defaultdict[str, set[int]]:
    """By the name of a method or a type, the bodies that declare one."""
    homes: defaultdict[str, set[int]] = defaultdict(set)
    for node in inner_nodes(root):
        for child in node.children:
            if child.kind == _METHOD or child.kind in _TYPES:
                homes[_name(child)].add(id(node))
    return homes


def _name(declaration: Node) -> str:
    name = declaration.child("name")
    return declaration.origin if name is None else name.text or ""


def _words(declaration: Node) -> set[str]:
    if declaration.text is not None:
        return set(_ANNOTATION.findall(declaration.text))  # it is the same on both sides
    modifiers = next((child for child in declaration.children if child.kind == "modifiers"), None)
    if modifiers is not None and modifiers.text is not None:
        return set(_MODIFIER.findall(modifiers.text))  # the same
    return set() if modifiers is None else {spelling(word) for word in modifiers.children}


def _may_lose_words(declaration: Node) -> bool:
    """Whether it has a word that may go. One of which the words are the same on both sides keeps them."""
    modifiers = next((child for child in declaration.children if child.kind == "modifiers"), None)
    return modifiers is not None and any(word.text in _IN_QUESTION for word in modifiers.children)


def _is_jupiter(root: Node) -> bool:
    modules = {(child.children[0].text or "") for child in root.children if child.kind == "import_item"}
    is_other = any(module.removeprefix("import ").removeprefix("static ") in _OTHER_RUNNERS for module in modules)
    return not is_other and any(module.startswith(_JUPITER) for module in modules)


def _without_public(root: Node, facts: Surroundings) -> None:
    """Tests are found by their annotations, and a class of tests by its file."""
    for owner in (child for child in root.children if child.kind == "class_declaration" and child.children):
        body = owner.child("body")
        is_test = body is not None and any(not _words(child).isdisjoint(_TESTS) for child in body.children)
        if body is None or not is_test or not facts.is_named_only_here(_name(owner)):
            continue
        drop_words(owner, _PUBLIC)
        for child in body.children:
            if child.kind == _METHOD and not _words(child).isdisjoint(_TESTS):
                drop_words(child, _PUBLIC)
