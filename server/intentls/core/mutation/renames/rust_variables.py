"""Names of variables in functions of Rust: one form for two functions that differ in nothing else.

    fn load(path: &Path) -> Text {            fn load(file: &Path) -> Text {
        let text = read(path);                    let content = read(file);
        parse(&text)                              parse(&content)

Each use of `path` is of a parameter of its function, of a variable that its block has declared before, or of what a
pattern around it binds, and `file` stands nowhere in it. So the function with `file` for `path` is the same function.
What may know a variable by its name holds it fast: attributes, and macros but for some of the standard library.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise

from msgspec import Struct

from intentls.core.syntax.tree import Node, every_node, spelling

REASON = "names of variables in functions"

_MAX_NAMES = 40  # that may differ in one function
_FUNCTIONS = frozenset({"function_item", "function_signature_item"})
_HOLDERS = frozenset({"source_file", "declaration_list", "mod_item", "impl_item", "trait_item", "foreign_mod_item"})
_VARIABLE = re.compile(r"(?!_\Z)[a-z_][a-z0-9_]*\Z")
_WORD = re.compile(r"\w+")
_TEXTS = re.compile(r"(string|char)_(literal|content)\Z")
# What has a name, and no variable: members, types, lifetimes.
_NO_VARIABLES = frozenset({"field_identifier", "type_identifier", "primitive_type", "lifetime"})
# What an identifier is a part of where it is none of a variable.
_NO_PLACES = frozenset({"lifetime", "label", "scoped_identifier", "scoped_type_identifier"})
_PATTERNS = frozenset(
    {
        *("tuple_pattern", "tuple_struct_pattern", "struct_pattern", "field_pattern", "ref_pattern", "mut_pattern"),
        *("reference_pattern", "slice_pattern", "captured_pattern", "or_pattern", "match_pattern"),
    }
)
# Macros that do with values what a function does; of the first ones the named values of a text are variables.
_PRINTING = frozenset({"print", "println", "eprint", "eprintln", "format", "format_args", "write", "writeln"})
_PLAIN = _PRINTING | {"vec", "matches", "assert_eq", "assert_ne", "debug_assert_eq", "debug_assert_ne", "panic"}
_HOLE = re.compile(r"(\{\{|\}\})|\{([a-z_][a-z0-9_]*)(?=\s*[:}])")
# Attributes that do nothing with the names in what they stand before.
_NAMELESS = re.compile(
    r"#!?\[(inline(\(\w+\))?|must_use(=.*)?|(allow|warn|expect|deny|cfg|doc|ignore|should_panic|deprecated)\b[^\]]*"
    r"|cold|test|bench|track_caller|no_mangle|tokio::(test|main)|macro_use|path=.*|rustfmt::skip|automatically_derived)\]\Z",
    re.DOTALL,
)


class _Leaf(Struct, frozen=True):
    """A leaf of a function, and what it stands in, the nearest last."""

    node: Node
    above: tuple[Node, ...]


class _Around(Struct, frozen=True):
    """What the file knows. `constants`: what a pattern may mean by a name that it does not bind.

    `imported` may be such, and where not `is_closed` there may be more.
    """

    constants: frozenset[str]
    imported: frozenset[str]
    is_closed: bool

    def has_plain(self, macro: str | None) -> bool:
        """Whether a macro of this name does with values what a function does."""
        return macro in _PLAIN and macro not in self.constants and macro not in self.imported


class _Function(Struct, frozen=True):
    """`leaves` in source order; `spans`: of each node the number of its first leaf and of the one after it, by `id`."""

    leaves: list[_Leaf]
    spans: dict[int, tuple[int, int]]


def with_names_of(old: Node, new: Node) -> None:
    """Give the variables of the functions in `old` the names that they have in `new`, where that can change nothing.

    Both trees are spelled out alike before: `A { a: a }` for `A { a }`.
    """
    for root in (old, new):
        _spell_out(root)
    around = cache(lambda: _around(old, new))
    theirs: defaultdict[str, list[Node]] = defaultdict(list)
    for key, function in _functions(new):
        theirs[key].append(function)
    for key, function in _functions(old):
        others = theirs.get(key)
        other = others.pop(0) if others else None
        if other is not None and _size(function) == _size(other):
            _rename(_read(function), _read(other), around)


def _size(function: Node) -> int:
    """How many leaves a function has."""
    return sum(node.text is not None for node in every_node(function))


def _spell_out(root: Node) -> None:
    """`A { a: a }` for `A { a }`, of values and in patterns."""
    for node in every_node(root):
        is_value = node.kind == "shorthand_field_initializer"
        if len(node.children) != 1 or not (is_value or node.kind == "field_pattern"):
            continue
        only = node.children[0]
        member = Node("field_identifier", "field" if is_value else "name", only.row, only.text)
        value = Node("identifier", "value" if is_value else "pattern", only.row, only.text)
        node.kind = "field_initializer" if is_value else node.kind
        node.children = [member, Node(":", None, only.row, ":"), value]


def _around(*roots: Node) -> _Around:
    constants: set[str] = set()
    imported: set[str] = set()
    is_closed = True
    for node in (node for root in roots for node in every_node(root)):
        if node.kind in _CONSTANTS:
            constants.update(child.text or "" for child in node.children if child.field == "name")
        elif node.kind == "import_item":
            imported.add(node.children[-1].text or "")
            is_closed = is_closed and node.children[1].text != "*"
        constants.update(_DECLARED.findall(node.text or ""))  # in what stands in both versions, and is one leaf
    return _Around(frozenset(constants), frozenset(imported), is_closed)


_CONSTANTS = frozenset({"const_item", "static_item", "struct_item", "macro_definition"})
_DECLARED = re.compile(r"\b(?:const|static|static\s+mut|struct|macro_rules!)\s+(\w+)")


def _functions(root: Node) -> Iterator[tuple[str, Node]]:
    """The functions of a file, of its types and modules, each by what stands around and before it, with its name."""
    stack = [("", root)]
    while stack:
        around, holder = stack.pop()
        is_nameless = True
        for child in holder.children:
            if child.kind == "attribute_item":
                is_nameless = is_nameless and _NAMELESS.match("".join(spelling(child).split())) is not None
                continue
            if is_nameless and child.children and child.kind in _FUNCTIONS:
                name = child.child("name")
                yield f"{around} {name and name.text}", child
            elif is_nameless and child.kind in _HOLDERS:
                head = "".join(spelling(part) for part in child.children if part.field != "body")
                stack.append((f"{around} {head if child.kind != 'declaration_list' else ''}", child))
            is_nameless = True


def _read(function: Node) -> _Function:
    """The leaves, without recursion."""
    result = _Function([], {})
    above: list[Node] = []
    stack: list[tuple[Node, int]] = [(function, -1)]
    while stack:
        node, start = stack.pop()
        if start >= 0:
            above.pop()
            result.spans[id(node)] = (start, len(result.leaves))
        elif node.text is not None:
            result.spans[id(node)] = (len(result.leaves), len(result.leaves) + 1)
            result.leaves.append(_Leaf(node, tuple(above)))
        else:
            above.append(node)
            stack.append((node, len(result.leaves)))
            stack.extend((child, -1) for child in reversed(node.children))
    return result


def _rename(function: _Function, other: _Function, around: Callable[[], _Around]) -> None:
    if len(function.leaves) != len(other.leaves) or not _has_no_attributes(function):
        return
    changed = list(_changed(function, other).items())[:_MAX_NAMES]
    names = {old: new for old, new in changed if _can_be_called(function, old, new, around())}
    if len(set(names.values())) == len(names):
        for leaf in function.leaves:
            _give_name(leaf, names)


def _changed(function: _Function, other: _Function) -> dict[str, str]:
    """The names that differ, each with the only one that stands in its places in the other function."""
    pairs: defaultdict[str, set[str]] = defaultdict(set)
    for one, two in zip(function.leaves, other.leaves, strict=True):
        if one.node.text != two.node.text:
            for old, new in _differing(one, two):
                pairs[old].add(new)
    return {old: next(iter(new)) for old, new in pairs.items() if len(new) == 1}


def _can_be_called(function: _Function, old: str, new: str, around: _Around) -> bool:
    """Whether `old` is only variables of the function, and `new` means nothing in it."""
    if not (_VARIABLE.match(old) and _VARIABLE.match(new) and around.constants.isdisjoint((old, new))):
        return False
    if any(_may_mean(leaf, new) for leaf in function.leaves):
        return False
    is_closed = around.is_closed and around.imported.isdisjoint((old, new))
    return _are_variables(function, old, around, is_closed=is_closed)


def _has_no_attributes(function: _Function) -> bool:
    """Whether no attribute in it can know a name."""
    nodes = {id(node): node for leaf in function.leaves for node in (*leaf.above, leaf.node)}
    attributes = (spelling(node) for node in nodes.values() if node.kind in _ATTRIBUTES)
    return all(_NAMELESS.match("".join(text.split())) for text in attributes)


_ATTRIBUTES = frozenset({"attribute_item", "inner_attribute_item"})


def _differing(one: _Leaf, two: _Leaf) -> Iterator[tuple[str, str]]:
    """The names in which two leaves differ."""
    old, new = one.node.text or "", two.node.text or ""
    if one.node.kind == two.node.kind == "identifier":
        yield old, new
    elif one.node.kind == two.node.kind == "string_literal" and _is_template(one):
        yield from (pair for pair in zip(_holes(old), _holes(new), strict=False) if pair[0] != pair[1])


def _is_template(leaf: _Leaf) -> bool:
    """Whether it is a text that one of the macros fills in, and no value that it is filled with."""
    macro = leaf.above[-2].children[0].text if leaf.above[-2:-1] and leaf.above[-2].kind == "macro_invocation" else None
    if macro not in _PRINTING:
        return False
    before = [child.text for child in leaf.above[-1].children[: _index(leaf)]]
    return before.count(",") == (macro in ("write", "writeln")) and (len(before) == 1 or before[-1] == ",")


def _give_name(leaf: _Leaf, names: dict[str, str]) -> None:
    node = leaf.node
    if _is_variable(leaf):
        node.text = names.get(node.text or "", node.text)
    elif node.kind == "string_literal" and _is_template(leaf):
        node.text = _HOLE.sub(lambda hole: hole[1] or "{" + names.get(hole[2], hole[2]), node.text or "")


def _is_variable(leaf: _Leaf) -> bool:
    """Whether a leaf can be the name of a variable: it is no member, type, path, lifetime, macro, and no text."""
    parent = leaf.above[-1]
    if leaf.node.kind != "identifier" or parent.kind in _NO_PLACES or leaf.node.field == "macro":
        return False
    if parent.kind == "token_tree":
        return _neighbour(leaf, -1) not in (".", "::", "'") and _neighbour(leaf, 1) not in ("::", "!")
    return not (parent.kind in ("macro_invocation", *_FUNCTIONS) or _is_type_of_pattern(leaf.node, parent))


def _is_type_of_pattern(node: Node, parent: Node) -> bool:
    return parent.kind in ("tuple_struct_pattern", "struct_pattern") and node.field == "type"


def _neighbour(leaf: _Leaf, distance: int) -> str:
    """What stands beside it between the brackets of a macro, or the bracket."""
    return spelling(leaf.above[-1].children[_index(leaf) + distance])


def _index(leaf: _Leaf) -> int:
    return next(number for number, child in enumerate(leaf.above[-1].children) if child is leaf.node)


def _may_mean(leaf: _Leaf, name: str) -> bool:
    """Whether a leaf has the name, and not as that of a member or a type, nor in a text that is only a value."""
    node, parent = leaf.node, leaf.above[-1]
    if node.kind == "identifier":
        if node.text != name or parent.kind in ("macro_invocation", *_NO_PLACES):
            return False
        return parent.kind != "token_tree" or _neighbour(leaf, -1) != "."
    if node.kind in _NO_VARIABLES or name not in _WORD.findall(node.text or ""):
        return False
    if node.kind == "string_literal" and _is_template(leaf):
        return name in _holes(node.text or "") or f"{name}$" in (node.text or "")
    return not _TEXTS.match(node.kind) or any(above.kind == "macro_invocation" for above in leaf.above)


def _holes(text: str) -> list[str]:
    return [hole[2] for hole in _HOLE.finditer(text) if hole[2]]


def _are_variables(function: _Function, name: str, around: _Around, *, is_closed: bool) -> bool:
    """Whether each place that may mean the name is a variable of this function, and none can be known by its name."""
    reached: list[tuple[int, int]] = []
    for index, leaf in enumerate(function.leaves):
        if not _may_mean(leaf, name):
            continue
        is_hole = leaf.node.kind == "string_literal" and _is_template(leaf) and f"{name}$" not in (leaf.node.text or "")
        if not (is_hole or _is_variable(leaf)) or not _is_open(leaf, around):
            return False
        span = None if is_hole else _reach(function, leaf, is_closed=is_closed)
        if span is not None:
            reached.append(span)
        elif not _is_reached(index, reached):
            return False
    return True


def _is_reached(index: int, reached: list[tuple[int, int]]) -> bool:
    return any(start <= index < end for start, end in reached)


def _is_open(leaf: _Leaf, around: _Around) -> bool:
    """Whether nothing around a name makes more of it than a variable: a macro, an attribute, an item in a function."""
    inner = leaf.above[1:]
    if any(node.kind.endswith("_item") or node.kind in ("macro_definition", "attribute") for node in inner):
        return False
    macros = [node for node in inner if node.kind == "macro_invocation"]
    if not macros:
        return True
    if len(macros) > 1 or not around.has_plain(macros[0].children[0].text):
        return False
    trees = [node for node in inner if node.kind == "token_tree"]
    for outer, tree in pairwise(trees):
        index = next(number for number, child in enumerate(outer.children) if child is tree)
        if spelling(outer.children[index - 1]) == "!":
            return False  # a macro in a macro
    beside = (_neighbour(leaf, -1), _neighbour(leaf, 1))
    # `a: b`, `a = b` and `{ a }` may name a field or an argument.
    return beside[1] not in (":", "=") and not (
        beside[0] in ("{", ",") and beside[1] in (",", "}") and _is_braced(leaf)
    )


def _is_braced(leaf: _Leaf) -> bool:
    return leaf.above[-1].children[0].text == "{"


def _reach(function: _Function, leaf: _Leaf, *, is_closed: bool) -> tuple[int, int] | None:
    """The leaves that see the variable that a name declares here; None if it declares none."""
    child, above = leaf.node, leaf.above
    while above[-1].kind in _PATTERNS:
        if _is_type_of_pattern(child, above[-1]) or (above[-1].kind == "match_pattern" and child.field == "condition"):
            return None
        child, above = above[-1], above[:-1]
    return _span(function, child, above, is_closed=is_closed)


def _span(function: _Function, child: Node, above: tuple[Node, ...], *, is_closed: bool) -> tuple[int, int] | None:
    """The leaves that see the variables of the pattern `child`, which stands in the last of `above`."""
    node, spans = above[-1], function.spans
    if node.kind == "closure_parameters" or (node.kind == "parameter" and child.field == "pattern"):
        owner = next(outer for outer in reversed(above) if outer.kind in ("closure_expression", *_FUNCTIONS))
        return spans[id(owner.children[-1])]
    if child.field != "pattern":
        return None
    if node.kind == "for_expression":
        return spans[id(node.children[-1])]
    end = spans[id(node)][1]
    if node.kind == "let_declaration" and (is_closed or node.child("alternative") is None):
        return end, spans[id(above[-2])][1]
    if node.kind == "match_arm" and is_closed:  # else it may be the name of a constant
        return spans[id(child.children[0])][1], end
    if node.kind == "let_condition" and is_closed:
        owner = next(outer for outer in reversed(above) if outer.kind in _CONDITIONAL)
        part = owner.child("consequence") or owner.child("body") or owner
        return end, spans[id(part)][1]
    return None


_CONDITIONAL = frozenset({"if_expression", "while_expression", "match_arm"})
