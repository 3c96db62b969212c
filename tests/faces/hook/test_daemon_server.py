"""A daemon answers a hook as the hook would by itself, or the hook answers by itself; a false one hides nothing."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import intentls
from intentls.faces.hook import AGENTS, daemon_client
from intentls.faces.hook.event import EventKind
from intentls.faces.hook.main import _dialect
from intentls.store.process.run import start_detached
from tests.faces.hook.conftest import take_up
from tests.support.hook_process import Answered, claude, environment, hook, hook_here, records
from tests.support.patience import PATIENCE_S, eventually
from tests.support.processes import runs
from tests.support.session import session
from tests.support.workspaces import make_git_repo, make_workspace, write_files

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Unix sockets")

DATA = Path(__file__).parent.parent.parent / "data" / "hooks"
TRANSCRIPTS = sorted(DATA.glob("*/*.json"))
RUN = "from intentls.__main__ import run; run()"
# A test of an answer has no use for a hook or a worker that gives up in 3 or 8 seconds: a busy machine is slow.
PATIENT = (
    "from intentls.faces import hook\nfrom intentls.faces.hook import daemon_client\n"
    f"hook.DEFAULT_TIMEOUT_S = daemon_client.MAX_ANSWER_S = {float(PATIENCE_S)}\n"
)


only_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who a process's children are")


def children(process: subprocess.Popen[str]) -> list[int]:
    """The workers."""
    return [int(child) for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


@contextlib.contextmanager
def daemon(*options: str, **changes: str) -> Iterator[subprocess.Popen[str]]:
    """A running one, ready to be asked."""
    process = subprocess.Popen(
        [sys.executable, "-c", PATIENT + RUN, "daemon", *options],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(**changes),
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Answering hooks at ")
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def is_refused(path: Path) -> bool:
    """Whether the daemon that listened here has ended. One whose socket was moved ends when it is asked."""
    with socket.socket(socket.AF_UNIX) as peer:
        return peer.connect_ex(str(path)) == errno.ECONNREFUSED


def asked(agent: str, event: bytes, *, always: bool = False) -> Answered:
    """What the daemon answers, also to what no hook would ask it."""
    parts = [daemon_client.identity(), agent.encode(), b"1" if always else b"", *daemon_client.process_context(), event]
    code, out, err = daemon_client.unpack(
        daemon_client._exchange(daemon_client.socket_path()[1], daemon_client.pack(parts)), 3
    )
    return Answered(int(code), out.decode(), err.decode())


def called(event: dict[str, Any], before: str = "", agent: str = "claude-code") -> tuple[Answered, bool]:
    """A hook's answer in a process of its own, and whether it found that by itself. `before` is run first."""
    program = (
        f"import atexit, sys\nfrom intentls.__main__ import run\n{PATIENT}{before}\natexit.register(lambda: "
        "print('alone' if 'intentls.faces.hook.main' in sys.modules else 'asked', file=sys.stderr))\nrun()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "hook", agent],
        input=json.dumps(event),
        capture_output=True,
        env=environment(),
        text=True,
        timeout=PATIENCE_S,
    )
    *said, how = done.stderr.splitlines()
    return Answered(done.returncode, done.stdout, "\n".join(said)), how == "alone"


def edit(root: Path, path: str = "src/api/weather.py", tool: str = "Edit", **more: Any) -> dict[str, Any]:
    """An agent is about to edit."""
    given = {"file_path": str(root / path), "old_string": "a", "new_string": "b"}
    return claude(root, "PreToolUse", tool, given, **more)


def played(root: Path, path: Path, answer: Callable[..., Answered]) -> list[Answered]:
    """The answers to a transcript's events in a fresh workspace."""
    transcript = json.loads(path.read_text())
    shutil.rmtree(root, ignore_errors=True)
    make_git_repo(make_workspace(root, policy=transcript.get("policy")))
    answers = []
    for step in transcript["steps"]:
        if "select" in step:
            take_up(root, *step["select"])
        write_files(root, step.get("write", {}))
        event = json.dumps(step["event"]).replace("$ROOT", root.as_posix()).encode()
        always = (path.parent.name, step["event"].get("hook_event_name")) == ("cursor", "preToolUse")
        answers.append(answer(path.parent.name, event, always=always))
    return answers


