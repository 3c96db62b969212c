"""Constants that have a name of their own: where the name stands, the value does the same.

    private static final int DAYS = 7;
    int hours(int weeks) {                     int hours(int weeks) {
      return weeks * DAYS * 24;          and     return weeks * 7 * 24;
    }                                          }

Only a name that nothing else can see, that is given one literal of its own type, and that the other version does not
have. In Python and JavaScript a name has its value from its line on: nothing may be called before that. Patterns that
are made once are constants, too (`named_patterns`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.mutation.equivalences.helpers import words_in
from intentls.core.mutation.equivalences.named_patterns import is_library, is_pattern, pattern_uses
from intentls.core.mutation.equivalences.unused_definitions import RULES
from intentls.core.syntax.languages.adapter import Adapter
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.tree import Node, Role, all_said, copy_with, every_node, inner_nodes, spelling

REASON = "constants with a name of their own"

_PLAIN = frozenset({"integer", "float", "true", "false", "none", "null", "number", "string", "content"})
_GO_LITERALS = frozenset(
    {
        "int_literal",
        "float_literal",
        "rune_literal",
        "interpreted_string_literal",
        "raw_string_literal",
        "true",
        "false",
    }
)
_OF_JAVA = {
    "int": ("decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal"),
    "long": ("decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal"),
    "double": ("decimal_floating_point_literal",),
    "float": ("decimal_floating_point_literal",),
    "boolean": ("true", "false"),
    "char": ("character_literal",),
    "String": ("string_literal",),
}
_OF_RUST = {
    "&str": "string_literal",
    "&'staticstr": "string_literal",
    "char": "char_literal",
    "bool": "boolean_literal",
    "i32": "integer_literal",
    "f64": "float_literal",
}
_LOOKING = frozenset({"eval", "exec", "globals", "locals", "vars", "getDeclaredFields", "getDeclaredField"})
_SUFFIX = re.compile(r"(?i)[lfd]\Z")
# A statement that stands in both versions is its text: a name and a literal, a text alone, a function of one line.
_IDLE_TEXT = re.compile(
    r"""(?:const\s+)?\w+\s*=\s*(?:-?[\d._]+|"[^"\\\n]*"|'[^'\\\n]*'|True|False|None|true|false|null|\(\w*\)\s*=>.*);?
    |"(?:""[^"]*""|[^"\\\n]*)"|'[^'\\\n]*';?""",
    re.VERBOSE | re.DOTALL,
)
# What a module may hold before a constant so that nothing has asked for it: none of it calls anything.
_IDLE = frozenset({"import_item", "comment", "function_definition", "function_declaration", "export_statement"})
# Of Rust, where a name is a value; elsewhere it may be that of something else.
_VALUES = frozenset(
    {
        *("arguments", "binary_expression", "return_expression", "array_expression", "tuple_expression", "block"),
        *("assignment_expression", "compound_assignment_expr", "index_expression", "range_expression", "match_pattern"),
        *("expression_statement", "reference_expression", "if_expression", "match_arm", "parenthesized_expression"),
        *("let_declaration", "method_call_expression", "match_expression"),
    }
)


class _Constant(Struct, frozen=True):
    """A definition in what holds it, by its name; its value. `owner`: the class that it is in.

    `group`: the one of several that it may be of, which stands in the `holder` for it. `is_pattern`: it is one that is
    asked, and no literal.
    """

    name: str
    value: Node
    node: Node
    holder: Node
    owner: str = ""
    group: Node | None = None
    is_pattern: bool = False


Find = Callable[[Node], Iterator[_Constant]]
"""The constants that a node of a tree holds."""


def put_in(old: Node, new: Node, adapter: Adapter, facts: Surroundings) -> None:
    """Write the value of each constant that one side alone has in the place of its name."""
    find, rule = _FINDERS.get(adapter.name), RULES.get(adapter.name)
    if find is None or rule is None:
        return
    # After the change, its own file has the word of a constant that came.
    here = replace(facts, is_unknown=facts.is_only_here)
    for root, other, known in ((old, new, facts), (new, old, here)):
        found = [one for holder in inner_nodes(root) for one in find(holder)]
        if not found:
            continue  # before all words of a file are counted
        own, others = words_in(root), words_in(other)
        if not _LOOKING.isdisjoint(own):
            continue
        for one in (one for one in found if one.name not in others):
            if one.is_pattern and not is_library(root, adapter.name):
                continue
            uses = list(_uses(root, one, adapter.name))
            is_whole = bool(uses) and own[one.name] == 1 + len(uses)
            # That it is made by a call says nothing against a pattern.
            is_call = one.is_pattern and adapter.name == "Python"
            node = Node("identifier", None, one.node.row, one.name) if is_call else one.group or one.node
            is_own = one.holder.kind in ("block", "statement_list") or rule(one.name, node, one.holder, known)
            if is_whole and is_own:
                _replace(one, uses)


