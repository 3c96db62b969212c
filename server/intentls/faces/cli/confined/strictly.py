"""Strict runs, which a staged one starts without."""

from __future__ import annotations

from pathlib import Path

from intentls.core.gate.refusal import Refusal
from intentls.engine.confinement.request import FACE, RunRequest
from intentls.engine.confinement.scope_hull import hull_of
from intentls.engine.confinement.strict_run import run_strict
from intentls.engine.tools.open_calls import settle_orphans
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.faces.cli import output
from intentls.faces.cli.confined import report
from intentls.faces.cli.workspace_question import ask_workspace
from intentls.store.confinement.confined_process import NotConfined


def run_strictly_instead(root: Path, request: RunRequest, error: NotConfined) -> int:
    """Run strictly since nothing can be staged here; the exit code. Raises NotConfined, ConfigurationError."""
    output.print_error(f"{error} It runs strictly instead.")
    return run_strictly(root, request)


def run_strictly(root: Path, request: RunRequest) -> int:
    """Run strictly, and say what came of it; the exit code. Raises NotConfined, ConfigurationError."""
    engine = Engine(Headless(FACE, (root,)), settle_orphans)
    workspace = engine.workspace(root)
    rough = hull_of(workspace, request.intent_id)
    output.print_error(f"Strict under {request.intent_id}: the kernel refuses writes elsewhere.")
    for reason in rough.wider:
        output.print_error(f"Wider than the scope: {reason}; judged afterwards.")
    result = run_strict(engine, workspace, request, ask_workspace)
    aside = [] if isinstance(result, Refusal) else request.places.put_aside(result.run_id)
    return report.tell(result, aside)
