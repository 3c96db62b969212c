"""The patches for pygls apply to the installed one, alone and in order, and each does what its own test says."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pygls
import pytest

FOLDER = Path(__file__).parent.parent / "patches" / "pygls"
PATCHES = sorted(FOLDER.glob("*.patch"))
README = (FOLDER / "README.md").read_text("utf-8")
VERSION = re.findall(r"pygls (\d+\.\d+\.\d+)", README)[0]

pytestmark = [
    pytest.mark.skipif(importlib.metadata.version("pygls") != VERSION, reason=f"the patches are for pygls {VERSION}"),
    pytest.mark.skipif(sys.platform == "win32", reason="the first patch changes nothing there"),
]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A git repository with the installed pygls, as it is."""
    package = Path(pygls.__file__).parent
    shutil.copytree(package, tmp_path / "pygls", ignore=shutil.ignore_patterns("__pycache__"))
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message=as installed")
    return tmp_path


def git(folder: Path, *arguments: str) -> str:
    """What git prints; fails with what it says is wrong."""
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", "-C", str(folder), *who, *arguments], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_tests(clone: Path) -> subprocess.CompletedProcess[str]:
    """Runs the tests that the patches brought, on the pygls of the clone."""
    options = ["-c", os.devnull, "--rootdir", str(clone), "-p", "no:cacheprovider"]
    options += ["-p", "pytest_asyncio.plugin", "-o", "asyncio_mode=auto", "--continue-on-collection-errors"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *options, "tests"],
        cwd=clone,
        env={**os.environ, "PYTHONPATH": str(clone), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def test_each_patch_is_described() -> None:
    """The page beside the patches names each of them, and no other."""
    assert sorted(set(re.findall(r"`(\d{4}-[\w.-]+\.patch)`", README))) == [path.name for path in PATCHES] != []


@pytest.mark.parametrize(
    "patches", [*([path] for path in PATCHES), PATCHES], ids=[*(path.name[:4] for path in PATCHES), "all"]
)
def test_a_patched_pygls_passes_the_tests_of_its_patches(clone: Path, patches: list[Path]) -> None:
    """Each patch by itself, and all in order, taken with their messages."""
    git(clone, "am", "--quiet", "--whitespace=error-all", *map(str, patches))
    assert len(git(clone, "log", "--format=%s").splitlines()) == 1 + len(patches)
    assert (tested := run_tests(clone)).returncode == 0, tested.stdout


def test_an_unpatched_pygls_fails_the_test_of_each_patch(clone: Path) -> None:
    """So a patch's own test can fail, and pygls has not made the patch needless."""
    git(clone, "apply", "--include=tests/*", *map(str, PATCHES))
    failed = set(re.findall(r"^(?:FAILED|ERROR) (tests/\w+\.py)", run_tests(clone).stdout, flags=re.MULTILINE))
    assert failed == {path.relative_to(clone).as_posix() for path in clone.glob("tests/*.py")} != set()
