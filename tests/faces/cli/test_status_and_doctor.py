"""`intentls status` and `doctor`: how things stand, and what stands in the way."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from intentls.engine.agents.install_hooks import AGENTS
from intentls.engine.setup import doctor
from intentls.store.setup import environment
from tests.faces.cli.conftest import Cli
from tests.support.agent_edits import Agent
from tests.support.workspaces import commit_all, git, make_git_repo, make_workspace, write_files

LEDGER = ".orchestration/agent_trace.jsonl"


def root_of(cli: Cli, *arguments: str | Path) -> dict[str, Any]:
    (found,) = cli("status", "--json", *arguments).json["roots"]
    answer: dict[str, Any] = found
    return answer


def test_status_of_a_workspace_at_rest(cli: Cli, here: Path) -> None:
    """Root, policy, intents, an empty ledger, nobody at work."""
    found = cli("status")
    assert (found.code, found.err) == (0, "")
    assert dict(line.split(maxsplit=1) for line in found.lines) == {
        "root": str(here),
        "policy": "enforce",
        "intents": "3 declared, 2 open",
        "ledger": "empty",
        "sessions": "nobody is at work",
    }


@pytest.mark.usefixtures("each_store")
def test_status_shows_who_works_on_what(cli: Cli, here: Path) -> None:
    """Sessions with their intent and model, the files they are changing, and a ledger that was verified."""
    Agent(here, "agent-1").select("INT-001").write("src/api/rain.py", "x\n")
    Agent(here, "idle").select("INT-002")
    cli("select", "--clear", "--session", "idle")
    found = cli("status")
    assert found.code == 0
    assert re.search("^ledger +1 record, ", found.out, re.MULTILINE)
    assert found.out.count("verified") == 1
    assert re.search("^sessions +1 session at work", found.out, re.MULTILINE)
    assert "  INT-001  agent-1  anthropic/claude-opus-4-5  cli" in found.out
    assert "  INT-001  agent-1  src/api/rain.py" in found.out
    answer = root_of(cli)
    assert [session["intent_id"] for session in answer["sessions"]] == ["INT-001", None]
    assert [work["path"] for work in answer["at_work"]] == ["src/api/rain.py"]
    assert answer["ledger"] | {"bytes": 0} == {
        "path": LEDGER,
        "bytes": 0,
        "records": 1,
        "verified": "ok",
        "problems": 0,
    }
    assert answer["journal_pending"] is False


def test_status_of_a_damaged_ledger_is_exit_code_1(cli: Cli, here: Path) -> None:
    """The number of problems is shown, and where to read more."""
    (here / LEDGER).write_text('{"torn": \n{}\n')
    found = cli("status")
    assert found.code == 1
    assert "2 problems, see `intentls trace verify`" in found.out


def test_status_does_not_verify_a_large_ledger(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stays quick: lines are counted, the rest is left to `trace verify`, and that is said."""
    monkeypatch.setattr("intentls.engine.ledger.status.CHEAP_BYTES", 10)
    (here / LEDGER).write_text('{"torn": \n{"a": 1}\n{"b": 2}')
    found = cli("status")
    assert (found.code, "not verified (`intentls trace verify` does it)" in found.out) == (0, True)
    assert root_of(cli)["ledger"]["records"] == 3
    assert root_of(cli)["ledger"]["verified"] == "not checked"


def test_status_of_a_broken_configuration_is_exit_code_2(cli: Cli, tmp_path: Path) -> None:
    """What is wrong with the intents stands where they would, and the policy's remarks are counted."""
    root = make_workspace(tmp_path / "w", "active_intents: 3\n", policy="hitl: never\n")
    found = cli("status", "--root", root)
    assert found.code == 2
    assert "`active_intents` must be a list" in found.out
    assert "enforce; 1 remark on policy.yaml" in found.out
    assert root_of(cli, "--root", root)["config_error"].startswith(".orchestration/active_intents.yaml, line 1")


def test_status_says_when_policy_only_advises(cli: Cli, tmp_path: Path) -> None:
    """`mode: advise` is not in force, and shown as that."""
    root = make_workspace(tmp_path / "w", policy="mode: advise\n")
    assert "advise: nothing is refused" in cli("status", "--root", root).out


