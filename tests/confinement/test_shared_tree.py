"""A tree whose files belong to a group of several people, by an ordinary user of that group."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.confinement.conftest import Tree
from tests.confinement.machine import NOBODY, as_nobody, can_confine, open_to_nobody

TEAM = 54_321


@pytest.fixture
def shared(tree: Tree) -> Tree:
    """The tree, written by the team's group."""
    if not (can_confine("staged", "nobody") and can_confine("strict", "nobody")):
        pytest.skip("this machine can't confine a command of an ordinary user")
    open_to_nobody(tree.root.parent)
    for place, folders, names in os.walk(tree.root):
        for name in (".", *folders, *names):
            os.chown(os.path.join(place, name), NOBODY, TEAM)
    return tree


def _changed_by(tree: Tree, group: int, *others: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        as_nobody(tree.command("--intent", "INT-001", "--", "sh", "-c", "echo more >> src/a.py"), group, others),
        cwd=tree.root,
        env=tree.environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_member_of_the_group_is_told_how_to_stage_and_runs_strictly(shared: Tree) -> None:
    """In a staged run the kernel would refuse to change these files, with a message that says nothing."""
    done = _changed_by(shared, NOBODY, TEAM)
    assert done.returncode == 0, done.stderr
    assert f"belongs to the group {TEAM}" in done.stderr
    assert f"begin with `sg {TEAM}`" in done.stderr
    assert "It runs strictly instead." in done.stderr
    assert shared.read("src/a.py") == "a = 1\nmore\n"


def test_who_has_the_group_as_the_first_runs_staged(shared: Tree) -> None:
    done = _changed_by(shared, TEAM)
    assert "Staged under INT-001" in done.stderr
    assert shared.read("src/a.py") == "a = 1\nmore\n"
