"""`intentls check PATH`: may each of the files be changed, as the gate would decide?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from intentls.core.gate.refusal import Refusal
from intentls.engine.actions.request import EditRequest
from intentls.engine.edits.dry_run import check_as
from intentls.engine.tools import host_tools
from intentls.engine.wire import reports
from intentls.engine.wire.refusals import refused
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import OpenWorkspace, open_root

Verdict = tuple[str, ...] | Refusal

_NOBODY = "intentls check"


def judge(
    paths: Sequence[str], tool: str, *, session: str | None, intent: str | None, root: Path | None, as_json: bool
) -> int:
    """Judge each path and tell of it; the exit code. Raises InvalidPath, ConfigurationError, StoreError."""
    opened = open_root(root, trust_cache=True)
    verdicts = {path: _judge(opened, path, session, intent, tool) for path in dict.fromkeys(paths)}
    _show(verdicts, as_json)
    return 1 if _refused(verdicts) else 0


def _judge(opened: OpenWorkspace, path: str, session: str | None, intent: str | None, tool: str) -> Verdict:
    request = EditRequest(host_tools.HostTool(tool, (opened.path(path),)), session or _NOBODY)
    return check_as(opened.engine, request, intent) if session is None else host_tools.check(opened.engine, request)


def _refused(verdicts: dict[str, Verdict]) -> dict[str, Refusal]:
    # Warnings are a tuple; a refusal is not imported for a look at its type.
    return {path: verdict for path, verdict in verdicts.items() if not isinstance(verdict, tuple)}


def _show(verdicts: dict[str, Verdict], as_json: bool) -> None:
    if as_json:
        checks = [
            {"path": path, **(_allowed(verdict) if isinstance(verdict, tuple) else refused(verdict))}
            for path, verdict in verdicts.items()
        ]
        output.print_json(reports.ok(allowed=not _refused(verdicts), checks=checks))
        return
    for path, verdict in verdicts.items():
        if isinstance(verdict, tuple):
            output.print_line(("allowed", output.GOOD), f"  {path}")
            for warning in verdict:
                output.print_line(f"         {warning}")
        else:
            output.print_line(("refused", output.BAD), f"  {path}  ", (verdict.code, output.STRONG))
            output.print_line(f"         {_why(verdict)}")


def _allowed(warnings: tuple[str, ...]) -> dict[str, object]:
    """As `answers.CheckAnswer`, which is not loaded for so little."""
    return {"status": "ok", "allowed": True, **({"warnings": list(warnings)} if warnings else {})}


def _why(refusal: Refusal) -> str:
    owners = f" In the scope of {', '.join(refusal.owners)}." if refusal.owners else ""
    return refusal.error + owners
