"""How strict a workspace is: the keys of policy.yaml and their defaults."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field

from intentls.core.patterns.glob import Glob

if TYPE_CHECKING:
    from intentls.core.diagnostic import Diagnostic
    from intentls.core.intents.intent import Intent


class Mode(StrEnum):
    """Whether a refusal stops an edit or only warns."""

    ENFORCE = "enforce"
    ADVISE = "advise"


class Hitl(StrEnum):
    """Whether a person may be asked to override a refusal."""

    ASK = "ask"
    DENY = "deny"


class OnInvalid(StrEnum):
    """What happens to edits while the configuration has errors."""

    BLOCK = "block"
    ALLOW = "allow"


class OnTraceFailure(StrEnum):
    """What happens to further edits when the ledger can't be written."""

    WARN = "warn"
    BLOCK = "block"


class EmptyScope(StrEnum):
    """Whether an intent without globs may change everything or nothing."""

    ALLOW = "allow"
    DENY = "deny"


class LeasePolicy(StrEnum):
    """Whether another session's lease on a file warns or stops."""

    ADVISE = "advise"
    ENFORCE = "enforce"


class MutationCheck(StrEnum):
    """What happens when a change is not what its declared mutation class says."""

    RECORD = "record"
    WARN = "warn"
    BLOCK = "block"


class Attest(StrEnum):
    """Whether a person may vouch for what came about without the engine."""

    ALLOW = "allow"
    REVIEW = "review"
    DENY = "deny"


class Signatures(StrEnum):
    """What the branch check makes of records that nobody signed."""

    OFF = "off"
    WARN = "warn"
    REQUIRE = "require"


class Shell(StrEnum):
    """What happens to what an agent's shell command changes outside the scope."""

    RECORD = "record"
    REVERT = "revert"
    DENY = "deny"


class DefaultIntentPolicy(StrEnum):
    """Which intent a session begins with that has not selected one."""

    NONE = "none"
    BRANCH = "branch"


class ClosePolicy(StrEnum):
    """Whether the merge of an intent's branch closes the intent."""

    MANUAL = "manual"
    MERGE = "merge"


class ClosedFilesPolicy(StrEnum):
    """Which diagnostics editors show of changed files that they don't have open."""

    OFF = "off"
    SUMMARY = "summary"
    ALL = "all"


class IdentityPolicy(StrEnum):
    """How people are named in records."""

    NAME = "name"
    EMAIL = "email"
    NONE = "none"


class RunMode(StrEnum):
    """How `intentls run` confines a command."""

    AUTO = "auto"
    STAGED = "staged"
    STRICT = "strict"


class Confine(StrEnum):
    """What a strict run does about scopes that the kernel can only be told roughly."""

    HULL = "hull"
    EXACT = "exact"


class RunPolicy(Struct, frozen=True):
    """How commands are confined. `writable` are folders beside the scope that they may change: `~/` or the root's.

    `max_changes`: as many changed files of one run are judged at once; each takes half a kilobyte of memory.
    """

    mode: RunMode = RunMode.AUTO
    confine: Confine = Confine.HULL
    writable: tuple[str, ...] = ()
    max_changes: int = 200_000


class ContextPolicy(Struct, frozen=True):
    """How much an agent gets back at checkout. A token counts as four bytes."""

    max_tokens: int = 4000
    recent_changes: int = 20


class LinterPolicy(Struct, frozen=True):
    """One linter. `command` is an argument vector (no shell) in which `{file}` stands for the saved file."""

    name: str
    files: tuple[Glob, ...]
    command: tuple[str, ...]
    format: Literal["sarif", "json", "text"] = "text"

    def handles(self, path: str) -> bool:
        """Whether the root-relative POSIX `path` is one of its files."""
        return any(glob.matches(path) for glob in self.files)


_RUFF = LinterPolicy("ruff", (Glob("**/*.py"),), ("ruff", "check", "--output-format", "sarif", "{file}"), "sarif")


class Policy(Struct, frozen=True):
    """Every key of policy.yaml, with its default. `coordination` is `files`, or the address of a database."""

    mode: Mode = Mode.ENFORCE
    hitl: Hitl = Hitl.ASK
    hitl_timeout_s: int = 120
    on_invalid: OnInvalid = OnInvalid.BLOCK
    on_trace_failure: OnTraceFailure = OnTraceFailure.WARN
    require_base: bool = False
    empty_scope: EmptyScope = EmptyScope.ALLOW
    protected: tuple[Glob, ...] = ()
    trace_on_save: bool = True
    commit_derived: bool = False
    shell: Shell = Shell.RECORD
    mutation_check: MutationCheck = MutationCheck.RECORD
    leases: LeasePolicy = LeasePolicy.ADVISE
    lease_ttl_s: int = 600
    default_intent: DefaultIntentPolicy = DefaultIntentPolicy.NONE
    close_intents: ClosePolicy = ClosePolicy.MANUAL
    closed_files: ClosedFilesPolicy = ClosedFilesPolicy.SUMMARY
    identity: IdentityPolicy = IdentityPolicy.NAME
    attest: Attest = Attest.ALLOW
    attest_authors: tuple[str, ...] = ()
    signatures: Signatures = Signatures.OFF
    signed_by: tuple[str, ...] = ("*",)
    signed_approvals: bool = False
    safe_tools: tuple[str, ...] = ()
    coordination: str = "files"
    question_excerpts: bool = False
    context: ContextPolicy = field(default_factory=ContextPolicy)
    run: RunPolicy = field(default_factory=RunPolicy)
    linters: tuple[LinterPolicy, ...] = (_RUFF,)

    @property
    def is_lenient(self) -> bool:
        """Whether edits pass although the configuration has errors; paths and base hashes are judged all the same."""
        return self.on_invalid is OnInvalid.ALLOW

    def protects(self, path: str) -> bool:
        """Whether root-relative `path` is one that no guarded edit may write."""
        return any(glob.matches(path) for glob in self.protected)

    def expects_author(self, *names: str) -> bool:
        """Whether a git author, known by name and by address, is one whose commits need no record."""
        return any(fnmatchcase(name, pattern) for pattern in self.attest_authors for name in names)

    def lacking_signers(self, names: Collection[str]) -> tuple[str, ...]:
        """Those of `signed_by` that are not met, where `names` have signed."""
        return tuple(one for one in self.signed_by if not any(fnmatchcase(name, one) for name in names))

    def trusts_tool(self, name: str) -> bool:
        """Whether an agent's tool of this name, which nothing else is known of, changes nothing."""
        return any(fnmatchcase(name, pattern) for pattern in self.safe_tools)

    def admits(self, intent: Intent, path: str) -> bool:
        """Whether root-relative `path` is in the intent's scope; an empty scope is everything, or nothing."""
        if intent.scope.is_whole_workspace and self.empty_scope is EmptyScope.DENY:
            return False
        return intent.scope.contains(path)


DEFAULT = Policy()


class PolicyFile(Struct, frozen=True):
    """The policy that holds, and what is wrong with the file."""

    policy: Policy
    diagnostics: tuple[Diagnostic, ...] = ()
