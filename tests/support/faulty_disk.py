"""Disks that refuse: mounted where the system lets us, imitated by permissions where it does not."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def _mount(*arguments: str) -> bool:
    """Whether `mount` did it."""
    if shutil.which("mount") is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    return subprocess.run(["mount", *arguments], capture_output=True, check=False).returncode == 0


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A file system of its own, of `size` (as `mount` takes it), at the new folder `folder`."""
    folder.mkdir()
    if not _mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)):
        pytest.skip("nothing can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path, *, but: int = 0) -> Path:
    """Fill the file system of `folder` up, all `but` so many bytes; the file that does it."""
    filler = folder / "filler"
    with open(filler, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            file.truncate(max(0, file.tell() - but))
    return filler


@contextmanager
def read_only(path: Path) -> Iterator[None]:
    """A file or folder (with all below it) that can't be changed."""
    if _mount("--bind", str(path), str(path)):
        try:
            if not _mount("-o", "remount,bind,ro", str(path)):
                pytest.skip("nothing can be mounted read-only here")
            yield
        finally:
            subprocess.run(["umount", "--lazy", str(path)], check=True)
        return
    if not hasattr(os, "geteuid") or os.geteuid() == 0:
        pytest.skip("this user may write everything, and nothing can be mounted here")
    below = [path, *path.rglob("*")]
    modes = [found.stat().st_mode for found in below]
    for found, mode in zip(below, modes, strict=True):
        found.chmod(mode & ~0o222)
    try:
        yield
    finally:
        for found, mode in zip(below, modes, strict=True):
            if found.exists():
                found.chmod(mode)
