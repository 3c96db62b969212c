"""One step of work on a ledger of a million records; prints its time and its peak memory. Run by test_archive."""

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

RECORDS = 1_000_000


def write(layout: Layout, records: int = RECORDS) -> int:
    """The ledger, without the cost of a million appends."""
    chance, prev = random.Random(1), None
    with layout.ledger.open("wb") as file:
        for number in range(records):
            hashes = [f"sha256:{chance.getrandbits(256):064x}" for _ in range(3)]
            where = {"start_line": 1, "end_line": 9, "content_hash": hashes[2]}
            changed = {"path": f"src/{number % 997}.py", "pre_hash": hashes[0], "post_hash": hashes[1]}
            record = {"id": f"{number:08x}", "files": [changed | {"conversations": [{"ranges": [where]}]}]}
            line = link(record, "w", number + 1, prev)
            prev = line_hash(line)
            file.write(line + b"\n")
    return records


def archive(layout: Layout, ledger: Ledger) -> int:
    """All but the newest thousand, after a verification, as the command does it."""
    mover = Archiver(layout, ledger)
    with mover.hold("a test"):
        found = ledger.verify()
        assert found.ok
        length = find_prefix(layout.ledger, ArchiveAllBut(1000)).length
        mover.move(length, "ada", lambda bridge: {"id": "bridge", "tool_name": TOOL_NAME, KEY: bridge.to_json()})
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
