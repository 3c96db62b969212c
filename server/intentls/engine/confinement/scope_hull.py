"""The hull of an intent's scope, as the policy lets a strict run use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intentls.core.errors import ConfigurationError
from intentls.core.gate.policy import Confine
from intentls.core.intents.hull import Hull, hull

if TYPE_CHECKING:
    from intentls.engine.workspace.workspace import Workspace


def hull_of(workspace: Workspace, intent_id: str) -> Hull:
    """The hull of an intent's scope. Raises ConfigurationError where policy wants an exact one and this is wider."""
    configuration = workspace.configuration()
    intent = configuration.intents.intents.get(intent_id)
    if intent is None:
        raise ConfigurationError(f"No intent {intent_id} is declared here.")
    rough = hull(intent.scope)
    if configuration.policy.run.confine is Confine.EXACT and not rough.is_exact:
        raise ConfigurationError(
            f"The kernel can't be told the scope of {intent_id} exactly ({'; '.join(rough.wider)}), and the policy "
            "wants that (`run: {confine: exact}`). Run it staged, or name folders in the scope."
        )
    return rough
