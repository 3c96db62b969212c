"""Static methods and constructors of Java that take other parameters now: whose class tells which one a call means.

    Jobs.java   static void run(String a, Env b)       static void run(Env b, String a)
    B.java      Jobs.run("ls", env);                   Jobs.run(env, "ls");

`run` may be the name of much else. But one class of the repository is called `Jobs`, it has one `run` before and after
and no base that could have another, and `Jobs` is that class in B.java. So each call there is one of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct, field

from intentls.core.mutation.calls.parameters import (
    Parameters,
    TakenParts,
    Trees,
    differing,
    follow,
    is_looked_up,
    is_nothing,
    listed_parameters,
)
from intentls.core.mutation.names.homes import stem_of
from intentls.core.mutation.names.java_packages import items_of
from intentls.core.mutation.names.prose import is_prose
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.names.tree_names import content_with
from intentls.core.syntax.tree import Node, every_node, spelling

MAX_CALLEES = 10  # in one change set

Contents = tuple[str, bytes | None, bytes | None]
"""A path, and what its file held and holds; None: there is no file."""

Parse = Callable[[str, bytes], Node | None]
"""The tree of a file at a path with this content; None where there is none."""

_METHODS = frozenset({"method_declaration", "constructor_declaration"})
_CALLS = frozenset({"method_invocation", "object_creation_expression"})
_WHOLE_NAMES = frozenset({"field_access", "scoped_type_identifier"})
_TYPES = ("class", "interface", "enum", "record")
_ASKED_FOR = re.compile(rb"\bget(?:Declared)?(?:Method|Constructor)s?\b|\bMethodHandles\b")


class JavaCallee(Struct, frozen=True):
    """A method by its class, a constructor by the class alone, and what only one side takes."""

    owner: str
    name: str
    had: TakenParts
    has: TakenParts

    @property
    def title(self) -> str:
        """What a person calls it."""
        return f"{self.owner}.{self.name}" if self.name else f"new {self.owner}"

    def calls_in(self, root: Node) -> Iterator[Node]:
        """The calls of it in a file in which its class is the one of that name."""
        for node in every_node(root):
            if node.kind not in _CALLS:
                continue
            if self.name:
                of, name = node.child("object"), node.child("name")
                is_called = of is not None and of.text == self.owner and name is not None and name.text == self.name
            else:
                made = node.child("type")
                is_called = made is not None and _name_of_type(made) == self.owner
            if is_called:
                yield node


class JavaCalls(Struct, frozen=True):
    """What takes other parameters after the change, by the path of each file that follows."""

    callees: Mapping[str, Sequence[JavaCallee]] = field(default_factory=dict)

    def settle(self, old: Node, new: Node, path: str) -> Iterator[str]:
        """Bring the calls in both trees of a file into one form. The reasons, if it has such calls."""
        for callee in self.callees.get(path, ()):
            if _settled(callee, old, is_before=True) + _settled(callee, new, is_before=False):
                yield f"follows what {callee.title} takes"


def _settled(callee: JavaCallee, root: Node, *, is_before: bool) -> list[Node]:
    """The calls of it in a tree, once they are as if both sides took the same. The tree is changed."""
    calls = list(callee.calls_in(root))
    for call in calls:
        if is_before:
            follow(call, callee.had, partial(is_looked_up, is_computed=False))
        else:
            follow(call, callee.has, is_nothing)
    return calls


def java_calls(edits: Sequence[Contents], trees: Trees, others: RepositoryText, parse: Parse) -> JavaCalls:
    """What a change set proves. `trees`: of each file, by path, what changed in it before and after."""
    contents = {path: (old, new) for path, old, new in edits if old is not None and new is not None}
    hopes = [
        (path, name)
        for path, old, new in trees
        if path.endswith(".java") and path in contents and old is not None and new is not None
        for name in _changed_heads(old, new, stem_of(path)[-1])
        if any(stem_of(path)[-1].encode() in each[0] for place, each in contents.items() if place != path)
    ]
    known = _Files(contents, parse)
    found: dict[str, list[JavaCallee]] = {}
    for path, name in hopes[:MAX_CALLEES]:
        callee = _callee(known, path, name)
        if callee is None or not _is_only_class(callee.owner, path, edits, others):
            continue
        for user in contents:
            if user.endswith(".java") and user != path and known.is_clear(callee, user, path):
                found.setdefault(user, []).append(callee)
    return JavaCalls({user: callees for user, callees in found.items() if known.all_follow(user, callees)})


def _changed_heads(old: Node, new: Node, owner: str) -> list[str]:
    """The methods of a class that take something else in two trees of what changed; empty for its constructor."""
    had, has = ({name: listed_parameters(node) for name, node in _methods(root, owner)} for root in (old, new))
    return [name for name in had if name in has and had[name] != has[name]]


def _methods(root: Node, owner: str) -> Iterator[tuple[str, Node]]:
    """The methods and constructors of the class that a file is called by."""
    body = None if (declared := _class_in(root, owner)) is None else declared.child("body")
    for node in body.children if body is not None else ():
        name = node.child("name")
        if node.kind in _METHODS and name is not None:
            yield ("" if node.kind == "constructor_declaration" else name.text or ""), node


def _class_in(root: Node, owner: str) -> Node | None:
    classes = (node for node in root.children if node.kind == "class_declaration")
    return next((node for node in classes if (name := node.child("name")) is not None and name.text == owner), None)


def _callee(known: _Files, path: str, name: str) -> JavaCallee | None:
    """The one method of a name that the class of a file has, if it takes other parameters now."""
    owner = stem_of(path)[-1]
    listed: list[Parameters] = []
    for root in known.both(path):
        declared = _class_in(root, owner)
        same = [node for each, node in _methods(root, owner) if each == name]
        if declared is None or len(same) != 1 or any("annotation" in node.kind for node in _modifiers(declared)):
            return None  # an annotation may give it more of them
        words = {node.text for node in _modifiers(same[0])}
        if name and ("static" not in words or declared.child("superclass") is not None):
            return None
        taken = listed_parameters(same[0])
        if taken is None:
            return None
        listed.append(taken)
    pair = differing(*listed) if len(listed) == 2 else None
    return None if pair is None else JavaCallee(owner, name, *pair)


def _modifiers(declared: Node) -> list[Node]:
    return next((list(every_node(child)) for child in declared.children if child.kind == "modifiers"), [])


def _is_only_class(owner: str, path: str, edits: Sequence[Contents], others: RepositoryText) -> bool:
    """Whether no other file of the repository declares a type of the name."""
    declared = re.compile(rb"\b(?:class|interface|enum|record)\s+" + owner.encode() + rb"\b")
    if any(place != path and declared.search(text) for place, *texts in edits for text in texts if text is not None):
        return False
    mentioning = others.mentioning([f"{kind} {owner}" for kind in _TYPES])
    return mentioning is not None and all(map(is_prose, mentioning))


def _package(root: Node) -> str:
    declared = next((child for child in root.children if child.kind == "package_declaration"), None)
    return "" if declared is None else spelling(declared).removeprefix("package").removesuffix(";")


class _Files:
    """The files of a change set as they were and are, read whole when they are asked for."""

    def __init__(self, contents: Mapping[str, tuple[bytes, bytes]], parse: Parse) -> None:
        self._contents, self._parse = contents, parse
        self._trees: dict[str, tuple[Node, ...]] = {}

    def both(self, path: str) -> tuple[Node, ...]:
        """The trees of a file before and after; none if one can't be read."""
        if path not in self._trees:
            read = [root for text in self._contents[path] if (root := self._parse(path, text)) is not None]
            self._trees[path] = tuple(read) if len(read) == 2 else ()
        return self._trees[path]

    def is_clear(self, callee: JavaCallee, path: str, home: str) -> bool:
        """Whether the name of the class is that class in a file, before and after, and all that it uses are calls."""
        if any(callee.owner.encode() not in text or _ASKED_FOR.search(text) for text in self._contents[path]):
            return False
        package = _package(self.both(home)[0])
        roots = self.both(path)
        return bool(roots) and all(_means(root, callee, package) for root in roots)

    def all_follow(self, path: str, callees: Sequence[JavaCallee]) -> bool:
        """Whether all calls in a file are the same if both sides take the same. Its trees are changed."""
        old, new = self.both(path)
        had = [_settled(callee, old, is_before=True) for callee in callees]
        has = [_settled(callee, new, is_before=False) for callee in callees]
        calls = [[content_with(call, {}) for call in each] for each in (*had, *has)]
        return [sorted(each) for each in calls[: len(had)]] == [sorted(each) for each in calls[len(had) :]]


