"""Does the ledger explain how a file's content became another? By hashes alone, so that a yes is proof.

Every record is a step from one content to the next. Where a chain of steps leads from the old content to the new
one, the change is covered. A merge or a rebase makes contents that nobody recorded: `merge3` takes what came from
elsewhere out of them again, and what is left must be the end of a chain.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from intentls.core.hashing import PREFIX, content_hash
from intentls.core.text.lines import is_binary
from intentls.core.text.three_way_merge import merge3

Hash = str | None
"""Of a content; None where there is no file."""

_LFS = re.compile(rb"version \S+/spec/v1\n(?:ext-[^\n]*\n)*oid sha256:([0-9a-f]{64})\nsize [0-9]+\n")
_LFS_MOST = 1024  # bytes; such a pointer is small


@dataclass(frozen=True, slots=True)
class ContentChange:
    """`record` (a number) made `after` of `before`. `is_faulty`: something is to be said against it."""

    before: Hash
    after: Hash
    record: int
    is_faulty: bool = False


Trail = tuple[ContentChange, ...]


def spellings(content: bytes | None) -> frozenset[Hash]:
    """The hashes that a file may have in a working tree when git keeps `content` for it.

    Line ends may be written in another way there, and git may keep a pointer in place of a large file.
    """
    if content is None:
        return frozenset((None,))
    found = {content_hash(content)}
    if len(content) <= _LFS_MOST and (pointer := _LFS.fullmatch(content)):
        found.add(PREFIX + pointer[1].decode("ascii"))
    if b"\n" in content and not is_binary(content):
        plain = content.replace(b"\r\n", b"\n")
        found |= {content_hash(plain), content_hash(plain.replace(b"\n", b"\r\n"))}
    return frozenset(found)


def trail(steps: Iterable[ContentChange], start: frozenset[Hash], goal: frozenset[Hash]) -> Trail | None:
    """The steps that lead from one of `start` to one of `goal`, with as few faulty ones as can be."""
    ways: dict[Hash, list[ContentChange]] = {}
    for step in steps:
        if step.before != step.after:
            ways.setdefault(step.before, []).append(step)
    waiting: deque[tuple[Hash, int]] = deque((each, 0) for each in start)
    best: dict[Hash, tuple[int, ContentChange | None]] = dict.fromkeys(start, (0, None))
    while waiting:
        here, faults = waiting.popleft()
        if here in goal:
            return _back(best, here)
        if faults > best[here][0]:
            continue  # it was reached in a better way meanwhile
        for step in ways.get(here, ()):
            known = best.get(step.after)
            there = faults + step.is_faulty
            if known is not None and known[0] <= there:
                continue
            best[step.after] = (there, step)
            (waiting.append if step.is_faulty else waiting.appendleft)((step.after, there))
    return None


def _back(best: dict[Hash, tuple[int, ContentChange | None]], end: Hash) -> Trail:
    found: list[ContentChange] = []
    step = best[end][1]
    while step is not None:
        found.append(step)
        step = best[step.before][1]
    return tuple(reversed(found))


@dataclass(frozen=True, slots=True)
class FileEvidence:
    """What is known of a file.

    `base` is what it was (None: there was no such file), and it may also have begun as one of `sources`: the contents
    of other files that were renamed. `origins` are contents from before `base`: where a change was made that was
    later carried to another place.
    """

    base: bytes | None
    steps: Sequence[ContentChange]
    origins: Sequence[bytes] = ()
    sources: frozenset[Hash] = frozenset()


_Explained = Sequence[tuple[bytes | None, Trail]]


def explain(known: FileEvidence, contents: Sequence[bytes | None]) -> Trail | None:
    """The steps behind the last of `contents`, None if it is not explained.

    `contents` are what commits since then made of the file, oldest first; the one in question is the last.
    """
    explained: list[tuple[bytes | None, Trail]] = [(known.base, ())]
    for content in contents:
        if all(content != one for one, _ in explained):
            found = min(_ways(known, content, explained), key=_faults, default=None)
            if found is not None:
                explained.append((content, found))
    return next((found for one, found in explained if one == contents[-1]), None)


def _ways(known: FileEvidence, content: bytes | None, explained: _Explained) -> Iterator[Trail]:
    goal = spellings(content)
    for number, (one, before) in enumerate(explained):
        found = trail(known.steps, spellings(one) | (frozenset() if number else known.sources), goal)
        if found is not None:
            yield before + found
    if content is not None:
        yield from _carried(known, content, explained)


def _carried(known: FileEvidence, content: bytes, explained: _Explained) -> Iterator[Trail]:
    """The steps to what `content` is without all that an explained content has and an origin has not."""
    texts = [(one, before) for one, before in explained if one is not None]
    starts = {step.before for step in known.steps}
    origins = dict.fromkeys([*known.origins, *(one for one, _ in texts)])
    fitting = [origin for origin in origins if spellings(origin) & starts]
    for one, before in texts:
        for origin in fitting:
            recorded = None if one == origin else merge3(one, content, origin)
            found = None if recorded is None else trail(known.steps, spellings(origin), spellings(recorded))
            if found:
                yield before + found


def _faults(steps: Trail) -> int:
    return sum(step.is_faulty for step in steps)
