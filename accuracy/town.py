"""A repository in which several authors write through the real engine, and a model that knows whose each line is."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from intentls.core.gate.refusal import Refusal
from intentls.core.patch.unified_diff import parse_patch
from intentls.engine.actions.effects import drive
from intentls.engine.actions.plans import ApplyPatch, WriteFile
from intentls.engine.actions.request import EditRequest, Plan
from intentls.engine.edits import perform
from intentls.engine.edits.read import read_file
from intentls.engine.intents import checkout
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace

AUTHORS = ("INT-001", "INT-002", "INT-003")
LATER, PERSON = "INT-004", "a person"  # who comes after the others; who is on no record, and commits
_MODEL = "example/model"
_DERIVED = "".join(f".orchestration/{name}\n" for name in ("intent_map.md", "spatial_map.json", "AGENT.md"))
_TELLING = re.compile(r"[^\W_]")

Tagged = tuple[str, frozenset[str]]  # a line without its end, and the authors that it may rightly be credited to


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Of the measured lines: rightly credited, credited to nobody, credited to somebody else."""

    right: int
    nobody: int
    wrong: int

    def __add__(self, other: Verdicts) -> Verdicts:
        return Verdicts(self.right + other.right, self.nobody + other.nobody, self.wrong + other.wrong)


class Town:
    """One root in one git repository. `lines` is the model: what each file holds, and whose each line is."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.lines: dict[str, list[Tagged]] = {}
        (self.root / ".orchestration").mkdir(parents=True)
        intents = "".join(f"- id: {name}\n  status: IN_PROGRESS\n  owned_scope: ['**']\n" for name in (*AUTHORS, LATER))
        (self.root / ".orchestration" / "active_intents.yaml").write_text(f"active_intents:\n{intents}", "utf-8")
        self.git("init", "--quiet", "--initial-branch=main")
        (self.root / ".git" / "info" / "exclude").write_text(_DERIVED)
        _intentls("init", "--root", str(self.root))
        self._engine = Engine(Headless("cli", (self.root,)))
        for name in (*AUTHORS, LATER):
            outcome = drive(checkout.select(self._engine, name, name, None, _MODEL))
            if isinstance(outcome, Refusal):
                raise TypeError(outcome.error)
        self.commit(PERSON)

    def git(self, *arguments: str, author: str = PERSON) -> str:
        """Run git as `author`; its output. Raises CalledProcessError."""
        who = {"NAME": author, "EMAIL": f"{author.replace(' ', '-')}@example.invalid"}
        own = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
        own |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_EDITOR": "true"}
        command = ["git", *arguments]
        done = subprocess.run(command, cwd=self.root, env={**os.environ, **own}, capture_output=True, check=True)
        return done.stdout.decode("utf-8", "replace")

    def commit(self, author: str, *options: str) -> None:
        """Commit all there is."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", "step", *options, author=author)

    def write(self, author: str, path: str, lines: Sequence[Tagged]) -> None:
        """`author` writes the file through the engine."""
        self.lines[path] = list(lines)
        self._perform(author, WriteFile(path, text_of(lines)))

    def put(self, author: str, path: str, content: bytes) -> None:
        """`author` writes the file through the engine; the model does not know of it."""
        self._perform(author, WriteFile(path, content.decode("utf-8", "surrogateescape")))

    @property
    def workspace(self) -> Workspace:
        """What the engine knows of the root."""
        return self._engine.workspace(self.root)

    def write_unseen(self, path: str, lines: Sequence[Tagged]) -> None:
        """Somebody writes the file without the engine: nothing is recorded."""
        self.lines[path] = list(lines)
        (self.root / path).write_bytes(text_of(lines).encode())

    def patch(self, author: str, changed: Mapping[str, Sequence[Tagged]]) -> None:
        """`author` changes several files at once, through the engine."""
        for path, lines in changed.items():
            (self.root / path).write_bytes(text_of(lines).encode())
        diff = self.git("diff", "--no-color", "--", *changed)
        self.git("checkout", "--quiet", "--", *changed)
        self._perform(author, ApplyPatch(parse_patch(diff)))
        self.lines.update({path: list(lines) for path, lines in changed.items()})

    def _perform(self, author: str, plan: Plan) -> None:
        for path in plan.paths:
            if (self.root / path).exists():
                read_file(self._engine, author, str(self.root / path))
        outcome = drive(perform.perform(self._engine, EditRequest(plan, author)))
        if isinstance(outcome, Refusal):
            raise TypeError(outcome.error)

    def measured(self, path: str) -> list[tuple[int, frozenset[str]]]:
        """The lines (from 1) that say enough and stand nowhere else, with their authors: others have no one truth."""
        known = Counter(text.strip() for lines in self.lines.values() for text, _ in lines)
        return [
            (number, authors)
            for number, (text, authors) in enumerate(self.lines[path], start=1)
            if authors and known[text.strip()] == 1 and len(_TELLING.findall(text)) >= 4
        ]

    def ours(self, path: str) -> dict[int, str | None]:
        """Line -> intent, as `intentls blame --json` says."""
        said = json.loads(_intentls("blame", path, "--json", "--root", str(self.root)))
        return {
            number: found["intent_id"] if found["trace_id"] else None
            for found in said["ranges"]
            for number in range(found["start_line"], found["end_line"] + 1)
        }

    def gits(self, path: str) -> dict[int, str | None]:
        """Line -> author, as `git blame -w -M -C` says of the file as it is now."""
        found: dict[int, str | None] = {}
        number = 0
        for line in self.git("blame", "-w", "-M", "-C", "--line-porcelain", "--", path).split("\n"):
            if head := re.match(r"[0-9a-f]{40} \d+ (\d+)", line):
                number = int(head[1])
            elif line.startswith("author "):
                found[number] = None if line == "author Not Committed Yet" else line.removeprefix("author ")
        return found


def judged(town: Town, path: str, said: Mapping[int, str | None]) -> Verdicts:
    """What was said of the measured lines, against the model. The file must hold what the model says."""
    if (town.root / path).read_bytes() != text_of(town.lines[path]).encode():
        raise ValueError(f"the model has lost track of {path}")
    wanted = town.measured(path)
    right = sum(said.get(number) in authors for number, authors in wanted)
    nobody = sum(said.get(number) is None for number, _ in wanted)
    return Verdicts(right, nobody, len(wanted) - right - nobody)


def text_of(lines: Sequence[Tagged]) -> str:
    """The file's text."""
    return "".join(f"{text}\n" for text, _ in lines)


def shared_out(text: str, rng: random.Random, steps: int) -> list[tuple[int, Tagged]]:
    """Each line of a real file with the step in which it is written, and its author: runs of 3 to 12 lines.

    The first run belongs to step 0, so that what others put on top touches nothing that is still to come.
    """
    found: list[tuple[int, Tagged]] = []
    step, left = 0, 6
    for line in text.splitlines():
        if not left:
            step, left = rng.randrange(steps), rng.randint(3, 12)
        found.append((step, (line, frozenset({AUTHORS[step % len(AUTHORS)]}))))
        left -= 1
    return found


def _intentls(*arguments: str) -> str:
    command = [sys.executable, "-m", "intentls", *arguments]
    return subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
