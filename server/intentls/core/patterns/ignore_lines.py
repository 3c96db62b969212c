"""The lines of a repository's ignore files, as if all of them stood in one file at its top.

The later one decides where two match, so lines of a directory come behind those of the directories above it:

    `docs` has      at the top
    *.log           /docs/**/*.log
    /gen/           /docs/gen/
    !a/b            !/docs/a/b
"""

from __future__ import annotations

import re
from typing import Final

_SPECIAL: Final = re.compile(r"([*?\[\\])")


def lines_at_top(directory: str, text: str) -> list[str]:
    """The lines of an ignore file in `directory` ("" is the top; no final slash), without its comments."""
    lines = (line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n"))
    patterns = (line for line in lines if line and not line.startswith("#"))
    return [_at_top(directory, line) for line in patterns] if directory else list(patterns)


def _at_top(directory: str, line: str) -> str:
    negation = "!" if line.startswith("!") else ""
    pattern = line.removeprefix("!")
    if not pattern.strip("/ "):
        return pattern  # no name is in it: git finds nothing
    is_anchored = "/" in pattern.rstrip(" ").removesuffix("/")
    place = _SPECIAL.sub(r"\\\1", directory)
    return f"{negation}/{place}/{'' if is_anchored else '**/'}{pattern.removeprefix('/')}"
