"""How a glob may go on: the files and folders of the workspace, one folder at a time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from intentls.engine.intents.intents_edit import literal_glob
from intentls.store.git.file_list import Files
from intentls.store.layout import ORCHESTRATION

MAX_NAMES: Final = 500
"""Names of a folder that are offered at once; more are narrowed down by what is typed."""

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_MAGIC = re.compile(r"(?<!\\)(?:\\\\)*[*?\[\]{}]")


@dataclass(frozen=True, slots=True)
class GlobPath:
    """`glob` is the whole text so far with this name at its end; `label` is the name alone."""

    glob: str
    label: str
    is_folder: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class GlobPaths:
    """Not `complete`: there are more."""

    paths: tuple[GlobPath, ...] = ()
    complete: bool = True


def paths_after(files: Files, typed: str) -> GlobPaths:
    """What may follow `typed`, a glob that is being written (with its `!`, unescaped by YAML but not as a glob)."""
    mark = "!" if typed.startswith("!") else ""
    body = typed.removeprefix("!")
    cut = body.rfind("/") + 1
    folder, partial = body[:cut], _ESCAPE.sub(r"\1", body[cut:])
    if _MAGIC.search(folder):
        return GlobPaths()  # it may stand for many folders
    inside = _ESCAPE.sub(r"\1", folder).rstrip("/")
    names = files.inside(inside)
    if not names:
        return GlobPaths()
    if not inside and not partial.startswith("."):
        names = tuple(name for name in names if name != f"{ORCHESTRATION}/")  # hardly ever what is meant
    complete = len(names) <= MAX_NAMES
    if not complete:
        names = tuple(name for name in names if name.startswith(partial))
    below = [GlobPath(f"{mark}{folder}**", "**", False, f"everything below {inside or 'the root'}")]
    found = [_path(mark + folder, name) for name in names[:MAX_NAMES]]
    folders = [path for path in found if path.is_folder]
    return GlobPaths((*folders, *(path for path in found if not path.is_folder), *below), complete)


def _path(start: str, name: str) -> GlobPath:
    is_folder = name.endswith("/")
    escaped = literal_glob(name.removesuffix("/")) + "/" * is_folder
    return GlobPath(start + escaped, name, is_folder, "folder" if is_folder else "file")
