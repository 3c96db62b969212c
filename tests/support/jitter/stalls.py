"""A program beside a jittered run: now and then a process or a thread of it gets no processor, as on a virtual machine
whose host has other work.

`python -I -S stalls.py DIRECTORY SEED`: DIRECTORY is a control group (version 1, controller `cpu`) in which the run is.
It ends when its standard input does, and gives back what it made. A process that is held back so is one that could run,
also for who looks at `/proc`; a stopped one would be another thing.
"""

from __future__ import annotations

import os
import random
import select
import sys
from contextlib import suppress
from pathlib import Path

PERIOD_US = 1_000_000
QUOTA_US = 1_000
"""What a held-back group may still use of a period: the least that Linux takes."""


def main(group: Path, seed: str) -> None:
    """Hold back one after the other until standard input ends."""
    chance = random.Random(seed)
    held = group / "held"
    held.mkdir()
    (held / "cpu.cfs_period_us").write_text(str(PERIOD_US))
    while not _ends_within(chance.uniform(0.005, 0.1)):
        whole = chance.random() < 0.6
        file = "cgroup.procs" if whole else "tasks"
        numbers = (group / file).read_text().split()
        if not numbers:
            continue
        # A new process counts for as much as all others: most of what goes on between two begins there.
        number = max(numbers, key=int) if chance.random() < 0.5 else chance.choice(numbers)
        with suppress(OSError):  # it has just ended
            (held / "cpu.cfs_quota_us").write_text(str(QUOTA_US))
            (held / file).write_text(number)
            _ends_within(0.3 if chance.random() < 0.1 else chance.uniform(0.02, 0.12))
        (held / "cpu.cfs_quota_us").write_text("-1")
        _move_all(held, group)
    _move_all(held, group)
    held.rmdir()
    _move_all(group, group.parent)
    group.rmdir()


def _ends_within(seconds: float) -> bool:
    """Whether standard input ended meanwhile."""
    return bool(select.select([0], [], [], seconds)[0]) and not os.read(0, 1)


def _move_all(source: Path, target: Path) -> None:
    """A process that is forked meanwhile is moved too."""
    for _ in range(20):
        numbers = (source / "tasks").read_text().split()
        if not numbers:
            return
        for number in numbers:
            with suppress(ProcessLookupError):
                (target / "tasks").write_text(number)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
