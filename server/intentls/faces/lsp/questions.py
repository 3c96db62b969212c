"""Questions to the person at this client: those of its own calls, and those that others put to the workspace.

Each root is watched (`store.fs.directory_watch`). A client that takes `intentls/questions` is sent the whole list when
it changes; any other is asked with `window/showMessageRequest`, which is cancelled once somebody else has answered.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec
from lsprotocol import types
from msgspec import Struct
from pygls.exceptions import JsonRpcException

from intentls.core.errors import InvalidInput
from intentls.engine.actions.effects import REJECTED, Answer, Ask, Reply
from intentls.engine.questions.answering import (
    CLOSED,
    contents_of,
    give,
    item_of,
    may_listen,
    not_taken,
    open_questions,
)
from intentls.engine.questions.followed_root import FollowedRoot
from intentls.engine.questions.posting import LOOK_FOR_LISTENERS_S
from intentls.engine.questions.watched_posting import WatchedPosting, news
from intentls.engine.wire.proposal import Proposal
from intentls.engine.wire.question import (
    QuestionAnswered,
    QuestionContents,
    QuestionItem,
    QuestionList,
    QuestionNotAnswered,
)
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.workspace import Workspace
from intentls.faces.lsp.host import LspHost
from intentls.faces.lsp.protocol.serve import Server
from intentls.faces.lsp.worker_queue import WorkerQueue
from intentls.store.fs.directory_watch import LOOK_AGAIN_S, DirectoryWatch
from intentls.store.questions.held_file import HeldFile
from intentls.store.questions.question_files import Question

log = logging.getLogger(__name__)

QUESTIONS = "intentls/questions"
PROPOSED = "intentls/proposed"
"""Sent just before a question of this connection, to clients that ask for it: what the action would change."""

_TAKEN_S = 10.0  # another machine takes an answer at once; a network may be slow
_CHECK_ASKERS_S = 1.0
"""How often it is looked at whether those who ask are still there, while a question of theirs is open."""


class _OwnQuestion(Struct, eq=False):
    """A question of a call on this connection. `over` is done when the client has said something to it."""

    posting: WatchedPosting
    over: asyncio.Future[None]


class Questions:
    """All open questions that this client shows. Used on the event loop only."""

    def __init__(self, server: Server, host: LspHost, engine: Engine, session_id: str) -> None:
        self._server = server
        self._host = host
        self._engine = engine
        self._session_id = session_id
        self._queue = WorkerQueue("intentls-questions")
        self._roots: dict[Path, FollowedRoot] = {}
        self._own: dict[str, _OwnQuestion] = {}
        self._asked: dict[str, asyncio.Task[None]] = {}  # what the client was asked, by the question's id
        self._answers: dict[str, tuple[Workspace, HeldFile]] = {}  # given here, to others' questions
        self._told: list[QuestionItem] = []
        self._look_soon: asyncio.TimerHandle | None = None
        self._chores: set[asyncio.Task[None]] = set()
        self._is_over = False

    # -- the connection's life ------------------------------------------------------------------------------

    async def start(self, opened: Sequence[FollowedRoot] | None = None) -> None:
        """Listen in each root that this connection has now, and in no other. `opened`: what `open_roots` gave."""
        if self._is_over or not self._host.can_ask:
            return
        if opened is None:
            opened = await self._queue.run(self.open_roots)
        roots = {root.workspace.root for root in opened}
        for root in [root for path, root in self._roots.items() if path not in roots]:
            self._leave(root)
        for root in opened:
            known = self._roots.get(root.workspace.root)
            if known is not None and known is not root:
                if known.is_followed:  # two events of the client found it
                    root.abandon()
                    continue
                self._leave(known)
            self._roots[root.workspace.root] = root
            if root.task is None:
                root.task = asyncio.get_running_loop().create_task(self._follow(root))
        await self._look()

    def follows(self, root: Path) -> bool:
        """Whether the questions of this root are shown here, or none are."""
        return root in self._roots or not self._host.can_ask

    def review(self) -> None:
        """Roots, intents or who acts on this connection may have changed."""
        if not self._is_over and self._host.can_ask:
            task = asyncio.get_running_loop().create_task(self.start())
            self._chores.add(task)
            task.add_done_callback(self._chores.discard)

    def stop(self) -> None:
        """The connection ends: nothing is shown any more."""
        self._is_over = True
        if self._look_soon is not None:
            self._look_soon.cancel()
        for task in [*self._asked.values(), *self._chores]:
            task.cancel()
        for root in list(self._roots.values()):
            self._leave(root)

    def close(self) -> None:
        """The process ends: others should not wait for it."""
        for root in self._roots.values():
            if root.registration is not None:
                root.registration.release()
        for _, held in self._answers.values():
            held.release(keep=True)
        self._queue.close()

    def open_roots(self) -> list[FollowedRoot]:
        """The roots of this connection; those that are new are registered. In a worker's thread."""
        opened: list[FollowedRoot] = []
        for workspace in self._engine.opened():
            known = self._roots.get(workspace.root)
            if not self._host.can_ask or (known is not None and known.is_followed):
                opened += [] if known is None else [known]
                continue
            try:
                root = FollowedRoot(workspace, DirectoryWatch(workspace.layout.questions))
            except FileNotFoundError:
                continue  # it declares nothing now, so no one asks there
            except OSError:
                log.warning("questions in %s can't be followed", workspace.root, exc_info=True)
                continue
            self._register(root)
            opened.append(root)
        return opened

    def _leave(self, root: FollowedRoot) -> None:
        del self._roots[root.workspace.root]
        if root.task is not None:
            root.task.cancel()  # it closes the watch itself, which it may be waiting for
        if root.registration is not None:
            root.registration.release()

    async def _follow(self, root: FollowedRoot) -> None:
        try:
            while True:
                await news(root.watch)
                if not root.watch.is_current:
                    await asyncio.sleep(LOOK_AGAIN_S)  # the state directory was removed: it may be under way
                    root.watch.close()
                    root.watch = await self._queue.run(partial(DirectoryWatch, root.workspace.layout.questions))
                await self._look()
        except FileNotFoundError:  # its `.orchestration` was removed, and with it the root
            self.review()
        except OSError:
            log.warning("questions in %s can't be followed", root.workspace.root, exc_info=True)
        finally:
            root.watch.close()

    # -- what is open ---------------------------------------------------------------------------------------

    async def _look(self) -> None:
        """Read what is open now, and show it."""
        if self._look_soon is not None:
            self._look_soon.cancel()
            self._look_soon = None
        await self._queue.run(self._read)
        if self._is_over:
            return
        self._show()
        if any(question.id not in self._own for _, question in self._foreign()) and self._look_soon is None:
            loop = asyncio.get_running_loop()
            self._look_soon = loop.call_later(_CHECK_ASKERS_S, self._look_later)

    def _look_later(self) -> None:
        self._look_soon = None
        task = asyncio.get_running_loop().create_task(self._look())
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)

    def _read(self) -> None:
        for root in list(self._roots.values()):
            self._register(root)
            root.questions = open_questions(root.workspace) if root.registration is not None else []
        for id_, (workspace, held) in list(self._answers.items()):
            if not workspace.questions.is_open(id_):
                held.release()
                del self._answers[id_]

    def _register(self, root: FollowedRoot) -> None:
        may = self._host.can_ask and may_listen(root.workspace, self._session_id)
        registration = root.registration
        if registration is not None and not (may and registration.is_there):
            registration.release()
            root.registration = None
        if may and root.registration is None:
            try:
                root.registration = root.workspace.listeners.register(self._host.face)
                root.workspace.coordination.trouble()  # whoever keeps the connection tells other machines
            except OSError:
                log.warning("others can't be told that questions are shown here", exc_info=True)

    def _foreign(self) -> Iterator[tuple[FollowedRoot, Question]]:
        """Others' open questions."""
        for root in self._roots.values():
            for question in root.questions:
                if question.id not in self._own:
                    yield root, question

    def _items(self) -> list[QuestionItem]:
        own = [
            item_of(own.posting.ask.workspace, own.posting.question, own=True)
            for own in self._own.values()
            if own.posting.ask.asks_here and not own.over.done()
        ]
        others = [item_of(root.workspace, question) for root, question in self._foreign()]
        return sorted([*own, *others], key=lambda item: (item.asked_at, item.id))

    def _show(self) -> None:
        """Bring the client up to date."""
        items = self._items()
        if self._host.options.questions:
            if items != self._told:
                self._told = items
                self._server.protocol.notify(QUESTIONS, msgspec.to_builtins(QuestionList(items)))
            return
        shown = {item.id: item for item in items}
        for id_ in self._asked.keys() - shown.keys():
            self._asked.pop(id_).cancel()
        for id_ in shown.keys() - self._asked.keys() - self._answers.keys():
            task = asyncio.get_running_loop().create_task(self._ask_client(shown[id_]))
            self._asked[id_] = task

    async def _ask_client(self, item: QuestionItem) -> None:
        """Ask the person at the client; the task is cancelled when the question is closed elsewhere."""
        own = self._own.get(item.id)
        if own is not None and self._host.options.proposals:
            ask = own.posting.ask
            self._server.protocol.notify(PROPOSED, msgspec.to_builtins(Proposal.of(ask.subject, ask.timeout_s)))
        params = types.ShowMessageRequestParams(
            type=types.MessageType.Warning,
            message=f"{item.text} The reason given: {item.reason}" if item.reason else item.text,
            actions=[types.MessageActionItem(action) for action in item.actions],
        )
        id_ = str(uuid.uuid4())
        protocol = self._server.protocol
        request = protocol.send_request(types.WINDOW_SHOW_MESSAGE_REQUEST, params, msg_id=id_)
        try:
            chosen = await asyncio.wrap_future(request)
        except asyncio.CancelledError:
            protocol.notify(types.CANCEL_REQUEST, types.CancelParams(id_))
            raise
        except JsonRpcException as error:
            log.info("the client could not ask: %s", error)
            if own is not None and (protocol.client_is_gone or not own.posting.ask.has_listener):
                await self.answer(item.id, Answer.REJECT.value)
            return
        title = chosen.title if chosen is not None else ""
        await self.answer(item.id, title if title in item.actions else Answer.REJECT.value)

    # -- asking and answering -------------------------------------------------------------------------------

    async def ask(self, question: Ask) -> Reply:
        """Put a question of this connection to the workspace and wait for the first answer, at most its time-out."""
        try:
            posting = await self._queue.run(partial(WatchedPosting, question))
        except OSError:
            log.warning("the question could not be put to the workspace", exc_info=True)
            return REJECTED
        own = _OwnQuestion(posting, asyncio.get_running_loop().create_future())
        self._own[posting.question.id] = own
        try:
            self._show()
            try:
                async with asyncio.timeout(question.timeout_s):
                    return await self._answer_to(own)
            except TimeoutError:
                log.info("no answer came in %g s", question.timeout_s)
                return await self._queue.run(posting.last_answer)
        except OSError:
            log.warning("the answer can't be read", exc_info=True)
            return REJECTED
        finally:
            del self._own[posting.question.id]
            for root in self._roots.values():  # it may have been read before it was answered, and is nobody else's
                root.questions = [one for one in root.questions if one.id != posting.question.id]
            self._queue.begin(posting.close)
            if not self._is_over:
                self._show()

    async def _answer_to(self, own: _OwnQuestion) -> Reply:
        look_s = None if own.posting.ask.asks_here else LOOK_FOR_LISTENERS_S
        while (reply := await self._queue.run(own.posting.answer)) is None:
            told = asyncio.get_running_loop().create_task(news(own.posting.watch))
            try:
                await asyncio.wait({told, own.over}, timeout=look_s, return_when=asyncio.FIRST_COMPLETED)
            finally:
                told.cancel()
                await asyncio.gather(told, return_exceptions=True)  # the watch is closed after this
            if own.over.done():
                return await self._queue.run(own.posting.answer) or REJECTED
            if look_s is not None and await self._queue.run(own.posting.is_abandoned):
                return await self._queue.run(own.posting.last_answer)
        return reply

    async def answer(self, id_: str, action: str) -> QuestionAnswered | QuestionNotAnswered:
        """The person at this client answers."""
        own = self._own.get(id_)
        if own is not None and own.posting.ask.asks_here:
            return await self._answer_own(own, action)
        for root, question in self._foreign():
            if question.id == id_:
                given = await self._queue.run(partial(give, root.workspace, question, action, self._session_id))
                if isinstance(given, QuestionNotAnswered):
                    return given
                held, answered = given
                is_late = question.host != "" and not await self._counts(root.workspace, id_, held)
                self._answers[id_] = root.workspace, held
                await self._look()
                return not_taken(question) if is_late else answered
        return QuestionNotAnswered("error", id_, "QUESTION_CLOSED", CLOSED)

    async def _counts(self, workspace: Workspace, id_: str, held: HeldFile) -> bool:
        """Whether an answer to a question of another machine counted there, or will as far as can be told by now."""
        watch = await self._queue.run(partial(DirectoryWatch, workspace.layout.questions))
        try:
            async with asyncio.timeout(_TAKEN_S):
                while (state := await self._queue.run(partial(workspace.questions.state_of, id_, held))) == "waits":
                    await news(watch)
                return state == "taken"
        except TimeoutError:
            log.info("the answer to %s waits until the other machine can be reached", id_)
            return True
        finally:
            watch.close()

    async def _answer_own(self, own: _OwnQuestion, action: str) -> QuestionAnswered | QuestionNotAnswered:
        id_, offers = own.posting.question.id, own.posting.ask.offers
        if action not in offers:
            message = f"{action} is not offered; {', '.join(offers)} are."
            return QuestionNotAnswered("error", id_, "NOT_OFFERED", message)
        won = await self._queue.run(partial(own.posting.answer_here, action))
        reply = await self._queue.run(own.posting.answer)
        if not own.over.done():
            own.over.set_result(None)
        if not won:
            return QuestionNotAnswered("error", id_, "QUESTION_CLOSED", CLOSED)
        return QuestionAnswered("ok", id_, action, reply.by if reply is not None else "")

    def list(self) -> QuestionList:
        """All open questions, oldest first."""
        return QuestionList(self._items())

    async def contents(self, id_: str, path: str) -> QuestionContents:
        """One file of a question. Raises InvalidArgument for what is not open."""
        own = self._own.get(id_)
        if own is not None and own.posting.ask.asks_here:
            workspace, question = own.posting.ask.workspace, own.posting.question
            return await self._queue.run(partial(contents_of, workspace, question, path))
        for root, question in self._foreign():
            if question.id == id_:
                return await self._queue.run(partial(contents_of, root.workspace, question, path))
        raise InvalidInput(f"id: {CLOSED}")
