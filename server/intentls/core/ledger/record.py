"""One record of the ledger: who changed which lines of which files, under which intent.

Every record is a valid Agent Trace 0.1.0 record that also carries the intent dialect's keys. Ids and
timestamps are given in, never made here; a record that could not be valid is refused when it is made.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.gate.refusal import Override, ScopeValidation
from intentls.core.intents.lease import FencedUse
from intentls.core.ledger.definition_origin import DefinitionOrigin
from intentls.core.ledger.line_range import LineRange, Origin
from intentls.core.ledger.packed_lines import pack_hunks, pack_line_hashes
from intentls.core.ledger.record_json import UNTRACKED, ConversationJson, FileJson, LessonJson, RangeJson, RecordJson
from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classes import ClassSource as ClassSource
from intentls.core.text.lines import Hunk
from intentls.late_pattern import late_pattern

FORMAT_VERSION = "0.1.0"
TOOL_NAME = "intentls"
AWAY = "away"
NULL_REVISION = "0" * 40
MAX_MODEL_ID = 250  # characters, by the schema

_UUID = late_pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MOMENT = late_pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?Z")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


class ContributorType(StrEnum):
    """Who wrote something, as Agent Trace has it."""

    HUMAN = "human"
    AI = "ai"
    MIXED = "mixed"
    UNKNOWN = "unknown"


class Contributor(Struct, frozen=True):
    """Who wrote something. `model` only where it is known; None otherwise.

    `name` is a person's own; `on_behalf_of` names the person for whom an agent worked. None where they are not known
    or not to be written.
    `attested_by` is the person who vouched for lines that no record of their author covers.
    """

    type: ContributorType
    model: str | None = None
    name: str | None = None
    on_behalf_of: str | None = None
    attested_by: str | None = None

    def named(self, person: str | None) -> Contributor:
        """With the name of the person at the machine: a person's own, or of the one for whom an agent works.

        Of what is neither (unknown, mixed), and of what has a name, nothing changes.
        """
        if self.type is ContributorType.HUMAN:
            return replace(self, name=self.name or person)
        if self.type is ContributorType.AI:
            return replace(self, on_behalf_of=self.on_behalf_of or person)
        return self

    def to_json(self) -> dict[str, Any]:
        """The JSON object, without the keys of what is not known."""
        result: dict[str, Any] = {"type": self.type.value, "entity_type": self.type.name}
        if self.model:
            result["model_id"] = self.model[:MAX_MODEL_ID]
            result["model_identifier"] = self.model
        if self.name:
            result["name"] = self.name
        if self.on_behalf_of:
            result["on_behalf_of"] = self.on_behalf_of
        if self.attested_by:
            result["attested_by"] = self.attested_by
        return result


class Conversation(Struct, frozen=True):
    """What one session contributed to a file: `ranges` of the new content; none for a deletion.

    `intent_id` is the intent it worked under, None outside every intent. `symbols` are the qualified names of the
    definitions around and in the ranges, each once, as far as they are known.
    """

    session_id: str
    contributor: Contributor
    ranges: tuple[LineRange, ...] = ()
    intent_id: str | None = None
    symbols: tuple[str, ...] = ()

    def to_json(self) -> ConversationJson:
        """The JSON object; `related` is empty outside every intent, `symbols` are only there where there are any."""
        result: ConversationJson = {
            "url": f"urn:{TOOL_NAME}:session:{quote(self.session_id)}",
            "contributor": self.contributor.to_json(),
            "ranges": [_range(r) for r in self.ranges],
            "related": [] if self.intent_id is None else [_specification(self.intent_id)],
        }
        if self.symbols:
            result["symbols"] = list(self.symbols)
        return result


class FileChange(Struct, frozen=True):
    """What happened to one file. `path` (and `old_path`, for a rename) is root-relative POSIX.

    A hash is None where there is no file: `pre_hash` of an added, `post_hash` of a deleted one. `definition_origins`
    are the former names and places of definitions whose names were written; None where nobody compared the contents.
    `removed_line_hashes` are those of the old lines of all hunks, in order. `is_too_large`: its class or its
    definitions were not looked for, since the file or the whole change exceeds the bounds of that work. `form` is the
    key of its new content in all ways to format it, where a formatter may run before that is committed. `lease` is the
    one that it was made under, where many machines share theirs.
    """

    path: str
    change: Change
    pre_hash: str | None
    post_hash: str | None
    conversations: tuple[Conversation, ...]
    hunks: tuple[Hunk, ...] = ()
    old_path: str | None = None
    origins: tuple[Origin, ...] = ()
    definition_origins: tuple[DefinitionOrigin, ...] | None = None
    removed_line_hashes: str | None = None
    is_too_large: bool = False
    form: str | None = None
    lease: FencedUse | None = None

    def named(self, person: str | None) -> FileChange:
        """With the name of the person at the machine in every conversation, see `Contributor.named`."""
        conversations = tuple(replace(part, contributor=part.contributor.named(person)) for part in self.conversations)
        return replace(self, conversations=conversations)

    @property
    def is_mixed(self) -> bool:
        """Whether both people and models contributed."""
        types = {conversation.contributor.type for conversation in self.conversations}
        return ContributorType.MIXED in types or {ContributorType.HUMAN, ContributorType.AI} <= types

    def to_json(self) -> FileJson:
        """The JSON object; `hunks`, `origins`, `old_path` and `contributor` only where there is something to say.

        The hashes of the lines stand beside the ranges, in their order: a range stays what other readers know. How
        they and the hunks stand there, see `core.ledger.packed_lines`.
        """
        result: FileJson = {
            "path": self.path,
            "relative_path": self.path,
            "change": self.change.value,
            "pre_hash": self.pre_hash,
            "post_hash": self.post_hash,
            "conversations": [conversation.to_json() for conversation in self.conversations],
        }
        if self.hunks:
            result["hunks"] = pack_hunks(self.hunks)
        if self.origins:
            result["origins"] = [origin.to_json() for origin in self.origins]
        if self.definition_origins is not None:
            result["definition_origins"] = [origin.to_json() for origin in self.definition_origins]
        line_hashes = pack_line_hashes([where for part in self.conversations for where in part.ranges])
        if line_hashes is not None:
            result["line_hashes"] = line_hashes
        if self.removed_line_hashes is not None:
            result["removed_line_hashes"] = self.removed_line_hashes
        if self.form is not None:
            result["form"] = self.form
        if self.old_path is not None:
            result["old_path"] = self.old_path
        if self.is_too_large:
            result["too_large"] = True
        if self.lease is not None:
            result["lease"] = self.lease.to_json()
        if self.is_mixed:
            result["contributor"] = Contributor(ContributorType.MIXED).to_json()
        return result


class Vcs(Struct, frozen=True):
    """What is checked out in git. `revision` is None before the first commit."""

    revision: str | None

    def to_json(self) -> dict[str, Any]:
        """The JSON object; the schema wants a `revision` always, so an unborn branch has the null id."""
        return {"type": "git", "revision": self.revision or NULL_REVISION, "revision_id": self.revision}


class Attestation(Struct, frozen=True):
    """A person's word for changes that came about without the engine.

    `by` is that person, `author` who made the changes, as git has the names. `commit` is None for what was not
    committed then.
    """

    by: str
    reason: str
    author: str
    commit: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The JSON object."""
        commit = {} if self.commit is None else {"commit": self.commit}
        return {"by": self.by, "reason": self.reason, "author": self.author, **commit}


