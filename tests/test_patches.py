"""The patches that we offer to pygls apply, alone and together, and change nothing but how long it takes."""

from __future__ import annotations

import importlib.metadata
import json
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from os import environ
from pathlib import Path
from typing import IO, Any

import pygls
import pytest

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "patches" / "pygls"
PATCHES = sorted(FOLDER.glob("*.patch"))
README = (FOLDER / "README.md").read_text("utf-8")
VERSION = re.findall(r"pygls (\d+\.\d+\.\d+)", README)[0]
TOGETHER = "together"
ALONE = [path.name[:4] for path in PATCHES]
PATCHED = [*ALONE, TOGETHER]

pytestmark = [
    pytest.mark.skipif(
        importlib.metadata.version("pygls") != VERSION, reason=f"the patches are for pygls {VERSION}, not for this one"
    ),
    pytest.mark.skipif(sys.platform == "win32", reason="of pipes that the patched reader leaves to threads"),
]

SERVER = """
import asyncio
import inspect
import sys
import threading
import time

from pygls.lsp.server import LanguageServer

server = LanguageServer("tiny", "1")
noted, looked, kinds = [], [], set()
signature = inspect.signature
inspect.signature = lambda function: looked.append(function.__name__) or signature(function)


@server.command("add")
def add(ls: LanguageServer, left: int, right: int = 0) -> int:
    return left + right


@server.command("echo")
def echo(text: str) -> str:
    return text


@server.command("later")
async def later(ls: LanguageServer, text: str) -> str:
    await asyncio.sleep(0)
    noted.append(99)
    return text


@server.command("aside")
@server.thread()
def aside(text: "Late") -> str:
    return text


Late = str


@server.command("rest")
def rest() -> None:
    time.sleep(0.05)


@server.feature("tiny/note")
def note(params) -> None:
    noted.append(params.at.line)
    kinds.add(type(params.at))


@server.feature("tiny/noted")
def all_noted(ls: LanguageServer, params):
    return sorted(noted)


@server.feature("tiny/within")
def within(params):
    threads = any(thread.name.startswith("ThreadPool") for thread in threading.enumerate())
    return {"threads": threads, "looks": looked.count("add"), "kinds": len(kinds)}


assert sys.stdin.buffer.readline() == b"before all\\n"  # and more is read ahead with it
server.start_io()
"""


def frame(method: str, params: Any = None, id: int | None = None) -> bytes:
    """A message as it goes over the wire."""
    message = {"jsonrpc": "2.0", "method": method, "params": params} | ({} if id is None else {"id": id})
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def command(id: int, name: str, *arguments: Any) -> bytes:
    return frame("workspace/executeCommand", {"command": name, "arguments": arguments}, id)


