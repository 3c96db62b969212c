"""Whose files a staged command can change: a user namespace knows one user and one group, those who start it.

The kernel copies a file into the layer with its owner and its group, and refuses where the namespace knows one of them
not ("Value too large for defined data type"), also to a member of that group.

    drwxrwsr-x  ada  dev   src      started by ada with her group ada: nothing below src can be changed
                                    started by `sg dev`: it can
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def why_not_changeable(folder: Path) -> str | None:
    """Why a staged command could not change `folder`, or an entry of it, that this user may change; None if it can.

    Deeper entries are not looked at: that would take as long as reading the tree. Raises OSError.
    """
    user, group = os.geteuid(), os.getegid()
    if user == 0:  # all users are known inside
        return None
    for path in (folder, *folder.iterdir()):
        with suppress(FileNotFoundError):  # it is gone by now
            if (reason := _why_not(path, user, group)) is not None:
                return reason
    return None


def _why_not(path: Path, user: int, group: int) -> str | None:
    if path.is_symlink():
        return None
    status = path.stat()
    if (status.st_uid, status.st_gid) == (user, group) or not os.access(path, os.W_OK):
        return None
    if status.st_gid == group:
        return f"{path.name} belongs to another user, and a staged command can change only your own files."
    name = _group_of(path)
    return (
        f"{path.name} belongs to the group {name}, and a staged command knows only your first one: "
        f"begin with `sg {name}` to make that the first."
    )


def _group_of(path: Path) -> str:
    try:
        return path.group()
    except KeyError:
        return str(path.stat().st_gid)
