"""An agent's process: what runs below it was started by an agent, as far as the system can tell."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.forked_servers import run_to_its_end
from tests.support.hook_process import PATIENT_RUN, environment
from tests.support.patience import PATIENCE_S

Json = dict[str, Any]

INTENTLS = f"'{sys.executable}' -m intentls"
HOOK = f"'{sys.executable}' -c '{PATIENT_RUN}' hook claude-code"

_AGENT = """
import json, subprocess, sys
for line in sys.stdin:
    command, data = json.loads(line)
    ran = subprocess.run(["sh", "-c", command], input=data.encode(), capture_output=True)
    print(json.dumps([ran.returncode, ran.stdout.decode(), ran.stderr.decode()]), flush=True)
"""


@dataclass(frozen=True)
class CommandResult:
    """How a command ended."""

    code: int
    out: str
    err: str


class AgentProcess:
    """A process that runs commands, as an agent does: each in a shell of its own. Its hooks are such commands too."""

    def __init__(self, root: Path, variables: Mapping[str, str] | None = None) -> None:
        self.root = root
        self._process = subprocess.Popen(
            [sys.executable, "-c", _AGENT],
            cwd=root,
            env={**environment(), **(variables or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def run(self, command: str, data: str = "") -> CommandResult:
        """Run a shell command to its end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([command, data]).encode() + b"\n")
        self._process.stdin.flush()
        return CommandResult(*json.loads(self._process.stdout.readline()))

    def hook(self, name: str, session_id: str = "agent-1", **event: Any) -> CommandResult:
        """Send one event to the hook."""
        data = {"hook_event_name": name, "session_id": session_id, "cwd": str(self.root), **event}
        return self.run(HOOK, json.dumps(data))

    def shell(self, command: str, *, call: str = "call-1", session_id: str = "agent-1") -> CommandResult:
        """Announce a shell command, run it, and report it."""
        tool = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": call}
        announced = self.hook("PreToolUse", session_id, **tool)
        assert (announced.code, announced.out) == (0, ""), announced
        result = self.run(command)
        self.hook("PostToolUse", session_id, **tool, tool_response={})
        return result

    def close(self) -> None:
        """The agent ends."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=PATIENCE_S)

    def __enter__(self) -> AgentProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def person(root: Path, arguments: Sequence[str]) -> CommandResult:
    """A command of a person in a terminal of their own."""
    ran = run_to_its_end(root, arguments, environment())
    return CommandResult(ran.returncode, ran.stdout, ran.stderr)
