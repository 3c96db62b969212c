"""The guarded edits, through a real server: what lands on disk, and what the ledger says of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from intentls.core.hashing import content_hash
from tests.support.session import Session, session
from tests.support.workspaces import git, write_files

SCHEMA = json.loads((Path(__file__).parents[1] / "data" / "agent-trace-0.1.0.schema.json").read_text())


@pytest.fixture
def server(git_workspace: Path) -> Iterator[Session]:
    with session(git_workspace) as started:
        started.do("selectActiveIntent", intent_id="INT-001", model_identifier="lab/model-1")
        yield started


def test_a_write_lands_and_its_record_says_which_lines(server: Session) -> None:
    """A new file: content, hashes, ranges, model, intent and commit are all on record."""
    text = "a\nb\nc\n"
    answer = server.do("writeToFile", path="src/api/new.py", content=text)
    assert set(answer) == {"status", "path", "pre_hash", "content_hash", "mutation_class", "trace_id", "applied"}
    assert (answer["path"], answer["pre_hash"], answer["applied"]) == ("src/api/new.py", None, "disk")
    assert answer["content_hash"] == content_hash(text.encode())
    assert answer["mutation_class"] == "FILE_CREATION"
    (record,) = server.ledger
    assert record["id"] == answer["trace_id"]
    assert record["vcs"]["revision"] == git(server.root, "rev-parse", "HEAD")
    assert (record["intent_id"], record["tool_name"]) == ("INT-001", "write_to_file")
    assert (record["scope_validation"], record["success"]) == ("PASS", True)
    (file,) = record["files"]
    assert (file["change"], file["pre_hash"], file["post_hash"]) == ("add", None, answer["content_hash"])
    (conversation,) = file["conversations"]
    assert conversation["contributor"] == {
        "type": "ai",
        "entity_type": "AI",
        "model_id": "lab/model-1",
        "model_identifier": "lab/model-1",
    }
    (where,) = conversation["ranges"]
    assert (where["start_line"], where["end_line"], where["content_hash"]) == (1, 3, content_hash(text.encode()))
    assert conversation["related"] == [{"type": "specification", "value": "INT-001", "url": "urn:intent:INT-001"}]
    assert (record["chain"]["seq"], record["chain"]["prev"]) == (1, None)


def test_an_edit_records_only_the_lines_that_changed(server: Session) -> None:
    """Ranges are the changed lines of the new content, each hashed over its own bytes."""
    write_files(server.root, {"src/api/long.py": "".join(f"line {n}\n" for n in range(1, 21))})
    answer = server.do("editFile", path="src/api/long.py", old_string="line 7\n", new_string="line seven\nand more\n")
    assert answer["status"] == "ok"
    (where,) = server.ledger[-1]["files"][0]["conversations"][0]["ranges"]
    assert (where["start_line"], where["end_line"]) == (7, 8)
    assert where["content_hash"] == content_hash(b"line seven\nand more\n")


def test_every_line_of_the_ledger_is_a_valid_agent_trace_record(server: Session) -> None:
    """Successes, refusals, renames and deletions all follow the published schema, and the chain verifies."""
    server.do("writeToFile", path="src/api/a.py", content="1\n2\n")
    server.do("writeToFile", path="docs/design.md", content="no\n")
    server.do("writeToFile", path="../no", content="no\n")
    server.do("renameFile", path="src/api/a.py", new_path="src/api/b.py")
    server.do("deleteFile", path="src/api/b.py")
    server.do("selectActiveIntent", intent_id="INT-404")
    validator = jsonschema.Draft202012Validator(SCHEMA, format_checker=jsonschema.FormatChecker())
    assert len(server.ledger) == 6
    for record in server.ledger:
        validator.validate(record)
    assert server.do("verifyTrace") == {"status": "ok", "ok": True, "records": 6, "problems": []}


@pytest.mark.parametrize(
    "text", ["naïve 😀\r\nline\r\n", "form\x0cfeed\nsep\u2028arator\n", "no final newline", "\ufeffbom\n", "", "a\rb\r"]
)
def test_text_survives_byte_for_byte(server: Session, text: str) -> None:
    """Non-ASCII text, CRLF, form feeds, U+2028 and no final newline: written and read back unchanged."""
    server.do("writeToFile", path="src/api/t.txt", content=text)
    assert (server.root / "src/api/t.txt").read_bytes() == text.encode()
    back = server.do("readFile", path="src/api/t.txt")
    assert back["content"].removeprefix("\ufeff") == text.removeprefix("\ufeff")
    assert back["content_hash"] == content_hash(text.encode())


def test_a_write_keeps_mode_line_ends_and_encoding(server: Session) -> None:
    """What replaces a file keeps its permission bits, its CRLF and its encoding."""
    file = server.root / "src/api/run.sh"
    file.write_bytes("caf\xe9\r\nold\r\n".encode("latin-1"))
    file.chmod(0o755)
    server.do("writeToFile", path="src/api/run.sh", content="café\nnew\n")
    assert file.read_bytes() == "caf\xe9\r\nnew\r\n".encode("latin-1")
    assert file.stat().st_mode & 0o777 == 0o755


def test_a_patch_of_many_files_is_one_record(server: Session) -> None:
    """Adding, changing, deleting and renaming in one patch happens wholly, as one line of the ledger."""
    write_files(server.root, {"src/api/old.py": "old\n", "src/api/gone.py": "gone\n"})
    git(server.root, "add", "-A")
    git(server.root, "commit", "-qm", "more")
    write_files(server.root, {"src/api/weather.py": "def today():\n    return 'rain'\n", "src/api/fresh.py": "new\n"})
    git(server.root, "rm", "-q", "src/api/gone.py")
    git(server.root, "mv", "src/api/old.py", "src/api/moved.py")
    git(server.root, "add", "-A")
    patch = git(server.root, "diff", "--cached", "-M", "HEAD") + "\n"
    git(server.root, "reset", "-q", "--hard")
    answer = server.do("applyPatch", patch=patch)
    changes = {file["path"]: file["change"] for file in answer["files"]}
    assert changes == {
        "src/api/fresh.py": "add",
        "src/api/gone.py": "delete",
        "src/api/moved.py": "rename",
        "src/api/weather.py": "modify",
    }
    assert (server.root / "src/api/fresh.py").read_text() == "new\n"
    assert (server.root / "src/api/moved.py").read_text() == "old\n"
    assert not (server.root / "src/api/old.py").exists() and not (server.root / "src/api/gone.py").exists()
    assert len(server.ledger) == 1


def test_a_hunk_that_no_longer_fits_is_stale(server: Session) -> None:
    """A patch made for other content is refused as stale, and nothing of it is applied."""
    patch = "--- a/src/api/weather.py\n+++ b/src/api/weather.py\n@@ -1 +1 @@\n-def tomorrow():\n+def never():\n"
    answer = server.do("applyPatch", patch=patch)
    assert (answer["error_type"], answer["code"]) == ("STALE_FILE", "STALE_CONTEXT")


def test_blame_names_intent_and_author_of_each_line(server: Session) -> None:
    """Lines of a later edit belong to it, the others stay with the first, unrecorded ones to nobody."""
    server.do("writeToFile", path="src/api/b.py", content="1\n2\n3\n")
    server.do("editFile", path="src/api/b.py", old_string="2\n", new_string="two\n")
    ranges = server.do("blame", path="src/api/b.py")["ranges"]
    assert [(r["start_line"], r["end_line"], r["intent_id"]) for r in ranges] == [
        (1, 1, "INT-001"),
        (2, 2, "INT-001"),
        (3, 3, "INT-001"),
    ]
    assert ranges[0]["trace_id"] == ranges[2]["trace_id"] != ranges[1]["trace_id"]
    assert server.do("blame", path="src/api/b.py", line=2)["ranges"] == [ranges[1]]
    (nobody,) = server.do("blame", path="src/api/weather.py")["ranges"]
    assert (nobody["intent_id"], nobody["contributor"]["type"]) == (None, "unknown")


def test_query_trace_filters_and_gives_the_newest_first(server: Session) -> None:
    """Records can be asked for by intent, path, session and time."""
    for name in "abc":
        server.do("writeToFile", path=f"src/api/{name}.py", content=name, session_id=None)
    entries = server.do("queryTrace", limit=2)["entries"]
    assert [entry["files"][0]["path"] for entry in entries] == ["src/api/c.py", "src/api/b.py"]
    assert len(server.do("queryTrace", path="src/api/a.py")["entries"]) == 1
    assert server.do("queryTrace", intent_id="INT-002")["entries"] == []
    assert server.do("queryTrace", since="2999-01-01T00:00:00Z")["entries"] == []


def test_history_reaches_the_context(server: Session) -> None:
    """A later checkout is told the recent changes, related files and lessons of its scope."""
    server.do("writeToFile", path="src/api/new.py", content="import os\n")
    server.do("recordLesson", path="src/api/new.py", problems="F401 `os` imported but unused")
    server.do("recordLesson", path="docs/design.md", problems="MD001 not of this scope")
    context = server.do("selectActiveIntent", intent_id="INT-001")["context"]
    assert 'path="src/api/new.py" mutation_class="FILE_CREATION"' in context
    assert f'<file path="src/api/new.py" hash="{content_hash(b"import os" + bytes([10]))}"' in context
    assert "F401" in context and "MD001" not in context


def test_derived_files_follow_the_changes(server: Session) -> None:
    """intent_map.md and spatial_map.json name the intent's files after a change, and follow a rename."""
    server.do("writeToFile", path="src/api/new.py", content="x\n")
    assert (
        "## INT-001: Build Weather API\n\n- `src/api/new.py`"
        in (server.root / ".orchestration/intent_map.md").read_text()
    )
    server.do("renameFile", path="src/api/new.py", new_path="src/api/other.py")
    map_text = (server.root / ".orchestration/intent_map.md").read_text()
    assert "`src/api/other.py`" in map_text and "`src/api/new.py`" not in map_text
    spatial = json.loads((server.root / ".orchestration/spatial_map.json").read_text())
    assert spatial[0]["intent_id"] == "INT-001" and spatial[0]["line_range"] == {"start": 1, "end": 1}


