"""Scopes against compiled Minimatch objects: is this path in scope, and who owns it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from benchmarks.conversation import conversation
from benchmarks.rows import Pair, Row, Scale
from benchmarks.timing import processor
from intentls.core.intents.scope import Scope

GLOBS_OF_AN_INTENT = 5
LEAST_S = 0.02


def globs(count: int) -> list[str]:
    """What people write: folders, suffixes, sets, an exclusion; each five in their own corner of the repository."""
    shapes = (
        "src/area{n}/**",
        "src/area{n}/**/*.py",
        "tests/area{n}/test_*.py",
        "docs/{{guide,reference}}/area{n}.md",
        "!src/area{n}/generated/**",
    )
    return [shapes[number % len(shapes)].format(n=number // len(shapes)) for number in range(count)]


def asked(count: int) -> list[str]:
    """Paths to ask about: half of them inside some glob, half nowhere; the same in every run."""
    chance = random.Random(7)
    areas = max(1, count // GLOBS_OF_AN_INTENT)
    found = []
    for number in range(50):
        area = chance.randrange(areas)
        inside = (f"src/area{area}/deep/er/module{number}.py", f"tests/area{area}/test_{number}.py")
        outside = (f"lib/area{area}/module{number}.py", f"tests/area{area}/deep/test_{number}.py")
        found.append((inside if number % 2 else outside)[number // 2 % 2])
    return found


def decisions(scale: Scale) -> Iterator[Pair]:
    """One scope of that many globs, asked about one path."""
    with conversation(scale.node("matching.js")) as node:
        for size in scale.of(full=(5, 50, 500, 5_000), quick=(5, 50)):
            patterns, paths = globs(size), asked(size)
            scope = Scope.parse(patterns)
            yield from compared(node.ask, [patterns], scope.contains, paths, size, scale)


def compared(
    ask: Callable[[object], dict[str, float]],
    scopes: Sequence[Sequence[str]],
    decide: Callable[[str], int],
    paths: Sequence[str],
    size: int,
    scale: Scale,
) -> Iterator[Pair]:
    """Rounds of both sides on the same paths. Raises if they don't find the same."""
    question = {"globs": scopes, "paths": paths, "least": LEAST_S}
    for number in range(-1, scale.of(full=15, quick=3)):
        scale.say(f"{size} globs")
        peer = ask(question)
        ours = processor(lambda: [decide(path) for path in paths], LEAST_S) / len(paths)
        count = sum(map(decide, paths))
        if count != peer["found"]:
            raise AssertionError(f"minimatch found {peer['found']}, we {count}")
        if number >= 0:
            yield Pair(ours, peer["seconds"], size)


ROWS = (
    Row(
        key="decision",
        what="one scope decision, 5 globs",
        ours="a parsed scope",
        peer="compiled Minimatch objects",
        target="<= 0.5",
        limit=0.5,
        run=decisions,
        sizes="globs",
        at=5,
    ),
)
