"""How often the disk is looked at to learn that no declared file changed. Counted, not timed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from benchmarks.repositories import repository, settle
from benchmarks.rows import Pair, Row, Scale
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless

LOOKS = ("stat", "lstat", "fstat", "open", "scandir", "listdir", "access", "readlink")
GOAL = 3


@contextmanager
def counted() -> Iterator[list[str]]:
    """Every look at the disk by way of `os`, as it happens."""
    seen: list[str] = []

    def noting(name: str, look: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*arguments: Any, **options: Any) -> Any:
            seen.append(name)
            return look(*arguments, **options)

        return noted

    instead: dict[str, Any] = {name: noting(name, getattr(os, name)) for name in LOOKS}
    with patch.multiple(os, **instead):
        yield seen


def looks(scale: Scale) -> Iterator[Pair]:
    """The first question reads the files; the next ones find them as they were. Files too young are read each time."""
    root = repository(scale.folder / "work", 1)
    workspace = Engine(Headless("bench", (root,))).workspace(root)
    settle(root, thoroughly=True)
    workspace.configuration()
    for _ in range(5):
        with counted() as seen:
            workspace.configuration()
        yield Pair(len(seen), GOAL)


ROWS = (
    Row(
        key="recheck",
        what="unchanged configuration: looks at the disk",
        ours="stat, open, scandir",
        peer="the goal",
        target="<= 3 stats",
        limit=1,
        run=looks,
        unit="calls",
    ),
)
