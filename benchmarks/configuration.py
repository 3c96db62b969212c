"""What it costs a process that begins to load a large configuration."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks.intents import declared
from benchmarks.rows import Pair, Row, Scale
from benchmarks.timing import processor
from intentls.engine.workspace.configuration import ConfigurationReader
from intentls.store.config import intents_parser as intents_of
from intentls.store.layout import Layout
from intentls.store.sessions.accepted_files import AcceptedFiles
from intentls.store.sessions.agent_processes import AgentProcesses


def layout(scale: Scale, intents: int) -> Layout:
    """A root that declares so many intents of five globs each."""
    found = Layout(scale.folder / str(intents))
    found.state.mkdir(parents=True)
    found.intents.write_text(declared(intents))
    return found


def reader(where: Layout, *, trust_cache: bool) -> ConfigurationReader:
    """As a process has it that just began."""
    accepted = AcceptedFiles(where, AgentProcesses(where.agents))
    return ConfigurationReader(where, accepted, lambda: False, trust_cache=trust_cache)


def load(where: Layout, name: str, *, trust_cache: bool) -> None:
    """What such a process does for its first question. KeyError if the intent is not declared."""
    reader(where, trust_cache=trust_cache).current().intents.intents[name].scope.contains("a")


def recalled(scale: Scale) -> Iterator[Pair]:
    """A process that takes from another what a file says, and one that parses it; each glob is a fifth of an intent."""
    for intents in scale.of(full=(10, 100, 1_000, 10_000), quick=(10,)):
        where = layout(scale, intents)
        name = f"INT-{intents - 1:05}"
        for number in range(-1, scale.of(full=5, quick=2)):
            scale.say(f"{intents} intents, round {number}")
            intents_of._scope_of.cache_clear()  # a process that begins has parsed no glob
            peer = processor(partial(load, where, name, trust_cache=False), 0.0)
            ours = processor(partial(load, where, name, trust_cache=True), 0.0)
            if number >= 0:
                yield Pair(ours, peer, intents)


ROWS = (
    Row(
        key="recall",
        what="10,000 intents, 50,000 globs: load them and take one",
        ours="as another process found them",
        peer="parsed",
        target="<= 0.2",
        limit=0.2,
        run=recalled,
        sizes="intents",
    ),
)
