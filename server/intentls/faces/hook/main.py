"""`intentls hook AGENT`: one event on stdin, one answer on stdout; every error of the hook itself refuses the tool.

Agents let a tool run when its hook crashes, is missing or takes too long. So each error here ends with exit code 2, at
which every agent stops the tool, one line on stderr and nothing on stdout.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from intentls.core.errors import InvalidInput, shorten
from intentls.core.gate.tool_class import SHELL, ToolClass, classify
from intentls.engine.tools.open_calls import has_open_calls
from intentls.faces.hook import MAX_EVENT_BYTES, SHORT_WAIT_S, HookOptions
from intentls.faces.hook.daemon_client import CompiledClient
from intentls.faces.hook.daemon_start import prepare_next
from intentls.faces.hook.event import Event, EventKind, InvalidEvent, Json, MustWait, Waiting
from intentls.faces.hook.response import Answer, Dialect
from intentls.faces.hook.timeout import ERROR_PREFIX, EXIT_ERROR, extend_timeout, start_timeout
from intentls.store.fs.path_resolution import find_root, real_path

EXIT_OK = 0
_EVALUATE = "intentls.faces.hook.evaluate"


class HookReply(NamedTuple):
    """What the process leaves: its exit code and both outputs."""

    code: int
    out: bytes = b""
    err: bytes = b""


def serve(
    agent: str,
    timeout_s: float,
    options: HookOptions,
    event: bytes | None = None,
    client: CompiledClient | None = None,
) -> int:
    """Answer the one event on stdin within `timeout_s` seconds; the exit code.

    `event`: what was on stdin, where it has been read already. `client`: what started this process instead of a daemon.
    """
    done = start_timeout(timeout_s)
    try:
        waiting = _waiting(timeout_s, options.wait_s)
        reply = answer_event(agent, _read if event is None else lambda: event, options, waiting)
    finally:
        done()
    if reply.err:
        os.write(2, reply.err)
    try:
        sys.stdout.buffer.write(reply.out)
        sys.stdout.buffer.flush()
    except OSError:
        os.write(2, _line("the answer could not be written."))
        return EXIT_ERROR
    if not options.goes_on and _EVALUATE in sys.modules:  # where nothing governs, nothing runs in the background
        prepare_next(client)
    return reply.code


def _waiting(timeout_s: float, wait_s: float | None) -> Waiting:
    if wait_s is None:
        return Waiting(min(SHORT_WAIT_S, timeout_s / 2))
    return Waiting(wait_s, lambda: extend_timeout(wait_s))


def answer_event(
    agent: str, read: Callable[[], bytes], options: HookOptions, waiting: Waiting | None = None
) -> HookReply:
    """The answer to the event that `read` gives. `waiting`: how a person may be waited for; None: not in this process.

    Raises MustWait where `waiting` is None and a person is to be asked, and nothing else.
    """
    try:
        dialect = _dialect(agent)
        event = dialect.read(_parsed(read()))._replace(agent=agent, goes_on=options.goes_on)
        answer = _answer(dialect, event, waiting) or (dialect.passed(event) if options.always else None)
        return HookReply(EXIT_OK, b"" if answer is None else json.dumps(answer).encode("ascii") + b"\n")
    except MustWait:
        raise
    except Exception as error:  # noqa: BLE001  the boundary: whatever it is, the tool must not run
        return HookReply(EXIT_ERROR, err=_line(_sentence(error)))


def _dialect(agent: str) -> Dialect:
    module = importlib.import_module(f"intentls.faces.hook.dialects.{agent.replace('-', '_')}")
    dialect: Dialect = module.DIALECT
    return dialect


def _read() -> bytes:
    return sys.stdin.buffer.read(MAX_EVENT_BYTES + 1)


def _parsed(data: bytes) -> Json:
    if len(data) > MAX_EVENT_BYTES:
        raise InvalidEvent("event", f"is larger than {MAX_EVENT_BYTES} bytes")
    if not data.strip():
        raise InvalidEvent("event", "is empty: the agent's JSON was expected on stdin")
    try:
        event = json.loads(data.decode("utf-8-sig"))
    except ValueError as error:
        raise InvalidEvent("event", f"is no JSON in UTF-8 ({error})") from error
    if not isinstance(event, dict):
        raise InvalidEvent("event", "is no JSON object")
    return event


def _answer(dialect: Dialect, event: Event, waiting: Waiting | None = None) -> Answer:
    if event.kind is EventKind.NOTHING:
        return None
    if event.tool is not None and event.tool.is_free:
        is_bookkeeping = event.tool.name == SHELL and event.kind is EventKind.BEFORE
        return dialect.allowed(event) if is_bookkeeping and any(map(find_root, event.folders)) else None
    folders = _governed_folders(event)
    if not folders or (_is_announced_reading(event) and not has_open_calls(map(find_root, folders))):
        return None
    # Slow to import: an agent that works where nothing governs must not be slowed down.
    from intentls.faces.hook.evaluate import answer

    return answer(dialect, event, folders, waiting)


def _governed_folders(event: Event) -> tuple[Path, ...]:
    """The folders where the agent works, and the roots of all that the call names; () where there is no root at all.

    An agent may edit any file from anywhere, so a root governs its files wherever the agent stands. Raises
    InvalidPath, and InvalidEvent where the agent works in no folder that exists.
    """
    folders = list(dict.fromkeys(real_path(folder) for folder in event.folders))  # often two names of one
    home = [find_root(folder) for folder in folders]
    if not any(folder.is_dir() for folder in folders) and not any(home):
        raise InvalidEvent("cwd", f"{folders[0]} is gone, so nobody can say what governs it")
    if event.kind in (EventKind.TURN, EventKind.END) or (event.tool is not None and event.tool.anywhere):
        from intentls.engine.agents.roots_around import roots_around  # a command reaches further, and needs git anyway

        reached = [root for folder in folders for root in roots_around(folder)]
        folders = [*folders, *reached]
        home += reached
    named = [find_root(real_path(Path(path))) for path in event.tool.paths] if event.tool is not None else []
    roots = [root for root in named if root is not None]
    return tuple(dict.fromkeys([*folders, *roots])) if roots or any(home) else ()


def _is_announced_reading(event: Event) -> bool:
    """A safe tool always passes; only that it ran is of interest, for what it read."""
    return event.kind is EventKind.BEFORE and event.tool is not None and classify(event.tool.name) is ToolClass.SAFE


def _sentence(error: Exception) -> str:
    if isinstance(error, InvalidInput | OSError) or str(error):
        return " ".join(str(error).split())
    return type(error).__name__


def _line(sentence: str) -> bytes:
    line = f"{ERROR_PREFIX}{shorten(sentence, 600)}\n"
    return line.encode("utf-8", "backslashreplace")
