"""Two trees of a file of Rust, without what went to other modules or came from them, under the imports of today."""

from __future__ import annotations

from msgspec import Struct

from intentls.core.mutation.names.rust_modules import RustItem, RustScope, place_of, scopes_in
from intentls.core.mutation.names.tree_names import content_with
from intentls.core.syntax.tree import Node, copy_with


class SettledModule(Struct, frozen=True):
    """What has to be done to the two trees of one file: what went or came, by content, and whose imports mean the same.

    `modules` are those in the file, by the names down to them, in which that is so.
    """

    gone: frozenset[str]
    came: frozenset[str]
    modules: frozenset[tuple[str, ...]]
    reasons: tuple[str, ...]
    path: str

    def shed(self, old: Node, new: Node) -> tuple[str, ...]:
        """Take it out of the two trees, and give both the imports of the new one; the reasons."""
        trees = [{scope.place[1:]: scope for scope in scopes_in(root, self.path)} for root in (old, new)]
        place = place_of(self.path) or ()
        found = [[scopes.get((*place[1:], *names)) for scopes in trees] for names in self.modules]
        pairs = [(before, after) for before, after in found if before is not None and after is not None]
        if not self.gone | self.came and all(_spelled(before) == _spelled(after) for before, after in pairs):
            return ()
        for before, after in pairs:
            imports = [part for use in after.uses for part in use.parts]
            for scope, contents in ((before, self.gone), (after, self.came)):
                out = {id(part) for use in scope.uses for part in use.parts}
                out |= {id(part) for item in scope.items for part in item.parts if content_of(item) in contents}
                kept = [child for child in scope.holder.children if id(child) not in out]
                start = 1 if kept and kept[0].text == "{" else 0
                kept[start:start] = [copy_with(part, {}) for part in imports]
                scope.holder.children = kept
        return self.reasons


def _spelled(scope: RustScope) -> list[str]:
    return sorted(content_with(part, {}) for use in scope.uses for part in use.parts)


def content_of(item: RustItem) -> str:
    """What an item says, whoever sees it, with the attributes that are no conditions."""
    kept = [child for child in item.node.children if child.kind != "visibility_modifier"]
    seen = item.visible if item.is_module else ""
    node = Node(item.node.kind, None, 0, children=kept)
    return "\n".join((*item.marks, seen, content_with(node, {})))
