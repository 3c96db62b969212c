"""The patch notation of Codex and its relatives: which files a patch names.

    *** Begin Patch
    *** Update File: src/a.py
    *** Move to: src/b.py
    @@ def f():
    -    return 1
    +    return 2
    *** Add File: src/c.py
    +x = 1
    *** Delete File: src/d.py
    *** End Patch

A patch is only read for its paths here, never applied. Every line must be one that the notation has: a header that
only its own reader saw would be a file that the gate did not check. Where a line could be read both as context and as
a header, the file it would name is checked as well.
"""

from __future__ import annotations

import re

from intentls.core.errors import InvalidPatch, shorten
from intentls.late_pattern import late_pattern

BEGIN, END = "*** Begin Patch", "*** End Patch"
_HEADER = late_pattern(r"\*\*\* (Add File|Delete File|Update File|Move to): (.*)")
_INDENTED_HEADER = late_pattern(r"\s+\*\*\* (?:Add File|Delete File|Update File|Move to): (.*)")
_BODY = {
    "Add File": re.compile(r"\+.*"),
    "Update File": re.compile(r"(?:@@.*|[ +-].*|\*\*\* End of File|)"),
    "Move to": re.compile(r"(?:@@.*|[ +-].*|\*\*\* End of File|)"),
}


def is_codex_patch(text: str) -> bool:
    """Whether this is meant to be such a patch."""
    return text.lstrip().startswith(BEGIN)


def paths_in_patch(text: str) -> tuple[str, ...]:
    """Every path that the patch names, in order, without repeats. Raises InvalidPatch for any line it can't have."""
    lines = re.split(r"\r\n|\n|\r", text.strip())
    if lines[0] != BEGIN or lines[-1] != END or len(lines) < 3:
        raise InvalidPatch(f"the patch must begin with {BEGIN!r} and end with {END!r}")
    paths: list[str] = []
    section = ""
    for number, line in enumerate(lines[1:-1], start=2):
        header = _HEADER.fullmatch(line.rstrip())
        if header is not None:
            if header[1] == "Move to" and section != "Update File":
                raise InvalidPatch(f"line {number} of the patch moves a file, but none is being updated")
            section = header[1]
            paths.append(_path(header[2], number))
            continue
        body = _BODY.get(section)
        if body is None or body.fullmatch(line) is None:
            raise InvalidPatch(f"line {number} of the patch can't be read: {shorten(line)!r}")
        indented_header = _INDENTED_HEADER.fullmatch(line)
        if indented_header is not None:
            paths.append(_path(indented_header[1], number))
    return tuple(dict.fromkeys(paths))


def _path(text: str, number: int) -> str:
    path = text.strip()
    if not path:
        raise InvalidPatch(f"line {number} of the patch names no file")
    return path
