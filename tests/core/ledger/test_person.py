"""Names of people: whatever stands in git's configuration or in a record, a name is one harmless line."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.ledger.person import MAX_NAME, name_in, person_name, with_person


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ada Lovelace", "Ada Lovelace"),
        (" Ada\n  Lovelace\x1b[31m ", "Ada Lovelace [31m"),
        ("Ada\u202eevil", "Ada evil"),
        ("Зоя 李 \U0001f600", "Зоя 李 \U0001f600"),
        ("\ud800", None),
        ("\r\n\t\0", None),
        ("", None),
        (None, None),
    ],
)
def test_a_name_is_one_line_without_what_steers_a_terminal(text: str | None, name: str | None) -> None:
    """Line ends, controls and direction marks separate words; letters of any script stay."""
    assert person_name(text) == name


def test_a_name_of_10_kilobytes_is_cut() -> None:
    """The cut shows."""
    name = person_name("A" * 10_240)
    assert name is not None
    assert len(name) == MAX_NAME
    assert name.endswith("…")


@given(st.text())
def test_a_name_stays_what_it_is_when_it_is_read_again(text: str) -> None:
    """And it can be encoded, and is never an empty text."""
    name = person_name(text)
    assert person_name(name) == name
    assert name is None or name.encode()


@pytest.mark.parametrize("contributor", [{}, {"name": None}, {"name": 7}, {"name": ["Ada"]}, {"name": "\n"}])
def test_a_contributor_of_an_odd_shape_names_nobody(contributor: dict[str, Any]) -> None:
    """A ledger's line may have been written by anybody."""
    assert name_in(contributor) is None


@pytest.mark.parametrize(
    ("author", "contributor", "shown"),
    [
        ("human", {"type": "human", "name": "Ada"}, "Ada"),
        ("human", {"type": "human"}, "human"),
        ("claude-opus-4-5", {"type": "ai", "on_behalf_of": "Ada"}, "claude-opus-4-5 for Ada"),
        ("claude-opus-4-5", {"type": "ai"}, "claude-opus-4-5"),
        ("claude-opus-4-5", {"type": "ai", "name": "Ada"}, "claude-opus-4-5"),
        ("mixed", {"type": "mixed", "name": "Ada", "on_behalf_of": "Ada"}, "mixed"),
        ("unknown", {"name": "Ada"}, "unknown"),
    ],
)
def test_people_are_called_by_name_and_agents_with_the_person_they_work_for(
    author: str, contributor: dict[str, Any], shown: str
) -> None:
    """A name that does not belong to the kind of contributor is not shown: an agent does not pass for a person."""
    assert with_person(author, contributor) == shown
