"""A host that is stopped or killed past the end of its lease: real servers and keepers of two clones, one database.

`make soak` has all of them, `make test` the one whose write was on its way.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from intentls.store.layout import Layout
from intentls.store.sessions.coordination.keeper_client import KeeperClient
from intentls.store.sessions.coordination.keeper_files import KeeperFiles
from tests.support.database import DatabaseServer
from tests.support.forked_servers import Nursery, arm, calls, let_go, wait_until_it_waits
from tests.support.launcher import Orders
from tests.support.patience import PATIENCE_S, eventually
from tests.support.processes import runs
from tests.support.session import Session, ledger_of
from tests.support.workspaces import commit_all, git, make_git_repo, make_workspace

LONG = os.environ.get("INTENTLS_LONG") == "1"
Json = dict[str, Any]
INTENTLS = (sys.executable, "-m", "intentls")
INTENTS = """\
active_intents:
  - {id: INT-001, name: One, status: IN_PROGRESS, owned_scope: ["src/**"]}
"""
FILE = "src/a.py"


@dataclass
class Machine:
    """A clone, its server, and its keeper."""

    session: Session
    orders: Orders

    @property
    def root(self) -> Path:
        return self.session.root

    def write(self, content: str) -> Json:
        self.session.do("readFile", path=FILE)
        return self.session.do("writeToFile", path=FILE, content=content)

    def writes(self, content: str) -> bool:
        return self.write(content)["status"] == "ok"

    def fence(self) -> int:
        """Under which fence it changed the file last."""
        (file,) = ledger_of(self.root)[-1]["files"]
        fence: int = file["lease"]["fence"]
        return fence

    def verb(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """A verb of this machine, to its end."""
        environment = {**os.environ, **self.orders.environment}
        return subprocess.run(
            [*INTENTLS, *arguments],
            cwd=self.root,
            env=environment,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE_S,
        )

    def hook(self, event: str) -> None:
        """The hook of an agent here before or after it writes the file; it passes."""
        tool = {"file_path": str(self.root / FILE), "content": "late\n"}
        message = {"hook_event_name": event, "session_id": "agent", "tool_name": "Write", "tool_input": tool}
        answer = self.verb("hook", "claude-code", stdin=json.dumps({**message, "cwd": str(self.root)}))
        assert (answer.returncode, "deny" in answer.stdout) == (0, False), answer

    def lease_for(self, seconds: int) -> None:
        """From now on its leases last so long."""
        policy = self.root / ".orchestration/policy.yaml"
        policy.write_text(f"leases: enforce\nlease_ttl_s: {seconds}\n")

    def signal(self, number: signal.Signals) -> None:
        """To all processes of this machine."""
        for pid in (self.keeper, self.session.wire.process.pid):
            os.kill(pid, number)

    @property
    def keeper(self) -> int:
        return keeper_pid(self.root)


@pytest.fixture
def machines(tmp_path: Path, database: DatabaseServer, nursery: Nursery) -> Iterator[tuple[Machine, Machine]]:
    """Two machines at work on the same intent, whose leases last a second."""
    address = database.new_database()
    environment = {"INTENTLS_COORDINATION": address, "INTENTLS_COORDINATION_WAIT_MS": "9000"}
    policy = "leases: enforce\nlease_ttl_s: 1\n"
    first = make_git_repo(make_workspace(tmp_path / "one", INTENTS, {FILE: "start\n"}, policy=policy))
    git(tmp_path, "clone", "-q", str(first), "two")
    verb = {"env": {**os.environ, **environment}, "check": True, "timeout": PATIENCE_S, "capture_output": True}
    subprocess.run([*INTENTLS, "coordination", "init"], cwd=first, **verb)
    with ExitStack() as stack:
        made = []
        for name in ("one", "two"):
            root = (tmp_path / name).resolve()
            stack.enter_context(keeper_of(root, verb["env"]))
            orders = Orders(str(tmp_path / f"arm-{name}"), str(tmp_path / f"calls-{name}"), environment=environment)
            made.append(Machine(stack.enter_context(nursery.serve(root, orders)), orders))
            made[-1].session.do("selectActiveIntent", intent_id="INT-001")
        yield made[0], made[1]


def keeper_pid(root: Path) -> int:
    """The process of a clone's keeper."""
    address = KeeperFiles(Layout(root).coordination).address()
    assert address is not None
    return address.pid


