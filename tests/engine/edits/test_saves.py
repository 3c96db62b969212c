"""What a save changed, from what the editor says, the disk, and history."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from intentls.core.hashing import hash_of
from intentls.core.ledger.trace_state import TraceState
from intentls.engine.edits import saves
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.open_documents import DocumentChange, GuardedEdit
from intentls.engine.workspace.workspace import Workspace
from tests.support.session import ledger_of
from tests.support.workspaces import commit_all, make_git_repo, make_workspace

FILE = "src/a.txt"
BOM = b"\xef\xbb\xbf"


class Desk:
    """A root with one file, and an editor on it."""

    def __init__(self, root: Path, content: bytes | None = None) -> None:
        self.root = make_workspace(root, files={})
        self.file = self.root / FILE
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.write(content)
        self.workspace = Engine(Headless("lsp", (self.root,))).workspace(self.root)

    def write(self, content: bytes | None) -> None:
        """What the disk has, whatever the editor shows."""
        if content is None:
            self.file.unlink(missing_ok=True)
        else:
            self.file.write_bytes(content)

    def open(self, text: str) -> None:
        saves.opened(self.workspace, FILE, text)

    def save(self, text: str | None) -> saves.SaveResult | None:
        return saves.saved(self.workspace, FILE, text, "s")

    def record(self, before: bytes | None, after: bytes) -> None:
        """A save that is on record already."""
        self.workspace.pending.opened(FILE, before)
        self.write(after)
        assert self.save(None) is not None
        saves.closed(self.workspace, FILE)

    @property
    def files(self) -> list[dict[str, Any]]:
        """What is on record of the file."""
        return [file for record in ledger_of(self.root) for file in record["files"]]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "root", b"a\nb\n")


def in_git(desk: Desk) -> Desk:
    make_git_repo(desk.root)
    return desk


def hashes(desk: Desk) -> list[tuple[str, str | None, str | None]]:
    return [(file["change"], file["pre_hash"], file["post_hash"]) for file in desk.files]


def modified(*contents: bytes) -> list[tuple[str, str | None, str | None]]:
    """The records of one save after the other."""
    return [("modify", hash_of(before), hash_of(after)) for before, after in pairwise(contents)]


# --- what was there


@pytest.mark.parametrize("disk", [b"", b"a\nB", b"a\nB\n", b"something else\n", None])
def test_the_text_at_the_opening_is_what_was_there_whatever_the_disk_has(desk: Desk, disk: bytes | None) -> None:
    """It is written just then, was written already, or an editor has renamed it for a moment."""
    in_git(desk)
    desk.write(disk)
    desk.open("a\nb\n")
    desk.write(b"a\nB\n")
    desk.save("a\nB\n")
    assert hashes(desk) == modified(b"a\nb\n", b"a\nB\n")


@pytest.mark.parametrize("disk", [b"", b"a", b"something else\n"])
def test_the_same_of_a_file_that_history_does_not_know(desk: Desk, disk: bytes) -> None:
    """Outside git, with nothing on record: the editor is believed."""
    desk.write(disk)
    desk.open("a\nb\n")
    desk.save("a\nB\n")
    assert hashes(desk) == modified(b"a\nb\n", b"a\nB\n")


@pytest.mark.parametrize("known", ["commit", "ledger"])
def test_a_restored_text_that_was_never_saved_was_not_there(desk: Desk, known: str) -> None:
    """The editor was started again: the disk has what history has, the document something newer."""
    if known == "commit":
        in_git(desk)
    else:
        desk.record(b"older\n", b"a\nb\n")
    desk.open("a\nb\nnew\n")
    desk.write(b"a\nb\nnew\n")
    desk.save("a\nb\nnew\n")
    assert hashes(desk)[-1:] == modified(b"a\nb\n", b"a\nb\nnew\n")


def test_what_is_on_record_is_newer_than_what_is_committed(desk: Desk) -> None:
    """Of the two, the record tells which of text and disk was there."""
    in_git(desk)
    desk.record(b"a\nb\n", b"a\nB\n")
    desk.open("a\nb\n")  # restored: the disk has what is on record
    desk.write(b"a\nb\n")
    desk.save("a\nb\n")
    assert hashes(desk) == modified(b"a\nb\n", b"a\nB\n", b"a\nb\n")


def test_a_record_that_waits_for_the_ledger_counts_as_one(desk: Desk) -> None:
    """What history has last is in the journal."""
    desk.workspace.layout.ledger.mkdir()
    desk.record(b"older\n", b"a\nb\n")
    desk.open("a\nb\nnew\n")
    desk.write(b"a\nb\nnew\n")
    result = desk.save("a\nb\nnew\n")
    assert result is not None and (result.before, result.trace_id is None) == (b"a\nb\n", False)
    desk.workspace.layout.ledger.rmdir()
    desk.workspace.journal.recover()
    assert hashes(desk) == modified(b"older\n", b"a\nb\n", b"a\nb\nnew\n")


def test_a_refusal_and_an_override_say_nothing_of_the_content(desk: Desk) -> None:
    """Only what changed a file left something there."""
    desk.record(b"older\n", b"a\nb\n")
    last = ledger_of(desk.root)[-1]
    last.pop("chain")
    refused = {**last, "id": "r1", "success": False}
    admitted = {**last, "id": "r2", "files": [{"path": FILE, "change": "modify", "pre_hash": None, "post_hash": None}]}
    for record in (refused | {"files": [{**last["files"][0], "post_hash": hash_of(b"x")}]}, admitted):
        desk.workspace.journal.record(record, durable=True)
    desk.open("a\nb\nnew\n")
    desk.write(b"a\nb\nnew\n")
    result = desk.save("a\nb\nnew\n")
    assert result is not None and result.before == b"a\nb\n"


# --- new files


@pytest.mark.parametrize(
    "disk", [None, b"", b"ne", BOM + b"ne", b"new\n"], ids=["no file", "empty", "half of it", "marked", "all of it"]
)
@pytest.mark.parametrize("git", [True, False])
def test_a_persons_new_file_is_an_addition(tmp_path: Path, disk: bytes | None, git: bool) -> None:
    """Whatever the disk has when the server hears of the opening."""
    desk = Desk(tmp_path / "root")
    if git:
        in_git(desk)
    desk.write(disk)
    desk.open("")
    desk.write(b"new\n")
    desk.save("new\n")
    assert hashes(desk) == [("add", None, hash_of(b"new\n"))]


@pytest.mark.parametrize("known", ["commit", "ledger"])
def test_an_empty_file_that_history_knows_is_no_new_one(tmp_path: Path, known: str) -> None:
    """Python's `__init__.py` is empty in most packages."""
    desk = Desk(tmp_path / "root", b"")
    if known == "commit":
        in_git(desk)
    else:
        desk.record(b"older\n", b"")
    desk.open("")
    desk.write(b"new\n")
    desk.save("new\n")
    assert hashes(desk)[-1:] == modified(b"", b"new\n")


