"""`intentls accept`: criteria are run or left to a person, and an intent is completed, on record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from intentls.core.errors import ConfigurationError
from intentls.engine.intents.accept import AcceptRequest, accept
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from tests.faces.cli.conftest import Cli
from tests.support.agent_edits import Agent
from tests.support.patience import eventually
from tests.support.processes import has_ended
from tests.support.workspaces import make_workspace

INTENTS = """\
active_intents:
  - id: INT-001
    status: IN_PROGRESS  # stays
    owned_scope: ["src/**"]
    constraints: [Be kind, {requires_change_in: "src/*.py"}]
    acceptance_criteria: [%s]
"""
FILE = ".orchestration/active_intents.yaml"


def root_with(tmp_path: Path, criteria: str) -> Path:
    return make_workspace(tmp_path / "w", INTENTS % criteria)


def test_an_intent_whose_commands_pass_is_completed(cli: Cli, tmp_path: Path) -> None:
    """The status is the only thing that changes in the file; who, and every result, is in the ledger."""
    root = root_with(tmp_path, 'It is good, {run: "test -d src && exit 0"}')
    Agent(root).select("INT-001").write("src/a.py", "x = 1\n")
    before = (root / FILE).read_text()
    found = cli("accept", "INT-001", "--trust", "--root", root)
    assert (found.code, found.err) == (0, "intentls: INT-001 is COMPLETED, 1 criterion on your word.\n")
    assert [line.split("  ")[0] for line in found.lines] == ["for a person", "passed"]
    assert (root / FILE).read_text() == before.replace("IN_PROGRESS", "COMPLETED")
    (entry,) = cli("trace", "log", "--limit", "1", "--json", "--root", root).json["entries"]
    assert (entry["tool_name"], entry["intent_id"], entry["success"]) == ("accept_intent", "INT-001", True)
    criteria = entry["acceptance"]["criteria"]
    assert [(each["criterion"], each["result"]) for each in criteria] == [
        ("It is good", "for a person"),
        ("run: test -d src && exit 0", "passed"),
    ]
    assert entry["acceptance"]["by"] and criteria[1]["seconds"] >= 0
    assert cli("trace", "verify", "--root", root).code == 0
    again = cli("accept", "INT-001", "--trust", "--json", "--root", root)
    assert (again.code, again.json["code"]) == (1, "INTENT_CLOSED")


def test_a_criterion_that_fails_changes_nothing(cli: Cli, tmp_path: Path) -> None:
    """Exit code 1, the end of what it said, and neither the file nor the ledger is touched."""
    root = root_with(tmp_path, '{run: "seq 100; echo oh >&2; exit 3"}, {run: "true"}')
    before = (root / FILE).read_bytes()
    found = cli("accept", "INT-001", "--trust", "--json", "--root", root)
    assert (found.code, found.json["completed"], found.json["trace_id"]) == (1, False, None)
    failed, passed = found.json["criteria"]
    assert (failed["result"], failed["why"], passed["result"]) == ("failed", "it ended with 3", "passed")
    assert failed["output"].split() == [*map(str, range(61, 101)), "oh"]
    assert found.json["warnings"] == [
        "No change in src/*.py is on record under INT-001, and its constraints require one."
    ]
    assert (root / FILE).read_bytes() == before
    assert cli("trace", "log", "--json", "--root", root).json["entries"] == []
    told = cli("accept", "INT-001", "--trust", "--root", root)
    assert "  100\n  oh\n" in told.out and "INT-001 stays as it is: 1 criterion is not met." in told.err


def test_commands_are_run_only_where_the_user_trusts_the_workspace(cli: Cli, tmp_path: Path) -> None:
    """They come from a file that anybody may have sent: one sentence says so, and nothing ran."""
    root = root_with(tmp_path, '{run: "touch ran"}')
    found = cli("accept", "INT-001", "--root", root)
    assert (found.code, found.out) == (2, "")
    assert "intentls accept INT-001 --trust" in found.err
    assert not (root / "ran").exists()


def test_a_command_that_takes_too_long_is_stopped_with_all_that_it_started(cli: Cli, tmp_path: Path) -> None:
    """Its children too: nothing writes on after the verdict."""
    child = "echo $$ > child; while [ ! -e go ]; do sleep 0.02; done; touch late"
    root = root_with(tmp_path, f"{{run: \"sh -c '{child}' & sleep 600\"}}")
    found = cli("accept", "INT-001", "--trust", "--timeout", "1", "--json", "--root", root)
    (criterion,) = found.json["criteria"]
    assert (found.code, criterion["result"]) == (1, "unfinished")
    assert criterion["why"] == "took longer than 1 s and was stopped"
    (root / "go").touch()
    eventually(lambda: has_ended(root / "child"))
    assert not (root / "late").exists()


def test_strict_leaves_a_persons_criteria_to_a_person(cli: Cli, tmp_path: Path) -> None:
    """In CI nobody is there to judge; by default, whoever runs the verb has judged."""
    root = root_with(tmp_path, "It is good")
    strict = cli("accept", "INT-001", "--strict", "--root", root)
    assert strict.code == 1 and "1 criterion is for a person to judge (--strict)" in strict.err
    assert cli("accept", "INT-001", "--root", root).code == 0


@pytest.mark.parametrize(("intents", "code"), [(None, "INTENT_NOT_FOUND"), ("active_intents: [", "HOOK_ERROR")])
def test_an_intent_that_cannot_be_accepted_is_refused(cli: Cli, tmp_path: Path, intents: str | None, code: str) -> None:
    """An unknown one, or one of a file that can't be read: as the gate refuses it."""
    root = make_workspace(tmp_path / "w", *([intents] if intents else []))
    found = cli("accept", "INT-404", "--json", "--root", root)
    assert (found.code, found.json["code"], found.json["classification"]) == (1, code, "safe")
    assert found.json["error"] in cli("accept", "INT-404", "--root", root).err


def test_an_intent_that_was_changed_meanwhile_is_not_completed(tmp_path: Path) -> None:
    """What was checked must be what is completed."""
    root = root_with(tmp_path, '{run: "sed -i s/src/lib/ .orchestration/active_intents.yaml"}')
    workspace = Engine(Headless("cli", (root,), trusted=True)).workspace(root)
    with pytest.raises(ConfigurationError, match="was changed while its criteria were checked"):
        accept(workspace, AcceptRequest("INT-001", "s", 10), lambda *_: None)
    assert "IN_PROGRESS" in (root / FILE).read_text()


def test_a_lenient_root_without_readable_intents_has_none_to_accept(tmp_path: Path) -> None:
    """`on_invalid: allow` lets edits pass; it does not make an intent up."""
    root = make_workspace(tmp_path / "w", "active_intents: [")
    (root / ".orchestration/policy.yaml").write_text("on_invalid: allow\n")
    workspace = Engine(Headless("cli", (root,))).workspace(root)
    outcome: Any = accept(workspace, AcceptRequest("INT-001", "s", 10), lambda *_: None)
    assert outcome.code == "INTENT_NOT_FOUND"
