"""What a definition is known by."""

from __future__ import annotations

from intentls.core.definitions.definition import hash_of_parts, hash_of_statement


def test_a_hash_tells_its_parts_apart() -> None:
    """A statement's is six characters."""
    assert hash_of_parts(["a", "b"]) != hash_of_parts(["ab"])
    assert len(hash_of_statement(["a", "b"])) == 6
