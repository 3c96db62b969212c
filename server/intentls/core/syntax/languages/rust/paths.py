"""Paths of Rust in full: what an import names, and what a path names, are one thing.

    use std::fmt;                      use std::fmt::Display;            fn show<T: std::fmt::Display>(a: T)
    fn show<T: fmt::Display>(a: T)     fn show<T: Display>(a: T)

Each path that begins with an imported name is written out, where no block, parameter or item may mean something else by
the name. An import that is then nowhere mentioned goes, if it can't be one of a trait, which brings methods: what a
variant is taken from, as in `Ordering::Relaxed`, is a type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from intentls.core.syntax.languages.adapter import kinds, leaf_like
from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

REASON = "paths by other imports"

_LIBRARY = kinds("std core alloc")
_ROOTS = _LIBRARY | {"crate", "super", "self"}
# What one of them has for itself stays.
_PARTS = re.compile(r"(?:core|alloc)::(?!(?:prelude|panic|alloc|self)\b)\w")
_WORD = re.compile(r"\w+")
_DECLARES = re.compile(r"((?<!import)_item|macro_definition|type_parameter|const_parameter|extern_crate_declaration)\Z")
_OWNERS = kinds("impl_item trait_item")  # no path begins with what these declare
_PATTERNS = kinds("parameter let_declaration let_condition for_expression")
_SCOPED = kinds("scoped_identifier scoped_type_identifier")
# What names nothing by a path, or in its own way: a macro gets its words as they are.
_CLOSED = kinds(
    "token_tree attribute_item inner_attribute_item import_item macro_definition visibility_modifier lifetime label"
    " extern_crate_declaration use_declaration"
)
# Types of the standard library: to import one brings no methods.
_TYPES = kinds(
    "Arc Rc Weak Cell RefCell UnsafeCell OnceCell Mutex MutexGuard RwLock Condvar Once OnceLock Barrier"
    " Duration Instant SystemTime HashMap HashSet BTreeMap BTreeSet VecDeque BinaryHeap LinkedList Path PathBuf"
    " OsStr OsString CStr CString File OpenOptions Command Stdio Child ExitStatus Cow String Vec Box Option"
    " Result Ordering AtomicBool AtomicUsize AtomicIsize AtomicU8 AtomicU16 AtomicU32 AtomicU64 AtomicI32"
    " AtomicI64 AtomicPtr PhantomData MaybeUninit ManuallyDrop NonNull Pin Context Poll Waker ErrorKind Cursor"
    " BufReader BufWriter Formatter Arguments IpAddr Ipv4Addr Ipv6Addr SocketAddr SocketAddrV4 SocketAddrV6"
    " TcpListener TcpStream UdpSocket Layout TypeId Wrapping Range RangeInclusive Bound Infallible Utf8Error"
    " JoinHandle ThreadId"
)
_TYPES_BY_PATH = kinds("std::io::Error std::fmt::Error core::fmt::Error std::io::SeekFrom")
_IN_TEXT = re.compile(r"(?<![\w:.])(?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)+")


def with_whole_paths(root: Node) -> None:
    """A `Rewrite`: paths in full, without the imports that only shortened them, and none twice."""
    inner = list(inner_nodes(root))
    members = {id(item) for node in inner if node.kind in _OWNERS for item in node.children[-1].children}
    declared = {
        name.text or ""
        for node in inner
        if _DECLARES.search(node.kind)
        and id(node) not in members
        and (name := node.child("alias") or node.child("name")) is not None
        and not (node.kind == "extern_crate_declaration" and node.child("alias") is None and name.text in _LIBRARY)
    }
    imports = [node for node in inner if node.kind == "import_item"]
    declared |= _LIBRARY & {item.children[-1].text for item in imports}
    if declared.isdisjoint(_LIBRARY):
        _name_library(imports)
    _without_repeated(root)
    if declared & _LIBRARY:
        return
    writer = _PathWriter(declared, bound_names(root), has_stars=_has_stars(root))
    writer.write(root)
    _name_results(root, declared)
    if not writer.written:
        return
    said = {word for node in every_node(root) for word in _said(node)}
    for holder in inner_nodes(root):
        holder.children = [child for child in holder.children if not _may_go(child, said, writer)]


def _name_library(imports: Iterable[Node]) -> None:
    """`std::fmt` for `core::fmt` and `alloc::fmt`, of which it is made."""
    for item in imports:
        visible, _, module = (item.children[0].text or "").rpartition(" ")
        if _PARTS.match(f"{module}{item.children[1].text}"):
            item.children[0].text = f"{visible} std::{module.partition('::')[2]}"


def _name_results(root: Node, declared: set[str]) -> None:
    """`std::io::Result<T>` for `Result<T, std::io::Error>`, if that is the library's `Result`."""
    is_library_s = "Result" not in declared
    found: list[Node] = []
    for node in inner_nodes(root):
        if node.kind == "import_item":
            is_library_s = is_library_s and node.children[1].text != "*"  # which may be a `Result` of another module
        elif node.kind == "use_declaration":
            is_library_s = False  # what stands before an import may keep it from being one
        elif node.kind == "generic_type":
            parts = [part.text for part in node.children[-1].children[2:]]
            found += [node] if parts == [",", "std::io::Error", ">"] else []
    for node in found:
        kind = node.children[0]
        if kind.text == "std::result::Result" or (kind.text == "Result" and is_library_s):
            node.children[0] = leaf_like(kind, "path", "std::io::Result")
            del node.children[-1].children[2:4]


