"""The compiled `intentls` answers a hook as the Python program does, byte for byte, or becomes that program."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import native.build
import pytest

from intentls.faces.hook import daemon_client
from tests.faces.hook.conftest import take_up
from tests.faces.hook.test_daemon_server import ANSWER, TRANSCRIPTS, daemon, edit, false_daemon
from tests.support.hook_process import Answered, environment, hook_here, records
from tests.support.installed_client import InstalledClient, compiled, end_daemon, wait_for_daemon
from tests.support.patience import PATIENCE_S, eventually

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no daemon runs on Windows, so no client is compiled for it")

EVENTS = 1000 if os.environ.get("INTENTLS_LONG") else 60
PATHS = (
    *("src/api/weather.py", "src/api/new.py", "src/api/generated/schema.py", "docs/design.md", "prototype/main.py"),
    *("../outside.py", ".orchestration/active_intents.yaml", "src/api/wéather \\u00fc.py", "src/api/../../docs/a.md"),
    *("README", "tests/api/test_a.py", "src/api/a\\nb.py", ".claude/settings.json", "a/" * 60 + "deep.py"),
)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
SESSION_KEYS = ("session_id", "conversation_id", "taskId")


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled program of this checkout."""
    return compiled(tmp_path_factory.mktemp("compiled") / "intentls")


@pytest.fixture
def client(home: Path, root: Path, tmp_path: Path, program: Path) -> InstalledClient:
    """The program, installed, and with the note of where the daemon listens."""
    folder = tmp_path / "bin"
    folder.mkdir()
    client = InstalledClient(folder, program)
    assert client.ask("claude-code", edit(root)) == (Answered(0, "", ""), True)
    assert [path.name.partition("-")[0] for path in (home / "intentls").iterdir()] == ["client"]
    return client


def events(number: int, root: Path) -> Iterator[tuple[str, bytes]]:
    """Random events of all agents: what they really send, about other paths, written in other ways."""
    chance = random.Random(number)
    steps = [
        (path.parent.name, json.dumps(step["event"]))
        for path in TRANSCRIPTS
        for step in json.loads(path.read_text())["steps"]
    ]
    asked = [(agent, text) for agent, text in steps if daemon_client.is_daemon_safe(agent, text.encode())]
    for _ in range(number):
        agent, text = chance.choice(asked if chance.random() < 0.9 else steps)
        text = re.sub(r"\$ROOT/[\w./-]+", lambda _: f"$ROOT/{chance.choice(PATHS)}", text)
        event = json.loads(text.replace("$ROOT", root.as_posix()), strict=False)
        data = json.dumps(event, ensure_ascii=chance.random() < 0.5, indent=chance.choice((None, None, 1))).encode()
        if chance.random() < 0.03:
            data = data[: chance.randrange(len(data))]
        if chance.random() < 0.03:
            data = data.replace(b"{", b'{"tool_name": "Bash", ', 1)
        yield agent, data


def answers(root: Path, original: Path, ask: Callable[[str, bytes, bool], Answered]) -> tuple[list[Answered], Any]:
    """What the events are answered in a fresh copy of the workspace, and what its ledger holds then."""
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(original, root, symlinks=True)
    answered = []
    for place, (agent, data) in enumerate(events(EVENTS, root)):
        given = ask(agent, data, agent == "cursor" and place % 2 == 0)
        answered.append(replace(given, out=_TIME.sub("TIME", given.out)))  # of leases, in a warning
    return answered, [_lasting(record) for record in records(root)]


def _lasting(record: dict[str, Any]) -> dict[str, Any]:
    """A record without its id, its time and its place in the chain."""
    return {name: value for name, value in record.items() if name not in ("id", "timestamp", "chain")}


def test_random_events_are_answered_and_recorded_as_by_python(client: InstalledClient, root: Path) -> None:
    """Exit code, stdout, stderr and the ledger; most of the answers come from the daemon."""
    sessions = {json.loads(data).get(key) for path in TRANSCRIPTS for data in _events_of(path) for key in SESSION_KEYS}
    for session in sorted(filter(None, sessions))[::2]:
        take_up(root, session=session)
    original = root.with_name("original")
    root.rename(original)
    alone = 0

    def ask(agent: str, data: bytes, always: bool) -> Answered:
        nonlocal alone
        answered, by_python = client.ask(agent, data, *(["--answer"] if always else []), cwd=root)
        alone += by_python
        return answered

    expected = answers(root, original, lambda agent, data, always: hook_here(agent, data, always=always))
    with daemon():
        given = answers(root, original, ask)
    for place, (event, by_client, by_hook) in enumerate(zip(events(EVENTS, root), given[0], expected[0], strict=True)):
        assert by_client == by_hook, f"event {place} of {event}"
    assert given[1] == expected[1]
    assert len(expected[1]) > EVENTS / 10 and any(answer.out for answer in expected[0])
    assert alone < EVENTS / 3


