"""Cost against size, from the results, as pictures for docs/performance.md."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

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


def draw(results: Results, folder: Path = PLOTS) -> None:
    """A picture for each row that was measured at several sizes."""
    folder.mkdir(exist_ok=True)
    for row in ROWS:
        outcome = results.rows.get(row.key, Outcome())
        if row.sizes and len(outcome.figures) > 1:
            save(picture(row, outcome.figures), folder / file_name(row))


def picture(row: Row, found: Sequence[Figure]) -> Picture:
    """Both sides on logarithmic axes, each line named where it ends."""
    drawn = Picture(figsize=(7, 3.6), layout="constrained")
    axes = drawn.add_subplot()
    sizes = [each.size for each in found]
    for name, costs, colour in (
        (row.ours, [each.ours for each in found], OURS),
        (row.peer, [each.peer for each in found], PEER),
    ):
        axes.plot(sizes, costs, marker="o", markersize=5, linewidth=2, color=colour, label=name)
    axes.set(xscale="log", yscale="log", xlabel=row.sizes)
    axes.set_title(re.sub(r", [\d,]+ \w+", "", row.what, count=1), loc="left", fontsize=11)
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    low, high = axes.get_ylim()
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 100 else (1,)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: "{:g} {}".format(*scaled(value, row.unit))))
    plain(axes)
    axes.legend(frameon=False, fontsize=9)
    return drawn


def plain(axes: Axes) -> None:
    """Nothing but a faint grid behind the lines."""
    axes.grid(axis="y", color="#e4e4e4", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)


def save(drawn: Picture, path: Path) -> None:
    """Write the same bytes for the same figures: no date, no random ids; white, so that it reads on a dark page."""
    with mpl.rc_context({"svg.hashsalt": "intentls", "svg.fonttype": "path"}):
        drawn.savefig(path, metadata={"Date": None}, facecolor="white")
