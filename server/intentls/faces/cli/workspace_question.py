"""A verb that an agent runs may need a person: the question goes to the editors that listen, and the verb waits."""

from __future__ import annotations

from intentls.engine.actions.effects import Ask, Effect, Reply, refuse
from intentls.engine.questions.posting import ask_and_wait
from intentls.faces.cli import output


def ask_workspace(effect: Effect) -> Reply | bool:
    """The first answer of any editor that listens; no, where none does."""
    if not isinstance(effect, Ask) or not effect.has_listener:
        return refuse(effect)
    output.print_error(f"A person is asked, for at most {effect.timeout_s:g} seconds: {effect.subject.text}")
    return ask_and_wait(effect)
