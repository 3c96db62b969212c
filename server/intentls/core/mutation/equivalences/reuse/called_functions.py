"""Functions that both versions of a file have, and that what changed calls more often in one of them.

    def close(item):                          def close(item):
        item.flush()                              item.flush()
        item.done = True                          item.done = True

    def close_all(items):                     def close_all(items):
        for item in items:                        for item in items:
            item.flush()                              close(item)
            item.done = True

A call reaches this very function: nothing gives its name another one, and no class below has its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from intentls.core.mutation.equivalences.assignments import changes
from intentls.core.mutation.equivalences.helpers import (
    PLAIN_MODIFIERS,
    Helper,
    functions_in,
    helper_of,
    is_closed,
    is_decorated,
    may_stand_there,
    modifiers_of,
    name_of,
)
from intentls.core.syntax.languages.adapter import Adapter
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.javascript.modules import SCRIPTS, is_module
from intentls.core.syntax.tree import Node, Role, every_node, flatten, inner_nodes

_CALLS = frozenset({"call", "call_expression", "method_invocation"})
_SEEN = PLAIN_MODIFIERS | {"public", "protected"}
_FUNCTIONS = frozenset({"function_definition", "function_declaration", "generator_function_declaration"})
_GIVES = r"(?<![\w$.])%s\s*(?::[^=\n,()]+)?(?:=(?![=>])|:=|\+=|\+\+|--)|\b(?:global|nonlocal|del)\s[^\n;]*\b%s\b"
_DECLARES = r"\b(?:def|class|function|as|for|let|const|var)\s[^\n;(]*(?<![\w$])%s(?![\w$])"


def called_functions(root: Node, other: Node, adapter: Adapter, facts: Surroundings) -> Iterator[Helper]:
    """Those of `root`, with their calls in what `other` does not have word for word."""
    if adapter.name not in ("Python", "Java", *SCRIPTS):
        return
    own, theirs = _called(root), _called(other)
    names = {name for name in own if own[name] != theirs[name]} | {name for name in theirs if own[name] != theirs[name]}
    names &= {name_of(node) for _, node in functions_in(other, adapter)} if names else set()
    if not names:
        return
    candidates = [(holder, node) for holder, node in functions_in(root, adapter) if name_of(node) in names]
    parents = {id(child): node for node in every_node(root) for child in node.children} if candidates else {}
    unchanged: set[str] | None = None
    for holder, node in candidates:
        if not _is_fixed(node, holder, root, parents, adapter, facts):
            continue
        helper = helper_of(node, holder, root, adapter, is_shared=True)
        if helper is None:
            continue
        unchanged = unchanged or {_said(outer) for _, outer in functions_in(other, adapter)}
        sites = tuple(site for site in helper.sites if _said(site.outermost) not in unchanged)
        if sites:
            is_more = own[helper.name] > theirs[helper.name]
            yield replace(helper, sites=sites, is_shared=True, is_called_more=is_more)


def _called(root: Node) -> Counter[str]:
    """How often each name is called, itself or as a method."""
    counts: Counter[str] = Counter()
    for node in inner_nodes(root):
        if node.kind in _CALLS:
            called = node.child("name") if node.kind == "method_invocation" else node.children[0]
            while called is not None and called.children:
                called = called.children[-1]
            counts[(called.text or "") if called is not None else ""] += 1
    return counts


def _said(function: Node) -> str:
    flat = flatten(function)
    return "\n".join((*flat.tokens, "", *flat.names))


def _is_fixed(
    node: Node, holder: Node, root: Node, parents: dict[int, Node], adapter: Adapter, facts: Surroundings
) -> bool:
    """Whether a call that says the name where it means something in the file is one of this function."""
    name = name_of(node)
    index = next(number for number, child in enumerate(holder.children) if child is node)
    if is_decorated(holder, index):
        return False
    if adapter.name == "Java":
        return _is_fixed_in_java(node, holder, root, parents)
    if holder.kind not in ("module", "program", "export_statement"):
        return _is_only_called(name, root) and is_closed(node, holder, parents, adapter, facts)
    if not _is_only_one(node, name, root) or changes(root, {name}):
        return False
    if adapter.name == "Python":
        return may_stand_there(holder, index, name) and facts.is_replaced_nowhere(name)
    return node.kind == "function_declaration" and (holder.kind == "export_statement" or is_module(holder))


def _is_fixed_in_java(node: Node, holder: Node, root: Node, parents: dict[int, Node]) -> bool:
    words, owner = modifiers_of(node), parents.get(id(holder))
    is_last = owner is not None and "final" in modifiers_of(owner)
    named = [
        part for part in every_node(root) if part.kind == "method_declaration" and name_of(node) in _names_of(part)
    ]
    is_kept = bool(words & {"private", "static", "final"}) or is_last
    return holder.kind == "class_body" and words <= _SEEN and is_kept and len(named) == 1


def _names_of(node: Node) -> tuple[str, str]:
    return name_of(node), node.origin  # a leaf says there which name it declares


def _is_only_called(name: str, root: Node) -> bool:
    """Whether the file says the name of a method where it is declared, and else only to call it."""
    calls = re.compile(rf"\.\s*{re.escape(name)}\s*\(")
    said = 0
    for leaf in every_node(root):
        if leaf.text is not None and name in leaf.text:
            said += leaf.text == name
            if leaf.text != name and name in calls.sub("", leaf.text):
                return False
    return said == 1 + _called(root)[name]


def _is_only_one(function: Node, name: str, root: Node) -> bool:
    """Whether nothing else in the file may give the name a value."""
    gives = re.compile(_GIVES.replace("%s", re.escape(name)))
    declares = re.compile(_DECLARES.replace("%s", re.escape(name)))
    own = function.child("name")
    for leaf in every_node(root):
        if leaf.text is None or leaf is own or name not in leaf.text:
            continue
        if leaf.text == name:
            is_given = leaf.binds and leaf.role is Role.NAME
        else:
            is_declared = leaf.kind not in _FUNCTIONS and declares.search(leaf.text) is not None
            is_given = is_declared or leaf.origin == name or gives.search(leaf.text) is not None
        if is_given:
            return False
    return True
