"""A change of a file as a coloured unified diff."""

from __future__ import annotations

import difflib

from intentls.faces.cli import output


def print_difference(path: str, before: object, after: object) -> None:
    """Print what a change makes of a file: texts, None where there is no file, anything else can't be shown."""
    if not all(text is None or isinstance(text, str) for text in (before, after)):
        output.print_line(f"{path} can't be shown as text.")
        return
    names = "/dev/null" if before is None else f"a/{path}", "/dev/null" if after is None else f"b/{path}"
    old, new = str(before or "").splitlines(), str(after or "").splitlines()
    for line in difflib.unified_diff(old, new, *names, lineterm=""):
        style = {"+": output.GOOD, "-": output.BAD}.get(line[:1])
        output.print_line((line, style) if style is not None else line)
