"""No question and no answer is lost or given twice, whatever order things happen in and wherever a line breaks."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from intentls.store.git.root_commit import root_commit
from tests.engine.questions.exchange_actors import Company
from tests.engine.questions.exchange_model import FAULTS, MACHINES, Exchange, Keeper, World
from tests.support.database import DatabaseServer, make_tables
from tests.support.workspaces import git, make_git_repo, make_workspace

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="news of files is told on Linux only")
_EXAMPLES = int(os.environ.get("INTENTLS_EXCHANGES", "20"))
_MAX_STATEMENTS = 300
_STRIDE = 1 if os.environ.get("INTENTLS_LONG") == "1" else 6


@pytest.fixture(scope="module")
def world(database: DatabaseServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Three clones of one repository that share a database, and show each other what a question is about."""
    folder = tmp_path_factory.mktemp("exchange")
    first = make_workspace(folder / "first")
    (first / ".orchestration/policy.yaml").write_text("question_excerpts: true\n")
    make_git_repo(first)
    roots = [first, *(folder / name for name in ("second", "third"))]
    for root in roots[1:]:
        git(folder, "clone", "-q", str(first), root.name)
    address = database.new_database()
    make_tables(address, root_commit(first))
    assert len(roots) == len(MACHINES)
    with Company.start() as company, psycopg.connect(address, autocommit=True) as owner:
        yield World(company, [root.resolve() for root in roots], address, owner)


class _Fault:
    """Something that happens once, at the statement of that number."""

    def __init__(self, number: int, what: str) -> None:
        self._left, self._what = number, what
        self.exchange: Exchange | None = None

    @property
    def has_happened(self) -> bool:
        return self._left < 0

    def how(self, keeper: Keeper) -> str:
        self._left -= 1
        if self._left != -1 or self.exchange is None:
            return "done"
        machine = self.exchange.keepers.index(keeper)
        if self._what == "close":  # who asks looks once more, and is done
            self.exchange.close(pick=0)
            return "done"
        if self._what not in FAULTS:
            return self._what
        self.exchange.meet_a_fault(machine=machine, fault=self._what)
        return "killed" if self._what == "kill_a_keeper" else "done"


@pytest.mark.parametrize("what", ["lost", "unknown", "late", "dropped", "kill_a_keeper", "restart_the_server"])
def test_a_question_survives_one_fault_wherever_it_happens(world: World, what: str) -> None:
    """A question is asked, shown, answered, taken and closed; each statement of all keepers meets the fault in turn."""

    class Told(Exchange):
        pass

    Told.world = world = replace(world, roots=world.roots[:2])
    for number in range(0, _MAX_STATEMENTS, _STRIDE):
        fault = _Fault(number, what)
        told = Told()
        try:
            told.begin()
            fault.exchange, world.how = told, fault.how
            told.ask()
            told.settle()
            told.answer(machine=1, pick=0, action="Approve")
            told.settle()
            told.answer(machine=1, pick=0, action="Reject")  # if it is shown again: what a killed keeper knew is lost
            told.settle()
            told.close(pick=0)
            told.settle()
            told.listen(machine=1)
            told.look(machine=1)
            told.listen(machine=1)  # a window that is loaded again
            told.settle()
        finally:
            world.how = lambda _: "done"
            told.end()
        (question,) = told.questions
        assert question.reply is not None, f"{what} at statement {number}"
        if not fault.has_happened:
            return
    raise AssertionError("the story has no end")


def test_a_person_is_told_the_truth_whenever_the_asker_is_done(world: World) -> None:
    """After an answer, who asks looks for one and is gone; at each statement of all keepers in turn."""

    class Told(Exchange):
        pass

    Told.world = world = replace(world, roots=world.roots[:2])
    outcomes = set()
    for number in range(_MAX_STATEMENTS):
        told, done = Told(), _Fault(number, "close")
        try:
            told.begin()
            told.ask()
            told.settle()
            told.answer(machine=1, pick=0, action="Approve")
            done.exchange, world.how = told, done.how
            told.settle()
        finally:
            world.how = lambda _: "done"
            told.end()
        if not done.has_happened:
            break
        outcomes.add(told.questions[0].answers[0].state)
    assert outcomes == {"taken", "late"}


def test_what_happens_while_a_connection_is_lost_is_seen_after_it(world: World) -> None:
    """Nobody had a reason to look meanwhile: the new connection is one."""

    class Told(Exchange):
        pass

    Told.world = replace(world, roots=world.roots[:2])
    told = Told()
    try:
        told.begin()
        told.meet_a_fault(machine=1, fault="lose_the_connection")
        told.ask()
        told.look(machine=0)
        told.settle()
        assert told.people[1].do("shown") == [question.id for question in told.questions]
    finally:
        told.end()


def test_every_question_gets_the_one_answer_that_is_on_record(world: World) -> None:
    """Each step of three machines in drawn orders: see `exchange_model`."""

    class Drawn(Exchange):
        pass

    Drawn.world = world
    run_state_machine_as_test(
        Drawn,
        settings=settings(
            max_examples=_EXAMPLES, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
