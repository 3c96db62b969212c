"""Which folders an event is about, and whether anything governs them."""

from __future__ import annotations

from pathlib import Path

from intentls.faces.hook.event import Event, InvalidEvent
from intentls.store.fs.path_resolution import find_root, real_path


def governed_folders(event: Event) -> tuple[Path, ...]:
    """The folders where the agent works, and the roots of all that the call names; () where there is no root at all.

    An agent may edit any file from anywhere, so a root governs its files wherever the agent stands. Raises
    InvalidPath, and BadEvent where the agent works in no folder that exists.
    """
    folders = [real_path(folder) for folder in event.folders]
    home = [find_root(folder) for folder in folders]
    if not any(folder.is_dir() for folder in folders) and not any(home):
        raise InvalidEvent("cwd", f"{folders[0]} is gone, so nobody can say what governs it")
    named = [find_root(real_path(Path(path))) for path in event.tool.paths] if event.tool is not None else []
    roots = [root for root in named if root is not None]
    return tuple(dict.fromkeys([*folders, *roots])) if roots or any(home) else ()
