"""`intentls hook AGENT`: one event on stdin, one answer on stdout, and closed on every trouble of our own.

Agents let a tool run when its hook crashes, is missing or takes too long. So each trouble of ours ends with exit
code 2, which every agent takes for a no, one line on stderr and nothing on stdout.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable
from typing import NamedTuple

from intentls.core.errors import InvalidInput, shorten
from intentls.core.gate.tool_names import ToolClass, classify
from intentls.faces.hook import MOST_BYTES
from intentls.faces.hook.event import Event, EventKind, InvalidEvent, Json
from intentls.faces.hook.event_roots import governed_folders
from intentls.faces.hook.response import Answer, Dialect
from intentls.faces.hook.timeout import IN_TROUBLE, TROUBLE, limited

FINE = 0


class HookReply(NamedTuple):
    """What the process leaves: its exit code and both outputs."""

    code: int
    out: bytes = b""
    err: bytes = b""


def serve(agent: str, timeout_s: float, *, always: bool = False, event: bytes | None = None) -> int:
    """Answer the one event on stdin within `timeout_s` seconds; the exit code.

    `always`: in words also where silence lets the tool run, for agents that take silence for a failure. `event`: what
    was on stdin, where it has been read already.
    """
    done = limited(timeout_s)
    try:
        reply = answered(agent, _read if event is None else lambda: event, always=always)
    finally:
        done()
    if reply.err:
        os.write(2, reply.err)
    try:
        sys.stdout.buffer.write(reply.out)
        sys.stdout.buffer.flush()
    except OSError:
        os.write(2, _line("the answer could not be written."))
        return TROUBLE
    return reply.code


def answered(agent: str, read: Callable[[], bytes], *, always: bool) -> HookReply:
    """The answer to an event, however it came here. Never raises."""
    try:
        dialect = _dialect(agent)
        event = dialect.read(_parsed(read()))
        answer = _answer(dialect, event) or (dialect.passed(event) if always else None)
        return HookReply(FINE, b"" if answer is None else json.dumps(answer).encode("ascii") + b"\n")
    except Exception as error:  # noqa: BLE001  the boundary: whatever it is, the tool must not run
        return HookReply(TROUBLE, err=_line(_sentence(error)))


def _dialect(agent: str) -> Dialect:
    module = importlib.import_module(f"intentls.faces.hook.dialects.{agent.replace('-', '_')}")
    dialect: Dialect = module.DIALECT
    return dialect


def _read() -> bytes:
    return sys.stdin.buffer.read(MOST_BYTES + 1)


def _parsed(data: bytes) -> Json:
    if len(data) > MOST_BYTES:
        raise InvalidEvent("event", f"is larger than {MOST_BYTES} bytes")
    if not data.strip():
        raise InvalidEvent("event", "is empty: the agent's JSON was expected on stdin")
    try:
        event = json.loads(data.decode("utf-8-sig"))
    except ValueError as error:
        raise InvalidEvent("event", f"is no JSON in UTF-8 ({error})") from error
    if not isinstance(event, dict):
        raise InvalidEvent("event", "is no JSON object")
    return event


def _answer(dialect: Dialect, event: Event) -> Answer:
    if event.kind is EventKind.NOTHING or (event.tool is not None and event.tool.is_free):
        return None
    folders = governed_folders(event)
    if not folders or _is_announced_reading(event):
        return None
    # Slow to import: an agent at work where nothing governs must not feel that we are there.
    from intentls.faces.hook.evaluate import answer

    return answer(dialect, event, folders)


def _is_announced_reading(event: Event) -> bool:
    """A safe tool always passes; only that it ran is of interest, for what it read."""
    return event.kind is EventKind.BEFORE and event.tool is not None and classify(event.tool.name) is ToolClass.SAFE


def _sentence(error: Exception) -> str:
    if isinstance(error, InvalidInput | OSError) or str(error):
        return " ".join(str(error).split())
    return type(error).__name__


def _line(sentence: str) -> bytes:
    line = f"{IN_TROUBLE}{shorten(sentence, 600)}\n"
    return line.encode("utf-8", "backslashreplace")
