"""What macOS is told of a strict run. `sandbox-exec` itself is played by a script: these tests need no such machine."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from intentls.store.confinement.confined_process import ConfinedCommand
from intentls.store.confinement.seatbelt import SeatbeltProcess, profile, why_not
from tests.support.patience import PATIENCE_S

_RUNS_ALL = '#!/bin/sh\nprintf %s "$2" > "$(dirname "$0")/profile"\nshift 2\nexec "$@"\n'
_IS_STRANGE = "#!/bin/sh\necho 'sandbox-exec: unbound variable: file-link' >&2\nexit 65\n"


def _program(folder: Path, text: str) -> Path:
    program = folder / "sandbox-exec"
    program.write_text(text)
    program.chmod(0o755)
    return program


def _command(*arguments: str, folder: Path) -> ConfinedCommand:
    return ConfinedCommand(arguments, folder, dict(os.environ))


def test_all_writes_are_denied_but_those_below_the_places(tmp_path: Path) -> None:
    """The last rule that fits counts, so what is allowed comes last; a second name of a file elsewhere is denied."""
    places = [tmp_path / "src", tmp_path / "docs"]
    assert profile(places) == (
        "(version 1)\n(allow default)\n(deny file-write*)\n(deny file-link)\n"
        f'(allow file-write* (subpath "{tmp_path}/docs"))\n(allow file-write* (subpath "{tmp_path}/src"))\n'
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [('a "b"', r"a \"b\""), ("a\\", r"a\\"), ('a\\")) (allow file-write*', r"a\\\")) (allow file-write*")],
)
def test_a_name_never_ends_the_text_that_it_stands_in(tmp_path: Path, name: str, text: str) -> None:
    last = profile([tmp_path / name]).splitlines()[-1]
    assert last == f'(allow file-write* (subpath "{tmp_path}/{text}"))'


def test_a_link_is_told_as_what_it_leads_to(tmp_path: Path) -> None:
    """macOS compares real paths: `/tmp` is a link there."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert f'"{tmp_path}/real/src"' in profile([tmp_path / "link" / "src"])


def test_a_program_that_does_not_refuse_confines_nothing(tmp_path: Path) -> None:
    assert why_not(_program(tmp_path, _RUNS_ALL)) == "sandbox-exec does not keep a profile here"


def test_a_profile_that_the_system_does_not_understand_confines_nothing(tmp_path: Path) -> None:
    assert why_not(_program(tmp_path, _IS_STRANGE)) == "sandbox-exec: unbound variable: file-link"
    assert why_not(tmp_path / "missing") == f"{tmp_path / 'missing'} is missing"


def test_a_command_runs_under_its_profile_with_its_own_exit_code(tmp_path: Path) -> None:
    program = _program(tmp_path, _RUNS_ALL)
    process = SeatbeltProcess(_command("sh", "-c", "exit 7", folder=tmp_path), [tmp_path], program)
    assert process.wait(PATIENCE_S)
    assert process.poll() == 7
    assert (tmp_path / "profile").read_text() == profile([tmp_path]).rstrip("\n") + "\n"


def test_signals_reach_the_command_and_its_end_by_one_is_told_as_a_shell_does(tmp_path: Path) -> None:
    program = _program(tmp_path, _RUNS_ALL)
    process = SeatbeltProcess(_command("sleep", "600", folder=tmp_path), [tmp_path], program)
    assert (process.poll(), process.wait(0)) == (None, False)
    process.send(signal.SIGTERM)
    assert process.wait(PATIENCE_S)
    assert process.poll() == 128 + signal.SIGTERM
    other = SeatbeltProcess(_command("sleep", "600", folder=tmp_path), [tmp_path], program)
    other.kill()
    assert other.poll() == 128 + signal.SIGKILL
