"""What all verbs share: help, errors, exit codes, and that little is loaded."""

from __future__ import annotations

import errno
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from intentls.faces.cli import main
from intentls.faces.cli.commands import trace
from intentls.faces.cli.lazy_group import LazyGroup
from intentls.store.layout import Layout
from tests.faces.cli.conftest import Cli
from tests.support.markdown import Page, code
from tests.support.patience import PATIENCE_S

PAGE = Page.read(Path(__file__).parents[3] / "docs" / "reference" / "cli.md")
# What takes long to import. `rich` is for the demo and for a bar on a terminal.
HEAVY = (
    "pygls",
    "lsprotocol",
    "cattrs",
    "asyncio",
    "rich",
    "jsonschema_rs",
    "yaml",
    "rapidfuzz",
    "msgspec",
    "subprocess",
    "mcp",
    "pydantic",
)
ENGINE = {"jsonschema_rs", "yaml", "rapidfuzz", "msgspec"}
LOADED = {
    "--help": set(),
    "--version": set(),
    "trace --help": set(),
    "mcp --help": set(),
    "init": {*ENGINE, "subprocess"},  # it reads the policy, and moves an older ledger over
    "status": {*ENGINE, "subprocess"},
    "list": ENGINE,
    "select INT-001 --session a": ENGINE,
    "check src/api/weather.py --intent INT-001": ENGINE,
    "trace log": {*ENGINE, "subprocess"},
    "trace verify": {*ENGINE, "subprocess"},
    "blame src/api/weather.py": {*ENGINE, "subprocess"},
    "map": ENGINE,
    "map --rebuild": {*ENGINE, "subprocess"},
    "lessons": {*ENGINE, "subprocess"},
    "doctor": {*ENGINE, "subprocess"},
}
# Those that begin something, and those whose output is a protocol of its own.
NOT_READING = {
    "serve",
    "daemon",
    "coordination serve",
    "demo",
    "init",
    "hook",
    "mcp",
    "classify",
}  # or not of a workspace
GOVERNED = [
    "status",
    "list",
    "select INT-001 --session a",
    "check a.py",
    "trace log",
    "trace verify",
    "blame a.py",
    "map",
    "lessons",
    "doctor",
]


def verbs() -> Iterator[tuple[str, click.Command]]:
    """Every verb that does something, with its full name."""
    for name in main._VERBS:
        command = main.cli.get_command(click.Context(main.cli), name)
        assert command is not None
        if isinstance(command, LazyGroup):
            for inner in command.list_commands(click.Context(command)):
                found = command.get_command(click.Context(command), inner)
                assert found is not None
                yield f"{name} {inner}", found
        else:
            yield name, command


VERBS = dict(verbs())


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself_with_an_example(cli: Cli, verb: str) -> None:
    """`intentls VERB --help` says what it is for and shows how it is called."""
    found = cli(*verb.split(), "--help")
    assert found.code == 0
    assert re.search(rf"^ +intentls {verb}\b", found.out.partition("Example:\n")[2], flags=re.MULTILINE)
    assert all(option.help for option in VERBS[verb].params if isinstance(option, click.Option))


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_documented_with_all_its_options(verb: str) -> None:
    """docs/reference/cli.md has a section for each verb, and names each of its options there and no others."""
    section = PAGE.section(f"intentls {verb}")
    shown = {code(row[0])[0].split()[0] for row in section.rows("option")}
    known = {option.opts[0] for option in VERBS[verb].params if isinstance(option, click.Option)}
    assert shown == known


@pytest.mark.parametrize("verb", sorted(set(VERBS) - NOT_READING))
def test_every_verb_that_reads_speaks_json(verb: str) -> None:
    """`--json` and `--root` are there for each verb that works on a workspace."""
    assert {"--json", "--root"} <= {option.opts[0] for option in VERBS[verb].params}


def test_help_lists_the_verbs_in_the_order_of_the_table(cli: Cli) -> None:
    """One line of help for each verb, and the exit codes."""
    found = cli("--help")
    listed = re.findall(r"^  ([a-z][a-z-]*)  ", found.out, flags=re.MULTILINE)
    assert listed == list(main._VERBS)
    assert "Exit codes: 0 fine" in found.out
    assert re.findall(r"^  ([a-z]+)  ", cli("trace", "--help").out, flags=re.MULTILINE) == list(trace._VERBS)


