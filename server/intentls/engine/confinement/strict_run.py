"""A strict run: the kernel refuses writes outside of the scope's hull at once; what is wider is judged afterwards."""

from __future__ import annotations

import shutil
import tempfile
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from intentls.core.errors import StoreError
from intentls.core.gate.refusal import Refusal
from intentls.core.gate.tool_class import SHELL
from intentls.engine.actions.effects import Effect, Reply, drive
from intentls.engine.confinement.request import FACE, PassedSignals, RunRequest, RunResult, environment
from intentls.engine.confinement.scope_hull import hull_of
from intentls.engine.intents import checkout
from intentls.engine.tools import shell_calls
from intentls.engine.tools.shell_call import ShellCall
from intentls.engine.tools.shell_changes import remember
from intentls.store.confinement.confined_process import ConfinedCommand, NotConfined
from intentls.store.confinement.strict_process import start_strict, why_not_strict

if TYPE_CHECKING:
    from intentls.engine.workspace.engine import Engine
    from intentls.engine.workspace.workspace import Workspace

_DEVICES = tuple(map(Path, ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx", "/dev/pts", "/dev/shm")))


def run_strict(
    engine: Engine, workspace: Workspace, request: RunRequest, answer: Callable[[Effect], Reply | bool]
) -> RunResult | Refusal:
    """Run the command to its end under Landlock or Seatbelt, and record what it changed.

    Returns the refusal of the selection. Raises NotConfined where the kernel has neither, ConfigurationError.
    """
    if (reason := why_not_strict()) is not None:
        raise NotConfined(f"A command can't be confined strictly here: {reason}.")
    rough = hull_of(workspace, request.intent_id)
    run_id = uuid.uuid4().hex[:8]
    session_id = f"{FACE}-{run_id}"
    selection = drive(checkout.select(engine, session_id, request.intent_id, None, request.model), answer)
    if isinstance(selection, Refusal):
        return selection
    call = ShellCall(session_id, SHELL, run_id, request.model)
    remember(workspace, call)
    try:
        temporary = Path(tempfile.mkdtemp(prefix="intentls-run-"))
    except OSError as error:
        raise StoreError(f"The command was not started: it can have no temporary folder ({error.strerror}).") from error
    writable = [
        *(workspace.root / name for name in (*rough.folders, *rough.files)),
        *request.places.writable,
        *_DEVICES,
        temporary,
    ]
    inside = {**environment(session_id, run_id), "TMPDIR": str(temporary)}
    try:
        with PassedSignals() as signals:
            process = start_strict(ConfinedCommand(request.arguments, request.folder, inside), writable)
            signals.to(process)
            try:
                process.wait()
            finally:
                process.kill()
        changes = shell_calls.report(workspace, (), call)
    finally:
        shell_calls.settle(workspace, session_id, ended=True)
        engine.end_session(session_id)
        shutil.rmtree(temporary, ignore_errors=True)
    return RunResult(run_id, process.poll() or 0, changes=changes)
