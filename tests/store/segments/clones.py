"""Clones of a repository whose ledgers are appended to, as engines in them would do it."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

from intentls.store.git.head import Git
from intentls.store.git_segments.commits import SegmentCommits
from intentls.store.layout import Layout
from intentls.store.ledger.chain_heads import ChainHeads
from intentls.store.ledger.ledger import Ledger
from tests.support.workspaces import git, make_git_repo

INTENTS = ".orchestration/active_intents.yaml"
IGNORED = ".state/\nagent_trace.jsonl\n"
_TICKS = itertools.count()


class Clone:
    """A work tree with a ledger. `top` is the repository's, `root` the workspace's folder."""

    def __init__(self, top: Path, below: str = ".") -> None:
        self.top = top
        self.root = top / below
        self.layout = Layout(self.root)
        self.ledger = self.opened()

    def opened(self) -> Ledger:
        """The ledger, as a process of its own would open it."""
        commits = SegmentCommits(self.layout, Git(self.root))
        return Ledger(self.layout, ChainHeads(self.layout), commits)

    def git(self, *arguments: str) -> str:
        return git(self.top, *arguments)

    def add(self, *ids: str, **more: Any) -> None:
        """Append records; each is a second later than all before it, in whatever clone."""
        for id_ in ids:
            tick = next(_TICKS)
            moment = f"2026-02-18T{tick // 3600:02d}:{tick // 60 % 60:02d}:{tick % 60:02d}.000Z"
            self.ledger.append({"version": "0.1.0", "id": id_, "timestamp": moment, **more}, durable=False)

    def commit(self, message: str = "Work") -> str:
        """Commit all that there is; the commit."""
        self.git("add", "-A")
        self.git("commit", "-qm", message)
        return self.git("rev-parse", "HEAD")

    def ids(self) -> list[str]:
        return [record["id"] for record in self.ledger.oldest_first()]

    def names(self) -> list[str]:
        return sorted(path.name for path in self.layout.trace.glob("*.jsonl"))

    def content(self) -> dict[str, bytes]:
        return {name: (self.layout.trace / name).read_bytes() for name in self.names()}

    def is_clean(self) -> bool:
        return not self.git("status", "--porcelain")

    def problems(self) -> list[tuple[str | None, int, str]]:
        return [(problem.archive, problem.line, problem.kind.value) for problem in self.ledger.verify().problems]


def make_repository(folder: Path) -> Clone:
    """A repository with a root at its top, as `intentls init` leaves it."""
    files = {INTENTS: "active_intents: []\n", ".orchestration/.gitignore": IGNORED, "a.txt": "a\n"}
    return Clone(make_git_repo(folder, files))


def clone(source: Clone, folder: Path) -> Clone:
    """A clone of its own, on branch main."""
    git(source.top, "clone", "-q", str(source.top), str(folder))
    return Clone(folder.resolve())
