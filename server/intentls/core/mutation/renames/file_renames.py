"""Whether two trees that differ in names alone mean the same: a proof for each name, or why there is none.

    def area(w, h):                     def area(width, h):
        size = w * h                        size = width * h
        return size                         return size

In Python, `w` became `width` everywhere in the scope that declares it, `width` was free there, and nothing like `eval`
reaches for it. Still there is no proof, because a call may name the parameter: `area(w=1, h=2)`. If the function were
called `_area`, there would be one. `size` becoming `total` is proven as it stands.

A name that other files may know (`area` itself) is proven by its uses in this file, or remains for the other files of
the change set to prove (`Rename.is_proven`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from posixpath import basename, splitext

from msgspec import Struct

from intentls.core.errors import IntentlsError
from intentls.core.mutation.names.name_scopes import Binding, NameScopes, Use
from intentls.core.syntax.tree import Role

MAX_RENAMES = 100  # renames in one file
# Names that programs call which know them by their form alone.
FRAMEWORK = re.compile(
    r"__|[Tt]est|[Bb]ench|[Ee]xample|[Ff]uzz|on[_A-Z]|set_?[Uu]p|tear_?[Dd]own|pytest_|use[A-Z]|visit_|do_|handle|p_|t_"
    r"|(main|init|app|application|handler|lambda_handler|upgrade|downgrade|load_tests|conf|run|Meta|Config|default|new)\Z"
)


class Unproven(IntentlsError):
    """A name changed, and what that means can't be told from the file. The message is the reason."""


class Rename(Struct, frozen=True):
    """`old` became `new`. `origin`: in the module that it comes from. `is_public`: other files may know it.

    `is_proven`: nothing is left to ask; else another file of the change set must have the other half.
    """

    old: str
    new: str
    origin: str = ""
    is_public: bool = False
    is_proven: bool = True

    @property
    def reason(self) -> str:
        """The rename as an answer shows it: `rename old->new`."""
        return f"rename {self.old}->{self.new}"


def renames_between(before: NameScopes, after: NameScopes, tokens: Iterable[str], path: str) -> tuple[Rename, ...]:
    """The renames that make one of the other, in source order. Both have the same shape. Raises Unproven.

    `tokens` are all of both that is no name.
    """
    return tuple(dict.fromkeys(_Proof(before, after, tokens, path).all()))


