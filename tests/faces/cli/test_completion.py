"""What the shell offers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from intentls.faces.cli.commands import trace
from tests.faces.cli.conftest import Cli
from tests.support.patience import PATIENCE_S

BASH = shutil.which("bash")
# bash calls the function with the words so far; it asks `intentls` itself what fits.
_ASK = """
eval "$(_INTENTLS_COMPLETE=bash_source intentls)"
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_intentls_completion intentls
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PATH, with `intentls` in it."""
    folder = tmp_path_factory.mktemp("bin")
    file = folder / "intentls"
    file.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m intentls "$@"\n')
    file.chmod(0o755)
    return folder


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["tr"], ["trace"]),
        (["trace", ""], list(trace._VERBS)),
        (["select", "INT-00"], ["INT-001", "INT-002", "INT-003"]),
        (["select", "--session", "ag"], ["agent-1"]),
        (["check", "a.py", "--intent", "INT-002"], ["INT-002"]),
        (["blame", "--js"], ["--json"]),
    ],
)
def test_bash_offers_what_fits(cli: Cli, here: Path, program: Path, words: list[str], offered: list[str]) -> None:
    """Verbs, their verbs, options, and the ids of intents and sessions."""
    cli("select", "INT-001", "--session", "agent-1")
    assert _bash(program, here, words) == offered


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
def test_a_broken_workspace_offers_nothing(tmp_path: Path, program: Path) -> None:
    """Outside every root, and with a state that can't be used, TAB is silent."""
    assert _bash(program, tmp_path, ["select", "INT"]) == []
    (tmp_path / ".orchestration").mkdir()
    (tmp_path / ".orchestration/active_intents.yaml").write_text("active_intents: [\n")
    assert _bash(program, tmp_path, ["select", "INT"]) == []
    shutil.rmtree(tmp_path / ".orchestration/.state")
    (tmp_path / ".orchestration/.state").write_text("in the way")
    assert _bash(program, tmp_path, ["select", "--session", "a"]) == []


def _bash(program: Path, folder: Path, words: list[str]) -> list[str]:
    assert BASH is not None
    done = subprocess.run(
        [BASH, "-c", _ASK, "bash", "intentls", *words],
        cwd=folder,
        env={**os.environ, "PATH": f"{program}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [line for line in done.stdout.splitlines() if line]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_of_the_documentation_gets_a_script(shell: str) -> None:
    """The lines of docs/reference/cli.md make a script that names our function."""
    done = subprocess.run(
        [sys.executable, "-m", "intentls"],
        env={**os.environ, "_INTENTLS_COMPLETE": f"{shell}_source"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0
    assert "_intentls_completion" in done.stdout
