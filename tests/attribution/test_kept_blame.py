"""Blame in a process that blamed before says what blame in a new process says, after any history."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from intentls.engine.blame.blame import OwnedRange, blame_content
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from tests.support.random_histories import World

SEEDS = int(os.environ.get("INTENTLS_KEPT_BLAME_SEEDS", "2"))
STEPS = ("writes", "edits", "edits", "edits_unseen", "edits_twice_with_a_gap", "deletes", "renames", "renames_unseen")
MOVES = ("moves_in_file", "moves_between_files", "moves_between_files_by_two_edits", "moves_between_files_unseen")
GIT = ("formats", "formats_unseen", "commits", "reverts", "merges", "git_mv")


def opened(root: Path) -> Workspace:
    """As a process that was just started opens it."""
    return Engine(Headless("lsp", (root,), own_session="reader")).workspace(root)


def blamed(workspace: Workspace, path: str) -> list[OwnedRange]:
    return blame_content(workspace, path, (workspace.root / path).read_bytes())


@pytest.mark.parametrize("seed", range(SEEDS))
def test_after_any_history_kept_blame_is_the_blame_of_a_new_process(tmp_path: Path, seed: int) -> None:
    """After each step, of every file: what is kept of earlier blames changes no line's owner."""
    world = World.make(tmp_path / "repo", 5000 + seed, ledger_in_git=seed % 2 == 0)
    reader, compared = opened(world.root), 0
    for _ in range(16):
        world.step(STEPS + MOVES + GIT)
        fresh = opened(world.root)
        for path in world.paths():
            assert blamed(reader, path) == blamed(fresh, path), f"{path} after {world.history[-6:]}"
            compared += 1
    assert compared > 16
