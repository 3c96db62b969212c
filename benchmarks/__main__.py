"""Measure intentls beside what people would use instead, and say which targets are met.

    python -m benchmarks                       # every row: results.json, docs/internals/performance.md, docs/images/
    python -m benchmarks append decision       # only these; the other rows' figures stay as they are
    python -m benchmarks --missing             # only those that have no figures yet
    python -m benchmarks --quick               # small sizes, few rounds: do the benchmarks work? nothing is kept

Ours and the peer are measured one right after the other on the same data, and the median of the pairs' ratios counts. A
missed target is shown and is no error; the exit code is 1 if a row could not be measured although nothing was missing.
A row that fails or takes too long says so, and the next one is measured; figures and table are kept after each.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import page
from benchmarks.figures import Figure, amount, digits, figures, is_met, judged
from benchmarks.results import FILE, Outcome, Results
from benchmarks.rows import Row, Scale, Skipped
from benchmarks.table import ROWS

MOST_S = 900
"""Of one row. None takes as long on a quiet machine; one that hangs must not cost the others."""
MIN_ROUNDS = 5
"""Of each size: fewer have no middle half."""
WIDTH = 150
"""Columns where nobody says how many there are: in a log."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, show, keep. The exit code."""
    wanted = parsed(arguments)
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    found: dict[str, Outcome] = {}
    results = Results.load(wanted.results)
    rows = [row for row in ROWS if not wanted.rows or row.key in wanted.rows]
    if wanted.missing:
        rows = [row for row in rows if row.key not in results.rows or not results.rows[row.key].figures]
    for number, row in enumerate(rows, 1):
        found[row.key] = measured(row, wanted.quick, console, f"[{number}/{len(rows)}] {row.key}")
        console.print(f"{row.key}: {in_short(row, found[row.key])}", highlight=False, markup=False)
        if not wanted.quick:  # at once: whoever gives up after a while keeps what was measured
            results = results.updated(found)
            results.save(wanted.results)
            if wanted.results == FILE:
                page.write(results)
    console.print(table(rows, found))
    if wanted.quick:
        console.print("A quick run: at these sizes the figures say nothing about the targets.")
    elif wanted.results == FILE:
        draw(results, console)
    return 1 if any(outcome.failed for outcome in found.values()) else 0


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    keys = [row.key for row in ROWS]
    parser.add_argument("rows", nargs="*", metavar="ROW", help="one or more of: " + ", ".join(keys))
    parser.add_argument("--missing", action="store_true", help="only those of them that have no figures yet")
    parser.add_argument("--quick", action="store_true", help="small sizes, few rounds; keeps nothing")
    parser.add_argument("--results", type=Path, default=FILE, help="where the figures are kept (default: %(default)s)")
    wanted = parser.parse_args(arguments)
    unknown = sorted(set(wanted.rows) - set(keys))
    if unknown:
        parser.error(f"no such row: {', '.join(unknown)} (there are {', '.join(keys)})")
    return wanted


def measured(row: Row, quick: bool, console: Console, title: str) -> Outcome:
    """One row, in a folder of its own."""
    start = time.monotonic()
    if not console.is_terminal:
        console.print(f"{title} ...", highlight=False, markup=False)
    with (
        console.status(title) as status,
        tempfile.TemporaryDirectory(prefix="intentls-bench-", ignore_cleanup_errors=True) as folder,
    ):
        scale = Scale(quick, Path(folder).resolve(), lambda line: status.update(f"{title}: {line}"))
        try:
            with limited(MOST_S):
                outcome = Outcome(figures(row, row.run(scale), 1 if quick else MIN_ROUNDS))
        except Skipped as why:
            outcome = Outcome(skipped=str(why))
        except Exception as error:  # noqa: BLE001  one row in trouble must not hide the others
            console.print(traceback.format_exc(), highlight=False, markup=False)
            outcome = Outcome(failed=f"{type(error).__name__}: {error}")
    return Outcome(outcome.figures, outcome.skipped, outcome.failed, round(time.monotonic() - start, 1)).stamped()


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in what takes longer. Only in the main thread, and where the system has alarms."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"it took longer than {seconds:g} seconds")

    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGALRM, stop)
    before = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *before)
        signal.signal(signal.SIGALRM, handler)


def table(rows: Sequence[Row], found: dict[str, Outcome]) -> Table:
    """All of it, for a terminal."""
    shown = Table("what", "ours", "peer", "ratio", "target", "met")
    for row in rows:
        outcome = found[row.key]
        if not outcome.figures:
            shown.add_row(row.what, "", "", in_short(row, outcome), row.target, "")
            continue
        figure = judged(row, outcome.figures)
        costs = amount(figure.ours, row.unit), amount(figure.peer, row.unit)
        met = "yes" if is_met(row, outcome.figures) else "[bold red]no[/]"
        sides = f"{row.ours}: {costs[0]}", f"{row.peer}: {costs[1]}"
        shown.add_row(row.what, *sides, spread(figure), row.target, met)
    return shown


def in_short(row: Row, outcome: Outcome) -> str:
    """One line about what became of a row."""
    if outcome.skipped or outcome.failed:
        return f"skipped: {outcome.skipped}" if outcome.skipped else f"failed: {outcome.failed}"
    met = "met" if is_met(row, outcome.figures) else "missed"
    return f"{spread(judged(row, outcome.figures))}, target {row.target}: {met} ({outcome.seconds:.0f} s)"


def spread(figure: Figure) -> str:
    """The ratio with the middle half of its rounds."""
    return f"{digits(figure.ratio)} ({digits(figure.low)} to {digits(figure.high)})"


def draw(results: Results, console: Console) -> None:
    """The plots, and the page that shows them. Without matplotlib they stay as they are, which is said."""
    try:
        from benchmarks import plots
    except ModuleNotFoundError as missing:
        console.print(
            f"docs/images/ is as it was: there is no {missing.name} here (pip install '.[bench]')", markup=False
        )
    else:
        plots.draw(results)
        page.write(results)


if __name__ == "__main__":
    sys.exit(main())
