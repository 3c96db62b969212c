"""An agent at work on a workspace, without any server: what it does lands on disk and in the ledger."""

from __future__ import annotations

from pathlib import Path

from intentls.core.gate.refusal import Refusal
from intentls.core.mutation.classes import MutationClass
from intentls.core.patch.unified_diff import parse_patch
from intentls.engine.actions.effects import drive
from intentls.engine.actions.plans import ApplyPatch, DeleteFile, EditFile, RenameFile, WriteFile
from intentls.engine.actions.request import EditRequest, EditResult, Plan
from intentls.engine.edits import perform
from intentls.engine.edits.read import read_file
from intentls.engine.intents import checkout
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless

MODEL = "anthropic/claude-opus-4-5"


class Agent:
    """One session of an agent in one root."""

    def __init__(self, root: Path, session_id: str = "agent-1") -> None:
        self.engine = Engine(Headless("cli", (root,)))
        self.session_id = session_id

    def select(self, intent_id: str, mutation_class: MutationClass | None = None) -> Agent:
        """Check an intent out; fails where that is refused."""
        outcome = drive(checkout.select(self.engine, self.session_id, intent_id, mutation_class, MODEL))
        assert not isinstance(outcome, Refusal), outcome
        return self

    def read(self, path: str) -> str:
        """The file as it is now, which this session knows from then on; fails where that is refused."""
        outcome = read_file(self.engine, self.session_id, path)
        assert not isinstance(outcome, Refusal), outcome
        return outcome.content

    def write(self, path: str, content: str) -> EditResult | Refusal:
        return self._do(WriteFile(path, content))

    def edit(self, path: str, old: str, new: str) -> EditResult | Refusal:
        return self._do(EditFile(path, old, new, False))

    def delete(self, path: str) -> EditResult | Refusal:
        return self._do(DeleteFile(path))

    def rename(self, path: str, new_path: str) -> EditResult | Refusal:
        return self._do(RenameFile(path, new_path))

    def patch(self, text: str) -> EditResult | Refusal:
        return self._do(ApplyPatch(parse_patch(text)))

    def _do(self, plan: Plan) -> EditResult | Refusal:
        return drive(perform.perform(self.engine, EditRequest(plan, self.session_id)))
