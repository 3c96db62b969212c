"""What a ledger of many segments costs at a start, beside one file of the same records; and the check of a commit.

All figures are processor time of whole processes, with those that they start: that is what a person waits for, and a
busy machine changes it little.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.client import COMPILED
from benchmarks.repositories import git
from benchmarks.rows import Pair, Row, Scale
from intentls.core.ledger.hash_chain import line_hash
from intentls.store.layout import ORCHESTRATION, TRACE_NAME, Layout

WRITER = "ab" * 8
_GOAL_S = 0.15
INTENTS = "active_intents:\n  - {id: INT-001, name: Work, status: IN_PROGRESS, owned_scope: ['src/**']}\n"


def lines(count: int) -> Iterator[bytes]:
    """The records of one writer, a minute apart, each as a line of its chain."""
    previous = None
    for number in range(1, count + 1):
        days, minutes = divmod(number, 24 * 60)
        record = {
            **{"version": "0.1.0", "id": str(uuid.UUID(int=number))},
            "timestamp": f"2026-01-{days + 1:02}T{minutes // 60:02}:{minutes % 60:02}:00.000Z",
            **{"intent_id": "INT-001", "success": True},
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


def spent(root: Path, arguments: Sequence[str]) -> float:
    """Seconds of processor of one command, and of what it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "intentls", *arguments]
    subprocess.run(command, cwd=root, env={**os.environ, **COMPILED}, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def newest(root: Path) -> float:
    """What it costs to show the newest record."""
    return spent(root, ("trace", "log", "--limit", "1", "--json", "--root", str(root)))


def forget(root: Path) -> None:
    """As in a fresh clone."""
    layout = Layout(root)
    layout.ledger.unlink(missing_ok=True)
    layout.segment_note.unlink(missing_ok=True)


def two_roots(scale: Scale) -> tuple[Path, Path]:
    """One root with as many segments as records, and one with a single segment."""
    records = list(lines(scale.of(full=20_000, quick=500)))
    scale.say(f"{len(records)} segments: making them")
    many, one = root_with(scale.folder / "many", records), root_with(scale.folder / "one", [b"".join(records)])
    for root in (many, one):
        newest(root)
    if Layout(many).ledger.read_bytes() != Layout(one).ledger.read_bytes():
        raise AssertionError("the local file of the segments is another one than that of the one segment")
    return many, one


def starts(scale: Scale) -> Iterator[Pair]:
    """A start when the local file is there."""
    many, one = two_roots(scale)
    for number in range(scale.of(full=10, quick=2)):
        scale.say(f"start {number}")
        yield Pair(newest(many), newest(one))


def first_starts(scale: Scale) -> Iterator[Pair]:
    """A start in a fresh clone, which makes the local file."""
    many, one = two_roots(scale)
    for number in range(scale.of(full=6, quick=2)):
        scale.say(f"first start {number}")
        for root in (many, one):
            forget(root)
        yield Pair(newest(many), newest(one))


def checks(scale: Scale) -> Iterator[Pair]:
    """What git's hook does before a commit of 20 files."""
    root = scale.folder / "work"
    root.mkdir()
    git(root, "init", "--quiet")
    spent(root, ("init", "--root", str(root)))
    for content in ("x = 1\n", "x = 2\n"):
        for number in range(20):
            (root / f"f{number}.py").write_text(content)
        git(root, "add", "--all")
        if content == "x = 1\n":
            git(root, "commit", "--quiet", "--no-verify", "--message", "one")
    for _ in range(scale.of(full=10, quick=2)):
        yield Pair(spent(root, ("check", "--staged")), _GOAL_S)


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
    Row(
        key="segments-first",
        what="the same in a fresh clone, which reads them all",
        ours="20,000 segments",
        peer="one segment of the same records",
        target="<= 1.5",
        limit=1.5,
        run=first_starts,
    ),
    Row(
        key="staged-check",
        what="check --staged of 20 files, processor time",
        ours="check --staged",
        peer="the goal",
        target="<= 150 ms",
        limit=1,
        run=checks,
    ),
)
