"""What an agent waits for at each of its tool calls: `intentls hook claude-code`, as a process of its own.

    python benchmarks/hook_cold.py [--runs N] [--parts]

One round starts every variant once, and in between `python -I -S -c pass`, which does nothing: the least that a process
of this Python can cost. The table has medians in milliseconds (elapsed, and processor time of user and system
together) and the median of the rounds' ratios to that least. Only the ratios mean anything; nothing is asserted.
`--parts` shows instead which modules an edit's hook loads, and how long each takes by itself. `ROWS` are what the table
of all benchmarks shows of it: an allowed edit, as installed by a platform's wheel and by the pure one, beside that
least and beside Node.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from native.build import compile_client

from benchmarks.rows import Pair, Row, Scale
from intentls.engine.actions.effects import drive
from intentls.engine.intents.checkout import select
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.faces.hook import daemon_client

SESSION = "bench"
INTENTS = """\
active_intents:
  - id: INT-001
    name: Measure
    status: IN_PROGRESS
    owned_scope: ["src/**", "tests/**/*.py", "!src/generated/**"]
"""
LEAST = [sys.executable, "-I", "-S", "-c", "pass"]
HOOK = [sys.executable, "-c", "from intentls.__main__ import run; run()", "hook", "claude-code"]
COMMAND_LINE = [sys.executable, "-c", "from intentls.faces.cli.main import run; run()", "hook", "claude-code"]
WARM_UP = 4
"""Rounds that are not counted."""
Cost = tuple[float, float]
"""Milliseconds: elapsed, and of the processor."""


class Variant:
    """One way of calling the hook: the command, the event, and what is to be done before each call."""

    def __init__(self, name: str, event: dict[str, Any], command: list[str] = HOOK) -> None:
        self.name = name
        self.event = json.dumps(event).encode()
        self.command = command
        self.before: Callable[[], object] = lambda: None


def main() -> None:
    """Measure, and print one table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--parts", action="store_true")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        outside = Path(folder).resolve()
        # What is installed is compiled; so must be what is measured, whatever is set here.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(outside / "compiled")
        root = make(outside / "work")
        if wanted.parts:
            print_parts(root)
        else:
            print_table(variants(root, outside), wanted.runs)


def make(root: Path) -> Path:
    """A committed workspace with a session that has taken its intent up."""
    (root / ".orchestration").mkdir(parents=True)
    (root / ".orchestration" / "active_intents.yaml").write_text(INTENTS)
    (root / "src").mkdir()
    (root / "src" / "a.py").write_text("NUMBER = 1\n" * 200)
    for arguments in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "Start"]):
        who = ["-c", "user.name=A", "-c", "user.email=a@example.invalid"]
        subprocess.run(["git", "-C", str(root), *who, *arguments], check=True)
    drive(select(Engine(Headless("bench", (root,))), SESSION, "INT-001", None, None))
    return root


def variants(root: Path, outside: Path) -> list[Variant]:
    """The calls that agents make most, and the same edit without what makes it fast."""
    edit = event(root, "Edit", file_path=str(root / "src" / "a.py"), old_string="NUMBER = 1", new_string="NUMBER = 2")
    parsed = Variant("edit, allowed, nothing known", edit)
    parsed.before = lambda: shutil.rmtree(root / ".orchestration" / ".state" / "known", ignore_errors=True)
    return [
        Variant("search (changes nothing)", event(root, "Grep", pattern="x")),
        Variant("edit where nothing governs", event(outside, "Edit", file_path=str(outside / "a.py"))),
        Variant("read", event(root, "Read", file_path=str(root / "src" / "a.py"))),
        Variant("edit, allowed", edit),
        parsed,
        Variant("edit, by way of the command line", edit, COMMAND_LINE),
        Variant("edit, refused", event(root, "Edit", file_path=str(root / "docs.md"))),
        Variant("shell command", event(root, "Bash", command="ls")),
    ]


