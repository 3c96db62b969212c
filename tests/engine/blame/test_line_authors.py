"""Whose lines an editor shows: of the saved text, of the text as it is typed, in words."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec import field

from intentls.engine.actions.effects import drive
from intentls.engine.actions.plans import RenameFile, WriteFile
from intentls.engine.actions.request import EditRequest, EditResult
from intentls.engine.blame import line_authors
from intentls.engine.blame.blame import OwnedRange, blame_content
from intentls.engine.blame.line_authors import AuthoredLines, Authors, IntentLines, runs
from intentls.engine.edits.perform import perform
from intentls.engine.intents import checkout
from intentls.engine.ledger.queries import Query
from intentls.engine.wire.author_text import ago, hover, label, line_end, title
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless, OpenDocument
from intentls.engine.workspace.progress import Progress, no_progress
from intentls.engine.workspace.workspace import Workspace
from intentls.store.git.line_commit import LineCommit

NOON = datetime(2026, 2, 18, 12, 0, tzinfo=UTC)
PATH = "src/api/weather.py"


class Editor(Headless, frozen=True):
    """A host in which a test opens documents."""

    texts: dict[Path, str] = field(default_factory=dict)

    def open_document(self, path: Path) -> OpenDocument | None:
        return OpenDocument(path, path.as_uri(), 1, self.texts[path]) if path in self.texts else None


class Desk:
    """A workspace with an agent under INT-001, and an editor beside it."""

    def __init__(self, root: Path) -> None:
        self.editor = Editor("test", (root,))
        self.engine = Engine(self.editor)
        self.authors = Authors()
        self.root = root
        drive(checkout.select(self.engine, "me", "INT-001", None, "claude-x"))

    @property
    def workspace(self) -> Workspace:
        return self.engine.workspace(self.root)

    def act(self, plan: Any) -> EditResult:
        done = drive(perform(self.engine, EditRequest(plan, "me")))
        assert isinstance(done, EditResult)
        return done

    def shown(self, path: str = PATH) -> list[tuple[int, int, str | None, bool]]:
        """(first line, last line, intent, saved) of each part."""
        found = self.authors.of(self.workspace, path)
        return [(p.start_line, p.end_line, p.record and p.record["intent_id"], p.saved) for p in found]

    def blame(self, path: str, progress: Progress = no_progress) -> list[OwnedRange]:
        """Of what is saved."""
        return blame_content(self.workspace, path, (self.root / path).read_bytes(), progress)


@pytest.fixture
def desk(workspace: Path) -> Desk:
    return Desk(workspace)


def test_lines_that_are_typed_have_no_author_yet_and_the_others_keep_theirs(desk: Desk) -> None:
    """An unsaved line in the middle of an agent's block does not cost the block its author."""
    desk.act(WriteFile(PATH, "a = 1\nb = 2\nc = 3\n"))
    assert desk.shown() == [(1, 3, "INT-001", True)]
    desk.editor.texts[desk.root / PATH] = "a = 1\nb = 20\n\nc = 3\n"
    assert desk.shown() == [(1, 1, "INT-001", True), (2, 3, None, False), (4, 4, "INT-001", True)]


def test_what_nobody_recorded_is_said_to_be_nobodys(desk: Desk) -> None:
    """A file from before the ledger began has lines without an author; a new unsaved one has unsaved lines."""
    assert desk.shown("docs/design.md") == [(1, 1, None, True)]
    desk.editor.texts[desk.root / "src/api/new.py"] = "x\n"
    assert desk.shown("src/api/new.py") == [(1, 1, None, False)]


def test_what_is_no_text_has_no_lines(desk: Desk) -> None:
    """Nobody is told who wrote which line of an image."""
    (desk.root / "logo.png").write_bytes(b"\x89PNG\0\0")
    assert desk.shown("logo.png") == []


