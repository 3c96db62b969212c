"""Names that a change set renamed in the whole repository: a proof by all uses, for what no single file can prove.

    a.py   class City:                    class City:
               def find_all(self): ...        def find_each(self): ...
    b.py   for x in city.find_all():      for x in city.find_each():

`find_all` is declared in these files, and what declares it is otherwise the same. All its uses became `find_each`. None
is left in any file, no text mentions either name, and `find_each` was not there before. So each program that reads the
repository's files finds the same things under another name, and b.py, which changed in nothing else, is a refactor.

Names that others than the repository's files may know stay unproven: overrides of what comes from elsewhere, names
below decorators and annotations, fields that are written out, names that frameworks call, what is imported from
elsewhere, and what a text or a part of one may be used to find.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from posixpath import dirname, splitext

from msgspec import Struct

from intentls.core.mutation.names.class_bases import CLASSES, ClassBases, is_owner
from intentls.core.mutation.names.homes import target_of
from intentls.core.mutation.names.node_exports import export_of, taken_from
from intentls.core.mutation.names.prose import is_for_people
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.names.tree_names import Place, bare, content_with, parts_of, places_of
from intentls.core.mutation.renames.declared_places import (
    FUNCTIONS,
    MEMBERS,
    OWN,
    is_case_kept,
    is_local,
    is_own_field,
    is_parameter,
    may_change,
    owner_of,
)
from intentls.core.mutation.renames.decorations import is_bare, is_quiet
from intentls.core.mutation.renames.file_renames import FRAMEWORK
from intentls.core.mutation.renames.go_names import NAMELESS, is_embedded, package_of, receivers, share
from intentls.core.mutation.renames.java_names import (
    CALLS_NO_METHODS,
    CONSTRUCTORS,
    JAVA_FRAMEWORK,
    is_meant,
    without_access,
)
from intentls.core.mutation.renames.rust_kinds import is_field_within, share_in_rust
from intentls.core.mutation.renames.rust_macros import is_in_macro, is_plain
from intentls.core.syntax.languages.adapter import Adapter, kinds
from intentls.core.syntax.languages.javascript.modules import SCRIPTS
from intentls.core.syntax.tree import Node, Role, spelling

LANGUAGES = frozenset({"Python", "JavaScript", "TypeScript", "TSX", "Go", "Rust", "Java"})
_UNTYPED = frozenset({"Python", "JavaScript"})
_DECLARES = re.compile(r"(definition|declaration|declarator|_item|_spec|signature|variant|elem|constant|parameter)\Z")
# What programs of the language's library call on whatever they are given.
_PROTOCOL = kinds(
    "String Error Read Write Close Len Less Swap ServeHTTP Unwrap Is As Next Value Scan Format GoString Seek Flush Lock"
    " Unlock Done Err toString equals hashCode compareTo compare close run call apply accept get set iterator next"
    " hasNext toJSON then valueOf constructor render clone finalize length size name prototype default async"
)
# In a file with one of these, fields and types may be known by their names to what reads or writes them.
WRITTEN_OUT = re.compile(
    r"Serialize|serde|\bclap\b|structopt|StructOpt|no_mangle|export_name|wasm_bindgen|pyo3|napi|uniffi|__slots__"
    r"|__dict__|asdict|\bvars\(|__getattr|__qualname__|__name__\b(?!\s*==)|\breflect\b|getDeclared|\.get(?:Fields|Methods|EnumConstants)\(|Object\.(keys|entries)"
)
# What makes a name of its parts, in the languages in which little does.
_MAKES = {
    "Go": frozenset({"MethodByName", "FieldByName", "FieldByNameFunc", "plugin", "Lookup"}),
    "Rust": frozenset({"paste", "concat_idents", "format_ident", "Ident", "quote", "seq", "ident"}),
}
_WORD = re.compile(r"\w+")
_VERSION = re.compile(r"v\d+\Z")  # at the end of what Go imports
_EDGE = re.compile(r"_(?=[^_])|(?<=[a-z0-9])(?=[A-Z])")


class ChangedTree(Struct, frozen=True):
    """One file of a change set as trees: None where there is no file. `old_path` is where it was before."""

    path: str
    adapter: Adapter
    before: Node | None
    after: Node | None
    is_written_out: bool
    old_path: str | None = None


class TreeRenames:
    """The search for the renames that all uses prove, among `pairs`. `parse` gives the tree of a file elsewhere."""

    def __init__(
        self,
        pairs: Mapping[str, str],
        files: Sequence[ChangedTree],
        others: RepositoryText,
        parse: Callable[[str, bytes], Node | None],
    ) -> None:
        self._files, self._others, self._parse = files, others, parse
        self._bases = ClassBases([file.before for file in files if file.before is not None], others, parse)
        self._before: dict[str, list[Place]] = {}
        self._after: dict[str, list[Place]] = {}
        self._by_path = {file.path: file for file in files}
        self._has_any = cache(self._find_any)
        self._pairs = {old: new for old, new in pairs.items() if may_change(old, new)}
        if any(file.adapter.name == "Java" for file in files):
            self._pairs |= {f"{old}()": f"{new}()" for old, new in self._pairs.items()}

    def proven(self) -> dict[str, str]:
        """The pairs that hold together: each with all the others."""
        self._read()
        self._pairs = {old: new for old, new in self._pairs.items() if self._is_everywhere(old, new)}
        self._ask_others()
        while True:  # it ends, as each round but the last takes some away
            kept = {old: new for old, new in self._pairs.items() if self._is_declared_alike(old, new)}
            if kept == self._pairs:
                return kept
            self._pairs = kept

    def _read(self) -> None:
        words = {word for pair in self._pairs.items() for word in pair}
        said: set[str] = set()
        for file in self._files:
            for root, places in ((file.before, self._before), (file.after, self._after)):
                if root is not None:
                    names, texts = places_of(root, words, file.path)
                    said |= texts
                    for place in names:
                        places.setdefault(place.key, []).append(place)
        self._pairs = {old: new for old, new in self._pairs.items() if said.isdisjoint((old, new))}

    def _is_everywhere(self, old: str, new: str) -> bool:
        """Whether none is left, the new name was free, and each use is of what the repository declares."""
        if old in self._after or old not in self._before or new not in self._after:
            return False
        if self._alike(old, self._before.get(new, ())) or not self._alike(old, self._after[new]):
            return False
        places = self._before[old]
        if any(export_of(place) is not None for place in places) and not any(map(self._is_taken, places)):
            return False  # who takes it is not known: it may be a setting
        return all(self._is_ours(place) for place in places)

    def _is_taken(self, place: Place) -> bool:
        """Whether a file takes the name from one that exports it so."""
        module = taken_from(place)
        if module is None and place.leaf.role is Role.IMPORTED:
            module = place.holder().children[0].text
        target = target_of(module or "", place.path)
        homes = {home.path for home in self._before[place.key] if export_of(home) is not None}
        return target is not None and any(target.is_at(home) for home in homes)

    def _alike(self, old: str, places: Sequence[Place]) -> Sequence[Place]:
        """The places that may be of what has the name `old`."""
        languages = {self._by_path[place.path].adapter.name for place in self._before[old]}
        sharing = {"Go": share, "Rust": share_in_rust}.get(languages.pop()) if len(languages) == 1 else None
        return places if sharing is None else sharing(self._before[old], places)

    def _ask_others(self) -> None:
        """Drop the pairs that a file beside the change set mentions, and those that a text has a part of."""
        asked = {
            pair: {*pair, *(part for word in pair for part in parts_of(bare(word)) if self._makes_names(pair[0]))}
            for pair in self._pairs.items()
        }
        words = set().union(*asked.values())
        known: set[str] = set()
        for file in self._files:
            for root in (root for root in (file.before, file.after) if root is not None):
                known |= places_of(root, words, file.path)[1]
        mentioning = self._others.mentioning(sorted(set(map(bare, words)))) if words else {}
        for path, content in (mentioning or {}).items():
            known |= self._known(path, content, words)
        self._pairs = {
            old: new for (old, new), some in asked.items() if mentioning is not None and known.isdisjoint(some)
        }

    def _makes_names(self, old: str) -> bool:
        """Whether a program may put a name together: in Go and Rust by a few functions and macros alone."""
        places = self._before[old]
        words = [_MAKES.get(self._by_path[place.path].adapter.name) for place in places]
        return None in words or self._has_any(frozenset().union(*(some for some in words if some is not None)))

    def _find_any(self, words: frozenset[str]) -> bool:
        """Whether a file of the repository has one of the words."""
        roots = (root for file in self._files for root in (file.before, file.after) if root is not None)
        if any(found or said for found, said in (places_of(root, words, "") for root in roots)):
            return True
        mentioning = self._others.mentioning(sorted(words))
        return mentioning is None or any(not is_for_people(path, content) for path, content in mentioning.items())

    def _known(self, path: str, content: bytes, words: set[str]) -> set[str]:
        """Which of the words a file mentions: as names, in texts, or anywhere if it can't be read."""
        if is_for_people(path, content):
            return set()
        root = self._parse(path, content)
        if root is None:
            found = set(_WORD.findall(content.decode("utf-8", "replace")))
            calls_none = CALLS_NO_METHODS.search(path) is not None
            return {word for word in words if bare(word) in found and not (calls_none and word.endswith("()"))}
        names, said = places_of(root, words, path)
        news = {new: old for old, new in self._pairs.items()}
        if path.endswith(".go"):
            is_linked = b"go:linkname" in content
            names = [
                place
                for place in names
                if (old := news.get(place.key, place.key)) not in self._pairs
                or (self._alike(old, [place]) and (is_linked or not self._is_hidden_from(path, old)))
            ]
        return said.union(place.key for place in names)

    def _is_hidden_from(self, path: str, old: str) -> bool:
        """Whether a file of Go is in another package than what has a name that no other package sees."""
        is_shown = old[:1].isupper() or self._pairs[old][:1].isupper()
        return not is_shown and dirname(path) not in {dirname(place.path) for place in self._before[old]}

    def _is_declared_alike(self, old: str, new: str) -> bool:
        """Whether what declares the name is the same before and after, but for its body and the names that are proven.

        Who uses it does the same if its body does something else now: the file that has the body is told of that.
        """
        declared = [node for node in map(self._declaration, self._before[old]) if node is not None]
        others = self._alike(old, self._after[new])
        came = [node for node in map(self._declaration, others) if node is not None]
        contents = Counter(content_with(_head(without_access(node)), self._pairs) for node in declared)
        return bool(contents) and contents == Counter(content_with(_head(without_access(node)), {}) for node in came)

    def _declaration(self, place: Place) -> Node | None:
        parent = place.holder()
        if parent.kind == "import_item":
            return None
        exported = export_of(place)
        if exported is not None:
            return exported
        is_named = place.leaf.field in ("name", "pattern", "property") and _DECLARES.search(parent.kind) is not None
        if is_named or place.leaf.binds:
            return None if self._is_given(place) else parent
        return place.holder(2) if is_own_field(place) else None

    def _is_given(self, place: Place) -> bool:
        """Whether it is a parameter that a framework finds by its name: what that gives it is declared elsewhere."""
        function = next((node for node in reversed(place.above) if FUNCTIONS.search(node.kind)), None)
        if function is None or not any(node.kind.endswith(("parameters", "parameter")) for node in place.above[-3:]):
            return False
        name = function.child("name")
        above = place.above[max(place.above.index(function) - 1, 0)]
        is_constructor = name is not None and name.text in ("__init__", "__new__", "__call__")
        is_found = name is not None and not is_constructor and FRAMEWORK.match(name.text or "") is not None
        return above.kind == "decorated_definition" or is_found

    def _is_ours(self, place: Place) -> bool:
        """Whether nothing but the repository's own files can know this name here."""
        parent, adapter = place.holder(), self._by_path[place.path].adapter
        if not is_case_kept(place.word, self._pairs[place.key]) and adapter.name not in ("Go", "Java"):
            return False
        if any(node.kind == "interpolation_named" for node in place.above) or is_in_macro(
            place, is_written_out=self._by_path[place.path].is_written_out
        ):
            return False
        if adapter.name == "Java" and not is_meant(
            place, filter(self._declaration, self._before[place.key]), self._bases
        ):
            return False
        if parent.kind == "import_item":
            return self._is_own_module(place, parent.children[0].text or "")
        exported = export_of(place)
        if exported is not None:
            names = {place.word, self._pairs[place.word]}
            is_free = not any(FRAMEWORK.match(name) for name in names) and names.isdisjoint(_PROTOCOL)
            return is_free and not self._by_path[place.path].is_written_out
        if parent.kind == "pair_pattern" and place.leaf.field == "key":
            return self._is_taken(place)
        if parent.kind == "pair" and place.leaf.field == "value" and adapter.name in SCRIPTS:
            return self._may_be_renamed_here(place, adapter)
        if parent.kind in ("pair", "jsx_attribute", "labeled_statement", "property_signature", "enum_assignment"):
            return False
        if parent.kind == "keyword_argument" and place.leaf.field == "name":
            return self._is_own_keyword(place)
        if parent.kind in MEMBERS and parent.children[-1] is place.leaf:
            return self._is_taken(place) or self._is_own_member(place, adapter)
        if parent.kind in ("scoped_identifier", "scoped_type_identifier") and parent.children[-1] is place.leaf:
            return self._is_own_module(place, spelling(parent).partition("::")[0] + "::")
        return self._may_be_renamed_here(place, adapter)

    def _may_be_renamed_here(self, place: Place, adapter: Adapter) -> bool:
        """Whether a declaration at this place, if it is one, is one that no one else finds by its name."""
        node = self._declaration(place)
        if node is None:
            return True
        names = {place.word, bare(self._pairs[place.key])}
        is_written_out = self._by_path[place.path].is_written_out and not (
            is_plain(place) if adapter.name == "Rust" else adapter.name == "Go" and node.kind in NAMELESS
        )
        if is_written_out and not is_local(place, node):
            return False
        # Fields and methods of Go are known by their names to what prints or writes them, types to what embeds them.
        is_type = node.kind == "type_spec" and not any(map(is_embedded, self._before[place.key]))
        is_field = adapter.name == "Java" and node.kind == "variable_declarator"  # whose case means nothing
        if not is_case_kept(*names) and node.kind not in NAMELESS and not is_type and not is_field:
            return False
        is_function = FUNCTIONS.search(node.kind) is not None
        if is_function or CLASSES.search(node.kind):
            framework = JAVA_FRAMEWORK if adapter.name == "Java" else FRAMEWORK
            if adapter.name != "Rust" and any(framework.match(name) for name in names):
                return False
            if not is_quiet(node, place):
                return False
        if adapter.name == "Go" and node.kind == "field_declaration":
            is_exported = any(name[0].isupper() for name in names)
            return not is_exported and not any(child.kind.endswith("string_literal") for child in node.children)
        if adapter.name == "Java" and (CLASSES.search(node.kind) or node.kind in CONSTRUCTORS):
            return True  # what a class inherits has no say in the names of the types in it
        if node.kind == "method_definition" and place.holder(2).kind == "object" and not self._is_asked(place):
            return False  # what is handed over with it may call it by its name
        owner = owner_of(place, node)
        if owner is None:
            is_free = not is_parameter(node) or self._is_called_here_alone(place)
            return is_free and (not node.kind.startswith("method") or names.isdisjoint(_PROTOCOL))
        is_own = names.isdisjoint(_PROTOCOL) and self._bases.are_own(owner)
        return is_own and (is_function or is_bare(owner, place))

    def _is_asked(self, place: Place) -> bool:
        """Whether a file asks an object for this name."""
        return any(other.holder().kind in MEMBERS for other in self._before[place.key])

    def _is_called_here_alone(self, place: Place) -> bool:
        """Whether the function of a parameter overrides nothing that is called from elsewhere, maybe by its names."""
        owner = next((node for node in reversed(place.above) if is_owner(node)), None)
        return owner is None or self._bases.are_own(owner)

    def _is_own_member(self, place: Place, adapter: Adapter) -> bool:
        parent = place.holder()
        receiver = parent.children[0]
        text = place.leaf.text or ""
        if receiver.text in OWN or spelling(receiver) == "super()":
            return self._may_be_renamed_here(place, adapter)
        functions = [node for node in place.above if FUNCTIONS.search(node.kind)]
        names = [node.child("name") for node in functions]
        if any(name is not None and name.text == text for name in names) and receiver.text not in receivers(functions):
            return is_field_within(place)  # else it hands the call on to what has a method of that name
        module = self._module_of(place, receiver)
        if module is not None:
            return self._is_own_module(place, module)
        is_private = text.startswith("_") or place.leaf.kind.startswith("private")
        return adapter.name not in _UNTYPED or is_private or _EDGE.search(text) is not None

    def _module_of(self, place: Place, receiver: Node) -> str | None:
        """What the file imports under the name before the dot, if it does."""
        while receiver.text is None and receiver.kind in MEMBERS:
            receiver = receiver.children[0]
        for child in place.above[0].children:
            if child.kind == "import_item" and child.children[-1].text == receiver.text:
                return child.children[0].text or ""
        return None

    def _is_own_module(self, place: Place, module: str) -> bool:
        """Whether `module`, as an import names it, can be one of the files that declare the name."""
        word = place.key
        homes = {
            home.path
            for home in (*self._before[word], *self._after.get(self._pairs.get(word, ""), ()))
            if self._declaration(home) is not None
        }
        parts = [part for part in re.split(r"[./\\:\s\"'`]+", module) if part]
        if parts and parts[0] in ("pub", "static", "import"):
            parts = parts[1:]
        if not parts or parts[0] in ("crate", "self", "super"):
            is_near = module.strip().startswith(".") or place.path.endswith(".rs")  # what has no module is at the root
            return bool(homes) and (bool(parts) or is_near)
        homes |= {old for home in homes if (old := self._by_path[home].old_path) is not None}
        within = {part for home in homes for part in splitext(home)[0].split("/")}
        within |= {package_of(home.above[0]) for home in self._before[word] if home.path in homes}
        last = parts[-2] if len(parts) > 1 and _VERSION.match(parts[-1]) else parts[-1]
        return parts[0] in within or last in within

    def _is_own_keyword(self, place: Place) -> bool:
        """Whether the function that is called is one of those that have a parameter of this name."""
        call = place.holder(3)
        called = call.children[0]
        name = called.text if called.text is not None else called.children[-1].text
        owners: set[str] = set()
        for home in self._before[place.leaf.text or ""]:
            if self._declaration(home) is None:
                continue
            for node in home.above:
                inner = node.child("name") if FUNCTIONS.search(node.kind) or CLASSES.search(node.kind) else None
                owners |= {inner.text or ""} if inner is not None else set()
        return call.kind == "call" and name in owners


def _head(declaration: Node) -> Node:
    """A declaration without the body of the function or class that it declares."""
    kept = [child for child in declaration.children if child.field != "body"]
    kept = [_head(child) if child.field == "value" and child.child("body") is not None else child for child in kept]
    return Node(declaration.kind, declaration.field, declaration.row, declaration.text, children=kept)
