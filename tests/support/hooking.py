"""A coding agent's side of a hook: the real process, one event on stdin, and what it answered."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_RUN = "import sys; from intentls.faces.cli.main import run; run(sys.argv[1:])"


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
    changed = {"CLAUDE_PROJECT_DIR": None, "INTENTLS_SESSION": None, **changes}
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
        [sys.executable, "-c", _RUN, "hook", agent, *options],
        input=data,
        capture_output=True,
        cwd=cwd,
        env=dict(env or environment()),
        timeout=60,
        check=False,
    )
    return Answered(done.returncode, done.stdout.decode(), done.stderr.decode())


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
