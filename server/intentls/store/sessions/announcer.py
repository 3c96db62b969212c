"""The process that announces a tool call: once it has ended, nobody reports the call."""

from __future__ import annotations

from msgspec import Struct

from intentls.store.process.ancestry import UnknownAncestry, is_running
from intentls.store.sessions.agent_processes import caller, process_place


class Announcer(Struct, frozen=True):
    """A process that ran when it announced a call; 0 and "" where that is not known.

    `start` tells it from a later one of the same number, `place` says where the number means this process.
    """

    process: int = 0
    start: str = ""
    place: tuple[str, str] = ("", "")

    @property
    def is_gone(self) -> bool:
        """Whether it has certainly ended."""
        try:
            known = self.process != 0 and self.place == process_place()
            return known and not is_running(self.process, self.start)
        except UnknownAncestry:
            return False


NOT_KNOWN = Announcer()


def announcer() -> Announcer:
    """The process that calls this program; its number is 0 where that can't be told."""
    try:
        process = caller()
    except UnknownAncestry:
        process = None
    pid, start = (0, "") if process is None else (process.pid, process.start)
    return Announcer(pid, start, process_place())
