"""TypeScript and TSX: JavaScript with types, of which some mean nothing to anybody."""

from __future__ import annotations

from msgspec.structs import replace

from intentls.core.syntax.languages.branches import REASON as BRANCHED
from intentls.core.syntax.languages.javascript.adapter import JAVASCRIPT
from intentls.core.syntax.languages.javascript.choices import chosen, chosen_typed
from intentls.core.syntax.languages.javascript.forms import REASON as MODERNIZED
from intentls.core.syntax.languages.javascript.signatures import with_signatures_apart
from intentls.core.syntax.languages.javascript.type_forms import same_types
from intentls.core.syntax.languages.javascript.typescript_types import LABELS, without_labels, without_types
from intentls.core.syntax.languages.javascript.typescript_types import REASON as SEEN
from intentls.core.syntax.tree import Node, every_node, inner_nodes

TYPES = "type-only imports"


def typed_imports(root: Node) -> None:
    """A `Rewrite`: an import whose name stands only for a type is one of a type, which leaves nothing behind.

    Not beside decorators, which may be given the types. What both sides have word for word is not walked: if a name
    stood for a value there, the side that imports it as a type would not compile.
    """
    values: set[str] = set()
    for node in every_node(root):
        if node.kind == "decorator":  # if there is one in what is not walked, the whole trees show it
            return
        if node.text is not None and not node.binds and node.kind not in ("type_identifier", "imported"):
            values.add(node.text)
    for node in inner_nodes(root):
        is_typed = any(child.kind in ("type", "typeof") for child in node.children)
        if node.kind == "import_item" and not is_typed and node.children[-1].text not in values:
            node.children.insert(1, Node("type", None, node.row, "type"))


TYPESCRIPT = replace(
    JAVASCRIPT,
    name="TypeScript",
    typed=None,
    module="tree_sitter_typescript",
    function="language_typescript",
    repaired=with_signatures_apart,
    rewrites=(
        *((MODERNIZED, same_types), (LABELS, without_labels), (SEEN, without_types), (TYPES, typed_imports)),
        *((BRANCHED, chosen_typed) if step == (BRANCHED, chosen) else step for step in JAVASCRIPT.rewrites[2:]),
    ),
)
TSX = replace(TYPESCRIPT, name="TSX", function="language_tsx")