# --- doctor -----------------------------------------------------------------------------------------------


def examined(cli: Cli, root: Path, code: int = 0) -> dict[str, list[str]]:
    """What doctor says, without what is fine: `level message` by name."""
    found = cli("doctor", "--json", "--root", root)
    assert found.code == code, found.out
    assert found.json["ok"] is (code == 0)
    said: dict[str, list[str]] = {}
    for check in found.json["checks"]:
        if check["level"] != "ok" and check["name"] not in ("linters", "agents"):
            said.setdefault(check["name"], []).append(f"{check['level']} {check['message']}")
    return said


@pytest.fixture
def healthy(cli: Cli, tmp_path: Path) -> Path:
    """A workspace in git as `init` leaves it, with a ledger that is committed."""
    root = make_git_repo(make_workspace(tmp_path / "w"))
    cli("init", "--root", root)
    Agent(root).select("INT-001").write("src/api/a.py", "a\n")
    commit_all(root, "Begin")
    return root


def test_a_healthy_workspace_has_nothing_to_mend(cli: Cli, healthy: Path) -> None:
    """After init and a commit doctor finds nothing wrong."""
    assert examined(cli, healthy) == {}
    found = cli("doctor", "--root", healthy)
    assert (found.code, found.err) == (0, "")
    assert "ok       ledger    1 record, whole and in order" in found.lines


def test_warnings_are_exit_code_0_and_come_with_advice(cli: Cli, here: Path) -> None:
    """Outside git nothing is broken; what to do stands below what is amiss."""
    found = cli("doctor")
    assert found.code == 0
    at = found.lines.index("warning  git       this workspace is in no git repository")
    assert "Run `git init`" in found.lines[at + 1]


