"""What a definition is known by."""

from __future__ import annotations

from intentls.core.definitions.definition import CANON, hash_of_parts, hash_of_statement


def test_a_hash_tells_its_parts_apart() -> None:
    """And says by which rule it was made; a statement's is six characters."""
    assert hash_of_parts(["a", "b"]) != hash_of_parts(["ab"])
    assert hash_of_parts(["a"]).startswith(CANON)
    assert len(hash_of_statement(["a", "b"])) == 6