def _means(root: Node, callee: JavaCallee, package: str) -> bool:
    """Whether the class, and nothing else, is seen under its name in a file. Only calls may use what changed."""
    if any((item.children[0].text or "").rpartition(".")[2] == callee.owner for item in items_of(root)):
        return False  # what it has may be called without its name
    imported = [item for item in items_of(root) if item.children[-1].text == callee.owner]
    modules = {item.children[0].text for item in imported}
    stars = {item.children[0].text for item in items_of(root) if item.children[-1].kind == "wildcard"}
    is_seen = modules == {f"import {package}"} if modules else _package(root) == package or f"import {package}" in stars
    rest = [node for child in root.children if child.kind != "import_item" for node in every_node(child)]
    for node in rest:
        is_other = node.binds and node.text == callee.owner
        is_other |= node.kind == "type_parameter" and node.children[0].text == callee.owner
        is_other |= node.kind == "method_reference" and _name_of_type(node.children[0]) == callee.owner
        is_other |= node.kind == "superclass" and any(leaf.text == callee.owner for leaf in every_node(node))
        is_other |= node.kind in _WHOLE_NAMES and spelling(node).partition("<")[0].endswith(f".{callee.owner}")
        if is_other:
            return False
    return is_seen


def _name_of_type(node: Node) -> str | None:
    """The name of a type, without what stands in angle brackets."""
    return node.children[0].text if node.kind == "generic_type" else node.text
