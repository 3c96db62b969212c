"""People on record by name: who wrote, for whom an agent wrote, who let something pass; as the policy says."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from intentls.engine.actions.effects import Answer, Ask, Effect, Reply, drive
from intentls.engine.actions.plans import WriteFile
from intentls.engine.actions.request import EditRequest, EditResult
from intentls.engine.blame.blame import OwnedRange, blame_content
from intentls.engine.blame.line_authors import AuthoredLines
from intentls.engine.edits.perform import perform
from intentls.engine.edits.saves import closed, opened, saved
from intentls.engine.intents import checkout
from intentls.engine.wire.answers import BlameRange
from intentls.engine.wire.author_text import hover
from intentls.engine.workspace import people
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from intentls.store.clock import now
from tests.support.workspaces import git

SCHEMA = json.loads((Path(__file__).parents[2] / "data" / "agent-trace-0.1.0.schema.json").read_text("utf-8"))
PATH, MODEL = "src/api/weather.py", "claude-opus-4-5"


@dataclass(frozen=True)
class Desk:
    """A root in git, on a machine whose git user is Ada, with an agent under INT-001 and a person who says yes."""

    root: Path
    engine: Engine

    @property
    def workspace(self) -> Workspace:
        return self.engine.workspace(self.root)

    def write(self, content: str, path: str = PATH) -> None:
        plan = WriteFile(path, content)
        result = drive(perform(self.engine, EditRequest(plan, "agent", model=MODEL)), _approve)
        assert isinstance(result, EditResult)

    def save(self, before: str, after: str, path: str = PATH) -> None:
        (self.root / path).write_text(before)
        opened(self.workspace, path, before)
        (self.root / path).write_text(after)
        assert saved(self.workspace, path, after, "editor") is not None
        closed(self.workspace, path)

    def contributor(self) -> dict[str, Any]:
        """Who wrote the newest record, which is valid Agent Trace."""
        record = next(self.workspace.ledger.newest_first())
        Draft202012Validator(SCHEMA).validate(record)
        contributor: dict[str, Any] = record["files"][0]["conversations"][0]["contributor"]
        return contributor

    def blame(self, path: str = PATH) -> list[OwnedRange]:
        return blame_content(self.workspace, path, (self.root / path).read_bytes())

    def policy(self, text: str) -> None:
        (self.root / ".orchestration" / "policy.yaml").write_text(text)


def _approve(effect: Effect) -> Reply | bool:
    return Reply(Answer.APPROVE) if isinstance(effect, Ask) else False


@pytest.fixture
def desk(git_workspace: Path) -> Desk:
    git(git_workspace, "config", "user.name", "Ada Lovelace")
    git(git_workspace, "config", "user.email", "ada@example.invalid")
    engine = Engine(Headless("test", (git_workspace,), can_ask=True))
    drive(checkout.select(engine, "agent", "INT-001", None, MODEL))
    return Desk(git_workspace, engine)


def test_a_person_is_named_and_an_agent_says_for_whom_it_worked(desk: Desk) -> None:
    """The agent's model is what it was, and it has no name of a person."""
    desk.write("a = 1\n")
    assert desk.contributor() == {
        **{"type": "ai", "entity_type": "AI", "model_id": MODEL, "model_identifier": MODEL},
        "on_behalf_of": "Ada Lovelace",
    }
    desk.save("a = 1\n", "a = 1\nb = 2\n")
    assert desk.contributor() == {"type": "human", "entity_type": "HUMAN", "name": "Ada Lovelace"}


@pytest.mark.parametrize(
    ("policy", "name"),
    [("email", "ada@example.invalid"), ("none", None), ("name", "Ada Lovelace"), ("no such", "Ada Lovelace")],
)
def test_policy_says_how_people_are_named(desk: Desk, policy: str, name: str | None) -> None:
    """By name, by address, not at all; a bad value leaves the default."""
    desk.policy(f"identity: {policy}\n")
    assert people.person(desk.workspace) == name
    desk.write("a = 1\n")
    assert desk.contributor().get("on_behalf_of") == name
    desk.save("a = 1\n", "b = 2\n")
    assert desk.contributor().get("name") == name
    desk.write("# Design 2\n", "docs/design.md")
    override = next(desk.workspace.ledger.newest_first())["override"]
    assert override["by"] == (name or "user")


def test_the_name_is_that_of_the_moment_and_old_records_stay(desk: Desk) -> None:
    """Another name in git's configuration counts from the next record on."""
    desk.write("a = 1\n")
    git(desk.root, "config", "user.name", "Grace Hopper")
    desk.write("b = 1\n")
    served = [
        record["files"][0]["conversations"][0]["contributor"]["on_behalf_of"]
        for record in desk.workspace.ledger.oldest_first()
    ]
    assert served == ["Ada Lovelace", "Grace Hopper"]


def test_where_git_names_nobody_a_record_has_no_name(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """None is invented; who let something pass is then the user of this machine, as it always was."""
    git(desk.root, "config", "--unset", "user.name")
    monkeypatch.setenv("LOGNAME", "ada")
    desk.save("", "b = 2\n")
    assert desk.contributor() == {"type": "human", "entity_type": "HUMAN"}
    assert people.signature(desk.workspace) == "ada"


def test_an_account_without_a_name_signs_as_user(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container whose user id has no name."""

    def nameless() -> str:
        raise KeyError("uid not found")

    git(desk.root, "config", "--unset", "user.name")
    monkeypatch.setattr("getpass.getuser", nameless)
    assert people.signature(desk.workspace) == "user"


def test_blame_says_both_the_model_and_the_person(desk: Desk) -> None:
    """And the person alone where the person wrote; each as data in the answer, too."""
    desk.write("a = 1\n")
    desk.save("a = 1\n", "a = 1\nb = 2\n")
    agent, person = (BlameRange.of(part).contributor for part in desk.blame())
    assert (agent["model_id"], agent["on_behalf_of"]) == (MODEL, "Ada Lovelace")
    assert person["name"] == "Ada Lovelace"
    texts = [
        hover(AuthoredLines(1, 1, part.record, part.conversation), {}, now(), markdown=False).splitlines()[1]
        for part in desk.blame()
    ]
    assert texts[0].startswith("claude-opus-4-5 for Ada Lovelace, ")
    assert texts[1].startswith("Ada Lovelace, ")


def test_a_hostile_name_changes_nothing_but_a_name(desk: Desk) -> None:
    """A line end does not begin a new line of the ledger, and controls reach no terminal."""
    git(desk.root, "config", "user.name", 'Ada\n{"id": "forged"}\x1b[2J' + "A" * 10_000)
    desk.write("a = 1\n")
    name = desk.contributor()["on_behalf_of"]
    assert name.startswith('Ada {"id": "forged"} [2JAAA')
    assert len(name) == 200
    assert desk.workspace.ledger.verify().ok