@pytest.mark.parametrize("call", LOADED)
def test_a_verb_loads_only_what_it_uses(workspace: Path, call: str) -> None:
    """No verb pays for a library that another one needs: the protocol's is never loaded, `rich` only for a bar."""
    program = (
        "import sys; from intentls.faces.cli import main; code = main._code(sys.argv[1:]);"
        f"print(code, *(name for name in {HEAVY!r} if name in sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *call.split()],
        cwd=workspace,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    exit_code, *loaded = done.stderr.splitlines()[-1].split()
    assert (exit_code, set(loaded) - LOADED[call]) == ("0", set())


@pytest.mark.parametrize("call", GOVERNED)
@pytest.mark.parametrize("flag", ["", "--json"])
def test_outside_governance_a_verb_says_so_in_one_sentence(cli: Cli, tmp_path: Path, call: str, flag: str) -> None:
    """Nothing to work on is exit code 2, with a sentence that says where was looked and what to do."""
    cli.cd(tmp_path)
    found = cli(*call.split(), *flag.split())
    assert found.code == 2
    assert found.err.count("\n") == 1
    assert str(tmp_path) in found.err
    assert "intentls init" in found.err
    assert not list(tmp_path.iterdir())
    assert found.out == "" or call == "doctor"


def test_a_root_is_found_from_below_and_named_from_anywhere(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    """From a folder inside the root, or with --root from outside, a verb works on the same root."""
    below = workspace / "src" / "api"
    for folder, option in ((workspace, ()), (below, ()), (tmp_path, ("--root", workspace))):
        cli.cd(folder)
        assert cli("status", "--json", *option).json["roots"][0]["root"] == str(workspace)


def test_a_named_root_must_be_one(cli: Cli, here: Path) -> None:
    """--root with a folder that is none does not fall back to one above it."""
    found = cli("list", "--root", here / "src")
    assert (found.code, found.out) == (2, "")
    assert "is no root" in found.err


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (["frob"], "No such command 'frob'. See `intentls --help`."),
        (["list", "--frob"], "See `intentls list --help`."),
        (["check"], "Say what to judge: PATHs, or a branch with --base REF"),
        (["trace", "log", "--limit", "0"], "See `intentls trace log --help`."),
        (["trace", "log", "--since", "yesterday"], "--since: 'yesterday' is no RFC 3339 time"),
        (["select", "INT-001", "--session", "a", "--mutation-class", "BIG"], "mutation_class: unknown class 'BIG'"),
        (["select", "INT-001", "--session", "a" * 600], "session_id: has 600 characters"),
        (["blame", "nowhere.py"], "nowhere.py does not exist"),
        (["blame", "src"], "'src' is a folder"),
        (["list", "--root", "/nowhere/at/all"], "does not exist"),
    ],
)
def test_wrong_usage_is_one_sentence_and_code_2(cli: Cli, here: Path, call: list[str], says: str) -> None:
    """What was wrong, and where to read on; never a page of usage, never a traceback."""
    found = cli(*call)
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert found.err.startswith("intentls: ")
    assert says in found.err


def test_without_a_verb_there_is_help_and_code_2(cli: Cli) -> None:
    """`intentls` alone shows what it can do."""
    found = cli()
    assert found.code == 2
    assert "Commands:" in found.err


def test_a_bug_is_one_sentence_and_a_log(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Exit code 3; the sentence names a file that has the traceback."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug \udcff")

    monkeypatch.setattr("intentls.faces.cli.commands.status.status", broken)
    found = cli("status")
    assert (found.code, found.out, found.err.count("\n")) == (3, "", 1)
    log = Path(found.err.split()[-1])
    assert "ZeroDivisionError: a bug" in log.read_text("utf-8")


def test_a_state_folder_that_cannot_be_is_a_sentence(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the engine's own state can't be kept, the sentence names the place and what to do."""

    def refuse(layout: Layout) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(layout.state))

    monkeypatch.setattr("intentls.engine.workspace.workspace.prepare_state", refuse)
    found = cli("list")
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert ".state can't be used (the file system is read-only)" in found.err


def test_warnings_of_the_engine_are_sentences(cli: Cli, here: Path) -> None:
    """What the engine logs as a warning is shown on stderr on one line, and stdout stays JSON."""
    cli("select", "INT-001", "--session", "a")
    (session,) = (here / ".orchestration" / ".state" / "sessions").glob("*.json")
    session.write_text("{broken")
    found = cli("status", "--json")
    assert found.json["roots"][0]["sessions"] == []
    assert found.err.startswith("intentls: session file")
    assert found.err.count("\n") == 1
