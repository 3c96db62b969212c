"""Whatever two agents, a person, a colleague, git and broken machines do: only a person grants, and no record is wrong.

The whole program is printed when something is broken, made as small as it gets; `AUTHORITY_SEED` runs it again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.authority.programs import Program, Stage

PROGRAMS = int(os.environ.get("AUTHORITY_PROGRAMS", "4"))
PARTS = 4
SEED = os.environ.get("AUTHORITY_SEED")

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no kills and no forks")


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One for all programs of a worker."""
    with Stage.open(tmp_path_factory.mktemp("authority")) as opened:
        yield opened


@pytest.mark.parametrize("part", range(PARTS))
def test_only_a_person_grants_and_no_record_is_wrong_or_lost(stage: Stage, part: int) -> None:
    """Every invariant after each step, and at the end of each program."""
    for seed in [int(SEED)] if SEED is not None else range(part, PROGRAMS, PARTS):
        program = Program.of(seed)
        failure = stage.run(program)
        if failure is not None:
            program, failure = stage.shrink(program, failure)
            pytest.fail(f"{failure.text}\n\n{program}", pytrace=False)
