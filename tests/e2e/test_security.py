"""Paths, links and names that mean harm, through a real server: nothing lands where it must not."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.support.session import Session, session
from tests.support.workspaces import intents_yaml, make_workspace, write_files

ROUNDS = 120
EVERYTHING = intents_yaml({"INT-001": ["**", ".orchestration/agent_trace.jsonl", ".git/**", "git~1/**"]})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """One server for all tests that leave the workspace as it was; its intent claims everything there is."""
    root = make_workspace(tmp_path_factory.mktemp("security") / "w", EVERYTHING)
    with session(root) as started:
        started.do("selectActiveIntent", intent_id="INT-001")
        yield started


# -- names


@pytest.mark.parametrize(
    "path",
    [
        *(".GIT/config", ".git./config", ".git /config", ".git::$INDEX_ALLOCATION/config", ".git:x", "git~1/config"),
        *("GIT~12/hooks/post-checkout", "src/.Git/hooks/x", ".git...  /config", "src\\.git\\config", ".git\\hooks\\x"),
        *(
            ".g\u200cit/config",
            "\u2060.git/config",
            ".git\ufeff/config",
            ".G\u200d\u0130T/config".replace("\u0130", "I"),
        ),
        *(".ORCHESTRATION/agent_trace.jsonl", ".orchestration./policy.yaml", ".orchestration::$DATA", "ORCHES~1/x"),
        *(
            "src/api/.orchestration/active_intents.yaml",
            ".orche\u00adstration/.state/journal/000",
            ".orche\u017ftration/x",
        ),
        *(".orchestration/.state/sessions/x.json", ".orchestration/.gitignore", ".orchestration/policy.yaml", ".git"),
    ],
)
def test_no_spelling_of_a_protected_folder_slips_past(server: Session, path: str) -> None:
    """Whatever some file system takes for `.git` or `.orchestration` is protected, though the scope names it."""
    answer = server.do("checkEdit", path=path)
    assert (answer["code"], answer["error_type"]) == ("PROTECTED_PATH", "SCOPE_VIOLATION")
    assert server.do("writeToFile", path=path, content="x")["code"] == "PROTECTED_PATH"


@pytest.mark.parametrize("path", ["src/git~", "src/.gitignore", "gitignore", ".github/x", "src/.git-blame", "a.git"])
def test_a_name_that_only_looks_alike_is_free(server: Session, path: str) -> None:
    """Protection does not spread to the neighbours of what it protects."""
    assert server.do("checkEdit", path=path) == {"status": "ok", "allowed": True}


@pytest.mark.parametrize(
    "path", ["a\0b", "x" * 256, "a/" * 3000, "src/api", "pipe", "file://elsewhere/x", "file:///%ff", "http://x/y"]
)
def test_what_can_be_no_file_is_a_clean_error(server: Session, path: str) -> None:
    """NUL bytes, over-long names, folders, FIFOs and other machines' files are -32602."""
    with suppress(FileExistsError):
        os.mkfifo(server.root / "pipe")
    for command in ("writeToFile", "readFile", "deleteFile"):
        arguments = {"path": path, **({"content": "x"} if command == "writeToFile" else {})}
        response = server.wire.command(f"intent.{command}", arguments)
        assert response["error"]["code"] == -32602, response
        assert "path" in response["error"]["message"]


# -- links


def test_a_chain_and_a_circle_of_links_lead_nowhere(server: Session, tmp_path: Path) -> None:
    """However many links a path takes, what counts is where it ends; a circle is an error."""
    src = server.root / "src"
    links = {"one": "two", "two": str(tmp_path), "circle": "circle", "up": "../..", "dangling": str(tmp_path / "new")}
    for name, target in links.items():
        (src / name).symlink_to(target)
    try:
        for path in ("src/one/x", "src/up/x", "src/dangling", "src/up/../x", "src/api/../one/x"):
            assert server.do("writeToFile", path=path, content="x")["code"] == "PATH_OUTSIDE_WORKSPACE", path
        assert server.fails("writeToFile", path="src/circle/x", content="x")["code"] == -32602
    finally:
        for name in links:
            (src / name).unlink()
    assert list(tmp_path.iterdir()) == []


@contextmanager
def swapping(swap: Callable[[], None], back: Callable[[], None]) -> Iterator[None]:
    """Swap there and back as fast as possible in another thread."""
    stop = threading.Event()

    def race() -> None:
        while not stop.is_set():
            with suppress(OSError):
                swap()
            with suppress(OSError):
                back()

    thread = threading.Thread(target=race)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        with suppress(OSError):
            back()


def test_a_folder_that_becomes_a_link_meanwhile_diverts_nothing(tmp_path: Path) -> None:
    """While a race turns the target's folder into a link out of the root, each write lands inside or nowhere."""
    root = make_workspace(tmp_path / "w", EVERYTHING)
    outside = tmp_path / "outside"
    write_files(outside, {"victim.py": "the same\n"})
    spot, aside = root / "src" / "spot", root / "src" / "aside"
    write_files(spot, {"victim.py": "the same\n"})

    def swap() -> None:
        spot.rename(aside)
        spot.symlink_to(outside)

    def back() -> None:
        if spot.is_symlink():
            spot.unlink()
        elif aside.exists():
            shutil.rmtree(spot)  # made by the server in the moment when there was none
        aside.rename(spot)

    seen = _race(root, "src/spot", swap, back)
    assert {path.name: path.read_text() for path in outside.iterdir()} == {"victim.py": "the same\n"}
    assert "ok" in seen, seen


