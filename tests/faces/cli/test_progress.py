"""The bar: on a terminal, when it takes long, and nowhere else."""

from __future__ import annotations

import subprocess
import sys

import pytest

from intentls.faces.cli import progress
from intentls.faces.cli.progress import Progress
from tests.support.patience import PATIENCE_S


def test_nothing_is_shown_in_a_pipe(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it takes, stderr stays clean where nobody watches."""
    monkeypatch.setattr(progress, "_PATIENCE_S", 0)
    with Progress("Working") as told:
        told(1, 2)
    assert capsys.readouterr() == ("", "")


def test_nothing_is_shown_for_what_is_quick(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within a second there is no bar, not even on a terminal."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with Progress("Working") as told:
        told(1, 2)
    assert capsys.readouterr().err == ""


_PROGRAM = """
import sys
sys.stderr.isatty = lambda: True
from intentls.faces.cli import progress
progress._PATIENCE_S = 0
with progress.Progress("Working") as told:
    told(1, 4)
    told(2, 4)
print("rich" in sys.modules)
"""


def test_a_bar_is_shown_on_a_terminal() -> None:
    """What takes long shows how far it is on stderr, and leaves stdout alone."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        capture_output=True,
        env={"FORCE_COLOR": "1"},
        encoding="utf-8",
        timeout=PATIENCE_S,
    )
    assert done.stdout == "True\n"
    assert "Working" in done.stderr
    assert "50%" in done.stderr
