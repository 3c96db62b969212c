"""Seatbelt: macOS refuses a process, and all that it starts, to change anything but what lies below some paths.

Source: sandbox-exec(1) and the profiles in /System/Library/Sandbox/Profiles. Apple documents the program, marks it as
deprecated and keeps using it, and does not document the language. So `why_not` tries it before it is relied on: a
profile that this system does not understand, or does not keep, confines nothing here.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from intentls.store.confinement.confined_process import ConfinedCommand, shell_code

PROGRAM: Final = Path("/usr/bin/sandbox-exec")
_TRIAL_S = 20


class SeatbeltProcess:
    """A command that runs under a profile. What it leaves running stays confined, and outlives it."""

    def __init__(self, command: ConfinedCommand, writable: Iterable[Path], program: Path = PROGRAM) -> None:
        """Start it. Raises OSError."""
        self._process = subprocess.Popen(
            [program, "-p", profile(writable), *command.arguments],
            cwd=command.folder,
            env=dict(command.environment),
        )

    def poll(self) -> int | None:
        """The command's exit code, as a shell gives it; None while it runs."""
        code = self._process.poll()
        return None if code is None else shell_code(code)

    def send(self, number: int) -> None:
        """Pass a signal on to the command."""
        self._process.send_signal(number)

    def kill(self) -> None:
        """End the command at once."""
        self._process.kill()
        self._process.wait()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until the command has ended, at most so long; whether it has."""
        try:
            self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return False
        return True


def profile(writable: Iterable[Path]) -> str:
    r"""What sandbox-exec is told: writes only below these paths, and no second name for a file that lies elsewhere.

    The system compares real paths. Example: for `/w/a "b"` the last line is

        (allow file-write* (subpath "/w/a \"b\""))
    """
    places = sorted({str(path.resolve()) for path in writable})
    allowed = "".join(f"(allow file-write* (subpath {_text(place)}))\n" for place in places)
    return f"(version 1)\n(allow default)\n(deny file-write*)\n(deny file-link)\n{allowed}"


def why_not(program: Path = PROGRAM) -> str | None:
    """Why no command can be confined by it here; None where one can: tried with a write that has to fail."""
    if not program.exists():
        return f"{program} is missing"
    with tempfile.TemporaryDirectory(prefix="intentls-probe-") as directory:
        inside, outside = Path(directory, "inside"), Path(directory, "outside")
        inside.mkdir()
        outside.mkdir()
        line = 'echo x > "$1/x"; ln "$3" "$1/link"; echo x > "$2/x"; true'
        file = outside / "file"
        file.write_text("old")
        command = [
            str(program),
            "-p",
            profile([inside]),
            "/bin/sh",
            "-c",
            line,
            "sh",
            *map(str, (inside, outside, file)),
        ]
        try:
            tried = subprocess.run(command, capture_output=True, timeout=_TRIAL_S, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        if tried.returncode != 0:
            return tried.stderr.decode("utf-8", "replace").strip().partition("\n")[0] or "sandbox-exec fails"
        is_kept = not (outside / "x").exists() and not (inside / "link").exists()
        return None if is_kept and (inside / "x").exists() else "sandbox-exec does not keep a profile here"


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
