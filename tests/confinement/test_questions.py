"""What is held is put to a listening editor while the command still runs, and the answer takes effect at once."""

from __future__ import annotations

import json
import queue
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from intentls.store.layout import Layout
from intentls.store.questions.question_files import QuestionFiles
from tests.confinement.conftest import Tree
from tests.support.patience import PATIENCE_S, eventually
from tests.support.session import ASKING, session
from tests.support.wire import SILENCE

pytestmark = pytest.mark.usefixtures("each_store")

_LINE = "echo x >> docs/d.md; echo ready; read go; echo done"


class Person:
    """Who sits at an editor, and answers each question with what `answers` says next."""

    def __init__(self, *answers: object) -> None:
        self._answers = list(answers)
        self.questions: queue.Queue[str] = queue.Queue()

    def answer(self, question: Any) -> object:
        self.questions.put(question["message"])
        answer = self._answers.pop(0) if self._answers else SILENCE
        return {"title": answer} if isinstance(answer, str) else answer

    def question(self) -> str:
        return self.questions.get(timeout=PATIENCE_S)


@contextmanager
def _editor(tree: Tree, *answers: object) -> Iterator[Person]:
    person = Person(*answers)
    with session(tree.root, ASKING) as editor:
        editor.wire.handlers["window/showMessageRequest"] = person.answer
        editor.do("listIntents")  # from then on the editor listens
        yield person


def _held(tree: Tree) -> set[str]:
    """What is held now, by path."""
    held = set()
    for file in tree.root.glob(".orchestration/.state/held/*/*.json"):
        with suppress(FileNotFoundError):  # decided in this moment
            held.add(json.loads(file.read_bytes()).get("path"))
    return held - {None}


@pytest.mark.parametrize(("answer", "lands"), [("Expand scope", True), ("Reject", False)])
def test_an_answer_takes_effect_while_the_command_runs(tree: Tree, answer: str, lands: bool) -> None:
    with _editor(tree, answer) as person, tree.start(_LINE) as process:
        assert "docs/d.md" in person.question()
        eventually(lambda: not _held(tree) and tree.read("docs/d.md") == ("d\nx\n" if lands else "d\n"))
        assert process.poll() is None
        _, told = process.communicate("go\n")
    assert person.questions.empty()  # what was answered is not asked about again
    assert ("Dropped: docs/d.md" in told) is not lands
    assert "A person is asked" not in told
    if lands:
        assert "docs/d.md" in (tree.read(".orchestration/active_intents.yaml") or "")


def test_a_command_does_not_wait_for_an_answer_and_is_asked_about_again_at_its_end(tree: Tree) -> None:
    """A question that is open at the end is taken back; then the run waits for its last one."""
    with _editor(tree, SILENCE, "Approve") as person, tree.start(_LINE) as process:
        person.question()
        assert _held(tree) == {"docs/d.md"}
        out, told = process.communicate("go\n")
        assert out == "ready\ndone\n"
        assert "docs/d.md" in person.question()
    assert tree.read("docs/d.md") == "d\nx\n"
    assert "1 file landed." in told


def test_a_newer_content_takes_the_older_ones_question_back(tree: Tree) -> None:
    line = "echo x >> docs/d.md; read go; echo y >> docs/d.md; read go"
    with _editor(tree, SILENCE, "Approve") as person, tree.start(line) as process:
        assert process.stdin is not None
        person.question()
        process.stdin.write("go\n")
        process.stdin.flush()
        person.question()
        eventually(lambda: tree.read("docs/d.md") == "d\nx\ny\n")
        process.communicate("go\n")
    assert not _held(tree)


def test_an_editor_that_is_opened_later_is_asked_too(tree: Tree) -> None:
    with tree.start(_LINE) as process:
        eventually(lambda: _held(tree))
        with _editor(tree, "Approve") as person:
            assert "docs/d.md" in person.question()
            eventually(lambda: tree.read("docs/d.md") == "d\nx\n")
            process.communicate("go\n")


def test_a_question_whose_last_editor_leaves_is_taken_back_and_the_next_editor_is_asked_anew(tree: Tree) -> None:
    """Nobody has to wait for its time to be up."""
    policy = tree.root / ".orchestration/policy.yaml"
    policy.write_text("hitl_timeout_s: 3600\n")
    with tree.start(_LINE) as process:
        with _editor(tree, SILENCE) as person:
            first = person.question()
        eventually(lambda: not _posted(tree))
        assert (process.poll(), _held(tree)) == (None, {"docs/d.md"})
        with _editor(tree, "Approve") as person:
            assert person.question() == first
            eventually(lambda: tree.read("docs/d.md") == "d\nx\n")
            process.communicate("go\n")


def _posted(tree: Tree) -> list[str]:
    """The questions that wait for an answer, by id."""
    return [question.id for question in QuestionFiles(Layout(tree.root).questions).open()]
