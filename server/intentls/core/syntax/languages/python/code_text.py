"""What is code in a piece of Python's text: a part of a file that did not change and was not walked.

It says too little rather than too much, and is asked for a first look alone: what it lets pass is read again as a tree.
"""

from __future__ import annotations

import re

_PART = re.compile(
    r"#[^\n]*|(?P<prefix>\b[rbuftRBUFT]{1,2})?(?:\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
)
_EXAMPLE = ">>>"


def without_prose(text: str) -> str:
    """Without comments, and without texts of several lines that are no examples and have no values in them."""

    def kept(part: re.Match[str]) -> str:
        is_long = part[0].endswith(('"""', "'''")) and "f" not in (part["prefix"] or "").lower()
        return " " if part[0].startswith("#") or (is_long and _EXAMPLE not in part[0]) else part[0]

    return _PART.sub(kept, text) if "\n" in text else text


def without_texts(text: str) -> str:
    """Without comments and all texts but those that have values in them."""

    def kept(part: re.Match[str]) -> str:
        return part[0] if "f" in (part["prefix"] or "").lower() else " "

    return _PART.sub(kept, text) if "\n" in text else text
