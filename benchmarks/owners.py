"""Whose file is this: all intents whose scope fits a path, as a refusal names them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from benchmarks.conversation import conversation
from benchmarks.intents import declared
from benchmarks.matching import GLOBS_OF_AN_INTENT, LEAST_S, asked, compared, globs
from benchmarks.rows import Pair, Row, Scale
from benchmarks.timing import processor
from intentls.core.gate.action import Facts
from intentls.core.gate.policy import Policy
from intentls.store.config.intents_parser import parse_intents


def facts(count: int) -> Facts:
    """What the gate knows of a file that declares `count` globs."""
    return Facts(intents=parse_intents(declared(count // GLOBS_OF_AN_INTENT).encode()).intents)


def counting(known: Facts) -> Callable[[str], int]:
    """How many own a path."""
    return lambda path: len(known.owners(Policy(), path))


def passing(known: Facts, paths: Sequence[str]) -> float:
    """Seconds a path."""
    return processor(lambda: [known.owners(Policy(), path) for path in paths], LEAST_S) / len(paths)


def beside_minimatch(scale: Scale) -> Iterator[Pair]:
    """All scopes asked in turn on the other side, since that is what there is to do with matchers."""
    with conversation(scale.node("matching.js")) as node:
        for size in scale.of(full=(5, 50, 500, 5_000), quick=(5, 50)):
            patterns, known = globs(size), facts(size)
            scopes = [patterns[at : at + GLOBS_OF_AN_INTENT] for at in range(0, size, GLOBS_OF_AN_INTENT)]
            yield from compared(node.ask, scopes, counting(known), asked(size), size, scale)


def beside_few(scale: Scale) -> Iterator[Pair]:
    """Our own cost with five globs is the peer."""
    few, few_paths = facts(GLOBS_OF_AN_INTENT), asked(GLOBS_OF_AN_INTENT)
    for size in scale.of(full=(50, 500, 5_000), quick=(50,)):
        many, many_paths = facts(size), asked(size)
        for number in range(-1, scale.of(full=15, quick=3)):
            scale.say(f"{size} globs")
            pair = Pair(passing(many, many_paths), passing(few, few_paths), size)
            if number >= 0:
                yield pair


ROWS = (
    Row(
        key="owners",
        what="who owns this path, 5,000 globs",
        ours="look-up",
        peer="compiled Minimatch objects",
        target="<= 0.005",
        limit=0.005,
        run=beside_minimatch,
        sizes="globs",
        at=5_000,
    ),
    Row(
        key="owners-few",
        what="the same, beside our own cost with 5 globs",
        ours="with 5,000 globs",
        peer="with 5 globs",
        target="<= 3",
        limit=3,
        run=beside_few,
    ),
)
