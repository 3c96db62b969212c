"""An edit that a kill cuts off on one machine, while another one takes its files over before it is finished."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from intentls.core.branch.findings import BranchCode
from intentls.core.intents.held_leases import HeldLeases
from intentls.core.patch.unified_diff import parse_patch
from intentls.engine.actions.effects import drive
from intentls.engine.actions.plans import ApplyPatch
from intentls.engine.actions.request import EditRequest, EditResult
from intentls.engine.branch_check.check import check_branch
from intentls.engine.branch_check.comparison import ComparisonRequest
from intentls.engine.edits.perform import perform
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.leases import LeaseRequest
from intentls.store.fs.rooted_files import RootedFiles
from tests.engine.workspace.test_shared_leases import Machine, machines
from tests.store.journaling import Killed, die
from tests.store.power_loss import boot
from tests.support.workspaces import commit_all, git

__all__ = ["machines"]  # the fixture

PATCH = "".join(f"--- a/src/{name}.py\n+++ b/src/{name}.py\n@@ -1 +1 @@\n-one\n+patched\n" for name in "ab")
PATCHED = {"src/a.py": "patched\n", "src/b.py": "patched\n"}

Kill = Callable[[pytest.MonkeyPatch], None]


def before_any_file(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(RootedFiles, "put", lambda *_args, **_more: die())


def after_one_file(patch: pytest.MonkeyPatch) -> None:
    put = RootedFiles.put

    def put_and_die(*args: Any, **more: Any) -> None:
        put(*args, **more)
        die()

    patch.setattr(RootedFiles, "put", put_and_die)


def before_the_look_at_the_leases(patch: pytest.MonkeyPatch) -> None:
    looks: list[None] = []

    def look(_: LeaseRequest) -> bool:
        looks.append(None)
        return len(looks) > 1 and bool(die())  # the first look is before any file is written

    patch.setattr(LeaseRequest, "have_lapsed", look)


def before_the_record(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("intentls.store.journal.journal.Journal._append_entered", lambda *_args, **_more: die())


def patch_and_die(machine: Machine, kill: Kill, monkeypatch: pytest.MonkeyPatch) -> None:
    """The session s changes both files by one patch, and is killed meanwhile."""
    with monkeypatch.context() as patch, pytest.raises(Killed):
        kill(patch)
        drive(perform(machine.engine, EditRequest(ApplyPatch(parse_patch(PATCH)), "s")))


def next_process(machine: Machine) -> None:
    """Another process opens the root, which finishes what was cut off."""
    machine.engine = Engine(Headless("test", (machine.root,)))
    assert machine.workspace.root == machine.root


def contents(machine: Machine) -> dict[str, str]:
    return {name: (machine.root / name).read_text() for name in PATCHED}


def late_paths(base: str, one: Machine, two: Machine) -> list[str]:
    """What the check says when both machines' records are in one branch."""
    (one.root / ".orchestration/trace").mkdir(exist_ok=True)
    for segment in (two.root / ".orchestration/trace").glob("*.jsonl"):
        (one.root / ".orchestration/trace" / segment.name).write_bytes(segment.read_bytes())
    commit_all(one.root, "Both")
    report = check_branch(one.root, ComparisonRequest(base))
    return [str(finding.path) for finding in report.findings if finding.code is BranchCode.LATE_WRITE]


@pytest.fixture
def base(machines: tuple[Machine, Machine]) -> str:
    return git(machines[0].root, "rev-parse", "HEAD")


@pytest.mark.parametrize("kill", [after_one_file, before_the_look_at_the_leases])
def test_an_edit_that_is_finished_after_another_machine_took_a_file_over_is_found_by_the_check(
    machines: tuple[Machine, Machine], base: str, monkeypatch: pytest.MonkeyPatch, kill: Kill
) -> None:
    """It is whole, and its record says when it was finished rather than when it was decided."""
    one, two = machines
    patch_and_die(one, kill, monkeypatch)
    one.host.wait(601)
    assert isinstance(two.write("src/b.py"), EditResult)
    next_process(one)
    assert contents(one) == PATCHED
    assert one.last_record()["recovered"] is True
    assert late_paths(base, one, two) == ["src/b.py"]


