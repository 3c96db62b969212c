"""Where the names of a file belong: scopes, what each declares, and every use in source order."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from intentls.core.mutation.names.class_bases import JDK, bases_of
from intentls.core.syntax.languages.adapter import Bindings
from intentls.core.syntax.tree import Node, Role


class Binding(Struct, frozen=True):
    """How a scope declares a name. `origin`: the module that it is imported from; empty if it is not."""

    is_parameter: bool = False
    is_definition: bool = False
    is_shared: bool = False  # decorated or exported: others know it by its name
    origin: str = ""


class NameScope(Struct):
    """`last` is the number of the last scope inside. `held` are names that must not change here.

    `since`: from which use of the file on a name is the one that is declared here; others are hoisted. `inherits`:
    whether a base may have fields of any name, which are meant here before those that are declared around.
    """

    parent: int
    kind: str
    is_class: bool
    is_decorated: bool
    name: str = ""
    inherits: bool = False
    last: int = 0
    bound: dict[str, Binding] = field(default_factory=dict)
    held: set[str] = field(default_factory=set)
    since: dict[str, int] = field(default_factory=dict)


class Use(Struct, frozen=True):
    """One name where it stands; `scope` is the number of the innermost scope."""

    text: str
    role: Role
    scope: int
    row: int
    origin: str
    binds: bool = False


class NameScopes(Struct):
    """A file's scopes by number, the file itself first, and its names in source order."""

    bindings: Bindings
    scopes: list[NameScope] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)

    def resolve(self, use: Use) -> int | None:
        """The number of the scope that declares the name; None if none in this file does."""
        return self.home_of(use.text, use.scope)

    def home_of(self, name: str, inner: int) -> int | None:
        """The number of the scope that declares the name for the scope `inner`; None if none in this file does."""
        number = inner
        while number >= 0:
            scope = self.scopes[number]
            in_sight = not scope.is_class or number == inner or self.bindings.fields_in_sight
            if in_sight and name in scope.bound:
                return number
            number = scope.parent
        return None

    def within(self, number: int) -> Iterator[NameScope]:
        """The scope and all inside."""
        return iter(self.scopes[number : self.scopes[number].last + 1])

    def inheriting(self, number: int) -> Iterator[int]:
        """The numbers of the scopes inside that have a base."""
        return (inner for inner in range(number + 1, self.scopes[number].last + 1) if self.scopes[inner].inherits)

    def uses_within(self, number: int) -> Iterator[Use]:
        """The names in the scope and all inside."""
        last = self.scopes[number].last
        return (use for use in self.uses if number <= use.scope <= last)

    def is_used_before(self, number: int, name: str) -> bool:
        """Whether the scope has the name before it is declared there, where it is one from around."""
        last, since = self.scopes[number].last, self.scopes[number].since.get(name, 0)
        return any(use.text == name and not use.binds and number <= use.scope <= last for use in self.uses[:since])


def scopes_of(root: Node, bindings: Bindings) -> NameScopes:
    """Read a canonical tree, without recursion."""
    reader = _ScopeReader(NameScopes(bindings))
    stack: list[tuple[Node, Node | None, bool]] = [(root, None, False)]
    while stack:
        node, parent, is_done = stack.pop()
        if is_done:
            reader.leave(node)
        elif node.text is None:
            reader.enter(node, parent)
            stack.append((node, parent, True))
            stack.extend((child, node, False) for child in reversed(node.children))
        elif node.role is not Role.TOKEN:
            reader.name(node, parent or root)
    return reader.result


class _ScopeReader:
    """Builds `result` while a tree is walked: `enter` and `leave` each inner node, `name` each name."""

    def __init__(self, result: NameScopes) -> None:
        self.result = result
        self._open: list[int] = []
        self._outside: list[int] = []  # the scopes in whose headers the reader is
        # What the declarations bind in which the reader is, each with its scope: a scope within has its names at once.
        self._declaring: list[tuple[int, list[str]]] = []
        self._frozen = 0
        self._exported = 0

    def enter(self, node: Node, parent: Node | None) -> None:
        bindings = self.result.bindings
        is_class = node.kind in bindings.classes
        if is_class or node.kind in bindings.scopes:
            is_decorated = parent is not None and parent.kind in bindings.decorated
            name = node.child("name")
            above = self._open[-1] if self._open else -1
            self._open.append(len(self.result.scopes))
            own = (name and name.text) or ""
            inherits = is_class and bindings.fields_in_sight and parent is not None and _inherits(parent)
            self.result.scopes.append(NameScope(above, node.kind, is_class, is_decorated, own, inherits))
        self._outside += [self._open[-1]] if node.kind in bindings.outside else []
        if node.field == "body" and parent is not None and parent.kind in bindings.declaring:
            self._settle()
        self._declaring += [(self._open[-1], [])] if node.kind in bindings.declaring else []
        self._frozen += node.kind in bindings.frozen
        self._exported += node.kind in bindings.exported

    def leave(self, node: Node) -> None:
        bindings = self.result.bindings
        if node.kind in bindings.outside:
            self._outside.pop()
        if node.kind in bindings.declaring:
            self._settle()
            self._declaring.pop()
        self._frozen -= node.kind in bindings.frozen
        self._exported -= node.kind in bindings.exported
        if node.kind in bindings.classes or node.kind in bindings.scopes:
            self.result.scopes[self._open.pop()].last = len(self.result.scopes) - 1

    def _settle(self) -> None:
        """What the innermost declaration binds is known from here on."""
        number, names = self._declaring[-1]
        for name in names:
            self.result.scopes[number].since.setdefault(name, len(self.result.uses))

    def name(self, node: Node, parent: Node) -> None:
        text = node.text or ""
        number = self._open[-1]
        scopes = self.result.scopes
        is_definition = node.field == "name" and parent.kind.endswith(("definition", "declaration"))
        is_decorated = is_definition and scopes[number].is_decorated
        if is_definition and parent.kind == scopes[number].kind and number > 0:
            number = scopes[number].parent
        self.result.uses.append(Use(text, node.role, number, node.row, node.origin, node.binds))
        if node.role is not Role.NAME:
            return
        is_exported = self._exported > 0 and number == 0
        if node.binds:
            is_parameter = bool(self._outside) and self._outside[-1] == number
            binding = Binding(is_parameter, is_definition, is_decorated or is_exported, node.origin)
            earlier = scopes[number].bound.get(text)
            is_declared = bool(self._declaring) and self._declaring[-1][0] == number
            if is_declared and earlier is None and number > 0 and not scopes[number].is_class:
                self._declaring[-1][1].append(text)
            scopes[number].bound[text] = binding if earlier is None else _both(earlier, binding)
        else:
            for owner in self._outside:
                scopes[owner].held.add(text)
        if self._frozen or (is_exported and not node.binds):
            scopes[0].held.add(text)


def _inherits(owner: Node) -> bool:
    """Whether a class has a base that is not known to have no fields."""
    bases = bases_of(owner)
    return bases is None or any(base not in JDK for base in bases)


def _both(one: Binding, other: Binding) -> Binding:
    """A name that is declared twice is as hard to rename as the harder of the two."""
    return Binding(
        one.is_parameter or other.is_parameter,
        one.is_definition and other.is_definition,
        one.is_shared or other.is_shared,
        one.origin or other.origin,
    )
