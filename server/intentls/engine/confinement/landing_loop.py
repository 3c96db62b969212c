"""Landing what a staged run changes: while its command runs, at its end, and for runs that were killed."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from intentls.core.errors import IntentlsError, StoreError
from intentls.core.gate.refusal import Refusal
from intentls.engine.actions.approval import has_listener
from intentls.engine.actions.effects import Effect, Reply, drive
from intentls.engine.confinement.commit_landing import land_commits
from intentls.engine.confinement.held_questions import HeldQuestions
from intentls.engine.confinement.landing import RUN_BY_GIT, Landing
from intentls.engine.confinement.request import FACE, LandedBranch, RunRequest, RunResult, SettledRun
from intentls.engine.intents import checkout
from intentls.engine.tools.open_calls import settle_orphans
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.store.confinement.layer_commits import LayerCommits
from intentls.store.confinement.run_directory import RunDirectory
from intentls.store.confinement.upper_layer import UpperLayer

if TYPE_CHECKING:
    from intentls.engine.workspace.workspace import Workspace
    from intentls.store.confinement.confined_process import ConfinedProcess

log = logging.getLogger(__name__)

_QUIET_S = 0.25
_SHARE = 10  # looking at the layer takes at most a tenth of the time


def land_while_running(
    root: Path,
    left_behind: Iterable[RunDirectory],
    directory: RunDirectory,
    process: ConfinedProcess,
    answer: Callable[[Effect], Reply | bool],
) -> RunResult:
    """Land what the command changes whenever it is quiet, and the rest at its end.

    What is outside of the scope is put to the editors that listen as soon as it is held; once the command has ended,
    `answer` is asked about what is left of it. Raises StoreError where the disk refuses even then; what is not landed
    or held yet stays in the layer, for `settle`.
    """
    run = directory.note.run
    engine, workspace = _open(root)
    earlier = settle(engine, workspace, left_behind)
    try:
        try:
            _select(engine, directory, answer)
            landing = Landing(engine, workspace, directory)
            questions = HeldQuestions(workspace, landing)
            try:
                _land_until_ended(process, landing, questions)
                process.kill()
                questions.take_answers()
            finally:
                questions.close()
            _land_rest(landing, directory)
            branches = _land_commits(engine, workspace, directory)
            if has_listener(workspace):
                landing.offer(answer)
        finally:
            engine.end_session(run.session_id)
    except (IntentlsError, OSError) as error:
        raise StoreError(
            f"What the command changed did not all land: {_reason(error)}. The rest is kept; "
            "`intentls run --review` lands it once that is mended."
        ) from error
    return RunResult(run.id, process.poll() or 0, landing.report, tuple(branches), earlier)


def refused_intent(
    root: Path, session_id: str, request: RunRequest, answer: Callable[[Effect], Reply | bool]
) -> Refusal | None:
    """Why the intent of a run can't be taken up; None where it can, maybe since a person lets it."""
    engine, _ = _open(root)
    selection = drive(checkout.select(engine, session_id, request.intent_id, None, request.model), answer)
    return selection if isinstance(selection, Refusal) else None


def settle(engine: Engine, workspace: Workspace, directories: Iterable[RunDirectory]) -> tuple[SettledRun, ...]:
    """Land or hold what killed runs of this root left in their layers. What can't be settled yet is left as it is."""
    return tuple(_settle(engine, workspace, directory) for directory in directories)


def _settle(engine: Engine, workspace: Workspace, directory: RunDirectory) -> SettledRun:
    run = directory.note.run
    landing = Landing(engine, workspace, directory)
    settled = SettledRun(run, landing.report)
    try:
        try:
            _select(engine, directory, lambda _: False)
            landing.take_up()
            _land_rest(landing, directory)
            settled = replace(settled, branches=tuple(_land_commits(engine, workspace, directory)))
        finally:
            engine.end_session(run.session_id)
        directory.remove()
    except (IntentlsError, OSError) as error:
        log.info("what run %s left is not settled", run.id, exc_info=True)
        directory.release()
        settled = replace(settled, why_not=f"{_reason(error)}. It is kept in {directory.path}")
    return settled


def _reason(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) else str(error)
    return (text or type(error).__name__).rstrip(".")


def _open(root: Path) -> tuple[Engine, Workspace]:
    """An engine that reads afresh what is declared: by this is judged what lands."""
    engine = Engine(Headless(FACE, (root,)), settle_orphans)
    return engine, engine.workspace(root)


def _select(engine: Engine, directory: RunDirectory, answer: Callable[[Effect], Reply | bool]) -> None:
    """Take the run's intent up; where that is refused, so is all that would land."""
    run = directory.note.run
    if run.intent_id is not None:
        drive(checkout.select(engine, run.session_id, run.intent_id, None, directory.note.model), answer)


def _land_rest(landing: Landing, directory: RunDirectory) -> None:
    """Land or hold what is left at the end, and hold what makes git run something where git's directory is elsewhere.

    Nothing of that directory but commits comes back; a hook is held for the record of it.
    """
    landing.land(final=True)
    if directory.git is not None:
        for change in UpperLayer(directory.git.upper, directory.git.folder).changes(_not_run, final=True):
            if change.path.split("/", 1)[0] in RUN_BY_GIT:
                landing.hold_other(replace(change, path=f".git/{change.path}", what="setting of git"))


def _land_commits(engine: Engine, workspace: Workspace, directory: RunDirectory) -> list[LandedBranch]:
    if directory.git is None and not (workspace.root / ".git").is_dir():
        return []
    git = directory.upper / ".git" if directory.git is None else directory.git.upper
    run, commits = directory.note.run, LayerCommits(workspace.root, git)
    return land_commits(engine, workspace, commits, run.session_id, run.id, directory.note.head)


def _not_run(folders: Sequence[str]) -> Set[str]:
    """Those of the folders of git's directory in which nothing makes it run something."""
    return {folder for folder in folders if folder.split("/", 1)[0] not in RUN_BY_GIT}


def _land_until_ended(process: ConfinedProcess, landing: Landing, questions: HeldQuestions) -> None:
    """Land and ask at each quiet moment; answers take effect whenever they come. What the disk refuses waits.

    The first look is at once, so that what the command has changed before it is on its way lands with the second.
    """
    look_at = time.monotonic()
    while True:
        start = time.monotonic()
        try:
            if start >= look_at:
                landing.land(final=False)
                questions.ask()
            questions.take_answers()
        except (IntentlsError, OSError):
            log.warning("nothing landed at this quiet moment; it is tried again", exc_info=True)
        took = time.monotonic() - start
        if start >= look_at:
            look_at = start + took + max(0.0, _SHARE * took - _QUIET_S)
        if process.wait(_QUIET_S):
            return
