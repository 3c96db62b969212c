"""Who wrote this line? After whatever people, agents, formatters and git did, blame says what really happened."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from tests.support.random_histories import World

SEEDS = int(os.environ.get("INTENTLS_BLAME_SEEDS", "3"))
STEPS = int(os.environ.get("INTENTLS_BLAME_STEPS", "60"))

EDITS = ("writes", "edits", "edits", "edits", "edits_unseen", "edits_twice_with_a_gap", "deletes", "renames")
REWRITES = {
    "edits": EDITS,
    "moves": (*EDITS, "moves_in_file", "moves_in_file_unseen", "moves_between_files"),
    "moves by two edits": (*EDITS, "moves_between_files_by_two_edits", "moves_between_files_unseen"),
    "renamed files": (*EDITS, "renames", "renames_unseen", "git_mv", "commits"),
    "formatters": (*EDITS, "formats", "formats", "formats_unseen", "formats_unseen_after_commit"),
    "commit, amend, stash": (*EDITS, "commits", "amends", "stashes"),
    "merge": (*EDITS, "commits", "merges"),
    "rebase": (*EDITS, "commits", "rebases"),
    "squash": (*EDITS, "commits", "squashes"),
    "cherry-pick": (*EDITS, "commits", "cherry_picks"),
    "revert": (*EDITS, "commits", "reverts"),
}
ALL = tuple(dict.fromkeys(step for steps in REWRITES.values() for step in steps))


def live(world: World, steps: tuple[str, ...], count: int, *, any_may_be_alone: bool = False) -> None:
    """Step by step; what blame says is compared with the truth after each few."""
    for number in range(count):
        world.step(steps)
        if number % 4 == 3 or number == count - 1:
            judge(world, any_may_be_alone=any_may_be_alone)


def judge(world: World, *, any_may_be_alone: bool = False) -> None:
    found = list(world.mistakes(any_may_be_alone=any_may_be_alone))
    tally = Counter((each.wanted, "lost" if each.lost else each.got) for each in found)
    shown = "\n".join(f"{m.path}:{m.line}: {m.text.strip()} is {m.wanted}, not {m.got}" for m in found[:8])
    assert not found, f"after {world.history[-6:]}:\n{shown}\n{tally}"


@pytest.mark.parametrize("in_git", [True, False], ids=["ledger in git", "ledger ignored"])
@pytest.mark.parametrize("kind", REWRITES)
def test_every_line_is_its_authors_after(tmp_path: Path, kind: str, in_git: bool) -> None:
    """One kind of rewrite at a time."""
    world = World.make(tmp_path / "repo", len(kind), ledger_in_git=in_git)
    live(world, REWRITES[kind], STEPS // 2)
    assert world.checked > 100


@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_line_is_its_authors_whatever_happened(tmp_path: Path, seed: int) -> None:
    """All kinds in one history, in any order.

    A line beside which none stands that was written with it may be lost here: what took the others away may have been
    recorded, and what brought it here not.
    """
    world = World.make(tmp_path / "repo", 1000 + seed, ledger_in_git=seed % 2 == 0)
    live(world, ALL, STEPS, any_may_be_alone=True)
    assert world.checked > 200
