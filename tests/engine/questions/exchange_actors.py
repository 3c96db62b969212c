"""The processes that take part in an exchange of questions, each of which does one thing when it is told to.

A keeper, an asker or a person's editor is a process of its own, forked from one that has the program imported: who
holds a file is what the kernel says, and a kill is a kill. None has a thread, a clock or a wait of its own. A keeper
stops at each statement, and the test says how it goes: "done"; "late", after nobody waits for it any more; "dropped",
since nobody does; "lost" with the connection; or "unknown", done and the connection lost before the answer.

    with Company.start() as company:
        keeper = company.hire("keeper", root, address)
        keeper.do("connect"), keeper.do("look"), keeper.do("statement", "done"), keeper.kill()
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn

from tests.support.patience import PATIENCE_S

if TYPE_CHECKING:
    import psycopg
    from psycopg.rows import TupleRow

    from intentls.engine.actions.effects import Reply
    from intentls.engine.questions.posting import Posting
    from intentls.store.questions.held_file import HeldFile
    from intentls.store.questions.question_files import Question

_REPOSITORY = Path(__file__).parents[3]
_TIMEOUT_S = 3600.0  # of a question: no test takes so long
_BYTES = 1 << 16


class Actor:
    """The test's end of a process. `do` gives it an order and waits for its answer."""

    def __init__(self, company: Company, pid: int, line: socket.socket) -> None:
        self._company, self.pid = company, pid
        line.settimeout(PATIENCE_S)
        self._line, self._file = line, line.makefile("rwb")

    def do(self, order: str, *arguments: Any) -> Any:
        """What the process answers. Raises AssertionError with its traceback where it failed."""
        with suppress(BrokenPipeError):  # it says why
            _send(self._file, [order, *arguments])
        kind, answer = json.loads(self._file.readline())
        assert kind == "done", answer
        return answer

    def kill(self) -> None:
        """SIGKILL; it is gone, with all that it held, when this returns."""
        self._company.end(self.pid)
        with suppress(BrokenPipeError):
            self._file.close()
        self._line.close()


