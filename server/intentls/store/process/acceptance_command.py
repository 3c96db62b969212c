"""Run an acceptance criterion: one line for the system's shell, in the root, bounded in time and output."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from intentls.core.errors import StoreError
from intentls.store.process.run import run_bounded

TIMEOUT_S = 600.0
MAX_OUTPUT = 16 * 1024 * 1024
"""Bytes that a command may write on each of its two outputs."""

_SHOWN_LINES, _SHOWN_CHARACTERS = 40, 4_000


@dataclass(frozen=True, slots=True)
class CommandResult:
    """How a command ended. `returncode` is None where it did not end by itself; `error` says why then.

    `output` is the end of what it wrote: stdout, then stderr.
    """

    returncode: int | None
    seconds: float
    output: str = ""
    error: str = ""

    @property
    def passed(self) -> bool:
        """Whether the criterion is met."""
        return self.returncode == 0


def run_criterion(line: str, root: Path, timeout_s: float = TIMEOUT_S) -> CommandResult:
    """Run `line` to its end. Whatever becomes of it is in the answer; nothing is raised."""
    begun, command = time.monotonic(), _shell(line)
    try:
        result = run_bounded(command, cwd=root, environment=os.environ, timeout_s=timeout_s, limit=MAX_OUTPUT)
    except StoreError as error:
        return CommandResult(None, time.monotonic() - begun, error=str(error).removeprefix(f"{command[0]} "))
    return CommandResult(result.returncode, time.monotonic() - begun, _end_of(result.stdout) + _end_of(result.stderr))


def _shell(line: str) -> list[str]:
    if sys.platform == "win32":
        return [os.environ.get("COMSPEC", "cmd.exe"), "/d", "/c", line]
    return ["sh", "-c", line]


def _end_of(output: bytes) -> str:
    """The last lines, as text, each with its end."""
    text = output[-4 * _SHOWN_CHARACTERS :].decode("utf-8", "replace")[-_SHOWN_CHARACTERS:]
    return "".join(f"{line}\n" for line in text.splitlines()[-_SHOWN_LINES:])
