"""Two snapshots of a tree tell whether a step changed it."""

from __future__ import annotations

from intentls.core.syntax.tree import Node, snapshot


def _nested(depth: int) -> Node:
    root = node = Node("block", None, 0)
    for _ in range(depth):
        node.children = [Node("block", None, 0)]
        node = node.children[0]
    node.text = "x"
    return root


def test_a_snapshot_is_the_same_until_something_changes_however_deep_the_tree_is() -> None:
    for depth in (1, 100, 20_000):
        root = _nested(depth)
        first = snapshot(root)
        assert snapshot(root) == first
        node = root
        while node.children:
            node = node.children[0]
        node.text = "y"
        assert snapshot(root) != first
