"""Which processes are agents: noted when one calls a hook or starts the MCP server, until it ends.

A later program below such a process was started by the agent, whatever its environment says.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from msgspec import Struct

from intentls.core.errors import IntentlsError
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.boot_id import boot_id
from intentls.store.fs.named_locks import Locks
from intentls.store.fs.primitives import names_in
from intentls.store.fs.state_directory import make_directory
from intentls.store.process import ancestry
from intentls.store.process.ancestry import RunningProcess, UnknownAncestry

log = logging.getLogger(__name__)

_MAX_BYTES = 64 * 1024
_MAX_SESSIONS = 100
_DAY_S = 24 * 60 * 60
_UNKNOWN = "unknown"
_NAMESPACE = Path("/proc/self/ns/pid")
_FIRST_NAMESPACE = "pid:[4026531836]"
"""What Linux calls the namespace of the machine itself: no process in it runs inside of a container."""


class AgentProcess(Struct, frozen=True):
    """An agent's process, and the sessions that it named. `start` is "" where it could not be looked at.

    `boot` and `namespace` say where its number means this process: a start of the machine, and a container.
    """

    pid: int
    start: str
    name: str
    boot: str
    namespace: str
    sessions: tuple[str, ...] = ()


class AgentAbove(Struct, frozen=True):
    """An agent's process that this program runs below; `process` is None where that is only possible."""

    process: AgentProcess | None
    sessions: frozenset[str]


class AgentProcesses:
    """The notes of one root, one small file an agent. Any trouble with them is logged: it stops no tool."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._locks = Locks(directory / "locks")
        self.caller: tuple[int, str] | None = None
        """The agent's process that this one noted last, with its start; None where that is not known."""

    def note(self, session_id: str) -> None:
        """The process above this one, past what only passes the call on, is the agent that has this session."""
        try:
            process = caller()
        except UnknownAncestry as error:
            log.debug("which agent calls is not known: %s", error)
            noted = AgentProcess(0, "", _UNKNOWN, *process_place())
        else:
            if process is None:
                return
            noted = AgentProcess(process.pid, process.start, process.name, *process_place())
            self.caller = process.pid, process.start
        if noted.start and session_id in self._sessions_of(noted.pid, noted.start):
            return
        try:
            # Its hooks and its MCP server note the same process at once.
            with self._locks.hold([str(noted.pid)], f"process {os.getpid()}"):
                self._add(noted, session_id)
        except (IntentlsError, OSError):
            log.warning("the agent's process could not be noted in %s", self._directory, exc_info=True)
        self._forget_ended()

    def _add(self, noted: AgentProcess, session_id: str) -> None:
        others = (name for name in self._sessions_of(noted.pid, noted.start) if name != session_id)
        sessions = (*others, session_id)[-_MAX_SESSIONS:]
        body = {name: getattr(noted, name) for name in ("pid", "start", "name", "boot", "namespace")}
        make_directory(self._directory)
        replace_bytes(self._directory / f"{noted.pid}.json", json.dumps(body | {"sessions": sessions}).encode("ascii"))

    def _sessions_of(self, pid: int, start: str) -> tuple[str, ...]:
        """The sessions that this very process has named so far."""
        note = _read(self._directory / f"{pid}.json")
        return note.sessions if note is not None and note.start == start else ()

    def sessions_of_caller(self) -> tuple[str, ...]:
        """The sessions that the agent's process above this one has named so far, once it is noted."""
        pid, start = self.caller or (0, "")
        return self._sessions_of(pid, start) if start else ()

    def above(self, *, but_direct: bool, pid: int | None = None) -> AgentAbove | None:
        """The noted agent that this program, or the process `pid`, runs below; None if it runs below none.

        Not known is not none: where the processes above can't be seen, or have ended, an agent may be among them.
        `but_direct`: a program that an agent's process started itself is not the agent's; an editor that has an agent
        inside starts both.
        """
        notes = [note for note in self._notes() if note.boot == process_place()[0]]
        if not notes:
            return None
        sessions = frozenset(name for note in notes for name in note.sessions)
        try:
            chain = ancestry.own_ancestors() if pid is None else ancestry.ancestors(pid)
            for place, process in enumerate(chain):
                for note in notes:
                    if _is_here(note) and (note.pid, note.start) == (process.pid, process.start):
                        return None if but_direct and place == 0 else AgentAbove(note, frozenset(note.sessions))
            if _is_orphan(chain) and any(_is_here(note) and _still_runs(note) for note in notes):
                return AgentAbove(None, sessions)
        except UnknownAncestry:
            return AgentAbove(None, sessions)
        if any(self._may_be_outside(note) for note in notes):
            return AgentAbove(None, sessions)
        return None

    def is_gone(self, pid: int, start: str) -> bool:
        """Whether a process that was noted here has certainly ended."""
        note = _read(self._directory / f"{pid}.json")
        if note is not None and not _is_here(note):
            return False
        try:
            return not ancestry.is_running(pid, start)
        except UnknownAncestry:
            return False

    def _may_be_outside(self, note: AgentProcess) -> bool:
        """Whether this program may run in a container that the agent started, where the agent can't be seen."""
        if note.start and (_is_here(note) or process_place()[1] in ("", _FIRST_NAMESPACE)):
            return False
        with suppress(OSError):
            return time.time() - (self._directory / f"{note.pid}.json").stat().st_mtime < _DAY_S
        return False

    def _notes(self) -> Iterator[AgentProcess]:
        try:
            names = names_in(self._directory)
        except OSError:
            log.warning("%s can't be listed", self._directory, exc_info=True)
            return
        for name in names:
            if name.endswith(".json") and not name.startswith("."):
                note = _read(self._directory / name)
                if note is not None:
                    yield note

    def _forget_ended(self) -> None:
        with suppress(OSError, UnknownAncestry):
            for note in self._notes():
                ended = _is_here(note) and note.start and not _still_runs(note)
                if ended or note.boot != process_place()[0]:
                    (self._directory / f"{note.pid}.json").unlink(missing_ok=True)


