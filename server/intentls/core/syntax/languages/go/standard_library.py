"""Go's standard library: what is another name of the same, and packages that do nothing when they are imported."""

from __future__ import annotations

from collections import Counter

from intentls.core.syntax.languages.adapter import bound_name, import_item, kinds
from intentls.core.syntax.tree import Node, every_node, inner_nodes

_IOUTIL = "io/ioutil"
# "As of Go 1.16, this function simply calls ..." Not `ReadDir`, which gives something else.
_SUCCESSORS = {
    **dict.fromkeys(("ReadAll", "NopCloser", "Discard"), "io"),
    **dict.fromkeys(("ReadFile", "WriteFile", "TempFile", "TempDir"), "os"),
}
_RENAMED = {"TempFile": "CreateTemp", "TempDir": "MkdirTemp"}
# Packages that register nothing, and set nothing up that another package could miss.
QUIET = kinds(
    "bufio bytes cmp context crypto/subtle encoding/base64 encoding/binary encoding/hex encoding/json errors fmt io"
    " io/fs io/ioutil iter maps math math/bits os path path/filepath reflect regexp runtime slices sort strconv strings"
    " sync sync/atomic text/tabwriter unicode unicode/utf16 unicode/utf8"
)


def without_ioutil(root: Node) -> None:
    """A `Rewrite`: `os.ReadFile` for `ioutil.ReadFile`, and `io` or `os` among the imports for what is then unused."""
    bound = Counter(leaf.text for leaf in every_node(root) if leaf.binds)
    items = [child for child in root.children if child.kind == "import_item"]
    imported = {item.children[-1].text: item.children[0].text for item in items}
    names = [name for name, path in imported.items() if path == _IOUTIL and bound[name] == 1]
    if len(names) != 1 or any(bound[name] != int(imported.get(name) == name) for name in ("io", "os")):
        return
    old = next(item for item in items if item.children[0].text == _IOUTIL)
    for node in list(inner_nodes(root)):
        if node.kind == "selector_expression" and node.children[0].text == names[0]:
            owner, _, member = node.children
            package = _SUCCESSORS.get(member.text or "")
            if package is not None:
                owner.text = member.origin = package
                member.text = _RENAMED.get(member.text or "", member.text)
                if package not in imported:
                    imported[package] = package
                    root.children.insert(root.children.index(old), _import(old, package))
    if not any(leaf.text == names[0] for leaf in every_node(root) if not leaf.binds):
        root.children.remove(old)


def _import(item: Node, path: str) -> Node:
    return import_item(item, path, bound_name(item, path, path))
