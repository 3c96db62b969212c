"""What finding the changes of a shell command costs, beside `git status` on the same files in the same minute.

A round is: `git status`, remember, a command that changes one file, `git status` again, reconcile. One file was dirty
before and one is new, as in real work.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.repositories import git, name, repository, settle
from benchmarks.rows import Pair, Row, Scale
from benchmarks.timing import elapsed, percentile
from intentls.engine.actions.effects import drive
from intentls.engine.intents.checkout import select
from intentls.engine.tools import shell_changes, shell_comparison
from intentls.engine.tools.shell_call import ShellCall
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace

SESSION = "bench"
BLOCK = 10
"""Rounds of which one percentile is taken."""
WARM_UP = 2
ROUNDS = 5 * BLOCK
MANY = 100_000


@dataclass(frozen=True)
class Round:
    """Seconds: of two runs of `git status` together, of the look before the command, of the one after it."""

    status: float
    remember: float
    reconcile: float


_known: dict[int, list[Round]] = {}
"""By the number of files: making 100,000 of them takes longer than all rounds, and three rows look at them."""


def rounds(scale: Scale, files: int) -> list[Round]:
    """The rounds with that many files, measured once a run."""
    if files not in _known:
        scale.say(f"{files} files: making them")
        root = repository(scale.folder / str(files), files)
        (root / name(0)).write_text("DIRTY = 1\n")
        (root / "src" / "new.py").write_text("NEW = 1\n")
        settle(root, not scale.quick)
        engine = Engine(Headless("bench", (root,)))
        drive(select(engine, SESSION, "INT-001", None, None))
        workspace = engine.workspace(root)
        measured = []
        for number in range(-WARM_UP, scale.of(full=ROUNDS, quick=2)):
            scale.say(f"{files} files: round {number}")
            measured.append(one(workspace, number))
        _known[files] = measured[WARM_UP:]
        shutil.rmtree(root)
    return _known[files]


def one(workspace: Workspace, number: int) -> Round:
    """A command, looked at before and after."""
    root, key = workspace.root, f"t{number}"
    first = elapsed(lambda: git(root, "status", "--porcelain"))
    call = ShellCall(SESSION, "execute_command", key)
    remember = elapsed(lambda: shell_changes.remember(workspace, call))
    (root / name(1)).write_text(f"CHANGED = {number}\n")
    second = elapsed(lambda: git(root, "status", "--porcelain"))
    reconcile = elapsed(lambda: shell_comparison.reconcile(workspace, call))
    return Round(first + second, remember, reconcile)


def beside_git(scale: Scale) -> Iterator[Pair]:
    """Both looks together, against `git status` twice."""
    for files in scale.of(full=(1_000, 10_000, MANY), quick=(100, 1_000)):
        for each in rounds(scale, files):
            yield Pair(each.remember + each.reconcile, each.status, files)


def longest(files: int, goal_s: float) -> Callable[[Scale], Iterator[Pair]]:
    """The 95th percentile of the longer look, against a number of seconds."""

    def run(scale: Scale) -> Iterator[Pair]:
        measured = rounds(scale, scale.of(full=files, quick=100))
        for start in range(0, len(measured), BLOCK):
            block = measured[start : start + BLOCK]
            yield Pair(percentile([max(each.remember, each.reconcile) for each in block], 0.95), goal_s)

    return run


ROWS = (
    Row(
        key="reconcile",
        what="shell command, 100,000 files: looking before and after",
        ours="remember and reconcile",
        peer="git status, twice",
        target="<= 1.5",
        limit=1.5,
        run=beside_git,
        sizes="files",
        at=MANY,
    ),
    Row(
        key="reconcile-10k",
        what="shell command, 10,000 files: the longer look, P95",
        ours="one look",
        peer="the goal",
        target="<= 75 ms",
        limit=1,
        run=longest(10_000, 0.075),
    ),
    Row(
        key="reconcile-100k",
        what="shell command, 100,000 files: the longer look, P95",
        ours="one look",
        peer="the goal",
        target="<= 750 ms",
        limit=1,
        run=longest(MANY, 0.75),
    ),
)
