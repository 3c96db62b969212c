"""`intentls hook AGENT`: one event on stdin, one answer on stdout, and closed on every trouble of our own.

Agents let a tool run when its hook crashes, is missing or takes too long. So each trouble of ours ends with exit
code 2, which every agent takes for a no, one line on stderr and nothing on stdout.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import threading

from intentls.core.errors import InvalidInput, shorten
from intentls.core.tools import Classification, classify
from intentls.faces.hook.event import BadEvent, Event, Json, Kind
from intentls.faces.hook.folders import governed_folders
from intentls.faces.hook.reply import Answer, Dialect

FINE, TROUBLE = 0, 2
_MOST_BYTES = 64 * 1024 * 1024  # of an event: a file's whole content may be in it


def serve(agent: str, timeout_s: float, *, always: bool = False) -> int:
    """Answer the one event on stdin within `timeout_s` seconds; the exit code.

    `always`: in words also where silence lets the tool run, for agents that take silence for a failure.
    """
    watchdog = threading.Timer(timeout_s, _give_up, (timeout_s,))
    watchdog.daemon = True
    watchdog.start()
    try:
        dialect = _dialect(agent)
        event = dialect.read(_read())
        answer = _answer(dialect, event) or (dialect.passed(event) if always else None)
        output = b"" if answer is None else json.dumps(answer).encode("ascii") + b"\n"
    except Exception as error:  # noqa: BLE001  the boundary: whatever it is, the tool must not run
        return _trouble(_sentence(error))
    finally:
        watchdog.cancel()
    try:
        sys.stdout.buffer.write(output)
        sys.stdout.buffer.flush()
    except OSError:
        return _trouble("the answer could not be written.")
    return FINE


def _dialect(agent: str) -> Dialect:
    module = importlib.import_module(f"intentls.faces.hook.dialects.{agent.replace('-', '_')}")
    dialect: Dialect = module.DIALECT
    return dialect


def _read() -> Json:
    data = sys.stdin.buffer.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise BadEvent("event", f"is larger than {_MOST_BYTES} bytes")
    if not data.strip():
        raise BadEvent("event", "is empty: the agent's JSON was expected on stdin")
    try:
        event = json.loads(data.decode("utf-8-sig"))
    except ValueError as error:
        raise BadEvent("event", f"is no JSON in UTF-8 ({error})") from error
    if not isinstance(event, dict):
        raise BadEvent("event", "is no JSON object")
    return event


def _answer(dialect: Dialect, event: Event) -> Answer:
    if event.kind is Kind.NOTHING or (event.tool is not None and event.tool.is_free):
        return None
    folders = governed_folders(event)
    if not folders or _is_announced_reading(event):
        return None
    # Slow to import: an agent at work where nothing governs must not feel that we are there.
    from intentls.faces.hook.governed import answer

    return answer(dialect, event, folders)


def _is_announced_reading(event: Event) -> bool:
    """A safe tool always passes; only that it ran is of interest, for what it read."""
    return event.kind is Kind.BEFORE and event.tool is not None and classify(event.tool.name) is Classification.SAFE


def _sentence(error: Exception) -> str:
    if isinstance(error, InvalidInput | OSError) or str(error):
        return " ".join(str(error).split())
    return type(error).__name__


def _trouble(sentence: str) -> int:
    line = f"intentls: refused, because the hook itself is in trouble: {shorten(sentence, 600)}\n"
    os.write(2, line.encode("utf-8", "backslashreplace"))
    return TROUBLE


def _give_up(timeout_s: float) -> None:
    """Our time is up. The agent's own time-out would let the tool run, so this must come first."""
    os._exit(_trouble(f"no answer was found within {timeout_s:g} seconds. Try again."))
