"""Questions, answers and listeners as files: what other processes see of them."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from intentls.core.hashing import content_hash
from intentls.store.fs.directory_watch import DirectoryWatch
from intentls.store.questions import question_files
from intentls.store.questions.held_file import HeldFile
from intentls.store.questions.listeners import Listeners
from intentls.store.questions.question_files import AskedFile, Question, QuestionFiles
from tests.support.patience import PATIENCE_S

FILE = AskedFile("a.md", "modify", None, content_hash(b"old"), content_hash(b"new"), is_kept=True)
QUESTION = Question(
    id="",
    session_id="agent-1",
    intent_id="INT-001",
    intent_name=None,
    agent="claude",
    model=None,
    code="SCOPE_VIOLATION",
    tool="write_to_file",
    text="An agent wants to change a.md.",
    markdown="",
    reason=None,
    paths=("a.md",),
    actions=("Approve", "Reject"),
    asked_at="2026-11-22T22:00:00.000Z",
    timeout_s=60,
    files=(FILE,),
)
_OTHER = """
import sys
from pathlib import Path
from intentls.store.questions.question_files import QuestionFiles
files = QuestionFiles(Path(sys.argv[1]))
(question,) = files.open()
held = files.answer(question, sys.argv[2], "Ada")
print("answered" if held else "too late", flush=True)
sys.stdin.readline()
"""

_ASKER = """
import sys
from pathlib import Path
from intentls.store.questions.question_files import QuestionFiles
from tests.store.questions.test_question_files import QUESTION
QuestionFiles(Path(sys.argv[1])).post(QUESTION, {})
print("asked", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def files(tmp_path: Path) -> QuestionFiles:
    return QuestionFiles(tmp_path / "questions")


class Asker:
    """Another process that asks, and waits until it is killed."""

    def __init__(self, files: QuestionFiles) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _ASKER, str(files.directory)],
            cwd=Path(__file__).parents[3],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "asked\n"

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate(timeout=PATIENCE_S)

    def __enter__(self) -> Asker:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


class Other:
    """Another process that answers the one open question, and holds its answer until it is told to end."""

    def __init__(self, files: QuestionFiles, action: str) -> None:
        command = [sys.executable, "-c", _OTHER, str(files.directory), action]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline().strip()

    def end(self) -> None:
        self.process.communicate("\n", timeout=PATIENCE_S)


def test_an_open_question_is_seen_with_its_contents(files: QuestionFiles) -> None:
    """As it was asked, by the process that asks."""
    asked = files.post(QUESTION, {"0.before": b"old", "0.after": b"new"})
    (seen,) = files.open()
    assert (seen, seen.digest, seen.process) == (asked, asked.digest, os.getpid())
    assert (files.content(seen, 0, "before"), files.content(seen, 0, "after")) == (b"old", b"new")


def test_contents_that_were_changed_are_not_shown(files: QuestionFiles) -> None:
    """The question says what they hash to."""
    asked = files.post(QUESTION, {"0.before": b"old", "0.after": b"new"})
    (files.directory / f"{asked.id}.0.after").write_bytes(b"harmless")
    assert files.content(asked, 0, "after") is None


def test_an_answer_names_the_process_that_stands_for_it(files: QuestionFiles) -> None:
    asked = files.post(QUESTION, {})
    other = Other(files, "Approve")
    given = files.given(asked)
    assert given is not None
    assert (given.action, given.by, given.process) == ("Approve", "Ada", other.process.pid)
    assert files.open() == []
    other.end()


def test_the_first_answer_counts(files: QuestionFiles) -> None:
    asked = files.post(QUESTION, {})
    (seen,) = files.open()
    first = Other(files, "Reject")
    assert files.answer(seen, "Approve", "Grace") is None
    given = files.given(asked)
    assert given is not None
    assert given.action == "Reject"
    first.end()


def test_an_answer_whose_process_ended_before_it_was_taken_does_not_count(files: QuestionFiles) -> None:
    """The question is open again."""
    asked = files.post(QUESTION, {})
    Other(files, "Approve").end()
    assert files.given(asked) is None
    assert files.open() == [asked]


