"""The command line as a test calls it: in this process, in a folder, with everything it printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from intentls.faces.cli import main


@dataclass(frozen=True)
class Result:
    """What a call left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The document on stdout; fails unless it is one and nothing else."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


class Cli:
    """`cli("status", "--json")`, from the folder that `cd` went to."""

    def __init__(self, call: Callable[[list[str]], Result], go: Callable[[Path], None]) -> None:
        self._call = call
        self.cd = go

    def __call__(self, *arguments: str | Path) -> Result:
        return self._call([str(argument) for argument in arguments])


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """The command line, without what this machine's environment says to it."""
    for name in ("INTENTLS_SESSION", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def call(arguments: list[str]) -> Result:
        capsys.readouterr()
        code = main._code(arguments)
        printed = capsys.readouterr()
        return Result(code, printed.out, printed.err)

    return Cli(call, monkeypatch.chdir)


@pytest.fixture
def here(cli: Cli, workspace: Path) -> Path:
    """The weather workspace, with the command line standing in it."""
    cli.cd(workspace)
    return workspace
