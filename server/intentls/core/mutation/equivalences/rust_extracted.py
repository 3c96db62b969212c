"""Rust: functions that were taken out of others, or put back: the body in the place of each call does the same.

    fn show(&self, out: &Sink) -> Done {         fn show(&self, out: &Sink) -> Done {
        out.open();                                  self.open(out);
        out.mark(self.mark);                         out.write(self.text())
        out.write(self.text())                   }
    }                                            fn open(&self, out: &Sink) {
                                                     out.open();
                                                     out.mark(self.mark);
                                                 }

No other module can see such a function. What a call hands over are parameters of the caller, or variables whose type
it says, of the very type that the function takes: as it is spelled. What the body leaves to be dropped at its end, or a
way out of it, has to be at the end of the caller, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from intentls.core.mutation.equivalences.extracted import is_said_first
from intentls.core.mutation.equivalences.helpers import words_in
from intentls.core.mutation.equivalences.reuse.taking_in import MAX_COPIES, MAX_HELPERS
from intentls.core.mutation.equivalences.rust_types import is_of_known_type, is_of_type, type_of, types_in
from intentls.core.mutation.renames.rust_macros import OPEN
from intentls.core.syntax.languages.rust.forms.places import is_place, is_settled
from intentls.core.syntax.languages.rust.paths import bound_names
from intentls.core.syntax.languages.rust.plain.types import declared_in, plain_types
from intentls.core.syntax.tree import Node, copy_with, every_node, inner_nodes, spelling

_MODULES = frozenset({"mod_item", "source_file"})
_HOLDERS = frozenset({"mod_item", "impl_item", "declaration_list"})
_INNER = frozenset({"closure_expression", "async_block", "const_block", "function_item"})
_LEAVING = frozenset({"return_expression", "try_expression", "await_expression", "break_expression"})
_LEAVING_WORDS = frozenset({"return", "?", "await", "break"})
_OPEN = frozenset({"macro_definition", "function_item", "impl_item", "use_declaration", "import_item", "label"})
# Where a value stands that is moved, or compared.
_TAKING = frozenset(
    {
        *("arguments", "binary_expression", "unary_expression", "let_declaration", "assignment_expression"),
        *("field_initializer", "tuple_expression", "if_expression", "return_expression"),
    }
)
_SELVES = {"&self": ("&self", "&mutself"), "&mutself": ("&mutself",), "self": ("self",)}


class _Site(Struct, frozen=True):
    """One call: `above` has the nodes around it, the file first."""

    call: Node
    above: tuple[Node, ...]

    @property
    def caller(self) -> Node:
        """The innermost function around the call."""
        return next(node for node in reversed(self.above) if node.kind in _INNER)


class _PrivateFunction(Struct, frozen=True):
    """A function that may stand where it is called. `holder` is the node that has it in its children."""

    name: str
    node: Node
    holder: Node
    above: tuple[Node, ...]


def take_in_rust(old: Node, new: Node) -> str:
    """Put the body of each function that one side alone has in the place of its calls. Answers what was done."""
    done: list[str] = []
    left = MAX_COPIES
    for root, other, verb in ((new, old, "extracted"), (old, new, "inlined")):
        tried: set[str] = set()
        for _ in range(MAX_HELPERS):
            helper = next((one for one in _helpers(root, other) if one.name not in tried), None)
            if helper is None:
                break
            tried.add(helper.name)
            sites = _sites(root, helper)
            size = sum(1 for _ in every_node(helper.node)) * len(sites)
            if not sites or words_in(root)[helper.name] != len(sites) + 1 or size > left:
                continue
            placed = [(site, _Body(helper, site).replacement()) for site in sites]
            if any(body is None for _, body in placed):
                continue
            left -= size
            for site, body in placed:
                _place(site, body or [])
            _take_out(helper)
            done.append(f"{verb} {helper.name}")
    return ", ".join(done)


def _helpers(root: Node, other: Node) -> Iterator[_PrivateFunction]:
    """The functions of `root` of which `other` says nothing, and that no other file can see."""
    found, theirs = _functions(root), _functions(other)
    names = {_name_of(helper.node) for helper in theirs or ()}
    new = [helper for helper in found or () if helper.name and helper.name not in names]
    elsewhere = words_in(other) if new else Counter[str]()
    yield from (helper for helper in new if not elsewhere[helper.name] and _is_plain(helper))


def _functions(root: Node) -> list[_PrivateFunction] | None:
    """The functions of modules and types; None if a module in another file may see what is private here."""
    found: list[_PrivateFunction] = []
    stack: list[tuple[Node, tuple[Node, ...]]] = [(root, ())]
    while stack:
        node, above = stack.pop()
        if node.kind == "mod_item" and spelling(node).endswith(";"):
            return None
        for child in node.children:
            if child.kind == "function_item":
                name = child.child("name")
                found.append(
                    _PrivateFunction((name.text or "") if name is not None else "", child, node, (*above, node))
                )
            elif child.kind in _HOLDERS:
                stack.append((child, (*above, node)))
    return found


def _name_of(function: Node) -> str:
    """How a function is called; one that did not change is a leaf."""
    name = function.child("name")
    return (name.text or "") if name is not None else function.origin


def _is_plain(helper: _PrivateFunction) -> bool:
    """Whether a function is private to its module, or to its type, and is given what it says and no types."""
    function, holder = helper.node, helper.holder
    index = next(number for number, child in enumerate(holder.children) if child is function)
    words = {child.kind for child in function.children}
    marks = [child.kind for child in holder.children[index - 1 : index]] if index else []
    is_bare = words.isdisjoint({"visibility_modifier", "function_modifiers", "type_parameters", "where_clause"})
    around = helper.above[-2] if holder.kind == "declaration_list" else holder
    is_own = around.kind in _MODULES or (around.kind == "impl_item" and around.child("trait") is None)
    body = function.child("body")
    is_open = body is None or any(node.kind in _OPEN for node in every_node(body))
    return is_bare and is_own and not is_open and "attribute_item" not in marks


def _sites(root: Node, helper: _PrivateFunction) -> list[_Site]:
    """The calls of a function in others of its module, or of its type."""
    sites: list[_Site] = []
    modules = [id(node) for node in helper.above if node.kind == "mod_item"]
    is_method = any(node.kind == "impl_item" for node in helper.above)
    stack: list[tuple[Node, tuple[Node, ...]]] = [(root, ())]
    while stack:
        node, above = stack.pop()
        if node is helper.node:
            continue
        if node.kind == "call_expression" and _calls(node.children[0], helper):
            inside = [part for part in above if part.kind in _INNER]
            is_there = [id(part) for part in above if part.kind == "mod_item"] == modules
            is_there = is_there and bool(inside) and inside[-1].kind == "function_item"
            if is_there and (not is_method or any(part is helper.above[-2] for part in above)):
                sites.append(_Site(node, above))
        stack.extend((child, (*above, node)) for child in reversed(node.children) if child.children)
    return sites


def _calls(called: Node, helper: _PrivateFunction) -> bool:
    listed = helper.node.child("parameters")
    takes_self = listed is not None and any(child.kind == "self_parameter" for child in listed.children)
    if takes_self:
        return called.kind == "field_expression" and spelling(called) == f"self.{helper.name}"
    is_method = any(node.kind == "impl_item" for node in helper.above)
    return spelling(called) == (f"Self::{helper.name}" if is_method else helper.name)


class _Body:
    """The body of a function, and whether it may stand in the place of one call."""

    def __init__(self, helper: _PrivateFunction, site: _Site) -> None:
        self._helper, self._site = helper, site
        body = helper.node.child("body")
        self._parts = body.children[1:-1] if body is not None else []
        self._result = helper.node.child("return_type")

    def replacement(self) -> list[Node] | None:
        """What stands in the place of the call, or of its statement at the end of its function; None if unsure."""
        values = self._values()
        if values is None or not self._names_mean_the_same(values) or not self._parts:
            return None
        if (named := self._handed_on(values)) is not None:
            return named
        is_last, is_statement = _is_at_end(self._site), self._site.above[-1].kind == "expression_statement"
        leaves = any(_leaves(part) for part in self._parts)
        last = self._parts[-1]
        is_value = self._result is not None and len(self._parts) == 1 and last.kind != "expression_statement"
        is_bare = not any(node.kind == "let_declaration" for node in every_node(self._site.caller))
        if is_last and self._same_result() and (is_bare or _is_settled(last) or last.kind == "expression_statement"):
            return self._copies(values)
        if leaves:
            return None
        if is_statement and self._result is None and not any(part.kind == "let_declaration" for part in self._parts):
            return [_ended(part) for part in self._copies(values)]
        if is_value and self._is_of_its_type(last) and self._may_stand_there(last):
            return self._copies(values)
        return None

    def _handed_on(self, values: dict[str, Node]) -> list[Node] | None:
        """The body where it makes a variable that it gives, and that the caller gives another name."""
        let, last = self._site.above[-1], self._parts[-1]
        pattern = let.child("pattern") if let.kind == "let_declaration" and let.child("alternative") is None else None
        lets = [part for part in self._parts if part.kind == "let_declaration"]
        made = [part.child("pattern") for part in lets]
        if pattern is None or pattern.kind != "identifier" or last.kind != "identifier" or self._result is None:
            return None
        is_made = len(made) == 1 and made[0] is not None and made[0].text == last.text
        is_free = not any(map(_leaves, self._parts)) and is_said_first(pattern, self._site.caller)
        if not is_made or not is_free or not self._is_made_of_it(lets[0], spelling(self._result)):
            return None
        copies = self._copies(values)[:-1]
        for leaf in (leaf for copy in copies for leaf in every_node(copy)):
            if leaf.text == last.text and leaf.kind == "identifier" and leaf.field not in ("name", "path", "macro"):
                leaf.text = pattern.text
        return copies

    def _is_made_of_it(self, let: Node, kind: str) -> bool:
        """Whether a variable of the body is of a type, whoever uses it: so it says, or what it is made of does."""
        root, name = self._helper.above[0], let.child("pattern")
        if name is not None and plain_types(self._helper.node, declared_in(root)).names.get(name.text or "") == kind:
            return True
        return is_of_known_type(let, kind)

    def _copies(self, values: dict[str, Node]) -> list[Node]:
        return [_with_values(part, values) for part in self._parts]

    def _same_result(self) -> bool:
        one, other = self._result, self._site.caller.child("return_type")
        return (spelling(one) if one is not None else "") == (spelling(other) if other is not None else "")

    def _is_of_its_type(self, value: Node) -> bool:
        """Whether a value has the type that the function says, whoever asks for it."""
        kind = type_of(value, types_in(self._helper.node))
        return bool(kind) and self._result is not None and kind == spelling(self._result)

    def _may_stand_there(self, value: Node) -> bool:
        """Whether what a value leaves is dropped no later, and it is no place that could be changed or lent."""
        kind = self._site.above[-1].kind
        is_dropped_so = kind in ("let_declaration", "return_expression") or _is_settled(value)
        return kind in _TAKING and is_dropped_so and not is_place(value)

    def _values(self) -> dict[str, Node] | None:
        """What each parameter is, by its name; None where one may be of another type."""
        listed = self._helper.node.child("parameters")
        parameters = [child for child in listed.children if child.kind == "parameter"] if listed is not None else []
        given = [child for child in self._site.call.children[-1].children if child.text not in ("(", ")", ",")]
        if len(parameters) != len(given) or not self._has_self(listed):
            return None
        types = types_in(self._site.caller)
        values: dict[str, Node] = {}
        for parameter, argument in zip(parameters, given, strict=True):
            name, kind = parameter.child("pattern"), parameter.child("type")
            is_named = name is not None and name.kind == "identifier" and len(parameter.children) == 3
            if name is None or kind is None or not is_named or not is_of_type(argument, kind, types):
                return None
            values[name.text or ""] = argument
        return values

    def _has_self(self, listed: Node | None) -> bool:
        """Whether `self` is lent to the function as it is to the caller."""
        wanted = _self_of(listed)
        return not wanted or _self_of(self._site.caller.child("parameters")) in _SELVES.get(wanted, ())

    def _names_mean_the_same(self, values: dict[str, Node]) -> bool:
        """Whether no name of the body is one of the caller, and the other way round."""
        own = bound_names(self._helper.node) - values.keys()
        free = {leaf.text or "" for part in self._parts for leaf in every_node(part) if leaf.kind == "identifier"}
        theirs = bound_names(self._site.caller)
        said = words_in(self._site.caller)
        texts = {leaf.text or "" for part in self._parts for leaf in every_node(part) if "literal" in leaf.kind}
        is_told = any(f"{{{name}" in text for name in values for text in texts)
        let, last = self._site.above[-1], self._parts[-1] if self._parts else self._helper.node
        given = let.child("pattern") if let.kind == "let_declaration" else None
        if given is not None and given.text is not None and last.kind == "identifier":
            own, theirs = own - {last.text or ""}, theirs - {given.text}  # they may become one
            is_told = is_told or any(f"{{{last.text}" in text for text in texts)
        return theirs.isdisjoint(free - own - values.keys()) and not any(said[name] for name in own) and not is_told


def _self_of(listed: Node | None) -> str:
    selves = [child for child in listed.children if child.kind == "self_parameter"] if listed is not None else []
    return spelling(selves[0]) if selves else ""


def _is_settled(value: Node) -> bool:
    """Whether it leaves nothing that is dropped later; what `&&` and `!` make of truths is no more than they are."""
    if value.kind == "binary_expression" and value.children[1].text in ("&&", "||"):
        return _is_settled(value.children[0]) and _is_settled(value.children[2])
    if value.kind in ("unary_expression", "type_cast_expression"):
        return _is_settled(value.children[1 if value.kind == "unary_expression" else 0])
    return is_settled(value)


def _leaves(root: Node) -> bool:
    """Whether something in it leaves the function."""
    stack = [root]
    while stack:
        node = stack.pop()
        is_hidden = node.kind == "macro_invocation" and node.children[0].text not in OPEN  # it may have a way out
        if node.kind in _LEAVING or node.text in _LEAVING_WORDS or is_hidden:
            return True
        stack.extend(child for child in node.children if child.kind not in _INNER)
    return False


def _is_at_end(site: _Site) -> bool:
    """Whether the call is the last thing that its function does, and what that gives."""
    body = site.caller.child("body")
    parent = site.above[-1]
    statement = site.above[-2] if parent.kind in ("return_expression", "expression_statement") else parent
    if statement.kind == "expression_statement":
        parent, statement = statement, site.above[-3]
    last = body.children[-2] if body is not None and len(body.children) > 2 else None
    return statement is body and last is not None and (last is site.call or last is parent)


def _place(site: _Site, parts: list[Node]) -> None:
    """Put the body in the place of the call; where it is more than a value, in that of its statement."""
    parent = site.above[-1]
    at = next(index for index, child in enumerate(parent.children) if child is site.call)
    if len(parts) == 1 and parts[0].kind not in ("expression_statement", "let_declaration", "empty_statement"):
        parts[0].field = site.call.field
        parent.children[at] = parts[0]
        return
    number = max(index for index, outer in enumerate(site.above) if outer.kind == "block")
    holder, inner = site.above[number], (*site.above, site.call)[number + 1]
    at = next(index for index, child in enumerate(holder.children) if child is inner)
    holder.children[at : at + 1] = parts


def _ended(part: Node) -> Node:
    """A value as a statement."""
    if part.kind in ("expression_statement", "macro_invocation", "empty_statement"):
        return part
    part.field = None
    sign = Node(";", None, part.row, ";")
    return Node("expression_statement", None, part.row, children=[part, sign])


def _with_values(part: Node, values: dict[str, Node]) -> Node:
    """A copy with what parameters are: `a.b()` for `c.b()` where `c` is `&a`."""
    copy = copy_with(part, {})
    for node in inner_nodes(copy):
        for index, child in enumerate(node.children):
            value = values.get(child.text or "") if child.kind == "identifier" else None
            if value is None or child.field in ("name", "path", "macro"):
                continue
            is_asked = node.kind == "field_expression" and value.kind == "reference_expression"
            node.children[index] = copy_with(value.children[-1] if is_asked else value, {})
            node.children[index].field = child.field
            if node.kind == "shorthand_field_initializer":
                node.kind, node.children[index].field = "field_initializer", "value"
                name = Node("field_identifier", "field", child.row, child.text)
                node.children[index:index] = [name, Node(":", None, child.row, ":")]
                break
    return copy


def _take_out(helper: _PrivateFunction) -> None:
    helper.holder.children = [child for child in helper.holder.children if child is not helper.node]
