"""The checks of the gate, in the order in which they are judged; `gate.GATE` and `gate.CONTENT` name them.

Each takes an action, the facts and the policy, and answers with a refusal or None. Two codes are this project's
own additions to the contract: `CONSTRAINT_VIOLATION` and `MUTATION_CLASS_CONTRADICTED`.
"""

from __future__ import annotations

from intentls.core.gate.action import Action, Facts, Target
from intentls.core.gate.policy import LeasePolicy, MutationCheck, Policy
from intentls.core.gate.refusal import ActionHint, Code, Refusal
from intentls.core.intents.lease import Lease
from intentls.core.patterns.protected_paths import is_declared_file

MUST_CITE = "You must cite a valid active Intent ID."


def configuration_is_valid(_action: Action, facts: Facts, policy: Policy) -> Refusal | None:
    """Refuse while the intents can't be read, unless policy says `on_invalid: allow`."""
    if facts.config_error is None or policy.is_lenient:
        return None
    return invalid_configuration(facts.config_error)


def invalid_configuration(reason: str) -> Refusal:
    """The refusal of an invalid configuration; where policy lets it pass, the text of the warning."""
    return Refusal.of(Code.HOOK_ERROR, f"Configuration Error: {reason}", action_hint=ActionHint.FIX_CONFIGURATION)


def intent_is_selected(_action: Action, facts: Facts, _policy: Policy) -> Refusal | None:
    """Refuse an edit that answers to no intent."""
    if facts.selected is not None or not facts.intents_known:
        return None
    return Refusal.of(Code.INTENT_REQUIRED, MUST_CITE)


def intent_exists(_action: Action, facts: Facts, _policy: Policy) -> Refusal | None:
    """Refuse when the selected intent is gone from the intents file."""
    if facts.selected is None or facts.intent is not None or not facts.intents_known:
        return None
    return Refusal.of(Code.INTENT_NOT_FOUND, MUST_CITE)


def intent_is_open(_action: Action, facts: Facts, _policy: Policy) -> Refusal | None:
    """Refuse work under an intent that is completed, done or abandoned."""
    intent = facts.intent
    if intent is None or intent.is_open:
        return None
    return Refusal.of(Code.INTENT_CLOSED, f"Intent {intent.id} is {intent.status}. Select an open intent.")


def intent_is_not_ignored(_action: Action, facts: Facts, _policy: Policy) -> Refusal | None:
    """Refuse work under an intent that `.intentignore` names."""
    selected = facts.selected
    if selected is None or not facts.ignore.excludes_intent(selected):
        return None
    return Refusal.of(Code.INTENT_IGNORED, f"Intent {selected} is excluded by .intentignore.")


def cited_intent_is_selected(action: Action, facts: Facts, _policy: Policy) -> Refusal | None:
    """Refuse a call that cites another intent than the selected one."""
    if action.intent_id is None or facts.selected is None or action.intent_id == facts.selected:
        return None
    return Refusal.of(
        Code.INTENT_MISMATCH,
        f"Intent Mismatch: the call cites {action.intent_id}, but {facts.selected} is selected. "
        "Select the intent you work on.",
    )


def paths_are_writable(action: Action, facts: Facts, policy: Policy) -> Refusal | None:
    """Refuse paths outside the root first, then protected ones."""
    outside = tuple(target.path for target in action.targets if not target.inside)
    if outside:
        return Refusal.of(
            Code.PATH_OUTSIDE_WORKSPACE,
            f"Path Outside Workspace: [{', '.join(outside)}] lies outside the workspace root. Choose another path.",
            paths=outside,
        )
    protected = tuple(target.path for target in action.targets if facts.is_off_limits(policy, target.path))
    if protected:
        return Refusal.of(
            Code.PROTECTED_PATH,
            f"Protected Path: [{', '.join(protected)}] is never writable by a guarded edit. Choose another path.",
            paths=protected,
        )
    return None


def paths_are_not_ignored(action: Action, facts: Facts, _policy: Policy) -> Refusal | None:
    """Refuse paths that `.intentignore` excludes."""
    ignored = tuple(target.path for target in action.targets if facts.ignore.excludes_path(target.path))
    if not ignored:
        return None
    return Refusal.of(
        Code.INTENTIGNORE_PATH_BLOCKED,
        f"Ignored Path: [{', '.join(ignored)}] is excluded by .intentignore. Choose another path.",
        paths=ignored,
    )


def paths_are_in_scope(action: Action, facts: Facts, policy: Policy) -> Refusal | None:
    """Refuse paths that the selected intent does not own, and say which intents do."""
    intent = facts.intent
    if intent is None or not facts.intents_known:
        return None
    foreign = tuple(target.path for target in action.targets if not policy.admits(intent, target.path))
    if not foreign:
        return None
    return Refusal.of(
        Code.SCOPE_VIOLATION,
        f"Scope Violation: {intent.id} is not authorized to edit [{', '.join(foreign)}]. Request scope expansion.",
        paths=foreign,
        owners=facts.owners(policy, *foreign),
    )