@pytest.mark.parametrize("kill", [after_one_file, before_the_look_at_the_leases])
def test_it_is_found_too_where_nobody_knows_any_more_when_it_was_finished(
    machines: tuple[Machine, Machine], base: str, monkeypatch: pytest.MonkeyPatch, kill: Kill
) -> None:
    """As after a start of the machine: its keeper knows nothing of the lease."""
    one, two = machines
    patch_and_die(one, kill, monkeypatch)
    one.host.wait(601)
    assert isinstance(two.write("src/b.py"), EditResult)
    one.host.keeper._held = HeldLeases()
    next_process(one)
    assert [set(file["lease"]) for file in one.last_record()["files"]] == [{"fence", "since"}] * 2
    assert late_paths(base, one, two) == ["src/b.py"]


@pytest.mark.parametrize("kill", [after_one_file, before_the_look_at_the_leases])
def test_an_edit_that_is_finished_in_time_is_not_late(
    machines: tuple[Machine, Machine], base: str, monkeypatch: pytest.MonkeyPatch, kill: Kill
) -> None:
    """Another machine takes the file over afterwards."""
    one, two = machines
    patch_and_die(one, kill, monkeypatch)
    next_process(one)
    used = [file["lease"]["used"] for file in one.last_record()["files"]]
    one.host.wait(601)
    assert isinstance(two.write("src/b.py"), EditResult)
    assert two.last_record()["files"][0]["lease"]["since"] > used[1]
    assert late_paths(base, one, two) == []


def test_what_was_looked_at_before_the_kill_keeps_the_time_of_its_decision(
    machines: tuple[Machine, Machine], base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only its record was missing: it was in time, however late that comes."""
    one, two = machines
    patch_and_die(one, before_the_record, monkeypatch)
    one.host.wait(601)
    assert isinstance(two.write("src/b.py"), EditResult)
    next_process(one)
    assert one.last_record()["recovered"] is True
    assert late_paths(base, one, two) == []


def test_of_an_edit_that_had_not_begun_nothing_stands(
    machines: tuple[Machine, Machine], base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asked for it never had an answer."""
    one, two = machines
    patch_and_die(one, before_any_file, monkeypatch)
    one.host.wait(601)
    assert isinstance(two.write("src/b.py"), EditResult)
    next_process(one)
    assert contents(one) == dict.fromkeys(PATCHED, "one\n")
    assert late_paths(base, one, two) == []


def test_a_time_that_was_not_known_when_the_ledger_failed_is_not_taken_for_that_of_the_decision(
    machines: tuple[Machine, Machine], base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files are finished first, and the record comes when there is a ledger again."""
    one, two = machines
    patch_and_die(one, after_one_file, monkeypatch)
    one.host.wait(601)
    assert isinstance(two.write("src/b.py"), EditResult)
    with monkeypatch.context() as patch:
        patch.setattr("intentls.store.ledger.ledger.Ledger.is_writable", lambda _: False)
        next_process(one)
        assert contents(one) == PATCHED
    next_process(one)
    assert late_paths(base, one, two) == ["src/b.py"]


def test_an_edit_that_a_power_loss_cut_off_is_found_as_well(
    machines: tuple[Machine, Machine], base: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is restored from the write-ahead log, and may never have been in its place before."""
    one, two = machines
    patch_and_die(one, before_any_file, monkeypatch)
    one.host.wait(601)
    assert isinstance(two.write("src/b.py"), EditResult)
    for slot in one.workspace.layout.journal.iterdir():
        slot.write_bytes(b"")  # the disk never had it
    with boot("two", tmp_path):
        next_process(one)
    assert contents(one) == PATCHED
    assert late_paths(base, one, two) == ["src/b.py"]
