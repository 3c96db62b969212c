"""Answers that only the command line gives, as JSON: they are no operations of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intentls.core.hashing import hash_of
from intentls.core.patterns.protected_paths import LEDGER_FILE
from intentls.store.clock import timestamp
from intentls.store.layout import ORCHESTRATION

if TYPE_CHECKING:  # a verb loads its own use case only
    from intentls.core.derived.lesson import Lesson
    from intentls.engine.agents.close_intent import Closing
    from intentls.engine.blame.line_authors import Shares
    from intentls.engine.branch_check.classify_commit import Classification
    from intentls.engine.export.export import ExportResult
    from intentls.engine.intents.accept import AcceptResult
    from intentls.engine.intents.new_intent import NewIntent
    from intentls.engine.ledger.archive import ArchiveResult
    from intentls.engine.ledger.import_records import ImportResult
    from intentls.engine.ledger.removed_segments import RestoredSegment
    from intentls.engine.ledger.sign import SignResult
    from intentls.engine.ledger.status import RootStatus
    from intentls.engine.records.rebuild_maps import RebuildResult
    from intentls.engine.setup.doctor import Check
    from intentls.engine.workspace.other_machines import OtherMachines, WorkElsewhere
    from intentls.store.archiving.archiver import ArchiveMove
    from intentls.store.sessions.accepted_files import WaitingChange
    from intentls.store.sessions.sessions import Session
    from intentls.store.setup.scaffold import ScaffoldStep

Json = dict[str, Any]


def ok(**values: Any) -> Json:
    """A success with these values."""
    return {"status": "ok", **values}


def initialised(root: Path, steps: Sequence[ScaffoldStep]) -> Json:
    """`init`."""
    return ok(
        root=str(root),
        steps=[{"path": step.path, "outcome": step.outcome.value, "what": step.what} for step in steps],
    )


def status(roots: Sequence[RootStatus]) -> Json:
    """`status`."""
    return ok(roots=[_root(root) for root in roots])


def _root(root: RootStatus) -> Json:
    return {
        "root": str(root.root),
        "mode": root.policy.mode.value,
        "config_error": root.config_error,
        "unconfirmed": list(root.unconfirmed),
        "policy_findings": root.policy_findings,
        "intents": {"declared": len(root.intents), "open": sum(intent.is_open for intent in root.intents)},
        "sessions": [_session(session) for session in root.sessions],
        "at_work": [
            {
                "path": work.path,
                "session_id": work.session_id,
                "intent_id": work.intent_id,
                "since": work.since,
                "until": work.until,
                **({"host": work.host} if work.host else {}),
            }
            for work in root.at_work
        ],
        **({} if root.elsewhere is None else _other_machines(root.elsewhere)),
        "ledger": {
            "path": LEDGER_FILE,
            "bytes": root.ledger.size,
            "records": root.ledger.records,
            "verified": root.ledger.soundness.value,
            "problems": root.ledger.problems,
        },
        "journal_pending": root.unfinished,
        "held": root.held,
    }


def _other_machines(machines: OtherMachines) -> Json:
    away = {} if machines.trouble is None else {"away": machines.trouble}
    return {"elsewhere": [_elsewhere(work) for work in machines.work], **away}


def _elsewhere(work: WorkElsewhere) -> Json:
    session = work.session
    return {
        "session_id": session.session_id,
        "intent_id": session.intent_id,
        "host": session.host,
        "person": session.person,
        "branch": session.branch,
        "face": session.face,
        "since": timestamp(session.since),
        "paths": list(work.paths),
    }


def confirmed(shown: Sequence[WaitingChange], accepted: Sequence[WaitingChange], reason: str | None) -> Json:
    """`confirm`: what waited, and what of it counts now; `reason` says why nobody could accept it here."""
    return {
        "status": "ok" if reason is None else "error",
        "waiting": [
            {
                "path": change.path,
                "accepted_hash": hash_of(change.accepted),
                "content_hash": hash_of(change.now),
                "confirmed": change in accepted,
            }
            for change in shown
        ],
        **({} if reason is None else {"error": reason}),
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
    shares: Sequence[Shares] = (),
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
            for file in shares
        ]
    return answer


def lessons(lessons: Sequence[Lesson]) -> Json:
    """`lessons`, and the resource of MCP."""
    return ok(
        lessons=[
            {"path": lesson.path, "date": lesson.date, "problems": [problem.line_text for problem in lesson.problems]}
            for lesson in lessons
        ]
    )


def declared(new: NewIntent) -> Json:
    """`new`: the intent as it was declared, and the file."""
    return ok(
        intent_id=new.intent.id,
        path=new.path,
        name=new.intent.name,
        intent_status=new.intent.status.value,
        branch=new.intent.branch,
        source=new.source,
        owned_scope=list(new.intent.scope.patterns),
        acceptance_criteria=[str(criterion) for criterion in new.intent.acceptance_criteria],
        trace_id=new.trace_id,
        **({"trace": "degraded"} if new.degraded else {}),
    )


def closed(closing: Closing) -> Json:
    """`close`: the intent with its status, and the criteria that nobody checked."""
    return ok(
        intent_id=closing.intent_id,
        intent_status=closing.status.value,
        open_criteria=list(closing.open_criteria),
        path=closing.edit.path,
        trace_id=closing.edit.trace_id,
        **({"trace": "degraded"} if closing.edit.degraded else {}),
    )


def accepted(result: AcceptResult) -> Json:
    """`accept`: whether the intent is completed, and every criterion with its result."""
    edit = result.edit
    return ok(
        intent_id=result.intent_id,
        completed=edit is not None,
        criteria=[
            {
                "criterion": criterion.criterion,
                "result": criterion.outcome.value,
                "seconds": None if criterion.seconds is None else round(criterion.seconds, 3),
                "why": criterion.why,
                "output": criterion.output,
            }
            for criterion in result.results
        ],
        warnings=list(result.warnings),
        trace_id=None if edit is None else edit.trace_id,
        **({"trace": "degraded"} if edit is not None and edit.degraded else {}),
    )


def classified(classification: Classification) -> Json:
    """`classify`: the class of the whole, and of each file; `coarse` where only the name could be judged."""
    return ok(
        mutation_class=classification.mutation_class.value,
        files=[
            {
                "path": file.path,
                "mutation_class": file.mutation_class.value,
                "reasons": list(file.reasons),
                **({"coarse": True} if file.is_coarse else {}),
            }
            for file in classification.files
        ],
    )


def exported(result: ExportResult, form: str, output: str) -> Json:
    """`trace export`: what was written where; `left_out` are records that the format has no place for."""
    return ok(format=form, output=output, records=result.records, left_out=result.left_out)


def imported(result: ImportResult, *, dry_run: bool) -> Json:
    """`trace import`: how many records were (or would be) taken in, and which lines were not."""
    return ok(
        dry_run=dry_run,
        imported=result.records,
        duplicates=result.duplicates,
        bad=result.bad,
        problems=[{"line": problem.line, "message": problem.message} for problem in result.problems],
    )


def archived(result: ArchiveResult, *, dry_run: bool) -> Json:
    """`trace archive`: what was moved or, in a dry run, would be."""
    prefix, moved = result.prefix, result.moved
    return ok(
        dry_run=dry_run,
        archive=None if moved is None else archive_path(moved),
        records=prefix.records,
        bytes=prefix.length,
        archive_bytes=None if moved is None else moved.archive.size,
        first=prefix.first,
        last=prefix.last,
        kept=prefix.kept,
        trace_id=None if moved is None else moved.record_id,
        finished=None if result.finished is None else archive_path(result.finished),
    )


def restored(segments: Sequence[RestoredSegment]) -> Json:
    """`trace restore`: what was put back, and which commit had taken it out."""
    return ok(
        restored=[
            {"segment": segment.name, "records": segment.records, "removed_by": segment.commit} for segment in segments
        ]
    )


def signed(result: SignResult) -> Json:
    """`sign`: the files that were written, and the key."""
    return ok(
        signed=[{"segment": one.segment, "file": one.name} for one in result.written],
        already_signed=result.signed,
        key=result.fingerprint or None,
    )


def archive_path(move: ArchiveMove) -> str:
    """Where an archive is, relative to the root."""
    return f"{ORCHESTRATION}/{move.archive.path.parent.name}/{move.archive.name}"
