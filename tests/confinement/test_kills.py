"""A run is killed, or the disk refuses, at each of its steps: the tree and the ledger agree, and no work is lost.

`make soak` takes every call that changes the disk; `make test` some of them.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.confinement.conftest import FILES, Tree
from tests.faults.sampling import LONG
from tests.support.forked_servers import Nursery, arm, calls
from tests.support.invariants import strays, untraced
from tests.support.launcher import Orders
from tests.support.workspaces import git

WORK = (
    "echo 'a = 2' > src/a.py; rm src/b.py; echo n > src/new.py; git add src; git commit -qm In; echo x >> docs/d.md; "
    "mkfifo src/pipe; touch ~/.npm/done"
)
RUN = ["run", "--intent", "INT-001", "--", "sh", "-c", WORK]
REVIEW = ["run", "--review", "--json"]
OLD: dict[str, str | None] = {"src/a.py": "a = 1\n", "src/b.py": "b = 1\n", "src/new.py": None}
NEW: dict[str, str | None] = {"src/a.py": "a = 2\n", "src/b.py": None, "src/new.py": "n\n"}
SHORT = 2
"""As many steps of each as `make test` takes."""


@pytest.fixture
def trees(tree: Tree) -> Callable[[], Tree]:
    """Makes a fresh tree at the same place, each time that it is called."""
    first = tree.root.parent / "first"
    shutil.copytree(tree.root, first, symlinks=True)

    def fresh() -> Tree:
        for folder in (tree.root, tree.home):
            shutil.rmtree(folder)
        shutil.copytree(first, tree.root, symlinks=True)
        (tree.home / ".npm").mkdir(parents=True)
        return tree

    return fresh


def orders_of(tree: Tree) -> Orders:
    for name in ("arm", "calls"):
        (tree.home / name).unlink(missing_ok=True)
    environment = {"HOME": str(tree.home), "XDG_STATE_HOME": str(tree.home / "state")}
    return Orders(arm=str(tree.home / "arm"), log=str(tree.home / "calls"), environment=environment)


def some_of(made: list[str]) -> list[int]:
    """All these calls (from 1), or some that lie evenly between the first and the last."""
    if LONG:
        return list(range(1, len(made) + 1))
    return [len(made) * number // (SHORT + 1) for number in range(1, SHORT + 1)]


def is_done(tree: Tree) -> bool:
    """Whether the command came to its end."""
    return (tree.home / ".npm" / "done").exists()


def held_in(tree: Tree, nursery: Nursery) -> dict[str, dict[str, Any]]:
    """What is held, by path; what killed runs left is settled first."""
    told = nursery.run(tree.root, orders_of(tree), REVIEW)
    assert told.returncode in (0, 1), told.stderr
    assert "not all could be settled" not in told.stderr
    return {change["path"]: change for run in json.loads(told.stdout)["runs"] for change in run["changes"]}


def check_settled(tree: Tree, nursery: Nursery) -> None:
    """Tree and ledger agree, nothing is there twice, nothing is lost, nothing lies about."""
    held = held_in(tree, nursery)
    now = {path: tree.read(path) for path in OLD}
    if is_done(tree):
        assert now == NEW
        assert set(held) == {"docs/d.md", "src/pipe"}
        (content,) = (tree.root / ".orchestration/.state/held").glob("*/*.after")
        assert content.read_text() == "d\nx\n"
        assert git(tree.root, "log", "-1", "--format=%s") == "In"
        assert git(tree.root, "status", "--porcelain", "src") == ""
    for path, content in now.items():
        assert content in (OLD[path], NEW[path]), path
    assert tree.read("docs/d.md") == "d\n"
    first = {path: text.encode() for path, text in FILES.items()}
    assert untraced(tree.root, first) == []
    landed = Counter(
        (file["path"], file["post_hash"]) for record in tree.records if record["success"] for file in record["files"]
    )
    assert all(count == 1 for count in landed.values()), landed
    assert tree.runs_left == []
    assert strays(tree.root) == []
    verified = nursery.run(tree.root, orders_of(tree), ["trace", "verify"])
    assert verified.returncode == 0, verified.stdout


def rehearsed(tree: Tree, nursery: Nursery, arguments: list[str]) -> list[str]:
    """The calls of a run, or of a review, that nothing disturbs."""
    orders = orders_of(tree)
    arm(orders, "note")
    told = nursery.run(tree.root, orders, arguments)
    assert told.returncode in (0, 1), told.stderr
    return calls(orders)


def leave_behind(tree: Tree) -> None:
    """A run that is killed when its command has done its work, and nothing landed."""
    tree.kill_after(WORK)
    assert is_done(tree)
    assert {path: tree.read(path) for path in OLD} == OLD


def test_a_run_that_is_killed_at_any_step_is_settled_by_the_next_review(
    trees: Callable[[], Tree], nursery: Nursery, figure: Callable[[str], None]
) -> None:
    tree = trees()
    made = rehearsed(tree, nursery, RUN)
    check_settled(tree, nursery)
    tried = some_of(made)
    for at in tried:
        tree, orders = trees(), orders_of(tree)
        arm(orders, "kill", at)
        told = nursery.run(tree.root, orders, RUN)
        assert told.returncode in (-signal.SIGKILL, 0), (at, told.stderr)
        check_settled(tree, nursery)
    figure(f"kill points of a run: {len(tried)} tried of {len(made)}, all whole")


def test_a_review_that_is_killed_at_any_step_of_settling_a_killed_run_leaves_it_to_the_next(
    trees: Callable[[], Tree], nursery: Nursery, figure: Callable[[str], None]
) -> None:
    tree = trees()
    leave_behind(tree)
    made = rehearsed(tree, nursery, REVIEW)
    check_settled(tree, nursery)
    tried = some_of(made)
    for at in tried:
        tree = trees()
        leave_behind(tree)
        orders = orders_of(tree)
        arm(orders, "kill", at)
        told = nursery.run(tree.root, orders, REVIEW)
        assert told.returncode in (-signal.SIGKILL, 0, 1), (at, told.stderr)
        check_settled(tree, nursery)
    figure(f"kill points of settling a killed run: {len(tried)} tried of {len(made)}, all whole")


@pytest.mark.parametrize("times", [1, 100_000] if LONG else [100_000])
def test_a_full_disk_at_any_step_of_a_run_is_one_sentence_and_all_is_kept(
    trees: Callable[[], Tree], nursery: Nursery, times: int, figure: Callable[[str], None]
) -> None:
    """It fails once, or from there on until there is room again."""
    tree = trees()
    made = rehearsed(tree, nursery, RUN)
    tried = some_of(made)
    for at in tried:
        tree, orders = trees(), orders_of(tree)
        arm(orders, "fail", at, errno=errno.ENOSPC, times=times)
        told = nursery.run(tree.root, orders, RUN)
        if any("\t/proc/" in call for call in calls(orders)[at - 1 : at]):
            continue  # that is no disk: without its map of users a run is strict
        assert told.returncode in (0, 2), (at, made[at - 1], told.stderr)
        if told.returncode == 2:
            reasons = (os.strerror(errno.ENOSPC), "the disk is full")
            assert len([line for line in told.stderr.splitlines() if any(reason in line for reason in reasons)]) == 1
        check_settled(tree, nursery)
    figure(f"failing calls of a run ({times} times): {len(tried)} tried of {len(made)}, all whole")


def test_a_landing_that_a_disk_refuses_halfway_is_no_change_of_a_person(
    trees: Callable[[], Tree], nursery: Nursery
) -> None:
    """What had been put in place is put back, and is newer then than the start of the run."""
    tree = trees()
    leave_behind(tree)
    orders = orders_of(tree)
    arm(orders, "fail", errno=errno.ENOSPC, about=" new.py")
    assert "not all could be settled" in nursery.run(tree.root, orders, REVIEW).stderr
    assert {path: tree.read(path) for path in OLD} == OLD
    check_settled(tree, nursery)
