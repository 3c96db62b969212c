"""The side that asks: a question is put to the workspace, and its first answer is taken.

Who answers is no agent's process: the kernel says which process stands for an answer, and the processes above that one
say who started it. All others' answers are removed, and the question stays open. An answer from another machine is
read in the database (`remote_answer`).
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from intentls.core.errors import StoreError
from intentls.core.text.lines import is_binary
from intentls.engine.actions.approval import has_listener
from intentls.engine.actions.authority import is_below_agent
from intentls.engine.actions.effects import REJECTED, Answer, Ask, Reply
from intentls.engine.workspace.people import signature
from intentls.late_module import LateModule
from intentls.store.clock import timestamp
from intentls.store.questions.question_files import AskedFile, GivenAnswer, Question

if TYPE_CHECKING:
    from intentls.engine.actions.request import PlannedEdit
    from intentls.engine.questions import remote_answer
    from intentls.store.questions.held_file import HeldFile
else:
    remote_answer = LateModule("intentls.engine.questions.remote_answer")

log = logging.getLogger(__name__)

_LOOK_AGAIN_S = 0.1  # a process that only waits for this answer: to load what watches files would take longer
_LAST_LOOKS = 10
LOOK_FOR_LISTENERS_S = 1.0
"""How often who waits looks whether a person still sees the question."""
_RETURN_S = 5.0  # a window that is loaded again listens no more for a moment
_MAX_FILES = 50
_MAX_BYTES = 1 << 20  # of a file's content: nobody reads more than that before answering


class Posting:
    """A question that was put to the workspace. `close` it in the end, whatever becomes of it."""

    def __init__(self, ask: Ask) -> None:
        """Post it. Raises OSError."""
        self.ask = ask
        self._files = ask.workspace.questions
        self._own: tuple[HeldFile, Reply] | None = None
        self._taken: Reply | None = None
        self._unseen_since: float | None = None
        self.question = self._files.post(*_question(ask))

    def answer_here(self, action: str) -> bool:
        """The client of this connection answers. Whether that is the first answer, and one that was offered."""
        if action not in self.ask.offers:
            return False
        by = signature(self.ask.workspace)
        held = self._files.answer(self.question, action, by)
        if held is not None:
            self._own = held, Reply(Answer(action), by)
        return held is not None

    def answer(self) -> Reply | None:
        """What was answered; None if nobody did that may. Raises OSError."""
        if self._own is not None:
            return self._own[1]
        if self._taken is not None:
            return self._taken
        given = self._files.given(self.question)
        if given is None:
            if self._files.is_open(self.question.id):
                return None
            return REJECTED  # the state directory was removed, and the question with it
        reply = self._reply(given)
        if reply is None:
            self._files.reject(self.question)
            return None
        self._files.take(self.question)
        self._taken = reply
        return reply

    def _reply(self, given: GivenAnswer) -> Reply | None:
        """The answer, if it counts."""
        if given.is_remote:
            try:
                reply = remote_answer.confirmed_answer(self.ask.workspace, self.question)
            except StoreError as error:
                log.warning("an answer from another machine can't be confirmed: %s", error)
                return None
            if reply is None:
                log.warning("process %s answered %s: no other machine did", given.process, self.question.id)
            return reply
        if given.action not in self.ask.offers or is_below_agent(self.ask.workspace, given.process):
            log.warning("process %s answered %s, and may not: an agent started it", given.process, self.question.id)
            return None
        return Reply(Answer(given.action), given.by)

    def is_abandoned(self) -> bool:
        """Whether all editors that showed it have left, here and as far as is known elsewhere, and none came since, for
        some seconds. Raises OSError.
        """
        workspace = self.ask.workspace
        if has_listener(workspace) or workspace.coordination.trouble() is not None:
            self._unseen_since = None
            return False
        if self._unseen_since is None:
            self._unseen_since = time.monotonic()
        return time.monotonic() - self._unseen_since >= _RETURN_S

    def last_answer(self) -> Reply:
        """It is waited no longer: what was answered until now, else a no. Raises OSError."""
        for _ in range(_LAST_LOOKS):
            if self._files.give_up(self.question):
                return REJECTED
            if (reply := self.answer()) is not None:
                return reply
        return REJECTED  # answers that don't count keep coming

    def wait(self) -> Reply:
        """The answer, waited for in this thread until the question's time is up or it is abandoned. Raises OSError."""
        deadline = time.monotonic() + self.ask.timeout_s
        next_look = time.monotonic()
        while (reply := self.answer()) is None:
            left = deadline - time.monotonic()
            if left <= 0:
                return self.last_answer()
            if time.monotonic() >= next_look:
                next_look = time.monotonic() + LOOK_FOR_LISTENERS_S
                if self.is_abandoned():
                    log.info("who could answer %s has left", self.question.id)
                    return self.last_answer()
            time.sleep(min(left, _LOOK_AGAIN_S))
        return reply

    def close(self) -> None:
        """The question is answered, or given up."""
        try:
            self._files.withdraw(self.question.id)
            if self._own is not None:
                self._own[0].release()
        except OSError:
            log.warning("the question %s could not be removed", self.question.id, exc_info=True)


def ask_and_wait(ask: Ask) -> Reply:
    """Put a question to the workspace and wait for its answer in this thread. Trouble with the disk is a no."""
    try:
        posting = Posting(ask)
    except OSError:
        log.warning("the question could not be put to the workspace", exc_info=True)
        return REJECTED
    try:
        return posting.wait()
    except OSError:
        log.warning("the answer to %s can't be read", posting.question.id, exc_info=True)
        return REJECTED
    finally:
        posting.close()


def _question(ask: Ask) -> tuple[Question, dict[str, bytes]]:
    subject, contents, files = ask.subject, dict[str, bytes](), []
    for index, edit in enumerate(subject.edits[:_MAX_FILES]):
        kept = {"before": edit.before, "after": edit.after}
        is_kept = all(content is None or not _is_unreadable(content) for content in kept.values())
        if is_kept:
            contents |= {f"{index}.{which}": content for which, content in kept.items() if content is not None}
        files.append(_asked_file(edit, is_kept=is_kept))
    question = Question(
        id="",
        session_id=ask.session_id,
        intent_id=subject.intent_id,
        intent_name=subject.intent.name if subject.intent is not None else None,
        agent=ask.workspace.host.agent,
        model=ask.model,
        code=subject.refusal.code.value,
        tool=subject.tool_name,
        text=subject.text,
        markdown=subject.markdown,
        reason=subject.reason or None,
        paths=subject.refusal.paths or subject.paths,
        actions=tuple(offer.value for offer in ask.offers),
        asked_at=timestamp(),
        timeout_s=ask.timeout_s,
        files=tuple(files),
    )
    return question, contents


def _asked_file(edit: PlannedEdit, *, is_kept: bool) -> AskedFile:
    old_path = edit.old_path if edit.old_path != edit.path else None
    return AskedFile(edit.path, edit.change.value, old_path, edit.pre_hash, edit.post_hash, is_kept)


def _is_unreadable(content: bytes) -> bool:
    return len(content) > _MAX_BYTES or is_binary(content)
