"""Hints at an intent's scope: a file that another open intent owns too, a glob that matches nothing yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from intentls.core.diagnostic import Diagnostic, Related, Severity, Span
from intentls.core.intents.intent import Intent
from intentls.engine.declarations.glob_matches import ComparisonBudget, files_of_glob, files_of_scope, root_files
from intentls.engine.workspace.workspace import Workspace
from intentls.store.config.declared_intents import DeclaredIntents
from intentls.store.git.file_list import Files

OVERLAP: Final = "overlap"
NO_MATCH: Final = "no-match"

_COMPARISONS: Final = 300_000
"""About half a second's work. What is not reached in it gets no hint."""

_NAMED: Final = 3  # other intents in one hint

_Scopes = tuple[tuple[str, tuple[str, ...]], ...]


class _ScopeReport(Struct, frozen=True):
    """`dead` are (intent, number of the pattern); `shared` has, for each intent, others with an example file."""

    scopes: _Scopes
    files: Files
    dead: tuple[tuple[str, int], ...]
    shared: Mapping[str, Mapping[str, str]]


class _LastReport(Struct):
    """The newest report of one root. Replaced whole, so that threads need no lock."""

    report: _ScopeReport = _ScopeReport((), Files(), (), {})


def hints(workspace: Workspace, declared: DeclaredIntents, path: str) -> tuple[Diagnostic, ...]:
    """The hints for the file of intents at root-relative `path`, where the root's files declare `declared`: for open
    intents that say what they own.

    Nothing is compared again until a scope or the list of files changes.
    """
    intents = [intent for intent in declared.intents.values() if intent.is_open and not intent.scope.is_whole_workspace]
    if not intents:
        return ()
    scopes = tuple((intent.id, intent.scope.patterns) for intent in intents)
    files = root_files(workspace)
    last = workspace.part("hints", _LastReport)
    report = last.report
    if report.scopes != scopes or report.files is not files:
        report = last.report = _search(scopes, intents, files)
    return (*_dead(declared, report, path), *_overlaps(declared, report, path))


def _search(scopes: _Scopes, intents: list[Intent], files: Files) -> _ScopeReport:
    budget = ComparisonBudget(_COMPARISONS)
    # Of a list that was cut short it can't be told what is not there.
    dead = tuple(pair for intent in intents for pair in _dead_globs(intent, files, budget)) if files.complete else ()
    return _ScopeReport(scopes, files, dead, _shared(intents, files, budget))


def _dead_globs(intent: Intent, files: Files, budget: ComparisonBudget) -> Iterator[tuple[str, int]]:
    """The globs that match no file. An exclusion may well wait for files that are still to be generated."""
    positive = iter(intent.scope.included)
    for number, pattern in enumerate(intent.scope.patterns):
        if pattern.startswith("!") or budget.is_spent:
            continue
        first_file = next(files_of_glob(files, next(positive), budget), None)
        if first_file is None and not budget.is_spent:
            yield intent.id, number


def _shared(intents: list[Intent], files: Files, budget: ComparisonBudget) -> Mapping[str, Mapping[str, str]]:
    first_owner: dict[str, str] = {}
    shared: dict[str, dict[str, str]] = {}
    for intent in intents:
        if budget.is_spent:
            break
        for path in files_of_scope(files, intent.scope, budget):
            other = first_owner.setdefault(path, intent.id)
            if other != intent.id:
                shared.setdefault(intent.id, {}).setdefault(other, path)
                shared.setdefault(other, {}).setdefault(intent.id, path)
    return shared


def _dead(declared: DeclaredIntents, report: _ScopeReport, path: str) -> Iterator[Diagnostic]:
    patterns = dict(report.scopes)
    for intent_id, number in report.dead:
        if declared.paths[intent_id] != path:
            continue
        globs = declared.files[path].spans[intent_id].globs
        pattern = patterns[intent_id][number]
        span = globs[number] if number < len(globs) else _scope(declared, intent_id)
        message = f"{pattern} matches no file yet. If that is not meant, look for a typing mistake."
        yield Diagnostic(span, Severity.HINT, NO_MATCH, message, data={"intent_id": intent_id, "glob": pattern})


def _overlaps(declared: DeclaredIntents, report: _ScopeReport, path: str) -> Iterator[Diagnostic]:
    for intent_id, _ in report.scopes:
        shared = report.shared.get(intent_id)
        if not shared or declared.paths[intent_id] != path:
            continue
        others = list(shared)
        rest = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
        named, example = ", ".join(others[:_NAMED]) + rest, shared[others[0]]
        message = (
            f"{intent_id} shares files with {named}: {example} is in the scope of both {intent_id} and {others[0]}."
        )
        related = tuple(
            Related(declared.paths[other], _scope(declared, other), f"{other} owns {shared[other]} too.")
            for other in others[:_NAMED]
        )
        data = {"intent_id": intent_id, "others": others, "example": example}
        yield Diagnostic(_scope(declared, intent_id), Severity.HINT, OVERLAP, message, related, data)


def _scope(declared: DeclaredIntents, intent_id: str) -> Span:
    spans = declared.files[declared.paths[intent_id]].spans[intent_id]
    return spans.scope or spans.id