class _Proof:
    """The search for a proof of each name that differs between the two versions of one file."""

    def __init__(self, before: NameScopes, after: NameScopes, tokens: Iterable[str], path: str) -> None:
        self._before, self._after = before, after
        self._tokens = "\n".join(tokens)
        self._is_index = splitext(basename(path))[0] in ("__init__", "index", "mod")
        self._groups: dict[tuple[int, str], str] = {}  # by scope and old name, the new one
        self._members = {use.text for scopes in (before, after) for use in scopes.uses if use.role is Role.MEMBER}

    def all(self) -> Iterator[Rename]:
        """The renames. Raises Unproven for the first name that has no proof."""
        groups = self._groups
        imported: dict[tuple[str, str], Rename] = {}
        for old, new in zip(self._before.uses, self._after.uses, strict=True):
            if old.role is not Role.NAME:
                origin = old.origin if old.role is Role.IMPORTED else self._module_of(old)
                if old.text != new.text and not origin:
                    raise Unproven(f"line {old.row + 1}: the member {old.text} became {new.text}")
                rename = Rename(old.text, new.text, origin, is_public=True, is_proven=False)
                if origin and imported.setdefault((origin, old.text), rename) != rename:
                    raise Unproven(f"line {old.row + 1}: {old.text} of {origin} was not renamed everywhere")
                continue
            if old.text == new.text:
                continue
            scope = self._before.resolve(old)
            if scope is None:
                raise Unproven(f"line {old.row + 1}: {old.text}, which is not declared here, became {new.text}")
            if groups.setdefault((scope, old.text), new.text) != new.text:
                raise Unproven(f"line {old.row + 1}: {old.text} became more than one name")
        yield from (rename for rename in imported.values() if rename.old != rename.new)
        if len(groups) > MAX_RENAMES:
            raise Unproven(f"more than {MAX_RENAMES} names changed")
        for (scope, name), new_name in groups.items():
            yield self._proven(scope, name, new_name)

    def _module_of(self, member: Use) -> str:
        """The module whose member it is; empty unless the file imports one under the name before the dot."""
        owner = Use(member.origin, Role.NAME, member.scope, member.row, "")
        scope = self._before.resolve(owner) if member.origin else None
        return self._before.scopes[scope].bound[owner.text].origin if scope == 0 else ""

    def _proven(self, scope: int, old: str, new: str) -> Rename:
        """The proof for one name. Its texts do not occur where they would mean something else."""
        declared = self._before.scopes[scope].bound[old]
        change = f"{old} became {new}"
        if self._is_held(scope, old, new) or not self._follows_from_around(scope, old, new):
            raise Unproven(f"{change}, and something here depends on the name")
        if _occurs(self._after.uses_within(scope), old):
            raise Unproven(f"{change}, but not everywhere")
        if _occurs(self._before.uses_within(scope), new):
            raise Unproven(f"{change}, and that name was in use")
        if self._is_free_elsewhere(old, new):
            raise Unproven(f"{change}, and that name means something else nearby")
        # Who sees a name that its first letter tells is asked of those of the file alone.
        is_seen = scope == 0 or not self._before.bindings.capitals_are_public
        if self._before.bindings.case_matters and is_seen and old[0].isupper() != new[0].isupper():
            raise Unproven(f"{change}: the case of its first letter means something")
        if self._before.bindings.blank in (old, new):
            raise Unproven(f"{change}: what has no name can't be read")
        if declared.is_parameter and self._before.bindings.keyword_parameters:
            self._check_parameter(scope, old, new)
        if scope == 0:
            return self._of_file(old, new, declared)
        return Rename(old, new)

    def _is_held(self, scope: int, old: str, new: str) -> bool:
        names = {old, new}
        dynamic = self._before.bindings.dynamic
        for scopes in (self._before, self._after):
            if not names.isdisjoint(scopes.scopes[0].held):
                return True
            if any(not names.isdisjoint(inner.held) for inner in scopes.within(scope)):
                return True
            if any(inner.is_class and not names.isdisjoint(inner.bound) for inner in scopes.within(scope)):
                return True
            if any(use.text in dynamic for use in scopes.uses_within(scope)):
                return True
            inner = scopes.inheriting(scope) if scope else ()  # what a file declares or imports is a type
            if any(_occurs(scopes.uses_within(number), name) for number in inner for name in names):
                return True
        return False

    def _follows_from_around(self, scope: int, old: str, new: str) -> bool:
        """Whether uses before the declaration, if there are any, are of a name around that changed alike."""
        if not (self._before.is_used_before(scope, old) or self._after.is_used_before(scope, new)):
            return True
        parent = self._before.scopes[scope].parent
        home = self._before.home_of(old, parent)
        return home is not None and home == self._after.home_of(new, parent) and self._groups.get((home, old)) == new

    def _is_free_elsewhere(self, old: str, new: str) -> bool:
        """Whether either name is used around the scope without being declared: it may leak out, or be let in."""
        for scopes in (self._before, self._after):
            for use in scopes.uses:
                if use.role is Role.NAME and use.text in (old, new) and scopes.resolve(use) is None:
                    return True
        return False

    def _check_parameter(self, scope: int, old: str, new: str) -> None:
        function = self._before.scopes[scope]
        is_private = function.name.startswith("_") and not function.name.startswith("__") and function.parent == 0
        is_safe = function.kind == "lambda" or (is_private and not function.is_decorated)
        if not is_safe or old in self._members or new in self._members:
            raise Unproven(f"the parameter {old} became {new}: a call may name it")

    def _of_file(self, old: str, new: str, declared: Binding) -> Rename:
        change = f"{old} became {new}"
        if declared.origin:
            if self._is_index:
                raise Unproven(f"{change}: here an import is an export")
            return Rename(old, new)
        if FRAMEWORK.match(old) or FRAMEWORK.match(new):
            raise Unproven(f"{change}: programs may know the name by its form")
        if re.search(rf"(?<!\w){re.escape(old)}(?!\w)", self._tokens):
            raise Unproven(f"{change}, and a text mentions it")
        is_private = old.startswith("_") and new.startswith("_")
        if self._before.bindings.definitions_only and not (declared.is_definition or is_private):
            raise Unproven(f"{change}: other files may know it")
        uses = sum(use.text == old for use in self._before.uses)
        is_exported = declared.is_shared or (self._before.bindings.capitals_are_public and old[0].isupper())
        is_proven = is_private or (uses > 1 and not is_exported)
        return Rename(old, new, is_public=not is_private, is_proven=is_proven)


def _occurs(uses: Iterable[Use], name: str) -> bool:
    return any(use.text == name and use.role is Role.NAME for use in uses)


def is_module(module: str, path: str, importer: str) -> bool:
    """Whether `module`, as the file `importer` names it, can be the file at `path`.

    `src.city` and `./city` can be `src/city.py`; the module or the path may begin further up than the other.
    """
    names = [part for part in re.split(r"[./\\]+", splitext(module)[0] if "/" in module else module) if part]
    parts = splitext(path)[0].split("/")
    if parts[-1] in ("__init__", "index"):
        parts.pop()
    if splitext(path)[1] == ".go":
        parts.pop()
    is_sibling = module.startswith(".") and path.rpartition("/")[0] != importer.rpartition("/")[0] and len(names) == 1
    common = min(len(names), len(parts))
    return common > 0 and parts[-common:] == names[-common:] and not (is_sibling and not module.startswith(".."))
