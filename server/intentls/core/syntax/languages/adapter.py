"""What a language's adapter says. Most of it is tables; what tables can't say is a `finish` function per kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field

from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.tree import Node, Role, every_node, flatten, inner_nodes

if TYPE_CHECKING:
    from tree_sitter import Node as SyntaxNode

Place = tuple[str, str | None]
"""The kind of a parent, and the field that a child is in it."""


class Context(Struct, frozen=True):
    """Where a node stands that is being finished: its ancestors, the nearest last, and the whole source.

    Where two versions are compared, the source is both of them: what one of them reads, counts in both.
    """

    ancestors: Sequence[Node]
    source: str

    @property
    def parent(self) -> str:
        """The kind of the parent; empty for the root."""
        return self.ancestors[-1].kind if self.ancestors else ""


Finish = Callable[[Node, Context], list[Node]]
"""A node whose children are complete -> what stands for it in its parent."""


Lexemes = Callable[[str], tuple[str, ...] | None]
"""The tokens of a content, without comments; None where they can't be told."""


Rewrite = Callable[[Node], None]
"""Brings a canonical tree into another that does the same, where that can be told from it alone."""


InformedRewrite = Callable[[Node, Surroundings], None]
"""The same, where it takes what the repository's other files prove."""


class Bindings(Struct, frozen=True):
    """How names resolve. `places` declare one; `patterns` pass that on to what is in them.

    `scopes` hold declarations, and so do `classes`, whose declarations are not seen from functions in them unless
    `fields_in_sight`. Names that stand in `outside` of a scope but declare nothing (defaults, annotations) are
    looked up around it, so they hold their names fast. So does `frozen`. A name that one of `declaring` binds in a
    function is known only after it: before, and in it, the name is one from around. A scope in a `decorated` node is
    known to others by name, and what stands in `exported` at the top of a file to other files. `dynamic` names reach
    any name.
    """

    places: frozenset[Place] = frozenset()
    patterns: frozenset[str] = frozenset()
    scopes: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()
    frozen: frozenset[str] = frozenset()
    declaring: frozenset[str] = frozenset()
    decorated: frozenset[str] = frozenset()
    exported: frozenset[str] = frozenset()
    dynamic: frozenset[str] = frozenset()
    fields_in_sight: bool = False
    keyword_parameters: bool = False  # parameters are called by name
    definitions_only: bool = False  # of a file's names only functions and classes may change
    case_matters: bool = False  # the case of the first letter means something
    blank: str = ""  # the name of what has none, and can't be read
    capitals_are_public: bool = False  # namely who sees the name


class Counting(Struct, frozen=True):
    """What no equivalence adds or takes away: `kinds`, and `spelled` ones, which keep their text as well, but for case.

    In a content that `fails_beside` matches that does not hold. Calls of
    what is `called` are left out, with the arguments. Of each pair in `exchanged`, one may stand for the other.
    """

    kinds: frozenset[str]
    spelled: frozenset[str]
    exchanged: tuple[tuple[frozenset[str], frozenset[str]], ...]
    fails_beside: re.Pattern[bytes]
    called: frozenset[bytes]

    def is_left_out(self, node: SyntaxNode) -> bool:
        """Whether a node is one that another form may not have."""
        if node.type == "call" and node.parent is not None and node.parent.type in ("raise_statement", "decorator"):
            return True  # `raise A()` and `raise A`
        call = node if node.type == "call" else node.parent and node.parent.parent
        function = call.child_by_field_name("function") if call is not None and call.type == "call" else None
        is_called = node.type in ("call", "keyword_argument") and function is not None
        name = (function.text or b"").rpartition(b".")[2] if is_called and function is not None else b""
        return name in self.called


class TypedGrammar(Struct, frozen=True):
    """The grammar of files with types, where the language's own knows none: Flow's are as TypeScript's.

    A file says that it has types by a `mark`, or by a node of the kind `sign`, which no file without types has.
    """

    mark: bytes
    sign: str
    module: str
    function: str


