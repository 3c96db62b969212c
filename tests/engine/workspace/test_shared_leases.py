"""Two clones of one repository on two machines, and the leases that they share through a database."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from intentls.core.branch.findings import BranchCode, FindingLevel
from intentls.core.gate.refusal import Code, Refusal
from intentls.engine.actions.effects import drive
from intentls.engine.actions.plans import WriteFile
from intentls.engine.actions.request import EditRequest, EditResult
from intentls.engine.branch_check.check import check_branch
from intentls.engine.branch_check.comparison import ComparisonRequest
from intentls.engine.edits.perform import perform
from intentls.engine.intents import checkout
from intentls.engine.workspace import leases
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.leases import who_works_on
from intentls.engine.workspace.people import person
from intentls.engine.workspace.workspace import Workspace
from tests.support.database import DatabaseServer
from tests.support.keepers import WAIT_S, SimulatedHost, host
from tests.support.workspaces import commit_all, make_git_repo, make_workspace

Json = dict[str, Any]
INTENTS = """\
active_intents:
  - {id: INT-001, name: One, status: IN_PROGRESS, owned_scope: ["src/**"]}
  - {id: INT-002, name: Two, status: IN_PROGRESS, owned_scope: ["src/**"]}
"""
FILES = {"src/a.py": "one\n", "src/b.py": "one\n"}


@dataclass
class Machine:
    """A clone with its engine; the session `s` works under INT-001."""

    root: Path
    engine: Engine
    host: SimulatedHost

    @property
    def workspace(self) -> Workspace:
        return self.engine.workspace(self.root)

    def write(self, path: str, content: str = "two\n") -> EditResult | Refusal:
        return drive(perform(self.engine, EditRequest(WriteFile(path, content), "s")))

    def select(self, intent_id: str | None) -> None:
        if intent_id is None:
            checkout.clear(self.engine, "s")
        else:
            drive(checkout.select(self.engine, "s", intent_id, None, None))

    def last_record(self) -> Json:
        lines = self.workspace.layout.ledger.read_text().splitlines()
        record: Json = json.loads(lines[-1])
        return record

    def seen_elsewhere(self) -> list[tuple[str, str, str | None]]:
        return [(live.host, live.person, live.intent_id) for live in self.workspace.coordination.elsewhere()]

    def set_policy(self, text: str) -> None:
        (self.root / ".orchestration/policy.yaml").write_text(text)

    def away(self) -> None:
        """From now on its keeper has no connection."""
        self.host.keeper.close()


@pytest.fixture
def machines(
    tmp_path: Path, database: DatabaseServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Machine, Machine]]:
    """Two machines, each with a keeper, under `leases: enforce`."""
    shared = database.new_repository()
    monkeypatch.setenv("INTENTLS_COORDINATION", shared[0])
    monkeypatch.setenv("INTENTLS_COORDINATION_WAIT_MS", str(int(WAIT_S * 1000)))
    first = make_git_repo(make_workspace(tmp_path / "one", INTENTS, FILES, policy="leases: enforce\n"))
    subprocess.run(["git", "clone", "-q", str(first), str(tmp_path / "two")], check=True)
    with ExitStack() as stack:
        made = []
        for name in ("one", "two"):
            root = (tmp_path / name).resolve()
            one = stack.enter_context(host(tmp_path, shared, name))
            made.append(Machine(root, Engine(Headless("test", (root,))), one))
            made[-1].select("INT-001")
        yield made[0], made[1]


def refusal_of(outcome: EditResult | Refusal) -> Refusal:
    assert isinstance(outcome, Refusal), outcome
    return outcome


def test_a_file_that_is_changed_on_one_machine_is_refused_on_the_other(machines: tuple[Machine, Machine]) -> None:
    """It says who and where; after the session took up something else, the file is free under a higher fence."""
    one, two = machines
    assert isinstance(one.write("src/a.py"), EditResult)
    first = one.last_record()["files"][0]["lease"]
    refusal = refusal_of(two.write("src/a.py"))
    assert refusal.code is Code.HOOK_ERROR
    assert "src/a.py is being changed by session s on one under INT-001" in refusal.error
    assert [(work.path, work.session_id, work.host) for work in who_works_on(two.workspace)] == [
        ("src/a.py", "s", "one")
    ]
    one.select("INT-002")
    assert isinstance(two.write("src/a.py"), EditResult)
    assert two.last_record()["files"][0]["lease"]["fence"] > first["fence"]


def test_under_advise_the_same_is_a_warning(machines: tuple[Machine, Machine]) -> None:
    """The change happens, without a lease of its own."""
    one, two = machines
    two.set_policy("leases: advise\n")
    one.write("src/a.py")
    outcome = two.write("src/a.py")
    assert isinstance(outcome, EditResult)
    assert ["session s on one" in warning for warning in outcome.warnings] == [True]


def test_each_machine_sees_who_is_at_work_on_the_others(machines: tuple[Machine, Machine]) -> None:
    """With the intent, and no longer when it is handed back."""
    one, two = machines
    assert one.seen_elsewhere() == [("two", person(two.workspace) or "", "INT-001")]
    two.select("INT-002")
    assert [intent for *_, intent in one.seen_elsewhere()] == ["INT-002"]
    two.select(None)
    assert one.seen_elsewhere() == []
    one.engine.end_session("s")
    assert two.seen_elsewhere() == []


def test_while_away_enforce_keeps_what_is_held_and_refuses_what_is_new(machines: tuple[Machine, Machine]) -> None:
    """The record says that the others were not known."""
    one, _ = machines
    one.write("src/a.py")
    one.away()
    outcome = one.write("src/a.py", "three\n")
    assert isinstance(outcome, EditResult)
    assert ["Coordination Away" in warning for warning in outcome.warnings] == [True]
    assert one.last_record()["coordination"] == "away"
    refusal = refusal_of(one.write("src/b.py"))
    assert (refusal.code, "Coordination Away" in refusal.error) == (Code.HOOK_ERROR, True)
    assert (one.root / "src/b.py").read_text() == "one\n"
    one.host.seconds = 601
    assert "Coordination Away" in refusal_of(one.write("src/a.py", "four\n")).error


def test_while_away_advise_warns_and_puts_it_on_record(machines: tuple[Machine, Machine]) -> None:
    """Nothing is refused for it."""
    one, _ = machines
    one.set_policy("leases: advise\n")
    one.away()
    outcome = one.write("src/b.py")
    assert isinstance(outcome, EditResult)
    assert ["Coordination Away" in warning for warning in outcome.warnings] == [True]
    assert one.last_record()["coordination"] == "away"


def test_a_process_that_was_stopped_past_the_end_of_its_lease_is_judged_again(
    machines: tuple[Machine, Machine], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It passed the gate, was stopped before it wrote, and another machine took the file meanwhile."""
    one, two = machines
    looks: list[EditResult | Refusal] = []

    def clock() -> float:
        if looks:
            return 0.0
        looks.append(refusal_of(two.write("src/a.py")))
        one.workspace.coordination.release("s")  # as the lease's end does, for the database
        looks.append(two.write("src/a.py"))
        return float("inf")

    monkeypatch.setattr(leases, "elapsed_s", clock)
    refusal = refusal_of(one.write("src/a.py"))
    assert isinstance(looks[1], EditResult)
    assert "session s on two" in refusal.error
    assert (one.root / "src/a.py").read_text() == "one\n"


def test_the_check_finds_a_write_after_a_takeover(machines: tuple[Machine, Machine]) -> None:
    """An error where leases are enforced: the ledger of both machines shows which of them was late."""
    one, two = machines
    base = subprocess.run(["git", "rev-parse", "HEAD"], cwd=one.root, capture_output=True, text=True, check=True)
    one.write("src/a.py")
    one.select("INT-002")
    two.write("src/a.py", "three\n")
    one.set_policy("leases: advise\n")
    one.write("src/a.py", "four\n")
    for segment in (two.root / ".orchestration/trace").glob("*.jsonl"):
        (one.root / ".orchestration/trace" / segment.name).write_bytes(segment.read_bytes())
    one.set_policy("leases: enforce\n")
    commit_all(one.root, "Both")
    report = check_branch(one.root, ComparisonRequest(base.stdout.strip()))
    found = [finding for finding in report.findings if finding.code is BranchCode.LATE_WRITE]
    assert [(finding.path, finding.level) for finding in found] == [("src/a.py", FindingLevel.ERROR)]
    assert found[0].record_ids[1] == two.last_record()["id"]
