"""A staged run: a command writes into a layer of its own, and what it changed lands through the gate.

The command is started first, with as little as that takes; what judges its changes is loaded while it runs, and not at
all where it ends at once and changed nothing. `workspace` may trust an earlier reading of what is declared: what lands
is judged by a workspace that does not.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING

import intentls
from intentls.core.errors import StoreError
from intentls.engine.confinement.agent_state import bring_back
from intentls.engine.confinement.left_behind import left_behind
from intentls.engine.confinement.request import FACE, LandingReport, PassedSignals, RunRequest, RunResult, environment
from intentls.engine.workspace.default_intent import is_usable
from intentls.late_module import LateModule
from intentls.store.clock import timestamp
from intentls.store.confinement.confined_process import ConfinedCommand, ConfinedProcess, NotConfined
from intentls.store.confinement.held_changes import HeldRun
from intentls.store.confinement.kernel_calls import NEW_NETWORK, NEW_VIEW
from intentls.store.confinement.mapped_owners import why_not_changeable
from intentls.store.confinement.private_view import PrivateView, resolved
from intentls.store.confinement.run_directory import RunDirectory
from intentls.store.confinement.upper_layer import UpperLayer
from intentls.store.git.repository import repository_at
from intentls.store.sessions.default_intent import DefaultIntent

if TYPE_CHECKING:
    from intentls.core.gate.refusal import Refusal
    from intentls.engine.actions.effects import Effect, Reply
    from intentls.engine.confinement import landing_loop
    from intentls.engine.confinement.run_root import RunRoot
else:
    landing_loop = LateModule("intentls.engine.confinement.landing_loop")

_SOON_S = 1.0
_LOOK_S = 0.05
_DAEMON_VARIABLE = "INTENTLS_HOOK_DAEMON"


def run_staged(root: RunRoot, request: RunRequest, answer: Callable[[Effect], Reply | bool]) -> RunResult | Refusal:
    """Run the command to its end, landing what it changes whenever it is quiet.

    `answer` is asked about what is outside of the scope, once the command has ended. Returns the refusal of the
    selection where the intent can't be taken up. Raises StoreError, NotConfined where nothing can be confined.
    """
    run_id = os.urandom(4).hex()
    session_id = f"{FACE}-{run_id}"
    if not is_usable(root.configuration, request.intent_id):
        refusal: Refusal | None = landing_loop.refused_intent(root.path, session_id, request, answer)
        if refusal is not None:
            return refusal
    if (reason := why_not_changeable(root.path)) is not None:
        raise NotConfined(reason)
    left = left_behind(root.layout)
    run = HeldRun(run_id, session_id, request.intent_id, request.text, timestamp())
    head = root.git.head()
    directory = RunDirectory.create(
        root.layout, run, None if head is None else head.sha, request.model, _git_elsewhere(root)
    )
    copies = directory.copies(request.places.copied)
    view = PrivateView(
        directory.tree,
        directory.temporary,
        request.places.writable,
        request.places.read_only,
        tuple(resolved(_needed())),
        directory.git,
        copies,
    )

    def enter() -> None:
        view.enter()
        DefaultIntent(root.layout.default_intent).write(request.intent_id)

    inside = {**environment(session_id, run_id), _DAEMON_VARIABLE: "off", "TMPDIR": "/tmp"}
    namespaces = NEW_VIEW | (0 if request.network else NEW_NETWORK)
    with PassedSignals() as signals:
        try:
            process = ConfinedProcess.start(
                ConfinedCommand(request.arguments, request.folder, inside), enter, namespaces
            )
        except NotConfined:
            directory.remove()
            raise
        signals.to(process)
        try:
            if not left and _ends_soon_without_a_change(root, directory, process):
                result = RunResult(run_id, process.poll() or 0, LandingReport())
            else:
                result = landing_loop.land_while_running(root.path, left, directory, process, answer)
        except StoreError:
            process.kill()
            request.places.put_aside(run_id)
            raise
        finally:
            process.kill()
    for copy, file in copies:
        bring_back(copy, file)
    directory.remove()
    return result


def _ends_soon_without_a_change(root: RunRoot, directory: RunDirectory, process: ConfinedProcess) -> bool:
    """Whether the command ended before a second was over, and left its layer as it was: then nothing has to land.

    What lands changes is loaded as soon as there is one, beside the command.
    """
    state = f"{root.layout.state.relative_to(root.path).as_posix()}/"
    layers = [UpperLayer(directory.upper, root.path)]
    if directory.git is not None:
        layers.append(UpperLayer(directory.git.upper, directory.git.folder))
    until = time.monotonic() + _SOON_S
    while True:
        ended = process.wait(_LOOK_S)
        changes = (change for layer in layers for change in layer.changes(_nothing, final=ended))
        if any(not change.path.startswith(state) for change in changes):
            return False
        if ended or time.monotonic() >= until:
            return ended


def _nothing(_folders: Sequence[str]) -> Set[str]:
    return frozenset()


def _git_elsewhere(root: RunRoot) -> Path | None:
    """The repository's directory, where the tree is a linked worktree, or a submodule, and names it in a file."""
    if not (root.path / ".git").is_file():
        return None
    common = repository_at(root.path).common.resolve()
    is_repository = (common / "objects").is_dir() and (common / "HEAD").is_file()
    return common if is_repository and not common.is_relative_to(root.path) else None


def _needed() -> Iterator[Path]:
    """What must be seen inside: the programs of this installation, so that hooks inside can run."""
    yield Path(sys.prefix)
    yield Path(sys.base_prefix)
    yield Path(intentls.__file__).parent
    yield Path.home()
    yield from (Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder)
