"""Who wrote some lines, in words: for a hover, a lens, a hint."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from intentls.core.ledger.person import name_in, with_person
from intentls.store.clock import parse_timestamp

if TYPE_CHECKING:
    from intentls.engine.blame.line_authors import AuthoredLines, IntentLines

_SPECIAL = re.compile(r"([\\`*\[\]<>&~]|(?<![^\W_])_|_(?![^\W_]))")
_UNTRACKED = "UNTRACKED"
_STEPS = ((timedelta(days=1), "day"), (timedelta(hours=1), "hour"), (timedelta(minutes=1), "minute"))
_LONG_AGO = timedelta(days=30)


def hover(written: AuthoredLines, names: dict[str, str], notes: Iterable[str] = (), *, markdown: bool) -> str:
    """What is known of a line: intent, author, session, class, time, approver; then `notes` on the whole file.

    `names` are the names of intents by id.
    """
    lines = _paragraph(written, names, markdown)
    extra = [_escaped(note) if markdown else note for note in notes]
    return ("\n\n" if markdown else "\n").join([*lines, *extra])


def title(run: IntentLines, names: dict[str, str], now: datetime) -> str:
    """`INT-001 Build Weather API · ai claude-x for Ada · 2 days ago`."""
    authors = ", ".join(_author(author) for author in run.authors)
    return " · ".join(part for part in (_intent(run.intent_id, names), authors, ago(run.timestamp, now)) if part)


def label(run: IntentLines) -> str:
    """The same, short enough for the end of a line: `INT-001 · ai, Ada`."""
    names = dict.fromkeys(name_in(author) or str(author.get("type") or "unknown") for author in run.authors)
    return f"{_short(run.intent_id)} · {', '.join(names)}"


def ago(timestamp: str, now: datetime) -> str:
    """How long ago, in one unit; the date if it is a month or more; "" for what is no time."""
    try:
        moment = parse_timestamp(timestamp)
    except ValueError:
        return ""
    past = now - moment
    if past >= _LONG_AGO:
        return moment.date().isoformat()
    for step, unit in _STEPS:
        if past >= step:
            number = past // step
            return f"{number} {unit}{'' if number == 1 else 's'} ago"
    return "just now"


def _paragraph(written: AuthoredLines, names: dict[str, str], markdown: bool) -> list[str]:
    if not written.saved:
        return ["This line is not saved yet, so nothing is on record of it."]
    if written.record is None:
        return ["Nobody recorded who wrote this line."]
    record, text = written.record, _escaped if markdown else str
    intent = text(_intent(str(record.get("intent_id") or _UNTRACKED), names))
    author = (written.conversation or {}).get("contributor")
    session = record.get("session_id")
    who = [_author(author if isinstance(author, dict) else {}), f"session {session}" if session else ""]
    what = [str(record.get("mutation_class") or ""), _moment(str(record.get("timestamp") or ""))]
    lines = [f"**{intent}**" if markdown else intent, text(_joined(who)), text(_joined(what))]
    override = record.get("override")
    if isinstance(override, dict):
        lines.append(text(f"Let pass by {override.get('by')} in spite of {override.get('code')}."))
    return [line for line in lines if line]


def _joined(parts: Iterable[str]) -> str:
    return " · ".join(part for part in parts if part)


def _intent(intent_id: str, names: dict[str, str]) -> str:
    return " ".join(f"{_short(intent_id)} {names.get(intent_id, '')}".split())


def _short(intent_id: str) -> str:
    return "no intent" if intent_id == _UNTRACKED else intent_id


def _author(contributor: dict[str, Any]) -> str:
    kind = str(contributor.get("type") or "unknown")
    model = contributor.get("model_id") or contributor.get("model_identifier")
    attested = f", attested by {contributor['attested_by']}" if contributor.get("attested_by") else ""
    return with_person(f"{kind} {model}" if model else kind, contributor) + attested


def _moment(timestamp: str) -> str:
    try:
        return parse_timestamp(timestamp).strftime("%Y-%m-%d %H:%M UTC")
    except ValueError:
        return ""


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
