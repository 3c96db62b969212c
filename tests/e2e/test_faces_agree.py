"""The same generated actions through every face: editors, MCP, the command line, and the hooks of five agents.

One engine decides, so every face must say the same: whether the action may go on, and if not, with which code, which
sentence and which hint. The actions are drawn from a fixed seed; each is put to every face that has a way to say it.
"""

from __future__ import annotations

import os
import random
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from intentls.core.hashing import content_hash
from intentls.store.sessions.sessions import Sessions
from tests.support.dialects import AGENTS
from tests.support.mcp_wire import McpWire
from tests.support.session import session
from tests.support.verdicts import INVALID, Action, CliFace, HookFace, LspFace, McpFace, Verdict, give_session
from tests.support.workspaces import make_workspace, write_files

ACTIONS = 500
SEED = 5
REAL_PROCESSES = 6
LONG = bool(os.environ.get("INTENTLS_LONG"))

INTENTS = """\
active_intents:
  - {id: INT-001, name: API, status: IN_PROGRESS, owned_scope: ["src/api/**", "!src/api/gen/**", "t/*.py"]}
  - {id: INT-002, name: Guide, status: PLANNED, owned_scope: ["docs/**"]}
  - {id: INT-003, name: Done, status: COMPLETED, owned_scope: ["src/**"]}
  - {id: INT-004, name: Ignored, status: IN_PROGRESS, owned_scope: ["src/**"]}
  - {id: INT-005, name: Everything, status: BLOCKED}
  - {id: INT-006, name: Setup, owned_scope: [".orchestration/active_intents.yaml", ".intentignore"]}
  - id: INT-007
    name: Careful
    owned_scope: ["src/**", "docs/**"]
    constraints: [Be kind, {forbid_import: requests}, {forbid_pattern: "eval("}, {max_changed_lines: 4}]
"""
IGNORE = "intent: INT-004\n*.secret\nsrc/api/vendor/\n"
FILES = {
    "src/api/weather.py": "import os\nSUN = 1\nRAIN = 2\n",
    "src/api/winds.py": "one\ntwo\nthree\nfour\nfive\nsix\n",
    "src/api/gen/schema.py": "SCHEMA = 1\n",
    "src/api/key.secret": "k = 1\n",
    "src/api/vendor/lib.py": "LIB = 1\n",
    "src/web/page.py": "PAGE = 1\n",
    "docs/design.md": "# Design\nMore\n",
    "t/test_a.py": "A = 1\n",
    "src/api/inner/.orchestration/active_intents.yaml": "active_intents: [{id: IN-1, owned_scope: ['**']}]\n",
    "src/api/inner/x.py": "X = 1\n",
}
NEW = ("src/api/new.py", "docs/deep/new.md", "src/api/gen/new.py", "new.txt", "t/deep/new.py", "src/api/a b/ü.py")
ODD = (
    *(".git/config", ".GIT/hooks/pre-commit", ".git./x", "src/api/.git /x", "git~1/config", "src/../.git/x"),
    *(".orchestration/policy.yaml", ".orchestration/agent_trace.jsonl", ".Orchestration/x", ".intentignore"),
    *("../outside.txt", "src/api/../../../x", "src/api/out/x.txt", "src/api/out/../y.txt", "src/./api//plain.py"),
    *(".orchestration/active_intents.yaml", "src/api", "docs", "src/api/" + "n" * 300, "src/api/weather.py/x"),
)
INTENT_IDS = (
    *["INT-001"] * 8,
    "INT-002",
    "INT-003",
    "INT-004",
    "INT-005",
    "INT-006",
    *["INT-007"] * 4,
    "INT-404",
    None,
)
# What the workspace says while a share of the actions is judged: policy, and the intents file if it is another.
SETTINGS: tuple[tuple[str, str | None], ...] = (
    ("", INTENTS),
    ("hitl: deny\nshell: deny\n", INTENTS),
    ("require_base: true\n", INTENTS),
    ("mode: advise\n", INTENTS),
    ("empty_scope: deny\n", INTENTS),
    ("", "active_intents: [{id: INT-001}, {id: INT-001}]\n"),
    ("on_invalid: allow\n", "active_intents: {\n"),
    ("", None),
)

# Agents that say in a notation of their own, or by a tool that nobody knows, what becomes of a file.
NOTATIONS = {
    **{"write_to_file": ("codex",), "edit_file": ("codex", "cline"), "rename_file": AGENTS},
    **{"delete_file": tuple(agent for agent in AGENTS if agent != "cursor")},
}
FACES = {"lsp check", "lsp announce", "lsp edit", "mcp check", "mcp edit", "cli check"} | {f"hook {a}" for a in AGENTS}
CODES = {
    *(None, INVALID.code, "HOOK_ERROR", "INTENT_REQUIRED", "INTENT_NOT_FOUND", "INTENT_CLOSED", "INTENT_IGNORED"),
    *("INTENT_MISMATCH", "PATH_OUTSIDE_WORKSPACE", "PROTECTED_PATH", "INTENTIGNORE_PATH_BLOCKED", "SCOPE_VIOLATION"),
    *("STALE_CONTEXT", "BASE_HASH_REQUIRED", "CONSTRAINT_VIOLATION"),
}


