"""The benchmarks work, and the page that shows them shows all of them. Their figures are nobody's test."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from benchmarks import __main__ as runner
from benchmarks import node
from benchmarks.figures import amount, figures, is_met
from benchmarks.page import PAGE, cells, lines, replaced
from benchmarks.results import Outcome, Results, machine
from benchmarks.rows import Pair, Row, Scale, Skipped
from benchmarks.table import ROWS
from rich.console import Console


def row_of(
    *pairs: Pair, key: str = "some", better: Literal["lower", "higher"] = "lower", limit: float = 1.0, at: int = 0
) -> Row:
    """A row whose run yields these pairs."""

    def run(scale: Scale) -> Iterator[Pair]:
        yield from pairs

    return Row(
        key=key,
        what=f"{key} thing",
        ours="ours",
        peer="peer",
        target="a target",
        limit=limit,
        run=run,
        better=better,
        at=at,
    )


def outcome_of(row: Row) -> Outcome:
    return runner.measured(row, True, Console(file=io.StringIO()), row.key)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.key)
def test_every_row_can_be_measured(row: Row) -> None:
    """At the smallest size each row finds costs that are finite and above nothing, or says what is missing here."""
    outcome = outcome_of(row)
    if outcome.skipped:
        pytest.skip(outcome.skipped)
    assert outcome.failed == ""
    assert all(figure.rounds > 0 and figure.ratio > 0 for figure in outcome.figures)


def test_the_page_shows_every_row_and_no_other() -> None:
    """docs/internals/performance.md has one line for each row, in order, with the target that the row is judged by."""
    made = PAGE.read_text("utf-8").partition("<!-- made by")[2].partition("<!-- end")[0]
    shown = [[cell.strip() for cell in line.split("|")] for line in made.splitlines() if line.startswith("| ")][2:]
    assert [(line[1], line[-3]) for line in shown] == [(row.what, row.target) for row in ROWS]


def test_every_key_is_one_word_of_the_command_line() -> None:
    """Rows are named on the command line: no key twice, no blanks."""
    keys = [row.key for row in ROWS]
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", key) for key in keys)


def test_the_median_of_the_pairs_counts() -> None:
    """One disturbed round moves neither the ratio nor the verdict."""
    pairs = [Pair(1, 2), Pair(1, 2), Pair(90, 2), Pair(2, 4), Pair(3, 6)]
    (figure,) = figures(row_of(), pairs)
    assert (figure.ratio, figure.rounds) == (0.5, 5)
    assert figure.low == 0.5 < figure.high


def test_a_target_speaks_of_one_size() -> None:
    """A row measured at several sizes is judged at the one that its target names."""
    pairs = [Pair(1, 4, 5), Pair(9, 4, 500)]
    assert is_met(row_of(at=5), figures(row_of(), pairs))
    assert not is_met(row_of(at=500), figures(row_of(), pairs))


def test_faster_is_the_peer_by_ours() -> None:
    """ "At least 3 times as fast" wants the peer's cost to be three times ours."""
    row = row_of(better="higher", limit=3)
    assert is_met(row, figures(row, [Pair(1, 3)]))
    assert not is_met(row, figures(row, [Pair(1, 2.9)]))


@pytest.mark.parametrize("pair", [Pair(0, 1), Pair(1, float("nan")), Pair(float("inf"), 1)])
def test_what_is_no_cost_is_no_figure(pair: Pair) -> None:
    """A benchmark that measures nothing fails instead of winning."""
    assert outcome_of(row_of(pair)).failed.startswith("ValueError: not a cost")
    assert outcome_of(row_of()).failed == "ValueError: nothing was measured"


def test_a_row_that_cannot_run_says_why() -> None:
    """What is missing stands in the table, and the other rows are measured."""

    def run(scale: Scale) -> Iterator[Pair]:
        raise Skipped("no npm")

    row = Row(key="a", what="a thing", ours="", peer="", target="<= 1", limit=1, run=run)
    outcome = outcome_of(row)
    assert (outcome.skipped, outcome.failed) == ("no npm", "")
    assert "skipped: no npm" in cells(row, outcome)


