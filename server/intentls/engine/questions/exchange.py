"""Questions of this clone and of other machines, exchanged by way of the database; a part of the clone's keeper.

The files and the rows are looked at whenever one of them has news, and brought to where they should be. So nothing is
lost or done twice where either was away, or the keeper ended in between:

    asks                    its keeper            database           another keeper          answers
    puts its file       ->  a row             ->  tells          ->  puts a file         ->  shown in the editor
                                                                 <-  takes note of it    <-  puts an answer
                            puts an answer    <-  tells          <-  a row: the first wins
    asks the database, takes it, is gone  ->  closed: taken  ->  tells  ->  the answer counted, the file goes

Both ends keep the way of files on one machine. Here the kernel tells which process gave an answer, and the processes
above it that no agent's did. There the asker does not believe the keeper's process either: it reads the answer in the
database itself (`confirmed_answer`).
"""

from __future__ import annotations

import logging
import os
import selectors
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from intentls.core.errors import StoreError
from intentls.engine.actions.authority import is_below_agent
from intentls.engine.questions.excerpts import excerpts_of
from intentls.engine.questions.remote_questions import age_s, facts_of, reply_of, shown_contents, shown_question
from intentls.engine.workspace.workspace import Workspace
from intentls.store.fs.directory_watch import LOOK_AGAIN_S, DirectoryWatch
from intentls.store.questions.held_file import HeldFile
from intentls.store.questions.listeners import REMOTE
from intentls.store.questions.question_files import Question, is_id
from intentls.store.sessions.coordination.elapsed import elapsed_s
from intentls.store.sessions.coordination.protocol import CoordinationAway
from intentls.store.sessions.coordination.question_rows import (
    OwnQuestion,
    QuestionRow,
    QuestionRows,
    channel,
    digest_of,
    question_key,
)

if TYPE_CHECKING:
    import psycopg
    from psycopg.rows import TupleRow

    from intentls.store.sessions.coordination.database import ClonePlace

log = logging.getLogger(__name__)

T = TypeVar("T")
Ask = Callable[[Callable[["psycopg.Connection[TupleRow]"], object], float], object]

_STATEMENT_S = 2.0  # nobody waits for this
_SIGN_S = 20.0  # between two signs that a person here sees questions
_CHECK_S = 1.0  # how often it is looked at whether those who ask still run
_MAX_SHOWN, _MAX_KNOWN = 50, 1000
_MAX_REFUSALS = 3  # of one answer by who asked; then another may be given


