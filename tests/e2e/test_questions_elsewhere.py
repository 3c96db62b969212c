"""A question of an agent on one machine is shown on others that share a database, and the first answer counts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from intentls.core.gate.refusal import Code, Refusal
from intentls.core.mutation.classes import Change
from intentls.engine.actions.effects import Answer, Ask, Reply
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.actions.wording import Subject
from intentls.engine.questions.posting import Posting
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from intentls.store.questions.held_file import HeldFile
from intentls.store.questions.question_files import Question
from intentls.store.sessions.coordination.protocol import Claim
from tests.e2e.test_workspace_questions import DESIGN, Person, Running
from tests.support.agent_process import AgentProcess
from tests.support.agent_process import person as terminal
from tests.support.database import DatabaseServer
from tests.support.mcp_wire import McpWire, outcome
from tests.support.patience import PATIENCE_S, eventually
from tests.support.session import ASKING, ledger_of, session
from tests.support.workspaces import git, make_git_repo, make_workspace

INTENTLS = (sys.executable, "-m", "intentls")
REASON = "It is in the reason, and so in an agent's words"


class Machine:
    """A clone with a keeper of its own: to the others it is on another machine."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.workspace: Workspace = Engine(Headless("cli", (root,))).workspace(root)
        self._keeper: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start the keeper, and wait until it is the one."""
        self._keeper = subprocess.Popen(
            [*INTENTLS, "coordination", "serve"],
            cwd=self.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._keeper.stdout is not None
        assert self._keeper.stdout.readline().startswith("Keeping")

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End the keeper."""
        if self._keeper is not None:
            self._keeper.send_signal(number)
            self._keeper.communicate(timeout=PATIENCE_S)
            self._keeper = None

    def listens(self) -> list[str]:
        """The faces of those who listen here for questions."""
        return [face for _, face in self.workspace.listeners.others()]

    def ask(self, *edits: PlannedEdit) -> Posting:
        """A question that waits here; `close` it."""
        refusal = Refusal(Code.SCOPE_VIOLATION, "It is outside.", paths=("docs/design.md",))
        subject = Subject(
            refusal, "write_to_file", "lab/m", "INT-001", paths=("docs/design.md",), reason=REASON, edits=edits
        )
        return Posting(Ask(subject, (Answer.APPROVE, Answer.REJECT), 120, self.workspace, "agent-1"))

    def shown(self, posting: Posting) -> Question | None:
        """That question of another machine, if it is shown here and waits."""
        return self.shown_as(posting.question.id)

    def shown_as(self, id_: str) -> Question | None:
        """The question of another machine that is shown here under that id."""
        return next((each for each in self.workspace.questions.open() if each.host and each.id == id_), None)

    def answer(self, question: Question, by: str, action: str = "Approve") -> HeldFile:
        held = self.workspace.questions.answer(question, action, by)
        assert held is not None
        return held

    def state(self, question: Question, held: HeldFile) -> str | None:
        """What became of an answer that was given here, once that is known."""
        state = self.workspace.questions.state_of(question.id, held)
        return None if state == "waits" else state


@pytest.fixture(scope="module")
def address(database: DatabaseServer) -> str:
    return database.new_database()


@pytest.fixture(scope="module")
def machines(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Machine]]:
    """Three clones of one repository that share a database, each with a keeper that runs."""
    folder = tmp_path_factory.mktemp("machines")
    first = make_git_repo(make_workspace(folder / "first"))
    names = ("second", "third")
    for name in names:
        git(folder, "clone", "-q", str(first), name)
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setenv("INTENTLS_COORDINATION", address)
        patch.setenv("INTENTLS_COORDINATION_WAIT_MS", "10000")  # a busy machine is slow
        subprocess.run([*INTENTLS, "coordination", "init"], cwd=first, check=True, timeout=PATIENCE_S)
        machines = [Machine(root.resolve()) for root in (first, *(folder / name for name in names))]
        for machine in machines:
            stack.callback(machine.stop)
            machine.start()
        yield machines


def _replied(posting: Posting) -> Reply:
    """The answer, once it is there."""
    return eventually(posting.answer)