def test_without_node_its_rows_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without Node measures what needs none."""
    monkeypatch.setattr(node, "PATH", "")
    decision = next(row for row in ROWS if row.key == "decision")
    assert outcome_of(decision).skipped == "no node"


def test_a_row_in_trouble_fails_the_run_and_hides_no_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code says that something could not be measured; a missed target alone does not."""
    monkeypatch.setattr(runner, "ROWS", (row_of(key="broken"), row_of(*[Pair(5, 1)] * 5, key="slow")))
    kept = tmp_path / "results.json"
    assert runner.main(["--results", str(kept)]) == 1
    assert "slow: 5.00" in capsys.readouterr().out
    assert runner.main(["--results", str(kept), "slow"]) == 0
    results = Results.load(kept)
    assert results.rows["broken"].failed
    assert results.rows["slow"].figures[0].ratio == 5
    with pytest.raises(SystemExit):
        runner.main(["no-such-row"])


def test_figures_of_another_kind_of_machine_are_not_kept() -> None:
    """Another build of its system is the same kind: each row has its peer in the same run."""
    here, outcome = machine(), outcome_of(row_of(*[Pair(5, 1)] * 5))
    for changed, kept in (("system", {"a", "b"}), ("memory", {"b"}), ("processor", {"b"})):
        before = Results({"a": outcome}, here | {changed: "another"}, {})
        assert before.updated({"b": outcome}).rows.keys() == kept


def test_a_run_that_is_given_up_keeps_what_it_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Ctrl-C in the twentieth minute does not cost the first nineteen."""

    def given_up(scale: Scale) -> Iterator[Pair]:
        raise KeyboardInterrupt

    interrupted = Row(key="late", what="a thing", ours="", peer="", target="<= 1", limit=1, run=given_up)
    monkeypatch.setattr(runner, "ROWS", (row_of(*[Pair(1, 2)] * 5), interrupted))
    kept = tmp_path / "results.json"
    with pytest.raises(KeyboardInterrupt):
        runner.main(["--results", str(kept)])
    assert Results.load(kept).rows["some"].figures[0].ratio == 0.5


def test_a_row_that_hangs_is_stopped_and_hides_no_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """So that a run can be left alone."""

    def hang(scale: Scale) -> Iterator[Pair]:
        time.sleep(3600)
        yield Pair(1, 2)

    stuck = Row(key="stuck", what="a thing", ours="", peer="", target="<= 1", limit=1, run=hang)
    monkeypatch.setattr(runner, "ROWS", (stuck, row_of(*[Pair(1, 2)] * 5)))
    monkeypatch.setattr(runner, "MOST_S", 1.0)
    kept = tmp_path / "results.json"
    assert runner.main(["--results", str(kept)]) == 1
    results = Results.load(kept)
    assert results.rows["stuck"].failed == "TimeoutError: it took longer than 1 seconds"
    assert results.rows["some"].figures[0].ratio == 0.5


def test_only_the_rows_without_figures_can_be_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is measured already need not be again."""
    kept = ["--results", str(tmp_path / "results.json")]
    monkeypatch.setattr(runner, "ROWS", (row_of(*[Pair(1, 2)] * 5, key="known"), row_of(key="broken")))
    runner.main([*kept, "known"])
    capsys.readouterr()
    runner.main([*kept, "--missing"])
    shown = capsys.readouterr().out
    assert "[1/1] broken" in shown
    assert "known" not in shown


def test_a_quick_run_keeps_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Figures of small sizes never replace those of a real run."""
    monkeypatch.setattr(runner, "ROWS", (row_of(Pair(1, 1)),))
    assert runner.main(["--quick", "--results", str(tmp_path / "results.json")]) == 0
    assert not any(tmp_path.iterdir())


def test_the_table_replaces_the_table_alone() -> None:
    """Prose around the markers is left as it is; a page without them is not touched."""
    text = PAGE.read_text("utf-8")
    made = "\n".join(lines(Results({}, {}, {}))).rstrip()
    assert replaced(replaced(text, "old"), made) == replaced(text, made)
    assert replaced(text, made).endswith(text.partition("<!-- end of results -->")[2])
    with pytest.raises(ValueError, match="made by"):
        replaced("no markers", made)


def test_amounts_are_written_for_people() -> None:
    """Three digits that count, and a unit."""
    found = [amount(*given) for given in ((1.5, "s"), (0.00123, "s"), (2.5e-7, "s"), (52_300_000, "B"), (3, "calls"))]
    assert found == ["1.50 s", "1.23 ms", "250 ns", "52.3 MB", "3"]
