"""The files that intent_map.md and AGENT.md name, as links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intentls.core.errors import InvalidPath
from intentls.engine.declarations.id_mentions import lines_of
from intentls.engine.workspace.workspace import Workspace
from intentls.store.fs.path_resolution import real_path, relative_to_root, to_path

MAX_LINKS: Final = 2_000
"""Links of one file; each costs a look at the disk."""

_NAMED = re.compile(
    r"(?P<ticks>`++)(?P<code>[^\r\n]*?[^`\r\n])(?P=ticks)(?!`)|^\*\*File:\*\*[ \t]*(?P<file>\S.*?)[ \t]*$"
)


@dataclass(frozen=True, slots=True)
class DocumentLink:
    """`target` is the real path of an existing file; the line is `text`, columns are code points."""

    line: int
    column: int
    end_column: int
    text: str
    target: Path


def links(workspace: Workspace, text: str) -> list[DocumentLink]:
    """The links in a file with this text. Names of what is no file inside the root stay plain text."""
    found: list[DocumentLink] = []
    for number, line in enumerate(lines_of(text)):
        for match in _NAMED.finditer(line):
            group = "code" if match["code"] is not None else "file"
            target = _target(workspace, match[group])
            if target is not None:
                found.append(DocumentLink(number, match.start(group), match.end(group), line, target))
            if len(found) == MAX_LINKS:
                return found
    return found


def _target(workspace: Workspace, named: str) -> Path | None:
    name = named.strip()
    try:
        real = real_path(to_path(name, workspace.root))
        is_file = relative_to_root(real, workspace.root) is not None and real.is_file()
    except (InvalidPath, OSError):
        return None
    return real if is_file else None
