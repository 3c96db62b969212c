"""Generated histories in real repositories: every planted violation is found, every clean branch passes."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.support.random_branches import CLEAN, LATE, LEDGER, TRACE, VIOLATIONS, Branch

LONG = os.environ.get("INTENTLS_LONG") == "1"
BRANCHES = int(os.environ.get("INTENTLS_BRANCHES", "200" if LONG else "12"))
# Of every other branch, so that even a few branches have every kind; these don't hide each other.
_TOGETHER = (0, 7, 14, 21, 28)
_POSIX = pytest.mark.skipif(os.name == "nt", reason="links and mode bits are POSIX's")

pytestmark = _POSIX


def work(branch: Branch, rng: random.Random, most: int) -> None:
    """Some work on record, committed now and then."""
    for _ in range(rng.randint(1, most)):
        rng.choice(CLEAN)(branch)
        if rng.random() < 0.4:
            branch.commit()


def shape(branch: Branch, rng: random.Random) -> None:
    """What happens to a branch before it is judged."""
    how = rng.choice(("linear", "merge", "merge", "rebase", "rebase", "squash"))
    if how in ("merge", "rebase"):
        branch.main_goes_on()
        branch.joins(how)
    if how == "squash":
        branch.squashes()


def place(path: str) -> str:
    """A finding's path; all files of the ledger are one, for a record may stand in several."""
    return LEDGER if path.startswith(f"{TRACE}/") else path


@pytest.mark.parametrize("seed", range(BRANCHES))
def test_a_branch_is_judged_by_what_happened_on_it(origin: Path, tmp_path: Path, seed: int) -> None:
    """Clean ones have no finding; of the others exactly what was planted is found."""
    rng = random.Random(seed)
    branch = Branch.of(origin, tmp_path / "repo", seed)
    violations = [VIOLATIONS[(seed // 2 + each) % len(VIOLATIONS)] for each in _TOGETHER] if seed % 2 else []
    work(branch, rng, 3)
    for violation in violations:
        if violation not in LATE:
            violation(branch)
            branch.commit()
    work(branch, rng, 2)
    shape(branch, rng)
    for violation in LATE:
        if violation in violations:
            violation(branch)
    branch.commit()
    found = {(finding.code.value, place(finding.path)) for finding in branch.judge().findings}
    assert found == set(branch.planted), branch.judge().findings