class Record(Struct, frozen=True, kw_only=True):
    """One line of the ledger, still without its place in a chain.

    `id` is a lower-case UUID, `timestamp` RFC 3339 in UTC (`2026-02-18T18:30:00.000Z`); anything else raises
    ValueError. `vcs` is None outside version control, `intent_id` None outside every intent. `error`,
    `error_type` and `code` are a refusal's; `reason` is what a person gave as one. `overrides` are in the order in
    which they were given; the last is also the record's `override`. `coordination` is AWAY where the leases of other
    machines were not known.
    """

    id: str
    timestamp: str
    tool_version: str
    session_id: str
    tool_name: str
    mutation_class: MutationClass
    mutation_class_source: ClassSource
    scope_validation: ScopeValidation
    success: bool
    files: tuple[FileChange, ...]
    intent_id: str | None = None
    vcs: Vcs | None = None
    mutation_class_inferred: MutationClass | None = None
    error: str | None = None
    error_type: str | None = None
    code: str | None = None
    overrides: tuple[Override, ...] = ()
    reason: str | None = None
    attestation: Attestation | None = None
    lesson: LessonJson | None = None
    coordination: str | None = None

    def __post_init__(self) -> None:
        if _UUID.fullmatch(self.id) is None:
            raise ValueError(f"{self.id!r} is no UUID in lower case: make record ids with uuid4")
        if _MOMENT.fullmatch(self.timestamp) is None:
            raise ValueError(f"{self.timestamp!r} is no RFC 3339 time in UTC: it must end in Z")
        datetime.fromisoformat(self.timestamp)  # the form fits; this refuses a 31st of February

    def to_json(self) -> RecordJson:
        """The record as a JSON object, keys in the ledger's order; absent values have no key."""
        result: RecordJson = {"version": FORMAT_VERSION, "id": self.id, "timestamp": self.timestamp}
        if self.vcs is not None:
            result["vcs"] = self.vcs.to_json()
        result["tool"] = {"name": TOOL_NAME, "version": self.tool_version}
        result["intent_id"] = UNTRACKED if self.intent_id is None else self.intent_id
        result["session_id"] = self.session_id
        result["tool_name"] = self.tool_name
        result["mutation_class"] = self.mutation_class.value
        result["mutation_class_source"] = self.mutation_class_source.value
        if self.mutation_class_inferred is not None:
            result["mutation_class_inferred"] = self.mutation_class_inferred.value
        result["scope_validation"] = self.scope_validation.value
        result["success"] = self.success
        if self.error is not None:
            result["error"] = str(self.error)
        if self.error_type is not None:
            result["error_type"] = str(self.error_type)
        if self.code is not None:
            result["code"] = str(self.code)
        if self.overrides:
            result["override"] = self.overrides[-1].to_json()
        if len(self.overrides) > 1:
            result["overrides"] = [override.to_json() for override in self.overrides]
        if self.reason is not None:
            result["reason"] = self.reason
        if self.attestation is not None:
            result["attestation"] = self.attestation.to_json()
        if self.lesson is not None:
            result["lesson"] = self.lesson
        if self.coordination is not None:
            result["coordination"] = self.coordination
        result["files"] = [file.to_json() for file in self.files]
        return result


def _range(where: LineRange) -> RangeJson:
    return {"start_line": where.start_line, "end_line": where.end_line, "content_hash": where.content_hash}


def quote(text: str) -> str:
    """`text` percent-encoded so that it can stand in a URN: all but letters, digits and `-._~`."""
    data = text.encode("utf-8", "surrogatepass")
    return "".join(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in data)


def _specification(intent_id: str) -> dict[str, Any]:
    return {"type": "specification", "value": intent_id, "url": f"urn:intent:{quote(intent_id)}"}