def _about(address: str, posting: Posting) -> str:
    """What the database says of a question."""
    with psycopg.connect(address, autocommit=True) as connection:
        rows = connection.execute("SELECT about FROM intentls.questions WHERE about LIKE %s", (_like(posting),))
        (about,) = rows.fetchall()[0]
    return str(about)


def _like(posting: Posting) -> str:
    return f'%"{posting.question.id}"%'


def test_an_editor_on_another_machine_lets_an_agents_action_pass(machines: list[Machine]) -> None:
    """The question says where it is asked; who answered is on record with what the database knows them by."""
    here, there, _ = machines
    with session(there.root, ASKING) as editor, McpWire.begin(here.root) as agent:
        person = Person(editor, "Approve")
        agent.do("select_active_intent", intent_id="INT-001", model_identifier="lab/m")
        eventually(lambda: "remote" in here.listens())
        call = agent.ask("tools/call", {"name": "write_to_file", "arguments": DESIGN})
        assert Running(lambda: outcome(agent.answer(call))).result()["status"] == "ok"
    host = os.uname().nodename
    assert person.messages[0].startswith(f"On {host}: lab/m wants to change docs/design.md, outside INT-001 (src/api/")
    override = ledger_of(here.root)[-1]["override"]
    assert (override["action"], override["code"]) == ("Approve", "SCOPE_VIOLATION")
    assert override["by"].endswith(f" (database role owner, on {host})")
    eventually(lambda: "remote" not in here.listens())  # the editor is closed: nobody is there to be asked


def test_the_status_names_who_works_on_another_machine(machines: list[Machine]) -> None:
    """The session, its intent, its branch and its host; what they are called there is only text here."""
    here, there, _ = machines
    hostile = "agent-\x1b[2J\u202e1"
    assert terminal(there.root, ["select", "INT-001", "--session", hostile]).code == 0
    seen = json.loads(terminal(here.root, ["status", "--json"]).out)["roots"][0]["elsewhere"]
    assert [(work["session_id"], work["intent_id"], work["host"]) for work in seen] == [
        ("agent-[2J1", "INT-001", os.uname().nodename)
    ]
    assert seen[0]["branch"] == git(there.root, "branch", "--show-current").strip()
    shown = terminal(here.root, ["status"]).out
    assert "elsewhere  1 session at work on 1 machine" in shown
    assert "agent-[2J1" in shown
    assert terminal(there.root, ["select", "--clear", "--session", hostile]).code == 0
    assert json.loads(terminal(here.root, ["status", "--json"]).out)["roots"][0]["elsewhere"] == []


def test_the_first_of_two_machines_answers(machines: list[Machine]) -> None:
    """Both answer at once: one answer counts, and the other person learns that it came too late."""
    here, *others = machines
    posting = here.ask()
    shown = [(other, eventually(partial(other.shown, posting))) for other in others]
    given = [
        (other, question, other.workspace.questions.answer(question, "Approve", f"person {number}"))
        for number, (other, question) in enumerate(shown)
    ]
    reply = _replied(posting)
    posting.close()
    states = [
        "late" if held is None else eventually(partial(other.state, question, held)) for other, question, held in given
    ]
    assert sorted(states) == ["late", "taken"]
    assert reply.answer is Answer.APPROVE
    assert reply.by.startswith(f"person {states.index('taken')} (database role owner, on ")
    for _, _, held in given:
        if held is not None:
            held.release()


def test_what_is_answered_where_it_is_asked_disappears_elsewhere(machines: list[Machine]) -> None:
    here, there, _ = machines
    posting = here.ask()
    eventually(partial(there.shown, posting))
    assert posting.answer_here("Reject")
    assert _replied(posting).answer is Answer.REJECT
    posting.close()
    eventually(lambda: there.shown(posting) is None)


def test_only_names_leave_the_machine(machines: list[Machine], address: str) -> None:
    """Neither contents nor an agent's own words."""
    here, there, _ = machines
    posting = here.ask()
    eventually(partial(there.shown, posting))
    about = _about(address, posting)
    posting.close()
    facts = json.loads(about)
    assert REASON not in about
    assert facts.keys() == {
        *("id", "text", "session_id", "code", "tool", "intent_id", "intent_name", "agent", "model"),
        *("host", "paths", "actions", "files"),
    }


