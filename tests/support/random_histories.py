"""A world in which everybody knows who wrote which line: each line has a number that no other ever gets.

The truth is one dictionary from that number to its author, kept here and nowhere else. Files, commits and the ledger
are whatever the engine and git make of them; nothing of the engine's own idea of a line is used.
"""

from __future__ import annotations

import difflib
import json
import random
import re
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from intentls.core.gate.refusal import Refusal
from intentls.engine.actions.effects import drive
from intentls.engine.actions.request import EditRequest
from intentls.engine.blame.blame import blame_at
from intentls.engine.edits import saves
from intentls.engine.edits.read import read_file
from intentls.engine.tools import host_tools, shell_changes, shell_comparison, tool_reports
from intentls.engine.tools.host_tools import HostTool
from intentls.engine.tools.tool_reports import ToolReport
from intentls.engine.wire.answers import BlameAnswer
from tests.support.agent_edits import Agent
from tests.support.workspaces import commit_all, git, make_git_repo, make_workspace

LEDGER = ".orchestration/agent_trace.jsonl"
INTENTS = """\
active_intents:
  - {id: INT-001, name: One, status: IN_PROGRESS, owned_scope: ["src/**"]}
  - {id: INT-002, name: Two, status: IN_PROGRESS, owned_scope: ["src/**"]}
  - {id: INT-003, name: Three, status: IN_PROGRESS, owned_scope: ["src/**"]}
"""
NUMBER = re.compile(r"value_(\d+)")
# Lines that stand everywhere and so prove nothing; nobody is asked whose they are.
TRIVIAL = ("\n", "\n", "# ----\n")


@dataclass(frozen=True)
class Author:
    """Who may be named for a line; `session` None is a person at an editor."""

    intent: str
    session: str
    kind: str = "ai"


AGENTS = tuple(Author(f"INT-00{n}", f"agent-{n}") for n in (1, 2, 3))
PERSON = Author("INT-001", "person", "human")
NOBODY = Author("", "", "")
"""Whoever changed a file behind the tool's back: blame must name nobody."""


@dataclass
class Mistake:
    """One line that blame got wrong; `lost` is a line of which it names nobody."""

    path: str
    line: int
    text: str
    wanted: Author
    got: str
    lost: bool


