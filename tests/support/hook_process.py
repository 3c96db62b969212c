"""A coding agent's side of a hook: the real process, one event on stdin, and what it answered."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from intentls.faces.hook import HookOptions
from intentls.faces.hook import main as face
from tests.support.patience import PATIENCE_S

PATIENT_RUN = (
    f"from intentls.faces import hook; hook.DEFAULT_TIMEOUT_S = {float(PATIENCE_S)}; "
    "from intentls.__main__ import run; run()"
)
"""The program, with as much time for a hook as a busy machine takes: one that gives up has no answer to the event."""


@dataclass(frozen=True)
class Answered:
    """What the hook left: its exit code and both outputs."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The answer, None for silence."""
        return json.loads(self.out) if self.out else None

    @property
    def closed(self) -> bool:
        """Whether it failed as it should: code 2, one line on stderr, nothing on stdout."""
        return self.code == 2 and not self.out and self.err.count("\n") == 1 and "Traceback" not in self.err


def environment(**changes: str | None) -> dict[str, str]:
    """This process's environment, without what an agent around it would have set; None takes a variable out."""
    changed = {"CLAUDE_PROJECT_DIR": None, "INTENTLS_SESSION": None, "CLAUDE_CODE_SESSION_ID": None, **changes}
    kept = {name: value for name, value in os.environ.items() if name not in changed}
    return kept | {name: value for name, value in changed.items() if value is not None}


def hook(
    agent: str,
    event: Mapping[str, Any] | bytes,
    *options: str,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> Answered:
    """Call `intentls hook AGENT` as the agent does."""
    data = event if isinstance(event, bytes) else json.dumps(event).encode()
    done = subprocess.run(
        [sys.executable, "-c", PATIENT_RUN, "hook", agent, *options],
        input=data,
        capture_output=True,
        cwd=cwd,
        env=dict(env or environment()),
        timeout=PATIENCE_S,
        check=False,
    )
    return Answered(done.returncode, done.stdout.decode(), done.stderr.decode())


def hook_here(agent: str, data: bytes, *, always: bool = False, goes_on: bool = False) -> Answered:
    """The same without a process, which is much cheaper."""
    with tempfile.TemporaryFile() as caught:  # its line of trouble goes to the descriptor itself
        kept = os.dup(2)
        os.dup2(caught.fileno(), 2)
        try:
            options = HookOptions(always=always, goes_on=goes_on)
            code, out, err = in_process(lambda: face.serve(agent, 60, options), data)
        finally:
            os.dup2(kept, 2)
            os.close(kept)
        caught.seek(0)
        return Answered(code, out, err + caught.read().decode())


def in_process(call: Callable[[], int], data: bytes = b"") -> tuple[int, str, str]:
    """The exit code and both outputs of something that answers on stdout, without starting Python again."""
    streams = [io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="") for content in (data, b"", b"")]
    with mock.patch.multiple(sys, **dict(zip(("stdin", "stdout", "stderr"), streams, strict=True))), _same_log():
        code = call()
        for stream in streams[1:]:
            stream.flush()
    out, err = (stream.detach().getvalue().decode() for stream in streams[1:])  # type: ignore[attr-defined]
    return code, out, err


@contextlib.contextmanager
def _same_log() -> Iterator[None]:
    """A face sets the log up as for a process of its own."""
    log = logging.getLogger("intentls")
    before = log.propagate, list(log.handlers)
    yield
    log.propagate, log.handlers = before


def records(root: Path) -> list[dict[str, Any]]:
    """The ledger, oldest first."""
    ledger = root / ".orchestration" / "agent_trace.jsonl"
    return [json.loads(line) for line in ledger.read_text().splitlines()] if ledger.exists() else []


def claude(
    root: Path, event: str, tool: str, given: Mapping[str, Any], call: str = "t1", **more: Any
) -> dict[str, Any]:
    """An event of Claude Code in session `s1`."""
    return {
        **{"session_id": "s1", "cwd": str(root), "permission_mode": "default", "hook_event_name": event},
        **{"tool_name": tool, "tool_input": dict(given), "tool_use_id": call},
        **more,
    }