@pytest.mark.parametrize("disk", [b"", None])
def test_a_file_that_is_committed_while_it_is_open_is_no_new_one(tmp_path: Path, disk: bytes | None) -> None:
    """It was empty then, whether it was there when the editor showed it or made a moment later."""
    desk = in_git(Desk(tmp_path / "root"))
    desk.write(disk)
    desk.open("")
    desk.write(b"")
    commit_all(desk.root, "Begin it")
    desk.write(b"new\n")
    desk.save("new\n")
    assert hashes(desk) == modified(b"", b"new\n")


def test_a_file_that_was_removed_on_record_and_is_made_again_is_new(desk: Desk) -> None:
    """The record of the removal is the newest."""
    desk.record(b"older\n", b"")
    last = ledger_of(desk.root)[-1]
    last.pop("chain")
    gone = {"path": FILE, "change": "delete", "pre_hash": hash_of(b""), "post_hash": None}
    desk.workspace.journal.record({**last, "id": "r1", "files": [gone]}, durable=True)
    desk.write(b"")
    desk.open("")
    desk.write(b"new\n")
    desk.save("new\n")
    assert hashes(desk)[-1:] == [("add", None, hash_of(b"new\n"))]


def test_a_document_that_begins_with_a_text_has_no_file_yet(tmp_path: Path) -> None:
    """A template fills it in before there is one."""
    desk = Desk(tmp_path / "root")
    desk.open("# template\n")
    desk.write(b"# template\nx\n")
    desk.save("# template\nx\n")
    assert hashes(desk) == [("add", None, hash_of(b"# template\nx\n"))]


# --- what was saved


@pytest.mark.parametrize("disk", [b"", b"a\nB", b"a\nB\nlater\n", None])
def test_the_documents_text_is_what_was_saved_whatever_the_disk_has(desk: Desk, disk: bytes | None) -> None:
    """The next save is under way."""
    desk.open("a\nb\n")
    desk.write(disk)
    desk.save("a\nB\n")
    desk.write(b"a\nB\nlater\n")
    desk.save("a\nB\nlater\n")
    assert hashes(desk) == modified(b"a\nb\n", b"a\nB\n", b"a\nB\nlater\n")


