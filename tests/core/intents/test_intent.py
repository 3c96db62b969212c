"""Intents: their names."""

from __future__ import annotations

from intentls.core.intents.intent import Intent, names_of


def test_intents_are_named_by_their_ids() -> None:
    """An intent without a name has an empty one."""
    intents = {"INT-001": Intent("INT-001", "Weather"), "INT-002": Intent("INT-002")}
    assert names_of(intents) == {"INT-001": "Weather", "INT-002": ""}
