"""Configuration that means harm, through a real server: it is named, the gate closes, and the fix opens it again."""

from __future__ import annotations

import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.patience import eventually
from tests.support.session import Json, Session, session
from tests.support.workspaces import WEATHER_INTENTS, make_workspace

INTENTS = ".orchestration/active_intents.yaml"
FILE = "src/api/weather.py"
FINE = {"status": "ok", "allowed": True}
_LAUGHS = "\n".join(f"x{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9) if n else 'lol'}]" for n in range(10))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """One server for all: each test finds the workspace whole, and the next one shows whether it healed."""
    root = make_workspace(tmp_path_factory.mktemp("hostile") / "w", policy="hitl: deny\n")
    with session(root) as started:
        started.do("selectActiveIntent", intent_id="INT-001")
        yield started


@pytest.fixture(autouse=True)
def _whole_before_and_after(server: Session) -> Iterator[None]:
    """The gate is open before a test and, once the file is as it was, at once after it."""
    assert server.do("checkEdit", path=FILE) == FINE
    yield
    restore(server.root)
    assert server.do("checkEdit", path=FILE) == FINE, "fixing the file did not heal it"


def restore(root: Path) -> None:
    for name, content in {INTENTS: WEATHER_INTENTS, ".orchestration/policy.yaml": "hitl: deny\n"}.items():
        clear(root / name)
        (root / name).write_text(content)
    for name in (".intentignore", ".orchestration/.intentignore", "src/api/new.py"):
        clear(root / name)