def test_policy_lets_other_machines_see_what_would_change(machines: list[Machine]) -> None:
    """The changed lines and some around them; the answer is to exactly what was shown."""
    here, there, _ = machines
    policy = here.root / ".orchestration/policy.yaml"
    policy.write_text("question_excerpts: true\n")
    try:
        posting = here.ask(PlannedEdit("docs/design.md", Change.ADD, None, b"# Plan\n"))
        question = eventually(partial(there.shown, posting))
        assert there.workspace.questions.content(question, 0, "after") == b"# Plan\n"
        held = there.answer(question, "Grace")
        assert _replied(posting).by.startswith("Grace (")
        posting.close()
        assert eventually(lambda: there.state(question, held)) == "taken"
        held.release()
    finally:
        policy.unlink()


def test_an_editor_hears_who_works_on_another_machine(machines: list[Machine]) -> None:
    """A session that begins there, a file that it changes, and that it gives it back: without being asked."""
    here, there, _ = machines
    claim = Claim("agent-1", "INT-001", ("src/api/weather.py",), timedelta(minutes=5))

    def sees(*expected: tuple[str, list[str]]) -> None:
        def fits(params: Any) -> bool:
            sessions = params["roots"][0]["elsewhere"]["sessions"]
            return [(each["session_id"], each["paths"]) for each in sessions] == list(expected)

        editor.wire.expect_notification("intentls/stateChanged", fits)

    with session(here.root, options={"states": True}) as editor:
        sees()
        assert terminal(there.root, ["select", "INT-001", "--session", "agent-1"]).code == 0
        sees(("agent-1", []))
        there.workspace.coordination.take(claim)
        sees(("agent-1", ["src/api/weather.py"]))
        there.workspace.coordination.release("agent-1")
        sees(("agent-1", []))
        answer = editor.do("selectActiveIntent", intent_id="INT-001")
        assert answer["warnings"][0].startswith("INT-001 is taken by ")
        warning = editor.wire.expect_notification("window/showMessage")["message"]
        assert warning == answer["warnings"][0]
        assert terminal(there.root, ["select", "--clear", "--session", "agent-1"]).code == 0
        sees()


def test_a_question_and_its_answer_survive_a_server_that_restarts(
    machines: list[Machine], database: DatabaseServer
) -> None:
    """Asked while the database is away, and answered while it is away again."""
    here, there, _ = machines
    database.stop()
    try:
        posting = here.ask()
    finally:
        database.start()
    question = eventually(partial(there.shown, posting))
    database.stop()
    try:
        held = there.answer(question, "Grace")
    finally:
        database.start()
    assert _replied(posting).by.startswith("Grace (")
    posting.close()
    assert eventually(lambda: there.state(question, held)) == "taken"
    held.release()


@pytest.mark.parametrize("killed", [0, 1])
def test_an_answer_survives_a_keeper_that_is_killed(machines: list[Machine], killed: int) -> None:
    """The keeper of the asker's clone; the one where it is answered shows the question again."""
    here, there, _ = machines
    posting = here.ask()
    question = eventually(partial(there.shown, posting))
    machines[killed].stop(signal.SIGKILL)
    if killed == 0:
        held = there.answer(question, "Grace")
        here.start()
    else:
        there.start()
        question = eventually(partial(there.shown, posting))
        held = there.answer(question, "Grace")
    assert _replied(posting).by.startswith("Grace (")
    posting.close()
    eventually(lambda: there.state(question, held))
    held.release()
    eventually(lambda: there.shown(posting) is None)


_FORGERY = """
import sys
import time
from pathlib import Path
from intentls.store.questions.question_files import QuestionFiles
files = QuestionFiles(Path(sys.argv[1]))
for question in files.open():
    held = files.answer(question, "Approve", "Ada", is_remote=sys.argv[2] == "remote")
    print("answered", flush=True)
    for _ in range(6000):
        if not held.is_there:
            break
        time.sleep(0.02)
"""


