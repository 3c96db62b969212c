"""A worker of the daemon: a process that answers one question after the other, as a hook without a daemon would.

What a hook has of its own, each question brings along: folder, environment, file mode mask, and the process that asks,
which decides what runs above it. What a hook learns about the world outside of the files that it reads, no question
leaves to the next (`_FORGOTTEN`); one that leaves a file open or a thread, since it recorded something, ends its worker
as it would have ended a hook.
"""

from __future__ import annotations

import _thread
import gc
import math
import os
import signal
import socket
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, NoReturn

from intentls.engine.workspace.configuration import private_folder
from intentls.faces.hook import MAX_EVENT_BYTES, HookOptions, daemon_client
from intentls.faces.hook.event import MustWait
from intentls.faces.hook.main import answer_event
from intentls.store.git.command import git_on_path
from intentls.store.process import ancestry

BUSY, READY = b"?", b"."
"""What the daemon and its worker tell each other: here is a question; it is dealt with."""

_PARTS = 9  # of a question
_MAX_QUESTION = MAX_EVENT_BYTES + (1 << 22)  # the event, and the asking process's surroundings
_FORGOTTEN = (private_folder, git_on_path)
"""What is kept for the length of a process and depends on more than the bytes it is computed from. A test compares."""

# What decides, beside the user, what a process may do: a hook inside of a sandbox is not answered from outside of it,
# nor the other way round.
_RIGHTS = (b"Uid:", b"Gid:", b"Groups:", b"NoNewPrivs:", b"Seccomp:", b"CapPrm:", b"CapEff:", b"CapBnd:", b"CapAmb:")
# What Python itself looks at when it starts.
_INTERPRETER = (b"PYTHON", b"LC_", b"LANG")


class _Surroundings(NamedTuple):
    """What the daemon and a hook that asks it must have in common: see `_INTERPRETER` and `_RIGHTS`."""

    interpreter: dict[bytes, bytes]
    rights: list[bytes]


class CanNotAnswer(Exception):
    """The process that asks might find another answer by itself."""


def work(questions: socket.socket) -> NoReturn:
    """Answer the connections that come through `questions`, until it ends. An unexpected error ends the process."""
    gc.disable()  # it is done between questions
    ours = _Surroundings(_interpreter(os.environb), _rights("self"))
    unused = _in_use()
    try:
        while True:
            said, descriptors, _, _ = socket.recv_fds(questions, 1, 1)
            if said != BUSY or len(descriptors) != 1:
                break
            signal.alarm(math.ceil(daemon_client.MAX_ANSWER_S))  # the hook has given up by then
            with socket.socket(fileno=descriptors[0]) as peer, suppress(CanNotAnswer, MustWait):
                peer.settimeout(None)
                peer.sendall(_answer(peer, ours))
            signal.alarm(0)
            _forget()
            if _in_use() != unused:
                break
            questions.sendall(READY)
    finally:
        os._exit(0)


def _answer(peer: socket.socket, ours: _Surroundings) -> bytes:
    """The output of a hook of the asking process. Raises CanNotAnswer and MustWait."""
    try:
        parts = daemon_client.unpack(_read(peer), _PARTS)
        identity, agent, always, directory, cwd, mask, names, number, event = parts
        pid, umask = int(number), int(mask)
        environment = _environment(names)
        if identity != daemon_client.identity() or _interpreter(environment) != ours.interpreter:
            raise CanNotAnswer("another version asks, or another Python")
        if daemon_client.asking_process(peer) not in (pid, None) or _rights(str(pid)) != ours.rights:
            raise CanNotAnswer("it is in another container or sandbox")
        os.chdir(directory)
        if cwd != daemon_client.cwd_identity():
            raise CanNotAnswer("it sees other files")
        os.environ.clear()
        os.environb.update(environment)
    except (OSError, ValueError) as error:
        raise CanNotAnswer(str(error)) from error
    os.umask(umask)
    ancestry.asking.set(pid)
    reply = answer_event(agent.decode(), lambda: event, HookOptions(always=bool(always)))
    return daemon_client.pack([str(reply.code).encode(), reply.out, reply.err])


def _forget() -> None:
    """Keep nothing of a question: neither a folder in use, nor what it opened, nor what it learned."""
    os.chdir("/")
    for cached in _FORGOTTEN:
        cached.cache_clear()
    gc.collect()


def _in_use() -> tuple[int, int]:
    """How many files are open, and how many threads run."""
    return len(list(Path("/dev/fd").iterdir())), _thread._count()


def _read(peer: socket.socket) -> bytes:
    pieces, size = [], 0
    while size <= _MAX_QUESTION and (piece := peer.recv(1 << 20)):
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def _environment(names: bytes) -> dict[bytes, bytes]:
    """The variables of `name=value` after each other, as Python reads them: of two of one name the first counts.

    Example: b"A=1\\0B=\\0A=2\\0" is {b"A": b"1", b"B": b""}
    """
    environment: dict[bytes, bytes] = {}
    for pair in names.split(b"\0"):
        name, equals, value = pair.partition(b"=")
        if equals:
            environment.setdefault(name, value)
    environment.pop(daemon_client.CLIENT_VARIABLE.encode(), None)
    return environment


def _interpreter(environment: os._Environ[bytes] | dict[bytes, bytes]) -> dict[bytes, bytes]:
    return {name: value for name, value in environment.items() if name.startswith(_INTERPRETER)}


def _rights(process: str) -> list[bytes]:
    """What the system tells of what that process may do. Raises OSError."""
    if not ancestry.has_proc():
        return []
    lines = Path("/proc", process, "status").read_bytes().splitlines()
    return [line for line in lines if line.startswith(_RIGHTS)]
