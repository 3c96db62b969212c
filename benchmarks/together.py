"""Eight processes append long lines to one ledger at once: is each of them whole?"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

from benchmarks.ledger import COMMON, ledger_of, record, workspace
from benchmarks.rows import Pair, Row, Scale

WRITERS = 8
LONG = 70_000
"""Characters: more than one page of a pipe, a buffer of a file object, or an atomic write of old."""


def appending(root: Path, times: int) -> None:
    """What one process does."""
    value = {**record(1, random.Random(1), COMMON), "padding": "x" * LONG}
    ledger = ledger_of(root)
    for _ in range(times):
        ledger.append(value, durable=False)


def whole(file: Path) -> int:
    """Lines that are records of full length."""
    with file.open("rb") as lines:
        return sum(1 for line in lines if is_whole(line))


def is_whole(line: bytes) -> bool:
    """Whether nothing of it is missing, and nothing else is in it."""
    try:
        return len(json.loads(line)["padding"]) == LONG
    except (ValueError, TypeError, KeyError):
        return False


def tearing(scale: Scale) -> Iterator[Pair]:
    """Lines that were appended, and those that are in the file. Raises if the chains don't verify."""
    times = scale.of(full=200, quick=5)
    for number in range(scale.of(full=5, quick=1)):
        scale.say(f"round {number}")
        folder = scale.folder / str(number)
        folder.mkdir()
        root = workspace(folder, 0, scale.say)
        processes = [get_context("spawn").Process(target=appending, args=(root, times)) for _ in range(WRITERS)]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        if any(process.exitcode for process in processes):
            raise AssertionError("a writer failed")
        if not ledger_of(root).verify().ok:
            raise AssertionError("what was appended does not verify")
        yield Pair(WRITERS * times, whole(root / ".orchestration" / "agent_trace.jsonl"))


ROWS = (
    Row(
        key="append-together",
        what="eight processes append lines of 70 KB at once",
        ours="appended",
        peer="whole in the file",
        target="none torn",
        limit=1,
        run=tearing,
        unit="calls",
    ),
)
