"""What files of a working tree hold, read without waiting and without following a link, and kept by hash."""

from __future__ import annotations

import logging
import os
import stat
from hashlib import sha256
from pathlib import Path

from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.primitives import READ_NO_LINK, keep_newest
from intentls.store.git.worktree_state import ABSENT, NOTHING, Inode, Presence, TreeContent, is_file

log = logging.getLogger(__name__)

MAX_CONTENT = 4 * 1024 * 1024
"""Bytes of a file whose content is remembered; of a larger one only that it changed."""

_MAX_BLOBS = 4_000


class KeptContents:
    """Contents in one directory, each under its SHA-256."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def prepare(self) -> None:
        """Make the directory, and let the oldest go. Raises OSError."""
        self._directory.mkdir(parents=True, exist_ok=True)
        keep_newest(self._directory, _MAX_BLOBS)

    def has(self, digest: str) -> bool:
        """Whether this content is kept."""
        return (self._directory / digest).exists()

    def keep(self, data: bytes) -> str:
        """Keep it; its digest. Raises OSError."""
        digest = sha256(data).hexdigest()
        if not self.has(digest):
            replace_bytes(self._directory / digest, data)
        return digest

    def get(self, digest: str | None) -> bytes | None:
        """The content; None where it is not kept, or not whole."""
        try:
            data = None if digest is None else (self._directory / digest).read_bytes()
        except OSError:
            return None
        return data if data is not None and sha256(data).hexdigest() == digest else None


def inode_at(file: Path) -> Inode:
    """What stands there. Raises OSError where that can't be told."""
    try:
        status = os.lstat(file)
    except (FileNotFoundError, NotADirectoryError):
        return NOTHING
    return (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ino, status.st_ctime_ns)


def content_at(file: Path, inode: Inode) -> TreeContent:
    """The file now; a link's content is its target. What a large or unreadable file holds is not known."""
    if not is_file(inode):
        return ABSENT
    if inode[1] > MAX_CONTENT:
        return TreeContent(Presence.PRESENT)
    try:
        data = os.fsencode(file.readlink()) if stat.S_ISLNK(inode[0]) else _read(file)
    except OSError as error:
        log.info("%s can't be read: %s", file, error)
        return TreeContent(Presence.PRESENT)
    return TreeContent(Presence.PRESENT, data if data is not None and len(data) <= MAX_CONTENT else None)


def _read(file: Path) -> bytes | None:
    with open(os.open(file, READ_NO_LINK), "rb") as opened:
        return opened.read(MAX_CONTENT + 1) if stat.S_ISREG(os.fstat(opened.fileno()).st_mode) else None
