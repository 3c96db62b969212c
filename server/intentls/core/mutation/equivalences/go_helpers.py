"""Go: functions that only one version of a file has, and that calls of this file alone can reach.

    func (s *store) load(text string) {          func (s *store) load(text string) {
        s.count++                                    s.note(text)
        log.Println(text)                            parse(text)
        parse(text)                              }
    }                                            func (s *store) note(text string) {
                                                     s.count++
                                                     log.Println(text)
                                                 }

No other file has the name, and nothing but direct calls says it. A method is one whose receiver is a pointer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.tree import Node, Role, all_said, every_node, flatten, inner_nodes, spelling

FUNCTIONS = frozenset({"function_declaration", "method_declaration"})
_WORD = re.compile(r"\w+")
# What belongs to the function that it stands in, or asks who called.
_CLOSED_KINDS = frozenset({"defer_statement", "labeled_statement", "goto_statement", "type_declaration", "comment"})
_CLOSED_WORDS = frozenset(
    {
        *("recover", "Helper", "Caller", "Callers", "CallersFrames", "CallerInfo", "FuncForPC", "Stack", "PrintStack"),
        *("iota", "AllocsPerRun"),
    }
)


class Parameter(Struct, frozen=True):
    """A parameter and its type, as it is spelled."""

    name: str
    type: str


class CallPlace(Struct, frozen=True):
    """One call: `above` has the nodes around it, the file first; `call` is below the last of them."""

    call: Node
    above: tuple[Node, ...]

    @property
    def caller(self) -> Node:
        """The declared function around the call."""
        return self.above[1]


class GoHelper(Struct, frozen=True):
    """A function that may stand where it is called. The receiver of a method is the first of the parameters."""

    name: str
    node: Node
    parameters: tuple[Parameter, ...]
    results: tuple[str, ...]
    body: tuple[Node, ...]
    sites: tuple[CallPlace, ...]
    is_method: bool
    is_shared: bool = False  # both versions have it
    is_called_more: bool = True  # than in the other version


def go_helpers(root: Node, other: Node, facts: Surroundings) -> Iterator[GoHelper]:
    """The functions of `root` of which `other` says nothing."""
    candidates = [node for node in root.children if node.kind in FUNCTIONS and node.children and _is_private(node)]
    elsewhere = _words(other) if candidates else Counter[str]()
    for node in candidates:
        name = _name(node)
        is_own = name[0].islower() and facts.is_unknown_beside(name)
        if not elsewhere[name] and not _is_marked(node, root) and (is_own or facts.is_only_here(name)):
            helper = _helper(name, node, root)
            if helper is not None and _words(root)[name] == len(helper.sites) + 1:
                yield helper


def go_called(root: Node, other: Node, _facts: Surroundings) -> Iterator[GoHelper]:
    """The functions that both have and one calls more often, with their calls in what `other` does not have so."""
    own, theirs = _called(root), _called(other)
    differ = {name for name in own.keys() | theirs.keys() if own[name] != theirs[name]}
    both = {_name(node) for node in other.children if node.kind in FUNCTIONS} if differ else set()
    candidates = [node for node in root.children if node.kind in FUNCTIONS and _name(node) in differ & both]
    if not candidates:
        return
    unchanged = {_said(node) for node in other.children if node.kind in FUNCTIONS}
    for node in candidates:
        name = _name(node)
        is_plain = name not in ("main", "init") and node.child("type_parameters") is None
        helper = _helper(name, node, root) if is_plain and not _is_marked(node, root) else None
        sites = (
            tuple(site for site in helper.sites if _said(site.caller) not in unchanged) if helper is not None else ()
        )
        sites = tuple(site for site in sites if not any(leaf.binds and leaf.text == name for leaf in _inside(site)))
        if helper is not None and sites:
            yield replace(helper, sites=sites, is_shared=True, is_called_more=own[name] > theirs[name])


def _called(root: Node) -> Counter[str]:
    """How often each name is called, itself or as a method."""
    calls = (node.children[0] for node in inner_nodes(root) if node.kind == "call_expression")
    return Counter((called.children[-1].text if called.children else called.text) or "" for called in calls)


def _said(function: Node) -> str:
    flat = flatten(function)
    return "\n".join((*flat.tokens, "", *flat.names))


def _inside(site: CallPlace) -> Iterator[Node]:
    """What stands in the function around a call, but for its own name."""
    return (leaf for child in site.caller.children if child.field != "name" for leaf in every_node(child))


def _name(node: Node) -> str:
    name = node.child("name")
    return (name.text or "") if name is not None else ""


def _is_private(node: Node) -> bool:
    name = _name(node)
    return name[:1].islower() and name not in ("main", "init") and node.child("type_parameters") is None


def _is_marked(node: Node, root: Node) -> bool:
    """Whether a comment that counts stands before it."""
    index = next(number for number, child in enumerate(root.children) if child is node)
    return root.children[index - 1].kind == "comment"


def _words(root: Node) -> Counter[str]:
    return Counter(_WORD.findall(all_said(root)))


def _helper(name: str, node: Node, root: Node) -> GoHelper | None:
    body = node.child("body")
    parameters = _parameters(node)
    results = result_types(node)
    if body is None or parameters is None or results is None:
        return None
    if any(part.kind in _CLOSED_KINDS or part.text in _CLOSED_WORDS for part in every_node(body)):
        return None
    is_method = node.kind == "method_declaration"
    sites = _sites(root, name, node, is_method=is_method)
    if not sites:
        return None
    statements = tuple(child for child in body.children if child.text not in ("{", "}"))
    return GoHelper(name, node, tuple(parameters), results, statements, sites, is_method) if statements else None


def _parameters(node: Node) -> list[Parameter] | None:
    """Those of a function, one for each name; None if it takes any number, or its receiver is no pointer."""
    found: list[Parameter] = []
    receiver, listed = node.child("receiver"), node.child("parameters")
    for part in (
        *(receiver.children if receiver is not None else ()),
        *(listed.children if listed is not None else ()),
    ):
        kind = part.child("type")
        if part.kind == "variadic_parameter_declaration":
            return None
        if part.kind == "parameter_declaration" and kind is not None:
            names = [child.text or "" for child in part.children if child.field == "name"]
            found += [Parameter(name, spelling(kind)) for name in names or ["_"]]
    if receiver is not None and not found[0].type.startswith("*"):
        return None
    names = [one.name for one in found if one.name != "_"]
    return found if len(set(names)) == len(names) else None


def result_types(node: Node) -> tuple[str, ...] | None:
    """The types of what a function returns; None where the results have names."""
    result = node.child("result")
    if result is None:
        return ()
    if result.kind != "parameter_list":
        return (spelling(result),)
    parts = [child for child in result.children if child.kind == "parameter_declaration"]
    if any(child.field == "name" for part in parts for child in part.children):
        return None
    return tuple(spelling(part) for part in parts)


def _sites(root: Node, name: str, helper: Node, *, is_method: bool) -> tuple[CallPlace, ...]:
    """The calls of the function in other functions."""
    sites: list[CallPlace] = []
    stack: list[tuple[Node, tuple[Node, ...]]] = [(child, (root,)) for child in root.children if child is not helper]
    while stack:
        node, above = stack.pop()
        is_call = node.kind == "call_expression" and len(node.children) == 2
        if is_call and _calls(node.children[0], name, is_method=is_method) and above[1:] and above[1].kind in FUNCTIONS:
            sites.append(CallPlace(node, above))
        stack.extend((child, (*above, node)) for child in reversed(node.children))
    return tuple(sites)


def _calls(called: Node, name: str, *, is_method: bool) -> bool:
    if not is_method:
        return called.text == name and called.role is Role.NAME
    parts = called.children if called.kind == "selector_expression" else []
    return len(parts) == 3 and parts[2].text == name and parts[0].kind == "identifier"
