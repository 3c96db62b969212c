"""How a definition is written in the ledger."""

from __future__ import annotations

from intentls.core.definitions.definition import CANON, Definition, hash_of_parts, hash_of_statement

FULL = Definition("City.parse", "method", 3, 9, f"{CANON}n", f"{CANON}a", f"{CANON}b", 12, ("aaaaaa", "bbbbbb"))
PLACE = {"name": "City.parse", "kind": "method", "start_line": 3, "end_line": 9}


def test_a_definition_in_a_range_is_written_with_what_finds_it_again() -> None:
    """The hash of its tree; a ledger is no copy of the sources."""
    assert FULL.to_json() == {**PLACE, "normalized_hash": f"{CANON}n"}


def test_a_definition_around_a_range_is_written_as_a_place() -> None:
    """Every change in it names it, so that is short."""
    assert FULL.place_json() == PLACE


def test_a_hash_tells_its_parts_apart() -> None:
    """And says by which rule it was made; a statement's is six characters."""
    assert hash_of_parts(["a", "b"]) != hash_of_parts(["ab"])
    assert hash_of_parts(["a"]).startswith(CANON)
    assert len(hash_of_statement(["a", "b"])) == 6