def bound_names(root: Node) -> set[str]:
    """The names of variables."""
    patterns = [
        child
        for node in inner_nodes(root)
        for child in node.children
        if (node.kind in _PATTERNS and child.field == "pattern")
        or node.kind == "closure_parameters"
        or child.kind == "match_pattern"
    ]
    leaves = (leaf for pattern in patterns for leaf in every_node(pattern) if leaf.field not in ("type", "path"))
    return {leaf.text or "" for leaf in leaves if leaf.text is not None}


def _has_stars(root: Node) -> bool:
    """Whether a module of another file may give this one any name."""
    inner = {id(item) for module in inner_nodes(root) if module.kind == "mod_item" for item in every_node(module)}
    stars = (item for item in every_node(root) if item.kind == "import_item" and item.children[1].text == "*")
    return any(
        _root_of(item) not in _LIBRARY
        and not (id(item) in inner and (item.children[0].text or "").endswith(" super::"))
        for item in stars
    )


def _root_of(item: Node) -> str:
    return next(iter(_WORD.findall((item.children[0].text or "").rpartition(" ")[2])), item.children[1].text or "")


def _meaning(item: Node) -> list[tuple[str, str]]:
    module, name = (item.children[0].text or "").rpartition(" ")[2], item.children[1].text or ""
    module = module.removeprefix("::") if _root_of(item) in _LIBRARY else module
    if name == "self":
        whole = module.removesuffix("::")
        return [(whole.rpartition("::")[2], whole)]
    is_named = item.children[-1].kind == "identifier" and not module.startswith("::")
    return [(item.children[-1].text or "", f"{module}{name}")] if is_named else []


def _without_repeated(root: Node) -> None:
    """Without an import in a function that its module has as well, or in a module that has all of one that does."""
    inner = {name for node in inner_nodes(root) if node.kind == "block" for name in _names_in(node)}
    stack = [(root, frozenset[str](), True)]
    while stack:
        node, known, is_module = stack.pop()
        own = [_spelled(child) for child in node.children if child.kind == "import_item"]
        if is_module:
            absolute = frozenset(spelled for spelled in known if spelled.startswith(_ABSOLUTE))
            known = absolute if " super:: *" in own else frozenset()
        if own and (is_module or not any(spelled.endswith(" *") for spelled in own)):
            node.children = [
                child for child in node.children if child.kind != "import_item" or _spelled(child) not in known
            ]
        elif own:
            known = frozenset()  # what all of another one gives may hide what the module has
        if is_module:  # but for what a block may find in another place
            items = (child for child in node.children if child.kind == "import_item" and _root_of(child) not in inner)
            known = known.union(map(_spelled, items))
        for child in node.children:
            if child.children:
                stack.append((child, known, node.kind == "mod_item" and child.field == "body"))


def _names_in(block: Node) -> Iterator[str]:
    """What a block itself calls by a name."""
    for child in block.children:
        name = child.children[-1] if child.kind == "import_item" else child.child("name")
        if name is not None and (child.kind == "import_item" or _DECLARES.search(child.kind)):
            yield name.text or ""


_ABSOLUTE = (" std::", " core::", " alloc::", " crate::")


def _spelled(item: Node) -> str:
    words = [child.text or "" for child in item.children]
    return " ".join(words[:2] if words[1] == words[2] or words[1] == "*" else words)


