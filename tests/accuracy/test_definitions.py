"""The rewrites by which definitions are measured keep the truth: on two tiny files, without network."""

from __future__ import annotations

from pathlib import Path

import pytest
from accuracy.definition_histories import Told, told
from accuracy.definitions import Score, blamed, score
from accuracy.rewriting import Rewriter

from accuracy import definitions

FUNCTION = """\
def {name}(text, limit):
    parts = text.split("{name}")
    found = [part.strip() for part in parts if part][:limit]
    return tuple(sorted(found, key={name}_key))


"""
BEFORE = {
    f"{file}.py": "".join(FUNCTION.format(name=f"{file}_{n}") for n in range(8)).encode()
    for file in ("first", "second")
}
STRANGERS = {
    "third.py": "".join(FUNCTION.format(name=f"third_{n}").replace("sorted", "set") for n in range(4)).encode()
}


def test_what_moved_has_the_same_text_where_the_truth_says_it_is() -> None:
    """And some of it did move, to the other file too."""
    rewriter = Rewriter(BEFORE, 1)
    rewriter.move(0.5)
    done = rewriter.result()
    new = {place: done.new[truth] for place, truth in done.truth.items() if truth is not None}
    assert len(new) == len(done.old) == 16
    assert all(done.old[place].definition.name == one.definition.name for place, one in new.items())
    assert any(done.old[place].path != one.path for place, one in new.items())
    assert done.special
    found = score(done, told(BEFORE, done))
    assert (found.total, found.wrong) == (16, 0)
    assert found.right >= 13, "a few may be lost or told as new: all have one shape, and little is left of some"


def test_names_change_everywhere_and_statements_come_and_go() -> None:
    """The truth goes by lines, and does not ask how."""
    rewriter = Rewriter(BEFORE, 2)
    rewriter.rename(0.4)
    rewriter.edit(0.3)
    done = rewriter.result()
    names = [(done.old[i].definition.name, done.new[j].definition.name) for i, j in done.truth.items() if j is not None]
    assert len(names) == 16
    assert 0 < sum(one != other for one, other in names) < 16
    found = score(done, told(BEFORE, done))
    assert (found.total, found.wrong) == (16, 0)
    assert found.right >= 13, "a few may be lost or told as new: all have one shape, and little is left of some"
    assert done.contents != BEFORE


def test_what_is_deleted_is_nowhere() -> None:
    """Although strangers came, some to its place."""
    rewriter = Rewriter(BEFORE, 3)
    rewriter.delete(0.4, STRANGERS)
    done = rewriter.result()
    gone = [place for place, truth in done.truth.items() if truth is None]
    assert 0 < len(gone) < 16
    assert any("third" in one.definition.name for one in done.new if one.path != "third.py")
    found = score(done, Told(dict.fromkeys(gone, 0)))
    assert (found.deleted, found.attached, found.total) == (len(gone), len(gone), 16 - len(gone))
    assert (found.row()["deleted_attached"], found.row()["found"]) == (1.0, 0.0)


def test_nothing_of_the_same_name_comes_in_the_place_of_what_is_deleted() -> None:
    """It would be the same definition with another body."""
    program = FUNCTION.format(name="main").encode()
    for name, comes in (("main", False), ("start", True)):
        stranger = program.replace(b"main", name.encode()).replace(b"sorted", b"set")
        rewriter = Rewriter({"first.py": program}, 3)
        rewriter.delete(1.0, {"third.py": stranger})
        assert (b"set(" in rewriter.result().contents["first.py"]) is comes


def test_a_formatters_result_is_matched_by_order(tmp_path: Path) -> None:
    """A file in which it left another number of definitions is taken as it was."""

    def formatter(contents: dict[str, bytes]) -> dict[str, bytes]:
        return {
            "first.py": contents["first.py"].replace(
                b"def first_0(text, limit)", b"def first_0(\n    text,\n    limit\n)"
            ),
            "second.py": b"x = 1\n",
        }

    done = Rewriter(BEFORE, 4).result(formatter)
    assert b"(\n    text" in done.contents["first.py"]
    assert done.contents["second.py"] == BEFORE["second.py"]
    assert all(place == truth for place, truth in done.truth.items())


def test_a_history_that_begins_with_the_rewrite_calls_its_definition_new() -> None:
    """Which is wrong: it was written before."""
    rewriter = Rewriter(BEFORE, 1)
    done = rewriter.result(lambda contents: {"first.py": contents["first.py"].replace(b"first_0", b"x")})
    place = next(i for i, one in enumerate(done.old) if one.definition.name == "first_0")
    assert score(done, Told({}, {done.truth[place]})).new == 1


def test_git_is_asked_by_the_majority_of_lines(tmp_path: Path) -> None:
    """What did not change is where it was."""
    done = Rewriter(BEFORE, 5).result(lambda contents: {"first.py": contents["first.py"] + b"x = 1\n"})
    assert score(done, blamed(BEFORE, done, tmp_path)).right == 16


def test_the_table_is_written_between_its_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text around it stays."""
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- measured -->\nold\n<!-- end -->\nafter\n")
    monkeypatch.setattr(definitions, "PAGE", page)
    row = Score(total=4, right=3, wrong=1, deleted=2, attached=1).row()
    definitions.write_table({"rewrites": {"deleted": {"ours": row, "git": row}}})
    text = page.read_text()
    assert text.startswith("before\n<!-- measured -->\n")
    assert text.endswith("<!-- end -->\nafter\n")
    assert "old" not in text
    assert "| deleted | 4 | 0.750 | 0.2500 | 0.0000 | 0.750 | 0.2500 |" in text
