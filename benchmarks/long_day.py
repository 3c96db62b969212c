"""A day of an editor and four agents with one server: do answers at its end take longer than at its start?

`make day` has 100,000 messages, which take a quarter of an hour.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.endurance.day import Day, make_day_workspace
from tests.endurance.test_day import CAPABILITIES
from tests.support.session import session

from benchmarks.rows import Pair, Row, Scale
from benchmarks.timing import percentile

WINDOWS = 5
"""At the start, after what warms up, and as many at the end; a percentile of each."""


def living(scale: Scale) -> Iterator[Pair]:
    """The 99th percentiles of the answers in the windows of the second tenth, and in those of the last."""
    messages = scale.of(full=30_000, quick=150)
    with session(make_day_workspace(scale.folder / "root"), CAPABILITIES) as editor:
        day = Day(editor, random.Random(24))
        day.live(messages, 20)
    seconds = [taken for _, taken in day.times]
    size = len(seconds) // 10 // WINDOWS
    for number in range(WINDOWS):
        early, late = size * (WINDOWS + number), len(seconds) - size * (WINDOWS - number)
        yield Pair(percentile(seconds[late : late + size], 0.99), percentile(seconds[early : early + size], 0.99))


ROWS = (
    Row(
        key="long-day",
        what="a day of 30,000 messages: p99 of an answer",
        ours="the last tenth",
        peer="the second tenth",
        target="<= 1.2",
        limit=1.2,
        run=living,
    ),
)