class _PathWriter:
    """Writes paths out. `written` are the imported names that were, `types` those of types, as their uses tell."""

    def __init__(self, declared: set[str], bound: set[str], *, has_stars: bool) -> None:
        self._declared, self._bound, self._has_stars = declared, bound, has_stars
        self.written: set[str] = set()
        self.types: set[str] = set()

    def write(self, root: Node) -> None:
        """Write out the paths of a file."""
        stack: list[tuple[Node, Mapping[str, str]]] = [(root, {})]
        while stack:
            node, known = stack.pop()
            if node.kind in _CLOSED:
                continue
            imports = [child for child in node.children if child.kind == "import_item"]
            if node.kind == "mod_item" or any(item.children[1].text == "*" for item in imports):
                known = {}
            if imports:
                known = {**known, **self._sure(imports)}
            for index, child in enumerate(node.children):
                written = self._written(node, child, known)
                if written is not None:
                    node.children[index] = written
                elif child.children:
                    stack.append((child, known))

    def _sure(self, imports: list[Node]) -> Mapping[str, str]:
        """What names stand for that are imported, if nothing else may be called so."""
        meanings = dict(meaning for item in imports for meaning in _meaning(item))
        return {name: path for name, path in meanings.items() if self._is_sure(name, path)}

    def _is_sure(self, name: str, path: str) -> bool:
        is_plain = path.partition("::")[0] in _ROOTS or not self._has_stars
        return is_plain and name not in self._declared

    def _written(self, parent: Node, child: Node, known: Mapping[str, str]) -> Node | None:
        """A path in full; None if the node is none."""
        if child.kind in _SCOPED:
            segments = _segments(child)
            return self._path(child, segments, known) if segments else None
        if parent.kind == "matches" and child.text is not None:
            text = _IN_TEXT.sub(lambda path: self._path(child, path[0].split("::"), known).text or "", child.text)
            return leaf_like(child, child.kind, text)
        if child.text is None or child.text not in known or not self._is_item(parent, child, known[child.text]):
            return None
        self.written.add(child.text)
        return leaf_like(child, "path", known[child.text])

    def _is_item(self, parent: Node, leaf: Node, path: str) -> bool:
        """Whether a name alone is no variable, and not what is declared here."""
        if leaf.kind == "identifier" and _is_variant(path) and leaf.text not in self._bound:
            return leaf.field not in ("name", "pattern", "macro") and parent.kind not in _PATTERNS
        if leaf.kind == "type_identifier":
            return leaf.field != "name" or parent.kind == "struct_expression"
        is_called = leaf.kind == "identifier" and leaf.field == "function" and leaf.text not in self._bound
        return is_called and parent.kind in ("call_expression", "generic_function")

    def _path(self, node: Node, segments: list[str], known: Mapping[str, str]) -> Node:
        first, *rest = segments
        if first in known:
            self.written.add(first)
            self.types |= {first} if len(rest) == 1 and first[:1].isupper() and rest[0][:1].isupper() else set()
            return leaf_like(node, "path", "::".join((known[first], *rest)))
        if _PARTS.match("::".join(segments)):
            return leaf_like(node, "path", "::".join(("std", *rest)))
        if not first:
            is_free = rest[0] in _LIBRARY or (rest[0] not in self._declared and not self._has_stars)
            if is_free and known.get(rest[0], rest[0]) == rest[0]:
                return self._path(node, rest, known)
            return leaf_like(node, "path", "::".join(segments))
        return leaf_like(node, "path", "::".join(("here", *segments) if first in self._declared else segments))


def _segments(node: Node) -> list[str]:
    """The names of a path, the first one empty if it begins with `::`; none if it is made of more."""
    parts: list[str] = []
    while node.kind in _SCOPED:
        path = node.child("path")
        parts.append(spelling(node.children[-1]))
        if path is None:
            return ["", *reversed(parts)]
        node = path
    return [node.text, *reversed(parts)] if node.text is not None and node.kind != "metavariable" else []


def _said(node: Node) -> list[str]:
    is_named = node.kind not in ("path", "imported", "module", "field_identifier") and not node.binds
    text = node.text or ""
    if node.kind in ("asked", "pattern"):
        text = _IN_TEXT.sub(lambda path: "" if path[0].partition("::")[0] in _ROOTS else path[0], text)
    return _WORD.findall(text) if is_named else []


def _is_variant(path: str) -> bool:
    """Whether what is imported is a variant of an enumeration: no type has anything else that is."""
    return all(name[:1].isupper() for name in path.split("::")[-2:]) and "::" in path


def _may_go(item: Node, said: set[str], writer: _PathWriter) -> bool:
    """Whether an import has only shortened paths that are written out now."""
    if item.kind != "import_item" or (item.children[0].text or "").startswith("pub"):
        return False
    meaning = _meaning(item)
    name, path = meaning[0] if meaning else ("", "")
    last = path.rpartition("::")[2]
    is_type = (last in _TYPES and path.partition("::")[0] in _LIBRARY) or path in _TYPES_BY_PATH
    is_type = is_type or _is_variant(path) or name in writer.types
    return name in writer.written and name not in said and (is_type or last[:1].islower())
