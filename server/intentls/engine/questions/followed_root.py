"""A root whose questions a connection follows."""

from __future__ import annotations

import asyncio

from msgspec import Struct, field

from intentls.engine.workspace.workspace import Workspace
from intentls.store.fs.directory_watch import DirectoryWatch
from intentls.store.questions.held_file import HeldFile
from intentls.store.questions.question_files import Question


class FollowedRoot(Struct, eq=False):
    """A root of this connection. `registration`: as a listener; None while the client is not asked for others."""

    workspace: Workspace
    watch: DirectoryWatch
    registration: HeldFile | None = None
    questions: list[Question] = field(default_factory=list)
    task: asyncio.Task[None] | None = None

    @property
    def is_followed(self) -> bool:
        """Whether its questions are the ones that are watched: its `.orchestration` may be gone, or another one."""
        return self.watch.is_current and not (self.task is not None and self.task.done())

    def abandon(self) -> None:
        """Follow it no more: another one of the same root is followed."""
        if self.registration is not None:
            self.registration.release()
        self.watch.close()
