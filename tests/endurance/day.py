"""A day in the life of one server: an editor in use and four agents at work, in one connection, one after the other.

Each request is drawn at random with a seed. Files are edited in place, so that the workspace stays as large as it was:
what grows is the ledger, and whatever the server does not let go.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.patience import PATIENCE_S
from tests.support.session import Session
from tests.support.workspaces import make_git_repo, make_workspace

AGENTS = ("agent-1", "agent-2", "agent-3", "agent-4")
FILES = 40
LINES = 60
INTENTS_PATH = ".orchestration/active_intents.yaml"
INTENTS = "active_intents:\n" + "".join(
    f"  - id: INT-{n:03}\n    name: Part {n}\n    status: IN_PROGRESS\n    owned_scope: ['src/part{n % 4}/**']\n"
    for n in range(12)
)


def make_day_workspace(folder: Path) -> Path:
    """Four parts with files of equal size, twelve intents, all committed."""
    files = {f"src/part{n % 4}/file{n}.py": content(n) for n in range(FILES)}
    root = make_workspace(folder, INTENTS, {**files, "docs/guide.md": "# Guide\n"}, policy="linters: []\n")
    return make_git_repo(root)


def content(number: int) -> str:
    return "".join(f"name_{number}_{line} = {line}\n" for line in range(LINES))


@dataclass(frozen=True)
class Sample:
    """What the server's process holds: private memory in MiB, open descriptors, threads."""

    memory: float
    descriptors: int
    threads: int

    @classmethod
    def of(cls, pid: int) -> Sample:
        status = dict(
            line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line
        )
        return cls(
            int(status["RssAnon"].split()[0]) / 1024,
            len(list(Path(f"/proc/{pid}/fd").iterdir())),
            int(status["Threads"]),
        )


