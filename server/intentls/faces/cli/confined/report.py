"""What came of a confined command, for who started it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from intentls.core.gate.refusal import Refusal
from intentls.engine.confinement.request import LandingReport, RunResult, SettledRun
from intentls.engine.tools.shell_call import ShellChanges
from intentls.faces.cli import output

_SHOWN = 10
_COMMAND = 60


def tell(result: RunResult | Refusal, aside: Sequence[Path]) -> int:
    """Say it on stderr; the exit code. `aside` are settings that were put aside."""
    if isinstance(result, Refusal):
        output.print_error(result.error)
        return 1
    for path in aside:
        output.print_error(f"The command made settings of an agent, which are put aside: {path}")
    tell_settled(result.earlier)
    if result.report is not None:
        _tell_landed(result, result.report)
    if result.changes is not None:
        _tell_changed(result.changes)
    return result.exit_code


def tell_settled(runs: Iterable[SettledRun]) -> None:
    """One line on stderr for each run of which something was left."""
    for run in runs:
        came = []
        if run.report.landed:
            came.append(f"{output.count(len(run.report.landed), 'file')} landed")
        if run.report.held:
            came.append(f"{output.count(len(run.report.held), 'file')} held")
        if run.why_not:
            came.append(f"not all could be settled: {run.why_not}")
        if came:
            command = output.cut(output.safe(run.run.command), _COMMAND)
            output.print_error(f"An earlier run ended early ({command}): {', '.join(came)}.")


def _tell_landed(result: RunResult, report: LandingReport) -> None:
    if report.landed:
        output.print_error(f"{output.count(len(report.landed), 'file')} landed.")
    for branch in result.branches:
        if branch.why_not:
            output.print_error(f"Branch {branch.name} stays as it is: {branch.why_not}. Its commits are {branch.ref}.")
        else:
            output.print_error(f"Branch {branch.name} has the command's commits.")
    if report.private:
        folders = sorted({path.split("/", 1)[0] for path in report.private})
        names = ", ".join(folders[:_SHOWN]) + (", ..." if len(folders) > _SHOWN else "")
        output.print_error(f"What git ignores did not land ({names}): --writable DIR keeps such a folder.")
    _tell_some([f"Dropped: {path}" for path in sorted(report.dropped)])
    _tell_some([f"Held: {path} ({refusal.code})" for path, refusal in sorted(report.held.items())])
    if report.held:
        output.print_error("`intentls run --review` shows what is held, to land it or to drop it.")


def _tell_some(lines: list[str]) -> None:
    for line in lines[:_SHOWN]:
        output.print_error(line)
    if len(lines) > _SHOWN:
        output.print_error(f"... and {len(lines) - _SHOWN} more.")


def _tell_changed(changes: ShellChanges) -> None:
    if changes.recorded:
        output.print_error(f"{output.count(changes.recorded, 'file')} changed, on record.")
    for refusal in changes.refusals:
        output.print_error(refusal.error)
    if changes.reverted:
        output.print_error(f"Put back: {', '.join(changes.reverted)}.")