class Adapter(Struct, frozen=True):
    """One language. `module`, `function`: its grammar.

    `names` are the kinds of leaves that name something, `member_kinds` and `member_places` those that are members.
    What the grammar can't place, but `understood` matches, is a leaf of its own: the tree around it is right.
    Of `exact` kinds every byte counts, of `spaced` kinds also the white space between their children.
    `free` definitions of one run may stand in any order, as imports (`imports`) may. Where they are `run_in_order`, a
    later one of a name replaces the earlier, and defaults are computed when it is reached. Where the language `hoists`
    them, they mean the same wherever they stand among other statements, but for those in `sequences`, where they are
    known only after they are declared. `rewrites`, `informed`: refactors, with the reason that is given for each,
    `first` those that come before functions are taken in, `last` those that take away what the others go by. What a
    content that `whole` matches becomes is proven only by trees that are walked wholly. `lexemes`: the tokens of a
    content of which there is no tree that can be trusted. `typed`: the grammar of its files with types, where its own
    has none. `repaired`: a content that says the same, where the grammar can't read it.

    `counting`: what no `finish`, no order and no rewrite adds or takes away.
    """

    name: str
    module: str
    function: str = "language"
    comments: frozenset[str] = frozenset({"comment"})
    pragma: re.Pattern[str] = re.compile(r"#!|.*coding[:=]", re.DOTALL)
    comment_counts: Callable[[str, Context], bool] | None = None  # whether a program may read it, beside pragmas
    understood: re.Pattern[str] = re.compile(r"(?!)")
    names: frozenset[str] = frozenset()
    member_kinds: frozenset[str] = frozenset()
    member_places: frozenset[Place] = frozenset()
    exact: re.Pattern[str] = re.compile(r"string|heredoc|regex|char|text|scalar|literal|template")
    blank: re.Pattern[str] = re.compile(r"\s+")  # what may stand between nodes and means nothing
    spaced: frozenset[str] = frozenset()
    all_spaced: bool = False
    containers: frozenset[str] = frozenset()
    part_fields: Mapping[str, str] = field(default_factory=dict)  # of containers that hold one part, and else values
    imports: frozenset[str] = frozenset()
    free: frozenset[str] = frozenset()
    run_in_order: bool = False
    hoists: bool = False
    sequences: frozenset[str] = frozenset()
    first: tuple[tuple[str, Rewrite], ...] = ()
    rewrites: tuple[tuple[str, Rewrite], ...] = ()
    informed: tuple[tuple[str, InformedRewrite], ...] = ()
    last: tuple[tuple[str, Rewrite], ...] = ()
    whole: re.Pattern[bytes] = re.compile(rb"(?!)")
    repaired: Callable[[bytes], bytes] | None = None
    counting: Counting | None = None
    lexemes: Lexemes | None = None
    typed: TypedGrammar | None = None
    has_macros: bool = False  # a tree of what stands in the file need not be what is compiled; its tokens are
    finish: Mapping[str, Finish] = field(default_factory=dict)
    bindings: Bindings = field(default_factory=Bindings)  # without names nothing is bound


def kinds(text: str) -> frozenset[str]:
    """The words of `text`, which are kinds of nodes or names."""
    return frozenset(text.split())


def fields(text: str) -> frozenset[Place]:
    """The places that `text` names: `assignment.left` is that field, `parameters` what has no field there."""
    words = (word.partition(".") for word in text.split())
    return frozenset((kind, name or None) for kind, _, name in words)


def finishes(*rows: tuple[Finish, str]) -> dict[str, Finish]:
    """A table for `Adapter.finish` from rows of a function and the kinds that it finishes."""
    return {kind: finish for finish, text in rows for kind in text.split()}


def unwrapped(node: Node) -> list[Node]:
    """The children without the parentheses around them."""
    return [child for child in node.children if child.text not in ("(", ")") or child.kind not in ("(", ")")]


def unwrap(node: Node, context: Context) -> list[Node]:
    """A `Finish` for parentheses: the tree says what belongs together."""
    return [in_place_of(node, child) for child in unwrapped(node)]


def in_place_of(node: Node, child: Node) -> Node:
    """`child`, as the field that `node` was in its parent."""
    child.field = node.field
    return child


def without(*kinds: str) -> Finish:
    """A `Finish` that takes away the children of these kinds."""

    def drop(node: Node, context: Context) -> list[Node]:
        node.children = [child for child in node.children if child.kind not in kinds]
        return [node]

    return drop


def without_last_comma(node: Node) -> None:
    """Take away a comma before the closing bracket, where it means nothing."""
    if len(node.children) > 2 and node.children[-2].kind == "," and node.children[-1].kind in (")", "]", "}", ">"):
        del node.children[-2]


def drop_last_comma(node: Node, context: Context) -> list[Node]:
    """A `Finish`: a comma before the closing bracket means nothing."""
    without_last_comma(node)
    return [node]


def drop_second_comma(node: Node, context: Context) -> list[Node]:
    """A `Finish` where a single comma makes a tuple: `(a,)` is one and `(a)` is not, but `(a, b,)` is `(a, b)`."""
    if sum(child.kind == "," for child in node.children) > 1:
        without_last_comma(node)
    return [node]


