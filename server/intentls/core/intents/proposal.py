"""What a text from outside (an issue, a task list, a change proposal) proposes for an intent. All of it is data.

# Tasks: Weather alerts            -> name: Weather alerts
Alerts are pushed to phones.       -> description
- [ ] T001 Write `src/alerts.py`   -> acceptance criterion: Write `src/alerts.py`; path: src/alerts.py
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from intentls.core.patterns.protected_paths import is_agent_settings, is_protected
from intentls.late_pattern import late_pattern

MAX_TEXT: Final = 256 * 1024
"""Characters of a text that are looked at."""

_MAX_NAME: Final = 100
_MAX_DESCRIPTION: Final = 4_000
_MAX_CRITERIA: Final = 50
_MAX_CRITERION: Final = 300
_MAX_PATHS: Final = 200

_HEADING: Final = late_pattern(r"#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*")
_LABEL: Final = late_pattern(
    r"(?:(?:change )?proposal|tasks?|change|feature specification|implementation plan|spec|issue):\s*", re.IGNORECASE
)
_BOX: Final = late_pattern(r"[ \t]*(?:[-*+]|[0-9]+[.)])[ \t]+\[[ xX]\][ \t]+(.*\S)[ \t]*")
_NUMBER: Final = late_pattern(r"(?:T?[0-9]+(?:\.[0-9]+)*[.)]?[ \t]+)?(?:\[[^\]\s]{1,10}\][ \t]+)*")
# A name with a folder or an ending, as people write it in a sentence; what is around it is no part of it.
_PATH: Final = late_pattern(r"[\w@.+-]+(?:/[\w@.+-]+)*/?(?:\*\*)?")
_WORD: Final = late_pattern(r"[^\W_]+")


class IntentProposal(Struct, frozen=True):
    """A name, a description, criteria, and the paths that the text names (as written, none of them checked)."""

    name: str = ""
    description: str = ""
    criteria: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


def clean(text: str) -> str:
    """The text without what a person would not see: control characters, marks that turn its direction, half surrogates.

    Example: `"a\\x1b[2Jb\\u202ec\\r\\n"` is `"a[2Jbc\\n"`.
    """
    lines = text[:MAX_TEXT].replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    ")
    return "".join(
        c for c in lines if c == "\n" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    )


def one_line(text: str, limit: int = _MAX_NAME) -> str:
    """The text on one line, cut after `limit` characters."""
    line = " ".join(clean(text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def read_proposal(text: str) -> IntentProposal:
    """What the text proposes. The first heading, else the first line, is the name; what is left is the description."""
    lines = clean(text).split("\n")
    lines = lines[_front_matter(lines) :]
    title = next((index for index, line in enumerate(lines) if _HEADING.fullmatch(line)), None)
    if title is None:
        title = next((index for index, line in enumerate(lines) if line.strip()), None)
    if title is None:
        return IntentProposal()
    heading = _HEADING.fullmatch(lines[title])
    name = one_line(_LABEL.sub("", lines[title] if heading is None else heading[1], count=1))
    rest = lines[:title] + lines[title + 1 :]
    boxes = [match[1] for line in rest if (match := _BOX.fullmatch(line))]
    criteria = dict.fromkeys(one_line(_NUMBER.sub("", box, count=1), _MAX_CRITERION) for box in boxes)
    body = "\n".join(line.rstrip() for line in rest if not _BOX.fullmatch(line))
    description = re.sub(r"\n{3,}", "\n\n", body).strip()
    if len(description) > _MAX_DESCRIPTION:
        description = description[: _MAX_DESCRIPTION - 1].rstrip() + "…"
    kept = tuple(criterion for criterion in criteria if criterion)[:_MAX_CRITERIA]
    return IntentProposal(name, description, kept, tuple(dict.fromkeys(_paths(lines))))


def _front_matter(lines: Sequence[str]) -> int:
    """How many lines a YAML block at the beginning has: it is another tool's, and nothing in it counts."""
    if lines[0].strip() != "---":
        return 0
    return next((index + 1 for index, line in enumerate(lines[1:], 1) if line.strip() == "---"), 0)


def _paths(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        for match in _PATH.finditer(line):
            written = match[0].rstrip(".")
            before = line[: match.start()]
            if before.endswith((":/", "/", "~", "\\", "$")):
                continue  # a part of a URL or of a path that is not relative
            if "/" in written or "." in written:
                yield written


def scope_of(paths: Iterable[str], files: Iterable[str]) -> tuple[tuple[str, bool], ...]:
    """The (path, whether it is a folder) that a scope may be proposed for, of `paths` that a text names.

    `files` are the root's. A path counts if it is one of them, or a folder of them, or a new file in a folder that
    there is. Nothing that is protected does, nor a path with `..`.

    Example: of `src/a.py`, `src/new.py`, `docs/`, `1.2`, `.git/config` with the files `src/a.py` and `docs/x.md` there
    are left `src/a.py`, `src/new.py` and the folder `docs`.
    """
    known = set(files)
    folders = {path[:end] for path in known for end in _slashes(path)}
    chosen: dict[str, bool] = {}
    for written in paths:
        path = written.removesuffix("**").strip("/")
        if is_protected(path) or is_agent_settings(path) or not set(path.split("/")).isdisjoint({"", ".", ".."}):
            continue
        folder, _, name = path.rpartition("/")
        if path in folders:
            chosen[path] = True
        elif path in known or (folder in folders and "." in name.lstrip(".")):
            chosen[path] = False
        if len(chosen) == _MAX_PATHS:
            break
    wide = {path for path, is_folder in chosen.items() if is_folder}
    return tuple(
        (path, is_folder) for path, is_folder in chosen.items() if not any(path[:end] in wide for end in _slashes(path))
    )


def name_of_branch(branch: str) -> str:
    """A name for the work on a branch.

    Example: `feature/PROJ-12-weather_alerts` is `PROJ 12 weather alerts`.
    """
    words = _WORD.findall(clean(branch.rpartition("/")[2]))
    return one_line(" ".join(words))


def _slashes(path: str) -> Iterator[int]:
    return (index for index, character in enumerate(path) if character == "/")
