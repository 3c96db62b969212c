"""What is to be run confined, and what came of it."""

from __future__ import annotations

import os
import shlex
import signal
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Self

from msgspec import Struct, field

from intentls.store.confinement.confined_process import KEYBOARD, PASSED_ON
from intentls.store.confinement.inside import RUN_VARIABLE

if TYPE_CHECKING:
    from intentls.core.gate.refusal import Refusal
    from intentls.engine.confinement.writable import WritablePlaces
    from intentls.engine.tools.shell_call import ShellChanges
    from intentls.store.confinement.confined_process import ConfinedProcess
    from intentls.store.confinement.held_changes import HeldRun
    from intentls.store.confinement.seatbelt import SeatbeltProcess

FACE = "run"


class RunRequest(Struct, frozen=True):
    """A command, and what confines it. `folder` is absolute and lies in the root."""

    arguments: Sequence[str]
    folder: Path
    intent_id: str
    places: WritablePlaces
    model: str | None = None
    network: bool = True

    @property
    def text(self) -> str:
        """The command as one would type it."""
        return shlex.join(self.arguments)


class LandingReport(Struct):
    """What came of a run so far, by path. `private` is what git ignores, folders as one: it stayed in the layer.
    `dropped` is what a person did not want.
    """

    landed: set[str] = field(default_factory=set)
    held: dict[str, Refusal] = field(default_factory=dict)
    private: set[str] = field(default_factory=set)
    dropped: set[str] = field(default_factory=set)


class LandedBranch(Struct, frozen=True):
    """A branch of the command's. `ref` names its commit in the repository; `why_not` is why the branch did not move."""

    name: str
    ref: str
    why_not: str = ""


class SettledRun(Struct, frozen=True):
    """A run that was killed, and what came of what it left. `why_not`: why that could not all be settled yet."""

    run: HeldRun
    report: LandingReport
    branches: tuple[LandedBranch, ...] = ()
    why_not: str = ""


class RunResult(Struct, frozen=True):
    """The command's exit code, as a shell gives it, and what came of its changes.

    `report`, `branches` and `earlier` (runs that were killed) are a staged run's, `changes` a strict run's.
    """

    run_id: str
    exit_code: int
    report: LandingReport | None = None
    branches: tuple[LandedBranch, ...] = ()
    earlier: tuple[SettledRun, ...] = ()
    changes: ShellChanges | None = None

    @property
    def is_uneventful(self) -> bool:
        """Whether nothing came of a staged run that is worth a word."""
        return self.report == LandingReport() and not self.branches and not self.earlier


class PassedSignals:
    """Signals that reach the run go to its command, also those that come while it is being started.

    The terminal sends its own (Ctrl-C) to both by itself, so that the run ignores them.
    """

    def __init__(self) -> None:
        self._process: ConfinedProcess | SeatbeltProcess | None = None
        self._early: list[int] = []
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for number in KEYBOARD:
            self._before[number] = signal.signal(number, signal.SIG_IGN)
        for number in PASSED_ON:
            self._before[number] = signal.signal(number, self._take)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def to(self, process: ConfinedProcess | SeatbeltProcess) -> None:
        """From here on they go to this process."""
        self._process = process
        for number in self._early:
            process.send(number)

    def _take(self, number: int, _frame: FrameType | None) -> None:
        if self._process is None:
            self._early.append(number)
        else:
            self._process.send(number)


def environment(session_id: str, run_id: str) -> dict[str, str]:
    """The caller's, with what programs of ours have to know inside."""
    return {**os.environ, "INTENTLS_SESSION": session_id, RUN_VARIABLE: run_id}
