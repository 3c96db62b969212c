"""Questions, answers and listeners as files: what other processes see of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from intentls.core.hashing import content_hash
from intentls.store.fs.directory_watch import DirectoryWatch
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


@pytest.fixture
def files(tmp_path: Path) -> QuestionFiles:
    return QuestionFiles(tmp_path / "questions")


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


def test_a_closed_question_leaves_nothing(files: QuestionFiles) -> None:
    asked = files.post(QUESTION, {"0.before": b"old", "0.after": b"new"})
    held = files.answer(asked, "Approve", "Ada")
    assert held is not None
    files.withdraw(asked.id)
    held.release()
    assert list(files.directory.iterdir()) == []
    assert files.answer(asked, "Reject", "Ada") is None


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
