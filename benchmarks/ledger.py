"""The ledger at size: appending, finding the newest records of an intent, verifying, and many writers at once.

A record is what a guarded edit leaves behind. What is looked for are the newest twenty of one intent in fifty, and the
one record of a rare intent in the middle, so that both ways to find something are paid for.
"""

from __future__ import annotations

import atexit
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.client import COMPILED, SERVE, Client
from benchmarks.rows import Pair, Row, Scale, Skipped
from benchmarks.timing import elapsed, processor
from intentls.core.ledger.hash_chain import line_hash, link
from intentls.store.layout import Layout
from intentls.store.ledger.chain_heads import ChainHeads
from intentls.store.ledger.ledger import Ledger
from intentls.store.ledger_search.query import RecordQuery

T = TypeVar("T")

FEW, RECORDS = 10_000, 1_000_000
COMMON, RARE = "INT-007", "INT-RARE"
MOST_UNINDEXED = 4 * 1024 * 1024  # bytes at the end: a ledger that is no longer has no index either
WRITERS = 8
DECLARED = f"active_intents:\n  - {{id: {COMMON}, name: Measured, status: IN_PROGRESS, owned_scope: ['src/**']}}\n"


def record(number: int, chance: random.Random, intent: str) -> dict[str, Any]:
    """What an edit of one file leaves behind, under one of a thousand paths and one of many sessions."""
    hashes = [f"sha256:{chance.getrandbits(256):064x}" for _ in range(2)]
    where = [{"start_line": 1, "end_line": 9, "content_hash": hashes[1]}]
    author = {"type": "ai", "entity_type": "AI"}
    return {
        "version": "0.1.0",
        "id": str(uuid.UUID(int=chance.getrandbits(128))),
        "timestamp": f"2026-02-18T18:{number // 60 % 60:02}:{number % 60:02}.000Z",
        "intent_id": intent,
        "session_id": f"session-{number // 500}",
        "tool_name": "edit_file",
        "mutation_class": "BUG_FIX",
        "success": True,
        "files": [
            {
                "path": f"src/part{chance.randrange(40)}/module{chance.randrange(25)}.py",
                "change": "modify",
                "pre_hash": hashes[0],
                "conversations": [{"contributor": author, "ranges": where}],
            }
        ],
    }


def workspace(folder: Path, records: int, say: Callable[[str], None]) -> Path:
    """A root whose ledger holds so many records of one writer."""
    layout = Layout(folder.resolve())
    layout.orchestration.mkdir()
    layout.intents.write_text(DECLARED)
    chance, before = random.Random(1), None
    with layout.ledger.open("wb") as file:
        for number in range(records):
            if not number % 50_000:
                say(f"{number} records")
            intent = RARE if number == records // 2 else f"INT-{chance.randrange(50):03}"
            line = link(record(number, chance, intent), "benchmark", number + 1, before)
            before = line_hash(line)
            file.write(line + b"\n")
    return layout.root


@cache
def large_root(records: int) -> Path:
    """A root with so many records that only read: made once a run, since several rows look at a million."""
    folder = tempfile.TemporaryDirectory(prefix="intentls-bench-ledger-")
    atexit.register(folder.cleanup)
    return workspace(Path(folder.name), records, lambda _: None)


def ledger_of(root: Path) -> Ledger:
    """The ledger of a root, as a process has it."""
    layout = Layout(root)
    return Ledger(layout, ChainHeads(layout))


def appends(scale: Scale) -> Iterator[Pair]:
    """Processor time of one append without a sync: record to line, chain and lock are ours alone."""
    root = workspace(scale.folder, 0, scale.say)
    ledger, value = ledger_of(root), record(1, random.Random(1), COMMON)
    given = root / "record.json"
    given.write_text(json.dumps(value))
    times = scale.of(full=20_000, quick=2_000)
    node = scale.node("append.js", str(root / "peer.jsonl"), str(given), str(times))
    for number in range(-1, scale.of(full=15, quick=3)):
        scale.say("append")
        peer = float(subprocess.run(node, check=True, capture_output=True, text=True).stdout)
        ours = processor(lambda: ledger.append(value, durable=False), times * 2e-6)
        if number >= 0:
            yield Pair(ours, peer)
    if not ledger.verify().ok:
        raise AssertionError("what was appended does not verify")


def asked_server(scale: Scale) -> Iterator[Pair]:
    """`intent.queryTrace` to a running server, its index made; the peer reads the file."""
    for records, root in _growing(scale):
        with Client(SERVE, root, COMPILED) as client:
            client.initialize(root)
            while not is_indexed(root):
                scale.say("the server makes the index")
                client.command("intent.queryTrace", intent_id=RARE)
                time.sleep(0.1)
            ask = partial(_query, client)
            yield from (pair._replace(size=records) for pair in _asked(scale, root, ask))


def asked_once(scale: Scale) -> Iterator[Pair]:
    """`intentls trace log`, a process for each question; the peer is one, too."""
    for records, root in _growing(scale):
        while not is_indexed(root):
            scale.say("questions make the index")
            _log(root, RARE)
        yield from (pair._replace(size=records) for pair in _asked(scale, root, partial(_log, root)))


def _query(client: Client, intent: str) -> Any:
    return client.command("intent.queryTrace", intent_id=intent, limit=20)


def _log(root: Path, intent: str) -> Any:
    return json.loads(_run([sys.executable, "-m", "intentls", "trace", "log", "--intent", intent, "--json"], root))