WITHIN = 80
LOOKS = 1 + 6  # when the command is registered, and at each call in the talk
LONG = "\N{GREEK SMALL LETTER LAMDA}x" * 700_000  # 2 MB, with letters of two bytes
NOTES = b"".join(frame("tiny/note", {"at": {"line": line}}) for line in range(50))
SPLIT = command(9, "add", 20, 22)
START = (
    b"before all\n"
    + frame("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
    + frame("initialized", {})
)
END = [frame("shutdown", None, 90), frame("exit")]
TALK = [
    START,
    command(2, "later", "later") + command(3, "add", 1, 2) + command(4, "add", 3, 4),
    command(5, "add", "no number", 2) + command(6, "add", 1) + command(7, "add", 1, 2, 3) + command(8, "nothing"),
    *(SPLIT[start : start + 7] for start in range(0, len(SPLIT), 7)),
    command(15, "later", "amid others") + NOTES + frame("tiny/noted", {}, 10),
    frame("tiny/within", {}, WITHIN),
    command(11, "aside", "aside") + command(14, "rest"),
    command(12, "echo", LONG),
    frame("tiny/unknown", {}, 13) + frame("$/unknown", {}) + b"Content-Length: 3\r\n\r\n{x}",
]


@dataclass(frozen=True)
class Told:
    """All that a server said, by the ids of what it answers, and how it ended."""

    answers: dict[int, Any]
    others: int
    returncode: int
    within: Any = field(compare=False)  # how it was made, which patches may change


def converse(pygls_at: Path, way: str, chunks: list[bytes]) -> Told:
    """What a server with the pygls of this folder makes of some bytes that come this way, in as many writes."""
    script = pygls_at / "tiny_server.py"
    script.write_text(SERVER, "utf-8")

    def start(stdin: Any, stdout: Any) -> subprocess.Popen[bytes]:
        env = {**environ, "PYTHONPATH": str(pygls_at)}
        return subprocess.Popen(
            [sys.executable, script], stdin=stdin, stdout=stdout, stderr=subprocess.DEVNULL, env=env
        )

    if way == "file":
        written = pygls_at / "stdin"
        written.write_bytes(b"".join(chunks))
        with written.open("rb") as stdin, start(stdin, subprocess.PIPE) as process:
            assert process.stdout
            messages = list(messages_from(process.stdout))
    elif way == "pipe":
        with start(subprocess.PIPE, subprocess.PIPE) as process:
            assert process.stdin and process.stdout
            messages = exchange(process.stdin, process.stdin.close, process.stdout, chunks)
    else:  # one socket for both, as inetd gives it
        ours, theirs = socket.socketpair()
        with (
            ours,
            theirs,
            start(theirs, theirs) as process,
            ours.makefile("wb") as writer,
            ours.makefile("rb") as reader,
        ):
            theirs.close()
            messages = exchange(writer, lambda: ours.shutdown(socket.SHUT_WR), reader, chunks)
    answers = {message["id"]: answer(message) for message in messages if "id" in message}
    within = answers.pop(WITHIN, None)
    return Told(answers, sum("id" not in message for message in messages), process.returncode, within)


def exchange(writer: IO[bytes], end: Callable[[], object], reader: IO[bytes], chunks: list[bytes]) -> list[Any]:
    """Every message that comes while and after these bytes are written."""

    is_up = threading.Event()

    def write() -> None:
        for chunk in chunks:
            writer.write(chunk)
            writer.flush()
            is_up.wait(20)
            time.sleep(0.005)  # so that each is a read of its own
        end()

    thread = threading.Thread(target=write)
    thread.start()
    messages = []
    for message in messages_from(reader):
        messages.append(message)
        is_up.set()
    is_up.set()
    thread.join()
    return messages


def messages_from(reader: IO[bytes]) -> Iterator[Any]:
    """Every message until the stream ends."""
    while header := reader.readline():
        if header.startswith(b"Content-Length: "):
            length = int(header.split()[1])
        elif header == b"\r\n":
            yield json.loads(reader.read(length))


def answer(message: dict[str, Any]) -> Any:
    """A result, or an error without its traceback."""
    error = message.get("error")
    return message.get("result") if error is None else (error["code"], error["message"])


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Gives a folder with the installed pygls, patched or not; the same one each time."""
    made: dict[str, Path] = {}

    def of(which: str) -> Path:
        if which not in made:
            made[which] = tmp_path_factory.mktemp(f"pygls-{which}")
            package = Path(pygls.__file__).parent
            shutil.copytree(package, made[which] / "pygls", ignore=shutil.ignore_patterns("__pycache__"))
            git(made[which], "init", "--quiet")
            for path in PATCHES:
                if which in (path.name[:4], TOGETHER):
                    git(made[which], "apply", "--whitespace=error-all", str(path))
        return made[which]

    return of


@pytest.fixture(scope="module")
def told(copy: Callable[[str], Path]) -> Callable[[str, str], Told]:
    """What is answered to the talk above, which is held once for each copy and way."""
    made: dict[tuple[str, str], Told] = {}

    def of(which: str, way: str) -> Told:
        if (which, way) not in made:
            made[which, way] = converse(copy(which), way, [*TALK, *END])
        return made[which, way]

    return of


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", "-C", str(folder), *who, *arguments], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr


def test_there_are_patches_and_each_is_described() -> None:
    """The page beside the patches names each of them, and no other."""
    assert re.findall(r"`(\d{4}-[\w.-]+\.patch)`", README) == [path.name for path in PATCHES] != []


@pytest.mark.parametrize("which", PATCHED)
def test_a_patch_applies_to_the_installed_pygls(copy: Callable[[str], Path], which: str) -> None:
    """Each by itself, and all of them in order."""
    for path in PATCHES:
        if which in (path.name[:4], TOGETHER):
            git(copy(which), "apply", "--reverse", "--check", str(path))


def test_patches_can_be_taken_with_their_messages(copy: Callable[[str], Path], tmp_path: Path) -> None:
    """`git am` makes a commit of each."""
    shutil.copytree(copy("none") / "pygls", tmp_path / "pygls", ignore=shutil.ignore_patterns("__pycache__"))
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message=as installed")
    git(tmp_path, "am", "--quiet", *map(str, PATCHES))
    log = subprocess.run(["git", "-C", str(tmp_path), "log", "--format=%s"], capture_output=True, encoding="utf-8")
    assert len(log.stdout.splitlines()) == 1 + len(PATCHES)


def test_the_talk_is_answered(told: Callable[[str, str], Told]) -> None:
    """The unpatched pygls answers all of it, so that the comparisons below have something to compare."""
    answers = told("none", "pipe").answers
    assert answers[1]["serverInfo"] == {"name": "tiny", "version": "1"}
    assert [answers[id] for id in (2, 3, 4, 9, 11)] == ["later", 3, 7, 42, "aside"]
    assert answers[6] == (-32602, "Invalid Params: Expected 2 arguments, got 1")
    assert [answers[id][0] for id in (5, 7, 8, 13)] == [-32602, -32602, -32602, -32601]
    assert answers[10] == [*range(50), 99, 99]  # what waits has its turn before the last of many messages
    assert answers[12] == LONG
    assert (answers[90], told("none", "pipe").returncode) == (None, 0)


@pytest.mark.parametrize(
    ("which", "way"), [*((which, "pipe") for which in PATCHED), ("0001", "file"), (TOGETHER, "socket")]
)
def test_a_patched_pygls_answers_the_same(told: Callable[[str, str], Told], which: str, way: str) -> None:
    """Commands, errors, a message in pieces, 2 MB, many at once, garbage, and the end: as without the patch."""
    assert told(which, way) == told("none", way)


@pytest.mark.parametrize(
    ("which", "way", "within"),
    [
        ("none", "pipe", {"threads": True, "looks": LOOKS, "kinds": 50}),
        ("0001", "pipe", {"threads": False, "looks": LOOKS, "kinds": 50}),
        ("0001", "file", {"threads": True, "looks": LOOKS, "kinds": 50}),
        ("0002", "pipe", {"threads": True, "looks": 2, "kinds": 50}),
        ("0004", "pipe", {"threads": True, "looks": LOOKS, "kinds": 1}),
        (TOGETHER, "pipe", {"threads": False, "looks": 2, "kinds": 1}),
    ],
)
def test_a_patch_does_what_it_is_for(told: Callable[[str, str], Told], which: str, way: str, within: object) -> None:
    """No thread for a pipe, one look at a command after that of its registration, one type for like objects."""
    assert told(which, way).within == within


def test_a_stream_may_end_anywhere(copy: Callable[[str], Path]) -> None:
    """A client that is gone amid a message ends the server, as without the patches."""
    cut = [START, command(2, "echo", "cut")[:-9]]
    assert converse(copy(TOGETHER), "pipe", cut) == converse(copy("none"), "pipe", cut)
