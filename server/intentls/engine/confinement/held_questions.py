"""Questions about what is held, put to the editors that listen while the command still runs.

Nothing waits for an answer: the command goes on, and what it changes meanwhile lands or is held as before.

    held at a quiet moment       -> one question for all that became held there
    answered yes, or widen       -> it lands, judged again as it is now
    answered no                  -> it is held no more
    written again while asked    -> that question is taken back; one about the newer content takes its place
    time up                      -> it stays held, and is asked about once more at the end
    nobody sees it any more      -> it is taken back; who comes later is asked anew
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from intentls.core.gate.refusal import Refusal
from intentls.engine.actions.approval import has_listener
from intentls.engine.actions.effects import REJECTED, Ask, FinalResult, Reply, Steps, advance, refuse
from intentls.engine.actions.request import EditResult
from intentls.engine.confinement.landing import Landing, is_no
from intentls.engine.confinement.staged_file import StagedFile
from intentls.engine.questions.posting import LOOK_FOR_LISTENERS_S, Posting

if TYPE_CHECKING:
    from intentls.engine.workspace.workspace import Workspace
    from intentls.store.confinement.held_changes import HeldChange

log = logging.getLogger(__name__)

_MAX_OPEN = 5
"""More questions at once are no help to a person: what is held meanwhile comes with the next."""

_MAX_FILES = 50


class OpenHeldQuestion(Struct):
    """A question, the files that it is about, and the edit that waits for its answer. Its times are monotonic."""

    files: Sequence[StagedFile]
    steps: Steps[EditResult | Refusal]
    posting: Posting
    until: float
    next_look: float = 0.0

    def reply(self) -> Reply | None:
        """The answer; None while it is open. Raises OSError."""
        reply = self.posting.answer()
        return self.posting.last_answer() if reply is None and time.monotonic() >= self.until else reply

    def is_abandoned(self) -> bool:
        """Whether nobody sees it any more, as for any other question; looked at now and then. Raises OSError."""
        if time.monotonic() < self.next_look:
            return False
        self.next_look = time.monotonic() + LOOK_FOR_LISTENERS_S
        return self.posting.is_abandoned()


class HeldQuestions:
    """The questions of one run. Used in the thread of its landing."""

    def __init__(self, workspace: Workspace, landing: Landing) -> None:
        self._workspace = workspace
        self._landing = landing
        self._asked: dict[str, tuple[object, ...]] = {}
        self._open: list[OpenHeldQuestion] = []

    def ask(self) -> None:
        """Ask about what is held for the scope alone and no question was about. Raises StoreError, OSError."""
        new = {path for path, held in self._landing.outside.items() if self._asked.get(path) != _content(held)}
        if not new:
            return
        for question in [one for one in self._open if any(file.path in new for file in one.files)]:
            self._take_back(question)
            new |= {file.path for file in question.files if file.path in self._landing.outside}
        if len(self._open) >= _MAX_OPEN or not self._is_anybody_there():
            return
        paths = sorted(new)[:_MAX_FILES]
        self._asked |= {path: _content(self._landing.outside[path]) for path in paths}
        if files := self._landing.held_files(paths):
            self._go_on(files, self._landing.steps(files), None)

    def take_answers(self) -> None:
        """Let what was answered take effect. Raises StoreError."""
        for question in tuple(self._open):
            try:
                reply = question.reply()
                if reply is None and question.is_abandoned():
                    reply = question.posting.last_answer()
                    if not reply.by:  # nobody answered at the last moment either
                        log.info("who could answer %s has left", question.posting.question.id)
                        self._take_back(question)
                        continue
            except OSError:
                log.warning("the answer to %s can't be read", question.posting.question.id, exc_info=True)
                reply = REJECTED
            if reply is not None:
                self._open.remove(question)
                question.posting.close()
                self._go_on(question.files, question.steps, reply)

    def close(self) -> None:
        """Take all open questions back; what they are about stays held."""
        for question in tuple(self._open):
            self._take_back(question)

    def _go_on(self, files: Sequence[StagedFile], steps: Steps[EditResult | Refusal], reply: Reply | None) -> None:
        """One step of an edit: its next question is put, or its result noted."""
        step = advance(steps, reply)
        while not isinstance(step, FinalResult):
            if isinstance(step, Ask) and step.has_listener:
                try:
                    posting = Posting(step)
                except OSError:
                    log.warning("the question could not be put to the workspace", exc_info=True)
                else:
                    self._open.append(OpenHeldQuestion(files, steps, posting, time.monotonic() + step.timeout_s))
                    return
            step = advance(steps, refuse(step))
        others = self._landing.settle(files, step.value)
        if is_no(reply) and isinstance(step.value, Refusal):
            self._landing.drop(file for file in files if file not in others)
        self._landing.put(others, refuse)

    def _take_back(self, question: OpenHeldQuestion) -> None:
        self._open.remove(question)
        question.posting.close()
        question.steps.close()
        for file in question.files:
            self._asked.pop(file.path, None)

    def _is_anybody_there(self) -> bool:
        return self._workspace.configuration().policy.hitl == "ask" and has_listener(self._workspace)


def _content(held: HeldChange) -> tuple[object, ...]:
    return held.before, held.after, held.mode
