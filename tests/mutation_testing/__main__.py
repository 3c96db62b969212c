"""`make mutation`: random mutants of the rooms that guard, and whether a test fails for each of them.

Each mutant is made in a copy of the checkout, and judged first by the tests beside it, then by wider ones; a test that
fails, or that does not end, kills it. What survives is printed as a difference: it is a hole in the tests, or it
changes nothing that can be seen.

    python -m tests.mutation_testing [ROOM ...] [--sample 30] [--seed 1]
"""

from __future__ import annotations

import argparse
import difflib
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.mutation_testing.mutants import Mutant, sample

HERE = Path(__file__).resolve().parents[2]
PACKAGE = "server/intentls"
TIMEOUT_S = 600


@dataclass(frozen=True, slots=True)
class Room:
    """Modules to change, as globs below the package, and the tests that should notice, the quick ones first."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    wider: tuple[str, ...]


_SHELL = (
    "tests/e2e/test_shell_settled.py",
    "tests/e2e/test_shell_reconcile.py",
    "tests/e2e/test_git_is_no_author.py",
)
ROOMS = {
    "saves": Room(
        ("engine/edits/saves.py", "engine/records/file_history.py"),
        ("tests/engine/edits/test_saves.py", "tests/engine/records/test_file_history.py"),
        ("tests/e2e/test_saves.py",),
    ),
    "guard": Room(
        (
            "engine/edits/guard.py",
            "engine/edits/perform.py",
            "engine/edits/apply.py",
            "engine/edits/ungoverned.py",
            "engine/edits/re*.py",
        ),
        ("tests/engine/edits", "tests/engine/workspace"),
        (
            "tests/e2e/test_gate.py",
            "tests/e2e/test_edits.py",
            "tests/e2e/test_authority.py",
            "tests/e2e/test_policy.py",
            "tests/e2e/test_leases.py",
        ),
    ),
    "actions": Room(
        ("engine/actions/*.py",),
        ("tests/engine/actions", "tests/engine/edits", "tests/engine/tools/test_host_tools.py"),
        ("tests/e2e/test_authority.py", "tests/e2e/test_confirm.py", "tests/e2e/test_agent_ancestry.py"),
    ),
    "shell": Room(
        ("engine/tools/shell_*.py", "engine/tools/ledger_*.py", "engine/tools/open_calls.py"),
        ("tests/engine/tools", *_SHELL),
        ("tests/e2e/test_shell_silencing.py", "tests/e2e/test_shell_unknown.py", "tests/e2e/test_hooks.py"),
    ),
    "git_moves": Room(
        ("store/worktree/git_moves.py", "store/worktree/known_versions.py"),
        ("tests/store/worktree", "tests/e2e/test_git_is_no_author.py"),
        ("tests/e2e/test_shell_silencing.py", "tests/e2e/test_shell_reconcile.py"),
    ),
    "reports": Room(
        ("engine/tools/tool_*.py", "engine/tools/host_tools.py", "engine/tools/predicted_edits.py"),
        ("tests/engine/tools", "tests/e2e/test_stray_reports.py"),
        ("tests/e2e/test_shell_settled.py", "tests/e2e/test_hooks.py", "tests/e2e/test_wire.py"),
    ),
    "hook_events": Room(
        ("engine/agents/hook_events.py", "faces/hook/evaluate.py"),
        ("tests/engine/agents/test_hook_events.py", "tests/e2e/test_shell_settled.py"),
        ("tests/e2e/test_hooks.py", "tests/e2e/test_policy.py"),
    ),
    "dialects": Room(
        ("faces/hook/dialects/*.py", "faces/hook/event.py", "faces/hook/tool_mapping.py"),
        (
            "tests/faces/hook/test_dialects.py",
            "tests/faces/hook/test_tool_mapping.py",
            "tests/faces/hook/test_main.py",
        ),
        ("tests/e2e/test_hooks.py",),
    ),
    "hook": Room(
        ("faces/hook/*.py",),
        ("tests/faces/hook",),
        ("tests/e2e/test_hooks.py", "tests/e2e/test_faces_agree.py"),
    ),
    "journal": Room(
        ("store/journal/*.py",),
        ("tests/store/journal",),
        ("tests/faults/test_record_kills.py",),
    ),
    "branch_check": Room(
        ("engine/branch_check/*.py",),
        ("tests/core/branch", "tests/engine/branch_check", "tests/branches/test_attest.py"),
        (
            "tests/branches/test_branch_check_declarations.py",
            "tests/branches/test_branch_check_hooks.py",
            "tests/branches/test_branch_check_records.py",
            "tests/branches/test_branch_check_segments.py",
            "tests/faces/cli/test_branch_check.py",
            "tests/faces/cli/test_classify.py",
        ),
    ),
}


def main() -> int:
    """Judge a sample of each room. 1 if more than one mutant of twenty survives in a room."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation_testing", description=__doc__.partition("\n")[0])
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"of {', '.join(ROOMS)}; all without one")
    parser.add_argument("--sample", type=int, default=30, help="mutants of each room")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    unknown = sorted(set(options.rooms) - ROOMS.keys())
    if unknown:
        parser.error(f"{', '.join(unknown)} is no room; the rooms are {', '.join(ROOMS)}")
    weak = False
    with tempfile.TemporaryDirectory(prefix="mutation-") as temporary:
        copy = _copy(Path(temporary) / "checkout")
        for name in options.rooms or ROOMS:
            if not _passes(copy, (*ROOMS[name].tests, *ROOMS[name].wider)):
                sys.exit(f"The tests of {name} fail without any mutant: mend that first.")
            survivors = 0
            drawn = list(_drawn(copy, ROOMS[name], options.sample, random.Random(f"{name} {options.seed}")))
            for module, mutant in drawn:
                if _survives(copy, ROOMS[name], module, mutant):
                    survivors += 1
                    _show(copy, module, mutant)
            killed = len(drawn) - survivors
            print(f"{name}: {killed} of {len(drawn)} mutants killed", flush=True)
            weak |= survivors * 20 > len(drawn)
    return int(weak)


