"""`intentls trace archive` beside a server that runs on: nothing that could be asked before has another answer."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.support.patience import PATIENCE_S
from tests.support.session import Session, session
from tests.support.workspaces import commit_all, git

Json = dict[str, Any]

INTENTLS = (sys.executable, "-m", "intentls")
SCHEMA = json.loads((Path(__file__).parents[1] / "data" / "agent-trace-0.1.0.schema.json").read_text("utf-8"))


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*INTENTLS, *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
    )


def archive(folder: Path, *arguments: str) -> Json:
    done = run(folder, "trace", "archive", "--json", *arguments)
    assert done.returncode in (0, 1), done.stderr
    answer: Json = json.loads(done.stdout)
    return answer


def live(folder: Path) -> list[bytes]:
    return (folder / ".orchestration" / "agent_trace.jsonl").read_bytes().splitlines()


def archives(folder: Path) -> list[Path]:
    return sorted((folder / ".orchestration" / "trace").glob("*.jsonl.*"))


def write(server: Session, *texts: str) -> None:
    for text in texts:
        done = server.do("writeToFile", path="src/api/weather.py", content=text, session_id="agent-1")
        assert done["status"] == "ok"


@pytest.fixture
def server(git_workspace: Path) -> Iterator[Session]:
    with session(git_workspace) as server:
        server.do("selectActiveIntent", intent_id="INT-001", session_id="agent-1")
        yield server


def test_a_running_server_and_the_command_line_read_through_archives(server: Session) -> None:
    """Query, blame, verification and the context are what they were; the server's chain goes on."""
    write(server, *("line\n" * count for count in range(1, 13)))

    def questions() -> list[Json]:
        return [
            server.do("queryTrace", limit=100, path="src/api/weather.py"),
            server.do("queryTrace", limit=5, intent_id="INT-001"),
            server.do("blame", path="src/api/weather.py"),
        ]

    before = questions()
    assert len(before[0]["entries"]) == 12
    assert len(before[2]["ranges"]) == 12
    moved = archive(server.root, "--keep", "2")
    assert (moved["status"], moved["records"], moved["kept"]) == ("ok", 10, 2)
    assert questions() == before
    assert server.do("verifyTrace") == {"status": "ok", "ok": True, "records": 13, "problems": []}
    context = server.do("selectActiveIntent", intent_id="INT-001", session_id="agent-2")["context"]
    assert 'count="12"' in context
    write(server, "more\n")
    moved = archive(server.root, "--keep", "0")
    write(server, "and more\n")
    assert server.do("verifyTrace")["records"] == 16
    log = json.loads(run(server.root, "trace", "log", "--limit", "100", "--json").stdout)["entries"]
    assert {entry["chain"]["writer"] for entry in log} == {log[0]["chain"]["writer"]}
    assert [entry["chain"]["seq"] for entry in log] == list(range(16, 0, -1))
    assert len(archives(server.root)) == 2


def test_the_bridge_is_a_valid_record_that_says_what_was_moved_by_whom(server: Session) -> None:
    """And the answer names it."""
    write(server, "a\n", "b\n", "c\n")
    last = live(server.root)[1]
    answer = archive(server.root, "--keep", "1")
    bridge = json.loads(live(server.root)[-1])
    jsonschema.validate(bridge, SCHEMA, format_checker=jsonschema.FormatChecker())
    assert bridge["id"] == answer["trace_id"]
    assert (bridge["tool_name"], bridge["intent_id"], bridge["success"]) == ("trace_archive", "UNTRACKED", True)
    assert bridge["vcs"]["revision"] == git(server.root, "rev-parse", "HEAD")
    said = bridge["archive"]
    assert answer["archive"] == f".orchestration/trace/{said['file']}"
    assert (said["records"], said["bytes"]) == (answer["records"], answer["bytes"]) == (2, answer["bytes"])
    assert list(said["writers"].values()) == [{"seq": 2, "line_hash": said["last"]}]
    assert said["by"]
    assert json.loads(last)["timestamp"] == answer["last"]


def test_a_dry_run_only_says_what_would_be_moved(server: Session) -> None:
    """Twice the same, and then it is so."""
    write(server, "a\n", "b\n", "c\n")
    before = live(server.root)
    dry = archive(server.root, "--keep", "1", "--dry-run")
    assert (dry["dry_run"], dry["records"], dry["kept"], dry["archive"], dry["trace_id"]) == (True, 2, 1, None, None)
    assert live(server.root) == before
    assert archives(server.root) == []
    said = run(server.root, "trace", "archive", "--keep", "1", "--dry-run").stdout
    assert said.startswith("would move  2 records (")
    assert said.endswith("; 1 would stay\n")
    done = run(server.root, "trace", "archive", "--keep", "1")
    assert done.stdout.startswith("moved  2 records (")
    assert "into   .orchestration/trace/0001-" in done.stdout
    assert (done.returncode, done.stderr) == (0, "")


