"""The diagnostics of a file: is it in scope, ignored, protected, leased; is the configuration right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.diagnostic import Diagnostic, Related, Severity, Span
from intentls.core.errors import LedgerUnavailable
from intentls.core.gate.action import Facts
from intentls.core.gate.policy import Policy
from intentls.core.gate.refusal import Code
from intentls.core.intents.intent import Intent
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.patterns.protected_paths import POLICY_FILE, is_declared_file, is_intents_file
from intentls.engine.actions.acceptance import unconfirmed_note
from intentls.engine.workspace.configuration import Configuration
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.leases import all_of_others, held_by_others
from intentls.engine.workspace.workspace import Workspace
from intentls.late_module import LateModule
from intentls.store.clock import timestamp

if TYPE_CHECKING:
    from intentls.engine.declarations import hints, shown_intents
    from intentls.store.config import policy_parser
else:
    hints = LateModule("intentls.engine.declarations.hints")
    shown_intents = LateModule("intentls.engine.declarations.shown_intents")
    policy_parser = LateModule("intentls.store.config.policy_parser")

_LEASED = "LEASED"
_UNCONFIRMED = "UNCONFIRMED"


class RootVersion(Struct, frozen=True):
    """All that the diagnostics of one root's files rest on; `leases` are the sentences of other sessions' leases."""

    root: Path
    intents_hash: str
    policy: Policy
    ignore: IgnoreRules
    error: str | None
    intent_id: str | None
    leases: tuple[str, ...]
    unconfirmed: tuple[str, ...]


LedgerVersion = tuple[Path, tuple[int, ...] | None]
"""A root and the stamp of its ledger file; None where the ledger can't be read."""


def review(workspace: Workspace, path: str, text: str, session_id: str) -> tuple[Diagnostic, ...]:
    """The diagnostics of root-relative `path` with this text, for the intent that `session_id` works under."""
    configuration = workspace.configuration()
    waiting = _unconfirmed(configuration, path, text)
    if is_intents_file(path):
        shown = shown_intents.shown_intents(workspace, path, text)
        remarks = shown.of(path) + _of_the_bytes(configuration.intents.of(path)) + hints.hints(workspace, shown, path)
        return waiting + remarks
    if path == POLICY_FILE:
        policy = policy_parser.parse_policy(text.encode("utf-8", errors="surrogatepass"))
        return waiting + policy.diagnostics + _of_the_bytes(configuration.policy_file.diagnostics)
    session = workspace.sessions.load(session_id)
    where = _first_line(text)
    state = _state(configuration, configuration.facts(session), path, where)
    lease = _leased(workspace, path, where, session_id)
    return waiting + tuple(diagnostic for diagnostic in (state, lease) if diagnostic is not None)


def _unconfirmed(configuration: Configuration, path: str, text: str) -> tuple[Diagnostic, ...]:
    if path not in configuration.unconfirmed:
        return ()
    data = {"path": path}
    return (Diagnostic(_first_line(text), Severity.WARNING, _UNCONFIRMED, unconfirmed_note([path]), data=data),)


def _of_the_bytes(saved: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """What is wrong with the saved file's bytes, which the text in an editor does not show."""
    start = Span(0, 0, 0, 0)
    return tuple(replace(diagnostic, span=start) for diagnostic in saved if diagnostic.code == "not-utf8")


def _state(configuration: Configuration, facts: Facts, path: str, where: Span) -> Diagnostic | None:
    intent = facts.intent
    if facts.is_off_limits(configuration.policy, path) and not is_declared_file(path):
        return Diagnostic(
            where,
            Severity.INFORMATION,
            Code.PROTECTED_PATH,
            f"{path} is protected: no guarded edit may write it.",
            data={"path": path},
        )
    if facts.ignore.excludes_path(path):
        return Diagnostic(
            where,
            Severity.WARNING,
            Code.INTENTIGNORE_PATH_BLOCKED,
            f"{path} is excluded by .intentignore: no intent may change it.",
            data={"path": path},
        )
    if intent is None or facts.config_error is not None or configuration.policy.admits(intent, path):
        return None
    owners = facts.owners(configuration.policy, path)
    return Diagnostic(
        where,
        Severity.WARNING,
        Code.SCOPE_VIOLATION,
        _outside(intent, owners, path),
        related=_scope_node(configuration, intent),
        data={"path": path, "intent_id": intent.id, "owners": list(owners)},
    )


def _leased(workspace: Workspace, path: str, where: Span, session_id: str) -> Diagnostic | None:
    lease = held_by_others(workspace, (path,), session_id).get(path)
    if lease is None:
        return None
    since = timestamp(lease.since)
    data = {"path": path, "session_id": lease.session_id, "intent_id": lease.intent_id, "since": since}
    return Diagnostic(where, Severity.HINT, _LEASED, f"{lease.who_since}.", data=data)


def _outside(intent: Intent, owners: tuple[str, ...], path: str) -> str:
    scope = ", ".join(intent.scope.patterns) or "the whole workspace, which policy does not allow"
    owned = f"Owned by {', '.join(owners)}." if owners else "No open intent owns it."
    return f"{path} is outside the scope of {intent.id} ({scope}). {owned}"


def _scope_node(configuration: Configuration, intent: Intent) -> tuple[Related, ...]:
    spans = configuration.intents.spans(intent.id)
    if spans is None:
        return ()
    path = configuration.intents.paths[intent.id]
    return (Related(path, spans.scope or spans.id, f"The scope of {intent.id} is declared here."),)


def _first_line(text: str) -> Span:
    end = min((index for index in (text.find("\n"), text.find("\r")) if index >= 0), default=len(text))
    return Span(0, 0, 0, end)


def diagnostics_version(engine: Engine, session_id: str) -> tuple[RootVersion, ...]:
    """A value that changes when the diagnostics of any file may have: cheap to compare, made by a few stats."""
    return tuple(_root_version(workspace, session_id) for workspace in engine.workspaces())


def _root_version(workspace: Workspace, session_id: str) -> RootVersion:
    configuration = workspace.configuration()
    return RootVersion(
        workspace.root,
        configuration.intents.content_hash,
        configuration.policy,
        configuration.ignore,
        configuration.error,
        workspace.sessions.load(session_id).intent_id,
        tuple(lease.who_since for lease in all_of_others(workspace, session_id)),
        configuration.unconfirmed,
    )


def ledger_versions(engine: Engine) -> tuple[LedgerVersion, ...]:
    """A value that changes when something was recorded in any root: one stat each."""
    return tuple((workspace.root, _ledger_stamp(workspace)) for workspace in engine.workspaces())


def _ledger_stamp(workspace: Workspace) -> tuple[int, ...] | None:
    try:
        return workspace.ledger.stamp()
    except LedgerUnavailable:
        return None
