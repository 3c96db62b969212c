"""Run a linter on one file, or on content that the file once had, and read what it says.

A linter finds its configuration from the directory of the file (ruff, ESLint) or from the directory it is started
in (flake8, pylint), applies path rules (`per-file-ignores`) relative to that configuration, and may refuse
files outside its project. So content that is not on disk is linted in a *mirror*: a temporary directory in which
every directory from the top of the file system down to the file stands again, everything beside that way is a
link to the real thing, and only the file itself is new. The working tree is never written to.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from intentls.core.errors import InvalidInput, StoreError, shorten
from intentls.core.gate.policy import LinterPolicy
from intentls.core.lint.formats import parse_output
from intentls.core.lint.problems import LinterProblem, names_places, one_line
from intentls.store.process.run import ProcessResult, run_bounded

TIMEOUT_S = 30.0
MAX_OUTPUT = 8 * 1024 * 1024
"""Bytes that a linter may write on each of its two outputs."""

_FILE = "{file}"
_COLOUR_SWITCHES = ("FORCE_COLOR", "CLICOLOR_FORCE")
_COPIED = 1024 * 1024  # bytes; where links can't be made, files up to this size are copied: configuration is


def run_linter(
    linter: LinterPolicy, file: Path, cwd: Path, *, timeout_s: float = TIMEOUT_S
) -> tuple[LinterProblem, ...]:
    """The problems that `linter`, started in `cwd`, finds in `file` (both absolute and resolved).

    Raises StoreError, with the linter's name and its own first words, if it can't be run or understood.
    """
    command = [part.replace(_FILE, str(file)) for part in linter.command]
    environment = {key: value for key, value in os.environ.items() if key not in _COLOUR_SWITCHES}
    try:
        result = run_bounded(
            command,
            cwd=cwd,
            environment=environment | {"NO_COLOR": "1"},
            timeout_s=timeout_s,
            limit=MAX_OUTPUT,
        )
    except StoreError as error:
        raise StoreError(f"linter {linter.name}: {error}") from error
    return _problems(linter, result, file, cwd)


def lint_content(
    linter: LinterPolicy, data: bytes, file: Path, cwd: Path, *, timeout_s: float = TIMEOUT_S
) -> tuple[LinterProblem, ...]:
    """The problems that `linter` would find if `file` held `data`; nothing in the working tree is touched.

    Raises StoreError like `run_linter`, and where the mirror can't be made.
    """
    with tempfile.TemporaryDirectory(prefix="intentls-lint-", ignore_cleanup_errors=True) as name:
        top = Path(name).resolve()
        try:
            _mirror(top, file, cwd)
            _within(top, file).write_bytes(data)
        except OSError as error:
            raise StoreError(f"linter {linter.name}: a temporary copy could not be made: {error}") from error
        problems = run_linter(linter, _within(top, file), _within(top, cwd), timeout_s=timeout_s)
    mirrored = os.path.join(_within(top, Path(file.anchor)), "")
    return tuple(replace(problem, message=problem.message.replace(mirrored, file.anchor)) for problem in problems)


# --- what it said -----------------------------------------------------------------------------------------


def _problems(linter: LinterPolicy, result: ProcessResult, file: Path, cwd: Path) -> tuple[LinterProblem, ...]:
    """What the linter found; StoreError if it rather failed."""
    text = _decode(result.stdout)
    if linter.format == "text":
        if not text.strip():
            text = _decode(result.stderr)  # where compilers report
        # Prose is a report only if the exit code says that something was found, and on stdout.
        if not names_places(text) and not (result.returncode == 1 and result.stdout.strip()):
            text = ""
    if result.returncode != 0 and not text.strip():
        raise _failure(linter, result)
    about = partial(_is_same_file, file=file, cwd=cwd)
    try:
        return parse_output(text, linter.format, source=linter.name, about=about)
    except InvalidInput as error:
        raise _failure(linter, result, f" and wrote no {linter.format} ({error})") from error


def _failure(linter: LinterPolicy, result: ProcessResult, detail: str = "") -> StoreError:
    """An error that quotes the line in which the program most likely says what is wrong."""
    lines = [one_line(line) for line in _decode(result.stderr).splitlines() if line.strip()]
    words = lines[-1 if lines[0].startswith("Traceback") else 0] if lines else "it said nothing on stderr"
    how = f"ended with exit code {result.returncode}{detail}"
    return StoreError(f"linter {linter.name}: {how}: {shorten(words, 300)}")


def _decode(output: bytes) -> str:
    return output.decode("utf-8", "replace")


def _is_same_file(named: str, *, file: Path, cwd: Path) -> bool:
    """Whether `named`, as the linter started in `cwd` wrote it, is `file`."""
    candidate = Path(os.path.normpath(cwd / named))
    if candidate == file:
        return True
    try:
        return candidate.samefile(file)
    except (OSError, ValueError):  # no such file; or a name that can't be one
        return False


# --- the mirror -------------------------------------------------------------------------------------------


def _within(top: Path, path: Path) -> Path:
    """Where the absolute `path` lies in the mirror below `top`: its drive, if any, becomes a directory."""
    return top.joinpath(path.drive.replace(":", "").strip("\\/"), *path.parts[1:])


def _mirror(top: Path, file: Path, cwd: Path) -> None:
    """Rebuild below `top` the directories that lead to `file` and `cwd`; link all that lies beside the way."""
    on_the_way = {*file.parents, cwd, *cwd.parents}
    for directory in sorted(on_the_way, key=lambda path: len(path.parts)):
        target = _within(top, directory)
        target.mkdir(parents=True, exist_ok=True)
        # A directory that can't be listed, or is gone by now, has no configuration to be found either.
        with suppress(PermissionError, FileNotFoundError), os.scandir(directory) as entries:
            for entry in entries:
                path = directory / entry.name
                # Not .git: a git started in the mirror would take it for the working tree of the real index.
                if path not in on_the_way and path not in (file, top) and entry.name != ".git":
                    _link(path, target / entry.name)


def _link(path: Path, link: Path) -> None:
    try:
        link.symlink_to(path, target_is_directory=path.is_dir())
    except OSError:  # Windows allows links to some accounts only
        if path.is_file() and path.stat().st_size <= _COPIED:
            shutil.copyfile(path, link)
