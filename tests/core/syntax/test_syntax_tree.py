"""The trees that are kept, and the nodes of some kinds in them."""

from __future__ import annotations

from intentls.core.syntax.canonicalize import syntax_tree
from intentls.core.syntax.languages.python.adapter import PYTHON
from intentls.core.syntax.node_query import nodes_of


def test_a_small_content_is_parsed_once_and_a_large_one_is_not_kept() -> None:
    small, large = b"x = 1\n", b"x = 1\n" * 12_000
    assert syntax_tree(small, PYTHON.module, PYTHON.function) is syntax_tree(small, PYTHON.module, PYTHON.function)
    first, second = (syntax_tree(large, PYTHON.module, PYTHON.function) for _ in range(2))
    assert first is not None and second is not None
    assert first is not second
    assert first.root_node.child_count == second.root_node.child_count == 12_000


def test_the_nodes_of_some_kinds_are_found_by_kind() -> None:
    tree = syntax_tree(b"f(1, 2)", PYTHON.module, PYTHON.function)
    assert tree is not None
    nodes = nodes_of(tree, frozenset({"integer", "float", "no_such_kind"}))
    assert {kind: [node.text for node in found] for kind, found in nodes.items()} == {"integer": [b"1", b"2"]}