def test_a_date_says_what_is_old(server: Session) -> None:
    """As a date, as a moment or as a time ago; what is not older stays."""
    write(server, "a\n", "b\n")
    assert archive(server.root, "--before", "2001-01-01")["records"] == 0
    assert archive(server.root, "--before", "1w", "--dry-run")["records"] == 0
    assert archive(server.root, "--before", "2999-01-01T00:00:00Z")["records"] == 2
    nothing = run(server.root, "trace", "archive", "--before", "2999-01-01")
    assert (nothing.returncode, nothing.stdout) == (0, "")
    assert "There is nothing to move." in nothing.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Say what to move: --before DATE, or --keep N."),
        (("--keep", "1", "--before", "2026-01-01"), "Say what to move"),
        (("--before", "yesterday"), "--before"),
        (("--keep", "-1"), "--keep"),
    ],
)
def test_wrong_usage_is_said_in_a_sentence(workspace: Path, arguments: tuple[str, ...], sentence: str) -> None:
    """And ends with 2."""
    done = run(workspace, "trace", "archive", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr


def test_a_ledger_that_does_not_verify_is_not_archived(server: Session) -> None:
    """The archive would vouch for it. It says why, and ends with 1."""
    write(server, "a\n", "b\n", "c\n")
    ledger = server.root / ".orchestration" / "agent_trace.jsonl"
    ledger.write_bytes(ledger.read_bytes().replace(b'"success":true', b'"success":null', 1))
    before = live(server.root)
    for more in ((), ("--dry-run",)):
        done = run(server.root, "trace", "archive", "--keep", "1", *more)
        assert (done.returncode, done.stdout) == (1, "")
        assert "does not verify, so nothing was moved: 1 problem, the first in line 1 (edited)." in done.stderr
    refused = archive(server.root, "--keep", "1")
    assert (refused["status"], [problem["kind"] for problem in refused["problems"]]) == ("error", ["edited"])
    assert live(server.root) == before
    assert archives(server.root) == []


def test_damage_in_an_archive_is_told_with_its_name(server: Session) -> None:
    """By the server and by the command line; a missing one is called missing."""
    write(server, "a\n", "b\n", "c\n")
    archive(server.root, "--keep", "1")
    (path,) = archives(server.root)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    (problem,) = server.do("verifyTrace")["problems"]
    assert (problem["line"], problem["kind"], problem["archive"]) == (0, "archive-damaged", path.name)
    shown = run(server.root, "trace", "verify")
    assert shown.returncode == 1
    assert f"line 0 of {path.name}  archive-damaged  This archive can't be read: it is cut off" in shown.stdout
    path.unlink()
    (problem,) = server.do("verifyTrace")["problems"]
    newest = max((server.root / ".orchestration" / "trace").glob("*.jsonl"))
    assert (problem["line"], problem["kind"], problem["archive"]) == (1, "archive-missing", newest.name)
    assert archive(server.root, "--keep", "0")["status"] == "error"
    path.write_bytes(whole)
    assert server.do("verifyTrace")["ok"]


def test_without_zstandard_archives_are_gzip_files(server: Session, tmp_path: Path) -> None:
    """Every Python has that; and what zstandard made is said to need it."""
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    (blocked / "zstandard.py").write_text("raise ImportError('not installed')\n")
    without = {**os.environ, "PYTHONPATH": os.pathsep.join([str(blocked), os.environ.get("PYTHONPATH", "")])}

    def plain(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [*INTENTLS, "trace", *arguments]
        return subprocess.run(
            command, cwd=server.root, env=without, capture_output=True, encoding="utf-8", timeout=PATIENCE_S
        )

    write(server, "a\n", "b\n", "c\n")
    expected = b"\n".join(live(server.root)[:2]) + b"\n"
    assert plain("archive", "--keep", "1").returncode == 0
    (path,) = archives(server.root)
    assert path.name.endswith(".jsonl.gz")
    assert gzip.decompress(path.read_bytes()) == expected
    assert server.do("verifyTrace")["ok"]
    archive(server.root, "--keep", "0")
    shown = plain("verify")
    assert shown.returncode == 1
    assert "it needs the package zstandard: pip install 'intentls[archive]'" in shown.stdout
    log = plain("log", "--limit", "50")
    assert log.returncode == 0
    assert "what is older is left out" in log.stderr


def test_other_branches_count_when_newest_records_are_looked_for(server: Session) -> None:
    """An archived branch that is not checked out is no cut tail."""
    write(server, "a\n", "b\n")
    commit_all(server.root, "base")
    git(server.root, "checkout", "--quiet", "-b", "side")
    write(server, "c\n")
    assert archive(server.root, "--keep", "0")["status"] == "ok"
    commit_all(server.root, "archived")
    git(server.root, "checkout", "--quiet", "main")
    assert server.do("verifyTrace")["problems"] == []
    server.do("readFile", path="src/api/weather.py", session_id="agent-1")
    write(server, "d\n")
    commit_all(server.root, "main goes on")
    assert server.do("verifyTrace")["problems"] == []
    assert archive(server.root, "--keep", "0")["status"] == "ok"