def _asked(scale: Scale, root: Path, ask: Callable[[str], Any]) -> Iterator[Pair]:
    for intent in (COMMON, RARE) * scale.of(full=6, quick=2):
        scale.say(f"the newest of {intent}")
        took, theirs = _timed(partial(_node, scale, root, intent))
        seconds, found = _timed(partial(ask, intent))
        if [entry["id"] for entry in found["entries"]] != theirs:
            raise AssertionError(f"readline finds {theirs}, we {found['entries']}")
        yield Pair(seconds, took)


def _timed(action: Callable[[], T]) -> tuple[float, T]:
    start = time.perf_counter()
    found = action()
    return time.perf_counter() - start, found


def verifies(scale: Scale) -> Iterator[Pair]:
    """`intentls trace verify` beside `sha256sum` and `wc -l`: reading every byte and every line is the least."""
    if shutil.which("sha256sum") is None:
        raise Skipped("no sha256sum")
    root = large_root(scale.of(full=RECORDS, quick=20_000))
    file = str(Layout(root).ledger)
    for number in range(-1, scale.of(full=5, quick=2)):
        scale.say("verify")
        ours = elapsed(lambda: _run([sys.executable, "-m", "intentls", "trace", "verify"], root))
        peer = elapsed(lambda: (_run(["sha256sum", file], root), _run(["wc", "-l", file], root)))
        if number >= 0:
            yield Pair(ours, peer)


def verifies_in(scale: Scale) -> Iterator[Pair]:
    """The most memory that `intentls trace verify` has at once, in a long ledger and in a short one."""
    many, few = (large_root(records) for records in scale.of(full=(RECORDS, FEW), quick=(20_000, 2_000)))
    for number in range(scale.of(full=5, quick=1)):
        scale.say(f"round {number}")
        yield Pair(_peak(many), _peak(few))


def _peak(root: Path) -> float:
    """Bytes."""
    command = [sys.executable, "-m", "intentls", "trace", "verify"]
    process = subprocess.Popen(command, cwd=root, env={**os.environ, **COMPILED}, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise AssertionError("it does not verify")
    return used.ru_maxrss * 1024.0


def durable_writers(scale: Scale) -> Iterator[Pair]:
    """Eight threads that append durably; the peer is one that does. What counts is the time a record takes."""
    root = workspace(scale.folder, 0, scale.say)
    ledger, value = ledger_of(root), record(1, random.Random(1), COMMON)
    seconds = scale.of(full=1.5, quick=0.2)
    for number in range(-1, scale.of(full=9, quick=2)):
        scale.say("durable writers")
        peer, ours = (_seconds_each(ledger, value, writers, seconds) for writers in (1, WRITERS))
        if number >= 0:
            yield Pair(ours, peer)
    if not ledger.verify().ok:
        raise AssertionError("what was appended does not verify")


def _seconds_each(ledger: Ledger, value: dict[str, Any], writers: int, seconds: float) -> float:
    written = [0] * writers
    end = time.perf_counter() + seconds

    def write(number: int) -> None:
        while time.perf_counter() < end or not written[number]:
            ledger.append(value, durable=True)
            written[number] += 1

    threads = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
    took = elapsed(lambda: ([thread.start() for thread in threads], [thread.join() for thread in threads]))
    return took / sum(written)


def _growing(scale: Scale) -> Iterator[tuple[int, Path]]:
    for records in scale.of(full=(FEW, 100_000, RECORDS), quick=(20_000,)):
        scale.say(f"{records} records")
        yield records, large_root(records)


def _node(scale: Scale, root: Path, intent: str) -> list[str]:
    done = subprocess.run(
        scale.node("newest.js", str(Layout(root).ledger), intent), check=True, capture_output=True, text=True
    )
    found: list[str] = json.loads(done.stdout)
    return found


def is_indexed(root: Path) -> bool:
    """Whether a search for what is nowhere reads next to nothing: a short end is never indexed."""
    ledger = ledger_of(root)
    read: list[int] = []
    list(ledger.search(RecordQuery(intent_id="nobody"), lambda done, _: read.append(done)))
    return max(read, default=0) < MOST_UNINDEXED


def _run(command: list[str], root: Path) -> str:
    environment = {**os.environ, **COMPILED}
    return subprocess.run(command, check=True, cwd=root, env=environment, capture_output=True, text=True).stdout


ROWS = (
    Row(
        key="append",
        what="append of a record, with lock and chain, no sync",
        ours="ledger",
        peer="appendFileSync",
        target="<= 1.7",
        limit=1.7,
        run=appends,
    ),
    Row(
        key="durable-writers",
        what="durable append, eight writers at once",
        ours="eight writers",
        peer="one writer",
        target="<= 0.5 a record",
        limit=0.5,
        run=durable_writers,
    ),
    Row(
        key="newest-server",
        what="last 20 of an intent, 1,000,000 records, in the server",
        ours="intent.queryTrace",
        peer="Node readline",
        target=">= 5,000x faster",
        limit=5_000,
        run=asked_server,
        better="higher",
        sizes="records",
        at=RECORDS,
    ),
    Row(
        key="newest-once",
        what="last 20 of an intent, 1,000,000 records, one process",
        ours="intentls trace log",
        peer="Node readline",
        target=">= 100x faster",
        limit=100,
        run=asked_once,
        better="higher",
        sizes="records",
        at=RECORDS,
    ),
    Row(
        key="verify",
        what="verify 1,000,000 records",
        ours="intentls trace verify",
        peer="sha256sum + wc -l",
        target=">= 0.5",
        limit=0.5,
        run=verifies,
        better="higher",
    ),
    Row(
        key="verify-memory",
        what="verify 1,000,000 records: memory",
        ours="at most",
        peer="for 10,000 records",
        target="<= 1.2",
        limit=1.2,
        run=verifies_in,
        unit="B",
    ),
)