def test_every_event_of_every_agent_is_answered_as_without_it(home: Path, tmp_path: Path) -> None:
    """All transcripts, and what is no event: exit code, stdout and stderr are the same, byte for byte."""
    with daemon():
        for path in TRANSCRIPTS:
            alone = played(tmp_path / "work", path, hook_here)
            assert played(tmp_path / "work", path, asked) == alone, path
            assert alone
        for agent in AGENTS:
            for data in (b"", b"[]", b"\xff\xfe{}", b"{", b"{}", b'{"hook_event_name": "Surprise", "cwd": "/"}'):
                assert asked(agent, data) == hook_here(agent, data)


def test_a_hook_asks_and_says_what_it_would_have_found(home: Path, root: Path) -> None:
    """Allowed, refused, wrong: the same answers with and without a daemon, by processes like those an agent starts."""
    wrong = edit(root) | {"cwd": "relative"}
    events = [edit(root), edit(root, "docs/design.md"), wrong, claude(root, "PreToolUse", "Grep", {"pattern": "x"})]
    alone = [called(event) for event in events]
    with daemon():
        with_it = [called(event) for event in events]
    assert [found for found, _ in alone] == [found for found, _ in with_it]
    assert [by_itself for _, by_itself in alone + with_it] == [True] * 4 + [False] * 4
    assert alone[0][0].out == "" and "SCOPE_VIOLATION" in alone[1][0].out and alone[2][0].code == 2


def test_an_answer_is_for_the_environment_of_who_asks(home: Path, root: Path) -> None:
    """The daemon has another project folder in its environment than the hook."""
    event = json.dumps(edit(root, "docs/design.md")).encode()
    with daemon(CLAUDE_PROJECT_DIR="relative"):
        assert "SCOPE_VIOLATION" in asked("claude-code", event).out
    with daemon():
        wrong = hook("claude-code", event, env=environment(CLAUDE_PROJECT_DIR="relative"))
        assert wrong.closed and "no absolute path" in wrong.err


def test_files_get_the_mode_that_who_asks_gives_its_files(home: Path, tmp_path: Path) -> None:
    """A refusal begins a ledger: with the same permissions as without a daemon."""

    def modes() -> dict[str, int]:
        shutil.rmtree(tmp_path / "work", ignore_errors=True)
        root = make_workspace(tmp_path / "work")
        take_up(root)
        mask = os.umask(0o037)
        try:
            assert "SCOPE_VIOLATION" in called(edit(root, "docs/design.md"))[0].out
        finally:
            os.umask(mask)
        return {path.parent.relative_to(root).as_posix(): path.stat().st_mode for path in root.rglob("*.jsonl")}

    alone = modes()
    with daemon():
        assert modes() == alone
    assert {mode & 0o777 for mode in alone.values()} == {0o640}


def test_many_ask_at_once(home: Path, root: Path) -> None:
    """Each gets its own answer."""
    paths = ["src/api/weather.py", "docs/design.md"] * 8
    with daemon(), ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(lambda path: asked("claude-code", json.dumps(edit(root, path)).encode()), paths))
    assert [bool(answer.out) for answer in answers] == [False, True] * 8


@pytest.mark.usefixtures("each_store")
def test_nothing_more_is_loaded_for_a_question(home: Path, root: Path) -> None:
    """What is missing in the daemon would be loaded anew for each question."""
    program = (
        "import sys, importlib\nfrom intentls.faces.hook import daemon_server\n"
        "from intentls.faces.hook import HookOptions\n"
        "from intentls.faces.hook.main import answer_event\n"
        "for name in daemon_server._LOADED: importlib.import_module(name)\n"
        "known = set(sys.modules)\n"
        "for event in sys.stdin.buffer.read().splitlines():\n"
        "    answer_event('claude-code', lambda: event, HookOptions())\n"
        "    print(*sorted(set(sys.modules) - known), flush=True)\n"
    )
    events = [
        edit(root),
        edit(root),
        edit(root, "docs/design.md"),
        claude(root, "PreToolUse", "Read", {"file_path": "a"}),
    ]
    done = subprocess.run(
        [sys.executable, "-c", program], input="\n".join(map(json.dumps, events)), capture_output=True, text=True
    )
    loaded = [line.split() for line in done.stdout.splitlines()]
    # The codec of a JSON text, and what reading the schemas of the declared files takes, once a change.
    rest = ("encodings.", "importlib.", "zipfile")
    assert len(loaded) == len(events)
    assert [name for name in loaded[-1] if not name.startswith(rest)] == []


