"""The command line as a process of its own, beside a server: exit codes, clean streams, shared sessions."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.patience import PATIENCE_S, read_soon
from tests.support.session import ledger_of, session

INTENTLS = (sys.executable, "-m", "intentls")
TIMEOUT_S = PATIENCE_S


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*INTENTLS, *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TIMEOUT_S,
    )


def answer(folder: Path, *arguments: str) -> Any:
    return json.loads(run(folder, *arguments, "--json").stdout)


def test_an_intent_that_the_command_line_selected_counts_in_the_server(workspace: Path) -> None:
    """`select --session X`, then an edit of session X over LSP: the same session, the same gate."""
    with session(workspace) as server:
        refused = server.do("writeToFile", path="src/api/a.py", content="a\n", session_id="agent-7")
        assert refused["code"] == "INTENT_REQUIRED"
        assert run(workspace, "select", "INT-001", "--session", "agent-7", "--model", "m/x").returncode == 0
        assert server.do("getActiveIntent", session_id="agent-7")["intent_id"] == "INT-001"
        done = server.do("writeToFile", path="src/api/a.py", content="a\n", session_id="agent-7")
        assert done["status"] == "ok"
        assert run(workspace, "select", "--clear", "--session", "agent-7").returncode == 0
        assert server.do("getActiveIntent", session_id="agent-7")["state"] == "IDLE"
        gone = server.do("writeToFile", path="src/api/a.py", content="b\n", session_id="agent-7")
        assert gone["code"] == "INTENT_REQUIRED"
    (record,) = [each for each in ledger_of(workspace) if each["success"]]
    assert record["files"][0]["conversations"][0]["contributor"]["model_id"] == "m/x"


def test_the_command_line_sees_what_a_server_does(workspace: Path) -> None:
    """Sessions, records and blame of a server that is still running are there at once."""
    with session(workspace) as server:
        server.do("selectActiveIntent", intent_id="INT-001", session_id="agent-1")
        written = server.do("writeToFile", path="src/api/a.py", content="a\n", session_id="agent-1")
        sessions = answer(workspace, "status")["roots"][0]["sessions"]
        assert [(each["session_id"], each["intent_id"], each["face"]) for each in sessions] == [
            ("agent-1", "INT-001", "lsp")
        ]
        (entry,) = answer(workspace, "trace", "log")["entries"]
        assert entry["id"] == written["trace_id"]
        assert answer(workspace, "blame", "src/api/a.py")["ranges"][0]["trace_id"] == written["trace_id"]
        assert answer(workspace, "blame", "src/api/a.py") == server.do("blame", path="src/api/a.py")
        assert answer(workspace, "list") == server.do("listIntents")
        assert answer(workspace, "trace", "verify") == server.do("verifyTrace")


def test_both_faces_give_one_verdict(workspace: Path) -> None:
    """`check --session` and `intent.checkEdit` answer alike, key by key."""
    paths = ("src/api/weather.py", "docs/design.md", ".git/config", "../x", "src/api/generated/a", "src")
    with session(workspace) as server:
        server.do("selectActiveIntent", intent_id="INT-001", session_id="a")
        checks = answer(workspace, "check", *paths, "--session", "a")["checks"]
        for path, check in zip(paths, checks, strict=True):
            assert check == {"path": path, **server.do("checkEdit", path=path, session_id="a")}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("--version", 0),
        ("list --json", 0),
        ("check src/api/a.py --intent INT-001 --json", 0),
        ("check docs/a.md --intent INT-001 --json", 1),
        ("select INT-003 --session a --json", 1),
        ("check", 2),
        ("list --root /nowhere", 2),
    ],
)
def test_exit_codes_and_clean_streams(workspace: Path, arguments: str, code: int) -> None:
    """The exit code tells the kind of end; stdout is one JSON document or nothing, trouble goes to stderr."""
    done = run(workspace, *arguments.split())
    assert done.returncode == code
    if "--json" in arguments:
        assert json.loads(done.stdout)
        assert done.stderr == b""
    assert (done.stdout == b"") is (code == 2)
    assert b"Traceback" not in done.stderr


def test_a_reader_that_had_enough_is_no_mistake(workspace: Path) -> None:
    """`intentls trace log | head -1` ends quietly, with 0."""
    line = b'{"timestamp":"2026-02-18T18:30:00Z","intent_id":"INT-001","files":[{"path":"src/api/a.py"}]}\n'
    (workspace / ".orchestration/agent_trace.jsonl").write_bytes(line * 10_000)
    process = subprocess.Popen(
        [*INTENTLS, "trace", "log", "--limit", "10000"], cwd=workspace, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert (process.wait(TIMEOUT_S), said) == (0, b"")


def test_a_poor_locale_is_no_mistake(workspace: Path) -> None:
    """Where the terminal's encoding lacks a character, people get an escape and programs still UTF-8."""
    intents = workspace / ".orchestration/active_intents.yaml"
    intents.write_bytes(intents.read_bytes().replace(b"Build Weather API", "Wetter für 雨".encode()))
    done = run(workspace, "list", PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Wetter f\xfcr \\u96e8" in done.stdout
    done = run(workspace, "list", "--json", PYTHONIOENCODING="latin-1")
    assert json.loads(done.stdout)["intents"][0]["name"] == "Wetter für 雨"


def test_colours_on_a_terminal_and_nowhere_else(workspace: Path) -> None:
    """A person at a terminal sees colours; a pipe, and NO_COLOR, get plain text."""
    assert b"\x1b[" not in run(workspace, "list").stdout
    assert b"\x1b[" in _on_a_terminal(workspace, "list")
    assert b"\x1b[" not in _on_a_terminal(workspace, "list", NO_COLOR="1")
    assert b"\x1b[" not in _on_a_terminal(workspace, "list", "--json")


def _on_a_terminal(folder: Path, *arguments: str, **environment: str) -> bytes:
    """What `intentls` writes to a terminal of 80 columns."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*INTENTLS, *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**kept, "TERM": "xterm-256color", **environment},
    )
    os.close(theirs)
    printed = b""
    try:
        while part := read_soon(ours):
            printed += part
    except OSError:  # Linux says so where other systems give an empty read
        pass
    finally:
        os.close(ours)
    assert process.wait(TIMEOUT_S) == 0
    return printed
