"""Cost against size, from the results, as pictures for docs/internals/performance.md."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Picture
from matplotlib.ticker import FuncFormatter, LogLocator

from benchmarks.figures import Figure, scaled
from benchmarks.page import PLOTS, file_name
from benchmarks.results import Outcome, Results
from benchmarks.rows import Row
from benchmarks.table import ROWS

OURS, PEER = "#0b6bcb", "#8a8a8a"
LINE: dict[str, Any] = {"marker": "o", "markersize": 5, "linewidth": 2}


def draw(results: Results, folder: Path = PLOTS) -> None:
    """A picture for each row that was measured at several sizes."""
    folder.mkdir(exist_ok=True)
    for row in ROWS:
        outcome = results.rows.get(row.key, Outcome())
        if row.sizes and len(outcome.figures) > 1:
            save(picture(row, outcome.figures), folder / file_name(row))


def picture(row: Row, found: Sequence[Figure]) -> Picture:
    """One row's curve."""
    drawn = Picture(figsize=(7, 3.6), layout="constrained")
    axes = drawn.add_subplot()
    (ratios if row.relative else costs)(axes, row, found)
    sizes = [each.size for each in found]
    axes.set(xscale="log", xlabel=row.sizes)
    axes.set_title(re.sub(r", [\d,]+ \w+", "", row.what, count=1), loc="left", fontsize=11)
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    axes.grid(axis="y", color="#e4e4e4", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.legend(frameon=False, fontsize=9)
    return drawn


def costs(axes: Axes, row: Row, found: Sequence[Figure]) -> None:
    """Both sides, on a logarithmic scale in units for people."""
    sizes = [each.size for each in found]
    axes.plot(sizes, [each.ours for each in found], color=OURS, label=row.ours, **LINE)
    axes.plot(sizes, [each.peer for each in found], color=PEER, label=row.peer, **LINE)
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 100 else (1,)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: "{:g} {}".format(*scaled(value, row.unit))))


def ratios(axes: Axes, row: Row, found: Sequence[Figure]) -> None:
    """How many times the peer's cost, with the middle half of the rounds, and the target."""
    sizes = [each.size for each in found]
    axes.fill_between(sizes, [each.low for each in found], [each.high for each in found], color=OURS, alpha=0.15)
    axes.plot(sizes, [each.ratio for each in found], color=OURS, label=f"times the cost {row.peer}", **LINE)
    axes.axhline(row.limit, color=PEER, linestyle="--", linewidth=1.2, label=f"target {row.target}")
    axes.set_ylim(bottom=0, top=1.25 * max(row.limit, *(each.high for each in found)))


def save(drawn: Picture, path: Path) -> None:
    """Write the same bytes for the same figures: no date, no random ids; white, so that it reads on a dark page."""
    with mpl.rc_context({"svg.hashsalt": "intentls", "svg.fonttype": "path"}):
        drawn.savefig(path, metadata={"Date": None}, facecolor="white")
