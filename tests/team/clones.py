"""A person's clone: changes by an agent (hook, MCP, shell), by saves in an editor, or plain, beside intentls."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.authority.processes import Finished, Host
from tests.authority.world import end
from tests.support.mcp_wire import McpWire
from tests.support.session import Session
from tests.support.wire import Wire
from tests.support.workspaces import GIT_ENV

Json = dict[str, Any]
Changes = Mapping[str, bytes | None]
"""What files hold afterwards, by path; None: deleted."""

HANDS = ("hook", "mcp", "shell", "save")
"""The ways that are on record. A fifth is `plain`: the files change, and intentls learns nothing."""


class Hosts(NamedTuple):
    """What starts processes: below a person's terminal, and below an agent."""

    person: Host
    agent: Host


@contextmanager
def hosts() -> Iterator[Hosts]:
    """One pair is enough for all people."""
    with ExitStack() as stack:
        person = stack.enter_context(Host.start())
        yield Hosts(person, stack.enter_context(person.agent()))


class Author(NamedTuple):
    """Who wrote a line: a person, and whether with their agent."""

    person: str
    is_agent: bool

    @classmethod
    def named(cls, part: Json | None) -> Author | None:
        """Whom a range of `intentls blame --json` names; None for nobody."""
        if part is None or part["trace_id"] is None:
            return None
        contributor = part["contributor"]
        if contributor["type"] != "ai":
            return cls(str(contributor.get("name")), False)
        return cls(str(part["session_id"]).partition("-")[0], True)


