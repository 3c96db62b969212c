"""The side that asks: a question is put to the workspace, and its first answer is taken.

Who answers is no agent's process: the kernel says which process stands for an answer, and the processes above that one
say who started it. All others' answers are removed, and the question stays open.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from intentls.core.text.lines import is_binary
from intentls.engine.actions.authority import is_below_agent
from intentls.engine.actions.effects import REJECTED, Answer, Ask, Reply
from intentls.engine.workspace.people import signature
from intentls.store.clock import timestamp
from intentls.store.questions.question_files import AskedFile, Question

if TYPE_CHECKING:
    from intentls.engine.actions.request import PlannedEdit
    from intentls.store.questions.held_file import HeldFile

log = logging.getLogger(__name__)

_LOOK_AGAIN_S = 0.1  # a process that only waits for this answer: to load what watches files would take longer
_MAX_FILES = 50
_MAX_BYTES = 1 << 20  # of a file's content: nobody reads more than that before answering


class Posting:
    """A question that was put to the workspace. `close` it in the end, whatever becomes of it."""

    def __init__(self, ask: Ask) -> None:
        """Post it. Raises OSError."""
        self.ask = ask
        self._files = ask.workspace.questions
        self._own: tuple[HeldFile, Reply] | None = None
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
        given = self._files.given(self.question)
        if given is None:
            if self._files.is_open(self.question.id):
                return None
            return REJECTED  # the state directory was removed, and the question with it
        if given.action not in self.ask.offers or is_below_agent(self.ask.workspace, given.process):
            log.warning("process %s answered %s, and may not: an agent started it", given.process, self.question.id)
            self._files.reject(self.question)
            return None
        return Reply(Answer(given.action), given.by)

    def wait(self) -> Reply:
        """The answer, waited for in this thread until the question's time is up. Raises OSError."""
        deadline = time.monotonic() + self.ask.timeout_s
        while (reply := self.answer()) is None:
            left = deadline - time.monotonic()
            if left <= 0:
                return REJECTED
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
