"""The short way of verbs that programs and git's hooks call often gives the answer of the long one."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from intentls.faces.cli import main
from intentls.faces.cli.plain import newest_records, route
from tests.faces.cli.conftest import Cli
from tests.support.agent_edits import Agent
from tests.support.patience import PATIENCE_S
from tests.support.workspaces import git, make_git_repo, write_files


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
    monkeypatch.setattr(sys, "argv", ["intentls", *arguments])
    capsys.readouterr()
    code = route.run()
    if code is not None:
        assert code == 0
        return capsys.readouterr().out
    assert capsys.readouterr() == ("", "")
    return None


PLAIN = [
    ["trace", "log", "--json"],
    ["trace", "log", "--json", "--limit", "2"],
    ["trace", "log", "--intent", "INT-001", "--json"],
    ["trace", "log", "--session", "agent-2", "--limit", "007", "--json", "--json"],
    ["trace", "log", "--json", "--intent", "INT-404"],
    ["status", "--json"],
    ["blame", "src/api/rain.py", "--json"],
    ["blame", "--json", "src/api/rain.py:2"],
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
        assert main._code(arguments) == 0
        assert answer == capsys.readouterr().out


def said(folder: Path, *arguments: str, **environment: str) -> tuple[int, bytes, bytes]:
    """The exit code of a process of its own, and all that it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "intentls", *arguments],
        capture_output=True,
        cwd=folder,
        env={**os.environ, **environment},
        timeout=PATIENCE_S,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_a_staged_change_is_judged_the_same_both_ways(worked: Path, tmp_path: Path, encoding: str) -> None:
    """As git's hook asks: the findings, the ledger that is staged with them, and names that the locale can't show."""
    root = make_git_repo(worked)
    write_files(root, {"docs/雨 \u00e9.md": "# By hand\n", "src/api/rain.py": "def rain():\n    return 1.0\n"})
    Agent(root, "agent-1").write("src/api/sun.py", "SUN = 1\n")
    git(root, "add", "docs", "src")
    twin = tmp_path / "twin"
    shutil.copytree(root, twin, symlinks=True)
    for options in (["--staged"], ["--staged", "--stage-ledger"]):
        plain = said(root, "check", *options, PYTHONIOENCODING=encoding)
        assert plain == said(twin, "check", *options, "--format", "text", PYTHONIOENCODING=encoding)
        assert plain[0] == 1
        assert b"UNCOVERED_CHANGE" in plain[1]
        assert git(root, "diff", "--cached", "--name-only") == git(twin, "diff", "--cached", "--name-only")
    assert "trace/" in git(root, "diff", "--cached", "--name-only")


@pytest.mark.skipif(os.name == "nt", reason="Ctrl+C is a signal")
@pytest.mark.parametrize(
    "arguments",
    [
        *(["check", "--staged"], ["check", "--staged", "--format", "text"]),
        *(["blame", "src/api/sun.py", "--json"], ["blame", "src/api/sun.py"]),
    ],
)
def test_a_verb_that_is_interrupted_says_nothing(worked: Path, arguments: list[str]) -> None:
    """Ctrl+C while git works: exit code 2, as of every verb, and no traceback."""
    write_files(worked, {"src/api/sun.py": "SUN = 1\n"})
    root = make_git_repo(worked)
    program = root / "bin" / "git"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nkill -{signal.SIGINT.value} $PPID\n")
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    assert said(root, *arguments, PATH=path) == (2, b"", b"\n")


@pytest.mark.parametrize("arguments", OTHER)
def test_other_options_go_the_long_way(arguments: list[str]) -> None:
    """Wrong ones too: one place explains them."""
    assert newest_records.parse(arguments) is None


@pytest.mark.parametrize(
    "arguments",
    [
        *(["status", "--json", "--root", "."], ["status", "--json", "--help"], ["status", "--jsn"], ["list", "--json"]),
        *(["blame", "--json"], ["blame", "--json", "--root", "."], ["blame", "a", "b", "--json"]),
        *(["trace", "verify", "--json"], ["trace", "--json", "log"], ["check", "--staged", "--json"]),
        *(["check", "--staged", "--root", "."], ["check", "--staged", "--staged"], ["check", "--stage-ledger"]),
    ],
)
def test_other_forms_of_the_verbs_go_the_long_way(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    """And other verbs."""
    assert (here / ".orchestration").is_dir()
    assert short(monkeypatch, capsys, *arguments) is None


@pytest.mark.parametrize("arguments", [["status", "--json"], ["blame", "docs/none.md", "--json"]])
def test_mistakes_are_told_the_same_way(tmp_path: Path, arguments: list[str]) -> None:
    """Outside of a workspace, in a process of its own: the sentence and the code of the long way."""
    answers = []
    for options in (arguments, [*arguments, "--json"]):
        done = subprocess.run(
            [sys.executable, "-m", "intentls", *options],
            capture_output=True,
            cwd=tmp_path,
            timeout=PATIENCE_S,
            check=False,
        )
        answers.append((done.returncode, done.stdout, done.stderr))
    assert answers[0] == answers[1]
    assert answers[0][0] == 2
    assert b"Nothing governs" in answers[0][2]


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
