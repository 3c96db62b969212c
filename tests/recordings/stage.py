"""Where a conversation plays: folders of its own, an environment of its own, and the transcript that it leaves.

Lines of a transcript, by their first character:

    # what the script says of the next lines
    $ a command                 > what a client sends      @ a file, as it is afterwards
    < its stdin                 < what the server sends
    | its stdout, or a file     ! its stderr               = its exit code
    \\ the text before has no line end
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.recordings.normalising import Normaliser
from tests.support.forked_servers import run_as_a_child, run_to_its_end

Json = dict[str, Any]
_DATE = "2026-02-18T10:00:00Z"
_SPACES = re.compile(r'("(?:[^"\\]|\\.)*")|, ')

INTENTS = """\
active_intents:
  - id: INT-001
    name: Build Weather API
    status: IN_PROGRESS
    description: |
      The weather of today,
      and of tomorrow.
    owned_scope: ["src/api/**", "tests/api/*.py", "!src/api/generated/**"]
    constraints: ["Must not use external auth providers"]
    acceptance_criteria: ["Unit tests in tests/api pass"]
    created_at: 2026-02-18T10:00:00Z
  - id: INT-002
    name: Write the guide
    status: PLANNED
    owned_scope: ["docs/**", "src/api/weather.py"]
  - id: INT-003
    name: First prototype
    status: COMPLETED
    owned_scope: ["prototype/**"]
  - id: INT-004
    name: Set aside
    status: TODO
    owned_scope: ["aside/**"]
  - id: INT-005
    name: Anything <at> "all" & more
    status: BLOCKED
