"""One repository with its agents, its person and its colleague, and what must hold after each thing that they do."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from intentls.store.fs.state_directory import is_settled
from intentls.store.layout import Layout
from intentls.store.sessions.editors import Editors
from tests.authority.faults import Faults
from tests.authority.model import AGENTS, FOLDERS, INTENT, OTHERS, Model, Owed, hash_of
from tests.authority.processes import Finished, Host
from tests.support.mcp_wire import McpWire
from tests.support.patience import PATIENCE_S, eventually
from tests.support.session import Session
from tests.support.wire import ServerGone, Wire
from tests.support.workspaces import commit_all, git, make_git_repo, make_workspace

Json = dict[str, Any]
Tree = dict[str, bytes]
DECLARED = ".orchestration/active_intents.yaml"
POLICY = ".orchestration/policy.yaml"
LEDGER = ".orchestration/agent_trace.jsonl"
HOOK = ["hook", "claude-code", "--timeout", "50"]
"""As the agent runs it, with time enough for a machine that is busy with other tests."""
_OURS = (".orchestration", ".git")


class Broken(AssertionError):
    """An invariant does not hold."""


class Hosts(NamedTuple):
    """The person's processes, and each agent's."""

    person: Host
    agents: Mapping[str, Host]


class Kind(NamedTuple):
    """How a program's repository is set up."""

    shell: str  # policy `shell`
    ledger_in_git: bool


@contextmanager
def hosts() -> Iterator[Hosts]:
    """Those of all programs of a worker."""
    with ExitStack() as stack:
        person = stack.enter_context(Host.start())
        yield Hosts(person, {agent: stack.enter_context(person.agent()) for agent in AGENTS})


def intents(scopes: Mapping[str, frozenset[str]]) -> bytes:
    """The declared file that says this."""
    lines = ["active_intents:"]
    for agent, folders in scopes.items():
        globs = ", ".join(f'"{folder}/**"' for folder in sorted(folders))
        lines.append(f"  - {{id: {INTENT[agent]}, name: {agent}, status: IN_PROGRESS, owned_scope: [{globs}]}}")
    lines.append("  - {id: INT-003, name: Old, status: DONE, owned_scope: ['**']}")
    return ("\n".join(lines) + "\n").encode()


def make_template(folder: Path, kind: Kind) -> Path:
    """`work`, a bare `origin.git` and the colleague's clone, as each program begins."""
    files = {f"{name}/a.py": "# ----\n" for name in FOLDERS} | {".gitignore": ".env\n"}
    policy = f"hitl: deny\nlinters: []\nshell: {kind.shell}\n"
    root = make_workspace(folder / "work", intents(Model().scopes), files, policy=policy)
    subprocess.run([sys.executable, "-m", "intentls", "init"], cwd=root, check=True, capture_output=True)
    if not kind.ledger_in_git:
        with open(root / ".orchestration/.gitignore", "a") as ignored:
            ignored.write("agent_trace.jsonl\ntrace/\n")
    with open(root / ".gitattributes", "a") as attributes:
        attributes.write("*.py -text\n")
    make_git_repo(root)
    (root / ".env").write_bytes(b"SECRET=1\n")
    git(folder, "init", "--quiet", "--bare", "--initial-branch=main", "origin.git")
    git(root, "remote", "add", "origin", "../origin.git")
    git(root, "push", "--quiet", "--set-upstream", "origin", "main")
    git(root, "tag", "start")
    git(folder, "clone", "--quiet", "origin.git", "colleague")
    git(folder / "colleague", "remote", "set-url", "origin", "../origin.git")
    return folder


