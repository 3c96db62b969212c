"""`ssh-keygen`, which signs with any kind of SSH key: in a file, in an agent, in a security key.

It is the user's own, from an absolute directory of the PATH. It may ask for a passphrase in the terminal, as it does
when git signs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from intentls.core.errors import ConfigurationError
from intentls.late_pattern import late_pattern
from intentls.store.git_segments.signing_key import SigningKey

_BATCH = 200  # messages that one process signs: a command line has an end
_TIMEOUT_S = 120.0  # for each of them: people look for their security key
_VERSION = late_pattern(r"OpenSSH[^ ,]*_([0-9]+)\.([0-9]+)")
MIN_VERSION = (8, 2)
"""The first OpenSSH that signs files with keys of every kind."""


def sign(messages: Sequence[bytes], key: SigningKey, namespace: str) -> list[bytes]:
    """A signature of each message, as text between two marks. Raises ConfigurationError, with ssh-keygen's words."""
    program = _program("ssh-keygen")
    if program is None:
        raise ConfigurationError("ssh-keygen is not installed. It comes with OpenSSH.")
    signatures: list[bytes] = []
    with TemporaryDirectory(prefix="intentls-sign-") as directory:
        folder = Path(directory)
        file = key.file
        if file is None:
            file = folder / "key.pub"
            file.write_text(f"{key.public}\n", "utf-8")
        for start in range(0, len(messages), _BATCH):
            files = [folder / f"{start + number}" for number in range(len(messages[start : start + _BATCH]))]
            for path, message in zip(files, messages[start:], strict=False):
                path.write_bytes(message)
            _run(program, ["-Y", "sign", "-f", str(file), "-n", namespace, *map(str, files)], key)
            signatures += [_made(path, key) for path in files]
    return signatures


def ssh_version() -> tuple[str, tuple[int, int]] | None:
    """What `ssh -V` says, and its version; None where there is no OpenSSH."""
    program = _program("ssh")
    if program is None or _program("ssh-keygen") is None:
        return None
    try:
        result = subprocess.run([program, "-V"], capture_output=True, timeout=_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = os.fsdecode(result.stderr or result.stdout).strip()
    match = _VERSION.match(words)
    return None if match is None else (words.split(",")[0], (int(match[1]), int(match[2])))


def agent_keys() -> list[str] | None:
    """The public keys in the user's SSH agent, each as a line of a `.pub` file; None where there is no agent."""
    program = _program("ssh-add")
    if program is None or not os.environ.get("SSH_AUTH_SOCK"):
        return None
    try:
        result = subprocess.run([program, "-L"], capture_output=True, timeout=_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if result.returncode not in (0, 1):  # 1: it holds none
        return None
    return os.fsdecode(result.stdout).splitlines() if result.returncode == 0 else []


def public_key(key: SigningKey) -> str | None:
    """The public key, as a line of a `.pub` file: of a private one it stands beside it. None where it can't be read."""
    if key.file is None:
        return key.public
    beside = key.file if key.file.suffix == ".pub" else key.file.with_name(f"{key.file.name}.pub")
    try:
        return beside.read_text("utf-8", "replace").strip()
    except OSError:
        return None


def _run(program: str, arguments: list[str], key: SigningKey) -> None:
    try:
        result = subprocess.run(
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=_TIMEOUT_S * _BATCH,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ConfigurationError(f"ssh-keygen can't sign with {key.shown}: {error}.") from error
    if result.returncode != 0:
        words = [line for line in os.fsdecode(result.stderr).splitlines() if not line.startswith("Signing file ")]
        reason = " ".join(" ".join(words).split()) or "it says not why"
        raise ConfigurationError(f"ssh-keygen can't sign with {key.shown}: {reason}.")


def _made(path: Path, key: SigningKey) -> bytes:
    try:
        return path.with_name(f"{path.name}.sig").read_bytes()
    except OSError as error:
        raise ConfigurationError(f"ssh-keygen made no signature with {key.shown}.") from error


def _program(name: str) -> str | None:
    """Where the user's program is. What the current folder has of that name is none."""
    directories = os.environ.get("PATH", os.defpath).split(os.pathsep)
    directories = [folder for folder in directories if Path(folder).is_absolute()]
    return shutil.which(name, path=os.pathsep.join(directories)) if directories else None