def _replace(one: _Constant, uses: Sequence[Node]) -> None:
    for use in uses:
        copy = copy_with(one.value, {})  # its field is that of the name
        use.kind, use.text, use.role, use.children, use.origin = copy.kind, copy.text, copy.role, copy.children, ""
    holder = one.group or one.holder
    holder.children = [child for child in holder.children if child is not one.node]


def _uses(root: Node, one: _Constant, language: str) -> Iterator[Node]:
    """The nodes that are the constant, by its name alone or with its class's."""
    may_stand = _MAY_STAND.get(language, _may_stand)
    nodes = _open_nodes(root, one) if one.owner else inner_nodes(root)
    if one.is_pattern:
        yield from pattern_uses(nodes, one.name)
        return
    for node in nodes:
        if node is one.node:
            continue
        parts = [child.text for child in node.children]
        if node.kind == "field_access" and one.owner and parts == [one.owner, ".", one.name]:
            yield node
            continue
        yield from (child for child in node.children if child.text == one.name and may_stand(child, node))


def _open_nodes(root: Node, one: _Constant) -> Iterator[Node]:
    """The nodes of Java in no class that may inherit the name, but in the one that has the constant."""
    stack = [root]
    while stack:
        node = stack.pop()
        is_own = any(child is one.holder for child in node.children)
        has_bases = any(child.field in ("superclass", "interfaces") for child in node.children)
        is_nameless = node.kind == "object_creation_expression"
        if has_bases and not is_own:
            continue
        yield node
        stack.extend(child for child in node.children if not (is_nameless and child.kind == "class_body"))


def _may_stand(name: Node, parent: Node) -> bool:
    """Whether a leaf is the value of a name, and not what declares it, or asks for the name itself."""
    is_name = name.kind == "identifier" and name.role is Role.NAME and not name.binds
    return is_name and "is" not in [child.text for child in parent.children]


def _may_stand_in_rust(name: Node, parent: Node) -> bool:
    is_value = parent.kind in _VALUES or name.field == "value"
    return name.kind == "identifier" and is_value and name.field not in ("name", "pattern", "type", "function")


_MAY_STAND = {"Rust": _may_stand_in_rust}


def _of_python(holder: Node) -> Iterator[_Constant]:
    if holder.kind != "module":
        return
    for node in holder.children:
        inner = node.children[0] if node.kind == "expression_statement" and node.children else node
        name, value = inner.child("left"), inner.child("right")
        is_plain = inner.kind == "assignment" and len(inner.children) == 3
        is_made = value is not None and is_pattern(value, "Python")
        if is_plain and name is not None and value is not None and (is_made or _is_literal(value)):
            if name.kind == "identifier":
                yield _Constant(name.text or "", value, node, holder, is_pattern=is_made)
        elif not (node.kind in _IDLE or _IDLE_TEXT.fullmatch(node.text or "") or _is_idle_class(node)):
            return


def _of_scripts(holder: Node) -> Iterator[_Constant]:
    if holder.kind != "program":
        return
    for node in holder.children:
        declarators = [child for child in node.children if child.kind == "variable_declarator"]
        is_const = node.kind == "lexical_declaration" and [child.text for child in node.children[:1]] == ["const"]
        value = declarators[0].child("value") if is_const and len(declarators) == 1 else None
        is_made = value is not None and is_pattern(value, "JavaScript")
        if value is not None and (is_made or _is_literal(value)):
            name = declarators[0].child("name")
            if name is not None and name.kind == "identifier" and declarators[0].child("type") is None:
                yield _Constant(name.text or "", value, node, holder, is_pattern=is_made)
        elif not _is_idle_in_scripts(node, value):
            return


def _is_idle_in_scripts(node: Node, value: Node | None) -> bool:
    """Whether a statement calls nothing: a function, with a name or without."""
    if node.kind == "export_statement":
        is_told = any(child.kind in _IDLE for child in node.children)
        return is_told or re.match(r"export\s+(?:async\s+)?function\b", node.text or "") is not None
    is_function = value is not None and value.kind == "arrow_function"
    return is_function or node.kind in _IDLE or _IDLE_TEXT.fullmatch(node.text or "") is not None


