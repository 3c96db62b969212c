"""Files in which a process keeps what it worked out for the next one, which reads them if the same user wrote them."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from pathlib import Path
from typing import Final

from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.primitives import READ_NO_LINK

_WRITABLE_BY_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH


def read_own(path: Path, limit: int) -> bytes:
    """What `write_own` wrote, at most `limit` bytes with its checksum.

    Raises OSError where there is nothing, ValueError where it is damaged or other users may have written it.
    """
    descriptor = os.open(path, READ_NO_LINK)
    try:
        status = os.fstat(descriptor)
        owner = getattr(os, "geteuid", lambda: status.st_uid)()
        if not stat.S_ISREG(status.st_mode) or status.st_uid != owner or status.st_mode & _WRITABLE_BY_OTHERS:
            raise ValueError("others may have written it")
        with open(descriptor, "rb", closefd=False) as file:
            checksum, _, body = file.read(limit).partition(b"\n")
    finally:
        os.close(descriptor)
    if checksum != _checksum(body):
        raise ValueError("it is damaged")
    return body


def write_own(path: Path, body: bytes) -> None:
    """Keep `body` with a checksum; only its owner may read or write it. Raises OSError.

    Only its own folder is made: a new one above would change the stamps by which readers see that nothing changed.
    """
    path.parent.mkdir(exist_ok=True)
    replace_bytes(path, _checksum(body) + b"\n" + body, mode=0o600)


def _checksum(body: bytes) -> bytes:
    return sha256(body).hexdigest().encode("ascii")
