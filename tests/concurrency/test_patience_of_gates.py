"""How long a gate waits for a database: not for one that is out of reach, and long enough on a busy machine.

Measured on real keepers, with the limits that users have, and so behind `make soak`.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from intentls.engine.actions.effects import drive
from intentls.engine.actions.plans import WriteFile
from intentls.engine.actions.request import EditRequest, EditResult
from intentls.engine.edits.perform import perform
from intentls.engine.intents import checkout
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.store.layout import Layout
from intentls.store.sessions.coordination.keeper_client import KeeperClient
from intentls.store.sessions.coordination.protocol import Claim
from tests.concurrency.test_stopped_holders import INTENTLS, INTENTS, keeper_of, keeper_pid
from tests.support.database import DatabaseServer
from tests.support.database_line import line
from tests.support.patience import PATIENCE_S, eventually
from tests.support.workspaces import make_git_repo, make_workspace

FILE = "src/a.py"
CLAIMS, BUSY = 200, 12
ROUNDS = 9
WAIT_S = 0.04

pytestmark = [
    pytest.mark.skipif(os.environ.get("INTENTLS_LONG") != "1", reason="make soak"),
    pytest.mark.skipif(not Path("/proc/thread-self/schedstat").exists(), reason="this system counts no waiting"),
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A clone under `leases: advise`."""
    return make_git_repo(
        make_workspace(tmp_path / "w", INTENTS, {FILE: "start\n"}, policy="leases: advise\n")
    ).resolve()


def keep(stack: ExitStack, root: Path, address: str) -> KeeperClient:
    """The clone's keeper runs and has its connection."""
    environment = {**os.environ, "INTENTLS_COORDINATION": address}
    subprocess.run([*INTENTLS, "coordination", "init"], cwd=root, env=environment, check=True, timeout=PATIENCE_S)
    stack.enter_context(keeper_of(root, environment))
    client = KeeperClient(Layout(root), address, WAIT_S)
    eventually(lambda: client.trouble() is None)
    return client


@pytest.fixture
def one_processor() -> Iterator[None]:
    """This process and all that it starts share one processor."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    yield
    os.sched_setaffinity(0, before)


def test_a_database_is_not_called_away_because_its_machine_is_busy(
    root: Path, database: DatabaseServer, one_processor: None, figure: Callable[[str], None]
) -> None:
    """Twelve busy processes share one processor with the agent and its keeper: each claim is answered."""
    with ExitStack() as stack:
        client = keep(stack, root, database.new_database())
        for _ in range(BUSY):
            busy = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            stack.callback(busy.kill)
        claim = Claim("s", "INT-001", (FILE,), timedelta(minutes=1))
        assert not any(client.take(claim).is_away for _ in range(CLAIMS))
    figure(f"{CLAIMS} claims beside {BUSY} busy processes on one processor: none away")


def busy_s(tasks: Path) -> float:
    """For how many seconds these threads ran or waited for a processor so far."""
    counts = [file.read_text().split() for file in tasks.glob("*/schedstat")]
    return sum(int(ran) + int(waited) for ran, waited, _ in counts) / 1e9


def slept_s(act: Callable[[], object], keeper: int | None = None) -> float:
    """For how many seconds this process and that keeper neither ran nor waited for a processor meanwhile."""
    tasks = [Path(f"/proc/{pid}/task") for pid in ("self", keeper) if pid is not None]
    began, busy = time.monotonic(), sum(map(busy_s, tasks))
    act()
    return time.monotonic() - began - (sum(map(busy_s, tasks)) - busy)


def test_a_gate_waits_no_longer_for_a_database_out_of_reach_than_it_may(
    root: Path, database: DatabaseServer, monkeypatch: pytest.MonkeyPatch, figure: Callable[[str], None]
) -> None:
    """50 ms over the way with files, for the first change after the network broke; the next ones don't wait."""
    engine = Engine(Headless("test", (root,)))
    drive(checkout.select(engine, "s", "INT-001", None, None))
    numbers = iter(range(1000))

    def write() -> None:
        outcome = drive(perform(engine, EditRequest(WriteFile(FILE, f"{next(numbers)}\n"), "s")))
        assert isinstance(outcome, EditResult)

    def write_by_files() -> None:
        with monkeypatch.context() as patch:
            patch.delenv("INTENTLS_COORDINATION")
            write()

    write()
    with ExitStack() as stack:
        way, (address, _) = stack.enter_context(line(database))
        client = keep(stack, root, address)
        monkeypatch.setenv("INTENTLS_COORDINATION", address)
        keeper = keeper_pid(root)
        first, next_ = [], []
        for _ in range(ROUNDS):
            eventually(lambda: not client.take(Claim("s", "INT-001", (FILE,), timedelta(minutes=1))).is_away)
            files = slept_s(write_by_files, keeper)  # beside the others: a disk is slow for all that write just then
            way.is_whole.clear()
            first.append(slept_s(write, keeper) - files)
            next_.append(slept_s(write, keeper) - files)
            way.is_whole.set()
            eventually(lambda: client.trouble() is None)
    late, later = statistics.median(first), statistics.median(next_)
    figure(f"a gate slept {late * 1000:.1f} ms longer for a database out of reach, then {later * 1000:.1f} ms")
    assert late <= 0.05
    assert later <= 0.01