class Generator:
    """Draws actions."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def action(self) -> Action:
        chance = self._random.random()
        action = self._tool()
        action = replace(action, intent=self._random.choice(INTENT_IDS), known=self._known(action.paths))
        if chance < 0.08:
            return replace(action, cited=self._random.choice(("INT-001", "INT-002", "INT-404")))
        if chance < 0.16 and len(action.paths) == 1:
            return replace(action, expected=self._hash(action.paths[0]))
        return action

    def _tool(self) -> Action:
        draw = (self._write, self._write, self._edit, self._patch, self._delete, self._rename, self._other)
        return self._random.choice(draw)()

    def _path(self) -> str:
        kinds = (tuple(FILES), tuple(FILES), NEW, ODD)
        return self._random.choice(self._random.choice(kinds))

    def _existing(self) -> str:
        return self._random.choice(tuple(FILES))

    def _text(self) -> str:
        return self._random.choice(("X = 2\n", "import requests\n", "eval('1')\n", "a\nb\nc\nd\ne\nf\n"))

    def _write(self) -> Action:
        path = self._path()
        return _action("write_to_file", {"path": path, "content": self._text()}, path, acts=True)

    def _edit(self) -> Action:
        path = self._existing()
        old = FILES[path].splitlines()[0]
        params = {"path": path, "old_string": old, "new_string": old + "  # " + self._text().splitlines()[0]}
        return _action("edit_file", params, path, acts=True)

    def _patch(self) -> Action:
        changed, new = self._existing(), self._random.choice((*NEW, *ODD[:3]))
        first = FILES[changed].splitlines()[0]
        parts = [f"--- a/{changed}\n+++ b/{changed}\n@@ -1 +1,2 @@\n {first}\n+{self._text().splitlines()[0]}\n"]
        paths = [changed]
        if self._random.random() < 0.5:
            parts.append(f"--- /dev/null\n+++ b/{new}\n@@ -0,0 +1 @@\n+{self._text().splitlines()[0]}\n")
            paths.append(new)
        return _action("apply_patch", {"patch": "".join(parts)}, *paths, acts=True)

    def _delete(self) -> Action:
        path = self._existing()
        return _action("delete_file", {"path": path}, path, acts=True)

    def _rename(self) -> Action:
        old, new = self._existing(), self._random.choice(NEW)
        return _action("rename_file", {"path": old, "new_path": new}, old, new, acts=True)

    def _other(self) -> Action:
        if self._random.random() < 0.3:
            return _action("execute_command", {"command": "make"})
        path = self._path()
        return _action(self._random.choice(("paint", "mcp_sync", "reading")), {"path": path}, path)

    def _known(self, paths: tuple[str, ...]) -> Mapping[str, str]:
        return {path: self._hash(path) for path in paths if path in FILES and self._random.random() < 0.5}

    def _hash(self, path: str) -> str:
        return content_hash(FILES[path].encode() if path in FILES and self._random.random() < 0.6 else b"old")


def _action(tool: str, params: Mapping[str, Any], *paths: str, acts: bool = False) -> Action:
    return Action(tool, params, paths, None, {}, acts=acts)


@dataclass(frozen=True)
class Course:
    """One face's own copy of the workspace, in which every action begins from the same state."""

    root: Path

    def set(self, policy: str, intents: str | None) -> None:
        """From now on, the workspace says this."""
        folder = self.root / ".orchestration"
        # A hook has announced commands that are never reported: what a person writes meanwhile would wait.
        shutil.rmtree(folder / ".state" / "accepted", ignore_errors=True)
        (folder / "policy.yaml").write_text(policy)
        if intents is None:
            (folder / "active_intents.yaml").unlink()
        else:
            (folder / "active_intents.yaml").write_text(intents)

    def prepare(self, action: Action, number: int, intents: str | None) -> str:
        """Put the files back that an action may have changed, and begin its session."""
        for path in {*action.paths, *FILES}:
            target = self.root / path
            if path in FILES:
                if not target.is_file() or target.read_bytes() != FILES[path].encode():
                    write_files(self.root, {path: FILES[path]})
            elif path in NEW or path == "src/./api//plain.py":
                target.unlink(missing_ok=True)
        write_files(self.root, {".intentignore": IGNORE})
        if intents is not None:
            write_files(self.root, {".orchestration/active_intents.yaml": intents})
        name = f"s{number}"
        Sessions(self.root / ".orchestration/.state/sessions").drop(f"s{number - 1}")
        give_session(self.root, name, action)
        return name


