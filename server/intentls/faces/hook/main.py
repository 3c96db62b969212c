"""`intentls hook AGENT`: one event on stdin, one answer on stdout, and closed on every trouble of our own.

Agents let a tool run when its hook crashes, is missing or takes too long. So each trouble of ours ends with exit
code 2, which every agent takes for a no, one line on stderr and nothing on stdout.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import sys
import threading
from pathlib import Path

from intentls.core.errors import InvalidInput, shorten
from intentls.core.verdict import Refusal
from intentls.engine import hooked
from intentls.engine.engine import Engine
from intentls.engine.hooked import Asked, Call
from intentls.engine.host import Headless
from intentls.faces.hook.event import BadEvent, Event, Json, Kind
from intentls.faces.hook.reply import MOST_CHARACTERS, Answer, Dialect, Said, aftermath_text, cut
from intentls.store.resolve import find_root, real_path

FINE, TROUBLE = 0, 2
_MOST_BYTES = 64 * 1024 * 1024  # of an event: a file's whole content may be in it
_FACE = "hook"


def serve(agent: str, timeout_s: float) -> int:
    """Answer the one event on stdin within `timeout_s` seconds; the exit code."""
    _be_quiet()
    watchdog = threading.Timer(timeout_s, _give_up, (timeout_s,))
    watchdog.daemon = True
    watchdog.start()
    try:
        dialect = _dialect(agent)
        event = dialect.read(_read())
        answer = _answer(dialect, event)
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
    if event.kind is Kind.NOTHING:
        return None
    tool = event.tool
    if tool is not None and tool.is_free:
        return None
    engine = _engine(event)
    if tool is None:
        text = hooked.started(engine, event.session_id, event.model, MOST_CHARACTERS)
        return dialect.context(event, cut(text)) if text else None
    call = Call(event.session_id, tool.name, tool.paths, tool.key, tool.anywhere, event.model, tool.params)
    return _before(dialect, engine, event, call) if event.kind is Kind.BEFORE else _after(dialect, engine, event, call)


def _before(dialect: Dialect, engine: Engine, event: Event, call: Call) -> Answer:
    outcome = hooked.before(engine, call)
    if isinstance(outcome, Refusal):
        return dialect.denied(event, _reason(engine, event, outcome))
    if isinstance(outcome, Asked):
        return dialect.asked(event, _reason(engine, event, outcome.refusal))
    return dialect.advised(event, cut(" ".join(outcome.warnings))) if outcome.warnings else None


def _after(dialect: Dialect, engine: Engine, event: Event, call: Call) -> Answer:
    message = aftermath_text(hooked.after(engine, call, success=event.success, error=event.error))
    return dialect.told(event, message) if message else None


def _reason(engine: Engine, event: Event, refusal: Refusal) -> str:
    return Said(refusal, hooked.advice(engine, event.session_id, refusal)).reason


def _engine(event: Event) -> Engine:
    """An engine for the folders where the agent works, and for the roots of all that the call names.

    An agent may edit any file from anywhere, so a root governs its files wherever the agent stands.
    """
    folders = [real_path(folder) for folder in event.folders]
    if not any(folder.is_dir() for folder in folders) and not any(map(find_root, folders)):
        raise BadEvent("cwd", f"{folders[0]} is gone, so nobody can say what governs it")
    for path in event.tool.paths if event.tool is not None else ():
        root = find_root(real_path(Path(path)))
        if root is not None:
            folders.append(root)
    return Engine(Headless(_FACE, tuple(dict.fromkeys(folders)), can_ask=event.may_ask))


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


def _be_quiet() -> None:
    log = logging.getLogger("intentls")
    log.addHandler(logging.NullHandler())
    log.propagate = False
