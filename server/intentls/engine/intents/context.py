"""The context of one intent: what an agent that selects it gets to know."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from intentls.core.derived.lesson import Lesson
from intentls.core.errors import InvalidPath, StoreError
from intentls.core.intents.context_xml import ContextXml, RelatedFile, build_context
from intentls.core.intents.intent import Intent
from intentls.core.intents.open_questions import OpenQuestion, concerning
from intentls.core.intents.recall import fuse, on_same_files
from intentls.core.intents.recent_work import EarlierWork, ScopeFolders
from intentls.core.ledger.folded_changes import fold_changes
from intentls.core.ledger.record_json import files_of
from intentls.core.mutation.classes import MutationClass
from intentls.engine.ledger.search import ask_texts
from intentls.engine.ledger.settled_classes import settled
from intentls.engine.records.recorded_lessons import current_lessons
from intentls.engine.workspace.configuration import Configuration
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.workspace import Workspace
from intentls.store.fs.directory_handle import PathMoved
from intentls.store.ledger_search.query import RecordQuery
from intentls.store.ledger_search.text_rows import Hit

if TYPE_CHECKING:
    from intentls.store.ledger_search.full_text import TextRows

log = logging.getLogger(__name__)

T = TypeVar("T")

_BYTES_PER_TOKEN = 4
_MAX_RELATED = 200
_FOLDED = 20  # records that a line of recent changes may stand for, on average
_RANKED = 400  # pieces of earlier work that each ranking gives


def context_text(engine: Engine, intent_id: str) -> str | None:
    """The `<intent_context>` that a session gets when it selects the intent; None if no root declares it."""
    for workspace in engine.workspaces():
        configuration = workspace.configuration()
        intent = configuration.intents.intents.get(intent_id)
        if intent is not None:
            return context_of(workspace, configuration, intent, None).text
    return None


def context_of(
    workspace: Workspace, configuration: Configuration, intent: Intent, mutation_class: MutationClass | None
) -> ContextXml:
    """The `<intent_context>` of an intent, inside the policy's budget. What can't be read is left out."""
    budget = configuration.policy.context
    limit = budget.recent_changes
    records = _readable(lambda: islice(changes_of(workspace, intent.id), limit * _FOLDED))
    return build_context(
        intent,
        mutation_class,
        related=_readable(lambda: _related(workspace, configuration, intent)),
        changes=fold_changes(records, limit),
        lessons=_readable(lambda: lessons_in_scope(workspace, intent)),
        recalled=_readable(lambda: recall(workspace, configuration, intent, limit)),
        questions=concerning(intent, _questions(workspace)),
        max_bytes=budget.max_tokens * _BYTES_PER_TOKEN,
    )


def _readable(read: Callable[[], Iterable[T]]) -> list[T]:
    """What `read` yields; nothing where the disk refuses: an intent can be worked on without its history."""
    try:
        return list(read())
    except StoreError:
        log.warning("a part of the context can't be read and is left out", exc_info=True)
        return []


def _questions(workspace: Workspace) -> list[OpenQuestion]:
    """What agents ask a person in this root now, oldest first."""
    try:
        questions = workspace.questions.open()
    except OSError:
        log.warning("the open questions can't be read, and are left out of the context", exc_info=True)
        return []
    return [
        OpenQuestion(question.asked_at, question.intent_id or "", question.text, question.reason or "", question.paths)
        for question in questions
    ]


def changes_of(workspace: Workspace, intent_id: str) -> Iterator[dict[str, Any]]:
    """The records of what really changed under an intent, newest first, with their settled classes."""
    records = workspace.ledger.search(RecordQuery(intent_id=intent_id))
    return settled(workspace, (record for record in records if record.get("success") is True and files_of(record)))


def lessons_in_scope(workspace: Workspace, intent: Intent) -> list[Lesson]:
    """The lessons learned about files that the intent may change."""
    return [lesson for lesson in current_lessons(workspace) if intent.scope.contains(lesson.path)]


def recall(workspace: Workspace, configuration: Configuration, intent: Intent, limit: int) -> list[EarlierWork]:
    """The work under other intents that most likely helps, best first: near the intent's files, or about its words.

    Raises LedgerUnavailable.
    """
    if not limit:
        return []
    near = ScopeFolders.of(intent.scope)

    def counts(path: str) -> bool:
        return near.contain(path) and not configuration.ignore.excludes_path(path)

    def is_shown(hit: Hit) -> bool:
        return not all(configuration.ignore.excludes_path(path) for path in hit.paths)

    ranked = ask_texts(workspace, lambda texts: rank_earlier(texts, intent, counts))
    declared = configuration.intents.intents

    def name_of(hit: Hit) -> str:
        intent = declared.get(hit.intent_id or "")
        return "" if intent is None else intent.name

    shown = [(hit, why) for hit, why in ranked if is_shown(hit)]
    return [_earlier(hit, name_of(hit), counts, why) for hit, why in shown[:limit]]


def rank_earlier(texts: TextRows, intent: Intent, is_near: Callable[[str], bool]) -> list[tuple[Hit, str]]:
    """Work under other intents, best first, each with why: `scope` (it is near), `words` (it is about the same).

    Four rankings are fused: the newest that is near, the most alike in words, the latter as far as it is near, and what
    touched the same files as the best of these three.
    """
    texts_of_intent = (intent.name, intent.description, *map(str, intent.acceptance_criteria), *intent.scope.patterns)
    near = {_key(hit): hit for hit in texts.touching(is_near, _RANKED, intent.id)}
    alike = {_key(hit): hit for hit in texts.similar("\n".join(texts_of_intent), _RANKED, intent.id)}
    both = [key for key, hit in alike.items() if any(map(is_near, hit.paths))]
    hits, reasons = alike | near, {"scope": near.keys() | set(both), "words": alike.keys()}
    rankings = [[*near], [*alike], both]
    rankings.append(on_same_files(fuse(rankings), {key: set(hit.paths) for key, hit in hits.items()}))
    return [(hits[key], " ".join(reason for reason, keys in reasons.items() if key in keys)) for key in fuse(rankings)]


def _key(hit: Hit) -> tuple[str | None, str | None, str | None]:
    return hit.intent_id, hit.session_id, hit.revision


def _earlier(hit: Hit, name: str, counts: Callable[[str], bool], why: str) -> EarlierWork:
    """The files that are near come first."""
    paths = sorted(hit.paths, key=lambda path: not counts(path))
    return EarlierWork(
        hit.intent_id or "",
        name or " ".join(hit.notes[:1]),
        hit.timestamp,
        tuple(paths),
        tuple(hit.symbols),
        tuple(hit.authors),
        hit.count,
        hit.revision,
        why,
    )


def _related(workspace: Workspace, configuration: Configuration, intent: Intent) -> list[RelatedFile]:
    """Files in scope that the spatial map names and that exist, by path."""
    files: dict[str, RelatedFile] = {}
    for entry in workspace.derived.read_spatial():
        path = entry.file_path
        if path in files or not intent.scope.contains(path) or configuration.ignore.excludes_path(path):
            continue
        hash_ = _hash(workspace, path)
        if hash_ is not None:
            files[path] = RelatedFile(path, hash_)
        if len(files) >= _MAX_RELATED:
            break
    return sorted(files.values(), key=lambda file: file.path)


def _hash(workspace: Workspace, path: str) -> str | None:
    """Of a regular file's content; None where the path has become a directory, a link or nothing."""
    try:
        return workspace.contents.read(path).hash
    except (InvalidPath, PathMoved):
        return None