def clear(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def closed(server: Session) -> str:
    """The sentence with which a write, an announced tool and a look at the gate are all refused now."""
    calls: list[tuple[str, Json]] = [
        ("writeToFile", {"path": "src/api/new.py", "content": "x"}),
        ("preToolUse", {"tool_name": "execute_command", "params": {"command": "true"}}),
        ("checkEdit", {"path": FILE}),
    ]
    for command, arguments in calls:
        answer = server.do(command, **arguments)
        assert (answer["status"], answer["error_type"], answer["code"]) == ("error", "HOOK_BLOCKED", "HOOK_ERROR")
        assert answer["action_hint"] == "fix_configuration"
    assert not (server.root / "src/api/new.py").exists()
    return str(answer["error"])


# -- contents


@pytest.mark.parametrize(
    ("content", "code"),
    [
        pytest.param(_LAUGHS.encode(), "alias-bomb", id="an alias bomb"),
        pytest.param(b"active_intents: &a\n  - *a\n", "alias-bomb", id="a value that contains itself"),
        pytest.param(b"# " + b"x" * 5 * 2**20, "too-large", id="five MiB"),
        pytest.param(b"active_intents: " + b"[" * 5000, "unsupported-yaml", id="deep nesting"),
        pytest.param(
            b"active_intents:\n  - {id: A, name: !!python/object:os.system x}\n", "unsupported-yaml", id="a tag"
        ),
        pytest.param(
            b"a: !!python/object/apply:os.system ['touch RAN']\nactive_intents: []\n", "unsupported-yaml", id="a call"
        ),
        pytest.param(b"active_intents: []\0\n", "yaml-syntax", id="a NUL"),
        pytest.param(WEATHER_INTENTS.encode("utf-16"), "not-utf8", id="UTF-16"),
        pytest.param(b"\xef\xbb\xbf\xef\xbb\xbfactive_intents: []\n", "yaml-syntax", id="two byte order marks"),
        pytest.param(WEATHER_INTENTS.encode() + b"active_intents: []\n", "duplicate-key", id="a key twice"),
        pytest.param(
            WEATHER_INTENTS.encode() + b"  - {id: INT-001, owned_scope: ['**']}\n", "duplicate-id", id="an id twice"
        ),
        pytest.param(WEATHER_INTENTS.encode() + b"---\nactive_intents: []\n", "unsupported-yaml", id="two documents"),
        pytest.param(
            b"active_intents:\n  - {id: A, owned_scope: ['" + b"{a,b}" * 24 + b"']}\n", "bad-glob", id="brace bomb"
        ),
        pytest.param(b"active_intents:\n  - {id: A, owned_scope: ['../**']}\n", "bad-glob", id="a glob that escapes"),
        pytest.param(b"active_intents:\n  - id: " + b"x" * 3 * 2**20 + b" y\n", "bad-value", id="a line of three MiB"),
        pytest.param(b"<<: {active_intents: []}\nactive_intents: []\n", "unsupported-yaml", id="a merge key"),
    ],
)
def test_hostile_intents_are_named_and_close_the_gate(server: Session, content: bytes, code: str) -> None:
    """Each is an error diagnostic in the editor and a refusal for whoever wants to write."""
    (server.root / INTENTS).write_bytes(content)
    assert INTENTS in closed(server)
    server.open(INTENTS, content.decode("utf-16" if content.startswith(b"\xff\xfe") else "utf-8"))
    uri = server.uri(INTENTS)
    shown = server.wire.expect_notification(
        "textDocument/publishDiagnostics",
        # those of the file while it was closed, which may still be under way, have no version
        lambda params: params["uri"] == uri and bool(params["diagnostics"]) and "version" in params,
    )
    errors = [item for item in shown["diagnostics"] if item["severity"] == 1]
    assert code in {item["code"] for item in errors}, shown
    assert all(len(item["message"]) < 1000 for item in errors)
    server.close(INTENTS)
    assert not (server.root / "RAN").exists()


# -- what is no file


def _socket(path: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # a socket's own path may be 108 bytes long
    try:
        socket.socket(socket.AF_UNIX).bind(path.name)
    finally:
        os.chdir(here)


OBSTACLES: dict[str, Callable[[Path], object]] = {
    "a folder": lambda path: path.mkdir(),
    "a FIFO": os.mkfifo,
    "a socket": _socket,
    "a link to nothing": lambda path: path.symlink_to("nowhere"),
    "a link to a device": lambda path: path.symlink_to("/dev/zero"),
    "a link to itself": lambda path: path.symlink_to(path.name),
}


@pytest.mark.parametrize(
    "name", [INTENTS, ".orchestration/policy.yaml", ".intentignore", ".orchestration/.intentignore"]
)
@pytest.mark.parametrize("kind", OBSTACLES)
def test_what_is_no_file_neither_hangs_nor_opens_the_gate(server: Session, name: str, kind: str) -> None:
    """A configuration file that can't be read might forbid anything: nothing may be written until it can be."""
    clear(server.root / name)
    OBSTACLES[kind](server.root / name)
    assert f"{name} can't be read" in closed(server)
    assert server.do("getActiveIntent")["state"] == "ACTIVE"


@pytest.mark.parametrize(
    "name", [INTENTS, ".orchestration/policy.yaml", ".intentignore", ".orchestration/.intentignore"]
)
def test_a_declared_file_that_is_a_link_into_the_scope_closes_the_gate(server: Session, name: str) -> None:
    """An edit in scope could change what the workspace declares; its target holds nothing that counts."""
    target = server.root / "docs/target"
    target.write_text("mode: advise\non_invalid: allow\n" if name.endswith("policy.yaml") else "")
    if name == INTENTS:
        target.write_bytes((server.root / INTENTS).read_bytes())
    clear(server.root / name)
    (server.root / name).symlink_to(target)
    assert f"{name} can't be read (it is a symbolic link" in closed(server)


def test_intents_that_are_another_programs_file_close_the_gate(server: Session) -> None:
    """A link to /etc/passwd is not followed, and the refusal quotes nothing of it."""
    clear(server.root / INTENTS)
    (server.root / INTENTS).symlink_to("/etc/passwd")
    assert "root" not in closed(server)


def test_a_deleted_intents_file_closes_the_gate(server: Session) -> None:
    """Where the ledger has records, no intents means that somebody took them away."""
    server.do("writeToFile", path="docs/design.md", content="x")
    clear(server.root / INTENTS)
    assert "is gone" in closed(server)


def test_an_endless_intentignore_closes_the_gate(server: Session) -> None:
    """More patterns than can be used in time are refused as a whole, never used in part."""
    (server.root / ".intentignore").write_text("".join(f"*a{number}*b\n" for number in range(30_000)))
    assert ".intentignore can't be read (it has more than" in closed(server)


@pytest.mark.parametrize(
    "content", [b"*.py\0\n", b"\xff\xfe*\0.\0p\0y\0", b"\xef\xbb\xbf*.py\n", b"[" * 100_000, b"*a" * 50_000]
)
def test_any_bytes_are_an_intentignore(server: Session, content: bytes) -> None:
    """As for git, no line is wrong; a pattern that means nothing excludes nothing, and the answer comes."""
    (server.root / ".intentignore").write_bytes(content)
    blocked = content.startswith(b"\xef\xbb\xbf")
    assert (server.do("checkEdit", path=FILE) != FINE) == blocked


def test_derived_files_that_are_no_files_stop_nobody(server: Session) -> None:
    """Folders and FIFOs in place of what the engine derives cost their content, nothing else."""
    folder = server.root / ".orchestration"
    for name, kind in {"AGENT.md": "a FIFO", "intent_map.md": "a folder", "spatial_map.json": "a FIFO"}.items():
        clear(folder / name)
        OBSTACLES[kind](folder / name)
    try:
        assert server.do("selectActiveIntent", intent_id="INT-001")["status"] == "ok"
        assert server.do("writeToFile", path="src/api/derived.py", content="x\n")["status"] == "ok"
    finally:
        for name in ("AGENT.md", "intent_map.md", "spatial_map.json"):
            clear(folder / name)


def test_a_fifo_that_somebody_writes_to_is_no_file_either(server: Session) -> None:
    """Not even a FIFO that would answer is read from."""
    clear(server.root / INTENTS)
    os.mkfifo(server.root / INTENTS)
    threading.Thread(target=_feed, args=(server.root / INTENTS,), daemon=True).start()
    assert "it is a FIFO" in closed(server)


def _feed(fifo: Path) -> None:
    descriptor = os.open(fifo, os.O_RDWR)
    os.write(descriptor, WEATHER_INTENTS.encode())
    eventually(lambda: not fifo.is_fifo())
    os.close(descriptor)