def _is_idle_class(node: Node) -> bool:
    """Whether a class of Python does nothing where it is defined but to define functions."""
    body = node.child("body")
    if node.kind != "class_definition" or body is None or node.child("superclasses") is not None:
        return False
    return all(part.kind in _IDLE for part in body.children)


def _is_literal(value: Node) -> bool:
    is_signed = value.kind in ("unary_operator", "unary_expression") and value.children[0].text == "-"
    if is_signed:
        return value.children[-1].kind in ("integer", "float", "number")
    return all(part.kind in _PLAIN for part in every_node(value))


def _of_java(holder: Node) -> Iterator[_Constant]:
    body, name = holder.child("body"), holder.child("name")
    if holder.kind not in _JAVA_TYPES or body is None or name is None:
        return
    for node in body.children:
        modifiers = {part.text for child in node.children if child.kind == "modifiers" for part in child.children}
        declarators = [child for child in node.children if child.kind == "variable_declarator"]
        if node.kind == "field_declaration" and modifiers >= {"static", "final"} and len(declarators) == 1:
            own, value = declarators[0].child("name"), declarators[0].child("value")
            kind = spelling(node.child("type") or node)
            is_made = value is not None and kind == "Pattern" and is_pattern(value, "Java")
            if own is not None and value is not None and (is_made or _is_of_type(value, kind)):
                yield _Constant(own.text or "", value, node, body, name.text or "", is_pattern=is_made)


def _is_of_type(value: Node, kind: str) -> bool:
    """Whether Java takes a literal for just this type."""
    literal = value
    if value.kind == "unary_expression":
        if value.children[0].text != "-" or kind not in _SUFFIXES:
            return False
        literal = value.children[-1]
    suffix = (
        _SUFFIX.search(literal.text or "") if kind in _SUFFIXES and not (literal.text or "").startswith("0x") else None
    )
    is_typed = kind not in _SUFFIXES or (suffix[0].lower() if suffix else "") == _SUFFIXES[kind]
    return is_typed and literal.kind in _OF_JAVA.get(kind, ())


_JAVA_TYPES = frozenset({"class_declaration", "enum_declaration", "record_declaration"})
_SUFFIXES = {"int": "", "long": "l", "double": "", "float": "f"}


def _of_go(holder: Node) -> Iterator[_Constant]:
    for node in holder.children:
        specs = [child for child in node.children if child.kind == "const_spec"]
        if node.kind == "var_declaration" and holder.kind == "source_file":
            yield from _patterns_of_go(node, holder)
        is_told = all(spec.child("value") is not None or "=" in (spec.text or "") for spec in specs)
        if node.kind != "const_declaration" or not is_told or "iota" in all_said(node):
            continue  # what stands before another one may be what that is
        for spec in specs:
            values = [child.children for child in spec.children if child.field == "value"]
            names = [child for child in spec.children if child.field == "name"]
            is_plain = len(names) == len(values) == 1 and spec.child("type") is None
            if is_plain and [value.kind in _GO_LITERALS for value in values[0]] == [True]:
                gone, group = (node, None) if len(specs) == 1 else (spec, node)
                yield _Constant(names[0].text or "", values[0][0], gone, holder, group=group)


def _patterns_of_go(node: Node, holder: Node) -> Iterator[_Constant]:
    specs = [child for child in node.children if child.kind == "var_spec"]
    for spec in specs if len(specs) == 1 else []:
        name, listed = spec.child("name"), spec.child("value")
        is_plain = len(spec.children) == 3 and name is not None and listed is not None and len(listed.children) == 1
        if name is not None and listed is not None and is_plain and is_pattern(listed.children[0], "Go"):
            yield _Constant(name.text or "", listed.children[0], node, holder, is_pattern=True)


def _of_rust(holder: Node) -> Iterator[_Constant]:
    if holder.kind not in ("source_file", "block"):
        return
    before: Node | None = None
    for node in holder.children:
        name, kind, value = node.child("name"), node.child("type"), node.child("value")
        is_marked = before is not None and before.kind == "attribute_item"
        before = node
        if node.kind == "const_item" and name and kind and value and not is_marked:
            is_typed = value.kind == _OF_RUST.get("".join(spelling(kind).split()), "")
            if is_typed and re.fullmatch(r"[A-Z][A-Z\d_]*", name.text or ""):
                yield _Constant(name.text or "", value, node, holder)


_FINDERS: dict[str, Find] = {
    "Python": _of_python,
    "JavaScript": _of_scripts,
    "TypeScript": _of_scripts,
    "TSX": _of_scripts,
    "Java": _of_java,
    "Go": _of_go,
    "Rust": _of_rust,
}