def _events_of(path: Path) -> list[str]:
    return [json.dumps(step["event"]) for step in json.loads(path.read_text())["steps"]]


def test_the_first_hook_starts_a_daemon_and_the_second_asks_it(
    client: InstalledClient, root: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With nothing set up. One that is told to end leaves nothing, also no note for the client."""
    monkeypatch.delenv("INTENTLS_HOOK_DAEMON")
    refused, by_python = client.ask("claude-code", edit(root, "docs/design.md"), "--wait", "120")
    assert by_python and "SCOPE_VIOLATION" in refused.out
    path = wait_for_daemon()
    try:
        assert client.ask("claude-code", edit(root, "docs/design.md"), "--wait", "120") == (refused, False)
    finally:
        end_daemon(path)
    eventually(lambda: not list(home.iterdir()))  # it removes its folder last
    assert client.ask("claude-code", edit(root), env=environment(INTENTLS_HOOK_DAEMON="off"))[1]
    assert list(home.iterdir()) == []


def test_where_nothing_governs_no_daemon_is_started(
    home: Path, tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user whose hooks are set up for all projects has no process for those that are not governed."""
    monkeypatch.delenv("INTENTLS_HOOK_DAEMON")
    folder = tmp_path / "bin"
    folder.mkdir()
    assert InstalledClient(folder, program).ask("claude-code", edit(tmp_path)) == (Answered(0, "", ""), True)
    assert list(home.iterdir()) == []


def others_may_enter(folder: Path, note: Path, path: Path) -> None:
    folder.chmod(0o750)


def a_linked_folder(folder: Path, note: Path, path: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to("elsewhere")


def a_linked_socket(folder: Path, note: Path, path: Path) -> None:
    path.rename(path.with_name("other"))
    path.symlink_to("other")


def another_version(folder: Path, note: Path, path: Path) -> None:
    note.write_bytes(b"9" + note.read_bytes())


def no_note(folder: Path, note: Path, path: Path) -> None:
    note.unlink()


def a_linked_note(folder: Path, note: Path, path: Path) -> None:
    note.rename(folder / "note")
    note.symlink_to("note")


def a_note_that_others_may_write(folder: Path, note: Path, path: Path) -> None:
    note.chmod(0o666)


def half_a_note(folder: Path, note: Path, path: Path) -> None:
    note.write_bytes(note.read_bytes()[:8])


def a_folder_of_another_user(folder: Path, note: Path, path: Path) -> None:
    os.chown(folder, 4711, -1)


def a_socket_of_another_user(folder: Path, note: Path, path: Path) -> None:
    os.chown(path, 4711, -1)


def a_note_of_another_user(folder: Path, note: Path, path: Path) -> None:
    os.chown(note, 4711, -1)


FOREIGN = (a_folder_of_another_user, a_socket_of_another_user, a_note_of_another_user)


@pytest.mark.parametrize(
    "trick",
    [
        *(others_may_enter, a_linked_folder, a_linked_socket, another_version, no_note, a_linked_note),
        *(a_note_that_others_may_write, half_a_note, *FOREIGN),
    ],
)
def test_what_somebody_else_may_have_put_there_is_not_trusted(
    client: InstalledClient, root: Path, home: Path, trick: Callable[[Path, Path, Path], None]
) -> None:
    """Folder, note and socket are this user's alone, no links, and of this version: else Python answers."""
    if trick in FOREIGN and os.geteuid() != 0:
        pytest.skip("only root may give a file away")
    folder = home / "intentls"
    with false_daemon(ANSWER) as questions:
        path = Path(daemon_client.socket_path()[1])
        [note] = folder.glob("client-*")
        trick(folder, note, path)
        answered, by_python = client.ask("claude-code", edit(root, "docs/design.md"))
        # Python itself has not been asked: it trusts the client that there is nobody to ask.
    assert by_python and not any(questions) and "SCOPE_VIOLATION" in answered.out


@pytest.mark.parametrize("answer", [ANSWER[:-1], ANSWER + b"x", b"\xff" * 40, daemon_client.pack([b"7", b"", b""])])
def test_half_an_answer_is_none(client: InstalledClient, root: Path, answer: bytes) -> None:
    """Nothing, half of it, too much, no exit code of ours: Python answers, with the event that was read."""
    with false_daemon(answer) as questions:
        answered, by_python = client.ask("claude-code", edit(root, "docs/design.md"))
    assert any(questions) and by_python and "SCOPE_VIOLATION" in answered.out


def test_a_dead_and_a_busy_daemon_are_done_without(client: InstalledClient, root: Path) -> None:
    """A socket that nobody listens at, and one at which too many wait."""
    path = daemon_client.socket_path()[1]
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(0)
        waiting = []
        while True:
            peer = socket.socket(socket.AF_UNIX)
            peer.setblocking(False)
            waiting.append(peer)
            try:
                peer.connect(path)
            except BlockingIOError:
                break
        answered, by_python = client.ask("claude-code", edit(root, "docs/design.md"))
        assert by_python and "SCOPE_VIOLATION" in answered.out
        for peer in waiting:
            peer.close()
    assert client.ask("claude-code", edit(root, "docs/design.md")) == (answered, True)


@pytest.mark.parametrize("size", [100_000, 9_000_000])
def test_an_event_of_any_size_reaches_python_whole(client: InstalledClient, root: Path, size: int) -> None:
    """More than a pipe holds, and more than the client takes: where the daemon gives no answer, nothing is lost."""
    event = edit(root, "docs/design.md")
    event["tool_input"]["new_string"] = "x" * size
    data = json.dumps(event).encode()
    with false_daemon(b"") as questions:
        assert client.ask("claude-code", data) == (hook_here("claude-code", data), True)
    assert any(questions) == (size < 1_000_000)


def test_an_event_that_does_not_end_is_refused(client: InstalledClient, root: Path, tmp_path: Path) -> None:
    """The agent's own time-out would let the tool run."""
    folder = tmp_path / "impatient"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native.build, "DEFAULT_TIMEOUT_S", 0.2)
        program = compiled(folder / "program")
    impatient = InstalledClient(folder, program)
    assert impatient.ask("claude-code", edit(root))[1]
    with false_daemon(ANSWER) as questions:
        process = subprocess.Popen(
            [impatient.program, "hook", "claude-code"],
            **dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE),
            env=environment(),
        )
        assert process.wait(PATIENCE_S) == 2
        out, err = process.communicate()
    assert out == b"" and b"no answer was found within 0.2 seconds" in err and not questions


