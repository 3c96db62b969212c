"""Who a record names, and what it says of a file beside its hashes."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec.structs import replace

from intentls.core.intents.lease import FencedUse
from intentls.core.ledger.record import Contributor, ContributorType, Conversation, FileChange
from intentls.core.mutation.classes import Change

PERSON, AGENT = Contributor(ContributorType.HUMAN), Contributor(ContributorType.AI, "claude-opus-4-5")


def test_a_person_is_named_and_an_agent_has_the_name_of_whom_it_worked_for() -> None:
    """What is neither, and what has a name, stays as it is."""
    assert PERSON.named("Ada").to_json() == {"type": "human", "entity_type": "HUMAN", "name": "Ada"}
    assert AGENT.named("Ada").to_json()["on_behalf_of"] == "Ada"
    assert PERSON.named("Ada").named("Ben") == PERSON.named("Ada")
    unknown = Contributor(ContributorType.UNKNOWN)
    assert unknown.named("Ada") == unknown


def test_the_name_is_in_every_conversation_of_a_file() -> None:
    """A file entry has the contributions of several sessions."""
    change = FileChange("a.py", Change.MODIFY, None, None, (Conversation("s", PERSON), Conversation("t", AGENT)))
    people = [part.contributor for part in change.named("Ada").conversations]
    assert [(person.name, person.on_behalf_of) for person in people] == [("Ada", None), (None, "Ada")]


def test_a_file_that_is_too_large_says_so() -> None:
    """The key is there only where something was not looked for."""
    assert FileChange("a.py", Change.MODIFY, None, None, (), is_too_large=True).to_json()["too_large"] is True
    assert "too_large" not in FileChange("a.py", Change.MODIFY, None, None, ()).to_json()


def test_a_file_names_the_lease_that_it_was_changed_under() -> None:
    """Where many machines share theirs; else the key is absent."""
    noon = datetime(2026, 2, 18, 12, tzinfo=UTC)
    change = FileChange("a.py", Change.MODIFY, None, None, (), lease=FencedUse(7, noon, noon))
    lease = {"fence": 7, "since": "2026-02-18T12:00:00Z", "used": "2026-02-18T12:00:00Z"}
    assert change.to_json()["lease"] == lease
    assert "lease" not in replace(change, lease=None).to_json()
