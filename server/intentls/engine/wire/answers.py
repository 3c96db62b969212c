"""What every operation answers with, as types: all faces encode them, and schemas and client types come from them.

`of` makes an answer of a use case's result. A field stands where it stands in the JSON; `UNSET` leaves it out. The
schemas are open: a client that checks them must not take an edit that was made for one that failed, because its answer
says more than was promised. The names of the types inside answers are seen by clients: they are names in the schemas.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from msgspec import UNSET, Struct, UnsetType

from intentls.engine.wire.definition_history import UNKNOWN_AUTHOR, BlamedDefinition
from intentls.engine.wire.signature_coverage import SignatureCoverage

if TYPE_CHECKING:  # who needs one answer need not load every use case
    from pathlib import Path

    from intentls.core.intents import intent as domain
    from intentls.core.ledger.integrity_problems import IntegrityProblem
    from intentls.engine.actions.request import EditResult
    from intentls.engine.blame import blame
    from intentls.engine.intents.checkout import SelectionResult
    from intentls.engine.intents.intents_edit import IntentsEdit
    from intentls.engine.tools.host_tools import ToolPermission
    from intentls.engine.tools.tool_reports import ReportResult
    from intentls.store.ledger.ledger import Verification
    from intentls.store.ledger_search.text_rows import Hit
    from intentls.store.sessions.sessions import Session


class Success(Struct, frozen=True, tag_field="status", tag="ok"):
    """An answer of an operation that was not refused: `"status": "ok"` and what there is to say."""


class Intent(Struct, frozen=True):
    """A declared intent; `root` is the folder that declares it, where there are several."""

    id: str
    name: str
    status: str
    open: bool
    owned_scope: list[str]
    constraints: list[str]
    acceptance_criteria: list[str]
    root: str | UnsetType = UNSET

    @classmethod
    def of(cls, intent: domain.Intent, root: str | UnsetType = UNSET) -> Intent:
        constraints = [str(constraint) for constraint in intent.constraints]
        criteria = [str(criterion) for criterion in intent.acceptance_criteria]
        scope = list(intent.scope.patterns)
        return cls(intent.id, intent.name, intent.status.value, intent.is_open, scope, constraints, criteria, root)


class IntentsAnswer(Success, frozen=True, tag="ok"):
    """The declared intents, of all roots."""

    intents: list[Intent]

    @classmethod
    def of(cls, intents: Iterable[domain.Intent]) -> IntentsAnswer:
        return cls([Intent.of(intent) for intent in intents])

    @classmethod
    def by_root(cls, roots: Mapping[Path, Iterable[domain.Intent]]) -> IntentsAnswer:
        """The intents of each root; each names its root if there are several."""
        return cls(
            [
                Intent.of(intent, root.as_posix() if len(roots) > 1 else UNSET)
                for root, intents in roots.items()
                for intent in intents
            ]
        )


class SelectionAnswer(Success, frozen=True, tag="ok"):
    """The selected intent with its context (not all of it if `truncated`), and who works on it on other machines."""

    intent_id: str
    session_id: str
    context: str
    truncated: bool
    warnings: list[str] | UnsetType = UNSET

    @classmethod
    def of(cls, result: SelectionResult) -> SelectionAnswer:
        warnings = list(result.warnings) or UNSET
        return cls(result.intent_id, result.session_id, result.context.text, result.context.truncated, warnings)


class SessionAnswer(Success, frozen=True, tag="ok"):
    """A session and its active intent, if it has one."""

    state: Literal["IDLE", "ACTIVE"]
    intent_id: str | None
    mutation_class: str | None
    session_id: str

    @classmethod
    def of(cls, session: Session) -> SessionAnswer:
        state: Literal["IDLE", "ACTIVE"] = "IDLE" if session.intent_id is None else "ACTIVE"
        return cls(state, session.intent_id, session.mutation_class, session.session_id)


class FileAnswer(Success, frozen=True, tag="ok"):
    """A file's text, and the hash of its bytes."""

    path: str
    content: str
    content_hash: str


class CheckAnswer(Success, frozen=True, tag="ok"):
    """A tool may run."""

    allowed: Literal[True]
    warnings: list[str] | UnsetType = UNSET

    @classmethod
    def of(cls, warnings: Iterable[str]) -> CheckAnswer:
        return cls(allowed=True, warnings=list(warnings) or UNSET)


