"""The short way of `intentls trace log --json` gives the answer of the long one, or leaves it to that."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from intentls.faces.cli import main, newest_records
from tests.faces.cli.conftest import Cli
from tests.support.agent_edits import Agent
from tests.support.workspaces import make_git_repo


@pytest.fixture
def worked(here: Path) -> Path:
    """Two agents wrote files; one was refused."""
    first, second = Agent(here, "agent-1").select("INT-001"), Agent(here, "agent-2").select("INT-002")
    first.write("src/api/rain.py", "def rain():\n    return 0.0  # 雨\n")
    second.write("docs/rain.md", "# Rain\n")
    first.write("docs/secret.md", "no\n")
    return here


def short(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str | None:
    """What the short way prints; None where it leaves the answer to the long one."""
    monkeypatch.setattr(sys, "argv", ["intentls", "trace", "log", *arguments])
    capsys.readouterr()
    try:
        newest_records.run()
    except SystemExit as end:
        assert end.code == 0
        return capsys.readouterr().out
    assert capsys.readouterr() == ("", "")
    return None


PLAIN = [
    ["--json"],
    ["--json", "--limit", "2"],
    ["--intent", "INT-001", "--json"],
    ["--session", "agent-2", "--limit", "007", "--json", "--json"],
    ["--json", "--intent", "INT-404"],
]
OTHER = [
    [],
    ["--json", "--limit", "0"],
    ["--json", "--limit", "10001"],
    ["--json", "--limit", "٣"],
    ["--json", "--limit", "-1"],
    ["--json", "--limit"],
    ["--json", "--limit", "1", "--limit", "2"],
    ["--json", "--limit=2"],
    ["--json", "--intent", "--json"],
    ["--json", "--path", "docs/rain.md"],
    ["--json", "--since", "7d"],
    ["--json", "--help"],
    ["--json", "docs"],
]


@pytest.mark.parametrize("arguments", PLAIN)
def test_both_ways_print_the_same(
    worked: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
) -> None:
    """Byte for byte, also in a repository."""
    assert (worked / ".orchestration").is_dir()
    for prepare in (lambda: None, lambda: make_git_repo(worked)):
        prepare()
        answer = short(monkeypatch, capsys, *arguments)
        assert main._code(["trace", "log", *arguments]) == 0
        assert answer == capsys.readouterr().out


@pytest.mark.parametrize("arguments", OTHER)
def test_other_options_go_the_long_way(arguments: list[str]) -> None:
    """Wrong ones too: one place explains them."""
    assert newest_records.parse(arguments) is None


def test_what_has_something_to_settle_goes_the_long_way(worked: Path, tmp_path: Path, cli: Cli) -> None:
    """And what was never opened, has archives' segments or a link in its place, or is no workspace."""
    assert newest_records.plain_ledger() is not None
    state = worked / ".orchestration" / ".state"
    calls = state / "announced" / "calls"
    calls.mkdir(parents=True, exist_ok=True)
    (calls / "one.json").write_text("{}")
    assert newest_records.plain_ledger() is None
    (calls / "one.json").unlink()
    (state / "stage" / "left").write_text("x")
    assert newest_records.plain_ledger() is None
    (state / "stage" / "left").unlink()
    assert newest_records.plain_ledger() is not None
    (state / ".gitignore").unlink()
    assert newest_records.plain_ledger() is None
    (worked / ".orchestration").rename(worked / "elsewhere")
    (worked / ".orchestration").symlink_to(worked / "elsewhere")
    assert newest_records.plain_ledger() is None
    empty = tmp_path / "empty"
    empty.mkdir()
    cli.cd(empty)
    assert newest_records.plain_ledger() is None
