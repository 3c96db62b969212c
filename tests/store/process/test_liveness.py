"""Is a process still there? Only what is certain counts as gone."""

from __future__ import annotations

import os
import subprocess
import sys

from msgspec.structs import replace

from intentls.core.intents.lease import Process
from intentls.store.process.liveness import is_gone, this_process


def ended_process() -> Process:
    """A process of this machine that has ended, and whose number nobody has yet."""
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    child.wait()
    return replace(this_process(), pid=child.pid)


def test_this_process_is_not_gone() -> None:
    """It can hardly ask otherwise."""
    assert this_process().pid == os.getpid()
    assert not is_gone(this_process())


def test_an_ended_process_is_gone() -> None:
    """On the machine where it ran."""
    assert is_gone(ended_process())


def test_a_process_elsewhere_is_never_gone() -> None:
    """Its number means nothing here: in another container or on another machine it may well run."""
    assert not is_gone(replace(ended_process(), place="elsewhere"))


def test_all_processes_of_one_machine_name_the_same_place() -> None:
    """Else nobody would notice anybody's end."""
    program = "from intentls.store.process.liveness import this_process; print(this_process().place)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout == this_process().place + "\n"
