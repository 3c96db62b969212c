"""Whose each line is, from the ledger's ranges and the content alone. Never a guess.

The records of one file are replayed oldest first. Where a record builds on exactly the content that
the one before it left, its hunks carry every line's claim along. Where something happened in between
that nobody recorded, a claim survives only if its block is found again, whole, by its content hash.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from intentls.core.hashing import content_hash, hash_of
from intentls.core.text import Hunk, LineRange, carry, split_lines

C = TypeVar("C")

MAX_LINES = 2_000_000
"""Files with more are not followed from record to record: a forged hunk of any length would take any memory."""


@dataclass(frozen=True, slots=True)
class Claim(Generic[C]):
    """`owner` wrote the lines of `where` in the content that `FileVersion.post_hash` names."""

    owner: C
    where: LineRange


@dataclass(frozen=True, slots=True)
class FileVersion(Generic[C]):
    """What one record says of a file. `hunks` is None where the record does not tell them."""

    pre_hash: str | None
    post_hash: str | None
    hunks: tuple[Hunk, ...] | None
    claims: tuple[Claim[C], ...]


@dataclass(slots=True)
class _Replay(Generic[C]):
    labels: list[C | None] | None = field(default_factory=list)
    hash: str | None = None
    claims: list[Claim[C]] = field(default_factory=list)


def blame(versions: Iterable[FileVersion[C]], content: bytes, foreign: Sequence[Claim[C]] = ()) -> list[C | None]:
    """One owner a line of `content`; None for lines that nobody recorded. `versions`: oldest first.

    `foreign` are claims of other programs, oldest first. They get only lines that are nobody's otherwise, and only
    where their content hashes fit.
    """
    replay: _Replay[C] = _Replay()
    for version in versions:
        _step(replay, version)
    lines = split_lines(content)
    if replay.labels is not None and replay.hash == hash_of(content) and len(replay.labels) == len(lines):
        owners = replay.labels
    else:
        owners = _search(lines, replay.claims, [None] * len(lines))
    return _search(lines, foreign, owners)


def _step(replay: _Replay[C], version: FileVersion[C]) -> None:
    replay.claims.extend(version.claims)
    if version.hunks is None:
        replay.labels = None
    elif version.pre_hash is None:
        replay.labels = _relabel([], version)
    elif replay.labels is not None and version.pre_hash == replay.hash:
        replay.labels = _relabel(replay.labels, version)
    else:
        replay.labels = None
    replay.hash = version.post_hash


def _relabel(labels: Sequence[C | None], version: FileVersion[C]) -> list[C | None] | None:
    hunks = version.hunks or ()
    if not _fit(hunks, len(labels)):
        return None  # a record that contradicts its own hash proves nothing
    carried = carry(labels, hunks, None)
    for claim in version.claims:
        if claim.where.end_line > len(carried):
            return None
        for line in range(claim.where.start_line, claim.where.end_line + 1):
            carried[line - 1] = claim.owner
    return carried


def _fit(hunks: Sequence[Hunk], count: int) -> bool:
    """Whether the hunks can be of a file with `count` lines: in order, apart, inside it, and of a size to be held."""
    done = 0
    for hunk in hunks:
        start = hunk.old_start - 1 if hunk.old_lines else hunk.old_start
        if start < done or hunk.old_lines < 0 or hunk.new_lines < 0:
            return False
        done = start + hunk.old_lines
    return done <= count and count + sum(hunk.new_lines for hunk in hunks) <= MAX_LINES


def _search(lines: Sequence[bytes], claims: Sequence[Claim[C]], known: Sequence[C | None]) -> list[C | None]:
    """The newest claims first, each wherever its whole block stands in lines that nobody newer claimed."""
    owners = list(known)
    taken = [owner is not None for owner in known]
    windows: dict[int, dict[str, list[int]]] = {}
    for claim in reversed(claims):
        length = claim.where.end_line - claim.where.start_line + 1
        if length not in windows:
            windows[length] = _windows(lines, length)
        places = [
            start
            for start in windows[length].get(claim.where.content_hash, ())
            if not any(taken[start : start + length])
        ]
        if not places:
            continue
        nearest = min(places, key=lambda start: abs(start + 1 - claim.where.start_line))
        for index in range(nearest, nearest + length):
            owners[index], taken[index] = claim.owner, True
    return owners


def _windows(lines: Sequence[bytes], length: int) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for start in range(len(lines) - length + 1):
        found.setdefault(content_hash(b"".join(lines[start : start + length])), []).append(start)
    return found