def _copy(target: Path) -> Path:
    """The tracked files, and the new ones that git would add, as they are now."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=HERE,
        check=True,
        capture_output=True,
    )
    for name in filter(None, os.fsdecode(listed.stdout).split("\0")):
        if (HERE / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(HERE / name, target / name)
    return target


def _drawn(copy: Path, room: Room, count: int, chance: random.Random) -> Iterator[tuple[Path, Mutant]]:
    """Mutants of all modules of a room, each module in proportion to its lines."""
    modules = sorted(path for glob in room.modules for path in (copy / PACKAGE).glob(glob))
    sources = {module: module.read_text("utf-8") for module in modules}
    total = sum(source.count("\n") for source in sources.values())
    for module, source in sources.items():
        for mutant in sample(source, max(1, round(count * source.count("\n") / total)), chance):
            yield module, mutant


def _survives(copy: Path, room: Room, module: Path, mutant: Mutant) -> bool:
    original = module.read_text("utf-8")
    module.write_text(mutant.source, "utf-8")
    try:
        return _passes(copy, room.tests) and _passes(copy, room.wider)
    finally:
        module.write_text(original, "utf-8")


def _passes(copy: Path, tests: tuple[str, ...]) -> bool:
    """Whether all of these tests pass; a run that does not end does not."""
    environment = {**os.environ, "PYTHONPATH": str(copy / "server"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    with subprocess.Popen(
        command, cwd=copy, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as run:
        try:
            return run.wait(TIMEOUT_S) == 0
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, 9)
            return False


def _show(copy: Path, module: Path, mutant: Mutant) -> None:
    name = module.relative_to(copy).as_posix()
    before = module.read_text("utf-8").splitlines(keepends=True)
    after = mutant.source.splitlines(keepends=True)
    print(f"survived: {name}:{mutant.line} ({mutant.kind})")
    print("".join(difflib.unified_diff(before, after, name, name, n=1)), flush=True)


if __name__ == "__main__":
    sys.exit(main())
