"""`intentls list`, `select`, `check`: seeing what there is to do, and taking it up."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.faces.cli.conftest import Cli
from tests.support.agent_edits import Agent
from tests.support.workspaces import make_workspace

pytestmark = pytest.mark.usefixtures("each_store")


def test_list_shows_every_intent(cli: Cli, here: Path) -> None:
    """Id, status, name and scope, one intent a line, in the file's order."""
    found = cli("list")
    assert found.code == 0
    assert [line.split()[0] for line in found.lines] == ["id", "INT-001", "INT-002", "INT-003"]
    assert found.lines[1].endswith("src/api/**, tests/api/*.py, !src/api/generated/**")
    assert found.lines[3].split()[:2] == ["INT-003", "COMPLETED"]


def test_list_can_leave_out_what_is_closed(cli: Cli, here: Path) -> None:
    """--open shows what may be worked on, for people and for programs."""
    assert "INT-003" not in cli("list", "--open").out
    assert [intent["id"] for intent in cli("list", "--open", "--json").json["intents"]] == ["INT-001", "INT-002"]


def test_list_marks_what_is_ignored(cli: Cli, tmp_path: Path) -> None:
    """An intent that .intentignore takes out of use is shown as that."""
    root = make_workspace(tmp_path / "w", ignore="intent: INT-002\n")
    assert "INT-002  IGNORED" in cli("list", "--root", root).out


def test_list_shows_what_it_can_of_a_broken_file(cli: Cli, tmp_path: Path) -> None:
    """The intents that could be read, the mistake on stderr, and exit code 2."""
    root = make_workspace(tmp_path / "w", "active_intents:\n  - {id: A, status: OPEN}\n  - {id: B}\n")
    found = cli("list", "--json", "--root", root)
    assert found.code == 2
    assert [intent["id"] for intent in found.json["intents"]] == ["B"]
    assert "line 2" in found.err


@pytest.mark.parametrize(("text", "says"), [("active_intents: []\n", "No intent is declared."), ("", "No intent")])
def test_list_says_that_there_is_nothing(cli: Cli, tmp_path: Path, text: str, says: str) -> None:
    """An empty list is a sentence, not an empty screen."""
    found = cli("list", "--root", make_workspace(tmp_path / "w", text))
    assert (found.code, found.out) == (0, "")
    assert says in found.err