def _course(folder: Path) -> Course:
    root = make_workspace(folder / "work", INTENTS, FILES, ignore=IGNORE)
    (folder / "elsewhere").mkdir()
    (root / "src/api/out").symlink_to(folder / "elsewhere")
    # A ledger with a record: without its intents file the root is invalid then, not ungoverned.
    (root / ".orchestration/agent_trace.jsonl").write_text('{"version":"0.1.0","id":"x"}\n')
    return Course(root)


Said = list[dict[str, Verdict]]


def _run(
    course: Course, actions: list[Action], ask: Callable[[Action, str, int], Iterator[tuple[str, Verdict]]]
) -> Said:
    said: Said = []
    share = -(-len(actions) // len(SETTINGS))
    for number, action in enumerate(actions):
        policy, intents = SETTINGS[number // share]
        if number % share == 0:
            course.set(policy, intents)
        name = course.prepare(action, number, intents)
        said.append(dict(ask(action, name, number)))
    return said


def _lsp(course: Course, actions: list[Action]) -> Said:
    with session(course.root) as server:
        face = LspFace(server)

        def ask(action: Action, name: str, number: int) -> Iterator[tuple[str, Verdict]]:
            yield from face.verdicts(action, name)

        return _run(course, actions, ask)


def _mcp(course: Course, actions: list[Action]) -> Said:
    with McpWire.begin(course.root) as wire:
        face = McpFace(wire, course.root)
        return _run(course, actions, lambda action, name, _: face.verdicts(action, name))


def _cli_and_hooks(course: Course, actions: list[Action]) -> Said:
    line, hooks = CliFace(course.root), HookFace(course.root)
    every = len(actions) // REAL_PROCESSES

    def ask(action: Action, name: str, number: int) -> Iterator[tuple[str, Verdict]]:
        yield from line.verdicts(action, name)
        able = hooks.able(action)
        mine = able[number % len(able) :][:1] if able else ()
        yield from hooks.verdicts(action, name, agents=able if LONG else mine)
        if number % every == every - 1:
            for face, verdict in hooks.verdicts(action, name, agents=mine, real=True):
                yield f"{face}, a process", verdict

    return _run(course, actions, ask)


def test_every_face_gives_the_same_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, figure: Callable[[str], None]
) -> None:
    """500 generated actions: editors, MCP, the command line and five agents' hooks all say the same of each."""
    for name in ("CLAUDE_PROJECT_DIR", "INTENTLS_SESSION"):
        monkeypatch.delenv(name, raising=False)
    generator = Generator(SEED)
    actions = [generator.action() for _ in range(ACTIONS)]
    said: dict[str, Said] = {}

    def in_background(name: str, drive: Callable[[Course, list[Action]], Said]) -> threading.Thread:
        def work() -> None:
            said[name] = drive(_course(tmp_path / name), actions)

        thread = threading.Thread(target=work)
        thread.start()
        return thread

    servers = [in_background("lsp", _lsp), in_background("mcp", _mcp)]
    said["here"] = _cli_and_hooks(_course(tmp_path / "here"), actions)
    for thread in servers:
        thread.join()
    assert set(said) == {"lsp", "mcp", "here"}
    together = [{**a, **b, **c} for a, b, c in zip(said["lsp"], said["mcp"], said["here"], strict=True)]
    wrong = [
        f"{number} {action}\n" + "\n".join(f"    {face}: {verdict}" for face, verdict in verdicts.items())
        for number, (action, verdicts) in enumerate(zip(actions, together, strict=True))
        if len(set(_judged_by_all(action, verdicts).values())) != 1
    ]
    assert not wrong, f"{len(wrong)} disagreements\n" + "\n".join(wrong[:8])
    _check_variety(together, figure)


def _judged_by_all(action: Action, verdicts: dict[str, Verdict]) -> dict[str, Verdict]:
    """The verdicts that must be the same: all, unless it is what the edit would make of its files that breaks a rule.

    Who only asks about a path does not say what they would make of it, and not every agent says so in a way that its
    hook can read.
    """
    if not any(verdict.code == "CONSTRAINT_VIOLATION" for verdict in verdicts.values()):
        return verdicts
    blind = {"lsp check", "mcp check", "cli check", *(f"hook {agent}" for agent in NOTATIONS.get(action.tool, ()))}
    return {face: verdict for face, verdict in verdicts.items() if face.removesuffix(", a process") not in blind}


def _check_variety(together: list[dict[str, Verdict]], figure: Callable[[str], None]) -> None:
    """What was generated reaches every face, every dialect, and every answer that the gate has."""
    faces = Counter(face for verdicts in together for face in verdicts if "process" not in face)
    codes = Counter(verdict.code for verdicts in together for verdict in set(verdicts.values()))
    assert set(faces) == FACES and min(faces.values()) >= ACTIONS // 20, faces
    assert codes.keys() >= CODES and min(codes[code] for code in CODES) >= 2, codes
    figure(f"faces agree: {sum(faces.values())} verdicts on {len(together)} actions, {len(codes)} kinds of answer")
