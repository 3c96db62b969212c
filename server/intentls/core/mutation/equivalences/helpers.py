"""Functions that only one version of a file has, and that only the file itself can call: which, and by which calls.

    function load(text) {                        function load(text) {
      return parse(text.trim().toLowerCase())      return parse(clean(text))
    }                                            }
                                                 function clean(text) { return text.trim().toLowerCase() }

`clean` is no method that another class could have, and nothing but direct calls says its name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from intentls.core.syntax.languages.adapter import Adapter
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.javascript.modules import SCRIPTS, is_module
from intentls.core.syntax.languages.python.annotations import without_annotations_of
from intentls.core.syntax.tree import Node, Role, all_said, every_node, spelling

FUNCTIONS = frozenset(
    {
        *("function_definition", "lambda", "function_declaration", "generator_function_declaration"),
        *("function_expression", "generator_function", "arrow_function", "method_definition", "method_declaration"),
        *("constructor_declaration", "lambda_expression", "compact_constructor_declaration"),
    }
)
CLASSES = frozenset({"class_definition", "class_declaration", "class", "class_body", "enum_body", "interface_body"})
_TOPS = ("module", "program", "export_statement")
TYPED = ("TypeScript", "TSX")
_WORD = re.compile(r"[\w$#]+")
# What leaves the methods of a class of Python as they are.
_QUIET_DECORATOR = re.compile(
    r"@(?:(?:typing\.)?final|(?:dataclasses\.)?dataclass(?:\(.*\))?|(?:functools\.)?total_ordering)"
)
# They may reach any name, ask who called, or belong to the function around them.
_CLOSED_WORDS = frozenset(
    {
        *("eval", "exec", "locals", "vars", "globals", "arguments", "super", "stacklevel", "_getframe", "currentframe"),
        *("inspect", "extract_stack", "extract_tb", "captureStackTrace", "getStackTrace", "StackWalker", "caller"),
        *("callee", "__class__", "__getattribute__", "async"),
    }
)
_CLOSED_KINDS = frozenset(
    {
        *("yield", "yield_expression", "await", "await_expression", "global_statement", "nonlocal_statement"),
        *("meta_property", "class_definition", "class_declaration", "class", "class_body", "named_expression"),
        *("delete_statement", "labeled_statement", "variable_declaration", "type_parameters"),
        *("explicit_constructor_invocation", "spread_parameter", "import_item"),
    }
)
PLAIN_MODIFIERS = frozenset({"private", "static", "final"})


class Site(Struct, frozen=True):
    """One call: `above` has the nodes around it, the file first, and `call` itself is below the last of them."""

    call: Node
    above: tuple[Node, ...]

    @property
    def function(self) -> Node:
        """The innermost function around the call."""
        return next(node for node in reversed(self.above) if node.kind in FUNCTIONS)

    @property
    def outermost(self) -> Node:
        """The outermost function around the call."""
        return next(node for node in self.above if node.kind in FUNCTIONS)


class Helper(Struct, frozen=True):
    """A function that may be taken in by its callers. `parameters`: their names, without the object of a method."""

    name: str
    node: Node
    holder: Node
    parameters: tuple[Node, ...]
    body: tuple[Node, ...]
    sites: tuple[Site, ...]
    receiver: str = ""  # what a Python method calls its object
    is_shared: bool = False  # both versions have it
    is_called_more: bool = True  # than in the other version


def words_in(root: Node) -> Counter[str]:
    """How often each word stands in a tree, in names and in texts."""
    return Counter(_WORD.findall(all_said(root)))


def helpers(root: Node, other: Node, adapter: Adapter, facts: Surroundings) -> Iterator[Helper]:
    """The functions of `root` of which `other` says nothing, and that calls of their file alone can reach."""
    if adapter.name not in ("Python", "Java", *SCRIPTS):
        return
    theirs = {name_of(node) for _, node in functions_in(other, adapter)}
    candidates = [pair for pair in functions_in(root, adapter) if name_of(pair[1]) not in theirs]
    elsewhere = words_in(other) if candidates else Counter[str]()
    parents = {id(child): node for node in every_node(root) for child in node.children}
    for holder, node in candidates:
        name = name_of(node)
        if not name or elsewhere[name] or not is_closed(node, holder, parents, adapter, facts):
            continue
        if adapter.name == "Python":
            without_annotations_of(node, root, facts)
        helper = helper_of(node, holder, root, adapter)
        if helper is not None and words_in(root)[name] == len(helper.sites) + 1:
            yield helper


def name_of(node: Node) -> str:
    """The name of a function or class; empty where there is none."""
    return _text_of(node.child("name"))


def _text_of(node: Node | None) -> str:
    return (node.text or "") if node is not None else ""


def functions_in(root: Node, adapter: Adapter) -> list[tuple[Node, Node]]:
    """The declared functions of a tree, each after what it stands in."""
    kinds = {"Python": ("function_definition",), "Java": ("method_declaration",)}
    wanted = kinds.get(adapter.name, ("function_declaration", "method_definition"))
    return [(holder, node) for holder in every_node(root) for node in holder.children if node.kind in wanted]


def is_closed(node: Node, holder: Node, parents: dict[int, Node], adapter: Adapter, facts: Surroundings) -> bool:
    """Whether no one else can call the function, put another one in its place, or see it."""
    name = name_of(node)
    index = next(number for number, child in enumerate(holder.children) if child is node)
    if is_decorated(holder, index):
        return False
    if adapter.name == "Java":
        words = modifiers_of(node)
        return holder.kind == "class_body" and "private" in words and words <= PLAIN_MODIFIERS
    if adapter.name == "Python":
        if not name.startswith("_") or name.endswith("__") or not facts.is_only_here(name):
            return False
        owner = parents.get(id(holder))
        if owner is None or owner.kind != "class_definition":
            return holder.kind == "module" and may_stand_there(holder, index, name)
        around = parents.get(id(owner))
        if around is not None and around.kind == "decorated_definition":
            decorators = (spelling(child) for child in around.children if child.kind == "decorator")
            around = parents.get(id(around)) if all(map(_QUIET_DECORATOR.fullmatch, decorators)) else None
        is_top = around is not None and around.kind == "module"
        return is_top and facts.is_plain_class(name_of(owner))
    if node.kind == "function_declaration":
        return holder.kind == "program" and is_module(holder)
    words = {spelling(child) for child in node.children[:1] if child.kind == "accessibility_modifier"}
    is_method = node.children[0].kind in ("accessibility_modifier", "private_property_identifier")
    return holder.kind == "class_body" and is_method and (name.startswith("#") or words == {"private"})


def is_decorated(holder: Node, index: int) -> bool:
    """Whether a decorator or a comment that counts stands before this part of a block."""
    before = holder.children[index - 1].kind if index else ""
    return "decorator" in before or "comment" in before


def modifiers_of(node: Node) -> set[str]:
    """What stands before a method of Java, as it is spelled."""
    modifiers = [child for child in node.children if child.kind == "modifiers"]
    unread = {word for part in modifiers if part.text is not None for word in part.text.split()}  # the same in both
    return unread | {spelling(child) for part in modifiers for child in part.children}


def may_stand_there(module: Node, index: int, name: str) -> bool:
    """Whether nothing between the first caller and the function could call it while the file is read from the top."""
    first = next((number for number, child in enumerate(module.children) if words_in(child)[name]), index)
    return all(_is_quiet(child) for child in module.children[first:index])


def _is_quiet(statement: Node) -> bool:
    if statement.kind == "function_definition":
        return not any(node.kind == "call" for part in statement.children[:-1] for node in every_node(part))
    body = statement.child("body")
    if statement.kind != "class_definition" or body is None or statement.child("superclasses") is not None:
        return False
    return all(child.kind == "function_definition" and _is_quiet(child) for child in body.children)


def helper_of(node: Node, holder: Node, root: Node, adapter: Adapter, *, is_shared: bool = False) -> Helper | None:
    """The function with the calls that reach it, if it may stand where it is called.

    None where one call may reach another one, unless it `is_shared`: then the other calls stay as they are.
    """
    name = name_of(node)
    body, parameters = node.child("body"), _parameters(node)
    is_annotated = adapter.name == "Python" and node.child("return_type") is not None
    if body is None or parameters is None or is_annotated or any(_is_open(part, node) for part in every_node(node)):
        return None
    receiver = ""
    if adapter.name == "Python" and holder.kind == "block":
        if not parameters:
            return None
        receiver, parameters = _text_of(parameters[0]), parameters[1:]
    if node.kind == "function_declaration" and any(part.text == "this" for part in every_node(body)):
        return None
    sites = _sites(root, name, node, holder, receiver, is_shared=is_shared)
    if not sites:
        return None
    statements = tuple(child for child in body.children if child.text not in ("{", "}"))
    return Helper(name, node, holder, tuple(parameters), statements, sites, receiver) if statements else None


def _is_open(part: Node, function: Node) -> bool:
    is_another = part is not function and part.kind in CLASSES
    return part.text in _CLOSED_WORDS or part.kind in _CLOSED_KINDS or is_another or part.kind == "async"


def _parameters(node: Node) -> list[Node] | None:
    """The names of the parameters, each with its type as the `origin`; None if one is more than a name."""
    listed = next((part for part in node.children if part.kind in ("parameters", "formal_parameters")), None)
    names: list[Node] = []
    for child in listed.children if listed is not None else ():
        if child.text in ("(", ")", ","):
            continue
        named = _named(child)
        if named is None:
            return None
        names.append(named)
    texts = [name.text for name in names]
    return names if len(set(texts)) == len(texts) else None


def _named(child: Node) -> Node | None:
    if child.text is not None:
        return child if child.role is Role.NAME else None
    if child.kind == "required_parameter":
        is_plain = child.children[0].role is Role.NAME and all(part.field != "value" for part in child.children)
        return child.children[0] if is_plain and len(child.children) <= 2 else None
    parts = [part for part in child.children if spelling(part) != "final"]
    if child.kind != "formal_parameter" or len(parts) != 2:
        return None
    kind, name = parts
    return Node(name.kind, None, name.row, name.text, Role.NAME, origin=spelling(kind))


def _sites(
    root: Node, name: str, helper: Node, holder: Node, receiver: str, *, is_shared: bool
) -> tuple[Site, ...] | None:
    """The calls of the function, outside of itself; None if one stands where it may be another one's."""
    sites: list[Site] = []
    stack: list[tuple[Node, tuple[Node, ...]]] = [(root, ())]
    while stack:
        node, above = stack.pop()
        if node is helper:
            continue
        if _calls(node, name, is_method=holder.kind not in _TOPS):
            site = Site(node, above)
            if any(part.kind in FUNCTIONS for part in above) and _is_at_home(site, holder, receiver):
                sites.append(site)
            elif not is_shared:
                return None
        if node.children:
            stack.extend((child, (*above, node)) for child in reversed(node.children))
    return tuple(sites)


