"""Which earlier work is near an intent, and how two rankings become one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.intents.recall import fuse, on_same_files
from intentls.core.intents.recent_work import ScopeFolders
from intentls.core.intents.scope import Scope


def test_what_two_rankings_name_comes_before_what_one_names() -> None:
    """Ties go to the ranking that comes first; a repetition counts once."""
    assert fuse([["a", "b", "c"], ["c", "a"]]) == ["a", "c", "b"]
    assert fuse([["a", "b"], ["c", "d"]]) == ["a", "c", "b", "d"]
    assert fuse([["a", "a", "b"], []]) == ["a", "b"]
    assert fuse([]) == []


@given(st.lists(st.lists(st.integers(0, 20), unique=True), max_size=3))
def test_nothing_is_lost_or_doubled(rankings: list[list[int]]) -> None:
    """And one ranking alone keeps its order."""
    fused = fuse(rankings)
    assert sorted(fused) == sorted({item for ranking in rankings for item in ranking})
    assert fuse(rankings[:1]) == (rankings[0] if rankings else [])


@pytest.mark.parametrize(
    ("path", "is_near"),
    [
        ("src/api/a.py", True),
        ("src/api/generated/a.py", False),
        ("docs/other.md", True),
        ("docs/deep/other.md", False),
        ("README.md", True),
        ("setup.py", False),
        ("lib/x.py", False),
    ],
)
def test_the_folder_of_a_file_that_the_scope_names_is_near(path: str, is_near: bool) -> None:
    """In scope, or beside such a file; the root's own folder is no neighbourhood."""
    scope = Scope.parse(["src/api/**", "!src/api/generated/**", "docs/design.md", "README.md", "lib/*.c"])
    assert ScopeFolders.of(scope).contain(path) is is_near


def test_work_on_the_files_of_the_best_comes_first() -> None:
    """As the example says: a file that many of the best touched counts more, and what shares none is left out."""
    paths = {number: {"b"} for number in range(10)} | {0: {"a"}, 10: {"a"}, 11: {"c"}}
    assert on_same_files(range(12), paths) == [*range(1, 10), 0, 10]


def test_a_file_that_everybody_touches_says_little() -> None:
    """The first two share `hot` with all, and `rare` with the last alone: that one comes before the others."""
    paths = {number: {"hot"} for number in range(30)} | {0: {"hot", "rare"}, 1: {"rare"}, 2: {"rare"}, 30: {"rare"}}
    assert on_same_files(range(31), paths)[:4] == [0, 1, 2, 30]


def test_work_without_files_is_left_out() -> None:
    """So is everything where the best have none."""
    assert on_same_files(["a", "b"], {"a": (), "b": ("x",)}) == ["b"]
    assert on_same_files([], {}) == []
