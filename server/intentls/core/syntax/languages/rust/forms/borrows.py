"""Borrows of Rust that are not needed: `f(a)` for `f(&a)`, where `f` takes a reference to a type that is known.

If both compile, `a` is a reference itself or leads to one, and the compiler follows it to the same value. Not so for a
trait, which a reference may implement in its own way, or a parameter of the function's own type.
"""

from __future__ import annotations

from collections.abc import Mapping

from intentls.core.syntax.tree import Node, every_node, inner_nodes

_TYPES = frozenset(
    {"String", "Path", "PathBuf", "OsStr", "OsString", "Vec", "HashMap", "HashSet", "BTreeMap", "Option"}
)
_PATTERNS = frozenset({"closure_parameters", "match_pattern"})
_BINDING = _PATTERNS | {"let_declaration", "parameter", "let_condition"}
_OF_TYPES = ("tuple_struct_pattern", "struct_pattern", "struct_expression")
_DECLARED = ("struct_item", "enum_item", "union_item")

Signatures = Mapping[str, tuple[bool, ...] | None]
"""Of each function, by its name, whether a parameter takes a reference to a known type.

None for one that did not change: as long as it is a leaf, it may take whatever it is given.
"""


def signatures_in(root: Node) -> Signatures:
    """The functions of a file that are called by their names alone: each name is declared once, and is no variable."""
    functions = [node for node in every_node(root) if node.kind == "function_item"]
    leaves = {node.origin: None for node in functions if node.text is not None}
    functions = [node for node in functions if node.text is None]
    inner = list(inner_nodes(root))
    known = _TYPES | {_text(node.child("name")) for node in inner if node.kind in _DECLARED}
    known |= types_told(root)
    names = [_text(node.child("name")) for node in functions]
    bound = {leaf.text for node in inner if node.kind in _BINDING for leaf in _bound(node)}
    bound |= {node.children[-1].text for node in inner if node.kind == "import_item"}
    told = {
        name: _lent(function, known)
        for name, function in zip(names, functions, strict=True)
        if names.count(name) == 1 and name not in bound and any(function is child for child in root.children)
    }
    return {**told, **leaves}


def types_told(root: Node) -> set[str]:
    """The names of what a file makes values of, or matches: no trait has any."""
    return {name for node in inner_nodes(root) if node.kind in _OF_TYPES for name in _type_in(node)}


def lend(call: Node, signatures: Signatures) -> None:
    """The call without `&` before what is borrowed anyway."""
    called, given = call.children
    lent = signatures.get(called.text or "", ()) if called.kind == "identifier" else ()
    arguments = [child for child in given.children if child.text not in ("(", ")", ",")]
    if lent is not None and len(arguments) != len(lent):
        return
    for argument, is_lent in zip(arguments, lent or [True] * len(arguments), strict=True):
        if is_lent and argument.kind == "reference_expression" and len(argument.children) == 2:
            given.children = [child if child is not argument else argument.children[1] for child in given.children]
            argument.children[1].field = None


def _type_in(node: Node) -> list[str]:
    """The type that a pattern or a value is of: no trait has any."""
    named = node.child("type") or node.child("name")
    if named is not None and named.kind in ("scoped_identifier", "scoped_type_identifier") and len(named.children) > 2:
        return [_text(named.children[0])] if _text(named.children[0])[:1].isupper() else [_text(named.children[-1])]
    return [_text(named)]


def _text(node: Node | None) -> str:
    return (node.text or "") if node is not None else ""


def _bound(node: Node) -> list[Node]:
    """What a declaration or a list of parameters gives a name to, and whatever else may do so."""
    patterns = [child for child in node.children if child.field == "pattern" or node.kind in _PATTERNS]
    return [leaf for pattern in patterns for leaf in every_node(pattern)]


def _lent(function: Node, known: frozenset[str]) -> tuple[bool, ...]:
    listed, given = function.child("type_parameters"), function.child("parameters")
    own = {leaf.text for leaf in every_node(listed)} if listed is not None else set()
    parameters = [] if given is None else [child for child in given.children if child.text not in ("(", ")", ",")]
    return tuple(_is_lent(parameter, known, own) for parameter in parameters)


def _is_lent(parameter: Node, known: frozenset[str], own: set[str | None]) -> bool:
    written = parameter.child("type")
    if parameter.kind != "parameter" or written is None or written.kind != "reference_type":
        return False
    if any(child.kind == "mutable_specifier" for child in written.children):
        return False
    inner = written.children[-1]
    name = inner.children[0] if inner.kind == "generic_type" else inner
    is_known = name.kind == "type_identifier" and name.text in known and name.text not in own
    return is_known or inner.kind in ("primitive_type", "array_type")