def test_a_save_that_changes_nothing_is_not_recorded(desk: Desk) -> None:
    """However often."""
    desk.open("a\nb\n")
    assert [desk.save("a\nb\n"), desk.save("a\nb\n")] == [None, None]
    assert desk.files == []


def test_a_document_that_was_never_opened_is_known_after_its_first_save(desk: Desk) -> None:
    """What the first save changed is not known."""
    assert desk.save(None) is None
    desk.write(b"a\nB\n")
    assert desk.save(None) is not None
    assert hashes(desk) == modified(b"a\nb\n", b"a\nB\n")


def test_a_save_of_a_file_that_is_not_there_says_nothing(tmp_path: Path) -> None:
    """Without a document and a file there is no content; what the next save changed is not known either."""
    desk = Desk(tmp_path / "root")
    assert desk.save(None) is None
    desk.write(b"a\n")
    assert desk.save(None) is None
    assert desk.files == []


def test_a_closed_document_is_forgotten(desk: Desk) -> None:
    """Its next opening counts."""
    desk.open("a\nb\n")
    saves.closed(desk.workspace, FILE)
    desk.write(b"by another program\n")
    desk.open("by another program\n")
    desk.write(b"mine\n")
    desk.save("mine\n")
    assert hashes(desk) == modified(b"by another program\n", b"mine\n")


@pytest.mark.parametrize("before, now", [(b"a\n", b"a\0b"), (b"a\0b", b"a\n")])
def test_a_binary_file_is_left_alone_and_remembered(tmp_path: Path, before: bytes, now: bytes) -> None:
    """A text that it becomes is compared with what it was saved as."""
    desk = Desk(tmp_path / "root", before)
    desk.open(before.decode())
    desk.write(now)
    assert desk.save(now.decode()) is None
    assert desk.files == []
    desk.write(b"z\n")
    assert (desk.save("z\n") is None) == (b"\0" in now)


# --- how the text is written


@pytest.mark.parametrize(
    "before, after",
    [
        (BOM + b"a\nb\n", BOM + b"a\nB\n"),
        (b"a\r\nb\r\n", b"a\r\nB\r\n"),
        ("\ufeffa\nb\n".encode("utf-16-le"), "\ufeffa\nB\n".encode("utf-16-le")),
        (b"a\nb\xe9\n", b"a\nB\xe9\n"),
    ],
    ids=["a byte order mark", "carriage returns", "UTF-16", "Latin-1"],
)
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("plain", [False, True], ids=["as it is", "line ends and marks left out"])
def test_the_bytes_are_those_of_the_files_own_form(
    tmp_path: Path, before: bytes, after: bytes, late: bool, plain: bool
) -> None:
    """Also where the disk has nothing of them when the messages are read."""

    def text(data: bytes) -> str:
        codec = "utf-16" if data.startswith(b"\xff\xfe") else "latin-1" if b"\xe9" in data else "utf-8-sig"
        shown = data.decode(codec)
        return shown.replace("\r\n", "\n") if plain else shown

    desk = in_git(Desk(tmp_path / "root", before))
    desk.write(b"" if late else before)
    desk.open(text(before))
    desk.write(b"" if late else after)
    desk.save(text(after))
    assert hashes(desk) == modified(before, after)


def test_an_encoding_that_only_the_editor_knows_is_the_disks(tmp_path: Path) -> None:
    """Its bytes are read as Latin-1 here, and shown otherwise there."""
    before, after = "день\nx\n".encode("cp1251"), "день\ny\n".encode("cp1251")
    desk = Desk(tmp_path / "root", before)
    desk.open("день\nx\n")
    desk.write(after)
    desk.save("день\ny\n")
    assert hashes(desk) == modified(before, after)


def test_a_file_with_two_kinds_of_line_ends_keeps_them(tmp_path: Path) -> None:
    """The editor shows one kind; which end was which, only the disk tells."""
    desk = Desk(tmp_path / "root", b"a\r\nb\n")
    desk.open("a\nb\n")
    desk.write(b"a\r\nB\n")
    desk.save("a\nB\n")
    assert hashes(desk) == modified(b"a\r\nb\n", b"a\r\nB\n")


def test_another_text_with_as_many_lines_is_not_taken_for_the_same(tmp_path: Path) -> None:
    """Only where the bytes are in no encoding that we know is the number of lines enough."""
    before, after = "ä\nb\n", "ö\nb\n"
    desk = Desk(tmp_path / "root", after.encode())
    desk.open(before)
    desk.save(after)
    assert hashes(desk) == modified(before.encode(), after.encode())


