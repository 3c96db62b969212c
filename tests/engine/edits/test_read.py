"""What a session may read outside of every root."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.core.errors import InvalidArgument
from intentls.core.gate.refusal import Code, Refusal
from intentls.core.gate.tool_class import ToolClass
from intentls.core.hashing import hash_of
from intentls.engine.edits.read import FileRead, read_file
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless, OpenDocument
from tests.support.workspaces import make_workspace


class Editor(Headless):
    """An editor with one document open, whose text is not saved yet."""

    def open_document(self, path: Path) -> OpenDocument | None:
        if path.name != "open.txt":
            return None
        return OpenDocument(path, path.as_uri(), 1, "as it is on the screen\n")


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    """An editor in one folder, without any root; beside the folder are files."""
    (tmp_path / "folder").mkdir()
    for name in ("open.txt", "closed.txt", "folder/inside.txt"):
        (tmp_path / name).write_text("on the disk\n")
    return Engine(Editor("lsp", (tmp_path / "folder",)))


def test_a_file_of_the_folder_is_read_from_the_disk(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "folder/inside.txt"
    answer = read_file(engine, "s", str(path))
    assert isinstance(answer, FileRead)
    assert (answer.path, answer.content, answer.content_hash) == (str(path), "on the disk\n", hash_of(b"on the disk\n"))


def test_beyond_the_folder_only_what_is_open_in_the_editor_is_read(engine: Engine, tmp_path: Path) -> None:
    """As the editor has it."""
    answer = read_file(engine, "s", str(tmp_path / "open.txt"))
    assert isinstance(answer, FileRead)
    assert answer.content == "as it is on the screen\n"
    refusal = read_file(engine, "s", str(tmp_path / "closed.txt"))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.classification) == (Code.PATH_OUTSIDE_WORKSPACE, ToolClass.SAFE)


def test_a_file_that_is_gone_may_be_made_again(tmp_path: Path) -> None:
    """What was read of it before counts no longer."""
    root = make_workspace(tmp_path / "root")
    engine = Engine(Headless("mcp", (root,)))
    file = root / "docs/design.md"
    read_file(engine, "s", str(file))
    assert engine.workspace(root).sessions.load("s").reads == {"docs/design.md": hash_of(file.read_bytes())}
    file.unlink()
    with pytest.raises(InvalidArgument, match="does not exist"):
        read_file(engine, "s", str(file))
    assert engine.workspace(root).sessions.load("s").reads == {}
