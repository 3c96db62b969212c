"""Git's own hooks: a marked block in each of them, beside whatever stands there already."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from intentls.core.errors import ConfigurationError, StoreError
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.bounded_read import read_bounded
from intentls.store.fs.path_resolution import because
from intentls.store.git.command import ask_git
from intentls.store.git.commit_hooks import OURS, OURS_BEGIN, OURS_END
from intentls.store.git.commits import work_tree
from intentls.store.git.stage_ledger import ENGINES_OWN
from intentls.store.layout import ORCHESTRATION, TRACE_NAME
from intentls.store.setup.scaffold import ScaffoldOutcome, ScaffoldStep

_SHEBANG = "#!/bin/sh\n"
_MAX_BYTES = 4 * 1024 * 1024
_ASIDE = ".before-intentls"
_SHELL = re.compile(r"#!\s*(?:/\S*/)?(?:env\s+)?(?:/\S*/)?(?:ba|da|k|z)?sh\b")

_SEGMENTS = f"':(top,glob)**/{ORCHESTRATION}/{TRACE_NAME}/*'"
_STAGED = " ".join([_SEGMENTS, *(f"':(top,glob)**/{ORCHESTRATION}/{name}'" for name in ENGINES_OWN)])
_POLICIES = f"':(top,glob)**/{ORCHESTRATION}/policy.yaml'"
_RESTORE = """\
    [ -z "$(intentls trace restore)" ] || {
      echo 'intentls: this took records out of the ledger; they are back in .orchestration/trace.'
      echo 'Your next commit takes them in; or now: git add .orchestration && git commit -m "Keep the ledger"'
    }
"""
# A revert's own commit takes them in again, so that the tree is clean after it; not while git makes more commits.
_RESTORE_HERE = f"""\
    [ -z "$(intentls trace restore)" ] || {{
      own=$(git rev-parse --absolute-git-dir)
      if [ ! -e "$own/sequencer" ] && [ ! -e "$own/rebase-merge" ] && [ ! -e "$own/rebase-apply" ] &&
        git add --force -- {_SEGMENTS} &&
        git commit --quiet --amend --no-edit --no-verify --only -- {_SEGMENTS} >/dev/null; then
        echo 'intentls: this took records out of the ledger; its commit has them again.'
      else
        echo 'intentls: this took records out of the ledger; they are back in .orchestration/trace.'
        echo 'Your next commit takes them in; or now: git add .orchestration && git commit -m "Keep the ledger"'
      fi
    }}
"""
_BLOCKS = {
    "pre-commit": """\
if command -v intentls >/dev/null 2>&1; then
  intentls check --staged --stage-ledger || {
    code=$?
    [ $code -ne 1 ] || echo 'Not committed. To vouch for a change by hand: intentls attest FILE --reason TEXT' >&2
    exit $code
  }
else
  echo 'intentls is not on the PATH, so nobody checks this commit against the ledger.' >&2
fi
""",
    # `git commit FILE` has an index of its own, so that the repository's does not have the segments that were staged.
    "post-commit": f"""\
(
  unset GIT_INDEX_FILE
  set -- {_STAGED}
  git diff --cached --quiet -- "$@" || git reset --quiet -- "$@" >/dev/null
  if [ -n "$(git diff-tree -r --no-commit-id --diff-filter=D --name-only HEAD -- {_SEGMENTS})" ]; then
{_RESTORE_HERE}  fi
) 2>/dev/null || :
""",
    "post-merge": f"""\
(
  if [ -n "$(git diff --diff-filter=D --name-only ORIG_HEAD HEAD -- {_SEGMENTS})" ]; then
{_RESTORE}  fi
) 2>/dev/null || :
git grep --name-only '^close_intents: *merge' -- {_POLICIES} 2>/dev/null | while IFS= read -r policy; do
  intentls close --merged --root "./${{policy%.orchestration/policy.yaml}}"
