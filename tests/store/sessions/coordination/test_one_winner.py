"""Exactly one winner: clients of several hosts, whose clocks differ, claim the same path at the same moment.

`make soak` has 50 clients claim 300 times, `make test` 10 clients 15 times.
"""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

from intentls.store.sessions.coordination.protocol import Claim
from tests.support.database import DatabaseServer
from tests.support.keepers import host
from tests.support.patience import PATIENCE_S

LONG = os.environ.get("INTENTLS_LONG") == "1"
HOSTS, CLIENTS, ROUNDS = 5, 50 if LONG else 10, 300 if LONG else 15
TTL = timedelta(hours=1)


def test_of_many_hosts_one_wins_each_round(database: DatabaseServer, tmp_path: Path) -> None:
    """The winner is the same for all that look, its fence is the highest so far, and the next round begins free."""
    shared = database.new_repository()
    with ExitStack() as stack, ThreadPoolExecutor(CLIENTS) as pool:
        hosts = [stack.enter_context(host(tmp_path, shared, f"host{number}")) for number in range(HOSTS)]
        for number, one in enumerate(hosts):
            one.seconds = 600.0 * number  # each machine has counted since a moment of its own
        fences = [0]
        for turn in range(ROUNDS):
            ready = threading.Barrier(CLIENTS)

            def claim(client: int, ready: threading.Barrier = ready) -> tuple[str, str, int, bool]:
                one = hosts[client % HOSTS]
                session = f"s{client}"
                ready.wait(PATIENCE_S)
                taking = one.client.take(Claim(session, "INT-001", ("src/a.py",), TTL))
                (lease,) = taking.leases
                return lease.session_id, lease.host or one.name, lease.fence or 0, bool(taking.new)

            seen = list(pool.map(claim, range(CLIENTS)))
            assert sum(is_new for *_, is_new in seen) == 1, f"round {turn}: {seen}"
            assert len({(session, where, fence) for session, where, fence, _ in seen}) == 1
            session, where, fence, _ = seen[0]
            assert fence > fences[-1]
            fences.append(fence)
            next(one for one in hosts if one.name == where).client.release(session)
