"""One step of work on a ledger of 200,000 records in 2,000 segments; prints its time and its peak memory."""

from __future__ import annotations

import json
import random
import resource
import sys
import time
from pathlib import Path

from intentls.core.ledger.archive_marker import KEY, TOOL_NAME
from intentls.core.ledger.hash_chain import line_hash, link
from intentls.store.archiving.archive_prefix import ArchiveAllBut, find_prefix
from intentls.store.archiving.archiver import Archiver
from intentls.store.layout import Layout
from intentls.store.ledger.chain_heads import ChainHeads
from intentls.store.ledger.ledger import Ledger

RECORDS = 200_000
_IN_A_SEGMENT = 100


def write(layout: Layout) -> int:
    """The segments, without the cost of as many appends."""
    chance, prev = random.Random(1), None
    layout.trace.mkdir()
    for first in range(1, RECORDS, _IN_A_SEGMENT):
        lines = []
        for number in range(first, first + _IN_A_SEGMENT):
            hashes = [f"sha256:{chance.getrandbits(256):064x}" for _ in range(3)]
            where = {"start_line": 1, "end_line": 9, "content_hash": hashes[2]}
            changed = {"path": f"src/{number % 997}.py", "pre_hash": hashes[0], "post_hash": hashes[1]}
            minutes, seconds = divmod(number // 10, 60)
            record = {
                **{"version": "0.1.0", "id": f"{number:08x}"},
                "timestamp": f"2026-01-01T{minutes // 60:02}:{minutes % 60:02}:{seconds:02}.{number % 10}00Z",
                "files": [changed | {"conversations": [{"ranges": [where]}]}],
            }
            line = link(record, "ab", number, prev)
            prev = line_hash(line)
            lines.append(line + b"\n")
        (layout.trace / f"ab-{first:08}-00000000.jsonl").write_bytes(b"".join(lines))
    return RECORDS


def archive(layout: Layout, ledger: Ledger) -> int:
    """All but the newest thousand, after a verification, as the command does it."""
    mover = Archiver(layout, ledger)
    with mover.hold("a test"):
        found = ledger.verify()
        assert found.ok
        prefix = find_prefix(layout, ArchiveAllBut(1000), ())
        mover.move(prefix, "ada", lambda bridge: {"id": "bridge", "tool_name": TOOL_NAME, KEY: bridge.to_json()})
    return found.records + 1


def main(root: Path, step: str) -> None:
    """Do it and report."""
    layout = Layout(root)
    ledger = Ledger(layout, ChainHeads(layout))
    begun = time.perf_counter()
    steps = {
        "write": lambda: write(layout),
        "archive": lambda: archive(layout, ledger),
        "verify": lambda: ledger.verify().records,
        "newest": lambda: sum(1 for _ in ledger.newest_first()),
        "oldest": lambda: sum(1 for _ in ledger.oldest_first()),
    }
    records = steps[step]()
    seconds, peak = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    json.dump({"records": records, "seconds": round(seconds, 1), "megabytes": round(peak / 1024)}, sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
