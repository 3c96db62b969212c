"""The real programs are only run where that is asked for: `make agents`."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.agents.programs import PROGRAMS
from tests.agents.run import AgentStage

Stage = Callable[[str], AgentStage]


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """Makes the stage of an agent. What can't be installed is skipped, but fails where it is asked for by name."""
    wanted = os.environ.get("INTENTLS_AGENTS", "")
    if not wanted:
        pytest.skip("`make agents` runs these: they install agents' programs from npm")

    def make(name: str) -> AgentStage:
        if wanted != "all" and name not in wanted.split(","):
            pytest.skip(f"only {wanted} is asked for")
        if shutil.which("npm") is None:
            pytest.skip("npm is not here")
        try:
            PROGRAMS[name].install()
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            if wanted != "all":
                raise
            pytest.skip(f"{name} can't be installed: {error}")
        return AgentStage(PROGRAMS[name], tmp_path)

    return make
