"""Something else stands in the place of a file or a folder of ours: each verb says so in a sentence, and ends."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.faces.cli.conftest import Cli
from tests.support.workspaces import make_git_repo, make_workspace

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
FILE = "src/api/weather.py"
VERBS = (
    ("status",),
    ("trace", "verify"),
    ("trace", "log"),
    ("select", "INT-001", "--session", "b"),
    ("expand", "INT-001", "docs/**", "--reason", "r"),
    ("blame", FILE),
    ("attest", FILE, "--reason", "r"),
    ("check", "--base", "HEAD"),
    ("doctor",),
)
# What Python says where we say nothing ourselves.
RAW = re.compile(r"Errno|Traceback|seekable|\((N|I|T|P)[a-z]|bug in intentls")


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with everything that a first session leaves, in git."""
    return make_git_repo(make_workspace(tmp_path_factory.mktemp("used") / "root"))


def put_fifo(path: Path) -> None:
    """In the place of what is there."""
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    os.mkfifo(path)


@pytest.mark.parametrize(
    "place",
    [
        "agent_trace.jsonl",
        "trace",
        "policy.yaml",
        "active_intents.yaml",
        ".state",
        ".state/journal",
        ".state/sessions",
        ".state/locks",
    ],
)
def test_a_fifo_in_the_place_of_a_file_of_ours_is_told_in_a_sentence(
    cli: Cli, used: Path, tmp_path: Path, place: str
) -> None:
    root = tmp_path / "root"
    shutil.copytree(used, root)
    cli.cd(root)
    cli("select", "INT-001", "--session", "a")
    (root / FILE).write_text("X = 1\n")
    assert cli("attest", FILE, "--reason", "r").code == 0
    (root / FILE).write_text("X = 2\n")
    put_fifo(root / ".orchestration" / place)
    said = {verb: cli(*verb) for verb in VERBS}
    odd = {verb: (one.code, one.err) for verb, one in said.items() if one.code > 2 or RAW.search(one.out + one.err)}
    assert odd == {}


def test_a_local_ledger_that_is_no_file_is_named_by_who_writes_and_missed_by_nobody_who_reads(
    cli: Cli, git_workspace: Path
) -> None:
    cli.cd(git_workspace)
    (git_workspace / FILE).write_text("X = 1\n")
    assert cli("attest", FILE, "--reason", "r").code == 0
    ledger = git_workspace / ".orchestration/agent_trace.jsonl"
    put_fifo(ledger)
    assert "1 record, verified" in cli("status").out
    restored = cli("trace", "restore")
    assert (restored.code, restored.err) == (
        2,
        f"intentls: {ledger} can't be written (not a regular file). Make it a file that can be read and written.\n",
    )
