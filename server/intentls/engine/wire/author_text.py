"""Who wrote some lines, in words: for a hover, a lens, a hint."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from intentls.core.errors import shorten
from intentls.core.ledger.person import name_in, person_name, with_person
from intentls.store.clock import parse_timestamp

if TYPE_CHECKING:
    from intentls.engine.blame.definition_blame import DefinitionBlame, RecordedStep
    from intentls.engine.blame.line_authors import AuthoredLines, IntentLines
    from intentls.store.git.line_commit import LineCommit

_SPECIAL = re.compile(r"([\\`*\[\]<>&~]|(?<![^\W_])_|_(?![^\W_]))")
_UNTRACKED = "UNTRACKED"
_STEPS = ((timedelta(days=1), "day"), (timedelta(hours=1), "hour"), (timedelta(minutes=1), "minute"))
_LONG_AGO = timedelta(days=30)
_MAX_SUBJECT = 72
_MAX_STEPS = 4  # of a definition's history in a hover
_OUT_OF_SCOPE = "out of scope"
_KINDS = {"human": "a person", "ai": "an agent", "unknown": "unknown author", "mixed": "several authors"}
_REASONS = {
    "SCOPE_VIOLATION": "although outside the scope",
    "INTENTIGNORE_PATH_BLOCKED": "although the file is ignored",
    "INTENT_REQUIRED": "although no intent was selected",
    "INTENT_CLOSED": "although the intent was closed",
    "INTENT_IGNORED": "although the intent is ignored",
    "STALE_CONTEXT": "although the file had changed",
    "BASE_HASH_REQUIRED": "although the file had not been read",
}
_OTHERWISE = "although it was refused"


def hover(
    written: AuthoredLines, names: dict[str, str], now: datetime, commit: LineCommit | None = None, *, markdown: bool
) -> str:
    """What is known of a line: intent, author, time, approver; "" if nothing is.

    `names` are the names of intents by id; `commit` is what git knows of a line without a record.
    """
    return ("\n\n" if markdown else "\n").join(_paragraph(written, names, now, commit, markdown))


def line_end(written: AuthoredLines, names: dict[str, str], now: datetime, commit: LineCommit | None = None) -> str:
    """The same in a few words, for the end of the line: `claude-x for Ada, 2 days ago · INT-001 Build Weather API`."""
    if not written.saved:
        return ""
    if written.record is None:
        return "" if commit is None else _joined((_when(_name(commit), commit.timestamp, now), _subject(commit)))
    author = _when(_author(_contributor(written)), str(written.record.get("timestamp") or ""), now)
    intent = _intent(str(written.record.get("intent_id") or _UNTRACKED), names)
    return _joined((author, intent, _OUT_OF_SCOPE if _is_outside(written.record) else ""))


def title(run: IntentLines, names: dict[str, str], now: datetime) -> str:
    """`INT-001 Build Weather API · claude-x for Ada · 2 days ago`."""
    authors = ", ".join(dict.fromkeys(_author(author) for author in run.authors))
    outside = _OUT_OF_SCOPE if run.out_of_scope else ""
    return _joined((_intent(run.intent_id, names), authors, ago(run.timestamp, now), outside))


def label(run: IntentLines) -> str:
    """The same, short enough for the end of a line: `INT-001 · claude-x, Ada`."""
    names = dict.fromkeys(name_in(author) or _model(author) or _kind(author) for author in run.authors)
    return _joined((_short(run.intent_id), ", ".join(names), _OUT_OF_SCOPE if run.out_of_scope else ""))


def step(recorded: RecordedStep, path: str, names: dict[str, str], now: datetime) -> str:
    """What a record did to a definition of the file `path`.

    `renamed from rain by claude-x for Ada, 2 days ago · INT-001 Build Weather API`.
    """
    change, record = recorded.step, recorded.record
    source = "another place in this file" if change.old_path == path else str(change.old_path)
    parts = {"renamed": f"renamed from {change.old_name}", "moved": f"moved from {source}"}
    authors = [_author(part.get("contributor") or {}) for part in recorded.conversations]
    who = ", ".join(dict.fromkeys(authors)) or _KINDS["unknown"]
    deed = f"{' and '.join(parts.get(part, part) for part in change.what)} by {who}"
    intent = _intent(str(record.get("intent_id") or _UNTRACKED), names)
    return _joined((_when(deed, str(record.get("timestamp") or ""), now), intent))


def definition(blamed: DefinitionBlame, names: dict[str, str], now: datetime, *, markdown: bool) -> str:
    """The history of a definition for a hover: its newest steps, the newest first; "" if it was only created."""
    steps = [step(recorded, blamed.path, names, now) for recorded in blamed.steps]
    if len(steps) < 2:
        return ""
    shown = steps[:_MAX_STEPS] if len(steps) > _MAX_STEPS + 1 else steps
    if len(shown) < len(steps):
        shown.append(f"and {len(steps) - len(shown)} earlier changes")
    name = f"{blamed.definition.kind} {blamed.definition.name}"
    if markdown:
        return "\n".join((f"**{_escaped(name)}**", "", *(f"- {_escaped(text)}" for text in shown)))
    return "\n".join((_one_line(name), *(f"  {_one_line(text)}" for text in shown)))


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


def _paragraph(
    written: AuthoredLines, names: dict[str, str], now: datetime, commit: LineCommit | None, markdown: bool
) -> list[str]:
    text = _escaped if markdown else _one_line
    if not written.saved:
        return ["This line is not saved yet."]
    if written.record is None:
        if commit is None:
            return []
        return [text(_when(_name(commit), commit.timestamp, now)), text(_joined((_subject(commit), commit.commit[:8])))]
    record = written.record
    intent = text(_intent(str(record.get("intent_id") or _UNTRACKED), names))
    author = text(_when(_author(_contributor(written)), str(record.get("timestamp") or ""), now))
    lines = [f"**{intent}**" if markdown else intent, author]
    if _is_outside(record):
        lines.append("Out of scope: the intent did not own this file.")
    override = record.get("override")
    if isinstance(override, dict):
        lines.append(text(f"Approved by {override.get('by')} {_REASONS.get(str(override.get('code')), _OTHERWISE)}."))
    return [line for line in lines if line]


def _contributor(written: AuthoredLines) -> dict[str, Any]:
    contributor = (written.conversation or {}).get("contributor")
    return contributor if isinstance(contributor, dict) else {}


def _is_outside(record: Mapping[str, Any]) -> bool:
    """Whether the change was made although it was out of scope, and no person approved it."""
    return record.get("scope_validation") == "FAIL" and not isinstance(record.get("override"), dict)


def _when(author: str, timestamp: str, now: datetime) -> str:
    return ", ".join(part for part in (author, ago(timestamp, now)) if part)


def _name(commit: LineCommit) -> str:
    return person_name(commit.author) or "unknown"


def _subject(commit: LineCommit) -> str:
    return shorten(_one_line(commit.subject), _MAX_SUBJECT)


def _joined(parts: Iterable[str]) -> str:
    return " · ".join(part for part in parts if part)


def _intent(intent_id: str, names: dict[str, str]) -> str:
    return " ".join(f"{_short(intent_id)} {names.get(intent_id, '')}".split())


def _short(intent_id: str) -> str:
    return "no intent" if intent_id == _UNTRACKED else intent_id


def _author(contributor: dict[str, Any]) -> str:
    attested = f", attested by {contributor['attested_by']}" if contributor.get("attested_by") else ""
    return with_person(_model(contributor) or _kind(contributor), contributor) + attested


def _model(contributor: dict[str, Any]) -> str:
    """The model without its provider: `claude-opus-4-5` of `anthropic/claude-opus-4-5`."""
    model = contributor.get("model_id") or contributor.get("model_identifier") or ""
    return str(model).rpartition("/")[2]


def _kind(contributor: dict[str, Any]) -> str:
    kind = str(contributor.get("type") or "unknown")
    return _KINDS.get(kind, kind)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", _one_line(text))
