"""Programs that a test of a real client needs: found, installed where that is ours to do, or plainly missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_S

_APT = ("apt-get", "--yes", "--quiet", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=600")
_TIMEOUT_S = 600


def ensure_debian(packages: Sequence[str]) -> str | None:
    """Have these Debian packages installed: None if they are, else a sentence that says why not.

    As root on Debian it installs what is missing; other processes that install meanwhile are waited for.
    """
    if shutil.which("dpkg-query") is None or shutil.which("apt-get") is None:
        return f"this is no Debian: {' '.join(packages)} can't be installed here"
    if not (missing := [package for package in packages if not _is_installed(package)]):
        return None
    if os.geteuid() != 0:
        return f"not root, so nothing was installed: apt-get install {' '.join(missing)}"
    with _one_at_a_time():
        if not _apt("install", *missing) and _apt("update"):  # the lists may be missing or old
            _apt("install", *missing)
    still = [package for package in missing if not _is_installed(package)]
    return f"apt-get could not install {' '.join(still)}" if still else None


def skip_or_fail(reason: str | None) -> None:
    """Go on if there is no reason not to. Otherwise skip the test and say why; under CI nothing may be skipped."""
    if reason is None:
        return
    if os.environ.get("CI"):
        pytest.fail(f"CI must try this client: {reason}")
    pytest.skip(reason)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """apt-get waits for an installation that is under way, but not for somebody who fetches the lists."""
    import fcntl  # not on Windows, which is no Debian

    with (Path(tempfile.gettempdir()) / "intentls-tests-apt.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _is_installed(package: str) -> bool:
    asked = ["dpkg-query", "--show", "--showformat=${db:Status-Status}", package]
    return subprocess.run(asked, check=False, capture_output=True, text=True, timeout=PATIENCE_S).stdout == "installed"


def _apt(verb: str, *packages: str) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(
        [*_APT, verb, *packages],
        check=False,  # what is installed in the end is looked up
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_TIMEOUT_S,
    )
    return done.returncode == 0
