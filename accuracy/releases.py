"""Releases of public packages: fetched once through their index's own client, checked, kept in a folder git ignores."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
import tarfile
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

HERE = Path(__file__).parent
CACHE = HERE.parent / ".cache" / "accuracy"
PACKAGES = HERE / "packages.json"
_UNEARTH = "unearth==0.19.0"  # fetches a source archive without running its build
_SUITES = ("bookworm", "trixie")
_MAX_FILE = 400_000


@dataclass(frozen=True, slots=True)
class Release:
    """One release of a package; `sha256` is the archive's, in hex."""

    version: str
    archive: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Package:
    """A package with consecutive releases, oldest first; `index` is pypi, npm or debian, `split` dev or held-out."""

    index: str
    name: str
    repository: str
    language: str
    split: str
    releases: tuple[Release, ...]

    def pairs(self) -> Iterator[tuple[Release, Release]]:
        """Each release with the one after it."""
        yield from zip(self.releases, self.releases[1:], strict=False)


def packages(listed: Path = PACKAGES) -> tuple[Package, ...]:
    """The pinned packages, as the file lists them."""
    return tuple(
        Package(
            entry["index"],
            entry["package"],
            entry["repository"],
            entry["language"],
            entry["split"],
            tuple(Release(**release) for release in entry["releases"]),
        )
        for entry in json.loads(listed.read_text("utf-8"))
    )


def fetch(package: Package, release: Release) -> Path:
    """The release's archive on disk. Raises ValueError if it is not the pinned one."""
    folder = CACHE / "archives" / package.index / package.name.replace("/", "__") / release.version
    held = folder / release.archive
    if not held.exists():
        folder.mkdir(parents=True, exist_ok=True)
        download(package.index, package.name, release.version, folder)
    if (found := hashlib.sha256(held.read_bytes()).hexdigest()) != release.sha256:
        raise ValueError(f"{package.name} {release.version}: the archive's SHA-256 is {found}, not the pinned one")
    return held


def download(index: str, name: str, version: str, folder: Path) -> None:
    """Have the index's client put the archive into `folder`. Raises CalledProcessError if it can't."""
    commands = {
        "npm": lambda: ["npm", "pack", "--silent", f"{name}@{version}", "--pack-destination", str(folder)],
        "pypi": lambda: [str(_unearth()), "--no-binary", "--download", str(folder), f"{name}=={version}"],
        "debian": lambda: ["apt-get", *_apt(), "source", "--download-only", "--only-source", f"{name}={version}"],
    }
    _run(commands[index](), folder)


def _run(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def _unearth() -> Path:
    folder = CACHE / "tools"
    program = folder / ("Scripts" if sys.platform == "win32" else "bin") / "unearth"
    if not program.exists():
        venv.create(folder, with_pip=True, clear=True)
        _run([str(program.with_name("python")), "-m", "pip", "install", "--quiet", _UNEARTH], folder)
    return program


def _apt() -> list[str]:
    """Options with which apt reads source packages of two Debian releases and leaves the machine's own lists alone."""
    folder = CACHE / "apt"
    options = {
        "Dir::Etc::SourceList": folder / "sources.list",
        "Dir::Etc::SourceParts": "-",
        "Dir::State": folder / "state",
        "Dir::State::Status": "/var/lib/dpkg/status",
        "Dir::Cache": folder / "cache",
    }
    arguments = [part for key, value in options.items() for part in ("-o", f"{key}={value}")]
    if not folder.exists():
        (folder / "state" / "lists" / "partial").mkdir(parents=True)
        (folder / "cache" / "archives" / "partial").mkdir(parents=True)
        keys = "[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
        lines = [f"deb-src {keys} http://deb.debian.org/debian {suite} main\n" for suite in _SUITES]
        (folder / "sources.list").write_text("".join(lines))
        _run(["apt-get", *arguments, "update"], folder)
    return arguments


@lru_cache(maxsize=6)
def files(archive: Path) -> dict[str, bytes]:
    """Every ordinary file of up to 400 KB in an archive, by its path without the archive's own top folder."""
    found = {}
    with tarfile.open(fileobj=io.BytesIO(archive.read_bytes())) as tar:
        for member in tar:
            _, _, path = member.name.removeprefix("./").partition("/")
            stream = tar.extractfile(member) if path and member.isfile() and member.size <= _MAX_FILE else None
            if stream is not None:
                found[path] = stream.read()
    return found