class World:
    """`said` is what was done, for the person who reads a failure."""

    def __init__(self, folder: Path, template: Path, hosts: Hosts, kind: Kind) -> None:
        shutil.copytree(template, folder, symlinks=True)
        self.folder, self.root, self.kind = folder, (folder / "work").resolve(), kind
        self.hosts, self.model, self.faults = hosts, Model(), Faults(self.root)
        self.said: list[str] = []
        self.steps = 0  # those begun
        self.seen: dict[str, Json] = {}  # every record that ever was in the ledger, by id
        self.tampered = False  # an agent's command left a declared file that no person accepted
        self.damaged = False  # the program damaged the ledger on purpose
        self.forged: set[str] = set()  # the ids of forged records
        self.open: set[str] = set()  # agents with a command that was never reported: it may still run
        self.running: set[str] = set()  # the same, once their turn is over
        self.late: dict[str, tuple[bytes | None, bytes | None]] = {}  # what such commands left may be undone yet
        self.limit: int | None = None  # the largest size that a hook's files may have
        self.before: Tree = {}  # the tree before the command that runs
        self._calls = 0
        self._lsp: Session | None = None
        self._mcp: McpWire | None = None
        self.begin("agent-1")
        assert self.mcp  # agent 2's begins as well

    # -- the end

    def close(self) -> None:
        """End every process, and every fault."""
        self.faults.heal()
        for wire in (self._mcp, self._lsp.wire if self._lsp else None):
            if wire is not None:
                end(wire)
        self._mcp = self._lsp = None

    # -- what there is

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is in the way of the program."""
        return not self.faults.active and not self.tampered and self.limit is None and not self.damaged

    def say(self, text: str) -> None:
        """Note what was done."""
        self.said.append(text)

    def read(self, path: str) -> bytes | None:
        """What a file holds; None without one."""
        file = self.root / path
        return file.read_bytes() if file.is_file() else None

    def put(self, path: str, content: bytes | None) -> None:
        """What anybody does to a file by hand."""
        file = self.root / path
        if content is None:
            file.unlink()
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    def tree(self) -> Tree:
        """Every file that is not the program's own, and what must not change in `.git`."""
        tree: Tree = {}
        for folder, folders, names in os.walk(self.root):
            if Path(folder) == self.root:
                folders[:] = [name for name in folders if name not in _OURS]
            for name in names:
                file = Path(folder) / name
                tree[file.relative_to(self.root).as_posix()] = _content(file)
        for path in (DECLARED, POLICY, ".orchestration/.intentignore", ".git/HEAD", ".git/config", ".git/packed-refs"):
            if os.path.lexists(self.root / path):
                tree[path] = _content(self.root / path)
        for folder, _, names in os.walk(self.root / ".git/refs"):
            for name in names:
                tree[(Path(folder) / name).relative_to(self.root).as_posix()] = _content(Path(folder) / name)
        return tree

    def paths(self, *folders: str) -> list[str]:
        """The files below these folders."""
        files = [file for name in folders for file in (self.root / name).rglob("*") if file.is_file()]
        return sorted(file.relative_to(self.root).as_posix() for file in files if not file.is_symlink())

    def pick(self, rng: random.Random, folders: tuple[str, ...]) -> str:
        """A file of one of these folders, new or not."""
        known = self.paths(*folders)
        if known and rng.random() < 0.7:
            return rng.choice(known)
        return f"{rng.choice(folders)}/{rng.choice(('a', 'b', 'c', 'deep/d'))}.py"

    def agents_folders(self, rng: random.Random, agent: str, out: float) -> tuple[str, ...]:
        """In scope, or with the chance `out` outside it."""
        inside = rng.random() >= out
        return tuple(name for name in FOLDERS if (name in self.model.scopes[agent]) is inside) or ("docs",)

    # -- the ledger

    def look(self) -> list[Json]:
        """The records that were not seen before; what each says of its scope is right."""
        new = []
        for line in self.ledger_lines():
            record = _parsed(line)
            if record is None or record["id"] in self.seen:
                continue
            self.seen[record["id"]] = record
            new.append(record)
            if record["id"] not in self.forged:
                self._judge_scope(record)
        return new

    def ledger_lines(self) -> list[bytes]:
        """The ledger as every reader knows it."""
        file = self.root / LEDGER
        return file.read_bytes().splitlines() if file.is_file() else []

    def _judge_scope(self, record: Json) -> None:
        agent = record.get("session_id")
        if agent not in AGENTS or record["success"] is not True or record["scope_validation"] != "PASS":
            return
        for file in record["files"]:
            for path in {file["path"], file.get("old_path") or file["path"]}:
                if not self.model.allowed(agent, path):
                    raise Broken(f"(d) a record of {agent} says PASS for {path}: {record['tool_name']}")

    def is_recorded(self, owed: Owed, records: list[Json]) -> bool:
        """Whether one of the records says what happened."""
        verdicts = {True: ("PASS", "EXEMPT"), False: ("FAIL",)}.get(self.model.allowed(owed.agent, owed.path), ())
        if owed.agent not in AGENTS:
            verdicts = ("PASS", "FAIL", "EXEMPT")
        for record in records:
            if (record.get("session_id") != owed.agent) is (owed.agent in AGENTS):
                continue
            if record["success"] is not True or record["scope_validation"] not in verdicts:
                continue
            for file in record["files"]:
                if file["path"] == owed.path and file["post_hash"] == hash_of(owed.after):
                    return True
                if owed.after is None and file.get("old_path") == owed.path:
                    return True
        return False

    def expect(self, owed: list[Owed], records: list[Json], *, strict: bool) -> None:
        """What is owed is on record; else, if that may come later, it stays owed."""
        for one in owed:
            if self.is_recorded(one, records):
                continue
            if strict and self.is_quiet:
                raise Broken(f"(c) not on record: {one}\nbut {[_brief(record) for record in records]}")
            self.model.owed.append(one)

    # -- the program's answers

    def guarded(
        self,
        call: Callable[[], Any],
        may_change: Mapping[str, bytes | None] | None = None,
        free: frozenset[str] = frozenset(),
    ) -> Any:
        """Call the program. It changes no file but these, and leaves in each the content that is named, if one is."""
        before = self.tree()
        answer = call()
        after = self.tree()
        for path in sorted(before.keys() | after.keys()):
            old, new = before.get(path), after.get(path)
            if (
                old == new
                or path in free
                or (may_change is not None and path in may_change and new == may_change[path])
            ):
                continue
            if self.late.get(path) == (new, old) and (old is None or old in self.trash()):
                continue  # a command that was never reported, and is undone now
            raise Broken(f"(a) {path} was {_shown(old)} and is {_shown(new)} after a call that must not change it")
        return answer

    def run(self, agent: str | None, arguments: list[str], *, env: Mapping[str, str] | None = None) -> Finished:
        """A command, by an agent or by the person."""
        host = self.hosts.person if agent is None else self.hosts.agents[agent]
        done = host.run(arguments, self.root, env=env)
        if done.code not in (0, 1, 2) or "Traceback" in done.err:
            raise Broken(f"(e) {arguments} ended with {done.code}: {done.err}")
        return done

    def begin(self, agent: str) -> None:
        """The agent's session begins with its intent, as its hooks tell it to."""
        self.guarded(lambda: self.run(agent, ["select", INTENT[agent], "--session", agent], env=_marked(agent)))

    def call_id(self) -> str:
        """A new tool call."""
        self._calls += 1
        return f"call-{self._calls}"

    def hook(
        self,
        agent: str,
        event: str,
        tool: str,
        given: Json,
        call: str,
        may_change: Mapping[str, bytes | None] | None = None,
        *,
        free: frozenset[str] = frozenset(),
        kill_after_s: float | None = None,
    ) -> Json | None:
        """One event; the answer, {} for silence, None for the exit code 2 or a hook that was killed."""
        body = {"session_id": agent, "cwd": str(self.root), "permission_mode": "default", "hook_event_name": event}
        body |= {"tool_name": tool, "tool_input": given, "tool_use_id": call}
        env = _marked(agent) | {"CLAUDE_PROJECT_DIR": str(self.root)}
        done: Finished = self.guarded(
            lambda: self.hosts.agents[agent].run(
                HOOK,
                self.root,
                env=env,
                given=json.dumps(body).encode(),
                limit=self.limit,
                kill_after_s=kill_after_s,
            ),
            may_change,
            free,
        )
        if kill_after_s is not None and done.code == -9:
            return None
        if done.code not in (0, 2) or "Traceback" in done.err or (done.code == 2 and done.err.count("\n") != 1):
            raise Broken(f"(e) the hook answered {event} of {tool} with {done}")
        if done.code == 2:
            if self.is_quiet:
                raise Broken(f"(e) the hook refuses {event} of {tool} without a reason: {done.err}")
            return None
        answer: Json = json.loads(done.out) if done.out else {}
        return answer

    def pause(self, agent: str, event: str) -> None:
        """An event that names no tool."""
        body = {"session_id": agent, "cwd": str(self.root), "permission_mode": "default", "hook_event_name": event}
        env = _marked(agent) | {"CLAUDE_PROJECT_DIR": str(self.root)}
        run = partial(self.hosts.agents[agent].run, HOOK, self.root, env=env)
        done: Finished = self.guarded(lambda: run(given=json.dumps(body).encode()))
        if done.code not in (0, 2) or "Traceback" in done.err or (done.code == 2 and self.is_quiet):
            raise Broken(f"(e) the hook answered {event} with {done}")

    @property
    def mcp(self) -> McpWire:
        """Agent 2's server."""
        if self._mcp is None:
            agent = "agent-2"
            started = self.hosts.agents[agent].serve(["mcp", "--session", agent], self.root, McpWire, _marked(agent))
            assert isinstance(started, McpWire)
            self._mcp = started
            client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "0"}}
            self._mcp.request("initialize", client)
            self._mcp.notify("notifications/initialized")
            # Not guarded: the start may complete what a killed server left.
            self._mcp.call("select_active_intent", intent_id=INTENT[agent], model_identifier="lab/m")
        return self._mcp

    def kill_lsp(self) -> None:
        """SIGKILL."""
        if self._lsp is not None:
            end(self._lsp.wire)
            self._lsp = None

    def kill_mcp(self) -> None:
        """SIGKILL."""
        if self._mcp is not None:
            end(self._mcp)
            self._mcp = None

    def tool(self, name: str, may_change: Mapping[str, bytes | None] | None = None, **arguments: Any) -> Json:
        """A call over MCP: its answer, or the refusal."""
        wire = self.mcp
        try:
            response: Json = self.guarded(lambda: wire.call(name, **arguments), may_change)
        except ServerGone as error:
            raise Broken(f"(e) the MCP server ended: {error}") from error
        if "result" not in response:
            if response["error"]["code"] == -32602:
                return {"status": "error", "code": "INVALID", "error": response["error"]["message"]}
            raise Broken(f"(e) MCP {name}: {response}")
        result = response["result"]
        if not result.get("isError"):
            return dict(result["structuredContent"])
        try:
            return dict(json.loads(result["content"][0]["text"]))
        except ValueError:
            return {"status": "error", "code": "INVALID", "error": result["content"][0]["text"]}

    @property
    def lsp(self) -> Session:
        """The person's editor."""
        if self._lsp is None:
            wire = self.hosts.person.serve(["serve"], self.root, Wire)
            folders = [{"uri": self.root.as_uri(), "name": "work"}]
            wire.initialize(rootUri=self.root.as_uri(), workspaceFolders=folders)
            self._lsp = Session(wire, self.root)
        return self._lsp

    def save(self, path: str, content: bytes) -> None:
        """The person opens a file, types, saves and closes it."""
        editor = self.lsp

        def edit() -> None:
            before = self.read(path)
            editor.open(path, "" if before is None else before.decode())
            editor.do("getActiveIntent")
            editor.type(path, content.decode())
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            editor.save(path, content.decode())
            editor.do("getActiveIntent")
            editor.close(path)
            editor.do("getActiveIntent")
            # The editor's server notes for others what is unsaved, a moment later: until then agents are refused there.
            eventually(lambda: path not in Editors(Layout(self.root).editors).unsaved_elsewhere())

        self.guarded(edit, {path: content})

    # -- whose is each line?

    def judge_blame(self) -> None:
        """No line is given to a wrong author. What still waits for the ledger is nobody's until the next action."""
        self.look()
        if not is_settled(Layout(self.root)):
            return
        for path in self.paths(*FOLDERS):
            response = self.guarded(lambda path=path: self.lsp.wire.command("intent.blame", {"path": path}))
            if "error" in response:
                raise Broken(f"(e) blame of {path}: {response['error']}")
            self._judge_lines(path, response["result"]["ranges"])

    def _judge_lines(self, path: str, ranges: list[Json]) -> None:
        named = {line: one for one in ranges for line in range(one["start_line"], one["end_line"] + 1)}
        for number, line in enumerate((self.read(path) or b"").splitlines(), start=1):
            mistake = self.model.misnamed(line, self._named(named.get(number)))
            if mistake is not None:
                raise Broken(f"(b) {path}:{number}: {mistake}")

    def _named(self, one: Json | None) -> str | None:
        if one is None or one["trace_id"] is None:
            return None
        if one["contributor"]["type"] == "human":
            return OTHERS
        record = self.seen.get(one["trace_id"])
        if record is None:  # it still waits for the ledger
            return {intent: agent for agent, intent in INTENT.items()}.get(one["intent_id"], OTHERS)
        return str(record.get("session_id"))

    def trash(self) -> list[bytes]:
        """What was undone."""
        folder = self.root / ".orchestration/.state/trash"
        return [file.read_bytes() for file in folder.rglob("*") if file.is_file()]

    # -- git, by anybody

    def git(self, *arguments: str) -> bool:
        """Whether git did it. Git is no part of the program: what it leaves is how things are."""
        done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            self.say(f"(git {' '.join(arguments)} failed)")
        return done.returncode == 0

    def commit(self) -> None:
        """All there is."""
        if git(self.root, "status", "--porcelain"):
            commit_all(self.root, "Work")


def end(wire: Wire) -> None:
    """End a server that may be dead already."""
    assert wire.process is not None
    wire.process.kill()
    wire.process.wait(PATIENCE_S)
    wire.disconnect()


def _marked(agent: str) -> Json:
    return {"CLAUDE_CODE_SESSION_ID": agent}


def _content(file: Path) -> bytes:
    return b"-> " + os.readlink(os.fsencode(file)) if file.is_symlink() else file.read_bytes()


def _parsed(line: bytes) -> Json | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None  # torn, or damaged on purpose
    return record if isinstance(record, dict) and "id" in record and "files" in record else None


def _brief(record: Json) -> str:
    said = [f"{file['change']} {file['path']}" for file in record["files"]]
    return f"{record.get('session_id')} {record['scope_validation']} {record['success']} {said}"


def _shown(content: bytes | None) -> str:
    return "absent" if content is None else repr(content[-80:])
