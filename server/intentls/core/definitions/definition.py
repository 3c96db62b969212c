"""A definition, and what it is known by when its lines, its name or its file have changed."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import blake2b

from msgspec import Struct

_STATEMENT = 6  # characters of a statement's hash


class Definition(Struct, frozen=True):
    """`name` is qualified (`City.parse`); lines count from 1, both included, with what stands before it and is its own.

    `normalized_hash` is over its tree without comments, docstrings and formatting; in `alpha_hash` each name is the
    number of its first occurrence, in `nameless_hash` only its own is blank; `body_hash` leaves name and signature out,
    and is None where there is no body.
    `own_line` is where it begins itself, after what is wrapped around it, as decorators are.
    `leaves` are the tokens that the tree has left, `statements` a hash each, without what stands in their own blocks.
    """

    name: str
    kind: str
    start_line: int
    end_line: int
    normalized_hash: str
    alpha_hash: str
    nameless_hash: str
    body_hash: str | None
    leaves: int
    statements: tuple[str, ...]
    own_line: int = 0


def hash_of_parts(parts: Iterable[str]) -> str:
    """The hash of a tree's parts in order. Another grammar makes other hashes, so none is kept."""
    return _digest(parts, 12)


def hash_of_statement(parts: Iterable[str]) -> str:
    """The short hash of one statement: there are many, and no single one decides anything."""
    return _digest(parts, 6)[:_STATEMENT]


def _digest(parts: Iterable[str], size: int) -> str:
    data = "\n".join(parts).encode("utf-8", "surrogateescape")
    return urlsafe_b64encode(blake2b(data, digest_size=size).digest()).decode("ascii")
