"""The open questions of one root: a file for each, with the contents that it is about, and the first answer beside it.

    q-3f9ac2.json           the question; gone when it is closed
    q-3f9ac2.0.after        what the action would make of its first file
    q-3f9ac2.answer.json    the first answer, held by the process that gave it until the question is closed

Any process of this user can write here. So an answer cites the hash of the question that was shown, and who asked
learns from the kernel which process holds the answer (`held_file`).
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from intentls.core.hashing import content_hash
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.bounded_read import read_bounded
from intentls.store.fs.primitives import names_in
from intentls.store.process.ancestry import UnknownAncestry, is_running, running
from intentls.store.process.liveness import process_exists
from intentls.store.questions.held_file import HeldFile, read_held
from intentls.store.sessions.agent_processes import process_place

log = logging.getLogger(__name__)

_MAX_BYTES = 1 << 20
_MAX_QUESTIONS = 200
_SUFFIX, _ANSWER = ".json", ".answer.json"


@dataclass(frozen=True, slots=True)
class AskedFile:
    """A file that the action would change. `before` and `after` are content hashes, None where there is no file.

    `is_kept`: both contents are kept beside the question.
    """

    path: str
    change: str
    old_path: str | None = None
    before: str | None = None
    after: str | None = None
    is_kept: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it is stored. `process`, `start` and `place` are those of the process that waits for the answer."""

    id: str
    session_id: str
    intent_id: str | None
    intent_name: str | None
    agent: str | None
    model: str | None
    code: str
    tool: str
    text: str
    markdown: str
    reason: str | None
    paths: tuple[str, ...]
    actions: tuple[str, ...]
    asked_at: str
    timeout_s: float
    files: tuple[AskedFile, ...] = ()
    process: int = 0
    start: str = ""
    place: tuple[str, str] = ("", "")
    digest: str = field(default="", compare=False)
    """The hash of its file, as it was read or written."""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer to a question: what, in whose name, by which process."""

    action: str
    by: str
    process: int


class QuestionFiles:
    """The questions of one root. Every method raises OSError where the disk refuses."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def post(self, question: Question, contents: Mapping[str, bytes]) -> Question:
        """Ask: the question gets an id, and the process that asks. `contents` by name: `0.before`, `0.after`."""
        id_ = f"q-{os.urandom(4).hex()}"
        pid = os.getpid()
        asked = replace(question, id=id_, process=pid, start=_start(pid), place=process_place())
        self.directory.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            replace_bytes(self.directory / f"{id_}.{name}", content)
        values = {name: value for name, value in asdict(asked).items() if name != "digest"}
        data = json.dumps(values).encode("ascii")
        replace_bytes(self._file(id_), data)
        return replace(asked, digest=content_hash(data))

    def open(self) -> list[Question]:
        """The questions that wait for an answer, oldest first. Those of processes that ended are removed."""
        names = set(names_in(self.directory))
        questions = [self._read(name) for name in sorted(names) if _is_question(name)][:_MAX_QUESTIONS]
        waiting = []
        for question in questions:
            if question is None or f"{question.id}{_ANSWER}" in names:
                continue
            if _is_asked_elsewhere(question):
                continue
            if _has_ended(question):
                self.withdraw(question.id)
            else:
                waiting.append(question)
        return sorted(waiting, key=lambda question: (question.asked_at, question.id))

    def is_open(self, id_: str) -> bool:
        """Whether the question is still there, answered or not."""
        return self._file(id_).exists()

    def content(self, question: Question, index: int, which: str) -> bytes | None:
        """The kept content of one of its files, `before` or `after`; None if it is not what the question says."""
        file = question.files[index]
        expected = file.before if which == "before" else file.after
        data = read_bounded(self.directory / f"{question.id}.{index}.{which}", _MAX_BYTES)
        return data if data is not None and content_hash(data) == expected else None

    def answer(self, question: Question, action: str, by: str) -> HeldFile | None:
        """Answer, if nobody did before; to be held until the question is closed."""
        if not self.is_open(question.id):
            return None
        values = {"question": question.digest, "action": action, "by": by}
        held = HeldFile.create(self.directory / f"{question.id}{_ANSWER}", values)
        if held is not None and not self.is_open(question.id):  # it was closed in this very moment
            held.release()
            return None
        return held

    def given(self, question: Question) -> GivenAnswer | None:
        """What another process answered; None if nobody did. An answer that nobody holds or that was given to
        something else than this question is removed.
        """
        file = self.directory / f"{question.id}{_ANSWER}"
        if not file.exists():
            return None
        read = read_held(file)
        if read is not None:
            values, holder = read
            action, by = values.get("action"), values.get("by")
            if values.get("question") == question.digest and isinstance(action, str) and isinstance(by, str):
                return GivenAnswer(action, by, holder)
        log.warning(
            "an answer to %s does not count: no process stands for it, or it was shown another text", question.id
        )
        self.reject(question)
        return None

    def reject(self, question: Question) -> None:
        """Remove an answer that does not count, so that somebody else may answer."""
        (self.directory / f"{question.id}{_ANSWER}").unlink(missing_ok=True)

    def withdraw(self, id_: str) -> None:
        """Close a question: it disappears with all that belongs to it."""
        self._file(id_).unlink(missing_ok=True)
        for name in names_in(self.directory):
            if name.startswith((f"{id_}.", f".{id_}.")):
                with suppress(OSError):
                    (self.directory / name).unlink(missing_ok=True)

    def _file(self, id_: str) -> Path:
        return self.directory / f"{id_}{_SUFFIX}"

    def _read(self, name: str) -> Question | None:
        try:
            data = read_bounded(self.directory / name, _MAX_BYTES)
            return None if data is None else _decode(json.loads(data), content_hash(data), name.removesuffix(_SUFFIX))
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            log.warning("%s is no question: %s", self.directory / name, error)
            return None


