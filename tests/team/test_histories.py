"""Any two branches of a team merge, rebase, cherry-pick and squash without a conflict in a file of ours."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.team.clones import Hosts, hosts
from tests.team.histories import Wrong, history, make_template

WEEKS = int(os.environ.get("INTENTLS_WEEKS", "1"))
STEPS = int(os.environ.get("INTENTLS_WEEK_STEPS", "12"))

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no forks")


@pytest.fixture(scope="module")
def started() -> Iterator[Hosts]:
    """One pair for all weeks of a worker."""
    with hosts() as pair:
        yield pair


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository that every week begins with."""
    return make_template(tmp_path_factory.mktemp("template"))


@pytest.mark.parametrize("seed", range(WEEKS))
def test_a_team_of_four_meets_no_conflict_of_ours_and_no_false_alarm(
    tmp_path: Path, template: Path, started: Hosts, seed: int
) -> None:
    """Every record once, every line its author's, in all that any two branches come to."""
    with history(tmp_path / "team", template, started, seed) as week:
        try:
            week.live(STEPS)
            week.judge_pairs()
        except (Wrong, AssertionError) as error:
            told = "\n  ".join(week.said)
            pytest.fail(f"{error}\nINTENTLS_WEEKS, seed {seed}, after\n  {told}", pytrace=not isinstance(error, Wrong))
        assert week.checks > 100
