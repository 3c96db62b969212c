"""What finding the changes of a shell command costs, beside `git status` on the same files in the same minute.

    python benchmarks/shell_reconcile.py [FILES ...] [--runs N]

One round is: `git status` (twice, as a measure), remember, a command that changes one file, reconcile. Rounds of quiet
commands, which change nothing, come in between. The table has medians and 95th percentiles in milliseconds; "both" is
remember and reconcile together, and its ratio is to two runs of `git status`. Nothing is asserted: figures depend on
the machine.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from intentls.engine import shell
from intentls.engine.checkout import select
from intentls.engine.effects import drive
from intentls.engine.engine import Engine
from intentls.engine.host import Headless
from intentls.engine.shell import Ran
from intentls.engine.workspace import Workspace

SESSION = "bench"
INTENTS = """\
active_intents:
  - id: INT-001
    name: Measure
    status: IN_PROGRESS
    owned_scope: ["src/**"]
"""
PER_FOLDER = 100
COLUMNS = ("git status", "remember", "reconcile", "both", "both, quiet")


def main() -> None:
    """Measure each number of files, and print one table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=int, default=[1_000, 10_000, 100_000])
    parser.add_argument("--runs", type=int, default=30)
    wanted = parser.parse_args()
    names = "".join(f"{name + ' p50/p95':>24}" for name in COLUMNS)
    say(f"{'files':>8}  {names}{'ratio':>8}{'quiet':>8}")
    for count in wanted.files:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            print_row(count, measured(make(Path(folder).resolve(), count), wanted.runs))


def print_row(count: int, times: dict[str, list[float]]) -> None:
    """One line of the table."""
    cells = "".join(f"{statistics.median(times[name]):15.1f} /{p95(times[name]):7.1f}" for name in COLUMNS)
    twice = 2 * statistics.median(times["git status"])
    ratios = "".join(f"{statistics.median(times[name]) / twice:8.2f}" for name in COLUMNS[-2:])
    say(f"{count:>8}  {cells}{ratios}")


def say(line: str) -> None:
    """Print it at once: the next line may take minutes."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def make(root: Path, count: int) -> Path:
    """A committed repository of `count` small files, with one of them changed and one new."""
    for number in range(count):
        path = root / "src" / f"d{number // PER_FOLDER:04}" / f"f{number % PER_FOLDER:02}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"NUMBER = {number}\n")
    (root / ".orchestration").mkdir()
    (root / ".orchestration" / "active_intents.yaml").write_text(INTENTS)
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "-c", "user.name=A", "-c", "user.email=a@example.invalid", "commit", "--quiet", "--message", "Start")
    (root / "src" / "d0000" / "f00.py").write_text("DIRTY = 1\n")
    (root / "src" / "new.py").write_text("NEW = 1\n")
    git(root, "status")
    time.sleep(2.1)  # nothing is so young any more that its time stamp could hide a change
    git(root, "update-index", "--refresh", "-q", check=False)
    return root


def measured(root: Path, runs: int) -> dict[str, list[float]]:
    """Milliseconds of every column."""
    engine = Engine(Headless("bench", (root,)))
    drive(select(engine, SESSION, "INT-001", None, None))
    workspace = engine.workspace(root)
    times: dict[str, list[float]] = {name: [] for name in COLUMNS}
    for number in range(-2, runs):  # the first rounds only warm up
        row = round_of(workspace, number, quiet=False)
        row["both, quiet"] = round_of(workspace, number, quiet=True)["both"]
        if number >= 0:
            for name, value in row.items():
                times[name].append(value)
    return times


def round_of(workspace: Workspace, number: int, *, quiet: bool) -> dict[str, float]:
    """One command, looked at before and after."""
    root, key = workspace.root, f"t{number}-{quiet}"
    first = timed(lambda: git(root, "status", "--porcelain"))
    remembered = timed(lambda: shell.remember(workspace, SESSION, key))
    if not quiet:
        (root / "src" / "d0000" / "f01.py").write_text(f"CHANGED = {number}\n")
    second = timed(lambda: git(root, "status", "--porcelain"))
    reconciled = timed(lambda: shell.reconcile(workspace, Ran(SESSION, "execute_command", key)))
    return {
        "git status": (first + second) / 2,
        "remember": remembered,
        "reconcile": reconciled,
        "both": remembered + reconciled,
    }


def timed(action: Callable[[], object]) -> float:
    """Milliseconds."""
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


def git(root: Path, *arguments: str, check: bool = True) -> None:
    """Run git, its output thrown away."""
    subprocess.run(["git", "-C", str(root), *arguments], check=check, stdout=subprocess.DEVNULL)


def p95(values: list[float]) -> float:
    """The 95th percentile; the largest of fewer than twenty."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]


if __name__ == "__main__":
    main()
