"""Searching what was done, learned and decided, in all roots."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from intentls.core.errors import InvalidArgument, StoreError
from intentls.core.intents.intent import Intent, names_of
from intentls.core.ledger.record_text import words_in
from intentls.engine.records.recorded_lessons import current_lessons
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.progress import Progress, no_progress
from intentls.engine.workspace.workspace import Workspace
from intentls.store.ledger_search.text_rows import Hit, IntentText, TextSources

if TYPE_CHECKING:
    from intentls.store.ledger_search.full_text import TextRows

log = logging.getLogger(__name__)

T = TypeVar("T")


def search(engine: Engine, words: str, limit: int, progress: Progress = no_progress) -> list[Hit]:
    """Pieces of work, decisions, lessons and closed intents with these words, best first, root by root.

    The words are data: no character of them has a meaning. `progress` is called while an index is made, and may raise.
    Raises InvalidArgument where no word is given, LedgerUnavailable.
    """
    if not words_in(words):
        raise InvalidArgument("words", "give at least one word of letters or digits to look for")
    hits: list[Hit] = []
    for workspace in engine.workspaces():
        rows = ask_texts(workspace, partial(_find, words, limit - len(hits)), progress)
        names = names_of(workspace.configuration().intents.intents)
        hits += [replace(hit, title=hit.title or names.get(hit.intent_id or "", "")) for hit in rows]
        if len(hits) >= limit:
            break
    return hits


def _find(words: str, limit: int, texts: TextRows) -> list[Hit]:
    return texts.search(words, limit)


def ask_texts(workspace: Workspace, question: Callable[[TextRows], T], progress: Progress = no_progress) -> T:
    """What `question` finds in a root's texts, as they are now. Raises LedgerUnavailable."""
    # SQLite: neither the server's first answer nor an agent's hook needs it
    from intentls.store.ledger_search.full_text import FullTextIndex

    index = workspace.part("texts", lambda: FullTextIndex(workspace.layout))
    return index.ask(_sources(workspace, progress), question)


def _sources(workspace: Workspace, progress: Progress) -> TextSources:
    texts = workspace.part("intent texts", _IntentTexts).of(workspace.configuration().intents.intents)
    return TextSources(
        workspace.ledger.stamp(), partial(_newest_first, workspace, progress), _lessons(workspace), texts
    )


class _IntentTexts:
    """The intents of a root as far as they can be searched: one object as long as the declarations are the same."""

    def __init__(self) -> None:
        self._kept: tuple[Mapping[str, Intent], dict[str, IntentText]] = ({}, {})

    def of(self, intents: Mapping[str, Intent]) -> Mapping[str, IntentText]:
        declared, texts = self._kept
        if declared is not intents:
            texts = {id_: IntentText(one.name, one.description, one.is_open) for id_, one in intents.items()}
            self._kept = (intents, texts)
        return texts


def _newest_first(workspace: Workspace, progress: Progress) -> Iterator[dict[str, Any]]:
    return workspace.ledger.newest_first(progress=progress)


def _lessons(workspace: Workspace) -> tuple[tuple[str, str, str], ...]:
    try:
        return tuple((lesson.date, lesson.path, lesson.text) for lesson in current_lessons(workspace))
    except StoreError:
        log.warning("the lessons can't be read, so none is found", exc_info=True)
        return ()
