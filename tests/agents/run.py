"""One run of one agent: a repository and a home of its own, hooks by `intentls init --agent`, a scripted model."""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.agents.programs import AgentProgram, Bench
from tests.agents.scripted_model import ScriptedModel, Turn, serving
from tests.support.workspaces import git, make_git_repo, make_workspace

TIMEOUT_S = 240
_INTENTLS = Path(sys.executable).with_name("intentls")
IN_SANDBOX = ("bwrap", "socat")
"""What Claude Code's sandbox needs on Linux; Codex brings its own."""
# Agents' own programs need nothing of this machine but node and git.
_PATH = "/usr/local/bin:/usr/bin:/bin"


@dataclass
class AgentRun:
    """What came of it: the exit code, what both outputs were, and the model with what it saw."""

    bench: Bench
    model: ScriptedModel
    code: int = 0
    output: str = ""

    @property
    def repository(self) -> Path:
        """The repository that the agent worked in."""
        return self.bench.repository

    def has(self, path: str) -> bool:
        """Whether a file is there now."""
        return (self.repository / path).exists()

    def records(self, path: str) -> list[dict[str, Any]]:
        """The records that name a file, oldest first."""
        ledger = self.repository / ".orchestration/agent_trace.jsonl"
        lines = ledger.read_text().splitlines() if ledger.exists() else []
        return [record for record in map(json.loads, lines) if path in {file["path"] for file in record["files"]}]


class PersonAtTerminal:
    """A person who runs `intentls questions --watch`, and types the same answer to each question."""

    def __init__(self, terminal: int, answer: str) -> None:
        self.screen = ""
        self._listens = threading.Event()
        self._thread = threading.Thread(target=self._sit, args=(terminal, answer), daemon=True)
        self._thread.start()

    def wait_until_listening(self) -> None:
        """Return when a question would be shown. Fails if that never comes."""
        assert self._listens.wait(TIMEOUT_S), self.screen

    def leave(self) -> None:
        """Read the rest of the screen, after the command has ended."""
        self._thread.join(TIMEOUT_S)

    def _sit(self, terminal: int, answer: str) -> None:
        answered = 0
        try:
            while part := os.read(terminal, 65536):
                self.screen += part.decode(errors="replace")
                if "Waiting for questions" in self.screen:
                    self._listens.set()
                if self.screen.count("to see the change") > answered:
                    answered += 1
                    os.write(terminal, f"{answer}\n".encode())
        except OSError:  # Linux says so where other systems give an empty read
            pass


class AgentStage:
    """Prepares a run in a directory of the test's, and makes it. `program` is the agent."""

    def __init__(self, program: AgentProgram, directory: Path) -> None:
        self.program = program
        self.bench = Bench(directory / "repository", directory / "home", program.path)
        self.bench.home.mkdir()
        make_workspace(self.bench.repository)
        bin_ = directory / "bin"
        bin_.mkdir()
        self._hook = bin_ / "intentls"
        self._hook.symlink_to(_INTENTLS)
        node = shutil.which("node")
        programs = [node, *map(shutil.which, IN_SANDBOX)]
        own = [str(bin_), *dict.fromkeys(str(Path(program).parent) for program in programs if program is not None)]
        self.environment = {
            **{"PATH": ":".join([*own, _PATH]), "HOME": str(self.bench.home), "LANG": "C.UTF-8", "TERM": "dumb"},
            **{name: value for name, value in os.environ.items() if name.startswith("GIT_")},
        }
        # Some agents run commands in a login shell, which sets PATH anew.
        (self.bench.home / ".bash_profile").write_text(f'export PATH="{bin_}:$PATH"\n')
        program.prepare(self.bench)

    def init(self, *options: str) -> None:
        """`intentls init --agent`, and a first commit."""
        self.intentls("init", "--agent", self.program.name, *options)
        make_git_repo(self.bench.repository)

    def use_sandbox(self, intent_id: str) -> None:
        """Write the intent's scope into the agent's own sandbox, and let the agent use that."""
        self.init("--sandbox", intent_id)
        self.bench = replace(self.bench, sandboxed=True)

    def intentls(self, *arguments: str) -> None:
        """A verb of ours, in the repository. Raises CalledProcessError."""
        words = [str(_INTENTLS), *arguments]
        subprocess.run(words, cwd=self.bench.repository, env=self.environment, check=True, capture_output=True)

    def add_mcp(self) -> None:
        """Make the agent start our MCP server too."""
        assert self.program.mcp is not None
        self.program.mcp(self.bench, str(_INTENTLS))

    def break_hook(self, script: str | None) -> None:
        """Put a shell script in the place of our program; None: nothing is there."""
        self._hook.unlink()
        if script is not None:
            self._hook.write_text(f"#!/bin/sh\n{script}\n")
            self._hook.chmod(0o755)

    @contextmanager
    def person(self, answer: str) -> Iterator[PersonAtTerminal]:
        """A person called Grace Hopper at a terminal of her own, who listens, and answers each question like this."""
        git(self.bench.repository, "config", "user.name", "Grace Hopper")
        ours, theirs = pty.openpty()
        command = subprocess.Popen(
            [str(_INTENTLS), "questions", "--watch"],
            cwd=self.bench.repository,
            env=self.environment,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        person = PersonAtTerminal(ours, answer)
        try:
            person.wait_until_listening()
            yield person
        finally:
            command.kill()
            command.wait()
            person.leave()
            os.close(ours)

    def play(
        self,
        *turns: Turn,
        folder: str = "",
        others: Mapping[str, Sequence[Turn]] | None = None,
        intent_id: str | None = None,
    ) -> AgentRun:
        """Start the agent in a folder of the repository and let it play the turns; `others` are other scripts.

        `intent_id`: confined in that intent's scope, by `intentls run`.
        """
        model = ScriptedModel({"main": turns, **(others or {})})
        run = AgentRun(self.bench, model)
        with serving(model) as port:
            words, more = self.program.start(self.bench, port, "Play [main].")
            if intent_id is not None:
                # What lies in a folder of PATH is seen inside, also where that is below /tmp.
                more = {**more, "PATH": f"{self.environment['PATH']}:{self.program.path.parents[2].resolve()}"}
                words = [str(_INTENTLS), "run", "--intent", intent_id, "--", *words]
            agent = subprocess.Popen(
                words,
                cwd=self.bench.repository / folder,
                env={**self.environment, **more},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,
            )
            try:
                run.output, _ = agent.communicate(timeout=TIMEOUT_S)
            except subprocess.TimeoutExpired:
                os.killpg(agent.pid, signal.SIGKILL)
                run.output, _ = agent.communicate()
            run.code = agent.returncode
        if intent_id is None:  # the end of a confined run is the end of all in it
            self._end_daemon()
        return run

    def _end_daemon(self) -> None:
        """Cline leaves one behind; the lock file in this home says which process it is."""
        lock = self.bench.home / ".cline/data/locks/hub/production.json"
        if not lock.exists():
            return
        pid = int(json.loads(lock.read_text())["pid"])
        environment = Path(f"/proc/{pid}/environ")
        if environment.exists() and str(self.bench.home) in environment.read_text(errors="replace"):
            os.kill(pid, signal.SIGTERM)