class Clone:
    """A clone of `origin`, its owner, and the processes that work in it. Close it at the end."""

    def __init__(self, folder: Path, person: str, hosts: Hosts) -> None:
        self.person, self._hosts = person, hosts
        who = {"NAME": person, "EMAIL": f"{person.lower()}@example.invalid"}
        own = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
        self.env: Mapping[str, str] = {**GIT_ENV, **own, "GIT_EDITOR": "true"}
        subprocess.run(["git", "clone", "--quiet", "origin.git", person], cwd=folder, check=True)
        self.root = (folder / person).resolve()
        self.git("config", "user.name", person)
        self.git("config", "user.email", who["EMAIL"])
        # As a forge that ignores attributes: no driver of a merge counts.
        (self.root / ".git/info/attributes").write_text("* !merge\n")
        self._calls = 0
        self._lsp: Session | None = None
        self._mcp: McpWire | None = None

    def close(self) -> None:
        """End the servers."""
        for wire in (self._mcp, self._lsp.wire if self._lsp else None):
            if wire is not None:
                end(wire)

    # -- git and the command line

    def try_git(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Git, whatever comes of it."""
        return subprocess.run(
            ["git", *arguments],
            check=False,
            cwd=self.root,
            env={**os.environ, **self.env},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
        )

    def git(self, *arguments: str) -> str:
        """Git, which must succeed; its output."""
        done = self.try_git(*arguments)
        assert done.returncode == 0, f"{self.person}: git {' '.join(arguments)}: {done.stderr or done.stdout}"
        return done.stdout.removesuffix("\n")

    def commit(self, message: str) -> None:
        """All there is."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)

    def intentls(self, *arguments: str, codes: tuple[int, ...] = (0,)) -> Finished:
        """A command in the person's terminal."""
        done = self._hosts.person.run(list(arguments), self.root, env=self.env)
        assert done.code in codes, f"{self.person}: intentls {' '.join(arguments)}: {done}"
        return done

    def ask(self, *arguments: str, codes: tuple[int, ...] = (0,)) -> Json:
        """The same with --json."""
        answer: Json = json.loads(self.intentls(*arguments, "--json", codes=codes).out)
        return answer

    def declare(self, name: str, *scope: str) -> str:
        """A new intent in a file of its own, selected in every session of the clone; its id."""
        intent = str(self.ask("new", name, *(part for glob in scope for part in ("--scope", glob)))["intent_id"])
        self.select(intent)
        return intent

    def select(self, intent: str) -> None:
        """In every session of the clone."""
        session = f"{self.person}-hook"
        ran = self._hosts.agent.run(["select", intent, "--session", session], self.root, env=self._marked(session))
        assert ran.code == 0, ran
        selected = self.mcp.do("select_active_intent", intent_id=intent, model_identifier="lab/m")
        assert selected["status"] == "ok", selected
        assert self.lsp.do("selectActiveIntent", intent_id=intent)["status"] == "ok"

    # -- changes

    def change(self, hand: str, changes: Changes) -> Author:
        """Make these changes in one of the ways; who their author is."""
        {"hook": self._by_hook, "mcp": self._by_mcp, "shell": self.by_shell, "save": self._by_save, "plain": self.put}[
            hand
        ](changes)
        for path, content in changes.items():
            assert self.read(path) == content, f"{self.person} by {hand}: {path}"
        return Author(self.person, hand not in ("save", "plain"))

    def read(self, path: str) -> bytes | None:
        """What a file holds."""
        file = self.root / path
        return file.read_bytes() if file.is_file() else None

    def put(self, changes: Changes) -> None:
        """By hand."""
        for path, content in changes.items():
            file = self.root / path
            if content is None:
                file.unlink()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)

    def _by_hook(self, changes: Changes) -> None:
        deleted = {path: content for path, content in changes.items() if content is None}
        for path, content in changes.items():
            if content is None:
                continue
            file = {"file_path": str(self.root / path)}
            self._calls += 1
            self.hook("PostToolUse" if self.read(path) is not None else "PostToolUseFailure", "Read", file)
            self._run_tool("Write", {**file, "content": content.decode("utf-8", "replace")}, {path: content})
        if deleted:
            self.by_shell(deleted)

    def by_shell(self, changes: Changes) -> None:
        """An agent's shell command."""
        self._run_tool("Bash", {"command": "make things"}, changes)

    def _run_tool(self, tool: str, tool_input: Json, changes: Changes) -> None:
        self._calls += 1
        answer = self.hook("PreToolUse", tool, tool_input)
        decision = answer.get("hookSpecificOutput", {}).get("permissionDecision")
        assert decision not in ("deny", "ask"), f"{self.person}: {tool} {sorted(changes)}: {answer}"
        self.put(changes)
        self.hook("PostToolUse", tool, tool_input)

    def git_by_agent(self, *arguments: str) -> bool:
        """Git in the agent's shell; whether it succeeded."""
        self._calls += 1
        self.hook("PreToolUse", "Bash", {"command": f"git {' '.join(arguments)}"})
        done = self.try_git(*arguments)
        self.hook("PostToolUse", "Bash", {"command": f"git {' '.join(arguments)}"})
        return done.returncode == 0

    def hook(self, event: str, tool: str, tool_input: Json) -> Json:
        """One event of the agent; its answer."""
        session = f"{self.person}-hook"
        body = {"session_id": session, "cwd": str(self.root), "permission_mode": "default", "hook_event_name": event}
        body |= {"tool_name": tool, "tool_input": tool_input, "tool_use_id": f"call-{self._calls}"}
        env = {**self._marked(session), "CLAUDE_PROJECT_DIR": str(self.root)}
        command = ["hook", "claude-code", "--timeout", "60"]
        ran = self._hosts.agent.run(command, self.root, env=env, given=json.dumps(body).encode())
        assert ran.code == 0, f"{self.person}: {event} of {tool}: {ran}"
        answer: Json = json.loads(ran.out) if ran.out else {}
        return answer

    def _by_mcp(self, changes: Changes) -> None:
        for path, content in changes.items():
            if self.read(path) is not None:
                self.mcp.do("read_file", path=path)
            if content is None:
                answer = self.mcp.do("delete_file", path=path)
            else:
                answer = self.mcp.do("write_to_file", path=path, content=content.decode())
            assert answer["status"] == "ok", f"{self.person} by MCP: {path}: {answer}"

    def _by_save(self, changes: Changes) -> None:
        for path, content in changes.items():
            before = self.read(path)
            if content is None:
                self._by_mcp({path: None})  # an editor has no save to report
                continue
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            self.lsp.open(path, "" if before is None else before.decode())
            self.lsp.type(path, content.decode())
            self.lsp.save(path, content.decode())
            self.lsp.close(path)
            self.lsp.do("getActiveIntent")  # an answer: all of that was read

    # -- servers

    @property
    def mcp(self) -> McpWire:
        """The agent's server, started once."""
        if self._mcp is None:
            session = f"{self.person}-mcp"
            wire = self._hosts.agent.serve(["mcp", "--session", session], self.root, McpWire, self._marked(session))
            assert isinstance(wire, McpWire)
            client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "0"}}
            wire.request("initialize", client)
            wire.notify("notifications/initialized")
            self._mcp = wire
        return self._mcp

    @property
    def lsp(self) -> Session:
        """The person's editor, started once."""
        if self._lsp is None:
            wire = self._hosts.person.serve(["serve"], self.root, Wire, self.env)
            folder = {"uri": self.root.as_uri(), "name": self.person}
            wire.initialize(rootUri=self.root.as_uri(), workspaceFolders=[folder])
            self._lsp = Session(wire, self.root)
        return self._lsp

    def _marked(self, session: str) -> dict[str, str]:
        return {**self.env, "CLAUDE_CODE_SESSION_ID": session}

    # -- what is known

    def records(self, commit: str = "HEAD") -> list[str]:
        """The ids of the records in the segments of a commit, read without intentls."""
        listed = self.git("ls-tree", "-r", "--name-only", commit, ".orchestration/trace").splitlines()
        lines = [line for path in listed if path.endswith(".jsonl") for line in self._lines(commit, path)]
        return [json.loads(line)["id"] for line in lines]

    def _lines(self, commit: str, path: str) -> list[str]:
        return self.git("show", f"{commit}:{path}").splitlines()

    def blame(self, path: str) -> dict[int, Author | None]:
        """Line -> whom `intentls blame --json` names."""
        return {
            line: Author.named(part)
            for part in self.ask("blame", path)["ranges"]
            for line in range(part["start_line"], part["end_line"] + 1)
        }
