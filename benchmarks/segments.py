"""What a ledger of many segments costs at a start, beside one file of the same records."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path

from benchmarks.rows import Pair, Row, Scale
from benchmarks.timing import elapsed
from intentls.core.ledger.hash_chain import line_hash
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.store.layout import ORCHESTRATION, TRACE_NAME

WRITER = "ab" * 16
INTENTS = "active_intents:\n  - {id: INT-001, name: Work, status: IN_PROGRESS, owned_scope: ['src/**']}\n"


def lines(count: int) -> Iterator[bytes]:
    """The records of one writer, a minute apart, each as a line of its chain."""
    previous = None
    for number in range(1, count + 1):
        days, minutes = divmod(number, 24 * 60)
        record = {
            **{"version": "0.1.0", "id": str(uuid.UUID(int=number)), "intent_id": "INT-001", "success": True},
            "timestamp": f"2026-01-{days + 1:02}T{minutes // 60:02}:{minutes % 60:02}:00.000Z",
            "files": [{"path": f"src/{number % 100}.py", "change": "modify"}],
            "chain": {"writer": WRITER, "seq": number, "prev": previous},
        }
        line = json.dumps(record, separators=(",", ":")).encode("ascii")
        previous = line_hash(line)
        yield line + b"\n"


def root_with(folder: Path, contents: list[bytes]) -> Path:
    """A root with a segment for each of the contents."""
    trace = folder / ORCHESTRATION / TRACE_NAME
    trace.mkdir(parents=True)
    (folder / ORCHESTRATION / "active_intents.yaml").write_text(INTENTS)
    for number, content in enumerate(contents, start=1):
        (trace / f"{WRITER[:12]}-{number:08}-{number:08x}.jsonl").write_bytes(content)
    return folder


def start(root: Path) -> str:
    """Open the root as a new process does, and look at the newest record; its id."""
    ledger = Engine(Headless("bench", (root,))).workspace(root).ledger
    return str(next(ledger.newest_first())["id"])


def starts(scale: Scale) -> Iterator[Pair]:
    """A start with as many segments as records, against one with a single segment."""
    records = list(lines(scale.of(full=20_000, quick=500)))
    scale.say(f"{len(records)} segments: making them")
    many = root_with(scale.folder / "many", records)
    one = root_with(scale.folder / "one", [b"".join(records)])
    if start(many) != start(one):  # the first start makes the local file
        raise AssertionError("the newest record of the segments is another one than that of the file")
    for number in range(scale.of(full=30, quick=3)):
        scale.say(f"start {number}")
        yield Pair(elapsed(lambda: start(many)), elapsed(lambda: start(one)))


ROWS = (
    Row(
        key="segments-start",
        what="a start with 20,000 segments, and the newest record",
        ours="20,000 segments",
        peer="one segment of the same records",
        target="<= 1.5",
        limit=1.5,
        run=starts,
    ),
)
