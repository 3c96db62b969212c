"""`intentls attest`: a person vouches for what came about without the engine, in records that say so.

An attestation holds for one step of one file, from one content to the next, and never says who wrote the lines: their
author is git's. What records explain is not attested, so each step begins where the last record of the file ends:

    base `A`; an agent writes `B`, on record; a formatter makes `C` of it, which is committed
    attested: `B` -> `C`, by the author of the commit. Blame still gives the agent all lines that are as in `B`.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

import intentls
from intentls.core.errors import ConfigurationError, InvalidPath
from intentls.core.gate.policy import IdentityPolicy
from intentls.core.gate.refusal import ActionHint, Code, Refusal, ScopeValidation
from intentls.core.hashing import hash_of
from intentls.core.ledger.line_range import LineRange, range_of
from intentls.core.ledger.person import UNNAMED, person_name
from intentls.core.ledger.record import (
    Attestation,
    ClassSource,
    Contributor,
    ContributorType,
    Conversation,
    FileChange,
    Record,
    Vcs,
)
from intentls.core.ledger.record_json import ATTEST
from intentls.core.ledger.trace_state import TraceState
from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.core.text.line_hashes import MAX_LINES, bare_lines, join_hashes
from intentls.core.text.lines import split_lines
from intentls.engine.actions.authority import acts_for_agent
from intentls.engine.branch_check.attested_changes import AttestationState, AttestedChange
from intentls.engine.branch_check.check import governing, roots_of
from intentls.engine.branch_check.comparison import ChangedPath, Comparison, ComparisonRequest, compare
from intentls.engine.branch_check.coverage import line_stretches
from intentls.engine.branch_check.root_check import RootCheck, is_attestable, open_root_check
from intentls.engine.branch_check.uncovered_versions import UncoveredVersion
from intentls.engine.tools.open_calls import has_open_calls, settle_orphans
from intentls.engine.tools.shell_calls import unreported_paths
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.people import signature
from intentls.engine.workspace.workspace import Workspace
from intentls.store.clock import timestamp
from intentls.store.git.commits import begun_by, merge_base, resolve_any, work_tree

_MAINS = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
_BOT = "[bot]"


class AttestRequest(Struct, frozen=True):
    """What is to be attested: the `paths` (resolved; none means all), in the commits since `base`.

    Without a base it is what the working tree has, compared with where the branch began or else with where the root
    did. `only` is the one root in question. `dry_run`: say what it would be, and record nothing.
    """

    session_id: str
    reason: str
    paths: tuple[Path, ...] = ()
    base: str | None = None
    only: Path | None = None
    dry_run: bool = False


class AttestedStep(Struct, frozen=True):
    """A change of `path` (from the top of the repository) that is attested; `commit` is "" if it is not committed."""

    path: str
    author: str
    commit: str
    lines: int
    record_id: str | None


class AttestResult(Struct, frozen=True):
    """What was attested, or would be. `untouched` are the requested paths that need no attestation.

    `ledgers` are the folders with the new records, which the next commit has to take in.
    """

    by: str
    steps: tuple[AttestedStep, ...]
    untouched: tuple[str, ...]
    ledgers: tuple[str, ...] = ()


class _Step(Struct, frozen=True):
    """One change to attest: of a version that no record explains, or once more of one that its author attested."""

    version: UncoveredVersion
    author: str
    commit: str


def attest(start: Path, request: AttestRequest) -> AttestResult | Refusal:
    """Vouch for what is requested, under the person's name; a refusal for an agent, or where policy denies it.

    Raises ConfigurationError where git can't tell, InvalidPath, and LedgerUnavailable.
    """
    top = work_tree(start)
    wanted = tuple(_below(top, path) for path in request.paths)
    for states in _comparisons(top, request):
        comparison = compare(start, states)
        if _settle(comparison):
            comparison = compare(start, states)
        changes = [change for change in comparison.changed() if _is_wanted(change.path, wanted)]
        result = _attest(comparison, changes, request, wanted)
        if isinstance(result, Refusal) or result.steps:
            return result
    return AttestResult(UNNAMED, (), wanted)


def _below(top: Path, path: Path) -> str:
    if not path.is_relative_to(top):
        raise InvalidPath(str(path), f"is outside of the repository {top}")
    return path.relative_to(top).as_posix()


def _is_wanted(path: str, wanted: Sequence[str]) -> bool:
    return not wanted or any(path == name or path.startswith(f"{name}/") or name == "." for name in wanted)


def _comparisons(top: Path, request: AttestRequest) -> Iterator[ComparisonRequest]:
    """What may be compared, the likeliest first."""
    if request.base is not None:
        yield ComparisonRequest(request.base)
        return
    tip = resolve_any(top, ("HEAD",))
    main = None if tip is None else resolve_any(top, _MAINS)
    bases: list[str | None] = [None]
    if tip is not None and main is not None:
        with suppress(ConfigurationError):  # unrelated histories: then with the root's beginning
            bases.insert(0, merge_base(top, main, tip))
    bases += [] if tip is None else begun_by(top, INTENTS_FILE)
    for base in dict.fromkeys(bases):
        yield ComparisonRequest(base, disk=True)


def _settle(comparison: Comparison) -> bool:
    """Put on record what the commands of agents that are gone changed; whether there may have been any."""
    roots = [comparison.top / prefix for prefix in roots_of(comparison.head)]
    if not has_open_calls(roots):
        return False
    for root in roots:
        Engine(Headless("cli", (root,)), settle_orphans).workspace(root)
    return True


def _attest(
    comparison: Comparison, changes: Sequence[ChangedPath], request: AttestRequest, wanted: tuple[str, ...]
) -> AttestResult | Refusal:
    top = comparison.top
    by = UNNAMED
    old, new = roots_of(comparison.base), roots_of(comparison.head)
    steps: list[AttestedStep] = []
    ledgers: list[str] = []
    for prefix in sorted(new):
        root = top / prefix if prefix else top
        if request.only not in (None, root):
            continue
        mine = [change for change in changes if governing(change.path, new | old) == prefix]
        workspace = Engine(Headless("cli", (root,))).workspace(root)
        by = signature(workspace)
        refusal = _refusal(workspace, request)
        if refusal is not None:
            return refusal
        with open_root_check(comparison, prefix) as check:
            if not check.ledgers.attestations_count:
                return _denied()
            found = list(_steps(check, mine, by))
        unreported = {prefix + path for path in unreported_paths(workspace)}
        waiting = sorted({step.version.path for step in found} & unreported)
        if waiting:
            return _waiting(waiting)
        records = list(_records(workspace, prefix, found, by, request))
        if not request.dry_run and records:
            ledgers.append(prefix)
        for number, (record, parts) in enumerate(records, start=1):
            state = TraceState.RECORDED
            if not request.dry_run:
                state = workspace.trace(record, durable=number == len(records))
            if state is not TraceState.RECORDED:
                raise ConfigurationError(
                    "The ledger can't be written, so nothing more is attested. A record that waits follows once it can."
                )
            steps += [
                AttestedStep(
                    part.version.path,
                    part.author,
                    part.commit,
                    len(part.version.lines),
                    None if request.dry_run else record.id,
                )
                for part in parts
            ]
    attested = {step.path for step in steps}
    untouched = tuple(name for name in wanted if not any(_is_wanted(path, (name,)) for path in attested))
    return AttestResult(by, tuple(steps), untouched, tuple(ledgers))


def _refusal(workspace: Workspace, request: AttestRequest) -> Refusal | None:
    if not acts_for_agent(workspace, request.session_id):
        return None
    return Refusal.of(
        Code.SCOPE_VIOLATION,
        "Scope Violation: a person attests a change, not an agent. Ask one to run `intentls attest`.",
        action_hint=ActionHint.CHOOSE_ANOTHER_PATH,
    )


def _denied() -> Refusal:
    return Refusal.of(
        Code.SCOPE_VIOLATION,
        "Scope Violation: the policy of this workspace says attest: deny. Make the change through the gate.",
        action_hint=ActionHint.CHOOSE_ANOTHER_PATH,
    )


def _waiting(paths: Sequence[str]) -> Refusal:
    return Refusal.of(
        Code.HOOK_ERROR,
        f"Not Attested: [{', '.join(paths)}] changed since an agent announced an edit or a command, and the "
        "agent has not reported what came of it. Attest again after the agent's next step, or once its session "
        "is over.",
        paths=tuple(paths),
    )


def _steps(check: RootCheck, changes: Sequence[ChangedPath], by: str) -> Iterator[_Step]:
    """What no record explains, oldest first; then what only its own author has attested so far."""
    paths = {finding.path for finding in check.findings(changes) if is_attestable(finding)}
    uncovered = check.uncovered([change for change in changes if change.path in paths], by)
    for versions in uncovered.values():
        yield from (_Step(version, _author(check, version), version.commit) for version in versions)
    names = {change.path for change in changes}
    for change in check.attestations:
        if change.state is AttestationState.UNREVIEWED and change.author != by and change.path in names:
            yield _again(check, change)


def _author(check: RootCheck, version: UncoveredVersion) -> str:
    """The author as policy `identity` names people, so that it can be told from who attests."""
    if check.head.policy.identity is IdentityPolicy.NONE:
        return UNNAMED
    is_address = check.head.policy.identity is IdentityPolicy.EMAIL and bool(version.address)
    return person_name(version.address if is_address else version.author) or UNNAMED


def _again(check: RootCheck, change: AttestedChange) -> _Step:
    before, after = change.content
    content = check.comparison.head.read(change.path)
    lines = tuple(number for start, end in change.lines for number in range(start, end + 1))
    if hash_of(content) != after:
        content, lines = None, ()
    version = UncoveredVersion(change.path, (before,), content, change.author, "", change.commit or "", lines, after)
    return _Step(version, change.author, change.commit or "")


def _records(
    workspace: Workspace, prefix: str, steps: Iterable[_Step], by: str, request: AttestRequest
) -> Iterator[tuple[Record, list[_Step]]]:
    """One record for each commit, and one for what is not committed."""
    by_commit: dict[tuple[str, str], list[_Step]] = {}
    for step in steps:
        by_commit.setdefault((step.commit, step.author), []).append(step)
    head = workspace.git.head()
    for (commit, author), parts in by_commit.items():
        attestation = Attestation(by, request.reason, author, commit or None)
        files = [file for part in parts for file in _files(prefix, part, by, request.session_id)]
        record = Record(
            id=str(uuid.uuid4()),
            timestamp=timestamp(),
            vcs=None if head is None else Vcs(head.sha),
            tool_version=intentls.__version__,
            session_id=request.session_id,
            tool_name=ATTEST,
            mutation_class=MutationClass.UNKNOWN,
            mutation_class_source=ClassSource.INFERRED,
            scope_validation=ScopeValidation.EXEMPT,
            success=True,
            files=tuple(files),
            attestation=attestation,
        )
        yield record, parts


def _files(prefix: str, step: _Step, by: str, session_id: str) -> Iterator[FileChange]:
    version = step.version
    kind = ContributorType.UNKNOWN if version.author.endswith(_BOT) else ContributorType.HUMAN
    author = Contributor(kind, name=None if step.author == UNNAMED else step.author, attested_by=by)
    conversation = Conversation(session_id, author, tuple(_ranges(version)))
    for before in version.before:
        change = Change.ADD if before is None else Change.DELETE if version.after is None else Change.MODIFY
        yield FileChange(version.path.removeprefix(prefix), change, before, version.after, (conversation,))


def _ranges(version: UncoveredVersion) -> Iterator[LineRange]:
    lines = split_lines(version.content or b"")
    bare = bare_lines(version.content or b"") if len(version.lines) <= MAX_LINES else []
    for start, end in line_stretches(version.lines):
        where = range_of(lines, start, end)
        yield replace(where, line_hashes=join_hashes(bare[start - 1 : end])) if bare else where
