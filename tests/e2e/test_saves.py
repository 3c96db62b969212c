"""Saves in the editor, through a real server: what changed, and whose change it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from intentls.core.hashing import content_hash
from tests.support.patience import eventually
from tests.support.session import Json, Session, ledger_of, session
from tests.support.workspaces import make_workspace, write_files

EDITS = {"workspace": {"applyEdit": True}}
FILE = "src/api/weather.py"


class Editor:
    """Applies the server's edits to the open document as an editor would."""

    def __init__(self, server: Session) -> None:
        self.server = server
        self.texts: dict[str, str] = {}
        self.accepts = True
        server.wire.handlers["workspace/applyEdit"] = self.apply

    def apply(self, params: Json) -> Json:
        if not self.accepts:
            return {"applied": False, "failureReason": "the user said no"}
        for change in params["edit"]["documentChanges"]:
            path = Path(change["textDocument"]["uri"].removeprefix("file://")).relative_to(self.server.root).as_posix()
            lines = self.texts[path].split("\n")
            for edit in sorted(change["edits"], key=lambda e: e["range"]["start"]["line"], reverse=True):
                start, end = edit["range"]["start"], edit["range"]["end"]
                head = "\n".join([*lines[: start["line"]], lines[start["line"]][: start["character"]]])
                tail = "\n".join([lines[end["line"]][end["character"] :], *lines[end["line"] + 1 :]])
                lines = (head + edit["newText"] + tail).split("\n")
            self.texts[path] = "\n".join(lines)
            self.server.type(path, self.texts[path])
        return {"applied": True}

    def open(self, path: str) -> None:
        self.texts[path] = (self.server.root / path).read_text()
        self.server.open(path)

    def type(self, path: str, text: str) -> None:
        self.texts[path] = text
        self.server.type(path, text)

    def save(self, path: str) -> None:
        self.server.save(path, self.texts[path])


@pytest.fixture
def server(workspace: Path) -> Iterator[Session]:
    with session(workspace, capabilities=EDITS) as started:
        yield started


def saves(root: Path) -> list[Json]:
    return [record for record in ledger_of(root) if record["tool_name"] == "did_save"]


def test_a_persons_save_is_recorded_as_human_with_its_real_lines(server: Session) -> None:
    """A save by hand appends one record whose ranges are the lines the person changed."""
    server.do("selectActiveIntent", intent_id="INT-001")
    server.open(FILE)
    text = "def today():\n    # by hand\n    return 'sunny'\n"
    server.type(FILE, text)
    server.save(FILE, text)
    (record,) = eventually(lambda: saves(server.root))
    assert (record["intent_id"], record["scope_validation"]) == ("INT-001", "PASS")
    (file,) = record["files"]
    (conversation,) = file["conversations"]
    assert conversation["contributor"] == {"type": "human", "entity_type": "HUMAN"}
    (where,) = conversation["ranges"]
    assert (where["start_line"], where["end_line"]) == (2, 2)
    assert where["content_hash"] == content_hash(b"    # by hand\n")
    assert conversation["symbols"] == ["today"]
    assert (file["pre_hash"], file["post_hash"]) == (
        content_hash(b"def today():\n    return 'sunny'\n"),
        content_hash(text.encode()),
    )


def test_an_unchanged_save_records_nothing(server: Session) -> None:
    """Saving without a change leaves the ledger as it is."""
    server.open(FILE)
    server.save(FILE, (server.root / FILE).read_text())
    server.do("getActiveIntent")
    assert server.ledger == []


def test_a_save_outside_the_scope_is_recorded_as_such(server: Session) -> None:
    """A person may save anywhere; the ledger says that it was out of scope."""
    server.do("selectActiveIntent", intent_id="INT-001")
    server.open("docs/design.md")
    server.type("docs/design.md", "# Other\n")
    server.save("docs/design.md", "# Other\n")
    (record,) = eventually(lambda: saves(server.root))
    assert record["scope_validation"] == "FAIL"


def test_without_an_intent_a_save_is_untracked(server: Session) -> None:
    """What is saved under no intent is on record as such."""
    server.open(FILE)
    server.type(FILE, "x\n")
    server.save(FILE, "x\n")
    (record,) = eventually(lambda: saves(server.root))
    assert (record["intent_id"], record["scope_validation"]) == ("UNTRACKED", "EXEMPT")


def test_binary_files_and_files_outside_every_root_are_left_alone(server: Session, tmp_path: Path) -> None:
    """No record and no error for what governance is not about."""
    write_files(server.root, {"src/api/b.bin": b"\0\1\2"})
    server.open("src/api/b.bin", "\0\1\2")
    (server.root / "src/api/b.bin").write_bytes(b"\0\1\2\3")
    server.wire.notify("textDocument/didSave", {"textDocument": {"uri": server.uri("src/api/b.bin")}})
    for uri in ((tmp_path / "outside.txt").as_uri(), "untitled:Untitled-1", "git:/x"):
        document = {"uri": uri, "languageId": "x", "version": 1, "text": "t"}
        server.wire.notify("textDocument/didOpen", {"textDocument": document})
        server.wire.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        server.wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert server.do("getActiveIntent")["state"] == "IDLE"
    assert server.ledger == []


