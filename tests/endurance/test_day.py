"""A server that runs all day is at its end what it was at its start.

`make day` sends 100,000 messages (24 hours of an editor and four agents); `make test` sends a few thousand.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest

from tests.endurance.day import Day, Sample, make_day_workspace, p99
from tests.support.session import session

REQUESTS = int(os.environ.get("INTENTLS_DAY", "2000"))
IS_WHOLE = REQUESTS >= 50_000
SAMPLES = 20
# What is stated in docs/internals/performance.md. Memory: private, so that the ledger's pages in the cache don't count.
MOST_MEMORY = 1.15
MOST_MEMORY_MIB = 8
MOST_DESCRIPTORS = 4
MOST_THREADS = 2
# The goal is 1.2, and it is missed: docs/internals/performance.md says by how much, and why. These hold what is kept.
MOST_P99 = 1.5
MOST_P99_LOOKING_BACK = 2.5
LOOKING_BACK = frozenset({"textDocument/hover", "textDocument/codeLens", "intent.blame"})

CAPABILITIES = {
    "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}},
    "textDocument": {"publishDiagnostics": {"relatedInformation": True}},
}

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def test_a_day_of_work_leaves_nothing_behind(tmp_path: Path, figure: Callable[[str], None]) -> None:
    """Memory, descriptors and threads stay within their bounds; every message is answered."""
    root = make_day_workspace(tmp_path / "root")
    with session(root, CAPABILITIES) as editor:
        day = Day(editor, random.Random(24))
        day.live(REQUESTS, SAMPLES)
        assert editor.do("verifyTrace")["ok"]
    start, end = _ends(day.samples)
    figure(f"a day of {day.sent:,} messages: {_shown(start)} after a quarter, {_shown(end)} at the end")
    assert end.memory <= start.memory * MOST_MEMORY + MOST_MEMORY_MIB
    assert end.descriptors <= start.descriptors + MOST_DESCRIPTORS
    assert end.threads <= start.threads + MOST_THREADS
    for what, looking_back, most in (
        ("whose a line is", True, MOST_P99_LOOKING_BACK),
        ("any other answer", False, MOST_P99),
    ):
        early, late = _p99s(day, looking_back=looking_back)
        figure(f"p99 of {what} at the end is {late / early:.2f} of that at the start")
        if IS_WHOLE:  # a few thousand answers have no p99 worth the name
            assert late <= early * most


def _ends(samples: list[Sample]) -> tuple[Sample, Sample]:
    """After the first quarter, when all is loaded; and at the end: medians, for either moment may be a busy one."""
    quarter = len(samples) // 4
    parts = samples[quarter : quarter + 3], samples[-3:]
    start, end = (
        Sample(
            median(sample.memory for sample in part),
            int(median(sample.descriptors for sample in part)),
            int(median(sample.threads for sample in part)),
        )
        for part in parts
    )
    return start, end


def _p99s(day: Day, *, looking_back: bool) -> tuple[float, float]:
    times = [seconds for asked, seconds in day.times if (asked in LOOKING_BACK) is looking_back]
    tenth = len(times) // 10
    return p99(times[tenth : 2 * tenth]), p99(times[-tenth:])


def _shown(sample: Sample) -> str:
    return f"{sample.memory:.0f} MiB, {sample.descriptors} descriptors, {sample.threads} threads"
