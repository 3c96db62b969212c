"""Answers of every command, as the JSON that all faces give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from intentls.core.errors import ConfigurationError, StoreError
from intentls.core.gate.refusal import ActionHint, Code, Refusal

if TYPE_CHECKING:  # who needs one answer need not load every use case
    from intentls.core.intents.intent import Intent
    from intentls.core.ledger.integrity_problems import IntegrityProblem
    from intentls.engine.actions.request import EditResult
    from intentls.engine.blame.blame import BlameRange
    from intentls.engine.edits.read import FileRead
    from intentls.engine.intents.checkout import SelectionResult
    from intentls.engine.intents.intents_edit import IntentsEdit
    from intentls.engine.intents.lessons import LessonResult
    from intentls.engine.tools.host_tools import ToolPermission
    from intentls.store.ledger.ledger import Verification
    from intentls.store.sessions.sessions import Session

Json = dict[str, Any]

_NOBODY = {"type": "unknown", "entity_type": "UNKNOWN"}


def ok(**values: Any) -> Json:
    """A success with these values."""
    return {"status": "ok", **values}


def refused(refusal: Refusal) -> Json:
    """A refusal: a result like any other, never a protocol error."""
    return {
        "status": "error",
        "message": "The tool execution failed",
        "error": refusal.error,
        "error_type": refusal.error_type.value,
        "code": refusal.code.value,
        "recoverable": True,
        "action_hint": refusal.action_hint.value,
        "classification": refusal.classification.value,
        "paths": list(refusal.paths),
        "owners": list(refusal.owners),
    }


def failed(trouble: ConfigurationError | StoreError) -> Json:
    """What the workspace's own files, or the disk, did not allow: a refusal as well."""
    if isinstance(trouble, ConfigurationError):
        hint = ActionHint.FIX_CONFIGURATION
        return refused(Refusal.of(Code.HOOK_ERROR, f"Configuration Error: {trouble}", action_hint=hint))
    reason = str(trouble).rstrip(".")
    return refused(Refusal.of(Code.HOOK_ERROR, f"Store Error: {reason}. Nothing was changed."))


def intents(found: Sequence[Intent]) -> Json:
    """`intent.listIntents`."""
    return ok(
        intents=[
            {
                "id": intent.id,
                "name": intent.name,
                "status": intent.status.value,
                "open": intent.is_open,
                "owned_scope": list(intent.scope.patterns),
                "constraints": [str(each) for each in intent.constraints],
                "acceptance_criteria": [str(each) for each in intent.acceptance_criteria],
            }
            for intent in found
        ]
    )


def selected(outcome: SelectionResult | Refusal) -> Json:
    """`intent.selectActiveIntent`."""
    if isinstance(outcome, Refusal):
        return refused(outcome)
    return ok(
        intent_id=outcome.intent_id,
        session_id=outcome.session_id,
        context=outcome.context.text,
        truncated=outcome.context.truncated,
    )


def active(session: Session) -> Json:
    """`intent.getActiveIntent` and `intent.clearActiveIntent`."""
    return ok(
        state="IDLE" if session.intent_id is None else "ACTIVE",
        intent_id=session.intent_id,
        mutation_class=session.mutation_class,
        session_id=session.session_id,
    )


def edited(outcome: EditResult | Refusal) -> Json:
    """A guarded edit of one file."""
    if isinstance(outcome, Refusal):
        return refused(outcome)
    file = outcome.edits[0]
    return ok(path=file.path, pre_hash=file.pre_hash, content_hash=file.post_hash, **_common(outcome))


def patched(outcome: EditResult | Refusal) -> Json:
    """`intent.applyPatch`."""
    if isinstance(outcome, Refusal):
        return refused(outcome)
    files = [
        {"path": f.path, "change": f.change.value, "pre_hash": f.pre_hash, "content_hash": f.post_hash}
        for f in outcome.edits
    ]
    return ok(files=files, **_common(outcome))


def _common(done: EditResult) -> Json:
    values: Json = {
        "mutation_class": done.mutation_class.value,
        "trace_id": done.trace_id,
        "applied": "editor" if done.in_editor else "disk",
    }
    if done.inferred is not None:
        values["mutation_class_inferred"] = done.inferred.value
        values["mutation_class_reasons"] = list(done.reasons)
    if done.degraded:
        values["trace"] = "degraded"
    if done.warnings:
        values["warnings"] = list(done.warnings)
    return values


def checked(verdict: Sequence[str] | Refusal) -> Json:
    """`intent.checkEdit`: allowed, with the warnings there are, or the refusal."""
    if isinstance(verdict, Refusal):
        return refused(verdict)
    return ok(allowed=True, **({"warnings": list(verdict)} if verdict else {}))


def admitted(outcome: ToolPermission) -> Json:
    """`intent.preToolUse`."""
    values: Json = {"warnings": list(outcome.warnings)} if outcome.warnings else {}
    return ok(allowed=True, classification=outcome.classification.value, pre_hash=outcome.pre_hash, **values)


def read(outcome: FileRead | Refusal) -> Json:
    """`intent.readFile`."""
    if isinstance(outcome, Refusal):
        return refused(outcome)
    return ok(path=outcome.path, content=outcome.content, content_hash=outcome.content_hash)


def made(edit: IntentsEdit) -> Json:
    """`intent.setStatus` and `intent.expandScope`: the text edit, in 0-based lines and code points."""
    span = edit.edit.span
    return ok(
        intent_id=edit.intent_id,
        path=edit.path,
        edit={
            "range": {
                "start": {"line": span.start_line, "character": span.start_column},
                "end": {"line": span.end_line, "character": span.end_column},
            },
            "new_text": edit.edit.new_text,
        },
        trace_id=edit.trace_id,
        **({"trace": "degraded"} if edit.degraded else {}),
    )


def learned(outcome: LessonResult) -> Json:
    """`intent.recordLesson`."""
    return ok(recorded=outcome.recorded, duplicates=outcome.duplicates)


def verification(found: Verification) -> Json:
    """`intent.verifyTrace`."""
    return {
        "status": "ok",
        "ok": not found.problems,
        "records": found.records,
        "problems": [_problem(problem) for problem in found.problems],
    }


def _problem(found: IntegrityProblem) -> Json:
    place: Json = {} if found.archive is None else {"archive": found.archive}
    return {"line": found.line, "kind": found.kind, "message": found.message, **place}


def blamed(path: str, ranges: Sequence[BlameRange]) -> Json:
    """`intent.blame`."""
    return ok(path=path, ranges=[_blame_range(found) for found in ranges])


def _blame_range(found: BlameRange) -> Json:
    record: Mapping[str, Any] = found.record or {}
    conversation: Mapping[str, Any] = found.conversation or {}
    return {
        "start_line": found.start_line,
        "end_line": found.end_line,
        "intent_id": record.get("intent_id"),
        "trace_id": record.get("id"),
        "contributor": conversation.get("contributor") or _NOBODY,
        "timestamp": record.get("timestamp"),
        "mutation_class": record.get("mutation_class"),
        **_who(record, conversation),
    }


def _who(record: Mapping[str, Any], conversation: Mapping[str, Any]) -> Json:
    """What the contract does not ask for: the model, the session, and the person who let it pass."""
    contributor, override = conversation.get("contributor"), record.get("override")
    return {
        "model": contributor.get("model_id") if isinstance(contributor, Mapping) else None,
        "session_id": record.get("session_id"),
        "approver": override.get("by") if isinstance(override, Mapping) else None,
    }