def event(where: Path, tool: str, **given: str) -> dict[str, Any]:
    """What the agent announces."""
    call = {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": given, "tool_use_id": "t1"}
    return {"session_id": SESSION, "cwd": str(where), "permission_mode": "default", **call}


def print_table(measured: list[Variant], runs: int) -> None:
    """Interleaved rounds; a round's ratios are to the least of the same round."""
    least: list[Cost] = []
    costs: dict[str, list[Cost]] = {variant.name: [] for variant in measured}
    for number in range(-2, runs):  # the first rounds only warm up
        base = started(LEAST, b"")
        for variant in measured:
            variant.before()
            found = started(variant.command, variant.event)
            if number >= 0:
                costs[variant.name].append(found)
        least += [base] if number >= 0 else []
    print(f"{'':34}{'elapsed ms':>12}{'cpu ms':>9}{'elapsed x':>11}{'cpu x':>8}")
    for name, found in {"python -I -S -c pass": least, **costs}.items():
        middle = [statistics.median(cost[each] for cost in found) for each in (0, 1)]
        ratios = [
            statistics.median(cost[each] / base[each] for cost, base in zip(found, least, strict=True))
            for each in (0, 1)
        ]
        print(f"{name:34}{middle[0]:12.1f}{middle[1]:9.1f}{ratios[0]:11.1f}{ratios[1]:8.1f}")


def started(command: list[str], data: bytes) -> Cost:
    """Run a process to its end."""
    before, start = used(), time.perf_counter()
    subprocess.run(command, input=data, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - start) * 1000, (used() - before) * 1000


def used() -> float:
    """Seconds of the processor that all ended children took."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def print_parts(root: Path) -> None:
    """The dearest modules of an allowed edit, by their own time."""
    allowed = next(variant for variant in variants(root, root.parent) if variant.name == "edit, allowed")
    started(allowed.command, allowed.event)
    command = [allowed.command[0], "-X", "importtime", *allowed.command[1:]]
    done = subprocess.run(command, input=allowed.event, capture_output=True, check=True)
    rows = re.findall(r"import time: +(\d+) \| +\d+ \| +(\S+)", done.stderr.decode())
    print(f"{len(rows)} modules, {sum(int(own) for own, _ in rows) / 1000:.0f} ms")
    for own, name in sorted(rows, key=lambda row: -int(row[0]))[:40]:
        print(f"{int(own) / 1000:8.1f} ms  {name}")


Way = Callable[[Path], AbstractContextManager[tuple[list[str], dict[str, str]]]]
"""Given a folder for the socket: the command that is the hook, and its environment."""


@contextmanager
def asks(runtime: Path) -> Iterator[tuple[list[str], dict[str, str]]]:
    """The Python program, which finds a running daemon."""
    runtime.mkdir(mode=0o700)
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(runtime)}
    command = [*HOOK[:-2], "daemon"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        process.stdout.readline()  # it says where it listens
        yield HOOK, environment
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


@contextmanager
def alone(runtime: Path) -> Iterator[tuple[list[str], dict[str, str]]]:
    """The Python program, where no daemon is and none is started."""
    yield HOOK, {**os.environ, "XDG_RUNTIME_DIR": str(runtime), "INTENTLS_HOOK_DAEMON": "off"}


@contextmanager
def installed(runtime: Path) -> Iterator[tuple[list[str], dict[str, str]]]:
    """What a platform's wheel installs and `init` writes, with nothing running: the first call starts the daemon."""
    (runtime / "bin").mkdir(parents=True, mode=0o700)
    program, script = runtime / "bin" / "intentls", runtime / "bin" / "intentls-python"
    compile_client(program)
    script.write_text(f"#!{sys.executable}\nfrom intentls.__main__ import run\nrun()\n")
    script.chmod(0o755)
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(runtime)}
    environment.pop("INTENTLS_HOOK_DAEMON", None)
    try:
        yield [str(program), "hook", "claude-code", "--wait", "120"], environment
    finally:
        for path in runtime.glob("intentls/hook-*.sock"):
            with socket.socket(socket.AF_UNIX) as peer:
                peer.connect(str(path))
                if (pid := daemon_client.asking_process(peer)) is not None:
                    os.kill(pid, signal.SIGTERM)


def waited(command: list[str], data: bytes, environment: dict[str, str]) -> float:
    """Seconds until a process has answered and ended, which is what an agent waits. It says yes by saying nothing."""
    start = time.perf_counter()
    done = subprocess.run(command, input=data, stdout=subprocess.PIPE, env=environment, check=True)
    took = time.perf_counter() - start
    if done.stdout:
        raise AssertionError("the edit is in scope")
    return took


def beside(peer: Callable[[Scale, Path], list[str]], way: Way) -> Callable[[Scale], Iterator[Pair]]:
    """Rounds of an allowed edit's hook, called in that way, and of `peer`."""

    def run(scale: Scale) -> Iterator[Pair]:
        other = peer(scale, scale.folder / "work")
        root = make(scale.folder / "work")
        data = json.dumps(
            event(root, "Edit", file_path=str(root / "src" / "a.py"), old_string="NUMBER = 1", new_string="NUMBER = 2")
        ).encode()
        # A socket's path must be short.
        with tempfile.TemporaryDirectory() as short, way(Path(short) / "d") as (command, environment):
            for number in range(-WARM_UP, scale.of(full=30, quick=3)):
                scale.say(f"round {number}")
                ours = waited(command, data, environment)
                pair = Pair(ours, waited(other, data, environment))
                if number >= 0:
                    yield pair
                elif number == -WARM_UP:
                    time.sleep(1)  # a daemon starts meanwhile, as it does while an agent's model thinks

    return run


def least(_scale: Scale, _root: Path) -> list[str]:
    """Nothing."""
    return LEAST


def in_node(scale: Scale, root: Path) -> list[str]:
    """The same question to a script in Node that reads the files each time."""
    return scale.node("hook.js", str(root))


def row(key: str, ours: str, peer: str, limit: float, run: Callable[[Scale], Iterator[Pair]]) -> Row:
    """All are an allowed edit."""
    return Row(key, "`intentls hook claude-code`, cold", ours, peer, f"<= {limit:g}", limit, run)


ROWS = (
    row("hook-installed", "as installed", "`python -I -S -c pass`", 3, beside(least, installed)),
    row("hook-installed-node", "as installed", "one-shot in Node", 0.3, beside(in_node, installed)),
    row("hook", "pure wheel, asks a daemon", "`python -I -S -c pass`", 3, beside(least, asks)),
    row("hook-node", "pure wheel, asks a daemon", "one-shot in Node", 0.3, beside(in_node, asks)),
    row("hook-alone", "without a daemon", "`python -I -S -c pass`", 3, beside(least, alone)),
    row("hook-alone-node", "without a daemon", "one-shot in Node", 0.3, beside(in_node, alone)),
)


if __name__ == "__main__":
    main()
