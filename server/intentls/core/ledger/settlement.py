"""What a change set as a whole says of the classes of its records: a record that supersedes, never a rewritten one.

The class of one edit is provisional where other files have a say in it: a rename is a refactor if all uses follow. So
when the change set is complete, at a commit or when its intent closes, it is judged as a whole:

    record 1  a.py   `def find` becomes `def search`      INTENT_EVOLUTION: who uses it can't be told
    record 2  b.py   `a.find()` becomes `a.search()`      INTENT_EVOLUTION
    commit    both files, judged together: AST_REFACTOR
    record 3  settle_classes, supersedes 1 and 2: AST_REFACTOR

The newest record that supersedes decides. One change set, which its contents name, has one such record: who settles it
again, in another clone too, says the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from intentls.core.hashing import content_hash
from intentls.core.ledger.record_json import FileJson, Record, files_of, is_evidence_of_content, objects, text_of
from intentls.core.mutation.classes import ClassSource, MutationClass, worst

if TYPE_CHECKING:  # who shows a settled class need not load what compares trees
    from intentls.core.mutation.file_class import FileClass

SETTLE = "settle_classes"
"""The tool's name in a record that settles classes."""

SUPERSEDES = "supersedes"
CHANGE_SET = "change_set"
PROVISIONAL_KEY = "mutation_class_provisional"
"""In an answer, beside the settled class: the one that the record itself has."""

MAX_REASONS = 5
_PROVISIONAL = frozenset({MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION})
# A file that came or went in the change set says nothing of the edits before and after that.
_VERDICTS = _PROVISIONAL | {MutationClass.DOCUMENTATION, MutationClass.CONFIGURATION}

Step = tuple[Record, FileJson]
"""A record, and what it says of one file."""


class SettledClass(Struct, frozen=True):
    """The class of one record, as its change set shows it."""

    record_id: str
    mutation_class: str
    reasons: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """One of the objects in `supersedes`."""
        return {"id": self.record_id, "mutation_class": self.mutation_class, "reasons": list(self.reasons)}


def is_provisional(record: Record) -> bool:
    """Whether other files have a say in the class: what was declared stays, and the other classes rest on one file."""
    return (
        record.get("success") is True
        and is_evidence_of_content(record)
        and record.get("mutation_class_source") == ClassSource.INFERRED
        and record.get("mutation_class") in _PROVISIONAL
    )


def change_set_digest(versions: Iterable[tuple[str, str | None, str | None]]) -> str:
    """The name of a change set: a hash of each file's path, and of the hashes of what it held before and after.

    It depends on contents alone: a commit that was amended without a change, or rebased onto other files, has the same.
    """
    rows = sorted(f"{path}\0{before or ''}\0{after or ''}\n" for path, before, after in versions)
    return content_hash("".join(rows).encode("utf-8", "surrogatepass"))


def steps_between(steps: Iterable[Step], before: str | None, after: str | None) -> list[Step]:
    """The steps of one file, which come newest first, from the content `before` to the content `after`.

    [] if records do not lead from the one to the other: part of the change is of another change set, or on no record.

        steps c->d, b->c, a->b    before a, after c: b->c and a->b      before x: none
    """
    taken: list[Step] = []
    for step in steps:
        if taken or step[1].get("post_hash") == after:
            taken.append(step)
            if step[1].get("pre_hash") == before:
                return taken
    return []


def settled_classes(
    steps: Iterable[Step], verdicts: Mapping[str, FileClass], known: Mapping[str, str]
) -> tuple[SettledClass, ...]:
    """The classes that differ from what is `known` by a record's id, or else from the record's own; by id.

    `steps` lead to the contents that were judged; `verdicts` are by path. A record is settled if each of its files is
    in the change set: with the class of the file that needs the closest look.
    """
    entries: dict[str, list[FileClass]] = {}
    records: dict[str, Record] = {}
    for record, file in steps:
        record_id, verdict = text_of(record, "id"), verdicts.get(str(file.get("path")))
        if record_id is not None and verdict is not None and is_provisional(record):
            records[record_id] = record
            entries.setdefault(record_id, []).append(verdict)
    settled: list[SettledClass] = []
    for record_id, classes in sorted(entries.items()):
        record = records[record_id]
        is_judged = all(one.mutation_class in _VERDICTS and not one.is_too_large for one in classes)
        if not is_judged or len(classes) != len(files_of(record)):
            continue
        mutation_class = worst(one.mutation_class for one in classes)
        if mutation_class != known.get(record_id, record.get("mutation_class")):
            reasons = [
                f"{one.path}: {reason}"
                for one in classes
                if one.mutation_class is mutation_class
                for reason in one.reasons
            ]
            settled.append(SettledClass(record_id, mutation_class.value, tuple(reasons[:MAX_REASONS])))
    return tuple(settled)


def superseded_by(record: Mapping[str, Any]) -> Mapping[str, str]:
    """By id, the classes that a record settles; none if it is no such record, or says no class that there is."""
    if record.get("tool_name") != SETTLE or record.get("success") is not True:
        return {}
    pairs = ((text_of(one, "id"), text_of(one, "mutation_class")) for one in objects(record.get(SUPERSEDES)))
    known = MutationClass.__members__
    return {id_: name for id_, name in pairs if id_ is not None and name is not None and name in known}


def digest_of(record: Record) -> str | None:
    """The change set that a record settles; None if it is no such record."""
    change_set = record.get(CHANGE_SET)
    return text_of(change_set, "digest") if record.get("tool_name") == SETTLE and isinstance(change_set, dict) else None


def all_superseded(newest_first: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """By record id, the settled class: what the newest record says that supersedes it."""
    classes: dict[str, str] = {}
    for record in newest_first:
        for id_, name in superseded_by(record).items():
            classes.setdefault(id_, name)
    return classes


def with_settled_class(record: Record, settled: str | None) -> Record:
    """The record as it is shown: with its settled class, and the provisional one beside it, if they differ."""
    provisional = record.get("mutation_class")
    if settled is None or settled == provisional:
        return record
    return {**record, "mutation_class": settled, PROVISIONAL_KEY: provisional}
