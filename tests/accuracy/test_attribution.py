"""The town in which blame is measured: real engine, real git, a model of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from accuracy.town import AUTHORS, Town, Verdicts, judged

from accuracy import attribution

TEXT = "".join(f"line_{n} = number({n})\n" if n % 5 else "\n" for n in range(60))
OTHER = "".join(f"other_{n} = word({n})\n" for n in range(30))


def test_lines_that_stand_twice_or_say_little_are_not_measured(tmp_path: Path) -> None:
    """Of them nobody can say whose they are."""
    town = Town(tmp_path / "town")
    ada = frozenset({AUTHORS[0]})
    town.write(AUTHORS[0], "a.py", [("alpha = 1", ada), ("", ada), ("x", ada), ("twice()", ada), ("  twice()", ada)])
    assert town.measured("a.py") == [(1, ada)]
    assert judged(town, "a.py", {1: AUTHORS[0]}) == Verdicts(1, 0, 0)
    assert judged(town, "a.py", {}) == Verdicts(0, 1, 0)
    assert judged(town, "a.py", {1: AUTHORS[1]}) == Verdicts(0, 0, 1)


def test_a_model_that_lost_track_is_noticed(tmp_path: Path) -> None:
    """A file that holds something else than the model says is no measurement."""
    town = Town(tmp_path / "town")
    town.write(AUTHORS[0], "a.py", [("alpha = 1", frozenset({AUTHORS[0]}))])
    (town.root / "a.py").write_text("beta = 2\n")
    with pytest.raises(ValueError, match="lost track"):
        judged(town, "a.py", {})


def test_a_squash_leaves_each_line_to_its_author_and_not_to_who_squashed() -> None:
    """The ledger knows whose a line is; git only who made the commit."""
    ours, gits = attribution.measure("squash", attribution.squash, "python", [TEXT, OTHER])
    assert (ours.nobody, ours.wrong) == (0, 0)
    assert ours.right == gits.wrong > 60
    assert gits.right == 0


def test_a_formatted_line_is_of_whoever_wrote_its_words() -> None:
    """Lines that were joined are of both authors; brackets and commas are nobody's."""
    ada, ben = frozenset({"ada"}), frozenset({"ben"})
    after = "call(first, second)\n[\n    third,\n]\n"
    found = attribution.carried([("call(first,", ada), ("     second)", ben), ("[third]", ada)], after)
    assert [authors for _, authors in found] == [ada | ben, frozenset(), ada, frozenset()]