class QuestionExchange:
    """The exchange for one clone. `begin` starts its thread, `close` ends it; the rest is the connection's.

    `count_s` counts the seconds between two signs of a person here.
    """

    def __init__(self, workspace: Workspace, place: ClonePlace, count_s: Callable[[], float] = elapsed_s) -> None:
        self._workspace, self._files, self._place = workspace, workspace.questions, place
        self._ask: Ask = _not_begun
        self._count_s = count_s
        self._answers: dict[str, HeldFile] = {}  # from elsewhere, to questions of this clone
        self._refusals: dict[str, int] = {}
        self._shown: dict[str, tuple[bytes, bytes]] = {}  # which rows are or were shown here: key and hash, by id
        self._sent: set[bytes] = set()  # the questions to which an answer was sent from here
        self._may_answer: bool | None = None  # whether this role may; None where that is not known
        self._registration: HeldFile | None = None
        self._listens: bool | None = None  # what the database knows; None where that is not certain
        self._next_sign = 0.0
        self._seen: object = None
        self._is_needed = False
        self._closed, self._news = threading.Event(), threading.Event()
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        self._thread = threading.Thread(target=self._run, name="intentls-questions", daemon=True)

    def begin(self, ask: Ask) -> None:
        """Start; `ask` does a piece of work with the connection, within so many seconds."""
        self._ask = ask
        self._thread.start()

    def greet(self, connection: psycopg.Connection[TupleRow]) -> None:
        """There is a new connection. Raises psycopg.Error."""
        QuestionRows(connection, self._place).hear()
        self._listens = self._may_answer = None
        self._sent = set()  # a server that restarted may have lost the last answer
        self._look()

    def hear(self, name: str) -> None:
        """Something was told on the channel `name`."""
        if name == channel(self._place):
            self._look()

    @property
    def is_needed(self) -> bool:
        """Whether a person here sees questions, or somebody here asks one."""
        return self._is_needed

    def close(self) -> None:
        """End: what was shown for others disappears, and answers of others are held no more."""
        self._closed.set()
        self._look()
        if self._thread.is_alive():
            self._thread.join(10)
        if not self._thread.is_alive():
            os.close(self._wake)
            os.close(self._woken)

    def _look(self) -> None:
        self._news.set()
        with suppress(BlockingIOError):  # it is full: the thread wakes anyway
            os.write(self._wake, b".")

    def _run(self) -> None:
        try:
            while not self._closed.is_set():
                with ExitStack() as stack:
                    layout = self._workspace.layout
                    watches = [DirectoryWatch(directory) for directory in (layout.questions, layout.listeners)]
                    for watch in watches:
                        stack.callback(watch.close)
                    self._serve(watches)
        except OSError:
            log.warning("questions are not exchanged with other machines", exc_info=True)
        finally:
            self._leave()

    def _serve(self, watches: list[DirectoryWatch]) -> None:
        """Look after each piece of news, while the watched directories are the right ones. Raises OSError."""
        while not self._closed.is_set() and all(watch.is_current for watch in watches):
            pause_s = self._exchange()
            with selectors.DefaultSelector() as selector:
                selector.register(self._woken, selectors.EVENT_READ)
                for watch in watches:
                    if watch.descriptor is None:
                        pause_s = LOOK_AGAIN_S
                    else:
                        selector.register(watch.descriptor, selectors.EVENT_READ)
                selector.select(pause_s)
            with suppress(BlockingIOError):
                os.set_blocking(self._woken, False)
                os.read(self._woken, 4096)
            for watch in watches:
                watch.drain()

    def _exchange(self) -> float | None:
        """Bring files and rows together; in how many seconds to look again without news. Raises OSError."""
        standing = self._files.standing()
        own = {question.id: question for question in standing if not question.host}
        shown = {question.id: question for question in standing if question.host and question.process == os.getpid()}
        listens = self._has_listener()
        self._is_needed = listens or bool(own)
        here = (frozenset(own), listens, {id_: self._state(question) for id_, question in (own | shown).items()})
        now = self._count_s()
        if self._news.is_set() or here != self._seen or now >= self._next_sign:
            self._news.clear()
            self._seen = here
            try:
                self._exchange_with_rows(own, shown, listens)
            except CoordinationAway as away:
                log.debug("questions wait: %s", away)
                self._seen = None
                self._expire_late(shown)
                return _CHECK_S
            except StoreError:
                log.warning("questions are not exchanged with other machines", exc_info=True)
        return _CHECK_S if own or shown else max(0.1, self._next_sign - self._count_s())

    def _state(self, question: Question) -> tuple[bool, str | None]:
        held = self._answers.get(question.id)
        is_answered = not self._files.waits(question.id)
        return is_answered, None if held is None else self._files.state_of(question.id, held)

    def _has_listener(self) -> bool:
        """Whether a person sees questions here, in a process that no agent started."""
        others = list(self._workspace.listeners.others())
        return any(face != REMOTE and not is_below_agent(self._workspace, process) for process, face in others)

    # -- with the database -----------------------------------------------------------------------------------

    def _do(self, work: Callable[[QuestionRows], T]) -> T:
        """One statement: what waits for the connection meanwhile waits for no more. Raises CoordinationAway."""
        done: list[T] = []
        self._ask(lambda connection: done.append(work(QuestionRows(connection, self._place))), _STATEMENT_S)
        return done[0]

    def _exchange_with_rows(self, own: dict[str, Question], shown: dict[str, Question], listens: bool) -> None:
        if self._may_answer is None:
            self._may_answer = self._do(lambda database: database.may_answer())
        self._sign(listens and self._may_answer)
        rows = self._do(lambda database: database.standing())
        asked = {row.key: row for row in rows if row.is_own}
        keys = {question_key(self._place, id_): question for id_, question in own.items()}
        self._ask_elsewhere([question for key, question in keys.items() if key not in asked])
        self._settle(asked, keys)
        for key, question in keys.items():
            if key in asked:
                self._answer_here(asked[key], question)
        self._show([row for row in rows if not row.is_own], own, shown)

    def _sign(self, listens: bool) -> None:
        """Tell others whether a person sees questions here, and the askers here whether one does elsewhere."""
        is_due = self._count_s() >= self._next_sign
        if listens != self._listens or (listens and is_due):
            self._listens = None
            self._do(lambda database: database.listen(listens=listens))
            self._listens = listens
        if is_due:
            self._next_sign = self._count_s() + _SIGN_S
            self._do(lambda database: database.forget())
        is_heard = self._do(lambda database: database.listeners()) > 0
        if self._registration is not None and not (is_heard and self._registration.is_there):
            self._registration.release()
            self._registration = None
        if is_heard and self._registration is None:
            self._registration = self._workspace.listeners.register(REMOTE)

    def _ask_elsewhere(self, questions: list[Question]) -> None:
        new = [
            OwnQuestion(question.id, self._facts(question), age_s(question), question.timeout_s)
            for question in questions
            if self._files.waits(question.id)
        ]
        if new:
            self._do(lambda database: database.ask(new))

    def _settle(self, asked: dict[bytes, QuestionRow], open_keys: dict[bytes, Question]) -> None:
        """Tell what became of answers from elsewhere, and of questions that are closed."""
        outcomes = {key: False for key, row in asked.items() if key not in open_keys and not row.is_closed}
        known = []  # what became of them, but not yet there
        for id_, held in list(self._answers.items()):
            key, state = question_key(self._place, id_), self._files.state_of(id_, held)
            if state == "waits":
                continue
            if state == "refused":
                held.release()
                del self._answers[id_]
                self._refusals[id_] = self._refusals.get(id_, 0) + 1
                if self._refusals[id_] >= _MAX_REFUSALS:
                    self._do(lambda database, key=key: database.reject(key))  # type: ignore[misc]
                    del self._refusals[id_]
                    asked.pop(key, None)
            else:
                known.append(id_)
                outcomes[key] = state == "taken"
        if outcomes:
            self._do(lambda database: database.close(outcomes))
        for id_ in known:  # only now: who answered is told once, and the truth
            self._answers.pop(id_).release()
            self._refusals.pop(id_, None)

    def _answer_here(self, row: QuestionRow, question: Question) -> None:
        """Give who asks here the answer from elsewhere, unless one was given here before."""
        answer = row.answer
        if answer is None or row.is_closed or question.id in self._answers:
            return
        if answer.action not in question.actions or answer.digest != digest_of(self._facts(question)):
            if self._files.is_open(question.id):  # else its contents are gone, and what was shown can't be compared
                self._do(lambda database: database.reject(row.key))
            return
        reply = reply_of(answer)
        held = self._files.answer(question, reply.answer.value, reply.by, is_remote=True)
        if held is not None:
            self._answers[question.id] = held

    def _facts(self, question: Question) -> dict[str, Any]:
        return facts_of(question, self._place.host, excerpts_of(self._workspace, question))

    def _show(self, rows: list[QuestionRow], own: dict[str, Question], shown: dict[str, Question]) -> None:
        """Show others' questions here, and send the answers to them."""
        left = dict(shown)
        for row in rows:
            id_ = str(row.facts.get("id"))
            if id_ in shown and self._shown.get(id_) == (row.key, row.digest):
                self._follow(row, left.pop(id_))
            elif self._is_new(row, id_) and id_ not in own and id_ not in shown and len(shown) < _MAX_SHOWN:
                question = shown_question(row)
                if question is not None:
                    shown[id_] = self._files.post(question, shown_contents(row))
                    self._shown[id_] = row.key, row.digest
        self._expire_late(left)  # a server that lost a row is asked again in a moment
        if len(self._shown) > _MAX_KNOWN:
            self._shown = {id_: row for id_, row in self._shown.items() if id_ in shown}

    def _is_new(self, row: QuestionRow, id_: str) -> bool:
        """Whether it waits for an answer that may come from here."""
        waits = not row.is_closed and row.answer is None and row.left_s > 0
        is_one = self._shown.get(id_) in (None, (row.key, row.digest))  # no other row takes an id over
        return waits and is_one and self._may_answer is True and is_id(id_)

    def _follow(self, row: QuestionRow, question: Question) -> None:
        """Go on with a question that is shown here."""
        is_own_answer = row.answer is not None and row.answer.is_own
        if row.is_closed and row.is_taken and is_own_answer:
            self._files.take(question)
            self._files.withdraw(question.id)
        elif row.is_closed or row.left_s <= 0 or (row.answer is not None and not is_own_answer):
            self._files.expire(question.id)
        elif row.answer is None:
            given = self._files.given(question)
            if given is None:
                return
            may = given.action in question.actions and not given.is_remote
            if not may or row.key in self._sent or is_below_agent(self._workspace, given.process):
                log.warning("process %s answered %s, and that does not count", given.process, question.id)
                self._sent.discard(row.key)
                self._files.reject(question)
                self._seen = None
                return
            self._do(lambda database: database.answer(row, given.action, given.by))
            self._sent.add(row.key)

    # -- while away, and at the end --------------------------------------------------------------------------

    def _expire_late(self, shown: dict[str, Question]) -> None:
        """Show no question whose time is up by this machine's own clock."""
        for question in shown.values():
            if age_s(question) > question.timeout_s:
                self._files.expire(question.id)

    def _leave(self) -> None:
        with suppress(CoordinationAway):
            if self._listens:
                self._do(lambda database: database.listen(listens=False))
        for held in (*self._answers.values(), *([self._registration] if self._registration is not None else [])):
            held.release()
        try:
            for question in self._files.standing():
                if question.host and question.process == os.getpid():
                    self._files.expire(question.id)
        except OSError:
            log.warning("questions of other machines could not be removed", exc_info=True)


def _not_begun(work: object, wait_s: float) -> object:
    raise CoordinationAway(f"there is no connection yet for {work} in {wait_s} s")
