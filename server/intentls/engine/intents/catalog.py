"""What there is to read before anything is checked out: an intent's context, and what was learned."""

from __future__ import annotations

from intentls.core.derived.lesson import Lesson
from intentls.engine.intents.context import context_of
from intentls.engine.workspace.engine import Engine


def context_text(engine: Engine, intent_id: str) -> str | None:
    """The `<intent_context>` that whoever selects the intent would get; None if nobody declares it."""
    for workspace in engine.workspaces():
        configuration = workspace.configuration()
        intent = configuration.intents.intents.get(intent_id)
        if intent is not None:
            return context_of(workspace, configuration, intent, None).text
    return None


def lessons(engine: Engine) -> tuple[Lesson, ...]:
    """The lessons of all roots, each root's oldest first. Raises StoreError."""
    return tuple(lesson for workspace in engine.workspaces() for lesson in workspace.derived.lessons())
