"""Git waits for a FIFO where it expects a file: it is not asked then."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from intentls.store.git.command import TIMEOUT_S
from intentls.store.git.status import GitFiles, read_status

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="FIFOs")


@pytest.mark.parametrize(
    "name", [".gitattributes", ".gitignore", ".orchestration/.gitignore", ".git/config", ".git/info/exclude"]
)
def test_a_fifo_that_git_would_read_costs_no_time(name: str, tmp_path: Path) -> None:
    """No answer at once, instead of none after the time limit: `doctor`, `init` and hooks ask several times."""
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / ".orchestration").mkdir()
    files = GitFiles(tmp_path)
    assert files.is_ignored("a") is False
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name)
    started = time.monotonic()
    assert files.is_ignored("a") is None
    assert files.attribute("a", "merge") is None
    assert read_status(tmp_path) is None
    assert time.monotonic() - started < TIMEOUT_S
