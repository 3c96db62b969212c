"""A bar on the terminal for what takes longer than a second; nothing anywhere else."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

_PATIENCE_S = 1.0


class Progress:
    """`with Progress("Verifying") as progress: work(progress)`, where the work calls `progress(done, total)`."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._begun = time.monotonic()
        self._bar: Bar | None = None
        self._wanted = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` are done."""
        if not self._wanted:
            return
        if self._bar is None:
            if time.monotonic() - self._begun < _PATIENCE_S:
                return
            self._bar = self._show(total)
        self._bar.update(self._bar.task_ids[0], completed=done, total=total)

    def _show(self, total: int) -> Bar:
        from rich import console, progress  # slow to import, and most work ends before there is a bar

        parts = (
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.TaskProgressColumn(),
            progress.TimeRemainingColumn(),
        )
        bar = progress.Progress(*parts, console=console.Console(stderr=True), transient=True)
        bar.add_task(self._label, total=total)
        bar.start()
        return bar
