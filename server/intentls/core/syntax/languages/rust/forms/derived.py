"""`Default` of Rust, derived or written by hand: `#[derive(Default)]` gives each field what its type gives.

#[derive(Debug)]                                            #[derive(Debug, Default)]
struct A { a: u8, b: Vec<u8> }                              struct A { a: u8, b: Vec<u8> }
impl Default for A {
    fn default() -> A { A { a: 0, b: Vec::new() } }
}

And `#[default]` before a variant, which such an `impl` of an enumeration gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from intentls.core.syntax.languages.adapter import leaf_like
from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node, inner_nodes, spelling

_IMPL = ["impl", "type_identifier", "for", "type_identifier", "declaration_list"]
_NUMBER = re.compile(r"[iu](?:8|16|32|64|128|size)\Z")
_EMPTY = frozenset(
    {
        *("Vec", "String", "HashMap", "HashSet", "BTreeMap", "BTreeSet", "VecDeque", "BinaryHeap", "LinkedList"),
        *("PathBuf", "OsString"),
    }
)
_TEXTS = frozenset({'"".to_string()', '"".to_owned()', 'String::from("")', '"".into()'})
# What does not look at what a type derives.
_SILENT = frozenset({"derive", "doc", "repr", "allow", "expect", "warn", "deny", "non_exhaustive", "must_use", "serde"})
_DECLARES = re.compile(r"_item\Z")
_TYPES = frozenset({"struct_item", "enum_item"})


def with_derived(root: Node) -> None:
    """A `Rewrite`: `Default` among what is derived, for an `impl` that says the same."""
    impls = [node for node in root.children if node.kind == "impl_item" and _is_of_default(node)]
    if not impls:
        return
    declared = {
        name.text or ""
        for node in inner_nodes(root)
        if _DECLARES.search(node.kind) and (name := node.child("alias") or node.child("name")) is not None
    }
    if "Default" in declared:
        return
    for impl in impls:
        at = next(index for index, child in enumerate(root.children) if child is impl)
        is_marked = at > 0 and root.children[at - 1].kind == "attribute_item"
        types = [node for node in root.children if node.kind in _TYPES and _name(node) == _name_of_type(impl)]
        if len(types) != 1 or is_marked:
            continue
        if types[0].kind == "enum_item":
            _mark_default(root, impl, types[0])
        elif _says_default(impl, types[0], declared):
            _derive(root, impl, types[0])


def _is_of_default(impl: Node) -> bool:
    kinds = [child.kind for child in impl.children]
    return kinds == _IMPL and impl.children[1].text == "Default"


def _name(node: Node) -> str:
    name = node.child("name")
    return node.origin or "" if name is None else name.text or ""


def _name_of_type(impl: Node) -> str:
    return impl.children[3].text or ""


def _says_default(impl: Node, kind: Node, declared: set[str]) -> bool:
    """Whether the `impl` gives each field what its type gives."""
    if kind.text is not None:
        return True  # it did not change; what it has is told by the whole file
    fields, made = kind.child("body"), _made_by(impl)
    if (
        made is None
        or fields is None
        or made.kind != "struct_expression"
        or spelling(made.children[0]) not in ("Self", _name(kind))
    ):
        return False
    types = {_name(field): field.child("type") for field in fields.children if field.kind == "field_declaration"}
    values = {
        spelling(field.children[0]): field.children[-1]
        for field in made.children[-1].children
        if field.kind == "field_initializer"
    }
    is_whole = types.keys() == values.keys() and len(made.children[-1].children) == 2 * len(values) + 1
    return is_whole and all(
        kind is not None and _is_default(spelling(kind), spelling(values[name]), declared)
        for name, kind in types.items()
    )


def _made_by(impl: Node) -> Node | None:
    """What an `impl` gives as default, if it has and does no more."""
    parts = impl.children[-1].children[1:-1]
    if len(parts) != 1 or parts[0].kind != "function_item":
        return None
    words = [child.text for child in parts[0].children if child.text is not None]
    block = parts[0].children[-1]
    is_plain = words[:2] == ["fn", "default"] and block.kind == "block" and len(block.children) == 3
    return block.children[1] if is_plain else None


def _mark_default(root: Node, impl: Node, kind: Node) -> None:
    """`#[default]` before the variant of an enumeration that the `impl` gives, and `Default` among what it derives."""
    made, listed = _made_by(impl), kind.child("body")
    owner, _, name = spelling(made).rpartition("::") if made is not None else ("", "", "")
    variants = listed.children if listed is not None else []
    found = [
        variant
        for variant in variants
        if variant.kind == "enum_variant" and _name(variant) == name and variant.child("body") is None
    ]
    if listed is not None and found and owner in ("Self", _name(kind)) and _derive(root, impl, kind):
        at = next(index for index, child in enumerate(listed.children) if child is found[0])
        listed.children.insert(at, _attribute(kind, leaf_like(found[0], "identifier", "default")))


def _is_default(kind: str, value: str, declared: set[str]) -> bool:
    """Whether a value is the one that a type has by itself. Example: `Vec::new()` of `Vec<u8>`."""
    head = kind.partition("<")[0]
    if head in declared or value.partition("::")[0] in declared:
        return False
    if value == "Default::default()":
        return True
    if _NUMBER.match(kind):
        return value == "0"
    if head in _EMPTY:
        return value in (f"{head}::new()", f"{head}::default()") or (
            (head == "Vec" and value in ("vec![]", "vec!()")) or (head == "String" and value in _TEXTS)
        )
    return (kind, value) == ("bool", "false") or (head == "Option" and value == "None")


def _derive(root: Node, impl: Node, kind: Node) -> bool:
    """Take the `impl` out, and put its name among what the type derives, if nothing else looks at that."""
    at = next(index for index, child in enumerate(root.children) if child is kind)
    attributes = list(_attributes_before(root, at))
    names = [spelling(attribute.children[0]) for attribute in attributes]
    if not _SILENT.issuperset(names):
        return False
    derives = [
        attribute.children[-1]
        for attribute, name in zip(attributes, names, strict=True)
        if name == "derive" and attribute.children[-1].kind == "token_tree"
    ]
    if derives:
        listed = derives[0]
        name = Node("identifier", None, kind.row, "Default")
        parts = listed.children[1:-1]
        more = [word_at(kind, ","), name] if parts and parts[-1].kind != "," else [name]
        listed.children = [listed.children[0], *parts, *more, listed.children[-1]]
    else:
        name = Node("identifier", None, kind.row, "Default")
        given = Node("token_tree", "arguments", kind.row, children=[word_at(kind, "("), name, word_at(kind, ")")])
        root.children.insert(at, _attribute(kind, leaf_like(name, "identifier", "derive"), given))
    root.children = [child for child in root.children if child is not impl]
    return True


def _attributes_before(root: Node, at: int) -> Iterator[Node]:
    while at > 0 and root.children[at - 1].kind == "attribute_item":
        at -= 1
        yield from (part for part in root.children[at].children if part.kind == "attribute")


def _attribute(kind: Node, *parts: Node) -> Node:
    """`#[derive(Default)]`, or `#[default]`."""
    inner = Node("attribute", None, kind.row, children=list(parts))
    signs = [word_at(kind, "#"), word_at(kind, "["), inner, word_at(kind, "]")]
    return Node("attribute_item", None, kind.row, children=signs)
