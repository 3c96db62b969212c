"""Answers about a whole workspace, as JSON: its state, its health, its maps, its lessons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intentls.core.patterns.protected_paths import LEDGER_FILE
from intentls.engine.wire.results import ok

if TYPE_CHECKING:  # as in `results`
    from intentls.core.derived.lesson import Lesson
    from intentls.engine.blame.intent_shares import Shares
    from intentls.engine.ledger.status import RootStatus
    from intentls.engine.records.rebuild_maps import RebuildResult
    from intentls.engine.setup.doctor import Check
    from intentls.store.sessions.sessions import Session
    from intentls.store.setup.scaffold import ScaffoldStep

Json = dict[str, Any]


def initialised(root: Path, steps: Sequence[ScaffoldStep]) -> Json:
    """`init`."""
    return ok(
        root=str(root),
        steps=[{"path": step.path, "outcome": step.outcome.value, "what": step.what} for step in steps],
    )


def status(roots: Sequence[RootStatus]) -> Json:
    """`status`."""
    return ok(roots=[_root(root) for root in roots])


def _root(found: RootStatus) -> Json:
    return {
        "root": str(found.root),
        "mode": found.policy.mode.value,
        "config_error": found.config_error,
        "policy_findings": found.policy_findings,
        "intents": {"declared": len(found.intents), "open": sum(intent.is_open for intent in found.intents)},
        "sessions": [_session(session) for session in found.sessions],
        "at_work": [
            {
                "path": work.path,
                "session_id": work.session_id,
                "intent_id": work.intent_id,
                "since": work.since,
                "until": work.until,
            }
            for work in found.at_work
        ],
        "ledger": {
            "path": LEDGER_FILE,
            "bytes": found.ledger.size,
            "records": found.ledger.records,
            "verified": found.ledger.soundness.value,
            "problems": found.ledger.problems,
        },
        "journal_pending": found.unfinished,
    }


def _session(session: Session) -> Json:
    return {
        "session_id": session.session_id,
        "intent_id": session.intent_id,
        "mutation_class": session.mutation_class,
        "model_identifier": session.model,
        "face": session.face,
        "pid": session.pid,
        "updated": session.updated,
    }


def examined(checks: Sequence[Check]) -> Json:
    """`doctor`."""
    return ok(
        ok=all(check.level != "error" for check in checks),
        checks=[
            {"name": check.name, "level": check.level.value, "message": check.message, "advice": check.advice}
            for check in checks
        ],
    )


def mapped(
    files: Mapping[str, Sequence[str]],
    names: Mapping[str, str],
    rebuilt: RebuildResult | None = None,
    written: Sequence[Shares] = (),
) -> Json:
    """`map`: the files of each intent; if rebuilding was asked for, what it changed, and whose share is how large."""
    answer = ok(
        intents=[
            {"intent_id": intent_id, "name": names.get(intent_id), "files": list(paths)}
            for intent_id, paths in files.items()
        ]
    )
    if rebuilt is not None:
        answer["rebuilt"] = {
            "records": rebuilt.records,
            "intent_map_changed": rebuilt.map_changed,
            "spatial_map_changed": rebuilt.spatial_changed,
        }
        answer["shares"] = [
            {
                "path": file.path,
                "lines": file.lines,
                "intents": [
                    {"intent_id": intent_id, "lines": lines, "percent": file.percent(intent_id)}
                    for intent_id, lines in file.by_intent
                ],
            }
            for file in written
        ]
    return answer


def lessons(found: Sequence[Lesson]) -> Json:
    """`lessons`."""
    return ok(
        lessons=[
            {"path": lesson.path, "date": lesson.date, "problems": [problem.line_text for problem in lesson.problems]}
            for lesson in found
        ]
    )
