"""Blocks that two edits moved within a file, and lines that only look like recorded ones: whose they are."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from intentls.core.gate.refusal import Refusal
from intentls.engine.blame.blame import blame_content, compute_blame
from intentls.engine.edits.read import read_file
from tests.support.agent_edits import Agent
from tests.support.workspaces import git, intents_yaml, make_git_repo, make_workspace

SEEDS = int(os.environ.get("INTENTLS_MOVES_SEEDS", "2"))
STEPS = 14
PATHS = ("src/one.py", "src/two.py")
NOBODY = "-"

Line = tuple[str, str]
"""A line's text, and its writer by this test's own count: A, B, or NOBODY where no record tells of the line."""


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


class LookAlikes(Files):
    """The same, and single lines come into a file without a record that equal recorded ones of another file."""

    def __init__(self, root: Path, seed: int) -> None:
        self.written: dict[str, set[str]] = {path: set() for path in PATHS}
        super().__init__(root, seed)
        make_git_repo(self.root)

    def record(self, name: str, path: str, lines: list[Line]) -> None:
        super().record(name, path, lines)
        self.written[path].update(text for text, _ in lines)

    def looks_alike(self) -> None:
        """One line that another file has, or had; beside it stand lines that are new."""
        path = self.rng.choice((*self.written, "src/unseen.py"))
        lines, own = list(self.files.get(path, [])), self.written.get(path, set())
        others = {text for other, texts in self.written.items() if other != path for text in texts}
        elsewhere = sorted(others - own - {text for text, _ in lines})
        if elsewhere:
            place = self.rng.randint(0, len(lines))
            above, below = self.new(NOBODY, 2)
            lines[place:place] = [above, (self.rng.choice(elsewhere), NOBODY), below]
            (self.root / path).write_text("".join(text for text, _ in lines))
            self.files[path] = lines

    def renames_unseen(self) -> None:
        """All lines of a file stand in another one now, which no record says."""
        path, new = self.rng.choice([*self.written]), f"src/renamed{self.made}.py"
        if not (self.root / new).exists():
            (self.root / path).rename(self.root / new)
            self.files[new], self.written[new] = self.files.pop(path), self.written.pop(path)

    def removes_many(self, name: str, path: str) -> None:
        self.record(name, path, self.files[path][::2] or self.new(name, 3))

    def commits(self) -> None:
        git(self.root, "add", "--all")
        git(self.root, "commit", "--quiet", "--allow-empty", "--message", "Work")

    def step(self) -> str:
        if self.rng.random() < 0.5:
            act = self.rng.choice(
                (self.looks_alike, self.looks_alike, self.looks_alike, self.renames_unseen, self.commits)
            )
            act()
            return act.__name__
        name, path = self.rng.choice("AB"), self.rng.choice([*self.written])
        recorded = self.rng.choice((self.adds, self.removes, self.removes_many))
        recorded(name, path)
        return f"{name} {recorded.__name__} {path}"


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_line_that_no_record_tells_of_is_never_given_to_the_author_of_an_equal_one(tmp_path: Path, seed: int) -> None:
    """And no other line is given to somebody who did not write it."""
    files, done = LookAlikes(tmp_path / "w", 100 + seed), list[str]()
    workspace = files.agents["A"].engine.workspace(files.root)
    alike = 0
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
                wrong = [
                    (number, text, writer, owner)
                    for number, (owner, (text, writer)) in enumerate(zip(owners, lines, strict=True), start=1)
                    if owner not in (writer, NOBODY)
                ]
                assert not wrong, f"{answer.__name__} {path}, {done}"
            alike += sum(writer == NOBODY for _, writer in lines)
    assert alike
