"""Could the engine itself have made this change of a file that it derives? Then no record needs to tell of it.

Whatever else stands in such a file was written by a person, and an agent that reads the file takes it for true.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping

from intentls.core.derived.intent_map import HEADER
from intentls.core.derived.intent_map_markdown import MapText, entry_path
from intentls.core.derived.lesson import Lesson, parse_lessons

_SPATIAL_KEYS = frozenset({"file_path", "intent_id", "operation_type", "timestamp", "line_range", "content_hash"})
_OPERATIONS = ("read", "write", "modify")
_OWN_FILES = ".orchestration/"
_DERIVED_NAMES = frozenset({"spatial_map.json", "intent_map.md", "AGENT.md"})
_LOCAL_NAMES = frozenset({".state/", "agent_trace.jsonl"})


def is_map_change(old: str, new: str, names: Mapping[str, str], is_recorded: Callable[[str], bool]) -> bool:
    """Whether two versions of the intent map differ only in entries and headings that the engine writes.

    `names` are those of the intents, by id; `is_recorded` says of a path whether the ledger has a record of it.
    """
    headings = {MapText("").section(intent_id, name).heading.strip() for intent_id, name in names.items()}
    plain = {"", *HEADER.splitlines(), *headings}
    for line in _changed_lines(old, new):
        path = entry_path(line)
        if line.strip() not in plain and (path is None or not is_recorded(path)):
            return False
    return True


def adds_lessons_only(old: str, new: str, is_recorded: Callable[[Lesson], bool]) -> bool:
    """Whether a version of AGENT.md has all that the older one has, and beside that only lessons that are on record."""
    lessons = Counter(lesson.render() for lesson in parse_lessons(new))
    before = Counter(lesson.render() for lesson in parse_lessons(old))
    rest = new
    for block in lessons - before:
        rest = rest.replace(block.strip(), "", (lessons - before)[block])
    added = parse_lessons("\n".join((lessons - before).elements()))
    return not before - lessons and rest.split() == old.split() and all(map(is_recorded, added))


def is_spatial_map(text: str, names: Collection[str]) -> bool:
    """Whether the text is a spatial map of the intents `names`: entries with the format's own keys and nothing else."""
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(entries, list) and all(
        isinstance(entry, dict)
        and entry.keys() <= _SPATIAL_KEYS
        and entry.get("operation_type") in _OPERATIONS
        and str(entry.get("intent_id")) in names
        for entry in entries
    )


def ignores_state_only(old: str, new: str) -> bool:
    """Whether `.orchestration/.gitignore` only got or lost lines as the engine writes them there, and comments.

    What is derived may be kept in git or not; the engine's state and the local ledger never are.
    """
    before, after = Counter(old.splitlines()), Counter(new.splitlines())
    added, gone = ({line.strip() for line in lines} for lines in (after - before, before - after))
    return all(
        line[:1] in ("", "#") or line in names
        for lines, names in ((added, _LOCAL_NAMES | _DERIVED_NAMES), (gone, _DERIVED_NAMES))
        for line in lines
    )


def concerns_ledger_only(old: str, new: str) -> bool:
    """Whether two versions of `.gitattributes` differ only in comments and lines about files of `.orchestration/`."""
    return all(line.lstrip()[:1] in ("", "#") or line.startswith(_OWN_FILES) for line in _changed_lines(old, new))


def _changed_lines(old: str, new: str) -> list[str]:
    """The lines that only one of two texts has; their order is left out of account."""
    before, after = Counter(old.splitlines()), Counter(new.splitlines())
    return [*(before - after), *(after - before)]
