"""Shares come with how uncertain they are."""

from __future__ import annotations

import pytest
from accuracy.scores import Confusion, Share


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(45, 45, 0.9213, 1.0), (0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (63, 65, 0.8946, 0.9915)],
)
def test_the_interval_is_wilsons(hits: int, of: int, low: float, high: float) -> None:
    """Values as tables of the score interval give them."""
    assert Share(hits, of).interval() == pytest.approx((low, high), abs=2e-4)


def test_a_share_of_nothing_is_unknown() -> None:
    """Not 0 and not 1: a class that was never called has no precision."""
    assert (Share(0, 0).value, Share(0, 0).interval()) == (None, (0.0, 1.0))


def test_precision_is_of_what_was_called_and_recall_of_what_is() -> None:
    """Three documentations, of which two were seen; two called so, both rightly."""
    found = Confusion([("doc", "doc"), ("doc", "doc"), ("doc", "other"), ("other", "other")])
    assert (found.precision("doc"), found.recall("doc")) == (Share(2, 2), Share(2, 3))
    assert (found.precision("other"), found.recall("other")) == (Share(1, 2), Share(1, 1))
    assert found.as_json()["matrix"] == {"doc": {"doc": 2, "other": 1}, "other": {"other": 1}}
    assert Confusion.of(found.matrix()).as_json() == found.as_json()
