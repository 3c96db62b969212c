"""The compiled client as a platform's wheel installs it: `intentls`, and `intentls-python` beside it."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from native.build import NoCompiler, compile_client

from intentls.faces.hook import daemon_client
from tests.support.hook_process import Answered, environment
from tests.support.patience import PATIENCE_S, eventually

_SCRIPT = """\
#!{python}
import os, sys
with open({log!r}, "a") as log:
    log.write("alone\\n")
from intentls.__main__ import run
from intentls.faces import hook
hook.DEFAULT_TIMEOUT_S = {limit!r}
run()
"""


class InstalledClient:
    """A folder with both programs. Python notes there each time that it answers, and has as long as a busy machine
    takes: what a hook says after its eight seconds is no answer to the event.
    """

    def __init__(self, folder: Path, program: Path) -> None:
        self.program = folder / "intentls"
        self._log = folder / "log"
        os.link(program, self.program)
        script = folder / "intentls-python"
        script.write_text(_SCRIPT.format(python=sys.executable, log=str(self._log), limit=PATIENCE_S))
        script.chmod(0o755)

    def ask(self, agent: str, event: Mapping[str, Any] | bytes, *options: str, **more: Any) -> tuple[Answered, bool]:
        """What the agent is answered, and whether Python did it. `more` goes to the process."""
        before = self.answers_of_python()
        data = event if isinstance(event, bytes) else json.dumps(event).encode()
        done = subprocess.run(
            [self.program, "hook", agent, *options],
            input=data,
            capture_output=True,
            timeout=120,
            **{"env": environment(), **more},
        )
        answered = Answered(done.returncode, done.stdout.decode(), done.stderr.decode())
        return answered, self.answers_of_python() > before

    def answers_of_python(self) -> int:
        """How often the Python program was started here."""
        return self._log.read_bytes().count(b"\n") if self._log.exists() else 0


def compiled(output: Path) -> Path:
    """The program, or the end of the test where no compiler is there."""
    try:
        compile_client(output)
    except NoCompiler as error:
        pytest.skip(str(error))
    return output


def wait_for_daemon() -> Path:
    """The socket of the daemon that a hook has started, once it listens."""
    path = Path(daemon_client.socket_path()[1])
    eventually(lambda: path.exists() and stat.S_ISSOCK(path.stat().st_mode))
    return path


def end_daemon(path: Path) -> None:
    """Tell the daemon that listens there to end, and wait until its socket is gone."""
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(str(path))
        pid = daemon_client.asking_process(peer)
    assert pid is not None
    os.kill(pid, signal.SIGTERM)
    eventually(lambda: not path.exists())
