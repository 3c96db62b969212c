"""Who works on other machines, as people and agents are told of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from intentls.engine.actions.effects import drive
from intentls.engine.intents import checkout
from intentls.engine.intents.checkout import SelectionResult
from intentls.engine.workspace.live_sessions import ShownSession, recent
from intentls.engine.workspace.other_machines import other_machines, taken_elsewhere, who_else
from intentls.store.clock import now
from intentls.store.sessions.coordination.protocol import Claim, LiveSession
from tests.engine.workspace.test_shared_leases import Machine, machines
from tests.support.keepers import SimulatedHost
from tests.support.patience import eventually

__all__ = ["machines"]  # the fixture


@pytest.fixture(autouse=True)
def _ada(monkeypatch: pytest.MonkeyPatch) -> None:
    """Git knows who works here."""
    monkeypatch.setattr("intentls.engine.workspace.live_sessions.person", lambda _: "Ada")


HOSTILE = "x\x1b[2J\u202e\n" + "y" * 500


def _sentences(machine: Machine) -> list[str]:
    known = other_machines(machine.workspace)
    assert known is not None
    return [work.sentence.rpartition(" since ")[0] for work in known.work]


def _announce(host: SimulatedHost, **facts: Any) -> None:
    texts: dict[str, Any] = {"session_id": "t", "intent_id": "INT-001", "person": "", "branch": "", "face": "", **facts}
    host.keeper.announce(LiveSession(host="", since=now(), seen=now(), **texts), None)


def test_a_session_elsewhere_is_named_with_its_files(machines: tuple[Machine, Machine]) -> None:
    """Who, where, under which intent, on which branch, and what it is changing."""
    one, two = machines
    one.write("src/a.py")
    known = other_machines(two.workspace)
    assert known is not None
    (work,) = known.work
    assert work.sentence.startswith("INT-001 is taken by Ada on one (session s, branch main) since 20")
    assert work.paths == ("src/a.py",)
    assert _sentences(one) == ["INT-001 is taken by Ada on two (session s, branch main)"]


def test_who_selects_an_intent_reads_that_it_is_taken(machines: tuple[Machine, Machine]) -> None:
    """A person and an agent get the same facts, and an agent is told what to do."""
    _, two = machines
    (text,) = taken_elsewhere(two.workspace, "INT-001", for_agent=False)
    assert text.startswith("INT-001 is taken by Ada on one (session s, branch main) since 20")
    assert text.endswith("Z. What is being changed there is refused here meanwhile.")
    (text,) = taken_elsewhere(two.workspace, "INT-001", for_agent=True)
    assert text.endswith(" Select another intent, or ask the person you work for whether to go on.")
    assert "refused to you" in text
    assert taken_elsewhere(two.workspace, "INT-002", for_agent=True) == ()
    two.set_policy("leases: advise\n")
    assert "refused" not in taken_elsewhere(two.workspace, "INT-001", for_agent=False)[0]
    result = drive(checkout.select(two.engine, "agent-1", "INT-001", None, "lab/m"))
    assert isinstance(result, SelectionResult)
    assert result.warnings == taken_elsewhere(two.workspace, "INT-001", for_agent=True)


def test_many_sessions_are_told_in_few_words(machines: tuple[Machine, Machine]) -> None:
    one, two = machines
    for number in range(4):
        _announce(one.host, session_id=f"t{number}")
    (text,) = taken_elsewhere(two.workspace, "INT-001", for_agent=False)
    assert (text.count(" is taken by "), "So do 2 more." in text) == (3, True)


def test_what_another_machine_calls_itself_is_cut_and_cleaned(machines: tuple[Machine, Machine]) -> None:
    """Nothing in it steers a terminal or hides a text."""
    one, two = machines
    _announce(one.host, session_id=HOSTILE, person=HOSTILE, branch=HOSTILE, intent_id=HOSTILE)
    sentence = next(sentence for sentence in _sentences(two) if "[2J" in sentence)
    assert sentence.isprintable()
    assert len(sentence) < 300


def test_a_path_that_leads_out_of_the_root_is_not_shown(machines: tuple[Machine, Machine]) -> None:
    """Clients offer to open what is shown."""
    one, two = machines
    for path in ("../up.py", "/etc/passwd", "src/a.py"):
        one.host.keeper.take(Claim("s", "INT-001", (path,), timedelta(minutes=5)))
    known = other_machines(two.workspace)
    assert known is not None
    assert [work.paths for work in known.work] == [("src/a.py",)]


def test_while_other_machines_cant_be_asked_that_is_said(machines: tuple[Machine, Machine]) -> None:
    """Rather than that nobody works there."""
    one, _ = machines
    one.away()
    known = other_machines(one.workspace)
    assert known is not None
    assert (known.work, known.trouble is not None) == ((), True)
    (text,) = taken_elsewhere(one.workspace, "INT-001", for_agent=True)
    assert text.startswith(
        "It is not known who works on INT-001 on other machines. Coordination Away: the keeper ends."
    )
    assert who_else(one.workspace, "src/a.py", "s") == []


def test_a_hover_names_who_changes_the_file_and_who_has_the_intent(machines: tuple[Machine, Machine]) -> None:
    one, two = machines
    one.write("src/a.py")
    changes, has = who_else(two.workspace, "src/a.py", "s")
    assert changes.startswith("src/a.py is being changed by session s on one under INT-001 since 20")
    assert has.startswith("INT-001 is taken by Ada on one (session s, branch main) since 20")
    assert who_else(two.workspace, "src/b.py", "s") == [has]
    assert who_else(two.workspace, "src/b.py", "another") == []


def test_a_session_that_lasts_is_shown_again_to_a_keeper_that_started_anew(machines: tuple[Machine, Machine]) -> None:
    """It is announced once for each keeper, intent and branch."""
    one, _ = machines
    shown, announced = ShownSession(), list[str | None]()
    keeper = one.host.keeper
    keeper.announce = lambda session, _: announced.append(session.intent_id)  # type: ignore[method-assign]
    for _ in range(2):
        shown.keep(one.workspace, "s")
    assert announced == ["INT-001"]
    files = one.workspace.layout.coordination.glob("keeper-*.json")
    for file in files:
        file.write_text(file.read_text().replace('"pid": 0', '"pid": 1').replace('"pid":0', '"pid":1'))
    shown.keep(one.workspace, "s")
    assert announced == ["INT-001", "INT-001"]
    assert [live.session_id for live in recent(one.workspace)] == ["s"]


def test_a_lease_that_begins_or_ends_is_told_to_other_machines(machines: tuple[Machine, Machine]) -> None:
    """Without anybody looking again and again: the database notifies, and the keeper hears."""
    one, two = machines
    heard: list[None] = []
    two.host.keeper._heard = lambda: heard.append(None)
    one.write("src/a.py")
    eventually(lambda: heard)
    heard.clear()
    one.select("INT-002")  # announces itself, and gives src/a.py back
    eventually(lambda: len(heard) >= 2)
