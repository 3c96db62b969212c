"""Questions as they go from machine to machine: what of them leaves this one, and what is made of another's.

Names, paths, ids and times leave the machine, nothing in the agent's own words, and of contents what policy lets go
(`excerpts`). What comes from another machine is its word: it is cut to size, shown, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from intentls.core.intents.proposal import one_line
from intentls.engine.actions.effects import Answer, Reply
from intentls.engine.actions.wording import escaped
from intentls.engine.questions.excerpts import Excerpt, shown_excerpt, with_excerpt
from intentls.store.clock import now, timestamp
from intentls.store.questions.question_files import AskedFile, Question
from intentls.store.sessions.coordination.protocol import ANOTHER_MACHINE

if TYPE_CHECKING:
    from intentls.store.sessions.coordination.question_rows import QuestionRow, RemoteAnswer

_MAX_TEXT, _MAX_LIST = 2000, 50
_NAMES = ("session_id", "code", "tool")
_OPTIONAL = ("intent_id", "intent_name", "agent", "model")


def facts_of(question: Question, host: str, excerpts: Sequence[Excerpt | None] | None = None) -> dict[str, Any]:
    """What other machines learn of a question that is asked on this one, named `host`; `excerpts` by file."""
    names = {name: getattr(question, name) for name in ("id", "text", *_NAMES, *_OPTIONAL)}
    files: list[dict[str, Any]] = [
        {"path": file.path, "change": file.change, "old_path": file.old_path} for file in question.files
    ]
    for file, excerpt in zip(files, excerpts or (), strict=False):
        file.update(excerpt or {})
    return {
        **names,
        "host": host,
        "paths": list(question.paths[:_MAX_LIST]),
        "actions": list(question.actions),
        "files": files[:_MAX_LIST],
    }


def age_s(question: Question) -> float:
    """For how many seconds it has been asked, by this machine's clock."""
    return max(0.0, (now() - datetime.fromisoformat(question.asked_at)).total_seconds())


def shown_contents(row: QuestionRow) -> dict[str, bytes]:
    """What another machine shows of the files of its question, by name: `0.before`, `0.after`."""
    contents: dict[str, bytes] = {}
    for index, entry in enumerate(_entries(row.facts.get("files"))):
        for side, content in zip(("before", "after"), shown_excerpt(entry) or (), strict=False):
            if content is not None:
                contents[f"{index}.{side}"] = content
    return contents


def shown_question(row: QuestionRow) -> Question | None:
    """Another machine's question, as it is shown here; None for a row that makes no question."""
    facts = row.facts
    texts = {name: facts.get(name) for name in ("id", "text", *_NAMES)}
    lists = {name: _texts(facts.get(name)) for name in ("paths", "actions")}
    files = facts.get("files")
    if not all(isinstance(text, str) for text in texts.values()) or None in lists.values():
        return None
    offered = tuple(action for action in lists["actions"] or () if action in tuple(Answer))
    if not offered or not isinstance(files, list):
        return None
    host = one_line(str(facts.get("host") or "")) or ANOTHER_MACHINE
    names = {name: None if facts.get(name) is None else one_line(str(facts[name])) for name in _OPTIONAL}
    text = f"On {host}: {one_line(str(texts['text']), _MAX_TEXT)}"
    return Question(
        id=str(texts["id"]),
        session_id=one_line(str(texts["session_id"])),
        code=one_line(str(texts["code"])),
        tool=one_line(str(texts["tool"])),
        text=text,
        markdown=escaped(text),
        reason=None,
        paths=lists["paths"] or (),
        actions=offered,
        asked_at=timestamp(now() - timedelta(seconds=row.age_s)),
        timeout_s=row.lasts_s,
        files=tuple(map(_file, _entries(files))),
        host=host,
        intent_id=names["intent_id"],
        intent_name=names["intent_name"],
        agent=names["agent"],
        model=names["model"],
    )


def reply_of(answer: RemoteAnswer) -> Reply:
    """An answer from another machine, and whose it is: a name, and by what the database knows who gave it.

    Example: `Ada Lovelace (database role ada, on laptop-7)`.
    """
    host = one_line(answer.host) or ANOTHER_MACHINE
    by = f"{one_line(answer.by) or '?'} (database role {one_line(answer.role)}, on {host})"
    return Reply(Answer(answer.action), by)


def _texts(values: Any) -> tuple[str, ...] | None:
    if not isinstance(values, list):
        return None
    return tuple(one_line(str(value), _MAX_TEXT) for value in values[:_MAX_LIST])


def _entries(files: Any) -> list[dict[str, Any]]:
    return [entry for entry in files[:_MAX_LIST] if isinstance(entry, dict)] if isinstance(files, list) else []


def _file(entry: dict[str, Any]) -> AskedFile:
    old_path = entry.get("old_path")
    file = AskedFile(
        one_line(str(entry.get("path")), _MAX_TEXT),
        one_line(str(entry.get("change"))),
        None if old_path is None else one_line(str(old_path), _MAX_TEXT),
    )
    excerpt = shown_excerpt(entry)
    return file if excerpt is None else with_excerpt(file, excerpt)
