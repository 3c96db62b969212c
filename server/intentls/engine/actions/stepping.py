"""A use case driven step by step, by a face that waits for people and editors between the steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from intentls.engine.actions.effects import Effect, Reply, Steps

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FinalResult(Generic[T]):
    """A use case came to its end with this result."""

    value: T


def advance(steps: Steps[T], answer: Reply | bool | None) -> Effect | FinalResult[T]:
    """One step: the next effect it needs, or its result. `answer` is to the last effect, None at first."""
    try:
        return next(steps) if answer is None else steps.send(answer)
    except StopIteration as end:
        return FinalResult(end.value)
