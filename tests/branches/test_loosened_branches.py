"""Generated branches that loosen or change exactly one thing: the check names it, or it is harmless."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.support.loosened_branches import LoosenedBranch, make_origin

BRANCHES = int(os.environ.get("INTENTLS_LOOSENED", "80"))
PARTS = 10

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links and mode bits are POSIX's")


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository that every branch starts from, and lives in."""
    return make_origin(tmp_path_factory.mktemp("origin") / "repo")


@pytest.mark.parametrize("part", range(PARTS))
def test_one_loosened_thing_is_named_or_harmless(origin: Path, part: int) -> None:
    """A finding has its path and one of its codes, wherever the model says that something was given up."""
    for seed in range(part, BRANCHES, PARTS):
        branch = LoosenedBranch(origin, random.Random(seed))
        kind, change = branch.make()
        named = branch.named()
        codes = {code for code, path in named if path in change.paths}
        assert not change.harmful or codes & change.codes, (seed, kind, change, named)
