"""What an agent's process is known by."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from intentls.store.process.ancestry import running
from intentls.store.sessions import agent_processes
from intentls.store.sessions.agent_processes import AgentProcesses

# It waits for a word, so that all of them begin at once.
NOTE = """
import sys
from pathlib import Path
from intentls.store.process.ancestry import running
from intentls.store.sessions import agent_processes
agent_processes.caller = lambda: running(int(sys.argv[2]))
notes = agent_processes.AgentProcesses(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for number in range(20):
    notes.note(f"{sys.argv[3]}-{number}")
"""


def test_programs_that_note_the_same_agent_at_once_lose_no_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook and the MCP server begin together: if the hook's session were lost, the server would act for its own."""
    directory = tmp_path / "agents"
    directory.mkdir()
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", NOTE, str(directory), str(os.getpid()), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in "abcd"
    ]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
    for program in programs:
        program.communicate()
        assert program.returncode == 0
    monkeypatch.setattr(agent_processes, "caller", lambda: running(os.getpid()))
    notes = AgentProcesses(directory)
    notes.note("a-0")
    assert set(notes.sessions_of_caller()) == {f"{name}-{number}" for name in "abcd" for number in range(20)}
