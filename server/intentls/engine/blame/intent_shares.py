"""How much of each file each intent wrote, by blame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from intentls.core.errors import InvalidPath
from intentls.core.text.line_hashes import supports_line_blame
from intentls.engine.blame.blame import blame_content
from intentls.engine.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Shares:
    """A file's lines by the intent they were written for, most first; None: lines that no record covers."""

    path: str
    lines: int
    by_intent: tuple[tuple[str | None, int], ...]

    def percent(self, intent_id: str | None) -> int:
        """How many of a hundred lines are an intent's, rounded; 0 of an empty file."""
        return round(100 * dict(self.by_intent).get(intent_id, 0) / self.lines) if self.lines else 0


def shares(workspace: Workspace, paths: Iterable[str]) -> list[Shares]:
    """The shares in each file that is there and is text, in order of path. Raises LedgerUnavailable."""
    result = []
    for path in sorted(set(paths)):
        content = _content(workspace, path)
        if content is None:
            continue
        counts: Counter[str | None] = Counter()
        for part in blame_content(workspace, path, content):
            intent_id = None if part.record is None else part.record.get("intent_id")
            counts[intent_id if isinstance(intent_id, str) else None] += part.end_line - part.start_line + 1
        order = sorted(counts.items(), key=lambda count: (-count[1], count[0] or ""))
        result.append(Shares(path, counts.total(), tuple(order)))
    return result


def _content(workspace: Workspace, path: str) -> bytes | None:
    try:
        content = workspace.contents.read(path).data
    except InvalidPath:
        return None
    return content if content is not None and supports_line_blame(content) else None