def test_a_process_that_pretends_to_have_an_answer_from_elsewhere_is_not_believed(machines: list[Machine]) -> None:
    """Not even one that no agent is known to have started: who asks looks into the database."""
    here, *_ = machines
    posting = here.ask()
    command = [sys.executable, "-c", _FORGERY, str(here.workspace.layout.questions), "remote"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as forger:
        assert forger.stdout is not None
        forger.stdout.readline()
        assert posting.answer() is None
        forger.wait(PATIENCE_S)  # its answer was removed
    posting.close()


def test_an_agents_process_on_another_machine_answers_nothing(machines: list[Machine]) -> None:
    """The keeper there asks the kernel who gave the answer."""
    here, there, _ = machines
    with AgentProcess(there.root) as agent:
        agent.hook("SessionStart", model="lab/m")
        posting = here.ask()
        eventually(partial(there.shown, posting))
        script = there.root / "forgery.py"
        script.write_text(_FORGERY)
        assert agent.run(f"{sys.executable} forgery.py {there.workspace.layout.questions} local").out == "answered\n"
        assert posting.answer() is None
        posting.close()
    eventually(lambda: there.shown(posting) is None)


def test_a_role_that_only_asks_answers_nothing_and_names_nobody_else(
    machines: list[Machine], database: DatabaseServer, address: str
) -> None:
    """The database refuses, whatever program connects."""
    here, there, _ = machines
    _rows_done(address, "CREATE ROLE only_asks LOGIN")
    subprocess.run(
        [*INTENTLS, "coordination", "init", "--role", "only_asks", "--asks-only"],
        cwd=here.root,
        check=True,
        timeout=PATIENCE_S,
    )
    posting = here.ask()
    eventually(partial(there.shown, posting))
    answer = (
        "INSERT INTO intentls.answers (repository, key, place, digest, action, about{}) "
        "SELECT repository, key, place, place, 'Approve', '{{}}'{} FROM intentls.questions WHERE closed IS NULL"
    )
    with psycopg.connect(address.replace("owner@", "only_asks@"), autocommit=True) as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            connection.execute(answer.format("", "").encode())
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="permission denied"):
            connection.execute(answer.format(", role", ", 'owner'").encode())
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("UPDATE intentls.questions SET about = '{}'")
        asked = connection.execute("SELECT count(*) FROM intentls.questions WHERE about LIKE %s", (_like(posting),))
        assert asked.fetchone() == (1,)
    assert posting.answer() is None
    posting.close()


def test_what_stands_in_the_database_is_only_shown(machines: list[Machine], address: str) -> None:
    """Rows that make no sense are left out, texts are cut and cleaned, and a path is no file's name here."""
    here, there, _ = machines
    posting = here.ask()
    real = eventually(partial(there.shown, posting))
    facts = json.loads(_about(address, posting))
    hostile = [
        "[]",
        "{",
        "[" * 60000,
        json.dumps({**facts, "id": "../../q-00000001"}),
        json.dumps({**facts, "id": real.id, "text": "Another text under the same id"}),
        json.dumps({**facts, "id": "q-00000002", "actions": ["Approve anything"]}),
        json.dumps({**facts, "id": "q-00000003", "files": 3}),
        json.dumps(
            {**facts, "id": "q-00000004", "host": "\x1b[2J\u202e" + "h" * 500, "text": "\ud800 <b>**x**\r\n" * 9}
        ),
    ]
    with psycopg.connect(address, autocommit=True) as connection:
        for number, about in enumerate(hostile):
            connection.execute(
                "INSERT INTO intentls.questions (repository, key, area, place, asked, until, about)"
                " SELECT repository, %s, area, %s, asked - interval '1 s', until, %s FROM intentls.questions"
                " WHERE about LIKE %s AND place <> %s",
                (bytes([number]) * 32, b"h" * 32, about, _like(posting), b"h" * 32),
            )
    held = there.answer(real, "Grace")  # what the keeper looks at next
    assert _replied(posting).by.startswith("Grace (")
    posting.close()
    assert eventually(lambda: there.state(real, held)) == "taken"
    held.release()
    shown = eventually(partial(there.shown_as, "q-00000004"))
    assert shown.host.startswith("[2Jhhh")
    assert len(shown.host) <= 100
    assert "\n" not in shown.text
    assert "\\<b\\>\\*\\*x" in shown.markdown
    _rows_done(address, "DELETE FROM intentls.questions WHERE place = convert_to(repeat('h', 32), 'UTF8')")


def _rows_done(address: str, statement: str) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(statement.encode())
