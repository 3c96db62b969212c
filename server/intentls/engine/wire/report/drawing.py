"""Bars as rectangles: where each part of a bar begins, how wide it is, and which colour is whose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from intentls.core.report.content import FileReport, Lane, LineKind, Report
from intentls.engine.wire.report.words import has_roots, share_name

WIDTH = 1_000
_FILLS = ("#2f6fb3", "#b85c00", "#2a8a63", "#9147a8", "#8a7200", "#c2497f", "#2b8a9b", "#7a6a5a")
_KIND_FILLS = {"attested": "#8fb8de", "earlier": "#b4bcc6", "untracked": "#d9a441", "unexplained": "#d1242f"}
_LANE_STYLES = {"changed": "c0", "committed": "c7", "refused": "c1", "let pass": "untracked", "attested": "attested"}
_HEIGHT = 20
_MIN_HEIGHT = 5  # so that one of a thousand is seen
_MOST_SEGMENTS = 12
_MOST_OWNERS = 6

Paint = tuple[str, str]
"""A class of the style sheet, and the colour where there is none."""


class Segment(Struct, frozen=True):
    """A part of a bar, in thousandths of its width, and what it stands for."""

    style: str
    fill: str
    name: str
    lines: int
    x: int
    width: int


class PaintedOwner(Struct, frozen=True):
    """An owner of lines in a file, with its colour."""

    style: str
    fill: str
    name: str
    who: str
    lines: int


class DrawnFile(Struct, frozen=True):
    """A file as the page shows it. `more` counts the owners that are left out."""

    path: str
    change: str
    old_path: str | None
    lines: int
    findings: int
    intents: tuple[str, ...]
    segments: tuple[Segment, ...]
    owners: tuple[PaintedOwner, ...]
    more: int
    label: str


class Column(Struct, frozen=True):
    """One part of a timeline's lane."""

    x: int
    y: int
    height: int


class DrawnLane(Struct, frozen=True):
    """A lane of the timeline."""

    kind: str
    count: int
    style: str
    fill: str
    parts: tuple[int, ...]
    columns: tuple[Column, ...]


class Colours:
    """Which colour stands for which intent: those with most lines have one of their own, the others share the last."""

    def __init__(self, report: Report) -> None:
        intents = [(share.root, share.intent_id) for share in report.coverage if share.kind is LineKind.RECORD]
        self._places = {intent: min(place, len(_FILLS) - 1) for place, intent in enumerate(intents)}

    def of(self, kind: LineKind, root: str | None, intent_id: str | None) -> Paint:
        """The colour of lines of a kind, or of an intent."""
        if kind is not LineKind.RECORD:
            return kind.value, _KIND_FILLS[kind.value]
        place = self._places.get((root, intent_id), len(_FILLS) - 1)
        return f"c{place}", _FILLS[place]


def coverage_segments(report: Report, colours: Colours) -> tuple[Segment, ...]:
    """The bar of the whole report. Of many intents those with fewest lines are one segment."""
    named = has_roots(report)
    shares = [
        (colours.of(share.kind, share.root, share.intent_id), share_name(share, with_root=named), share.lines)
        for share in report.coverage
    ]
    own = [share for share, of in zip(shares, report.coverage, strict=True) if of.kind is LineKind.RECORD]
    rest = shares[len(own) :]
    if len(own) > _MOST_SEGMENTS:
        others = own[_MOST_SEGMENTS - 1 :]
        own = own[: _MOST_SEGMENTS - 1]
        own.append((others[0][0], f"{len(others)} other intents", sum(lines for _, _, lines in others)))
    return _laid_out([*own, *rest])


def _laid_out(shares: Sequence[tuple[Paint, str, int]]) -> tuple[Segment, ...]:
    """Side by side, each as wide as its share, and at least one thousandth wide.

    Example: 1 and 2 lines are the segments 0 to 333 and 333 to 1000.
    """
    whole = sum(lines for _, _, lines in shares)
    segments, before = [], 0
    for (style, fill), name, lines in shares:
        start, end = before * WIDTH // whole, (before + lines) * WIDTH // whole
        segments.append(Segment(style, fill, name, lines, start, max(end - start, 1)))
        before += lines
    return tuple(segments)


def drawn_file(file: FileReport, colours: Colours, names: Mapping[LineKind, str]) -> DrawnFile:
    """A file with the bar of its owners."""
    owners = [
        PaintedOwner(
            *colours.of(owner.kind, file.root, owner.intent_id),
            owner.intent_id or names.get(owner.kind, ""),
            owner.who,
            owner.lines,
        )
        for owner in file.owners
    ]
    segments = _laid_out([((one.style, one.fill), one.name, one.lines) for one in _merged(owners)])
    return DrawnFile(
        file.path,
        file.change,
        file.old_path,
        file.lines,
        file.findings,
        file.intents,
        segments,
        tuple(owners[:_MOST_OWNERS]),
        len(owners[_MOST_OWNERS:]),
        f"{len(owners)} owners of {file.lines} lines",
    )


def _merged(owners: Iterable[PaintedOwner]) -> list[PaintedOwner]:
    """The owners of each colour together."""
    by_style: dict[str, PaintedOwner] = {}
    for owner in owners:
        known = by_style.get(owner.style)
        lines = owner.lines if known is None else known.lines + owner.lines
        by_style[owner.style] = PaintedOwner(owner.style, owner.fill, owner.name, owner.who, lines)
    return list(by_style.values())


def drawn_lane(lane: Lane) -> DrawnLane:
    """A lane, its highest column as high as the lane."""
    style = _LANE_STYLES.get(lane.kind, "c2")
    fill = _KIND_FILLS.get(style) or _FILLS[int(style[1:])]
    most = max(lane.parts)
    heights = [
        (place, _MIN_HEIGHT + (_HEIGHT - _MIN_HEIGHT) * number // most)
        for place, number in enumerate(lane.parts)
        if number
    ]
    columns = tuple(Column(place * 10, _HEIGHT - height, height) for place, height in heights)
    return DrawnLane(lane.kind, lane.count, style, fill, lane.parts, columns)