def caller() -> RunningProcess | None:
    """The process that calls, past shells and other programs that only pass the call on.

    None at an interactive shell, where a person typed it, and where the caller has ended. Raises UnknownAncestry.

    Example: of `claude -> sh -c "intentls hook claude-code" -> intentls hook claude-code` it is `claude`.
    """
    for process in ancestry.own_ancestors():
        if process.is_interactive_shell or process.is_init:
            return None
        if not process.is_wrapper and not _runs_us(process):
            return process
    return None


def is_language_server(pid: int) -> bool:
    """Whether the process is `intentls serve`, as its arguments say."""
    try:
        process = ancestry.running(pid)
    except UnknownAncestry:
        return False
    return process is not None and _runs(process, ("serve",))


def _runs_us(process: RunningProcess) -> bool:
    """Whether the process is a runner of our own program, such as `python -m uv tool run intentls hook codex`."""
    return _runs(process, ("hook", "mcp"))


def _runs(process: RunningProcess, verbs: tuple[str, ...]) -> bool:
    # `intentls-python` is what the compiled `intentls` starts.
    words = [os.path.basename(word).removesuffix(".exe").removesuffix("-python") for word in process.arguments]
    return any(word == "intentls" and following in verbs for word, following in pairwise(words))


def _is_orphan(chain: tuple[RunningProcess, ...]) -> bool:
    """Whether what started this program has ended: past shells and wrappers there is only what takes orphans in.

    Example: `(intentls confirm --yes &)` in a command that ends at once.
    """
    host = next((process for process in chain if not process.is_wrapper), None)
    return host is not None and host.is_init


def _still_runs(note: AgentProcess) -> bool:
    return ancestry.is_running(note.pid, note.start)


def _is_here(note: AgentProcess) -> bool:
    return (note.boot, note.namespace) == process_place()


def process_place() -> tuple[str, str]:
    """Where a process number means one process: a start of the machine, and a container."""
    if boot := boot_id():
        with suppress(OSError):
            return boot, str(_NAMESPACE.readlink())
    return "", ""


def _read(file: Path) -> AgentProcess | None:
    try:
        with file.open("rb") as opened:
            values: Any = json.loads(opened.read(_MAX_BYTES))
        start, name, boot, namespace = (str(values[key]) for key in ("start", "name", "boot", "namespace"))
        sessions = tuple(str(session) for session in values["sessions"])
        return AgentProcess(int(values["pid"]), start, name, boot, namespace, sessions)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        log.warning("the note %s of an agent's process counts as none", file, exc_info=True)
        return None
