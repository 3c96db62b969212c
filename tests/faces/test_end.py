"""How a short process ends: at once, with all that it printed, and not before its threads and exit functions."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.patience import PATIENCE_S

TELLS = """
import atexit, sys, threading
from intentls.__main__ import _end
class Loaded:
    def __del__(self): sys.stdout.write("taken apart")
loaded = Loaded()
atexit.register(lambda: print("exit function"))
"""


def said(program: str) -> tuple[int, str]:
    """The exit code of a process of its own, and what it printed."""
    done = subprocess.run(
        [sys.executable, "-E", "-c", TELLS + program], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.parametrize("code", [0, 1, 2])
def test_a_short_process_ends_at_once_when_all_is_said(code: int) -> None:
    """What waits in a buffer is written, exit functions run, and nothing that was loaded is taken apart first."""
    assert said(f"print('answer')\n_end({code})") == (code, "answer\nexit function\n")


def test_a_thread_that_still_works_is_waited_for() -> None:
    """It may be on its way to the disk."""
    program = "go = threading.Event()\ndef work():\n    go.wait()\n    print('done')\n"
    program += "threading.Thread(target=work).start()\nthreading._register_atexit(go.set)\n_end(0)"
    assert said(program)[1].startswith("done\nexit function\n")


def test_what_cannot_be_written_is_told_as_python_tells_it() -> None:
    """A reader that had enough: Python's exit code for it."""
    program = "import os\nfrom intentls.__main__ import _end\nread, write = os.pipe()\nos.close(read)\n"
    program += "os.dup2(write, 1)\nprint('answer')\n_end(0)"
    done = subprocess.run([sys.executable, "-E", "-c", program], capture_output=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 120
    assert b"BrokenPipeError" in done.stderr
