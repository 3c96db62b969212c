"""The patch notation of Codex and its relatives: which files does a patch name?

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

Read for judging, not for applying: every line must be one that the notation has, since a header that its own reader
would see and we would not is a file that nobody judged. Where a line could be read both as context and as a header,
the file it would name is judged as well.
"""

from __future__ import annotations

import re

from intentls.core.errors import InvalidPatch, shorten

BEGIN, END = "*** Begin Patch", "*** End Patch"
_HEADER = re.compile(r"\*\*\* (Add File|Delete File|Update File|Move to): (.*)")
_SECRET_HEADER = re.compile(r"\s+\*\*\* (?:Add File|Delete File|Update File|Move to): (.*)")
_BODY = {
    "Add File": re.compile(r"\+.*"),
    "Update File": re.compile(r"(?:@@.*|[ +-].*|\*\*\* End of File|)"),
    "Move to": re.compile(r"(?:@@.*|[ +-].*|\*\*\* End of File|)"),
}


def is_envelope(text: str) -> bool:
    """Whether this is meant to be such a patch."""
    return text.lstrip().startswith(BEGIN)


def enveloped_paths(text: str) -> tuple[str, ...]:
    """Every path that the patch names, in order, without repeats. Raises InvalidPatch for any line it can't have."""
    lines = re.split(r"\r\n|\n|\r", text.strip())
    if lines[0] != BEGIN or lines[-1] != END or len(lines) < 3:
        raise InvalidPatch(f"the patch must begin with {BEGIN!r} and end with {END!r}")
    found: list[str] = []
    section = ""
    for number, line in enumerate(lines[1:-1], start=2):
        header = _HEADER.fullmatch(line.rstrip())
        if header is not None:
            section = _enter(section, header[1], number)
            found.append(_path(header[2], number))
            continue
        body = _BODY.get(section)
        if body is None or body.fullmatch(line) is None:
            raise InvalidPatch(f"line {number} of the patch can't be read: {shorten(line)!r}")
        hidden = _SECRET_HEADER.fullmatch(line)
        if hidden is not None:
            found.append(_path(hidden[1], number))
    return tuple(dict.fromkeys(found))


def _enter(section: str, header: str, number: int) -> str:
    if header == "Move to" and section != "Update File":
        raise InvalidPatch(f"line {number} of the patch moves a file, but none is being updated")
    return header


def _path(given: str, number: int) -> str:
    path = given.strip()
    if not path:
        raise InvalidPatch(f"line {number} of the patch names no file")
    return path