@contextmanager
def keeper_of(root: Path, environment: dict[str, str]) -> Iterator[None]:
    """A clone's keeper, as a server would start it; ended at the end, also one that took its place."""
    keeper = subprocess.Popen([*INTENTLS, "coordination", "serve"], cwd=root, env=environment, stdout=subprocess.PIPE)
    assert keeper.stdout is not None
    try:
        assert keeper.stdout.readline().startswith(b"Keeping")
        yield
    finally:
        address = KeeperFiles(Layout(root).coordination).address()
        keeper.kill()
        keeper.communicate()
        if address is not None and address.pid != keeper.pid and runs(address.pid):
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(address.pid, signal.SIGTERM)
            eventually(lambda: not runs(address.pid))


def test_a_write_that_was_on_its_way_when_its_host_was_stopped_does_not_happen(
    machines: tuple[Machine, Machine],
) -> None:
    """The host passed the gate, stood still past the end of its lease, and went on after another took the file."""
    one, two = machines
    assert one.writes("zero\n")  # what is made once is there
    one.session.do("readFile", path=FILE)
    arm(one.orders, "note")
    assert one.session.do("writeToFile", path=FILE, content="one\n")["status"] == "ok"
    staging = 1 + next(number for number, call in enumerate(calls(one.orders)) if "/stage/" in call and "open" in call)
    one.session.do("readFile", path=FILE)
    arm(one.orders, "wait", staging)
    waiting = one.session.wire.ask(
        "workspace/executeCommand",
        {"command": "intent.writeToFile", "arguments": [{"path": FILE, "content": "late\n"}]},
    )
    wait_until_it_waits(one.orders)
    one.signal(signal.SIGSTOP)
    two.lease_for(600)
    eventually(lambda: two.writes("two\n"))
    let_go(one.orders)
    one.signal(signal.SIGCONT)
    refusal = one.session.wire.answer(waiting)["result"]
    assert "is being changed by session" in refusal["error"]
    assert (one.root / FILE).read_text() == "one\n"


@pytest.mark.skipif(not LONG, reason="make soak")
def test_what_an_agent_writes_itself_after_its_lease_is_found_by_the_check(machines: tuple[Machine, Machine]) -> None:
    """Its hook let it pass, its host stood still past the end of the lease, and it wrote after another had."""
    one, two = machines
    base = git(one.root, "rev-parse", "HEAD").strip()
    assert one.verb("select", "INT-001", "--session", "agent").returncode == 0
    one.hook("PreToolUse")
    one.signal(signal.SIGSTOP)
    eventually(lambda: two.writes("two\n"))
    one.signal(signal.SIGCONT)
    (one.root / FILE).write_text("late\n")
    one.hook("PostToolUse")
    assert one.fence() < two.fence()
    for segment in (two.root / ".orchestration/trace").glob("*.jsonl"):
        shutil.copy(segment, one.root / ".orchestration/trace" / segment.name)
    commit_all(one.root, "Both")
    check = one.verb("check", "--base", base, "--format", "json")
    findings = [finding for finding in json.loads(check.stdout)["findings"] if finding["code"] == "LATE_WRITE"]
    assert [(finding["path"], finding["level"]) for finding in findings] == [(FILE, "error")]
    assert check.returncode == 1


@pytest.mark.skipif(not LONG, reason="make soak")
def test_a_host_that_was_stopped_past_the_end_of_its_lease_is_refused(machines: tuple[Machine, Machine]) -> None:
    """When it goes on, another holds the file."""
    one, two = machines
    assert one.writes("one\n")
    one.signal(signal.SIGSTOP)
    eventually(lambda: two.writes("two\n"))
    fence = two.fence()
    two.lease_for(600)
    assert two.writes("three\n")
    one.signal(signal.SIGCONT)
    refusal = one.write("late\n")
    assert "is being changed by session" in refusal["error"]
    assert (one.root / FILE).read_text() == "one\n"
    assert two.fence() >= fence


@pytest.mark.skipif(not LONG, reason="make soak")
def test_the_lease_of_a_host_that_was_killed_ends_by_time(machines: tuple[Machine, Machine], nursery: Nursery) -> None:
    """Its server and its keeper are killed; who comes next has the higher fence, and the first is refused then."""
    one, two = machines
    one.lease_for(3)
    assert one.writes("one\n")
    fence = one.fence()
    keeper = one.keeper
    one.signal(signal.SIGKILL)
    assert two.write("two\n")["status"] == "error"
    two.lease_for(600)
    eventually(lambda: two.writes("two\n"))
    assert two.fence() > fence
    eventually(lambda: not runs(keeper))
    with nursery.serve(one.root, one.orders) as again:
        client = KeeperClient(Layout(one.root), one.orders.environment["INTENTLS_COORDINATION"], 9.0)
        again.do("selectActiveIntent", intent_id="INT-001")
        eventually(lambda: client.trouble() is None)
        refusal = Machine(again, one.orders).write("late\n")
        assert "is being changed by session" in refusal["error"]
