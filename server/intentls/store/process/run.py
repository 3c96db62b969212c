"""Run another program: to its end, bounded in time and output, or away from this process."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from intentls.core.errors import StoreError

log = logging.getLogger(__name__)

_CHUNK = 64 * 1024
_GRACE_S = 1.0  # for the last output of a program that has ended; a daemon it started may hold the pipe open


@dataclass(frozen=True, slots=True)
class ProcessResult:
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
