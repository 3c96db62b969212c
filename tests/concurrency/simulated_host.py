"""A host of its own, with clients that claim: a program that takes its orders, and answers, by lines of JSON.

    python -m tests.concurrency.simulated_host FOLDER NAME ADDRESS REPOSITORY CLIENTS CLOCK_S

Its clock is wrong by CLOCK_S seconds. The order `"path"` has all clients claim that path at once, `null` has them give
back what they have.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from intentls.store import clock
from intentls.store.sessions.coordination.protocol import Claim
from tests.support.keepers import SimulatedHost, host
from tests.support.patience import PATIENCE_S

TTL = timedelta(hours=1)


def main(folder: str, name: str, address: str, repository: str, clients: int, clock_s: float) -> None:
    """Begin, and do what stdin says until it ends."""
    clock.now = lambda: datetime.now(UTC) + timedelta(seconds=clock_s)
    with host(Path(folder), (address, repository), name) as one, ThreadPoolExecutor(clients) as pool:
        say({"host": os.uname().nodename, "counts": one.keeper._count_s()})
        for line in sys.stdin:
            path = json.loads(line)
            if path is None:
                for number in range(clients):
                    one.client.release(f"s{number}")
                say([])
            else:
                say(list(claims(one, pool, path, clients)))


def claims(one: SimulatedHost, pool: ThreadPoolExecutor, path: str, clients: int) -> Iterator[list[Any]]:
    """What each client was given: who has the path, on which host ("" for this one), its fence, and whether it won."""
    ready = threading.Barrier(clients)

    def claim(number: int) -> list[Any]:
        ready.wait(PATIENCE_S)
        taking = one.client.take(Claim(f"s{number}", "INT-001", (path,), TTL))
        (lease,) = taking.leases
        return [lease.session_id, lease.host or one.name, lease.fence, bool(taking.new)]

    return pool.map(claim, range(clients))


def say(value: object) -> None:
    """Answer."""
    print(json.dumps(value), flush=True)  # noqa: T201  its way to answer


if __name__ == "__main__":
    main(*sys.argv[1:5], int(sys.argv[5]), float(sys.argv[6]))
