"""Programs are data: a seed makes a list of steps; one that fails is made smaller, and says how to run it again."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.authority import agent_steps, attack_steps, people_steps, place_steps
from tests.authority.model import AGENTS
from tests.authority.world import Broken, Hosts, Kind, World, hosts, make_template

MOST_STEPS = 40
_SHRINKING = 80  # runs
_STEPS = {**agent_steps.STEPS, **people_steps.STEPS, **attack_steps.STEPS, **place_steps.STEPS}

_WEIGHTS = {"write": 4, "shell": 5, "mcp_write": 4, "save": 3, "git_by_person": 4, "git_by_agent": 3, "heal": 2}


class Step(NamedTuple):
    """A name, and the number that all its choices come from."""

    name: str
    salt: int


class Program(NamedTuple):
    """What a seed means."""

    seed: int
    kind: Kind
    steps: tuple[Step, ...]

    @classmethod
    def of(cls, seed: int) -> Program:
        """Always the same one."""
        rng = random.Random(seed)
        kind = Kind(rng.choice(("record", "revert")), rng.random() < 0.3)
        weights = [_WEIGHTS.get(name, 1) for name in _STEPS]
        chosen = rng.choices(tuple(_STEPS), weights, k=rng.randint(4, MOST_STEPS))
        return cls(seed, kind, tuple(Step(name, rng.randrange(1 << 30)) for name in chosen))

    def __str__(self) -> str:
        steps = "\n".join(f"  {step.name} {step.salt}" for step in self.steps)
        return (
            f"AUTHORITY_SEED={self.seed}, shell: {self.kind.shell}, ledger in git: {self.kind.ledger_in_git}\n{steps}"
        )


class Failure(NamedTuple):
    """What is broken, with what was done, and after how many steps it showed."""

    text: str
    steps: int


class Stage:
    """Where programs run: the processes and templates that all of them share."""

    def __init__(self, folder: Path, hosts: Hosts) -> None:
        self._folder, self._hosts = folder, hosts
        self._templates: dict[Kind, Path] = {}

    @classmethod
    @contextmanager
    def open(cls, folder: Path) -> Iterator[Stage]:
        """For the tests of a worker."""
        with hosts() as started:
            yield cls(folder, started)

    def run(self, program: Program) -> Failure | None:
        """What is broken after it, with what was done; None if all holds."""
        if program.kind not in self._templates:
            folder = self._folder / f"template-{len(self._templates)}"
            folder.mkdir()
            self._templates[program.kind] = make_template(folder, program.kind)
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            world = World(Path(folder) / "w", self._templates[program.kind], self._hosts, program.kind)
            try:
                _live(world, program)
            except Broken as error:
                return Failure(f"{error}\nafter\n  " + "\n  ".join(world.said), world.steps)
            finally:
                world.close()
        return None

    def shrink(self, program: Program, failure: Failure) -> tuple[Program, Failure]:
        """A smaller program that fails in the same class, and its failure."""
        program = program._replace(steps=program.steps[: failure.steps])
        runs, size = 0, max(1, len(program.steps) // 2)
        while runs < _SHRINKING:
            smaller = None
            for start in range(0, len(program.steps), size):
                steps = program.steps[:start] + program.steps[start + size :]
                again = self.run(program._replace(steps=steps))
                runs += 1
                if again is not None and again.text[:3] == failure.text[:3]:
                    smaller, failure = program._replace(steps=steps[: again.steps]), again
                    break
                if runs >= _SHRINKING:
                    break
            if smaller is not None:
                program = smaller
                size = max(1, min(size, len(program.steps) // 2))
            elif size == 1:
                break
            else:
                size //= 2
        return program, failure


def _live(world: World, program: Program) -> None:
    for number, step in enumerate(program.steps, start=1):
        world.steps = number
        _STEPS[step.name](world, random.Random(step.salt))
        world.look()
        if number % 8 == 0 and not world.faults.active and not world.damaged:
            world.judge_blame()
    _end(world)


def _end(world: World) -> None:
    """Every fault is over, every session had its next event: what is owed is on record, and all is sound."""
    world.faults.heal()
    if world.tampered:
        attack_steps.restore(world)
    for agent in AGENTS:
        call = world.call_id()
        agent_steps.announce(world, agent, "Bash", agent_steps.BASH, call)
        outside = {one.path for one in world.model.owed if not world.model.allowed(one.agent, one.path)}
        world.hook(agent, "PostToolUse", "Bash", agent_steps.BASH, call, free=frozenset(outside))
    world.kill_mcp()
    world.guarded(lambda: world.mcp)
    world.look()
    records = list(world.seen.values())
    for one in world.model.owed:
        still = one.waits or world.read(one.path) == one.after
        if still and not world.damaged and not world.is_recorded(one, records):
            raise Broken(f"(c) never on record: {one}")
    if not world.damaged:
        world.judge_blame()
    verified = world.run(None, ["trace", "verify"])
    if (verified.code == 0) is world.damaged:
        raise Broken(f"(e) damaged: {world.damaged}, and trace verify says: {verified.out}{verified.err}")