def test_a_file_that_becomes_a_link_meanwhile_diverts_nothing(tmp_path: Path) -> None:
    """The same for the file itself: a link that takes its place is never written through."""
    root = make_workspace(tmp_path / "w", EVERYTHING)
    outside = tmp_path / "outside"
    write_files(outside, {"victim.py": "the same\n"})
    spot, aside = root / "src" / "victim.py", root / "src" / "aside.py"
    write_files(root, {"src/victim.py": "the same\n"})

    def swap() -> None:
        spot.rename(aside)
        spot.symlink_to(outside / "victim.py")

    def back() -> None:
        if spot.is_symlink():
            spot.unlink()
        if aside.exists():
            aside.rename(spot)

    _race(root, "src", swap, back)
    assert (outside / "victim.py").read_text() == "the same\n" and len(list(outside.iterdir())) == 1


def _race(root: Path, folder: str, swap: Callable[[], None], back: Callable[[], None]) -> set[str]:
    """Make files in `folder`, and change and delete its `victim.py`, during the race; how the calls ended."""
    seen: set[str] = set()
    with session(root) as server:
        server.do("selectActiveIntent", intent_id="INT-001")
        with swapping(swap, back):
            for number in range(ROUNDS):
                name = f"{folder}/new-{number}.py" if number % 3 else f"{folder}/victim.py"
                arguments = {"path": name, "content": f"{number}\n"}
                command = "intent.deleteFile" if number % 6 == 0 else "intent.writeToFile"
                response = server.wire.command(command, {"path": name} if number % 6 == 0 else arguments)
                if "error" in response:
                    assert response["error"]["code"] == -32602, response
                    seen.add("error")
                else:
                    seen.add(response["result"].get("code", "ok"))
        assert server.do("getActiveIntent")["state"] == "ACTIVE"
    return seen


def test_the_engines_own_files_are_not_written_through_links(tmp_path: Path) -> None:
    """Links in place of `.state`, of a folder in it, or of a derived file lead nothing out of the root."""
    outside = tmp_path / "outside"
    write_files(outside, {"state/x": "", "sessions/x": "", "AGENT.md": "a\n", "map": "m\n", "spatial": "s\n"})
    root = make_workspace(tmp_path / "w")
    folder = root / ".orchestration"
    (folder / ".state").symlink_to(outside / "state")
    for name, target in {"AGENT.md": "AGENT.md", "intent_map.md": "map", "spatial_map.json": "spatial"}.items():
        (folder / name).symlink_to(outside / target)
    before = {path: path.read_text() for path in outside.rglob("*") if path.is_file()}
    for again in (False, True):
        with session(root) as server:
            assert server.do("selectActiveIntent", intent_id="INT-001")["status"] == "ok"
            assert server.do("writeToFile", path="src/api/new.py", content=f"{again}\n")["status"] == "ok"
            assert server.wire.command("intent.recordLesson", {"path": "src/api/new.py", "problems": "bad"})
        if not again:
            (folder / ".state" / "sessions").rename(folder / "moved")
            (folder / ".state" / "sessions").symlink_to(outside / "sessions")
    assert {path: path.read_text() for path in outside.rglob("*") if path.is_file()} == before
    assert not (folder / ".state").is_symlink()


def test_a_link_in_place_of_orchestration_closes_the_gate(tmp_path: Path) -> None:
    """The rules of another folder don't count here, and its ledger gets nothing; a real folder heals it."""
    root, other = make_workspace(tmp_path / "w"), make_workspace(tmp_path / "other", EVERYTHING)
    folder, aside = root / ".orchestration", root / "aside"
    with session(root) as server:
        server.do("selectActiveIntent", intent_id="INT-001")
        before = sorted(path.name for path in (other / ".orchestration").iterdir())
        folder.rename(aside)
        for target in (other / ".orchestration", tmp_path / "nowhere"):
            folder.symlink_to(target)
            answer = server.do("writeToFile", path="src/api/x.py", content="x\n")
            assert (answer["code"], answer["action_hint"]) == ("HOOK_ERROR", "fix_configuration"), answer
            assert ".orchestration is a symbolic link" in answer["error"]
            assert server.do("selectActiveIntent", intent_id="INT-001")["status"] == "error"
            folder.unlink()
        aside.rename(folder)
        assert server.do("writeToFile", path="src/api/x.py", content="x\n")["status"] == "ok"
    assert sorted(path.name for path in (other / ".orchestration").iterdir()) == before


# -- size


def test_huge_lines_are_carried_and_recorded(server: Session) -> None:
    """A line of eight million characters is written, read, patched and blamed like any other."""
    line = "x" * 8_000_000
    assert server.do("writeToFile", path="src/huge.txt", content=f"a\n{line}\n")["status"] == "ok"
    assert len(server.do("readFile", path="src/huge.txt")["content"]) == len(line) + 3
    patch = f"--- a/src/huge.txt\n+++ b/src/huge.txt\n@@ -1,2 +1,2 @@\n-a\n+b\n {line}\n"
    assert server.do("applyPatch", patch=patch)["status"] == "ok"
    assert [found["start_line"] for found in server.do("blame", path="src/huge.txt")["ranges"]] == [1, 2]
    assert server.do("verifyTrace")["ok"] is True
    assert server.do("deleteFile", path="src/huge.txt")["status"] == "ok"
