"""Content hashes, byte for byte."""

from __future__ import annotations

from intentls.core.hashing import content_hash, hash_of, is_content_hash


def test_a_hash_is_over_the_exact_bytes() -> None:
    """An empty file has the hash of the empty string, a missing one has none."""
    empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert content_hash(b"") == hash_of(b"") == empty
    assert hash_of(None) is None
    assert content_hash(b"a\r\n") != content_hash(b"a\n")


def test_only_the_full_form_is_a_content_hash() -> None:
    """`sha256:` and 64 lower-case hex digits, nothing else."""
    assert is_content_hash(content_hash(b"x"))
    assert not is_content_hash("sha256:" + "A" * 64)
    assert not is_content_hash("a" * 64)
