"""Run another program: to its end, bounded in time and output, or away from this process."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from msgspec import Struct

from intentls.core.errors import StoreError

log = logging.getLogger(__name__)

_CHUNK = 64 * 1024
_GRACE_S = 1.0  # for the last output of a program that has ended; a daemon it started may hold the pipe open


class ProcessResult(Struct, frozen=True):
    """A program that ended by itself."""

    returncode: int
    stdout: bytes
    stderr: bytes


def run_bounded(
    command: Sequence[str], *, cwd: Path, environment: Mapping[str, str], timeout_s: float, limit: int
) -> ProcessResult:
    """Run `command` (an argument vector, no shell, no input) in `cwd` to its end.

    Raises StoreError if it can't be started, takes longer than `timeout_s`, or writes more than `limit`
    bytes to stdout or to stderr; it is then killed, with all that it started.
    """
    process = _start(command, cwd, environment)
    readers = [_OutputReader(pipe, limit, lambda: _kill(process)) for pipe in (process.stdout, process.stderr) if pipe]
    try:
        for reader in readers:
            reader.start()
        returncode = process.wait(timeout_s)
    except subprocess.TimeoutExpired as error:
        raise StoreError(f"{command[0]} took longer than {timeout_s:g} s and was stopped") from error
    finally:
        _kill(process)
    for reader in readers:
        reader.join(_GRACE_S)
    if any(reader.overflowed for reader in readers):
        raise StoreError(f"{command[0]} wrote more than {limit:,} bytes and was stopped")
    stdout, stderr = (bytes(reader.data) for reader in readers)
    return ProcessResult(returncode, stdout, stderr)


def start_detached(command: Sequence[str]) -> None:
    """Start `command` (an argument vector) so that it goes on when this process ends; a failure is only logged.

    It gets neither our terminal nor our directory and streams.
    """
    nothing = subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            command, cwd="/", stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
        )
    except OSError:
        log.warning("%s can't be started", command[0], exc_info=True)
        return
    # Should it end before us, its exit must be waited for, or the system keeps it as a zombie.
    threading.Thread(target=process.wait, name="intentls-detached", daemon=True).start()


def _start(command: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    if not command:
        raise StoreError("its command is empty; name a program")
    program = shutil.which(command[0], path=environment.get("PATH")) or command[0]  # finds `.cmd` on Windows
    try:
        return subprocess.Popen(
            [program, *command[1:]],
            cwd=cwd,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # a process group of its own, and no terminal; Windows ignores it
        )
    except FileNotFoundError as error:
        if not cwd.is_dir():
            raise StoreError(f"the folder {cwd} to start it in does not exist") from error
        advice = "install it or correct its command"
        raise StoreError(f"the program {command[0]!r} was not found; {advice}") from error
    except (OSError, ValueError) as error:
        raise StoreError(f"the program {command[0]!r} can't be started: {error}") from error


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the program and its process group, unless it has ended: its number may be another's by now."""
    if process.poll() is not None:
        return
    with suppress(ProcessLookupError, PermissionError):  # it ended in between
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


class _OutputReader(threading.Thread):
    """Drains one pipe into `data`, up to `limit` bytes."""

    def __init__(self, pipe: IO[bytes], limit: int, stop: Callable[[], None]) -> None:
        super().__init__(daemon=True, name="intentls-program-output")
        self.data = bytearray()
        self.overflowed = False
        self._pipe, self._limit, self._stop = pipe, limit, stop

    def run(self) -> None:
        with self._pipe:
            while chunk := os.read(self._pipe.fileno(), _CHUNK):
                self.data += chunk
                if len(self.data) > self._limit:
                    self.overflowed = True
                    self._stop()
                    return


TIMEOUT_S = 600.0
MAX_OUTPUT = 16 * 1024 * 1024
"""Bytes that a command may write on each of its two outputs."""

_SHOWN_LINES, _SHOWN_CHARACTERS = 40, 4_000


class CommandResult(Struct, frozen=True):
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
