"""What `intentls run` adds to a command: to its start, and to real builds with their tests.

Inside and outside run the same commands in copies of the same project, one after the other, each with a fresh
environment. The caches of pip and npm are warm: a first round fills them. Costs are the processor's time of all
processes, since the elapsed time of an installation is the network's.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks import node
from benchmarks.hook_cold import used
from benchmarks.repositories import git
from benchmarks.rows import Pair, Row, Scale, Skipped
from intentls.store.confinement.probe import why_not_staged

PROJECT = "itsdangerous==2.2.0"
"""A small project of pure Python, whose source distribution holds its tests."""
EXTENSION = Path(__file__).parent.parent / "client-vscode"
INTENTS = """\
active_intents:
  - id: INT-001
    name: Build
    status: IN_PROGRESS
    owned_scope: ["src/**", "dist/**"]
"""
INSTALL = ".venv/bin/python -m pip install -q -e . pytest freezegun && .venv/bin/python -m pytest -q"
CI = "npm ci --no-audit --no-fund --loglevel=error && npm test"
START_S = 0.1
INTENTLS = [sys.executable, "-m", "intentls", "run", "--intent", "INT-001"]


def starts(scale: Scale) -> Iterator[Pair]:
    """`intentls run -- true`, beside `true` and a tenth of a second."""
    _check(is_long=False)
    root = _repository(scale.folder / "tree", lambda folder: folder.mkdir())
    _run(root, [*INTENTLS, "--", "true"])
    for number in range(scale.of(full=30, quick=2)):
        scale.say(f"round {number}")
        ours = _run(root, [*INTENTLS, "--", "true"])
        yield Pair(ours, _run(root, ["true"]) + START_S)


def pip_builds(scale: Scale) -> Iterator[Pair]:
    """`pip install -e` of a real project, and its tests."""
    _check(is_long=scale.quick)
    source = scale.folder / "source"
    words = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(source)]
    if subprocess.run([*words, PROJECT], check=False, capture_output=True).returncode:
        raise Skipped(f"{PROJECT} can't be had")
    (archive,) = source.iterdir()

    def unpack(root: Path) -> None:
        shutil.unpack_archive(archive, scale.folder / "unpacked", filter="data")
        (unpacked,) = (scale.folder / "unpacked").iterdir()
        unpacked.rename(root)

    def clear(root: Path) -> None:
        shutil.rmtree(root / ".venv", ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", root / ".venv"], check=True)

    yield from _builds(scale, unpack, clear, INSTALL, ".venv")


def npm_builds(scale: Scale) -> Iterator[Pair]:
    """`npm ci` of our own extension, and its tests."""
    _check(is_long=scale.quick)
    if shutil.which("npm", path=node.PATH) is None:
        raise Skipped("no npm")

    def clear(root: Path) -> None:
        for name in ("node_modules", "dist"):
            shutil.rmtree(root / name, ignore_errors=True)

    def copy(root: Path) -> None:
        shutil.copytree(EXTENSION, root, ignore=shutil.ignore_patterns("node_modules", "dist"))

    yield from _builds(scale, copy, clear, CI, "node_modules")


def _check(*, is_long: bool) -> None:
    """Raises Skipped where nothing can be staged, and for a build in a quick run."""
    if is_long:
        raise Skipped("a build takes a minute")
    if (reason := why_not_staged()) is not None:
        raise Skipped(reason)


def _builds(
    scale: Scale, make: Callable[[Path], None], clear: Callable[[Path], None], line: str, ignored: str
) -> Iterator[Pair]:
    inside, outside = (_repository(scale.folder / name, make) for name in ("inside", "outside"))
    confined = [*INTENTLS, "--writable", ignored, "--", "sh", "-c", line]
    for number in range(-1, scale.of(full=5, quick=1)):
        scale.say(f"round {number}")
        clear(inside)
        ours = _run(inside, confined)
        clear(outside)
        peer = _run(outside, ["sh", "-c", line])
        if number >= 0:
            yield Pair(ours, peer)


def _repository(root: Path, make: Callable[[Path], None]) -> Path:
    make(root)
    (root / ".orchestration").mkdir()
    (root / ".orchestration" / "active_intents.yaml").write_text(INTENTS)
    (root / ".gitignore").write_text(".venv/\nnode_modules/\n__pycache__/\n.pytest_cache/\n*.egg-info/\n")
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "-c", "user.name=A", "-c", "user.email=a@example.invalid", "commit", "--quiet", "--message", "Start")
    return root


def _run(root: Path, words: Sequence[str]) -> float:
    """Seconds of the processor that the command and all its children took. Raises AssertionError where it failed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = used()
    done = subprocess.run(
        words, check=False, cwd=root, env={**environment, "PATH": node.PATH}, capture_output=True, text=True
    )
    if done.returncode:
        raise AssertionError(f"{words}: {(done.stdout + done.stderr)[-800:]}")
    return used() - before


ROWS = (
    Row(
        key="run-start",
        what="a confined command that does nothing, processor time",
        ours="intentls run -- true",
        peer="true, and 100 ms",
        target="<= 1",
        limit=1,
        run=starts,
    ),
    Row(
        key="run-pip",
        what="pip install -e of a small project and its tests, processor time",
        ours="intentls run",
        peer="the same, not confined",
        target="<= 1.15",
        limit=1.15,
        run=pip_builds,
    ),
    Row(
        key="run-npm",
        what="npm ci of a small project and its tests, processor time",
        ours="intentls run",
        peer="the same, not confined",
        target="<= 1.15",
        limit=1.15,
        run=npm_builds,
    ),
)
