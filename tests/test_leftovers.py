"""A run of tests fails where one of them leaves a process behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.leftovers import left_processes
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="this system does not tell")
_WAIT = "import sys; print('here', flush=True); sys.stdin.read()"


@pytest.mark.parametrize(
    "environment",
    [
        {"A_RUN": "17", "PYTEST_CURRENT_TEST": "test_one"},
        {"HOME": "/tmp/of-the-run/test_one"},
    ],
)
def test_a_process_is_told_with_its_test_until_it_ends(environment: dict[str, str]) -> None:
    """By the mark of the run, or by its folder where a test made an environment of its own."""
    marks = (b"A_RUN=17", b"/tmp/of-the-run/")
    process = subprocess.Popen(
        [sys.executable, "-I", "-c", _WAIT], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"here\n"
    (line,) = left_processes(marks)
    assert line.startswith(f"{process.pid} {sys.executable}")
    assert "test_one" in line
    process.communicate(timeout=PATIENCE_S)
    assert list(left_processes(marks)) == []