def test_an_agents_shell_selects_for_its_own_session_alone(
    cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an agent starts can't choose another session's intent, nor take it away."""
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "agent-1")
    for arguments in (("INT-001", "--session", "a-person"), ("--clear", "--session", "a-person")):
        refused = cli("select", *arguments)
        assert (refused.code, "An agent selects for its own session (agent-1) alone" in refused.err) == (2, True)
    assert cli("status", "--json").json["roots"][0]["sessions"] == []
    assert cli("select", "INT-001", "--session", "agent-1").code == 0


def test_select_prints_the_context_and_nothing_else(cli: Cli, here: Path) -> None:
    """stdout is the well-formed context, so that it can be piped to an agent."""
    found = cli("select", "INT-001", "--session", "agent-1", "--mutation-class", "BUG_FIX", "--model", "m/x")
    assert found.code == 0
    context = ET.fromstring(found.out)
    assert (context.findtext("intent_id"), context.findtext("mutation_class")) == ("INT-001", "BUG_FIX")
    assert found.err == "intentls: agent-1 works under INT-001 now.\n"
    session = cli("status", "--json").json["roots"][0]["sessions"][0]
    assert session["session_id"] == "agent-1"
    assert (session["intent_id"], session["model_identifier"], session["face"]) == ("INT-001", "m/x", "cli")


def test_select_answers_programs_as_the_server_does(cli: Cli, here: Path) -> None:
    """--json has the keys of `intent.selectActiveIntent`."""
    answer = cli("select", "INT-001", "--session", "a", "--json").json
    assert set(answer) == {"status", "intent_id", "session_id", "context", "truncated"}


def test_select_knows_its_session_from_the_environment(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """INTENTLS_SESSION spares --session."""
    monkeypatch.setenv("INTENTLS_SESSION", "from-outside")
    assert cli("select", "INT-002", "--json").json["session_id"] == "from-outside"


@pytest.mark.parametrize(
    ("intent", "code", "says"),
    [
        ("INT-009", "INTENT_NOT_FOUND", "Open intents: INT-001."),
        ("INT-003", "INTENT_CLOSED", "COMPLETED"),
        ("INT-002", "INTENT_IGNORED", "Intent INT-002 is excluded by .intentignore."),
    ],
)
def test_a_refused_selection_is_exit_code_1(cli: Cli, tmp_path: Path, intent: str, code: str, says: str) -> None:
    """The refusal is a sentence with what could be selected instead; for programs it is the refusal's JSON."""
    root = make_workspace(tmp_path / "w", ignore="intent: INT-002\n")
    found = cli("select", intent, "--session", "a", "--root", root)
    assert (found.code, found.out, found.err.count("\n")) == (1, "", 1)
    assert says in found.err
    answer = cli("select", intent, "--session", "a", "--root", root, "--json")
    assert (answer.code, answer.err, answer.json["code"]) == (1, "", code)


def test_a_broken_configuration_refuses_without_alternatives(cli: Cli, tmp_path: Path) -> None:
    """Where the file must be mended first, no other intent is offered."""
    root = make_workspace(tmp_path / "w", "active_intents:\n  - {id: A}\n  - {id: A}\n")
    found = cli("select", "A", "--session", "a", "--root", root)
    assert found.code == 1
    assert "Open intents" not in found.err


def test_clear_hands_the_intent_back(cli: Cli, here: Path) -> None:
    """After --clear the session is idle, and may be cleared again."""
    cli("select", "INT-001", "--session", "a")
    assert cli("select", "--clear", "--session", "a").code == 0
    assert cli("status", "--json").json["roots"][0]["sessions"][0]["intent_id"] is None
    assert cli("select", "--clear", "--session", "a", "--json").json["state"] == "IDLE"


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("INT-001", "--model", "m"),
        ("--session", "a"),
        ("INT-001", "--clear"),
        ("INT-001", "--clear", "--session", "a"),
    ],
)
def test_a_selection_that_makes_no_sense_is_exit_code_2(cli: Cli, here: Path, arguments: tuple[str, ...]) -> None:
    """No intent, a model without a session, or an intent to hand back: said before anything is done."""
    found = cli("select", *arguments)
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert cli("status", "--json").json["roots"][0]["sessions"] == []


def test_check_judges_each_path_under_an_intent(cli: Cli, here: Path) -> None:
    """In scope: allowed. Out of scope: refused, with the reason and the owners. Any refusal: exit code 1."""
    found = cli("check", "src/api/new.py", "docs/design.md", "--intent", "INT-001")
    assert found.code == 1
    assert found.lines[:2] == ["allowed  src/api/new.py", "refused  docs/design.md  SCOPE_VIOLATION"]
    assert "In the scope of INT-002." in found.lines[2]
    assert cli("check", "src/api/new.py", "--intent", "INT-001").code == 0


def test_check_answers_programs_as_the_server_does(cli: Cli, here: Path) -> None:
    """--json has, for each path, the answer of `intent.checkEdit`."""
    found = cli("check", "src/api/new.py", ".git/config", "../x", "--intent", "INT-001", "--json")
    assert (found.code, found.json["allowed"]) == (1, False)
    first, second, third = found.json["checks"]
    assert first == {"path": "src/api/new.py", "status": "ok", "allowed": True}
    assert (second["path"], second["code"], second["paths"]) == (".git/config", "PROTECTED_PATH", [".git/config"])
    assert third["code"] == "PATH_OUTSIDE_WORKSPACE"


