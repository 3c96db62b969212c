"""How many changed files that are not open are out of scope, as one diagnostic where the scope is declared."""

from __future__ import annotations

from collections.abc import Iterable

from intentls.core.diagnostic import Diagnostic, Severity, Span
from intentls.core.gate.policy import ClosedFilesPolicy
from intentls.core.patterns.protected_paths import is_declared_file, is_intents_file
from intentls.engine.workspace.workspace import Workspace

CODE = "CHANGED_OUT_OF_SCOPE"

_NAMED = 3


def declaring_file(workspace: Workspace, session_id: str) -> str | None:
    """The root-relative path at which the summary of this session stands; None where there is no summary."""
    configuration = workspace.configuration()
    intent_id = workspace.sessions.load(session_id).intent_id
    if configuration.policy.closed_files is not ClosedFilesPolicy.SUMMARY or configuration.error is not None:
        return None
    return None if intent_id is None else configuration.intents.paths.get(intent_id)


def out_of_scope(workspace: Workspace, session_id: str, changed: Iterable[str]) -> Diagnostic | None:
    """The summary of these root-relative paths for the session's intent; None if all of them are in scope.

    Example: `12 changed files that are not open are outside the scope of INT-001: a.md, b.md, c.md and 9 more.`
    """
    configuration = workspace.configuration()
    facts = configuration.facts(workspace.sessions.load(session_id))
    intent = facts.intent
    if intent is None:
        return None
    policy = configuration.policy
    outside = [
        path
        for path in changed
        if not is_intents_file(path)
        and not is_declared_file(path)
        and not facts.is_off_limits(policy, path)
        and (facts.ignore.excludes_path(path) or not policy.admits(intent, path))
    ]
    if not outside:
        return None
    spans = configuration.intents.spans(intent.id)
    span = Span(0, 0, 0, 0) if spans is None else spans.scope or spans.id
    return Diagnostic(span, Severity.WARNING, CODE, _sentence(intent.id, outside), data={"paths": outside[:100]})


def _sentence(intent_id: str, outside: list[str]) -> str:
    names = ", ".join(outside[:_NAMED])
    more = f" and {len(outside) - _NAMED:,} more" if len(outside) > _NAMED else ""
    verb = "file that is not open is" if len(outside) == 1 else "files that are not open are"
    return f"{len(outside):,} changed {verb} outside the scope of {intent_id}: {names}{more}."
