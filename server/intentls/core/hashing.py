"""Content hashes: `sha256:` and 64 lower-case hex digits over the exact bytes."""

from __future__ import annotations

import hashlib

from intentls.late_pattern import late_pattern

PREFIX = "sha256:"
_FORM = late_pattern(r"sha256:[0-9a-f]{64}")


def content_hash(data: bytes) -> str:
    """The hash of `data`, byte for byte (no newline or Unicode normalisation)."""
    return PREFIX + hashlib.sha256(data).hexdigest()


def hash_of(data: bytes | None) -> str | None:
    """The hash of a file's bytes; None for a file that does not exist."""
    return None if data is None else content_hash(data)


def is_content_hash(text: str) -> bool:
    """Whether `text` has the form of a content hash."""
    return _FORM.fullmatch(text) is not None
