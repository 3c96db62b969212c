"""How a definition stands in the ledger, and is read from one that anybody may have written."""

from __future__ import annotations

import pytest

from intentls.core.definitions.definition import CANON, Definition, definition_from, hash_of_parts, hash_of_statement

FULL = Definition("City.parse", "method", 3, 9, f"{CANON}n", f"{CANON}a", f"{CANON}b", 12, ("aaaaaa", "bbbbbb"))
BARE = Definition("LIMIT", "constant", 1, 1, f"{CANON}n", f"{CANON}a", None, 3, ())


@pytest.mark.parametrize("definition", [FULL, BARE])
def test_a_definition_is_read_as_it_was_written(definition: Definition) -> None:
    """What it does not have has no key."""
    written = definition.to_json()
    assert definition_from(written) == definition
    assert None not in written.values()
    assert "" not in written.values()


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "x",
        {},
        {**FULL.to_json(), "name": 1},
        {**FULL.to_json(), "leaves": True},
        {**BARE.to_json(), "kind": None},
    ],
)
def test_what_is_no_definition_is_passed_over(value: object) -> None:
    """A ledger may hold anything."""
    assert definition_from(value) is None


def test_at_most_100_statements_are_written() -> None:
    """They are all alike, so that the first stand for the rest."""
    many = Definition("f", "function", 1, 900, "n", "a", None, 9000, tuple(f"{n:06}" for n in range(900)))
    assert len(many.to_json()["statements"]) == 100 * 6


def test_a_hash_tells_its_parts_apart() -> None:
    """And says by which rule it was made; a statement's is six characters."""
    assert hash_of_parts(["a", "b"]) != hash_of_parts(["ab"])
    assert hash_of_parts(["a"]).startswith(CANON)
    assert len(hash_of_statement(["a", "b"])) == 6


def test_a_name_has_a_last_part() -> None:
    """Also where it stands at the top of a file."""
    assert (FULL.last_name, BARE.last_name) == ("parse", "LIMIT")
