"""Blocks that two edits moved within a file: whose their lines are, by an own count."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from intentls.core.gate.refusal import Refusal
from intentls.engine.blame.blame import blame_content, compute_blame
from intentls.engine.edits.read import read_file
from tests.support.agent_edits import Agent
from tests.support.workspaces import intents_yaml, make_workspace

SEEDS = int(os.environ.get("INTENTLS_MOVES_SEEDS", "2"))
STEPS = 14
PATHS = ("src/one.py", "src/two.py")
NOBODY = "-"

Line = tuple[str, str]
"""A line's text, and its writer by this test's own count: A or B."""


class Files:
    """Two files, in which each line has its own text; what is here is written there, and the writers are counted."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = make_workspace(root, intents_yaml({"A": ["src/**"], "B": ["src/**"]}), {})
        self.agents = {name: Agent(self.root, f"agent-{name}").select(name) for name in "AB"}
        self.rng, self.made = random.Random(seed), 0
        self.files: dict[str, list[Line]] = {path: [] for path in PATHS}
        for path in PATHS:
            self.record("A", path, self.new("A", 12))

    def new(self, writer: str, count: int) -> list[Line]:
        self.made += count
        return [
            (f"measured_{number} = measure_it({number})\n", writer) for number in range(self.made - count, self.made)
        ]

    def record(self, name: str, path: str, lines: list[Line]) -> None:
        agent = self.agents[name]
        if (self.root / path).exists():
            read_file(agent.engine, agent.session_id, path)
        assert not isinstance(agent.write(path, "".join(text for text, _ in lines)), Refusal)
        self.files[path] = lines

    def adds(self, name: str, path: str) -> None:
        lines = list(self.files[path])
        place = self.rng.randint(0, len(lines))
        lines[place:place] = self.new(name, self.rng.randint(1, 5))
        self.record(name, path, lines)

    def removes(self, name: str, path: str) -> None:
        lines = list(self.files[path])
        if len(lines) > 8:
            lines.pop(self.rng.randrange(len(lines)))
            self.record(name, path, lines)

    def moves_by_two_edits(self, name: str, path: str) -> None:
        """A block, to another place of its file: cut and paste, or paste and cut."""
        lines = list(self.files[path])
        start, count = self.rng.randrange(len(lines)), self.rng.randint(3, 6)
        block = lines[start : start + count]
        if len(block) < 3:
            return
        rest = lines[:start] + lines[start + count :]
        place = self.rng.choice([number for number in range(len(rest) + 1) if number != start] or [0])
        moved = rest[:place] + block + rest[place:]
        if self.rng.random() < 0.5:
            self.record(name, path, rest)
        else:  # the block stands there twice meanwhile
            into = place if place < start else place + len(block)
            self.record(name, path, lines[:into] + block + lines[into:])
        self.record(name, path, moved)

    def step(self) -> str:
        name, path = self.rng.choice("AB"), self.rng.choice(PATHS)
        act = self.rng.choice((self.adds, self.removes, self.moves_by_two_edits, self.moves_by_two_edits))
        act(name, path)
        return f"{name} {act.__name__} {path}"


@pytest.mark.parametrize("seed", range(SEEDS))
def test_lines_that_two_edits_moved_within_their_file_stay_their_writers(tmp_path: Path, seed: int) -> None:
    """By the answer that is kept from before, and by a new computation."""
    files, done = Files(tmp_path / "w", seed), list[str]()
    workspace = files.agents["A"].engine.workspace(files.root)
    for _ in range(STEPS):
        done.append(files.step())
        for path, lines in files.files.items():
            content = (files.root / path).read_bytes()
            for answer in (blame_content, compute_blame):
                owners = [
                    str(part.record["intent_id"]) if part.record else NOBODY
                    for part in answer(workspace, path, content)
                    for _ in range(part.start_line, part.end_line + 1)
                ]
                shown = "".join(f"{owner}{writer} {text}" for owner, (text, writer) in zip(owners, lines, strict=True))
                assert owners == [writer for _, writer in lines], f"{answer.__name__} {path}, {done}:\n{shown}"
