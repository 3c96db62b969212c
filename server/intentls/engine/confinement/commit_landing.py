"""What becomes of the commits of a confined command: a branch moves where all its changes are in the scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intentls.core.gate.refusal import Refusal
from intentls.engine.actions.request import EditRequest
from intentls.engine.confinement.request import LandedBranch
from intentls.engine.tools import host_tools
from intentls.engine.tools.host_tools import HostTool
from intentls.store.confinement.layer_commits import LayerBranch, LayerCommits

if TYPE_CHECKING:
    from intentls.engine.workspace.engine import Engine
    from intentls.engine.workspace.workspace import Workspace


def land_commits(
    engine: Engine, workspace: Workspace, commits: LayerCommits, session_id: str, run_id: str, start: str | None
) -> list[LandedBranch]:
    """Bring the command's commits back. `start` is the commit that was checked out at first. Raises StoreError."""
    landed = []
    for branch in commits.branches():
        ref = commits.bring(branch, run_id)
        landed.append(LandedBranch(branch.name, ref, _move(engine, workspace, commits, session_id, branch, start)))
    return landed


def _move(
    engine: Engine, workspace: Workspace, commits: LayerCommits, session_id: str, branch: LayerBranch, start: str | None
) -> str:
    """Move the branch; why that is not right, else ""."""
    paths = commits.changed_paths(branch, branch.before or start)
    if paths is None:
        return "it does not follow from the branch as it is"
    for path in paths:
        request = EditRequest(HostTool("write_to_file", (str(workspace.root / path),)), session_id)
        verdict = host_tools.check(engine, request)
        if isinstance(verdict, Refusal):
            return f"its commits change {path} ({verdict.code})"
    if commits.is_used_elsewhere(branch):
        return "another working tree has it checked out"
    return "" if commits.advance(branch, paths) else "the branch or the index changed meanwhile"
