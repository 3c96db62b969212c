"""A model of the exchange of questions: every step is taken by hand, in any order, and what must hold is asserted.

Machine 0 asks; people at all three answer. The processes, their locks and the statements are real (`exchange_actors`);
nothing looks by itself, and no time passes unless a step says so. `settle` is what follows when all is well again: each
keeper looks as long as it is told of something, or looks each second anyway. It never takes the look that comes every
20 seconds, so a step that forgets to tell is seen.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from psycopg.rows import TupleRow

from intentls.store.layout import Layout
from tests.engine.questions.exchange_actors import Actor, Company

MACHINES = range(3)
_MAX_OPEN = 3
_ROUNDS = 60
_HOW = st.sampled_from(("done", "done", "done", "done", "lost", "unknown", "late", "dropped"))
FAULTS = (
    "kill_the_asker",
    "kill_an_editor",
    "lose_the_connection",
    "time_passes",
    "kill_a_keeper",
    "restart_the_server",
)
_MACHINE = st.sampled_from(MACHINES)
_PICK = st.integers(0, 11)


@dataclass
class GivenAnswer:
    """An answer that a person gave, and what they were told of it."""

    machine: int
    action: str
    by: str
    state: str = "waits"
    is_excused: bool = False
    """A process that carried it was killed: it may be lost, and what became of it too."""


@dataclass
class AskedQuestion:
    """A question that was asked."""

    id: str
    is_open: bool = True
    reply: list[str] | None = None
    answers: list[GivenAnswer] = field(default_factory=list)

    def is_by(self, answer: GivenAnswer) -> bool:
        """Whether the asker took this answer."""
        return self.reply is not None and self.reply[0] == answer.action and self.reply[1].split(" (")[0] == answer.by


@dataclass
class World:
    """Three clones that share a database, without a process in any."""

    company: Company
    roots: list[Path]
    address: str
    owner: psycopg.Connection[TupleRow]
    how: Callable[[Keeper], str] = lambda _: "done"
    """How the next statement of a keeper goes that looks without a step by step; "killed" if it is no more."""

    def clear(self) -> None:
        """As if nothing had been asked yet."""
        for root in self.roots:
            for folder in (Layout(root).questions, Layout(root).listeners):
                shutil.rmtree(folder, ignore_errors=True)
        self.execute("DELETE FROM intentls.questions")
        self.execute("DELETE FROM intentls.listeners")

    def execute(self, statement: str) -> list[Any]:
        """What the database answers to its owner."""
        cursor = self.owner.execute(statement)  # type: ignore[call-overload]
        return cursor.fetchall() if cursor.description is not None else []


class Keeper:
    """The keeper of a clone, which is between two looks or stands at a statement."""

    def __init__(self, world: World, root: Path) -> None:
        self._world, self._root = world, root
        self.start()

    def start(self) -> None:
        """A new one, which has no connection yet."""
        self.actor = self._world.company.hire("keeper", self._root, self._world.address)
        self.is_connected = self.is_paused = False
        self.looks_anyway = True
        self.statements = 0

    def step(self, how: str) -> None:
        """Begin a look, or do the statement that it stands at."""
        answer = self.actor.do("statement", how) if self.is_paused else self.actor.do("look")
        self.is_paused = answer[0] == "statement"
        if how in ("lost", "unknown"):
            self.is_connected = False
        if not self.is_paused:
            _, self.statements, pause_s = answer
            self.looks_anyway = pause_s <= 1.0

    def connect(self) -> None:
        if not self.is_connected:
            self.actor.do("connect")
            self.is_connected = True

    def disconnect(self) -> None:
        self.actor.do("disconnect")
        self.is_connected = False

    def look(self) -> None:
        """A whole look; what it stands at goes as the world says."""
        if not self.is_paused:
            self.step("done")
        for _ in range(_ROUNDS):
            if not self.is_paused:
                return
            how = self._world.how(self)
            if how != "killed":
                self.step(how)
        raise AssertionError("a look has no end")

    def kill(self) -> None:
        self.actor.kill()
        self.start()


class Exchange(RuleBasedStateMachine):
    """The steps, and what must hold after them."""

    world: World

    def __init__(self) -> None:
        super().__init__()
        self.world.clear()
        self.machines = range(len(self.world.roots))
        self.keepers = [Keeper(self.world, root) for root in self.world.roots]
        self.people = [self._hire("person", machine) for machine in self.machines]
        self.asker = self._hire("asker", 0)
        self.listening: set[int] = set()
        self.questions: list[AskedQuestion] = []
        self._names = 0

    def _hire(self, part: str, machine: int) -> Actor:
        return self.world.company.hire(part, self.world.roots[machine], self.world.address)

    def teardown(self) -> None:
        """Whatever happened, all comes right once nothing more happens."""
        try:
            self.settle()
        finally:
            self.end()

    def end(self) -> None:
        """Kill all processes."""
        for actor in (*(keeper.actor for keeper in self.keepers), *self.people, self.asker):
            actor.kill()

    # -- who asks

    @property
    def _open(self) -> list[AskedQuestion]:
        return [question for question in self.questions if question.is_open]

    @initialize()
    def begin(self) -> None:
        """People at two machines see questions."""
        for machine in (0, 1):
            self.listen(machine)
        self.settle()

    @rule()
    @precondition(lambda self: len(self._open) < _MAX_OPEN)
    def ask(self) -> None:
        self.questions.append(AskedQuestion(self.asker.do("post")))

    @rule(pick=_PICK)
    @precondition(lambda self: self._open)
    def look_for_an_answer(self, pick: int) -> None:
        question = self._open[pick % len(self._open)]
        self._note(question, self.asker.do("look", question.id))

    @rule(pick=_PICK)
    @precondition(lambda self: self._open)
    def close(self, pick: int) -> None:
        """Who asks takes the answer that there is, or waits no longer."""
        question = self._open[pick % len(self._open)]
        reply = self.asker.do("look", question.id)
        self._note(question, reply)
        if reply is None:
            reply = self.asker.do("give_up", question.id)
            if any(answer.by == reply[1].split(" (")[0] for answer in question.answers):
                self._note(question, reply)
        self.asker.do("close", question.id)
        question.is_open = False

    def _note(self, question: AskedQuestion, reply: list[str] | None) -> None:
        """An answer is one that somebody gave, and stays the same."""
        if reply is None:
            assert question.reply is None, "the answer was taken back"
            return
        assert question.reply in (None, reply)
        question.reply = reply
        assert any(question.is_by(answer) for answer in question.answers), f"nobody answered {reply}"

    def _kill_the_asker(self, _machine: int) -> None:
        self.asker.kill()
        self.asker = self._hire("asker", 0)
        for question in self._open:
            question.is_open = False

    # -- people

    @rule(machine=_MACHINE)
    def listen(self, machine: int) -> None:
        if machine in self.listening:
            self.people[machine].do("listen_no_more")
        else:
            self.people[machine].do("listen")
        self.listening ^= {machine}

    @rule(machine=_MACHINE, pick=_PICK, action=st.sampled_from(("Approve", "Reject")))
    def answer(self, machine: int, pick: int, action: str) -> None:
        """A person answers what they are shown; nobody is asked again after an answer."""
        shown = self._shown(machine)
        if not shown:
            return
        question = shown[pick % len(shown)]
        self._names += 1
        by = f"person {self._names}"
        if self.people[machine].do("answer", question.id, action, by):
            question.answers.append(GivenAnswer(machine, action, by))

    @rule(machine=_MACHINE)
    def learn_what_became_of_answers(self, machine: int) -> None:
        for question in self.questions:
            for answer in question.answers:
                if answer.machine == machine and answer.state == "waits":
                    answer.state = self.people[machine].do("state", question.id)
                    self._judge(question, answer)

    def _judge(self, question: AskedQuestion, answer: GivenAnswer) -> None:
        """What a person is told of their answer is true."""
        if answer.is_excused or answer.state == "waits":
            return
        what = f"{answer} to {question.id}, whose reply is {question.reply}"
        assert (answer.state == "taken") == question.is_by(answer), what
        others = [each for each in question.answers if each is not answer]
        assert answer.state != "refused" or others, f"refused, and nobody else had answered: {what}"

    def _shown(self, machine: int) -> list[AskedQuestion]:
        """What the person is asked now. Nothing that they answered, while that may count."""
        ids = self.people[machine].do("shown")
        shown = [question for question in self.questions if question.id in ids]
        assert len(shown) == len(ids)
        for question in shown:
            own = [each for each in question.answers if each.machine == machine and not each.is_excused]
            assert not own, f"asked again after {own}"
        return shown

    def _kill_an_editor(self, machine: int) -> None:
        self.people[machine].kill()
        self.people[machine] = self._hire("person", machine)
        self.listening -= {machine}
        self.keepers[machine].looks_anyway = True  # within 20 seconds
        self._excuse(machine, forget=True)

    # -- the keepers and the database

    @rule(machine=_MACHINE, how=_HOW)
    def step(self, machine: int, how: str) -> None:
        self.keepers[machine].step(how)

    @rule(machine=_MACHINE)
    def look(self, machine: int) -> None:
        """A look without a fault."""
        keeper = self.keepers[machine]
        if keeper.is_paused:
            keeper.step("done")
        else:
            keeper.look()

    @rule(machine=_MACHINE)
    def hear(self, machine: int) -> None:
        self.keepers[machine].actor.do("catch_up")

    @rule(machine=_MACHINE)
    def connect(self, machine: int) -> None:
        self.keepers[machine].connect()

    def _lose_the_connection(self, machine: int) -> None:
        self.keepers[machine].disconnect()

    def _time_passes(self, machine: int) -> None:
        self.keepers[machine].actor.do("later", 30.0)

    def _kill_a_keeper(self, machine: int) -> None:
        self.keepers[machine].kill()
        if machine == 0:  # nobody else knows whether an answer was taken, until it has told so
            for each in self.machines:
                self._excuse(each)
        else:
            self._excuse(machine)

    def _restart_the_server(self, _machine: int) -> None:
        """It loses who listens, and the answers that nobody took yet."""
        for keeper in self.keepers:
            keeper.disconnect()
        self.world.execute("DELETE FROM intentls.listeners")
        for question in self.questions:
            if question.reply is None:
                key = f"SELECT key FROM intentls.questions WHERE about LIKE '%{question.id}%'"
                self.world.execute(f"DELETE FROM intentls.answers WHERE key IN ({key})")

    @rule(machine=_MACHINE, fault=st.sampled_from(FAULTS))
    def meet_a_fault(self, machine: int, fault: str) -> None:
        getattr(self, f"_{fault}")(machine)

    def _excuse(self, machine: int, *, forget: bool = False) -> None:
        for question in self.questions:
            for answer in question.answers:
                if answer.machine == machine and answer.state == "waits":
                    answer.is_excused = True
                    if forget:
                        answer.state = "unknown"

    # -- in the end

    @rule()
    def settle(self) -> None:
        """All is well, and everybody does what there is a reason to do."""
        for keeper in self.keepers:
            keeper.connect()
            if keeper.is_paused:
                keeper.look()
        for _ in range(_ROUNDS):
            if not self._does_something():
                break
        else:
            raise AssertionError("it never comes to rest")
        self._all_is_well()

    def _does_something(self) -> bool:
        """One round; whether there is anything left to do."""
        self.world.execute(
            "UPDATE intentls.listeners SET seen = clock_timestamp() + interval '1 day'"
        )  # no time passes
        is_busy = False
        for keeper in self.keepers:
            keeper.connect()
            is_told = keeper.actor.do("catch_up") | keeper.actor.do("is_told")
            if is_told or keeper.looks_anyway:
                keeper.look()
                is_busy |= is_told or keeper.statements > 0 or not keeper.is_connected
        for question in self._open:
            self._note(question, self.asker.do("look", question.id))
        for machine in self.machines:
            self.learn_what_became_of_answers(machine)
        return is_busy or any(keeper.actor.do("is_told") for keeper in self.keepers)

    def _all_is_well(self) -> None:
        is_open = {question.id for question in self._open}
        waiting = {question.id for question in self._open if question.reply is None}
        for question in self._open:
            lost = [answer for answer in question.answers if not answer.is_excused]
            assert question.reply is not None or not lost, f"lost: {lost}"
        for machine in self.machines:
            shown = {question.id for question in self._shown(machine)}
            must = waiting if machine == 0 or machine in self.listening else set()
            assert must <= shown <= is_open, f"machine {machine} shows {shown}; {waiting} wait, {is_open} are open"
        for question in self.questions:
            told = [answer for answer in question.answers if answer.state != "waits"]
            assert question.is_open or told == question.answers, "a person is left without word"
        assert ("remote" in self.people[0].do("faces")) == bool(self.listening - {0})
        abouts = self.world.execute("SELECT about FROM intentls.questions WHERE closed IS NULL")
        assert all(any(id_ in about for id_ in is_open) for (about,) in abouts), "a closed question stands open"