def test_the_ledger_is_read_once_as_long_as_nothing_changes(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hovering about costs nothing; typing does not read the ledger again; a save or a new record does."""
    asked: list[bytes] = []
    real = line_authors.blame_content

    def counted(workspace: Workspace, path: str, content: bytes) -> Any:
        asked.append(content)
        return real(workspace, path, content)

    monkeypatch.setattr(line_authors, "blame_content", counted)
    desk.act(WriteFile(PATH, "a\n"))
    for text in ("a\n", "a\nb\n", "a\nbc\n"):
        desk.editor.texts[desk.root / PATH] = text
        desk.shown()
        desk.shown()
    assert asked == [b"a\n"]
    desk.act(WriteFile("src/api/other.py", "o\n"))
    desk.shown()
    (desk.root / PATH).write_bytes(b"a\nbc\n")
    desk.shown()
    assert asked == [b"a\n", b"a\n", b"a\nbc\n"]


def test_lines_keep_their_author_through_renames(desk: Desk) -> None:
    """A file that was renamed twice, once to a name that needs escaping, still knows who wrote it."""
    desk.act(WriteFile("src/api/one.py", "1\n2\n"))
    desk.act(RenameFile("src/api/one.py", "src/api/zwei ü.py"))
    for content in ("another file\n", "1\n2\n", "1\n2\n3\n"):
        desk.act(WriteFile("src/api/one.py", content))
    desk.act(RenameFile("src/api/zwei ü.py", "src/api/three.py"))
    (part,) = desk.authors.of(desk.workspace, "src/api/three.py")
    first = list(desk.workspace.ledger.search(Query(path="src/api/one.py")))[-1]
    assert part.record is not None
    assert part.record["id"] == first["id"]
    assert desk.blame("src/api/one.py")[0].record != first


def test_a_reading_of_the_ledger_can_be_given_up(desk: Desk) -> None:
    """What the progress raises comes out, and the ledger can be used on."""
    desk.act(WriteFile(PATH, "a\n"))

    def give_up(done: int, total: int) -> None:
        assert (done, total) == (0, desk.workspace.ledger.size())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        desk.blame(PATH, give_up)
    assert desk.blame(PATH)[0].record is not None


def part(
    start: int, end: int, intent_id: str | None, kind: str = "ai", time: str = "2026-02-18T10:00:00Z"
) -> AuthoredLines:
    """Lines that were written for an intent, or that nobody recorded."""
    if intent_id is None:
        return AuthoredLines(start, end)
    record = {"intent_id": intent_id, "timestamp": time, "mutation_class": "BUG_FIX", "session_id": "s1"}
    return AuthoredLines(start, end, record, {"contributor": {"type": kind, "model_id": "m_1*"}})


def test_neighbours_of_one_intent_are_one_run() -> None:
    """Runs end where the intent does; each names every author once, the newest first, and the newest time."""
    found = runs([part(1, 2, "A"), part(3, 3, "A", "human", "2026-02-18T11:00:00Z"), part(4, 4, None), part(5, 6, "A")])
    assert [(run.start_line, run.end_line, run.timestamp) for run in found] == [
        (1, 3, "2026-02-18T11:00:00Z"),
        (5, 6, "2026-02-18T10:00:00Z"),
    ]
    assert [author["type"] for author in found[0].authors] == ["human", "ai"]


def test_a_run_has_a_title_and_a_label() -> None:
    """The lens says who and when, the hint at the end of a line just whose."""
    run = IntentLines(1, 3, "INT-1", ({"type": "ai", "model_id": "m"}, {"type": "human"}), "2026-02-16T11:00:00Z")
    assert title(run, {"INT-1": "Build\n it"}, NOON) == "INT-1 Build it · m, a person · 2 days ago"
    assert label(run) == "INT-1 · m, a person"
    assert title(IntentLines(1, 1, "UNTRACKED", ({},), "?"), {}, NOON) == "no intent · unknown author"


@pytest.mark.parametrize(
    ("timestamp", "words"),
    [
        ("2026-02-18T11:59:30Z", "just now"),
        ("2026-02-18T12:00:30Z", "just now"),
        ("2026-02-18T11:59:00Z", "1 minute ago"),
        ("2026-02-18T09:00:00Z", "3 hours ago"),
        ("2026-02-17T12:00:00Z", "1 day ago"),
        ("2025-12-31T12:00:00Z", "2025-12-31"),
        ("soon", ""),
    ],
)
def test_a_time_is_told_in_one_unit(timestamp: str, words: str) -> None:
    """A clock that runs ahead is no reason for a negative time."""
    assert ago(timestamp, NOON) == words


def test_a_hover_says_all_that_is_known() -> None:
    """Intent, author, time and who approved it; a name can't smuggle in a link."""
    written = part(1, 1, "INT-1")
    assert written.record is not None
    written.record["override"] = {"by": "ada", "action": "Approve", "code": "SCOPE_VIOLATION"}
    plain = hover(written, {"INT-1": "[x](command:y)"}, NOON, markdown=False).split("\n")
    assert plain == [
        "INT-1 [x](command:y)",
        "m_1*, 2 hours ago",
        "Approved by ada although outside the scope.",
    ]
    marked = hover(written, {"INT-1": "[x](command:y)"}, NOON, markdown=True)
    assert marked.startswith("**INT-1 \\[x\\](command:y)**\n\nm_1\\*, 2 hours ago\n\nApproved by ")


def test_a_change_out_of_scope_looks_like_one() -> None:
    """In the hover, above the lines and behind them, unless a person approved it."""
    written = part(1, 1, "INT-1")
    assert written.record is not None
    written.record["scope_validation"] = "FAIL"
    assert "Out of scope" in hover(written, {}, NOON, markdown=False)
    assert line_end(written, {"INT-1": "Build"}, NOON) == "m_1*, 2 hours ago · INT-1 Build · out of scope"
    (run,) = runs([written])
    assert title(run, {}, NOON).endswith(" · out of scope")
    assert label(run).endswith(" · out of scope")
    written.record["override"] = {"by": "ada", "action": "Approve", "code": "SCOPE_VIOLATION"}
    assert "ut of scope" not in hover(written, {}, NOON, markdown=False) + line_end(written, {}, NOON)


def test_a_line_without_a_record_has_gits_author_or_nothing() -> None:
    """Nothing is said where nothing is known; a line that is not saved says so."""
    commit = LineCommit("Ada", "2026-02-18T09:00:00Z", "0123456789abcdef", "Mend  it")
    assert hover(part(1, 1, None), {}, NOON, markdown=True) == line_end(part(1, 1, None), {}, NOON) == ""
    assert hover(part(1, 1, None), {}, NOON, commit, markdown=False) == "Ada, 3 hours ago\nMend it · 01234567"
    assert line_end(part(1, 1, None), {}, NOON, commit) == "Ada, 3 hours ago · Mend it"
    unsaved = AuthoredLines(1, 1, saved=False)
    assert (hover(unsaved, {}, NOON, markdown=False), line_end(unsaved, {}, NOON)) == (
        "This line is not saved yet.",
        "",
    )


def test_a_hover_takes_a_foreign_record_as_it_is() -> None:
    """Another tool's record may lack nearly everything."""
    written = AuthoredLines(1, 1, {"timestamp": 5}, {"contributor": "?"})
    assert hover(written, {}, NOON, markdown=False) == "no intent\nunknown author"
