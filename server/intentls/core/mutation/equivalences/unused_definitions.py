"""Private definitions that nothing uses: with and without them a program does the same.

    function parse(text) { .. }          export function load(text) {
    function trim(text) { .. }     and     return parse(text)
    export function load(text) {         }
      return parse(text)                 function parse(text) { .. }
    }

`trim` stands nowhere else in a file whose own names no other file sees. A type goes with its methods. Where a language
hides names less (Python's underscore, Rust's modules of several files), the repository's other files have to be
without the name too; in Go those of the package.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from intentls.core.mutation.equivalences.helpers import words_in
from intentls.core.syntax.languages.adapter import Adapter
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.javascript.modules import is_module
from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

REASON = "unused private definitions"

Rule = Callable[[str, Node, Node, Surroundings], bool]
"""Whether a definition of a name, in what holds it, is one that nothing outside of what is known can use."""

_Holders = list[tuple[Node, list[tuple[str, list[Node]]]]]  # with names, and what goes with each
_MAX_ROUNDS = 10
_SERIALIZED = frozenset(
    {
        *("readObject", "writeObject", "readResolve", "writeReplace", "readObjectNoData"),
        *("serialVersionUID", "serialPersistentFields"),
    }
)
_LITERAL = re.compile(r".*_literal\Z|string|number|true|false|null|integer|float|none|arrow_function")


def drop_unused(old: Node, new: Node, adapter: Adapter, facts: Surroundings) -> None:
    """Take the definitions that only one side has, and neither side uses, out of both trees."""
    rule = RULES.get(adapter.name)
    if rule is None:
        return
    # What a file has now and nothing uses yet may be the half of something.
    here = replace(facts, is_unknown_beside=lambda _name: False)
    for _ in range(_MAX_ROUNDS):  # what only an unused one uses is unused by then
        holders = [_holders(root) for root in (old, new)]
        names = [{name for _, found in held for name, _ in found} for held in holders]
        if names[0] == names[1]:
            return  # before all words of a file are counted
        had, has = words_in(old), words_in(new)
        came = [one for one in holders[1] if one[0].kind != "declaration_list"]  # so is a member
        sides = ((holders[0], had, has, facts), (came, has, had, here))
        is_less = [_drop_from(*side, rule) for side in sides]  # both
        if not any(is_less):
            return


def _holders(root: Node) -> _Holders:
    """The nodes in which definitions stand that may go, with these; of Rust's `impl` those of a type alone."""
    own: set[int] = set()
    found: _Holders = []
    for holder in inner_nodes(root):
        own.update(_own_members(holder.children))
        candidates = list(_candidates(holder)) if holder.kind != "declaration_list" or id(holder) in own else []
        found += [(holder, candidates)] if candidates else []
    return found


def _own_members(children: list[Node]) -> Iterator[int]:
    """Which nodes hold the members of a type of Rust that no trait asks for, and no attribute is given."""
    for before, child in zip([None, *children], children, strict=False):
        is_marked = before is not None and before.kind == "attribute_item"
        if child.kind == "impl_item" and child.children and child.child("trait") is None and not is_marked:
            yield id(child.children[-1])


def _drop_from(holders: _Holders, own: Counter[str], others: Counter[str], facts: Surroundings, rule: Rule) -> bool:
    """Whether some were taken out of one tree, whose words and those of the other one are given."""
    is_less = False
    for holder, candidates in holders:
        gone = {
            id(part)
            for name, parts in candidates
            if name not in others
            and own[name] == sum(words_in(part)[name] for part in parts)
            and rule(name, parts[0], holder, facts)
            for part in parts
        }
        if gone:
            holder.children = [child for child in holder.children if id(child) not in gone]
            is_less = True
    return is_less


def _candidates(holder: Node) -> Iterator[tuple[str, list[Node]]]:
    """The functions, constants and types among the children of a node, each with the methods that a type has."""
    before: Node | None = None
    for child in holder.children:
        inner = child
        if child.kind in ("lexical_declaration", "field_declaration") and len(child.children) > 1:
            inner = next((part for part in child.children if part.kind == "variable_declarator"), child)
        if child.kind in _SPECIFIED and len(child.children) == 2 and _is_single(child.children[1]):
            inner = child.children[1]
        value = inner.child("value")
        name = inner.child("name")
        is_marked = before is not None and before.kind in ("attribute_item", "decorator")
        is_constant = (
            inner is not child
            and value is not None
            and (
                _LITERAL.match(value.kind) is not None
                or (child.kind == "field_declaration" and _is_quiet(child, value))
            )
        )
        is_computed_early = child.kind == "const_declaration"  # in Go, by the compiler
        is_constant = is_constant or (inner.kind in _SPECS and (is_computed_early or value is None or _is_idle(value)))
        is_function = inner is child and child.kind in _DEFINITIONS
        if name is not None and name.text and not is_marked and (is_constant or is_function):
            yield name.text, [child, *_methods(holder, name.text, inner.kind)]
        before = child


