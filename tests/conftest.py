"""What every test may rely on: nothing of this machine leaks in, and a workspace is one fixture away."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.support import jitter, leftovers
from tests.support.branch_fixtures import branch, intentls_on_path, origin, signed, signed_origin
from tests.support.database import database
from tests.support.figures import figure, pytest_terminal_summary
from tests.support.forked_servers import end_shared_nursery
from tests.support.scheduling import OneServerAtATime
from tests.support.stores import each_store, keeper_process
from tests.support.workspaces import GIT_ENV, make_git_repo, make_workspace

__all__ = [
    "branch",
    "database",
    "each_store",
    "figure",
    "intentls_on_path",
    "keeper_process",
    "origin",
    "pytest_terminal_summary",
    "signed",
    "signed_origin",
]  # for pytest to find

_MANY_FILES = 150
_CORE = Path(__file__).parent / "core"

# No deadline: a busy machine is no bug. In CI the examples are fixed: a red build is red when run again.
settings.register_profile("intentls", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("intentls")

# A shell starts what runs in the background deaf to Ctrl-C, and so would be every server that a test starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """With INTENTLS_JITTER, other schedules; and no process is left behind."""
    jitter.install(config)
    config.pluginmanager.register(leftovers)


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The core is covered by tests of its own; tracing makes all others slower, up to four times, and finds no more.

    `make test` has a run for those that are traced, and one for the others: what an untraced test leaves in a cache
    would hide a line from the traced ones after it.
    """
    for item in items:
        if not item.path.is_relative_to(_CORE):
            item.add_marker(pytest.mark.no_cover)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> OneServerAtATime:
    """How the tests are dealt out with `-n`."""
    return OneServerAtATime(config, log)


@pytest.fixture(autouse=True, scope="session")
def _hermetic_git() -> Iterator[None]:
    """Git, ours and the one the program starts, sees no configuration but the repository's own."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            patch.delenv(name)
        patch.delenv("CLAUDE_CODE_SESSION_ID", raising=False)  # an agent around the tests is none of theirs
        patch.delenv("INTENTLS_COORDINATION", raising=False)
        patch.setenv("INTENTLS_HOOK_DAEMON", "off")  # each test of a daemon starts its own
        for name, value in GIT_ENV.items():
            patch.setenv(name, value)
        yield


@pytest.fixture(autouse=True, scope="session")
def _few_files_stay_open() -> Iterator[None]:
    """What a test opens is closed after it: thousands of tests share a process, which may have 1,024 files open."""
    yield
    opened = Path("/proc/self/fd")
    if opened.is_dir():
        gc.collect()
        names = [os.readlink(file) for file in opened.iterdir() if file.is_symlink()]
        assert len(names) < _MANY_FILES, "\n".join(sorted(names))


@pytest.fixture(autouse=True, scope="session")
def _no_nursery_stays(_few_files_stay_open: None) -> Iterator[None]:
    """What forked the servers of this worker ends with it, before its open files are counted."""
    yield
    end_shared_nursery()


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A governed folder with the contract's weather intents and a few files; no git."""
    return make_workspace(tmp_path / "workspace")


@pytest.fixture
def git_workspace(workspace: Path) -> Path:
    """The same folder, all of it committed to git."""
    return make_git_repo(workspace)