def test_a_mark_that_the_editor_keeps_is_no_change(tmp_path: Path) -> None:
    """Most leave it out."""
    desk = Desk(tmp_path / "root", BOM + b"a\n")
    desk.open("\ufeffa\n")
    assert desk.save("\ufeffa\n") is None


# --- who did it, and where it goes


def agents(desk: Desk, before: bytes, after: bytes) -> None:
    """The client applies an agent's edit to the document."""
    author = GuardedEdit("agent", "INT-001", "lab/m", None)
    change = DocumentChange(author, before, after)
    desk.workspace.pending.sent(FILE, change)
    desk.workspace.pending.answered(FILE, change, applied=True)


def test_policy_exempts_a_persons_saves_and_never_an_agents(desk: Desk) -> None:
    """With `trace_on_save: false`; what was exempt is not in the next record."""
    (desk.root / ".orchestration/policy.yaml").write_text("trace_on_save: false\n")
    desk.open("a\nb\n")
    result = desk.save("a\nB\n")
    assert result is not None and (result.before, result.after, result.trace_id) == (b"a\nb\n", b"a\nB\n", None)
    agents(desk, b"a\nB\n", b"a\nB\nai\n")
    result = desk.save("a\nB\nai\nhand\n")
    assert result is not None and result.trace_id is not None
    assert hashes(desk) == modified(b"a\nB\n", b"a\nB\nai\nhand\n")
    (conversation,) = desk.files[0]["conversations"]
    assert (conversation["contributor"]["type"], [r["start_line"] for r in conversation["ranges"]]) == ("ai", [3])


def test_an_agents_edit_is_in_one_save_and_not_in_the_next(desk: Desk) -> None:
    """What is saved is settled, also where it came to nothing."""
    desk.open("a\nb\n")
    agents(desk, b"a\nb\n", b"a\nb\nai\n")
    desk.save("a\nb\nai\n")
    agents(desk, b"a\nb\nai\n", b"a\n")
    assert desk.save("a\nb\nai\n") is None  # undone
    desk.save("a\nb\nai\nhand\n")
    kinds = [[c["contributor"]["type"] for c in file["conversations"]] for file in desk.files]
    assert kinds == [["ai"], ["human"]]


def test_a_save_that_no_record_can_hold_is_part_of_the_next_one(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also whose change it was."""
    desk.open("a\nb\n")
    agents(desk, b"a\nb\n", b"a\nb\nai\n")
    with monkeypatch.context() as patch:
        patch.setattr(Workspace, "trace", lambda *_, **__: TraceState.LOST)
        lost = desk.save("a\nb\nai\n")
    assert lost is not None and lost.trace_id is None
    desk.save("a\nb\nai\nhand\n")
    assert hashes(desk) == modified(b"a\nb\n", b"a\nb\nai\nhand\n")
    assert [c["contributor"]["type"] for c in desk.files[0]["conversations"]] == ["ai", "human"]


def test_a_save_is_in_the_maps(desk: Desk) -> None:
    """Under the intent of the session that saved."""
    desk.workspace.sessions.update("s", lambda session: session.select("INT-001", None, None, "lsp", "now"))
    desk.write(None)
    desk.open("")
    desk.save("new\n")
    assert FILE in (desk.root / ".orchestration/intent_map.md").read_text()


@pytest.mark.parametrize("shape", ["a folder", "a pipe"])
def test_what_is_no_file_of_the_root_is_left_alone(tmp_path: Path, shape: str) -> None:
    """Neither its opening nor its save is an error."""
    desk = Desk(tmp_path / "root")
    if shape == "a folder":
        desk.file.mkdir()
    else:
        os.mkfifo(desk.file)
    desk.open("a\n")
    assert desk.save("b\n") is None
    if shape == "a folder":
        desk.file.rmdir()
    else:
        desk.file.unlink()
    desk.write(b"c\n")
    assert desk.save("c\n") is None, "it was never opened"
    assert desk.files == []


def test_what_a_person_typed_before_an_agents_edit_is_the_persons(desk: Desk) -> None:
    """One save holds both."""
    desk.open("a\nb\n")
    agents(desk, b"hand\na\nb\n", b"hand\na\nb\nai\n")
    desk.save("hand\na\nb\nai\n")
    (file,) = desk.files
    lines = {c["contributor"]["type"]: [r["start_line"] for r in c["ranges"]] for c in file["conversations"]}
    assert lines == {"human": [1], "ai": [4]}
