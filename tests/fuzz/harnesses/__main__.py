"""Every harness in a row: `python -m tests.fuzz.harnesses SECONDS [NAME ...]`. Ends with 1 if anything was found."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.fuzz.harnesses.targets import TARGETS

FOLDER = Path(".artifacts/fuzz")  # corpora, to go on from the next time, and finds
_TOO_SLOW_S = 20
_MEGABYTES = 2048


def main(arguments: Sequence[str]) -> int:
    """Run the named harnesses (default: all), each for that many seconds, and say what came of it."""
    seconds, names = int(arguments[0]), list(arguments[1:]) or list(TARGETS)
    found = [name for name in names if not _passes(name, seconds)]
    _say("nothing found" if not found else f"found something: {', '.join(found)} (see above, and {FOLDER})")
    return 1 if found else 0


def _passes(name: str, seconds: int) -> bool:
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    options = [f"-max_total_time={seconds}", f"-timeout={_TOO_SLOW_S}", f"-rss_limit_mb={_MEGABYTES}"]
    options += ["-max_len=4096", "-print_final_stats=1", f"-artifact_prefix={folder}/"]
    command = [sys.executable, "-m", "tests.fuzz.harnesses.child", name, str(folder / "corpus"), *options]
    done = subprocess.run(command, capture_output=True, check=False)
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    (folder / "log").write_text(said)
    _say(f"{name:<14} {_figures(said)}")
    if done.returncode != 0:
        _say(said.partition("=== Uncaught")[2].partition("INFO:")[0] or "\n".join(said.splitlines()[-20:]))
    return done.returncode == 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _figures(said: str) -> str:
    executions = re.search(r"number_of_executed_units:\s*(\d+)", said)
    coverage = re.findall(r"cov: (\d+)", said)
    return f"{executions[1] if executions else '?':>9} executions, {coverage[-1] if coverage else '?'} edges covered"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
