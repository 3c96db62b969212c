"""Which files of a root a glob or a scope takes in, with a bound on the work.

The work is pure computing, in a thread beside those that serve edits: every few hundred files it lets them go first.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Final

from intentls.core.errors import InvalidGlob
from intentls.core.intents.scope import Scope
from intentls.core.patterns.glob import Glob
from intentls.core.patterns.protected_paths import is_intents_file
from intentls.engine.workspace.workspace import Workspace
from intentls.store.git.file_list import FileList, Files
from intentls.store.layout import ORCHESTRATION

_TURN: Final = 256  # files
_COMPILING: Final = 80  # comparisons that compiling one glob takes as long as


class ComparisonBudget:
    """How many comparisons of a file with a glob may still be made. A glob that is used counts for many of them."""

    def __init__(self, comparisons: int) -> None:
        self.left = comparisons

    def prepare(self, globs: int) -> None:
        """Some globs are about to be compiled."""
        self.left -= globs * _COMPILING

    @property
    def is_spent(self) -> bool:
        """Whether nothing more should be begun."""
        return self.left <= 0


def glob_of(pattern: str) -> Glob | None:
    """The glob of a scope pattern, its `!` left out; None if it can't be used."""
    try:
        return Glob(pattern.removeprefix("!"))
    except InvalidGlob:
        return None


def root_files(workspace: Workspace) -> Files:
    """The files of a root as they are now; the list is kept for a moment."""
    return workspace.part("files", lambda: FileList(workspace.root, workspace.layout.ledger)).current()


def files_of_glob(files: Files, glob: Glob, budget: ComparisonBudget) -> Iterator[str]:
    """The files that `glob` matches, sorted; ends when the budget does."""
    budget.prepare(1)
    for path in _gently(files.below(glob.literal_prefix), budget):
        if glob.matches(path) and (not is_intents_file(path) or glob.names_first_segment(_FIRST)):
            yield path


def files_of_scope(files: Files, scope: Scope, budget: ComparisonBudget) -> Iterator[str]:
    """The files in scope, sorted; ends when the budget does."""
    budget.prepare(len(scope.patterns))
    for path in _gently(_candidates(files, scope), budget):
        if scope.contains(path) and (not is_intents_file(path) or scope.names(path)):
            yield path


_FIRST: Final = ORCHESTRATION


def _candidates(files: Files, scope: Scope) -> Sequence[str]:
    """All files below the folders that the scope's globs begin with."""
    if scope.is_whole_workspace:
        return files.paths
    folders = sorted({glob.literal_prefix for glob in scope.included})
    if len(folders) == 1:
        return files.below(folders[0])
    return sorted({path for folder in folders for path in files.below(folder)})


def _gently(paths: Sequence[str], budget: ComparisonBudget) -> Iterator[str]:
    for number, path in enumerate(paths):
        if budget.is_spent:
            return
        budget.left -= 1
        if number % _TURN == _TURN - 1:
            time.sleep(0)  # another thread may take the interpreter
        yield path
