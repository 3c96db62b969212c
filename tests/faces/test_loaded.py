"""What a server and the cheap verbs load: only what each uses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_S
from tests.support.wire import frame
from tests.support.workspaces import git, make_git_repo, make_workspace, write_files

SERVER = ("asyncio", "pygls", "lsprotocol.types", "cattrs", "msgspec")
PARSERS = ("yaml", "jsonschema_rs")
COMMAND_LINE = ("click",)
RARE = (
    *("rapidfuzz", "rich", "mcp", "anyio", "pydantic", "tree_sitter", "ast_grep_py", "pyarrow", "zstandard", "sqlite3"),
    "pathspec",
    *("intentls.faces.mcp", "intentls.faces.hook", "intentls.faces.cli.commands.init"),
    *(
        "intentls.engine.ledger.archive",
        "intentls.engine.export.export",
        "intentls.engine.ledger.import_records",
        "intentls.engine.intents.accept",
    ),
    *(
        "intentls.engine.setup.doctor",
        "intentls.engine.setup.init",
        "intentls.engine.branch_check",
        "intentls.engine.tools.shell_changes",
    ),
    "intentls.core.mutation.classify",
)
ENGINE = (
    "intentls.engine.workspace.engine",
    "intentls.store.ledger.ledger",
    "intentls.core.ledger.verifier",
    "msgspec",
)
NOT_FOR_A_START = (
    *("intentls.engine.blame.blame", "intentls.engine.edits.guard", "intentls.engine.records.record_writer"),
    *("intentls.engine.ledger.queries", "intentls.engine.tools.host_tools", "intentls.engine.intents.lessons"),
    *("intentls.faces.lsp.features.hover", "intentls.faces.lsp.features.completion", "intentls.core.syntax.tree"),
)
"""What a server loads with the first request for it."""
WATCHED = (*SERVER, *PARSERS, *COMMAND_LINE, *RARE, *ENGINE, *NOT_FOR_A_START)
PROGRAM = f"""
import atexit, os, sys
from intentls.__main__ import run
write, first = os.write, []
def watched(fd, data):
    if fd == 1 and not first:
        first.extend(name for name in sys.modules if name in {WATCHED!r} or name.startswith("intentls"))
    return write(fd, data)
os.write = watched
def tell():
    loaded = [name for name in {WATCHED!r} if name in sys.modules]
    print(repr((first, loaded)), file=sys.stderr)
atexit.register(tell)
run()
"""


def modules(folder: Path, *arguments: str, said: bytes = b"") -> tuple[int, set[str], set[str]]:
    """The exit code, what was loaded when the first byte was answered, and what of `WATCHED` at the end."""
    command = [sys.executable, "-c", PROGRAM, *arguments]
    done = subprocess.run(command, input=said, capture_output=True, cwd=folder, timeout=PATIENCE_S)
    first, loaded = eval(done.stderr.decode().splitlines()[-1])
    return done.returncode, set(first), set(loaded)


def session(root: Path) -> bytes:
    """All that a client says from `initialize` to `exit`."""
    params = {"processId": None, "rootUri": root.as_uri(), "capabilities": {}}
    said = ({"id": 1, "method": "initialize", "params": params}, {"method": "initialized", "params": {}})
    ended = ({"id": 2, "method": "shutdown"}, {"method": "exit"})
    return b"".join(frame(json.dumps({"jsonrpc": "2.0", **each}).encode()) for each in (*said, *ended))


@pytest.mark.parametrize("arguments", [["serve"], ["serve", "--stdio"]])
def test_a_server_loads_no_command_line(tmp_path: Path, arguments: list[str]) -> None:
    """As editors call it, only what it uses is loaded: the first command waits for all of it."""
    root = make_workspace(tmp_path / "work")
    code, _, loaded = modules(root, *arguments, said=session(root))
    assert code == 0
    assert loaded <= {*SERVER, *PARSERS, *ENGINE}


def test_with_options_a_server_loads_the_command_line_as_well(tmp_path: Path) -> None:
    """How much to log is read from the options."""
    root = make_workspace(tmp_path / "work")
    code, _, loaded = modules(root, "serve", "--log-level", "error", said=session(root))
    assert code == 0
    assert loaded <= {*SERVER, *PARSERS, *ENGINE, *COMMAND_LINE}


def test_the_newest_records_come_without_command_line_and_engine(tmp_path: Path) -> None:
    """What programs ask often: the ledger's own modules are loaded, and no parser, options, gate or policy."""
    root = make_workspace(tmp_path / "work")
    assert modules(root, "status")[0] == 0  # opened once, so that there is nothing left to make
    code, first, loaded = modules(root, "trace", "log", "--json", "--limit", "5")
    assert code == 0
    assert loaded <= {"msgspec", "intentls.store.ledger.ledger", "intentls.core.ledger.verifier"}
    assert not any(name.startswith(("intentls.core.gate", "intentls.engine.workspace")) for name in first)


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (["--version"], {*COMMAND_LINE}),
        (["status", "--json"], {*PARSERS, *ENGINE}),
        (["blame", "src/api/weather.py", "--json"], {*PARSERS, *ENGINE, "rapidfuzz"}),
        (["check", "src/api/weather.py", "--json"], {*COMMAND_LINE, *PARSERS, *ENGINE}),
    ],
)
def test_a_cheap_verb_loads_no_server(tmp_path: Path, arguments: list[str], allowed: set[str]) -> None:
    """A verb that only looks loads neither the protocol nor what other verbs need."""
    code, _, loaded = modules(make_workspace(tmp_path / "work"), *arguments)
    assert code in (0, 1)
    assert loaded <= {*allowed, *NOT_FOR_A_START}


def test_a_check_before_a_commit_loads_no_command_line(tmp_path: Path) -> None:
    """As git's hook asks, with findings to tell; the parsers are for the declarations of the branch."""
    root = make_git_repo(make_workspace(tmp_path / "work"))
    write_files(root, {"src/api/weather.py": "RAIN = 1\n"})
    git(root, "add", "--all")
    code, _, loaded = modules(root, "check", "--staged")
    assert code == 1
    assert loaded <= {*PARSERS, *ENGINE, "intentls.engine.branch_check"}
