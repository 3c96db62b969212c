"""`intentls demo`: a whole session on a clone of a repository, each of whose claims is checked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.patience import PATIENCE_S


def demo(repository: Path, temporary: Path) -> subprocess.CompletedProcess[str]:
    """The demo on a repository; it clones into `temporary`."""
    command = [sys.executable, "-m", "intentls", "demo", "--repo", str(repository)]
    environment = {**os.environ, "TMPDIR": str(temporary)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE_S)


def test_every_claim_of_the_demo_holds(tmp_path: Path) -> None:
    """On a small repository the nine steps pass, and the repository itself is only read."""
    repository = tmp_path / "repository"
    (repository / "src").mkdir(parents=True)
    (repository / "src" / "app.py").write_text("print('hello')\n")
    for arguments in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "1"],
    ):
        subprocess.run(["git", *arguments], cwd=repository, check=True)
    process = demo(repository, tmp_path)
    assert "All 13 claims held." in process.stdout, process.stdout + process.stderr
    assert process.returncode == 0
    assert sorted(path.name for path in repository.iterdir()) == [".git", "src"]


def test_a_directory_that_is_no_repository_is_refused_in_one_sentence(tmp_path: Path) -> None:
    """The sentence says how to name a repository."""
    process = demo(tmp_path, tmp_path)
    assert process.returncode != 0
    assert f"{tmp_path} is no git repository; name one with --repo PATH" in " ".join(process.stderr.split())