"""
IGNORE = "# what no agent touches\nintent: INT-004\n*.secret\nsrc/api/frozen/\n"
FILES = {
    "src/api/weather.py": "def today():\n    return 'sunny'\n\n\ndef tomorrow():\n    return 'rain'\n",
    "src/api/generated/schema.py": "SCHEMA = {}\n",
    "src/api/frozen/old.py": "OLD = 1\n",
    "src/api/wörter.py": "wort = '𝄞 Größe'\n",
    "docs/design.md": "# Design\n",
    "prototype/main.py": "print('hello')\n",
}


def content_hash(text: str) -> str:
    """The hash by which commands know a content."""
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


class Stage:
    """One conversation's folders and transcript."""

    def __init__(self, play: Path) -> None:
        self.play = play.resolve()
        self.lines: list[str] = []
        self.names = Normaliser(self.play)
        self.processes: list[subprocess.Popen[bytes]] = []
        (self.play / "home").mkdir(parents=True)
        config = self.play / "home" / ".gitconfig"
        config.write_text("[user]\n\tname = Ada Test\n\temail = ada@example.invalid\n", "utf-8")
        git = shutil.which("git") or "git"
        self.env = {
            **{"PATH": os.pathsep.join(dict.fromkeys([str(Path(git).parent), "/usr/bin", "/bin"]))},
            **{"HOME": str(self.play / "home"), "LOGNAME": "ada", "USER": "ada", "TZ": "UTC", "LC_ALL": "C.UTF-8"},
            **{"XDG_RUNTIME_DIR": str(self.play / "home"), "COLUMNS": "80", "TERM": "dumb", "PYTHONHASHSEED": "0"},
            **{"GIT_CONFIG_GLOBAL": str(config), "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"},
            **{"GIT_AUTHOR_NAME": "Ada Test", "GIT_AUTHOR_EMAIL": "ada@example.invalid", "GIT_AUTHOR_DATE": _DATE},
            **{"GIT_COMMITTER_NAME": "Ada Test", "GIT_COMMITTER_EMAIL": "ada@example.invalid"},
            **{"GIT_COMMITTER_DATE": _DATE},
        }

    # -- folders

    def write(self, root: Path, files: Mapping[str, str | bytes]) -> None:
        """Write files below `root`, their line ends as they are."""
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def workspace(
        self, name: str = "work", *, intents: str = INTENTS, policy: str = "", ignore: str = IGNORE, git: bool = True
    ) -> Path:
        """A root with the weather intents; all of it committed, unless told otherwise."""
        root = self.play / name
        self.write(root, FILES)
        self.write(root, {".orchestration/active_intents.yaml": intents, ".intentignore": ignore})
        if policy:
            self.write(root, {".orchestration/policy.yaml": policy})
        if git:
            self.git(root, "init", "--quiet", "--initial-branch=main")
            self.git(root, "config", "core.autocrlf", "false")
            self.commit(root, "Start")
        return root

    def git(self, root: Path, *arguments: str) -> str:
        """Run git, which must succeed; its stdout."""
        run = subprocess.run(["git", *arguments], cwd=root, env=self.env, capture_output=True, text=True, timeout=60)
        assert run.returncode == 0, run.stderr
        return run.stdout.strip()

    def commit(self, root: Path, message: str) -> str:
        """Commit everything; a commit that holds records has another id in every run."""
        self.git(root, "add", "--all")
        self.git(root, "commit", "--quiet", "--message", message)
        sha = self.git(root, "rev-parse", "HEAD")
        if self.git(
            root, "ls-tree", "-r", "--name-only", "HEAD", ".orchestration/agent_trace.jsonl", ".orchestration/trace"
        ):
            self.names.commit(sha)
        return sha

    # -- the transcript

    def say(self, text: str) -> None:
        """A headline."""
        self.lines += ["", f"# {text}"]

    def put(self, mark: str, text: str) -> None:
        """A text, each line behind its mark."""
        if not text:
            return
        named = self.names.sent(text) if mark == "<" else self.names.text(text)
        self.lines += [f"{mark} {line}" for line in named.removesuffix("\n").split("\n")]
        if not text.endswith("\n"):
            self.lines.append("\\")

    def message(self, mark: str, body: str, *, derived: bool = False) -> None:
        """A message, which is one line. `derived`: the client sends what it has from the program."""
        assert "\n" not in body
        named = self.names.sent(body) if mark == ">" and not derived else self.names.text(body)
        self.lines.append(f"{mark} {named}")

    def run(self, root: Path, *arguments: str, stdin: str = "", env: Mapping[str, str] | None = None) -> str:
        """Run `intentls` there and note all of it; its stdout."""
        environment = {**self.env, **(env or {})}
        run = run_as_a_child if arguments[:1] == ("hook",) else run_to_its_end  # a hook's agent is above each of them
        result = run(root, arguments, environment, stdin)
        shown = " ".join([*(f"{name}={value}" for name, value in (env or {}).items()), shlex.join(arguments)])
        self.lines.append(f"$ {self.names.sent(shown)}")
        self.put("<", stdin)
        out = result.stdout
        self.put("|", out)
        self.put("!", result.stderr)
        self.lines.append(f"= {result.returncode}")
        return out

    def show(self, root: Path, *paths: str) -> None:
        """Files as they are now."""
        for path in paths:
            file = root / path
            self.lines.append(f"@ {self.names.sent(path)}" + ("" if file.is_file() else " (none)"))
            if file.is_file():
                text = file.read_bytes().decode("utf-8", "backslashreplace")
                if path.endswith(".jsonl"):  # where a line has spaces depends on its id
                    lines = text.splitlines(keepends=True)
                    text = "".join(_SPACES.sub(lambda match: match[1] or ",", line) for line in lines)
                self.put("|", text)

    def show_records(self, root: Path) -> None:
        """The ledger and what is derived from it."""
        names = ("active_intents.yaml", "agent_trace.jsonl", "intent_map.md", "spatial_map.json", "AGENT.md")
        self.show(root, *(f".orchestration/{name}" for name in names))

    def records(self, root: Path, number: int) -> None:
        """Wait until the ledger has so many records: some are written after the answer."""
        ledger = root / ".orchestration/agent_trace.jsonl"
        end = time.monotonic() + 60
        while not ledger.exists() or ledger.read_bytes().count(b"\n") < number:
            assert time.monotonic() < end, f"the ledger does not get {number} records"
            time.sleep(0.01)

    def end(self) -> None:
        """End every server that still runs, as after a failure."""
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait()

    def text(self) -> str:
        """The transcript."""
        return "\n".join(self.lines).lstrip("\n") + "\n"
