"""How this machine's user is named on record: by git's configuration, as the policy's `identity` says."""

from __future__ import annotations

import getpass
from typing import TYPE_CHECKING

from intentls.core.gate.policy import IdentityPolicy, Policy
from intentls.core.ledger.person import UNNAMED, person_name

if TYPE_CHECKING:
    from intentls.engine.workspace.workspace import Workspace


def person(workspace: Workspace, policy: Policy | None = None) -> str | None:
    """The name of the person at this machine for `contributor.name` of records; None where there is none to write.

    `policy` is the one that the record is made under, if that is at hand already.
    """
    identity = (policy or workspace.configuration().policy).identity
    if identity is IdentityPolicy.NONE:
        return None
    user = workspace.git_identity.user()
    return user.email if identity is IdentityPolicy.EMAIL else user.name


def signature(workspace: Workspace) -> str:
    """The same for the key `by` of overrides, acceptances and archives, which always says something.

    Where git names nobody it is the user's name on this machine; under `identity: none` it is UNNAMED.
    """
    if workspace.configuration().policy.identity is IdentityPolicy.NONE:
        return UNNAMED
    return person(workspace) or person_name(_account()) or UNNAMED


def _account() -> str | None:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # no name for this user id, as in a container
        return None