def _is_question(name: str) -> bool:
    return name.startswith("q-") and name.endswith(_SUFFIX) and not name.endswith(_ANSWER)


def _start(pid: int) -> str:
    try:
        process = running(pid)
    except UnknownAncestry:
        return ""
    return "" if process is None else process.start


def _is_asked_elsewhere(question: Question) -> bool:
    """Whether it is asked on another machine or in another container, where no answer from here would be believed."""
    return question.place != process_place()


def _has_ended(question: Question) -> bool:
    try:
        return not (
            is_running(question.process, question.start) if question.start else process_exists(question.process)
        )
    except UnknownAncestry:
        return not process_exists(question.process)


_TEXTS = ("id", "session_id", "code", "tool", "text", "markdown", "asked_at", "start")
_OPTIONAL = ("intent_id", "intent_name", "agent", "model", "reason")
_KEYS = tuple(each.name for each in fields(Question) if each.name not in ("digest", "files"))


def _decode(values: dict[str, Any], digest: str, id_: str) -> Question:
    known = {name: values[name] for name in _KEYS}
    if not all(isinstance(known[name], str) for name in _TEXTS) or known["id"] != id_:
        raise TypeError("a text in it is none")
    if not all(known[name] is None or isinstance(known[name], str) for name in _OPTIONAL):
        raise TypeError("a text in it is none")
    if not isinstance(known["process"], int) or not isinstance(known["timeout_s"], int | float):
        raise TypeError("a number in it is none")
    boot, namespace = known["place"]
    lists = {name: tuple(str(value) for value in known[name]) for name in ("paths", "actions")}
    files = tuple(_file(entry) for entry in values["files"])
    return Question(**known | lists | {"place": (str(boot), str(namespace)), "files": files, "digest": digest})


def _file(entry: dict[str, Any]) -> AskedFile:
    texts = {name: None if entry[name] is None else str(entry[name]) for name in ("old_path", "before", "after")}
    return AskedFile(str(entry["path"]), str(entry["change"]), **texts, is_kept=entry["is_kept"] is True)