def declared_files_are_a_persons(action: Action, facts: Facts, _policy: Policy) -> Refusal | None:
    """Refuse an agent's change of a declared file, also where its scope names that file: only a person grants."""
    if not facts.acts_for_agent:
        return None
    declared = tuple(target.path for target in action.targets if is_declared_file(target.path))
    if not declared:
        return None
    return Refusal.of(
        Code.SCOPE_VIOLATION,
        f"Scope Violation: [{', '.join(declared)}] says what agents may do, so a person has to approve its change.",
        paths=declared,
        action_hint=ActionHint.CHOOSE_ANOTHER_PATH,
    )


def base_is_current(action: Action, _facts: Facts, policy: Policy) -> Refusal | None:
    """Refuse an edit built on content that is no longer there, or (by policy) on no known content."""
    stale = tuple(t.path for t in action.targets if t.base_hash is not None and t.base_hash != t.current_hash)
    if stale:
        return Refusal.of(Code.STALE_CONTEXT, stale_text(*stale), paths=stale)
    unsaved = tuple(target for target in action.targets if target.unsaved_in)
    if unsaved:
        return Refusal.of(Code.STALE_CONTEXT, unsaved_text(unsaved), paths=tuple(target.path for target in unsaved))
    if not policy.require_base:
        return None
    unread = tuple(target.path for target in action.targets if target.exists and target.base_hash is None)
    if not unread:
        return None
    return Refusal.of(
        Code.BASE_HASH_REQUIRED,
        f"Base Hash Required: {', '.join(unread)} was not read in this session. "
        "Read it with read_file, or pass expected_content_hash.",
        paths=unread,
    )


def stale_text(*paths: str) -> str:
    """The sentence of a stale file; also used when a hunk no longer fits."""
    return (
        f"Stale File: {', '.join(paths)} was modified since you read it. Re-read the file with read_file and try again."
    )


def unsaved_text(targets: tuple[Target, ...]) -> str:
    """The sentence of files that an editor has unsaved, so that a write would be lost or overwrite a person's work."""
    paths = ", ".join(target.path for target in targets)
    return (
        f"Stale File: {paths} has changes in {targets[0].unsaved_in} that are not saved. "
        "Ask for them to be saved, re-read the file with read_file and try again."
    )


def paths_are_not_leased(action: Action, _facts: Facts, policy: Policy) -> Refusal | None:
    """Refuse paths that another session is changing, where policy says `leases: enforce`.

    The code is `HOOK_ERROR` with the hint `retry`: the intent, the scope and the content are right, and the same call
    passes later. The person at this editor can't override it, since the file is leased to another.
    """
    if policy.leases is not LeasePolicy.ENFORCE:
        return None
    held = tuple(target.lease for target in action.targets if target.lease is not None)
    return held_by(held) if held else None


def held_by(leases: tuple[Lease, ...]) -> Refusal:
    """The refusal because of these leases; also for one that was taken while an action was being judged."""
    return Refusal.of(
        Code.HOOK_ERROR,
        f"Leased File: {'; '.join(lease.sentence for lease in leases)}. "
        "Work on something else, and retry when the lease has ended.",
        paths=tuple(lease.path for lease in leases),
    )


def constraints_hold(action: Action, facts: Facts, _policy: Policy) -> Refusal | None:
    """Refuse an edit that breaks a rule of the selected intent, or one that a rule can't be checked for.

    A rule that can't be checked is not known to hold; trying again does not help, hence the hint.
    """
    intent = facts.intent
    if intent is None or not intent.rules or not facts.intents_known:
        return None
    from intentls.core.constraints.check import (  # slow to import, and most intents have no rules
        ChangeSet,
        find_breaches,
    )

    breaches = find_breaches(intent.rules, ChangeSet(action.edits or ()))
    if not breaches:
        return None
    what = "; ".join(f"{breach.message} ({breach.rule.key})" for breach in breaches)
    paths = tuple(dict.fromkeys(breach.path for breach in breaches if breach.path is not None))
    if all(breach.checked for breach in breaches):
        error = f"Constraint Violation: {intent.id} forbids this edit: {what}. Choose another edit."
        return Refusal.of(Code.CONSTRAINT_VIOLATION, error, paths=paths)
    error = f"Constraint Error: not every constraint of {intent.id} can be checked: {what}."
    return Refusal.of(Code.HOOK_ERROR, error, paths=paths, action_hint=ActionHint.FIX_CONFIGURATION)


def class_is_as_declared(action: Action, _facts: Facts, policy: Policy) -> Refusal | None:
    """Refuse content that contradicts the declared mutation class, where policy says `mutation_check: block`."""
    if action.contradiction is None or policy.mutation_check is not MutationCheck.BLOCK:
        return None
    error = f"Mutation Class Contradicted: {action.contradiction}. Declare another class, or choose another edit."
    return Refusal.of(Code.MUTATION_CLASS_CONTRADICTED, error, paths=tuple(target.path for target in action.targets))