class Company:
    """The process that forks actors."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line

    @classmethod
    @contextmanager
    def start(cls) -> Iterator[Company]:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            command = [sys.executable, "-m", __name__, str(theirs.fileno())]
            process = subprocess.Popen(command, cwd=_REPOSITORY, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
            theirs.close()
            ours.settimeout(PATIENCE_S)
            yield cls(ours)
        process.wait(PATIENCE_S)

    def hire(self, part: str, root: Path, address: str) -> Actor:
        """A new process that plays `part` ("keeper", "asker" or "person") in the clone at `root`."""
        ours, theirs = socket.socketpair()
        with theirs:
            order = json.dumps({"part": part, "root": str(root), "address": address}).encode()
            socket.send_fds(self._line, [order], [theirs.fileno()])
        return Actor(self, int(self._line.recv(_BYTES)), ours)

    def end(self, pid: int) -> None:
        """Kill one."""
        self._line.sendall(json.dumps({"kill": pid}).encode())
        assert self._line.recv(_BYTES) == b"ended"


# --- the processes


class _Keeper:
    """The exchange of one clone, without its thread: `look` is one round of it, and stops at each statement."""

    def __init__(self, root: Path, address: str, line: IO[bytes]) -> None:
        from intentls.engine.questions.exchange import QuestionExchange
        from intentls.store.fs.directory_watch import DirectoryWatch
        from intentls.store.layout import Layout
        from intentls.store.sessions.coordination.keeper_files import KeeperFiles
        from intentls.store.sessions.coordination.keeper_server import place_of

        self._address, self._line, self._count_s = address, line, 1.0
        layout = Layout(root)
        files = KeeperFiles(layout.coordination)
        files.prepare()
        place = place_of(layout, files, os.uname().nodename)
        self._exchange = QuestionExchange(_workspace(root), place, count_s=lambda: self._count_s)
        self._exchange._ask = self._ask
        self._watches = [DirectoryWatch(directory) for directory in (layout.questions, layout.listeners)]
        self._connection: psycopg.Connection[TupleRow] | None = None
        self._late: list[Callable[[psycopg.Connection[TupleRow]], object]] = []
        self._statements = 0

    def connect(self) -> None:
        """As the keeper's connection does: greet first."""
        from intentls.store.sessions.coordination.connecting import connect

        self._connection = connect(self._address)
        self._exchange.greet(self._connection)

    def disconnect(self) -> None:
        """The connection is lost, and what waits for it."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None
        self._late.clear()

    def catch_up(self) -> bool:
        """The statements that were late are done now, and the news is heard; whether there is some."""
        if self._connection is None:
            return False
        late, self._late = self._late, []
        for work in late:
            work(self._connection)
        self._connection.execute("SELECT 1")  # with its answer comes all that was told before
        notices = list(self._connection.notifies(timeout=0))
        for notice in notices:
            self._exchange.hear(notice.channel)
        return bool(late or notices)

    def later(self, seconds: float) -> None:
        """Time passes."""
        self._count_s += seconds

    def is_told(self) -> bool:
        """Whether there is a reason to look: news from the database, or of the files."""
        import select

        watched = [watch.descriptor for watch in self._watches]
        ready, _, _ = select.select([self._exchange._woken, *watched], [], [], 0)
        return bool(ready)

    def look(self) -> list[Any]:
        """One round. Its answers: `["statement"]` at each of them, and in the end `["over", statements, pause_s]`."""
        while self._is_woken():
            os.read(self._exchange._woken, 4096)
        for watch in self._watches:
            watch.drain()
        self._statements = 0
        pause_s = self._exchange._exchange()
        return ["over", self._statements, pause_s]

    def leave(self) -> list[Any]:
        """The keeper ends as it should."""
        self._exchange._leave()
        return ["over", self._statements, None]

    def _is_woken(self) -> bool:
        import select

        return bool(select.select([self._exchange._woken], [], [], 0)[0])

    def _ask(self, work: Callable[[psycopg.Connection[TupleRow]], object], wait_s: float) -> object:
        """A statement, as the test wants it to go."""
        from intentls.store.sessions.coordination.protocol import CoordinationAway

        if self._connection is None or self._late:
            raise CoordinationAway("there is no connection")
        self._statements += 1
        _send(self._line, ["done", ["statement"]])
        order, *how = json.loads(self._line.readline())
        while order != "statement":  # the connection has a thread of its own
            _send(self._line, ["done", getattr(self, order)(*how)])
            order, *how = json.loads(self._line.readline())
        return self._go(work, how[0])

    def _go(self, work: Callable[[psycopg.Connection[TupleRow]], object], how: str) -> object:
        from intentls.store.sessions.coordination.protocol import CoordinationAway

        if self._connection is None:
            raise CoordinationAway("the connection is lost")
        if how == "late":
            self._late.append(work)
        elif how in ("done", "unknown"):
            answer = work(self._connection)
            if how == "done":
                return answer
        if how in ("lost", "unknown"):
            self.disconnect()
        raise CoordinationAway(how)


class _Person:
    """An editor with somebody before it."""

    def __init__(self, root: Path, _address: str, _line: IO[bytes]) -> None:
        self._workspace = _workspace(root)
        self._registration: HeldFile | None = None
        self._held: dict[str, HeldFile] = {}

    def listen(self) -> None:
        self._registration = self._workspace.listeners.register("lsp")

    def listen_no_more(self) -> None:
        if self._registration is not None:
            self._registration.release()
        self._registration = None

    def shown(self) -> list[str]:
        """The ids of the questions that wait for an answer here."""
        return [question.id for question in self._workspace.questions.open()]

    def faces(self) -> list[str]:
        return [face for _, face in self._workspace.listeners.others()]

    def answer(self, id_: str, action: str, by: str) -> bool:
        """Answer it, if it is shown; whether that is the first answer here."""
        question = self._question(id_)
        held = None if question is None else self._workspace.questions.answer(question, action, by)
        if held is not None:
            self._held[id_] = held
        return held is not None

    def state(self, id_: str) -> str:
        """What became of the answer; one that does not wait any more is let go."""
        state = self._workspace.questions.state_of(id_, self._held[id_])
        if state != "waits":
            self._held.pop(id_).release()
        return state

    def _question(self, id_: str) -> Question | None:
        return next((question for question in self._workspace.questions.open() if question.id == id_), None)


class _Asker:
    """A process that asks."""

    def __init__(self, root: Path, _address: str, _line: IO[bytes]) -> None:
        self._workspace = _workspace(root)
        self._postings: dict[str, Posting] = {}

    def post(self) -> str:
        """Ask, about a new file; the id of the question."""
        from intentls.core.gate.refusal import Code, Refusal
        from intentls.core.mutation.classes import Change
        from intentls.engine.actions.effects import Answer, Ask
        from intentls.engine.actions.request import PlannedEdit
        from intentls.engine.actions.wording import Subject
        from intentls.engine.questions.posting import Posting

        refusal = Refusal(Code.SCOPE_VIOLATION, "It is outside.", paths=("docs/design.md",))
        edit = PlannedEdit("docs/design.md", Change.ADD, None, b"# Plan\n")
        subject = Subject(
            refusal, "write_to_file", "lab/m", "INT-001", paths=("docs/design.md",), reason="", edits=(edit,)
        )
        ask = Ask(subject, (Answer.APPROVE, Answer.REJECT), _TIMEOUT_S, self._workspace, "agent-1")
        posting = Posting(ask)
        self._postings[posting.question.id] = posting
        return posting.question.id

    def look(self, id_: str) -> list[str] | None:
        """The answer, if there is one: what, and by whom."""
        return _told(self._postings[id_].answer())

    def give_up(self, id_: str) -> list[str] | None:
        """It waits no longer: the answer until now, or a no."""
        return _told(self._postings[id_].last_answer())

    def close(self, id_: str) -> None:
        self._postings.pop(id_).close()


def _told(reply: Reply | None) -> list[str] | None:
    return None if reply is None else [reply.answer.value, reply.by]


def _workspace(root: Path) -> Any:
    from intentls.engine.workspace.engine import Engine
    from intentls.engine.workspace.host import Headless

    return Engine(Headless("cli", (root,))).workspace(root)


_PARTS: dict[str, Callable[[Path, str, IO[bytes]], object]] = {"keeper": _Keeper, "person": _Person, "asker": _Asker}


def _play(part: str, root: str, address: str, line: socket.socket) -> NoReturn:
    """Do what the test says, until it says no more."""
    os.environ["INTENTLS_COORDINATION"] = address
    with suppress(BrokenPipeError, ConnectionResetError), line.makefile("rwb") as file:
        try:
            actor = _PARTS[part](Path(root), address, file)
            for order in file:
                name, *arguments = json.loads(order)
                _send(file, ["done", getattr(actor, name)(*arguments)])
        except Exception:  # noqa: BLE001  the test shows it
            _send(file, ["failed", traceback.format_exc()])
    os._exit(0)


def _send(file: IO[bytes], message: list[Any]) -> None:
    file.write(json.dumps(message).encode() + b"\n")
    file.flush()


def main(descriptor: int) -> None:
    """Fork an actor for each order, or kill one."""
    import intentls.engine.questions.exchange
    import intentls.engine.questions.posting
    import intentls.engine.questions.remote_answer
    import intentls.engine.workspace.engine
    import intentls.store.sessions.coordination.keeper_server  # noqa: F401

    with socket.socket(fileno=descriptor) as orders:
        pids: set[int] = set()
        while True:
            data, descriptors, _, _ = socket.recv_fds(orders, _BYTES, 1)
            if not data:
                break
            order = json.loads(data)
            if "kill" in order:
                pids.remove(order["kill"])
                os.kill(order["kill"], signal.SIGKILL)
                os.waitpid(order["kill"], 0)
                orders.sendall(b"ended")
                continue
            (line,) = descriptors
            pid = os.fork()
            if pid == 0:
                orders.close()
                _play(order["part"], order["root"], order["address"], socket.socket(fileno=line))
            os.close(line)
            pids.add(pid)
            orders.sendall(b"%d" % pid)
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
