"""500 agents on five clones, each with one claim a second in a database: what the slowest of a hundred waits for.

The peer is a bare `SELECT 1` over a connection of its own, in the same seconds: what the machine and its load cost.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from multiprocessing import get_context
from pathlib import Path

import psycopg
from tests.support.database import DatabaseServer, binaries, database_server
from tests.support.workspaces import git, make_git_repo, make_workspace

from benchmarks.rows import Pair, Row, Scale, Skipped
from benchmarks.timing import percentile
from intentls.store.layout import Layout
from intentls.store.sessions.coordination.keeper_client import KeeperClient
from intentls.store.sessions.coordination.protocol import Claim

LANES = 4
"""Threads of the process that asks for a clone's agents."""
WAIT_S = 5.0
"""How long an answer may take here: what is measured is how long it does."""
TTL = timedelta(minutes=10)


def at_pace(rate: float, seconds: float, offset_s: float, act: Callable[[int], object]) -> list[float]:
    """How long each of `rate` acts a second took from when it was due, or from when this thread woke for it."""
    start = time.perf_counter() + offset_s
    took = []
    for number in range(int(rate * seconds)):
        due = start + number / rate
        if (left := due - time.perf_counter()) > 0:
            time.sleep(left)
            due = time.perf_counter()
        act(number)
        took.append(time.perf_counter() - due)
    return took


def claiming(root: Path, address: str, agents: int, seconds: float, results: object) -> None:
    """What the process of one clone does: each agent claims a file of its own once a second."""
    client = KeeperClient(Layout(root), address, WAIT_S)
    took: list[float] = []

    def lane(number: int) -> None:
        def claim(turn: int) -> None:
            agent = (turn * LANES + number) % agents
            client.take(Claim(f"agent-{agent}", "INT-001", (f"src/{agent}.py",), TTL))

        took.extend(at_pace(agents / LANES, seconds, number / agents, claim))

    threads = [threading.Thread(target=lane, args=(number,)) for number in range(LANES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    results.put(took)  # type: ignore[attr-defined]


def clones(server: DatabaseServer, folder: Path, stack: ExitStack, number_of: int) -> tuple[str, list[Path]]:
    """The database, and so many clones of one repository, each with its keeper."""
    address = server.new_database()
    environment = {**os.environ, "INTENTLS_COORDINATION": address, "INTENTLS_COORDINATION_WAIT_MS": "5000"}
    verb = [sys.executable, "-m", "intentls", "coordination"]
    first = make_git_repo(make_workspace(folder / "0"))
    subprocess.run([*verb, "init"], cwd=first, env=environment, check=True, capture_output=True)
    roots = [first]
    for number in range(1, number_of):
        git(folder, "clone", "-q", str(first), str(number))
        roots.append(folder / str(number))
    for root in roots:
        keeper = subprocess.Popen([*verb, "serve"], cwd=root, env=environment, stdout=subprocess.PIPE)
        stack.callback(keeper.communicate)
        stack.callback(keeper.terminate)
        assert keeper.stdout is not None
        keeper.stdout.readline()
        if trouble := KeeperClient(Layout(root), address, WAIT_S).settle(30):
            raise AssertionError(trouble)
    return address, roots


def claims(scale: Scale) -> Iterator[Pair]:
    """The 99th percentiles of claims and of `SELECT 1`, in seconds."""
    if binaries() is None:
        raise Skipped("PostgreSQL is not installed")
    number_of, agents, seconds = scale.of(full=5, quick=1), 100, scale.of(full=10.0, quick=0.5)
    context = get_context("spawn")
    with database_server() as server, ExitStack() as stack:
        address, roots = clones(server, scale.folder, stack, number_of)
        select = stack.enter_context(psycopg.connect(address, autocommit=True))
        for number in range(scale.of(full=6, quick=1)):
            scale.say(f"round {number}")
            results = context.Queue()
            processes = [
                context.Process(target=claiming, args=(root, address, agents, seconds, results)) for root in roots
            ]
            for process in processes:
                process.start()
            bare = at_pace(50, seconds, 0.5, lambda _: select.execute("SELECT 1").fetchone())
            took = [value for _ in processes for value in results.get(timeout=60)]
            for process in processes:
                process.join()
            if number or scale.quick:  # the first round makes the rows
                yield Pair(percentile(took, 0.99), percentile(bare, 0.99))


ROWS = (
    Row(
        key="claim",
        what="500 agents claim once a second on five clones, 99th percentile",
        ours="claim",
        peer="SELECT 1",
        target="<= 5",
        limit=5,
        run=claims,
    ),
)