def test_what_a_worker_keeps_from_one_question_to_the_next_is_known() -> None:
    """Each kept value is computed from bytes alone, is one that no question leaves behind, or is the daemon's own."""
    program = (
        "import sys, importlib, functools\nfrom intentls.faces.hook import daemon_server, daemon_worker\n"
        "for name in daemon_server._LOADED: importlib.import_module(name)\n"
        "kept = {value for module in list(sys.modules.values()) if module.__name__.startswith('intentls')\n"
        "        for value in vars(module).values() if isinstance(value, functools._lru_cache_wrapper)}\n"
        "print(*(value.__name__ for value in kept - set(daemon_worker._FORGOTTEN)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    of_nothing = {"_settings_regex"}
    of_bytes = {"_scope_of", "_kept_tree", "_diff", "session_file_name", "_file_name", "_script_header", "_has_another"}
    of_texts = {"urlsplit"}  # for the address of a database, which each question names again
    of_our_files = {"_reads_docs", "_parser_factory", "load_schema"}
    of_this_process = {"_ancestors_of_this", "_own_start", "_place", "_boot"}
    kept = of_nothing | of_bytes | of_texts | of_our_files | of_this_process
    assert set(done.stdout.split()) == kept


@only_linux
def test_a_worker_answers_again_and_again_and_gathers_nothing(home: Path, root: Path) -> None:
    """The same few processes, with no file open that was not before, also after a refusal that went on record."""
    allowed, refused = (json.dumps(edit(root, path)).encode() for path in ("src/api/weather.py", "docs/design.md"))
    with daemon() as process:
        assert asked("claude-code", allowed) == Answered(0, "", "")
        before = tidied(process)
        for _ in range(12):
            assert asked("claude-code", allowed) == Answered(0, "", "")
            after = tidied(process)
        assert set(before) & set(after) and set(after.values()) == set(before.values())
        assert "SCOPE_VIOLATION" in asked("claude-code", refused).out
        settled(lambda: set(tidied(process).values()) == set(before.values()))
        assert set(after) & set(children(process))


def tidied(process: subprocess.Popen[str]) -> dict[int, int]:
    """The workers, once each has let go of the folder that it was in, and how many files each has open."""
    settled(lambda: {os.readlink(f"/proc/{worker}/cwd") for worker in children(process)} == {"/"})
    return {worker: len(list(Path(f"/proc/{worker}/fd").iterdir())) for worker in children(process)}


def settled(condition: Callable[[], bool]) -> None:
    """Wait until a worker has tidied up, which it does after the answer."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        with contextlib.suppress(OSError):  # a worker that has just ended
            if condition():
                return
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_the_process_that_asks_is_the_one_at_the_other_end(home: Path, root: Path) -> None:
    """What it says of its own number counts only if the system says the same: it decides what runs above it."""
    if daemon_client._credentials(socket.socketpair()[0]) is None:
        pytest.skip("the system does not tell who asks")
    with daemon():
        lie = "import os; daemon_client.os.getpid = lambda: os.getppid()"
        answered, by_itself = called(edit(root, "docs/design.md"), lie)
        assert by_itself and "SCOPE_VIOLATION" in answered.out


@pytest.mark.parametrize("change", [{"PYTHONUTF8": "1"}, {"LC_ALL": "C"}, {"PYTHONPATH": "/nowhere"}])
def test_a_hook_whose_python_starts_otherwise_is_not_answered(home: Path, root: Path, change: dict[str, str]) -> None:
    """Its variables might make it another program, or read names of files otherwise."""
    with daemon(), pytest.MonkeyPatch.context() as patch:
        for name, value in change.items():
            patch.setenv(name, value)
        answered, by_itself = called(edit(root, "docs/design.md"))
    assert by_itself and "SCOPE_VIOLATION" in answered.out


def place(home: Path) -> Path:
    """The folder for the socket, made as the daemon makes it."""
    folder = Path(daemon_client.socket_path()[0])
    folder.mkdir(mode=0o700)
    return folder


@contextlib.contextmanager
def false_daemon(answer: bytes) -> Iterator[list[bytes]]:
    """One of the same user that says `answer` to everything; what it was asked."""
    questions: list[bytes] = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(daemon_client.socket_path()[1])
        listener.listen(8)

        def serve() -> None:
            while True:
                try:
                    peer, _ = listener.accept()
                except OSError:
                    return
                with peer:
                    data = b""
                    while piece := peer.recv(1 << 16):
                        data += piece
                    questions.append(data)
                    with contextlib.suppress(BrokenPipeError):  # who asks may have looked at us and gone
                        peer.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield questions
        finally:
            listener.shutdown(socket.SHUT_RDWR)
    thread.join(PATIENCE_S)


ANSWER = daemon_client.pack([b"0", b"", b""])


@pytest.mark.parametrize(
    "answer", [b"", ANSWER[:-1], ANSWER[:-8], ANSWER + b"x", b"\xff" * 40, daemon_client.pack([b"7", b"", b""]), b"0"]
)
def test_half_an_answer_is_none(home: Path, root: Path, answer: bytes) -> None:
    """Nothing, half of it, too much, no exit code of ours: the hook answers by itself."""
    place(home)
    with false_daemon(answer) as questions:
        answered, by_itself = called(edit(root, "docs/design.md"))
    assert questions and by_itself and "SCOPE_VIOLATION" in answered.out


def test_a_false_daemon_lets_nothing_pass_unrecorded(home: Path, root: Path) -> None:
    """It can let an edit run, as whoever runs programs as this user can; the ledger says that it was out of scope."""
    place(home)
    path = root / "docs" / "design.md"
    with false_daemon(ANSWER) as questions:
        announced = edit(root, "docs/design.md")
        assert called(announced) == (Answered(0, "", ""), False)
        path.write_text("forged")
        after = {**announced, "hook_event_name": "PostToolUse", "tool_response": {}}
        assert called(after)[1]
        assert records(root)[-1]["scope_validation"] == "FAIL"
        assert len(questions) == 1


@pytest.mark.parametrize(
    "event",
    [
        {"hook_event_name": "PostToolUse", "tool_name": "Write"},
        {"hook_event_name": "PostToolUseFailure", "tool_name": "Write"},
        {"hook_event_name": "SessionStart"},
        {"hook_event_name": "PreToolUse", "tool_name": "Bash"},
        {"hook_event_name": "PreToolUse", "tool_name": "mcp__files__write"},
        {"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"tool_name": "Bash"}},
        {"hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": {"hook_event_name": "PreToolUse"}},
        {"tool_input": {"hook_event_name": "PreToolUse", "tool_name": ["Write"]}},
        {"hook_event_name": "PreToolUse", "x": "tool_name", "tool_name": "Wr\\ite"},
    ],
)
def test_what_would_leave_no_trace_is_never_asked(event: dict[str, Any]) -> None:
    """What has run, what may write anywhere, and whatever can't be told at sight."""
    assert not daemon_client.is_daemon_safe("claude-code", json.dumps(event).encode())


def test_a_file_that_speaks_of_hooks_is_asked_about_as_any_other() -> None:
    """Quotes inside of text are escaped, so a file's content is never taken for the event."""
    content = '{"hook_event_name": "PostToolUse", "tool_name": "Bash"}'
    event = {"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"content": content}}
    assert daemon_client.is_daemon_safe("claude-code", json.dumps(event).encode())
    assert daemon_client.is_daemon_safe("claude-code", json.dumps(event, separators=(",", ":")).encode())


@pytest.mark.parametrize("agent", AGENTS)
def test_only_announced_tools_whose_effects_are_seen_afterwards_are_asked_about(agent: str, tmp_path: Path) -> None:
    """Each is free, reads, or changes the files it names; none may write elsewhere or delete."""
    (event_key, event), (tool_key, tools) = daemon_client.DAEMON_SAFE_TOOLS[agent]
    for tool in tools:
        given = {"file_path": str(tmp_path / "a")}
        call = {tool_key.decode(): tool.decode(), "tool_input": given, "parameters": given}
        told = {event_key.decode(): event.decode(), **call, "preToolUse": call, "session_id": "s", "taskId": "s"}
        read = _dialect(agent).read(
            told | {"cwd": str(tmp_path), "workspace_roots": [str(tmp_path)], "workspaceRoots": [str(tmp_path)]}
        )
        assert read.kind is EventKind.BEFORE and read.tool is not None and not read.tool.anywhere, tool
        assert read.tool.is_free or read.tool.name in ("read_file", "write_to_file", "edit"), tool


def others_may_enter(folder: Path, path: Path) -> None:
    folder.chmod(0o750)


def a_linked_folder(folder: Path, path: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to("elsewhere")


def a_linked_socket(folder: Path, path: Path) -> None:
    path.rename(path.with_name("other"))
    path.symlink_to("other")


def a_file(folder: Path, path: Path) -> None:
    path.unlink()
    path.write_text("")


@pytest.mark.parametrize("trick", [others_may_enter, a_linked_folder, a_linked_socket, a_file])
def test_a_socket_that_somebody_else_may_have_put_there_is_not_trusted(
    home: Path, root: Path, trick: Callable[[Path, Path], None]
) -> None:
    """The folder must be ours alone and the socket a socket, no links: else nothing is asked."""
    folder = place(home)
    with false_daemon(ANSWER) as questions:
        trick(folder, Path(daemon_client.socket_path()[1]))
        answered, by_itself = called(edit(root, "docs/design.md"))
    assert by_itself and not questions and "SCOPE_VIOLATION" in answered.out


@pytest.mark.parametrize(
    "lie",
    [
        "daemon_client.is_private = lambda folder: True; import os; real = os.geteuid(); os.geteuid = lambda: real + 1",
        "daemon_client.is_private = daemon_client._is_own_socket = lambda path: True;"
        " daemon_client.os.geteuid = lambda: 4711",
    ],
    ids=["the socket", "who listens"],
)
def test_a_stranger_is_not_asked(home: Path, root: Path, lie: str) -> None:
    """Neither at a socket of another user nor where another user listens."""
    if "4711" in lie and not hasattr(socket, "SO_PEERCRED"):
        pytest.skip("the system does not tell who listens")
    place(home)
    with false_daemon(ANSWER) as questions:
        assert called(edit(root), lie)[1]
    assert not any(questions)


def test_a_daemon_that_is_killed_or_hangs_is_done_without(home: Path, root: Path) -> None:
    """In the middle of a question: the hook gives up, answers by itself, and later ones don't wait for the dead."""
    with daemon() as process:
        process.send_signal(signal.SIGSTOP)
        answered, by_itself = called(edit(root, "docs/design.md"), "daemon_client.MAX_ANSWER_S = 0.3")
        assert by_itself and "SCOPE_VIOLATION" in answered.out
        with ThreadPoolExecutor(1) as threads:
            waiting = threads.submit(called, edit(root, "docs/design.md"), "daemon_client.MAX_ANSWER_S = 300")
            eventually(lambda: _is_connected(home) or waiting.done())
            assert not waiting.done()
            process.kill()
            answered, by_itself = waiting.result(timeout=PATIENCE_S)
        assert by_itself and "SCOPE_VIOLATION" in answered.out
        assert Path(daemon_client.socket_path()[1]).is_socket()
        assert called(edit(root))[1]
    with daemon():
        assert not called(edit(root))[1]


@only_linux
def test_a_child_does_not_keep_the_socket_of_a_daemon_that_was_killed(home: Path) -> None:
    """Else hooks would wait for an answer that nobody gives, as long as the last child runs."""
    place = daemon_client.socket_path()[1]
    with daemon() as process, socket.socket(socket.AF_UNIX) as slow:
        slow.connect(place)
        eventually(lambda: len(children(process)) == 2)
        answering, waiting = children(process)
        process.kill()
        process.wait()
        eventually(lambda: not runs(waiting))
        assert runs(answering)
        with pytest.raises(ConnectionRefusedError):
            daemon_client._exchange(place, b"is anybody there?")


def _is_connected(home: Path) -> bool:
    """Whether more than one waits at the socket (the first has given up): only Linux tells."""
    if not Path("/proc/net/unix").exists():
        return True
    lines = Path("/proc/net/unix").read_text().splitlines()
    return sum(str(home) in line for line in lines) > 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_daemon_that_is_told_to_end_leaves_nothing(home: Path, root: Path, number: int) -> None:
    """No socket and no folder stay."""
    with daemon() as process:
        assert not called(edit(root))[1]
        process.send_signal(number)
        assert process.wait(PATIENCE_S) == 0
    assert list(home.iterdir()) == []


def test_a_daemon_ends_when_nobody_asks(home: Path) -> None:
    """And leaves nothing."""
    with daemon("--idle", "0.01") as process:
        assert process.wait(PATIENCE_S) == 0
    assert list(home.iterdir()) == []


@only_linux
def test_a_daemon_whose_waiting_child_is_killed_ends(home: Path) -> None:
    """It would be made again and again, if something kills it each time."""
    with daemon() as process:
        for child in children(process):
            os.kill(child, signal.SIGKILL)
        assert process.wait(PATIENCE_S) == 0
    assert list(home.iterdir()) == []


def test_there_is_one_daemon(home: Path, root: Path) -> None:
    """A second one says so and ends; the first keeps answering. A folder that others may use is not taken."""
    with daemon():
        second = subprocess.run([sys.executable, "-c", RUN, "daemon"], capture_output=True, text=True)
        assert (second.returncode, "already" in second.stderr) == (2, True), second.stderr
        assert not called(edit(root))[1]
    (home / "intentls").chmod(0o755)
    third = subprocess.run([sys.executable, "-c", RUN, "daemon"], capture_output=True, text=True)
    assert (third.returncode, "chmod 700" in third.stderr) == (2, True)


def test_a_daemon_whose_socket_is_gone_ends(home: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody could find it any more; the one that took its place stays untouched."""
    socket_path = Path(daemon_client.socket_path()[1])
    with daemon() as first:
        moved = socket_path.with_name("moved")
        socket_path.rename(moved)
        with daemon():
            with socket.socket(socket.AF_UNIX) as peer:
                peer.connect(str(moved))
            assert first.wait(PATIENCE_S) == 0
            assert not called(edit(root))[1]


def test_an_updated_installation_is_not_answered_for_by_the_old_one(
    home: Path, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The daemon ends at the first question after a file of intentls changed; the hook answers by itself."""
    copy = tmp_path / "installed"
    shutil.copytree(Path(intentls.__file__).parent, copy / "intentls", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setenv("PYTHONPATH", str(copy))
    with daemon() as process:
        assert not called(edit(root))[1]
        with (copy / "intentls" / "core" / "gate" / "refusal.py").open("a") as file:
            file.write("\n")
        answered, by_itself = called(edit(root, "docs/design.md"))
        assert by_itself and "SCOPE_VIOLATION" in answered.out
        assert process.wait(PATIENCE_S) == 0


def test_another_version_or_another_view_of_the_files_is_not_answered(home: Path, root: Path) -> None:
    """Who asks as another version, on another Python, or where the same path is another folder, is left alone."""
    with daemon():
        for lie in ("daemon_client.identity = lambda: b'9'", "daemon_client.cwd_identity = lambda: b'elsewhere'"):
            answered, by_itself = called(edit(root, "docs/design.md"), lie)
            assert by_itself and "SCOPE_VIOLATION" in answered.out


def test_an_editor_starts_a_daemon_that_outlives_it(home: Path, root: Path) -> None:
    """With the setting `hookDaemon`: it answers hooks, also when the editor is closed."""
    path = Path(daemon_client.socket_path()[1])
    with session(root, options={"hookDaemon": True}):
        eventually(path.is_socket)
    try:
        assert not called(edit(root))[1]
    finally:
        moved = path.rename(path.with_name("moved"))
        eventually(lambda: is_refused(moved))
    with session(root):
        pass
    assert not path.exists()


def test_an_editor_without_a_daemon_works(caplog: pytest.LogCaptureFixture) -> None:
    """What can't be started is in the log, and nothing else happens."""
    start_detached([sys.executable + "-that-is-not-there", "-P"])
    assert "can't be started" in caplog.text


def test_an_event_that_does_not_end_is_refused(home: Path) -> None:
    """The agent's own time-out would let the tool run."""
    place(home)
    with false_daemon(ANSWER):
        program = f"from intentls.faces import hook; hook.DEFAULT_TIMEOUT_S = 0.2\n{RUN}"
        process = subprocess.Popen(
            [sys.executable, "-c", program, "hook", "claude-code"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.wait(PATIENCE_S) == 2
        out, err = process.communicate()
    assert out == b"" and b"no answer was found within 0.2 seconds" in err
