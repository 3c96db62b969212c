"""Questions between two machines while the database restarts, is slow or out of reach: each gets its one answer."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from intentls.engine.actions.effects import Answer
from intentls.engine.questions.posting import Posting
from intentls.store.questions.held_file import HeldFile
from intentls.store.questions.question_files import Question
from tests.e2e.test_questions_elsewhere import INTENTLS, Machine
from tests.support.database import DatabaseServer, database_server
from tests.support.database_line import Line, line
from tests.support.patience import PATIENCE_S, eventually
from tests.support.workspaces import git, make_git_repo, make_workspace

pytestmark = pytest.mark.skipif(os.environ.get("INTENTLS_LONG") != "1", reason="make soak")
QUESTIONS = 30
LENGTHS_S = (0.0, 0.5, 3.0)  # of a fault: the exchange waits for a statement for 2 s


class Storm:
    """Two machines, and a line to their database that can be broken."""

    def __init__(self, machines: tuple[Machine, Machine], way: Line, server: DatabaseServer) -> None:
        self.here, self.there = machines
        self._way, self._server = way, server

    def nothing(self) -> None:
        """All is well."""

    def partition(self) -> None:
        """What is sent waits until the storm is over."""
        self._way.is_whole.clear()

    def slow(self) -> None:
        """Each answer takes longer than is waited for."""
        self._way.delay_s = 0.2

    def stop(self) -> None:
        """The server ends, and starts again when the storm is over."""
        self._server.stop()

    def kill(self) -> None:
        """The keeper of the machine that answers is killed, and another one takes its place."""
        self.there.stop(signal.SIGKILL)
        self._way.is_whole.set()
        self.there.start()

    def over(self, after_s: float) -> None:
        """The fault lasts for so long; then the line is as it was."""
        threading.Event().wait(after_s)
        if self._server.process is None:
            self._server.start()
        self._way.is_whole.set()
        self._way.delay_s = 0.0


@pytest.fixture
def storm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Storm]:
    """Two clones of one repository, each with a keeper that runs."""
    first = make_git_repo(make_workspace(tmp_path / "first"))
    git(tmp_path, "clone", "-q", str(first), "second")
    with ExitStack() as stack:
        server = stack.enter_context(database_server())
        way, (address, _) = stack.enter_context(line(server))
        monkeypatch.setenv("INTENTLS_COORDINATION", address)
        subprocess.run([*INTENTLS, "coordination", "init"], cwd=first, check=True, timeout=PATIENCE_S)
        machines = (Machine(first.resolve()), Machine((tmp_path / "second").resolve()))
        for machine in machines:
            stack.callback(machine.stop)
            machine.start()
        yield Storm(machines, way, server)


def answer(there: Machine, posting: Posting, by: str, action: str) -> tuple[Question, HeldFile] | None:
    """Answer the question as it is shown now; a keeper that was killed has to show it again."""
    question = there.shown(posting)
    held = None if question is None else there.workspace.questions.answer(question, action, by)
    return None if question is None or held is None else (question, held)


def test_no_question_and_no_answer_is_lost(storm: Storm, figure: Callable[[str], None]) -> None:
    """A fault before the question is asked, and another before it is answered."""
    chance = random.Random(20)
    faults = (storm.nothing, storm.partition, storm.slow, storm.stop, storm.kill)
    for number in range(QUESTIONS):
        chance.choice(faults)()
        posting = storm.here.ask()
        storm.over(chance.choice(LENGTHS_S))
        eventually(partial(storm.there.shown, posting))
        chance.choice(faults)()
        action = chance.choice(("Approve", "Reject"))
        question, held = eventually(partial(answer, storm.there, posting, f"person {number}", action))
        storm.over(chance.choice(LENGTHS_S))
        reply = eventually(posting.answer)
        assert (reply.answer, reply.by.split(" (")[0]) == (Answer(action), f"person {number}")
        posting.close()
        assert eventually(partial(storm.there.state, question, held)) == "taken"
        held.release()
        eventually(lambda: not storm.there.workspace.questions.open())
    figure(f"{QUESTIONS} questions in storms, each with its one answer")