@pytest.mark.parametrize("options", [["--go-on"], ["--timeout", "5"], ["--wait", "x"], ["--wait"], ["--help"]])
def test_any_other_call_is_for_python(client: InstalledClient, root: Path, options: list[str]) -> None:
    """Only what `init` writes is put to the daemon, and not where the run goes on after a refusal."""
    with false_daemon(ANSWER) as questions:
        assert client.ask("claude-code", edit(root), *options)[1]
    assert not questions


def test_other_verbs_are_those_of_the_python_program(client: InstalledClient, root: Path) -> None:
    """With all arguments, and its exit code."""
    done = subprocess.run([client.program, "check", "docs/design.md", "--session", "s1"], cwd=root, capture_output=True)
    assert (done.returncode, b"docs/design.md" in done.stdout) == (1, True), done.stderr


def test_without_the_python_program_the_tool_is_refused(client: InstalledClient, root: Path) -> None:
    """Half an installation lets nothing pass."""
    client.program.with_name("intentls-python").unlink()
    answered, _ = client.ask("claude-code", edit(root))
    assert answered.closed and "can't start" in answered.err


def test_the_client_asks_about_the_same_events_as_python(client: InstalledClient, root: Path) -> None:
    """Whether a daemon may be asked is one table; no event is put to it that Python would not put to it."""
    odd = [
        {"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"tool_name": "Bash"}},
        {"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"x": '"tool_name": "Bash"'}},
        {"hook_event_name": "PreToolUse", "x": "tool_name", "tool_name": "Wr\\ite"},
        {"tool_input": {"hook_event_name": "PreToolUse", "tool_name": ["Write"]}},
    ]
    texts = [("claude-code", json.dumps(event).encode()) for event in odd]
    for agent, data in [*events(12, root), *texts]:
        with false_daemon(ANSWER) as questions:
            client.ask(agent, data)
        Path(daemon_client.socket_path()[1]).unlink()
        assert any(questions) == daemon_client.is_daemon_safe(agent, data), data


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process may do")
def test_a_hook_in_a_sandbox_is_not_answered_from_outside(client: InstalledClient, root: Path) -> None:
    """What the daemon may write, the hook may not; the answer is that of the hook."""
    sandbox = ["setpriv", "--no-new-privs"]
    if shutil.which(sandbox[0]) is None:
        pytest.skip("there is no setpriv here")
    with daemon():
        assert not client.ask("claude-code", edit(root, "docs/design.md"))[1]
        before = client.answers_of_python()
        event = json.dumps(edit(root, "docs/design.md")).encode()
        command = [*sandbox, client.program, "hook", "claude-code"]
        done = subprocess.run(command, input=event, capture_output=True, env=environment())
    assert b"SCOPE_VIOLATION" in done.stdout and client.answers_of_python() == before + 1