def flattened(node: Node, word: str) -> Node:
    """A chain of one associative operator without its nesting: `a && (b && c)` is `(a && b) && c`."""
    first, *rest = node.children
    if not _is_chain(first, node.kind, word):
        first, rest = Node(node.kind, node.field, node.row), node.children
    first.field = node.field
    for child in rest:
        first.children.extend(child.children if _is_chain(child, node.kind, word) else [child])
    return first


def _is_chain(node: Node, kind: str, word: str) -> bool:
    return node.kind == kind and len(node.children) > 1 and node.children[1].kind == word


def import_item(node: Node, module: str, *names: Node) -> Node:
    """One imported name in the place of the statement `node`; the last of `names` is the one that it binds."""
    return Node("import_item", None, node.row, children=[Node("module", None, node.row, module), *names])


def bound_name(node: Node, name: str, origin: str = "") -> Node:
    """The name that an `import_item` in the place of `node` binds; `origin` is the module that it comes from."""
    return Node("identifier", "alias", node.row, name, Role.NAME, binds=True, origin=origin)


def leaf_like(node: Node, kind: str, text: str) -> Node:
    """A leaf in the place of `node`."""
    return Node(kind, node.field, node.row, text)


def note_owner(node: Node, context: Context) -> list[Node]:
    """Leave with a member the name before its dot: it may be a module."""
    owner, member = node.children[0], node.children[-1]
    if owner.role is Role.NAME and member.role is Role.MEMBER:
        member.origin = owner.text or ""
    return [node]


BRACES = "braces around one statement"
_DECLARING = re.compile(r"declaration|definition|class|type_alias|import|export|labeled|empty_statement|comment")


def without_braces(root: Node) -> None:
    """A `Rewrite`: `if (a) { b(); }` is `if (a) b();`. A block of one declaration has a scope of its own, and stays."""
    for node in inner_nodes(root):
        if node.kind in _BRANCHES:
            node.children = [_only_statement(child) for child in node.children]


_BRANCHES = frozenset(
    {
        *("if_statement", "else_clause", "for_statement", "for_in_statement", "while_statement", "do_statement"),
        *("enhanced_for_statement", "for_in_outer"),
    }
)


def _only_statement(node: Node) -> Node:
    is_block = node.kind in ("statement_block", "block", "compound_statement") and len(node.children) == 3
    if not is_block or _DECLARING.search(node.children[1].kind) or not node.children[1].kind.endswith("statement"):
        return node
    return in_place_of(node, node.children[1])


REASON = "a value is returned without a name of its own"
MAX_REWRITES = 20  # in one file: each takes a look at all of a function
# A function takes its name from what it is given to.
NAMED_BY_IT = frozenset({"arrow_function", "function_expression", "generator_function", "class"})


def returned_at_once(function_kinds: Collection[str], dynamic: Collection[str]) -> Rewrite:
    """A rewrite that takes the name away, if the innermost node of one of `function_kinds` has it nowhere else.

    Names in `dynamic` may reach any name: nothing is done beside them.
    """

    def rewrite(root: Node) -> None:
        for node, index, function in _candidates(root, function_kinds)[:MAX_REWRITES]:
            names = flatten(function).names
            following = node.children[index]
            name = following.children[1].text
            uses = sum(leaf.text == name and leaf.role is Role.NAME for leaf in every_node(function))
            if uses == 2 and not any(word in dynamic for word in names):
                following.children[1] = node.children[index - 1].children[-1].children[2]
                del node.children[index - 1]

    return rewrite


def _candidates(root: Node, function_kinds: Collection[str]) -> list[tuple[Node, int, Node]]:
    """Where the pairs of statements end: in which node, at which index, in which function; the last of a node first."""
    candidates: list[tuple[Node, int, Node]] = []
    stack: list[tuple[Node, Node | None]] = [(root, None)]
    while stack:
        node, function = stack.pop()
        function = node if node.kind in function_kinds else function
        if function is not None:
            last_first = range(len(node.children) - 1, 0, -1)
            candidates.extend(
                (node, index, function)
                for index in last_first
                if _is_pair(node.children[index - 1], node.children[index])
            )
        stack.extend((child, function) for child in node.children)
    return candidates


def _is_pair(statement: Node, following: Node) -> bool:
    """Whether the one names a value and the other returns it."""
    if following.kind != "return_statement" or len(following.children) != 2 or len(statement.children) not in (1, 2):
        return False
    assignment, name = statement.children[-1], following.children[1]
    is_local = statement.kind == "expression_statement" and assignment.kind == "assignment"
    is_constant = statement.kind == "lexical_declaration" and assignment.kind == "variable_declarator"
    if not (is_local or is_constant) or len(assignment.children) != 3 or name.role is not Role.NAME:
        return False
    target, _, value = assignment.children
    is_same = target.role is Role.NAME and target.text == name.text
    return is_same and value.kind not in NAMED_BY_IT