@pytest.fixture
def editor(git_workspace: Path) -> Iterator[Session]:
    """A person's editor: no model is named."""
    with session(git_workspace) as started:
        started.do("selectActiveIntent", intent_id="INT-001")
        yield started


def test_status_and_scope_change_by_minimal_text_edits(editor: Session) -> None:
    """setStatus and expandScope change one place of active_intents.yaml each, and are on record."""
    server = editor
    file = server.root / ".orchestration/active_intents.yaml"
    before = file.read_text()
    made = server.do("expandScope", intent_id="INT-001", path="docs/design.md", reason="needs a note")
    assert made["edit"]["new_text"]
    assert server.do("checkEdit", path="docs/design.md")["allowed"] is True
    server.do("setStatus", intent_id="INT-002", status="BLOCKED")
    after = file.read_text()
    assert after == before.replace('"!src/api/generated/**"]', '"!src/api/generated/**", "docs/design.md"]').replace(
        "status: PLANNED", "status: BLOCKED"
    )
    assert server.ledger[-2]["reason"] == "needs a note"
    assert server.fails("setStatus", intent_id="INT-002", status="NOPE")["code"] == -32602


@pytest.mark.parametrize(
    ("command", "arguments", "named"),
    [
        ("writeToFile", {"path": "x"}, "content"),
        ("writeToFile", {"path": 3, "content": ""}, "path"),
        ("writeToFile", {"path": "src/api/x", "content": "", "colour": 1}, "colour"),
        ("writeToFile", {"path": "src/api/x", "content": "", "mutation_class": "MAGIC"}, "mutation_class"),
        ("editFile", {"path": "src/api/weather.py", "old_string": "absent", "new_string": ""}, "old_string"),
        ("editFile", {"path": "src/api/weather.py", "old_string": "t", "new_string": ""}, "old_string"),
        ("applyPatch", {"patch": "no diff"}, "patch"),
        ("deleteFile", {"path": "src/api/absent.py"}, "path"),
        ("readFile", {"path": "src/api"}, "path: "),
        ("queryTrace", {"limit": 0}, "limit"),
        ("queryTrace", {"since": "yesterday"}, "since"),
        ("writeToFile", {"path": "src/api/\0", "content": ""}, "NUL"),
        ("writeToFile", {"path": "src/api/" + "x" * 300, "content": ""}, "path: "),
    ],
)
def test_malformed_arguments_are_named(server: Session, command: str, arguments: dict[str, object], named: str) -> None:
    """Bad arguments are answered with -32602 and one sentence that names the culprit; nothing is written."""
    error = server.fails(command, **arguments)
    assert error["code"] == -32602
    assert named in error["message"], error
    assert server.do("verifyTrace")["ok"] is True


def test_a_fifo_does_not_hang_the_server(server: Session) -> None:
    """A FIFO, a directory or a device where a file should be is a clean error."""
    import os

    os.mkfifo(server.root / "src/api/pipe")
    assert server.fails("writeToFile", path="src/api/pipe", content="x")["code"] == -32602
    assert server.fails("readFile", path="src/api/pipe")["code"] == -32602