@pytest.mark.parametrize(
    ("intent", "code"),
    [("INT-009", "INTENT_NOT_FOUND"), ("INT-003", "INTENT_CLOSED"), ("INT-001", "SCOPE_VIOLATION")],
)
def test_check_judges_the_intent_too(cli: Cli, here: Path, intent: str, code: str) -> None:
    """Unknown and closed intents open nothing."""
    assert cli("check", "prototype/main.py", "--intent", intent, "--json").json["checks"][0]["code"] == code


def test_check_judges_a_session_with_what_it_knows(cli: Cli, here: Path) -> None:
    """A session's intent counts, and so does what it has read: a file that changed since is stale."""
    Agent(here, "a").select("INT-001").write("src/api/new.py", "one\n")
    assert cli("check", "src/api/new.py", "--session", "a").code == 0
    (here / "src/api/new.py").write_text("two\n")
    assert cli("check", "src/api/new.py", "--session", "a", "--json").json["checks"][0]["code"] == "STALE_CONTEXT"
    assert cli("check", "src/api/new.py", "--intent", "INT-001").code == 0


def test_check_under_an_intent_needs_no_reading_first(cli: Cli, tmp_path: Path) -> None:
    """Under `require_base` a session must have read the file; the question about an intent is not about that."""
    root = make_workspace(tmp_path / "w", policy="require_base: true\n")
    cli("select", "INT-001", "--session", "a", "--root", root)
    path = "src/api/weather.py"
    refused = cli("check", path, "--session", "a", "--root", root, "--json").json["checks"][0]
    assert refused["code"] == "BASE_HASH_REQUIRED"
    assert cli("check", path, "--intent", "INT-001", "--root", root).code == 0


def test_check_without_anybody_says_who_could(cli: Cli, here: Path) -> None:
    """Nobody may edit without an intent; the answer names the open intents whose scope has the path."""
    answer = cli("check", "docs/design.md", "--json")
    assert answer.code == 1
    assert (answer.json["checks"][0]["code"], answer.json["checks"][0]["owners"]) == ("INTENT_REQUIRED", ["INT-002"])
    assert "In the scope of INT-002." in cli("check", "docs/design.md").out


def test_check_lets_reading_tools_pass(cli: Cli, here: Path) -> None:
    """--tool says who would do it; what only reads always may."""
    assert cli("check", "docs/design.md", "--tool", "read_file").code == 0
    assert cli("check", "docs/design.md", "--tool", "delete_file").code == 1


def test_check_writes_nothing(cli: Cli, here: Path) -> None:
    """Neither a record nor a session is left behind."""
    cli("check", "docs/design.md", "--intent", "INT-001")
    assert not (here / ".orchestration/agent_trace.jsonl").exists()
    assert cli("status", "--json").json["roots"][0]["sessions"] == []


def test_check_follows_the_policy(cli: Cli, tmp_path: Path) -> None:
    """Where policy only advises nothing is refused but what is never writable."""
    root = make_workspace(tmp_path / "w", policy="mode: advise\n")
    assert cli("check", "docs/design.md", "--intent", "INT-001", "--root", root).code == 0
    assert cli("check", ".git/config", "--intent", "INT-001", "--root", root).code == 1


def test_a_session_and_an_intent_exclude_each_other(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both on the line are a mistake; one that only the environment names gives way."""
    assert cli("check", "docs/design.md", "--session", "a", "--intent", "INT-002").code == 2
    monkeypatch.setenv("INTENTLS_SESSION", "a")
    assert cli("check", "docs/design.md", "--intent", "INT-002").code == 0


def test_paths_begin_where_one_stands(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    """Relative to the current folder inside the root, to the root from outside; absolute and URI everywhere."""
    cli.cd(workspace / "src" / "api")
    target = workspace / "src" / "api" / "weather.py"
    for path in ("weather.py", "../api/weather.py", str(target), target.as_uri()):
        assert cli("check", path, "--intent", "INT-001").code == 0
    assert cli("check", "src/api/weather.py", "--intent", "INT-002", "--json").json["checks"][0]["paths"] == [
        "src/api/src/api/weather.py"
    ]
    cli.cd(tmp_path)
    assert cli("check", "src/api/weather.py", "--intent", "INT-001", "--root", workspace).code == 0
