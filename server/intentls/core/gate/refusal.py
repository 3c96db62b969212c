"""Verdicts of the gate: every refusal there is, what kind it is, and whether a person may override it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from intentls.core.gate.tool_class import ToolClass


class Code(StrEnum):
    """Why an action was refused."""

    HOOK_ERROR = "HOOK_ERROR"
    INTENT_REQUIRED = "INTENT_REQUIRED"
    INTENT_NOT_FOUND = "INTENT_NOT_FOUND"
    INTENT_CLOSED = "INTENT_CLOSED"
    INTENT_IGNORED = "INTENT_IGNORED"
    INTENT_MISMATCH = "INTENT_MISMATCH"
    PATH_OUTSIDE_WORKSPACE = "PATH_OUTSIDE_WORKSPACE"
    PROTECTED_PATH = "PROTECTED_PATH"
    INTENTIGNORE_PATH_BLOCKED = "INTENTIGNORE_PATH_BLOCKED"
    SCOPE_VIOLATION = "SCOPE_VIOLATION"
    STALE_CONTEXT = "STALE_CONTEXT"
    BASE_HASH_REQUIRED = "BASE_HASH_REQUIRED"
    CONSTRAINT_VIOLATION = "CONSTRAINT_VIOLATION"
    MUTATION_CLASS_CONTRADICTED = "MUTATION_CLASS_CONTRADICTED"
    EDIT_REJECTED = "EDIT_REJECTED"


class ErrorType(StrEnum):
    """The family of a refusal, as agents see it."""

    HOOK_BLOCKED = "HOOK_BLOCKED"
    MISSING_OR_INVALID_INTENT = "MISSING_OR_INVALID_INTENT"
    INTENT_IGNORED = "INTENT_IGNORED"
    SCOPE_VIOLATION = "SCOPE_VIOLATION"
    INTENTIGNORE_PATH_BLOCKED = "INTENTIGNORE_PATH_BLOCKED"
    STALE_FILE = "STALE_FILE"


class ActionHint(StrEnum):
    """What the refused one should do next."""

    FIX_CONFIGURATION = "fix_configuration"
    SELECT_ACTIVE_INTENT = "select_active_intent"
    CHOOSE_ANOTHER_PATH = "choose_another_path"
    REQUEST_SCOPE_EXPANSION = "request_scope_expansion"
    READ_FILE = "read_file"
    CHOOSE_ANOTHER_EDIT = "choose_another_edit"
    DECLARE_ANOTHER_CLASS = "declare_another_class"
    RETRY = "retry"


class ScopeValidation(StrEnum):
    """What the ledger says of an action's paths."""

    PASS = "PASS"
    FAIL = "FAIL"
    EXEMPT = "EXEMPT"


class _RefusalKind(Struct, frozen=True):
    error_type: ErrorType
    action_hint: ActionHint
    overridable: bool
    scope_validation: ScopeValidation = ScopeValidation.EXEMPT


_T, _H, _S = ErrorType, ActionHint, ScopeValidation
_KINDS: Mapping[Code, _RefusalKind] = MappingProxyType(
    {
        Code.HOOK_ERROR: _RefusalKind(_T.HOOK_BLOCKED, _H.RETRY, False),
        Code.INTENT_REQUIRED: _RefusalKind(_T.MISSING_OR_INVALID_INTENT, _H.SELECT_ACTIVE_INTENT, True),
        Code.INTENT_NOT_FOUND: _RefusalKind(_T.MISSING_OR_INVALID_INTENT, _H.SELECT_ACTIVE_INTENT, False),
        Code.INTENT_CLOSED: _RefusalKind(_T.MISSING_OR_INVALID_INTENT, _H.SELECT_ACTIVE_INTENT, True),
        Code.INTENT_IGNORED: _RefusalKind(_T.INTENT_IGNORED, _H.SELECT_ACTIVE_INTENT, True),
        Code.INTENT_MISMATCH: _RefusalKind(_T.MISSING_OR_INVALID_INTENT, _H.SELECT_ACTIVE_INTENT, False),
        Code.PATH_OUTSIDE_WORKSPACE: _RefusalKind(_T.SCOPE_VIOLATION, _H.CHOOSE_ANOTHER_PATH, False, _S.FAIL),
        Code.PROTECTED_PATH: _RefusalKind(_T.SCOPE_VIOLATION, _H.CHOOSE_ANOTHER_PATH, False, _S.FAIL),
        Code.INTENTIGNORE_PATH_BLOCKED: _RefusalKind(
            _T.INTENTIGNORE_PATH_BLOCKED, _H.CHOOSE_ANOTHER_PATH, True, _S.FAIL
        ),
        Code.SCOPE_VIOLATION: _RefusalKind(_T.SCOPE_VIOLATION, _H.REQUEST_SCOPE_EXPANSION, True, _S.FAIL),
        Code.STALE_CONTEXT: _RefusalKind(_T.STALE_FILE, _H.READ_FILE, True),
        Code.BASE_HASH_REQUIRED: _RefusalKind(_T.STALE_FILE, _H.READ_FILE, True),
        Code.CONSTRAINT_VIOLATION: _RefusalKind(_T.HOOK_BLOCKED, _H.CHOOSE_ANOTHER_EDIT, True),
        Code.MUTATION_CLASS_CONTRADICTED: _RefusalKind(_T.HOOK_BLOCKED, _H.DECLARE_ANOTHER_CLASS, True),
        Code.EDIT_REJECTED: _RefusalKind(_T.HOOK_BLOCKED, _H.RETRY, False),
    }
)


class Refusal(Struct, frozen=True):
    """A clean no. `error` is the sentence for the agent; `paths` are the offending ones, root-relative."""

    code: Code
    error: str
    paths: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    action_hint: ActionHint = ActionHint.RETRY
    classification: ToolClass = ToolClass.DESTRUCTIVE

    @classmethod
    def of(
        cls,
        code: Code,
        error: str,
        *,
        paths: tuple[str, ...] = (),
        owners: tuple[str, ...] = (),
        action_hint: ActionHint | None = None,
    ) -> Refusal:
        """A refusal with the code's own hint, unless another is given."""
        return cls(code, error, paths, owners, action_hint or _KINDS[code].action_hint)

    @property
    def error_type(self) -> ErrorType:
        """The family this refusal belongs to."""
        return _KINDS[self.code].error_type

    @property
    def overridable(self) -> bool:
        """Whether a person may let the action pass all the same."""
        return _KINDS[self.code].overridable

    @property
    def scope_validation(self) -> ScopeValidation:
        """FAIL where a path was the reason, else EXEMPT: the scope never came to be judged."""
        return _KINDS[self.code].scope_validation


class Override(Struct, frozen=True):
    """A person let a refused action pass: `code` is the refusal's, `action` the answer that was given.

    It holds for `intent_id` and `paths`, those of the refusal, and for the `contents` that the action made then: the
    content hash of each file afterwards, by path, None for a file that is gone. `contents` is None where they are not
    known.
    """

    by: str
    action: str
    code: str
    paths: tuple[str, ...] = ()
    contents: Mapping[str, str | None] | None = None
    intent_id: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The JSON object: who approved what. The intent is the record's own."""
        return {
            "by": self.by,
            "action": self.action,
            "code": self.code,
            **({"paths": list(self.paths)} if self.paths else {}),
            **({"contents": dict(self.contents)} if self.contents else {}),
        }
