"""How a definition is written in the ledger."""

from __future__ import annotations

from intentls.core.definitions.definition import CANON, Definition, hash_of_parts, hash_of_statement

FULL = Definition("City.parse", "method", 3, 9, f"{CANON}n", f"{CANON}a", f"{CANON}b", 12, ("aaaaaa", "bbbbbb"))
BARE = Definition("LIMIT", "constant", 1, 1, f"{CANON}n", f"{CANON}a", None, 3, ())


def test_a_definition_is_written_with_all_that_it_has() -> None:
    """The statements are one text, six characters each."""
    assert FULL.to_json() == {
        "name": "City.parse",
        "kind": "method",
        "start_line": 3,
        "end_line": 9,
        "leaves": 12,
        "normalized_hash": f"{CANON}n",
        "alpha_hash": f"{CANON}a",
        "body_hash": f"{CANON}b",
        "statements": "aaaaaabbbbbb",
    }


def test_what_a_definition_does_not_have_has_no_key() -> None:
    """A constant has no body and no statements."""
    assert BARE.to_json() == {
        "name": "LIMIT",
        "kind": "constant",
        "start_line": 1,
        "end_line": 1,
        "leaves": 3,
        "normalized_hash": f"{CANON}n",
        "alpha_hash": f"{CANON}a",
    }


def test_at_most_100_statements_are_written() -> None:
    """They are all alike, so that the first stand for the rest."""
    many = Definition("f", "function", 1, 900, "n", "a", None, 9000, tuple(f"{n:06}" for n in range(900)))
    assert len(many.to_json()["statements"]) == 100 * 6


def test_a_hash_tells_its_parts_apart() -> None:
    """And says by which rule it was made; a statement's is six characters."""
    assert hash_of_parts(["a", "b"]) != hash_of_parts(["ab"])
    assert hash_of_parts(["a"]).startswith(CANON)
    assert len(hash_of_statement(["a", "b"])) == 6
