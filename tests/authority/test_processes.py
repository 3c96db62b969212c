"""The processes that the random programs are run by."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.authority.processes import SHELL, Host

_MANY = 1_100  # more than `select` can look at

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no kills and no forks")


@pytest.fixture
def many_open_files() -> Iterator[None]:
    """As in a process that has run thousands of tests."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2 * _MANY:
        pytest.skip("this system lets no process open that many files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * _MANY), hard))
    opened = [os.open(os.devnull, os.O_RDONLY) for _ in range(_MANY)]
    yield
    for descriptor in opened:
        os.close(descriptor)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_the_forking_processes_live_in_a_process_with_many_open_files(tmp_path: Path, many_open_files: None) -> None:
    with Host.start() as person, person.agent() as agent:
        for host in (person, agent):
            done = host.run([SHELL, "echo out; echo err >&2; exit 3"], tmp_path, kill_after_s=20)
            assert (done.code, done.out, done.err) == (3, "out\n", "err\n")