def test_without_git_that_is_said(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without git still works; doctor says what is missed."""
    monkeypatch.setenv("PATH", str(here))
    assert examined(cli, here)["git"][0] == "warning git is not installed"


def test_what_git_does_with_the_ledger(cli: Cli, tmp_path: Path) -> None:
    """A ledger that is ignored, or tracked as one file; state that is in git."""
    root = make_git_repo(make_workspace(tmp_path / "w"))
    Agent(root).select("INT-001").write("src/api/a.py", "a\n")
    assert "git" not in examined(cli, root)
    write_files(root, {".gitignore": "*.jsonl\n"})
    assert examined(cli, root)["git"] == ["warning git ignores the ledger"]
    (root / ".gitignore").unlink()
    git(root, "add", "--force", LEDGER, ".orchestration/.state/sessions")
    assert examined(cli, root)["git"] == [
        f"warning git tracks {LEDGER}, in which branches conflict",
        "warning .orchestration/.state/ is in git, though it is only of use on this machine",
    ]
    git(root, "rm", "-rq", "--cached", ".orchestration/.state")
    for name in (".orchestration/.state/.gitignore", ".orchestration/.gitignore"):
        (root / name).write_text("")
    assert examined(cli, root)["git"][-1] == "warning git does not ignore .orchestration/.state/"
    assert cli("init", "--root", root).code == 0
    assert "git" not in examined(cli, root)


def test_errors_in_the_intents_are_exit_code_1(cli: Cli, healthy: Path) -> None:
    """What keeps the gate from working is an error, with its line and its consequence."""
    (healthy / ".orchestration/active_intents.yaml").write_text("active_intents:\n  - {id: A}\n  - {id: A}\n")
    (said,) = examined(cli, healthy, 1)["intents"]
    assert said.startswith("error .orchestration/active_intents.yaml, line 3: the id A is already taken")
    assert "every edit is refused" in cli("doctor", "--root", healthy).out
    (healthy / ".orchestration/policy.yaml").write_text("on_invalid: allow\n")
    assert "let through, and recorded" in cli("doctor", "--root", healthy).out


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("active_intents: []\n", ".orchestration/active_intents.yaml declares none"),
        ("active_intents: [{id: A, status: DONE, owned_scope: [a]}]\n", "no intent is open"),
        ("active_intents: [{id: A}]\n", "A has no owned_scope"),
    ],
)
def test_intents_that_are_of_no_use_are_pointed_out(cli: Cli, tmp_path: Path, text: str, says: str) -> None:
    """Nothing declared, nothing open, no limits: allowed, but probably not meant."""
    root = make_workspace(tmp_path / "w", text)
    assert says in examined(cli, root)["intents"][0]


def test_an_intentignore_that_names_nothing(cli: Cli, healthy: Path) -> None:
    """A typing mistake in .intentignore leaves an intent in use."""
    write_files(healthy, {".intentignore": "intent: INT-01\n"})
    assert examined(cli, healthy)["intents"] == ["warning .intentignore takes INT-01 out of use, which is not declared"]


def test_a_policy_that_is_not_in_force(cli: Cli, healthy: Path) -> None:
    """Advice only, an open back door, bad values: each a line; unknown keys are information."""
    write_files(healthy, {".orchestration/policy.yaml": "mode: advise\non_invalid: allow\nhitl: never\nfoo: 1\n"})
    said = examined(cli, healthy)["policy"]
    assert [line.split()[0] for line in said] == ["warning", "warning", "warning", "info"]
    assert "mode: advise" in said[0]
    assert "on_invalid: allow" in said[1]
    assert "line 3" in said[2]


def test_linters_that_are_there_and_not_there(cli: Cli, healthy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A linter of the machine, one of the workspace, one that is nowhere."""
    tool = healthy / "tools" / "lint"
    write_files(healthy, {"tools/lint": "#!/bin/sh\n"})
    tool.chmod(0o755)
    write_files(
        healthy,
        {
            ".orchestration/policy.yaml": json.dumps(
                {
                    "linters": [
                        {"name": name, "files": ["**"], "command": [command, "{file}"], "format": "text"}
                        for name, command in (("git", "git"), ("own", "tools/lint"), ("gone", "no-such-linter"))
                    ]
                }
            )
        },
    )
    checks = cli("doctor", "--json", "--root", healthy).json["checks"]
    found = {check["message"].split()[0]: check["level"] for check in checks if check["name"] == "linters"}
    assert found == {"git": "ok", "own": "ok", "no-such-linter": "info"}


def test_a_damaged_ledger_is_an_error(cli: Cli, healthy: Path) -> None:
    """Lines that were touched are exit code 1, and `trace verify` is pointed at."""
    with (healthy / LEDGER).open("a") as file:
        file.write("{torn\n")
    assert examined(cli, healthy, 1)["ledger"] == ["error 1 problem in 1 record"]


def test_a_ledger_that_is_no_file_is_an_error_among_the_others(cli: Cli, here: Path) -> None:
    """What can't be looked at is said, and everything else is looked at all the same."""
    (here / LEDGER).mkdir()
    found = examined(cli, here, 1)
    assert "is a directory" in found["ledger"][0]
    assert "git" in found


def test_a_large_ledger_is_left_to_verify(cli: Cli, healthy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Doctor is quick: it says that it did not verify."""
    monkeypatch.setattr("intentls.engine.ledger.status.CHEAP_BYTES", 10)
    assert examined(cli, healthy)["ledger"] == ["info 1 line, too many to verify here"]


def test_a_clock_that_is_wrong(cli: Cli, here: Path) -> None:
    """A record from the future means that some machine's clock is wrong; odd times don't matter."""
    (here / LEDGER).write_text('{"timestamp":"2999-01-01T00:00:00.000Z"}\n{"timestamp":"never"}\n')
    said = examined(cli, here, 1)["clock"]
    assert said == ["warning the ledger has a record of 2999-01-01 00:00:00Z, which is still to come"]


def test_an_edit_that_could_not_be_settled(cli: Cli, healthy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit whose record could not be written waits in the journal, and is shown until it is settled."""
    ledger = healthy / LEDGER
    kept = ledger.read_bytes()
    agent = Agent(healthy)
    ledger.unlink()
    ledger.mkdir()
    outcome = agent.write("src/api/b.py", "b\n")
    assert getattr(outcome, "degraded", False), outcome
    monkeypatch.setattr("intentls.store.journal.recovery.Recovery.run", lambda _self: [])
    ledger.rmdir()
    ledger.write_bytes(kept)
    assert examined(cli, healthy)["journal"][0].startswith("warning an edit that was cut off")
    assert "an edit waits to be settled" in cli("status", "--root", healthy).out
    monkeypatch.undo()
    assert "journal" not in examined(cli, healthy)


def agents(cli: Cli, root: Path) -> list[str]:
    checks = cli("doctor", "--json", "--root", root).json["checks"]
    return [f"{check['level']} {check['message']}" for check in checks if check["name"] == "agents"]


def test_agents_that_ask_are_named(cli: Cli, healthy: Path) -> None:
    """Settings that call our hook are found, also where a person wrote them; whoever does not ask is pointed out."""
    assert agents(cli, healthy) == ["info no coding agent is set up here"]
    write_files(healthy, {".claude/settings.json": "{}", ".codex/config.toml": 'command = "intentls hook codex"'})
    assert agents(cli, healthy) == [
        "info claude-code is set up here, but asks nobody",
        "ok codex asks before it edits (.codex/config.toml)",
    ]
    write_files(healthy, {".claude/settings.local.json": '{"command": "intentls hook claude-code"}'})
    assert agents(cli, healthy)[0] == "ok claude-code asks before it edits (.claude/settings.local.json)"


@pytest.mark.parametrize("agent", AGENTS)
def test_what_init_installs_doctor_finds(cli: Cli, healthy: Path, agent: str) -> None:
    """After `init --agent` the agent asks; after `--remove` it does not."""
    assert cli("init", "--agent", agent, "--root", healthy).code == 0
    assert agents(cli, healthy)[0].startswith(f"ok {agent} asks before it edits")
    cli("init", "--agent", agent, "--remove", "--root", healthy)
    assert not agents(cli, healthy)[0].startswith("ok")


def test_outside_a_root_doctor_still_looks_at_the_machine(cli: Cli, tmp_path: Path) -> None:
    """What can be said without a workspace is said; then the sentence, and exit code 2."""
    cli.cd(tmp_path)
    found = cli("doctor", "--json")
    assert found.code == 2
    assert [check["name"] for check in found.json["checks"]] == ["intentls", "git"]
    assert "Nothing governs" in found.err


def test_doctor_finds_more_folders_than_can_be_watched(
    cli: Cli, healthy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor that can't watch them all misses changes; where the system counts none there is nothing to say."""
    limit = tmp_path / "max_user_watches"
    monkeypatch.setattr(environment, "_WATCHES", limit)
    assert "watcher" not in cli("doctor", "--root", healthy).out
    for number, level in (("3\n", "warning"), ("400\n", "ok"), ("1000000\n", "ok")):
        limit.write_text(number)
        checks = cli("doctor", "--json", "--root", healthy).json["checks"]
        assert [check["level"] for check in checks if check["name"] == "watcher"] == [level]


def test_doctor_finds_a_rule_whose_library_is_missing(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every edit under that intent is refused until it is there, so it is an error."""
    rule = "{ast_grep: {language: python, pattern: 'eval($A)'}}"
    root = make_workspace(tmp_path / "w", f"active_intents: [{{id: A, owned_scope: [a], constraints: [{rule}]}}]\n")
    assert not [check for check in cli("doctor", "--json", "--root", root).json["checks"] if check["name"] == "rules"]
    monkeypatch.setattr(doctor, "find_spec", lambda _name: None)
    found = cli("doctor", "--json", "--root", root)
    (check,) = [check for check in found.json["checks"] if check["name"] == "rules"]
    assert (found.code, check["level"], check["advice"]) == (1, "error", "Run pip install 'intentls[ast]'.")


def test_doctor_changes_nothing(cli: Cli, healthy: Path) -> None:
    """Looking leaves the working tree as git sees it, and the ledger as it was."""
    before = (healthy / LEDGER).read_bytes()
    cli("doctor", "--root", healthy)
    assert git(healthy, "status", "--porcelain") == ""
    assert (healthy / LEDGER).read_bytes() == before
    assert os.path.lexists(healthy / ".orchestration/.state")
