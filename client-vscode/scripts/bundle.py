"""Puts the server and all it needs into bundled/, for this platform and each Python that the server runs on.

bundled/lib holds what fits every Python, bundled/cp311 and so on the compiled rest. launch.py picks.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
PROJECT = HERE.parent.parent
BUNDLED = HERE.parent / "bundled"
PYTHONS = os.environ.get("INTENTLS_PYTHONS", "3.11 3.12 3.13 3.14").split()


def bundle_dependencies() -> None:
    """Download and unpack the libraries, unless they lie there already."""
    wanted = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    key = json.dumps([wanted, PYTHONS, sysconfig.get_platform(), _LEFT_OUT.pattern])
    stamp = BUNDLED / "dependencies.json"
    if stamp.is_file() and stamp.read_text("utf-8") == key:
        return
    shutil.rmtree(BUNDLED, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        for version in PYTHONS:
            options = ["--only-binary=:all:", "--python-version", version, "--dest", folder]
            subprocess.run([sys.executable, "-m", "pip", "--quiet", "download", *options, *wanted], check=True)
        for wheel in sorted(Path(folder).glob("*.whl")):
            unpack(wheel)
    strip()
    stamp.write_text(key, "utf-8")


_LEFT_OUT = re.compile(r"rapidfuzz/.*\.(so|pyd)$|(pygments|markdown_it|mdurl)/")
"""What the package does without: rapidfuzz gives the same differences without its compiled parts, a few milliseconds
later, and rich has the others for what the server never shows.
"""


def unpack(wheel: Path) -> None:
    """A wheel is a zip file; its name ends in the Python, ABI and platform that it is for."""
    python, abi, _ = wheel.stem.split("-")[-3:]
    folder = python if abi.startswith("cp") else "lib"  # "none" and "abi3" fit every Python
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(BUNDLED / folder, [name for name in archive.namelist() if not _LEFT_OUT.match(name)])


def strip() -> None:
    """Leave out what only a debugger needs: some wheels for Linux bring more of it than code."""
    program = shutil.which("strip")
    compiled = [str(path) for path in BUNDLED.rglob("*.so")]
    if program is not None and compiled and sys.platform == "linux":
        subprocess.run([program, "--strip-unneeded", *compiled], check=True)


def bundle_server() -> None:
    """Copy our own package, as it stands."""
    own = BUNDLED / "lib" / "intentls"
    shutil.rmtree(own, ignore_errors=True)
    shutil.copytree(PROJECT / "server" / "intentls", own, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    shutil.copy(HERE / "launch.py", BUNDLED)


bundle_dependencies()
bundle_server()
