"""The JSON of a refusal. A typed dictionary, since verbs of the command line give it without loading msgspec."""

from __future__ import annotations

from typing import Literal, TypedDict

from intentls.core.errors import ConfigurationError, StoreError
from intentls.core.gate.refusal import ActionHint, Code, Refusal


class RefusalAnswer(TypedDict):
    """A refusal is a result like any other, never a protocol error; docs/errors.md has the values."""

    status: Literal["error"]
    message: str
    error: str
    error_type: str
    code: str
    recoverable: bool
    action_hint: str
    classification: str
    paths: list[str]
    owners: list[str]


def refused(refusal: Refusal) -> RefusalAnswer:
    """A refusal of the gate, or one that looks like it."""
    return {
        "status": "error",
        "message": "The tool execution failed",
        "error": refusal.error,
        "error_type": refusal.error_type.value,
        "code": refusal.code.value,
        "recoverable": True,
        "action_hint": refusal.action_hint.value,
        "classification": refusal.classification.value,
        "paths": list(refusal.paths),
        "owners": list(refusal.owners),
    }


def failed(error: ConfigurationError | StoreError) -> RefusalAnswer:
    """What the workspace's own files, or the disk, did not allow: a refusal as well."""
    if isinstance(error, ConfigurationError):
        hint = ActionHint.FIX_CONFIGURATION
        return refused(Refusal.of(Code.HOOK_ERROR, f"Configuration Error: {error}", action_hint=hint))
    reason = str(error).rstrip(".")
    return refused(Refusal.of(Code.HOOK_ERROR, f"Store Error: {reason}. Nothing was changed."))