def test_an_open_file_is_edited_through_the_editor_and_traced_on_its_save(server: Session) -> None:
    """The edit goes to the document, not to the disk; the record comes with the save and says ai."""
    server.do("selectActiveIntent", intent_id="INT-001", model_identifier="lab/m")
    editor = Editor(server)
    editor.open(FILE)
    answer = server.do("editFile", path=FILE, old_string="sunny", new_string="rain")
    assert (answer["applied"], answer["trace_id"]) == ("editor", None)
    assert "rain" in editor.texts[FILE] and "sunny" in (server.root / FILE).read_text()
    assert server.do("readFile", path=FILE)["content_hash"] == answer["content_hash"]
    assert server.ledger == []
    editor.save(FILE)
    (record,) = eventually(lambda: saves(server.root))
    (conversation,) = record["files"][0]["conversations"]
    assert (conversation["contributor"]["type"], conversation["contributor"]["model_id"]) == ("ai", "lab/m")
    assert [(r["start_line"], r["end_line"]) for r in conversation["ranges"]] == [(2, 2)]


def test_one_save_may_hold_both_hands(server: Session) -> None:
    """Lines of the agent are ai, lines of the person human, and the file is mixed."""
    server.do("selectActiveIntent", intent_id="INT-001")
    editor = Editor(server)
    editor.open(FILE)
    editor.type(FILE, "# first, by hand\n" + editor.texts[FILE])
    server.do("editFile", path=FILE, old_string="sunny", new_string="rain")
    editor.type(FILE, editor.texts[FILE] + "# last, by hand\n")
    editor.save(FILE)
    (record,) = eventually(lambda: saves(server.root))
    (file,) = record["files"]
    found = {
        conversation["contributor"]["type"]: [r["start_line"] for r in conversation["ranges"]]
        for conversation in file["conversations"]
    }
    assert found == {"human": [1, 4], "ai": [3]}
    assert file["contributor"]["type"] == "mixed"
    kinds = [r["contributor"]["type"] for r in server.do("blame", path=FILE)["ranges"]]
    assert kinds == ["human", "unknown", "ai", "human"]


def test_an_edit_that_the_editor_rejects_did_not_happen(server: Session) -> None:
    """If the editor says no, the answer is EDIT_REJECTED and nothing is traced as done."""
    server.do("selectActiveIntent", intent_id="INT-001")
    editor = Editor(server)
    editor.open(FILE)
    editor.accepts = False
    answer = server.do("editFile", path=FILE, old_string="sunny", new_string="rain")
    assert (answer["error_type"], answer["code"]) == ("HOOK_BLOCKED", "EDIT_REJECTED")
    (record,) = server.ledger
    assert record["success"] is False


def test_an_unsaved_document_is_what_an_edit_is_judged_by(server: Session) -> None:
    """A hash read from disk is stale as soon as the open document says something else."""
    server.do("selectActiveIntent", intent_id="INT-001")
    read = server.do("readFile", path=FILE)
    editor = Editor(server)
    editor.open(FILE)
    editor.type(FILE, "unsaved\n")
    answer = server.do("writeToFile", path=FILE, content="x\n", expected_content_hash=read["content_hash"])
    assert answer["code"] == "STALE_CONTEXT"


def test_a_trusted_workspaces_linter_teaches_lessons(tmp_path: Path) -> None:
    """ruff's new complaint about a saved file lands in AGENT.md once; an old complaint does not."""
    root = make_workspace(tmp_path / "w", files={FILE: "import os\n"}, policy=_ruff_policy())
    with session(root, options={"trusted": True}) as server:
        server.do("selectActiveIntent", intent_id="INT-001")
        server.open(FILE)
        lessons = root / ".orchestration/AGENT.md"
        for extra in ("import sys\n", "import sys\n\n"):
            server.type(FILE, "import os\n" + extra)
            server.save(FILE, "import os\n" + extra)
            eventually(lambda: lessons.exists() and "`sys` imported but unused" in lessons.read_text())
        text = lessons.read_text()
        assert "`os`" not in text
        assert text.count("`sys`") == 1


def test_linters_do_not_run_in_an_untrusted_workspace(tmp_path: Path) -> None:
    """A command that a workspace names runs only if the user trusts the workspace."""
    mark = tmp_path / "ran"
    policy = f'linters:\n  - {{name: evil, files: ["**/*"], command: [touch, "{mark}"], format: text}}\n'
    root = make_workspace(tmp_path / "w", policy=policy)
    with session(root) as server:
        server.do("selectActiveIntent", intent_id="INT-001")
        assert server.do("writeToFile", path="src/api/x.py", content="x\n")["status"] == "ok"
        server.open(FILE)
        server.type(FILE, "x\n")
        server.save(FILE, "x\n")
        eventually(lambda: saves(root))
    assert not mark.exists()


def test_lessons_given_by_a_client_are_not_repeated(server: Session) -> None:
    """recordLesson takes text or LSP diagnostics and keeps each problem of a file once."""
    diagnostics = [
        {
            "range": {"start": {"line": 11, "character": 0}, "end": {"line": 11, "character": 4}},
            "code": "E501",
            "source": "ruff",
            "message": "line too long (101 > 100)",
        }
    ]
    assert server.do("recordLesson", path=FILE, problems=diagnostics)["recorded"] == 1
    again = server.do("recordLesson", path=FILE, problems="E501 line too long (101 > 100) [ruff] line 12")
    assert (again["recorded"], again["duplicates"]) == (0, 1)
    text = (server.root / ".orchestration/AGENT.md").read_text()
    assert f"**File:** {FILE}\n**Problems:**\nE501 line too long (101 > 100) [ruff] line 12\n" in text


def _ruff_policy() -> str:
    import json
    import sys

    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--output-format", "sarif", "{file}"]
    return f'linters:\n  - {{name: ruff, files: ["**/*.py"], command: {json.dumps(command)}, format: sarif}}\n'
