"""What people made easier in files of intents by hand, and vouched for afterwards: it is said, and fails no check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.branch.findings import BranchFinding, FindingLevel
from intentls.core.branch.loosening import dropped_rules
from intentls.core.hashing import content_hash
from intentls.core.intents.intent import Intent
from intentls.core.intents.scope import widened_by
from intentls.core.ledger.record_json import RecordJson
from intentls.engine.branch_check.attested_changes import AttestationState, AttestedChange
from intentls.store.config.declared_files import parse_all_intents

_Pair = tuple[Intent, Intent]


class _AttestedStep(Struct, frozen=True):
    """An attested change of one file of intents: each intent that it has before and after, and what vouches for it."""

    attestation: AttestedChange
    intents: Mapping[str, _Pair]


class DeclaredLine(Struct, frozen=True):
    """A line of the file of intents at root-relative `path`, and the record that wrote it, if one did."""

    path: str
    owner: RecordJson | None


class AttestedDeclarations:
    """The steps of files of intents that people attested.

    An attestation holds for one step, from one content to the next, so what is made easier must come in with it:

        [src/**]   -- Ben, by hand -->   [src/**, docs/**]   -- Ben, attested by Ada -->   [src/**, docs/**, lib/**]

    Ada vouched for `lib/**`, and not for `docs/**`.

    A squash may leave no commit with one of the two contents. Then the lines that the step wrote, and that are there
    still, are what was vouched for.
    """

    def __init__(
        self, attestations: Iterable[AttestedChange], prefix: str, versions: Iterable[tuple[str, bytes]]
    ) -> None:
        """`versions` are contents that files of intents of the root at `prefix` had, with their root-relative paths."""
        contents = {(path, content_hash(data)): data for path, data in versions}
        self._steps: list[_AttestedStep] = []
        self._squashed: dict[tuple[str, str], AttestedChange] = {}
        for attestation in attestations:
            path = attestation.path.removeprefix(prefix)
            old, new = (contents.get((path, hash_ or "")) for hash_ in attestation.content)
            if attestation.state is AttestationState.DENIED:
                continue
            if old is None or new is None:
                self._squashed[attestation.record_id, path] = attestation
                continue
            before, after = (parse_all_intents({path: data}).intents for data in (old, new))
            both = {id_: (before[id_], intent) for id_, intent in after.items() if id_ in before}
            self._steps.append(_AttestedStep(attestation, both))

    def widening(self, intent_id: str, pattern: str, line: DeclaredLine | None) -> AttestedChange | None:
        """Who vouched that the scope got `pattern`, or lost it where it excludes (`!...`).

        `line` has `pattern`, and nothing else of a scope; None if there is no such line.
        """
        step = self._first(intent_id, lambda pair: pattern in widened_by(pair[0].scope, pair[1].scope))
        return step or self._of_line(line)

    def reopening(self, intent_id: str, line: DeclaredLine | None) -> AttestedChange | None:
        """Who vouched that a closed intent is open; `line` has its status, None if none is written."""
        return self._first(intent_id, lambda pair: pair[1].is_open and not pair[0].is_open) or self._of_line(line)

    def drop(self, intent_id: str, message: str) -> AttestedChange | None:
        """Who vouched that the rule is gone of which `dropped_rules` says `message`."""
        return self._first(intent_id, lambda pair: message in dropped_rules(*pair))

    def _of_line(self, line: DeclaredLine | None) -> AttestedChange | None:
        if line is None or line.owner is None:
            return None
        return self._squashed.get((str(line.owner.get("id")), line.path))

    def _first(self, intent_id: str, fits: Callable[[_Pair], bool]) -> AttestedChange | None:
        pairs = ((step.attestation, step.intents.get(intent_id)) for step in self._steps)
        return next((attestation for attestation, pair in pairs if pair is not None and fits(pair)), None)


def accepted(finding: BranchFinding, what: str, attestation: AttestedChange | None) -> BranchFinding:
    """`finding` as a warning that says `what` and who vouched for it; unchanged without an attestation."""
    if attestation is None:
        return finding
    message = f"{what}. Attested by {attestation.by}: {attestation.reason}"
    return replace(finding, message=message, level=FindingLevel.WARNING, record_ids=(attestation.record_id,))