def _calls(node: Node, name: str, *, is_method: bool) -> bool:
    if node.kind == "method_invocation":
        if [part.text for part in node.children[:-1]] not in ([name], ["this", ".", name]):
            return False
        return node.children[-1].kind == "argument_list"
    if node.kind not in ("call", "call_expression") or len(node.children) != 2:
        return False
    function, arguments = node.children
    if arguments.kind not in ("argument_list", "arguments"):
        return False
    if not is_method:
        return function.text == name and function.role is Role.NAME
    return len(function.children) == 3 and function.children[1].text == "." and function.children[2].text == name


def _is_at_home(site: Site, holder: Node, receiver: str) -> bool:
    """Whether the call reaches the function of `holder`: by its name there, or by the object of a method there."""
    if holder.kind in _TOPS:
        return True
    inside = next((index for index, node in enumerate(site.above) if node is holder), None)
    if inside is None:
        return False
    functions = [node for node in site.above[inside + 1 :] if node.kind in FUNCTIONS]
    if holder.kind == "class_body":
        is_own = not any(node.kind in CLASSES for node in site.above[inside + 1 :])
        is_kept = all(node.kind in ("arrow_function", "lambda_expression") for node in functions[1:])
        is_this = site.call.kind == "method_invocation" or site.call.children[0].children[0].text == "this"
        return is_own and bool(functions) and is_kept and is_this
    method, said = site.function, site.call.children[0].children[0]
    listed = method.child("parameters")
    first = [child.text for child in listed.children if child.text != "("][:1] if listed is not None else []
    is_direct = any(child is method for child in holder.children)
    is_bound_once = sum(leaf.binds and leaf.text == receiver for leaf in every_node(method)) == 1
    is_object = said.role is Role.NAME and said.text == receiver
    return is_direct and is_object and is_bound_once and first == [receiver]
