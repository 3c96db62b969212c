"""Blame that is kept, in a process or on disk, says what the whole computation says, after any history."""

from __future__ import annotations

import difflib
import json
import os
import random
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from intentls.core.gate.refusal import Refusal
from intentls.engine.blame import blame, kept_blame
from intentls.engine.blame.blame import OwnedRange, blame_content, compute_blame
from intentls.engine.blame.kept_blame import KeptBlames
from intentls.engine.edits import saves
from intentls.engine.edits.read import read_file
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.progress import no_progress
from intentls.engine.workspace.workspace import Workspace
from intentls.store.fs.own_file import read_own, write_own
from intentls.store.ledger.ledger import Ledger
from tests.support.agent_edits import Agent
from tests.support.random_histories import World
from tests.support.workspaces import make_workspace

SEEDS = int(os.environ.get("INTENTLS_KEPT_BLAME_SEEDS", "2"))
HISTORIES = int(os.environ.get("INTENTLS_KEPT_BLAME_HISTORIES", "20"))
STEPS = ("writes", "edits", "edits", "edits_unseen", "edits_twice_with_a_gap", "deletes", "renames", "renames_unseen")
MOVES = ("moves_in_file", "moves_between_files", "moves_between_files_by_two_edits", "moves_between_files_unseen")
GIT = ("formats", "formats_unseen", "commits", "reverts", "merges", "git_mv")
FILE = "src/one.py"
INTENTS = """\
active_intents:
  - {id: INT-001, name: One, status: IN_PROGRESS, owned_scope: ["src/**"]}
"""


def opened(root: Path) -> Workspace:
    """As a process that was just started opens it."""
    return Engine(Headless("lsp", (root,), own_session="reader")).workspace(root)


def blamed(workspace: Workspace, path: str = FILE) -> list[OwnedRange]:
    return blame_content(workspace, path, (workspace.root / path).read_bytes())


def computed(workspace: Workspace, path: str = FILE) -> list[OwnedRange]:
    return compute_blame(workspace, path, (workspace.root / path).read_bytes())


def is_kept(workspace: Workspace, path: str = FILE) -> bool:
    content = (workspace.root / path).read_bytes()
    return KeptBlames.of(workspace).answer(workspace, path, content, no_progress) is not None


@pytest.mark.parametrize("seed", range(SEEDS))
def test_after_any_history_kept_blame_is_the_blame_of_a_new_process(tmp_path: Path, seed: int) -> None:
    """After each step, of every file: what is kept of earlier blames changes no line's owner."""
    world = World.make(tmp_path / "repo", 5000 + seed, ledger_in_git=seed % 2 == 0)
    reader, compared = opened(world.root), 0
    for _ in range(16):
        world.step(STEPS + MOVES + GIT)
        second, kept = opened(world.root), world.root / ".orchestration/.state/blame"
        answers = {path: (blamed(reader, path), blamed(second, path)) for path in world.paths()}
        aside = shutil.copytree(kept, tmp_path / "kept", dirs_exist_ok=True) if kept.is_dir() else None
        shutil.rmtree(kept, ignore_errors=True)
        fresh = opened(world.root)
        for path, (of_reader, of_second) in answers.items():
            whole = computed(fresh, path)
            assert of_reader == whole, f"{path} after {world.history[-6:]}"
            assert of_second == whole, f"{path} after {world.history[-6:]}"
            compared += 1
        if aside is not None:
            shutil.copytree(aside, kept, dirs_exist_ok=True)
    assert compared > 16