@dataclass
class World:
    """One repository, several authors, and the truth.

    `soft` are lines that a formatter changed unseen: they may be lost. `also` are further authors that may be named.
    `moves` says of lines that moved without a record which move was the last, and `written` which were written at once:
    a line that moved without any line that was written with it may be lost.
    """

    root: Path
    rng: random.Random
    author: dict[int, Author] = field(default_factory=dict)
    soft: set[int] = field(default_factory=set)
    also: dict[int, set[Author]] = field(default_factory=dict)
    moves: dict[int, int] = field(default_factory=dict)
    written: dict[int, int] = field(default_factory=dict)
    history: list[str] = field(default_factory=list)
    checked: int = 0
    move_count: int = 0
    _numbers: int = 0
    _names: int = 0

    @classmethod
    def make(cls, folder: Path, seed: int, *, ledger_in_git: bool) -> World:
        rng = random.Random(seed)
        ignored = ".state/\nspatial_map.json\nintent_map.md\n" + ("" if ledger_in_git else "agent_trace.jsonl\n")
        root = make_workspace(
            folder,
            INTENTS,
            {
                ".gitattributes": f"{LEDGER} merge=union -text\n* -text\n",
                ".orchestration/.gitignore": ignored,
            },
            policy="mode: enforce\nhitl: deny\nlinters: []\n",
        )
        world = cls(root, rng)
        for name in ("src/one.py", "src/two.py"):
            world.put(name, world.lines(NOBODY, 12))
        make_git_repo(root)
        for each in AGENTS:
            world.writes(each)
        world.commits()
        git(root, "tag", "start")
        return world

    # -- material

    def lines(self, author: Author, count: int) -> list[str]:
        """Fresh lines of `author`, as a careless hand writes them, with something trivial in between."""
        made: list[str] = []
        first = self._numbers + 1
        for number in range(first, first + count):
            self._numbers = number
            self.author[number], self.written[number] = author, first
            made.append(
                self.rng.choice(
                    (
                        f"value_{number} = make({self.rng.randint(0, 9)})\n",
                        f"value_{number}=make( {self.rng.randint(0, 9)} )\n",
                        f"value_{number} = [{self.rng.randint(0, 9)},2]\n",
                    )
                )
            )
            if self.rng.random() < 0.15:
                made.append(self.rng.choice(TRIVIAL))
        return made

    def paths(self) -> list[str]:
        return sorted(path.relative_to(self.root).as_posix() for path in (self.root / "src").rglob("*.py"))

    def pick(self) -> str:
        return self.rng.choice(self.paths())

    def fresh_path(self) -> str:
        self._names += 1
        return f"src/{self.rng.choice(('', 'deep/', 'deep/er/'))}new{self._names}.py"

    def read(self, path: str) -> list[str]:
        return (self.root / path).read_bytes().decode().splitlines(keepends=True)

    def put(self, path: str, lines: list[str]) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes("".join(lines).encode())

    def changed(self, lines: list[str], author: Author) -> list[str]:
        """`lines` with something inserted, replaced and deleted."""
        lines = list(lines)
        for _ in range(self.rng.randint(1, 3)):
            at, count = self.rng.randint(0, len(lines)), self.rng.randint(0, 4)
            lines[at : at + self.rng.choice((0, 0, count))] = self.lines(author, self.rng.choice((0, 1, 1, 2, 6)))
        return lines

    def shuffled(self, lines: list[str], *, is_seen: bool = True) -> list[str]:
        """`lines` with one block moved elsewhere."""
        lines = list(lines)
        at, count = self.rng.randint(0, len(lines)), self.rng.randint(3, 8)
        block = lines[at : at + count]
        del lines[at : at + count]
        to = self.rng.randint(0, len(lines))
        if not is_seen:
            self.note_move(block)
            self.note_move(lines[min(at, to) : max(at, to)])  # they changed places with the block
        lines[to:to] = block
        return lines

    # -- how something gets changed: every way leaves `path` with `lines`

    def agent(self, author: Author) -> Agent:
        """The author's session, which has just read everything."""
        agent = Agent(self.root, author.session).select(author.intent)
        for path in self.paths():
            read_file(agent.engine, author.session, path)
        return agent

    def done(self, outcome: object) -> None:
        assert not isinstance(outcome, Refusal), outcome

    def by_writing(self, author: Author, path: str, lines: list[str]) -> None:
        self.done(self.agent(author).write(path, "".join(lines)))

    def by_patch(self, author: Author, path: str, lines: list[str]) -> None:
        self.patched(author, {path: lines})

    def patched(self, author: Author, files: dict[str, list[str]]) -> None:
        text = "".join(
            part
            for path, lines in files.items()
            for part in difflib.unified_diff(self.read(path), lines, f"a/{path}", f"b/{path}", n=1)
        )
        if text:
            self.done(self.agent(author).patch(text))

    def by_host(self, author: Author, path: str, lines: list[str]) -> None:
        engine = self.agent(author).engine
        tool = "write_to_file"
        self.done(drive(host_tools.before_tool(engine, EditRequest(HostTool(tool, (path,)), author.session))))
        self.put(path, lines)
        tool_reports.after_tool(engine, author.session, ToolReport(tool, {"path": path}, success=True))

    def by_shell(self, author: Author, path: str, lines: list[str]) -> None:
        self.in_shell(author, lambda: self.put(path, lines))

    def in_shell(self, author: Author, action: Callable[[], object]) -> None:
        workspace = self.agent(author).engine.workspace(self.root)
        call = shell_changes.ShellCall(author.session, "execute_command", uuid.uuid4().hex)
        shell_changes.remember(workspace, call)
        action()
        shell_comparison.reconcile(workspace, call)

    def by_person(self, path: str, lines: list[str]) -> None:
        workspace = self.agent(PERSON).engine.workspace(self.root)
        saves.opened(workspace, path, "".join(self.read(path)))
        self.put(path, lines)
        saves.saved(workspace, path, "".join(lines), PERSON.session)
        saves.closed(workspace, path)

    def recorded(self, author: Author, path: str, lines: list[str]) -> None:
        ways = (self.by_writing, self.by_patch, self.by_host, self.by_shell)
        if author is PERSON:
            self.by_person(path, lines)
        else:
            self.rng.choice(ways)(author, path, lines)

    def somebody(self) -> Author:
        return self.rng.choice((*AGENTS, *AGENTS, PERSON))

    # -- steps

    def writes(self, author: Author | None = None) -> None:
        author = author or self.rng.choice(AGENTS)
        self.by_writing(author, self.fresh_path(), self.lines(author, self.rng.randint(4, 15)))

    def edits(self) -> None:
        author, path = self.somebody(), self.pick()
        self.recorded(author, path, self.changed(self.read(path), author))

    def edits_unseen(self) -> None:
        path = self.pick()
        self.put(path, self.changed(self.read(path), NOBODY))

    def edits_twice_with_a_gap(self) -> None:
        """A recorded edit on top of one that nobody saw."""
        path = self.pick()
        self.put(path, self.changed(self.read(path), NOBODY))
        author = self.somebody()
        self.recorded(author, path, self.changed(self.read(path), author))

    def moves_in_file(self) -> None:
        path = self.pick()
        self.recorded(self.somebody(), path, self.shuffled(self.read(path)))

    def moves_in_file_unseen(self) -> None:
        path = self.pick()
        self.put(path, self.shuffled(self.read(path), is_seen=False))

    def note_move(self, lines: list[str]) -> None:
        """These lines stand in another place from now on, and no record tells of it."""
        self.move_count += 1
        known = (number for line in lines for number in numbers(line))
        self.moves |= {number: self.move_count for number in known if self.author[number] is not NOBODY}

    def moves_between_files(self) -> None:
        """A block goes from one file to another, in one patch."""
        if len(self.paths()) < 2:
            return
        source, target = self.rng.sample(self.paths(), 2)
        here, there, block = self._cut(source, target)
        if block:
            self.patched(self.rng.choice(AGENTS), {source: here, target: there})

    def moves_between_files_by_two_edits(self) -> None:
        if len(self.paths()) < 2:
            return
        source, target = self.rng.sample(self.paths(), 2)
        here, there, block = self._cut(source, target)
        if len([line for line in block if NUMBER.search(line)]) < 3:
            return
        author = self.rng.choice(AGENTS)
        for number in (number for line in block for number in numbers(line)):
            # Of bytes that nobody recorded before, the ledger can't tell that they stood elsewhere.
            if self.author[number] is NOBODY or number in self.soft:
                self.also.setdefault(number, set()).add(author)
        steps = [(source, here), (target, there)]
        self.rng.shuffle(steps)
        for path, lines in steps:
            self.recorded(author, path, lines)

    def moves_between_files_unseen(self) -> None:
        if len(self.paths()) < 2:
            return
        source, target = self.rng.sample(self.paths(), 2)
        here, there, block = self._cut(source, target)
        if len([line for line in block if NUMBER.search(line)]) >= 3:
            self.note_move(block)
            self.put(source, here)
            self.put(target, there)

    def _cut(self, source: str, target: str) -> tuple[list[str], list[str], list[str]]:
        here, there = self.read(source), self.read(target)
        at, count = self.rng.randint(0, len(here)), self.rng.randint(3, 8)
        block = here[at : at + count]
        del here[at : at + count]
        to = self.rng.randint(0, len(there))
        there[to:to] = block
        return here, there, block

    def formats(self) -> None:
        """A formatter runs where it is seen: in an agent's shell, or at a person's save."""
        path = self.pick()
        self.recorded(self.somebody(), path, self._formatted(path))

    def formats_unseen(self) -> None:
        """A formatter runs behind everybody's back: what it changed may be lost, never given to another."""
        path = self.pick()
        before = set(self.read(path))
        lines = self._formatted(path)
        self.soft.update(number for line in lines if line not in before for number in numbers(line))
        self.put(path, lines)

    def formats_unseen_after_commit(self) -> None:
        self.commits()
        self.formats_unseen()

    def _formatted(self, path: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-m", "ruff", "format", "--isolated", "--stdin-filename", "x.py", "-"],
            input="".join(self.read(path)),
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.splitlines(keepends=True)

    def renames(self) -> None:
        self.done(self.agent(self.rng.choice(AGENTS)).rename(self.pick(), self.fresh_path()))

    def renames_unseen(self) -> None:
        new = self.root / self.fresh_path()
        new.parent.mkdir(parents=True, exist_ok=True)
        old = self.pick()
        self.note_move(self.read(old))
        (self.root / old).rename(new)

    def git_mv(self) -> None:
        self.commits()
        new = self.fresh_path()
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        git(self.root, "mv", self.pick(), new)
        if self.rng.random() < 0.5:
            self.commits()

    def deletes(self) -> None:
        if len(self.paths()) > 4:
            self.done(self.agent(self.rng.choice(AGENTS)).delete(self.pick()))

    # -- git

    def commits(self) -> None:
        if git(self.root, "status", "--porcelain"):
            commit_all(self.root, "Work")

    def amends(self) -> None:
        self.edits()
        git(self.root, "add", "--all")
        git(self.root, "commit", "--quiet", "--amend", "--message", "Amended", "--allow-empty")

    def stashes(self) -> None:
        self.commits()
        self.edits()
        if not git(self.root, "status", "--porcelain"):
            return
        git(self.root, "stash", "push", "--quiet", "--include-untracked")
        self.edits()
        self.commits()
        self._git_or_undo(("stash", "pop", "--quiet"), ("reset", "--hard", "--quiet"), ("clean", "-fdq"))

    def _branches(self) -> None:
        """A branch `side` with work on it, while `main` goes on, too; `side` is checked out."""
        self.commits()
        git(self.root, "branch", "--force", "side")
        for _ in range(self.rng.randint(1, 3)):
            self.edits()
        self.commits()
        git(self.root, "switch", "--quiet", "side")
        for _ in range(self.rng.randint(1, 3)):
            self.rng.choice((self.edits, self.writes, self.moves_in_file))()
            if self.rng.random() < 0.6:
                self.commits()
        self.commits()

    def merges(self) -> None:
        self._branches()
        git(self.root, "switch", "--quiet", "main")
        self._git_or_undo(("merge", "--quiet", "--no-edit", "side"), ("merge", "--abort"))

    def rebases(self) -> None:
        self._branches()
        if self._git_or_undo(("rebase", "--quiet", "main"), ("rebase", "--abort")):
            git(self.root, "switch", "--quiet", "main")
            git(self.root, "merge", "--quiet", "--ff-only", "side")
        else:
            git(self.root, "switch", "--quiet", "main")

    def squashes(self) -> None:
        self._branches()
        git(self.root, "switch", "--quiet", "main")
        if self._git_or_undo(("merge", "--quiet", "--squash", "side"), ("reset", "--hard", "--quiet")):
            self.commits()

    def cherry_picks(self) -> None:
        self._branches()
        picked = self.rng.choice(git(self.root, "rev-list", "main..side").split() or ["side"])
        git(self.root, "switch", "--quiet", "main")
        self._git_or_undo(("cherry-pick", "--allow-empty", picked), ("cherry-pick", "--abort"))

    def reverts(self) -> None:
        self.commits()
        recent = git(self.root, "rev-list", "--no-merges", "-n", "6", "start..HEAD").split()
        if recent:
            self._git_or_undo(("revert", "--no-edit", self.rng.choice(recent)), ("revert", "--abort"))

    def _git_or_undo(self, command: tuple[str, ...], *undo: tuple[str, ...]) -> bool:
        try:
            git(self.root, *command)
        except AssertionError:
            for each in undo:
                subprocess.run(["git", *each], cwd=self.root, check=False, capture_output=True)
            self.history.append(f"({command[0]} ended in a conflict)")
            return False
        return True

    # -- the check

    def step(self, steps: tuple[str, ...]) -> None:
        name = self.rng.choice(steps)
        self.history.append(name)
        getattr(self, name)()

    def mistakes(self, *, any_may_be_alone: bool = False) -> Iterator[Mistake]:
        """Every line of every file that blame gets wrong.

        A line that moved without a record may be lost if beside it now stands no line that was written beside it and
        moved with it; with `any_may_be_alone` also one that did not move.
        """
        agent = Agent(self.root, "reviewer")
        for path in self.paths():
            answer = msgspec.to_builtins(BlameAnswer.of(*blame_at(agent.engine, "reviewer", path, None)))
            for mistake in self._mistakes(path, answer["ranges"]):
                if not (mistake.lost and self._is_alone(self.read(path), mistake.line - 1, any_may_be_alone)):
                    yield mistake

    def _mistakes(self, path: str, ranges: list[dict[str, Any]]) -> Iterator[Mistake]:
        told: dict[int, dict[str, Any]] = {}
        for found in ranges:
            for line in range(found["start_line"], found["end_line"] + 1):
                assert line not in told, f"{path}:{line} is blamed twice"
                told[line] = found
        records = {record["id"]: record for record in self.records()}
        for line, text in enumerate(self.read(path), start=1):
            known = numbers(text)
            assert line in told, f"{path}:{line} is not blamed at all"
            for number in known[:1]:
                self.checked += 1
                wanted = self.author[number]
                lost = told[line]["trace_id"] is None
                got = "nobody" if lost else _named(told[line], records)
                is_right = got in {_name(wanted), *map(_name, self.also.get(number, ()))}
                if not is_right and not (lost and number in self.soft):
                    yield Mistake(path, line, text, wanted, got, lost)

    def _is_alone(self, lines: list[str], index: int, any_may_be: bool) -> bool:
        """A line that a formatter changed unseen is another one."""
        own, *beside = (
            {
                (self.moves.get(number), self.written[number], number)
                for number in numbers(line)
                if (any_may_be or number in self.moves) and number not in self.soft
            }
            for line in (lines[index], *lines[max(0, index - 1) : index], *lines[index + 1 : index + 2])
        )
        neighbours = {(move, written, number + step) for move, written, number in own for step in (-1, 1)}
        return bool(own) and not any(neighbours & other for other in beside)

    def records(self) -> list[dict[str, Any]]:
        ledger = self.root / LEDGER
        return [json.loads(line) for line in ledger.read_bytes().splitlines()] if ledger.exists() else []


def numbers(line: str) -> list[int]:
    """Which lines of the world a line of a file is."""
    return [int(number) for number in NUMBER.findall(line)]


def _name(author: Author) -> str:
    return "nobody" if author is NOBODY else f"{author.intent} {author.kind}"


def _named(found: dict[str, Any], records: dict[str, dict[str, Any]]) -> str:
    assert found["trace_id"] in records, f"{found['trace_id']} is no record of this ledger"
    return f"{found['intent_id']} {found['contributor']['type']}"
