"""The open questions of one root: a file for each, with the contents that it is about, and the first answer beside it.

    q-3f9ac2.json           the question; gone when it is closed
    q-3f9ac2.0.after        what the action would make of its first file
    q-3f9ac2.answer.json    the first answer, held by the process that gave it until the question is closed

Who asks puts a file of its own in the answer's place before it closes the question: when it takes the answer, and when
it waits no longer. So an answer that is no more at its place was taken, and one that is still there when the question
is gone came too late:

    asks                        answers
                                makes q-1.answer.json, looks: q-1.json is there       it counts
    reads it, puts its own file in its place
    removes q-1.json, then the rest, its own file last
                                looks only now: q-1.json is gone, so is its answer    it counted
                                makes q-1.answer.json only now, and it is there       too late

Any process of this user can write here. So an answer cites the hash of the question that was shown, and who asked
learns from the kernel which process holds the answer (`held_file`).

A question that is asked on another machine is shown here by this clone's keeper: it puts the question's file here and
is the process that waits for it. An answer that came from another machine is put here by the keeper as well, and says
so: what it is worth, the database tells, not the process that holds it.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from intentls.core.hashing import content_hash
from intentls.late_pattern import late_pattern
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.bounded_read import read_bounded
from intentls.store.fs.primitives import NO_LINK, names_in
from intentls.store.fs.state_directory import make_directory
from intentls.store.process.ancestry import UnknownAncestry, is_running, running
from intentls.store.process.liveness import process_exists
from intentls.store.questions.held_file import HeldFile, is_own, read_held
from intentls.store.sessions.agent_processes import process_place

log = logging.getLogger(__name__)

_MAX_BYTES = 1 << 20
_MAX_QUESTIONS = 200
_SUFFIX, _ANSWER = ".json", ".answer.json"
_ID = late_pattern(r"q-[0-9a-f]{8}")

AnswerState = Literal["waits", "taken", "late", "refused"]
"""What became of an answer: it waits, counts, came after the question was closed, or does not count."""


class AskedFile(Struct, frozen=True):
    """A file that the action would change. `before` and `after` are content hashes, None where there is no file.

    `is_kept`: both contents are kept beside the question.
    """

    path: str
    change: str
    old_path: str | None = None
    before: str | None = None
    after: str | None = None
    is_kept: bool = False


class Question(Struct, frozen=True):
    """A question as it is stored. `process`, `start` and `place` are those of the process that waits for the answer.

    `host` is the machine where it is asked, "" for this one.
    """

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
    host: str = ""
    digest: str = ""
    """The hash of its file, as it was read or written."""


class GivenAnswer(Struct, frozen=True):
    """An answer to a question: what, in whose name, by which process. `is_remote`: it came from another machine."""

    action: str
    by: str
    process: int
    is_remote: bool = False


class QuestionFiles:
    """The questions of one root. Every method raises OSError where the disk refuses."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def post(self, question: Question, contents: Mapping[str, bytes]) -> Question:
        """Ask: the question gets an id unless it has one, and the process that asks. `contents` by name: `0.before`,
        `0.after`.
        """
        id_ = question.id or f"q-{os.urandom(4).hex()}"
        pid = os.getpid()
        asked = replace(question, id=id_, process=pid, start=_start(pid), place=process_place())
        make_directory(self.directory)
        for name, content in contents.items():
            replace_bytes(self.directory / f"{id_}.{name}", content)
        values = {name: value for name, value in asdict(asked).items() if name != "digest"}
        data = json.dumps(values, default=asdict).encode("ascii")
        replace_bytes(self._file(id_), data)
        return replace(asked, digest=content_hash(data))

    def open(self) -> list[Question]:
        """The questions that wait for an answer, oldest first. Those of processes that ended are removed."""
        return [question for question in self.standing() if self.waits(question.id)]

    def standing(self) -> list[Question]:
        """The questions that are not closed, answered or not, oldest first. Those of ended processes are removed."""
        names = names_in(self.directory)
        questions = [self._read(name) for name in sorted(names) if _is_question(name)][:_MAX_QUESTIONS]
        standing = []
        for question in questions:
            if question is None or _is_asked_elsewhere(question):
                continue
            if _has_ended(question):
                self.expire(question.id)  # nobody took an answer that still stands there
            else:
                standing.append(question)
        return sorted(standing, key=lambda question: (question.asked_at, question.id))

    def waits(self, id_: str) -> bool:
        """Whether the question is open and has no answer.

        The answer is looked for first: it goes after the question, so one that is not there while the question still
        is was never given.
        """
        return not self._answer_file(id_).exists() and self.is_open(id_)

    def is_open(self, id_: str) -> bool:
        """Whether the question is still there, answered or not."""
        return self._file(id_).exists()

    def content(self, question: Question, index: int, which: str) -> bytes | None:
        """The kept content of one of its files, `before` or `after`; None if it is not what the question says."""
        file = question.files[index]
        expected = file.before if which == "before" else file.after
        data = read_bounded(self.directory / f"{question.id}.{index}.{which}", _MAX_BYTES)
        return data if data is not None and content_hash(data) == expected else None

    def answer(self, question: Question, action: str, by: str, *, is_remote: bool = False) -> HeldFile | None:
        """Answer, if nobody did before; to be held until the question is closed. `is_remote`: on behalf of another
        machine.
        """
        if not self.is_open(question.id):
            return None
        values = {"question": question.digest, "action": action, "by": by, "remote": is_remote}
        held = HeldFile.create(self._answer_file(question.id), values)
        if held is None or self.is_open(question.id) or (not held.is_there and self.directory.is_dir()):
            return held
        held.release()  # the question was closed just before
        return None

    def given(self, question: Question) -> GivenAnswer | None:
        """What another process answered; None if nobody did. An answer that nobody holds or that was given to
        something else than this question is removed.
        """
        file = self._answer_file(question.id)
        if not file.exists():
            return None
        read = read_held(file)
        if read is not None:
            values, holder = read
            action, by = values.get("action"), values.get("by")
            if values.get("question") == question.digest and isinstance(action, str) and isinstance(by, str):
                return GivenAnswer(action, by, holder, values.get("remote") is True)
        log.warning(
            "an answer to %s does not count: no process stands for it, or it was shown another text", question.id
        )
        self.reject(question)
        return None

    def state_of(self, id_: str, answer: HeldFile) -> AnswerState:
        """What became of an answer that this process gave to the question `id_`; see the module.

        The question is looked for first: an answer that counts goes before it, so one that is there when the question
        is gone was never taken.
        """
        is_open = self.is_open(id_)
        if answer.is_there:
            return "waits" if is_open else "late"
        if self._answer_file(id_).exists() or not self.is_open(id_):
            return "taken"
        return "refused"

    def reject(self, question: Question) -> None:
        """Remove an answer that does not count, so that somebody else may answer."""
        self._answer_file(question.id).unlink(missing_ok=True)

    def take(self, question: Question) -> None:
        """The answer that `given` told counts; who gave it can see that."""
        with suppress(PermissionError):  # Windows does not replace a file that is open
            replace_bytes(self._answer_file(question.id), b"")

    def give_up(self, question: Question) -> bool:
        """Let no answer count any more; False where there is one already."""
        try:
            descriptor = os.open(self._answer_file(question.id), os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK, 0o600)
        except FileExistsError:
            return False
        except FileNotFoundError:  # the state directory was removed, and the question with it
            return True
        os.close(descriptor)
        return True

    def withdraw(self, id_: str) -> None:
        """Close a question: it disappears with all that belongs to it, the answer last."""
        self._remove(id_)
        self._answer_file(id_).unlink(missing_ok=True)

    def expire(self, id_: str) -> None:
        """Close a question without an answer: one that stands there is left to its holder, and is too late."""
        self._remove(id_)
        answer = self._answer_file(id_)
        if not is_own(answer) and read_held(answer) is None:
            answer.unlink(missing_ok=True)

    def _remove(self, id_: str) -> None:
        """Remove a question and its contents, but no answer."""
        self._file(id_).unlink(missing_ok=True)
        answer = self._answer_file(id_)
        for name in names_in(self.directory):
            if name.startswith((f"{id_}.", f".{id_}.")) and name != answer.name:
                with suppress(OSError):
                    (self.directory / name).unlink(missing_ok=True)

    def _file(self, id_: str) -> Path:
        return self.directory / f"{id_}{_SUFFIX}"

    def _answer_file(self, id_: str) -> Path:
        return self.directory / f"{id_}{_ANSWER}"

    def _read(self, name: str) -> Question | None:
        try:
            data = read_bounded(self.directory / name, _MAX_BYTES)
            return None if data is None else _decode(json.loads(data), content_hash(data), name.removesuffix(_SUFFIX))
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            log.warning("%s is no question: %s", self.directory / name, error)
            return None


def _is_question(name: str) -> bool:
    return name.endswith(_SUFFIX) and is_id(name.removesuffix(_SUFFIX))


def is_id(id_: str) -> bool:
    """Whether this is an id of questions, and so part of a file's name."""
    return _ID.fullmatch(id_) is not None


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


_TEXTS = ("id", "session_id", "code", "tool", "text", "markdown", "asked_at", "start", "host")
_OPTIONAL = ("intent_id", "intent_name", "agent", "model", "reason")
_KEYS = tuple(name for name in Question.__struct_fields__ if name not in ("digest", "files"))


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