done || :
""",
}
_PURPOSE = {
    "pre-commit": "takes the ledger into each commit, and judges what is staged",
    "post-commit": "keeps the index clean, and puts back what a revert took out of the ledger",
    "post-merge": "puts back what a merged revert took out, and closes intents if policy says so",
}

_Change = Callable[[Path, str], ScaffoldOutcome]


def install_hooks(root: Path) -> tuple[ScaffoldStep, ...]:
    """Make git call us; done twice, the second time changes nothing.

    Raises ConfigurationError outside git, or where the hooks are not this repository's own; StoreError where the disk
    refuses.
    """
    return tuple(_each(root, _install))


def remove_hooks(root: Path) -> tuple[ScaffoldStep, ...]:
    """Take our blocks out again, and nothing else. Raises as `install_hooks`."""
    return tuple(_each(root, _remove))


def _each(root: Path, change: _Change) -> Iterator[ScaffoldStep]:
    top = work_tree(root)
    directory = _directory(top)
    linked = next((directory / name for name in _BLOCKS if (directory / name).is_symlink()), None)
    if linked is not None:
        raise ConfigurationError(
            f"{linked} is a symbolic link, and nothing is written through one. Put what `intentls init --git-hooks` "
            "writes into the file that it leads to yourself, or replace the link by a real file, and try again."
        )
    for name in _BLOCKS:
        path = directory / name
        try:
            outcome = change(path, name)
        except OSError as error:
            raise StoreError(f"{path} can't be changed: {because(error)}. Nothing was overwritten.") from error
        shown = path.relative_to(top).as_posix() if path.is_relative_to(top) else str(path)
        yield ScaffoldStep(shown, outcome, _PURPOSE[name])


def _directory(top: Path) -> Path:
    """Where this repository's hooks are. Raises ConfigurationError if other repositories use the same."""
    common = _ask(top, "rev-parse", "--git-common-dir")
    own = (top / common.removesuffix("\n")).resolve()
    configured = _configured(top)
    directory = own / "hooks" if configured is None else (top / configured).resolve()
    if directory.is_relative_to(top) or directory.is_relative_to(own):
        return directory
    raise ConfigurationError(
        f"core.hooksPath leads to {directory}, outside of this repository: others may use the same hooks. Put "
        "`intentls check --staged --stage-ledger || exit $?` into its pre-commit yourself."
    )


def _configured(top: Path) -> str | None:
    """`core.hooksPath` as git would use it, but for the value by which we ourselves keep git from running hooks."""
    fields = _ask(top, "config", "--show-scope", "--type=path", "-z", "--get-all", "core.hooksPath").split("\0")
    values = [value for scope, value in zip(fields[::2], fields[1::2], strict=False) if scope != "command"]
    return values[-1] if values else None


def _ask(top: Path, *arguments: str) -> str:
    return os.fsdecode(ask_git(top, *arguments) or b"")


def _install(path: Path, name: str) -> ScaffoldOutcome:
    text = _read(path)
    block = f"{OURS_BEGIN}{_BLOCKS[name]}{OURS_END}"
    if text is not None and block in text:
        _make_executable(path)
        return ScaffoldOutcome.KEPT
    if text is None:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, _SHEBANG + block)
        return ScaffoldOutcome.CREATED
    text = OURS.sub("", text)  # an older form of ours
    if text.startswith("#!") and _SHELL.match(text) is None:
        return _chain(path, block)
    first, end, rest = text.partition("\n") if text.startswith("#!") else ("", "", text)
    # Before what is there, which may end with `exit` or `exec`.
    _write(path, f"{first}{end}{block}{rest}")
    return ScaffoldOutcome.EXTENDED


def _chain(path: Path, block: str) -> ScaffoldOutcome:
    """A hook that is no shell script is called by one of ours."""
    aside = path.with_name(path.name + _ASIDE)
    if os.path.lexists(aside):
        raise ConfigurationError(f"{aside} is in the way: it was put there for {path.name}. Move it, and try again.")
    path.rename(aside)
    _write(path, f'{_SHEBANG}{block}exec "$(dirname "$0")/{aside.name}" "$@"\n')
    return ScaffoldOutcome.EXTENDED


def _remove(path: Path, name: str) -> ScaffoldOutcome:  # noqa: ARG001  one form for both changes
    text = _read(path)
    if text is None or OURS.search(text) is None:
        return ScaffoldOutcome.KEPT
    aside = path.with_name(path.name + _ASIDE)
    if os.path.lexists(aside):
        aside.replace(path)
        return ScaffoldOutcome.REMOVED
    rest = OURS.sub("", text)
    if rest in ("", _SHEBANG):
        path.unlink()
    else:
        _write(path, rest)
    return ScaffoldOutcome.REMOVED


def _read(path: Path) -> str | None:
    """A hook's text, byte for byte; None if there is none."""
    data = read_bounded(path, _MAX_BYTES)
    return None if data is None else data.decode("utf-8", "surrogateescape")


def _write(path: Path, text: str) -> None:
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o755
    replace_bytes(path, text.encode("utf-8", "surrogateescape"), mode=mode | 0o100)


def _make_executable(path: Path) -> None:
    mode = path.stat().st_mode
    if not mode & 0o100:
        path.chmod(mode & 0o777 | 0o111)