def test_an_answer_to_another_text_does_not_count(files: QuestionFiles) -> None:
    """What the person saw was not what is asked."""
    asked = files.post(QUESTION, {})
    file = files.directory / f"{asked.id}.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "text": "An agent wants to say hello."}))
    other = Other(files, "Approve")
    assert (other.said, files.given(asked)) == ("answered", None)
    other.end()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"question": 1}', "\x00", '{"a": ' * 500])
def test_a_file_that_is_no_answer_or_no_question_counts_as_none(files: QuestionFiles, text: str) -> None:
    asked = files.post(QUESTION, {})
    (files.directory / "q-00000000.json").write_text(text)
    (files.directory / f"{asked.id}.answer.json").write_text(text)
    assert files.given(asked) is None
    assert files.open() == [asked]


def test_the_question_of_a_process_that_ended_is_removed(files: QuestionFiles) -> None:
    script = (
        "import sys; from pathlib import Path; from tests.store.questions.test_question_files import QUESTION\n"
        "from intentls.store.questions.question_files import QuestionFiles\n"
        "QuestionFiles(Path(sys.argv[1])).post(QUESTION, {'0.after': b'new'})"
    )
    subprocess.run([sys.executable, "-c", script, str(files.directory)], check=True, cwd=Path(__file__).parents[3])
    assert len(list(files.directory.iterdir())) == 2
    assert files.open() == []
    assert list(files.directory.iterdir()) == []


def test_an_answer_that_a_process_took_no_more_before_it_ended_is_late(files: QuestionFiles) -> None:
    """Who answered learns that it came to nothing; another person's look at the questions changes none of that."""
    with Asker(files) as asker:
        (seen,) = files.open()
        held = files.answer(seen, "Approve", "Ada")
        assert held is not None
        asker.kill()
    assert QuestionFiles(files.directory).open() == []
    assert files.state_of(seen.id, held) == "late"
    held.release()
    assert list(files.directory.iterdir()) == []


def _what_becomes_of(
    files: QuestionFiles, monkeypatch: pytest.MonkeyPatch, steps: list[Callable[[], None]], before: tuple[int, ...]
) -> list[str]:
    """What who answered reads, look by look, while who asked takes `before[n]` steps before the nth look at a file."""
    waiting, counts = list(steps), list(before)

    def step(count: int) -> None:
        for _ in range(min(count, len(waiting))):
            waiting.pop(0)()

    def looking(look: Callable[..., bool]) -> Callable[..., bool]:
        def looked(*given: Any) -> bool:
            step(counts.pop(0) if counts else 0)
            return look(*given)

        return looked

    is_there = HeldFile.__dict__["is_there"].fget
    (seen,) = files.open()
    held = files.answer(seen, "Approve", "Ada")
    assert held is not None
    with monkeypatch.context() as patch:
        patch.setattr(HeldFile, "is_there", property(looking(is_there)))
        patch.setattr(Path, "exists", looking(Path.exists))
        states = [files.state_of(seen.id, held)]
    step(len(waiting))
    states.append(files.state_of(seen.id, held))
    held.release()
    return states


@pytest.mark.parametrize("before", list(product(range(4), repeat=3)))
def test_whenever_a_taken_answer_is_looked_at_it_waits_or_was_taken(
    files: QuestionFiles, monkeypatch: pytest.MonkeyPatch, before: tuple[int, ...]
) -> None:
    """Who asked puts a file in its place, removes the question, then that file; each may come between two looks."""
    asked = files.post(QUESTION, {})
    question, answer = (files.directory / f"{asked.id}{suffix}.json" for suffix in ("", ".answer"))
    steps = [lambda: files.take(asked), question.unlink, answer.unlink]
    first, last = _what_becomes_of(files, monkeypatch, steps, before)
    assert (first in ("waits", "taken"), last) == (True, "taken")


@pytest.mark.parametrize("before", range(4))
def test_whenever_an_answer_that_nobody_takes_is_looked_at_it_waits_or_is_late(
    files: QuestionFiles, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    asked = files.post(QUESTION, {})
    steps = [lambda: files.expire(asked.id)]
    first, last = _what_becomes_of(files, monkeypatch, steps, (*[0] * before, 1))
    assert (first in ("waits", "late"), last) == (True, "late")


def test_a_question_whose_time_is_up_leaves_nothing(files: QuestionFiles) -> None:
    """Its contents go as well."""
    asked = files.post(QUESTION, {"0.before": b"old", "0.after": b"new"})
    files.expire(asked.id)
    assert list(files.directory.iterdir()) == []


def test_a_closed_question_leaves_nothing(files: QuestionFiles) -> None:
    asked = files.post(QUESTION, {"0.before": b"old", "0.after": b"new"})
    held = files.answer(asked, "Approve", "Ada")
    assert held is not None
    files.withdraw(asked.id)
    held.release()
    assert list(files.directory.iterdir()) == []
    assert files.answer(asked, "Reject", "Ada") is None


class Between:
    """What the process that asks does between an answer and the look whether the question is still open."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
        create = HeldFile.create

        def created(path: Path, values: dict[str, Any]) -> HeldFile | None:
            held = create(path, values)
            act()
            return held

        monkeypatch.setattr(HeldFile, "create", created)


def test_an_answer_that_is_taken_at_once_counts_for_who_gave_it(
    files: QuestionFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However quick the process that asks is: it acts on the answer, so who gave it is told no other thing."""
    asked = files.post(QUESTION, {})

    def take() -> None:
        files.take(asked)
        files.withdraw(asked.id)

    Between(monkeypatch, take)
    held = files.answer(asked, "Approve", "Ada")
    assert held is not None
    held.release()
    assert list(files.directory.iterdir()) == []


def test_an_answer_that_comes_just_after_the_end_does_not_count(
    files: QuestionFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question was open when the person answered, and closed before the answer was there."""
    asked = files.post(QUESTION, {})
    is_open = files.is_open

    def closed_behind_it(id_: str) -> bool:
        answer = is_open(id_)
        if answer:
            assert files.give_up(asked)
            files.withdraw(id_)
        return answer

    monkeypatch.setattr(files, "is_open", closed_behind_it)
    assert files.answer(asked, "Approve", "Ada") is None
    assert list(files.directory.iterdir()) == []


def test_an_answer_is_there_or_the_question_is_given_up_never_both(files: QuestionFiles) -> None:
    """Who waits no longer takes an answer that came before, and lets none come after."""
    answered = files.post(QUESTION, {})
    other = Other(files, "Approve")
    assert not files.give_up(answered)
    other.end()
    files.withdraw(answered.id)
    given_up = files.post(QUESTION, {})
    assert files.give_up(given_up)
    assert files.answer(given_up, "Approve", "Ada") is None


class Turns:
    """Threads that make their system calls in an order drawn by chance: only one of them runs at a time, for one call
    or for several.
    """

    CALLS = ("stat", "lstat", "open", "link", "unlink", "rename", "replace", "listdir", "scandir")

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._free = threading.Condition()
        self._waiting: dict[int, bool] = {}  # by thread: whether it may make its next call
        self._sides: dict[int, int] = {}  # by thread: its place among the acts
        self._now, self._calls = 0, 0  # which thread is on, and for how many more calls

    def run(self, *acts: Callable[[], None]) -> None:
        with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(len(acts)) as pool:
            for name in self.CALLS:
                patch.setattr(os, name, self._in_turn(getattr(os, name)))
            start = threading.Barrier(len(acts))
            for future in [pool.submit(self._side, place, act, start) for place, act in enumerate(acts)]:
                future.result(PATIENCE_S)

    def _side(self, place: int, act: Callable[[], None], start: threading.Barrier) -> None:
        self._sides[threading.get_ident()] = place
        start.wait(PATIENCE_S)
        try:
            act()
        finally:
            with self._free:
                del self._sides[threading.get_ident()]
                self._choose()

    def _in_turn(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            me = threading.get_ident()
            if me in self._sides:
                with self._free:
                    self._waiting[me] = False
                    self._choose()
                    assert self._free.wait_for(lambda: self._waiting[me], PATIENCE_S)
                    del self._waiting[me]
            return real(*args, **more)

        return call

    def _choose(self) -> None:
        if self._sides and self._waiting.keys() == self._sides.keys():
            if self._calls == 0 or self._now not in self._sides:
                self._now = self._random.choice(sorted(self._sides, key=self._sides.__getitem__))
                self._calls = self._random.choice((1, 2, 4, 8, 16))
            self._calls -= 1
            self._waiting[self._now] = True
            self._free.notify_all()


def test_both_sides_say_the_same_in_whatever_order_they_act(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One answers while the other one takes an answer or gives up: the answer counts for both, or for neither."""
    monkeypatch.setattr(question_files, "read_held", _as_another_process)
    outcomes = set()
    for seed in range(300):
        files = QuestionFiles(tmp_path / str(seed))
        asked = files.post(QUESTION, {"0.after": b"new"})
        sides = Sides(files, asked)
        Turns(seed).run(sides.ask, sides.answer)
        assert sides.counts["asks"] == sides.counts["answers"], f"in the order of {seed}"
        if sides.held is not None:
            sides.held.release()
        assert list(files.directory.iterdir()) == []
        outcomes.add(sides.counts["asks"])
    assert outcomes == {True, False}


def test_what_is_answered_is_open_for_no_reader_while_it_is_being_closed(tmp_path: Path) -> None:
    """A reader that begins to look after the answer does not see the question, wherever its closing stands."""
    looks = 0
    for seed in range(100):
        closing = Closing(QuestionFiles(tmp_path / str(seed)))
        Turns(seed).run(closing.close, closing.look)
        assert not any(closing.shown), f"in the order of {seed}"
        looks += len(closing.shown)
    assert looks


class Closing:
    """The one who closes an answered question, and a reader. `shown`: what each look after the answer saw."""

    def __init__(self, files: QuestionFiles) -> None:
        self.files = files
        self.asked = files.post(QUESTION, {"0.after": b"new"})
        self.is_answered = False
        self.shown: list[list[Question]] = []

    def close(self) -> None:
        held = self.files.answer(self.asked, "Approve", "Ada")
        assert held is not None
        self.is_answered = True
        for _ in range(10):  # what was asked for goes on
            assert self.files.is_open(self.asked.id)
        self.files.withdraw(self.asked.id)
        held.release()

    def look(self) -> None:
        for _ in range(4):
            is_late = self.is_answered
            shown = self.files.open()
            if is_late:
                self.shown.append(shown)


class Sides:
    """The one who asks and the one who answers, each with what it takes for true."""

    def __init__(self, files: QuestionFiles, asked: Question) -> None:
        self.files = files
        self.asked = asked
        self.counts: dict[str, bool] = {}
        self.held: HeldFile | None = None

    def ask(self) -> None:
        is_answered = self.files.given(self.asked) is not None or not self.files.give_up(self.asked)
        if is_answered:
            assert self.files.given(self.asked) is not None
            self.files.take(self.asked)
        self.files.withdraw(self.asked.id)
        self.counts["asks"] = is_answered

    def answer(self) -> None:
        self.held = self.files.answer(self.asked, "Approve", "Ada")
        self.counts["answers"] = self.held is not None


def _as_another_process(path: Path) -> tuple[dict[str, Any], int] | None:
    """What is read of a held file as if another process held it: both sides are this one here."""
    data = path.read_bytes()
    return (json.loads(data), 1) if data else None


def test_no_answer_counts_where_the_state_directory_was_removed(
    files: QuestionFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = files.post(QUESTION, {})
    Between(monkeypatch, lambda: shutil.rmtree(files.directory))
    assert files.answer(asked, "Approve", "Ada") is None
    assert files.give_up(asked)


def test_a_question_of_another_machine_is_not_shown(files: QuestionFiles) -> None:
    """Nor removed: whether its process runs can't be told here."""
    asked = files.post(QUESTION, {})
    file = files.directory / f"{asked.id}.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "place": ["elsewhere", ""]}))
    assert (files.open(), file.exists()) == ([], True)


def test_a_listener_counts_as_long_as_its_process_runs(tmp_path: Path) -> None:
    """What a killed one leaves is removed; one's own is no other."""
    listeners = Listeners(tmp_path / "listeners")
    own = listeners.register("lsp")
    assert own is not None
    script = (
        "import sys; from pathlib import Path; from intentls.store.questions.listeners import Listeners\n"
        "held = Listeners(Path(sys.argv[1])).register('lsp'); print('listens', flush=True); sys.stdin.readline()"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "listeners")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        assert list(listeners.others()) == [(other.pid, "lsp")]
        other.kill()
    assert list(listeners.others()) == []
    assert own.is_there
    own.release()
    assert list((tmp_path / "listeners").iterdir()) == []


def test_a_watch_tells_what_comes_and_goes(tmp_path: Path) -> None:
    """Without waiting for the time to look again."""
    watch = DirectoryWatch(tmp_path / "watched")
    (tmp_path / "watched" / "file").touch()
    watch.wait(PATIENCE_S)
    (tmp_path / "watched" / "file").unlink()
    watch.wait(PATIENCE_S)
    assert watch.is_current
    (tmp_path / "watched").rmdir()
    watch.wait(PATIENCE_S)
    assert not watch.is_current
    watch.close()
