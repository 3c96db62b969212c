"""The intent with which a session begins that has not selected any: what was chosen here, or what the branch says."""

from __future__ import annotations

from collections.abc import Callable

from intentls.core.gate.policy import DefaultIntentPolicy
from intentls.engine.workspace.configuration import Configuration
from intentls.store.git.head import Git


def default_intent(chosen: str | None, configuration: Callable[[], Configuration], git: Git) -> str | None:
    """The id of an open intent in use, else None.

    What a person chose with `intentls select INTENT` comes first; under `default_intent: branch` then the first intent
    whose `branch` is the one that is checked out.
    """
    current = configuration()
    if chosen is not None and is_usable(current, chosen):
        return chosen
    branch = git.branch() if current.policy.default_intent is DefaultIntentPolicy.BRANCH else None
    return None if branch is None else intent_of_branch(current, branch)


def intent_of_branch(configuration: Configuration, branch: str) -> str | None:
    """The id of the first open intent in use whose `branch` is this one; None if there is none."""
    intents = configuration.intents.intents.values()
    return next((one.id for one in intents if one.branch == branch and is_usable(configuration, one.id)), None)


def is_usable(configuration: Configuration, intent_id: str) -> bool:
    """Whether a session may simply begin with this intent: it is declared, open, and in use."""
    intent = configuration.intents.intents.get(intent_id)
    return intent is not None and intent.is_open and not configuration.ignore.excludes_intent(intent_id)