class PermissionAnswer(Success, frozen=True, tag="ok"):
    """A host's tool may run now; `pre_hash` is what the file holds before, for the report afterwards."""

    allowed: Literal[True]
    classification: str
    pre_hash: str | None
    warnings: list[str] | UnsetType = UNSET

    @classmethod
    def of(cls, permission: ToolPermission) -> PermissionAnswer:
        return cls(True, permission.classification.value, permission.pre_hash, list(permission.warnings) or UNSET)


class RecordAnswer(Success, frozen=True, tag="ok"):
    """What a host reported is on record under this id; null if nothing had to be.

    With `trace`, the record waits until the ledger can be written, or, with a null `trace_id`, is lost.
    """

    trace_id: str | None
    trace: Literal["degraded"] | UnsetType = UNSET

    @classmethod
    def of(cls, result: ReportResult | None) -> RecordAnswer:
        return cls(None) if result is None else cls(result.trace_id, "degraded" if result.degraded else UNSET)


class RecordedChange(Success, frozen=True, kw_only=True, tag="ok"):
    """What every guarded edit answers with, after what it says of its files.

    The class is the one that counts; the inferred one with its reasons is left out where nothing was inferred.
    `trace` is left out unless the record has to wait until the ledger can be written.
    """

    mutation_class: str
    trace_id: str | None
    applied: Literal["disk", "editor"]
    mutation_class_inferred: str | UnsetType = UNSET
    mutation_class_reasons: list[str] | UnsetType = UNSET
    trace: Literal["degraded"] | UnsetType = UNSET
    warnings: list[str] | UnsetType = UNSET


class EditAnswer(RecordedChange, frozen=True, tag="ok"):
    """A guarded edit of one file; a hash is null where there is no file."""

    path: str
    pre_hash: str | None
    content_hash: str | None

    @classmethod
    def of(cls, result: EditResult) -> EditAnswer:
        file = result.edits[0]
        return cls(file.path, file.pre_hash, file.post_hash, **_change(result))


class PatchedFile(Struct, frozen=True):
    """One file of a patch."""

    path: str
    change: Literal["add", "modify", "delete", "rename"]
    pre_hash: str | None
    content_hash: str | None


class PatchAnswer(RecordedChange, frozen=True, tag="ok"):
    """A guarded edit of several files."""

    files: list[PatchedFile]

    @classmethod
    def of(cls, result: EditResult) -> PatchAnswer:
        files = [PatchedFile(f.path, f.change.value, f.pre_hash, f.post_hash) for f in result.edits]
        return cls(files, **_change(result))


def _change(result: EditResult) -> dict[str, Any]:
    """The fields of `RecordedChange`."""
    return {
        "mutation_class": result.mutation_class.value,
        "trace_id": result.trace_id,
        "applied": "editor" if result.in_editor else "disk",
        "mutation_class_inferred": UNSET if result.inferred is None else result.inferred.value,
        "mutation_class_reasons": UNSET if result.inferred is None else list(result.reasons),
        "trace": "degraded" if result.degraded else UNSET,
        "warnings": list(result.warnings) or UNSET,
    }


class Position(Struct, frozen=True):
    """A place in a text, counted from 0."""

    line: int
    character: int


class Range(Struct, frozen=True):
    """From `start` up to, not including, `end`."""

    start: Position
    end: Position


class TextEdit(Struct, frozen=True):
    """A text put in place of a range."""

    range: Range
    new_text: str


class DeclarationAnswer(Success, frozen=True, tag="ok"):
    """The edit of the intents file that was made, in lines and code points.

    `trace` is left out unless the record has to wait until the ledger can be written.
    """

    intent_id: str
    path: str
    edit: TextEdit
    trace_id: str | None
    trace: Literal["degraded"] | UnsetType = UNSET

    @classmethod
    def of(cls, edit: IntentsEdit) -> DeclarationAnswer:
        span = edit.edit.span
        start, end = Position(span.start_line, span.start_column), Position(span.end_line, span.end_column)
        text_edit = TextEdit(Range(start, end), edit.edit.new_text)
        return cls(edit.intent_id, edit.path, text_edit, edit.trace_id, "degraded" if edit.degraded else UNSET)


