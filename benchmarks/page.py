"""The table in docs/internals/performance.md, from the results: only what lies between two markers is replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.figures import amount, digits, is_met, judged
from benchmarks.results import ROOT, Outcome, Results
from benchmarks.rows import Row
from benchmarks.table import ROWS

PAGE = ROOT / "docs" / "internals" / "performance.md"
PLOTS = ROOT / "docs" / "images"
START, END = "<!-- made by `make bench`: results -->", "<!-- end of results -->"
NOT_MEASURED = Outcome(skipped="not measured yet")


def write(results: Results, page: Path = PAGE) -> None:
    """Put the results into the page. ValueError if it has no place for them."""
    text = page.read_text(encoding="utf-8")
    page.write_text(replaced(text, "\n".join(lines(results)).rstrip()), encoding="utf-8")


def replaced(text: str, made: str) -> str:
    """`text` with `made` between the markers."""
    before, start, rest = text.partition(START)
    _, end, after = rest.partition(END)
    if not (start and end):
        raise ValueError(f"no {START} ... {END}")
    return f"{before}{start}\n\n{made}\n\n{end}{after}"


def lines(results: Results) -> Iterator[str]:
    """The table, and under it what it was measured on."""
    yield "| what | ours | peer | ratio | middle half | target | met |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for row in ROWS:
        yield "| " + " | ".join(cells(row, results.rows.get(row.key, NOT_MEASURED))) + " |"
    yield ""
    commits = sorted({outcome.commit for outcome in results.rows.values() if outcome.figures})
    dates = sorted(outcome.date for outcome in results.rows.values() if outcome.figures)
    machine = results.machine
    if commits:
        span = dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"
        yield f"Measured {span} at commit {', '.join(f'`{commit}`' for commit in commits)}, on {machine['processor']},"
        yield f"{machine['processors']} processors, {machine['memory']}, {machine['system']}, with"
        yield ", ".join(f"{name} {version}" for name, version in results.versions.items()) + "."
    for row in ROWS:
        if (PLOTS / file_name(row)).is_file():  # without matplotlib there may be none
            yield ""
            yield f"![{row.what}: cost against the number of {row.sizes}](../images/{file_name(row)})"


def file_name(row: Row) -> str:
    """The row's picture, if it has one, in `docs/images/`."""
    return f"performance-{row.key}.svg"


def cells(row: Row, outcome: Outcome) -> Sequence[str]:
    """One line of the table."""
    if not outcome.figures:
        why = f"skipped: {outcome.skipped}" if outcome.skipped else f"failed: {outcome.failed}"
        return [row.what, row.ours, row.peer, why.replace("|", "/"), "", row.target, ""]
    figure = judged(row, outcome.figures)
    return [
        row.what,
        f"{row.ours}: {amount(figure.ours, row.unit)}",
        f"{row.peer}: {amount(figure.peer, row.unit)}",
        digits(figure.ratio),
        f"{digits(figure.low)} to {digits(figure.high)}",
        row.target,
        "yes" if is_met(row, outcome.figures) else "**no**",
    ]
