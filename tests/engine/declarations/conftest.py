"""A workspace on disk with an engine on it, and a cursor that a test writes as `§`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from intentls.engine.actions.effects import drive
from intentls.engine.actions.plans import WriteFile
from intentls.engine.actions.request import EditRequest, EditResult
from intentls.engine.declarations.completion import Suggestion, Suggestions, complete
from intentls.engine.declarations.file_kinds import FileKind
from intentls.engine.declarations.hover import Card, hover
from intentls.engine.edits.perform import perform
from intentls.engine.intents import checkout
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from tests.support.workspaces import Content, make_git_repo, make_workspace

INTENTS = """\
active_intents:
  - id: INT-001
    name: Build Weather API
    status: IN_PROGRESS
    owned_scope: ["src/**", "!src/generated/**"]
  - id: INT-002
    name: Write the guide
    owned_scope:
      - docs/*.md
  - id: INT-003
    name: First prototype
    status: DONE
    owned_scope: ["old/**"]
"""
FILES: Mapping[str, Content] = {
    "src/api/weather.py": "x\n",
    "src/generated/schema.py": "x\n",
    "src/[id].tsx": "x\n",
    "src/\U0001f600/smile.py": "x\n",
    "docs/guide.md": "x\n",
    "docs/it's.md": "x\n",
}


def cut(marked: str) -> tuple[str, int]:
    """The text without its `§`, and where that stood."""
    before, found, after = marked.partition("\N{SECTION SIGN}")
    assert found, "the test has no cursor"
    return before + after, len(before)


@dataclass
class Desk:
    """One root with an engine, and what an editor would ask it."""

    root: Path
    engine: Engine

    @property
    def workspace(self) -> Workspace:
        return next(self.engine.workspaces())

    def suggestions(self, marked: str, kind: FileKind = FileKind.INTENTS) -> Suggestions:
        return complete(self.workspace, kind, *cut(marked))

    def offers(self, marked: str, kind: FileKind = FileKind.INTENTS) -> dict[str, Suggestion]:
        return {found.label: found for found in self.suggestions(marked, kind).items}

    def accepts(self, marked: str, label: str, kind: FileKind = FileKind.INTENTS) -> str:
        """The text after the suggestion was taken, with the cursor behind it."""
        text, _ = cut(marked)
        found = self.offers(marked, kind)[label]
        span, lines = found.span, text.split("\n")
        assert span.start_line == span.end_line
        line = lines[span.start_line]
        lines[span.start_line] = line[: span.start_column] + found.new_text + line[span.end_column :]
        return "\n".join(lines)

    def hover(self, marked: str, kind: FileKind = FileKind.INTENTS) -> Card | None:
        return hover(self.workspace, kind, *cut(marked))

    def write(self, path: str, session: str = "agent", intent: str = "INT-001", model: str | None = None) -> None:
        """A guarded edit, on record."""
        drive(checkout.select(self.engine, session, intent, None, model))
        assert isinstance(
            drive(perform(self.engine, EditRequest(WriteFile(path, f"by {session}\n"), session))), EditResult
        )


def desk_in(
    folder: Path, intents: str = INTENTS, *, git: bool = False, files: Mapping[str, Content] | None = None
) -> Desk:
    root = make_workspace(folder, intents, FILES if files is None else files)
    if git:
        make_git_repo(root)
    return Desk(root, Engine(Headless("test", (root,))))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A small workspace with three intents."""
    return desk_in(tmp_path / "workspace")
