"""The one place that runs git. Nothing that a workspace says can make it run anything else.

A repository's own configuration may name programs: a file system monitor, hooks, content filters, text
converters, a signature checker, an SSH command for objects that are missing. The user's own configuration (global,
system) may do so too, and is obeyed: it is the user's word. Callers that let git show differences add
`--no-ext-diff --no-textconv` themselves.
"""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from intentls.store.fs.primitives import READ
from intentls.store.git.endless_files import endless_below, endless_for

if TYPE_CHECKING:
    import subprocess

log = logging.getLogger(__name__)

TIMEOUT_S = 10.0
_ENDLESS = "git is not asked about %s: %s is no regular file, and git would wait for it"

# Which configuration and which programs git uses at all is for the user to say. The other variables of a git that
# called us (GIT_DIR, GIT_INDEX_FILE, ...) would lead to another repository.
_KEPT = frozenset({"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH"})
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # for a git that does not know the line above: all transports are refused
    "LC_ALL": "C",
}
_HARMLESS = (
    *("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "-c", "log.showSignature=false"),
    *("-c", "submodule.recurse=false", "-c", "core.quotePath=false"),
)
_DRIVERS = r"^filter\..*\.(clean|smudge|process)$"
_MAX_CONFIG = 1024 * 1024  # bytes
# A section's name is written out, letter by letter; what is not in these files comes in by an `include`.
_FILTER_WORDS = (b"filter", b"include")
_SLOW_S = 1.0  # git has answered by then, or there may be a reason why it never does


def run_git(
    root: Path,
    *arguments: str,
    stdin: bytes = b"",
    timeout_s: float = TIMEOUT_S,
    filters: bool = False,
    index: Path | None = None,
    objects: Path | None = None,
    about: Iterable[str] = (),
) -> subprocess.CompletedProcess[bytes] | None:
    """Run git in `root` to its end; None if it is not installed, takes too long, or must not be run there.

    `index` is the index to use instead of the repository's own: a `git commit` under way has one of its own.
    `filters` must be set for whatever may pass a file's content through a filter (`status`, `cat-file --filters`):
    those that the repository itself defines are then switched off. `objects` is one more directory of objects to read.
    `about` are the root-relative paths whose attributes or ignore rules the question is about.
    """
    endless = endless_for(root, about)
    if endless is not None:
        log.warning(_ENDLESS, root, endless)
        return None
    switches = _without_filters(root) if filters else ()
    if switches is None:
        log.warning(
            "git is not asked about %s: a filter of that repository has a name that can't be switched off", root
        )
        return None
    extra = {} if index is None else {"GIT_INDEX_FILE": str(index)}
    if objects is not None:
        extra["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = str(objects)
    return _run([*_HARMLESS, "-C", str(root), *switches, *arguments], stdin, timeout_s, extra, root)


def ask_git(
    root: Path,
    *arguments: str,
    stdin: bytes = b"",
    timeout_s: float = TIMEOUT_S,
    filters: bool = False,
    index: Path | None = None,
    about: Iterable[str] = (),
) -> bytes | None:
    """What git writes on stdout; None where it fails or does not run. The parameters are those of `run_git`."""
    result = run_git(root, *arguments, stdin=stdin, timeout_s=timeout_s, filters=filters, index=index, about=about)
    return None if result is None or result.returncode != 0 else result.stdout


def git_program() -> str | None:
    """The user's git; None where none is installed."""
    return git_on_path(os.environ.get("PATH", os.defpath))


def git_version() -> str | None:
    """What `git --version` says; None if there is no git."""
    result = _run(["--version"], b"", TIMEOUT_S)
    return None if result is None or result.returncode != 0 else os.fsdecode(result.stdout).strip()


def surely_defines_no_filter(root: Path) -> bool:
    """Whether no repository that git could take `root` (resolved) to be in defines a content filter of its own.

    Reads the repository's configuration files, which is cheaper than to start git. False also where that is not
    simple: linked worktrees, submodules, bare repositories, files that include others. `.git` directories further up
    count too, for git goes on to the next where one is no repository.
    """
    return all(_has_no_filter(directory) for directory in (root, *root.parents))


def _has_no_filter(directory: Path) -> bool:
    if os.path.lexists(directory / "HEAD"):
        return False  # it may be a repository itself
    own = directory / ".git"
    if not os.path.lexists(own):
        return True
    if not own.is_dir() or os.path.lexists(own / "commondir"):
        return False
    return all(_names_no_filter(own / name) for name in ("config", "config.worktree"))


def _names_no_filter(file: Path) -> bool:
    """Whether a configuration file has no word of filters; a missing one has none."""
    try:
        descriptor = os.open(file, READ)
    except FileNotFoundError:
        return not os.path.lexists(file)
    except OSError:
        return False
    with open(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return False
        data = opened.read(_MAX_CONFIG + 1).lower()
    return len(data) <= _MAX_CONFIG and not any(word in data for word in _FILTER_WORDS)


def _without_filters(root: Path) -> tuple[str, ...] | None:
    """The switches that keep git from running the repository's own filters; None where no switch can."""
    if surely_defines_no_filter(root):
        return ()
    switches: list[str] = []
    for scope in ("--local", "--worktree"):
        command = ["-C", str(root), "config", scope, "--includes", "-z", "--name-only", "--get-regexp", _DRIVERS]
        result = _run(command, b"", TIMEOUT_S)
        # 1: there are none; 128: there is no such file, or no repository
        if result is None or result.returncode not in (0, 1, 128):
            return None
        for key in os.fsdecode(result.stdout).split("\0")[:-1]:
            if "=" in key or "\n" in key:  # `-c` would cut it at another place
                return None
            switches += ("-c", f"{key}=", "-c", f"{key.rpartition('.')[0]}.required=false")
    return tuple(switches)


def _run(
    arguments: list[str],
    stdin: bytes,
    timeout_s: float,
    extra: Mapping[str, str] = MappingProxyType({}),
    root: Path | None = None,
) -> subprocess.CompletedProcess[bytes] | None:
    environment = {
        name: value for name, value in os.environ.items() if name in _KEPT or not name.upper().startswith("GIT_")
    }
    program = git_program()
    if program is None:
        return None
    import subprocess  # most commands never ask git, and loading it costs them milliseconds

    try:
        with subprocess.Popen(
            [program, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**environment, **_ENVIRONMENT, **extra},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        ) as process:
            try:
                # What is asked on stdin names its paths, so it is known what git reads for it.
                soon_s = timeout_s if stdin else min(timeout_s, _SLOW_S)
                try:
                    out, err = process.communicate(stdin, soon_s)
                except subprocess.TimeoutExpired:
                    if soon_s == timeout_s or _waits_below(root):
                        raise
                    out, err = process.communicate(timeout=timeout_s - soon_s)
            except BaseException:
                process.kill()
                raise
    except (OSError, subprocess.TimeoutExpired) as error:
        log.info("git could not be asked: %s", error)
        return None
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def _waits_below(root: Path | None) -> bool:
    """Whether there is a file below `root` that makes git wait without end."""
    endless = None if root is None else endless_below(root)
    if endless is not None:
        log.warning(_ENDLESS, root, endless)
    return endless is not None


@cache
def git_on_path(path: str) -> str | None:
    """The user's git. Windows by itself would first take a `git.exe` from the current directory: the workspace."""
    names = ("git.exe", "git.cmd") if os.name == "nt" else ("git",)
    directories = [Path(directory) for directory in path.split(os.pathsep)]
    files = (directory / name for directory in directories if directory.is_absolute() for name in names)
    program = next((file for file in files if file.is_file() and os.access(file, os.X_OK)), None)
    if program is None:
        log.info("git is not installed")
    return None if program is None else str(program)
