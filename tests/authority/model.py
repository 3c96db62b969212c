"""What is true, known apart from the program: who wrote which line, and which folders each agent may change.

Each line has a number that no other ever gets. Scopes are folders. Nothing here imports `intentls`.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

AGENTS = ("agent-1", "agent-2")
OTHERS = "others"
"""People, with or without an editor, and the colleague: blame may say a person, or nobody."""

FOLDERS = ("one", "two", "both", "docs")
SCOPES = {"agent-1": frozenset({"one", "both"}), "agent-2": frozenset({"two", "both"})}
INTENT = {"agent-1": "INT-001", "agent-2": "INT-002"}
_NUMBER = re.compile(rb"value_(\d+)")
_TRIVIAL = (b"\n", b"# ----\n")


@dataclass
class Owed:
    """A change that has to be on record once nothing is in the way; `waits`: its record was made, and only waits."""

    agent: str
    path: str
    after: bytes | None
    step: str
    waits: bool


@dataclass
class Model:
    """`soft` are agents' lines whose record was made impossible: they may be nobody's, never another's. `vouched` are
    those of them in a file that a person attested since: the person may be named.

    `either` are lines that an agent's command wrote where another agent's command, not reported yet, was allowed to
    write as well: which of the two it was can't be told.
    """

    author: dict[int, str] = field(default_factory=dict)
    soft: set[int] = field(default_factory=set)
    vouched: set[int] = field(default_factory=set)
    either: set[int] = field(default_factory=set)
    scopes: dict[str, frozenset[str]] = field(default_factory=lambda: dict(SCOPES))
    owed: list[Owed] = field(default_factory=list)

    def allowed(self, agent: str, path: str) -> bool:
        """Whether people let the agent change this file."""
        return path.partition("/")[0] in self.scopes[agent] and "/" in path

    def fresh(self, rng: random.Random, author: str, count: int, *, soft: bool = False) -> list[bytes]:
        """New lines of `author`, some with something trivial after them."""
        lines = []
        for _ in range(count):
            number = len(self.author) + 1
            self.author[number] = author
            if soft:
                self.soft.add(number)
            lines.append(b"value_%d = make(%d)\n" % (number, rng.randint(0, 9)))
            if rng.random() < 0.1:
                lines.append(rng.choice(_TRIVIAL))
        return lines

    def changed(self, rng: random.Random, author: str, content: bytes | None, *, soft: bool = False) -> bytes:
        """`content` with something of the author's inserted, and perhaps something deleted."""
        lines = (content or b"").splitlines(keepends=True)
        if lines and not lines[-1].endswith(b"\n"):
            lines[-1] += b"\n"
        start = rng.randint(0, len(lines))
        del lines[start : start + rng.choice((0, 0, 1, 2))]
        lines[start:start] = self.fresh(rng, author, rng.choice((1, 2, 4)), soft=soft)
        return b"".join(lines)

    def soften(self, agent: str, contents: Iterable[bytes | None]) -> None:
        """The agent's lines in these contents may be nobody's from now on."""
        for content in contents:
            self.soft.update(number for number in numbers(content) if self.author.get(number) == agent)

    def misnamed(self, line: bytes, named: str | None) -> str | None:
        """What is wrong with naming `named` (an agent's session, OTHERS, or None for nobody) for a line."""
        for number in numbers(line)[:1]:
            author = self.author.get(number, OTHERS)
            if number in self.either and named != OTHERS:
                return None
            if number in self.vouched and named == OTHERS:
                return None
            if author == OTHERS and named in AGENTS:
                return f"line {line!r} is no agent's, but {named} is named"
            if author in AGENTS and named != author and not (named is None and number in self.soft):
                return f"line {line!r} is {author}'s, but {named or 'nobody'} is named"
        return None


def numbers(content: bytes | None) -> list[int]:
    """The lines of the model that stand in a content."""
    return [int(number) for number in _NUMBER.findall(content or b"")]


def hash_of(content: bytes | None) -> str | None:
    """As the ledger writes it."""
    return None if content is None else f"sha256:{hashlib.sha256(content).hexdigest()}"