def _is_quiet(field: Node, value: Node) -> bool:
    """Whether a class of Java misses nothing if it does not have a value: constants in an array, or its own log."""
    if not any("static" in spelling(child) for child in field.children if child.kind == "modifiers"):
        return False
    if value.kind == "array_creation_expression":
        value = value.children[-1]
    if value.kind == "array_initializer":
        return all(part.kind in _SIGNS or _LITERAL.match(part.kind) for part in value.children)
    return _LOG.fullmatch(spelling(value)) is not None


_SIGNS = frozenset({"{", "}", ","})
_LOG = re.compile(r"(?:LoggerFactory|LogFactory|LogManager|Logger)\.get(?:Logger|Log)\(\w+\.class(?:\.getName\(\))?\)")


def _methods(holder: Node, name: str, kind: str) -> list[Node]:
    """The methods of a type of Go or Rust that stand beside it."""
    if kind == "type_spec":
        return [child for child in holder.children if child.kind == "method_declaration" and _receiver(child) == name]
    if kind in ("struct_item", "enum_item"):
        impls = [child for child in holder.children if child.kind == "impl_item"]
        return [child for child in impls if spelling(child.child("type") or child) == name]
    return []


def _receiver(method: Node) -> str | None:
    """The type of which a method of Go is one: `a` of `(b *a[c])`."""
    node = method.child("receiver")
    while node is not None and node.children:
        node = next((child for child in node.children if child.kind in _RECEIVERS), None)
    return None if node is None else node.text


_RECEIVERS = frozenset({"parameter_declaration", "pointer_type", "generic_type", "type_identifier"})
# Of Go: `var a = b`, one name in each; a type has no value, nor has a variable with its type alone.
_SPECIFIED = frozenset({"var_declaration", "const_declaration", "type_declaration"})
_SPECS = frozenset({"var_spec", "const_spec", "type_spec"})
_CALLS = frozenset({"newerror", "regexp.MustCompile"})  # that do nothing with a constant


def _is_single(spec: Node) -> bool:
    return sum(part.field == "name" for part in spec.children) == 1


def _is_idle(value: Node) -> bool:
    """Whether nothing is missed if a value is not computed."""
    for node in every_node(value):
        if node.kind == "call_expression":
            given = node.children[-1].children[1:-1]
            called = "".join(spelling(node.children[0]).split())
            if called not in _CALLS or len(given) != 1 or not given[0].kind.endswith("string_literal"):
                return False
        elif node.kind in _COMPUTED and spelling(node) not in _CALLS:
            return False
    return True


_COMPUTED = frozenset(
    {
        *("index_expression", "slice_expression", "type_assertion_expression", "type_conversion_expression"),
        *("unary_expression", "binary_expression", "selector_expression"),
    }
)
# Of Rust also what is no function: a type that nothing mentions has no `impl`, and a constant is computed by no one.
_DEFINITIONS = frozenset(
    {
        *("function_definition", "function_declaration", "generator_function_declaration", "method_definition"),
        *("method_declaration", "function_item", "const_item", "static_item", "type_item", "struct_item", "enum_item"),
        *("trait_item",),
    }
)


def _python(name: str, node: Node, holder: Node, facts: Surroundings) -> bool:
    is_plain = "(" not in spelling(node.child("parameters") or node)[1:]
    is_private = name.startswith("_") and not name.endswith("__")
    return is_private and is_plain and holder.kind in ("module", "block") and facts.is_unknown(name)


def _script(name: str, node: Node, holder: Node, _facts: Surroundings) -> bool:
    if holder.kind == "program":
        return is_module(holder)
    words = [child.text for child in node.children[:1] if child.kind == "accessibility_modifier"]
    is_private = name.startswith("#") or spelling(node).startswith("private") or words == ["private"]
    return holder.kind == "class_body" and is_private


def _java(name: str, node: Node, _holder: Node, _facts: Surroundings) -> bool:
    modifiers = next((spelling(child) for child in node.children if child.kind == "modifiers"), "")
    return "private" in modifiers and "@" not in modifiers and name not in _SERIALIZED


def _go(name: str, node: Node, holder: Node, facts: Surroundings) -> bool:
    is_plain = node.kind == "function_declaration" or (node.kind in _SPECIFIED and holder.kind == "source_file")
    return is_plain and name not in ("main", "init", "_") and name[0].islower() and facts.is_unknown_beside(name)


def _rust(name: str, node: Node, holder: Node, facts: Surroundings) -> bool:
    is_member = holder.kind == "declaration_list"
    if not (is_member or holder.kind == "source_file") or name in ("main", "_"):
        return False
    visible = "".join(spelling(child) for child in node.children if child.kind == "visibility_modifier")
    if not visible:
        return facts.is_unknown(name) or facts.is_unused_below(name)
    if is_member:  # a type may be given to others, whoever sees its module
        return visible.startswith("pub(") and facts.is_unknown(name)
    is_within = visible.startswith("pub(") or facts.is_crate_alone() or facts.is_hidden(name)
    return is_within and facts.is_unknown(name)


RULES: dict[str, Rule] = {
    "Python": _python,
    "JavaScript": _script,
    "TypeScript": _script,
    "TSX": _script,
    "Java": _java,
    "Go": _go,
    "Rust": _rust,
}