@dataclass
class Day:
    """The client's side. `times` are seconds from request to answer, in order, with what was asked."""

    session: Session
    rng: random.Random
    shown: dict[str, str] = field(default_factory=dict)
    times: list[tuple[str, float]] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    sent: int = 0
    _turn: int = 0

    def __post_init__(self) -> None:
        self.session.wire.handlers["workspace/applyEdit"] = self._apply
        self.session.wire.handlers["client/registerCapability"] = lambda params: None
        for handled in ("workspace/codeLens/refresh", "workspace/diagnostic/refresh", "workspace/inlayHint/refresh"):
            self.session.wire.handlers[handled] = lambda params: None
        self.session.wire.handlers["window/workDoneProgress/create"] = lambda params: None

    def live(self, requests: int, samples: int) -> None:
        """So many messages; the process is looked at so many times, evenly."""
        every = max(1, requests // samples)
        steps = [step for step, weight in self._habits() for _ in range(weight)]
        next_look = every
        while self.sent < requests:
            self.rng.choice(steps)()
            if self.sent >= next_look:
                next_look += every
                self._look()

    def _habits(self) -> list[tuple[Callable[[], None], int]]:
        return [
            (self._types, 30),
            (self._saves, 4),
            (self._opens, 3),
            (self._closes, 2),
            (self._looks_at, 14),
            (self._edits_intents, 3),
            (self._gives_up, 4),
            (self._agent_reads, 8),
            (self._agent_edits, 10),
            (self._agent_is_refused, 4),
            (self._agent_asks, 10),
            (self._agent_selects, 3),
            (self._configuration_changes, 1),
            (self._nonsense, 1),
        ]

    def _look(self) -> None:
        wire = self.session.wire
        assert wire.process is not None
        self.samples.append(Sample.of(wire.process.pid))
        wire.forget()

    # -- the editor

    def _path(self) -> str:
        number = self.rng.randrange(FILES)
        return f"src/part{number % 4}/file{number}.py"

    def _open_path(self) -> str:
        if not self.shown:
            self._opens()
        return self.rng.choice(sorted(self.shown))

    def _opens(self) -> None:
        path = self._path()
        if path in self.shown or len(self.shown) > 8:
            return
        self.shown[path] = (self.session.root / path).read_text()
        self.session.open(path, self.shown[path])
        self.sent += 1

    def _closes(self) -> None:
        if self.shown:
            path = self._open_path()
            del self.shown[path]
            self.session.close(path)
            self.sent += 1

    def _types(self) -> None:
        path = self._open_path()
        lines = self.shown[path].splitlines(keepends=True)
        at = self.rng.randrange(len(lines))
        lines[at] = f"typed_{self.rng.randrange(10**6)} = {at}\n"
        self.shown[path] = "".join(lines)
        self.session.type(path, self.shown[path])
        self.sent += 1

    def _saves(self) -> None:
        path = self._open_path()
        self.session.save(path, self.shown[path])
        self.sent += 1

    def _looks_at(self) -> None:
        path = self._open_path()
        document = {"textDocument": {"uri": self.session.uri(path)}}
        line = self.rng.randrange(LINES)
        position = {"position": {"line": line, "character": 2}}
        spot = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 1}}
        method, more = self.rng.choice(
            (
                ("textDocument/hover", position),
                ("textDocument/codeLens", {}),
                ("textDocument/codeAction", {"range": spot, "context": {"diagnostics": []}}),
            )
        )
        self._ask(method, {**document, **more})

    def _edits_intents(self) -> None:
        """Somebody looks into the intents file, asks for a completion, and leaves it as it was."""
        text = (self.session.root / INTENTS_PATH).read_text()
        self.session.open(INTENTS_PATH, text)
        document = {"textDocument": {"uri": self.session.uri(INTENTS_PATH)}}
        self.session.type(INTENTS_PATH, text + "  - id: INT-NEW\n    sta")
        end = {"line": text.count("\n") + 1, "character": 7}
        self._ask("textDocument/completion", {**document, "position": end})
        self._ask("textDocument/documentSymbol", document)
        self.session.close(INTENTS_PATH)
        self.sent += 3

    def _gives_up(self) -> None:
        """A question that is withdrawn at once: an answer comes all the same, whichever."""
        wire = self.session.wire
        kind = self.rng.choice(("intent.blame", "intent.queryTrace", "intent.verifyTrace"))
        arguments: dict[str, Any] = {"path": self._path()} if kind == "intent.blame" else {}
        question = wire.ask("workspace/executeCommand", {"command": kind, "arguments": [arguments]})
        wire.notify("$/cancelRequest", {"id": question})
        wire.answer(question, timeout=PATIENCE_S)
        self.sent += 2

    def _nonsense(self) -> None:
        error = self.session.fails(self.rng.choice(("blame", "editFile", "selectActiveIntent")), nonsense=1)
        assert error["code"] == -32602
        self.sent += 1

    # -- the agents

    def _agent(self) -> tuple[str, int]:
        number = self.rng.randrange(len(AGENTS))
        return AGENTS[number], number

    def _agent_selects(self) -> None:
        session, part = self._agent()
        intent = f"INT-{part + 4 * self.rng.randrange(3):03}"
        assert self._do("selectActiveIntent", session_id=session, intent_id=intent)["status"] == "ok"

    def _agent_reads(self) -> None:
        session, _ = self._agent()
        assert self._do("readFile", session_id=session, path=self._path())["status"] == "ok"

    def _agent_edits(self) -> None:
        session, part = self._agent()
        if self._do("getActiveIntent", session_id=session)["state"] != "ACTIVE":
            self._do("selectActiveIntent", session_id=session, intent_id=f"INT-{part:03}")
        path = f"src/part{part}/file{part + 4 * self.rng.randrange(FILES // 4)}.py"
        text = self._do("readFile", session_id=session, path=path)["content"]
        lines = text.splitlines(keepends=True)
        self._turn += 1
        old = self.rng.choice(lines)
        result = self._do(
            "editFile",
            session_id=session,
            path=path,
            old_string=text,
            new_string=text.replace(old, f"n = {self._turn}\n", 1),
        )
        assert result["status"] == "ok", result

    def _agent_is_refused(self) -> None:
        session, part = self._agent()
        result = self._do("checkEdit", session_id=session, path=f"src/part{(part + 1) % 4}/file1.py")
        assert result["status"] in ("ok", "error")
        refused = self._do("writeToFile", session_id=session, path="docs/guide.md", content="x")
        assert refused["status"] == "error"

    def _agent_asks(self) -> None:
        session, part = self._agent()
        self.rng.choice(
            (
                lambda: self._do("queryTrace", intent_id=f"INT-{part:03}"),
                lambda: self._do("queryTrace", path=self._path(), limit=5),
                lambda: self._do("blame", path=self._path()),
                lambda: self._do("listIntents", session_id=session),
                lambda: self._do("checkEdit", session_id=session, path=self._path()),
            )
        )()

    def _configuration_changes(self) -> None:
        file = self.session.root / INTENTS_PATH
        text = file.read_text()
        self._turn += 1
        file.write_text(f"{text.partition('# turn')[0]}# turn {self._turn}\n")
        changes = [{"uri": self.session.uri(INTENTS_PATH), "type": 2}]
        self.session.wire.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        self.sent += 1

    # -- asking

    def _do(self, command: str, **arguments: Any) -> dict[str, Any]:
        answer = self._ask("workspace/executeCommand", {"command": f"intent.{command}", "arguments": [arguments]})
        result: dict[str, Any] = answer["result"]
        return result

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        began = time.perf_counter()
        answer = self.session.wire.request(method, params, timeout=PATIENCE_S)
        self.times.append((params.get("command", method), time.perf_counter() - began))
        self.sent += 1
        assert "error" not in answer, answer
        return answer

    def _apply(self, params: Any) -> Any:
        """The editor carries out an edit of an open document. All text here is ASCII: a column is a character."""
        for change in params["edit"]["documentChanges"]:
            path = next(path for path in self.shown if self.session.uri(path) == change["textDocument"]["uri"])
            text = self.shown[path]
            starts = [0]
            for line in text.splitlines(keepends=True):
                starts.append(starts[-1] + len(line))
            for edit in sorted(change["edits"], key=lambda edit: -_offset(starts, edit["range"]["start"])):
                start, end = (_offset(starts, edit["range"][each]) for each in ("start", "end"))
                text = text[:start] + edit["newText"] + text[end:]
            self.shown[path] = text
            self.session.type(path, text)
        return {"applied": True}


def _offset(starts: list[int], position: dict[str, int]) -> int:
    return starts[min(position["line"], len(starts) - 1)] + position["character"]


def p99(times: list[float]) -> float:
    """The time that one in a hundred takes longer than."""
    return sorted(times)[int(len(times) * 0.99)]