class LessonAnswer(Success, frozen=True, tag="ok"):
    """How many problems were kept as lessons, and how many were known already."""

    recorded: int
    duplicates: int


class RecordsAnswer(Success, frozen=True, tag="ok"):
    """Records of the ledger, newest first."""

    entries: list[dict[str, Any]]


class Problem(Struct, frozen=True):
    """What is wrong with a line of the ledger."""

    line: int
    kind: str
    message: str
    archive: str | UnsetType = UNSET

    @classmethod
    def of(cls, problem: IntegrityProblem) -> Problem:
        archive = UNSET if problem.archive is None else problem.archive
        return cls(problem.line, problem.kind, problem.message, archive)


class VerificationAnswer(Success, frozen=True, tag="ok"):
    """Whether the ledger is whole, and what is wrong with it; `signatures` of each root that has some."""

    ok: bool
    records: int
    problems: list[Problem]
    signatures: list[SignatureCoverage] | UnsetType = UNSET

    @classmethod
    def of(cls, verification: Verification) -> VerificationAnswer:
        problems = [Problem.of(problem) for problem in verification.problems]
        signed = [SignatureCoverage.of(one) for one in verification.signatures]
        return cls(ok=not problems, records=verification.records, problems=problems, signatures=signed or UNSET)


class BlameRange(Struct, frozen=True):
    """Lines of one origin, counted from 1, ends included."""

    start_line: int
    end_line: int
    intent_id: str | None
    trace_id: str | None
    contributor: dict[str, Any]
    timestamp: str | None
    mutation_class: str | None
    model: str | None
    session_id: str | None
    approver: str | None

    @classmethod
    def of(cls, lines: blame.OwnedRange) -> BlameRange:
        record: Mapping[str, Any] = lines.record or {}
        contributor = (lines.conversation or {}).get("contributor")
        override = record.get("override")
        return cls(
            lines.start_line,
            lines.end_line,
            record.get("intent_id"),
            record.get("id"),
            contributor or UNKNOWN_AUTHOR,
            record.get("timestamp"),
            record.get("mutation_class"),
            contributor.get("model_id") if isinstance(contributor, Mapping) else None,
            record.get("session_id"),
            override.get("by") if isinstance(override, Mapping) else None,
        )


class BlameAnswer(Success, frozen=True, tag="ok"):
    """Which record wrote each line of a file; of a `definition`, if one was asked for, with its history."""

    path: str
    ranges: list[BlameRange]
    definition: BlamedDefinition | UnsetType = UNSET

    @classmethod
    def of(
        cls,
        path: str,
        ranges: Iterable[blame.OwnedRange],
        definition: BlamedDefinition | UnsetType = UNSET,
    ) -> BlameAnswer:
        return cls(path, [BlameRange.of(lines) for lines in ranges], definition)


class SearchResult(Struct, frozen=True):
    """A piece of work (`record`), a `decision`, a `lesson` or a closed `intent`. Texts are data, written by others.

    `id` is that of the newest of `count` records, of the intent, or null for a lesson. `title` is the name of the
    intent, what was decided, or the lesson's text.
    """

    kind: Literal["record", "decision", "lesson", "intent"]
    id: str | None
    intent_id: str | None
    session_id: str | None
    revision: str | None
    timestamp: str | None
    title: str
    by: list[str]
    paths: list[str]
    symbols: list[str]
    notes: list[str]
    count: int

    @classmethod
    def of(cls, hit: Hit) -> SearchResult:
        return cls(
            hit.kind,
            hit.id or None,
            hit.intent_id,
            hit.session_id,
            hit.revision,
            hit.timestamp or None,
            hit.title,
            hit.authors,
            hit.paths,
            hit.symbols,
            hit.notes,
            hit.count,
        )


class SearchAnswer(Success, frozen=True, tag="ok"):
    """What fits the words, best first."""

    results: list[SearchResult]

    @classmethod
    def of(cls, hits: Iterable[Hit]) -> SearchAnswer:
        return cls([SearchResult.of(hit) for hit in hits])


class PromptAnswer(Success, frozen=True, tag="ok"):
    """The protocol's rules as a text for a model; empty where nothing governs the workspace."""

    prompt: str
