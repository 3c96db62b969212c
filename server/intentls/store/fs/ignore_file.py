"""The `.gitignore` in `.orchestration/`: what is derived or only of use on this machine stays out of git."""

from __future__ import annotations

import os
from typing import Final

from intentls.store.fs.atomic_write import replace_bytes, write_all, write_new
from intentls.store.fs.bounded_read import read_bounded
from intentls.store.fs.primitives import NO_LINK
from intentls.store.layout import LEDGER_NAME, Layout

_MAX_BYTES = 4 * 1024 * 1024
_LOCAL = (
    "# The engine's own state, and the ledger's local file: git carries the ledger in trace/.",
    ".state/",
    LEDGER_NAME,
)
_DERIVED = (
    "# Derived from the ledger (policy commit_derived: true keeps them in git).",
    "intent_map.md",
    "spatial_map.json",
    "AGENT.md",
)
DERIVED_NAMES: Final = _DERIVED[1:]
"""The files that are derived, unless the policy keeps them in git."""


def ignore_local_files(layout: Layout, *, commit_derived: bool = False) -> bool | None:
    """Add what is missing; with `commit_derived` take the derived files' lines out. Raises OSError.

    Whether the file was made (True) or changed (False); None if it was right.
    """
    file = layout.orchestration / ".gitignore"
    before = read_bounded(file, _MAX_BYTES)
    needed = [*_missing(before, _LOCAL), *(() if commit_derived else _missing(before, _DERIVED))]
    if before is None:
        write_new(file, _text(needed, b""))
        return True
    if commit_derived and any(name in _patterns(before) for name in DERIVED_NAMES):
        kept = [
            line for line in before.splitlines(keepends=True) if _pattern(line) not in (*DERIVED_NAMES, _DERIVED[0])
        ]
        before = b"".join(kept)
        replace_bytes(file, before + _text(needed, before))
        return False
    if not needed:
        return None
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | NO_LINK)
    try:
        write_all(descriptor, _text(needed, before))
    finally:
        os.close(descriptor)
    return False


def _missing(before: bytes | None, lines: tuple[str, ...]) -> list[str]:
    said = _patterns(before or b"")
    names = [line for line in lines[1:] if line.strip("/") not in said]
    return [lines[0], *names] if names else []


def _patterns(content: bytes) -> set[str]:
    return {_pattern(line) for line in content.splitlines()}


def _pattern(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip().strip("/")


def _text(lines: list[str], before: bytes) -> bytes:
    end = "\r\n" if b"\r\n" in before else "\n"
    gap = end if before and lines and not before.endswith(b"\n") else ""
    return (gap + "".join(line + end for line in lines)).encode()
