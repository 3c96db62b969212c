"""What the server records of small edits: how many bytes, and that it is the same beside busy processes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.e2e.test_same_under_load import busy_processes, records
from tests.e2e.test_same_under_load import repository as edited_repository

from benchmarks.client import SERVE, Client
from benchmarks.repositories import repository
from benchmarks.rows import Pair, Row, Scale
from intentls.store.layout import Layout

FORMER_BYTES = 1_850.0
"""Of ledger for an edit of one line, before records were packed."""
LINES = 300
FILE = "src/d0000/f00.py"


def bytes_of_edits(scale: Scale) -> Iterator[Pair]:
    """The ledger's growth by edits of one line each, in a file of 300 lines."""
    root = repository(scale.folder / "work", 10)
    ledger, times = Layout(root).ledger, scale.of(full=40, quick=5)
    lines = [f"value_{number} = {number}" for number in range(LINES)]
    with Client(SERVE, root) as client:
        client.initialize(root)
        client.command("intent.selectActiveIntent", intent_id="INT-001")
        client.command("intent.writeToFile", path=FILE, content="\n".join(lines))
        for block in range(scale.of(full=5, quick=1)):
            scale.say(f"round {block}")
            before = ledger.stat().st_size
            for number in range(times):
                lines[number * 7 % LINES] = f"value_{number} = {block + number * 10}"
                client.command("intent.writeToFile", path=FILE, content="\n".join(lines))
            yield Pair((ledger.stat().st_size - before) / times, FORMER_BYTES)


def under_load(scale: Scale) -> Iterator[Pair]:
    """The edits whose records are the same beside six busy processes, but for ids and times. Raises if one is not."""
    for number in range(scale.of(full=5, quick=1)):
        scale.say(f"round {number}")
        quiet, loaded = (edited_repository(_folder(scale, f"{name}{number}")) for name in ("quiet", "loaded"))
        expected = records(quiet, scale.of(full=20, quick=5))
        with busy_processes(scale.of(full=6, quick=1)):
            actual = records(loaded, len(expected))
        if actual != expected:
            raise AssertionError("a record depends on how busy the machine is")
        yield Pair(len(expected), len(actual))


def _folder(scale: Scale, name: str) -> Path:
    return scale.folder / name


ROWS = (
    Row(
        key="record-bytes",
        what="ledger bytes for an edit of one line",
        ours="a record",
        peer="before records were packed",
        target="<= 0.5",
        limit=0.5,
        run=bytes_of_edits,
        unit="B",
    ),
    Row(
        key="record-load",
        what="records of the same edits, quiet and beside six busy processes",
        ours="quiet",
        peer="identical under load",
        target="identical",
        limit=1,
        run=under_load,
        unit="calls",
    ),
)
