"""Go: functions that were taken out of others, or put back: the body in the place of each call does the same.

What a call hands over are names of the caller of the very type of the parameter, which keep their values meanwhile, or
constants. No name of the body means anything else at the call, what the body declares is declared nowhere else in the
block around the call, and each way out of the body is one of the caller. A variable that the body returns may be the
one that the call gives its value to: `a := sum(b)` for what makes `a`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from intentls.core.mutation.equivalences.extracted import is_said_first, rename_in
from intentls.core.mutation.equivalences.go_helpers import (
    CallPlace,
    GoHelper,
    Parameter,
    go_called,
    go_helpers,
    result_types,
)
from intentls.core.mutation.equivalences.reuse.taking_in import place_all, take_in_each
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.go.inlining import first_use
from intentls.core.syntax.languages.go.linted import returns_of
from intentls.core.syntax.languages.go.local_names import LocalNames, addressed_in, assigned_in, is_literal, local_names
from intentls.core.syntax.tree import Node, Role, copy_with, every_node, spelling

_HOLDERS = frozenset({"block", "expression_case", "default_case", "type_case", "communication_case"})
_CALL = "\0call"
_CONSTANTS = {"interpreted_string_literal": "string", "raw_string_literal": "string", "true": "bool", "false": "bool"}
# Types that are no interfaces: what is assigned to them has the very type, unless it is a constant.
_PLAIN = frozenset(
    {
        *("bool", "string", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64"),
        *("byte", "rune", "uintptr", "float32", "float64", "complex64", "complex128", "time.Time", "time.Duration"),
        *("reflect.Value", "reflect.Kind", "os.FileMode"),
    }
)
_COMPUTING = frozenset({"+", "-", "*", "/", "%", "&", "|", "^", "&^"})
_SHIFTING = frozenset({"<<", ">>", "min", "max", "complex", "real", "imag"})  # whose type is that of a constant
# What a parameter may be without being a copy that could be changed.
_SHARED = re.compile(r"\*|\[\]|map\[|func\(|chan\b|<-chan|interface\{")
_INTERFACES = frozenset(
    {
        *(
            "any",
            "error",
            "context.Context",
            "http.ResponseWriter",
            "http.Handler",
            "io.Reader",
            "io.Writer",
            "io.Closer",
        ),
        *("io.ReadCloser", "io.WriteCloser", "io.ReadWriter", "net.Conn", "net.Listener", "net.Addr", "fmt.Stringer"),
        *("testing.TB", "reflect.Type", "fs.FS", "os.FileInfo", "fs.FileInfo", "sort.Interface", "hash.Hash"),
    }
)


def take_in_go(old: Node, new: Node, facts: Surroundings) -> str:
    """Put the body of each function that one side alone has, or calls more, in the place of its calls."""

    def private(root: Node, other: Node) -> Iterator[GoHelper]:
        return go_helpers(root, other, facts)

    def shared(root: Node, other: Node) -> Iterator[GoHelper]:
        return go_called(root, other, facts)

    def take(helper: GoHelper, root: Node) -> bool:
        bodies = [(site, _PlacedCall(helper, site).replacement()) for site in helper.sites]
        return place_all(helper, bodies, _place, root)

    return take_in_each(old, new, private, shared, take)


class _PlacedBody(Struct, frozen=True):
    """Statements before the one with the call, and a value in its place; without a value they are in its own place."""

    statements: list[Node]
    value: Node | None


def _place(site: CallPlace, body: _PlacedBody) -> None:
    holder, statement = _statement_of(site)
    at = next(number for number, child in enumerate(holder.children) if child is statement)
    if body.value is None:
        holder.children[at : at + 1] = body.statements
        return
    parent = site.above[-1]
    where = next(number for number, child in enumerate(parent.children) if child is site.call)
    body.value.field = site.call.field
    parent.children[where] = body.value
    holder.children[at:at] = body.statements


def _statement_of(site: CallPlace) -> tuple[Node, Node]:
    """The innermost block around a call, and the statement in it."""
    above = (*site.above, site.call)
    index = next(number for number in range(len(site.above) - 1, -1, -1) if site.above[number].kind in _HOLDERS)
    return site.above[index], above[index + 1]


class _PlacedCall:
    """One call of a function, and whether the body may stand there."""

    def __init__(self, helper: GoHelper, site: CallPlace) -> None:
        self._helper, self._site = helper, site
        self._local: LocalNames = local_names(site.caller)
        leaves = [leaf for part in helper.body for leaf in every_node(part) if leaf.role is Role.NAME]
        self._own = {leaf.text or "" for leaf in leaves if leaf.binds} - {"_"}
        self._own |= {leaf.text or "" for part in helper.body for leaf in _aliases(part)}
        self._parameters = {one.name for one in helper.parameters}
        self._free = {leaf.text or "" for leaf in leaves} - self._own - self._parameters
        self._returned, self._given = self._handed_on()

    def replacement(self) -> _PlacedBody | None:
        """What may stand in the place of the call; None if nothing is sure to do the same."""
        values = self._values()
        if values is None or not self._names_mean_the_same(values) or _has_types(self._site.caller):
            return None
        statements = [copy_with(part, values) for part in self._helper.body]
        if self._returned:
            return _PlacedBody([rename_in(part, self._returned, self._given) for part in statements[:-1]], None)
        returns = [node for part in statements for node in returns_of(part)]
        holder, statement = _statement_of(self._site)
        parent, last = self._site.above[-1], statements[-1]
        if parent.kind in ("go_statement", "defer_statement"):
            return None
        if parent.kind == "expression_statement" and parent is statement and not self._helper.results and not returns:
            return _PlacedBody(statements, None)
        is_returned = (
            statement.kind == "return_statement" and spelling(statement) == f"return{spelling(self._site.call)}"
        )
        if is_returned and self._is_in_caller() and last.kind == "return_statement":
            return _PlacedBody(statements, None) if self._helper.results == result_types(self._site.caller) else None
        is_valued = len(returns) == 1 and returns[0] is last and len(last.children) == 2
        values_of_last = last.children[1].children if is_valued else []
        results = self._helper.results
        if len(values_of_last) != 1 or not results or not _is_of_type(values_of_last[0], results[0]):
            return None
        if len(statements) > 1 and not self._is_first(statement, holder):
            return None
        return _PlacedBody(statements[:-1], values_of_last[0])

    def _handed_on(self) -> tuple[str, str]:
        """The variable that the body returns, and the new one of the caller that it is from then on; else nothing."""
        _, statement = _statement_of(self._site)
        results, last = self._helper.results, self._helper.body[-1]
        returns = [node for part in self._helper.body for node in returns_of(part)]
        values = (
            last.children[1].children if len(returns) == 1 and returns[0] is last and len(last.children) > 1 else []
        )
        is_given = statement.kind == "short_var_declaration" and len(statement.children[0].children) == 1
        if len(results) != 1 or len(values) != 1 or not is_given or self._site.above[-2] is not statement:
            return "", ""
        name, target = values[0].text or "", statement.children[0].children[0].text or ""
        makers = [part for part in self._helper.body if name in {leaf.text for leaf in _declared_by(part)}]
        is_new = self._local.bound[target] == 1 and is_said_first(statement.children[0].children[0], self._site.caller)
        is_known = target == name or target not in self._own | self._free | self._parameters
        typed = {one.name for one in self._helper.parameters if one.type == results[0]}
        is_made = len(makers) == 1 and _makes(makers[0], results[0], typed)
        return (name, target) if is_new and is_known and is_made else ("", "")

    def _values(self) -> dict[str, Node] | None:
        """What each parameter is, by its name."""
        called, listed = self._site.call.children
        arguments = [child for child in listed.children if child.text not in ("(", ")", ",")]
        if self._helper.is_method:
            arguments = [called.children[0], *arguments]
        if len(arguments) != len(self._helper.parameters):
            return None
        pairs = list(zip(self._helper.parameters, arguments, strict=True))
        others = [pair for pair in pairs if not self._is_kept(pair[1], pair[0].type)]
        if len(others) > 1 or not all(self._is_computed_first(argument, one) for one, argument in others):
            return None
        changed = {name for part in self._helper.body for name in assigned_in(part)}
        taken = {name for part in self._helper.body for name in addressed_in(part, {})}
        if not self._parameters.isdisjoint(changed | taken | self._own):
            return None
        renamed = {one.name for one, argument in pairs if argument.text != one.name}
        keys = {leaf.text for part in self._helper.body for node in every_node(part) for leaf in _keys(node)}
        if renamed & keys:
            return None  # a field may have the name of the parameter
        copied = {one.name for one in self._helper.parameters if not _is_shared(one.type)}
        if any(_may_change(part, copied) for part in self._helper.body):
            return None
        return {one.name: argument for one, argument in pairs}

    def _is_kept(self, argument: Node, kind: str) -> bool:
        """Whether an argument is of this very type, and has the same value wherever the parameter stands."""
        if argument.role is not Role.NAME or argument.text is None:
            return argument.text is not None and _CONSTANTS.get(argument.kind) == kind
        name = argument.text
        if not self._local.bound[name] or name in self._local.moved:
            return False
        said = {part for node in every_node(self._site.caller) for part in _declared_types(node, name)}
        if self._local.bound[name] == 1 and said == {kind}:
            return self._local.is_own(name)
        return kind in _PLAIN and not said - {kind, ""} and self._is_in_sight(name)

    def _is_computed_first(self, argument: Node, parameter: Parameter) -> bool:
        """Whether an argument is of this very type, and the body computes it before all else, once and always."""
        root = argument
        while root.kind in ("selector_expression", "call_expression", "index_expression"):
            root = root.children[0]
        said = [node for part in self._helper.body for node in every_node(part) if node.text == parameter.name]
        is_field = argument.kind == "selector_expression" and self._local.is_own(root.text or "")
        is_result = argument.kind == "call_expression" and argument.children[0].kind == "selector_expression"
        is_plain = all(node.kind != "func_literal" and node.text not in _SHIFTING for node in every_node(argument))
        if parameter.type not in _PLAIN or not (is_field or is_result) or not is_plain or len(said) != 1:
            return False
        here = local_names(self._helper.node)
        return first_use(self._helper.body[0], parameter.name, here, self._packages(), acts=True) is not None

    def _packages(self) -> set[str]:
        imports = (child for child in self._site.above[0].children if child.kind == "import_item")
        return {child.children[-1].text or "" for child in imports}

    def _is_in_sight(self, name: str) -> bool:
        """Whether a variable of this name is declared around the call, before it."""
        above = (*self._site.above[1:], self._site.call)
        for outer, inner in pairwise(above):
            at = next(number for number, child in enumerate(outer.children) if child is inner)
            for child in outer.children[:at]:
                leaves = _declared_by(child) if outer.kind in _HOLDERS else every_node(child)
                if any(leaf.binds and leaf.text == name for leaf in leaves):
                    return True
        return False

    def _names_mean_the_same(self, values: dict[str, Node]) -> bool:
        """Whether no name of the body is one of the caller, and the other way round."""
        given = {leaf.text for value in values.values() for leaf in every_node(value)}
        declared = {name for name, count in self._local.bound.items() if count} - {self._given}
        if self._free & declared or given & self._own:
            return False
        top = {leaf.text or "" for part in self._helper.body for leaf in _declared_by(part)} - {self._returned}
        holder, statement = _statement_of(self._site)
        others = {leaf.text for child in holder.children if child is not statement for leaf in every_node(child)}
        around = {leaf.text for leaf in every_node(statement)} if statement.kind != "return_statement" else set()
        if holder is self._site.caller.child("body"):
            around |= {leaf.text for part in self._site.caller.children[:-1] for leaf in every_node(part)}
        return top.isdisjoint(others | around)

    def _is_in_caller(self) -> bool:
        """Whether the call is one of the declared function itself, not of a function in it."""
        return all(node.kind != "func_literal" for node in self._site.above)

    def _is_first(self, statement: Node, holder: Node) -> bool:
        """Whether the call is computed before all else of its statement, and once."""
        call = self._site.call
        kept = (call.kind, call.text, call.role, call.children)
        call.kind, call.text, call.role, call.children = "identifier", _CALL, Role.NAME, []
        is_later = statement.child("initializer") is not None
        place = None if is_later else first_use(statement, _CALL, self._local, self._packages(), acts=True)
        call.kind, call.text, call.role, call.children = kept
        return place is not None and holder.kind in _HOLDERS


def _is_of_type(value: Node, kind: str) -> bool:
    """Whether what a function returns has the type of its result by itself."""
    if kind in ("string", "bool"):
        return True
    if value.kind == "composite_literal":
        return spelling(value.children[0]) == kind
    if value.kind == "unary_expression" and value.children[0].text == "&":
        inner = value.children[1]
        return inner.kind == "composite_literal" and f"*{spelling(inner.children[0])}" == kind
    nodes = list(every_node(value))
    is_fixed = any(node.kind == "call_expression" for node in nodes)
    return kind in _PLAIN and is_fixed and not any(node.text in _SHIFTING for node in nodes)


def _makes(declaration: Node, kind: str, typed: set[str]) -> bool:
    """Whether a declaration of one variable gives it just this type, which the `typed` names have."""
    if declaration.kind == "short_var_declaration":
        names, _, values = declaration.children
        value = values.children[0]
        is_made = spelling(value).startswith((f"make({kind},", f"make({kind})"))
        is_made = is_made or (value.kind in ("composite_literal", "unary_expression") and _is_of_type(value, kind))
        is_made = is_made or (kind in _PLAIN and _is_computed_of(value, typed))
        return len(names.children) == len(values.children) == 1 and is_made
    specs = [child for child in declaration.children if child.kind == "var_spec"]
    said = specs[0].child("type") if len(specs) == 1 else None
    return declaration.kind == "var_declaration" and said is not None and spelling(said) == kind


def _is_computed_of(value: Node, typed: set[str]) -> bool:
    """Whether numbers or texts of one type are computed with, and nothing else: `a * 2`."""
    nodes = list(every_node(value))
    parts = [node for node in nodes if node.children]
    is_plain = all(part.kind == "binary_expression" and part.children[1].text in _COMPUTING for part in parts)
    names = {node.text for node in nodes if node.role is Role.NAME}
    others = (node for node in nodes if not node.children and node.role is not Role.NAME and node.field != "operator")
    return bool(names) and names <= typed and is_plain and all(map(is_literal, others))


def _has_types(caller: Node) -> bool:
    """Whether it declares types of its own, which a body may have the names of."""
    return any(node.kind in ("type_declaration", "type_parameter_list") for node in every_node(caller))


def _is_shared(kind: str) -> bool:
    """Whether nothing that is done with a parameter of this type changes a copy."""
    return _SHARED.match(kind) is not None or kind in _INTERFACES or kind in _PLAIN


def _may_change(root: Node, names: set[str]) -> bool:
    """Whether something in it may change a variable of one of the names: by a part of it, or by a method."""
    stack: list[tuple[Node, Node | None]] = [(root, None)]
    while stack:
        node, parent = stack.pop()
        inner = node
        while inner.kind in ("selector_expression", "index_expression", "slice_expression") and inner.children:
            inner = inner.children[0]
        is_part = inner is not node and inner.text in names
        if is_part and (parent is None or node.field in ("function", "left") or parent.field == "left"):
            return True
        if is_part and (parent is not None and parent.kind in ("inc_statement", "dec_statement")):
            return True
        if node.kind == "slice_expression" and is_part:
            return True
        stack.extend((child, node) for child in node.children)
    return False


def _declared_types(node: Node, name: str) -> Iterator[str]:
    """The type that a parameter or a variable of this name is said to have; empty where that is left to its value."""
    if any(child.binds and child.text == name for child in node.children):
        kind = node.child("type")
        yield "const" if node.kind == "const_spec" else spelling(kind) if kind is not None else ""


def _aliases(root: Node) -> Iterator[Node]:
    return (leaf for node in every_node(root) if node.field == "alias" for leaf in node.children)


def _keys(node: Node) -> Iterator[Node]:
    """The names before the colons of a literal: fields of a struct, or values."""
    return every_node(node.children[0]) if node.kind == "keyed_element" else iter(())


def _declared_by(statement: Node) -> Iterator[Node]:
    """The names that a statement declares in the block that it stands in."""
    if statement.kind in ("short_var_declaration", "var_declaration", "const_declaration"):
        yield from (leaf for leaf in every_node(statement) if leaf.binds and leaf.text != "_")
