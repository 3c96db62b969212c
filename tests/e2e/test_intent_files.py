"""One file an intent: a real server, the gate, the editor and git, with intents in files of their own."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.session import Json, Session, ledger_of, session
from tests.support.workspaces import WEATHER_INTENTS, git, make_git_repo, make_workspace, write_files

SEVEN = ".orchestration/intents/INT-007.yaml"
TEXT = """\
# seven
id: INT-007   # stays
name: Seven
status: IN_PROGRESS
owned_scope:
  - seven/**
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with the weather's list, and an intent in a file of its own."""
    return make_workspace(tmp_path / "w", files={SEVEN: TEXT, "seven/a.txt": "a\n", "src/api/weather.py": "x\n"})


def diagnostics(server: Session, path: str) -> list[Json]:
    """What is wrong with a document, pulled."""
    params = {"textDocument": {"uri": server.uri(path)}}
    answer: list[Json] = server.wire.request("textDocument/diagnostic", params)["result"]["items"]
    return answer


def ask(server: Session, method: str, path: str, **params: Any) -> Any:
    """The result of a request about a document."""
    answer = server.wire.request(f"textDocument/{method}", {"textDocument": {"uri": server.uri(path)}, **params})
    return answer["result"]


def test_both_kinds_of_files_count_and_changes_on_disk_count_at_once(root: Path) -> None:
    """Listed, selected, in force; a file that comes, changes or goes is seen without a watcher."""
    with session(root) as server:
        ids = [intent["id"] for intent in server.do("listIntents")["intents"]]
        assert ids == ["INT-001", "INT-002", "INT-003", "INT-007"]
        assert server.do("selectActiveIntent", intent_id="INT-007")["status"] == "ok"
        assert server.do("writeToFile", path="seven/b.txt", content="b\n")["status"] == "ok"
        refused = server.do("writeToFile", path="src/api/weather.py", content="b\n")
        assert (refused["code"], refused["owners"]) == ("SCOPE_VIOLATION", ["INT-001"])
        write_files(root, {SEVEN: TEXT.replace("seven/**", "eight/**")})
        assert server.do("writeToFile", path="seven/b.txt", content="c\n")["code"] == "SCOPE_VIOLATION"
        write_files(root, {".orchestration/intents/INT-008.yaml": "id: INT-001\n"})
        refused = server.do("writeToFile", path="eight/b.txt", content="c\n")
        assert refused["code"] == "HOOK_ERROR" and "INT-001 is declared in" in refused["error"]
        (root / ".orchestration/intents/INT-008.yaml").unlink()
        assert server.do("writeToFile", path="eight/b.txt", content="c\n")["status"] == "ok"
        (root / SEVEN).unlink()
        assert server.do("writeToFile", path="eight/b.txt", content="d\n")["code"] == "INTENT_NOT_FOUND"


def test_status_and_scope_are_written_into_the_file_that_declares_the_intent(root: Path) -> None:
    """As one small edit each; the list stays as it is, and the ledger has both."""
    with session(root) as server:
        done = server.do("setStatus", intent_id="INT-007", status="BLOCKED")
        assert (done["status"], done["path"]) == ("ok", SEVEN)
        assert server.do("expandScope", intent_id="INT-007", path="docs/design.md", reason="why")["path"] == SEVEN
    expected = TEXT.replace("IN_PROGRESS", "BLOCKED").replace("  - seven/**\n", "  - seven/**\n  - docs/design.md\n")
    assert (root / SEVEN).read_text() == expected
    assert (root / ".orchestration/active_intents.yaml").read_text() == WEATHER_INTENTS
    assert [record["files"][0]["path"] for record in ledger_of(root)] == [SEVEN, SEVEN]


def test_an_agent_may_not_write_them(root: Path) -> None:
    """The same rule as for the list: only a scope that names it opens it, and then a person is asked."""
    with session(root) as server:
        server.do("selectActiveIntent", intent_id="INT-007", model_identifier="m/x")
        for path in (SEVEN, ".orchestration/intents/NEW.yaml", ".orchestration/intents/.hidden.yaml"):
            assert server.do("writeToFile", path=path, content="id: X\n")["code"] == "PROTECTED_PATH"
        write_files(root, {SEVEN: TEXT.replace("seven/**", ".orchestration/intents/*.yaml")})
        refused = server.do("writeToFile", path=SEVEN, content="id: INT-007\n")
        assert refused["code"] == "SCOPE_VIOLATION" and "a person has to approve" in refused["error"]
        assert server.do("writeToFile", path=".orchestration/intents/.h.yaml", content="")["code"] == "PROTECTED_PATH"


@pytest.mark.parametrize("target", ["seven", "intents-elsewhere"])
def test_links_in_place_of_the_folder_or_of_a_file_make_the_root_invalid(root: Path, target: str) -> None:
    """What they lead to might be written by an edit."""
    (root / SEVEN).rename(root / "seven/INT-007.yaml")
    if target == "seven":
        (root / SEVEN).symlink_to(root / "seven/INT-007.yaml")
    else:
        (root / ".orchestration/intents").rmdir()
        (root / ".orchestration/intents").symlink_to(root / "seven")
    with session(root) as server:
        refused = server.do("selectActiveIntent", intent_id="INT-001")
        assert refused["code"] == "HOOK_ERROR" and "symbolic link" in refused["error"]


def test_more_than_four_mebibytes_in_all_files_are_refused(root: Path) -> None:
    """Each of them is small."""
    for number in range(5):
        text = f"id: BIG-{number}\ndescription: {'x' * (1024 * 1024)}\n"
        write_files(root, {f".orchestration/intents/BIG-{number}.yaml": text})
    with session(root) as server:
        refused = server.do("selectActiveIntent", intent_id="INT-001")
        assert refused["code"] == "HOOK_ERROR" and "all files of intents together" in refused["error"]


def test_an_editor_has_all_that_it_has_in_the_list(root: Path) -> None:
    """Diagnostics, completion, hover, lenses, symbols, folding, definition and references."""
    related = {"publishDiagnostics": {"relatedInformation": True}}
    with session(root, capabilities={"textDocument": {"diagnostic": {}, **related}}) as server:
        server.open(SEVEN)
        assert [one["code"] for one in diagnostics(server, SEVEN)] == []
        server.type(SEVEN, TEXT.replace("INT-007", "INT-001").replace("- seven", "- /seven"))
        found = {one["code"]: one for one in diagnostics(server, SEVEN)}
        assert found["duplicate-id"]["range"]["start"] == {"line": 1, "character": 4}
        assert found["duplicate-id"]["relatedInformation"][0]["location"]["uri"].endswith("active_intents.yaml")
        assert found["bad-glob"]["range"]["start"] == {"line": 5, "character": 4}
        server.type(SEVEN, TEXT + "st")
        labels = [
            item["label"] for item in ask(server, "completion", SEVEN, position={"line": 6, "character": 2})["items"]
        ]
        assert "constraints" in labels and "status" not in labels
        server.type(SEVEN, TEXT.replace("seven/**", "sev"))
        completion = ask(server, "completion", SEVEN, position={"line": 5, "character": 7})
        assert "seven/" in [item["label"] for item in completion["items"]]
        server.type(SEVEN, TEXT)
        hover = ask(server, "hover", SEVEN, position={"line": 1, "character": 6})
        assert "INT-007: Seven" in str(hover)
        assert "seven/a.txt" in str(ask(server, "hover", SEVEN, position={"line": 5, "character": 6}))
        titles = [lens["command"]["title"] for lens in ask(server, "codeLens", SEVEN)]
        assert titles == ["Select", "0 changes", "1 file"]
        symbol, *_ = ask(server, "documentSymbol", SEVEN)
        assert "INT-007" in symbol["name"]
        assert {"startLine": 4, "endLine": 5} in [
            {key: fold[key] for key in ("startLine", "endLine")} for fold in ask(server, "foldingRange", SEVEN)
        ]
        write_files(root, {".intentignore": "intent: INT-007\n"})
        server.open(".intentignore")
        place = ask(server, "definition", ".intentignore", position={"line": 0, "character": 10})
        assert place["uri"] == server.uri(SEVEN)
        assert place["range"]["start"] == {"line": 1, "character": 4}
        context = {"includeDeclaration": True}
        references = ask(server, "references", SEVEN, position={"line": 1, "character": 6}, context=context)
        uris = [one["uri"] for one in references]
        assert uris == [server.uri(SEVEN), server.uri(".intentignore")]
        symbols = server.wire.request("workspace/symbol", {"query": "seven"})["result"]
        assert [one["location"]["uri"] for one in symbols] == [server.uri(SEVEN)]


def test_a_quick_fix_widens_the_scope_where_the_intent_is_declared(root: Path) -> None:
    """As an edit of its file, if that is open in the editor; else by the operation."""
    with session(root, capabilities={"textDocument": {"diagnostic": {}, **_LITERALS}}) as server:
        server.do("selectActiveIntent", intent_id="INT-007")
        server.open(SEVEN)
        server.open("src/api/weather.py")
        (violation,) = diagnostics(server, "src/api/weather.py")
        assert violation["code"] == "SCOPE_VIOLATION"
        full = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
        actions = ask(server, "codeAction", "src/api/weather.py", range=full, context={"diagnostics": [violation]})
        edit = next(one["edit"] for one in actions if "to this file" in one["title"])
        (change,) = edit["changes"][server.uri(SEVEN)]
        assert change["newText"] == "\n  - src/api/weather.py"


_LITERALS = {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}}


def merged(root: Path, path: str, ours: str, theirs: str) -> None:
    """Two people change the file on two branches, and a merge leaves conflict markers."""
    make_git_repo(root)
    git(root, "checkout", "--quiet", "-b", "topic")
    write_files(root, {path: theirs})
    git(root, "commit", "--quiet", "--all", "--message", "Theirs")
    git(root, "checkout", "--quiet", "main")
    write_files(root, {path: ours})
    git(root, "commit", "--quiet", "--all", "--message", "Ours")
    done = subprocess.run(["git", "merge", "topic"], cwd=root, capture_output=True, check=False)
    assert done.returncode == 1 and "<<<<<<< " in (root / path).read_text()


def test_a_merge_conflict_leaves_heads_version_in_force(root: Path) -> None:
    """Its intent has the scope of HEAD, the others are as they were; a refusal says which file, where and how."""
    merged(root, SEVEN, TEXT.replace("seven/**", "ours/**"), TEXT.replace("seven/**", "theirs/**"))
    with session(root, capabilities={"textDocument": {"diagnostic": {}}}) as server:
        server.do("selectActiveIntent", intent_id="INT-001")
        assert server.do("writeToFile", path="src/api/a.py", content="a\n")["status"] == "ok"
        server.do("selectActiveIntent", intent_id="INT-007")
        assert server.do("writeToFile", path="ours/a", content="a\n")["status"] == "ok"
        for command in ("git status", "git merge --abort", f"git checkout --theirs {SEVEN}"):
            told = server.do("preToolUse", tool_name="execute_command", params={"command": command})
            assert told.get("allowed") is True, told
        refused = server.do("writeToFile", path="theirs/a", content="a\n")
        assert refused["code"] == "SCOPE_VIOLATION"
        for part in (SEVEN, "lines 6-10", "Resolve the conflict", "git add", "git merge --abort"):
            assert part in refused["error"]
        server.open(SEVEN)
        (marked,) = [one for one in diagnostics(server, SEVEN) if one["severity"] == 1]
        assert (marked["code"], marked["range"]["start"]["line"]) == ("merge-conflict", 5)
        edit = server.do("setStatus", intent_id="INT-007", status="BLOCKED")
        assert edit["status"] == "error" and "conflict" in edit["error"]
        write_files(root, {SEVEN: TEXT.replace("seven/**", "theirs/**")})
        assert server.do("writeToFile", path="theirs/a", content="a\n")["status"] == "ok"
        refused = server.do("writeToFile", path="other/a", content="a\n")
        assert "conflict" not in refused["error"]


def test_a_conflict_in_the_list_or_the_policy_does_not_switch_the_gate_off(root: Path) -> None:
    """Of each declared file the version in HEAD counts."""
    policy = ".orchestration/policy.yaml"
    write_files(root, {policy: 'protected: ["seven/**"]\n'})
    merged(root, policy, 'protected: ["seven/**", "a"]\n', 'protected: ["b"]\n')
    with session(root) as server:
        server.do("selectActiveIntent", intent_id="INT-007")
        assert server.do("writeToFile", path="seven/a.txt", content="a\n")["code"] == "PROTECTED_PATH"


def test_without_git_a_file_with_conflict_markers_is_invalid(root: Path) -> None:
    """There is no other version that could count; the refusal says where the markers are."""
    write_files(root, {SEVEN: "id: A\n<<<<<<< HEAD\n=======\n>>>>>>> x\n"})
    with session(root) as server:
        refused = server.do("selectActiveIntent", intent_id="INT-001")
        assert refused["code"] == "HOOK_ERROR" and f"{SEVEN}, line 2" in refused["error"]
        assert "conflict" in refused["error"]


def test_a_session_may_begin_with_the_intent_of_the_branch(root: Path) -> None:
    """Where policy says so: the one whose `branch` is checked out, as long as it is open."""
    write_files(root, {SEVEN: TEXT + "branch: topic/seven\n", ".orchestration/policy.yaml": "default_intent: branch\n"})
    make_git_repo(root)
    with session(root) as server:
        assert server.do("writeToFile", path="seven/a.txt", content="b\n")["code"] == "INTENT_REQUIRED"
        git(root, "checkout", "--quiet", "-b", "topic/seven")
        assert server.do("getActiveIntent", session_id="fresh")["intent_id"] == "INT-007"
        assert server.do("writeToFile", path="seven/a.txt", content="b\n", session_id="fresh")["status"] == "ok"
        server.do("clearActiveIntent", session_id="fresh")
        assert server.do("getActiveIntent", session_id="fresh")["state"] == "IDLE"
        server.do("setStatus", intent_id="INT-007", status="COMPLETED")
        assert server.do("getActiveIntent", session_id="next")["state"] == "IDLE"
