"""Where a root's own files are kept while its `.orchestration` leads somewhere else.

A link of that name would have us write sessions, locks and records to wherever it leads, and read the rules from
there. So such a root is invalid: the gate is closed, and what the engine needs meanwhile lies in a private folder
that goes with the process. A real folder in the link's place heals it at once.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from intentls.store.layout import ORCHESTRATION, Layout

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

ADVICE = f"{ORCHESTRATION} is a symbolic link, and nothing is read or written through one. Make it a real folder."


def layout_of(root: Path) -> Layout:
    """Where the files of `root` lie now."""
    layout = Layout(root)
    return Layout(root, Path(_private_folder().name) / _name(root)) if layout.orchestration.is_symlink() else layout


def _name(root: Path) -> str:
    return root.as_posix().encode("utf-8", "surrogateescape").hex()[-200:]


@cache
def _private_folder() -> TemporaryDirectory[str]:
    from tempfile import TemporaryDirectory  # slow to import, and hardly any root needs it

    return TemporaryDirectory(prefix="intentls-", ignore_cleanup_errors=True)