@pytest.mark.parametrize("seed", range(SEEDS))
def test_many_files_blamed_together_have_the_authors_that_each_has_alone(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each step of any history: one reading of the ledger for all files changes no line's owner."""
    monkeypatch.setattr(blame, "MAX_SINGLE", 0)
    world = World.make(tmp_path / "repo", 7000 + seed, ledger_in_git=seed % 2 == 0)
    compared = 0
    for _ in range(7):
        world.step(STEPS + MOVES + GIT)
        shutil.rmtree(world.root / ".orchestration/.state/blame", ignore_errors=True)
        contents = {path: (world.root / path).read_bytes() for path in world.paths()}
        together = blame.blame_files(opened(world.root), contents)
        assert together == {path: computed(opened(world.root), path) for path in contents}, f"{world.history[-6:]}"
        compared += len(together)
    assert compared > 7


class History:
    """Three files that two agents and a person edit, with and without a record: lines, blocks, moves, deletions."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.rng, self.lines_made = root, random.Random(seed), 0
        self.agents = [Agent(root, f"agent-{number}").select("INT-001") for number in (1, 2)]
        self.paths = [FILE, "src/two.py", "src/three.py"]
        (root / "src").mkdir(exist_ok=True)
        (root / FILE).write_text("".join(self.lines(9)))  # of before any record
        for path in self.paths[1:]:
            self.write(path, self.lines(12))

    def agent(self) -> Agent:
        """One of them, which has just read everything."""
        agent = self.rng.choice(self.agents)
        for path in self.paths:
            if (self.root / path).exists():
                read_file(agent.engine, agent.session_id, path)
        return agent

    def write(self, path: str, lines: Sequence[str]) -> None:
        assert not isinstance(self.agent().write(path, "".join(lines)), Refusal)

    def lines(self, count: int) -> list[str]:
        self.lines_made += count
        return [
            self.rng.choice((f"value_{self.lines_made - n} = make({n})\n", "    return\n", f"make_it({n}, 'again')\n"))
            for n in range(count)
        ]

    def read(self, path: str) -> list[str]:
        file = self.root / path
        return file.read_text().splitlines(keepends=True) if file.exists() else []

    def changed(self, lines: list[str]) -> list[str]:
        place, count = self.rng.randint(0, len(lines)), self.rng.choice((0, 1, 1, 2, 5))
        return [*lines[:place], *self.lines(self.rng.choice((0, 1, 1, 1, 2, 4))), *lines[place + count :]]

    def step(self) -> str:
        steps: list[Callable[[str], object]] = [
            *(self.edits,) * 6, self.saves, self.saves_in_another_process, self.edits_unseen,
            self.cuts_and_pastes, self.moves, self.deletes, self.indents, self.is_refused,
        ]  # fmt: skip
        chosen, path = self.rng.choice(steps), self.rng.choice((FILE, FILE, *self.paths))
        chosen(path)
        return f"{chosen.__name__} {path}"

    def edits(self, path: str) -> None:
        self.write(path, self.changed(self.read(path)))

    def saves(self, path: str, workspace: Workspace | None = None) -> None:
        before, after = "".join(self.read(path)), "".join(self.changed(self.read(path)))
        workspace = workspace or self.agents[0].engine.workspace(self.root)
        saves.opened(workspace, path, before)
        (self.root / path).write_text(after)
        saves.saved(workspace, path, after, "person")
        saves.closed(workspace, path)

    def saves_in_another_process(self, path: str) -> None:
        self.saves(path, opened(self.root))

    def edits_unseen(self, path: str) -> None:
        (self.root / path).write_text("".join(self.changed(self.read(path))))

    def cuts_and_pastes(self, path: str) -> None:
        """By one edit or by two, in either order."""
        other, lines = self.rng.choice(self.paths), self.read(path)
        block, place = lines[2:7], self.rng.randint(0, len(self.read(other)))
        there = self.read(other)
        contents = {path: lines[:2] + lines[7:], other: there[:place] + block + there[place:]}
        ways = [self.patches, self.writes_each]
        if other != path and all(self.read(name) for name in contents):
            self.rng.choice(ways)(contents)

    def patches(self, contents: dict[str, list[str]]) -> None:
        changes = [
            "".join(difflib.unified_diff(self.read(path), lines, f"a/{path}", f"b/{path}"))
            for path, lines in contents.items()
        ]
        if any(changes):
            self.agent().patch("".join(changes))

    def writes_each(self, contents: dict[str, list[str]]) -> None:
        for path, lines in self.rng.sample(sorted(contents.items()), len(contents)):
            self.write(path, lines)

    def moves(self, path: str) -> None:
        lines = self.read(path)
        self.write(path, lines[4:] + lines[:4])

    def deletes(self, path: str) -> None:
        if (self.root / path).exists() and path != FILE:
            agent = self.agent()
            agent.delete(path)
            agent.write(path, "".join(self.lines(6)))

    def indents(self, path: str) -> None:
        """A formatter, as an agent runs it."""
        self.write(path, [line.replace("( ", "(").replace("(", "( ") for line in self.read(path)])

    def is_refused(self, _: str) -> None:
        assert isinstance(self.agent().write("elsewhere.py", "no\n"), Refusal)


@pytest.mark.parametrize("first", range(0, HISTORIES, 10))
def test_after_random_edits_kept_blame_is_the_whole_computation(
    tmp_path: Path, figure: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    """In a process that stays and in one that begins, over ten histories; some answers come from what was kept."""
    uses: Counter[str] = Counter()
    for seed in range(first, first + 10):
        root = make_workspace(tmp_path / str(seed), INTENTS, policy="hitl: deny\ntrace_on_save: true\n")
        history = History(root, seed)
        stays = opened(root)
        did: list[str] = []
        for _ in range(6):
            did.append(history.step())
            path = history.rng.choice((FILE, *history.paths))
            if not (root / path).exists():
                continue
            uses["kept" if is_kept(stays, path) else "computed"] += 1
            compares = opened(root)
            monkeypatch.setattr(KeptBlames.of(compares), "keep", lambda *_: None)
            whole = computed(compares, path)
            assert blamed(stays, path) == whole, f"seed {seed}: {path} after {did}"
            assert blamed(opened(root), path) == whole, f"seed {seed}: {path} after {did}, in a new process"
    figure(f"kept blame: {uses.total()} answers equal to the whole computation, {uses['kept']} of them kept")
    assert uses["kept"]


# --- when it is used, and when it is not


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    """After ten small edits of one file, which was blamed then."""
    root = make_workspace(tmp_path / "root", INTENTS)
    agent = Agent(root).select("INT-001")
    lines = [f"value_{number} = make({number})\n" for number in range(40)]
    agent.write(FILE, "".join(lines))
    for number in range(10):
        lines[number * 3] = f"changed_{number} = again({number})\n"
        agent.write(FILE, "".join(lines))
    blamed(opened(root))
    return agent


def root_of(agent: Agent) -> Path:
    (root,) = agent.engine.host.folders()
    return root


def kept_file(root: Path) -> Path:
    (file,) = (root / ".orchestration/.state/blame").iterdir()
    return file


def edit_line(agent: Agent, root: Path, line: int = 20) -> None:
    lines = (root / FILE).read_text().splitlines(keepends=True)
    lines[line] = f"edited_{line} = once_more({line})\n"
    assert not isinstance(agent.write(FILE, "".join(lines)), Refusal)


def test_a_new_process_reads_the_last_bytes_of_the_ledger_and_the_lines_of_the_owners(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It searches for nothing, also where a record was appended since."""
    root = root_of(agent)
    edit_line(agent, root)
    whole = computed(opened(root))
    monkeypatch.setattr(Ledger, "newest", lambda *_, **__: pytest.fail("the ledger is searched"))
    assert blamed(opened(root)) == whole
    assert [part.record["id"] for part in whole if part.record and part.start_line == 21] == [
        json.loads((root / ".orchestration/agent_trace.jsonl").read_bytes().splitlines()[-1])["id"]
    ]


def test_an_edit_that_no_record_tells_of_is_computed(agent: Agent) -> None:
    """And so is the file after the next recorded edit."""
    root = root_of(agent)
    (root / FILE).write_text("unseen = 1\n" + (root / FILE).read_text())
    assert not is_kept(opened(root))
    assert blamed(opened(root)) == computed(opened(root))
    assert blamed(opened(root))[0].record is None


def changed_note(value: object, *place: int) -> Callable[[Path], None]:
    """A file that is whole, with something else at a place in it."""

    def damage(file: Path) -> None:
        note: Any = json.loads(read_own(file, 1 << 20))
        part = note
        for index in place[:-1]:
            part = part[index]
        part[place[-1]] = value
        write_own(file, json.dumps(note).encode())

    return damage


DAMAGES: dict[str, Callable[[Path], object]] = {
    "torn": lambda file: file.write_bytes(file.read_bytes()[:-9]),
    "a changed byte": lambda file: file.write_bytes(file.read_bytes().replace(b"src/one", b"src/two")),
    "writable by others": lambda file: file.chmod(0o666),
    "of another version": changed_note([1, "0.0"], 0),
    "of another file": changed_note("src/two.py", 1),
    "of another content": changed_note("sha256:" + "0" * 64, 2),
    "of another ledger": changed_note(7, 3, 1),
    "with another end of the ledger": changed_note("0" * 64, 3, 5),
    "with another line for an owner": changed_note("0" * 32, 4, 0, 2),
    "with an owner outside the ledger": changed_note(1 << 40, 4, 0, 0),
    "with an owner's conversation that is not there": changed_note(9, 5, 0, 2),
    "with an owner that is not there": changed_note(99, 5, 0, 1),
    "with too many lines": changed_note(7, 5, 0, 0),
    "with a number for a path": changed_note(5, 1),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_kept_answer_that_does_not_fit_is_not_used(agent: Agent, damage: Callable[[Path], object]) -> None:
    """The whole computation answers, and its answer is kept."""
    root = root_of(agent)
    assert is_kept(opened(root))
    damage(kept_file(root))
    assert not is_kept(opened(root))
    whole = computed(opened(root))
    assert blamed(opened(root)) == whole
    assert is_kept(opened(root))


def rewrite_the_end(ledger: Path) -> None:
    content = ledger.read_bytes()
    with ledger.open("r+b") as file:
        file.seek(content.rindex(b"INT-001"))
        file.write(b"INT-009")


def replace_it(ledger: Path) -> None:
    copy = ledger.with_suffix(".copy")
    shutil.copyfile(ledger, copy)
    copy.replace(ledger)


def tear_its_last_line(ledger: Path) -> None:
    with ledger.open("ab") as file:
        file.write(b'{"torn')


@pytest.mark.parametrize("change", [rewrite_the_end, replace_it, tear_its_last_line])
def test_nothing_kept_is_used_with_another_ledger(agent: Agent, change: Callable[[Path], None]) -> None:
    """Its newest lines, its number, and its last line's end must be as they were."""
    root = root_of(agent)
    change(root / ".orchestration/agent_trace.jsonl")
    assert not is_kept(opened(root))
    assert blamed(opened(root)) == computed(opened(root))


def test_a_block_that_another_file_loses_later_is_not_the_pasters(tmp_path: Path) -> None:
    """The record of the second file changes who wrote the lines of the first one."""
    root = make_workspace(tmp_path / "root", INTENTS)
    writer, paster = Agent(root, "writer").select("INT-001"), Agent(root, "paster").select("INT-001")
    block = "".join(f"value_{number} = make_something({number})\n" for number in range(5))
    writer.write("src/two.py", block + "rest = 1\n")
    paster.write(FILE, block)
    assert {part.record["session_id"] for part in blamed(opened(root)) if part.record} == {"paster"}
    read_file(writer.engine, "writer", "src/two.py")
    writer.write("src/two.py", "rest = 1\n")
    assert blamed(opened(root)) == computed(opened(root))
    assert {part.record["session_id"] for part in blamed(opened(root)) if part.record} == {"writer"}


def test_the_kept_files_are_bounded(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that were written last stay."""
    monkeypatch.setattr(kept_blame, "_MAX_KEPT", 3)
    root = root_of(agent)
    for number in range(6):
        agent.write(f"src/new{number}.py", f"number = {number}\n")
        blamed(opened(root), f"src/new{number}.py")
    assert len(list((root / ".orchestration/.state/blame").iterdir())) == 3
    assert is_kept(opened(root), "src/new5.py")
